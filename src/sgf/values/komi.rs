//! The komi, `KM[]`.

use super::amount::{self, Amount, Unit};

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

/// Hundredths are written without a point, and are whole quarters of 1 to 15 points. Other large
/// numbers are komi that somebody really played with (`318`, `-100.00`).
fn hundredths(text: &str) -> Option<f64> {
    let number: u32 = text.parse().ok()?;
    let quarters = (100..=1500).contains(&number) && number.is_multiple_of(25);
    quarters.then(|| f64::from(number) / 100.0)
}

/// Reads a komi.
///
/// Chinese servers count it in zi (3.75, worth 7.5 points), and the Fox server and those that
/// copy it write hundredths: `KM[375]` under Chinese rules is 3.75 zi, `KM[650]` under Japanese
/// ones 6.5 points. Hundredths that end in quarters are of zi, as nobody's komi is 3.75 points.
pub(crate) fn read(text: &str) -> Option<Komi> {
    let text = text.trim();
    if let Some(value) = hundredths(text) {
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
    let start =
        text.find(|c: char| c.is_ascii_digit() || "半반一二三四五六七八九十.".contains(c))?;
    let negative = text[..start].trim_end().ends_with(['-', '−', '负']);
    let (Amount { value, unit }, _) = amount::take(&text[start..])?;
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
    Some(komi)
}

fn from_number(value: f64) -> Komi {
    if (Amount {
        value,
        unit: Unit::Unsaid,
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
            assert_eq!(read(text), Some(Komi { points, written }), "KM[{text}]");
        }
    }

    #[test]
    fn what_is_no_komi() {
        for text in ["", "none", "互先", "-", "1e400", "NaN", "inf"] {
            assert_eq!(
                read(text).filter(|komi| !komi.points.is_finite()),
                None,
                "KM[{text}]"
            );
        }
        assert_eq!(read("互先"), None);
        assert_eq!(read("NaN"), None);
    }
}
