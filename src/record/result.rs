//! The recorded result, `RE[]`.

use crate::rules::Color;

/// What `RE[]` says.
#[derive(Clone, Debug, PartialEq)]
pub enum RecordedResult {
    Win {
        winner: Color,
        by: WinBy,
    },
    Draw,
    /// The game was suspended or has no result (`Void`).
    NoResult,
    /// The record says that it does not know (`?`).
    Unknown,
    /// There is something that could not be read.
    Unreadable(String),
}

/// How a game was won.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum WinBy {
    Points(f64),
    Resignation,
    Time,
    Forfeit,
    /// The record names a winner but no margin (`B+`).
    Unsaid,
}
