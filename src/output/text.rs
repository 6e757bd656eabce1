//! Findings as text for people.
//!
//! A finding is one line: where, how bad, what. If it has a place, the source line follows with
//! a caret under it; a record may be one line of a megabyte, so only the part around the place
//! is shown.

use std::io::Write as _;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::FindingFormat;
use super::terminal::{Styles, is_unsafe, printable};
use crate::finding::{Finding, Severity};
use crate::sgf::{Collection, SourceLine};

/// A source line up to this length is shown whole.
const SHORT: usize = 100;

/// How many characters of a longer one are shown before and after the caret.
const BEFORE: usize = 40;
const AFTER: usize = 40;

/// Findings as text with the source line and a caret.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TextFindings {
    styles: Styles,
}

impl TextFindings {
    /// With colours or without.
    pub(crate) fn new(colored: bool) -> TextFindings {
        TextFindings {
            styles: Styles::new(colored),
        }
    }
}

impl FindingFormat for TextFindings {
    fn findings(
        &self,
        file: &str,
        source: Option<&Collection>,
        findings: &[Finding],
        out: &mut Vec<u8>,
    ) {
        let mut lines = source.map(Collection::lines);
        for finding in findings {
            let line = lines
                .as_mut()
                .and_then(|lines| lines.source_line(finding.place));
            self.finding(file, line, finding, out);
        }
    }
}

impl TextFindings {
    fn finding(&self, file: &str, line: Option<SourceLine>, finding: &Finding, out: &mut Vec<u8>) {
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
        if let Some(line) = line {
            let number = finding.place.line.to_string();
            let margin = " ".repeat(number.len());
            let (excerpt, indent) = excerpt(line);
            let indent = " ".repeat(indent);
            write(format_args!("  {faint}{number} |{reset} {excerpt}\n"));
            write(format_args!(
                "  {faint}{margin} |{reset} {indent}{color}^{reset}\n"
            ));
        }
    }
}

/// The part of a line around the place where it is cut, and how far to the right that place
/// appears in it.
pub(crate) fn excerpt(SourceLine { before, after }: SourceLine) -> (String, usize) {
    let is_short = before.chars().chain(after.chars()).nth(SHORT).is_none();
    let (start, end) = if is_short {
        (0, after.len())
    } else {
        let start = before.char_indices().rev().nth(BEFORE - 1);
        let end = after.char_indices().nth(AFTER + 1);
        (
            start.map_or(0, |(at, _)| at),
            end.map_or(after.len(), |(at, _)| at),
        )
    };
    let mut shown = String::new();
    if start > 0 {
        shown.push('…');
    }
    let mut width = shown.width();
    let mut show = |part: &str| {
        for character in part.chars() {
            // One column each, so that the caret stays where it belongs.
            let character = match is_unsafe(character) {
                true => char::REPLACEMENT_CHARACTER,
                false => character,
            };
            shown.push(character);
            width += character.width().unwrap_or(0);
        }
        width
    };
    let indent = show(&before[start..]);
    show(&after[..end]);
    if end < after.len() {
        shown.push('…');
    }
    (shown, indent)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::{Code, Place};
    use crate::sgf;

    fn render(source: &str, line: u32, column: u32) -> String {
        let finding = Finding::new(Code::OccupiedPoint, "There is a stone.")
            .game(1)
            .at_move(2)
            .at(Place { line, column });
        let mut out = Vec::new();
        let source = sgf::parse(source.as_bytes(), &sgf::Limits::default());
        TextFindings::new(false).findings("a.sgf", Some(&source), &[finding], &mut out);
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
