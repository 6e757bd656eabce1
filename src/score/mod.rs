//! Counting a final position whose dead stones are known, and comparing with the record.
//!
//! [`count`] takes the board, the dead stones, the rule set and the terms of the game, and
//! returns a [`Count`]: what every point is, what each side has, and the account of it in words.
//! Which stones are dead is not decided here; that is the business of [`crate::analysis`].
//!
//! The way of a count:
//!
//! 1. The dead stones are lifted; what is left falls into chains and regions, and a region that
//!    touches one colour only is surrounded by it. Area rules need no more than that.
//! 2. By territory rules, points that have to be filled in the end and eyes in seki are taken
//!    off again. That takes an understanding of eyes: of the open regions, where dame were left
//!    unfilled, of the threads on which pieces of a wall hang, and of how many eyes a space can
//!    become.
//! 3. The points are added up by the rule set, with komi, compensation for handicap stones, group
//!    tax and button.
//!
//! A [`Verdict`] does all of it to a game: replay, life and death, the count, the comparison with
//! the record, how sure kifu is, and what would have to be otherwise for the recorded result.
//!
//! Servers are not always as strict as the rule book: [`Counting`] knows which are.

mod chains;
pub mod confidence;
mod count;
mod estimate;
mod eyespace;
mod ground;
mod margin;
mod passage;
mod servers;
mod strict;
mod union;
mod verdict;
mod what_if;

pub use chains::{ChainVerdict, Status, chains};
pub use count::{Count, Mark, ScoreMap, Side, Terms, count};
pub(crate) use margin::points;
pub use margin::{Agreement, Margin, normalized};
pub use servers::Counting;
pub use verdict::{DeadStones, Options, Verdict, marked_dead, terms_of};
pub use what_if::WhatIf;
