//! Life and death of every chain in a finished position.
//!
//! The decision is made in stages, each only if the one before leaves doubt. What each piece of
//! evidence is worth, a [`Forest`] has learned from finished games.
//!
//! 1. [`Stage::Quick`]: a handful of playouts and the shape of the position give each chain a list
//!    of numbers ([`ChainFeatures`]), and a forest turns those into odds that it lives. If every
//!    chain is as good as certain, that is all.
//! 2. [`Stage::Playouts`]: the same with several times as many playouts.
//! 3. [`Stage::Search`]: around the chains that are still in doubt, a small tree search finds out
//!    what happens when their own side or the enemy moves first. Another forest weighs its
//!    estimates together with the odds of the chain's neighbours ([`search_features`]): in a race
//!    one side dies, in a seki neither, and chains that hang together share their fate.
//!
//! Playouts and search draw random numbers, and with another seed a close decision may fall the
//! other way. So where the odds are close, the last two stages are repeated with a new seed,
//! several times if need be, and the mean of the odds decides.
//!
//! Nothing here looks at the rules, the result or the players: whether a chain is alive is a matter
//! of the position alone. What its life is worth is counted in [`crate::count`].

use std::sync::LazyLock;

use super::features::{self, ChainFeatures};
use super::forest::Forest;
use super::ownership::Ownership;
use super::playout::{Player, Policy, Survey};
use super::position_graph::{ChainNode, PositionGraph};
use super::potential_territory::PotentialTerritories;
use super::search_features;
use crate::board::{Board, Color, PointSet};

/// How far the judge has to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// A few playouts.
    Quick,
    /// More of them.
    Playouts,
    /// A search around the chains in doubt.
    Search,
}

impl Stage {
    /// All stages, in their order.
    pub const ALL: [Stage; 3] = [Stage::Quick, Stage::Playouts, Stage::Search];

    /// How many playouts by bold and by careful players there are up to this stage.
    fn playouts(self) -> [u32; 2] {
        match self {
            Stage::Quick => [6, 4],
            Stage::Playouts | Stage::Search => [28, 14],
        }
    }

    /// The names of the numbers that its forest looks at, in their order.
    pub fn feature_names(self) -> Vec<String> {
        match self {
            Stage::Quick | Stage::Playouts => features::Feature::NAMES
                .iter()
                .map(|name| name.to_string())
                .collect(),
            Stage::Search => search_features::SearchFeatures::names(),
        }
    }

    /// What has been learned about the evidence of the stage.
    fn forest(self) -> &'static Forest {
        &FORESTS[self as usize]
    }
}

/// The fitted forests of the stages, as `examples/train` wrote them, one after the other.
static FORESTS: LazyLock<[Forest; 3]> = LazyLock::new(|| {
    let mut rest = include_bytes!("life.forest").as_slice();
    Stage::ALL.map(|stage| {
        let (forest, others) = Forest::parse(rest, &stage.feature_names())
            .expect("life.forest holds a forest for each stage");
        rest = others;
        forest
    })
});

/// Log-odds beyond which a chain's fate is clear: 985 in a thousand.
pub(super) const CLEAR: f32 = 4.2;
/// Log-odds below which a chain's fate is close: four in five.
const CLOSE: f32 = 1.5;
/// A position with more close chains than this is not settled, and no search will settle it.
const MAX_CLOSE: usize = 8;
/// How often a position is searched at most, each time with another seed.
const MAX_SEEDS: u32 = 6;

/// How many playouts an estimate takes at least, and at most.
const ESTIMATE_PLAYOUTS: [u32; 2] = [4, 32];
/// How many empty points they may fill, all together: a third of a millisecond's work.
const ESTIMATE_WORK: usize = 1000;
/// How often a chain must survive them to count as alive.
const ENOUGH: f32 = 0.4;

/// What is decided about the chains of a position.
#[derive(Clone, Debug)]
pub struct Life {
    graph: PositionGraph,
    /// The log-odds that each chain lives, in the order of the graph.
    log_odds: Vec<f32>,
    ownership: Ownership,
}

impl Life {
    /// A verdict by the log-odds that each chain lives, and by whose each point is.
    #[doc(hidden)]
    pub fn new(graph: PositionGraph, log_odds: Vec<f32>, ownership: Ownership) -> Life {
        let mut life = Life {
            graph,
            log_odds,
            ownership,
        };
        life.revive_contradictions();
        life
    }

    /// Whose each point is, as the playouts ended.
    pub fn ownership(&self) -> &Ownership {
        &self.ownership
    }

