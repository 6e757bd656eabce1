//! Life and death of every chain in a finished position.
//!
//! The decision is made in steps, each only if the one before leaves doubt. What each piece of
//! evidence is worth, a [`Forest`] has learned from finished games.
//!
//! 1. **At a glance.** A handful of playouts and a look at the shape of things give each chain a
//!    [`Row`] of numbers, and a forest turns those into odds that it lives. If every chain is as
//!    good as certain, that is all.
//! 2. **At first sight.** The same with several times as many playouts.
//! 3. **At second look.** Around chains that are still in doubt, a small tree search is asked what
//!    happens when their own side or the enemy moves first. Another forest weighs the answers
//!    together with what is thought of the chain's neighbours ([`search_features`]): in a race one side
//!    dies, in a seki neither, and chains that hang together share their fate.
//! 4. **Once more.** Dice had a part in all of that, and with other dice a close decision may fall
//!    the other way. So where the odds are close, the last two steps are taken again, several
//!    times if need be, and the mean of the odds decides.
//!
//! Nothing here looks at the rules, the result or the players: whether a chain is alive is a matter
//! of the position alone. What its life is worth is counted in [`crate::count`].

use std::sync::LazyLock;

use super::features::{self, Row};
use super::forest::Forest;
use super::playout::{Player, Policy, Survey};
use super::position_graph::Sketch;
use super::search_features;
use crate::board::{Board, PointSet};

/// The fitted forests of the first three steps.
struct Forests {
    glance: Forest,
    sight: Forest,
    look: Forest,
}

/// As `examples/train` wrote them, one after the other.
static FORESTS: LazyLock<Forests> = LazyLock::new(|| {
    let mut rest = include_bytes!("life.forest").as_slice();
    let mut next = || {
        let (forest, others) = Forest::read(rest).expect("life.forest holds three forests");
        rest = others;
        forest
    };
    Forests {
        glance: next(),
        sight: next(),
        look: next(),
    }
});

/// Playouts by bold and by careful players at a glance, and in all at first sight.
const GLANCE: [u32; 2] = [6, 4];
const PLAYOUTS: [u32; 2] = [28, 14];
/// Log-odds beyond which a chain's fate is clear: 985 in a thousand.
pub(super) const CLEAR: f32 = 4.2;
/// Log-odds below which a chain's fate is close: four in five.
const CLOSE: f32 = 1.5;
/// A position with more close chains than this is not settled, and no look will settle it.
const MOST_CLOSE: usize = 8;
/// How often a position is looked at, at most.
const MOST_ROUNDS: u32 = 6;

/// What is decided about the chains of a position.
#[derive(Clone, Debug)]
pub struct Life {
    pub sketch: Sketch,
    /// The log-odds that each chain lives, in the order of the sketch.
    pub odds: Vec<f32>,
}

impl Life {
    /// Whether the chain lives.
    pub fn is_alive(&self, chain: usize) -> bool {
        self.odds[chain] > 0.0
    }

    /// The probability that the chain lives.
    pub fn probability(&self, chain: usize) -> f64 {
        1.0 / (1.0 + (-f64::from(self.odds[chain])).exp())
    }

    /// All dead stones.
    pub fn dead(&self) -> PointSet {
        dead(&self.sketch, &self.odds)
    }
}

/// The stones of the chains that more likely die.
fn dead(sketch: &Sketch, odds: &[f32]) -> PointSet {
    let chains = sketch.chains.iter().zip(odds);
    chains
        .filter(|&(_, &odds)| odds <= 0.0)
        .flat_map(|(chain, _)| chain.stones.iter().copied())
        .collect()
}

/// Decides which chains of a finished position are alive.
///
/// ```
/// use kifu::life::judge;
/// use kifu::board::{Board, Point};
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
/// let dead = judge::judge(&board).dead();
/// assert!(dead.contains(Point::new(6, 1)));
/// assert!(dead.contains(Point::new(2, 5)));
/// assert_eq!(dead.len(), 2);
/// ```
pub fn judge(board: &Board) -> Life {
    FirstSight::of(board).look_again(board)
}

/// What the first two steps say. For the position of an unfinished game that is all there is to
/// say: nearly every chain of it is in doubt, and a search would take long to find that out.
pub struct FirstSight {
    evidence: Evidence,
    odds: Vec<f32>,
}

impl FirstSight {
    pub fn of(board: &Board) -> FirstSight {
        let mut playouts = Playouts::new(board, 0);
        let glance = FirstSight::by(
            &FORESTS.glance,
            playouts.evidence(board, Sketch::new(board), GLANCE),
        );
        if is_certain(&glance.odds) {
            return glance;
        }
        FirstSight::by(
            &FORESTS.sight,
            playouts.evidence(board, glance.evidence.sketch, PLAYOUTS),
        )
    }

    /// Weighs the evidence.
    fn by(forest: &Forest, evidence: Evidence) -> FirstSight {
        let rows = evidence.rows.iter();
        let odds = rows.map(|row| forest.log_odds(&row.0)).collect();
        FirstSight { evidence, odds }
    }

    /// Whether there is no doubt about any chain.
    pub fn is_certain(&self) -> bool {
        is_certain(&self.odds)
    }

