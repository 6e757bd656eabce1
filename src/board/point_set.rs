//! Sets of points, a machine word per row.
//!
//! Whole regions grow, shrink and meet in a few dozen instructions, which is what the analysis of
//! a position mostly does.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not, RangeInclusive, Sub, SubAssign};

use super::{Point, Size};

const ROWS: usize = Size::MAX as usize + 2;

/// A set of points.
///
/// ```
/// use kifu::board::{PointSet, Size};
///
/// let size = Size::square(9);
/// let corner: PointSet = [size.point(0, 0).unwrap()].into_iter().collect();
/// assert_eq!(corner.neighbors(size).len(), 2);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct PointSet {
    rows: [u64; ROWS],
}

impl PointSet {
    /// The set without points.
    pub const EMPTY: PointSet = PointSet { rows: [0; ROWS] };

    /// Every point of a board.
    pub fn full(size: Size) -> PointSet {
        let mut set = PointSet::EMPTY;
        let row = ((1u64 << size.width()) - 1) << 1;
        set.rows[1..=size.height() as usize].fill(row);
        set
    }

    /// Whether the point is in the set.
    #[inline]
    pub fn contains(&self, point: Point) -> bool {
        self.rows[point.index() / Point::ROW] >> (point.index() % Point::ROW) & 1 != 0
    }

    /// Adds the point; false if it was there already.
    #[inline]
    pub fn insert(&mut self, point: Point) -> bool {
        let (row, bit) = (
            point.index() / Point::ROW,
            1 << (point.index() % Point::ROW),
        );
        let new = self.rows[row] & bit == 0;
        self.rows[row] |= bit;
        new
    }

    /// Adds every point of the rectangle between two corners.
    ///
    /// ```
    /// use kifu::board::{Point, PointSet};
    ///
    /// let mut set = PointSet::EMPTY;
    /// set.insert_rectangle(Point::new(4, 1), Point::new(2, 5));
    /// assert_eq!(set.len(), 15);
    /// ```
    pub fn insert_rectangle(&mut self, one: Point, other: Point) {
        let (rows, columns) = rectangle(one, other);
        for row in &mut self.rows[rows] {
            *row |= columns;
        }
    }

    /// Whether a point of the rectangle between two corners is in the set.
    pub(crate) fn meets_rectangle(&self, one: Point, other: Point) -> bool {
        let (rows, columns) = rectangle(one, other);
        self.rows[rows].iter().any(|row| row & columns != 0)
    }

    /// Takes a point out.
    #[inline]
    pub fn remove(&mut self, point: Point) {
        self.rows[point.index() / Point::ROW] &= !(1 << (point.index() % Point::ROW));
    }

    /// The number of points.
    pub fn len(&self) -> usize {
        self.rows.iter().map(|row| row.count_ones() as usize).sum()
    }

    /// Whether there is no point in the set.
    pub fn is_empty(&self) -> bool {
        self.rows.iter().all(|&row| row == 0)
    }

    /// The topmost, leftmost point.
    pub fn first(&self) -> Option<Point> {
        self.iter().next()
    }

    /// Whether the two sets share a point.
    pub fn meets(&self, other: &PointSet) -> bool {
        self.rows.iter().zip(&other.rows).any(|(a, b)| a & b != 0)
    }

    /// Whether every point of this set is in the other.
    pub fn is_subset(&self, other: &PointSet) -> bool {
        self.rows.iter().zip(&other.rows).all(|(a, b)| a & !b == 0)
    }

    /// The points of the board beside this set that are not in it.
    pub fn neighbors(&self, size: Size) -> PointSet {
        self.grown_within(&PointSet::full(size)) - *self
    }

    /// The set and every point beside it, as far as `bounds` contains them.
    fn grown_within(&self, bounds: &PointSet) -> PointSet {
        let mut grown = PointSet::EMPTY;
        for y in 1..ROWS - 1 {
            let row = self.rows[y];
            let spread = row | row << 1 | row >> 1 | self.rows[y - 1] | self.rows[y + 1];
            grown.rows[y] = spread & bounds.rows[y] | row;
        }
        grown
    }

    /// The connected part of this set that holds `start`.
    pub fn connected(&self, start: Point) -> PointSet {
        let mut part = PointSet::EMPTY;
        if !self.contains(start) {
            return part;
        }
        part.insert(start);
        let (mut top, mut bottom) = (start.index() / Point::ROW, start.index() / Point::ROW);
        loop {
            let before = part;
            // One sweep down and one up carry the fill through most shapes at once.
            for y in
                (top.max(2) - 1..=(bottom + 1).min(ROWS - 2)).chain((top.max(2) - 1..=bottom).rev())
            {
                let mut row = part.rows[y] | (part.rows[y - 1] | part.rows[y + 1]) & self.rows[y];
                loop {
                    let wider = (row | row << 1 | row >> 1) & self.rows[y];
                    if wider == row {
                        break;
                    }
                    row = wider;
                }
                part.rows[y] = row;
                if row != 0 {
                    top = top.min(y);
                    bottom = bottom.max(y);
                }
            }
            if part == before {
                return part;
            }
        }
    }

