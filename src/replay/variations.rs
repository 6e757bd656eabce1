//! Every branch beside the main line, played out move by move. A variation has no result and no
//! handicap of its own, so nothing is said of it as a whole.

use std::time::Instant;

use super::main_line::{is_past, too_slow};
use super::opening::Opening;
use super::referee::Referee;
use crate::board::Size;
use crate::finding::{Code, Finding, FindingLimiter};
use crate::rules::Rules;
use crate::sgf::{Branches, Game, NodeId, Step, StepKind};

/// Each variation is played out from the start of the game, so a tree built for it could keep
/// kifu busy for days. Collections of openings with a quarter of a million nodes stay far below
/// this many moves.
pub(crate) const MOST_VARIATION_MOVES: usize = 20_000_000;

/// Plays out every branch beside the main line, up to a number of moves in all, and says what is
/// wrong in them, with at most `max_findings` of a kind, until the deadline.
pub(crate) fn replay_variations(
    game: &Game,
    branches: &Branches,
    rules: &Rules,
    most_moves: usize,
    max_findings: usize,
    deadline: Option<Instant>,
) -> Vec<Finding> {
    let visits = &branches.visits;
    // Visits are in the order of their nodes, parents before children.
    let place_of = |node: NodeId| visits.binary_search_by_key(&node, |visit| visit.node).ok();
    let mut reported: Vec<bool> = visits.iter().map(|visit| visit.main_line).collect();
    let mut goes_on = vec![false; visits.len()];
    for visit in visits {
        if let Some(parent) = visit.parent.and_then(place_of) {
            goes_on[parent] = true;
        }
    }
    let mut findings = FindingLimiter::new(max_findings);
    let mut work = 0;
    let mut line = Vec::new();
    for leaf in (0..visits.len()).filter(|&place| !goes_on[place]) {
        if reported[leaf] {
            continue;
        }
        line.clear();
        let mut next = Some(leaf);
        while let Some(place) = next {
            line.push(place);
            next = visits[place].parent.and_then(place_of);
        }
        line.reverse();
        work += line
            .iter()
            .map(|&place| cost(branches.steps(&visits[place]), game.size))
            .sum::<usize>();
        if is_past(deadline) {
            let place = branches.steps(&visits[leaf]).first().map(|step| step.place);
            findings.add(too_slow().at(place.unwrap_or_default()));
            break;
        }
        if work > most_moves {
            findings.add(Finding::new(
                Code::TooManyVariations,
                "The variations are too many and too long to check them all; the rest was left out.",
            ));
            break;
        }
        let steps = || {
            line.iter()
                .flat_map(|&place| branches.steps(&visits[place]))
        };
        let opening = Opening::new(steps(), &game.header, game.size, rules);
        let mut referee = Referee::new(game.size, *rules, opening, findings);
        for &place in &line {
            referee.silent = std::mem::replace(&mut reported[place], true);
            for step in branches.steps(&visits[place]) {
                referee.step(step);
            }
        }
        findings = referee.findings;
    }
    findings.finish_game(game.number)
}

/// What these steps cost, in moves. Setting up stones, and forcing a move, takes time by the points
/// of the board.
fn cost(steps: &[Step], size: Size) -> usize {
    const POINTS_PER_MOVE: usize = 2;
    let of_step = |step: &Step| match step.kind {
        StepKind::Setup(_) | StepKind::Forced => 1 + size.area() / POINTS_PER_MOVE,
        StepKind::Move { .. } | StepKind::ToPlay(_) => 1,
    };
    1 + steps.iter().map(of_step).sum::<usize>()
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_move_on_a_stone_in_a_variation_is_found() {
        use crate::replay::{MOST_VARIATION_MOVES, replay_variations};
        use crate::rules::Rules;
        use crate::sgf::{Limits, parse};
        let sgf = b"(;GM[1]SZ[9];B[ee](;W[ge];B[gc])(;W[ec];B[ee]))";
        let collection = parse(sgf, &Limits::default());
        let game = &collection.games[0];
        let (branches, _) = collection.branches(game);
        let findings = replay_variations(
            game,
            &branches,
            &Rules::default(),
            MOST_VARIATION_MOVES,
            100,
            None,
        );
        assert_eq!(findings.len(), 1);
        assert_eq!(findings[0].move_number, Some(3));
    }
}
