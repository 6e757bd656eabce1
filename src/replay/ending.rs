//! How a game came to its end.

use super::Replay;
use crate::sgf::{RecordedResult, WinBy};

/// How a game came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EndedBy {
    Passes,
    Resignation,
    Time,
    Forfeit,
    /// The record says that the game was broken off.
    Unfinished,
    /// The record does not say.
    Unknown,
}

impl EndedBy {
    /// The word for it in every output.
    pub fn as_str(self) -> &'static str {
        match self {
            EndedBy::Passes => "passes",
            EndedBy::Resignation => "resignation",
            EndedBy::Time => "time",
            EndedBy::Forfeit => "forfeit",
            EndedBy::Unfinished => "unfinished",
            EndedBy::Unknown => "unknown",
        }
    }
}

impl Replay {
    /// How the game ended: what `RE[]` says about it, else by the passes at the end.
    pub fn ended_by(&self, result: Option<&RecordedResult>) -> EndedBy {
        match result {
            Some(RecordedResult::Win { by, .. }) => match by {
                WinBy::Resignation => return EndedBy::Resignation,
                WinBy::Time => return EndedBy::Time,
                WinBy::Forfeit => return EndedBy::Forfeit,
                // A margin was counted, so both sides had stopped: many programs leave the
                // passes out of the record.
                WinBy::Points(_) => return EndedBy::Passes,
                WinBy::Unsaid => {}
            },
            Some(RecordedResult::Draw) => return EndedBy::Passes,
            Some(RecordedResult::NoResult) => return EndedBy::Unfinished,
            Some(RecordedResult::Unknown | RecordedResult::Unreadable(_)) | None => {}
        }
        if self.passes >= 2 {
            EndedBy::Passes
        } else {
            EndedBy::Unknown
        }
    }
}
