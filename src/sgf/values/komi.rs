//! The komi, `KM[]`.

use super::amount::{self, Amount, Unit};
use crate::sgf::Server;

/// A komi in points, and what had to be understood for it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Komi {
    pub points: f64,
    pub written: Written,
}

/// How a komi was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Written {
    /// As SGF asks for it.
    Plainly,
    /// With a decimal comma, a unit or words around it.
    Loosely,
    /// In zi of two points each: `3.75`, `3又3/4子`.
    InZi,
    /// In hundredths of a point: `650`.
    InHundredths,
    /// In hundredths of a zi: `375`.
    InHundredthsOfZi,
}

/// Hundredths are written without a point, and are quarters of 1 to 15 points. Whole points are
/// written so by Fox alone: elsewhere `200` is a komi that somebody really played with, as are
/// `318` and `-100.00`, and on OGS any number is what it says.
fn hundredths(text: &str, server: Option<Server>) -> Option<f64> {
    let number: u32 = text.parse().ok()?;
    let quarters = (100..=1500).contains(&number) && number.is_multiple_of(25);
    let meant = match server {
        Some(Server::Fox) => true,
        Some(Server::Ogs) => false,
        _ => !number.is_multiple_of(100),
    };
    (quarters && meant).then(|| f64::from(number) / 100.0)
}

/// A komi of more points than this, to either side, is a slip of the pen.
pub const MOST_KOMI: f64 = 1000.0;

/// Reads a komi.
///
/// Chinese servers count it in zi (3.75, worth 7.5 points), and the Fox server and those that
/// copy it write hundredths: `KM[375]` under Chinese rules is 3.75 zi, `KM[650]` under Japanese
/// ones 6.5 points. Hundredths that end in quarters are of zi, as nobody's komi is 3.75 points.
pub(crate) fn parse(text: &str, server: Option<Server>) -> Option<Komi> {
    let text = text.trim();
    if let Some(value) = hundredths(text, server) {
        return Some(match from_number(value) {
            Komi {
                points,
                written: Written::InZi,
            } => Komi {
                points,
                written: Written::InHundredthsOfZi,
            },
            komi => Komi {
                written: Written::InHundredths,
                ..komi
            },
        });
    }
    if let Some(points) = plain(text) {
        return Some(from_number(points));
    }
    // `５．５`, and `5。5` where the full stop stands for a decimal point.
    let text = &amount::narrow(text).replace('。', ".");
    let (komi, after) = in_words(text)?;
    if !after.contains(|c: char| c.is_ascii_digit()) {
        return Some(komi);
    }
    // Another number behind it says the same, `3.75子 (7.5目)`, or nobody knows which is meant.
    let (again, after) = in_words(after)?;
    let is_clear = again.points == komi.points && !after.contains(|c: char| c.is_ascii_digit());
    is_clear.then_some(komi)
}

/// The first komi in a text, and what follows it.
fn in_words(text: &str) -> Option<(Komi, &str)> {
    let start =
        text.find(|c: char| c.is_ascii_digit() || "半반一二三四五六七八九十.".contains(c))?;
    let before = text[..start].trim_end();
    // 倒贴, 逆コミ, 역덤, reverse komi: White gives komi.
    let reverse = ["倒贴", "倒貼", "逆", "역", "reverse"]
        .iter()
        .any(|word| before.to_lowercase().contains(word));
    let negative = before.ends_with(['-', '−', '负']) || reverse;
    let (Amount { value, unit }, after) = amount::take(&text[start..])?;
    let value = if negative { -value } else { value };
    let mut komi = from_number(value);
    match unit {
        Unit::Moves => return None,
        Unit::Zi if komi.written == Written::Plainly => {
            komi = Komi {
                points: 2.0 * value,
                written: Written::InZi,
            };
        }
        Unit::Points => {
            komi = Komi {
                points: value,
                written: Written::Loosely,
            }
        }
        _ if komi.written == Written::Plainly => komi.written = Written::Loosely,
        _ => {}
    }
    Some((komi, after))
}

fn from_number(value: f64) -> Komi {
    if (Amount {
        value,
        unit: Unit::Unspecified,
    })
    .in_quarters()
    {
        Komi {
            points: 2.0 * value,
            written: Written::InZi,
        }
    } else {
        Komi {
            points: value,
            written: Written::Plainly,
        }
    }
}

/// A number as SGF writes it: digits, perhaps a sign and a point.
fn plain(text: &str) -> Option<f64> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let plain = digits
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'.');
    let short = digits.len() <= 16;
    if plain && short {
        text.parse().ok()
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn komi_as_it_is_written() {
        use Written::*;
        let cases = [
            ("6.5", 6.5, Plainly),
            ("0", 0.0, Plainly),
            ("-5.50", -5.5, Plainly),
            ("+7", 7.0, Plainly),
            ("6.500000", 6.5, Plainly),
            ("6,5", 6.5, Loosely),
            ("6.5目", 6.5, Loosely),
            ("黑贴6目半", 6.5, Loosely),
            ("6目半", 6.5, Loosely),
            ("５．５", 5.5, Loosely),
            ("5。5", 5.5, Loosely),
            ("倒贴2目半", -2.5, Loosely),
            ("逆コミ5目半", -5.5, Loosely),
            ("Reverse komi 5.5", -5.5, Loosely),
            ("3.75子 (7.5目)", 7.5, InZi),
            ("0.50", 0.5, Plainly),
            ("-5.5", -5.5, Plainly),
            ("100", 100.0, Plainly),
            ("200", 200.0, Plainly),
            ("1000", 1000.0, Plainly),
            ("6 1/2", 6.5, Loosely),
            ("3.75", 7.5, InZi),
            ("3又3/4子", 7.5, InZi),
            ("375", 7.5, InHundredthsOfZi),
            ("325", 6.5, InHundredthsOfZi),
            ("650", 6.5, InHundredths),
            ("750", 7.5, InHundredths),
            ("318", 318.0, Plainly),
            ("-100.00", -100.0, Plainly),
        ];
        for (text, points, written) in cases {
            let komi = Some(Komi { points, written });
            assert_eq!(parse(text, None), komi, "KM[{text}]");
        }
    }

    #[test]
    fn whole_points_in_hundredths_come_from_fox_alone() {
        let points = |text, server| parse(text, server).unwrap().points;
        for (text, hundredths) in [("100", 1.0), ("200", 2.0), ("700", 7.0), ("1000", 10.0)] {
            assert_eq!(points(text, Some(Server::Fox)), hundredths, "KM[{text}]");
            assert_eq!(points(text, None), 100.0 * hundredths, "KM[{text}]");
        }
        assert_eq!(points("375", Some(Server::Fox)), 7.5);
        assert_eq!(points("650", Some(Server::Ogs)), 650.0);
        assert_eq!(points("1000", Some(Server::Ogs)), 1000.0);
    }

    #[test]
    fn what_is_no_komi() {
        for text in ["", "none", "互先", "-", "1e400", "NaN", "inf"] {
            assert_eq!(
                parse(text, None).filter(|komi| !komi.points.is_finite()),
                None,
                "KM[{text}]"
            );
        }
        // Only the beginning of these is a number.
        for text in ["1e308", "6.5E0", "-1e+2"] {
            assert_eq!(parse(text, None), None, "KM[{text}]");
        }
        // Which of the numbers?
        for text in ["6.5.1", "0x10", "6.5 or 7.5", "5.5 (1975)"] {
            assert_eq!(parse(text, None), None, "KM[{text}]");
        }
        assert_eq!(parse("互先", None), None);
        assert_eq!(parse("NaN", None), None);
    }
}
