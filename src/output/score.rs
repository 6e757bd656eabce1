//! A row of the table of scores as text: a few lines for people.

use std::fmt::Write as _;

use super::terminal::{Styles, printable};
use crate::count::Agreement;
use crate::games::DecidedBy;
use crate::pipeline::row::ScoreRow;

/// How rows of scores are written.
pub(crate) trait ScoreFormat: Send + Sync {
    /// What stands before the first row.
    fn header(&self, _out: &mut Vec<u8>) {}

    fn row(&self, row: &ScoreRow, out: &mut Vec<u8>);

    /// Whether the format shows the final position.
    fn wants_position(&self) -> bool {
        true
    }
}

/// A few lines per game, for people.
pub(crate) struct TextScores {
    styles: Styles,
}

impl TextScores {
    pub(crate) fn new(colored: bool) -> TextScores {
        TextScores {
            styles: Styles::new(colored),
        }
    }
}

impl ScoreFormat for TextScores {
    fn row(&self, row: &ScoreRow, out: &mut Vec<u8>) {
        let mut text = printable(&row.file).into_owned();
        if let Some(game) = row.game.filter(|&game| game > 1) {
            let _ = write!(text, ", game {game}");
        }
        let Styles { strong, reset, .. } = self.styles;
        let result = match (row.decision.result.as_str(), row.final_position) {
            ("", Some(_)) => "no result",
            ("", None) => row.status.as_str(),
            (result, _) => result,
        };
        let _ = write!(text, "  {strong}{}{reset}", printable(result));
        match row.decision.by {
            Some(DecidedBy::Count) | None => {}
            Some(by) => {
                let _ = write!(text, "  (by {}, on record)", by.as_str());
            }
        }
        if !row.estimate.is_empty() {
            let _ = write!(text, "  the board looks like {}", row.estimate);
        }
        if let Some(confidence) = row.confidence {
            let _ = write!(text, "  ({:.0} % sure)", 100.0 * confidence);
        }
        if row.agreement == Some(Agreement::Exact) {
            text.push_str("  as recorded");
        } else if !row.recorded_result.is_empty() && row.recorded_result != row.decision.result {
            let _ = write!(text, "  recorded {}", printable(&row.recorded_result));
        }
        text.push('\n');
        let player = |name: &str, rank: &str| match rank {
            "" => printable(name).into_owned(),
            _ => format!("{} {}", printable(name), printable(rank)),
        };
        if !(row.black.is_empty() && row.white.is_empty()) {
            let _ = writeln!(
                text,
                "  {} (Black) against {} (White)",
                player(&row.black, &row.black_rank),
                player(&row.white, &row.white_rank)
            );
        }
        if let Some(position) = row
            .position
            .as_ref()
            .filter(|_| row.sides[0].score.is_some())
        {
            let _ = writeln!(text, "  {}", position.account);
        }
        for note in &row.notes {
            let _ = writeln!(text, "  {}", printable(note));
        }
        out.extend_from_slice(text.as_bytes());
    }
}
