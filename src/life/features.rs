//! What the decision about a chain is based on: a list of numbers per chain.
//!
//! Most of them come from two [`Survey`]s, one by bold and one by careful players: how often the
//! chain was still there at the end, and how that hangs together with the fate of its neighbours.
//! The others are what a person counts: stones, liberties, the empty regions beside the chain, and
//! what the board would look like if it were alive or dead. No feature knows the size of the board,
//! the rules, the players or the result, so that what was learned on one kind of game serves others.
//!
//! *ChainCluster* here means friends (chains of one colour that share a liberty or touch diagonally)
//! with the same fate in every playout, or nearly so if they share two liberties. The potential
//! territories are connected areas of empty points and of stones that most playouts killed.

use std::ops::{Index, IndexMut};

use super::playout::Survey;
use super::position_graph::PositionGraph;
use super::potential_territory::PotentialTerritories;
use crate::board::{Board, Color, Point, UnionFind};

macro_rules! features {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// The name of a number in a [`ChainFeatures`].
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        pub(crate) enum Feature {
            $($(#[$doc])* $name,)*
        }

        impl Feature {
            /// The names of all features, in their order.
            pub(crate) const NAMES: &'static [&'static str] = &[$(stringify!($name),)*];
        }
    };
}

features! {
    /// The share of bold playouts in which the chain's points stayed its colour's.
    Survival,
    /// Of the bold playouts that its own side began, the share that it survived.
    SurvivalMovingFirst,
    /// Of the bold playouts that the enemy began, the share that it survived.
    SurvivalMovingSecond,
    /// The share of careful playouts that it survived.
    CarefulSurvival,
    /// Of the careful playouts that its own side began, the share that it survived.
    CarefulMovingFirst,
    /// Of the careful playouts that the enemy began, the share that it survived.
    CarefulMovingSecond,
    /// How often its liberties were its own at the end.
    LibertiesOwned,
    /// How often its liberties were the enemy's at the end.
    LibertiesLost,
    Stones,
    Liberties,
    /// Points of the empty regions that touch only its colour.
    OwnRegionPoints,
    /// Points of the largest of them.
    LargestOwnRegion,
    /// Points of the empty regions beside it that touch both colours.
    MixedRegionPoints,
    /// Points of the territories beside it that no living enemy touches.
    Territory,
    /// Survival of the enemy beside it that survives least.
    WeakEnemySurvival,
    WeakEnemyStones,
    WeakEnemyLiberties,
    /// Points of the empty regions that touch only that enemy's colour, beside its cluster.
    WeakEnemyRegionPoints,
    /// How often the chain and that enemy both survived.
    BothSurvive,
    /// Survival of the enemy beside it that survives most.
    StrongEnemySurvival,
    /// The fewest liberties of an enemy beside it.
    FewestEnemyLiberties,
    /// Survival of the cluster that survives least, of the enemies beside it.
    WeakEnemyClusterSurvival,
    /// Its liberties that are also an enemy's.
    SharedLiberties,
    /// The survival of the friend that survives least, and of the one that survives most.
    LeastFriendSurvival,
    MostFriendSurvival,
    ClusterChains,
    ClusterStones,
    ClusterLiberties,
    ClusterSurvival,
    /// The cluster's points of empty regions that touch only its colour.
    ClusterRegionPoints,
    /// The cluster's points of territories that no living enemy touches.
    ClusterTerritory,
    /// How far its outermost stone is from the corner, counted along the two sides.
    CornerDistance,
    /// The size of the territory that would swallow the chain if it were dead.
    TerritoryIfDead,
    /// The points that the enemy would not get if it were alive.
    LostIfAlive,
    /// How often the points of the territories beside it were its own at the end.
    AroundOwned,
    /// How often they were the enemy's.
    AroundLost,
    /// Enemy stones beside it that most playouts killed.
    DeadEnemyStones,
    /// The cluster's empty regions that touch only its colour: the eyes it has.
    ClusterRegions,
    /// The same of the enemy beside it that survives least, and the liberties of that cluster.
    WeakEnemyRegions,
    WeakEnemyClusterLiberties,
    /// The liberties that the two clusters have in common.
    SharedWithWeakEnemy,
    /// The fewest liberties of a chain of the cluster.
    FewestLiberties,
}

/// How many features there are.
pub const COUNT: usize = Feature::NAMES.len();

/// The features of one chain.
#[derive(Clone, Debug, PartialEq)]
pub struct ChainFeatures(pub [f32; COUNT]);

impl Index<Feature> for ChainFeatures {
    type Output = f32;

    fn index(&self, feature: Feature) -> &f32 {
        &self.0[feature as usize]
    }
}

