//! The values of properties, as people write them: sizes, points, komi, handicaps, results.

mod amount;
pub(super) mod handicap;
pub(super) mod komi;
pub(super) mod points;
mod result;
pub(super) mod size;

pub use komi::MOST_KOMI;
pub use result::{RecordedResult, WinBy};
