//! Bytes become text.
//!
//! Which charset a record is in, tried in this order:
//!
//! 1. A byte order mark, or the zeros of UTF-16, settle it.
//! 2. `CA[]`, when the bytes agree: they decode without errors (but for names that were cut off
//!    in the middle of a character), and they are not plainly UTF-8 or a charset of two bytes per
//!    character that the record denies.
//! 3. UTF-8, when it is valid; most files end here, without a copy.
//! 4. A guess by how often the characters of each language occur in it ([`chardetng`]). Records
//!    of Chinese, Japanese and Korean servers seldom name their charset.
//! 5. Latin-1 (as Windows has it), in which every byte means something.
//!
//! The structure of SGF survives all of them. In GBK, Big5 and Shift JIS the second byte of a
//! character may look like `]` or `\`; after decoding there is no such byte any more. The reverse
//! needs care: a program that cuts a name to so many bytes leaves the first byte of a character
//! before the `]` that ends the value, and the two of them may make a character. When what follows
//! is the structure of SGF, the `]` is a `]`.

use std::borrow::Cow;
use std::str::Utf8Error;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{
    BIG5, Decoder, Encoding, GB18030, GBK, ISO_2022_JP, SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE,
    WINDOWS_1252,
};

/// A file as text, and where its charset is known from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Decoded<'a> {
    pub text: Cow<'a, str>,
    /// Whether every character is ASCII, which makes columns cheap to count.
    pub ascii: bool,
    /// The charset's name, as the WHATWG's standard has it.
    pub charset: &'static str,
    pub source: CharsetSource,
    /// How many characters could not be read; U+FFFD stands for each.
    pub broken: usize,
    /// How many of them were cut off by the end of a value.
    cut_off: usize,
}

/// Where a charset is known from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum CharsetSource {
    /// The file: it is ASCII or UTF-8, has a byte order mark, or `CA[]` is right.
    File,
    /// A guess, as the file does not name its charset.
    Guess,
    /// A guess, as the file is not in the charset that it names, which is this.
    GuessAgainst(String),
}

/// Turns a file's bytes into text.
pub(crate) fn decode(bytes: &[u8]) -> Decoded<'_> {
    let utf8 = std::str::from_utf8(bytes);
    if let Ok(text) = utf8
        && text.is_ascii()
    {
        return decode_ascii(text);
    }
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        return with(encoding, &bytes[mark..], CharsetSource::File);
    }
    if let Some(encoding) = utf16_by_zeros(bytes) {
        return with(encoding, bytes, CharsetSource::File);
    }
    foreign(bytes, utf8, claimed(bytes))
}

/// Decodes what is not all ASCII and perhaps UTF-8, with a charset that it is said to be in.
fn foreign<'a>(
    bytes: &'a [u8],
    utf8: Result<&'a str, Utf8Error>,
    claim: Option<&str>,
) -> Decoded<'a> {
    // `CA[` was found as ASCII, so it does not stand in UTF-16.
    let may_be_8_bit =
        |encoding: &&'static Encoding| encoding.is_ascii_compatible() || **encoding == *ISO_2022_JP;
    let claimed = claim
        .and_then(|label| Encoding::for_label(label.as_bytes()))
        .filter(may_be_8_bit);
    let against = || match claim {
        Some(label) => CharsetSource::GuessAgainst(label.to_owned()),
        None => CharsetSource::Guess,
    };
    let as_utf8 = |text, source| Decoded {
        text: Cow::Borrowed(text),
        ascii: false,
        charset: UTF_8.name(),
        source,
        broken: 0,
        cut_off: 0,
    };
    match (claimed, utf8) {
        (Some(encoding), Ok(text)) if encoding == UTF_8 || plainly_utf8(text, encoding) => {
            let source = if encoding == UTF_8 {
                CharsetSource::File
            } else {
                against()
            };
            as_utf8(text, source)
        }
        (None, Ok(text)) => {
            let source = if claim.is_some() {
                against()
            } else {
                CharsetSource::File
            };
            as_utf8(text, source)
        }
        (Some(encoding), _) => {
            let decoded = with(encoding, bytes, CharsetSource::File);
            if right(&decoded) && !(encoding.is_single_byte() && looks_double_byte(bytes)) {
                return decoded;
            }
            guess(bytes, against())
        }
        (None, Err(_)) => guess(bytes, against()),
    }
}

