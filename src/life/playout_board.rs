//! A board for playouts.
//!
//! A playout asks each point the same few questions some hundred thousand times a second: how many
//! empty points, stones of either colour and edges are beside it, would a stone here take
//! something, would it be in atari? The [`Board`] of the rules engine answers them by looking
//! around. This one keeps the counts of neighbours with each point, so that most questions are
//! answered by one look; it keeps no hash, checks nothing, and goes back to where it started by
//! copying a few rows.

use crate::board::{Board, Chain, Chains, Color, Point, Size, Spot};

/// What a stone's chain would be like once it is played. See [`PlayoutBoard::chain_after`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ChainAfter {
    NoLiberty,
    /// In atari, with this many stones.
    OneLiberty(usize),
    Free,
}

/// How many neighbours of a point are empty, black and white. The edge counts as both colours: it
/// closes a point in as a stone does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NeighborCounts(u16);

impl NeighborCounts {
    const EMPTY: u16 = 1 << 8;
    const EDGE: u16 = NeighborCounts::stone(Color::Black) + NeighborCounts::stone(Color::White);

    const fn stone(color: Color) -> u16 {
        match color {
            Color::Black => 1,
            Color::White => 1 << 4,
        }
    }

    #[inline]
    pub(crate) fn empty(self) -> u16 {
        self.0 >> 8
    }

    /// Stones of a colour, and edges.
    #[inline]
    fn closed_by(self, color: Color) -> u16 {
        match color {
            Color::Black => self.0 & 15,
            Color::White => self.0 >> 4 & 15,
        }
    }

    #[inline]
    fn edges(self) -> u16 {
        self.closed_by(Color::Black) + self.closed_by(Color::White) + self.empty() - 4
    }

    /// Stones of a colour.
    #[inline]
    pub(crate) fn stones(self, color: Color) -> u16 {
        self.closed_by(color) - self.edges()
    }

    /// Whether there is nothing but stones of this colour and edges.
    #[inline]
    pub(crate) fn is_closed_by(self, color: Color) -> bool {
        self.closed_by(color) == 4
    }
}

#[derive(Clone, Copy, Debug)]
struct Square {
    spot: Spot,
    neighbors: NeighborCounts,
}

/// A position that is played on from.
#[derive(Clone, Debug)]
pub(super) struct PlayoutBoard {
    size: Size,
    /// Where the side to move may not retake a ko.
    ko: Option<Point>,
    squares: Vec<Square>,
    chains: Chains,
    /// The stones that the last move took.
    taken: Vec<Point>,
}

impl PlayoutBoard {
    pub(crate) fn new(board: &Board) -> PlayoutBoard {
        let size = board.size();
        let edge = Square {
            spot: Spot::Edge,
            neighbors: NeighborCounts(0),
        };
        let mut playout_board = PlayoutBoard {
            size,
            ko: None,
            squares: vec![edge; size.padded()],
            chains: Chains::new(size.padded()),
            taken: Vec::new(),
        };
        for point in size.points() {
            playout_board.squares[point.index()].spot = Spot::Empty;
            let counts = point.neighbors().map(|beside| match size.contains(beside) {
                true => NeighborCounts::EMPTY,
                false => NeighborCounts::EDGE,
            });
            playout_board.squares[point.index()].neighbors = NeighborCounts(counts.iter().sum());
        }
        for point in size.points() {
            if let Some(color) = board.stone(point) {
                playout_board.add(color, point);
            }
        }
        playout_board
    }

    /// Takes over the position of another board of the same size, without a ko.
    pub(crate) fn copy_from(&mut self, other: &PlayoutBoard) {
        self.ko = None;
        for y in 0..self.size.height() {
            let start = Point::new(0, y).index();
            let row = start..start + usize::from(self.size.width());
            self.squares[row.clone()].copy_from_slice(&other.squares[row.clone()]);
            self.chains.copy_from(&other.chains, row);
        }
    }

    pub(crate) fn size(&self) -> Size {
        self.size
    }

