//! Where each side can go among the dame, and what it can't get at.
//!
//! Not every game ends with its dame filled. An open region that touches both colours is nobody's
//! territory, but part of it may be as good as an eye, and it may connect stones, so whoever looks
//! for seki has to know what each side can reach there.
//!
//! The obstacle is a *choke point*: one that the owner's stones and the edge leave at most two ways
//! through. The enemy may push into a choke point, but the owner answers behind it. So a side walks
//! through the region from its own stones, freely as far as the enemy's choke points and into them,
//! and no further:
//!
//! ```text
//!     . . . . . .        The top row is out of White's reach: White pushes into
//!     c X X c X c        the choke points c, Black answers each push above. What is
//!     . . . . . .        left is an *open eye* of Black's: no territory, but
//!     O O O O O O        good for life.
//! ```
//!
//! Stones of one colour that can meet without passing an enemy choke point belong together.

use std::ops::Range;

use super::final_position::{EmptyRegion, FinalPosition};
use crate::board::{Color, Point, PointSet, Spot, UnionFind};
use crate::life::Contact;

/// The points in open regions that one side can't get at.
pub(super) struct OpenEyes {
    eyes: Vec<(Color, Range<usize>)>,
    /// The points of all eyes, one eye after the other.
    points: Vec<Point>,
    /// By owner: points of the eyes where it answers a push into a choke point.
    pub(super) answers: [PointSet; 2],
}

impl OpenEyes {
    /// The eyes, each by its owner and its points.
    pub(super) fn iter(&self) -> impl Iterator<Item = (Color, &[Point])> {
        let eyes = self.eyes.iter();
        eyes.map(|(owner, range)| (*owner, &self.points[range.clone()]))
    }
}

/// Joins the chains of each colour that can meet in open regions, and finds the open eyes.
pub(super) fn find_open_eyes(position: &FinalPosition, macro_chains: &mut UnionFind) -> OpenEyes {
    let mut eyes = OpenEyes {
        eyes: Vec::new(),
        points: Vec::new(),
        answers: [PointSet::EMPTY; 2],
    };
    for region in position.open_regions() {
        // A single dame is a liberty of all the chains around it.
        if region.points.len() == 1 {
            join_around(region, position, macro_chains);
        }
    }
    for color in Color::BOTH {
        walk(color, position, macro_chains, &mut eyes);
    }
    eyes
}

/// Joins the chains of each colour around the same open region, whatever the choke points.
pub(super) fn join_across(position: &FinalPosition, macro_chains: &mut UnionFind) {
    for region in position.open_regions() {
        join_around(region, position, macro_chains);
    }
}

/// Joins the chains of each colour around a region.
fn join_around(region: EmptyRegion, position: &FinalPosition, macro_chains: &mut UnionFind) {
    let mut first = [None; 2];
    for contact in region.contacts {
        let chain = contact.chain as usize;
        let first = first[position.color(chain).index()].get_or_insert(chain);
        macro_chains.join(*first, chain);
    }
}

/// Whether the point is a choke point of this colour's.
fn is_choke_point(position: &FinalPosition, point: Point, owner: Color) -> bool {
    let ways = point
        .neighbors()
        .into_iter()
        .filter(|&beside| {
            position.spot(beside) != Spot::Edge && position.spot(beside) != owner.spot()
        })
        .count();
    ways <= 2
}

/// In place of the number of a chain.
const NOBODY: u16 = u16::MAX;

fn walk(color: Color, position: &FinalPosition, macro_chains: &mut UnionFind, eyes: &mut OpenEyes) {
    let enemy = color.other();
    let mut out_of_reach = *position.open();
    // By point: the first chain that came there.
    let mut reached_by = vec![NOBODY; position.size().padded()];
    // Enemy choke points that can be pushed into.
    let mut pushed = PointSet::EMPTY;
    let mut stack = Vec::with_capacity(64);
    for region in position.open_regions().filter(|r| r.points.len() > 1) {
        let is_own = |contact: &&Contact| position.color(contact.chain as usize) == color;
        for &Contact { point, chain } in region.contacts.iter().filter(is_own) {
            let first = &mut reached_by[point.index()];
            if *first == NOBODY {
                *first = chain;
            }
            macro_chains.join(*first as usize, chain as usize);
            if !out_of_reach.contains(point) {
                continue;
            }
            stack.push(point);
            out_of_reach.remove(point);
            while let Some(point) = stack.pop() {
                if is_choke_point(position, point, enemy) {
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
