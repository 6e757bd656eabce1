//! Each point to the nearest stone: a first estimate of a game that was not played out.
//!
//! Georgy Voronoy cut the plane into cells, one around each of a set of sites, such that every
//! place lies in the cell of the nearest site. With the stones as sites, a player's share of the
//! board is the cells of his stones. It knows nothing of life and death, and little of
//! influence, but it is quick, never wavers, and is fair where both have built on open ground.
//!
//! Here the board is its points: each belongs to the colour of the stone at the smallest Euclidean
//! distance, and to nobody if the nearest stones of both colours are equally far.
//!
//! The nearest stone of every point is found column by column: first the nearest stone above or
//! below each point in its own column, then the best of all columns. That is exact, since the
//! squared distance is the sum of its two parts, and the distances stay whole numbers.

use crate::board::{Board, Color, Point, PointSet, Size};

/// The cells of the stones, by colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cells {
    points: [PointSet; 2],
}

impl Cells {
    /// The points nearest to a colour's stones, the stones included.
    pub fn points(&self, color: Color) -> &PointSet {
        &self.points[color.index()]
    }

    /// The area of a colour in points.
    pub fn area(&self, color: Color) -> usize {
        self.points(color).len()
    }
}

/// Shares the board out to the nearest stones.
///
/// ```
/// use kifu::influence::voronoi;
/// use kifu::board::{Board, Color};
///
/// let board: Board = "
///     . . . . .
///     . X . O .
///     . . . . .
/// ".parse().unwrap();
/// let cells = voronoi::cells(&board);
/// assert_eq!(cells.area(Color::Black), 6);
/// assert_eq!(cells.area(Color::White), 6);
/// ```
pub fn cells(board: &Board) -> Cells {
    let stones = Color::BOTH.map(|color| board.stones(color));
    cells_around(board.size(), &stones)
}

/// Shares the board out to the nearest of these stones of Black and of White.
pub(crate) fn cells_around(size: Size, stones: &[PointSet; 2]) -> Cells {
    let [black, white] = [0, 1].map(|color| squared_distances(size, &stones[color]));
    let nearer = |near: &[u32], far: &[u32]| -> PointSet {
        let distances = near.iter().zip(far);
        size.points()
            .zip(distances)
            .filter(|(_, (near, far))| near < far)
            .map(|(point, _)| point)
            .collect()
    };
    Cells {
        points: [nearer(&black, &white), nearer(&white, &black)],
    }
}

/// Farther than any stone on any board.
const NOWHERE: u32 = 4 * (Size::MAX as u32) * (Size::MAX as u32);

/// The squared distance of each point, row by row, to the nearest of these stones.
fn squared_distances(size: Size, stones: &PointSet) -> Vec<u32> {
    let (width, height) = (size.width() as usize, size.height() as usize);
    let mut in_column = vec![NOWHERE; width * height];
    let stone = |x: usize, y: usize| stones.contains(Point::new(x as u8, y as u8));
    for x in 0..width {
        let rows = (0..height).chain((0..height).rev());
        let mut last = None;
        for y in rows {
            if stone(x, y) {
                last = Some(y);
            }
            if let Some(seen) = last {
                let distance = seen.abs_diff(y) as u32;
                let known = &mut in_column[y * width + x];
                *known = (*known).min(distance * distance);
            }
        }
    }
    let mut nearest = Vec::with_capacity(width * height);
    for row in in_column.chunks(width) {
        for x in 0..width {
            // Outwards, for as long as a column may hold a nearer stone.
            let mut best = row[x];
            for across in 1..width {
                let apart = (across * across) as u32;
                if apart >= best {
                    break;
                }
                let left = x.checked_sub(across).map(|column| row[column]);
                let right = row.get(x + across).copied();
                for vertical in [left, right].into_iter().flatten() {
                    best = best.min(vertical + apart);
                }
            }
            nearest.push(best.min(NOWHERE));
        }
    }
    nearest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::drawn;

    fn check(drawing: &str) {
        let board = drawn::board(drawing);
        let cells = cells(&board);
        assert_eq!(*cells.points(Color::Black), drawn::marked(drawing, "Xb"));
        assert_eq!(*cells.points(Color::White), drawn::marked(drawing, "Ow"));
    }

    #[test]
    fn the_middle_between_two_stones_is_nobodys() {
        check(
            "
            b b . w w
            b X . O w
            b b . w w
        ",
        );
        check(
            "
            X b b b .
            b b b . w
            b b . w w
            b . w w w
            . w w w O
        ",
        );
    }

    #[test]
    fn distance_is_euclid_s_and_not_steps() {
        // The top left corner is 3 steps from either stone, but nearer to the knight's move
        // away than to the three points along the edge.
        check(
            "
            b . w O
            b b . w
            b X b .
        ",
        );
    }

    #[test]
    fn one_colour_alone_has_the_board_and_no_stone_has_nothing() {
        let mut board = Board::new(Size::square(9));
        assert_eq!(cells(&board).area(Color::Black), 0);
        board.set(Point::new(4, 4), Some(Color::White));
        assert_eq!(cells(&board).area(Color::White), 81);
        assert_eq!(cells(&board).area(Color::Black), 0);
    }

    #[test]
    fn agrees_with_the_plain_definition() {
        let board = drawn::board(
            "
            . . X . . O . . .
            . . . . . . . . .
            O . . . X . . O .
            . . . . . . . . .
            . X . . . . X . .
            . . . O . . . . .
        ",
        );
        let cells = cells(&board);
        for point in board.size().points() {
            let distance = |color: Color| {
                let to = |stone: Point| {
                    let dx = stone.x().abs_diff(point.x()) as u32;
                    let dy = stone.y().abs_diff(point.y()) as u32;
                    dx * dx + dy * dy
                };
                board.stones(color).iter().map(to).min().unwrap()
            };
            let [black, white] = Color::BOTH.map(distance);
            assert_eq!(cells.points(Color::Black).contains(point), black < white);
            assert_eq!(cells.points(Color::White).contains(point), white < black);
        }
    }
}