impl IndexMut<Feature> for ChainFeatures {
    fn index_mut(&mut self, feature: Feature) -> &mut f32 {
        &mut self.0[feature as usize]
    }
}

/// Chains of one colour that live or die together, and what they have between them.
#[derive(Clone, Debug, Default)]
struct ChainCluster {
    chains: usize,
    stones: usize,
    /// Survival, summed over its stones.
    survival: f32,
    liberties: Vec<Point>,
    fewest: usize,
    regions: Vec<usize>,
    territories: Vec<usize>,
}

/// Everything that the features of single chains are read off.
struct FeatureCollector<'a> {
    board: &'a Board,
    graph: &'a PositionGraph,
    bold: &'a Survey,
    careful: &'a Survey,
    /// The playouts that each chain survived.
    bold_survived: Vec<u64>,
    careful_survived: Vec<u64>,
    survival: Vec<f32>,
    /// The cluster of each chain, named by its first chain.
    cluster_of: Vec<usize>,
    /// At the index of their first chains.
    clusters: Vec<ChainCluster>,
    /// Empty points and stones that most playouts killed, connected.
    territories: PotentialTerritories,
    /// How often the points of each territory were Black's and White's, summed.
    owned: Vec<[f32; 2]>,
}

/// Chains that survive less often were killed by most playouts.
const KILLED: f32 = 0.5;

/// The features of every chain of a position, and for each chain the first one of its cluster.
pub fn collect(
    board: &Board,
    graph: &PositionGraph,
    bold: &Survey,
    careful: &Survey,
) -> (Vec<ChainFeatures>, Vec<usize>) {
    let collector = FeatureCollector::new(board, graph, bold, careful);
    let features = (0..graph.chains().len())
        .map(|chain| collector.features(chain))
        .collect();
    (features, collector.cluster_of)
}

/// The first chain of each chain's cluster.
fn join_clusters(
    graph: &PositionGraph,
    bold: &[u64],
    careful: &[u64],
    playouts: u32,
) -> Vec<usize> {
    let mut clusters = UnionFind::new(graph.chains().len());
    for (index, chain) in graph.chains().iter().enumerate() {
        for &friend in chain.friends.iter().filter(|&&friend| friend > index) {
            let apart = (bold[index] ^ bold[friend]).count_ones()
                + (careful[index] ^ careful[friend]).count_ones();
            let together = apart == 0
                || apart * 8 <= playouts && chain.shared_liberties(graph.chain(friend)) >= 2;
            if together {
                clusters.join(index, friend);
            }
        }
    }
    clusters.roots()
}

/// By potential territory: how often its points were Black's and White's at the end, summed.
///
/// The sums are rounded after every addition, so their order is part of the feature: the forests
/// were grown on walks that go over a territory depth first. (Added up in another order, the odds
/// of a chain change in one game of 1,500.)
fn owned_points(
    graph: &PositionGraph,
    territories: &PotentialTerritories,
    bold: &Survey,
) -> Vec<[f32; 2]> {
    let mut owned = vec![[0.0; 2]; territories.len()];
    // By point: its territory, if it is still to be visited.
    let mut to_visit = territories.by_point(graph);
    let mut stack = Vec::with_capacity(64);
    for start in graph.size().points() {
        let Some(territory) = to_visit[start.index()].take() else {
            continue;
        };
        stack.push(start);
        while let Some(point) = stack.pop() {
            for color in Color::BOTH {
                let share = Survey::share(bold.owned(color, point), bold.all());
                owned[territory as usize][color.index()] += share;
            }
            for beside in point.neighbors() {
                if to_visit[beside.index()].take().is_some() {
                    stack.push(beside);
                }
            }
        }
    }
    owned
}

