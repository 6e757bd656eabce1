//! Zones: territory to be.
//!
//! A zone is a connected area of empty points and of stones that are taken for dead. Once those are
//! off the board, a zone that living stones of one colour touch is that colour's territory.

use super::position_graph::Sketch;
use crate::board::{Board, Color, Point, Spot};

/// A connected area of empty points and dead stones.
pub(super) struct Zone {
    /// How many points it has.
    pub points: f32,
    /// Whether a living stone of each colour touches it.
    touches: [bool; 2],
}

/// All zones of a position.
pub(super) struct Zones {
    at: Vec<u16>,
    zones: Vec<Zone>,
}

const NONE: u16 = u16::MAX;

impl Zones {
    /// Finds the zones if these chains are dead, and calls `visit` with the zone of each point.
    pub fn new(
        board: &Board,
        sketch: &Sketch,
        is_dead: impl Fn(usize) -> bool,
        mut visit: impl FnMut(usize, Point),
    ) -> Zones {
        let is_open = |point: Point| match board.spot(point) {
            Spot::Empty => true,
            Spot::Edge => false,
            _ => is_dead(sketch.chain_at(point)),
        };
        let mut at = vec![NONE; board.size().padded()];
        let mut zones: Vec<Zone> = Vec::new();
        let mut stack = Vec::new();
        for start in board.size().points() {
            if at[start.index()] != NONE || !is_open(start) {
                continue;
            }
            let index = zones.len();
            let mut zone = Zone {
                points: 0.0,
                touches: [false; 2],
            };
            at[start.index()] = index as u16;
            stack.push(start);
            while let Some(point) = stack.pop() {
                zone.points += 1.0;
                visit(index, point);
                for beside in point.neighbors() {
                    if is_open(beside) {
                        if at[beside.index()] == NONE {
                            at[beside.index()] = index as u16;
                            stack.push(beside);
                        }
                    } else if let Some(color) = board.stone(beside) {
                        zone.touches[color.index()] = true;
                    }
                }
            }
            zones.push(zone);
        }
        Zones { at, zones }
    }

    /// The zone that a point is part of, by its number.
    #[inline]
    pub fn at(&self, point: Point) -> Option<usize> {
        let zone = self.at[point.index()];
        (zone != NONE).then_some(zone as usize)
    }

    #[inline]
    pub fn zone(&self, zone: usize) -> &Zone {
        &self.zones[zone]
    }
}

impl Zone {
    /// Whether no living stone of this colour touches it.
    #[inline]
    pub fn is_free_of(&self, color: Color) -> bool {
        !self.touches[color.index()]
    }
}
