//! Where each side can go among the dame, and what it can't get at.
//!
//! Not every game ends with its dame filled. An open region that touches both colours is nobody's
//! territory, but part of it may be as good as an eye, and it may connect stones, so whoever looks
//! for seki has to know what each side can reach there.
//!
//! The obstacle is a *choke point*: an empty point between two stones of the owner's, or a stone and
//! the edge. The enemy may push into it, but the owner answers behind. So a side walks through the
//! region from its own stones, freely as far as the enemy's choke points and into them, and no
//! further:
//!
//! ```text
//!     . . . . . .        The top row is out of White's reach: White pushes into
//!     c X X c X c        the choke points c, Black answers each push above. What is
//!     . . . . . .        left is an *open eye* of Black's: no territory, but
//!     O O O O O O        good for life.
//! ```
//!
//! The answer has to hold. Where the enemy already stands behind, or beside the place of the answer,
//! there is nothing to answer. And where an enemy stone stands right in front, the first push comes
//! before the owner can close the gap, so the answer has to stand beside another of the owner's
//! stones.
//!
//! Stones of one colour that can meet among the dame, without passing an enemy choke point, belong
//! together. In an open eye of their own they don't meet yet: the enemy can't come there, but it may
//! take a move to connect.

use std::ops::Range;

use super::final_position::{EmptyRegion, FinalPosition};
use crate::board::{Color, Point, PointSet, Spot, UnionFind};
use crate::life::Contact;

/// The points in open regions that one side can't get at.
pub(super) struct OpenEyes {
    eyes: Vec<Extent>,
    /// The points of all eyes, one eye after the other, each followed by its choke points.
    points: Vec<Point>,
}

/// Where the points of an eye are.
struct Extent {
    owner: Color,
    points: Range<usize>,
    choke_points: Range<usize>,
}

/// Points that one side surrounds, all but for some choke points.
pub(super) struct Space<'a> {
    pub(super) owner: Color,
    pub(super) points: &'a [Point],
    /// Where the enemy can push against them.
    pub(super) choke_points: &'a [Point],
}

impl OpenEyes {
    pub(super) fn iter(&self) -> impl Iterator<Item = Space<'_>> {
        self.eyes.iter().map(|eye| Space {
            owner: eye.owner,
            points: &self.points[eye.points.clone()],
            choke_points: &self.points[eye.choke_points.clone()],
        })
    }

    /// Adds the connected parts of those points of a region that only the owner can come to.
    fn find(
        &mut self,
        owner: Color,
        region: &EmptyRegion,
        mut points: PointSet,
        choke_points: &PointSet,
    ) {
        let mut stack = Vec::new();
        let mut beside_eye = Vec::new();
        for &start in region.points {
            if !points.contains(start) {
                continue;
            }
            let first = self.points.len();
            points.remove(start);
            stack.push(start);
            while let Some(point) = stack.pop() {
                self.points.push(point);
                for beside in point.neighbors() {
                    if points.contains(beside) {
                        points.remove(beside);
                        stack.push(beside);
                    } else if choke_points.contains(beside) {
                        beside_eye.push(beside);
                    }
                }
            }
            let end = self.points.len();
            beside_eye.retain(|point| !self.points[first..].contains(point));
            beside_eye.sort_unstable();
            beside_eye.dedup();
            self.points.append(&mut beside_eye);
            self.eyes.push(Extent {
                owner,
                points: first..end,
                choke_points: end..self.points.len(),
            });
        }
    }
}

