//! What is known about the chains in doubt after a search around them.
//!
//! The numbers put together all that there is to say about a chain: the features of the playouts,
//! the odds that those gave to the chain and to its neighbours, what the search found around it and
//! around its weakest enemy, and the eyes that it has if every other chain is what it seems to be.
//! The decision is made in [`judge`](super::judge).

use std::cmp::Reverse;

use super::chain_mcts::{self, ChainSearch, Estimate, Question};
use super::features::{self, Feature};
use super::judge::{CLEAR, Evidence, is_certain};
use super::position_graph::PositionGraph;
use super::potential_territory::PotentialTerritories;
use crate::board::Board;

/// Games of the search for each side moving first.
const GAMES: u32 = 300;
/// No position is searched around more clusters; the largest chains come first.
const MAX_SEARCHES: usize = 8;
/// Log-odds say no more beyond this.
const CERTAIN: f32 = 9.0;

/// What is known about one chain.
pub struct SearchFeatures {
    /// Which chain of the position.
    pub chain: usize,
    /// The numbers, in the order of their names.
    pub numbers: [f32; SearchFeatures::COUNT],
}

/// The log-odds of a chain, of the friends that it shares liberties with, and of its enemies.
const ODDS: [&str; 7] = [
    "LogOdds",
    "LeastFriendLogOdds",
    "MostFriendLogOdds",
    "MeanFriendLogOdds",
    "MostLibertiesSharedWithFriend",
    "LeastEnemyLogOdds",
    "MostEnemyLogOdds",
];
/// How many points the search went over.
const AREA: &str = "SearchedPoints";
/// What the search found with the chain's own side and with the enemy moving first.
const ESTIMATES: [&str; 8] = [
    "SearchSurvivalMovingFirst",
    "SearchMeanMovingFirst",
    "SearchPassMovingFirst",
    "SearchBothMovingFirst",
    "SearchSurvivalMovingSecond",
    "SearchMeanMovingSecond",
    "SearchPassMovingSecond",
    "SearchBothMovingSecond",
];
/// The potential territories beside a cluster that no living enemy touches: how many they are and
/// their points; then the points of the others beside it.
const EYES: [&str; 3] = ["Eyes", "EyePoints", "SharedTerritoryPoints"];

impl SearchFeatures {
    /// How many numbers there are.
    pub const COUNT: usize =
        features::COUNT + ODDS.len() + 1 + 2 * ESTIMATES.len() + 2 * EYES.len();

    /// The names of the numbers, in their order.
    pub fn names() -> Vec<String> {
        let own = |names: &[&str]| names.iter().map(|name| name.to_string()).collect();
        let of_enemy = |names: &[&str]| {
            names
                .iter()
                .map(|name| format!("WeakEnemy{name}"))
                .collect()
        };
        let parts: [Vec<String>; 7] = [
            own(Feature::NAMES),
            own(&ODDS),
            own(&[AREA]),
            own(&ESTIMATES),
            of_enemy(&ESTIMATES),
            own(&EYES),
            of_enemy(&EYES),
        ];
        parts.concat()
    }
}

/// Searches around those of the `wanted` chains that are in doubt, and collects what is known about
/// them and about the wanted chains beside a doubtful one.
pub fn collect(
    board: &Board,
    graph: &PositionGraph,
    evidence: &Evidence,
    log_odds: &[f32],
    reseed: u32,
    wanted: impl Fn(usize) -> bool,
) -> Vec<SearchFeatures> {
    if is_certain(log_odds) {
        return Vec::new();
    }
    let chains = graph.chains();
    let doubtful = |chain: usize| log_odds[chain].abs() < CLEAR;
    let concerned: Vec<usize> = (0..chains.len())
        .filter(|&chain| {
            let mut beside = chains[chain].friends.iter().chain(&chains[chain].enemies);
            wanted(chain) && (doubtful(chain) || beside.any(|&other| doubtful(other)))
        })
        .collect();
    // The features of a chain include those of its weakest enemy, which needs a search as well.
    let enemies = concerned
        .iter()
        .filter_map(|&chain| weakest_enemy(graph, log_odds, chain));
    let mut in_question: Vec<usize> = concerned.iter().copied().chain(enemies).collect();
    in_question.retain(|&chain| doubtful(chain));
    in_question.sort_unstable_by_key(|&chain| (Reverse(chains[chain].stones.len()), chain));
    in_question.dedup();
    let collector = Collector {
        graph,
        evidence,
        log_odds,
        estimates: search_around(board, graph, evidence, log_odds, reseed, &in_question),
        territories: likely_territories(graph, log_odds),
    };
    concerned
        .iter()
        .map(|&chain| collector.features(chain))
        .collect()
}

