//! The forms that `FF[4]` prescribes for texts and numbers, where `sgf-parse` takes more.

use crate::board::Size;

/// `Real`: a sign, digits, and digits behind a point. Rust's own numbers may also be `.5`, `5.`,
/// `1e3` or `inf`.
pub(super) fn is_real(text: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let text = text.strip_prefix(['+', '-']).unwrap_or(text);
    match text.split_once('.') {
        Some((whole, fraction)) => digits(whole) && digits(fraction),
        None => digits(text),
    }
}

/// `SZ`: 1 to 52 lines; two numbers only where they differ. Other games have other limits.
pub(super) fn is_size(text: &str, go: bool) -> bool {
    let side = |text: &str| {
        let side = text.parse::<u8>().ok().filter(|&side| side > 0);
        side.filter(|&side| !go || side <= Size::MAX)
    };
    match text.split_once(':') {
        Some((width, height)) => match (side(width), side(height)) {
            (Some(width), Some(height)) => width != height,
            _ => false,
        },
        None => side(text).is_some(),
    }
}

/// `RE`: who won and by how much, how else, or that nobody did.
pub(super) fn is_result(text: &str) -> bool {
    if matches!(text, "0" | "Draw" | "Void" | "?") {
        return true;
    }
    let margin = text.strip_prefix("B+").or(text.strip_prefix("W+"));
    margin.is_some_and(|margin| {
        matches!(margin, "" | "R" | "Resign" | "T" | "Time" | "F" | "Forfeit") || is_real(margin)
    })
}

/// How much of a date one part of `DT` gives.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Year,
    YearMonth,
    YearMonthDay,
    MonthDay,
    Month,
    Day,
}

/// `DT`: dates of ISO 8601 with commas between them, where a part may leave out what it has in
/// common with the one before: `1996-12-27,28,1997-01-03,04`.
pub(super) fn is_date(text: &str) -> bool {
    let mut before = None;
    for part in text.split(',') {
        before = date_part(part, before);
        if before.is_none() {
            return false;
        }
    }
    true
}

fn date_part(part: &str, before: Option<Part>) -> Option<Part> {
    use Part::{Day, Month, MonthDay, Year, YearMonth, YearMonthDay};
    let number = |digits: &str, most: u8| {
        let plain = digits.len() == 2 && digits.bytes().all(|byte| byte.is_ascii_digit());
        plain
            && digits
                .parse()
                .is_ok_and(|number| (1..=most).contains(&number))
    };
    let year = |digits: &str| digits.len() == 4 && digits.bytes().all(|byte| byte.is_ascii_digit());
    let month = |digits: &str| number(digits, 12);
    let day = |digits: &str| number(digits, 31);
    let numbers: Vec<&str> = part.split('-').collect();
    match (numbers.as_slice(), before) {
        (&[y, m, d], _) if year(y) && month(m) && day(d) => Some(YearMonthDay),
        (&[y, m], _) if year(y) && month(m) => Some(YearMonth),
        (&[m, d], Some(YearMonthDay | YearMonth | MonthDay | Month | Day))
            if month(m) && day(d) =>
        {
            Some(MonthDay)
        }
        (&[y], _) if year(y) => Some(Year),
        (&[m], Some(YearMonth | Month)) if month(m) => Some(Month),
        (&[d], Some(YearMonthDay | MonthDay | Day)) if day(d) => Some(Day),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn real_numbers() {
        for text in ["0", "6.5", "-6.50", "+7", "0012"] {
            assert!(is_real(text), "{text}");
        }
        for text in ["", ".5", "5.", "1e3", "inf", "NaN", "6,5", "--5", "6.5 "] {
            assert!(!is_real(text), "{text}");
        }
    }

    #[test]
    fn sizes() {
        for text in ["1", "9", "19", "52", "13:9"] {
            assert!(is_size(text, true), "{text}");
        }
        for text in ["", "0", "53", "19:19", "13:0", "9:53", "19x19", "-9"] {
            assert!(!is_size(text, true), "{text}");
        }
        assert!(is_size("100", false));
    }

    #[test]
    fn results() {
        let right = [
            "0",
            "Draw",
            "Void",
            "?",
            "B+",
            "W+0.5",
            "B+64",
            "B+R",
            "W+Resign",
            "B+T",
            "W+Time",
            "B+F",
            "W+Forfeit",
        ];
        for text in right {
            assert!(is_result(text), "{text}");
        }
        let wrong = [
            "",
            "Jigo",
            "draw",
            "B+r",
            "b+R",
            "Black resigns",
            "B+3 1/2",
            "B + 3",
            "B+Resignation",
            "W+2目",
        ];
        for text in wrong {
            assert!(!is_result(text), "{text}");
        }
    }

    #[test]
    fn dates() {
        // The examples of the standard first.
        let right = [
            "1996-05,06",
            "1996-05-06,07,08",
            "1996,1997",
            "1996-12-27,28,1997-01-03,04",
            "1996-05-30,06-01,02",
            "1846",
            "1846-09",
            "1846-09-11",
        ];
        for text in right {
            assert!(is_date(text), "{text}");
        }
        let wrong = [
            "",
            "2024/05/31",
            "2024-5-31",
            "31.5.2024",
            "2024-13-01",
            "2024-05-32",
            "2024-05-00",
            "1996,05",
            "05-06",
            "1996-05-06, 07",
            "2024-05-31 20:00",
            "明治40年",
        ];
        for text in wrong {
            assert!(!is_date(text), "{text}");
        }
    }
}