    /// The connected parts of this set, in the order of their first points.
    pub fn parts(&self) -> impl Iterator<Item = PointSet> {
        let mut rest = *self;
        std::iter::from_fn(move || {
            let part = rest.connected(rest.first()?);
            rest -= part;
            Some(part)
        })
    }

    /// The points, row by row from the top left.
    pub fn iter(&self) -> impl Iterator<Item = Point> {
        let rows = self.rows;
        (0..ROWS).flat_map(move |y| {
            let mut row = rows[y];
            std::iter::from_fn(move || {
                (row != 0).then(|| {
                    let x = row.trailing_zeros() as usize;
                    row &= row - 1;
                    Point::from_index(y * Point::ROW + x)
                })
            })
        })
    }
}

/// The rows of the rectangle between two corners, and what it holds of each.
fn rectangle(one: Point, other: Point) -> (RangeInclusive<usize>, u64) {
    let place = |point: Point| (point.index() / Point::ROW, point.index() % Point::ROW);
    let ((top, left), (bottom, right)) = (place(one), place(other));
    // A row ends before its last bit, so that none of these shifts is too far.
    let columns = (1u64 << (left.max(right) + 1)) - (1u64 << left.min(right));
    (top.min(bottom)..=top.max(bottom), columns)
}

impl Default for PointSet {
    fn default() -> PointSet {
        PointSet::EMPTY
    }
}

impl FromIterator<Point> for PointSet {
    fn from_iter<I: IntoIterator<Item = Point>>(points: I) -> PointSet {
        let mut set = PointSet::EMPTY;
        for point in points {
            set.insert(point);
        }
        set
    }
}

impl Extend<Point> for PointSet {
    fn extend<I: IntoIterator<Item = Point>>(&mut self, points: I) {
        for point in points {
            self.insert(point);
        }
    }
}

/// Row by row operators: the set operations written as Rust writes them for `HashSet`.
macro_rules! row_operator {
    ($trait:ident $method:ident $assign_trait:ident $assign:ident, $op:expr) => {
        impl $trait for PointSet {
            type Output = PointSet;

            fn $method(mut self, other: PointSet) -> PointSet {
                self.$assign(other);
                self
            }
        }

        impl $assign_trait for PointSet {
            fn $assign(&mut self, other: PointSet) {
                let op: fn(u64, u64) -> u64 = $op;
                for (row, other) in self.rows.iter_mut().zip(other.rows) {
                    *row = op(*row, other);
                }
            }
        }
    };
}

row_operator!(BitAnd bitand BitAndAssign bitand_assign, |a, b| a & b);
row_operator!(BitOr bitor BitOrAssign bitor_assign, |a, b| a | b);
row_operator!(Sub sub SubAssign sub_assign, |a, b| a & !b);

impl Not for PointSet {
    type Output = PointSet;

    /// Every index that is not in the set, the edge included: intersect it with something.
    fn not(mut self) -> PointSet {
        for row in &mut self.rows {
            *row = !*row;
        }
        self
    }
}

impl fmt::Debug for PointSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_fill_finds_a_winding_corridor_and_nothing_else() {
        let drawn = ["#.###", "#.#.#", "#.#.#", "###.#", "....#"];
        let set: PointSet = drawn
            .iter()
            .enumerate()
            .flat_map(|(y, row)| {
                row.bytes()
                    .enumerate()
                    .filter(|&(_, c)| c == b'#')
                    .map(move |(x, _)| Point::new(x as u8, y as u8))
            })
            .collect();
        assert_eq!(set.connected(Point::new(0, 0)), set);
        assert_eq!(set.parts().count(), 1);
        let rest = PointSet::full(Size::square(5)) - set;
        assert_eq!(
            rest.parts().map(|part| part.len()).collect::<Vec<_>>(),
            [3, 7]
        );
    }

    #[test]
    fn neighbors_stay_on_the_board() {
        let size = Size::new(52, 52).unwrap();
        let corner: PointSet = [Point::new(51, 51)].into_iter().collect();
        let expected: PointSet = [Point::new(50, 51), Point::new(51, 50)]
            .into_iter()
            .collect();
        assert_eq!(corner.neighbors(size), expected);
        assert_eq!(PointSet::full(size).len(), 52 * 52);
    }
}
