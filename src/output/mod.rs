//! What was found, written down: one file per format.
//!
//! Findings are written by a [`FindingFormat`]: as text with the source line and a caret, as CSV
//! or as JSON lines. Formats write into a buffer, so that threads can prepare what a file has to
//! say in parallel; a [`Destination`] then takes the buffers in order and writes whole rows
//! only, to standard output or to a file that appears under its name when it is complete.
//!
//! Scores are rows of a table, written by a [`ScoreFormat`] in the same way.

mod chain_table;
pub(crate) mod csv;
mod destination;
pub(crate) mod folder;
mod jsonl;
mod score;
mod terminal;
mod text;

pub(crate) use self::csv::{CsvFindings, CsvScores, CsvStyle};
pub(crate) use chain_table::chain_table;
pub(crate) use destination::{Destination, refuse_to_replace};
pub(crate) use jsonl::{JsonFindings, JsonScores};
pub(crate) use score::{ScoreFormat, TextScores};
pub(crate) use terminal::{Styles, printable};
pub(crate) use text::TextFindings;

use crate::finding::Finding;
use crate::sgf::Collection;

/// How findings are written.
pub(crate) trait FindingFormat: Send + Sync {
    /// What stands before the first finding.
    fn header(&self, _out: &mut Vec<u8>) {}

    /// Writes what was found in a file. `source` is what the places of the findings are in, where
    /// the file could be read at all.
    fn findings(
        &self,
        file: &str,
        source: Option<&Collection>,
        findings: &[Finding],
        out: &mut Vec<u8>,
    );
}
