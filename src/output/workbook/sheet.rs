//! A table that fills a sheet and, where that is full, the next.
//!
//! What a sheet can't hold is cut and counted, so that the summary can say so: a cell holds 32,767
//! characters, and no character that XML has none of.

use std::borrow::Cow;

use rust_xlsxwriter::{
    ConditionalFormatFormula, ExcelDateTime, Image, Note, Workbook, Worksheet, XlsxError,
};
use unicode_width::UnicodeWidthStr;

use super::Formats;
use crate::finding::shortened;
use crate::pipeline::date::parse_day;
use crate::pipeline::row::Cell;

/// Rows of a sheet, the header included.
const MOST_ROWS: u32 = 1_048_576;

/// The most characters of a cell, as UTF-16 counts them.
const LONGEST_TEXT: usize = 32_767;

/// Cells are looked at for the width of their column in so many rows.
const ROWS_FOR_WIDTH: u32 = 2000;

/// The narrowest and the widest column, in characters.
const WIDTHS: (usize, usize) = (6, 44);

/// What stands above a column.
#[derive(Clone, Copy, Debug)]
pub(super) struct Heading {
    pub name: &'static str,
    pub meaning: &'static str,
}

/// A table of any length.
pub(super) struct Table {
    name: &'static str,
    headings: Vec<Heading>,
    formats: CellFormats,
    full: Vec<Worksheet>,
    sheet: Worksheet,
    /// The row that is being written; 0 is the header.
    row: u32,
    /// The most rows of a sheet.
    most_rows: u32,
    /// The widest cell of each column, in characters.
    widths: Vec<usize>,
    rules: Vec<(u16, ConditionalFormatFormula)>,
    last_printed: Option<u16>,
    /// Cells of which a part is left out.
    cut: u64,
}

struct CellFormats {
    heading: rust_xlsxwriter::Format,
    date: rust_xlsxwriter::Format,
    number: rust_xlsxwriter::Format,
    probability: rust_xlsxwriter::Format,
}

impl Table {
    pub(super) fn new(
        name: &'static str,
        headings: Vec<Heading>,
        formats: &Formats,
        workbook: &mut Workbook,
    ) -> Result<Table, XlsxError> {
        // The arrow of the filter stands beside the name.
        let widths = headings
            .iter()
            .map(|heading| heading.name.len() + 3)
            .collect();
        let mut table = Table {
            name,
            headings,
            formats: CellFormats {
                heading: formats.heading.clone(),
                date: formats.date.clone(),
                number: formats.number.clone(),
                probability: formats.probability.clone(),
            },
            full: Vec::new(),
            sheet: workbook.new_worksheet_with_constant_memory()?,
            row: 0,
            most_rows: MOST_ROWS,
            widths,
            rules: Vec::new(),
            last_printed: None,
            cut: 0,
        };
        table.begin_sheet()?;
        Ok(table)
    }

    fn begin_sheet(&mut self) -> Result<(), XlsxError> {
        let name = match self.full.len() {
            0 => self.name.to_string(),
            full => format!("{} {}", self.name, full + 1),
        };
        self.sheet.set_name(name)?;
        self.sheet.set_row_height(0, 20)?;
        for (number, heading) in (0..).zip(&self.headings) {
            self.sheet
                .write_string_with_format(0, number, heading.name, &self.formats.heading)?;
            let note = Note::new(heading.meaning)
                .add_author_prefix(false)
                .set_width(260);
            self.sheet.insert_note(0, number, &note)?;
        }
        self.row = 0;
        Ok(())
    }

    /// Goes on to the next row, of this height in pixels if it is not the usual one.
    pub(super) fn begin_row(
        &mut self,
        workbook: &mut Workbook,
        height: Option<u32>,
    ) -> Result<(), XlsxError> {
        self.row += 1;
        if self.row >= self.most_rows {
            self.row -= 1;
            self.finish_sheet()?;
            let next = workbook.new_worksheet_with_constant_memory()?;
            self.full.push(std::mem::replace(&mut self.sheet, next));
            self.begin_sheet()?;
            self.row = 1;
        }
        if let Some(height) = height {
            self.sheet.set_row_height_pixels(self.row, height)?;
        }
        Ok(())
    }

