//! To be written.

mod lettering;
pub mod picture;
mod png;
mod svg;

pub use png::{TooLarge, png};
pub use svg::svg;