    /// Takes back verdicts that contradict each other: a dead stone is in the enemy's territory. In
    /// a region that living stones of both sides touch, it is dead only where the playouts leave
    /// its points to the enemy, and in one that only its own side touches it is not dead at all.
    fn revive_contradictions(&mut self) {
        loop {
            let territories = PotentialTerritories::new(&self.graph, |i| !self.is_alive(i));
            let chains = 0..self.log_odds.len();
            let revived: Vec<usize> = chains
                .filter(|&chain| {
                    let Some(territory) = territories.of_chain(chain) else {
                        return false;
                    };
                    match territories.get(territory).owner() {
                        Some(owner) => owner == self.graph.chain(chain).color,
                        None => !self.is_lost(chain),
                    }
                })
                .collect();
            if revived.is_empty() {
                break;
            }
            for chain in revived {
                self.overrule(chain, true);
            }
        }
    }

    /// Whether the playouts leave the points of a dead chain to the enemy: clearly so, or in the
    /// main where the odds leave no doubt.
    fn is_lost(&self, chain: usize) -> bool {
        let node = self.graph.chain(chain);
        let enemy = node.color.other();
        let mut stones = node.stones.iter();
        match self.log_odds[chain] <= -CLEAR {
            true => stones.all(|&stone| self.ownership.likely_owner(stone) == Some(enemy)),
            false => stones.all(|&stone| self.ownership.clear_owner(stone) == Some(enemy)),
        }
    }

    /// The position that was judged, cut into chains and regions.
    pub fn graph(&self) -> &PositionGraph {
        &self.graph
    }

    /// The log-odds that each chain lives, in the order of the graph.
    pub(crate) fn log_odds(&self) -> &[f32] {
        &self.log_odds
    }

    /// Rules that a chain is dead, or alive, whatever the odds said; whether they said otherwise.
    pub(crate) fn overrule(&mut self, chain: usize, alive: bool) -> bool {
        let log_odds = &mut self.log_odds[chain];
        *log_odds = match alive {
            // Even odds are no life.
            true if *log_odds <= 0.0 => (-*log_odds).max(f32::MIN_POSITIVE),
            false if *log_odds > 0.0 => -log_odds.max(1.0),
            _ => return false,
        };
        true
    }

    /// Whether the chain lives.
    pub fn is_alive(&self, chain: usize) -> bool {
        self.log_odds[chain] > 0.0
    }

    /// The probability that the chain lives.
    pub fn probability(&self, chain: usize) -> f64 {
        1.0 / (1.0 + (-f64::from(self.log_odds[chain])).exp())
    }

    /// Which chains are dead.
    pub fn dead_chains(&self) -> Vec<bool> {
        self.log_odds.iter().map(|&odds| odds <= 0.0).collect()
    }

    /// All dead stones.
    pub fn dead(&self) -> PointSet {
        self.graph.stones(|chain| !self.is_alive(chain))
    }
}

/// Decides which chains of a finished position are alive.
///
/// ```
/// use kifu::board::{Board, Point};
/// use kifu::life;
///
/// let board: Board = "
///     . X . X O . . . .
///     X X X X O . X . .
///     . X . X O . . . .
///     X X X X O . . . .
///     . . . X O . . . .
///     . . O X O O O O O
///     . . . X X X X X X
///     . . . . . . X . X
///     . . . . . . X X .
/// ".parse().unwrap();
/// let dead = life::judge(&board).dead();
/// assert!(dead.contains(Point::new(6, 1)));
/// assert!(dead.contains(Point::new(2, 5)));
/// assert_eq!(dead.len(), 2);
/// ```
pub fn judge(board: &Board) -> Life {
    LifeJudge::new(board).search()
}

