//! How a game came to its end.

use super::Replay;
use crate::sgf::{RecordedResult, WinBy};

/// How a game came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EndedBy {
    /// Two passes at the end.
    Passes,
    /// No passes, but a margin on record: many programs leave the passes out.
    Counted,
    /// The record says that a side resigned.
    Resignation,
    /// The record says that a side ran out of time.
    Time,
    /// The record says that a side forfeited the game.
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
            EndedBy::Counted => "counted",
            EndedBy::Resignation => "resignation",
            EndedBy::Time => "time",
            EndedBy::Forfeit => "forfeit",
            EndedBy::Unfinished => "unfinished",
            EndedBy::Unknown => "unknown",
        }
    }
}

impl Replay {
    /// How the game ended: by the passes at the end, else by what `RE[]` says about it.
    pub fn ended_by(&self, result: Option<&RecordedResult>) -> EndedBy {
        if self.passes >= 2 {
            return EndedBy::Passes;
        }
        match result {
            Some(RecordedResult::Win { by, .. }) => match by {
                WinBy::Resignation => EndedBy::Resignation,
                WinBy::Time => EndedBy::Time,
                WinBy::Forfeit | WinBy::IllegalMove => EndedBy::Forfeit,
                WinBy::Points(_) => EndedBy::Counted,
                WinBy::Unspecified => EndedBy::Unknown,
            },
            Some(RecordedResult::Draw) => EndedBy::Counted,
            Some(RecordedResult::NoResult) => EndedBy::Unfinished,
            Some(RecordedResult::Unknown | RecordedResult::Unreadable(_)) | None => {
                EndedBy::Unknown
            }
        }
    }
}
