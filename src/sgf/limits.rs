//! What a hostile file may cost.

use std::time::Duration;

use crate::finding::MAX_FINDINGS;

/// How much of a file is read before kifu gives up on it. Each limit that a file hits gives a
/// finding; what was read up to there is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Games of a file.
    pub games: usize,
    /// Nodes of one game.
    pub nodes: usize,
    /// Parentheses open at the same time.
    pub depth: usize,
    /// Points that one game sets up. Each node that does so counts as the whole board and the
    /// points that it names.
    pub setup_points: usize,
    /// How long a game may take to be replayed and judged; `None` for as long as it takes. What
    /// counts is the time of day, so this is the one limit that different machines meet at
    /// different places.
    pub game_time: Option<Duration>,
    /// Findings of one kind in one game; the others are counted, not listed.
    pub findings: usize,
}

impl Default for Limits {
    /// Far above anything seen in a library of games: the largest known tree of openings has a
    /// quarter of a million nodes.
    fn default() -> Limits {
        Limits {
            games: 10_000_000,
            nodes: 4_000_000,
            depth: 100_000,
            setup_points: 10_000_000,
            game_time: None,
            findings: MAX_FINDINGS,
        }
    }
}