    pub(super) fn insert_image(&mut self, image: &Image) -> Result<(), XlsxError> {
        self.sheet
            .insert_image_with_offset(self.row, 0, image, 2, 2)?;
        self.widths[0] = 19;
        Ok(())
    }

    /// Writes a cell of the row.
    pub(super) fn write(&mut self, column: u16, cell: Cell<'_>) -> Result<(), XlsxError> {
        match cell {
            Cell::Text("") | Cell::Date("") => {}
            Cell::Text(text) => self.write_text(column, text)?,
            Cell::Date(text) => match date(text) {
                Some(date) => {
                    let format = &self.formats.date;
                    self.sheet
                        .write_datetime_with_format(self.row, column, &date, format)?;
                    self.measure(column, text);
                }
                None => self.write_text(column, text)?,
            },
            Cell::Sentences(sentences) => {
                if !sentences.is_empty() {
                    self.write_text(column, &sentences.join(" "))?;
                }
            }
            Cell::Integer(Some(count)) => {
                self.sheet.write_number(self.row, column, count)?;
            }
            Cell::Number(_) | Cell::Probability(_) => {
                let format = match cell {
                    Cell::Number(_) => &self.formats.number,
                    _ => &self.formats.probability,
                };
                if let Some(number) = cell.rounded() {
                    self.sheet
                        .write_number_with_format(self.row, column, number, format)?;
                }
            }
            Cell::Integer(None) => {}
        }
        Ok(())
    }

    fn write_text(&mut self, column: u16, text: &str) -> Result<(), XlsxError> {
        let fitting = fitting(text);
        self.cut += u64::from(matches!(fitting, Fitting::Cut(_)));
        let text = match &fitting {
            Fitting::Whole(text) => text,
            Fitting::Cut(text) => text.as_str(),
        };
        self.sheet.write_string(self.row, column, text)?;
        self.measure(column, text);
        Ok(())
    }

    fn measure(&mut self, column: u16, text: &str) {
        if self.row <= ROWS_FOR_WIDTH && self.full.is_empty() {
            let width = &mut self.widths[usize::from(column)];
            if *width < WIDTHS.1 {
                // Longer texts are as wide as a column gets.
                let line = text.lines().next().unwrap_or_default();
                let start = line
                    .char_indices()
                    .nth(WIDTHS.1)
                    .map_or(line, |(at, _)| &line[..at]);
                *width = start.width().max(*width).min(WIDTHS.1);
            }
        }
    }

    /// Colours the cells of a column where the formula, written for the first row, holds.
    pub(super) fn add_rule(&mut self, column: u16, rule: ConditionalFormatFormula) {
        self.rules.push((column, rule));
    }

    /// Prints no more than the columns up to this one.
    pub(super) fn print_up_to(&mut self, column: Option<u16>) {
        self.last_printed = column;
    }

    fn finish_sheet(&mut self) -> Result<(), XlsxError> {
        let last_column = self.headings.len() as u16 - 1;
        let sheet = &mut self.sheet;
        for (number, width) in (0..).zip(&self.widths) {
            sheet.set_column_width(number, (*width).max(WIDTHS.0) as f64 + 1.0)?;
        }
        sheet.set_freeze_panes(1, 0)?;
        sheet.autofilter(0, 0, self.row, last_column)?;
        sheet.set_landscape();
        sheet.set_paper_size(9);
        sheet.set_margins(0.4, 0.4, 0.5, 0.6, 0.3, 0.3);
        sheet.set_print_fit_to_pages(1, 0);
        sheet.set_repeat_rows(0, 0)?;
        sheet.set_footer("&L&A&C&P / &N&Rkifu");
        if let Some(last) = self.last_printed {
            sheet.set_print_area(0, 0, self.row, last)?;
        }
        if self.row > 0 {
            for (column, rule) in &self.rules {
                sheet.add_conditional_format(1, *column, self.row, *column, rule)?;
            }
        }
        Ok(())
    }

    /// Puts the sheets into the workbook.
    pub(super) fn push_to(&mut self, workbook: &mut Workbook) -> Result<(), XlsxError> {
        self.finish_sheet()?;
        for mut sheet in self.full.drain(..) {
            // The rules were not known yet when it was full.
            for (column, rule) in &self.rules {
                sheet.add_conditional_format(1, *column, self.most_rows - 1, *column, rule)?;
            }
            if let Some(last) = self.last_printed {
                sheet.set_print_area(0, 0, self.most_rows - 1, last)?;
            }
            workbook.push_worksheet(sheet);
        }
        let next = Worksheet::new();
        workbook.push_worksheet(std::mem::replace(&mut self.sheet, next));
        Ok(())
    }

