//! Counting a final position whose dead stones are known, and comparing with the record.
//!
//! [`count`] takes the board, the dead stones, the rule set and the terms of the game, and
//! returns a [`Count`]: what every point is, what each side has, and the account of it in words.
//! Which stones are dead is not decided here; that is the business of [`crate::life`].
//!
//! The way of a count:
//!
//! 1. The dead stones are lifted; what is left falls into chains and regions, and a region that
//!    touches one colour only is surrounded by it. Area rules need no more than that.
//! 2. By territory rules, points that have to be filled in the end and eyes in seki are taken
//!    off again. That takes an understanding of eyes: of the open regions, where dame were left
//!    unfilled (`dame_reach`), of the weak links by which parts of a wall hang together
//!    (`eye_graph`, `false_eyes`, `seki`), and of how many eyes a space can become (`eye_space`).
//! 3. Where the record stops before its end, the dame are filled as the players would have done
//!    (`finish`), and a point that its owner had to give for that is no territory.
//! 4. The points are added up by the rule set, with komi, compensation for handicap stones, group
//!    tax and button.
//!
//! Servers are not always as strict as the rule book: [`Counting`] knows which are.

pub(crate) mod confidence;
pub(crate) mod counterfactual;
mod dame_reach;
pub(crate) mod estimate;
mod eye_graph;
mod eye_space;
mod false_eyes;
mod final_position;
pub(crate) mod finish;
mod leads;
mod margin;
mod reasons;
mod score;
mod seki;
mod servers;

pub use counterfactual::{Counterfactual, Terms};
pub use finish::ProtectiveMove;
pub use leads::{Leads, Way};
pub(crate) use margin::normalized;
pub use margin::{Agreement, Margin};
pub(crate) use reasons::chain_verdicts;
pub use reasons::{ChainStatus, ChainVerdict};
pub use score::{Count, Mark, ScoreMap, ScoringTerms, Side, count, count_life};
pub use servers::Counting;
pub(crate) use servers::every_stone_stands;
