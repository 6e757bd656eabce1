//! The board: stones, chains, liberties, captures and the simple ko.
//!
//! Each chain is a ring of stones with one record, kept at the index of its head. The record holds
//! *pseudo-liberties*: a liberty counts once for each stone of the chain beside it. They are cheap
//! to keep up to date, zero exactly when the chain has no liberty, and together with the sum and
//! the sum of squares of their indices they tell in three multiplications whether the chain has
//! just one liberty and which: all numbers of a list are equal exactly when n·Σq² = (Σq)².
//!
//! The board knows nothing of the past but the last ko: superko is the business of
//! [`History`](super::History), and whether suicide is allowed the caller's.

use std::fmt;

use super::{Color, Point, PointSet, Size, Spot};

/// Why a stone can't be played on a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Illegal {
    /// The point is not on the board.
    OffBoard,
    /// There is a stone on the point.
    Occupied,
    /// The stone's own chain would have no liberty.
    Suicide,
    /// The stone would take back a ko at once.
    Ko,
    /// The stone would bring back an earlier position. Only a [`History`](super::History) says
    /// so, never a board.
    Superko,
}

/// What a move took off the board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Captures {
    /// Stones of the opponent.
    pub taken: u16,
    /// One's own stones, by suicide.
    pub lost: u16,
}

#[derive(Clone, Copy, Default)]
struct Chain {
    /// Σq² over the pseudo-liberties q.
    squares: u64,
    /// Σq.
    sum: u32,
    /// How many pseudo-liberties.
    count: u16,
    stones: u16,
}

impl Chain {
    #[inline]
    fn add_liberty(&mut self, point: Point) {
        let q = point.index() as u32;
        self.count += 1;
        self.sum += q;
        self.squares += (q * q) as u64;
    }

    #[inline]
    fn remove_liberty(&mut self, point: Point) {
        let q = point.index() as u32;
        self.count -= 1;
        self.sum -= q;
        self.squares -= (q * q) as u64;
    }

    #[inline]
    fn join(&mut self, other: Chain) {
        self.count += other.count;
        self.sum += other.sum;
        self.squares += other.squares;
        self.stones += other.stones;
    }

    /// The only liberty, if there is exactly one.
    #[inline]
    fn only_liberty(&self) -> Option<Point> {
        let one =
            self.count > 0 && self.count as u64 * self.squares == self.sum as u64 * self.sum as u64;
        one.then(|| Point::from_index((self.sum / self.count as u32) as usize))
    }
}

/// A position on the board.
///
/// ```
/// use kifu::rules::{Board, Color};
///
/// let mut board: Board = "
///     . X .
///     X O X
///     . . .
/// ".parse().unwrap();
/// let below = board.size().point(1, 2).unwrap();
/// let captures = board.play(Color::Black, below).unwrap();
/// assert_eq!(captures.taken, 1);
/// ```
#[derive(Clone)]
pub struct Board {
    size: Size,
    /// The point where the simple ko forbids the player to move to retake.
    ko: Option<(Color, Point)>,
    hash: u64,
    spots: Vec<Spot>,
    /// The head of the chain that a stone belongs to.
    heads: Vec<Point>,
    /// The next stone in the ring of a chain.
    nexts: Vec<Point>,
    /// The record of each chain, at the index of its head.
    chains: Vec<Chain>,
}

impl Board {
    /// An empty board.
    pub fn new(size: Size) -> Board {
        let length = size.padded();
        let mut spots = vec![Spot::Edge; length];
        for point in size.points() {
            spots[point.index()] = Spot::Empty;
        }
        let nowhere = Point::from_index(0);
        Board {
            size,
            ko: None,
            hash: 0,
            spots,
            heads: vec![nowhere; length],
            nexts: vec![nowhere; length],
            chains: vec![Chain::default(); length],
        }
    }

    #[inline]
    pub fn size(&self) -> Size {
        self.size
    }

    /// What is on the point, or on the edge beside the board.
    #[inline]
    pub fn spot(&self, point: Point) -> Spot {
        self.spots[point.index()]
    }

    /// The stone on the point, if there is one.
    #[inline]
    pub fn stone(&self, point: Point) -> Option<Color> {
        self.spot(point).color()
    }

