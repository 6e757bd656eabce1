//! Potential territory: what is surrounded once some stones are taken for dead.
//!
//! A potential territory is a connected area of empty points and of stones that are taken for dead. Once those are
//! off the board, one that living stones of one colour touch is that colour's territory.

use super::position_graph::PositionGraph;
use crate::board::{Board, Color, Point, Spot};

/// A connected area of empty points and dead stones.
pub(super) struct PotentialTerritory {
    /// How many points it has.
    pub points: f32,
    /// Whether a living stone of each colour touches it.
    touches: [bool; 2],
}

/// All territories of a position.
pub(super) struct PotentialTerritories {
    at: Vec<u16>,
    territories: Vec<PotentialTerritory>,
}

const NONE: u16 = u16::MAX;

impl PotentialTerritories {
    /// Finds the territories if these chains are dead, and calls `visit` with the territory of each point.
    pub fn new(
        board: &Board,
        graph: &PositionGraph,
        is_dead: impl Fn(usize) -> bool,
        mut visit: impl FnMut(usize, Point),
    ) -> PotentialTerritories {
        let is_open = |point: Point| match board.spot(point) {
            Spot::Empty => true,
            Spot::Edge => false,
            _ => is_dead(graph.chain_at(point)),
        };
        let mut at = vec![NONE; board.size().padded()];
        let mut territories: Vec<PotentialTerritory> = Vec::new();
        let mut stack = Vec::new();
        for start in board.size().points() {
            if at[start.index()] != NONE || !is_open(start) {
                continue;
            }
            let index = territories.len();
            let mut territory = PotentialTerritory {
                points: 0.0,
                touches: [false; 2],
            };
            at[start.index()] = index as u16;
            stack.push(start);
            while let Some(point) = stack.pop() {
                territory.points += 1.0;
                visit(index, point);
                for beside in point.neighbors() {
                    if is_open(beside) {
                        if at[beside.index()] == NONE {
                            at[beside.index()] = index as u16;
                            stack.push(beside);
                        }
                    } else if let Some(color) = board.stone(beside) {
                        territory.touches[color.index()] = true;
                    }
                }
            }
            territories.push(territory);
        }
        PotentialTerritories { at, territories }
    }

    /// The territory that a point is part of, by its number.
    #[inline]
    pub fn at(&self, point: Point) -> Option<usize> {
        let territory = self.at[point.index()];
        (territory != NONE).then_some(territory as usize)
    }

    #[inline]
    pub fn get(&self, territory: usize) -> &PotentialTerritory {
        &self.territories[territory]
    }
}

impl PotentialTerritory {
    /// Whether no living stone of this colour touches it.
    #[inline]
    pub fn is_free_of(&self, color: Color) -> bool {
        !self.touches[color.index()]
    }
}