/// Joins the chains of each colour that can meet in open regions, and finds the open eyes.
pub(super) fn find_open_eyes(position: &FinalPosition, macro_chains: &mut UnionFind) -> OpenEyes {
    let mut eyes = OpenEyes {
        eyes: Vec::new(),
        points: Vec::new(),
    };
    let mut wide = Vec::new();
    for region in position.open_regions() {
        // A single dame is a liberty of all the chains around it.
        match region.points.len() {
            1 => join_around(region, position, macro_chains),
            _ => wide.push(region),
        }
    }
    if wide.is_empty() {
        return eyes;
    }
    let choke_points = Color::BOTH.map(|owner| {
        let points = wide.iter().flat_map(|region| region.points).copied();
        let held = points.filter(|&point| is_choke_point(position, point, owner));
        held.collect::<PointSet>()
    });
    let reach = Color::BOTH.map(|color| {
        let mut reach = PointSet::EMPTY;
        for region in &wide {
            walk(color, region, position, &choke_points, &mut reach);
        }
        reach
    });
    for color in Color::BOTH {
        let [own, enemy] = [color, color.other()].map(|color| &reach[color.index()]);
        let own_choke_points = &choke_points[color.index()];
        for region in &wide {
            eyes.find(color, region, *own & !*enemy, own_choke_points);
        }
        // Where the enemy can't come there is nothing to connect for, and where the enemy can
        // hold its ground one can't.
        let meeting = *own & *enemy & !choke_points[color.other().index()];
        join_within(color, &wide, position, meeting, macro_chains);
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
    let own = owner.spot();
    let free = |spot: Spot| spot == Spot::Empty || spot == own;
    let [up, left, right, down] = point.neighbors().map(|beside| position.spot(beside));
    let is_between = |a: Spot, b: Spot| {
        (a == own || b == own) && [a, b].iter().all(|&side| side == own || side == Spot::Edge)
    };
    let (upright, level) = (is_between(left, right), is_between(up, down));
    let may_fork = [up, left, right, down].into_iter().all(free);
    if !(upright || level || may_fork) || position.dead_stone(point).is_some() {
        return false;
    }
    let [up_left, up_right, down_left, down_right] =
        point.diagonals().map(|beside| position.spot(beside));
    // Whether the owner can answer behind a push from the front, between these two points.
    let answers = |front: Spot, behind: Spot, beside: [Spot; 2]| {
        free(behind)
            && beside.iter().all(|&spot| free(spot) || spot == Spot::Edge)
            && (free(front) || beside.contains(&own))
    };
    // Three ways meet beside a stone; the one away from it leads between two others.
    let forks = |stone: Spot, gap: [Spot; 2], beside: [Spot; 2]| {
        may_fork && stone == own && gap == [own; 2] && beside.into_iter().all(free)
    };
    let (above, below) = ([up_left, up_right], [down_left, down_right]);
    let (before, after) = ([up_left, down_left], [up_right, down_right]);
    upright && (answers(up, down, below) || answers(down, up, above))
        || level && (answers(left, right, after) || answers(right, left, before))
        || forks(up, below, above)
        || forks(down, above, below)
        || forks(left, after, before)
        || forks(right, before, after)
}

/// Adds the points of a region that this colour can come to from its own stones.
fn walk(
    color: Color,
    region: &EmptyRegion,
    position: &FinalPosition,
    choke_points: &[PointSet; 2],
    reach: &mut PointSet,
) {
    let barred = &choke_points[color.other().index()];
    let mut stack: Vec<Point> = Vec::with_capacity(64);
    for &Contact { point, chain } in region.contacts {
        if position.color(chain as usize) == color && reach.insert(point) {
            stack.push(point);
        }
    }
    while let Some(point) = stack.pop() {
        if barred.contains(point) {
            continue;
        }
        for beside in point.neighbors() {
            if position.open().contains(beside) && reach.insert(beside) {
                stack.push(beside);
            }
        }
    }
}

/// Joins the chains of a colour that touch the same connected part of these points.
fn join_within(
    color: Color,
    regions: &[EmptyRegion],
    position: &FinalPosition,
    mut points: PointSet,
    macro_chains: &mut UnionFind,
) {
    // By point: the first chain that came there.
    let mut reached_by = vec![NOBODY; position.size().padded()];
    let mut stack = Vec::with_capacity(64);
    for &Contact { point, chain } in regions.iter().flat_map(|region| region.contacts) {
        if position.color(chain as usize) != color {
            continue;
        }
        if points.contains(point) {
            points.remove(point);
            stack.push(point);
        }
        while let Some(point) = stack.pop() {
            reached_by[point.index()] = chain;
            for beside in point.neighbors() {
                if points.contains(beside) {
                    points.remove(beside);
                    stack.push(beside);
                }
            }
        }
        let first = reached_by[point.index()];
        if first != NOBODY {
            macro_chains.join(first as usize, chain as usize);
        }
    }
}

/// In place of the number of a chain.
const NOBODY: u16 = u16::MAX;

#[cfg(test)]
mod tests {
    use super::super::score::tests::counted;
    use crate::rules::Preset;

    #[test]
    fn an_open_eye_is_an_eye_if_its_owner_can_still_close_it() {
        // White can push above the corner, and Black can close there: one eye, and another below.
        counted(
            "
            O . . X O .     O . . X O w
            O X X X O O     O X X X O O
            O X . X O .     O X b X O w
            O X X X O O     O X X X O O
            O O O O O .     O O O O O w
            ",
            Preset::Japanese,
        );
    }

    #[test]
    fn an_open_eye_that_can_be_pushed_from_two_sides_is_none() {
        counted(
            "
            . O . . . O .     w O . . . O w
            O O X . X O O     O O # . # O O
            . O X X X O .     w O # # # O w
            O O X . X O O     O O # . # O O
            . O X X X O .     w O # # # O w
            . O O O O O .     w O O O O O w
            ",
            Preset::Japanese,
        );
    }

    #[test]
    fn a_gap_holds_only_where_the_answer_behind_it_does() {
        // White stands behind both gaps in Black's row already: Black has a single eye.
        counted(
            "
            . O . . . . O .     w O . . . . O w
            O O X . X X O O     O O # . # # O O
            . O . . O O O .     w O . . O O O w
            O O X X X X O O     O O # # # # O O
            . O X . X X O .     w O # . # # O w
            ",
            Preset::Japanese,
        );
    }

    #[test]
    fn a_row_of_one_has_no_gaps_to_hold() {
        counted(". X . X . O .     . # . # . @ .", Preset::Japanese);
    }
}