/// Decodes a file that comes bit by bit.
///
/// The charset is decided by the first bytes that are not ASCII, with the help of the first
/// `CA[]`. From there on it is what the file is said to be in; what can't be in it, as in a file
/// that was put together from others, is decided anew.
#[derive(Default)]
pub(crate) struct PartDecoder {
    started: bool,
    /// What the first `CA[]` says.
    claim: Option<String>,
    /// The charset of what was decoded so far; `None` while that is ASCII.
    charset: Option<&'static Encoding>,
    /// For UTF-16, where a character may be cut anywhere.
    utf16: Option<Decoder>,
}

/// What there is to say about bytes that were decoded.
pub(crate) struct DecodedPart {
    /// Where the charset is known from, if it is another than before.
    pub new_source: Option<CharsetSource>,
    pub broken: usize,
}

impl PartDecoder {
    /// The charset of what was decoded so far.
    pub(crate) fn charset(&self) -> &'static str {
        self.charset.map_or("US-ASCII", Encoding::name)
    }

    /// Adds the text of the bytes to `text`. As long as the file is not at its end, bytes that may
    /// be the first half of something are left for the next time.
    pub(crate) fn decode(
        &mut self,
        bytes: &mut Vec<u8>,
        at_end: bool,
        text: &mut String,
    ) -> DecodedPart {
        if !std::mem::replace(&mut self.started, true) {
            self.start(bytes);
        }
        if let Some(decoder) = &mut self.utf16 {
            let from = text.len();
            let most = decoder.max_utf8_buffer_length(bytes.len());
            text.reserve(most.unwrap_or(bytes.len()));
            let _ = decoder.decode_to_string(bytes, text, at_end);
            bytes.clear();
            return DecodedPart {
                new_source: None,
                broken: text[from..].matches(char::REPLACEMENT_CHARACTER).count(),
            };
        }
        let end = if at_end { bytes.len() } else { safe_end(bytes) };
        let part = &bytes[..end];
        let utf8 = std::str::from_utf8(part);
        let decoded = match utf8 {
            Ok(text) if text.is_ascii() => decode_ascii(text),
            _ => self.foreign(part, utf8),
        };
        if self.claim.is_none() {
            self.claim = claimed(part).map(str::to_owned);
        }
        let (mut new_source, broken) = (None, decoded.broken);
        text.push_str(&decoded.text);
        if !decoded.ascii && self.charset() != decoded.charset {
            self.charset = Encoding::for_label(decoded.charset.as_bytes());
            new_source = Some(decoded.source);
        }
        bytes.drain(..end);
        DecodedPart { new_source, broken }
    }

    /// Looks for a byte order mark and for UTF-16.
    fn start(&mut self, bytes: &mut Vec<u8>) {
        if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
            bytes.drain(..mark);
            self.charset = Some(encoding);
        } else {
            self.charset = utf16_by_zeros(bytes);
        }
        let utf16 = self
            .charset
            .filter(|&charset| charset == UTF_16LE || charset == UTF_16BE);
        self.utf16 = utf16.map(Encoding::new_decoder_without_bom_handling);
    }

    fn foreign<'a>(&self, part: &'a [u8], utf8: Result<&'a str, Utf8Error>) -> Decoded<'a> {
        let Some(charset) = self.charset else {
            let claim = self.claim.as_deref();
            return foreign(part, utf8, claim.or_else(|| claimed(part)));
        };
        let decoded = foreign(part, utf8, Some(charset.name()));
        match decoded.source {
            CharsetSource::File => decoded,
            _ => foreign(part, utf8, claimed(part)),
        }
    }
}

