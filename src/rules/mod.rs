//! Rule sets, and a game in progress under them.
//!
//! - [`Rules`] are the axes on which rule sets differ, with names for the well-known ones.
//! - [`History`] is a game in progress under such rules: turns, passes, prisoners, ko, superko.

mod history;
mod ruleset;

pub use history::{Followed, History, Repetition};
pub(crate) use ruleset::shortened;
pub use ruleset::{
    Button, GroupTax, HandicapBonus, KoRule, Points, Preset, Removal, Rules, Scoring, Suicide,
    UnknownRules,
};
