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

use super::ground::Ground;
use super::union::Union;
use crate::rules::{Color, Point, Spot};

/// Points in open regions that the other side can't get at.
pub(super) struct LooseEye {
    pub(super) owner: Color,
    pub(super) points: Vec<Point>,
    /// Points of the eye where its owner answers a push into a gate.
    pub(super) answers: Vec<Point>,
}

/// What a walk through the open regions has found out about a point.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    No,
    /// It is an enemy gate that can be pushed into.
    Gate,
    Yes,
}

/// Joins the chains of each colour that can meet in open regions, and finds the loose eyes.
pub(super) fn walk(ground: &Ground, pieces: &mut Union) -> Vec<LooseEye> {
    let mut eyes = Vec::new();
    let mut open: Vec<Point> = Vec::new();
    for region in ground.regions().filter(|&r| ground.owner(r).is_none()) {
        open.extend(ground.points(region));
    }
    for color in Color::BOTH {
        walk_as(color, ground, &open, pieces, &mut eyes);
    }
    eyes
}

/// Joins the chains of each colour around the same open region, gates or no gates.
pub(super) fn join_across(ground: &Ground, pieces: &mut Union) {
    for region in ground.regions().filter(|&r| ground.owner(r).is_none()) {
        let mut first = [None; 2];
        for beside in ground.points(region).iter().flat_map(|p| p.neighbors()) {
            if let Some(color) = ground.spot(beside).color() {
                let chain = ground.part(beside);
                let first = *first[color.index()].get_or_insert(chain);
                pieces.join(first, chain);
            }
        }
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

fn walk_as(
    color: Color,
    ground: &Ground,
    open: &[Point],
    pieces: &mut Union,
    eyes: &mut Vec<LooseEye>,
) {
    let enemy = color.other();
    let mut reach = vec![Reach::No; ground.size().padded()];
    let mut stack = Vec::new();
    for &start in open {
        let chains = |point: Point| {
            point
                .neighbors()
                .into_iter()
                .filter(|&beside| ground.spot(beside) == color.spot())
                .map(|beside| ground.part(beside))
        };
        let Some(first) = chains(start).next() else {
            continue;
        };
        // Chains with a liberty in common meet there at once.
        for chain in chains(start) {
            pieces.join(first, chain);
        }
        if reach[start.index()] != Reach::No {
            continue;
        }
        if is_gate(ground, start, enemy) {
            reach[start.index()] = Reach::Gate;
            continue;
        }
        reach[start.index()] = Reach::Yes;
        stack.push(start);
        while let Some(point) = stack.pop() {
            for chain in chains(point) {
                pieces.join(first, chain);
            }
            for beside in point.neighbors() {
                if ground.spot(beside) == Spot::Empty && reach[beside.index()] == Reach::No {
                    if is_gate(ground, beside, enemy) {
                        reach[beside.index()] = Reach::Gate;
                    } else {
                        reach[beside.index()] = Reach::Yes;
                        stack.push(beside);
                    }
                }
            }
        }
    }
    for &start in open {
        if reach[start.index()] != Reach::No {
            continue;
        }
        let mut eye = LooseEye {
            owner: enemy,
            points: Vec::new(),
            answers: Vec::new(),
        };
        reach[start.index()] = Reach::Yes;
        stack.push(start);
        while let Some(point) = stack.pop() {
            eye.points.push(point);
            let mut pushed = false;
            for beside in point.neighbors() {
                if ground.spot(beside) != Spot::Empty {
                    continue;
                }
                match reach[beside.index()] {
                    Reach::No => {
                        reach[beside.index()] = Reach::Yes;
                        stack.push(beside);
                    }
                    Reach::Gate => pushed = true,
                    Reach::Yes => {}
                }
            }
            if pushed {
                eye.answers.push(point);
            }
        }
        eyes.push(eye);
    }
}
