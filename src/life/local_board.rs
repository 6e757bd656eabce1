//! The board of a local fight: small, and made for reading ahead.
//!
//! Reading needs thousands of positions that differ by a stone or two in one corner of the board.
//! A local board holds just the points in question, at most 128, as the bits of one machine word, and a
//! table of which point is beside which. A position is then two words, cheap to copy, exact to
//! compare, and with no captures to undo.
//!
//! Everything outside is a wall. A stone beside a wall of its own colour can never be taken; that
//! is how the rest of the board takes part: settled stones are walls of their own colour, and empty
//! points too far away to read are walls of the attacker, as if he had filled them.

use crate::board::{Board, Color, Point, PointSet, Size};

/// A set of nodes of a local board.
pub(crate) type Nodes = u128;

/// No local board has more nodes.
const MOST_NODES: usize = 128;
/// Empty points are read up to this many steps away from the chains in question, or, on open
/// ground, where that is more than a search can make sense of, the second number.
const REACHES: [u8; 2] = [3, 2];
/// More empty points than this are open ground.
const OPEN_GROUND: usize = 14;
/// No local board has more empty points.
const MOST_EMPTY: usize = 32;

/// The nodes of a set, lowest first.
#[inline]
pub(crate) fn each(mut nodes: Nodes) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (nodes != 0).then(|| {
            let node = nodes.trailing_zeros() as usize;
            nodes &= nodes - 1;
            node
        })
    })
}

/// The lowest node of a set, as a set.
#[inline]
pub(crate) fn lowest(nodes: Nodes) -> Nodes {
    nodes & nodes.wrapping_neg()
}

/// The stones on a local board, and where the simple ko forbids to retake.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct LocalPosition {
    pub stones: [Nodes; 2],
    /// The node that the side to move may not play on, if it is not the master of kos.
    pub ko: Nodes,
}

/// A connected set of stones and the empty nodes beside it.
#[derive(Clone, Copy)]
pub(crate) struct LocalChain {
    pub stones: Nodes,
    pub liberties: Nodes,
}

/// What became of a stone that was put on a node.
pub(crate) struct Played {
    pub position: LocalPosition,
    /// The enemy stones that it took.
    pub taken: Nodes,
}

/// The nodes of a local fight, and what is beside them.
#[derive(Clone)]
pub(crate) struct LocalBoard {
    points: Vec<Point>,
    beside: Vec<Nodes>,
    /// The nodes beside a wall of each colour.
    walls: [Nodes; 2],
    all: Nodes,
    start: LocalPosition,
}

impl LocalBoard {
    /// The local board around some chains of one colour. Chains of `safe` stones are walls. None if the
    /// chains themselves are too large to read.
    pub(crate) fn around(board: &Board, targets: &[Point], safe: &PointSet) -> Option<LocalBoard> {
        let defender = board.stone(*targets.first()?)?;
        for reach in REACHES {
            let mut builder = LocalBoardBuilder::new(board, defender, safe, reach);
            for &target in targets {
                if !builder.add_chain(target) {
                    return None;
                }
            }
            builder.grow();
            if builder.empty <= OPEN_GROUND || reach == REACHES[1] {
                return Some(builder.finish());
            }
        }
        None
    }

    /// The local board of these points. The stones beside them are walls. None if there are too
    /// many.
    pub(crate) fn of(board: &Board, points: &PointSet, defender: Color) -> Option<LocalBoard> {
        if points.len() > MOST_NODES {
            return None;
        }
        let mut builder = LocalBoardBuilder::new(board, defender, &PointSet::EMPTY, 0);
        builder.points = points.iter().collect();
        Some(builder.finish())
    }

    /// The local board of these points alone, with walls of one colour all around, whatever is there on
    /// the board. None if there are too many.
    pub(crate) fn within(board: &Board, points: &PointSet, walls: Color) -> Option<LocalBoard> {
        if points.len() > MOST_NODES {
            return None;
        }
        let mut builder = LocalBoardBuilder::new(board, walls.other(), &PointSet::EMPTY, 0);
        builder.points = points.iter().collect();
        builder.filled = true;
        Some(builder.finish())
    }

