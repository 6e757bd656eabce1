//! The verdict on each chain, with a reason in words.
//!
//! The decision itself is made by weighing evidence ([`crate::life`]); the reason names
//! the plainest fact that speaks for it: a proof where there is one ([`benson`]), the eyes, true
//! and false ([`eye`]), the race that is lost, the liberties that are shared ([`seki`]).
//!
//! Nothing here decides anything. A seki, which was found by counting eyes, is searched once more
//! by its own definition, so that the reason can say with whom and where neither side can start.

use super::{Count, Mark};
use crate::board::{Board, Color, Point, PointSet};
use crate::life::benson::{self, Unconditional};
use crate::life::eye::{self, EyeKind};
use crate::life::seki::{self, Seki};
use crate::life::{ChainNode, Life};

/// How many positions the search of a seki may look at, per question.
const SEKI_LIMIT: u32 = 2_000;

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
    /// One-point eyes that will have to be filled, as the stones around them can be cut.
    pub false_eyes: Vec<Point>,
    /// What becomes of it.
    pub status: ChainStatus,
    /// How sure the status is.
    pub probability: f64,
    /// Why, in words.
    pub reason: String,
}

/// The verdict on every chain of a position that was judged and counted.
pub(crate) fn chain_verdicts(board: &Board, life: &Life, count: &Count) -> Vec<ChainVerdict> {
    let graph = life.graph();
    let status = |index: usize| match count.map.mark(graph.chain(index).stones[0]) {
        _ if !life.is_alive(index) => ChainStatus::Dead,
        Mark::Seki(_) => ChainStatus::Seki,
        _ => ChainStatus::Alive,
    };
    let is_seki = |index: usize| status(index) == ChainStatus::Seki;
    let writer = ReasonWriter {
        board,
        life,
        count,
        proven: benson::proven(graph),
        sekis: if (0..graph.chains().len()).any(is_seki) {
            let settled = graph.stones(|chain| status(chain) == ChainStatus::Alive);
            seki::find_among(board, graph, &settled, SEKI_LIMIT)
        } else {
            Vec::new()
        },
    };
    (graph.chains().iter().enumerate())
        .map(|(index, chain)| {
            let (eyes, false_eyes) = writer.eyes(chain);
            let status = status(index);
            let reason = match status {
                ChainStatus::Alive => writer.why_alive(chain, &eyes),
                ChainStatus::Seki => writer.why_seki(index, &eyes),
                ChainStatus::Dead => writer.why_dead(chain, &eyes, &false_eyes),
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
                false_eyes,
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
    /// What needs no judgement.
    proven: Unconditional,
    /// Every seki among the chains that are counted as such.
    sekis: Vec<Seki>,
}

impl ReasonWriter<'_> {
    fn name(&self, point: Point) -> String {
        self.board.size().name(point)
    }

    /// `C14`, `C14 and D14`, `C14, D14 and E14`.
    fn names(&self, points: &[Point]) -> String {
        let names: Vec<String> = points.iter().map(|&point| self.name(point)).collect();
        match names.as_slice() {
            [] => String::new(),
            [name] => name.clone(),
            [first @ .., last] => format!("{} and {last}", first.join(", ")),
        }
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

    /// The true and the false eyes of a chain. What is proven to be territory is never filled,
    /// whatever the diagonals look like.
    fn eyes(&self, chain: &ChainNode) -> (Vec<Point>, Vec<Point>) {
        let mut eyes = eye::of_chain(self.board, chain);
        eyes.sort_unstable_by_key(|eye| eye.point);
        let proven = self.proven.territory(chain.color);
        let (lasting, filled): (Vec<eye::Eye>, Vec<eye::Eye>) = eyes
            .into_iter()
            .partition(|eye| eye.kind == EyeKind::True || proven.contains(eye.point));
        let points = |eyes: Vec<eye::Eye>| eyes.iter().map(|eye| eye.point).collect();
        (points(lasting), points(filled))
    }

    fn why_alive(&self, chain: &ChainNode, eyes: &[Point]) -> String {
        if self.proven.alive(chain.color).contains(chain.stones[0]) {
            return match eyes {
                [] => "unconditionally alive".to_string(),
                [eye] => format!("unconditionally alive, with an eye at {}", self.name(*eye)),
                // Two are enough, here and below.
                _ => format!(
                    "unconditionally alive, with eyes at {}",
                    self.names(&eyes[..2])
                ),
            };
        }
        if eyes.len() > 1 {
            return format!("two eyes, at {}", self.names(&eyes[..2]));
        }
        let is_own = |&&point: &&Point| {
            self.count.map.mark(point) == Mark::Territory(chain.color) && !eyes.contains(&point)
        };
        let prisoners = chain
            .enemies
            .iter()
            .find(|&&enemy| !self.life.is_alive(enemy));
        let territory = chain.liberties.iter().find(is_own);
        let mut friends = chain.friends.iter();
        let friend = friends.find(|&&friend| self.life.is_alive(friend));
        let more = match (prisoners, territory, friend) {
            (Some(&enemy), ..) => Some(format!("takes {}", self.stones_of(self.chain(enemy)))),
            (_, Some(&point), _) => Some(format!("has territory at {}", self.name(point))),
            (.., Some(&friend)) => {
                let friend = self.stones_of(self.chain(friend));
                Some(format!("connects to {friend}"))
            }
            _ => None,
        };
        match (eyes, more) {
            ([], Some(more)) => more,
            ([], None) => "cannot be captured".to_string(),
            ([eye, ..], Some(more)) => format!("has an eye at {} and {more}", self.name(*eye)),
            ([eye, ..], None) => {
                format!("has an eye at {} and cannot be captured", self.name(*eye))
            }
        }
    }

    fn why_seki(&self, index: usize, eyes: &[Point]) -> String {
        let (graph, chain) = (self.life.graph(), self.chain(index));
        let mut regions = chain.regions.iter().map(|&region| graph.region(region));
        if let Some(region) = regions.find(|&region| seki::is_two_point(graph, region)) {
            let around = region.chains();
            let enemies = around
                .into_iter()
                .filter(|&other| self.chain(other).color != chain.color);
            return format!(
                "shares its last two liberties, {}, with {}",
                self.names(region.points()),
                self.chains(enemies)
            );
        }
        if let Some(seki) = self.sekis.iter().find(|seki| seki.chains.contains(&index)) {
            let enemies = seki.chains.iter().copied().filter(|&other| {
                let other = self.chain(other);
                other.color != chain.color && other.shared_liberties(chain) > 0
            });
            let liberties: PointSet = chain.liberties.iter().copied().collect();
            let shared: Vec<Point> = (seki.shared & liberties).iter().collect();
            let start = format!(
                "neither side can start at {}, between it and {}",
                self.names(&shared),
                self.chains(enemies)
            );
            return match eyes {
                [] => start,
                eyes => format!("has {}, and {start}", self.only_eyes(eyes)),
            };
        }
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

    /// `the black stones at C14 and the black stone at F14`.
    fn chains(&self, chains: impl Iterator<Item = usize>) -> String {
        let names: Vec<String> = chains
            .map(|chain| self.stones_of(self.chain(chain)))
            .collect();
        names.join(" and ")
    }

    fn why_dead(&self, chain: &ChainNode, eyes: &[Point], false_eyes: &[Point]) -> String {
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
        let winner = chain.color.other();
        let reason = match (chain.liberties.as_slice(), race) {
            _ if self.proven.territory(winner).contains(chain.stones[0]) => {
                return format!("stands in proven territory of {}", winner.name());
            }
            ([last], _) => format!("in atari at {}", self.name(*last)),
            (_, Some(enemy)) if chain.stones.len() > 2 => {
                format!("loses the race against {}", self.stones_of(enemy))
            }
            (liberties, _) => {
                let inside = liberties.iter().min().copied().unwrap_or(chain.stones[0]);
                format!(
                    "cannot make two eyes inside {}'s area around {}",
                    winner.name(),
                    self.name(inside)
                )
            }
        };
        match (eyes, false_eyes) {
            ([], []) => reason,
            ([], [eye]) => format!("{reason}; its eye at {} is false", self.name(*eye)),
            ([], eyes) => format!("{reason}; its eyes at {} are false", self.names(eyes)),
            (eyes, []) => format!("{reason}; it has {}", self.only_eyes(eyes)),
            (eyes, others) => format!(
                "{reason}; it has {} and a false one at {}",
                self.only_eyes(eyes),
                self.names(others)
            ),
        }
    }

    fn only_eyes(&self, eyes: &[Point]) -> String {
        match eyes {
            [eye] => format!("one eye, at {}", self.name(*eye)),
            eyes => format!("eyes at {}", self.names(eyes)),
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
            (
                ChainStatus::Alive,
                "unconditionally alive, with eyes at A9 and C9"
            )
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
            "shares its last two liberties, D6 and D5, with the black stones at E7"
        );
    }

    #[test]
    fn a_larger_seki_is_found_by_search() {
        let (_, verdicts) = verdicts(
            "
            X X X X O O O O
            X O O O X X X O
            X O O . X X X O
            X O O . X X X O
            X O O . X X X O
            X O O O X X X O
            X X X X O O O O
            . X . X O . O .
            X X X X O O O O
        ",
        );
        let inner = at(&verdicts, 4, 1);
        assert_eq!(inner.status, ChainStatus::Seki);
        assert_eq!(
            inner.reason,
            "neither side can start at D7, D6 and D5, between it and the white stones at B8"
        );
    }

    #[test]
    fn false_eyes_are_told_from_true_ones() {
        let (_, verdicts) = verdicts(
            "
            . X . X . X O . O
            X X X X X X O O O
            X X X X O O X X O
            X . X O O . O X O
            X X X X O O X X O
            . . . X X X X O O
            . . . . . X O O .
        ",
        );
        let inner = at(&verdicts, 4, 2);
        assert_eq!(inner.status, ChainStatus::Dead);
        assert_eq!(inner.false_eyes, [Point::new(5, 3)]);
        assert!(inner.eyes.is_empty());
        assert_eq!(inner.reason, "stands in proven territory of Black");
    }

    #[test]
    fn proven_eyes_last_however_their_diagonals_look() {
        let (_, verdicts) = verdicts(
            "
            X X . X X
            X X X O X
            X O . O X
            X X X O X
            X X . X X
        ",
        );
        let dragon = at(&verdicts, 0, 0);
        assert_eq!(dragon.eyes.len(), 2);
        assert!(dragon.false_eyes.is_empty());
    }
}
