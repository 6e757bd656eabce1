//! A position taken apart: its chains, its empty regions, and which lie beside which.
//!
//! The board keeps chains for playing; deciding who lives asks for each chain's liberties, its
//! enemies, its friends and the regions beside it, again and again. They are listed here once.

use crate::board::{Board, Color, Point, Spot};

/// A chain and what lies beside it. Other chains and regions are named by their index.
#[derive(Clone, Debug)]
pub struct ChainNode {
    pub color: Color,
    pub stones: Vec<Point>,
    pub liberties: Vec<Point>,
    /// Enemy chains beside it.
    pub enemies: Vec<usize>,
    /// Chains of its own colour that touch it diagonally or share a liberty with it.
    pub friends: Vec<usize>,
    /// Empty regions beside it.
    pub regions: Vec<usize>,
}

impl ChainNode {
    /// How many liberties two chains have in common.
    pub fn shared_liberties(&self, other: &ChainNode) -> usize {
        self.liberties
            .iter()
            .filter(|point| other.liberties.contains(point))
            .count()
    }
}

/// A connected part of the empty points.
#[derive(Clone, Copy, Debug)]
pub struct RegionNode {
    pub points: usize,
    /// Whether a black and a white stone lie beside it.
    pub touches: [bool; 2],
}

impl RegionNode {
    /// Whether stones of both colours lie beside it.
    pub fn is_mixed(&self) -> bool {
        self.touches == [true, true]
    }
}

/// All chains and empty regions of a position, in the order of their first points.
#[derive(Clone, Debug)]
pub struct PositionGraph {
    pub chains: Vec<ChainNode>,
    pub regions: Vec<RegionNode>,
    /// The index of the chain or of the empty region at each point.
    at: Vec<u16>,
}

const NOTHING: u16 = u16::MAX;

impl PositionGraph {
    pub fn new(board: &Board) -> PositionGraph {
        let size = board.size();
        let mut graph = PositionGraph {
            chains: Vec::new(),
            regions: Vec::new(),
            at: vec![NOTHING; size.padded()],
        };
        for point in size.points() {
            if graph.at[point.index()] == NOTHING {
                graph.add_connected(board, point);
            }
        }
        for index in 0..graph.chains.len() {
            graph.look_around(board, index);
        }
        graph
    }

    /// The chain on a point, which must hold a stone.
    #[inline]
    pub fn chain_at(&self, point: Point) -> usize {
        self.at[point.index()] as usize
    }

    /// The region on a point, which must be empty.
    #[inline]
    pub fn region_at(&self, point: Point) -> usize {
        self.at[point.index()] as usize
    }

    /// Adds the chain or the region at `start`.
    fn add_connected(&mut self, board: &Board, start: Point) {
        let spot = board.spot(start);
        let index = if spot == Spot::Empty {
            self.regions.len()
        } else {
            self.chains.len()
        } as u16;
        let mut touches = [false; 2];
        let mut points = vec![start];
        self.at[start.index()] = index;
        let mut next = 0;
        while let Some(&point) = points.get(next) {
            next += 1;
            for beside in point.neighbors() {
                let other = board.spot(beside);
                if other == spot {
                    if self.at[beside.index()] == NOTHING {
                        self.at[beside.index()] = index;
                        points.push(beside);
                    }
                } else if let Some(color) = other.color() {
                    touches[color.index()] = true;
                }
            }
        }
        match spot.color() {
            None => self.regions.push(RegionNode {
                points: points.len(),
                touches,
            }),
            Some(color) => self.chains.push(ChainNode {
                color,
                stones: points,
                liberties: Vec::new(),
                enemies: Vec::new(),
                friends: Vec::new(),
                regions: Vec::new(),
            }),
        }
    }

    /// Fills in what lies beside a chain.
    fn look_around(&mut self, board: &Board, index: usize) {
        fn note<T: PartialEq>(list: &mut Vec<T>, item: T) -> bool {
            let new = !list.contains(&item);
            if new {
                list.push(item);
            }
            new
        }
        let stones = std::mem::take(&mut self.chains[index].stones);
        let own = self.chains[index].color.spot();
        let (mut liberties, mut enemies, mut friends, mut regions) =
            (vec![], vec![], vec![], vec![]);
        let mut befriend = |at: &[u16], point: Point| {
            if board.spot(point) == own && at[point.index()] as usize != index {
                note(&mut friends, at[point.index()] as usize);
            }
        };
        for &stone in &stones {
            for beside in stone.neighbors() {
                match board.spot(beside) {
                    Spot::Edge => {}
                    Spot::Empty if note(&mut liberties, beside) => {
                        note(&mut regions, self.region_at(beside));
                        for beyond in beside.neighbors() {
                            befriend(&self.at, beyond);
                        }
                    }
                    Spot::Empty => {}
                    spot if spot != own => {
                        note(&mut enemies, self.chain_at(beside));
                    }
                    _ => {}
                }
            }
            for corner in stone.diagonals() {
                befriend(&self.at, corner);
            }
        }
        let chain = &mut self.chains[index];
        (chain.stones, chain.liberties, chain.enemies) = (stones, liberties, enemies);
        (chain.friends, chain.regions) = (friends, regions);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chains_know_their_liberties_enemies_and_friends() {
        let board: Board = "
            . X . X O
            X . X X O
            O O O O .
            . . . . .
            . . . . .
        "
        .parse()
        .unwrap();
        let graph = PositionGraph::new(&board);
        let at = |x, y| &graph.chains[graph.chain_at(Point::new(x, y))];
        assert_eq!(at(1, 0).liberties.len(), 3);
        assert_eq!(at(1, 0).friends.len(), 2);
        assert_eq!(at(2, 1).stones.len(), 3);
        assert_eq!(at(2, 1).enemies.len(), 2);
        assert_eq!(at(2, 1).shared_liberties(at(1, 0)), 2);
        assert_eq!(at(0, 2).liberties.len(), 6);
        let corner = graph.regions[graph.region_at(Point::new(0, 0))];
        assert_eq!((corner.points, corner.touches), (1, [true, false]));
        assert!(!corner.is_mixed());
        assert!(graph.regions[graph.region_at(Point::new(1, 1))].is_mixed());
    }
}
