//! Where each side can go among the dame, and what it can't get at.
//!
//! Not every game ends with its dame filled. An open region that touches both colours is nobody's
//! territory, but part of it may be as good as an eye, and it may connect stones, so a reading of
//! seki has to know what each side can reach there.
//!
//! The obstacle is a *gate*: a point that the owner's stones and the edge leave at most two ways
//! through. The enemy may push into a gate, but the owner answers behind it. So a side walks
//! through the region from its own stones, freely as far as the enemy's gates and into them, and
//! no further:
//!
//! ```text
//!     . . . . . .        The top row is out of White's reach: White pushes into
//!     g X X g X g        the gates g, Black answers each push above it. What is
//!     . . . . . .        left is a *loose eye* of Black's: no territory, but
//!     O O O O O O        good for life.
//! ```
//!
//! Stones of one colour that can meet without passing an enemy gate belong together.

use std::ops::Range;

use super::final_position::{Contact, Ground, Region};
use crate::board::UnionFind;
use crate::board::{Color, Point, PointSet, Spot};

/// The points in open regions that one side can't get at.
pub(super) struct LooseEyes {
    eyes: Vec<(Color, Range<usize>)>,
    /// The points of all eyes, one eye after the other.
    points: Vec<Point>,
    /// By owner: points of the eyes where it answers a push into a gate.
    pub(super) answers: [PointSet; 2],
}

impl LooseEyes {
    /// The eyes, each by its owner and its points.
    pub(super) fn iter(&self) -> impl Iterator<Item = (Color, &[Point])> {
        let eyes = self.eyes.iter();
        eyes.map(|(owner, range)| (*owner, &self.points[range.clone()]))
    }
}

/// Joins the chains of each colour that can meet in open regions, and finds the loose eyes.
pub(super) fn walk(ground: &Ground, pieces: &mut UnionFind) -> LooseEyes {
    let mut eyes = LooseEyes {
        eyes: Vec::new(),
        points: Vec::new(),
        answers: [PointSet::EMPTY; 2],
    };
    for region in ground.open_regions() {
        // A single dame is a liberty of all the chains around it.
        if region.points.len() == 1 {
            join_around(region, ground, pieces);
        }
    }
    for color in Color::BOTH {
        walk_as(color, ground, pieces, &mut eyes);
    }
    eyes
}

/// Joins the chains of each colour around the same open region, gates or no gates.
pub(super) fn join_across(ground: &Ground, pieces: &mut UnionFind) {
    for region in ground.open_regions() {
        join_around(region, ground, pieces);
    }
}

/// Joins the chains of each colour around a region.
fn join_around(region: Region, ground: &Ground, pieces: &mut UnionFind) {
    let mut first = [None; 2];
    for contact in region.contacts {
        let chain = contact.chain as usize;
        let first = first[ground.color(chain).index()].get_or_insert(chain);
        pieces.join(*first, chain);
    }
}

/// Whether the point is a gate of this colour's.
fn is_gate(ground: &Ground, point: Point, owner: Color) -> bool {
    let ways = point
        .neighbors()
        .into_iter()
        .filter(|&beside| ground.spot(beside) != Spot::Edge && ground.spot(beside) != owner.spot())
        .count();
    ways <= 2
}

/// In place of the number of a chain.
const NOBODY: u16 = u16::MAX;

fn walk_as(color: Color, ground: &Ground, pieces: &mut UnionFind, eyes: &mut LooseEyes) {
    let enemy = color.other();
    let mut out_of_reach = *ground.open();
    // By point: the first chain that came there.
    let mut reached_by = vec![NOBODY; ground.size().padded()];
    // Enemy gates that can be pushed into.
    let mut pushed = PointSet::EMPTY;
    let mut stack = Vec::with_capacity(64);
    for region in ground.open_regions().filter(|r| r.points.len() > 1) {
        let is_own = |contact: &&Contact| ground.color(contact.chain as usize) == color;
        for &Contact { point, chain } in region.contacts.iter().filter(is_own) {
            let first = &mut reached_by[point.index()];
            if *first == NOBODY {
                *first = chain;
            }
            pieces.join(*first as usize, chain as usize);
            if !out_of_reach.contains(point) {
                continue;
            }
            stack.push(point);
            out_of_reach.remove(point);
            while let Some(point) = stack.pop() {
                if is_gate(ground, point, enemy) {
                    pushed.insert(point);
                    continue;
                }
                reached_by[point.index()] = chain;
                for beside in point.neighbors() {
                    if out_of_reach.contains(beside) {
                        out_of_reach.remove(beside);
                        stack.push(beside);
                    }
                }
            }
        }
        for &start in region.points {
            if !out_of_reach.contains(start) {
                continue;
            }
            let first = eyes.points.len();
            out_of_reach.remove(start);
            stack.push(start);
            while let Some(point) = stack.pop() {
                eyes.points.push(point);
                for beside in point.neighbors() {
                    if out_of_reach.contains(beside) {
                        out_of_reach.remove(beside);
                        stack.push(beside);
                    } else if pushed.contains(beside) {
                        eyes.answers[enemy.index()].insert(point);
                    }
                }
            }
            eyes.eyes.push((enemy, first..eyes.points.len()));
        }
    }
}
