//! CSV, for spreadsheets and scripts.
//!
//! Spreadsheets run a cell that starts with `=`, `+`, `-` or `@` as a formula, even one that a
//! stranger put into a player's name. [`harmless`] puts an apostrophe before such text, which
//! spreadsheets take as "this is text" and do not show. A spreadsheet that is set to another
//! delimiter cuts a text where we do not, so what follows a delimiter inside a text is looked at
//! in the same way. Programs that read the table take it [raw](CsvStyle::raw).

use std::borrow::Cow;

use super::terminal::is_unsafe;
use super::{FindingFormat, ScoreFormat};
use crate::finding::Finding;
use crate::pipeline::row::{
    COLUMNS, Cell, Column, FINDING_COLUMNS, FindingColumn, FindingRow, ScoreColumn, ScoreRow,
};
use crate::sgf::Collection;

/// How a table is written as CSV.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub(crate) struct CsvStyle {
    /// What stands between the cells.
    pub delimiter: u8,
    /// Write `3,5` for `3.5`, as spreadsheets of many countries expect.
    pub decimal_comma: bool,
    /// Start with a byte order mark, by which Excel knows UTF-8.
    pub bom: bool,
    /// For programs: text as it is, without the guard against formulas.
    pub raw: bool,
}

impl Default for CsvStyle {
    fn default() -> CsvStyle {
        CsvStyle {
            delimiter: b',',
            decimal_comma: false,
            bom: false,
            raw: false,
        }
    }
}

/// Text that no spreadsheet takes for a formula, and no terminal for a command. For text that
/// comes from outside only: numbers that kifu writes itself may well start with a minus.
fn harmless(text: &str) -> Cow<'_, str> {
    // Standard input, or somebody's word for nothing: a sign alone is no formula.
    if text == "-" {
        return Cow::Borrowed(text);
    }
    let mut safe = String::new();
    let mut copied = 0;
    let mut starts_cell = true;
    for (at, character) in text.char_indices() {
        let unsafe_here = is_unsafe(character) && !matches!(character, '\n' | '\t' | '\r');
        if unsafe_here || (starts_cell && starts_formula(character)) {
            safe.push_str(&text[copied..at]);
            copied = at;
            if unsafe_here {
                safe.extend(character.escape_unicode());
                copied += character.len_utf8();
            } else {
                safe.push('\'');
            }
        }
        starts_cell = match character {
            ';' | ',' | '|' | '\t' | '\n' | '\r' => true,
            // Spreadsheets skip these before they look for a formula.
            '\u{feff}' | '\u{200b}' => starts_cell,
            _ => false,
        };
    }
    match copied {
        0 if safe.is_empty() => Cow::Borrowed(text),
        _ => Cow::Owned(safe + &text[copied..]),
    }
}

/// Whether a spreadsheet may take a cell that starts so for a formula; the wide forms are what a
/// Chinese or Japanese keyboard types.
fn starts_formula(character: char) -> bool {
    matches!(
        character,
        '=' | '+'
            | '-'
            | '@'
            | '\t'
            | '\r'
            | '\n'
            | '＝'
            | '＋'
            | '－'
            | '＠'
            | '\u{feff}'
            | '\u{200b}'
    )
}

/// Findings as CSV with a header line. What a finding does not have is left empty.
#[derive(Clone, Debug)]
pub(crate) struct CsvFindings {
    /// How cells are written.
    pub style: CsvStyle,
    /// Which columns, in which order.
    pub columns: Vec<FindingColumn>,
}

impl Default for CsvFindings {
    fn default() -> CsvFindings {
        CsvFindings {
            style: CsvStyle::default(),
            columns: FINDING_COLUMNS.to_vec(),
        }
    }
}

impl FindingFormat for CsvFindings {
    fn header(&self, out: &mut Vec<u8>) {
        self.style.header(&self.columns, out);
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
            let cells = self.columns.iter().map(|column| (column.cell)(&row));
            self.style.record(cells, out);
        }
    }
}

