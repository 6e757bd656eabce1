//! The way of a record from bytes to a row.
//!
//! - [`file`](mod@file) takes the bytes of one file through every stage: parse, choose the rules,
//!   replay, judge, count. What comes out is an outcome per game, and findings.
//! - [`score`] and [`check`] do that to bytes in memory: the front door of the library.
//! - [`row`] is the one place where an outcome becomes the columns of a table.
//! - [`annotation`] puts an outcome into the record itself.
//! - [`batch`] does that to many files at once, in order, in little memory; a large file comes as
//!   many [`Part`]s.
//! - `date` finds the day in what a record says about it.
//! - `tally` counts what the summary of a run says.
//! - `sources` finds out which komi, rules and counting the games of a source were played by.

pub mod annotation;
pub mod batch;
mod bytes;
pub(crate) mod date;
pub mod file;
mod part;
pub mod row;
pub(crate) mod sources;
pub(crate) mod tally;

pub use bytes::{NoGame, ScoredGame, ScoredGames, check, score};
pub use part::Part;
