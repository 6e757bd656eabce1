//! The rules engine, in the words of the rule book.
//!
//! - [`Board`] knows stones, chains, liberties, captures and the simple ko; it is fast and knows
//!   nothing of a game's past. Points are [`Point`]s and sets of them are [`PointSet`]s.
//! - [`Rules`] are the axes on which rule sets differ, with names for the well-known ones.
//! - [`History`] is a game in progress under such rules: turns, passes, prisoners, superko.
//! - [`replay`] follows a record through all of that and finds what is wrong with it.

mod board;
mod chain;
mod color;
mod history;
mod point;
mod point_set;
mod replay;
mod ruleset;

pub use board::{Board, Captures, Illegal};
pub(crate) use chain::{Chain, Chains};
pub use color::{Color, Spot};
pub use history::{Followed, History, Repetition};
pub use point::{Point, Size, column_name};
pub use point_set::PointSet;
pub use replay::{EndedBy, MOST_VARIATION_MOVES, Replay, follow, replay, replay_variations};
pub use ruleset::{
    Button, ChosenRules, GroupTax, HandicapBonus, KoRule, Points, Preset, Rules, RulesSource,
    Scoring, Suicide, UnknownRules,
};