/// Scores as CSV with a header line.
#[derive(Clone, Debug)]
pub(crate) struct CsvScores {
    /// How cells are written.
    pub style: CsvStyle,
    /// Which columns, in which order.
    pub columns: Vec<ScoreColumn>,
}

impl Default for CsvScores {
    fn default() -> CsvScores {
        CsvScores {
            style: CsvStyle::default(),
            columns: COLUMNS.to_vec(),
        }
    }
}

impl ScoreFormat for CsvScores {
    fn header(&self, out: &mut Vec<u8>) {
        self.style.header(&self.columns, out);
    }

    fn row(&self, row: &ScoreRow, out: &mut Vec<u8>) {
        let cells = self.columns.iter().map(|column| (column.cell)(row));
        self.style.record(cells, out);
    }

    fn wants_position(&self) -> bool {
        false
    }
}

impl CsvStyle {
    pub(crate) fn header<F>(self, columns: &[Column<F>], out: &mut Vec<u8>) {
        if self.bom {
            out.extend_from_slice("\u{feff}".as_bytes());
        }
        let names = columns.iter().map(|column| Cell::Text(column.name));
        self.record(names, out);
    }

    pub(crate) fn record<'a>(self, cells: impl Iterator<Item = Cell<'a>>, out: &mut Vec<u8>) {
        let mut writer = csv::WriterBuilder::new()
            .buffer_capacity(1024)
            .delimiter(self.delimiter)
            .from_writer(out);
        for cell in cells {
            writer
                .write_field(&*self.field(cell))
                .expect("a buffer in memory takes everything");
        }
        writer
            .write_record(None::<&[u8]>)
            .and_then(|()| Ok(writer.flush()?))
            .expect("a buffer in memory takes everything");
    }

    fn field(self, cell: Cell<'_>) -> Cow<'_, str> {
        let number = match cell {
            Cell::Text(text) | Cell::Date(text) if self.raw => return Cow::Borrowed(text),
            Cell::Text(text) | Cell::Date(text) => return harmless(text),
            Cell::Sentences(sentences) => {
                let text = sentences.join(" ");
                return match self.raw {
                    true => Cow::Owned(text),
                    false => Cow::Owned(harmless(&text).into_owned()),
                };
            }
            Cell::Integer(count) => count.map(|count| count.to_string()),
            Cell::Number(_) => cell.rounded().map(|number| format!("{number:?}")),
            Cell::Probability(share) => share.map(|share| format!("{share:.3}")),
        };
        let number = number.unwrap_or_default();
        match self.decimal_comma {
            true => Cow::Owned(number.replace('.', ",")),
            false => Cow::Owned(number),
        }
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
        CsvFindings::default().findings("=cmd.sgf", None, &[finding], &mut out);
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "'=cmd.sgf,1,2,3,4,error,occupied-point,\"Taken, by \"\"Black\"\".\"\n"
        );
    }

    #[test]
    fn every_start_of_a_formula_is_found() {
        for (text, safe) in [
            ("=1+1", "'=1+1"),
            ("a;=1+1;b", "a;'=1+1;b"),
            ("\n=1", "'\n'=1"),
            ("\u{feff}=1", "'\u{feff}'=1"),
            ("＝1", "'＝1"),
            ("a\u{1b}[2J\u{9b}b", "a\\u{1b}[2J\\u{9b}b"),
            ("Lee; Park - 1", "Lee; Park - 1"),
            ("-", "-"),
            ("-/a.sgf", "'-/a.sgf"),
            ("呉清源", "呉清源"),
        ] {
            assert_eq!(harmless(text), safe, "{text:?}");
        }
    }

    #[test]
    fn other_countries_write_other_commas() {
        let style = CsvStyle {
            delimiter: b';',
            decimal_comma: true,
            ..CsvStyle::default()
        };
        let mut out = Vec::new();
        let cells = [
            Cell::Number(Some(-6.5)),
            Cell::Text("a,b;c"),
            Cell::Number(None),
        ];
        style.record(cells.into_iter(), &mut out);
        assert_eq!(String::from_utf8(out).unwrap(), "-6,5;\"a,b;c\";\n");
    }
}
