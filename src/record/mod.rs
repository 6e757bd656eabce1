//! SGF text becomes games.
//!
//! The types here are what the rest of the program sees of a record: [`Game`] with its
//! [`Header`] and the steps of its main line or of any other branch. Everything that had to be
//! repaired on the way is said in findings.

mod game;
mod result;

pub use game::{Game, GameKind, Header, NodeId, Setup, Step, StepKind, Target};
pub use result::{RecordedResult, WinBy};
