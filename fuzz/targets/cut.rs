//! Collections that are cut into their games: the pieces are parsed as the whole is.
//!
//! The first two bytes say how much is read at a time, and how large a piece is.

#![no_main]

use kifu::fuzzing::assert_same_in_pieces;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    if let [block, piece, text @ ..] = data
        && let Ok(text) = str::from_utf8(text)
        // These are reported with the file if it is in one, and with their games if it is not.
        && !text.contains(['\0', char::REPLACEMENT_CHARACTER])
    {
        // The mark in front of the text is in the first block, as a real one is far larger.
        assert_same_in_pieces(text, 3 + 5 * usize::from(*block), 1 + usize::from(*piece));
    }
});