    #[inline]
    pub fn is_empty(&self, point: Point) -> bool {
        self.spot(point) == Spot::Empty
    }

    /// All stones of one colour.
    pub fn stones(&self, color: Color) -> PointSet {
        self.points_with(color.spot())
    }

    /// All empty points.
    pub fn empty(&self) -> PointSet {
        self.points_with(Spot::Empty)
    }

    fn points_with(&self, spot: Spot) -> PointSet {
        self.size
            .points()
            .filter(|&point| self.spot(point) == spot)
            .collect()
    }

    /// A hash of the stones: equal positions have equal hashes, and different positions hardly
    /// ever do.
    #[inline]
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// Where the simple ko forbids a colour to play now.
    #[inline]
    pub fn ko(&self) -> Option<(Color, Point)> {
        self.ko
    }

    /// Lifts the ko, as a pass or a move elsewhere does.
    #[inline]
    pub fn lift_ko(&mut self) {
        self.ko = None;
    }

    /// A point that stands for the chain of the stone at `point`: the same for all its stones.
    #[inline]
    pub fn head(&self, point: Point) -> Point {
        self.heads[point.index()]
    }

    /// The stones of the chain at `point`, which must hold a stone.
    pub fn chain(&self, point: Point) -> ChainStones<'_> {
        debug_assert!(self.stone(point).is_some());
        ChainStones {
            board: self,
            first: point,
            next: Some(point),
        }
    }

    /// How many stones the chain at `point` has.
    #[inline]
    pub fn chain_len(&self, point: Point) -> usize {
        self.chains[self.head(point).index()].stones as usize
    }

    /// The liberties of the chain at `point`.
    pub fn liberties(&self, point: Point) -> PointSet {
        self.chain(point)
            .flat_map(Point::neighbors)
            .filter(|&beside| self.is_empty(beside))
            .collect()
    }

    /// The last liberty of the chain at `point`, if it has exactly one: it is in atari.
    #[inline]
    pub fn atari(&self, point: Point) -> Option<Point> {
        self.chains[self.head(point).index()].only_liberty()
    }

    /// The enemy chains beside the chain at `point`, each by its head.
    pub fn enemies_beside(&self, point: Point) -> Vec<Point> {
        let Some(color) = self.stone(point) else {
            return Vec::new();
        };
        let mut heads: Vec<Point> = self
            .chain(point)
            .flat_map(Point::neighbors)
            .filter(|&beside| self.spot(beside) == color.other().spot())
            .map(|beside| self.head(beside))
            .collect();
        heads.sort_unstable();
        heads.dedup();
        heads
    }

    /// Every chain on the board, by its head, in the order of their first stones.
    pub fn chains(&self) -> Vec<Point> {
        let mut seen = PointSet::EMPTY;
        self.size
            .points()
            .filter(|&point| self.stone(point).is_some())
            .map(|point| self.head(point))
            .filter(|&head| seen.insert(head))
            .collect()
    }

    /// Whether a stone may be played here, by the rules that need no history. Suicide counts as
    /// illegal: a caller whose rules allow it lets that answer pass.
    #[inline]
    pub fn check(&self, color: Color, point: Point) -> Result<(), Illegal> {
        if !self.size.contains(point) {
            return Err(Illegal::OffBoard);
        }
        if !self.is_empty(point) {
            return Err(Illegal::Occupied);
        }
        if self.ko == Some((color, point)) {
            return Err(Illegal::Ko);
        }
        if self.is_suicide(color, point) {
            return Err(Illegal::Suicide);
        }
        Ok(())
    }

    /// Whether a stone on this empty point would leave its own chain without a liberty.
    #[inline]
    pub fn is_suicide(&self, color: Color, point: Point) -> bool {
        let own = color.spot();
        !point.neighbors().into_iter().any(|beside| {
            let spot = self.spot(beside);
            match spot {
                Spot::Empty => true,
                Spot::Edge => false,
                _ => (spot == own) != (self.atari(beside) == Some(point)),
            }
        })
    }

    /// The stones that a move here would take.
    pub fn captured_by(&self, color: Color, point: Point) -> PointSet {
        let mut taken = PointSet::EMPTY;
        for beside in point.neighbors() {
            if self.spot(beside) == color.other().spot() && self.atari(beside) == Some(point) {
                taken.extend(self.chain(beside));
            }
        }
        taken
    }

    /// The hash of the position after a move on this empty point.
    pub(crate) fn hash_after(&self, color: Color, point: Point) -> u64 {
        let mut hash = self.hash ^ zobrist(color, point);
        let taken = self.captured_by(color, point);
        for stone in taken.iter() {
            hash ^= zobrist(color.other(), stone);
        }
        if self.is_suicide(color, point) {
            let mut lost: PointSet = [point].into_iter().collect();
            for beside in point.neighbors() {
                if self.spot(beside) == color.spot() {
                    lost.extend(self.chain(beside));
                }
            }
            for stone in lost.iter() {
                hash ^= zobrist(color, stone);
            }
        }
        hash
    }

    /// Plays a stone where [`check`](Board::check) allows it.
    pub fn play(&mut self, color: Color, point: Point) -> Result<Captures, Illegal> {
        self.check(color, point)?;
        Ok(self.put(color, point))
    }

    /// Puts a stone on an empty point, takes the enemy chains without liberties, then, if need
    /// be, one's own. Asks neither about ko nor about suicide.
    #[inline]
    pub fn put(&mut self, color: Color, point: Point) -> Captures {
        debug_assert!(self.is_empty(point));
        self.ko = None;
        let enemy = color.other().spot();
        let hemmed_in = point
            .neighbors()
            .into_iter()
            .all(|p| matches!(self.spot(p), s if s == enemy || s == Spot::Edge));
        self.add(color, point);
        let mut taken = 0;
        let mut last = point;
        for beside in point.neighbors() {
            if self.spot(beside) == enemy && self.chains[self.head(beside).index()].count == 0 {
                last = beside;
                taken += self.lift(beside);
            }
        }
        if taken == 1 && hemmed_in {
            self.ko = Some((color.other(), last));
        }
        let own = self.head(point);
        let lost = if taken == 0 && self.chains[own.index()].count == 0 {
            self.lift(point)
        } else {
            0
        };
        Captures { taken, lost }
    }

    /// Sets a point up as an editor would: no capture, no ko.
    pub fn set(&mut self, point: Point, stone: Option<Color>) {
        debug_assert!(self.size.contains(point));
        self.ko = None;
        if self.stone(point) == stone {
            return;
        }
        if self.stone(point).is_some() {
            let rest: Vec<Point> = self.chain(point).filter(|&other| other != point).collect();
            let color = self.stone(point).expect("just seen");
            self.lift(point);
            for other in rest {
                self.add(color, other);
            }
        }
        if let Some(color) = stone {
            self.add(color, point);
        }
    }

    /// Places a stone and joins it to its chain, without looking for captures.
    #[inline]
    fn add(&mut self, color: Color, point: Point) {
        let own = color.spot();
        self.spots[point.index()] = own;
        self.hash ^= zobrist(color, point);
        let mut chain = Chain {
            stones: 1,
            ..Chain::default()
        };
        for beside in point.neighbors() {
            match self.spot(beside) {
                Spot::Empty => chain.add_liberty(beside),
                Spot::Edge => {}
                _ => {
                    let head = self.head(beside).index();
                    self.chains[head].remove_liberty(point);
                }
            }
        }
        self.heads[point.index()] = point;
        self.nexts[point.index()] = point;
        self.chains[point.index()] = chain;
        for beside in point.neighbors() {
            if self.spot(beside) == own && self.head(beside) != self.head(point) {
                self.join(self.head(point), self.head(beside));
            }
        }
    }

    /// Makes one chain of two; the larger keeps its head.
    #[inline]
    fn join(&mut self, a: Point, b: Point) {
        let larger_first = self.chains[a.index()].stones >= self.chains[b.index()].stones;
        let (kept, gone) = if larger_first { (a, b) } else { (b, a) };
        let record = self.chains[gone.index()];
        self.chains[kept.index()].join(record);
        let mut stone = gone;
        loop {
            self.heads[stone.index()] = kept;
            stone = self.nexts[stone.index()];
            if stone == gone {
                break;
            }
        }
        self.nexts.swap(kept.index(), gone.index());
    }

    /// Takes a chain off the board; returns how many stones it had.
    #[inline]
    fn lift(&mut self, point: Point) -> u16 {
        let color = self.stone(point).expect("a stone to lift");
        let mut count = 0;
        let mut stone = point;
        loop {
            self.spots[stone.index()] = Spot::Empty;
            self.hash ^= zobrist(color, stone);
            count += 1;
            for beside in stone.neighbors() {
                if matches!(self.spot(beside), Spot::Black | Spot::White) {
                    // Stones of the chain that are still to be lifted gain liberties too; their
                    // record is done with, so that does no harm.
                    let head = self.head(beside).index();
                    self.chains[head].add_liberty(stone);
                }
            }
            stone = self.nexts[stone.index()];
            if stone == point {
                return count;
            }
        }
    }
}

