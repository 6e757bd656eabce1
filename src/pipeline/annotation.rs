//! A verdict as an annotation of the record it is about.
//!
//! Whoever opens the record in any editor sees at the end of the main line what kifu saw: the
//! territory, the dead stones crossed out, and a line that adds up the score.

use super::tally::SURE;
use crate::board::{Color, PointSet};
use crate::count::Mark;
use crate::games::DecidedBy;
use crate::games::go::Verdict;
use crate::life::Life;
use crate::sgf::{Annotation, Contents, Game};

/// When `RE[]` is written. Never for a game whose position is not final, nor over a decision on
/// record such as `B+R`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct SetResult {
    /// Also where a game has a result.
    pub replace: bool,
    /// How sure kifu must be.
    pub min_confidence: f64,
}

impl SetResult {
    /// How sure kifu must be, unless the user says otherwise.
    pub const MIN_CONFIDENCE: f64 = SURE;
}

impl Default for SetResult {
    fn default() -> SetResult {
        SetResult {
            replace: false,
            min_confidence: SetResult::MIN_CONFIDENCE,
        }
    }
}

/// What a verdict adds to its record: the territory and the dead stones of a final position, and a
/// line that adds up the score. `None` where there is nothing to score: for a record without moves,
/// or with so few that the board is nearly empty.
pub fn annotate(game: &Game, verdict: &Verdict, set_result: SetResult) -> Option<Annotation> {
    if game.contents != Contents::Moves || !verdict.has_estimate() {
        return None;
    }
    let mut sentences = vec![
        format!("{} rules.", verdict.rules.rules),
        verdict.count.explain(),
    ];
    if let Some(confidence) = verdict.confidence {
        sentences.push(format!("Confidence {confidence:.2}."));
    }
    sentences.extend(verdict.notes.iter().cloned());
    if let Some(counterfactual) = &verdict.counterfactual {
        sentences.push(format!("{}.", counterfactual.sentence));
    }
    let recorded = &game.header.result_text;
    let ours = &verdict.decision.result;
    let counted = verdict.decision.by == Some(DecidedBy::Count);
    let sure = verdict
        .confidence
        .is_none_or(|sure| sure >= set_result.min_confidence);
    let set = counted && sure && (recorded.is_empty() || set_result.replace);
    if set && !recorded.is_empty() && recorded != ours {
        sentences.push(format!("The record had the result {recorded}."));
    }
    let mut annotation = Annotation {
        comment: sentences.join(" "),
        result: set.then(|| ours.clone()),
        ..Annotation::default()
    };
    if verdict.not_final.is_none() {
        let map = &verdict.count.map;
        let territory = |color: Color| {
            map.points(|mark| mark == Mark::Territory(color) || mark == Mark::Dead(color.other()))
        };
        annotation.black_territory = territory(Color::Black);
        annotation.white_territory = territory(Color::White);
        let lifted = map.points(|mark| matches!(mark, Mark::Dead(_)));
        let judged = verdict.life.as_ref().map_or(PointSet::EMPTY, Life::dead);
        annotation.dead = lifted | judged;
        let stones = |color| verdict.replay.board.stones(color);
        annotation.stones = stones(Color::Black) | stones(Color::White);
    }
    Some(annotation)
}
