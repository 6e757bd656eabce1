//! What was found, written down: one file a format.
//!
//! Findings are written by a [`FindingFormat`]: as text with the source line and a caret, as CSV
//! or as JSON lines. Formats write into a buffer, so that threads can prepare what a file has to
//! say in parallel; a [`Destination`] then takes the buffers in order and writes whole rows
//! only, to standard output or to a file that appears under its name when it is complete.
//!
//! Scores are rows of a table, written by a [`ScoreFormat`] in the same way. An [`annotation`] puts
//! a verdict into the record itself.
//!
//! A position becomes a [`Diagram`], which is shown as a [`text_board`], or drawn as a
//! [`goban`]: a [`picture`], which is written as SVG or PNG.

mod annotated;
mod chain_table;
pub(crate) mod csv;
mod destination;
mod diagram;
pub(crate) mod folder;
mod goban;
pub(crate) mod json;
mod jsonl;
mod layer;
mod lettering;
pub mod picture;
mod png;
mod score;
mod svg;
mod terminal;
mod text;
mod text_board;
mod wooden_board;

pub use self::csv::CsvFindings;
pub use annotated::{SetResult, annotation};
pub use chain_table::chain_table;
pub use destination::Destination;
pub use diagram::{Caption, Diagram, OutlineKind, Outlined, Unplayable};
pub use goban::goban;
pub use jsonl::JsonFindings;
pub use layer::{
    show_clusters, show_influence, show_shadows, show_territory, show_unplayable, show_voronoi,
};
pub use png::{TooLarge, png};
pub use score::{
    CsvScores, JsonScores, RowStatus, ScoreFormat, ScoreRow, ScoredPosition, SideRow, TextScores,
};
pub use svg::svg;
pub(crate) use terminal::{Styles, printable};
pub use text::TextFindings;
pub(crate) use text_board::text_caption;
pub use text_board::{TextStyle, text_board};
pub(crate) use wooden_board::{BLACK, LINE, WHITE, WoodenBoard};

use crate::finding::Finding;

/// How findings are written.
pub trait FindingFormat: Send + Sync {
    /// What stands before the first finding.
    fn header(&self, _out: &mut Vec<u8>) {}

    /// Writes one finding about a file. `source` is the text that the finding's place counts in,
    /// where there is one.
    fn finding(&self, file: &str, source: Option<&str>, finding: &Finding, out: &mut Vec<u8>);
}
