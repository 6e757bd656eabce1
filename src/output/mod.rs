//! What was found, written down: one file per format.
//!
//! Findings are written by a [`FindingFormat`]: as text with the source line and a caret, as CSV
//! or as JSON lines. Formats write into a buffer, so that threads can prepare what a file has to
//! say in parallel; a [`Destination`] then takes the buffers in order and writes whole rows
//! only, to standard output or to a file that appears under its name when it is complete.
//!
//! Scores are rows of a table, written by a [`ScoreFormat`] in the same way.
//!
//! A workbook, a Parquet file and a report are a [`Document`] each: one thread puts it together
//! from what comes of each file, in order, and closes it in the end.

mod chain_table;
pub(crate) mod csv;
mod destination;
pub(crate) mod folder;
mod github;
mod jsonl;
#[cfg(feature = "parquet")]
pub(crate) mod parquet;
mod sarif;
mod score;
mod terminal;
mod text;
#[cfg(feature = "xlsx")]
pub(crate) mod workbook;

pub(crate) use self::csv::{CsvFindings, CsvScores, CsvStyle};
pub(crate) use chain_table::chain_table;
pub(crate) use destination::{Destination, SharedDestination, refuse_to_replace};
pub(crate) use github::GithubFindings;
pub(crate) use jsonl::{JsonFindings, JsonScores, write_json_line};
pub(crate) use sarif::SarifFindings;
pub(crate) use score::{ScoreFormat, TextScores};
pub(crate) use terminal::{Styles, printable};
pub(crate) use text::{TextFindings, excerpt};

use std::io;

use crate::finding::Finding;
use crate::pipeline::batch::Ended;
use crate::pipeline::row::ScoreRow;
use crate::pipeline::tally::{ScoreTally, Tally};
use crate::sgf::Collection;

/// How a run writes what it finds.
pub(crate) enum Writing<Rows: ?Sized, Whole: ?Sized> {
    /// A row after the other, each by the thread that worked on its file.
    Rows(Box<Rows>),
    /// As a document, which one thread puts together.
    Document(Box<Whole>, SharedDestination),
}

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

/// Something that is put together from what comes of each file, `T`, in the order of the input,
/// and is of use when it was closed.
pub(crate) trait Document<T>: Send {
    /// Takes what came of a file, or of a part of one.
    fn add(&mut self, part: T) -> io::Result<()>;

    /// Writes what is left, so that the document can be opened; if the run was interrupted, with
    /// what was added so far.
    fn close(&mut self, ended: Ended) -> io::Result<()>;
}

/// A document of scores.
pub(crate) trait ScoreDocument: Send {
    /// Adds the games of a file, or of a part of one.
    fn add(&mut self, part: ScoredPart) -> io::Result<()>;

    /// Writes what is left, with what was counted in all.
    fn close(&mut self, tally: &ScoreTally, ended: Ended) -> io::Result<()>;
}

/// A document of findings.
pub(crate) trait FindingDocument: Send {
    /// Adds what was found in a file.
    fn add(&mut self, file: &str, findings: &[Finding]) -> io::Result<()>;

    /// Writes what is left, with what was counted in all.
    fn close(&mut self, tally: &Tally, ended: Ended) -> io::Result<()>;
}

/// What came of a file, or of a part of one, for a document of scores.
#[derive(Debug, Default)]
pub(crate) struct ScoredPart {
    /// The path as given.
    pub file: String,
    /// A row per game.
    pub rows: Vec<ScoreRow>,
    /// What was found, where the document shows it.
    pub findings: Vec<Finding>,
    /// The final position of each row as PNG, where the document shows it.
    pub boards: Vec<Option<Vec<u8>>>,
}

impl ScoredPart {
    /// About how many bytes it holds in memory.
    pub(crate) fn held(&self) -> usize {
        let rows: usize = self.rows.iter().map(ScoreRow::held).sum();
        let findings = self.findings.iter();
        let findings: usize = findings
            .map(|finding| size_of::<Finding>() + finding.message.len())
            .sum();
        let boards = self.boards.iter().flatten();
        rows + findings + boards.map(Vec::len).sum::<usize>()
    }
}
