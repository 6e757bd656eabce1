//! A record is played out on the board and checked against its rules.
//!
//! - [`choose_rules`] decides which rules those are.
//! - [`replay`] goes through the main line and finds what is wrong with it; [`replay_variations`]
//!   does the same for every branch beside it.

mod choice;
mod referee;

pub use choice::{ChosenRules, RulesSource, choose_rules};
pub use referee::{EndedBy, MOST_VARIATION_MOVES, Replay, follow, replay, replay_variations};
