//! Points and moves as they are written.

use crate::board::{Point, Size};
use crate::sgf::Target;

/// How a move had to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NonStandard {
    /// In capitals on a board that has no points beyond `z`.
    Capitals,
    /// By a word: `pass`.
    Word,
    /// By the coordinates on the edge of a board: `Q16`.
    Coordinates,
    /// Not at all.
    Unreadable,
}

/// Reads where a move goes: two letters; nothing, blanks or (on boards up to 19×19) `tt` for a
/// pass.
pub(crate) fn target(raw: &str, size: Size) -> (Target, Option<NonStandard>) {
    match *raw.as_bytes() {
        [x @ b'a'..=b'z', y @ b'a'..=b'z'] => (from_letters([x, y], size), None),
        _ => nonstandard_target(raw, size),
    }
}

/// What two small letters mean.
#[inline]
pub(crate) fn from_letters([x, y]: [u8; 2], size: Size) -> Target {
    if (x, y) == (b't', b't') && size.width() <= 19 && size.height() <= 19 {
        return Target::Pass;
    }
    Target::Point(Point::new(x - b'a', y - b'a'))
}

fn nonstandard_target(raw: &str, size: Size) -> (Target, Option<NonStandard>) {
    let text: String = raw.chars().filter(|c| *c > ' ' && *c != '\\').collect();
    if text.is_empty() {
        return (Target::Pass, None);
    }
    if text.len() < raw.len() && text.len() == 2 {
        // White space, also within: `d d`.
        return target(&text, size);
    }
    if let Some(point) = Point::from_sgf(text.as_bytes()) {
        if size.contains(point) {
            return (Target::Point(point), None);
        }
        let small = Point::from_sgf(text.to_ascii_lowercase().as_bytes());
        return match small.filter(|small| size.contains(*small)) {
            Some(small) => (Target::Point(small), Some(NonStandard::Capitals)),
            None if text.eq_ignore_ascii_case("tt") => (Target::Pass, Some(NonStandard::Capitals)),
            None => (Target::Point(point), None),
        };
    }
    if text.eq_ignore_ascii_case("pass") {
        return (Target::Pass, Some(NonStandard::Word));
    }
    if let Some(point) = coordinates(&text, size) {
        return (Target::Point(point), Some(NonStandard::Coordinates));
    }
    // As it is written back, without bytes of value zero.
    let written = raw.replace('\0', "").trim().to_owned();
    (Target::Text(written), Some(NonStandard::Unreadable))
}

/// Reads `Q16` as Go players write points.
fn coordinates(text: &str, size: Size) -> Option<Point> {
    let column = text.bytes().next()?.to_ascii_uppercase();
    let row: u8 = text.get(1..)?.parse().ok()?;
    let x = b"ABCDEFGHJKLMNOPQRSTUVWXYZ"
        .iter()
        .position(|&letter| letter == column)?;
    size.point(x as u8, size.height().checked_sub(row)?)
}

/// The points that a value of a list stands for, by their corners: one, or a rectangle `aa:cc`.
/// `None` when it can't be read.
pub(crate) fn rectangle(raw: &str, size: Size) -> Option<(Point, Point)> {
    let point = |raw: &str| match target(raw, size) {
        (Target::Point(point), _) => Some(point),
        _ => None,
    };
    if raw.len() == 2 {
        // Where `tt` is a pass it names no point, and there is no setting up of a pass.
        return point(raw).map(|point| (point, point));
    }
    match raw.split_once(':') {
        Some((from, to)) => Some((point(from.trim())?, point(to.trim())?)),
        None => point(raw.trim()).map(|point| (point, point)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::PointSet;

    fn point(letters: &str) -> Target {
        Target::Point(Point::from_sgf(letters.as_bytes()).unwrap())
    }

    #[test]
    fn moves_as_they_are_written() {
        let cases = [
            (19, "dd", point("dd"), None),
            (19, "", Target::Pass, None),
            (19, " ", Target::Pass, None),
            (19, "tt", Target::Pass, None),
            (21, "tt", point("tt"), None),
            (9, "tt", Target::Pass, None),
            (19, "d\nd", point("dd"), None),
            (19, " dd ", point("dd"), None),
            (9, "EE", point("ee"), Some(NonStandard::Capitals)),
            (19, "dD", point("dd"), Some(NonStandard::Capitals)),
            (52, "AA", point("AA"), None),
            (9, "zz", point("zz"), None),
            (19, "pass", Target::Pass, Some(NonStandard::Word)),
            (19, "Q16", point("pd"), Some(NonStandard::Coordinates)),
            (19, "d4", point("dp"), Some(NonStandard::Coordinates)),
            (
                9,
                "dundefined",
                Target::Text("dundefined".into()),
                Some(NonStandard::Unreadable),
            ),
            (
                9,
                "d",
                Target::Text("d".into()),
                Some(NonStandard::Unreadable),
            ),
            (
                9,
                "d\0e\0f\0",
                Target::Text("def".into()),
                Some(NonStandard::Unreadable),
            ),
            (
                9,
                "棋",
                Target::Text("棋".into()),
                Some(NonStandard::Unreadable),
            ),
        ];
        for (side, text, expected, odd) in cases {
            assert_eq!(
                target(text, Size::square(side)),
                (expected, odd),
                "B[{text}] on {side}"
            );
        }
    }

    #[test]
    fn lists_may_be_compressed() {
        let cases = [
            ("aa", 1),
            ("aa:cc", 9),
            ("cc:aa", 9),
            ("ba:bd", 4),
            (" bb ", 1),
            ("b", 0),
            ("a:b", 0),
        ];
        for (text, count) in cases {
            let mut set = PointSet::EMPTY;
            if let Some((one, other)) = rectangle(text, Size::square(9)) {
                set.insert_rectangle(one, other);
            }
            assert_eq!(set.len(), count, "AB[{text}]");
        }
    }
}
