//! A row of the table of scores as text: a few lines for people.

use std::fmt::Write as _;

use super::terminal::{Styles, printable};
use crate::count::Agreement;
use crate::pipeline::row::ScoreRow;

/// How rows of scores are written.
pub trait ScoreFormat: Send + Sync {
    /// What stands before the first row.
    fn header(&self, _out: &mut Vec<u8>) {}

    fn row(&self, row: &ScoreRow, out: &mut Vec<u8>);

    /// Whether the format shows the final position.
    fn wants_position(&self) -> bool {
        true
    }
}

/// A few lines per game, for people.
pub struct TextScores {
    styles: Styles,
}

impl TextScores {
    pub fn new(colored: bool) -> TextScores {
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
        let result = if row.result.is_empty() {
            row.status.as_str()
        } else {
            &row.result
        };
        let _ = write!(text, "  {strong}{result}{reset}");
        if let Some(confidence) = row.confidence {
            let _ = write!(text, "  ({:.0} % sure)", 100.0 * confidence);
        }
        if !row.recorded_result.is_empty() {
            let word = match row.agreement {
                Some(Agreement::Exact) => "as recorded".to_string(),
                _ => format!("recorded {}", printable(&row.recorded_result)),
            };
            let _ = write!(text, "  {word}");
        }
        text.push('\n');
        let players = [&row.black, &row.white].map(|name| printable(name));
        if !(row.black.is_empty() && row.white.is_empty()) {
            let _ = writeln!(
                text,
                "  {} (Black) against {} (White)",
                players[0], players[1]
            );
        }
        if let Some(position) = &row.position {
            let _ = writeln!(text, "  {}", position.account);
        }
        for note in &row.notes {
            let _ = writeln!(text, "  {}", printable(note));
        }
        out.extend_from_slice(text.as_bytes());
    }
}