/// The stones of a chain. See [`Board::chain`].
pub struct ChainStones<'a> {
    board: &'a Board,
    first: Point,
    next: Option<Point>,
}

impl Iterator for ChainStones<'_> {
    type Item = Point;

    #[inline]
    fn next(&mut self) -> Option<Point> {
        let stone = self.next?;
        let after = self.board.nexts[stone.index()];
        self.next = (after != self.first).then_some(after);
        Some(stone)
    }
}

impl PartialEq for Board {
    /// Whether the same stones are on the same points.
    fn eq(&self, other: &Board) -> bool {
        self.size == other.size && self.hash == other.hash && self.spots == other.spots
    }
}

impl Eq for Board {}

/// A text that is not a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotABoard;

impl fmt::Display for NotABoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a board: draw it as rows of equal length with `X`, `O` and `.`")
    }
}

impl std::error::Error for NotABoard {}

impl std::str::FromStr for Board {
    type Err = NotABoard;

    /// Reads a drawing: a row a line, `X` or `#` black, `O` white, anything else but blanks
    /// empty. Blanks and blank lines do not count.
    fn from_str(drawing: &str) -> Result<Board, NotABoard> {
        let rows: Vec<Vec<char>> = drawing
            .lines()
            .map(|line| line.chars().filter(|c| !c.is_whitespace()).collect())
            .filter(|row: &Vec<char>| !row.is_empty())
            .collect();
        let width = rows.first().ok_or(NotABoard)?.len();
        if rows.iter().any(|row| row.len() != width) {
            return Err(NotABoard);
        }
        let side = |n: usize| u8::try_from(n).map_err(|_| NotABoard);
        let size = Size::new(side(width)?, side(rows.len())?).ok_or(NotABoard)?;
        let mut board = Board::new(size);
        for point in size.points() {
            match rows[point.y() as usize][point.x() as usize] {
                'X' | '#' => board.set(point, Some(Color::Black)),
                'O' => board.set(point, Some(Color::White)),
                _ => {}
            }
        }
        Ok(board)
    }
}

impl fmt::Display for Board {
    /// Draws the board as [`from_str`](std::str::FromStr::from_str) reads it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for y in 0..self.size.height() {
            for x in 0..self.size.width() {
                let drawn = match self.spot(Point::new(x, y)) {
                    Spot::Black => 'X',
                    Spot::White => 'O',
                    _ => '.',
                };
                write!(f, "{}{drawn}", if x > 0 { " " } else { "" })?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\n{self}")
    }
}

/// The hash of one stone on one point.
#[inline]
fn zobrist(color: Color, point: Point) -> u64 {
    static KEYS: [[u64; Point::LIMIT]; 2] = zobrist_keys();
    KEYS[color.index()][point.index()]
}

const fn zobrist_keys() -> [[u64; Point::LIMIT]; 2] {
    let mut keys = [[0; Point::LIMIT]; 2];
    let mut i = 0;
    while i < 2 * Point::LIMIT {
        keys[i / Point::LIMIT][i % Point::LIMIT] = splitmix(i as u64 + 1);
        i += 1;
    }
    keys
}

/// The `n`th number of Steele, Lea and Flood's SplitMix64 stream.
const fn splitmix(n: u64) -> u64 {
    let mut z = n.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}
