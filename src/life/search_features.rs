//! What can be said about the chains in doubt after a second look at them.
//!
//! A testimony puts together all that is known about a chain: the features of the first step, the
//! odds that those gave to the chain and to its neighbours, how a search went around it and around
//! its weakest enemy, and the eyes that it has if every other chain is what it seems to be. The
//! decision is made in [`life`](super::judge).

use std::cmp::Reverse;

use super::chain_mcts::{self, Look, Question, Search};
use super::features;
use super::judge::{CLEAR, Evidence, is_certain};
use super::potential_territory::Zones;
use crate::board::Board;

/// Games of the search for each side moving first.
const GAMES: u32 = 300;
/// No position gets more looks; the largest chains come first.
const MOST_LOOKS: usize = 8;
/// Log-odds say no more beyond this.
const CERTAIN: f32 = 9.0;

/// What is known about one chain.
pub struct Testimony {
    pub chain: usize,
    pub row: [f32; Testimony::COUNT],
}

impl Testimony {
    /// How many numbers a testimony has.
    pub const COUNT: usize = features::COUNT + BESIDE + 1 + 2 * LOOKS + 2 * EYES;
}

/// How many numbers tell the odds of a chain and of those beside it.
const BESIDE: usize = 7;
/// How many numbers tell what two looks at a chain found.
const LOOKS: usize = 8;
/// How many numbers tell the eyes of a cluster.
const EYES: usize = 3;

/// Looks again at those of the `wanted` chains that are in doubt, and gives what can be said about
/// them and about the wanted chains beside a doubtful one.
pub fn hear(
    board: &Board,
    evidence: &Evidence,
    odds: &[f32],
    round: u32,
    wanted: impl Fn(usize) -> bool,
) -> Vec<Testimony> {
    if is_certain(odds) {
        return Vec::new();
    }
    let chains = &evidence.sketch.chains;
    let doubtful = |chain: usize| odds[chain].abs() < CLEAR;
    let concerned: Vec<usize> = (0..chains.len())
        .filter(|&chain| {
            let mut beside = chains[chain].friends.iter().chain(&chains[chain].enemies);
            wanted(chain) && (doubtful(chain) || beside.any(|&other| doubtful(other)))
        })
        .collect();
    // What a testimony tells of the weakest enemy needs a look at that one too.
    let enemies = concerned
        .iter()
        .filter_map(|&chain| weakest_enemy(evidence, odds, chain));
    let mut in_question: Vec<usize> = concerned.iter().copied().chain(enemies).collect();
    in_question.retain(|&chain| doubtful(chain));
    in_question.sort_unstable_by_key(|&chain| (Reverse(chains[chain].stones.len()), chain));
    in_question.dedup();
    let hearing = Hearing {
        evidence,
        odds,
        looks: look_again(board, evidence, odds, round, &in_question),
        zones: likely_zones(board, evidence, odds),
    };
    concerned
        .iter()
        .map(|&chain| hearing.testimony(chain))
        .collect()
}

/// The zones if every chain is what it seems to be.
fn likely_zones(board: &Board, evidence: &Evidence, odds: &[f32]) -> Zones {
    let is_dead = |chain: usize| odds[chain] <= 0.0;
    Zones::new(board, &evidence.sketch, is_dead, |_, _| {})
}

/// A search around a chain: how many points it went over, and what it found with the chain's own
/// side and with the enemy moving first.
type Looks = (usize, [Look; 2]);

