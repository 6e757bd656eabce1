//! Life and death of every chain in a finished position.
//!
//! The decision is made in steps, each only if the one before leaves doubt. What each piece of
//! evidence is worth, a [`Forest`] has learned from finished games.
//!
//! 1. **At a glance.** Ten playouts and a look at the shape of things give each chain a
//!    [`Row`] of numbers, and the first forest odds that it lives. If every chain is as good as
//!    certain, that is all.
//! 2. **At first sight.** Four times as many playouts, and the same forest again.
//! 3. **At second look.** Around chains that are still in doubt, a small tree search is asked what
//!    happens when their own side or the enemy moves first. The second forest weighs the answers
//!    together with what the first thinks of the chain's neighbours: in a race one side dies, in a
//!    seki neither, and chains that hang together share their fate.
//!
//! Nothing here looks at the rules, the result or the players: whether a chain is alive is a matter
//! of the position alone. What its life is worth is counted in [`crate::score`].

use std::sync::LazyLock;

use super::features::{self, COUNT, Row};
use super::forest::Forest;
use super::playout::{Player, Policy, Survey};
use super::second_look::{self, Look, Question, Search};
use super::sketch::Sketch;
use crate::rules::{Board, PointSet};

/// The two fitted forests, written by `examples/train`.
static FORESTS: LazyLock<[Forest; 2]> = LazyLock::new(|| {
    let bytes = include_bytes!("life.forest");
    let (first, rest) = Forest::read(bytes).expect("life.forest holds two forests");
    let (second, _) = Forest::read(rest).expect("life.forest holds two forests");
    [first, second]
});

