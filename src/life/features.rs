//! What the decision about a chain looks at: a row of numbers a chain.
//!
//! Most of them come from two [`Survey`]s, one by bold and one by careful players: how often the
//! chain was still there at the end, and how that hangs together with the fate of its neighbours.
//! The others are what a person counts: stones, liberties, the empty regions beside the chain, and
//! what the board would look like if it were alive or dead. No feature knows the size of the board,
//! the rules, the players or the result, so that what was learned on one kind of game serves others.
//!
//! *Cluster* here means friends (chains of one colour that share a liberty or touch diagonally)
//! with the same fate in every playout, or nearly so if they share two liberties. A *zone* is a
//! connected area of empty points and of stones that most playouts killed: territory-to-be.

use std::ops::{Index, IndexMut};

use super::playout::Survey;
use super::position_graph::Sketch;
use super::potential_territory::Zones;
use crate::board::{Board, Color, Point};

macro_rules! features {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// The name of a number in a [`Row`].
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        pub enum Feature {
            $($(#[$doc])* $name,)*
        }

        impl Feature {
            /// Every feature, in the order of the row.
            pub const ALL: &'static [Feature] = &[$(Feature::$name,)*];
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
    /// Points of the zones beside it that no living enemy touches.
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
    /// The cluster's points of zones that no living enemy touches.
    ClusterTerritory,
    /// How far its outermost stone is from the corner, counted along the two sides.
    CornerDistance,
    /// The size of the zone that would swallow the chain if it were dead.
    IfDeadZone,
    /// The points that the enemy would not get if it were alive.
    IfAliveLost,
    /// How often the points of the zones beside it were its own at the end.
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
pub const COUNT: usize = Feature::ALL.len();

/// The features of one chain.
#[derive(Clone, Debug, PartialEq)]
pub struct Row(pub [f32; COUNT]);

impl Index<Feature> for Row {
    type Output = f32;

    fn index(&self, feature: Feature) -> &f32 {
        &self.0[feature as usize]
    }
}

impl IndexMut<Feature> for Row {
    fn index_mut(&mut self, feature: Feature) -> &mut f32 {
        &mut self.0[feature as usize]
    }
}

/// Chains of one colour that live or die together, and what they have between them.
#[derive(Clone, Debug, Default)]
struct Cluster {
    chains: usize,
    stones: usize,
    /// Survival, summed over its stones.
    survival: f32,
    liberties: Vec<Point>,
    fewest: usize,
    regions: Vec<usize>,
    zones: Vec<usize>,
}

/// Everything that the features of single chains are read off.
struct Reading<'a> {
    board: &'a Board,
    sketch: &'a Sketch,
    bold: &'a Survey,
    careful: &'a Survey,
    /// The playouts that each chain survived.
    bold_survived: Vec<u64>,
    careful_survived: Vec<u64>,
    survival: Vec<f32>,
    /// The cluster of each chain, named by its first chain.
    cluster_of: Vec<usize>,
    /// At the index of their first chains.
    clusters: Vec<Cluster>,
    /// Empty points and stones that most playouts killed, connected.
    zones: Zones,
    /// How often the points of each zone were Black's and White's, summed.
    owned: Vec<[f32; 2]>,
}

/// Chains that survive less often were killed by most playouts.
const KILLED: f32 = 0.5;

/// The features of every chain of a position, and for each chain the first one of its cluster.
pub fn rows(
    board: &Board,
    sketch: &Sketch,
    bold: &Survey,
    careful: &Survey,
) -> (Vec<Row>, Vec<usize>) {
    let reading = Reading::new(board, sketch, bold, careful);
    let rows = (0..sketch.chains.len())
        .map(|chain| reading.row(chain))
        .collect();
    (rows, reading.cluster_of)
}

fn join_clusters(sketch: &Sketch, bold: &[u64], careful: &[u64], playouts: u32) -> Vec<usize> {
    fn first(of: &mut [usize], mut chain: usize) -> usize {
        while of[chain] != chain {
            of[chain] = of[of[chain]];
            chain = of[chain];
        }
        chain
    }
    let mut of: Vec<usize> = (0..sketch.chains.len()).collect();
    for (index, chain) in sketch.chains.iter().enumerate() {
        for &friend in chain.friends.iter().filter(|&&friend| friend > index) {
            let apart = (bold[index] ^ bold[friend]).count_ones()
                + (careful[index] ^ careful[friend]).count_ones();
            let together = apart == 0
                || apart * 8 <= playouts && chain.shared_liberties(&sketch.chains[friend]) >= 2;
            if together {
                let (a, b) = (first(&mut of, index), first(&mut of, friend));
                of[a.max(b)] = a.min(b);
            }
        }
    }
    (0..of.len()).map(|chain| first(&mut of, chain)).collect()
}

impl<'a> Reading<'a> {
    fn new(
        board: &'a Board,
        sketch: &'a Sketch,
        bold: &'a Survey,
        careful: &'a Survey,
    ) -> Reading<'a> {
        let survived = |survey: &Survey| -> Vec<u64> {
            sketch
                .chains
                .iter()
                .map(|chain| survey.survived(chain.color, &chain.stones))
                .collect()
        };
        let (bold_survived, careful_survived) = (survived(bold), survived(careful));
        let survival: Vec<f32> = bold_survived
            .iter()
            .map(|&bits| Survey::share(bits, bold.all()))
            .collect();
        let mut owned: Vec<[f32; 2]> = Vec::new();
        let zones = Zones::new(
            board,
            sketch,
            |chain| survival[chain] < KILLED,
            |zone, point| {
                owned.resize(zone + 1, [0.0; 2]);
                for color in Color::BOTH {
                    let share = Survey::share(bold.owned(color, point), bold.all());
                    owned[zone][color.index()] += share;
                }
            },
        );
        let cluster_of = join_clusters(
            sketch,
            &bold_survived,
            &careful_survived,
            bold.all().count_ones(),
        );
        let mut reading = Reading {
            board,
            sketch,
            bold,
            careful,
            bold_survived,
            careful_survived,
            survival,
            cluster_of,
            clusters: Vec::new(),
            zones,
            owned,
        };
        reading.sum_up_clusters();
        reading
    }

    /// Whether most playouts killed the chain.
    fn is_killed(&self, chain: usize) -> bool {
        self.survival[chain] < KILLED
    }

    fn sum_up_clusters(&mut self) {
        self.clusters = vec![Cluster::default(); self.sketch.chains.len()];
        for (index, chain) in self.sketch.chains.iter().enumerate() {
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
                if let Some(zone) = self.zones.at(liberty)
                    && !cluster.zones.contains(&zone)
                {
                    cluster.zones.push(zone);
                }
            }
            for &region in &chain.regions {
                if !cluster.regions.contains(&region) {
                    cluster.regions.push(region);
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
        let enemy = self.sketch.chains[chain].color.other();
        let regions = self.clusters[self.cluster_of[chain]].regions.iter();
        regions
            .map(|&region| &self.sketch.regions[region])
            .filter(|region| !region.touches[enemy.index()])
            .map(|region| region.points as f32)
            .sum()
    }

    /// How many empty regions beside a cluster touch only its colour.
    fn cluster_regions(&self, chain: usize) -> f32 {
        let enemy = self.sketch.chains[chain].color.other();
        let regions = self.clusters[self.cluster_of[chain]].regions.iter();
        regions
            .filter(|&&region| !self.sketch.regions[region].touches[enemy.index()])
            .count() as f32
    }

    fn territory(&self, zones: &[usize], enemy: Color) -> f32 {
        zones
            .iter()
            .map(|&zone| self.zones.zone(zone))
            .filter(|zone| zone.is_free_of(enemy))
            .map(|zone| zone.points)
            .sum()
    }

    fn row(&self, index: usize) -> Row {
        use Feature::*;
        let mut row = Row([0.0; COUNT]);
        let chain = &self.sketch.chains[index];
        let (color, enemy) = (chain.color, chain.color.other());

        let share_owned = |points: &[Point], color: Color| {
            let all = self.bold.all();
            let shares = points
                .iter()
                .map(|&point| Survey::share(self.bold.owned(color, point), all));
            shares.sum::<f32>() / points.len().max(1) as f32
        };
        row[Survival] = share_owned(&chain.stones, color);
        let (bold, careful) = (self.bold_survived[index], self.careful_survived[index]);
        row[SurvivalMovingFirst] = Survey::share(bold, self.bold.first_moved(color));
        row[SurvivalMovingSecond] = Survey::share(bold, self.bold.first_moved(enemy));
        row[CarefulSurvival] = Survey::share(careful, self.careful.all());
        row[CarefulMovingFirst] = Survey::share(careful, self.careful.first_moved(color));
        row[CarefulMovingSecond] = Survey::share(careful, self.careful.first_moved(enemy));
        row[LibertiesOwned] = share_owned(&chain.liberties, color);
        row[LibertiesLost] = share_owned(&chain.liberties, enemy);
        row[Stones] = chain.stones.len() as f32;
        row[Liberties] = chain.liberties.len() as f32;

        for &region in &chain.regions {
            let region = &self.sketch.regions[region];
            let points = region.points as f32;
            if region.touches[enemy.index()] {
                row[MixedRegionPoints] += points;
            } else {
                row[OwnRegionPoints] += points;
                row[LargestOwnRegion] = row[LargestOwnRegion].max(points);
            }
        }
        self.look_at_zones(index, &mut row);
        self.look_at_enemies(index, &mut row);

        row[LeastFriendSurvival] = 1.0;
        for &friend in &chain.friends {
            row[LeastFriendSurvival] = row[LeastFriendSurvival].min(self.survival[friend]);
            row[MostFriendSurvival] = row[MostFriendSurvival].max(self.survival[friend]);
        }
        let cluster = &self.clusters[self.cluster_of[index]];
        row[ClusterChains] = cluster.chains as f32;
        row[ClusterStones] = cluster.stones as f32;
        row[ClusterLiberties] = cluster.liberties.len() as f32;
        row[ClusterSurvival] = self.cluster_survival(index);
        row[ClusterRegionPoints] = self.cluster_region_points(index);
        row[ClusterRegions] = self.cluster_regions(index);
        row[FewestLiberties] = cluster.fewest as f32;
        row[ClusterTerritory] = self.territory(&cluster.zones, enemy);
        let size = self.board.size();
        let from_corner = |stone: &Point| {
            let (x, y) = (stone.x(), stone.y());
            x.min(size.width() - 1 - x) + y.min(size.height() - 1 - y)
        };
        row[CornerDistance] = chain.stones.iter().map(from_corner).min().unwrap_or(0) as f32;
        row
    }

    fn look_at_zones(&self, index: usize, row: &mut Row) {
        use Feature::*;
        let chain = &self.sketch.chains[index];
        let (color, enemy) = (chain.color, chain.color.other());
        let mut beside: Vec<usize> = Vec::new();
        for zone in chain.liberties.iter().filter_map(|&p| self.zones.at(p)) {
            if !beside.contains(&zone) {
                beside.push(zone);
            }
        }
        row[Territory] = self.territory(&beside, enemy);
        let sum = |of: &dyn Fn(usize) -> f32| -> f32 { beside.iter().map(|&zone| of(zone)).sum() };
        let points = sum(&|zone| self.zones.zone(zone).points).max(1.0);
        row[AroundOwned] = sum(&|zone| self.owned[zone][color.index()]) / points;
        row[AroundLost] = sum(&|zone| self.owned[zone][enemy.index()]) / points;

        // The zones that would be one with the chain if it were taken off the board.
        let mut swallowing = beside;
        for &stone in &chain.stones {
            for point in stone.neighbors().into_iter().chain([stone]) {
                if let Some(zone) = self.zones.at(point)
                    && !swallowing.contains(&zone)
                {
                    swallowing.push(zone);
                }
            }
        }
        row[IfDeadZone] = chain.stones.len() as f32;
        for &zone in &swallowing {
            let zone = self.zones.zone(zone);
            row[IfDeadZone] += zone.points;
            if !zone.is_free_of(enemy) {
                row[IfAliveLost] += zone.points;
            }
        }
    }

    fn look_at_enemies(&self, index: usize, row: &mut Row) {
        use Feature::*;
        let chains = &self.sketch.chains;
        let chain = &chains[index];
        let weakest = chain.enemies.iter().copied().min_by(|&a, &b| {
            let larger_first = chains[b].stones.len().cmp(&chains[a].stones.len());
            self.survival[a]
                .total_cmp(&self.survival[b])
                .then(larger_first)
        });
        row[WeakEnemySurvival] = 1.0;
        if let Some(weakest) = weakest {
            row[WeakEnemySurvival] = self.survival[weakest];
            row[WeakEnemyStones] = chains[weakest].stones.len() as f32;
            row[WeakEnemyLiberties] = chains[weakest].liberties.len() as f32;
            row[WeakEnemyRegionPoints] = self.cluster_region_points(weakest);
            let both = self.bold_survived[index] & self.bold_survived[weakest];
            row[BothSurvive] = Survey::share(both, self.bold.all());
            row[WeakEnemyRegions] = self.cluster_regions(weakest);
            let theirs = &self.clusters[self.cluster_of[weakest]].liberties;
            row[WeakEnemyClusterLiberties] = theirs.len() as f32;
            let ours = self.clusters[self.cluster_of[index]].liberties.iter();
            row[SharedWithWeakEnemy] =
                ours.filter(|liberty| theirs.contains(liberty)).count() as f32;
        }
        row[WeakEnemyClusterSurvival] = 1.0;
        row[FewestEnemyLiberties] = 99.0;
        for &enemy in &chain.enemies {
            row[StrongEnemySurvival] = row[StrongEnemySurvival].max(self.survival[enemy]);
            let liberties = chains[enemy].liberties.len() as f32;
            row[FewestEnemyLiberties] = row[FewestEnemyLiberties].min(liberties);
            let cluster = self.cluster_survival(enemy);
            row[WeakEnemyClusterSurvival] = row[WeakEnemyClusterSurvival].min(cluster);
            if self.is_killed(enemy) {
                row[DeadEnemyStones] += chains[enemy].stones.len() as f32;
            }
        }
        let enemy = chain.color.other().spot();
        let shared = |liberty: &&Point| {
            liberty
                .neighbors()
                .into_iter()
                .any(|beside| self.board.spot(beside) == enemy)
        };
        row[SharedLiberties] = chain.liberties.iter().filter(shared).count() as f32;
    }
}
