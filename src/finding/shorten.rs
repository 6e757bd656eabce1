//! Text from a record, no longer than anybody would read.
//!
//! A value may have as many megabytes as a game may have, and a message about it would repeat them,
//! once per finding. What is left out is its middle: a message ends in what kifu does about it.

use std::borrow::Cow;

/// The longest message of a finding, in characters.
const LONGEST_MESSAGE: usize = 500;

/// The longest cell of a table that repeats what a record says, in characters.
pub(crate) const LONGEST_CELL: usize = 1000;

/// A message for a finding or a note, with dots for its middle if it is very long.
pub(crate) fn shortened_message(message: String) -> String {
    match shortened(&message, LONGEST_MESSAGE) {
        Cow::Borrowed(_) => message,
        Cow::Owned(short) => short,
    }
}

/// The text, with dots for its middle if it has more than so many characters.
pub(crate) fn shortened(text: &str, most: usize) -> Cow<'_, str> {
    // No character has less than a byte.
    if text.len() <= most || text.chars().nth(most).is_none() {
        return Cow::Borrowed(text);
    }
    let end = most / 4;
    let start = most - end - 1;
    let offset = |mut characters: std::str::CharIndices, number: usize| {
        characters.nth(number).map_or(text.len(), |(at, _)| at)
    };
    let head = &text[..offset(text.char_indices(), start)];
    let tail = match end.checked_sub(1) {
        Some(last) => {
            let at = text.char_indices().rev().nth(last).map_or(0, |(at, _)| at);
            &text[at..]
        }
        None => "",
    };
    Cow::Owned(format!("{head}…{tail}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_lose_their_middle() {
        assert_eq!(shortened("abc", 3), "abc");
        assert_eq!(shortened("äöü", 3), "äöü");
        assert_eq!(shortened("abcdefghijkl", 8), "abcde…kl");
        assert_eq!(shortened("äöüäöüäöüäöü", 8), "äöüäö…öü");
        for most in 1..20 {
            let text = "囲碁".repeat(20);
            assert_eq!(shortened(&text, most).chars().count(), most);
        }
    }
}
