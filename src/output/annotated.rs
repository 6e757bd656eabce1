//! A verdict as an annotation of the record it is about.
//!
//! Whoever opens the record in any editor sees at the end of the main line what kifu saw: the
//! territory, the dead stones crossed out, and a line that adds up the score.

use crate::board::{Color, PointSet};
use crate::count::Mark;
use crate::games::go::Verdict;
use crate::life::Life;
use crate::sgf::{Annotation, Contents, Game};

/// When `RE[]` is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SetResult {
    /// Where a game has none.
    IfMissing,
    Always,
}

/// What a verdict adds to its record.
pub fn annotation(game: &Game, verdict: &Verdict, set_result: SetResult) -> Annotation {
    let map = &verdict.count.map;
    let territory = |color: Color| {
        map.points(|mark| mark == Mark::Territory(color) || mark == Mark::Dead(color.other()))
    };
    let lifted = map.points(|mark| matches!(mark, Mark::Dead(_)));
    let judged = verdict.life.as_ref().map_or(PointSet::EMPTY, Life::dead);
    let recorded = &game.header.result_text;
    let ours = verdict.margin().to_string();
    let result = match set_result {
        SetResult::Always => true,
        // A position that was only set up has no result.
        SetResult::IfMissing => recorded.is_empty() && game.contents == Contents::Moves,
    };

    let mut sentences = vec![format!("{} rules.", verdict.rules.rules)];
    sentences.push(verdict.count.explain());
    if let Some(confidence) = verdict.confidence {
        sentences.push(format!("Confidence {confidence:.2}."));
    }
    sentences.extend(verdict.notes.iter().cloned());
    if let Some(counterfactual) = &verdict.counterfactual {
        sentences.push(format!("{}.", counterfactual.sentence));
    }
    if set_result == SetResult::Always && !recorded.is_empty() && *recorded != ours {
        sentences.push(format!("The record had the result {recorded}."));
    }
    Annotation {
        black_territory: territory(Color::Black),
        white_territory: territory(Color::White),
        dead: lifted | judged,
        comment: sentences.join(" "),
        result: result.then_some(ours),
    }
}
