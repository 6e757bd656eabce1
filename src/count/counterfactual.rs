//! Who is right, the record or kifu?
//!
//! Where the two differ, the simplest explanation comes first. The record may name another komi than
//! was played with, other rules than were counted by, or the wrong winner; no stone has to be
//! otherwise for that ([`Terms`]). Else the difference is nearly always one group: a chain in doubt,
//! or stones that were dead but that nobody marked, so that they were left on the board when the
//! server counted. The smallest change of each kind that gives exactly the recorded result is what
//! an organiser wants to see. Where there is one of both kinds, both are told: a komi is soon found
//! that explains a single game, and only its source can tell which komi it plays with.

use std::mem::discriminant;

use super::final_position::Lifted;
use super::leads::{Leads, Way};
use super::margin::points;
use super::score::{Count, count_life, count_lifted};
use super::{Margin, ProtectiveMove, ScoringTerms};
use crate::board::{Color, PointSet};
use crate::life::{Life, PositionGraph, PotentialTerritories};
use crate::rules::Rules;

/// What would have to be otherwise for the recorded result.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Counterfactual {
    /// The recorded result.
    pub result: Margin,
    /// What the game would have been played or counted by; one for each kind that gives the result,
    /// the simplest first.
    pub terms: Vec<Terms>,
    /// Stones that would be left on the board.
    pub left: PointSet,
    /// Stones that would be dead.
    pub lifted: PointSet,
    /// `W+3.5 if the black stone at C14 is left on the board`.
    pub sentence: String,
}

/// Terms of a game that its record does not name, or another winner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Terms {
    /// Another komi.
    Komi(f64),
    /// Other rules, or the same with another look at territory.
    Way(Way),
    /// Black and White are confused.
    SwappedWinner,
    /// Other rules, with the komi that goes with them.
    WayAndKomi(Way, f64),
}

impl Terms {
    /// What gives the recorded result: the first of each kind, the simplest first, and two changes
    /// at a time only where one is not enough.
    fn that_give(recorded: Margin, leads: &Leads, terms: &ScoringTerms) -> Vec<Terms> {
        let mut found: Vec<Terms> = Vec::new();
        for other in Terms::to_try(leads.now, terms.komi, terms.handicap) {
            let is_new = (found.iter()).all(|it| discriminant(it) != discriminant(&other));
            let is_simple = !matches!(other, Terms::WayAndKomi(..)) || found.is_empty();
            if is_new && is_simple && other.margin(leads, terms.komi) == recorded {
                found.push(other);
            }
        }
        found
    }

    /// What there is to try, the simplest first.
    fn to_try(now: Way, komi: f64, handicap: u32) -> Vec<Terms> {
        let mut komis: Vec<f64> = USUAL_KOMI.to_vec();
        komis.extend([komi / 2.0, f64::from(handicap)]);
        let komis = komis.into_iter().filter(|&other| other != komi);
        let mut terms: Vec<Terms> = komis.map(Terms::Komi).collect();
        // Other rules before another look at territory.
        let (other_rules, with_komi) = match now {
            Way::Area => (Way::Strict, 6.5),
            Way::Strict | Way::Plain => (Way::Area, 7.5),
        };
        terms.push(Terms::Way(other_rules));
        terms.extend(match now {
            Way::Strict => Some(Terms::Way(Way::Plain)),
            Way::Plain => Some(Terms::Way(Way::Strict)),
            Way::Area => None,
        });
        terms.push(Terms::SwappedWinner);
        terms.push(Terms::WayAndKomi(other_rules, with_komi));
        terms
    }

    /// The margin by these terms.
    fn margin(self, leads: &Leads, komi: f64) -> Margin {
        Margin::new(match self {
            Terms::Komi(komi) => leads.by(leads.now) - komi,
            Terms::Way(way) => leads.by(way) - komi,
            Terms::SwappedWinner => komi - leads.by(leads.now),
            Terms::WayAndKomi(way, komi) => leads.by(way) - komi,
        })
    }

    /// What follows `W+3.5`.
    fn in_words(self) -> String {
        let by = |way: Way| match way {
            Way::Area => "by area, as Chinese rules count",
            Way::Strict => "by territory, as Japanese rules count",
            Way::Plain => "by territory",
        };
        match self {
            Terms::Komi(0.0) => "without komi".to_string(),
            Terms::Komi(komi) => format!("with a komi of {}", points(komi)),
            Terms::Way(Way::Plain) => "if false eyes and eyes in seki are territory".to_string(),
            Terms::Way(way) => by(way).to_string(),
            Terms::SwappedWinner => "if the record names the wrong winner".to_string(),
            Terms::WayAndKomi(way, komi) => {
                format!("{}, with a komi of {}", by(way), points(komi))
            }
        }
    }
}