/// Up to where bytes can be decoded when more of them follow: behind a byte that is part of no
/// longer character in any charset of SGF.
fn safe_end(bytes: &[u8]) -> usize {
    // The escapes of ISO 2022 hold for the rest of a line.
    let escapes = memchr::memchr(0x1B, bytes).is_some();
    let is_safe = |byte: &u8| *byte == b'\n' || !escapes && matches!(byte, b'(' | b')' | b';');
    match bytes.iter().rposition(is_safe) {
        Some(at) => at + 1,
        None if bytes.len() < LONGEST_VALUE => 0,
        None => bytes.len(),
    }
}

/// No record goes on for so long without a line break or a node.
const LONGEST_VALUE: usize = 1 << 20;

fn decode_ascii(text: &str) -> Decoded<'_> {
    let bytes = text.as_bytes();
    if memchr::memchr(0x1B, bytes).is_some() {
        let decoded = with(ISO_2022_JP, bytes, CharsetSource::File);
        if decoded.broken == 0 && !decoded.text.is_ascii() {
            return decoded;
        }
    }
    // UTF-16 without a mark may consist of ASCII bytes alone.
    if let Some(encoding) = utf16_by_zeros(bytes) {
        return with(encoding, bytes, CharsetSource::File);
    }
    Decoded {
        text: Cow::Borrowed(text),
        ascii: true,
        charset: "US-ASCII",
        source: CharsetSource::File,
        broken: 0,
        cut_off: 0,
    }
}

/// UTF-16 without a byte order mark: a record starts with ASCII, so every second byte is zero.
fn utf16_by_zeros(bytes: &[u8]) -> Option<&'static Encoding> {
    let start = &bytes[..bytes.len().min(32)];
    let zeros = |parity: usize| {
        start
            .iter()
            .skip(parity)
            .step_by(2)
            .filter(|&&byte| byte == 0)
            .count()
    };
    if start.len() < 8 {
        return None;
    }
    match (zeros(0) * 4 >= start.len(), zeros(1) * 4 >= start.len()) {
        (true, false) if zeros(1) == 0 => Some(UTF_16BE),
        (false, true) if zeros(0) == 0 => Some(UTF_16LE),
        _ => None,
    }
}

/// What the first `CA[]` says.
fn claimed(bytes: &[u8]) -> Option<&str> {
    let mut from = 0;
    loop {
        let at = from + memchr::memmem::find(&bytes[from..], b"CA[")?;
        let alone = at == 0 || !bytes[at - 1].is_ascii_alphabetic();
        from = at + 3;
        if alone {
            let end = from + memchr::memchr(b']', &bytes[from..])?;
            let label = std::str::from_utf8(&bytes[from..end]).ok()?.trim();
            // Nothing that long is the name of a charset.
            return (!label.is_empty() && label.len() <= 40).then_some(label);
        }
    }
}

/// Whether valid UTF-8 is what it seems although the file claims another charset. Two bytes that
/// are valid UTF-8 may be one character of GBK by chance; three seldom are, and never all through
/// a file. What claims to be a charset of one byte a character and is valid UTF-8 is UTF-8.
fn plainly_utf8(text: &str, claimed: &'static Encoding) -> bool {
    claimed.is_single_byte() || text.bytes().any(|byte| byte >= 0xE0)
}

/// Whether so few characters are broken that the charset is right all the same. What is UTF-8 in
/// one place is seldom anything else in another, so it may have more of them.
fn right(decoded: &Decoded) -> bool {
    let broken = decoded.broken - decoded.cut_off;
    broken == 0 || {
        let foreign = decoded.text.chars().filter(|c| !c.is_ascii()).count();
        let allowance = if decoded.charset == UTF_8.name() {
            2
        } else {
            8
        };
        broken * allowance <= foreign
    }
}

/// Whether the bytes are, by all appearances, of a charset with two bytes a character.
fn looks_double_byte(bytes: &[u8]) -> bool {
    let guess = detect(bytes);
    let decoded = with(guess, bytes, CharsetSource::Guess);
    let characters = decoded.text.chars().filter(|c| *c >= '\u{1100}').count();
    !guess.is_single_byte() && decoded.broken == 0 && characters >= 4
}

