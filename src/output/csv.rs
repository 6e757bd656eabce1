//! CSV, for spreadsheets and scripts.
//!
//! Spreadsheets run a cell that starts with `=`, `+`, `-` or `@` as a formula, even one that a
//! stranger put into a player's name. [`harmless`] puts an apostrophe before such text, which
//! spreadsheets take as "this is text" and do not show.

use std::borrow::Cow;

use super::{FindingFormat, ScoreFormat};
use crate::finding::Finding;
use crate::pipeline::row::{COLUMNS, Cell, Column, FINDING_COLUMNS, FindingRow, ScoreRow};
use crate::sgf::Collection;

/// Text that no spreadsheet takes for a formula. For text that comes from outside only: numbers
/// that kifu writes itself may well start with a minus.
pub(crate) fn harmless(text: &str) -> Cow<'_, str> {
    match text.bytes().next() {
        Some(b'=' | b'+' | b'-' | b'@' | b'\t' | b'\r') => Cow::Owned(format!("'{text}")),
        _ => Cow::Borrowed(text),
    }
}

/// Findings as CSV with a header line. What a finding does not have is left empty.
#[derive(Clone, Copy, Debug, Default)]
pub struct CsvFindings;

impl FindingFormat for CsvFindings {
    fn header(&self, out: &mut Vec<u8>) {
        write_header(FINDING_COLUMNS, out);
    }

    fn findings(
        &self,
        file: &str,
        _source: Option<&Collection>,
        findings: &[Finding],
        out: &mut Vec<u8>,
    ) {
        for finding in findings {
            let row = FindingRow { file, finding };
            let cells = FINDING_COLUMNS.iter().map(|column| (column.cell)(&row));
            write_record(cells, out);
        }
    }
}

/// Scores as CSV with a header line.
#[derive(Clone, Copy, Debug, Default)]
pub struct CsvScores {
    /// Start with a byte order mark, by which Excel knows UTF-8.
    pub bom: bool,
}

impl ScoreFormat for CsvScores {
    fn header(&self, out: &mut Vec<u8>) {
        if self.bom {
            out.extend_from_slice("\u{feff}".as_bytes());
        }
        write_header(COLUMNS, out);
    }

    fn row(&self, row: &ScoreRow, out: &mut Vec<u8>) {
        write_record(COLUMNS.iter().map(|column| (column.cell)(row)), out);
    }

    fn wants_position(&self) -> bool {
        false
    }
}

fn write_header<F>(columns: &[Column<F>], out: &mut Vec<u8>) {
    let names: Vec<&str> = columns.iter().map(|column| column.name).collect();
    out.extend_from_slice(names.join(",").as_bytes());
    out.push(b'\n');
}

fn write_record<'a>(cells: impl Iterator<Item = Cell<'a>>, out: &mut Vec<u8>) {
    let mut writer = csv::WriterBuilder::new()
        .buffer_capacity(1024)
        .from_writer(out);
    for cell in cells {
        let field = match cell {
            Cell::Text(text) => harmless(text),
            Cell::Integer(count) => count.map_or_else(String::new, |n| n.to_string()).into(),
            Cell::Number(_) => cell
                .rounded()
                .map_or_else(String::new, |number| format!("{number:?}"))
                .into(),
            Cell::Probability(share) => share
                .map_or_else(String::new, |share| format!("{share:.3}"))
                .into(),
            Cell::Sentences(sentences) => harmless(&sentences.join(" ")).into_owned().into(),
        };
        writer
            .write_field(&*field)
            .expect("a buffer in memory takes everything");
    }
    writer
        .write_record(None::<&[u8]>)
        .and_then(|()| Ok(writer.flush()?))
        .expect("a buffer in memory takes everything");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::{Code, Place};

    #[test]
    fn a_name_that_looks_like_a_formula_is_made_harmless() {
        let finding = Finding::new(Code::OccupiedPoint, "Taken, by \"Black\".")
            .game(1)
            .at_move(2)
            .at(Place { line: 3, column: 4 });
        let mut out = Vec::new();
        CsvFindings.findings("=cmd.sgf", None, &[finding], &mut out);
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "'=cmd.sgf,1,2,3,4,error,occupied-point,\"Taken, by \"\"Black\"\".\"\n"
        );
    }
}
