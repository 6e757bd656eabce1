//! Who is right, the record or kifu?
//!
//! Where the two differ, the difference is nearly always one group: a chain in doubt, or stones that
//! were dead but that nobody marked, so that they were left on the board when the server counted. The
//! smallest change of that kind that gives exactly the recorded result is what an organiser wants to
//! see.

use super::{Margin, ScoringTerms, count};
use crate::board::{Board, Color, PointSet};
use crate::life::Life;
use crate::rules::Rules;

/// A change of status that gives the recorded result.
#[derive(Clone, Debug, PartialEq)]
pub struct Counterfactual {
    pub result: Margin,
    /// Stones that would be left on the board.
    pub left: PointSet,
    /// Stones that would be dead.
    pub lifted: PointSet,
    /// `W+3.5 if the black stone at C14 is left on the board`.
    pub sentence: String,
}

/// Chains that are looked at, the most doubtful first.
const MOST_CHAINS: usize = 14;
/// A living chain with log-odds beyond this is not in doubt.
const BEYOND_DOUBT: f32 = 6.0;

/// Looks for one change, then for two, that give the recorded result.
pub(crate) fn find(
    board: &Board,
    life: &Life,
    rules: &Rules,
    terms: &ScoringTerms,
    recorded: Margin,
) -> Option<Counterfactual> {
    let dead = life.dead();
    let mut groups: Vec<(f32, PointSet)> = Vec::new();
    for (i, chain) in life.graph.chains.iter().enumerate() {
        let odds = life.log_odds[i].abs();
        // Any dead chain may have been forgotten; a living one has to be in doubt.
        if !life.is_alive(i) || odds < BEYOND_DOUBT {
            groups.push((odds, chain.stones.iter().copied().collect()));
        }
    }
    groups.sort_by(|a, b| a.0.total_cmp(&b.0));
    groups.truncate(MOST_CHAINS);
    // Stones that died together may have been forgotten together.
    let together: Vec<(f32, PointSet)> = (board.empty() | dead)
        .parts()
        .map(|part| part & dead)
        .filter(|group| !group.is_empty() && groups.iter().all(|(_, single)| single != group))
        .map(|group| (BEYOND_DOUBT, group))
        .collect();
    groups.extend(together.into_iter().take(MOST_CHAINS));

    let gives = |change: PointSet| {
        let changed = (dead - change) | (change - dead);
        count(board, &changed, rules, terms).margin() == recorded
    };
    let one = || {
        groups
            .iter()
            .map(|(_, group)| *group)
            .find(|&group| gives(group))
    };
    let two = || {
        let pairs = (groups.iter().enumerate())
            .flat_map(|(i, (_, a))| groups[..i].iter().map(move |(_, b)| (*a, *b)));
        pairs
            .filter(|(a, b)| !a.meets(b))
            .map(|(a, b)| a | b)
            .find(|&both| gives(both))
    };
    let change = one().or_else(two)?;
    let (left, lifted) = (change & dead, change - dead);
    let sentence = format!("{recorded} if {}", in_words(board, &left, &lifted));
    Some(Counterfactual {
        result: recorded,
        left,
        lifted,
        sentence,
    })
}

fn in_words(board: &Board, left: &PointSet, lifted: &PointSet) -> String {
    let mut parts = Vec::new();
    for (stones, fate) in [(left, "left on the board"), (lifted, "dead")] {
        for color in Color::BOTH {
            let of_color = *stones & board.stones(color);
            let Some(first) = of_color.first() else {
                continue;
            };
            let (word, verb) = if of_color.len() == 1 {
                ("stone", "is")
            } else {
                ("stones", "are")
            };
            let name = color.name().to_lowercase();
            let count = match of_color.len() {
                1 => String::new(),
                n => format!("{n} "),
            };
            parts.push(format!(
                "the {count}{name} {word} at {} {verb} {fate}",
                board.size().name(first)
            ));
        }
    }
    parts.join(" and ")
}

#[cfg(test)]
mod tests {
    use super::*;
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
        let counterfactual = find(&board, &life, &rules, &terms, recorded).unwrap();
        assert_eq!(counterfactual.left, forgotten);
        assert_eq!(
            counterfactual.sentence,
            format!("{recorded} if the white stone at C4 is left on the board")
        );
        assert_eq!(find(&board, &life, &rules, &terms, Margin::new(77.5)), None);
    }
}