    /// A local board of empty nodes inside one chain of `color`, which has no other liberties and is
    /// surrounded by walls of the enemy: the last node is the chain.
    pub(crate) fn eye_space(space: &PointSet, size: Size, color: Color) -> Option<LocalBoard> {
        let points: Vec<Point> = space.iter().collect();
        if points.len() >= MOST_NODES {
            return None;
        }
        let chain = points.len();
        let mut beside: Vec<Nodes> = points
            .iter()
            .map(|point| {
                let mut nodes = 0;
                for (node, other) in points.iter().enumerate() {
                    if point.neighbors().contains(other) {
                        nodes |= 1 << node;
                    }
                }
                nodes
            })
            .collect();
        let mut liberties = 0;
        for (node, point) in points.iter().enumerate() {
            let chain_beside = |p: &Point| size.contains(*p) && !space.contains(*p);
            if point.neighbors().iter().any(chain_beside) {
                beside[node] |= 1 << chain;
                liberties |= 1 << node;
            }
        }
        beside.push(liberties);
        let mut stones = [0; 2];
        stones[color.index()] = 1 << chain;
        let all = Nodes::MAX >> (MOST_NODES - chain - 1);
        Some(LocalBoard {
            points,
            beside,
            walls: [0; 2],
            all,
            start: LocalPosition { stones, ko: 0 },
        })
    }

    /// The position that the board was built from.
    pub(crate) fn start(&self) -> LocalPosition {
        self.start
    }

    /// The node of a point.
    pub(crate) fn node(&self, point: Point) -> Option<usize> {
        self.points.iter().position(|&other| other == point)
    }

    /// The nodes of the chains at some points.
    pub(crate) fn chains_at(&self, points: &[Point]) -> Nodes {
        points
            .iter()
            .filter_map(|&point| self.node(point))
            .fold(0, |sum, node| sum | 1 << node)
    }

    #[inline]
    pub(crate) fn beside(&self, node: usize) -> Nodes {
        self.beside[node]
    }

    /// The nodes beside a wall of this colour.
    #[inline]
    pub(crate) fn walls(&self, color: Color) -> Nodes {
        self.walls[color.index()]
    }

    #[inline]
    pub(crate) fn all(&self) -> Nodes {
        self.all
    }

    #[inline]
    pub(crate) fn empty(&self, position: &LocalPosition) -> Nodes {
        self.all & !(position.stones[0] | position.stones[1])
    }

    /// The nodes beside a set, and perhaps in it.
    #[inline]
    pub(crate) fn around_nodes(&self, nodes: Nodes) -> Nodes {
        each(nodes).fold(0, |sum, node| sum | self.beside[node])
    }

    /// The part of `within` that is connected to `from`, with everything beside it.
    #[inline]
    pub(crate) fn flood(&self, from: Nodes, within: Nodes) -> (Nodes, Nodes) {
        let mut part = from;
        let mut rim = 0;
        let mut fresh = from;
        while fresh != 0 {
            let touched = self.around_nodes(fresh);
            rim |= touched;
            fresh = touched & within & !part;
            part |= fresh;
        }
        (part, rim)
    }

    /// The chain of a stone, with its liberties.
    #[inline]
    pub(crate) fn chain(&self, position: &LocalPosition, color: Color, node: usize) -> LocalChain {
        let (stones, rim) = self.flood(1 << node, position.stones[color.index()]);
        LocalChain {
            stones,
            liberties: rim & self.empty(position),
        }
    }

    /// Puts a stone on an empty node; none if that is suicide.
    #[inline]
    pub(crate) fn put(
        &self,
        position: &LocalPosition,
        color: Color,
        node: usize,
    ) -> Option<Played> {
        let (own, enemy) = (color.index(), color.other().index());
        let mut after = *position;
        after.ko = 0;
        after.stones[own] |= 1 << node;
        let mut taken = 0;
        let mut unseen = self.beside[node] & after.stones[enemy];
        while unseen != 0 {
            let chain = self.chain(&after, color.other(), unseen.trailing_zeros() as usize);
            unseen &= !chain.stones;
            if chain.liberties == 0 && chain.stones & self.walls[enemy] == 0 {
                taken |= chain.stones;
            }
        }
        after.stones[enemy] &= !taken;
        let free = self.empty(&after);
        let hemmed_in = self.beside[node] & (free & !taken | after.stones[own]) == 0
            && self.walls[own] >> node & 1 == 0;
        if taken == 0 {
            // Most moves have a liberty or a wall of their own: no need to walk the chain.
            let breathes = self.beside[node] & free != 0 || self.walls[own] >> node & 1 != 0;
            if !breathes {
                let chain = self.chain(&after, color, node);
                if chain.liberties == 0 && chain.stones & self.walls[own] == 0 {
                    return None;
                }
            }
        } else if taken.count_ones() == 1 && hemmed_in {
            after.ko = taken;
        }
        Some(Played {
            position: after,
            taken,
        })
    }
}

