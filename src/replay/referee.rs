//! The referee follows a record move by move and writes down what is wrong.
//!
//! After a mistake it goes on as [`History::follow`] describes. Besides what single moves do
//! wrong it looks at the game as a whole: handicap stones that do not fit `HA[]`, a result that
//! does not fit the komi, a player who resigned after the own move.

use super::Replay;
use super::main_line::too_slow;
use super::opening::Opening;
use crate::board::{Color, Illegal, Point, PointSet, Size};
use crate::finding::{Code, Finding, FindingLimiter, Place, Severity};
use crate::rules::{Button, Followed, History, Rules, Scoring, shortened};
use crate::sgf::{
    Header, NodeId, RecordedResult, Server, SetupPoints, Step, StepKind, Target, WinBy,
};

/// Follows a record and writes down what is wrong.
pub(super) struct Referee {
    rules: Rules,
    pub(super) history: History,
    opening: Opening,
    /// Black's moves that are still part of the handicap.
    handicap_left: u32,
    /// The next move may be either player's: the game starts, stones were set up, or play is
    /// resumed.
    either_may_move: bool,
    last_mover: Option<Color>,
    first_pass: Option<Color>,
    last_node: Option<NodeId>,
    /// The last node that set up stones.
    setup_node: Option<NodeId>,
    /// The last node whose moves are forced.
    forced_node: Option<NodeId>,
    illegal: u32,
    first_illegal: Option<u32>,
    pub(super) findings: FindingLimiter,
    is_cut_short: bool,
    /// Nothing is written down: all of this was reported before.
    pub(super) silent: bool,
}

impl Referee {
    pub(super) fn new(
        size: Size,
        rules: Rules,
        opening: Opening,
        findings: FindingLimiter,
    ) -> Referee {
        let handicap_left = if opening.handicap_is_played() {
            opening.black_moves
        } else {
            0
        };
        let mut history = History::new(size, &rules);
        if !opening.placed.is_empty() {
            history.edit(Color::White, |board| {
                for point in opening.placed.iter() {
                    board.set(point, Some(Color::Black));
                }
            });
        }
        Referee {
            rules,
            history,
            opening,
            handicap_left,
            either_may_move: true,
            last_mover: None,
            first_pass: None,
            last_node: None,
            setup_node: None,
            forced_node: None,
            illegal: 0,
            first_illegal: None,
            findings,
            is_cut_short: false,
            silent: false,
        }
    }

    pub(super) fn step(&mut self, step: &Step) {
        match &step.kind {
            StepKind::Move { color, target } => self.play(*color, target, step),
            StepKind::Setup(setup) => {
                self.setup_node = Some(step.node);
                self.set_up(&setup.points(), step.place);
            }
            StepKind::Forced => self.forced_node = Some(step.node),
            StepKind::ToPlay(color) => {
                self.history.set_to_move(*color);
                self.either_may_move = false;
            }
        }
    }

    #[inline]
    fn play(&mut self, color: Color, target: &Target, step: &Step) {
        if color != self.history.to_move() && !self.either_may_move {
            self.out_of_turn(color, step.place);
        }
        if self.setup_node == Some(step.node) {
            self.setup_node = None;
            self.tell_at_move(
                Finding::new(
                    Code::SetupAndMove,
                    "A node sets up stones and holds a move; the stones are set up first.",
                ),
                self.history.moves() + 1,
                step.place,
            );
        }
        if self.last_node == Some(step.node) {
            self.tell_at_move(
                Finding::new(
                    Code::SeveralMoves,
                    "A node holds several moves; they are played in the order in which they stand.",
                ),
                self.history.moves() + 1,
                step.place,
            );
        }
        self.last_node = Some(step.node);
        self.last_mover = Some(color);
        match target {
            Target::Point(point) => {
                if self.history.is_over() {
                    self.resumed(color, step.place);
                }
                self.either_may_move = false;
                if self.handicap_left > 0 {
                    let placed = self.history.board().size().contains(*point);
                    self.handicap_left -= (color == Color::Black && placed) as u32;
                }
                let forced = self.forced_node == Some(step.node);
                let followed = match forced {
                    true => self.history.force(color, *point),
                    false => self.history.follow(color, *point),
                };
                let uneventful = followed.illegal.is_none()
                    && followed.repeats.is_none()
                    && followed.captures.lost == 0;
                if !uneventful {
                    self.judge_the_move(color, *point, followed, forced, step.place);
                }
            }
            Target::Pass => {
                if self.handicap_left == 0 {
                    self.first_pass.get_or_insert(color);
                }
                self.history.pass(color);
                // After two passes whoever wants to may take play up again.
                self.either_may_move = self.history.is_over();
            }
            // What is no point was reported by the parser. It was this player's turn all the same.
            Target::Text(_) => {
                self.history.skip(color);
                self.either_may_move = false;
            }
        }
        if self.handicap_left > 0 {
            // Black places the rest of the handicap, whatever White's passes in between.
            self.either_may_move = true;
        }
    }

