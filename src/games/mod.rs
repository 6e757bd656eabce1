//! What game a record is of, and what came of it.
//!
//! A record is played out by [`replay`], which is enough to find every illegal move, and judged by
//! [`judge`], which also counts. Both give an [`Outcome`], which is the one place where the games
//! part ways: [Go](go), with its search for dead stones and its rule sets; the other games that
//! kifu plays, [gridless Go and Dai Hasami Shogi](OtherGame); and games that it does not know.
//!
//! ```
//! use kifu::games::{self, GameOptions, Outcome};
//! use kifu::sgf::{self, Limits};
//!
//! let records = b"(;SZ[3];B[bb];W[];B[])(;RU[Hasami];B[B3-E3])(;GM[2];B[d3])";
//! let collection = sgf::parse(records, &Limits::default());
//! let outcomes: Vec<String> = collection
//!     .games
//!     .iter()
//!     .map(|game| match games::judge(game, &GameOptions::default()) {
//!         Outcome::Go(verdict) => verdict.margin().to_string(),
//!         Outcome::Other(played) => played.summary(),
//!         Outcome::Unknown(not_go) => not_go.to_string(),
//!     })
//!     .collect();
//! assert_eq!(outcomes[0], "B+8");
//! assert_eq!(outcomes[1], "A draw: Black 18, White 18");
//! assert_eq!(outcomes[2], "The record is of another game: Othello.");
//! ```

pub mod convention;
mod decision;
pub mod go;
mod gridless;
mod hasami;
mod other;

pub use decision::{DecidedBy, Decision, NotFinal, Winner};
pub use gridless::{DEFAULT_SNAP, LONGEST_SNAP};
pub(crate) use gridless::{Gridless, Location, VoronoiCell};
pub(crate) use hasami::SIDE as HASAMI_SIDE;
pub(crate) use hasami::{Hasami, Square};
pub(crate) use other::BoardGame;
pub(crate) use other::OtherBoard;
pub use other::{FinalScore, OtherGame};

use std::time::Instant;

use crate::finding::{FindingLimiter, MAX_FINDINGS};
use crate::sgf::{Game, GameKind};
use go::{GoReplay, NotGo, Verdict};

/// What a user may choose about the replay and the count, in place of what the records say.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct GameOptions {
    /// For games of Go.
    pub go: go::GoOptions,
    /// How far a gridless stone may be moved to the grid or to touching a stone, in grid units.
    pub snap: f64,
    /// When the work on a game is to end, done or not.
    pub deadline: Option<Instant>,
    /// Findings of one kind that are listed per game; the others are counted.
    pub max_findings: usize,
}

impl Default for GameOptions {
    fn default() -> GameOptions {
        GameOptions {
            go: go::GoOptions::default(),
            snap: DEFAULT_SNAP,
            deadline: None,
            max_findings: MAX_FINDINGS,
        }
    }
}

/// What came of a record, by the game that it is of. For a game of Go that is a [`Verdict`], or a
/// [`GoReplay`] where nothing was counted.
#[derive(Clone, Debug)]
pub enum Outcome<Go = Box<Verdict>> {
    /// A game of Go.
    Go(Go),
    /// Another game that kifu plays.
    Other(Box<OtherGame>),
    /// A game that kifu does not know.
    Unknown(NotGo),
}

/// Plays out the main line of a record, and counts nothing.
pub fn replay(game: &Game, options: &GameOptions) -> Outcome<GoReplay> {
    let findings = FindingLimiter::new(options.max_findings);
    match game.kind {
        GameKind::Go => Outcome::Go(GoReplay::new(game, &options.go, findings, options.deadline)),
        GameKind::GridlessGo => {
            let played = OtherGame::gridless(game, options.snap, findings, options.deadline);
            Outcome::Other(Box::new(played))
        }
        GameKind::HasamiShogi => {
            let played = OtherGame::hasami(game, findings, options.deadline);
            Outcome::Other(Box::new(played))
        }
        GameKind::Other(_) => Outcome::Unknown(NotGo(game.kind.clone())),
    }
}

/// Plays out the main line of a record, and counts the final position.
pub fn judge(game: &Game, options: &GameOptions) -> Outcome {
    match replay(game, options) {
        Outcome::Go(replay) => Outcome::Go(Box::new(replay.judge(game, &options.go))),
        Outcome::Other(played) => Outcome::Other(played),
        Outcome::Unknown(not_go) => Outcome::Unknown(not_go),
    }
}
