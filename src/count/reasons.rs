//! The verdict on each chain, with a reason in words.
//!
//! The decision itself is made by weighing evidence ([`crate::life`]); the reason names
//! the plainest fact that speaks for it: a proof where there is one, the eyes, the race that is
//! lost, the liberties that are shared.

use super::{Count, Mark};
use crate::board::{Board, Color, Point};
use crate::life::benson;
use crate::life::eye::{self, EyeKind};
use crate::life::{ChainNode, Life};

/// What becomes of a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChainStatus {
    /// It stays on the board.
    Alive,
    /// It is taken off.
    Dead,
    /// Alive without two eyes: neither side can start.
    Seki,
}

impl ChainStatus {
    /// The word for it in every output.
    pub fn as_str(self) -> &'static str {
        match self {
            ChainStatus::Alive => "alive",
            ChainStatus::Dead => "dead",
            ChainStatus::Seki => "seki",
        }
    }
}

/// What was decided about a chain, and why.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ChainVerdict {
    /// Whose chain it is.
    pub color: Color,
    /// Its stones, row by row from the top left.
    pub stones: Vec<Point>,
    /// The empty points beside it.
    pub liberties: Vec<Point>,
    /// Its true one-point eyes.
    pub eyes: Vec<Point>,
    /// What becomes of it.
    pub status: ChainStatus,
    /// How sure the status is.
    pub probability: f64,
    /// Why, in words.
    pub reason: String,
}

/// The verdict on every chain of a position that was judged and counted.
pub(crate) fn chain_verdicts(board: &Board, life: &Life, count: &Count) -> Vec<ChainVerdict> {
    let proven = benson::proven(life.graph());
    let writer = ReasonWriter { board, life, count };
    (life.graph().chains().iter().enumerate())
        .map(|(index, chain)| {
            let eyes: Vec<Point> = (eye::of_chain(board, chain).iter())
                .filter(|eye| eye.kind == EyeKind::True)
                .map(|eye| eye.point)
                .collect();
            let status = match count.map.mark(chain.stones[0]) {
                _ if !life.is_alive(index) => ChainStatus::Dead,
                Mark::Seki(_) => ChainStatus::Seki,
                _ => ChainStatus::Alive,
            };
            let reason = match status {
                ChainStatus::Alive if proven.alive(chain.color).contains(chain.stones[0]) => {
                    "unconditionally alive".to_string()
                }
                ChainStatus::Alive => writer.why_alive(chain, &eyes),
                ChainStatus::Seki => writer.why_seki(chain),
                ChainStatus::Dead => writer.why_dead(chain),
            };
            let alive = life.probability(index);
            let mut stones = chain.stones.clone();
            let mut liberties = chain.liberties.clone();
            stones.sort_unstable();
            liberties.sort_unstable();
            ChainVerdict {
                color: chain.color,
                stones,
                liberties,
                eyes,
                status,
                probability: if status == ChainStatus::Dead {
                    1.0 - alive
                } else {
                    alive
                },
                reason,
            }
        })
        .collect()
}

struct ReasonWriter<'a> {
    board: &'a Board,
    life: &'a Life,
    count: &'a Count,
}

