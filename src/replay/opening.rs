//! How a game starts: what was set up before the first move, and who moves.

use super::handicap::MOST_HANDICAP_MOVES;
use super::placement;
use crate::board::{Color, PointSet, Size};
use crate::rules::Rules;
use crate::sgf::{Header, Step, StepKind, Target};

/// How a game starts: what was set up before the first move, and who moves.
pub(super) struct Opening {
    pub(super) black: u32,
    pub(super) white: u32,
    /// Stones that Black plays before White's first move. A pass of White is no move where the
    /// record announces a handicap.
    pub(super) black_moves: u32,
    pub(super) white_follows: bool,
    pub(super) first_to_move: Option<Color>,
    pub(super) to_play: Option<Color>,
    pub(super) announced: Option<u32>,
    /// Handicap stones that are announced and not in the record.
    pub(super) placed: PointSet,
}

impl Opening {
    /// How the line of these steps starts.
    pub(super) fn new<'a>(
        steps: impl Iterator<Item = &'a Step> + Clone,
        header: &Header,
        size: Size,
        rules: &Rules,
    ) -> Opening {
        let mut opening = Opening::on_record(steps.clone(), header, size);
        let placed = placement::announced_stones(&opening, size, rules, steps);
        opening.placed = placed.unwrap_or_default();
        opening
    }

    /// The same by what the record holds alone. Stones off the board are none.
    pub(super) fn on_record<'a>(
        steps: impl Iterator<Item = &'a Step>,
        header: &Header,
        size: Size,
    ) -> Opening {
        let mut opening = Opening {
            black: 0,
            white: 0,
            black_moves: 0,
            white_follows: false,
            first_to_move: None,
            to_play: None,
            announced: header.handicap,
            placed: PointSet::EMPTY,
        };
        let (mut black, mut white) = (PointSet::EMPTY, PointSet::EMPTY);
        for step in steps {
            match &step.kind {
                StepKind::Setup(setup) if opening.first_to_move.is_none() => {
                    let setup = setup.points();
                    // As the referee sets them: where a point is named twice White has it.
                    black = ((black - setup.empty) | setup.black) - setup.white;
                    white = (white - setup.empty - setup.black) | setup.white;
                }
                StepKind::Setup(_) => break,
                StepKind::ToPlay(color) => opening.to_play = Some(*color),
                StepKind::Forced => {}
                StepKind::Move { color, target } => {
                    opening.first_to_move.get_or_insert(*color);
                    match (color, target) {
                        // White waits while Black places the handicap, if there is one.
                        (Color::White, Target::Pass) if header.handicap.unwrap_or(0) < 2 => {
                            opening.white_follows = true;
                            break;
                        }
                        (_, Target::Pass) => {}
                        (Color::Black, Target::Point(point)) if size.contains(*point) => {
                            opening.black_moves += 1
                        }
                        (Color::Black, _) => {}
                        (Color::White, _) => {
                            opening.white_follows = true;
                            break;
                        }
                    }
                    if opening.black_moves > MOST_HANDICAP_MOVES {
                        break;
                    }
                }
            }
        }
        let whole = PointSet::full(size);
        opening.black = (black & whole).len() as u32;
        opening.white = (white & whole).len() as u32;
        opening
    }
}
