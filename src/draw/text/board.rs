//! A board in characters, for the terminal, pipes and text files.
//!
//! ```text
//!     A B C D E
//!  5  . . . X .  5
//!  4  X X X X X  4
//!  3  O O(O)O O  3
//!  2  . O . O .  2
//!  1  . . O . .  1
//!     A B C D E
//! ```
//!
//! A character and the gap beside it are about as wide as a line is high, so that stones look
//! round and the board square. The gap also carries marks: brackets around the last move, or the
//! letter of the cluster that a point belongs to. Every mark has its own shape; colours only
//! repeat what the shapes say, and [`TextStyle::Ascii`] uses the letters of the position maps in
//! JSON (`X O` stones, `x o` dead, `# @` in seki, `b w` territory).
//! Clusters are lettered: `A`, `B`, … are Black's and `a`, `b`, … White's.
//!
//! The circles of [`TextStyle::Unicode`] are of "ambiguous width": a terminal set up for Chinese,
//! Japanese or Korean may show them two columns wide. There the ASCII board is the safe one.

use std::fmt::Write;

use crate::board::{Color, Point, PointSet, column_name};
use crate::draw::diagram::{Caption, Diagram, Unplayable, star_points};

/// Which characters a board is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextStyle {
    /// Letters and punctuation only.
    Ascii,
    /// Circles and squares, without colours.
    Unicode,
    /// Circles and squares on a wooden ground, by the terminal's colour codes.
    Colored,
}

/// What is shown on a point.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    Stone(Color),
    Dead(Color),
    Seki(Color),
    Territory(Color),
    Leaning(Color),
    Shaded(Color),
    Unplayable(Unplayable),
    Star,
    Empty,
}

impl Mark {
    fn character(self, style: TextStyle) -> &'static str {
        use Color::{Black, White};
        let (ascii, unicode) = match self {
            Mark::Stone(Black) => ("X", "●"),
            Mark::Stone(White) => ("O", "○"),
            Mark::Dead(Black) => ("x", "✘"),
            Mark::Dead(White) => ("o", "⊗"),
            Mark::Seki(Black) => ("#", "◉"),
            Mark::Seki(White) => ("@", "◎"),
            Mark::Territory(Black) | Mark::Leaning(Black) => ("b", "▪"),
            Mark::Territory(White) | Mark::Leaning(White) => ("w", "▫"),
            Mark::Shaded(Black) => (":", "▴"),
            Mark::Shaded(White) => ("-", "▵"),
            Mark::Unplayable(Unplayable::Suicide(Black)) => ("b", "b"),
            Mark::Unplayable(Unplayable::Suicide(White)) => ("w", "w"),
            Mark::Unplayable(Unplayable::SuicideForBoth) => ("*", "*"),
            Mark::Unplayable(Unplayable::Ko(_)) => ("k", "k"),
            Mark::Star => ("+", "+"),
            Mark::Empty => (".", "·"),
        };
        if style == TextStyle::Ascii {
            ascii
        } else {
            unicode
        }
    }

    /// The code of the 256-colour terminal for the character.
    fn foreground(self) -> u8 {
        match self {
            Mark::Stone(color)
            | Mark::Dead(color)
            | Mark::Seki(color)
            | Mark::Territory(color)
            | Mark::Leaning(color)
            | Mark::Shaded(color)
            | Mark::Unplayable(Unplayable::Suicide(color) | Unplayable::Ko(color)) => match color {
                Color::Black => 16,
                Color::White => 231,
            },
            Mark::Unplayable(Unplayable::SuicideForBoth) => 88,
            Mark::Star | Mark::Empty => 94,
        }
    }

    /// What the mark means, where that is not plain.
    fn meaning(self) -> Option<&'static str> {
        use Color::{Black, White};
        match self {
            Mark::Dead(Black) => Some("dead black stone"),
            Mark::Dead(White) => Some("dead white stone"),
            Mark::Seki(Black) => Some("black stone in seki"),
            Mark::Seki(White) => Some("white stone in seki"),
            Mark::Territory(Black) => Some("Black's territory"),
            Mark::Territory(White) => Some("White's territory"),
            Mark::Leaning(Black) => Some("leans to Black"),
            Mark::Leaning(White) => Some("leans to White"),
            Mark::Shaded(Black) => Some("in Black's shadow"),
            Mark::Shaded(White) => Some("in White's shadow"),
            Mark::Unplayable(Unplayable::Suicide(Black)) => Some("suicide for Black"),
            Mark::Unplayable(Unplayable::Suicide(White)) => Some("suicide for White"),
            Mark::Unplayable(Unplayable::SuicideForBoth) => Some("suicide for both"),
            Mark::Unplayable(Unplayable::Ko(Black)) => Some("forbidden to Black by ko"),
            Mark::Unplayable(Unplayable::Ko(White)) => Some("forbidden to White by ko"),
            Mark::Stone(_) | Mark::Star | Mark::Empty => None,
        }
    }
}