fn detect(bytes: &[u8]) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    detector.guess(None, Utf8Detection::Deny)
}

/// The charset that the bytes look most like.
fn guess<'a>(bytes: &'a [u8], source: CharsetSource) -> Decoded<'a> {
    // A name that was cut off in the middle makes a UTF-8 file invalid, not foreign.
    let utf8 = with(UTF_8, bytes, source.clone());
    if right(&utf8) {
        let claims_utf8 = matches!(&source, CharsetSource::GuessAgainst(label) if Encoding::for_label(label.as_bytes()) == Some(UTF_8));
        let source = if claims_utf8 {
            CharsetSource::File
        } else {
            source
        };
        return Decoded { source, ..utf8 };
    }
    let guess = detect(bytes);
    let decoded = with(guess, bytes, source.clone());
    if right(&decoded) {
        return decoded;
    }
    with(WINDOWS_1252, bytes, source)
}

/// Decodes with a charset, keeping each `]` that ends a value.
fn with<'a>(encoding: &'static Encoding, bytes: &'a [u8], source: CharsetSource) -> Decoded<'a> {
    let cuts = if [GBK, GB18030, BIG5, SHIFT_JIS].contains(&encoding) {
        cut_characters(encoding, bytes)
    } else {
        Vec::new()
    };
    let text = if cuts.is_empty() {
        encoding.decode_without_bom_handling(bytes).0
    } else {
        let mut text = String::with_capacity(bytes.len() + bytes.len() / 2);
        let mut from = 0;
        for &cut in &cuts {
            text.push_str(&encoding.decode_without_bom_handling(&bytes[from..cut]).0);
            text.push(char::REPLACEMENT_CHARACTER);
            from = cut + 1;
        }
        text.push_str(&encoding.decode_without_bom_handling(&bytes[from..]).0);
        Cow::Owned(text)
    };
    let broken = text
        .chars()
        .filter(|c| *c == char::REPLACEMENT_CHARACTER)
        .count();
    Decoded {
        ascii: text.is_ascii(),
        text,
        charset: encoding.name(),
        source,
        broken,
        cut_off: cuts.len(),
    }
}

/// The first bytes of characters that a `]` of the structure cuts off.
fn cut_characters(encoding: &'static Encoding, bytes: &[u8]) -> Vec<usize> {
    let mut cuts = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let byte = bytes[at];
        let leads = match byte {
            0xA0..=0xDF if encoding == SHIFT_JIS => false,
            0x81..=0xFE => true,
            _ => false,
        };
        if !leads {
            at += 1;
        } else if bytes.get(at + 1) == Some(&b']') && structure_follows(&bytes[at + 2..]) {
            cuts.push(at);
            at += 2;
        } else {
            // The second byte; a control character or nothing is none.
            at += if bytes.get(at + 1).is_some_and(|&second| second >= b'0') {
                2
            } else {
                1
            };
        }
    }
    cuts
}

/// Whether what follows a `]` shows that it ended a value.
fn structure_follows(bytes: &[u8]) -> bool {
    let rest = bytes.trim_ascii_start();
    match rest {
        [] => true,
        [b';' | b'(' | b')', after @ ..] => match after.trim_ascii_start() {
            [] | [b';' | b'(' | b')', ..] => true,
            after => starts_property(after),
        },
        [b'[', ..] => true,
        rest => starts_property(rest),
    }
}

fn starts_property(bytes: &[u8]) -> bool {
    let name = bytes
        .iter()
        .take(16)
        .take_while(|byte| byte.is_ascii_alphabetic())
        .count();
    bytes[0].is_ascii_uppercase() && name > 0 && bytes[name..].trim_ascii_start().starts_with(b"[")
}

#[cfg(test)]
mod tests {
    use super::*;
    use encoding_rs::{EUC_JP, EUC_KR};

