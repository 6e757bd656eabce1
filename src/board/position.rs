//! The board: stones, chains, liberties, captures and the simple ko.
//!
//! Chains are rings of stones with a record each (`chain.rs`).
//!
//! The board knows nothing of the past but the last ko: superko is the business of
//! [`History`](crate::rules::History), and whether suicide is allowed the caller's.

use std::fmt;

use super::chain::{Chain, Chains};
use super::{Color, Point, PointSet, Size, Spot};

/// Why a stone can't be played on a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Illegal {
    /// The point is not on the board.
    OffBoard,
    /// There is a stone on the point.
    Occupied,
    /// The stone's own chain would have no liberty.
    Suicide,
    /// The stone would take back a ko at once.
    Ko,
    /// The stone would bring back an earlier position. Only a [`History`](crate::rules::History) says
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

/// How a new stone touches what is around it.
struct Contact {
    /// There are only enemies and the edge beside it.
    hemmed_in: bool,
    /// An enemy chain has no liberty left.
    smothers: bool,
}

/// A position on the board.
///
/// ```
/// use kifu::board::{Board, Color};
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
    chains: Chains,
}

impl Board {
    /// An empty board.
    pub fn new(size: Size) -> Board {
        let length = size.padded();
        let mut spots = vec![Spot::Edge; length];
        for point in size.points() {
            spots[point.index()] = Spot::Empty;
        }
        Board {
            size,
            ko: None,
            hash: 0,
            spots,
            chains: Chains::new(length),
        }
    }

    /// Width and height.
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

