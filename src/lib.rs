//! kifu scores folders of Go game records.
//!
//! [`score`] takes the bytes of a file, in any charset and however broken, and gives the score of
//! every game in it; [`check`] finds every illegal move.
//!
//! ```
//! use kifu::ScoreOptions;
//!
//! let sgf = b"(;GM[1]FF[4]SZ[9]KM[6.5]RU[Japanese]PB[Akari]PW[Ben]RE[W+21.5]
//!     ;B[ba];W[ea];B[da];W[eb];B[ab];W[ec];B[bb];W[ed];B[cb];W[ee];B[db];W[cf];B[gb];W[ef]
//!     ;B[bc];W[ff];B[dc];W[gf];B[ad];W[hf];B[bd];W[if];B[cd];W[];B[dd];W[];B[de];W[];B[df];W[]
//!     ;B[dg];W[];B[eg];W[];B[fg];W[];B[gg];W[];B[hg];W[];B[ig];W[];B[gh];W[];B[ih];W[];B[gi]
//!     ;W[];B[hi];W[];B[];W[])";
//! let scored = kifu::score(sgf, &ScoreOptions::default())?;
//! // An error if the record is of another game than Go.
//! let verdict = scored.games[0].verdict()?;
//! let dead: Vec<String> = verdict.dead_stones().map(|stone| stone.to_string()).collect();
//! println!("{}, dead stones: {}", verdict.margin(), dead.join(" "));
//! # assert_eq!(verdict.margin().to_string(), "B+0.5");
//! # assert_eq!(dead, ["G8", "C4"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! prints `B+0.5, dead stones: G8 C4`. Rules, komi and what else may be chosen is in
//! [`ScoreOptions`] and [`CheckOptions`]; whole folders go through [`pipeline::batch`].
//!
//! # The way of a record
//!
//! The folders of this crate are the way a record takes through it, and every arrow points down:
//! a module uses those above it in this list, and none below.
//!
//! 1. [`board`]: colours, points, chains, and the stones on a board.
//! 2. [`finding`]: the language in which every stage says what is wrong.
//! 3. [`input`] finds the records: folders, lists, archives, standard input.
//! 4. [`sgf`] parses bytes in any charset into games, repairs what is broken and says so.
//! 5. [`rules`]: rule sets, and a game in progress under them: ko, superko, passes.
//! 6. [`replay`] plays a record out and finds every illegal move.
//! 7. [`life`] finds out who lives: eyes, search, playouts, seki.
//! 8. [`influence`]: the picture of who leans where, at any moment of a game.
//! 9. [`count`] counts by the rule set, and says how sure it is.
//! 10. [`games`] judges a record of Go, or of one of the other games.
//! 11. [`draw`] draws positions as text, SVG and PNG.
//! 12. [`pipeline`] takes files through all of that, many at once, in order, in little memory.
//! 13. `standings` adds up who won how many games of an event.
//! 14. `diff` finds what changed between two tables.
//! 15. `output` writes what was found: tables, findings, workbooks, annotated records.
//! 16. `report` writes a page about all games.
//! 17. [`cli`] is the command line.
//!
//! These features are on by default: `cli`, the program; `pictures`, SVG and PNG; `archives`, `.zip`
//! and compressed files; `xlsx`, `parquet` and `report`, what else the program writes. What is left
//! without them is all it takes to parse, replay, judge and count, and builds for
//! `wasm32-unknown-unknown`.

#![forbid(unsafe_code)]
// What only a feature uses is unused without it; the build with all features looks for dead code.
#![cfg_attr(
    not(all(
        feature = "archives",
        feature = "xlsx",
        feature = "parquet",
        feature = "report"
    )),
    allow(dead_code, unused_imports)
)]

pub mod board;
#[cfg(feature = "cli")]
pub mod cli;
pub mod count;
#[cfg(feature = "cli")]
pub(crate) mod diff;
pub mod draw;
pub mod finding;
pub mod games;
pub mod influence;
pub mod input;
pub mod life;
#[cfg(feature = "cli")]
pub(crate) mod output;
pub mod pipeline;
pub mod replay;
#[cfg(feature = "report")]
pub(crate) mod report;
pub mod rules;
pub mod sgf;
#[cfg(feature = "cli")]
pub(crate) mod standings;

pub use pipeline::file::{CheckOptions, ScoreOptions};
pub use pipeline::{NoGame, ScoredGame, ScoredGames, check, score};

/// What `examples/train` needs to fit the forests: no part of the library's promise to its users.
#[doc(hidden)]
pub mod training {
    pub use crate::games::go::marked_dead;
    pub use crate::life::forest::{DecisionTree, Forest, ForestError};
    pub use crate::life::judge::{Evidence, Stage, average_until_clear, is_certain};
    pub use crate::life::random::Random;

    /// The numbers by which chains are judged after playouts.
    pub mod features {
        pub use crate::life::features::*;
    }

    /// The numbers by which chains are judged after a search.
    pub mod search_features {
        pub use crate::life::search_features::*;
    }

    /// The numbers by which a score is trusted.
    pub mod confidence {
        pub use crate::count::confidence::*;
    }
}

/// What the targets in `fuzz/` look at from the inside: no part of the library's promise either.
#[cfg(fuzzing)]
#[doc(hidden)]
pub mod fuzzing {
    use crate::rules::Rules;
    use crate::sgf::{self, Collection, Game};

    /// The text of a file in any charset, and how many characters could not be read.
    pub fn decode(bytes: &[u8]) -> (String, usize) {
        let decoded = sgf::charset::decode(bytes);
        (decoded.text.into_owned(), decoded.broken)
    }

    /// Plays out every variation of a game.
    pub fn replay_variations(collection: &Collection, game: &Game) {
        let (branches, _) = collection.branches(game);
        crate::replay::replay_variations(game, &branches, &Rules::default(), 10_000, 100, None);
    }

    /// A text that is read in blocks of this size and cut into pieces of that size is parsed as it
    /// is in one.
    pub fn assert_same_in_pieces(text: &str, block: usize, piece: usize) {
        // The mark settles the charset, which is otherwise guessed from what is read first.
        let marked = format!("\u{feff}{text}");
        sgf::assert_same(marked.as_bytes(), block, piece);
    }
}
