//! Where handicap stones stand that a record only announces.
//!
//! Some servers leave fixed handicap stones out of their records: `HA[4]`, no `AB[]`, and White
//! moves first. The stones are then on the star points, in the order that the Go Text Protocol has
//! and that Fox plays: two in opposite corners, the upper left, the lower right, the sides. Books
//! put the third stone into the lower right. The moves tell which it was, and whether the stones
//! were there at all: nobody plays where a stone stands.

use super::opening::Opening;
use crate::board::{Color, Illegal, Point, PointSet, Size};
use crate::rules::{History, Rules};
use crate::sgf::{Step, StepKind, Target};

/// The stones that the record announces and leaves out, if the moves go with them.
pub(super) fn announced_stones<'a>(
    opening: &Opening,
    size: Size,
    rules: &Rules,
    steps: impl Iterator<Item = &'a Step> + Clone,
) -> Option<PointSet> {
    let stones = opening.announced.filter(|_| opening.stones_are_missing())?;
    let conflicts = |placed: &PointSet| conflicts(placed, size, rules, steps.clone());
    let least = placements(size, stones)
        .into_iter()
        .map(|placed| (conflicts(&placed), placed))
        // The first of those that are as good.
        .min_by_key(|(conflicts, _)| *conflicts)?;
    (least.0 == 0 || least.0 < conflicts(&PointSet::EMPTY)).then_some(least.1)
}

/// The ways in which this many stones are put on the star points.
fn placements(size: Size, stones: u32) -> Vec<PointSet> {
    let (width, height) = (size.width(), size.height());
    if width != height || width < 7 {
        return Vec::new();
    }
    let near = if width < 13 { 2 } else { 3 };
    let (far, middle) = (width - 1 - near, width / 2);
    let has_middle = width % 2 == 1 && width > 7;
    let corners = [(far, near), (near, far), (near, near), (far, far)];
    let sides = [(near, middle), (far, middle), (middle, near), (middle, far)];
    let set = |points: &[(u8, u8)]| -> PointSet {
        points
            .iter()
            .filter_map(|&(x, y)| size.point(x, y))
            .collect()
    };
    match stones {
        3 => vec![
            set(&corners[..3]),
            set(&[corners[0], corners[1], corners[3]]),
        ],
        2 | 4 => vec![set(&corners[..stones as usize])],
        5..=9 if has_middle => {
            let mut points = corners.to_vec();
            points.extend(&sides[..(stones as usize - 4) / 2 * 2]);
            points.extend((stones % 2 == 1).then_some((middle, middle)));
            vec![set(&points)]
        }
        _ => Vec::new(),
    }
}

/// How many moves can't have been played with these stones on the board from the start.
fn conflicts<'a>(
    placed: &PointSet,
    size: Size,
    rules: &Rules,
    steps: impl Iterator<Item = &'a Step>,
) -> u32 {
    let mut history = History::new(size, rules);
    history.edit(Color::White, |board| {
        for point in placed.iter() {
            board.set(point, Some(Color::Black));
        }
    });
    let mut conflicts = 0;
    for step in steps {
        match &step.kind {
            StepKind::Move {
                color,
                target: Target::Point(point),
            } => {
                let illegal = history.follow(*color, *point).illegal;
                conflicts += u32::from(matches!(
                    illegal,
                    Some(Illegal::Occupied | Illegal::Suicide)
                ));
            }
            StepKind::Move { color, .. } => history.pass(*color),
            StepKind::Setup(_) => break,
            StepKind::ToPlay(_) | StepKind::Forced => {}
        }
    }
    conflicts
}

/// The names of some stones: `Q16, D4`.
pub(super) fn names(stones: &PointSet, size: Size) -> String {
    let names: Vec<String> = stones.iter().map(|point: Point| size.name(point)).collect();
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Code;
    use crate::replay::replay;
    use crate::sgf::{self, Limits};

    fn stones(sgf: &str) -> (String, u32, Vec<Code>) {
        let collection = sgf::parse(sgf.as_bytes(), &Limits::default());
        let game = &collection.games[0];
        let replayed = replay(game, &Rules::default());
        let black = replayed.board.stones(Color::Black);
        (
            names(&black, game.size),
            replayed.illegal,
            replayed.findings.iter().map(|f| f.code).collect(),
        )
    }

    #[test]
    fn stones_that_are_only_announced_stand_on_the_star_points() {
        let (black, illegal, codes) = stones("(;SZ[9]HA[2];W[gg])");
        assert_eq!((black.as_str(), illegal), ("G7, C3", 0));
        assert_eq!(codes, [Code::HandicapMismatch]);
        assert_eq!(stones("(;SZ[9]HA[5];W[gd])").0, "C7, G7, E5, C3, G3");
        assert_eq!(
            stones("(;SZ[13]HA[8];W[aa])").0,
            "D10, G10, K10, D7, K7, D4, G4, K4"
        );
    }

    #[test]
    fn the_moves_tell_where_the_third_stone_stands() {
        assert_eq!(stones("(;SZ[9]HA[3];W[gg])").0, "C7, G7, C3");
        assert_eq!(stones("(;SZ[9]HA[3];W[cc])").0, "G7, C3, G3");
        // Neither: White plays in all four corners.
        let (black, illegal, _) = stones("(;SZ[9]HA[3];W[cc];B[aa];W[gg];B[ba];W[cg];B[ca];W[gc])");
        assert_eq!((black.as_str(), illegal), ("A9, B9, C9", 0));
    }

    #[test]
    fn stones_that_somebody_places_are_not_placed_again() {
        assert_eq!(stones("(;SZ[9]HA[2]AB[ee][dd];W[gg])").0, "D6, E5");
        assert_eq!(stones("(;SZ[9]HA[2];B[ee];B[dd];W[gg])").0, "D6, E5");
        assert_eq!(stones("(;SZ[9]HA[2];B[ee];W[gg])").0, "E5");
    }
}
