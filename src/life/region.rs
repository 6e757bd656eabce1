//! Regions: connected empty points, whose they are, and the chains around them.
//!
//! A flood fill from an empty point walks over empty points until it meets stones or the edge. If
//! all the stones it met have one colour, the region is that colour's territory; if it met both,
//! or none at all, it is neutral. That is the whole of area counting once the dead stones are
//! off the board, and the ground under eyes, seki and unconditional life.
//!
//! A fill that only asks for empty points says nothing about dead stones: a territory with a dead
//! stone in it is neutral here. Take dead stones off the board first, or ask for the areas that a
//! colour [encloses](enclosed), which take the enemy's stones inside along.

use crate::board::{Board, Color, Point, PointSet, Size};

/// A connected part of the empty points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    /// The empty points.
    pub points: PointSet,
    /// The stones beside them.
    pub border: PointSet,
    /// The colour of all stones beside them; none if both colours are there, or no stone at all.
    pub owner: Option<Color>,
}

impl Region {
    /// The chains around the region, each by its head, in the order of their first stones beside
    /// it.
    pub fn chains(&self, board: &Board) -> Vec<Point> {
        let mut seen = PointSet::EMPTY;
        self.border
            .iter()
            .map(|stone| board.head(stone))
            .filter(|&head| seen.insert(head))
            .collect()
    }

    fn new(points: PointSet, size: Size, stones: &[PointSet; 2]) -> Region {
        let border = points.neighbors(size);
        let touches = |color: Color| border.meets(&stones[color.index()]);
        let owner = match Color::BOTH.map(touches) {
            [true, false] => Some(Color::Black),
            [false, true] => Some(Color::White),
            _ => None,
        };
        Region {
            points,
            border,
            owner,
        }
    }
}

/// The region of an empty point; none if there is a stone on it.
///
/// ```
/// use kifu::life::region;
/// use kifu::board::{Board, Color};
///
/// let board: Board = "
///     . X . .
///     X X O O
///     . O . .
/// ".parse().unwrap();
/// let corner = region::at(&board, board.size().point(0, 0).unwrap()).unwrap();
/// assert_eq!(corner.owner, Some(Color::Black));
/// assert_eq!(corner.chains(&board).len(), 1);
/// let between = region::at(&board, board.size().point(2, 0).unwrap()).unwrap();
/// assert_eq!((between.points.len(), between.owner), (2, None));
/// ```
pub fn at(board: &Board, point: Point) -> Option<Region> {
    let points = board.empty().connected(point);
    (!points.is_empty()).then(|| Region::new(points, board.size(), &both(board)))
}

/// Every region of the board, in the order of their first points.
pub fn all(board: &Board) -> Vec<Region> {
    let stones = both(board);
    board
        .empty()
        .parts()
        .map(|points| Region::new(points, board.size(), &stones))
        .collect()
}

/// The territory of a colour: every region that touches no other stones than its own.
pub fn territory(board: &Board, color: Color) -> PointSet {
    all(board)
        .into_iter()
        .filter(|region| region.owner == Some(color))
        .fold(PointSet::EMPTY, |sum, region| sum | region.points)
}

/// The areas between the stones of a colour: connected points, empty or with enemy stones, in the
/// order of their first points. Where dead enemy stones stand in a territory, this is the
/// territory.
pub fn enclosed(board: &Board, color: Color) -> Vec<PointSet> {
    (PointSet::full(board.size()) - board.stones(color))
        .parts()
        .collect()
}

fn both(board: &Board) -> [PointSet; 2] {
    Color::BOTH.map(|color| board.stones(color))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::drawn;

    const FINISHED: &str = "
        . . X O .
        . X X O O
        X X O . O
        . X O O .
        X . X O .
    ";

    #[test]
    fn territory_is_what_touches_one_colour() {
        let board = drawn::board(FINISHED);
        let expected = "
            b b X O w
            b X X O O
            X X O w O
            b X O O w
            X b X O w
        ";
        assert_eq!(
            territory(&board, Color::Black),
            drawn::marked(expected, "b")
        );
        assert_eq!(
            territory(&board, Color::White),
            drawn::marked(expected, "w")
        );
    }

    #[test]
    fn an_empty_board_and_a_shared_region_are_neutral() {
        let empty = Board::new(Size::square(9));
        assert_eq!(all(&empty).len(), 1);
        assert_eq!(all(&empty)[0].owner, None);
        assert!(all(&empty)[0].chains(&empty).is_empty());
        let shared = drawn::board("X . O");
        assert_eq!(all(&shared)[0].owner, None);
        assert_eq!(all(&shared)[0].chains(&shared).len(), 2);
    }

    #[test]
    fn a_full_board_has_no_region() {
        let board = drawn::board("X O");
        assert!(all(&board).is_empty());
        assert_eq!(at(&board, Point::new(0, 0)), None);
    }

    #[test]
    fn the_chains_around_a_region_are_named_once_each() {
        let drawing = "
            . a . X X
            X X X . .
            . . X O O
        ";
        let board = drawn::board(drawing);
        let region = at(&board, drawn::point(drawing, 'a')).unwrap();
        // The long chain below and the two stones at the right.
        assert_eq!(region.points.len(), 3);
        assert_eq!(region.chains(&board).len(), 2);
    }

    #[test]
    fn what_a_colour_encloses_includes_the_enemy_inside() {
        let board = drawn::board(
            "
            . O X . .
            . . X . .
            X X X . .
        ",
        );
        let inside: Vec<usize> = enclosed(&board, Color::Black)
            .iter()
            .map(PointSet::len)
            .collect();
        assert_eq!(inside, [4, 6]);
    }
}
