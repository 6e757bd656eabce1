//! Names of files as text.
//!
//! A name on a Unix disk is a string of bytes, and zip archives from Asia hold names in the
//! charset of the machine that packed them. Every output of kifu is UTF-8, so a name that is
//! not becomes one by a guess at its charset, and a finding says so.

use std::path::Path;

use crate::finding::{Code, Finding};

/// The name of a path as text, and a finding if it had to be guessed.
pub(super) fn of_path(path: &Path) -> (String, Option<Finding>) {
    of_bytes(path.as_os_str().as_encoded_bytes())
}

/// A name from an archive or a disk as text, and a finding if it had to be guessed.
pub(super) fn of_bytes(bytes: &[u8]) -> (String, Option<Finding>) {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return (text.to_string(), None);
    }
    let mut detector = chardetng::EncodingDetector::new(chardetng::Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    let charset = detector.guess(None, chardetng::Utf8Detection::Deny);
    let (text, _) = charset.decode_without_bom_handling(bytes);
    let finding = Finding::new(
        Code::NameNotUtf8,
        format!(
            "The file's name is not UTF-8; it was read as {}.",
            charset.name()
        ),
    );
    (text.into_owned(), Some(finding))
}

/// The last part of a path in an archive, whichever slash it uses.
pub(super) fn last_part(path: &[u8]) -> &[u8] {
    path.rsplit(|&byte| byte == b'/' || byte == b'\\')
        .next()
        .unwrap_or(path)
}

/// Whether any part of a path in an archive is hidden: `.git/x`, `__MACOSX/._x.sgf`. The
/// parts `.` and `..` are not.
pub(super) fn is_hidden(path: &[u8]) -> bool {
    path.split(|&byte| byte == b'/' || byte == b'\\')
        .any(|part| part.starts_with(b".") && part != b"." && part != b"..")
}
