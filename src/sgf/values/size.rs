//! The board's size, `SZ[]`.

use crate::board::Size;

/// Reads `19`, `19:13`, and what stands for them in the wild: `19x13`, `19*19`, `19路`. An error
/// tells apart a board that is too large from a text that is no size.
pub(crate) fn parse(text: &str) -> Result<Size, SizeError> {
    let mut numbers = text
        .split(|c: char| !c.is_ascii_digit())
        .filter(|digits| !digits.is_empty())
        .map(|digits| digits.parse::<u64>().unwrap_or(u64::MAX));
    let (width, height) = match (numbers.next(), numbers.next(), numbers.next()) {
        (Some(side), None, None) => (side, side),
        (Some(width), Some(height), None) => (width, height),
        _ => return Err(SizeError::Unreadable),
    };
    // `-19` and `19.5` are no sizes, nor is `1e2`.
    let exponent = |(at, _): (usize, &str)| text[..at].ends_with(|c: char| c.is_ascii_digit());
    if text.contains(['-', '.']) || text.match_indices(['e', 'E']).any(exponent) {
        return Err(SizeError::Unreadable);
    }
    let side = |side: u64| u8::try_from(side).unwrap_or(u8::MAX);
    match Size::new(side(width), side(height)) {
        Some(size) => Ok(size),
        None if width == 0 || height == 0 => Err(SizeError::Unreadable),
        None => Err(SizeError::TooLarge),
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SizeError {
    Unreadable,
    TooLarge,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_as_they_are_written() {
        let cases = [
            ("19", Some((19, 19))),
            (" 9 ", Some((9, 9))),
            ("19:13", Some((19, 13))),
            ("13x9", Some((13, 9))),
            ("19*19", Some((19, 19))),
            ("19路", Some((19, 19))),
            ("52", Some((52, 52))),
            ("1", Some((1, 1))),
            ("", None),
            ("0", None),
            ("-9", None),
            ("big", None),
            ("1:2:3", None),
            ("1e2", None),
            ("19E0", None),
            ("size 9", Some((9, 9))),
        ];
        for (text, expected) in cases {
            let size = parse(text).ok().map(|size| (size.width(), size.height()));
            assert_eq!(size, expected, "SZ[{text}]");
        }
    }

    #[test]
    fn a_board_of_a_billion_points_is_too_large() {
        for text in ["53", "1000000000", "19:53", "99999999999999999999999999"] {
            assert_eq!(parse(text), Err(SizeError::TooLarge), "SZ[{text}]");
        }
    }
}
