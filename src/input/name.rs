//! Names of files as text.
//!
//! A name on a Unix disk is a string of bytes, and zip archives hold names in the charset of the
//! machine that packed them: of Windows in China, or of DOS. Every output of kifu is UTF-8, so a
//! name that is not becomes one by a guess at its charset, and a finding says so.
//!
//! One name is too short for a good guess. A zip was packed on one machine, so that all its names
//! are guessed together, as one [`Charset`].
//!
//! The charset of DOS, code page 437, is the one that the format's own specification names, and no
//! detector for web pages knows it. It is told by two things: all letters beyond ASCII are among
//! those that it has for western Europe, which in the charsets of East Asia is so only for some
//! kana; and they are few among letters of ASCII, as in any western language.

use std::path::Path;

use encoding_rs::Encoding;

use crate::finding::{Code, Finding};

/// The name of a path as text, and a finding if it had to be guessed.
pub(super) fn of_path(path: &Path) -> (String, Option<Finding>) {
    of_bytes(path.as_os_str().as_encoded_bytes())
}

/// A name from an archive or a disk as text, and a finding if it had to be guessed.
pub(super) fn of_bytes(bytes: &[u8]) -> (String, Option<Finding>) {
    match std::str::from_utf8(bytes) {
        Ok(text) => (text.to_string(), None),
        Err(_) => Charset::detected(bytes).name_of(bytes),
    }
}

/// What names that are not UTF-8 are in.
// Without archives there is nobody to guess names together for.
#[cfg_attr(not(feature = "archives"), allow(dead_code))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Charset {
    /// What DOS has.
    CodePage437,
    Other(&'static Encoding),
}

/// The upper half of code page 437.
const CODE_PAGE_437: &str = "\
    ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀\
    αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}";

impl Charset {
    /// The charset that all these names are in, each on a line; those that are UTF-8 are not to be
    /// among them.
    #[cfg_attr(not(feature = "archives"), allow(dead_code))]
    pub(super) fn of_names(lines: &[u8]) -> Charset {
        match is_code_page_437(lines) {
            true => Charset::CodePage437,
            false => Charset::detected(lines),
        }
    }

    fn detected(bytes: &[u8]) -> Charset {
        let mut detector = chardetng::EncodingDetector::new(chardetng::Iso2022JpDetection::Deny);
        detector.feed(bytes, true);
        Charset::Other(detector.guess(None, chardetng::Utf8Detection::Deny))
    }

    /// A name as text, and a finding if it is not UTF-8.
    pub(super) fn name_of(self, bytes: &[u8]) -> (String, Option<Finding>) {
        if let Ok(text) = std::str::from_utf8(bytes) {
            return (text.to_string(), None);
        }
        let (text, charset) = match self {
            Charset::Other(encoding) => {
                let (text, _) = encoding.decode_without_bom_handling(bytes);
                (text.into_owned(), encoding.name())
            }
            Charset::CodePage437 => {
                let upper: Vec<char> = CODE_PAGE_437.chars().collect();
                let letter = |&byte: &u8| match byte.checked_sub(0x80) {
                    Some(at) => upper[usize::from(at)],
                    None => char::from(byte),
                };
                (bytes.iter().map(letter).collect(), "IBM437")
            }
        };
        let message = format!("The file's name is not UTF-8; it was read as {charset}.");
        (text, Some(Finding::new(Code::NameNotUtf8, message)))
    }
}

#[cfg_attr(not(feature = "archives"), allow(dead_code))]
fn is_code_page_437(lines: &[u8]) -> bool {
    // From Ç to Ü, from á to Ñ, and ß.
    let is_letter = |byte: &u8| matches!(byte, 0x80..=0x9a | 0xa0..=0xa5 | 0xe1);
    let mut foreign = lines.iter().filter(|byte| !byte.is_ascii());
    let count = foreign.clone().count();
    let ascii = lines
        .iter()
        .filter(|byte| byte.is_ascii_lowercase())
        .count();
    foreign.all(is_letter) && count * 3 <= ascii
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

#[cfg(test)]
mod tests {
    use super::*;
    use encoding_rs::{BIG5, EUC_KR, GBK, IBM866, SHIFT_JIS, WINDOWS_1252};

    /// The names of an archive, read together.
    fn read(encoding: &'static Encoding, names: &[&str]) -> Vec<String> {
        let encoded: Vec<_> = names.iter().map(|name| encoding.encode(name).0).collect();
        let charset = Charset::of_names(&encoded.join(&b'\n'));
        let decoded = encoded.iter().map(|name| charset.name_of(name).0);
        decoded.collect()
    }

    #[test]
    fn the_names_of_an_archive_are_read_together() {
        // One by one, some of these are taken for another language's.
        for (encoding, names) in [
            (
                GBK,
                &[
                    "古力-李世石.sgf",
                    "常昊.sgf",
                    "柯洁 vs 申真谞.sgf",
                    "王檄.sgf",
                ][..],
            ),
            (
                BIG5,
                &["林海峰-坂田榮男.sgf", "周俊勳.sgf", "王立誠 名人.sgf"],
            ),
            (
                SHIFT_JIS,
                &["本因坊戦.sgf", "ゴ.sgf", "坂田栄男.sgf", "名人戦 第1局.sgf"],
            ),
            (
                EUC_KR,
                &["이창호-조훈현.sgf", "이세돌.sgf", "박정환 국수전.sgf"],
            ),
            (
                IBM866,
                &["Иванов - Петров.sgf", "Партия.sgf", "чемпионат.sgf"],
            ),
            (
                WINDOWS_1252,
                &["Jürgen - Müller.sgf", "Größe.sgf", "Café.sgf"],
            ),
        ] {
            assert_eq!(read(encoding, names), names, "{}", encoding.name());
        }
    }

    #[test]
    fn names_of_dos_are_in_code_page_437() {
        let names: [(&[u8], &str); 4] = [
            (b"J\x81rgen - M\x81ller.sgf", "Jürgen - Müller.sgf"),
            (b"Gr\x94\xe1e.sgf", "Größe.sgf"),
            (b"caf\x82 \x85 Paris.sgf", "café à Paris.sgf"),
            (b"ma\xa4ana.sgf", "mañana.sgf"),
        ];
        let lines = names.map(|(bytes, _)| bytes).join(&b'\n');
        let charset = Charset::of_names(&lines);
        assert_eq!(charset, Charset::CodePage437);
        for (bytes, name) in names {
            assert_eq!(charset.name_of(bytes).0, name);
        }
        assert_eq!(CODE_PAGE_437.chars().count(), 128);
    }
}
