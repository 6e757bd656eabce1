//! Margins, and how ours compares with the one on record.

use std::fmt;

use crate::board::Color;
use crate::sgf::{RecordedResult, WinBy};

/// The difference between the scores: positive when Black is ahead.
///
/// ```
/// use kifu::count::Margin;
///
/// assert_eq!(Margin::new(3.5).to_string(), "B+3.5");
/// assert_eq!(Margin::new(-0.5).to_string(), "W+0.5");
/// assert_eq!(Margin::new(0.0).to_string(), "0");
/// // Under rules by which Black wins ties.
/// assert_eq!(Margin::with_ties_to_black(0.0).to_string(), "B+0");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Margin {
    black_ahead_by: f64,
    /// The scores are even, and that is a win for Black.
    tie_to_black: bool,
}

impl Margin {
    /// The margin of a game that Black wins by so many points; White, if they are negative.
    pub fn new(black_ahead_by: f64) -> Margin {
        // Komi has two decimals at most; the rest is rounding of the sum.
        Margin {
            black_ahead_by: (black_ahead_by * 100.0).round() / 100.0,
            tie_to_black: false,
        }
    }

    /// A margin under rules by which Black wins ties.
    pub fn with_ties_to_black(black_ahead_by: f64) -> Margin {
        let margin = Margin::new(black_ahead_by);
        Margin {
            tie_to_black: margin.black_ahead_by == 0.0,
            ..margin
        }
    }

    /// How far Black is ahead; negative where White is.
    pub fn black_lead(self) -> f64 {
        self.black_ahead_by
    }

    /// The margin on record, if the record has one.
    pub fn recorded(result: Option<&RecordedResult>) -> Option<Margin> {
        match result? {
            RecordedResult::Win {
                winner,
                by: WinBy::Points(by),
            } => Some(Margin::new(match winner {
                Color::Black => *by,
                Color::White => -by,
            })),
            RecordedResult::Draw => Some(Margin::new(0.0)),
            _ => None,
        }
    }

    /// Who won, or `None` for a draw.
    pub fn winner(self) -> Option<Color> {
        if self.black_ahead_by > 0.0 || self.tie_to_black {
            Some(Color::Black)
        } else if self.black_ahead_by < 0.0 {
            Some(Color::White)
        } else {
            None
        }
    }

    /// `Black wins by 3.5`, `The game is a draw`.
    pub(crate) fn in_words(self) -> String {
        match self.winner() {
            Some(_) if self.tie_to_black => "Black wins the tie".to_string(),
            Some(winner) => format!(
                "{} wins by {}",
                winner.name(),
                points(self.black_ahead_by.abs())
            ),
            None => "The game is a draw".to_string(),
        }
    }
}

impl fmt::Display for Margin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.winner() {
            Some(winner) => {
                let by = points(self.black_ahead_by.abs());
                write!(f, "{}+{by}", winner.letter())
            }
            None => f.write_str("0"),
        }
    }
}

/// Points as results write them: `3.5`, `12`, `0.25`.
pub(crate) fn points(points: f64) -> String {
    // Adding zero turns -0 into 0.
    format!("{}", (points * 100.0).round() / 100.0 + 0.0)
}

/// How a counted result compares with the recorded one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Agreement {
    /// The same margin.
    Exact,
    /// The same winner, by another margin.
    Winner,
    /// Another winner.
    Differs,
    /// The record has no margin to compare with; its winner, if it names one, is the same.
    NotComparable,
}

impl Agreement {
    /// Compares a margin with the record's, or the winner where the record says no more.
    pub(crate) fn between(counted: Margin, recorded: Option<&RecordedResult>) -> Agreement {
        if let Some(RecordedResult::Win {
            winner,
            by: WinBy::Unspecified,
        }) = recorded
            && counted.winner() != Some(*winner)
        {
            return Agreement::Differs;
        }
        let Some(recorded) = Margin::recorded(recorded) else {
            return Agreement::NotComparable;
        };
        if counted == recorded {
            Agreement::Exact
        } else if counted.winner() == recorded.winner() {
            Agreement::Winner
        } else {
            Agreement::Differs
        }
    }

