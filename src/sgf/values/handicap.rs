//! The handicap, `HA[]`.

use super::amount;
use crate::board::Size;

/// The most stones that anybody gives on a board of this size: a quarter of its points, and nine on
/// the smallest.
pub(crate) fn most(size: Size) -> u32 {
    (size.area() as u32 / 4).max(9)
}

/// Reads a number of handicap stones: `2`, `2 stones`, `让二子`. Words for a game on even terms
/// (互先, 分先, 先相先, 定先) are none. `None` when it can't be understood.
pub(crate) fn parse(text: &str) -> Option<u32> {
    let text = text.trim();
    if let Ok(stones) = text.parse() {
        return Some(stones);
    }
    // `先二先.二子`: a match on alternating terms, and what this game is played on.
    let text = match text.is_ascii() {
        true => text,
        false => text
            .rsplit(['.', '．', '。'])
            .find(|part| !part.is_empty())?,
    };
    let start = text.find(|c: char| c.is_ascii_digit() || "一二三四五六七八九十两兩".contains(c));
    if text.contains('先') && !text.contains('子') {
        return Some(0);
    }
    let lower = text.to_ascii_lowercase();
    if [
        "even", "none", "no", "ない", "なし", "无", "無", "호선", "정선", "b", "w",
    ]
    .contains(&lower.as_str())
    {
        return Some(0);
    }
    let (amount, _) = amount::take(&text[start?..])?;
    let negative = text[..start?].ends_with('-');
    let whole = amount.value.fract() == 0.0 && amount.value <= f64::from(u16::MAX);
    (whole && !negative).then_some(amount.value as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn handicaps_as_they_are_written() {
        let cases = [
            ("0", Some(0)),
            (" 2 ", Some(2)),
            ("9", Some(9)),
            ("2 stones", Some(2)),
            ("H4", Some(4)),
            ("让二子", Some(2)),
            ("三子", Some(3)),
            ("互先", Some(0)),
            ("吴先相先.先", Some(0)),
            ("小泉先二先.二子", Some(2)),
            ("吴二三二.三", Some(3)),
            ("even", Some(0)),
            ("", None),
            ("-2", None),
            ("1.5", None),
            ("strong", None),
        ];
        for (text, stones) in cases {
            assert_eq!(parse(text), stones, "HA[{text}]");
        }
    }
}
