//! Findings as text for people.
//!
//! A finding is one line: where, how bad, what. If it has a place, the source line follows with
//! a caret under it; a record may be one line of a megabyte, so only the part around the place
//! is shown.

use std::io::Write as _;

use unicode_width::UnicodeWidthChar;

use super::FindingFormat;
use super::terminal::{Styles, is_unsafe, printable};
use crate::finding::{Finding, Severity};

/// A source line up to this length is shown whole.
const SHORT: usize = 100;

/// How many characters of a longer one are shown before and after the caret.
const BEFORE: usize = 40;
const AFTER: usize = 40;

/// Findings as text with the source line and a caret.
#[derive(Clone, Copy, Debug, Default)]
pub struct TextFindings {
    styles: Styles,
}

impl TextFindings {
    /// With colours or without.
    pub fn new(colored: bool) -> TextFindings {
        TextFindings {
            styles: Styles::new(colored),
        }
    }
}

impl FindingFormat for TextFindings {
    fn finding(&self, file: &str, source: Option<&str>, finding: &Finding, out: &mut Vec<u8>) {
        let Styles {
            error,
            warning,
            note,
            strong,
            faint,
            reset,
        } = self.styles;
        let color = match finding.severity {
            Severity::Error => error,
            Severity::Warning => warning,
            Severity::Note => note,
        };
        let mut place = String::new();
        if finding.place.line > 0 {
            place = format!(":{}:{}", finding.place.line, finding.place.column);
        }
        let mut about = String::new();
        if finding.game > 0 {
            about = format!("game {}, ", finding.game);
        }
        if let Some(number) = finding.move_number {
            about += &format!("move {number}, ");
        }
        let about = about
            .strip_suffix(", ")
            .map(|about| format!("{about}: "))
            .unwrap_or_default();
        let file = printable(file);
        let message = printable(&finding.message);
        let (severity, code) = (finding.severity.as_str(), finding.code.as_str());
        let mut write = |text: std::fmt::Arguments| {
            out.write_fmt(text)
                .expect("a buffer in memory takes everything");
        };
        write(format_args!(
            "{strong}{file}{place}{reset}: {color}{severity}[{code}]{reset}: {about}{message}\n"
        ));
        let line = source.and_then(|text| line_of(text, finding.place.line));
        if let Some(line) = line
            && finding.place.column > 0
        {
            let number = finding.place.line.to_string();
            let margin = " ".repeat(number.len());
            let (excerpt, indent) = excerpt(line, finding.place.column as usize - 1);
            let indent = " ".repeat(indent);
            write(format_args!("  {faint}{number} |{reset} {excerpt}\n"));
            write(format_args!(
                "  {faint}{margin} |{reset} {indent}{color}^{reset}\n"
            ));
        }
    }
}

/// A line of a text, counted from 1; line breaks are `\n`, `\r\n` or `\r` alone.
fn line_of(text: &str, number: u32) -> Option<&str> {
    let mut rest = text;
    for _ in 1..number {
        let end = memchr::memchr2(b'\n', b'\r', rest.as_bytes())?;
        let width = if rest[end..].starts_with("\r\n") {
            2
        } else {
            1
        };
        rest = &rest[end + width..];
    }
    let end = memchr::memchr2(b'\n', b'\r', rest.as_bytes());
    (number > 0).then(|| &rest[..end.unwrap_or(rest.len())])
}

/// The part of a line around a character, and how far to the right the character appears in it.
fn excerpt(line: &str, column: usize) -> (String, usize) {
    let (first, last) = match line.chars().nth(SHORT) {
        None => (0, SHORT.max(column)),
        Some(_) => (column.saturating_sub(BEFORE), column + AFTER),
    };
    let mut shown = String::new();
    let mut width = 0;
    let mut indent = None;
    if first > 0 {
        shown.push('…');
        width += 1;
    }
    let mut characters = line.chars().skip(first);
    for at in first..=last {
        if at == column {
            indent = Some(width);
        }
        let Some(character) = characters.next() else {
            break;
        };
        // One column each, so that the caret stays where it belongs.
        let character = if is_unsafe(character) {
            '\u{fffd}'
        } else {
            character
        };
        shown.push(character);
        width += character.width().unwrap_or(0);
    }
    if characters.next().is_some() {
        shown.push('…');
    }
    (shown, indent.unwrap_or(width))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::{Code, Place};

    fn render(source: &str, line: u32, column: u32) -> String {
        let finding = Finding::new(Code::OccupiedPoint, "There is a stone.")
            .game(1)
            .at_move(2)
            .at(Place { line, column });
        let mut out = Vec::new();
        TextFindings::new(false).finding("a.sgf", Some(source), &finding, &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn the_caret_stands_under_the_move() {
        assert_eq!(
            render("(;SZ[9]\r\n;B[ee];W[ee])", 2, 7),
            "a.sgf:2:7: error[occupied-point]: game 1, move 2: There is a stone.\n\
             \x20 2 | ;B[ee];W[ee])\n\
             \x20   |       ^\n"
        );
    }

    #[test]
    fn wide_characters_move_the_caret_by_two() {
        let text = render("C[黑棋]B[ee]", 1, 6);
        assert!(
            text.ends_with("  1 | C[黑棋]B[ee]\n    |        ^\n"),
            "{text}"
        );
    }

    #[test]
    fn a_long_line_is_cut_on_both_sides() {
        let text = render(&";B[aa]".repeat(1000), 1, 3001);
        let line = text.lines().nth(1).unwrap();
        assert!(
            line.chars().count() < 100 && line.contains('…') && line.ends_with('…'),
            "{line}"
        );
        let caret = text.lines().nth(2).unwrap().find('^').unwrap();
        assert_eq!(line.chars().nth(caret), Some(';'));
    }
}