    /// All stones that are dead at first sight.
    pub fn dead(&self) -> PointSet {
        dead(&self.evidence.sketch, &self.odds)
    }

    /// What is decided about the chains as it stands.
    pub fn into_life(self) -> Life {
        Life {
            sketch: self.evidence.sketch,
            odds: self.odds,
        }
    }

    /// Takes the third step where there is doubt, and the fourth where there is still some.
    pub fn look_again(self, board: &Board) -> Life {
        let Life { sketch, odds } = self.look_closer(board, 0, |_| true);
        let odds = agree(odds, |round, mean| {
            let mut playouts = Playouts::new(board, round);
            let evidence = playouts.evidence(board, sketch.clone(), PLAYOUTS);
            let sight = FirstSight::by(&FORESTS.sight, evidence);
            sight
                .look_closer(board, round, |chain| is_close(mean[chain]))
                .odds
        });
        Life { sketch, odds }
    }

    /// Looks closer at some of the chains, if they are in doubt.
    fn look_closer(mut self, board: &Board, round: u32, at: impl Fn(usize) -> bool) -> Life {
        for testimony in search_features::hear(board, &self.evidence, &self.odds, round, at) {
            self.odds[testimony.chain] = FORESTS.look.log_odds(&testimony.row);
        }
        self.into_life()
    }
}

/// Asks for the odds of further rounds until no chain's are close, and gives the mean of each
/// chain's odds up to the round in which they became clear.
pub fn agree(first: Vec<f32>, mut ask: impl FnMut(u32, &[f32]) -> Vec<f32>) -> Vec<f32> {
    let mut mean = first;
    for round in 1..MOST_ROUNDS {
        let close = mean.iter().filter(|&&odds| is_close(odds)).count();
        if close == 0 || close > MOST_CLOSE {
            break;
        }
        let weight = 1.0 / (round + 1) as f32;
        let odds = ask(round, &mean);
        for (mean, odds) in mean.iter_mut().zip(odds) {
            if is_close(*mean) {
                *mean += weight * (odds - *mean);
            }
        }
    }
    mean
}

fn is_close(odds: f32) -> bool {
    odds.abs() < CLOSE
}

/// Whether the odds leave no doubt about any chain.
pub fn is_certain(odds: &[f32]) -> bool {
    odds.iter().all(|odds| odds.abs() >= CLEAR)
}

/// The playouts of a position, as far as they went.
struct Playouts {
    player: Player,
    bold: Survey,
    careful: Survey,
}

impl Playouts {
    fn new(board: &Board, round: u32) -> Playouts {
        Playouts {
            player: Player::new(board, round),
            bold: Survey::new(board.size(), Policy::BOLD),
            careful: Survey::new(board.size(), Policy::CAREFUL),
        }
    }

    /// The evidence after so many playouts.
    fn evidence(&mut self, board: &Board, sketch: Sketch, playouts: [u32; 2]) -> Evidence {
        self.bold.play(&mut self.player, playouts[0]);
        self.careful.play(&mut self.player, playouts[1]);
        let (rows, clusters) = features::rows(board, &sketch, &self.bold, &self.careful);
        Evidence {
            sketch,
            rows,
            clusters,
        }
    }
}

/// The evidence of the first steps.
pub struct Evidence {
    pub sketch: Sketch,
    /// The features of each chain.
    pub rows: Vec<Row>,
    /// The first chain of each chain's cluster.
    pub clusters: Vec<usize>,
}

impl Evidence {
    /// The evidence at a glance and at first sight, by the dice of a round.
    pub fn gather(board: &Board, round: u32) -> [Evidence; 2] {
        let mut playouts = Playouts::new(board, round);
        [GLANCE, PLAYOUTS].map(|count| playouts.evidence(board, Sketch::new(board), count))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is agreed on, and how many more rounds it took.
    fn agreed(rounds: &[&[f32]]) -> (Vec<f32>, usize) {
        let mut asked = 0;
        let odds = agree(rounds[0].to_vec(), |round, _| {
            asked += 1;
            rounds[round as usize].to_vec()
        });
        (odds, asked)
    }

    #[test]
    fn close_odds_are_asked_for_again_until_their_mean_is_clear() {
        let clear: [&[f32]; 1] = [&[2.0, -5.0]];
        assert_eq!(agreed(&clear), (vec![2.0, -5.0], 0));
        let once: [&[f32]; 2] = [&[1.0, 6.0], &[-7.0, 4.0]];
        assert_eq!(agreed(&once), (vec![-3.0, 6.0], 1));
        let never: [&[f32]; MOST_ROUNDS as usize] = [&[0.5]; _];
        assert_eq!(agreed(&never), (vec![0.5], MOST_ROUNDS as usize - 1));
    }

    #[test]
    fn a_position_that_is_all_doubt_is_left_alone() {
        let open: [&[f32]; 1] = [&[0.1; MOST_CLOSE + 1]];
        assert_eq!(agreed(&open).1, 0);
    }

    #[test]
    fn every_round_has_dice_of_its_own() {
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
        let rows = |round| Evidence::gather(&board, round).map(|evidence| evidence.rows);
        assert_eq!(rows(1), rows(1));
        assert_ne!(rows(0)[1], rows(1)[1]);
    }
}
