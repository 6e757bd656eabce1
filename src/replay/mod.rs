//! A record is played out on the board and checked against its rules.
//!
//! - [`choose_rules`] decides which rules those are.
//! - [`replay`] goes through the main line and finds what is wrong with it; `replay_variations`
//!   does the same for every branch beside it.

mod choice;
mod ending;
mod handicap;
mod main_line;
mod opening;
mod placement;
mod referee;
#[cfg(test)]
mod tests;
mod variations;

pub use choice::{ChosenRules, RulesSource, choose_rules};
pub use ending::EndedBy;
pub(crate) use handicap::is_even;
pub use main_line::{Replay, replay};
pub(crate) use main_line::{follow, is_past, replay_into, too_slow};
pub(crate) use variations::{MOST_VARIATION_MOVES, replay_variations};
