//! How sure the tool is of a score.
//!
//! The confidence is the probability that the margin is the one that the players would have agreed
//! on. Most of it is how sure [`life`](crate::life) is of the chains, but not all: players
//! forget a stone in atari, or count points that have to be filled, and they do so more often where
//! there is more of it. A small [`Forest`] has learned from games with a recorded result how often a
//! score with given doubts was exact; `examples/train` fits it.

use std::sync::LazyLock;

use super::{Count, Counting, Mark};
use crate::board::Color;
use crate::life::forest::Forest;
use crate::life::{ChainNode, Life};
use crate::replay::EndedBy;
use crate::rules::{Preset, Scoring};
use crate::sgf::Server;

static FOREST: LazyLock<Forest> = LazyLock::new(|| {
    let bytes = include_bytes!("confidence.forest");
    Forest::parse(bytes, &feature_names())
        .expect("confidence.forest holds a forest for these features")
        .0
});

/// A game that was broken off has no agreed result; the estimate is right now and then only.
const UNFINISHED: f64 = 0.1;

/// What is known of the record that was counted, besides its final position.
#[derive(Clone, Copy, Debug, Default)]
pub struct Circumstances {
    /// Passes at the end, in a row: whether the players agreed that the game was over.
    pub passes: u32,
    /// Where it was played, if on a server that is known.
    pub server: Option<Server>,
}

/// What is known of a score when it is asked how sure it is.
struct Evidence<'a> {
    life: &'a Life,
    counted: &'a Count,
    circumstances: &'a Circumstances,
}

impl Evidence<'_> {
    /// The chains with the probability that the verdict on them is wrong.
    fn doubts(&self) -> impl Iterator<Item = (f64, &ChainNode)> {
        let chains = self.life.graph().chains().iter().enumerate();
        chains.map(|(i, chain)| {
            let alive = self.life.probability(i);
            (1.0 - alive.max(1.0 - alive), chain)
        })
    }

    fn in_atari(&self, alive: bool) -> usize {
        let chains = self.life.graph().chains().iter().enumerate();
        chains
            .filter(|&(i, chain)| chain.liberties.len() == 1 && self.life.is_alive(i) == alive)
            .count()
    }

    /// How many dame lie together, where most do.
    fn largest_dame_region(&self) -> usize {
        let dame = self.counted.map.points(|mark| mark == Mark::Dame);
        dame.parts().map(|region| region.len()).max().unwrap_or(0)
    }

    /// The protective moves that were assumed, by Black and by White.
    fn assumed(&self) -> [usize; 2] {
        Color::BOTH.map(|color| {
            let assumed = self.counted.assumed.iter();
            assumed.filter(|own| own.color == color).count()
        })
    }

    fn points(&self) -> f32 {
        self.counted.map.size().area() as f32
    }
}

/// A number that the forest looks at, with its name.
type Feature = (&'static str, fn(&Evidence) -> f32);

/// What may be wrong with a score, in numbers.
const FEATURES: &[Feature] = &[
    ("Doubt", |score| {
        score.doubts().map(|(doubt, _)| doubt).sum::<f64>() as f32
    }),
    ("LargestDoubt", |score| {
        let doubts = score.doubts().map(|(doubt, _)| doubt);
        doubts.fold(0.0, f64::max) as f32
    }),
    ("DoubtfulChains", |score| {
        score.doubts().filter(|&(doubt, _)| doubt > 0.02).count() as f32
    }),
    ("StonesAtStake", |score| {
        let stakes = score
            .doubts()
            .map(|(doubt, chain)| doubt * chain.stones.len() as f64);
        stakes.sum::<f64>() as f32
    }),
    ("DeadChains", |score| {
        let dead = score.life.dead_chains();
        dead.into_iter().filter(|&dead| dead).count() as f32
    }),
    ("LivingInAtari", |score| score.in_atari(true) as f32),
    ("DeadInAtari", |score| score.in_atari(false) as f32),
    ("Dame", |score| score.counted.dame as f32),
    ("SekiGroups", |score| score.counted.seki_groups as f32),
    // Where the strict and the plain way of counting differ, people may too.
    ("OtherCounting", |score| match score.counted.rules.scoring {
        Scoring::Area => 0.0,
        Scoring::Territory => {
            let [black, white] = score.counted.disputed;
            black.abs_diff(white) as f32
        }
    }),
    ("AreaScoring", |score| {
        f32::from(score.counted.rules.scoring == Scoring::Area)
    }),
    ("Points", |score| score.points()),
    ("DeadStones", |score| {
        (score.counted.black.dead + score.counted.white.dead) as f32 / score.points()
    }),
    ("Passes", |score| score.circumstances.passes.min(2) as f32),
    ("Counting", |score| match score.counted.terms.counting {
        Counting::Strict => 0.0,
        Counting::Kgs => 1.0,
        Counting::Plain => 2.0,
    }),
    ("LargestDameRegion", |score| {
        score.largest_dame_region() as f32
    }),
    ("Shared", |score| score.counted.shared as f32),
    ("Assumed", |score| {
        score.assumed().iter().sum::<usize>() as f32
    }),
    ("AssumedLead", |score| {
        let [black, white] = score.assumed();
        black.abs_diff(white) as f32
    }),
    ("KoreanRules", |score| {
        f32::from(score.counted.rules.base == Preset::Korean)
    }),
    // How carefully the results of a source are kept is a matter of the source.
    ("Server", |score| match score.circumstances.server {
        None => 0.0,
        Some(Server::Fox) => 1.0,
        Some(Server::Tom) => 2.0,
        Some(Server::Tygem) => 3.0,
        Some(Server::Ogs) => 4.0,
        Some(Server::Kgs) => 5.0,
        Some(Server::Cgos) => 6.0,
    }),
];

/// How many numbers the forest looks at.
pub const COUNT: usize = FEATURES.len();

/// The names of the numbers, in their order.
pub fn feature_names() -> Vec<&'static str> {
    FEATURES.iter().map(|&(name, _)| name).collect()
}

/// What may be wrong with a score, in numbers.
pub fn features(life: &Life, counted: &Count, circumstances: &Circumstances) -> [f32; COUNT] {
    let score = Evidence {
        life,
        counted,
        circumstances,
    };
    std::array::from_fn(|i| FEATURES[i].1(&score))
}

/// The confidence in a score.
pub(crate) fn in_score(
    life: &Life,
    counted: &Count,
    circumstances: &Circumstances,
    ended_by: EndedBy,
) -> f64 {
    let sure = f64::from(FOREST.probability(&features(life, counted, circumstances)));
    match ended_by {
        EndedBy::Passes | EndedBy::Counted => sure,
        EndedBy::Resignation | EndedBy::Time | EndedBy::Forfeit | EndedBy::Unfinished => {
            UNFINISHED * sure
        }
        // Neither passes nor a result: perhaps played out, perhaps not.
        EndedBy::Unknown => 0.5 * sure,
    }
}
