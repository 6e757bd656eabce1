//! How sure the tool is of a score.
//!
//! The confidence is the probability that the margin is the one that the players would have agreed
//! on. Most of it is how sure [`life`](crate::life) is of the chains, but not all: players
//! forget a stone in atari, or count points that have to be filled, and they do so more often where
//! there is more of it. A small [`Forest`] has learned from games with a recorded result how often a
//! score with given doubts was exact; `examples/train` fits it.

use std::sync::LazyLock;

use super::Count;
use crate::life::Life;
use crate::life::forest::Forest;
use crate::replay::EndedBy;
use crate::rules::{Rules, Scoring};

static FOREST: LazyLock<Forest> = LazyLock::new(|| {
    let bytes = include_bytes!("confidence.forest");
    Forest::parse(bytes)
        .expect("confidence.forest holds a forest")
        .0
});

/// A game that was broken off has no agreed result; the estimate is right now and then only.
const UNFINISHED: f64 = 0.1;

/// How many numbers the forest looks at.
pub const COUNT: usize = 13;

/// What may be wrong with a score, in numbers.
pub fn features(life: &Life, counted: &Count, rules: &Rules) -> [f32; COUNT] {
    let doubt = |chain: usize| 1.0 - life.probability(chain).max(1.0 - life.probability(chain));
    let chains = || life.graph().chains().iter().enumerate();
    let all: f64 = chains().map(|(i, _)| doubt(i)).sum();
    let largest = chains().map(|(i, _)| doubt(i)).fold(0.0, f64::max);
    let doubtful = chains().filter(|&(i, _)| doubt(i) > 0.02).count();
    let at_stake: f64 = chains()
        .map(|(i, chain)| doubt(i) * chain.stones.len() as f64)
        .sum();
    let dead_chains = chains().filter(|&(i, _)| !life.is_alive(i)).count();
    let in_atari = |alive: bool| {
        chains()
            .filter(|&(i, chain)| chain.liberties.len() == 1 && life.is_alive(i) == alive)
            .count()
    };
    // Where the strict and the plain way of counting differ, people may too.
    let other_way = match rules.scoring {
        Scoring::Area => 0,
        Scoring::Territory => counted.disputed[0].abs_diff(counted.disputed[1]),
    };
    let points = counted.map.size().area() as f32;
    [
        all as f32,
        largest as f32,
        doubtful as f32,
        at_stake as f32,
        dead_chains as f32,
        in_atari(true) as f32,
        in_atari(false) as f32,
        counted.dame as f32,
        counted.seki_groups as f32,
        other_way as f32,
        (rules.scoring == Scoring::Area) as u8 as f32,
        points,
        (counted.black.dead + counted.white.dead) as f32 / points,
    ]
}

/// The confidence in a score.
pub(crate) fn in_score(life: &Life, counted: &Count, rules: &Rules, ended_by: EndedBy) -> f64 {
    let sure = f64::from(FOREST.probability(&features(life, counted, rules)));
    match ended_by {
        EndedBy::Passes | EndedBy::Counted => sure,
        EndedBy::Resignation | EndedBy::Time | EndedBy::Forfeit | EndedBy::Unfinished => {
            UNFINISHED * sure
        }
        // Neither passes nor a result: perhaps played out, perhaps not.
        EndedBy::Unknown => 0.5 * sure,
    }
}