impl<'a> FeatureCollector<'a> {
    fn new(
        board: &'a Board,
        graph: &'a PositionGraph,
        bold: &'a Survey,
        careful: &'a Survey,
    ) -> FeatureCollector<'a> {
        let survived = |survey: &Survey| -> Vec<u64> {
            graph
                .chains()
                .iter()
                .map(|chain| survey.survived(chain.color, &chain.stones))
                .collect()
        };
        let (bold_survived, careful_survived) = (survived(bold), survived(careful));
        let survival: Vec<f32> = bold_survived
            .iter()
            .map(|&bits| Survey::share(bits, bold.all()))
            .collect();
        let territories = PotentialTerritories::new(graph, |chain| survival[chain] < KILLED);
        let owned = owned_points(graph, &territories, bold);
        let cluster_of = join_clusters(
            graph,
            &bold_survived,
            &careful_survived,
            bold.all().count_ones(),
        );
        let mut collector = FeatureCollector {
            board,
            graph,
            bold,
            careful,
            bold_survived,
            careful_survived,
            survival,
            cluster_of,
            clusters: Vec::new(),
            territories,
            owned,
        };
        collector.fill_clusters();
        collector
    }

    /// Whether most playouts killed the chain.
    fn is_killed(&self, chain: usize) -> bool {
        self.survival[chain] < KILLED
    }

    fn fill_clusters(&mut self) {
        self.clusters = vec![ChainCluster::default(); self.graph.chains().len()];
        for (index, chain) in self.graph.chains().iter().enumerate() {
            let cluster = &mut self.clusters[self.cluster_of[index]];
            cluster.chains += 1;
            cluster.fewest = if cluster.chains == 1 {
                chain.liberties.len()
            } else {
                cluster.fewest.min(chain.liberties.len())
            };
            cluster.stones += chain.stones.len();
            cluster.survival += self.survival[index] * chain.stones.len() as f32;
            for &liberty in &chain.liberties {
                if !cluster.liberties.contains(&liberty) {
                    cluster.liberties.push(liberty);
                }
            }
            for &region in &chain.regions {
                if !cluster.regions.contains(&region) {
                    cluster.regions.push(region);
                }
                let territory = self.territories.of_region(region);
                if !cluster.territories.contains(&territory) {
                    cluster.territories.push(territory);
                }
            }
        }
    }

    fn cluster_survival(&self, chain: usize) -> f32 {
        let cluster = &self.clusters[self.cluster_of[chain]];
        cluster.survival / cluster.stones as f32
    }

    /// Points of the empty regions beside a cluster that touch only its colour.
    fn cluster_region_points(&self, chain: usize) -> f32 {
        let enemy = self.graph.chain(chain).color.other();
        let regions = self.clusters[self.cluster_of[chain]].regions.iter();
        regions
            .map(|&region| self.graph.region(region))
            .filter(|region| !region.touches(enemy))
            .map(|region| region.points().len() as f32)
            .sum()
    }

    /// How many empty regions beside a cluster touch only its colour.
    fn cluster_regions(&self, chain: usize) -> f32 {
        let enemy = self.graph.chain(chain).color.other();
        let regions = self.clusters[self.cluster_of[chain]].regions.iter();
        regions
            .filter(|&&region| !self.graph.region(region).touches(enemy))
            .count() as f32
    }

    fn territory(&self, territories: &[usize], enemy: Color) -> f32 {
        territories
            .iter()
            .map(|&territory| self.territories.get(territory))
            .filter(|territory| territory.is_free_of(enemy))
            .map(|territory| territory.points as f32)
            .sum()
    }

    fn features(&self, index: usize) -> ChainFeatures {
        use Feature::*;
        let mut features = ChainFeatures([0.0; COUNT]);
        let chain = self.graph.chain(index);
        let (color, enemy) = (chain.color, chain.color.other());

        let share_owned = |points: &[Point], color: Color| {
            let all = self.bold.all();
            let shares = points
                .iter()
                .map(|&point| Survey::share(self.bold.owned(color, point), all));
            shares.sum::<f32>() / points.len().max(1) as f32
        };
        features[Survival] = share_owned(&chain.stones, color);
        let (bold, careful) = (self.bold_survived[index], self.careful_survived[index]);
        features[SurvivalMovingFirst] = Survey::share(bold, self.bold.first_moved(color));
        features[SurvivalMovingSecond] = Survey::share(bold, self.bold.first_moved(enemy));
        features[CarefulSurvival] = Survey::share(careful, self.careful.all());
        features[CarefulMovingFirst] = Survey::share(careful, self.careful.first_moved(color));
        features[CarefulMovingSecond] = Survey::share(careful, self.careful.first_moved(enemy));
        features[LibertiesOwned] = share_owned(&chain.liberties, color);
        features[LibertiesLost] = share_owned(&chain.liberties, enemy);
        features[Stones] = chain.stones.len() as f32;
        features[Liberties] = chain.liberties.len() as f32;

        for &region in &chain.regions {
            let region = self.graph.region(region);
            let points = region.points().len() as f32;
            if region.touches(enemy) {
                features[MixedRegionPoints] += points;
            } else {
                features[OwnRegionPoints] += points;
                features[LargestOwnRegion] = features[LargestOwnRegion].max(points);
            }
        }
        self.add_territories(index, &mut features);
        self.add_enemies(index, &mut features);

        features[LeastFriendSurvival] = 1.0;
        for &friend in &chain.friends {
            features[LeastFriendSurvival] =
                features[LeastFriendSurvival].min(self.survival[friend]);
            features[MostFriendSurvival] = features[MostFriendSurvival].max(self.survival[friend]);
        }
        let cluster = &self.clusters[self.cluster_of[index]];
        features[ClusterChains] = cluster.chains as f32;
        features[ClusterStones] = cluster.stones as f32;
        features[ClusterLiberties] = cluster.liberties.len() as f32;
        features[ClusterSurvival] = self.cluster_survival(index);
        features[ClusterRegionPoints] = self.cluster_region_points(index);
        features[ClusterRegions] = self.cluster_regions(index);
        features[FewestLiberties] = cluster.fewest as f32;
        features[ClusterTerritory] = self.territory(&cluster.territories, enemy);
        let size = self.board.size();
        let from_corner = |stone: &Point| {
            let (x, y) = (stone.x(), stone.y());
            x.min(size.width() - 1 - x) + y.min(size.height() - 1 - y)
        };
        features[CornerDistance] = chain.stones.iter().map(from_corner).min().unwrap_or(0) as f32;
        features
    }

    fn add_territories(&self, index: usize, features: &mut ChainFeatures) {
        use Feature::*;
        let chain = self.graph.chain(index);
        let (color, enemy) = (chain.color, chain.color.other());
        let mut beside: Vec<usize> = Vec::with_capacity(chain.regions.len());
        for &region in &chain.regions {
            let territory = self.territories.of_region(region);
            if !beside.contains(&territory) {
                beside.push(territory);
            }
        }
        features[Territory] = self.territory(&beside, enemy);
        let points: u32 = beside.iter().map(|&i| self.territories.get(i).points).sum();
        let share_owned = |color: Color| {
            let owned: f32 = beside.iter().map(|&i| self.owned[i][color.index()]).sum();
            owned / points.max(1) as f32
        };
        features[AroundOwned] = share_owned(color);
        features[AroundLost] = share_owned(enemy);

        // The territories that would be one with the chain if it were taken off the board.
        let mut swallowing = beside;
        for &removed in chain.enemies.iter().chain([&index]) {
            if let Some(territory) = self.territories.of_chain(removed)
                && !swallowing.contains(&territory)
            {
                swallowing.push(territory);
            }
        }
        features[TerritoryIfDead] = chain.stones.len() as f32;
        for &territory in &swallowing {
            let territory = self.territories.get(territory);
            features[TerritoryIfDead] += territory.points as f32;
            if !territory.is_free_of(enemy) {
                features[LostIfAlive] += territory.points as f32;
            }
        }
    }

    fn add_enemies(&self, index: usize, features: &mut ChainFeatures) {
        use Feature::*;
        let chains = self.graph.chains();
        let chain = &chains[index];
        let weakest = chain.enemies.iter().copied().min_by(|&a, &b| {
            let larger_first = chains[b].stones.len().cmp(&chains[a].stones.len());
            self.survival[a]
                .total_cmp(&self.survival[b])
                .then(larger_first)
        });
        features[WeakEnemySurvival] = 1.0;
        if let Some(weakest) = weakest {
            features[WeakEnemySurvival] = self.survival[weakest];
            features[WeakEnemyStones] = chains[weakest].stones.len() as f32;
            features[WeakEnemyLiberties] = chains[weakest].liberties.len() as f32;
            features[WeakEnemyRegionPoints] = self.cluster_region_points(weakest);
            let both = self.bold_survived[index] & self.bold_survived[weakest];
            features[BothSurvive] = Survey::share(both, self.bold.all());
            features[WeakEnemyRegions] = self.cluster_regions(weakest);
            let theirs = &self.clusters[self.cluster_of[weakest]].liberties;
            features[WeakEnemyClusterLiberties] = theirs.len() as f32;
            let ours = self.clusters[self.cluster_of[index]].liberties.iter();
            features[SharedWithWeakEnemy] =
                ours.filter(|liberty| theirs.contains(liberty)).count() as f32;
        }
        features[WeakEnemyClusterSurvival] = 1.0;
        features[FewestEnemyLiberties] = 99.0;
        for &enemy in &chain.enemies {
            features[StrongEnemySurvival] = features[StrongEnemySurvival].max(self.survival[enemy]);
            let liberties = chains[enemy].liberties.len() as f32;
            features[FewestEnemyLiberties] = features[FewestEnemyLiberties].min(liberties);
            let cluster = self.cluster_survival(enemy);
            features[WeakEnemyClusterSurvival] = features[WeakEnemyClusterSurvival].min(cluster);
            if self.is_killed(enemy) {
                features[DeadEnemyStones] += chains[enemy].stones.len() as f32;
            }
        }
        let enemy = chain.color.other().spot();
        let shared = |liberty: &&Point| {
            liberty
                .neighbors()
                .into_iter()
                .any(|beside| self.board.spot(beside) == enemy)
        };
        features[SharedLiberties] = chain.liberties.iter().filter(shared).count() as f32;
    }
}