/// The komi that people play with.
pub(crate) const USUAL_KOMI: [f64; 6] = [0.0, 5.5, 6.5, 7.0, 7.5, 8.0];

/// How many chains are tried at most, the most doubtful first.
const MAX_CHAINS: usize = 14;
/// A living chain with log-odds beyond this is not in doubt.
const BEYOND_DOUBT: f32 = 6.0;

/// Chains whose status may be otherwise, together.
type Change = Vec<usize>;

/// Looks for other terms, and for other stones where it was kifu that found the dead ones.
pub(crate) fn find(
    count: &Count,
    life: Option<&Life>,
    rules: &Rules,
    terms: &ScoringTerms,
    recorded: Margin,
) -> Option<Counterfactual> {
    let leads = count.leads();
    let other_terms =
        leads.map_or_else(Vec::new, |leads| Terms::that_give(recorded, &leads, terms));
    let stones = life.and_then(|life| find_stones(life, rules, terms, &count.assumed, recorded));
    let mut words: Vec<String> = other_terms.iter().map(|terms| terms.in_words()).collect();
    words.extend(stones.iter().map(|stones| format!("if {}", stones.words)));
    if words.is_empty() {
        return None;
    }
    let stones = stones.unwrap_or_default();
    Some(Counterfactual {
        result: recorded,
        terms: other_terms,
        left: stones.left,
        lifted: stones.lifted,
        sentence: format!("{recorded} {}", words.join(", or ")),
    })
}

/// Stones whose status would have to be otherwise.
#[derive(Default)]
struct Stones {
    left: PointSet,
    lifted: PointSet,
    words: String,
}

/// Looks for one change, then for two, that give the recorded result.
fn find_stones(
    life: &Life,
    rules: &Rules,
    terms: &ScoringTerms,
    assumed: &[ProtectiveMove],
    recorded: Margin,
) -> Option<Stones> {
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
    Some(Stones {
        left: stones(true),
        lifted: stones(false),
        words: in_words(graph, &change, &dead),
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
        let count = count(&board, &life.dead(), &rules, &terms);
        let find = |recorded| find(&count, Some(&life), &rules, &terms, recorded);
        let counterfactual = find(recorded).unwrap();
        assert!(counterfactual.terms.is_empty());
        assert_eq!(counterfactual.left, forgotten);
        assert_eq!(
            counterfactual.sentence,
            format!("{recorded} if the white stone at C4 is left on the board")
        );
        assert_eq!(find(Margin::new(77.5)), None);
    }

    #[test]
    fn the_terms_come_before_the_stones() {
        let board: Board = "
            . X . O .
            . X . O .
            . X . O O
            X X . O .
            . X X O .
        "
        .parse()
        .unwrap();
        // By territory both have 4 points; by area Black has 11 and White 10.
        let with_prisoners = |black, rules: &Rules, komi: f64, recorded: f64| {
            let terms = ScoringTerms {
                komi,
                captures: [black, 0],
                ..ScoringTerms::default()
            };
            let count = count(&board, &PointSet::EMPTY, rules, &terms);
            let found = find(&count, None, rules, &terms, Margin::new(recorded));
            found.map(|found| found.sentence)
        };
        let sentence = |rules: &Rules, komi, recorded| with_prisoners(0, rules, komi, recorded);
        let japanese = Preset::Japanese.rules();
        let chinese = Preset::Chinese.rules();
        let says = |text: &str| Some(text.to_string());
        assert_eq!(
            sentence(&japanese, 0.0, -6.5),
            says("W+6.5 with a komi of 6.5")
        );
        assert_eq!(sentence(&japanese, 6.5, 0.0), says("0 without komi"));
        assert_eq!(
            sentence(&japanese, 3.5, -2.5),
            says("W+2.5 by area, as Chinese rules count")
        );
        assert_eq!(
            sentence(&chinese, 3.5, -3.5),
            says("W+3.5 by territory, as Japanese rules count")
        );
        assert_eq!(
            sentence(&japanese, 3.5, 3.5),
            says("B+3.5 if the record names the wrong winner")
        );
        assert_eq!(
            with_prisoners(6, &chinese, 4.5, -0.5),
            says("W+0.5 by territory, as Japanese rules count, with a komi of 6.5")
        );
        // Two that are as simple.
        assert_eq!(
            sentence(&japanese, 6.5, -5.5),
            says("W+5.5 with a komi of 5.5, or by area, as Chinese rules count")
        );
        assert_eq!(sentence(&japanese, 6.5, -40.5), None);
    }
}
