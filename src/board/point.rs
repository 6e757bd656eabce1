//! Points and board sizes.
//!
//! A [`Point`] is an index into a board padded with an edge on all sides. The rows of that board
//! are always 64 points apart, whatever the size of the game, so that a point knows its own
//! coordinates, its neighbours are at fixed distances, and a row of a
//! [`PointSet`](super::PointSet) is one machine word.

use std::fmt;

/// Width and height of a board, each from 1 to 52.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Size {
    width: u8,
    height: u8,
}

impl Size {
    /// The longest side that SGF can write (`a`–`z`, `A`–`Z`).
    pub const MAX: u8 = 52;

    /// A board of this width and height, if both are from 1 to 52.
    pub fn new(width: u8, height: u8) -> Option<Size> {
        let fits = |side| (1..=Size::MAX).contains(&side);
        (fits(width) && fits(height)).then_some(Size { width, height })
    }

    /// A square board; panics unless the side is from 1 to 52.
    pub fn square(side: u8) -> Size {
        Size::new(side, side).expect("a board's side is from 1 to 52")
    }

    /// The number of columns.
    pub fn width(self) -> u8 {
        self.width
    }

    /// The number of rows.
    pub fn height(self) -> u8 {
        self.height
    }

    /// The number of points.
    pub fn area(self) -> usize {
        self.width as usize * self.height as usize
    }

    /// Whether the point is on a board of this size.
    #[inline]
    pub fn contains(self, point: Point) -> bool {
        point.x() < self.width && point.y() < self.height
    }

    /// The point in this column and row, counted from 0 at the top left, if it is on the board.
    #[inline]
    pub fn point(self, x: u8, y: u8) -> Option<Point> {
        (x < self.width && y < self.height).then(|| Point::new(x, y))
    }

    /// Every point of the board, row by row from the top left.
    pub fn points(self) -> impl Iterator<Item = Point> + Clone {
        (0..self.height).flat_map(move |y| (0..self.width).map(move |x| Point::new(x, y)))
    }

    /// One more than the largest index of a point or of the edge around the board: the length of
    /// an array with one entry per point.
    #[inline]
    pub(crate) fn padded(self) -> usize {
        (self.height as usize + 2) * Point::ROW
    }

    /// The point as Go players write it, `C14`: columns from `A` at the left without `I` (then
    /// `AA`, `BB`, … beyond 25), rows from 1 at the bottom.
    pub fn name(self, point: Point) -> String {
        self.vertex(point).to_string()
    }

    /// The point as one that prints itself.
    pub fn vertex(self, point: Point) -> Vertex {
        Vertex { point, size: self }
    }
}

/// A point that knows how large its board is, and so prints itself as Go players write it.
///
/// ```
/// use kifu::board::{Point, Size};
///
/// let vertex = Size::square(19).vertex(Point::new(2, 15));
/// assert_eq!(vertex.to_string(), "C4");
/// assert_eq!(vertex.point().to_sgf(), "cp");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Vertex {
    point: Point,
    size: Size,
}

impl Vertex {
    /// The point on the board.
    pub fn point(self) -> Point {
        self.point
    }
}

impl fmt::Display for Vertex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let row = self.size.height - self.point.y();
        write!(f, "{}{row}", column_name(self.point.x()))
    }
}

impl fmt::Debug for Vertex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// `A` to `Z` without `I`, then `AA` to `ZZ`.
pub(crate) fn column_name(x: u8) -> String {
    let letter = char::from(b"ABCDEFGHJKLMNOPQRSTUVWXYZ"[x as usize % 25]);
    std::iter::repeat_n(letter, 1 + x as usize / 25).collect()
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.width, self.height)
    }
}

/// A point of a board.
///
/// ```
/// use kifu::board::{Point, Size};
///
/// let point = Point::from_sgf(b"cf").unwrap();
/// assert_eq!((point.x(), point.y()), (2, 5));
/// assert_eq!(Size::square(19).name(point), "C14");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point(u16);

impl Point {
    /// The distance between a point and the one below it.
    pub(crate) const ROW: usize = 64;
    /// No padded board has more points than this.
    pub(crate) const LIMIT: usize = (Size::MAX as usize + 2) * Point::ROW;

    /// The point in this column and row, counted from 0 at the top left.
    #[inline]
    pub const fn new(x: u8, y: u8) -> Point {
        Point((y as u16 + 1) * Point::ROW as u16 + x as u16 + 1)
    }

    /// Column, from 0 at the left.
    #[inline]
    pub const fn x(self) -> u8 {
        ((self.0 % Point::ROW as u16) as u8).wrapping_sub(1)
    }

    /// Row, from 0 at the top.
    #[inline]
    pub const fn y(self) -> u8 {
        ((self.0 / Point::ROW as u16) as u8).wrapping_sub(1)
    }

    /// The index into an array with one entry per point.
    #[inline]
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }

    #[inline]
    pub(crate) const fn from_index(index: usize) -> Point {
        Point(index as u16)
    }

    /// The points above, left, right and below; some may lie on the edge around the board.
    #[inline]
    pub fn neighbors(self) -> [Point; 4] {
        let (p, row) = (self.0, Point::ROW as u16);
        [Point(p - row), Point(p - 1), Point(p + 1), Point(p + row)]
    }

    /// The four diagonal points; some may lie on the edge around the board, or, for a point of
    /// the padding, beyond it.
    #[inline]
    pub(crate) fn diagonals(self) -> [Point; 4] {
        let (p, row) = (self.0, Point::ROW as u16);
        [
            Point(p - row - 1),
            Point(p - row + 1),
            Point(p + row - 1),
            Point(p + row + 1),
        ]
    }

    /// Reads two SGF letters, `a`–`z` then `A`–`Z`.
    pub fn from_sgf(letters: &[u8]) -> Option<Point> {
        let coordinate = |letter: u8| match letter {
            b'a'..=b'z' => Some(letter - b'a'),
            b'A'..=b'Z' => Some(letter - b'A' + 26),
            _ => None,
        };
        match letters {
            &[x, y] => Some(Point::new(coordinate(x)?, coordinate(y)?)),
            _ => None,
        }
    }

    /// The two SGF letters.
    pub fn to_sgf(self) -> String {
        let letter = |n: u8| char::from(if n < 26 { b'a' + n } else { b'A' + n - 26 });
        [letter(self.x()), letter(self.y())].iter().collect()
    }
}

impl fmt::Debug for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.to_sgf())
    }
}