    #[cold]
    fn out_of_turn(&mut self, color: Color, place: Place) {
        let message = if self.last_mover == Some(color) {
            format!("{} plays twice in a row.", color.name())
        } else {
            format!(
                "{} plays although it is {}'s turn.",
                color.name(),
                color.other().name()
            )
        };
        self.tell_at_move(
            Finding::new(Code::OutOfTurn, message),
            self.history.moves() + 1,
            place,
        );
    }

    #[cold]
    fn resumed(&mut self, color: Color, place: Place) {
        let message = format!(
            "{} plays after both players had passed: the game is resumed.",
            color.name()
        );
        self.tell_at_move(
            Finding::new(Code::MoveAfterEnd, message),
            self.history.moves() + 1,
            place,
        );
    }

    /// What is to be said about a move after which not everything is as usual.
    #[cold]
    fn judge_the_move(
        &mut self,
        color: Color,
        point: Point,
        followed: Followed,
        forced: bool,
        place: Place,
    ) {
        let number = self.history.moves();
        let size = self.history.board().size();
        let player = color.name();
        // Off the board only the letters of the record can name the point.
        let at = match followed.illegal {
            Some(Illegal::OffBoard) => point.to_sgf(),
            _ => size.name(point),
        };
        let repeats = followed.repeats.map(|repetition| match repetition.first {
            0 => "the position at the start".to_string(),
            first => format!("the position after move {first}"),
        });
        // There is no forcing a stone off the board.
        let forced = forced && followed.illegal != Some(Illegal::OffBoard);
        let (code, message) = match (followed.illegal, followed.repeats, repeats) {
            (Some(Illegal::OffBoard), ..) => (
                Code::OffBoard,
                format!("{player}'s move \"{at}\" is off the {size} board; it is left out."),
            ),
            (Some(Illegal::Occupied), ..) if forced => (
                Code::OccupiedPoint,
                format!("{player} plays at {at} in place of the stone there."),
            ),
            (Some(Illegal::Occupied), ..) => (
                Code::OccupiedPoint,
                format!("{player} plays at {at}, where there is a stone; the move is left out."),
            ),
            (Some(Illegal::Ko), ..) => (
                Code::KoRetaken,
                format!("{player} takes the ko at {at} back at once."),
            ),
            (illegal, _, _) if followed.captures.lost > 0 && illegal != Some(Illegal::Superko) => (
                Code::Suicide,
                match followed.captures.lost {
                    1 => format!("{player} plays at {at}, where the stone has no liberty."),
                    lost => format!(
                        "{player} plays at {at} and takes the last liberty of {lost} stones, the new one included."
                    ),
                },
            ),
            (_, Some(repetition), Some(earlier)) => {
                let (code, who) = if repetition.situational {
                    (Code::SituationalSuperko, "with the same player to move")
                } else {
                    (Code::Superko, "with the other player to move")
                };
                (
                    code,
                    format!("{player}'s move at {at} brings back {earlier}, {who}."),
                )
            }
            _ => return,
        };
        let severity = match followed.illegal {
            Some(_) if forced => Severity::Warning,
            Some(_) => Severity::Error,
            None => Severity::Note,
        };
        let message = match severity {
            Severity::Warning => format!("{message} KO[] forces the move."),
            _ => message,
        };
        if severity == Severity::Error {
            self.illegal += 1;
            self.first_illegal.get_or_insert(number);
        }
        let goes_on = followed.repeats.is_some_and(|repeats| repeats.goes_on);
        if goes_on && followed.illegal.is_none() {
            // The players still go round, as they may: where that began was reported.
            return;
        }
        self.tell_at_move(
            Finding::new(code, message).severity(severity),
            number,
            place,
        );
    }

    fn set_up(&mut self, setup: &SetupPoints, place: Place) {
        let size = self.history.board().size();
        let whole = PointSet::full(size);
        let (black, white, empty) = (
            setup.black & whole,
            setup.white & whole,
            setup.empty & whole,
        );
        let off = (setup.black | setup.white | setup.empty) - whole;
        if !off.is_empty() {
            let names: Vec<String> = off.iter().take(3).map(Point::to_sgf).collect();
            let finding = Finding::new(
                Code::OffBoard,
                format!(
                    "Stones are set up off the {size} board ({}{}); they are left out.",
                    names.join(", "),
                    if off.len() > 3 { ", …" } else { "" }
                ),
            );
            self.report(finding.severity(Severity::Warning).at(place));
        }
        let twice = black & white | black & empty | white & empty;
        if !twice.is_empty() {
            let names: Vec<String> = twice.iter().take(3).map(|p| size.name(p)).collect();
            let message = format!(
                "{}{} {} set up in more than one way in a node; AW[] wins over AB[], and both \
                 over AE[].",
                names.join(", "),
                if twice.len() > 3 { ", …" } else { "" },
                if twice.len() == 1 { "is" } else { "are" },
            );
            self.report(Finding::new(Code::SetupConflict, message).at(place));
        }
        let number = self.history.moves();
        if number > 0 {
            self.tell_at_move(
                Finding::new(
                    Code::SetupAfterPlay,
                    format!("Stones are set up or taken off after move {number}."),
                ),
                number,
                place,
            );
        }
        // Handicap stones leave the first move to White.
        let to_move = if number == 0 && !black.is_empty() && white.is_empty() {
            Color::White
        } else {
            self.history.to_move()
        };
        self.history
            .edit(to_move, |board| board.set_up(&black, &white, &empty));
        self.either_may_move = true;
        let board = self.history.board();
        let smothered = board
            .chains()
            .into_iter()
            .find(|&chain| !board.has_liberty(chain));
        if let Some(chain) = smothered {
            let message = format!(
                "The stones at {} are set up without a liberty; they stay until they are taken.",
                size.name(chain)
            );
            self.report(Finding::new(Code::SetupWithoutLiberty, message).at(place));
        }
    }

