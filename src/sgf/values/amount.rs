//! Numbers of points as people write them: `6.5`, `6,5`, `1/2`, `3又3/4子`, `三目半`.

/// An amount that was read, and what it was counted in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Amount {
    pub value: f64,
    pub unit: Unit,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    /// Points: 目, 집, moku.
    Points,
    /// Stones of Chinese counting, 子 (zi).
    Zi,
    /// Moves, 手: how long a game was, not how it ended.
    Moves,
    /// Not said.
    Unspecified,
}

impl Amount {
    /// The amount in points. A zi, by which Chinese counting tells margins and komi, is how far a
    /// side is above half of the board, and so worth two points. Quarters only occur there, where
    /// half a point of komi was split between both sides: `3.75` is 3¾ zi, 7.5 points.
    pub(crate) fn points(self) -> f64 {
        if self.unit == Unit::Zi || self.unit == Unit::Unspecified && self.in_quarters() {
            2.0 * self.value
        } else {
            self.value
        }
    }

    /// Whether the amount ends in one or three quarters.
    pub(crate) fn in_quarters(self) -> bool {
        (self.value.abs() * 4.0) % 2.0 == 1.0
    }
}

/// The text with ASCII for the full-width forms.
pub(crate) fn narrow(text: &str) -> String {
    let narrow = |c: char| match c {
        '！'..='～' => char::from_u32(c as u32 - 0xFEE0).unwrap_or(c),
        '　' => ' ',
        c => c,
    };
    text.chars().map(narrow).collect()
}

/// Reads the amount at the beginning of the text, and gives what follows it.
pub(crate) fn take(text: &str) -> Option<(Amount, &str)> {
    let (mut value, mut rest) = match take_fraction(text) {
        Some(fraction) => fraction,
        None => {
            let (whole, rest) = take_number(text)?;
            match take_fraction(rest.trim_start_matches([' ', '又'])) {
                Some((fraction, rest)) => (whole + fraction, rest),
                None => (whole, rest),
            }
        }
    };
    let (mut unit, after) = take_unit(rest);
    rest = after;
    // 3目半: the half comes after the unit.
    if let Some(after) = ['半', '반']
        .iter()
        .find_map(|half| rest.trim_start().strip_prefix(*half))
    {
        value += 0.5;
        rest = after;
        if unit == Unit::Unspecified {
            (unit, rest) = take_unit(rest);
        }
    }
    Some((Amount { value, unit }, rest))
}

/// `3/4`, or 四分之三.
fn take_fraction(text: &str) -> Option<(f64, &str)> {
    let (first, rest) = take_number(text)?;
    let (above, below, rest) = if let Some(rest) = rest.strip_prefix('/') {
        let (below, rest) = take_number(rest)?;
        (first, below, rest)
    } else {
        let (above, rest) = take_number(rest.strip_prefix("分之")?)?;
        (above, first, rest)
    };
    (below > 0.0).then_some((above / below, rest))
}

/// A number without a fraction behind it.
fn take_number(text: &str) -> Option<(f64, &str)> {
    if let Some(rest) = ["半", "반", "half", "½"]
        .iter()
        .find_map(|half| text.strip_prefix(half))
    {
        return Some((0.5, rest));
    }
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    if digits > 0
        || text.starts_with(['.', ',']) && text[1..].starts_with(|c: char| c.is_ascii_digit())
    {
        let mut end = digits;
        // A point or comma is one of a decimal only with a digit behind it.
        if text[end..].starts_with(['.', ',']) {
            let fraction = text[end + 1..].trim_start_matches(|c: char| c.is_ascii_digit());
            let length = text.len() - end - 1 - fraction.len();
            end += if length > 0 { 1 + length } else { 0 };
        }
        if is_exponent(&text[end..]) {
            return None;
        }
        let value: f64 = text[..end].replace(',', ".").parse().ok()?;
        return Some(match text[end..].strip_prefix('½') {
            Some(rest) => (value + 0.5, rest),
            None => (value, &text[end..]),
        });
    }
    take_numeral(text)
}

/// Whether the text goes on as in `1e308`: the number before it is not the whole number, and nobody
/// writes points so.
fn is_exponent(text: &str) -> bool {
    let Some(power) = text.strip_prefix(['e', 'E']) else {
        return false;
    };
    let digits = power.strip_prefix(['+', '-']).unwrap_or(power);
    digits.starts_with(|c: char| c.is_ascii_digit())
}

/// Chinese numerals up to 99, and the full-width digits.
fn take_numeral(text: &str) -> Option<(f64, &str)> {
    let digit = |c: char| {
        "〇一二三四五六七八九"
            .chars()
            .position(|d| d == c)
            .map(|d| d as f64)
    };
    let (mut tens, mut value, mut end) = (0.0, None, 0);
    for c in text.chars() {
        match digit(if c == '两' || c == '兩' { '二' } else { c }) {
            Some(digit) => value = Some(digit),
            None if c == '十' => tens = 10.0 * value.take().unwrap_or(1.0),
            None => break,
        }
        end += c.len_utf8();
    }
    (end > 0).then(|| (tens + value.unwrap_or(0.0), &text[end..]))
}

fn take_unit(text: &str) -> (Unit, &str) {
    const UNITS: [(&str, Unit); 14] = [
        ("目", Unit::Points),
        ("点", Unit::Points),
        ("點", Unit::Points),
        ("집", Unit::Points),
        ("호", Unit::Points),
        ("point", Unit::Points),
        ("pt", Unit::Points),
        ("moku", Unit::Points),
        ("子", Unit::Zi),
        ("zi", Unit::Zi),
        ("手", Unit::Moves),
        ("수", Unit::Moves),
        ("move", Unit::Moves),
        ("着", Unit::Moves),
    ];
    let start = text.trim_start();
    let found = UNITS
        .iter()
        .find_map(|&(name, unit)| Some((unit, start.strip_prefix(name)?)));
    found.unwrap_or((Unit::Unspecified, text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_in_points() {
        let cases = [
            ("6.5", 6.5),
            ("6,5", 6.5),
            ("6.", 6.0),
            (".5", 0.5),
            ("6.5目", 6.5),
            ("6目半", 6.5),
            ("三目半", 3.5),
            ("十二目", 12.0),
            ("半目", 0.5),
            ("반집", 0.5),
            ("2집반", 2.5),
            ("1/2", 0.5),
            ("3 1/2", 3.5),
            ("7½", 7.5),
            // A zi is two points.
            ("1又3/4子", 3.5),
            ("3/4子", 1.5),
            ("四分之三子", 1.5),
            ("14子半", 29.0),
            ("2.75", 5.5),
            ("1.25", 2.5),
        ];
        for (text, points) in cases {
            let amount = take(text);
            assert_eq!(
                amount.map(|(amount, _)| amount.points()),
                Some(points),
                "{text}"
            );
        }
    }
}
