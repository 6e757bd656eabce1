//! JSON lines: one object per line, for programs.

use std::io;

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::ser::{CompactFormatter, Formatter};

use super::{FindingFormat, ScoreFormat};
use crate::finding::Finding;
use crate::pipeline::row::{Cell, FindingColumn, FindingRow, ScoreColumn, ScoreRow};
use crate::sgf::Collection;

/// Findings as JSON lines. What a finding does not have is `null`.
#[derive(Clone, Debug, Default)]
pub(crate) struct JsonFindings {
    /// Which columns, in which order; `None` for all.
    pub columns: Option<Vec<FindingColumn>>,
}

impl FindingFormat for JsonFindings {
    fn findings(
        &self,
        file: &str,
        _source: Option<&Collection>,
        findings: &[Finding],
        out: &mut Vec<u8>,
    ) {
        for finding in findings {
            let row = FindingRow { file, finding };
            match &self.columns {
                None => write_line(&row, out),
                Some(columns) => {
                    let cells = columns
                        .iter()
                        .map(|column| (column.name, (column.cell)(&row)));
                    write_line(&Object(cells), out);
                }
            }
        }
    }
}

/// Scores as JSON lines, with the final position where the rows have it.
#[derive(Clone, Debug, Default)]
pub(crate) struct JsonScores {
    /// Which columns, in which order; `None` for all, and the final position.
    pub columns: Option<Vec<ScoreColumn>>,
}

impl ScoreFormat for JsonScores {
    fn row(&self, row: &ScoreRow, out: &mut Vec<u8>) {
        match &self.columns {
            None => write_line(row, out),
            Some(columns) => {
                let cells = columns
                    .iter()
                    .map(|column| (column.name, (column.cell)(row)));
                write_line(&Object(cells), out);
            }
        }
    }

    fn wants_position(&self) -> bool {
        self.columns.is_none()
    }
}

/// A few keys and their values as an object.
struct Object<I>(I);

impl<K: Serialize, V: Serialize, I: Iterator<Item = (K, V)> + Clone> Serialize for Object<I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(None)?;
        for (key, value) in self.0.clone() {
            object.serialize_entry(&key, &value)?;
        }
        object.end()
    }
}

/// JSON in which the control characters that JSON itself lets pass are escaped too: whoever
/// prints a line on a terminal must not be at the mercy of a file name.
struct SafeFormatter;

impl Formatter for SafeFormatter {
    fn write_string_fragment<W: io::Write + ?Sized>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        let mut rest = fragment;
        while let Some(at) = rest.find(|c: char| matches!(c, '\u{7f}'..='\u{9f}')) {
            let character = rest[at..].chars().next().expect("just found");
            CompactFormatter.write_string_fragment(writer, &rest[..at])?;
            write!(writer, "\\u{:04x}", u32::from(character))?;
            rest = &rest[at + character.len_utf8()..];
        }
        CompactFormatter.write_string_fragment(writer, rest)
    }
}

/// Writes an object of these keys and values on a line of its own.
pub(crate) fn write_json_line<'a>(
    cells: impl Iterator<Item = (&'a str, Cell<'a>)> + Clone,
    out: &mut Vec<u8>,
) {
    write_line(&Object(cells), out);
}

fn write_line(row: &impl Serialize, out: &mut Vec<u8>) {
    let mut serializer = serde_json::Serializer::with_formatter(&mut *out, SafeFormatter);
    row.serialize(&mut serializer)
        .expect("a row in memory can be serialised");
    out.push(b'\n');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Code;

    #[test]
    fn a_finding_is_one_object_on_one_line() {
        let finding = Finding::new(Code::EmptyFile, "The file is empty.");
        let mut out = Vec::new();
        JsonFindings::default().findings("a\n\u{1b}\u{9b}b.sgf", None, &[finding], &mut out);
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "{\"file\":\"a\\n\\u001b\\u009bb.sgf\",\"game\":null,\"move\":null,\"line\":null,\"column\":null,\
             \"severity\":\"error\",\"code\":\"empty-file\",\"message\":\"The file is empty.\"}\n"
        );
    }
}
