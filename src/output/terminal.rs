//! Text for a terminal: colours, and nothing that a stranger slipped in.
//!
//! File names and records come from anywhere, and a terminal obeys what is printed on it: an
//! escape sequence in a name can hide a line or retitle the window. So everything from outside
//! goes through [`printable`] on its way to text output.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Text in which control characters, and those that turn the direction of writing, are spelt
/// out: `\u{1b}`.
pub(crate) fn printable(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_unsafe) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        if is_unsafe(character) {
            let _ = write!(safe, "{}", character.escape_unicode());
        } else {
            safe.push(character);
        }
    }
    Cow::Owned(safe)
}

/// Whether a terminal would act on a character instead of showing it.
pub(super) fn is_unsafe(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{2028}' | '\u{2029}')
}

/// The escape sequences for each kind of text; all empty when there is to be no colour.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Styles {
    pub error: &'static str,
    pub warning: &'static str,
    pub note: &'static str,
    pub strong: &'static str,
    pub faint: &'static str,
    pub reset: &'static str,
}

impl Styles {
    pub(crate) fn new(colored: bool) -> Styles {
        if !colored {
            return Styles::default();
        }
        Styles {
            error: "\x1b[1;31m",
            warning: "\x1b[1;33m",
            note: "\x1b[1;36m",
            strong: "\x1b[1m",
            faint: "\x1b[2m",
            reset: "\x1b[0m",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escape_sequences_and_line_breaks_are_spelt_out() {
        assert_eq!(
            printable("a\x1b[2Jb\n\u{202e}c"),
            "a\\u{1b}[2Jb\\u{a}\\u{202e}c"
        );
        assert!(matches!(printable("棋譜.sgf"), Cow::Borrowed("棋譜.sgf")));
    }
}
