//! CSV, for spreadsheets and scripts.
//!
//! Spreadsheets run a cell that starts with `=`, `+`, `-` or `@` as a formula, even one that a
//! stranger put into a player's name. [`harmless`] puts an apostrophe before such text, which
//! spreadsheets take as "this is text" and do not show.

use std::borrow::Cow;

use super::FindingFormat;
use crate::finding::Finding;

/// Text that no spreadsheet takes for a formula. For text that comes from outside only: numbers
/// that kifu writes itself may well start with a minus.
pub(crate) fn harmless(text: &str) -> Cow<'_, str> {
    match text.bytes().next() {
        Some(b'=' | b'+' | b'-' | b'@' | b'\t' | b'\r') => Cow::Owned(format!("'{text}")),
        _ => Cow::Borrowed(text),
    }
}

/// Findings as CSV with a header line. A number that a finding does not have is left empty.
#[derive(Clone, Copy, Debug, Default)]
pub struct CsvFindings;

impl FindingFormat for CsvFindings {
    fn header(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(b"file,game,move,line,column,severity,code,message\n");
    }

    fn finding(&self, file: &str, _source: Option<&str>, finding: &Finding, out: &mut Vec<u8>) {
        let number = |value: u32| {
            if value == 0 {
                String::new()
            } else {
                value.to_string()
            }
        };
        let mut writer = csv::WriterBuilder::new()
            .buffer_capacity(512)
            .from_writer(out);
        writer
            .write_record([
                &*harmless(file),
                &number(finding.game),
                &number(finding.move_number.unwrap_or(0)),
                &number(finding.place.line),
                &number(finding.place.column),
                finding.severity.as_str(),
                finding.code.as_str(),
                &harmless(&finding.message),
            ])
            .and_then(|()| Ok(writer.flush()?))
            .expect("a buffer in memory takes everything");
    }
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
        CsvFindings.finding("=cmd.sgf", None, &finding, &mut out);
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "'=cmd.sgf,1,2,3,4,error,occupied-point,\"Taken, by \"\"Black\"\".\"\n"
        );
    }
}
