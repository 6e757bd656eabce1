//! kifu scores folders of Go game records.
//!
//! The folders of this crate are the way a record takes through it:
//!
//! 1. [`input`] finds the records: folders, archives, standard input, any charset.
//! 2. [`record`] reads SGF text into games, repairs what is broken and says so.
//! 3. [`rules`] replays a game on a board and finds every illegal move.
//! 4. [`analysis`] understands the final position: eyes, life and death, seki, territory.
//! 5. [`score`] counts by the game's rule set and compares with the recorded result.
//! 6. [`batch`] does all of that to many files at once, in order, in little memory.
//! 7. [`output`] writes what was found, one file a format.
//!
//! [`finding`] is the language in which every stage says what is wrong, [`variant`] holds the
//! games that are not Go, and [`cli`] is the command line.

pub mod analysis;
pub mod batch;
pub mod cli;
pub mod finding;
pub mod input;
pub mod output;
pub mod record;
pub mod rules;
pub mod score;
pub mod variant;