const WOOD: u8 = 179;
const LABEL: u8 = 58;
const BRACKET: u8 = 124;

/// The board, its legend and its caption, line by line.
pub fn text_board(diagram: &Diagram, style: TextStyle) -> String {
    let size = diagram.size;
    let stars: PointSet = star_points(size).into_iter().collect();
    let mut pen = Pen::new(style);
    let mut used: Vec<Mark> = Vec::new();
    column_names(&mut pen, diagram);
    for y in 0..size.height() {
        let number = size.height() - y;
        pen.write(LABEL, &format!("{number:>2} "));
        let mut bracket = false;
        for x in 0..size.width() {
            let point = Point::new(x, y);
            let mark = mark(diagram, &stars, point);
            let last = diagram.last_move == Some(point) && diagram.outlines.is_empty();
            let gap = match (cluster_letter(diagram, point), last, bracket) {
                (Some(letter), ..) => letter,
                (None, true, _) => "(",
                (None, false, true) => ")",
                (None, false, false) => " ",
            };
            bracket = last;
            pen.write(BRACKET, gap);
            pen.write(mark.foreground(), mark.character(style));
            if mark.meaning().is_some() && !used.contains(&mark) {
                used.push(mark);
            }
        }
        pen.write(BRACKET, if bracket { ")" } else { " " });
        pen.write(LABEL, &format!(" {number:<2}"));
        pen.end_line();
    }
    column_names(&mut pen, diagram);
    let mut out = pen.out;
    legend(&mut out, used, style);
    out + &text_caption(&diagram.caption, style)
}

/// Writes the board's lines, changing colours only where they change.
struct Pen {
    out: String,
    style: TextStyle,
    color: Option<u8>,
}

impl Pen {
    fn new(style: TextStyle) -> Pen {
        Pen {
            out: String::new(),
            style,
            color: None,
        }
    }

    fn write(&mut self, color: u8, text: &str) {
        if self.style == TextStyle::Colored {
            if self.color.is_none() {
                let _ = write!(self.out, "\x1b[48;5;{WOOD}m");
            }
            // Blanks have no colour of their own, only the wood below them.
            if self.color.is_none() || (self.color != Some(color) && !text.trim().is_empty()) {
                let _ = write!(self.out, "\x1b[38;5;{color}m");
                self.color = Some(color);
            }
        }
        self.out.push_str(text);
    }

    fn end_line(&mut self) {
        if self.style == TextStyle::Colored {
            self.out.push_str("\x1b[0m");
            self.color = None;
        } else {
            self.out.truncate(self.out.trim_end_matches(' ').len());
        }
        self.out.push('\n');
    }
}

fn mark(diagram: &Diagram, stars: &PointSet, point: Point) -> Mark {
    if let Some(color) = diagram.stone(point) {
        return if diagram.dead.contains(point) {
            Mark::Dead(color)
        } else if diagram.seki.contains(point) {
            Mark::Seki(color)
        } else {
            Mark::Stone(color)
        };
    }
    if let Some(&(_, reason)) = diagram.unplayable.iter().find(|(at, _)| *at == point) {
        Mark::Unplayable(reason)
    } else if let Some(color) = diagram.owner(&diagram.territory, point) {
        Mark::Territory(color)
    } else if let Some(color) = diagram.owner(&diagram.leaning, point) {
        Mark::Leaning(color)
    } else if let Some(color) = diagram.owner(&diagram.shaded, point) {
        Mark::Shaded(color)
    } else if stars.contains(point) {
        Mark::Star
    } else {
        Mark::Empty
    }
}

/// Black's clusters are `A`, `B`, …, White's `a`, `b`, …; beyond the alphabet it starts again.
fn cluster_letter(diagram: &Diagram, point: Point) -> Option<&'static str> {
    let found = diagram
        .outlines
        .iter()
        .find(|outlined| outlined.points.contains(point))?;
    let number = diagram
        .outlines
        .iter()
        .filter(|outlined| outlined.color == found.color)
        .position(|outlined| std::ptr::eq(outlined, found))?;
    let letters = match found.color {
        Color::Black => "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
        Color::White => "abcdefghijklmnopqrstuvwxyz",
    };
    letters.get(number % 26..number % 26 + 1)
}

/// The names of the columns; two letters are written above each other.
fn column_names(pen: &mut Pen, diagram: &Diagram) {
    let names: Vec<Vec<char>> = (0..diagram.size.width())
        .map(|x| column_name(x).chars().collect())
        .collect();
    let lines = names.iter().map(Vec::len).max().unwrap_or(1);
    for line in 0..lines {
        // Single letters stand on the last line.
        let letters = names.iter().flat_map(|name| {
            [
                ' ',
                name.get((line + name.len()).wrapping_sub(lines))
                    .copied()
                    .unwrap_or(' '),
            ]
        });
        let line: String = letters.collect();
        pen.write(LABEL, &format!("   {line}    "));
        pen.end_line();
    }
}