    /// Whether there is no stone on the point.
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
        let mut set = PointSet::EMPTY;
        for y in 0..self.size.height() {
            let row = Point::new(0, y).index()..;
            let spots = self.spots[row].iter().take(self.size.width() as usize);
            for (x, _) in spots.enumerate().filter(|&(_, &there)| there == spot) {
                set.insert(Point::new(x as u8, y));
            }
        }
        set
    }

    /// A hash of the stones: equal positions have equal hashes, and different positions hardly
    /// ever do.
    #[inline]
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// Where the simple ko forbids a colour to play now.
    #[inline]
    pub(crate) fn ko(&self) -> Option<(Color, Point)> {
        self.ko
    }

    /// Lifts the ko, as a pass or a move elsewhere does.
    #[inline]
    pub(crate) fn lift_ko(&mut self) {
        self.ko = None;
    }

    /// A point that stands for the chain of the stone at `point`: the same for all its stones.
    #[inline]
    pub(crate) fn head(&self, point: Point) -> Point {
        self.chains.head(point)
    }

    /// The stones of the chain at `point`, which must hold a stone.
    ///
    /// ```
    /// use kifu::board::{Board, Point};
    ///
    /// let board: Board = "
    ///     . X X .
    ///     . O X .
    ///     . . . .
    /// ".parse().unwrap();
    /// let stone = Point::new(1, 0);
    /// assert_eq!(board.chain(stone).count(), 3);
    /// assert_eq!(board.liberties(stone).len(), 4);
    /// ```
    pub fn chain(&self, point: Point) -> impl Iterator<Item = Point> {
        debug_assert!(self.stone(point).is_some());
        self.chains.ring(point)
    }

    /// How many stones the chain at `point` has.
    #[inline]
    pub(crate) fn chain_len(&self, point: Point) -> usize {
        self.chains.at(point).stones as usize
    }

    /// The liberties of the chain at `point`.
    pub fn liberties(&self, point: Point) -> PointSet {
        self.chain(point)
            .flat_map(Point::neighbors)
            .filter(|&beside| self.is_empty(beside))
            .collect()
    }

    /// Whether the chain at `point` has a liberty. An editor may leave one without.
    #[inline]
    pub fn has_liberty(&self, point: Point) -> bool {
        !self.chains.at(point).has_no_liberty()
    }

    /// The last liberty of the chain at `point`, if it has exactly one: it is in atari.
    #[inline]
    pub(crate) fn atari(&self, point: Point) -> Option<Point> {
        self.chains.at(point).only_liberty()
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
    pub(crate) fn is_suicide(&self, color: Color, point: Point) -> bool {
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
    ///
    /// ```
    /// use kifu::board::{Board, Color, Point};
    ///
    /// let board: Board = "
    ///     O O . X
    ///     X X O .
    ///     . . X .
    /// ".parse().unwrap();
    /// let corner = board.captured_by(Color::Black, Point::new(2, 0));
    /// assert_eq!(corner.len(), 2);
    /// ```
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
    pub fn hash_after(&self, color: Color, point: Point) -> u64 {
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
    pub(crate) fn put(&mut self, color: Color, point: Point) -> Captures {
        debug_assert!(self.is_empty(point));
        self.ko = None;
        let contact = self.add(color, point);
        let mut taken = 0;
        if contact.smothers {
            let enemy = color.other().spot();
            let mut last = point;
            for beside in point.neighbors() {
                if self.spot(beside) == enemy && self.chains.at(beside).has_no_liberty() {
                    last = beside;
                    taken += self.lift(beside);
                }
            }
            if taken == 1 && contact.hemmed_in {
                self.ko = Some((color.other(), last));
            }
        }
        let lost = if taken == 0 && self.chains.at(point).has_no_liberty() {
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
        self.take_off(point, |other| other == point);
        if let Some(color) = stone {
            self.add(color, point);
        }
    }

    /// Sets up many points at once, as an editor would: these become black, those white, others
    /// empty. White has a point that is named twice, and empty is what nobody has.
    ///
    /// A chain that loses stones is put together anew once, however many it loses.
    pub fn set_up(&mut self, black: &PointSet, white: &PointSet, empty: &PointSet) {
        self.ko = None;
        let full = PointSet::full(self.size);
        let new = [*black - *white, *white].map(|stones| stones & full);
        let emptied = (*empty - new[0] - new[1]) & full;
        let old = Color::BOTH.map(|color| self.stones(color));
        let off = (old[0] & (emptied | new[1])) | (old[1] & (emptied | new[0]));
        for point in off.iter() {
            self.take_off(point, |other| off.contains(other));
        }
        for color in Color::BOTH {
            for point in (new[color.index()] - old[color.index()]).iter() {
                self.add(color, point);
            }
        }
    }

    /// The position without these stones.
    pub(crate) fn without(&self, stones: &PointSet) -> Board {
        let mut board = self.clone();
        board.ko = None;
        for point in stones.iter().filter(|&point| self.size.contains(point)) {
            board.take_off(point, |other| stones.contains(other));
        }
        board
    }

    /// Takes some stones of the chain at `point` off the board, if there is one.
    fn take_off(&mut self, point: Point, goes: impl Fn(Point) -> bool) {
        let Some(color) = self.stone(point) else {
            return;
        };
        let rest: Vec<Point> = self.chain(point).filter(|&other| !goes(other)).collect();
        self.lift(point);
        for other in rest {
            self.add(color, other);
        }
    }

    /// Places a stone and joins it to its chain, without taking anything.
    #[inline]
    fn add(&mut self, color: Color, point: Point) -> Contact {
        let own = color.spot();
        self.spots[point.index()] = own;
        self.hash ^= zobrist(color, point);
        let mut chain = Chain::stone();
        let mut friends = false;
        let mut contact = Contact {
            hemmed_in: true,
            smothers: false,
        };
        for beside in point.neighbors() {
            match self.spot(beside) {
                Spot::Empty => {
                    chain.add_liberty(beside);
                    contact.hemmed_in = false;
                }
                Spot::Edge => {}
                stone => {
                    let neighbor = self.chains.of_mut(beside);
                    neighbor.remove_liberty(point);
                    if stone == own {
                        friends = true;
                        contact.hemmed_in = false;
                    } else {
                        contact.smothers |= neighbor.has_no_liberty();
                    }
                }
            }
        }
        self.chains.add(point, chain);
        if friends {
            for beside in point.neighbors() {
                if self.spot(beside) == own {
                    self.chains.join(point, beside);
                }
            }
        }
        contact
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
                    self.chains.of_mut(beside).add_liberty(stone);
                }
            }
            stone = self.chains.next(stone);
            if stone == point {
                return count;
            }
        }
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

    /// Reads a drawing: one row per line, `X` or `#` black, `O` white, anything else but blanks
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

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;

    /// The rules once more, as slowly and plainly as they can be written: the board is a list of
    /// stones, and everything is looked for anew.
    #[derive(Clone, PartialEq)]
    struct PlainBoard {
        size: Size,
        stones: [PointSet; 2],
    }

    impl PlainBoard {
        fn stone(&self, point: Point) -> Option<Color> {
            Color::BOTH
                .into_iter()
                .find(|color| self.stones[color.index()].contains(point))
        }

        fn chain(&self, point: Point) -> PointSet {
            let color = self.stone(point).unwrap();
            self.stones[color.index()].connected(point)
        }

        fn liberties(&self, chain: &PointSet) -> PointSet {
            chain.neighbors(self.size) - self.stones[0] - self.stones[1]
        }

        fn set(&mut self, point: Point, stone: Option<Color>) {
            for color in Color::BOTH {
                self.stones[color.index()].remove(point);
            }
            if let Some(color) = stone {
                self.stones[color.index()].insert(point);
            }
        }

        fn put(&mut self, color: Color, point: Point) -> Captures {
            self.set(point, Some(color));
            let beside: PointSet = [point]
                .into_iter()
                .collect::<PointSet>()
                .neighbors(self.size);
            let mut taken = PointSet::EMPTY;
            for enemy in (beside & self.stones[color.other().index()]).iter() {
                let chain = self.chain(enemy);
                if self.liberties(&chain).is_empty() {
                    taken |= chain;
                }
            }
            self.stones[color.other().index()] -= taken;
            let own = self.chain(point);
            let mut lost = PointSet::EMPTY;
            if self.liberties(&own).is_empty() {
                lost = own;
                self.stones[color.index()] -= own;
            }
            Captures {
                taken: taken.len() as u16,
                lost: lost.len() as u16,
            }
        }

        /// Whether every chain has a liberty.
        fn could_be_reached(&self) -> bool {
            let stones = self.stones[0] | self.stones[1];
            stones
                .iter()
                .all(|stone| !self.liberties(&self.chain(stone)).is_empty())
        }

        fn hash(&self) -> u64 {
            let keys = Color::BOTH.into_iter().flat_map(|color| {
                let stones = self.stones[color.index()];
                stones
                    .iter()
                    .map(move |stone| zobrist(color, stone))
                    .collect::<Vec<_>>()
            });
            keys.fold(0, |hash, key| hash ^ key)
        }
    }

    /// Everything that the board knows is what the plain board finds.
    fn assert_same(board: &Board, plain: &PlainBoard) {
        assert_eq!(board.hash(), plain.hash());
        assert_eq!(board.stones(Color::Black), plain.stones[0]);
        assert_eq!(board.stones(Color::White), plain.stones[1]);
        let mut heads = HashSet::new();
        for point in board.size().points() {
            assert_eq!(board.stone(point), plain.stone(point));
            if board.stone(point).is_none() {
                continue;
            }
            let chain = plain.chain(point);
            let liberties = plain.liberties(&chain);
            assert_eq!(board.chain(point).collect::<PointSet>(), chain);
            assert_eq!(board.chain_len(point), chain.len());
            assert!(chain.contains(board.head(point)));
            assert!(
                chain
                    .iter()
                    .all(|stone| board.head(stone) == board.head(point))
            );
            assert_eq!(board.liberties(point), liberties);
            let only = liberties.first().filter(|_| liberties.len() == 1);
            assert_eq!(board.atari(point), only);
            heads.insert(board.head(point));
            // The record of the chain, from scratch: each liberty once for each stone beside it.
            let mut record = Chain::default();
            record.stones = chain.len() as u16;
            for stone in chain.iter() {
                for beside in stone.neighbors() {
                    if board.is_empty(beside) {
                        record.add_liberty(beside);
                    }
                }
            }
            assert_eq!(*board.chains.at(point), record);
        }
        assert_eq!(board.chains().into_iter().collect::<HashSet<_>>(), heads);
        for color in Color::BOTH {
            for point in board.size().points().filter(|&point| board.is_empty(point)) {
                let mut after = plain.clone();
                let captures = after.put(color, point);
                assert_eq!(
                    board.captured_by(color, point).len(),
                    captures.taken as usize
                );
                assert_eq!(board.is_suicide(color, point), captures.lost > 0);
                assert_eq!(board.hash_after(color, point), after.hash());
            }
        }
    }

    #[derive(Clone, Debug)]
    enum Deed {
        Put(Color, u16),
        Set(Option<Color>, u16),
        /// Rectangles that become black, white and empty.
        SetUp([(u16, u16); 3]),
    }

    /// So many cases, unless `PROPTEST_CASES` asks for another number.
    fn cases(usually: u32) -> ProptestConfig {
        match std::env::var_os("PROPTEST_CASES") {
            Some(_) => ProptestConfig::default(),
            None => ProptestConfig::with_cases(usually),
        }
    }

    fn color() -> impl Strategy<Value = Color> {
        prop::sample::select(&Color::BOTH[..])
    }

    fn deeds() -> impl Strategy<Value = Vec<Deed>> {
        let deed = prop_oneof![
            8 => (color(), any::<u16>()).prop_map(|(color, point)| Deed::Put(color, point)),
            1 => (prop::option::of(color()), any::<u16>())
                .prop_map(|(stone, point)| Deed::Set(stone, point)),
            1 => any::<[(u16, u16); 3]>().prop_map(Deed::SetUp),
        ];
        prop::collection::vec(deed, 0..120)
    }

    proptest! {
        #![proptest_config(cases(96))]

        /// Random play with an editor's hand in it, on boards of every shape.
        #[test]
        fn whatever_is_played_the_board_knows_what_a_slow_board_finds(
            width in 1u8..8,
            height in 1u8..8,
            deeds in deeds(),
        ) {
            let size = Size::new(width, height).unwrap();
            let points: Vec<Point> = size.points().collect();
            let mut board = Board::new(size);
            let mut plain = PlainBoard { size, stones: [PointSet::EMPTY; 2] };
            for deed in deeds {
                match deed {
                    Deed::Put(color, n) => {
                        let point = points[n as usize % points.len()];
                        if !board.is_empty(point) {
                            prop_assert_eq!(board.check(color, point), Err(Illegal::Occupied));
                            continue;
                        }
                        let before = plain.clone();
                        let captures = plain.put(color, point);
                        prop_assert_eq!(board.put(color, point), captures);
                        // The simple ko, by its definition: retaking the one stone with one stone
                        // would bring the position before the move back.
                        let back = board.ko().map(|(enemy, ko)| {
                            let mut retaken = plain.clone();
                            retaken.put(enemy, ko);
                            (enemy, retaken)
                        });
                        if let Some((enemy, retaken)) = back {
                            prop_assert_eq!(enemy, color.other());
                            // Unless an editor left chains without liberties, which go too.
                            prop_assert!(retaken == before || !before.could_be_reached());
                        } else if captures.taken == 1 {
                            let gone = before.stones[color.other().index()]
                                - plain.stones[color.other().index()];
                            let mut retaken = plain.clone();
                            retaken.put(color.other(), gone.first().unwrap());
                            prop_assert!(retaken != before);
                        }
                    }
                    Deed::Set(stone, n) => {
                        let point = points[n as usize % points.len()];
                        board.set(point, stone);
                        plain.set(point, stone);
                        prop_assert_eq!(board.ko(), None);
                    }
                    Deed::SetUp(corners) => {
                        let sets = corners.map(|(one, other)| {
                            let corner = |n: u16| points[n as usize % points.len()];
                            let mut set = PointSet::EMPTY;
                            set.insert_rectangle(corner(one), corner(other));
                            set
                        });
                        let [black, white, empty] = &sets;
                        board.set_up(black, white, empty);
                        let stones = [None, Some(Color::Black), Some(Color::White)];
                        for (stone, set) in stones.into_iter().zip([empty, black, white]) {
                            set.iter().for_each(|point| plain.set(point, stone));
                        }
                        prop_assert_eq!(board.ko(), None);
                    }
                }
                assert_same(&board, &plain);
            }
            let drawn: Board = board.to_string().parse().unwrap();
            prop_assert!(drawn == board);
        }
    }

    /// How many of all arrangements of stones are positions in which every chain has a liberty.
    /// John Tromp counted them for boards of every size:
    /// <https://tromp.github.io/go/legal.html>.
    #[test]
    fn the_number_of_legal_positions_is_known() {
        for (width, height, known) in [
            (1, 1, 1),
            (1, 2, 5),
            (1, 3, 15),
            (1, 4, 41),
            (2, 2, 57),
            (2, 3, 489),
            (3, 3, 12675),
        ] {
            let size = Size::new(width, height).unwrap();
            let points: Vec<Point> = size.points().collect();
            let mut legal = 0;
            for arrangement in 0..3u32.pow(points.len() as u32) {
                let mut board = Board::new(size);
                let mut rest = arrangement;
                for &point in &points {
                    board.set(
                        point,
                        [None, Some(Color::Black), Some(Color::White)][rest as usize % 3],
                    );
                    rest /= 3;
                }
                let alive = |&chain: &Point| !board.liberties(chain).is_empty();
                legal += board.chains().iter().all(alive) as u32;
            }
            assert_eq!(legal, known, "{size}");
        }
    }

    /// Every position that can be reached by play is legal, and every legal one is reached.
    #[test]
    fn play_reaches_every_legal_position_and_no_other() {
        for (width, height, known) in [(1, 1, 1), (1, 3, 15), (2, 2, 57), (2, 3, 489)] {
            let size = Size::new(width, height).unwrap();
            let mut seen = HashSet::from([Board::new(size).to_string()]);
            let mut open = vec![Board::new(size)];
            while let Some(board) = open.pop() {
                for color in Color::BOTH {
                    for point in size.points().filter(|&point| board.is_empty(point)) {
                        let mut after = board.clone();
                        after.put(color, point);
                        if seen.insert(after.to_string()) {
                            open.push(after);
                        }
                    }
                }
            }
            assert_eq!(seen.len(), known, "{size}");
        }
    }

    #[test]
    fn the_largest_board_holds_the_largest_chain() {
        let size = Size::square(52);
        let mut board = Board::new(size);
        let eye = Point::new(51, 51);
        for point in size.points().filter(|&point| point != eye) {
            board.put(Color::Black, point);
        }
        assert_eq!(board.chain_len(Point::new(0, 0)), 52 * 52 - 1);
        assert_eq!(board.atari(Point::new(0, 0)), Some(eye));
        assert!(!board.is_suicide(Color::White, eye));
        assert_eq!(board.put(Color::White, eye).taken, 52 * 52 - 1);
        assert_eq!(board.liberties(eye).len(), 2);
    }

    /// Taking a stone off puts its chain together anew, which must not happen for each stone.
    #[test]
    fn a_chain_is_taken_off_in_one() {
        let size = Size::square(52);
        let (full, none) = (PointSet::full(size), PointSet::EMPTY);
        let shortest = |deed: &dyn Fn(&mut Board), before: &Board| {
            let times = (0..5).map(|_| {
                let mut board = before.clone();
                let started = std::time::Instant::now();
                deed(&mut board);
                started.elapsed()
            });
            times.min().unwrap()
        };
        let empty = Board::new(size);
        let mut black = empty.clone();
        black.set_up(&full, &none, &none);
        let on = shortest(&|board| board.set_up(&full, &none, &none), &empty);
        let over = shortest(&|board| board.set_up(&none, &full, &none), &black);
        let off = shortest(&|board| board.set_up(&none, &none, &full), &black);
        // Stone by stone it is a thousand times.
        assert!(over < 40 * on, "{over:?} against {on:?}");
        assert!(off < 40 * on, "{off:?} against {on:?}");
    }

    #[test]
    fn the_smallest_board_has_no_legal_move() {
        let board = Board::new(Size::square(1));
        let only = Point::new(0, 0);
        assert_eq!(board.check(Color::Black, only), Err(Illegal::Suicide));
        assert_eq!(
            board.check(Color::Black, Point::new(1, 0)),
            Err(Illegal::OffBoard)
        );
    }

    #[test]
    fn one_stone_that_takes_one_is_a_ko_and_one_that_takes_two_is_not() {
        let mut board: Board = "
            . O X .
            O X . X
            . O X .
        "
        .parse()
        .unwrap();
        assert_eq!(board.put(Color::White, Point::new(2, 1)).taken, 1);
        assert_eq!(board.ko(), Some((Color::Black, Point::new(1, 1))));
        assert_eq!(
            board.check(Color::Black, Point::new(1, 1)),
            Err(Illegal::Ko)
        );
        board.put(Color::Black, Point::new(0, 0));
        assert_eq!(board.ko(), None);

        let mut board: Board = "
            . O O X .
            O X X . X
            . O O X .
        "
        .parse()
        .unwrap();
        assert_eq!(board.put(Color::White, Point::new(3, 1)).taken, 2);
        assert_eq!(board.ko(), None);
        assert_eq!(board.play(Color::Black, Point::new(2, 1)).unwrap().taken, 1);
    }
}