    const CHINESE: &str =
        "(;GM[1]EV[第41期日本十段战决赛第一局]PB[王立诚 九段]PW[高尾绅路 八段]RE[黑中盘胜];B[pd])";
    const TAIWANESE: &str =
        "(;GM[1]EV[應氏盃世界職業圍棋錦標賽]PB[林海峰 九段]PW[聶衛平 九段]RE[黑中盤勝];B[pd])";
    const JAPANESE: &str =
        "(;GM[1]EV[第三期名人戦リーグ]PB[藤沢秀行 名人]PW[坂田栄男 本因坊]RE[黒中押し勝ち];B[pd])";
    const KOREAN: &str =
        "(;GM[1]EV[제12기 한국바둑리그]PB[이창호 九단]PW[조훈현 九단]RE[흑불계승];B[pd])";

    #[test]
    fn a_charset_that_the_bytes_can_not_be_in_is_not_believed() {
        for claim in ["UTF-16", "UTF-16LE", "utf-16be", "ISO-2022-KR"] {
            for name in ["Jürgen", "古力"] {
                let text = format!("(;CA[{claim}]PB[{name}];B[pd])");
                let decoded = decode(text.as_bytes());
                assert_eq!(decoded.text, text);
                let against = CharsetSource::GuessAgainst(claim.to_owned());
                assert_eq!(decoded.source, against);
            }
        }
        let latin = b"(;CA[UTF-16]PB[J\xfcrgen];B[pd];W[dd])";
        assert_eq!(decode(latin).text, "(;CA[UTF-16]PB[Jürgen];B[pd];W[dd])");
    }

    #[test]
    fn charsets_are_guessed() {
        let cases = [
            (GBK, CHINESE),
            (BIG5, TAIWANESE),
            (SHIFT_JIS, JAPANESE),
            (EUC_JP, JAPANESE),
            (EUC_KR, KOREAN),
            (
                WINDOWS_1252,
                "(;GM[1]PB[Jürgen Müller]PW[Gérard Taillé];B[pd])",
            ),
        ];
        for (encoding, text) in cases {
            let bytes = encoding.encode(text).0;
            let decoded = decode(&bytes);
            assert_eq!(decoded.text, text);
            assert_eq!(
                (decoded.charset, decoded.source),
                (encoding.name(), CharsetSource::Guess)
            );
        }
    }

    #[test]
    fn what_the_file_says_is_right_when_it_is() {
        let cases = [
            (GBK, "gb2312", "(;CA[gb2312]PB[古力];B[pd])"),
            (BIG5, "big5", "(;CA[big5]PB[林海峰];B[pd])"),
            (SHIFT_JIS, "Shift_JIS", "(;CA[Shift_JIS]PB[坂田];B[pd])"),
            (
                WINDOWS_1252,
                "ISO-8859-1",
                "(;CA[ISO-8859-1]PB[Jürgen];B[pd])",
            ),
            (UTF_8, "UTF-8", "(;CA[UTF-8]PB[古力];B[pd])"),
        ];
        for (encoding, _, text) in cases {
            let bytes = encoding.encode(text).0;
            let decoded = decode(&bytes);
            assert_eq!(
                (decoded.text.as_ref(), decoded.source),
                (text, CharsetSource::File)
            );
        }
    }

    #[test]
    fn what_the_file_says_may_be_wrong() {
        let cases = [
            (UTF_8, CHINESE, "big5"),
            (UTF_8, CHINESE, "ISO-8859-1"),
            (GBK, CHINESE, "UTF-8"),
            (GBK, CHINESE, "ISO-8859-1"),
            (SHIFT_JIS, JAPANESE, "UTF-8"),
            (GBK, CHINESE, "martian"),
        ];
        for (encoding, text, claim) in cases {
            let text = text.replace("GM[1]", &format!("GM[1]CA[{claim}]"));
            let bytes = encoding.encode(&text).0;
            let decoded = decode(&bytes);
            assert_eq!(decoded.text, text);
            assert_eq!(
                decoded.source,
                CharsetSource::GuessAgainst(claim.to_owned()),
                "{} as {claim}",
                encoding.name()
            );
        }
    }