impl ReasonWriter<'_> {
    fn name(&self, point: Point) -> String {
        self.board.size().name(point)
    }

    /// `the black stones at C14`.
    fn stones_of(&self, chain: &ChainNode) -> String {
        let first = chain.stones.iter().min().expect("a chain has stones");
        let noun = if chain.stones.len() == 1 {
            "stone"
        } else {
            "stones"
        };
        format!(
            "the {} {noun} at {}",
            chain.color.name().to_lowercase(),
            self.name(*first)
        )
    }

    fn chain(&self, index: usize) -> &ChainNode {
        self.life.graph().chain(index)
    }

    fn why_alive(&self, chain: &ChainNode, eyes: &[Point]) -> String {
        if let [first, second, ..] = eyes {
            return format!(
                "two eyes, at {} and {}",
                self.name(*first),
                self.name(*second)
            );
        }
        let mark = |point: Point| self.count.map.mark(point);
        let own = chain
            .liberties
            .iter()
            .filter(|&&p| mark(p) == Mark::Territory(chain.color))
            .count();
        let prisoners = chain
            .enemies
            .iter()
            .find(|&&enemy| !self.life.is_alive(enemy));
        match (prisoners, own) {
            (Some(&enemy), _) => format!("takes {}", self.stones_of(self.chain(enemy))),
            (None, 1..) => {
                let point = chain
                    .liberties
                    .iter()
                    .copied()
                    .find(|&p| mark(p) == Mark::Territory(chain.color));
                format!(
                    "has territory at {}",
                    self.name(point.expect("just counted"))
                )
            }
            (None, 0) => match chain
                .friends
                .iter()
                .find(|&&friend| self.life.is_alive(friend))
            {
                Some(&friend) => format!("connects to {}", self.stones_of(self.chain(friend))),
                None => "cannot be captured".to_string(),
            },
        }
    }

    fn why_seki(&self, chain: &ChainNode) -> String {
        let shares = |&&enemy: &&usize| self.chain(enemy).shared_liberties(chain) > 0;
        match chain
            .enemies
            .iter()
            .filter(|&&enemy| self.life.is_alive(enemy))
            .find(shares)
        {
            Some(&enemy) => format!(
                "shares its last liberties with {}",
                self.stones_of(self.chain(enemy))
            ),
            None => "lives without two eyes, as neither side can start".to_string(),
        }
    }

    fn why_dead(&self, chain: &ChainNode) -> String {
        let race = chain
            .enemies
            .iter()
            .map(|&enemy| self.chain(enemy))
            .find(|enemy| {
                // A race is against a chain that has no more room than this one.
                enemy.shared_liberties(chain) > 0
                    && enemy.liberties.len() <= chain.liberties.len() + 2
                    && enemy.stones.len() > 1
            });
        let winner = chain.color.other().name();
        match (chain.liberties.as_slice(), race) {
            ([last], _) => format!("in atari at {}", self.name(*last)),
            (_, Some(enemy)) if chain.stones.len() > 2 => {
                format!("loses the race against {}", self.stones_of(enemy))
            }
            (liberties, _) => {
                let inside = liberties.iter().min().copied().unwrap_or(chain.stones[0]);
                format!(
                    "cannot make two eyes inside {winner}'s area around {}",
                    self.name(inside)
                )
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::{ScoringTerms, count};
    use crate::life;
    use crate::rules::Preset;

    fn verdicts(drawing: &str) -> (Board, Vec<ChainVerdict>) {
        let board: Board = drawing.parse().unwrap();
        let life = life::judge(&board);
        let count = count(
            &board,
            &life.dead(),
            &Preset::Japanese.rules(),
            &ScoringTerms::default(),
        );
        let verdicts = chain_verdicts(&board, &life, &count);
        (board, verdicts)
    }

    fn at(verdicts: &[ChainVerdict], x: u8, y: u8) -> &ChainVerdict {
        verdicts
            .iter()
            .find(|chain| chain.stones.contains(&Point::new(x, y)))
            .unwrap()
    }

    #[test]
    fn each_chain_has_its_reason() {
        let (_, verdicts) = verdicts(
            "
            . X . X O . . . .
            X X X X O . X . .
            . X . X O . . . .
            X X X X O . . . .
            . . . X O . . . .
            . . O X O O O O O
            . . . X X X X X X
            . . . . . . X . X
            . . . . . . X X .
        ",
        );
        let wall = at(&verdicts, 3, 3);
        assert_eq!(
            (wall.status, wall.reason.as_str()),
            (ChainStatus::Alive, "unconditionally alive")
        );
        let stone = at(&verdicts, 6, 1);
        assert_eq!(stone.status, ChainStatus::Dead);
        assert_eq!(
            stone.reason,
            "cannot make two eyes inside White's area around G9"
        );
        assert!(stone.probability > 0.9);
    }

    #[test]
    fn seki_is_told_from_life() {
        let (_, verdicts) = verdicts(
            "
            X X X X O O O O
            X O O O X X X O
            X O O . X X X O
            X O O . X X X O
            X O O O X X X O
            X X X X O O O O
            . X . X O . O .
            X X X X O O O O
        ",
        );
        let inner = at(&verdicts, 1, 1);
        assert_eq!((inner.status, inner.stones.len()), (ChainStatus::Seki, 10));
        assert_eq!(
            inner.reason,
            "shares its last liberties with the black stones at E7"
        );
    }
}
