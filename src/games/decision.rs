//! What decides a game: the count of its final position, or a decision on record.
//!
//! A result is counted only where the position is final, which the moves and the board say, never
//! `RE[]`. A resignation, a loss on time or a forfeit is a fact that only the record knows; where
//! it names one, that is the result, whatever the board looks like. A margin on record is
//! somebody's count: it is compared with ours and never taken over. So a game that was neither
//! played out nor decided on record has no result, only an estimate.

use crate::board::Color;
use crate::count::{Count, Margin, normalized};
use crate::replay::Replay;
use crate::sgf::{Contents, Game, RecordedResult, WinBy};

/// How a game was decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DecidedBy {
    /// The final position was counted.
    Count,
    /// The record says that a player resigned.
    Resignation,
    /// The record says that a player ran out of time.
    Time,
    /// The record says that a player forfeited, or that somebody awarded the game.
    Forfeit,
    /// The record says that a player lost by an illegal move.
    IllegalMove,
}

impl DecidedBy {
    /// The word for it in every output.
    pub fn as_str(self) -> &'static str {
        match self {
            DecidedBy::Count => "count",
            DecidedBy::Resignation => "resignation",
            DecidedBy::Time => "time",
            DecidedBy::Forfeit => "forfeit",
            DecidedBy::IllegalMove => "illegal-move",
        }
    }
}

/// Who won.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Winner {
    /// One of the players.
    Player(Color),
    /// Neither: the game was drawn.
    Draw,
}

impl Winner {
    /// The winner by a margin.
    fn by_margin(margin: Margin) -> Winner {
        margin.winner().map_or(Winner::Draw, Winner::Player)
    }

    /// The word for it in every output.
    pub fn as_str(self) -> &'static str {
        match self {
            Winner::Player(Color::Black) => "black",
            Winner::Player(Color::White) => "white",
            Winner::Draw => "draw",
        }
    }
}

/// The result of a game, and what it rests on.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Decision {
    /// `B+3.5`, `W+R`, `0`; empty where nothing decides the game.
    pub result: String,
    /// Who won, where that is known.
    pub winner: Option<Winner>,
    /// By how much, where it was counted.
    pub margin: Option<Margin>,
    /// How, where that is known.
    pub by: Option<DecidedBy>,
}

impl Decision {
    /// The decision that is on record, if one is; a margin is none.
    pub(super) fn on_record(recorded: Option<&RecordedResult>) -> Option<Decision> {
        let recorded = recorded?;
        let (winner, by) = match recorded {
            RecordedResult::Win { winner, by } => {
                let by = match by {
                    WinBy::Resignation => Some(DecidedBy::Resignation),
                    WinBy::Time => Some(DecidedBy::Time),
                    WinBy::Forfeit => Some(DecidedBy::Forfeit),
                    WinBy::IllegalMove => Some(DecidedBy::IllegalMove),
                    WinBy::Points(_) | WinBy::Unspecified => return None,
                };
                (Some(Winner::Player(*winner)), by)
            }
            RecordedResult::NoResult => (None, None),
            RecordedResult::Draw | RecordedResult::Unknown | RecordedResult::Unreadable(_) => {
                return None;
            }
        };
        Some(Decision {
            result: normalized(recorded),
            winner,
            margin: None,
            by,
        })
    }

    /// The decision of a game other than Go, from what its board says and what is on record.
    pub(crate) fn of_other_game(
        board: &RecordedResult,
        recorded: Option<&RecordedResult>,
        is_over: bool,
    ) -> Decision {
        if let Some(decision) = Decision::on_record(recorded) {
            return decision;
        }
        if !is_over {
            return Decision::default();
        }
        let winner = match board {
            RecordedResult::Win { winner, .. } => Some(Winner::Player(*winner)),
            _ => Some(Winner::Draw),
        };
        Decision {
            result: normalized(board),
            winner,
            margin: Margin::recorded(Some(board)),
            by: Some(DecidedBy::Count),
        }
    }