    /// The word for it in every output.
    pub fn as_str(self) -> &'static str {
        match self {
            Agreement::Exact => "exact",
            Agreement::Winner => "winner",
            Agreement::Differs => "differs",
            Agreement::NotComparable => "not-comparable",
        }
    }
}

/// A recorded result in one spelling, whatever the record's: `B+3.5`, `W+R`, `B+T`, `W+F`, `B+`,
/// `0`, `Void`, `?`. What could not be read stays as it is.
pub(crate) fn normalized(result: &RecordedResult) -> String {
    match result {
        RecordedResult::Win { winner, by } => {
            let by = match by {
                WinBy::Points(by) => points(*by),
                WinBy::Resignation => "R".to_string(),
                WinBy::Time => "T".to_string(),
                // SGF has no word for a loss by an illegal move.
                WinBy::Forfeit | WinBy::IllegalMove => "F".to_string(),
                WinBy::Unspecified => String::new(),
            };
            format!("{}+{by}", winner.letter())
        }
        RecordedResult::Draw => "0".to_string(),
        RecordedResult::NoResult => "Void".to_string(),
        RecordedResult::Unknown => "?".to_string(),
        RecordedResult::Unreadable(text) => text.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn win(winner: Color, by: WinBy) -> RecordedResult {
        RecordedResult::Win { winner, by }
    }

    #[test]
    fn margins_are_written_without_needless_digits() {
        for (margin, text) in [
            (12.0, "B+12"),
            (-0.25, "W+0.25"),
            (0.1 + 0.2, "B+0.3"),
            (-0.0, "0"),
            (1e-9, "0"),
        ] {
            assert_eq!(Margin::new(margin).to_string(), text);
        }
        assert_eq!(Margin::new(-7.5).in_words(), "White wins by 7.5");
    }

    #[test]
    fn a_result_agrees_by_margin_by_winner_or_not_at_all() {
        let recorded = win(Color::White, WinBy::Points(3.5));
        let against = |margin| Agreement::between(Margin::new(margin), Some(&recorded));
        assert_eq!(against(-3.5), Agreement::Exact);
        assert_eq!(against(-0.5), Agreement::Winner);
        assert_eq!(against(0.5), Agreement::Differs);
        assert_eq!(against(0.0), Agreement::Differs);
        let draw = Agreement::between(Margin::new(0.0), Some(&RecordedResult::Draw));
        assert_eq!(draw, Agreement::Exact);
    }

    #[test]
    fn a_result_without_a_margin_is_not_compared() {
        for recorded in [
            None,
            Some(win(Color::Black, WinBy::Resignation)),
            Some(win(Color::Black, WinBy::Unspecified)),
            Some(RecordedResult::NoResult),
            Some(RecordedResult::Unknown),
        ] {
            let agreement = Agreement::between(Margin::new(3.5), recorded.as_ref());
            assert_eq!(agreement, Agreement::NotComparable, "{recorded:?}");
        }
    }

    #[test]
    fn a_winner_on_record_is_compared_without_a_margin() {
        let recorded = win(Color::White, WinBy::Unspecified);
        let against = |margin| Agreement::between(Margin::new(margin), Some(&recorded));
        assert_eq!(against(-3.5), Agreement::NotComparable);
        assert_eq!(against(3.5), Agreement::Differs);
        assert_eq!(against(0.0), Agreement::Differs);
    }

    #[test]
    fn recorded_results_have_one_spelling() {
        let spelled = [
            (win(Color::Black, WinBy::Points(3.5)), "B+3.5"),
            (win(Color::White, WinBy::Points(10.0)), "W+10"),
            (win(Color::White, WinBy::Resignation), "W+R"),
            (win(Color::Black, WinBy::Time), "B+T"),
            (win(Color::White, WinBy::Forfeit), "W+F"),
            (win(Color::Black, WinBy::Unspecified), "B+"),
            (RecordedResult::Draw, "0"),
            (RecordedResult::NoResult, "Void"),
            (RecordedResult::Unknown, "?"),
        ];
        for (result, text) in spelled {
            assert_eq!(normalized(&result), text);
        }
    }
}
