//! A diagram: what a picture of a Go position shows, before anyone decides how it looks.
//!
//! A [`Diagram`] starts from a board and then takes on what else to show: the last move, dead
//! stones and territory, or one of the layers of the analysis. [`goban`](super::goban) draws it
//! as a wooden board, [`text_board`](super::text_board) as lines of characters; neither knows
//! where the marks came from.

use crate::board::{Board, Color, Point, PointSet, Size};

/// What a picture of a position shows.
///
/// ```
/// use kifu::board::Board;
/// use kifu::draw::{Diagram, TextStyle, text_board};
///
/// let board: Board = "
///     . X O .
///     X X O O
///     . X O .
/// ".parse().unwrap();
/// let mut diagram = Diagram::new(&board);
/// diagram.last_move = board.size().point(2, 1);
/// assert!(text_board(&diagram, TextStyle::Ascii).contains(" 2  X X(O)O  2"));
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Diagram {
    pub(in crate::draw) size: Size,
    pub(in crate::draw) stones: [PointSet; 2],
    /// The stone that is marked as the last one played.
    pub last_move: Option<Point>,
    /// Stones that are taken off at the end.
    pub dead: PointSet,
    /// Stones that live in seki.
    pub seki: PointSet,
    /// Black's and White's territory; under dead stones as well.
    pub territory: [PointSet; 2],
    /// Points that lean to Black and to White, as far as a layer says.
    pub leaning: [PointSet; 2],
    /// Points that lean to them less: the shadows.
    pub shaded: [PointSet; 2],
    /// Lines between neighbouring points that carry a colour.
    pub links: Vec<(Point, Point, Color)>,
    /// Circumscribed sets of points, in the order in which they are lettered.
    pub outlines: Vec<Outlined>,
    /// Empty points where someone may not play.
    pub unplayable: Vec<(Point, Unplayable)>,
    /// What is said beneath the board.
    pub caption: Caption,
}

/// A set of points with a line around it.
#[derive(Clone, Debug)]
pub struct Outlined {
    /// What the line goes around.
    pub points: PointSet,
    /// Whose they are.
    pub color: Color,
    /// How the line is drawn.
    pub line: OutlineKind,
}

/// What a line goes around, which decides how it is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OutlineKind {
    /// A cluster: a thick line.
    Cluster,
    /// An eye of a cluster: thin, inside the cluster's line.
    Eye,
    /// What a cluster casts: dashed.
    Shadow,
}

/// Who may not play on an empty point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unplayable {
    /// It would be suicide for this player.
    Suicide(Color),
    /// It would be suicide for either.
    SuicideForBoth,
    /// It would take back a ko, or repeat an earlier position.
    Ko(Color),
}

/// What is said beneath the board. Empty parts are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Caption {
    /// The players' names, with their ranks.
    pub players: [String; 2],
    /// Result, date, event: whatever the record says.
    pub facts: String,
    /// What kifu makes of the position, in one line.
    pub verdict: String,
}

impl Diagram {
    /// The stones on the board, and nothing else.
    pub fn new(board: &Board) -> Diagram {
        Diagram {
            size: board.size(),
            stones: Color::BOTH.map(|color| board.stones(color)),
            last_move: None,
            dead: PointSet::EMPTY,
            seki: PointSet::EMPTY,
            territory: [PointSet::EMPTY; 2],
            leaning: [PointSet::EMPTY; 2],
            shaded: [PointSet::EMPTY; 2],
            links: Vec::new(),
            outlines: Vec::new(),
            unplayable: Vec::new(),
            caption: Caption::default(),
        }
    }

    pub(in crate::draw) fn stone(&self, point: Point) -> Option<Color> {
        Color::BOTH
            .into_iter()
            .find(|color| self.stones[color.index()].contains(point))
    }

    pub(in crate::draw) fn owner(&self, sets: &[PointSet; 2], point: Point) -> Option<Color> {
        Color::BOTH
            .into_iter()
            .find(|color| sets[color.index()].contains(point))
    }
}

/// The star points of a board: on the fourth lines of a side of twelve or more, on the third of
/// a smaller one, in the middle of odd boards, and in the middle of the sides of large ones.
pub(in crate::draw) fn star_points(size: Size) -> Vec<Point> {
    let (width, height) = (size.width(), size.height());
    let corners = |side: u8| match side {
        12.. => Some([3, side - 4]),
        7.. => Some([2, side - 3]),
        _ => None,
    };
    let middle = |side: u8| (side % 2 == 1 && side > 4).then_some(side / 2);
    let mut stars = Vec::new();
    if let (Some(columns), Some(rows)) = (corners(width), corners(height)) {
        for y in rows {
            stars.extend(columns.map(|x| Point::new(x, y)));
        }
        if width.min(height) >= 15 {
            stars.extend(
                middle(width)
                    .iter()
                    .flat_map(|&x| rows.map(|y| Point::new(x, y))),
            );
            stars.extend(
                middle(height)
                    .iter()
                    .flat_map(|&y| columns.map(|x| Point::new(x, y))),
            );
        }
    }
    if let (Some(x), Some(y)) = (middle(width), middle(height)) {
        stars.push(Point::new(x, y));
    }
    stars
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stars(width: u8, height: u8) -> Vec<String> {
        let size = Size::new(width, height).unwrap();
        let mut stars: Vec<String> = star_points(size).iter().map(|&p| size.name(p)).collect();
        stars.sort();
        stars
    }

    #[test]
    fn stars_are_where_players_expect_them() {
        assert_eq!(
            stars(19, 19),
            ["D10", "D16", "D4", "K10", "K16", "K4", "Q10", "Q16", "Q4"]
        );
        assert_eq!(stars(13, 13), ["D10", "D4", "G7", "K10", "K4"]);
        assert_eq!(stars(9, 9), ["C3", "C7", "E5", "G3", "G7"]);
        assert_eq!(stars(13, 9), ["D3", "D7", "G5", "K3", "K7"]);
        assert_eq!(stars(5, 5), ["C3"]);
        assert_eq!(stars(8, 8), ["C3", "C6", "F3", "F6"]);
        assert!(stars(1, 1).is_empty());
        assert!(stars(2, 19).is_empty());
    }
}
