//! How much an input may claim, so that a hostile one costs a finding and nothing else.

use super::LARGE;
use crate::finding::{Code, Finding};

/// Bounds on what is read. Each has an option on the command line.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Limits {
    /// A game larger than this many bytes is not read. A file may have any number of games.
    pub max_game_size: u64,
    /// An archive is left when its members come to more bytes than this.
    pub max_unpacked_size: u64,
    /// An archive is left when it unpacks to more than this many times its own size. Small
    /// archives are exempt, see [`Limits::RATIO_GRACE`].
    pub max_ratio: u64,
    /// An archive is left when it holds more members than this.
    pub max_members: u64,
}

impl Limits {
    /// What an archive may unpack to before its ratio is looked at: a handful of bytes can
    /// honestly stand for a few megabytes of blanks.
    pub const RATIO_GRACE: u64 = 16 << 20;

    /// The memory that a decoder may ask for to look back at what it has unpacked: the window of
    /// `xz -9`, and of `zstd` up to level 19 or with `--long=26`.
    pub(crate) const WINDOW: u64 = 65 << 20;

    /// The longest name that a member of an archive may have: every row about it repeats it.
    pub(crate) const LONGEST_PATH: usize = 4096;

    /// A name in a list beyond this length is a sign that the list is none.
    pub(crate) const LONGEST_LISTED: u64 = 1 << 16;

    /// Files up to this size are read at once.
    pub(crate) fn most_held(&self) -> u64 {
        self.max_game_size.min(LARGE)
    }

    /// The finding for something that has more bytes than a game may have.
    pub(crate) fn too_large(&self, what: &str) -> Finding {
        Finding::new(
            Code::GameTooLarge,
            format!(
                "The {what} is larger than {} (--max-game-size) and was not read.",
                human_size(self.max_game_size)
            ),
        )
    }
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            max_game_size: 32 << 20,
            max_unpacked_size: 16 << 30,
            max_ratio: 200,
            max_members: 10_000_000,
        }
    }
}

/// A size as the options take it: `32M`, `16G`, `700`.
pub(super) fn human_size(bytes: u64) -> String {
    for (shift, unit) in [(30, "G"), (20, "M"), (10, "K")] {
        if bytes > 0 && bytes.is_multiple_of(1 << shift) {
            return format!("{}{unit}", bytes >> shift);
        }
    }
    format!("{bytes} bytes")
}
