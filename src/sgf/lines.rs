//! Lines and columns of a text.
//!
//! One cursor answers both questions that there are: which place an offset is, and what the text
//! around a place looks like. It walks forward only, so whoever asks in the order of the text
//! pays for one pass, even where the text is a single line of megabytes.

use memchr::{memchr, memchr_iter, memchr2, memrchr2};

use crate::finding::Place;

/// Finds places by offsets and source lines by places, in one pass over the text.
///
/// Lines end with `\n`, `\r\n` or `\r` alone; columns count characters.
#[derive(Clone)]
pub(crate) struct LineFinder<'a> {
    text: &'a str,
    ascii: bool,
    /// The place of the text's first character.
    start: Place,
    line: u32,
    /// How many characters of this line stand before the text.
    columns_before: usize,
    line_start: usize,
    /// Where this line ends; beyond the text for the last one.
    line_end: usize,
    /// Up to where the characters of this line are counted, and how many they are: a line may be
    /// the whole file.
    counted: usize,
    characters: usize,
}

/// A line of the text, cut in two where a place is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SourceLine<'a> {
    pub before: &'a str,
    pub after: &'a str,
}

impl<'a> LineFinder<'a> {
    /// In a text that starts at this place of its file.
    pub(crate) fn new(text: &'a str, ascii: bool, start: Place) -> LineFinder<'a> {
        LineFinder {
            text,
            ascii,
            start,
            line: start.line,
            columns_before: start.column as usize - 1,
            line_start: 0,
            line_end: line_end(text, 0),
            counted: 0,
            characters: 0,
        }
    }

    /// The place of an offset, which must not be before one that was asked for earlier.
    #[inline]
    pub(crate) fn place(&mut self, offset: u32) -> Place {
        let offset = offset as usize;
        while self.line_end < offset {
            self.next_line();
        }
        let before = if self.ascii {
            offset.saturating_sub(self.line_start)
        } else {
            self.count_to(offset)
        };
        Place {
            line: self.line,
            column: (self.columns_before + before) as u32 + 1,
        }
    }

    /// The offset of a place; `None` if the text has no such line.
    pub(crate) fn offset(&mut self, place: Place) -> Option<usize> {
        let line = self.source_line(place)?;
        Some(self.line_start + line.before.len())
    }

    /// The line that a place is in; `None` if the text has no such line. To ask for an earlier
    /// place than before is allowed, and starts again at the top.
    pub(crate) fn source_line(&mut self, place: Place) -> Option<SourceLine<'a>> {
        let column = place.column.checked_sub(1)? as usize;
        let found = self.columns_before + self.characters;
        if place.line < self.line || place.line == self.line && column < found {
            *self = LineFinder::new(self.text, self.ascii, self.start);
        }
        while self.line < place.line {
            if self.line_end == usize::MAX {
                return None;
            }
            self.next_line();
        }
        let column = column.saturating_sub(self.columns_before);
        let end = self.line_end.min(self.text.len());
        let at = if self.ascii {
            end.min(self.line_start + column)
        } else {
            while self.characters < column && self.counted < end {
                let character = self.text[self.counted..].chars().next()?;
                self.counted += character.len_utf8();
                self.characters += 1;
            }
            self.counted
        };
        Some(SourceLine {
            before: &self.text[self.line_start..at],
            after: &self.text[at..end],
        })
    }

    fn next_line(&mut self) {
        let line_break = &self.text.as_bytes()[self.line_end..];
        let width = if line_break.starts_with(b"\r\n") {
            2
        } else {
            1
        };
        self.line += 1;
        self.columns_before = 0;
        self.line_start = self.line_end + width;
        self.line_end = line_end(self.text, self.line_start);
        self.counted = self.line_start;
        self.characters = 0;
    }

    /// How many characters of this line stand before the offset.
    fn count_to(&mut self, offset: usize) -> usize {
        if offset > self.counted {
            let bytes = &self.text.as_bytes()[self.counted..offset];
            // Every byte but the continuation bytes of UTF-8 starts a character.
            self.characters += bytes.iter().filter(|&&byte| byte & 0xC0 != 0x80).count();
            self.counted = offset;
        }
        self.characters
    }
}

