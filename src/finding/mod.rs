//! Findings: the one language in which every stage says what is wrong.
//!
//! A finding has a stable [`Code`] (a word, not a number), a [`Severity`], a [`Place`] in the
//! file, and a sentence for a person. The same finding is written as text, as a CSV row or as a
//! JSON object by `crate::output`; what a code means in general is on its page in
//! `src/finding/pages/`, which `kifu explain CODE` prints.

mod code;
mod limiter;
mod panic;
mod shorten;
mod spelling;

pub use code::Code;
pub(crate) use limiter::{FindingLimiter, MAX_FINDINGS};
#[cfg(feature = "cli")]
pub(crate) use panic::remember_panics;
pub(crate) use shorten::{LONGEST_CELL, shortened, shortened_message};
pub(crate) use spelling::nearest;

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing; nothing is wrong with the game.
    Note,
    /// Something was repaired, guessed or contradicts itself; the game can be used.
    Warning,
    /// The game, or a part of it, can't be trusted: an illegal move, a file that can't be read.
    Error,
}

impl Severity {
    /// The word that every output format uses.
    pub fn as_str(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

/// Where in a file something was found. Lines and columns count from 1, columns in characters;
/// 0 means that the finding has no place in the text (a whole file, a missing property).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The line, from 1.
    pub line: u32,
    /// The character in the line, from 1.
    pub column: u32,
}

/// Something that a user should know about a file or a game in it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// What kind of thing was found.
    pub code: Code,
    /// How bad it is.
    pub severity: Severity,
    /// The game in the file, from 1; 0 when the finding is about the file as a whole.
    pub game: u32,
    /// The move, from 1, when the finding is about a move.
    pub move_number: Option<u32>,
    /// Where in the file.
    pub place: Place,
    /// A whole sentence, without the place; not longer than anybody would read.
    pub message: String,
    /// How many findings it counts for: one, but for the last of a long list, which stands for
    /// those that are left out.
    pub count: u32,
}

impl Finding {
    /// A finding with the code's usual severity and no place yet.
    pub(crate) fn new(code: Code, message: impl Into<String>) -> Finding {
        Finding {
            code,
            severity: code.severity(),
            game: 0,
            move_number: None,
            place: Place::default(),
            message: shortened_message(message.into()),
            count: 1,
        }
    }

    pub(crate) fn severity(mut self, severity: Severity) -> Finding {
        self.severity = severity;
        self
    }

    pub(crate) fn game(mut self, game: u32) -> Finding {
        self.game = game;
        self
    }

    pub(crate) fn at(mut self, place: Place) -> Finding {
        self.place = place;
        self
    }

    pub(crate) fn at_move(mut self, number: u32) -> Finding {
        self.move_number = Some(number);
        self
    }
}
