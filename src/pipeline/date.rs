//! Dates, as far as a record names a day.
//!
//! `DT[]` may hold a day, a month, a year, a list of them (`1846-09-11,14,15`), or whatever
//! somebody typed. Tables repeat it as it is. A workbook wants to know whether it is a day, and a
//! plot in which year and month a game was played.

/// A single day: `2016-03-09`.
pub(crate) fn parse_day(text: &str) -> Option<(u16, u8, u8)> {
    let text = text.trim();
    if text.len() != 10 {
        return None;
    }
    let (year, month, day) = first_day(text)?;
    let (month, day) = (month?, day?);
    (day <= days_of(year, month)).then_some((year, month, day))
}

/// The year, month and day that a text starts with, as far as it names them.
pub(crate) fn first_day(text: &str) -> Option<(u16, Option<u8>, Option<u8>)> {
    let mut parts = text.trim().splitn(3, '-');
    let number = |part: &str, digits: usize| -> Option<u16> {
        let number = part.get(..digits)?;
        let rest = part[digits..].chars().next();
        let is_number = number.bytes().all(|byte| byte.is_ascii_digit());
        let ends = rest.is_none_or(|next| !next.is_ascii_digit());
        (is_number && ends).then(|| number.parse().ok()).flatten()
    };
    let year = number(parts.next()?, 4)?;
    let month = parts.next().and_then(|part| number(part, 2));
    let month = month.filter(|month| (1..=12).contains(month));
    let day = month.and_then(|_| parts.next().and_then(|part| number(part, 2)));
    let day = day.filter(|day| (1..=31).contains(day));
    Some((
        year,
        month.map(|month| month as u8),
        day.map(|day| day as u8),
    ))
}

fn days_of(year: u16, month: u8) -> u8 {
    match month {
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => {
            29
        }
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_a_day() {
        assert_eq!(parse_day("2016-03-09"), Some((2016, 3, 9)));
        assert_eq!(parse_day("2000-02-29"), Some((2000, 2, 29)));
        for no_day in [
            "1900-02-29",
            "2016-03",
            "2016-03-09,10",
            "09.03.2016",
            "",
            "２０１６",
        ] {
            assert_eq!(parse_day(no_day), None, "{no_day}");
        }
    }

    #[test]
    fn a_list_of_days_starts_with_one() {
        assert_eq!(first_day("1846-09-11,14"), Some((1846, Some(9), Some(11))));
        assert_eq!(first_day("1938-06"), Some((1938, Some(6), None)));
        assert_eq!(first_day("1938"), Some((1938, None, None)));
        assert_eq!(first_day("1938 (spring)"), Some((1938, None, None)));
        assert_eq!(first_day("March 1938"), None);
    }
}