/// Playouts by bold and by careful players at a glance, and in all at first sight.
const GLANCE: [u32; 2] = [6, 4];
const PLAYOUTS: [u32; 2] = [28, 14];
/// Games of the search for each side moving first.
const GAMES: u32 = 300;
/// No position gets more looks; the largest chains come first.
const MOST_LOOKS: usize = 8;
/// Log-odds beyond which a chain's fate is clear: 985 in a thousand.
const CLEAR: f32 = 4.2;
/// Log-odds say no more beyond this.
const CERTAIN: f32 = 9.0;

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
/// use kifu::analysis::life;
/// use kifu::rules::{Board, Point};
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
        let mut playouts = Playouts::new(board);
        let weigh = |evidence: Evidence| {
            let rows = evidence.rows.iter();
            let odds = rows.map(|row| FORESTS[0].log_odds(&row.0)).collect();
            FirstSight { evidence, odds }
        };
        let glance = weigh(playouts.evidence(board, Sketch::new(board), GLANCE));
        if is_certain(&glance.odds) {
            return glance;
        }
        weigh(playouts.evidence(board, glance.evidence.sketch, PLAYOUTS))
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

    /// Takes the third step where there is doubt.
    pub fn look_again(mut self, board: &Board) -> Life {
        for testimony in self.evidence.hear(board, &self.odds) {
            self.odds[testimony.chain] = FORESTS[1].log_odds(&testimony.row);
        }
        self.into_life()
    }
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
    fn new(board: &Board) -> Playouts {
        Playouts {
            player: Player::new(board),
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
    clusters: Vec<usize>,
}

/// The evidence of the second step about one chain.
pub struct Testimony {
    pub chain: usize,
    pub row: [f32; Testimony::COUNT],
}

impl Testimony {
    /// How many numbers a testimony has: those of the first step, the odds of the chain and of
    /// its neighbours, and two looks.
    pub const COUNT: usize = COUNT + 7 + 9;
}

impl Evidence {
    /// The evidence at a glance and at first sight.
    pub fn gather(board: &Board) -> [Evidence; 2] {
        let mut playouts = Playouts::new(board);
        [GLANCE, PLAYOUTS].map(|count| playouts.evidence(board, Sketch::new(board), count))
    }

    /// Looks again at the chains in doubt, and gives what can be said about them and about the
    /// chains beside them.
    pub fn hear(&self, board: &Board, odds: &[f32]) -> Vec<Testimony> {
        let chains = &self.sketch.chains;
        let doubtful = |chain: usize| odds[chain].abs() < CLEAR;
        if is_certain(odds) {
            return Vec::new();
        }
        let looks = self.look_again(board, odds);
        let concerned = |&chain: &usize| {
            let mut beside = chains[chain].friends.iter().chain(&chains[chain].enemies);
            doubtful(chain) || beside.any(|&other| doubtful(other))
        };
        (0..chains.len())
            .filter(concerned)
            .map(|chain| self.testimony(chain, odds, looks[chain].as_ref()))
            .collect()
    }

    /// The looks at each chain in doubt, its own side and the enemy moving first. One search
    /// serves all chains of a cluster.
    fn look_again(&self, board: &Board, odds: &[f32]) -> Vec<Option<(usize, [Look; 2])>> {
        let chains = &self.sketch.chains;
        let mut doubtful: Vec<usize> = (0..chains.len())
            .filter(|&c| odds[c].abs() < CLEAR)
            .collect();
        doubtful.sort_by_key(|&chain| (usize::MAX - chains[chain].stones.len(), chain));
        let mut looks: Vec<Option<(usize, [Look; 2])>> = vec![None; chains.len()];
        let mut search = Search::new(board);
        let mut left = MOST_LOOKS;
        for (i, &chain) in doubtful.iter().enumerate() {
            let cluster = self.clusters[chain];
            let same = doubtful[..i]
                .iter()
                .find(|&&other| self.clusters[other] == cluster);
            if let Some(&same) = same {
                looks[chain] = looks[same];
                continue;
            }
            if left == 0 {
                continue;
            }
            left -= 1;
            let area = second_look::area(board, &self.sketch, chain, odds);
            let weakest = chains[chain]
                .enemies
                .iter()
                .copied()
                .min_by(|&a, &b| odds[a].total_cmp(&odds[b]));
            let question = Question {
                color: chains[chain].color,
                stones: &chains[chain].stones,
                enemy: weakest.map_or(&[], |enemy| &chains[enemy].stones),
                area: &area,
            };
            let sides = [chains[chain].color, chains[chain].color.other()];
            looks[chain] = Some((
                area.len(),
                sides.map(|first| search.look(&question, first, GAMES)),
            ));
        }
        looks
    }

    fn testimony(
        &self,
        chain: usize,
        odds: &[f32],
        look: Option<&(usize, [Look; 2])>,
    ) -> Testimony {
        let chains = &self.sketch.chains;
        let clear = |chain: usize| odds[chain].clamp(-CERTAIN, CERTAIN);
        let mut friends = (CERTAIN, -CERTAIN, 0.0, 0.0, 0.0f32);
        for &friend in &chains[chain].friends {
            let shared = chains[chain].shared_liberties(&chains[friend]) as f32;
            if shared > 0.0 {
                let stones = chains[friend].stones.len() as f32;
                let odds = clear(friend);
                friends = (
                    friends.0.min(odds),
                    friends.1.max(odds),
                    friends.2 + odds * stones,
                    friends.3 + stones,
                    friends.4.max(shared),
                );
            }
        }
        let mean = if friends.3 > 0.0 {
            friends.2 / friends.3
        } else {
            0.0
        };
        let enemies = chains[chain].enemies.iter().map(|&enemy| clear(enemy));
        let weakest = enemies.clone().fold(CERTAIN, f32::min);
        let strongest = enemies.fold(-CERTAIN, f32::max);
        let beside = [
            clear(chain),
            friends.0,
            friends.1,
            mean,
            friends.4,
            weakest,
            strongest,
        ];
        // Without a look, the numbers say so by being impossible.
        let mut seen = [-1.0; 9];
        if let Some((area, looks)) = look {
            seen[0] = *area as f32;
            for (i, look) in looks.iter().enumerate() {
                let pass = look.pass as u8 as f32;
                seen[1 + 4 * i..5 + 4 * i].copy_from_slice(&[
                    look.survival,
                    look.mean,
                    pass,
                    look.both,
                ]);
            }
        }
        let mut row = [0.0; Testimony::COUNT];
        row[..COUNT].copy_from_slice(&self.rows[chain].0);
        row[COUNT..COUNT + 7].copy_from_slice(&beside);
        row[COUNT + 7..].copy_from_slice(&seen);
        Testimony { chain, row }
    }
}