/// What a few playouts say about a position, without any of the stages. That is enough for an
/// estimate of a game that was decided otherwise; the forests have seen finished games only, and
/// would doubt nearly every chain of an open board.
///
/// A chain lives if it survived two playouts in five, taken together with the chains that share a
/// liberty with it: few playouts say more about a group than about its parts. Half would be too
/// much to ask, since random players kill what no player would give up.
pub(crate) fn estimate(board: &Board) -> Life {
    let graph = PositionGraph::new(board);
    let stones = Color::BOTH.map(|color| board.stones(color).len());
    let empty = board.size().area() - stones.iter().sum::<usize>();
    let [fewest, most] = ESTIMATE_PLAYOUTS;
    let count = ((ESTIMATE_WORK / empty.max(1)) as u32).clamp(fewest, most);
    let mut survey = Survey::new(board.size(), Policy::BOLD);
    survey.play(&mut Player::new(board, 0), count);

    let chains = graph.chains();
    let shares: Vec<f32> = chains
        .iter()
        .map(|chain| Survey::share(survey.survived(chain.color, &chain.stones), survey.all()))
        .collect();
    let logit = |share: f32| (share / (1.0 - share)).ln();
    let log_odds = |(chain, own): (&ChainNode, &f32)| {
        let (mut sum, mut weight) = (2.0 * own, 2.0);
        for &friend in &chain.friends {
            if chain.shared_liberties(&chains[friend]) > 0 {
                sum += shares[friend];
                weight += 1.0;
            }
        }
        // Two playouts more that leave the question open: no share is 0 or 1.
        let share = (count as f32 * sum / weight + 2.0 * ENOUGH) / (count + 2) as f32;
        logit(share) - logit(ENOUGH)
    };
    let log_odds = chains.iter().zip(&shares).map(log_odds).collect();
    let ownership = Ownership::new(board.size(), [&survey]);
    // On an open board nearly every chain is beside a region of both sides; to revive those that
    // are not wholly lost would leave no chain dead.
    Life {
        graph,
        log_odds,
        ownership,
    }
}

/// A judge after the first two stages. For the position of an unfinished game that is as far as it
/// makes sense to go: nearly every chain of it is in doubt, and a search would take long to find
/// that out.
pub(crate) struct LifeJudge<'a> {
    board: &'a Board,
    graph: PositionGraph,
    evidence: Evidence,
    log_odds: Vec<f32>,
}

impl<'a> LifeJudge<'a> {
    /// Takes the first stage, and the second where that leaves doubt.
    pub(crate) fn new(board: &'a Board) -> LifeJudge<'a> {
        let graph = PositionGraph::new(board);
        let mut playouts = Playouts::new(board, 0);
        let mut judged_at = |stage: Stage| {
            let evidence = playouts.evidence(board, &graph, stage);
            let log_odds = evidence.log_odds(stage.forest());
            (evidence, log_odds)
        };
        let (mut evidence, mut log_odds) = judged_at(Stage::Quick);
        if !is_certain(&log_odds) {
            (evidence, log_odds) = judged_at(Stage::Playouts);
        }
        LifeJudge {
            board,
            graph,
            evidence,
            log_odds,
        }
    }

    /// Whether there is no doubt about any chain.
    pub(crate) fn is_certain(&self) -> bool {
        is_certain(&self.log_odds)
    }

    /// The verdict on the chains as far as the judge has gone.
    pub(crate) fn verdict_so_far(&self) -> Life {
        let (graph, ownership) = (self.graph.clone(), self.evidence.ownership.clone());
        Life::new(graph, self.log_odds.clone(), ownership)
    }

    /// The verdict on the chains without a search.
    pub(crate) fn without_search(self) -> Life {
        Life::new(self.graph, self.log_odds, self.evidence.ownership)
    }

    /// Takes the third stage where there is doubt, and repeats it where the odds are close.
    pub(crate) fn search(mut self) -> Life {
        let (board, graph) = (self.board, &self.graph);
        search_in_doubt(board, graph, &self.evidence, &mut self.log_odds, 0, |_| {
            true
        });
        let log_odds = average_until_clear(self.log_odds, |reseed, mean| {
            let mut playouts = Playouts::new(board, reseed);
            let evidence = playouts.evidence(board, graph, Stage::Playouts);
            let mut log_odds = evidence.log_odds(Stage::Playouts.forest());
            search_in_doubt(board, graph, &evidence, &mut log_odds, reseed, |chain| {
                is_close(mean[chain])
            });
            log_odds
        });
        Life::new(self.graph, log_odds, self.evidence.ownership)
    }
}

/// Gives new odds to those of the `wanted` chains that are in doubt.
fn search_in_doubt(
    board: &Board,
    graph: &PositionGraph,
    evidence: &Evidence,
    log_odds: &mut [f32],
    reseed: u32,
    wanted: impl Fn(usize) -> bool,
) {
    let forest = Stage::Search.forest();
    for found in search_features::collect(board, graph, evidence, log_odds, reseed, wanted) {
        log_odds[found.chain] = forest.log_odds(&found.numbers);
    }
}

/// Asks for the odds by further seeds until no chain's are close, and gives the mean of each
/// chain's odds up to the seed with which they became clear.
pub fn average_until_clear(
    first: Vec<f32>,
    mut ask: impl FnMut(u32, &[f32]) -> Vec<f32>,
) -> Vec<f32> {
    let mut mean = first;
    for reseed in 1..MAX_SEEDS {
        let close = mean.iter().filter(|&&log_odds| is_close(log_odds)).count();
        if close == 0 || close > MAX_CLOSE {
            break;
        }
        let weight = 1.0 / (reseed + 1) as f32;
        let log_odds = ask(reseed, &mean);
        for (mean, log_odds) in mean.iter_mut().zip(log_odds) {
            if is_close(*mean) {
                *mean += weight * (log_odds - *mean);
            }
        }
    }
    mean
}

fn is_close(log_odds: f32) -> bool {
    log_odds.abs() < CLOSE
}

/// Whether the odds leave no doubt about any chain.
pub fn is_certain(log_odds: &[f32]) -> bool {
    log_odds.iter().all(|log_odds| log_odds.abs() >= CLEAR)
}

/// The playouts of a position, as far as they went.
struct Playouts {
    player: Player,
    bold: Survey,
    careful: Survey,
}

impl Playouts {
    fn new(board: &Board, reseed: u32) -> Playouts {
        Playouts {
            player: Player::new(board, reseed),
            bold: Survey::new(board.size(), Policy::BOLD),
            careful: Survey::new(board.size(), Policy::CAREFUL),
        }
    }

