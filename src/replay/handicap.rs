//! Handicap stones come in three ways: set up with `AB[]`, played by Black as the first moves, or
//! only announced by `HA[]`. The stones on the board decide; `HA[]` decides where there are none.

use super::opening::Opening;
use super::placement;
use crate::board::{Color, Size};
use crate::finding::{Code, Finding};
use crate::sgf::Game;

/// Black's stones before White's first, if they are no more than this, are a handicap; beyond it
/// somebody put stones on a board.
pub(super) const MOST_HANDICAP_MOVES: u32 = 25;

/// Whether neither side was given anything: no stones, and not the first move alone (`HA[1]`).
pub(crate) fn is_even(game: &Game) -> bool {
    let opening = Opening::on_record(game.main_line.iter(), &game.header, game.size);
    opening.handicap() == 0 && opening.announced.unwrap_or(0) == 0
}

impl Opening {
    /// Whether Black's first moves are the handicap.
    pub(super) fn handicap_is_played(&self) -> bool {
        self.black == 0
            && self.white == 0
            && self.white_follows
            && (2..=MOST_HANDICAP_MOVES).contains(&self.black_moves)
    }

    /// Whether a handicap is announced, and White moves first on an empty board.
    pub(super) fn stones_are_missing(&self) -> bool {
        self.announced.is_some_and(|stones| stones >= 2)
            && self.black == 0
            && self.white == 0
            && self.first_to_move == Some(Color::White)
            && !self.handicap_is_played()
    }

    /// How many handicap stones there are on the board or, failing that, announced.
    pub(super) fn handicap(&self) -> u32 {
        let announced = self.announced.filter(|&stones| stones >= 2);
        let white_first = self.first_to_move == Some(Color::White);
        if self.handicap_is_played() {
            self.black_moves
        } else if self.black > 0 && self.white == 0 && (announced.is_some() || white_first) {
            self.black
        } else {
            announced.unwrap_or(0)
        }
    }

    /// What is odd about it, if anything.
    pub(super) fn finding(&self, size: Size) -> Option<Finding> {
        let said = self.announced.unwrap_or(0);
        let stones = |n: u32| match n {
            0 => "no handicap stone".to_string(),
            1 => "one handicap stone".to_string(),
            n => format!("{n} handicap stones"),
        };
        let differs = |there: String| {
            Finding::new(
                Code::HandicapMismatch,
                format!("The record announces {} but {there}.", stones(said)),
            )
        };
        if self.handicap_is_played() {
            return match self.announced {
                Some(n) if n == self.black_moves => None,
                Some(n) if n >= 2 => Some(differs(format!(
                    "Black plays {} stones before White's first",
                    self.black_moves
                ))),
                _ => Some(Finding::new(
                    Code::HandicapPlayed,
                    format!(
                        "Black plays {} stones before White's first; they are taken as a handicap.",
                        self.black_moves
                    ),
                )),
            };
        }
        if said >= 2 && self.white == 0 && self.black != said {
            return Some(differs(match self.black {
                0 if !self.placed.is_empty() => format!(
                    "leaves them out; they are put where such stones stand: {}",
                    placement::names(&self.placed, size)
                ),
                0 => "none is on the board".to_string(),
                n => format!(
                    "{n} black {} set up",
                    if n == 1 { "stone is" } else { "stones are" }
                ),
            }));
        }
        if said >= 2 && self.black == said && self.white == 0 {
            let black_first =
                self.first_to_move == Some(Color::Black) && self.to_play != Some(Color::Black);
            return black_first.then(|| {
                Finding::new(
                    Code::HandicapMismatch,
                    "The handicap stones are set up, but Black moves first.",
                )
            });
        }
        let white_first = self.first_to_move == Some(Color::White);
        if self.announced == Some(0) && self.white == 0 && self.black >= 2 && white_first {
            return Some(differs(format!("{} black stones are set up", self.black)));
        }
        if white_first && self.black == 0 && self.white == 0 && said < 2 && self.to_play.is_none() {
            return Some(Finding::new(
                Code::WhiteFirst,
                "White moves first, though there is no handicap.",
            ));
        }
        None
    }
}