/// A local board while it is being built.
struct LocalBoardBuilder<'a> {
    board: &'a Board,
    defender: Color,
    safe: &'a PointSet,
    reach: u8,
    points: Vec<Point>,
    /// How far each point is from the chains in question; stones are at 0.
    steps: Vec<u8>,
    taken: PointSet,
    empty: usize,
    /// Whether the rest of the board is filled with the attacker's stones, as if there were no
    /// others.
    filled: bool,
}

impl<'a> LocalBoardBuilder<'a> {
    fn new(
        board: &'a Board,
        defender: Color,
        safe: &'a PointSet,
        reach: u8,
    ) -> LocalBoardBuilder<'a> {
        LocalBoardBuilder {
            board,
            defender,
            safe,
            reach,
            points: Vec::with_capacity(MOST_NODES),
            steps: Vec::with_capacity(MOST_NODES),
            taken: PointSet::EMPTY,
            empty: 0,
            filled: false,
        }
    }

    /// Takes a chain in; false if it doesn't fit.
    fn add_chain(&mut self, stone: Point) -> bool {
        if self.taken.contains(stone) {
            return true;
        }
        if self.points.len() + self.board.chain_len(stone) > MOST_NODES {
            return false;
        }
        for point in self.board.chain(stone) {
            self.taken.insert(point);
            self.points.push(point);
            self.steps.push(0);
        }
        true
    }

    fn add_empty(&mut self, point: Point, steps: u8) {
        let room = self.points.len() < MOST_NODES && self.empty < MOST_EMPTY;
        if room && self.taken.insert(point) {
            self.points.push(point);
            self.steps.push(steps);
            self.empty += 1;
        }
    }

    /// Takes in what the chains may need: the empty points around them, friends that can be
    /// reached over those, and the unsettled enemies beside any of it, with their liberties.
    fn grow(&mut self) {
        let mut next = 0;
        while let Some(&point) = self.points.get(next) {
            let steps = self.steps[next];
            next += 1;
            let here = self.board.stone(point);
            for beside in point.neighbors() {
                match (here, self.board.stone(beside)) {
                    _ if !self.board.size().contains(beside) => {}
                    (Some(color), None) => {
                        // The liberties of an enemy matter, what lies beyond them does not.
                        let near = if color == self.defender {
                            1
                        } else {
                            self.reach
                        };
                        self.add_empty(beside, near);
                    }
                    (None, None) => {
                        if steps < self.reach {
                            self.add_empty(beside, steps + 1);
                        }
                    }
                    (None, Some(color)) => {
                        let wanted = color != self.defender || steps < self.reach;
                        if wanted && !self.safe.contains(beside) {
                            self.add_chain(beside);
                        }
                    }
                    (Some(own), Some(other)) => {
                        let enemy_of_ours = own == self.defender && other != self.defender;
                        if enemy_of_ours && !self.safe.contains(beside) {
                            self.add_chain(beside);
                        }
                    }
                }
            }
        }
    }

    fn finish(self) -> LocalBoard {
        let mut nodes = vec![u8::MAX; self.board.size().padded()];
        for (node, point) in self.points.iter().enumerate() {
            nodes[point.index()] = node as u8;
        }
        let attacker = self.defender.other();
        let mut local = LocalBoard {
            beside: Vec::with_capacity(self.points.len()),
            walls: [0; 2],
            all: match self.points.len() {
                0 => 0,
                count => Nodes::MAX >> (MOST_NODES - count),
            },
            start: LocalPosition {
                stones: [0; 2],
                ko: 0,
            },
            points: Vec::new(),
        };
        for (node, &point) in self.points.iter().enumerate() {
            let bit = 1 << node;
            if let Some(color) = self.board.stone(point) {
                local.start.stones[color.index()] |= bit;
            }
            let mut beside = 0;
            for other in point.neighbors() {
                if !self.board.size().contains(other) {
                    continue;
                }
                match nodes[other.index()] {
                    u8::MAX => {
                        let wall = match self.board.stone(other) {
                            Some(color) if !self.filled => color,
                            _ => attacker,
                        };
                        local.walls[wall.index()] |= bit;
                    }
                    near => beside |= 1 << near,
                }
            }
            local.beside.push(beside);
        }
        local.points = self.points;
        local
    }
}