    /// What is left where nothing was counted: the winner, if the record names one.
    pub(super) fn uncounted(recorded: Option<&RecordedResult>) -> Decision {
        match recorded {
            Some(
                result @ RecordedResult::Win {
                    winner,
                    by: WinBy::Unspecified,
                },
            ) => Decision {
                result: normalized(result),
                winner: Some(Winner::Player(*winner)),
                ..Decision::default()
            },
            _ => Decision::default(),
        }
    }

    /// The count of a final position.
    pub(super) fn counted(margin: Margin) -> Decision {
        Decision {
            result: margin.to_string(),
            winner: Some(Winner::by_margin(margin)),
            margin: Some(margin),
            by: Some(DecidedBy::Count),
        }
    }
}

/// Why a position is not the end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NotFinal {
    /// The game was left before its end, because it took too long.
    TooSlow,
    /// Stones were set up, and nobody played.
    NoMoves,
    /// The board is nearly empty.
    FewStones,
    /// So many points are nobody's that the game can't have been played out.
    Open,
}

impl NotFinal {
    /// A sentence for the notes.
    pub(super) fn sentence(self, replay: &Replay) -> String {
        match (self, replay.moves) {
            (NotFinal::TooSlow, _) => {
                "The game takes longer than it may, so it was not counted.".to_string()
            }
            (NotFinal::NoMoves, _) => {
                "The record holds no moves, so there is no result.".to_string()
            }
            (NotFinal::FewStones, 1) => "Only one move was played.".to_string(),
            (NotFinal::FewStones, moves) => format!("Only {moves} moves were played."),
            (NotFinal::Open, _) => {
                "The game was not played out; the score is an estimate.".to_string()
            }
        }
    }
}

/// Of how many points one must carry a stone, at least, in a final position.
const FEWEST_STONES: usize = 6;

/// Whether a position can't be the end of a game, before anybody has looked at who lives.
pub(super) fn not_begun(game: &Game, replay: &Replay) -> Option<NotFinal> {
    if replay.is_cut_short {
        return Some(NotFinal::TooSlow);
    }
    if game.contents != Contents::Moves {
        return Some(NotFinal::NoMoves);
    }
    let stones: usize = Color::BOTH
        .map(|color| replay.board.stones(color).len())
        .iter()
        .sum();
    let taken: u32 = replay.captures.iter().sum();
    let few = FEWEST_STONES * (stones + taken as usize) < replay.board.size().area();
    few.then_some(NotFinal::FewStones)
}

/// Whether so many points are nobody's that the game can't have been played out. Without passes,
/// which some servers do not record, an eighth of the board is enough; with them it takes a third:
/// some programs pass in the middle of a game.
pub(super) fn is_open(count: &Count, passes: u32) -> bool {
    let share = if passes < 2 { 8 } else { 3 };
    share * (count.dame + count.shared) as usize > count.map.size().area()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on_record(text: &str) -> Option<(String, Option<&'static str>, Option<&'static str>)> {
        let decision = Decision::on_record(RecordedResult::parse(text).as_ref())?;
        Some((
            decision.result,
            decision.winner.map(Winner::as_str),
            decision.by.map(DecidedBy::as_str),
        ))
    }

    #[test]
    fn a_decision_on_record_is_a_result_and_a_margin_is_not() {
        let decided = |result: &str, winner, by| Some((result.to_string(), winner, by));
        assert_eq!(
            on_record("Black resigns"),
            decided("W+R", Some("white"), Some("resignation"))
        );
        assert_eq!(
            on_record("B+T"),
            decided("B+T", Some("black"), Some("time"))
        );
        assert_eq!(on_record("Void"), decided("Void", None, None));
        for margin in ["B+3.5", "0", "?", "B+", "nonsense"] {
            assert_eq!(on_record(margin), None, "{margin}");
        }
    }
}