/// The potential territories if every chain is what it seems to be.
fn likely_territories(graph: &PositionGraph, log_odds: &[f32]) -> PotentialTerritories {
    PotentialTerritories::new(graph, |chain| log_odds[chain] <= 0.0)
}

/// A search around a chain: how many points it went over, and what it found with the chain's own
/// side and with the enemy moving first.
type Estimates = (usize, [Estimate; 2]);

/// The estimates for some chains, by chain. One search serves all chains of a cluster.
fn search_around(
    board: &Board,
    graph: &PositionGraph,
    evidence: &Evidence,
    log_odds: &[f32],
    reseed: u32,
    in_question: &[usize],
) -> Vec<Option<Estimates>> {
    let chains = graph.chains();
    let mut estimates: Vec<Option<Estimates>> = vec![None; chains.len()];
    let mut search = ChainSearch::new(board, reseed);
    let mut left = MAX_SEARCHES;
    for (i, &chain) in in_question.iter().enumerate() {
        let cluster = evidence.clusters[chain];
        let same = in_question[..i]
            .iter()
            .find(|&&other| evidence.clusters[other] == cluster);
        if let Some(&same) = same {
            estimates[chain] = estimates[same];
            continue;
        }
        if left == 0 {
            continue;
        }
        left -= 1;
        let area = chain_mcts::area(graph, chain, log_odds);
        let weakest = weakest_enemy(graph, log_odds, chain);
        let question = Question {
            color: chains[chain].color,
            stones: &chains[chain].stones,
            enemy: weakest.map_or(&[], |enemy| &chains[enemy].stones),
            area: &area,
        };
        let sides = [chains[chain].color, chains[chain].color.other()];
        estimates[chain] = Some((
            area.len(),
            sides.map(|first| search.estimate(&question, first, GAMES)),
        ));
    }
    estimates
}

/// The enemy beside a chain that is least likely to live.
fn weakest_enemy(graph: &PositionGraph, log_odds: &[f32], chain: usize) -> Option<usize> {
    let enemies = graph.chain(chain).enemies.iter().copied();
    enemies.min_by(|&a, &b| log_odds[a].total_cmp(&log_odds[b]))
}

/// Everything that the features of single chains are put together from.
struct Collector<'a> {
    graph: &'a PositionGraph,
    evidence: &'a Evidence,
    log_odds: &'a [f32],
    estimates: Vec<Option<Estimates>>,
    territories: PotentialTerritories,
}