fn legend(out: &mut String, mut used: Vec<Mark>, style: TextStyle) {
    // In the order in which the marks are declared above, not in the order of the board.
    used.sort_by_key(|mark| (mark.rank(), mark.meaning()));
    let mut line = String::new();
    for mark in used {
        if let Some(meaning) = mark.meaning() {
            let part = format!("{} {meaning}", mark.character(style));
            if !line.is_empty() {
                if line.chars().count() + part.chars().count() > 76 {
                    let _ = writeln!(out, "{line}");
                    line.clear();
                } else {
                    line.push_str("   ");
                }
            }
            line.push_str(&part);
        }
    }
    if !line.is_empty() {
        let _ = writeln!(out, "{line}");
    }
}

impl Mark {
    fn rank(self) -> u8 {
        match self {
            Mark::Territory(_) => 0,
            Mark::Dead(_) => 1,
            Mark::Seki(_) => 2,
            Mark::Leaning(_) => 3,
            Mark::Shaded(_) => 4,
            Mark::Unplayable(_) => 5,
            Mark::Stone(_) | Mark::Star | Mark::Empty => 6,
        }
    }
}

/// What is said beneath a board, line by line.
pub(super) fn text_caption(caption: &Caption, style: TextStyle) -> String {
    let mut out = String::new();
    if caption.players.iter().any(|name| !name.is_empty()) {
        let side = |color: Color| {
            let name = match &caption.players[color.index()] {
                name if name.is_empty() => color.name(),
                name => name,
            };
            format!("{} {name}", Mark::Stone(color).character(style))
        };
        let _ = writeln!(out, "{}   {}", side(Color::Black), side(Color::White));
    }
    for line in [&caption.facts, &caption.verdict] {
        if !line.is_empty() {
            let _ = writeln!(out, "{line}");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;

    fn diagram(board: &str) -> Diagram {
        Diagram::new(&board.parse::<Board>().unwrap())
    }

    #[test]
    fn last_move_dead_stones_seki_and_territory_have_their_own_shapes() {
        let mut diagram = diagram(
            "
            . X O X .
            X X O O O
            . X X X O
            O . . X O
            . X . X .
            ",
        );
        let size = diagram.size;
        let set = |names: &[(u8, u8)]| -> PointSet {
            names
                .iter()
                .map(|&(x, y)| size.point(x, y).unwrap())
                .collect()
        };
        diagram.last_move = size.point(4, 1);
        diagram.dead = set(&[(0, 3)]);
        diagram.seki = set(&[(3, 0), (4, 3)]);
        diagram.territory[0] = set(&[(0, 0), (0, 2), (0, 3), (1, 3), (2, 3), (0, 4), (2, 4)]);
        diagram.territory[1] = set(&[(4, 0), (4, 4)]);
        diagram.caption = Caption {
            players: ["Shusaku".into(), String::new()],
            facts: "B+2".into(),
            verdict: String::new(),
        };
        assert_eq!(
            text_board(&diagram, TextStyle::Unicode),
            "    A B C D E
 5  ▪ ● ○ ◉ ▫  5
 4  ● ● ○ ○(○) 4
 3  ▪ ● ● ● ○  3
 2  ⊗ ▪ ▪ ● ◎  2
 1  ▪ ● ▪ ● ▫  1
    A B C D E
▪ Black's territory   ▫ White's territory   ⊗ dead white stone
◉ black stone in seki   ◎ white stone in seki
● Shusaku   ○ White
B+2
"
        );
        let ascii = text_board(&diagram, TextStyle::Ascii);
        assert!(ascii.is_ascii(), "{ascii}");
        assert!(ascii.contains(" 2  o b b X @  2\n"), "{ascii}");
    }

    #[test]
    fn colours_only_repeat_the_shapes() {
        let mut diagram = diagram("X . O\n. O .");
        diagram.last_move = Some(Point::new(2, 0));
        let colored = text_board(&diagram, TextStyle::Colored);
        let mut plain = String::new();
        let mut rest = colored.as_str();
        while let Some(start) = rest.find('\x1b') {
            plain.push_str(&rest[..start]);
            rest = &rest[start..][rest[start..].find('m').unwrap() + 1..];
        }
        plain.push_str(rest);
        let trimmed: String = plain
            .lines()
            .map(|line| line.trim_end().to_string() + "\n")
            .collect();
        assert_eq!(trimmed, text_board(&diagram, TextStyle::Unicode));
    }

    #[test]
    fn wide_boards_name_their_columns_on_two_lines() {
        let board = Board::new(crate::board::Size::new(27, 1).unwrap());
        let text = text_board(&Diagram::new(&board), TextStyle::Ascii);
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[0].ends_with("  A B"), "{text}");
        assert!(lines[1].ends_with("Y Z A B"), "{text}");
    }
}