/// The looks at some chains, by chain. One search serves all chains of a cluster.
fn look_again(
    board: &Board,
    evidence: &Evidence,
    odds: &[f32],
    round: u32,
    in_question: &[usize],
) -> Vec<Option<Looks>> {
    let chains = &evidence.sketch.chains;
    let mut looks: Vec<Option<Looks>> = vec![None; chains.len()];
    let mut search = Search::new(board, round);
    let mut left = MOST_LOOKS;
    for (i, &chain) in in_question.iter().enumerate() {
        let cluster = evidence.clusters[chain];
        let same = in_question[..i]
            .iter()
            .find(|&&other| evidence.clusters[other] == cluster);
        if let Some(&same) = same {
            looks[chain] = looks[same];
            continue;
        }
        if left == 0 {
            continue;
        }
        left -= 1;
        let area = chain_mcts::area(board, &evidence.sketch, chain, odds);
        let weakest = weakest_enemy(evidence, odds, chain);
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

/// The enemy beside a chain that is least likely to live.
fn weakest_enemy(evidence: &Evidence, odds: &[f32], chain: usize) -> Option<usize> {
    let enemies = evidence.sketch.chains[chain].enemies.iter().copied();
    enemies.min_by(|&a, &b| odds[a].total_cmp(&odds[b]))
}

/// Everything that the testimonies of single chains are put together from.
struct Hearing<'a> {
    evidence: &'a Evidence,
    odds: &'a [f32],
    looks: Vec<Option<Looks>>,
    zones: Zones,
}

impl Hearing<'_> {
    fn testimony(&self, chain: usize) -> Testimony {
        let weakest = weakest_enemy(self.evidence, self.odds, chain);
        let area = self.looks[chain].map_or(-1.0, |(area, _)| area as f32);
        // What is not there says so by being impossible.
        let enemy_looks = weakest.map_or([-1.0; LOOKS], |enemy| self.looks_at(enemy));
        let enemy_eyes = weakest.map_or([-1.0; EYES], |enemy| self.eyes(enemy));
        let parts: [&[f32]; 7] = [
            &self.evidence.rows[chain].0,
            &self.beside(chain),
            &[area],
            &self.looks_at(chain),
            &enemy_looks,
            &self.eyes(chain),
            &enemy_eyes,
        ];
        let mut row = [0.0; Testimony::COUNT];
        for (to, number) in row.iter_mut().zip(parts.into_iter().flatten()) {
            *to = *number;
        }
        Testimony { chain, row }
    }

    /// The odds of a chain, of the friends that it shares liberties with, and of its enemies.
    fn beside(&self, chain: usize) -> [f32; BESIDE] {
        let chains = &self.evidence.sketch.chains;
        let clear = |chain: usize| self.odds[chain].clamp(-CERTAIN, CERTAIN);
        let (mut least, mut most, mut closest) = (CERTAIN, -CERTAIN, 0.0f32);
        let (mut sum, mut stones) = (0.0, 0.0);
        for &friend in &chains[chain].friends {
            let shared = chains[chain].shared_liberties(&chains[friend]) as f32;
            if shared > 0.0 {
                least = least.min(clear(friend));
                most = most.max(clear(friend));
                closest = closest.max(shared);
                sum += clear(friend) * chains[friend].stones.len() as f32;
                stones += chains[friend].stones.len() as f32;
            }
        }
        let mean = if stones > 0.0 { sum / stones } else { 0.0 };
        let enemies = chains[chain].enemies.iter().map(|&enemy| clear(enemy));
        let weakest = enemies.clone().fold(CERTAIN, f32::min);
        let strongest = enemies.fold(-CERTAIN, f32::max);
        [clear(chain), least, most, mean, closest, weakest, strongest]
    }

    /// What the search found with the chain's own side and with the enemy moving first.
    fn looks_at(&self, chain: usize) -> [f32; LOOKS] {
        let mut seen = [-1.0; LOOKS];
        if let Some((_, looks)) = &self.looks[chain] {
            for (look, seen) in looks.iter().zip(seen.chunks_exact_mut(LOOKS / 2)) {
                let pass = look.pass as u8 as f32;
                seen.copy_from_slice(&[look.survival, look.mean, pass, look.both]);
            }
        }
        seen
    }

    /// The zones beside a chain's cluster that no living enemy touches: how many they are and their
    /// points; then the points of the other zones beside it.
    fn eyes(&self, chain: usize) -> [f32; EYES] {
        let sketch = &self.evidence.sketch;
        let clusters = &self.evidence.clusters;
        let enemy = sketch.chains[chain].color.other();
        let mut beside: Vec<usize> = Vec::new();
        let cluster = (0..clusters.len()).filter(|&other| clusters[other] == clusters[chain]);
        for stone in cluster.flat_map(|other| &sketch.chains[other].stones) {
            for zone in stone
                .neighbors()
                .into_iter()
                .filter_map(|p| self.zones.at(p))
            {
                if !beside.contains(&zone) {
                    beside.push(zone);
                }
            }
        }
        let mut eyes = [0.0; EYES];
        for zone in beside {
            let zone = self.zones.zone(zone);
            if zone.is_free_of(enemy) {
                eyes[0] += 1.0;
                eyes[1] += zone.points;
            } else {
                eyes[2] += zone.points;
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
    fn eyes(drawing: &str, dead: &[Point], at: Point) -> [f32; EYES] {
        let board = drawn::board(drawing);
        let [_, evidence] = Evidence::gather(&board, 0);
        let mut odds = vec![CERTAIN; evidence.sketch.chains.len()];
        for &stone in dead {
            odds[evidence.sketch.chain_at(stone)] = -CERTAIN;
        }
        let hearing = Hearing {
            evidence: &evidence,
            odds: &odds,
            looks: vec![None; odds.len()],
            zones: likely_zones(&board, &evidence, &odds),
        };
        hearing.eyes(evidence.sketch.chain_at(at))
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
    fn nothing_is_said_where_nothing_is_in_doubt() {
        let board = drawn::board(". X O .\n. X O .\n. X O .");
        let [_, evidence] = Evidence::gather(&board, 0);
        assert!(hear(&board, &evidence, &[CERTAIN; 2], 0, |_| true).is_empty());
        let heard = |wanted: fn(usize) -> bool| -> Vec<usize> {
            let heard = hear(&board, &evidence, &[0.0, CERTAIN], 0, wanted);
            heard.iter().map(|testimony| testimony.chain).collect()
        };
        assert_eq!(heard(|_| true), [0, 1]);
        assert_eq!(heard(|chain| chain == 1), [1]);
    }
}