impl Collector<'_> {
    fn features(&self, chain: usize) -> SearchFeatures {
        let weakest = weakest_enemy(self.graph, self.log_odds, chain);
        let area = self.estimates[chain].map_or(-1.0, |(area, _)| area as f32);
        // What is not there says so by being impossible.
        let enemy_estimates =
            weakest.map_or([-1.0; ESTIMATES.len()], |enemy| self.estimates_of(enemy));
        let enemy_eyes = weakest.map_or([-1.0; EYES.len()], |enemy| self.eyes(enemy));
        let parts: [&[f32]; 7] = [
            &self.evidence.features[chain].0,
            &self.odds(chain),
            &[area],
            &self.estimates_of(chain),
            &enemy_estimates,
            &self.eyes(chain),
            &enemy_eyes,
        ];
        let mut numbers = [0.0; SearchFeatures::COUNT];
        for (to, number) in numbers.iter_mut().zip(parts.into_iter().flatten()) {
            *to = *number;
        }
        SearchFeatures { chain, numbers }
    }

    /// See [`ODDS`].
    fn odds(&self, chain: usize) -> [f32; ODDS.len()] {
        let chains = self.graph.chains();
        let clamped = |chain: usize| self.log_odds[chain].clamp(-CERTAIN, CERTAIN);
        let (mut least, mut most, mut most_shared) = (CERTAIN, -CERTAIN, 0.0f32);
        let (mut sum, mut stones) = (0.0, 0.0);
        for &friend in &chains[chain].friends {
            let shared = chains[chain].shared_liberties(&chains[friend]) as f32;
            if shared > 0.0 {
                least = least.min(clamped(friend));
                most = most.max(clamped(friend));
                most_shared = most_shared.max(shared);
                sum += clamped(friend) * chains[friend].stones.len() as f32;
                stones += chains[friend].stones.len() as f32;
            }
        }
        let mean = if stones > 0.0 { sum / stones } else { 0.0 };
        let enemies = chains[chain].enemies.iter().map(|&enemy| clamped(enemy));
        let weakest = enemies.clone().fold(CERTAIN, f32::min);
        let strongest = enemies.fold(-CERTAIN, f32::max);
        [
            clamped(chain),
            least,
            most,
            mean,
            most_shared,
            weakest,
            strongest,
        ]
    }

    /// See [`ESTIMATES`].
    fn estimates_of(&self, chain: usize) -> [f32; ESTIMATES.len()] {
        let mut numbers = [-1.0; ESTIMATES.len()];
        if let Some((_, estimates)) = &self.estimates[chain] {
            let sides = numbers.chunks_exact_mut(ESTIMATES.len() / 2);
            for (estimate, numbers) in estimates.iter().zip(sides) {
                numbers.copy_from_slice(&[
                    estimate.survival,
                    estimate.mean,
                    estimate.pass as u8 as f32,
                    estimate.both,
                ]);
            }
        }
        numbers
    }

    /// See [`EYES`].
    fn eyes(&self, chain: usize) -> [f32; EYES.len()] {
        let graph = self.graph;
        let clusters = &self.evidence.clusters;
        let enemy = graph.chain(chain).color.other();
        let mut beside: Vec<usize> = Vec::new();
        let cluster = (0..clusters.len()).filter(|&other| clusters[other] == clusters[chain]);
        for chain in cluster.map(|other| graph.chain(other)) {
            let regions = chain.regions.iter();
            let regions = regions.map(|&region| self.territories.of_region(region));
            let enemies = chain.enemies.iter();
            let enemies = enemies.filter_map(|&enemy| self.territories.of_chain(enemy));
            for territory in regions.chain(enemies) {
                if !beside.contains(&territory) {
                    beside.push(territory);
                }
            }
        }
        let mut eyes = [0.0; EYES.len()];
        for territory in beside {
            let territory = self.territories.get(territory);
            if territory.is_free_of(enemy) {
                eyes[0] += 1.0;
                eyes[1] += territory.points as f32;
            } else {
                eyes[2] += territory.points as f32;
            }
        }
        eyes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Point;
    use crate::board::drawn;

    /// The eyes of the chain on a point if the chains in `dead` are dead and all others alive.
    fn eyes(drawing: &str, dead: &[Point], at: Point) -> [f32; EYES.len()] {
        let board = drawn::board(drawing);
        let graph = PositionGraph::new(&board);
        let [_, evidence] = Evidence::collect(&board, &graph, 0);
        let mut log_odds = vec![CERTAIN; graph.chains().len()];
        for &stone in dead {
            log_odds[graph.chain_at(stone).unwrap()] = -CERTAIN;
        }
        let collector = Collector {
            graph: &graph,
            evidence: &evidence,
            log_odds: &log_odds,
            estimates: vec![None; log_odds.len()],
            territories: likely_territories(&graph, &log_odds),
        };
        collector.eyes(graph.chain_at(at).unwrap())
    }

    #[test]
    fn a_dead_stone_is_part_of_the_eye_that_it_stands_in() {
        let drawing = "
            . X . . X O .
            X X O . X O .
            X X X X X O .
            O O O O O O .
            . . . . . . .
        ";
        let (black, white) = (Point::new(1, 0), Point::new(2, 1));
        assert_eq!(eyes(drawing, &[], black), [1.0, 1.0, 3.0]);
        assert_eq!(eyes(drawing, &[white], black), [2.0, 5.0, 0.0]);
        assert_eq!(eyes(drawing, &[black], white), [1.0, 14.0, 0.0]);
    }

    #[test]
    fn nothing_is_searched_where_nothing_is_in_doubt() {
        let board = drawn::board(". X O .\n. X O .\n. X O .");
        let graph = PositionGraph::new(&board);
        let [_, evidence] = Evidence::collect(&board, &graph, 0);
        assert!(collect(&board, &graph, &evidence, &[CERTAIN; 2], 0, |_| true).is_empty());
        let collected = |wanted: fn(usize) -> bool| -> Vec<usize> {
            let found = collect(&board, &graph, &evidence, &[0.0, CERTAIN], 0, wanted);
            found.iter().map(|features| features.chain).collect()
        };
        assert_eq!(collected(|_| true), [0, 1]);
        assert_eq!(collected(|chain| chain == 1), [1]);
    }

    #[test]
    fn every_number_has_a_name_of_its_own() {
        let mut names = SearchFeatures::names();
        assert_eq!(names.len(), SearchFeatures::COUNT);
        names.sort();
        names.dedup();
        assert_eq!(names.len(), SearchFeatures::COUNT);
    }
}