    /// The rest of the game is not played.
    pub(super) fn cut_short(&mut self, place: Place) {
        self.is_cut_short = true;
        self.tell_at_move(too_slow(), self.history.moves() + 1, place);
    }

    /// What only the whole game shows.
    pub(super) fn judge_the_game(&mut self, header: &Header, komi: Option<f64>) {
        if self.is_cut_short {
            return;
        }
        let size = self.history.board().size();
        if let Some(finding) = self.opening.finding(size) {
            self.report(finding);
        }
        if self.history.moves() == 0 {
            let board = self.history.board();
            let empty = board.empty() == PointSet::full(board.size());
            self.report(Finding::new(
                Code::NoMoves,
                if empty {
                    "The record holds no move."
                } else {
                    "The record holds a position but no move: a problem, not a game."
                },
            ));
        }
        if let Some(RecordedResult::Win {
            winner,
            by: WinBy::Resignation,
        }) = header.result
            && self.last_mover == Some(winner.other())
        {
            let loser = winner.other().name();
            self.report(Finding::new(
                Code::ResignerMovedLast,
                format!("By the result {loser} resigned, but {loser} also made the last move."),
            ));
        }
        let even = self.opening.handicap() == 0 && self.opening.announced.unwrap_or(0) == 0;
        if header.server == Some(Server::Fox) && header.komi == Some(0.0) && even {
            let counted = match komi.filter(|&komi| komi != 0.0) {
                Some(komi) => format!("{komi} points are counted"),
                None => "none is counted".to_string(),
            };
            self.report(Finding::new(
                Code::KomiDoubtful,
                format!("Fox writes KM[0] for even games that were played with komi; {counted}."),
            ));
        }
        if let Some(finding) = self.komi_against_result(header, komi) {
            self.report(finding);
        }
    }

    /// Points on the board are whole numbers, so the fraction of the margin is the komi's.
    fn komi_against_result(&self, header: &Header, komi: Option<f64>) -> Option<Finding> {
        let komi = komi?;
        let margin = match header.result.as_ref()? {
            RecordedResult::Draw => 0.0,
            RecordedResult::Win {
                winner,
                by: WinBy::Points(points),
            } => match winner {
                Color::Black => *points,
                Color::White => -points,
            },
            _ => return None,
        };
        let is_whole = |points: f64| (points - points.round()).abs() < 1e-6;
        let area = self.rules.scoring == Scoring::Area;
        let fits = is_whole(margin + komi)
            // The button is worth half a point to either side.
            || self.rules.button == Button::HalfPoint && is_whole(2.0 * (margin + komi))
            // Margins in Chinese stones, of two points each: a quarter is half a point.
            || area && (is_whole(2.0 * margin + komi) && !is_whole(2.0 * margin))
            // And both so, where half of the board is 180½ stones.
            || area && !is_whole(2.0 * komi) && is_whole(2.0 * (margin + komi));
        (!fits).then(|| {
            Finding::new(
                Code::KomiAgainstResult,
                format!(
                    "With a komi of {komi} the game can't end in {}.",
                    match header.result {
                        Some(RecordedResult::Draw) => "a draw".to_string(),
                        _ => shortened(&header.result_text),
                    }
                ),
            )
        })
    }

    fn tell_at_move(&mut self, finding: Finding, number: u32, place: Place) {
        self.report(finding.at_move(number).at(place));
    }

    fn report(&mut self, finding: Finding) {
        if !self.silent {
            self.findings.add(finding);
        }
    }

    pub(super) fn finish(self, game: u32) -> Replay {
        Replay {
            captures: Color::BOTH.map(|color| self.history.captures(color)),
            moves: self.history.moves(),
            passes: self.history.passes(),
            first_pass: self.first_pass,
            last_mover: self.last_mover,
            to_move: self.history.to_move(),
            handicap: self.opening.handicap(),
            is_cut_short: self.is_cut_short,
            illegal: self.illegal,
            first_illegal: self.first_illegal,
            findings: self.findings.finish_game(game),
            board: self.history.into_board(),
        }
    }
}