    #[inline]
    pub(crate) fn spot(&self, point: Point) -> Spot {
        self.squares[point.index()].spot
    }

    #[inline]
    pub(crate) fn is_empty(&self, point: Point) -> bool {
        self.spot(point) == Spot::Empty
    }

    #[inline]
    pub(crate) fn neighbor_counts(&self, point: Point) -> NeighborCounts {
        self.squares[point.index()].neighbors
    }

    /// Where the side to move may not retake a ko.
    #[inline]
    pub(crate) fn ko(&self) -> Option<Point> {
        self.ko
    }

    pub(crate) fn pass(&mut self) {
        self.ko = None;
    }

    /// The stones that the last move took.
    pub(crate) fn taken(&self) -> &[Point] {
        &self.taken
    }

    /// The stones of the chain at a point.
    pub(crate) fn chain(&self, point: Point) -> impl Iterator<Item = Point> {
        self.chains.ring(point)
    }

    /// The last liberty of the chain at a point, if it has exactly one.
    #[inline]
    pub(crate) fn atari(&self, point: Point) -> Option<Point> {
        self.chains.at(point).only_liberty()
    }

    /// Whether a stone here takes something.
    #[inline]
    pub(crate) fn takes(&self, color: Color, point: Point) -> bool {
        let enemy = color.other().spot();
        self.neighbor_counts(point).stones(color.other()) > 0
            && point
                .neighbors()
                .into_iter()
                .any(|beside| self.spot(beside) == enemy && self.atari(beside) == Some(point))
    }

    /// What the chain of a stone played here would be like if no stone were taken.
    #[inline]
    pub(crate) fn chain_after(&self, color: Color, point: Point) -> ChainAfter {
        let own = color.spot();
        let mut chain = Chain::stone();
        let mut joined = [Point::from_index(0); 4];
        for (i, beside) in point.neighbors().into_iter().enumerate() {
            let spot = self.spot(beside);
            if spot == Spot::Empty {
                chain.add_liberty(beside);
            } else if spot == own {
                let head = self.chains.head(beside);
                if !joined[..i].contains(&head) {
                    joined[i] = head;
                    chain.join(*self.chains.at(beside));
                }
                chain.remove_liberty(point);
            }
        }
        if chain.has_no_liberty() {
            ChainAfter::NoLiberty
        } else if chain.only_liberty().is_some() {
            ChainAfter::OneLiberty(chain.stones as usize)
        } else {
            ChainAfter::Free
        }
    }

    /// Puts a stone on an empty point and takes what has no liberty left. The move must be legal.
    #[inline]
    pub(crate) fn put(&mut self, color: Color, point: Point) {
        let hemmed_in = self.neighbor_counts(point).is_closed_by(color.other());
        self.ko = None;
        self.taken.clear();
        if self.add(color, point) {
            let enemy = color.other().spot();
            for beside in point.neighbors() {
                if self.spot(beside) == enemy && self.chains.at(beside).has_no_liberty() {
                    self.lift(color.other(), beside);
                }
            }
            if hemmed_in && self.taken.len() == 1 {
                self.ko = Some(self.taken[0]);
            }
        }
    }

    /// Places a stone and joins it to its chain; whether an enemy chain has no liberty left.
    #[inline]
    fn add(&mut self, color: Color, point: Point) -> bool {
        let own = color.spot();
        let mut chain = Chain::stone();
        let (mut friends, mut smothers) = (false, false);
        for beside in point.neighbors() {
            let square = &mut self.squares[beside.index()];
            let counts = &mut square.neighbors.0;
            *counts = counts
                .wrapping_add(NeighborCounts::stone(color).wrapping_sub(NeighborCounts::EMPTY));
            match square.spot {
                Spot::Empty => chain.add_liberty(beside),
                Spot::Edge => {}
                stone => {
                    let neighbor = self.chains.of_mut(beside);
                    neighbor.remove_liberty(point);
                    if stone == own {
                        friends = true;
                    } else {
                        smothers |= neighbor.has_no_liberty();
                    }
                }
            }
        }
        self.squares[point.index()].spot = own;
        self.chains.add(point, chain);
        if friends {
            for beside in point.neighbors() {
                if self.spot(beside) == own {
                    self.chains.join(point, beside);
                }
            }
        }
        smothers
    }