    /// A sentence if there is more than one sheet.
    pub(super) fn note_on_sheets(&self) -> Option<String> {
        let count = self.full.len() + 1;
        (count > 1).then(|| {
            format!(
                "The table {} has more rows than a sheet and goes on on {} further sheets.",
                self.name,
                count - 1
            )
        })
    }

    /// A sentence if something was cut.
    pub(super) fn note_on_cuts(&self) -> Option<String> {
        (self.cut > 0).then(|| {
            format!(
                "{} cells of {} hold more than a cell of a workbook can; their middle is left out.",
                self.cut, self.name
            )
        })
    }
}

enum Fitting<'a> {
    Whole(Cow<'a, str>),
    Cut(String),
}

/// Text as a cell can hold it.
fn fitting(text: &str) -> Fitting<'_> {
    let no_xml = |c: char| matches!(c, '\u{fffe}' | '\u{ffff}');
    let text = match text.contains(no_xml) {
        true => Cow::Owned(text.replace(no_xml, "\u{fffd}")),
        false => Cow::Borrowed(text),
    };
    if text.len() <= LONGEST_TEXT || text.encode_utf16().count() <= LONGEST_TEXT {
        return Fitting::Whole(text);
    }
    // A character is two units at most.
    let most = match text.chars().all(|c| c.len_utf16() == 1) {
        true => LONGEST_TEXT,
        false => LONGEST_TEXT / 2,
    };
    Fitting::Cut(shortened(&text, most).into_owned())
}

/// A date that Excel has: of a single day, and not before 1900-03-01, when its calendar goes wrong.
fn date(text: &str) -> Option<ExcelDateTime> {
    let (year, month, day) = parse_day(text)?;
    if (year, month) < (1900, 3) {
        return None;
    }
    ExcelDateTime::from_ymd(year, month, day).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_sheet_is_followed_by_the_next() {
        let mut workbook = Workbook::new();
        let headings = vec![Heading {
            name: "file",
            meaning: "The file.",
        }];
        let mut table = Table::new("Scores", headings, &Formats::new(), &mut workbook).unwrap();
        table.most_rows = 4;
        for number in 0..7 {
            table.begin_row(&mut workbook, None).unwrap();
            table.write(0, Cell::Text(&number.to_string())).unwrap();
        }
        assert_eq!(
            table.note_on_sheets().unwrap(),
            "The table Scores has more rows than a sheet and goes on on 2 further sheets."
        );
        table.push_to(&mut workbook).unwrap();
        let names: Vec<String> = workbook.worksheets().iter().map(Worksheet::name).collect();
        assert_eq!(names, ["Scores", "Scores 2", "Scores 3"]);
        workbook.save_to_buffer().unwrap();
    }

    #[test]
    fn what_a_cell_cannot_hold_is_cut() {
        for (text, length) in [
            ("a".repeat(40_000), LONGEST_TEXT),
            ("囲".repeat(40_000), LONGEST_TEXT),
            ("𠮷".repeat(40_000), LONGEST_TEXT - 1),
        ] {
            let Fitting::Cut(cut) = fitting(&text) else {
                panic!("not cut");
            };
            assert!(cut.encode_utf16().count() <= LONGEST_TEXT);
            assert!(cut.encode_utf16().count() + 2 >= length);
        }
        assert!(matches!(fitting(&"囲".repeat(32_767)), Fitting::Whole(_)));
        let Fitting::Whole(text) = fitting("a\u{ffff}b") else {
            panic!("cut");
        };
        assert_eq!(text, "a\u{fffd}b");
    }

    #[test]
    fn only_a_day_of_the_calendar_is_a_date() {
        for (text, is_date) in [
            ("2016-03-09", true),
            ("1900-03-01", true),
            ("1900-02-28", false),
            ("1846-09-11", false),
            ("2016-02-30", false),
            ("2016-03", false),
            ("2016-03-09,10", false),
        ] {
            assert_eq!(date(text).is_some(), is_date, "{text}");
        }
    }
}
