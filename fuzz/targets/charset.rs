//! Charsets: every file becomes text, and what was decoded stays as it is when it is decoded
//! again.

#![no_main]

use kifu::sgf::charset;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let decoded = charset::decode(data);
    // A byte order mark says that this is UTF-8, whatever CA[] claims.
    let marked = format!("\u{feff}{}", decoded.text);
    let again = charset::decode(marked.as_bytes());
    assert_eq!(again.text, decoded.text);
    assert_eq!(again.broken, 0);
});