/// The place behind a text that starts at a place.
pub(crate) fn place_after(text: &str, start: Place) -> Place {
    let bytes = text.as_bytes();
    let mut breaks = memchr_iter(b'\n', bytes).count();
    if memchr(b'\r', bytes).is_some() {
        let is_alone = |&at: &usize| bytes.get(at + 1) != Some(&b'\n');
        breaks += memchr_iter(b'\r', bytes).filter(is_alone).count();
    }
    let line_start = memrchr2(b'\n', b'\r', bytes).map_or(0, |at| at + 1);
    let columns = text[line_start..].chars().count() as u32;
    match breaks {
        0 => Place {
            column: start.column + columns,
            ..start
        },
        _ => Place {
            line: start.line + breaks as u32,
            column: columns + 1,
        },
    }
}

/// Where the line that starts here ends: at its line break, or beyond the text.
fn line_end(text: &str, start: usize) -> usize {
    memchr2(b'\n', b'\r', &text.as_bytes()[start..]).map_or(usize::MAX, |at| start + at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(line: u32, column: u32) -> Place {
        Place { line, column }
    }

    #[test]
    fn every_kind_of_line_break_counts_once() {
        let text = "a\nb\r\nc\rd";
        let mut lines = LineFinder::new(text, true, place(1, 1));
        let places = [0, 2, 5, 7].map(|offset| lines.place(offset));
        assert_eq!(places, [1, 2, 3, 4].map(|line| place(line, 1)));
        let mut lines = LineFinder::new(text, true, place(1, 1));
        let texts = [1, 2, 3, 4, 5].map(|line| lines.source_line(place(line, 1)));
        let texts = texts.map(|line| line.map(|line| line.after));
        assert_eq!(texts, [Some("a"), Some("b"), Some("c"), Some("d"), None]);
    }

    #[test]
    fn columns_count_characters() {
        let text = "棋;B[aa]\n棋譜;";
        let mut lines = LineFinder::new(text, false, place(1, 1));
        assert_eq!(lines.place(3), place(1, 2));
        assert_eq!(lines.place(5), place(1, 4));
        assert_eq!(lines.place(text.len() as u32 - 1), place(2, 3));
    }

    #[test]
    fn a_text_may_start_in_the_middle_of_a_file() {
        let text = "棋;B[aa]\n;W[bb]";
        let mut lines = LineFinder::new(text, false, place(7, 5));
        let places = [0, 3, 10].map(|offset| lines.place(offset));
        assert_eq!(places, [place(7, 5), place(7, 6), place(8, 1)]);
        let mut after = |place| lines.source_line(place).map(|line| line.after);
        assert_eq!(after(places[2]), Some(";W[bb]"));
        assert_eq!(after(places[1]), Some(";B[aa]"));
        assert_eq!(after(places[0]), Some("棋;B[aa]"));
    }

    #[test]
    fn the_place_behind_a_text_is_that_of_its_end() {
        for text in ["", "棋", "a\nb", "a\r\nb\r", "\r\r\n\n棋譜", "a\n\r"] {
            let mut lines = LineFinder::new(text, false, place(7, 5));
            assert_eq!(
                place_after(text, place(7, 5)),
                lines.place(text.len() as u32),
                "{text:?}"
            );
        }
    }

    #[test]
    fn places_lead_back_to_the_text_in_any_order() {
        for (text, ascii) in [("ab\n\ncde", true), ("棋譜\n\n九段。", false)] {
            let mut lines = LineFinder::new(text, ascii, place(1, 1));
            let mut found = Vec::new();
            for (offset, _) in text.char_indices().chain([(text.len(), ' ')]) {
                found.push((offset, lines.place(offset as u32)));
            }
            let rest_of_line = |offset: usize| text[offset..].lines().next().unwrap_or("");
            let mut lines = LineFinder::new(text, ascii, place(1, 1));
            for (offset, place) in found.iter().chain(found.iter().rev()) {
                let line = lines.source_line(*place).unwrap();
                assert_eq!(line.after, rest_of_line(*offset), "{place:?}");
            }
            // Beyond the end of a line the caret stands behind it.
            let line = lines.source_line(place(1, 99)).unwrap();
            assert_eq!(
                (line.before, line.after),
                (text.lines().next().unwrap(), "")
            );
            assert_eq!(lines.source_line(place(4, 1)), None);
            assert_eq!(lines.source_line(place(0, 0)), None);
        }
    }
}