    /// Takes a chain of this colour off the board.
    fn lift(&mut self, color: Color, point: Point) {
        let mut stone = point;
        loop {
            self.squares[stone.index()].spot = Spot::Empty;
            self.taken.push(stone);
            for beside in stone.neighbors() {
                let square = &mut self.squares[beside.index()];
                let counts = &mut square.neighbors.0;
                *counts = counts
                    .wrapping_add(NeighborCounts::EMPTY.wrapping_sub(NeighborCounts::stone(color)));
                if matches!(square.spot, Spot::Black | Spot::White) {
                    // Stones of the chain that are still to be lifted gain liberties too; their
                    // record is done with, so that does no harm.
                    self.chains.of_mut(beside).add_liberty(stone);
                }
            }
            stone = self.chains.next(stone);
            if stone == point {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Everything that a playout board says about a point, against the board.
    fn assert_same(playout_board: &PlayoutBoard, board: &Board) {
        for point in board.size().points() {
            assert_eq!(playout_board.spot(point), board.spot(point));
            let beside = |wanted: Spot| {
                let spots = point.neighbors().map(|beside| board.spot(beside));
                spots.into_iter().filter(|&spot| spot == wanted).count() as u16
            };
            let counts = playout_board.neighbor_counts(point);
            assert_eq!(counts.empty(), beside(Spot::Empty));
            for color in Color::BOTH {
                assert_eq!(counts.stones(color), beside(color.spot()));
                let closed = beside(color.spot()) + beside(Spot::Edge) == 4;
                assert_eq!(counts.is_closed_by(color), closed);
            }
            if board.is_empty(point) {
                for color in Color::BOTH {
                    let taken = board.captured_by(color, point);
                    assert_eq!(playout_board.takes(color, point), !taken.is_empty());
                    let no_liberty =
                        playout_board.chain_after(color, point) == ChainAfter::NoLiberty;
                    assert_eq!(
                        no_liberty && taken.is_empty(),
                        board.is_suicide(color, point)
                    );
                }
            } else {
                assert_eq!(playout_board.atari(point), board.atari(point));
                let mut ours: Vec<Point> = playout_board.chain(point).collect();
                let mut theirs: Vec<Point> = board.chain(point).collect();
                ours.sort_unstable();
                theirs.sort_unstable();
                assert_eq!(ours, theirs);
            }
        }
    }

    proptest! {
        #[test]
        fn a_playout_board_and_a_board_play_alike(
            (width, height) in (1u8..8, 1u8..8),
            moves in prop::collection::vec(any::<u16>(), 0..120),
        ) {
            let size = Size::new(width, height).unwrap();
            let mut board = Board::new(size);
            let mut playout_board = PlayoutBoard::new(&board);
            let points: Vec<Point> = size.points().collect();
            let mut color = Color::Black;
            for number in moves {
                let point = points[usize::from(number) % points.len()];
                if board.check(color, point).is_ok() {
                    let before = board.stones(color.other());
                    board.put(color, point);
                    playout_board.put(color, point);
                    let taken: crate::board::PointSet = playout_board.taken().iter().copied().collect();
                    prop_assert_eq!(taken, before - board.stones(color.other()));
                } else {
                    board.lift_ko();
                    playout_board.pass();
                }
                color = color.other();
                prop_assert_eq!(playout_board.ko(), board.ko().map(|(_, point)| point));
            }
            assert_same(&playout_board, &board);
            assert_same(&PlayoutBoard::new(&board), &board);
            let mut copy = PlayoutBoard::new(&Board::new(size));
            copy.copy_from(&playout_board);
            assert_same(&copy, &board);
        }
    }
}