    #[test]
    fn second_bytes_that_look_like_structure_are_none() {
        // 昞 is D5 5D and 誠 is D5 5C in GBK; ソ is 83 5C in Shift JIS; 功 is A5 5C in Big5.
        let cases = [
            (GBK, "(;CA[GBK]PB[古昞力]PW[誠古];B[pd])"),
            (SHIFT_JIS, "(;CA[Shift_JIS]PB[ソ]PW[表];B[pd])"),
            (BIG5, "(;CA[Big5]PB[功]PW[許功蓋];B[pd])"),
        ];
        for (encoding, text) in cases {
            let bytes = encoding.encode(text).0;
            assert!(
                bytes
                    .windows(2)
                    .any(|pair| pair[0] >= 0x80 && matches!(pair[1], b']' | b'\\'))
            );
            assert_eq!(decode(&bytes).text, text);
        }
    }

    #[test]
    fn a_name_cut_in_the_middle_of_a_character_ends_where_it_ends() {
        let after: [&[u8]; 6] = [
            b";B[pd])",
            b")",
            b"\nPW[x];B[pd])",
            b"PW[x])",
            b"",
            b"\r\n;W[aa]",
        ];
        for after in after {
            let bytes = [b"(;CA[gb2312]PB[\xb9\xc5\xc1]", after].concat();
            let decoded = decode(&bytes);
            let expected = format!(
                "(;CA[gb2312]PB[古\u{fffd}]{}",
                String::from_utf8_lossy(after)
            );
            assert_eq!(decoded.text, expected);
            assert_eq!((decoded.broken, decoded.source), (1, CharsetSource::File));
        }
        // UTF-8 that is cut keeps its neighbours.
        let decoded = decode(b"(;PB[\xe5\x8f\xa4\xe5\x8a\x9b]PW[\xe5\x8f\xa4\xe5\x8a];B[pd])");
        assert_eq!(decoded.text, "(;PB[古力]PW[古\u{fffd}];B[pd])");
    }

    #[test]
    fn marks_and_zeros_tell_utf_16() {
        let text = "(;GM[1]PB[古力];B[pd])";
        let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        let marked = |mark: &[u8], bytes: &[u8]| [mark, bytes].concat();
        let cases = [
            marked(b"\xff\xfe", &little),
            marked(b"\xfe\xff", &big),
            marked(b"\xef\xbb\xbf", text.as_bytes()),
            little,
            big,
        ];
        for bytes in cases {
            let decoded = decode(&bytes);
            assert_eq!(
                (decoded.text.as_ref(), decoded.source),
                (text, CharsetSource::File)
            );
        }
    }

    #[test]
    fn iso_2022_jp_is_told_by_its_escapes() {
        let decoded = decode(b"(;PB[\x1b$B:dED\x1b(B];B[pd])");
        assert_eq!(
            (decoded.text.as_ref(), decoded.charset),
            ("(;PB[坂田];B[pd])", "ISO-2022-JP")
        );
    }

    #[test]
    fn ascii_and_utf_8_are_not_copied() {
        for text in ["(;GM[1];B[pd])", "(;GM[1]PB[古力];B[pd])"] {
            assert!(matches!(decode(text.as_bytes()).text, Cow::Borrowed(_)));
        }
        assert!(decode(b"").text.is_empty());
    }

    #[test]
    fn gbk_is_guessed() {
        use crate::sgf::charset::{CharsetSource, decode};
        let gbk = b"(;PB[\xb9\xc5\xc1\xa6]PW[\xc4\xf4\xce\xc0\xc6\xbd]C[\xba\xda\xd6\xd0\xc5\xcc\xca\xa4])";
        let decoded = decode(gbk);
        assert_eq!(decoded.text, "(;PB[古力]PW[聂卫平]C[黑中盘胜])");
        assert_eq!(
            (decoded.charset, decoded.source),
            ("GBK", CharsetSource::Guess)
        );
    }
}
