//! kifu scores folders of Go game records.
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
//! 11. [`pipeline`] takes files through all of that, many at once, in order, in little memory.
//! 12. `output` writes what was found: tables, findings, annotated records.
//! 13. [`draw`] draws positions as text, SVG and PNG.
//! 14. [`cli`] is the command line.
//!
//! Three features are on by default: `cli`, the program; `pictures`, SVG and PNG; `archives`, `.zip`
//! and compressed files. What is left without them is all it takes to parse, replay, judge and
//! count, and builds for `wasm32-unknown-unknown`.

// What only a feature uses is unused without it; the build with all features looks for dead code.
#![cfg_attr(
    not(all(feature = "cli", feature = "pictures", feature = "archives")),
    allow(dead_code, unused_imports)
)]

pub mod board;
#[cfg(feature = "cli")]
pub mod cli;
pub mod count;
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
pub mod rules;
pub mod sgf;

/// What `examples/train` needs to fit the forests: no part of the library's promise to its users.
#[doc(hidden)]
pub mod training {
    pub use crate::games::go::{marked_dead, terms_of};
    pub use crate::life::forest::{DecisionTree, Forest};
    pub use crate::life::judge::{Evidence, Stage, average_until_clear, is_certain};

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