    /// The evidence after the playouts of a stage.
    fn evidence(&mut self, board: &Board, graph: &PositionGraph, stage: Stage) -> Evidence {
        let [bold, careful] = stage.playouts();
        self.bold.play(&mut self.player, bold);
        self.careful.play(&mut self.player, careful);
        let (features, clusters) = features::collect(board, graph, &self.bold, &self.careful);
        Evidence {
            features,
            clusters,
            ownership: Ownership::new(board.size(), [&self.bold, &self.careful]),
        }
    }
}

/// The evidence of the first two stages.
pub struct Evidence {
    /// The features of each chain.
    pub features: Vec<ChainFeatures>,
    /// The first chain of each chain's cluster.
    pub clusters: Vec<usize>,
    /// Whose each point is.
    pub ownership: Ownership,
}

impl Evidence {
    /// The evidence after each of the first two stages, by the random numbers of a seed.
    pub fn collect(board: &Board, graph: &PositionGraph, reseed: u32) -> [Evidence; 2] {
        let mut playouts = Playouts::new(board, reseed);
        [Stage::Quick, Stage::Playouts].map(|stage| playouts.evidence(board, graph, stage))
    }

    /// What a forest makes of it, chain by chain.
    pub fn log_odds(&self, forest: &Forest) -> Vec<f32> {
        let chains = self.features.iter();
        chains.map(|chain| forest.log_odds(&chain.0)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The mean of the odds by these seeds, and how many of the later ones were asked for.
    fn averaged(seeds: &[&[f32]]) -> (Vec<f32>, usize) {
        let mut asked = 0;
        let log_odds = average_until_clear(seeds[0].to_vec(), |reseed, _| {
            asked += 1;
            seeds[reseed as usize].to_vec()
        });
        (log_odds, asked)
    }

    #[test]
    fn close_odds_are_asked_for_again_until_their_mean_is_clear() {
        let clear: [&[f32]; 1] = [&[2.0, -5.0]];
        assert_eq!(averaged(&clear), (vec![2.0, -5.0], 0));
        let once: [&[f32]; 2] = [&[1.0, 6.0], &[-7.0, 4.0]];
        assert_eq!(averaged(&once), (vec![-3.0, 6.0], 1));
        let never: [&[f32]; MAX_SEEDS as usize] = [&[0.5]; _];
        assert_eq!(averaged(&never), (vec![0.5], MAX_SEEDS as usize - 1));
    }

    #[test]
    fn a_position_that_is_all_doubt_is_left_alone() {
        let open: [&[f32]; 1] = [&[0.1; MAX_CLOSE + 1]];
        assert_eq!(averaged(&open).1, 0);
    }

    #[test]
    fn an_estimate_sees_what_lives_and_what_is_dead() {
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
        assert_eq!(estimate(&board).dead(), judge(&board).dead());
    }

    #[test]
    fn every_seed_has_random_numbers_of_its_own() {
        let board: Board = "
            . . . . . . .
            . X . X . O .
            . . . . O . .
            . X O . . O .
            . . . X . . .
            . X . . O . .
            . . . . . . .
        "
        .parse()
        .unwrap();
        let graph = PositionGraph::new(&board);
        let features =
            |seed| Evidence::collect(&board, &graph, seed).map(|evidence| evidence.features);
        assert_eq!(features(1), features(1));
        assert_ne!(features(0)[1], features(1)[1]);
    }
}
