//! Charsets: every file becomes text, and what was decoded stays as it is when it is decoded
//! again.

#![no_main]

use kifu::fuzzing::decode;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let (text, broken) = decode(data);
    // A byte order mark says that this is UTF-8, whatever CA[] claims.
    let (again, still_broken) = decode(format!("\u{feff}{text}").as_bytes());
    assert_eq!(again, text);
    assert!(still_broken <= broken.max(text.matches('\u{fffd}').count()));
});
