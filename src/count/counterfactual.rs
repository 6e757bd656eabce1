//! Who is right, the record or kifu?
//!
//! Where the two differ, the difference is nearly always one group: a chain in doubt, or stones that
//! were dead but that nobody marked, so that they were left on the board when the server counted. The
//! smallest change of that kind that gives exactly the recorded result is what an organiser wants to
//! see.

use super::final_position::Lifted;
use super::score::{count_life, count_lifted};
use super::{Margin, ProtectiveMove, ScoringTerms};
use crate::board::{Color, PointSet};
use crate::life::{Life, PositionGraph, PotentialTerritories};
use crate::rules::Rules;

/// A change of status that gives the recorded result.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Counterfactual {
    /// The recorded result.
    pub result: Margin,
    /// Stones that would be left on the board.
    pub left: PointSet,
    /// Stones that would be dead.
    pub lifted: PointSet,
    /// `W+3.5 if the black stone at C14 is left on the board`.
    pub sentence: String,
}

/// How many chains are tried at most, the most doubtful first.
const MAX_CHAINS: usize = 14;
/// A living chain with log-odds beyond this is not in doubt.
const BEYOND_DOUBT: f32 = 6.0;

/// Chains whose status may be otherwise, together.
type Change = Vec<usize>;

/// Looks for one change, then for two, that give the recorded result.
pub(crate) fn find(
    life: &Life,
    rules: &Rules,
    terms: &ScoringTerms,
    assumed: &[ProtectiveMove],
    recorded: Margin,
) -> Option<Counterfactual> {
    let graph = life.graph();
    let dead = life.dead_chains();
    let changes = changes(life, &dead);
    // Where a stone was left on the board, nobody shared out the region around it.
    let is_shared = count_life(life, rules, terms).shared > 0;
    let gives = |change: &[usize]| {
        let mut changed = dead.clone();
        for &chain in change {
            changed[chain] ^= true;
        }
        let lifted = match is_shared {
            true => Lifted::chains(life, changed),
            false => Lifted::only(changed),
        };
        let mut count = count_lifted(graph, &lifted, rules, terms);
        count.protect(assumed);
        count.margin() == recorded
    };
    let one = || changes.iter().find(|change| gives(change)).cloned();
    let two = || {
        let pairs = (changes.iter().enumerate())
            .flat_map(|(i, a)| changes[..i].iter().map(move |b| (a, b)));
        pairs
            .filter(|(a, b)| !a.iter().any(|chain| b.contains(chain)))
            .map(|(a, b)| [a.as_slice(), b].concat())
            .find(|both| gives(both))
    };
    let change = one().or_else(two)?;
    let stones = |was_dead: bool| graph.stones(|i| change.contains(&i) && dead[i] == was_dead);
    Some(Counterfactual {
        result: recorded,
        left: stones(true),
        lifted: stones(false),
        sentence: format!("{recorded} if {}", in_words(graph, &change, &dead)),
    })
}

/// The changes to try: chain by chain, then all that is dead in one place.
fn changes(life: &Life, dead: &[bool]) -> Vec<Change> {
    let mut singles: Vec<(f32, usize)> = (life.log_odds().iter().enumerate())
        .map(|(chain, odds)| (odds.abs(), chain))
        // Any dead chain may have been forgotten; a living one has to be in doubt.
        .filter(|&(odds, chain)| dead[chain] || odds < BEYOND_DOUBT)
        .collect();
    singles.sort_by(|a, b| a.0.total_cmp(&b.0));
    singles.truncate(MAX_CHAINS);
    let mut changes: Vec<Change> = singles.iter().map(|&(_, chain)| vec![chain]).collect();
    // Stones that died together may have been forgotten together.
    let places = PotentialTerritories::new(life.graph(), |chain| dead[chain]);
    let mut together: Vec<Change> = vec![Vec::new(); places.len()];
    for chain in 0..dead.len() {
        if let Some(place) = places.of_chain(chain) {
            together[place].push(chain);
        }
    }
    together.retain(|group| !group.is_empty() && !changes.contains(group));
    changes.extend(together.into_iter().take(MAX_CHAINS));
    changes
}

fn in_words(graph: &PositionGraph, change: &[usize], dead: &[bool]) -> String {
    let mut parts = Vec::new();
    for (was_dead, fate) in [(true, "left on the board"), (false, "dead")] {
        for color in Color::BOTH {
            let changed = |i: usize| change.contains(&i) && dead[i] == was_dead;
            let stones = graph.stones(|i| changed(i) && graph.chain(i).color == color);
            let Some(first) = stones.first() else {
                continue;
            };
            let (word, verb) = if stones.len() == 1 {
                ("stone", "is")
            } else {
                ("stones", "are")
            };
            let name = color.name().to_lowercase();
            let count = match stones.len() {
                1 => String::new(),
                n => format!("{n} "),
            };
            parts.push(format!(
                "the {count}{name} {word} at {} {verb} {fate}",
                graph.size().name(first)
            ));
        }
    }
    parts.join(" and ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::count::count;
    use crate::life;
    use crate::rules::Preset;

    #[test]
    fn a_forgotten_stone_is_named() {
        let board: Board = "
            . X . X O . . . .
            X X X X O . X . .
            . X . X O . . . .
            X X X X O . . . .
            . . . X O . . . .
            . . O X O O O O O
            . . . X X X X X X
            . . . . . . X . X
            . . . . . . X X .
        "
        .parse()
        .unwrap();
        let rules = Preset::Japanese.rules();
        let terms = ScoringTerms::default();
        let life = life::judge(&board);
        let counted = count(&board, &life.dead(), &rules, &terms).margin();
        // White's stone counted as left on the board: no prisoner, no territory around it.
        let forgotten: PointSet = [board.size().point(2, 5).unwrap()].into_iter().collect();
        let recorded = count(&board, &(life.dead() - forgotten), &rules, &terms).margin();
        assert_ne!(counted, recorded);
        let counterfactual = find(&life, &rules, &terms, &[], recorded).unwrap();
        assert_eq!(counterfactual.left, forgotten);
        assert_eq!(
            counterfactual.sentence,
            format!("{recorded} if the white stone at C4 is left on the board")
        );
        assert_eq!(find(&life, &rules, &terms, &[], Margin::new(77.5)), None);
    }
}
