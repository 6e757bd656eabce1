//! What a hostile file may cost.

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
            findings: MAX_FINDINGS,
        }
    }
}
