//! Lines and columns of a text.

use memchr::memchr2;

use crate::finding::Place;

/// Tells the line and column of offsets that only ever grow, in one pass over the text.
///
/// Lines end with `\n`, `\r\n` or `\r` alone; columns count characters.
pub(crate) struct Lines<'a> {
    text: &'a str,
    ascii: bool,
    line: u32,
    line_start: usize,
    /// Where this line ends; beyond the text for the last one.
    line_end: usize,
    /// Up to where the characters of this line are counted, and how many they are: a line may be
    /// the whole file.
    counted: usize,
    characters: usize,
}

impl<'a> Lines<'a> {
    pub fn new(text: &'a str, ascii: bool) -> Lines<'a> {
        Lines {
            text,
            ascii,
            line: 1,
            line_start: 0,
            line_end: line_end(text, 0),
            counted: 0,
            characters: 0,
        }
    }

    /// The place of an offset, which must not be before one that was asked for earlier.
    #[inline]
    pub fn place(&mut self, offset: u32) -> Place {
        let offset = offset as usize;
        while self.line_end < offset {
            let width = if self.text.as_bytes()[self.line_end..].starts_with(b"\r\n") {
                2
            } else {
                1
            };
            self.line += 1;
            self.line_start = self.line_end + width;
            self.line_end = line_end(self.text, self.line_start);
            self.counted = self.line_start;
            self.characters = 0;
        }
        let before = if self.ascii {
            offset.saturating_sub(self.line_start)
        } else {
            self.count(offset)
        };
        Place {
            line: self.line,
            column: before as u32 + 1,
        }
    }

    /// How many characters of this line stand before the offset.
    fn count(&mut self, offset: usize) -> usize {
        if offset > self.counted {
            let bytes = &self.text.as_bytes()[self.counted..offset];
            // Every byte but the continuation bytes of UTF-8 starts a character.
            self.characters += bytes.iter().filter(|&&byte| byte & 0xC0 != 0x80).count();
            self.counted = offset;
        }
        self.characters
    }
}

/// Where the line that starts here ends: at its line break, or beyond the text.
fn line_end(text: &str, start: usize) -> usize {
    memchr2(b'\n', b'\r', &text.as_bytes()[start..]).map_or(usize::MAX, |at| start + at)
}

/// The text of a line, from 1, without its line break.
pub(crate) fn line(text: &str, number: u32) -> Option<&str> {
    let mut rest = text;
    for _ in 1..number {
        let end = memchr2(b'\n', b'\r', rest.as_bytes())?;
        let width = if rest[end..].starts_with("\r\n") {
            2
        } else {
            1
        };
        rest = &rest[end + width..];
    }
    let end = memchr2(b'\n', b'\r', rest.as_bytes());
    Some(&rest[..end.unwrap_or(rest.len())])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_line_break_counts_once() {
        let text = "a\nb\r\nc\rd";
        let mut lines = Lines::new(text, true);
        let places: Vec<(u32, u32)> = [0, 2, 5, 7]
            .into_iter()
            .map(|offset| lines.place(offset))
            .map(|place| (place.line, place.column))
            .collect();
        assert_eq!(places, [(1, 1), (2, 1), (3, 1), (4, 1)]);
        let texts: Vec<_> = (1..=5).map(|number| line(text, number)).collect();
        assert_eq!(texts, [Some("a"), Some("b"), Some("c"), Some("d"), None]);
    }

    #[test]
    fn columns_count_characters() {
        let text = "棋;B[aa]\n棋譜;";
        let mut lines = Lines::new(text, false);
        assert_eq!(lines.place(3), Place { line: 1, column: 2 });
        assert_eq!(lines.place(5), Place { line: 1, column: 4 });
        assert_eq!(
            lines.place(text.len() as u32 - 1),
            Place { line: 2, column: 3 }
        );
    }
}
