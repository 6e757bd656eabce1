//! A record is played out on the board and checked against its rules.
//!
//! [`replay`] goes through the main line of a game move by move, keeps going after a mistake as
//! [`History::follow`] describes, and says what it found. Besides what single moves do wrong it
//! looks at the game as a whole: handicap stones that do not fit `HA[]`, a result that does not
//! fit the komi, a player who resigned after the own move.
//!
//! Handicap stones come in three ways: set up with `AB[]`, played by Black as the first moves, or
//! only announced by `HA[]`. The stones on the board decide; `HA[]` decides where there are none.

use super::{
    Board, Button, Color, Followed, History, Illegal, Point, PointSet, Rules, Scoring, Size,
};
use crate::finding::{Code, Finding, Place, Severity, Telling};
use crate::record::{Game, Header, NodeId, RecordedResult, Setup, Step, StepKind, Target, WinBy};

/// A game that was played out.
#[derive(Clone, Debug)]
pub struct Replay {
    /// The final position.
    pub board: Board,
    /// Prisoners taken by Black and by White during play.
    pub captures: [u32; 2],
    /// Moves of the record, passes and illegal moves counted.
    pub moves: u32,
    /// Passes at the end, in a row.
    pub passes: u32,
    /// Who made the last move, a pass or not.
    pub last_mover: Option<Color>,
    /// Whose turn it is at the end.
    pub to_move: Color,
    /// How many handicap stones Black was given.
    pub handicap: u32,
    /// How many moves break the rules.
    pub illegal: u32,
    /// The number of the first move that breaks the rules.
    pub first_illegal: Option<u32>,
    /// What is wrong with the game, in the order of the moves; last what concerns it as a whole.
    pub findings: Vec<Finding>,
}

/// How a game came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EndedBy {
    Passes,
    Resignation,
    Time,
    Forfeit,
    /// The record says that the game was broken off.
    Unfinished,
    /// The record does not say.
    Unknown,
}

impl EndedBy {
    /// The word for it in every output.
    pub fn as_str(self) -> &'static str {
        match self {
            EndedBy::Passes => "passes",
            EndedBy::Resignation => "resignation",
            EndedBy::Time => "time",
            EndedBy::Forfeit => "forfeit",
            EndedBy::Unfinished => "unfinished",
            EndedBy::Unknown => "unknown",
        }
    }
}

impl Replay {
    /// How the game ended: what `RE[]` says about it, else by the passes at the end.
    pub fn ended_by(&self, result: Option<&RecordedResult>) -> EndedBy {
        match result {
            Some(RecordedResult::Win { by, .. }) => match by {
                WinBy::Resignation => return EndedBy::Resignation,
                WinBy::Time => return EndedBy::Time,
                WinBy::Forfeit => return EndedBy::Forfeit,
                // A margin was counted, so both sides had stopped: many programs leave the
                // passes out of the record.
                WinBy::Points(_) => return EndedBy::Passes,
                WinBy::Unsaid => {}
            },
            Some(RecordedResult::Draw) => return EndedBy::Passes,
            Some(RecordedResult::NoResult) => return EndedBy::Unfinished,
            Some(RecordedResult::Unknown | RecordedResult::Unreadable(_)) | None => {}
        }
        if self.passes >= 2 {
            EndedBy::Passes
        } else {
            EndedBy::Unknown
        }
    }
}

/// Plays out the main line of a game.
pub fn replay(game: &Game, rules: &Rules) -> Replay {
    let opening = Opening::of(&game.main_line, &game.header);
    let mut referee = Referee::new(game.size, *rules, opening);
    for step in &game.main_line {
        referee.step(step);
    }
    referee.judge_the_game(&game.header);
    referee.finish(game.number)
}

/// Black's stones before White's first, if they are no more than this, are a handicap; beyond it
/// somebody put stones on a board.
const MOST_HANDICAP_MOVES: u32 = 25;

/// How a game starts: what was set up before the first move, and who moves.
struct Opening {
    black: u32,
    white: u32,
    /// Stones that Black plays before White's first stone.
    black_moves: u32,
    white_follows: bool,
    first_to_move: Option<Color>,
    to_play: Option<Color>,
    announced: Option<u32>,
}

impl Opening {
    fn of(steps: &[Step], header: &Header) -> Opening {
        let mut opening = Opening {
            black: 0,
            white: 0,
            black_moves: 0,
            white_follows: false,
            first_to_move: None,
            to_play: None,
            announced: header.handicap,
        };
        let (mut black, mut white) = (PointSet::EMPTY, PointSet::EMPTY);
        for step in steps {
            match &step.kind {
                StepKind::Setup(setup) if opening.first_to_move.is_none() => {
                    black = (black | setup.black) - setup.white - setup.empty;
                    white = (white | setup.white) - setup.black - setup.empty;
                }
                StepKind::Setup(_) => break,
                StepKind::ToPlay(color) => opening.to_play = Some(*color),
                StepKind::Move { color, target } => {
                    opening.first_to_move.get_or_insert(*color);
                    match (color, target) {
                        (_, Target::Pass) => {}
                        (Color::Black, _) => opening.black_moves += 1,
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
        opening.black = black.len() as u32;
        opening.white = white.len() as u32;
        opening
    }

    /// Whether Black's first moves are the handicap.
    fn handicap_is_played(&self) -> bool {
        self.black == 0
            && self.white == 0
            && self.white_follows
            && (2..=MOST_HANDICAP_MOVES).contains(&self.black_moves)
    }

    /// How many handicap stones there are on the board or, failing that, announced.
    fn handicap(&self) -> u32 {
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
    fn finding(&self) -> Option<Finding> {
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

/// Follows a record and writes down what is wrong.
struct Referee {
    rules: Rules,
    history: History,
    opening: Opening,
    /// Black's moves that are still part of the handicap.
    handicap_left: u32,
    /// The next move may be either player's: the game starts, stones were set up, or play is
    /// resumed.
    either_may_move: bool,
    last_mover: Option<Color>,
    last_node: Option<NodeId>,
    illegal: u32,
    first_illegal: Option<u32>,
    telling: Telling,
}

impl Referee {
    fn new(size: Size, rules: Rules, opening: Opening) -> Referee {
        let handicap_left = if opening.handicap_is_played() {
            opening.black_moves
        } else {
            0
        };
        Referee {
            rules,
            history: History::new(size, &rules),
            opening,
            handicap_left,
            either_may_move: true,
            last_mover: None,
            last_node: None,
            illegal: 0,
            first_illegal: None,
            telling: Telling::default(),
        }
    }

    fn step(&mut self, step: &Step) {
        match &step.kind {
            StepKind::Move { color, target } => self.play(*color, target, step),
            StepKind::Setup(setup) => self.set_up(setup, step.place),
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
                    self.handicap_left -= (color == Color::Black) as u32;
                }
                let followed = self.history.follow(color, *point);
                let uneventful = followed.illegal.is_none()
                    && followed.repeats.is_none()
                    && followed.captures.lost == 0;
                if !uneventful {
                    self.judge_the_move(color, *point, followed, step.place);
                }
            }
            Target::Pass => {
                self.history.pass(color);
                // After two passes whoever wants to may take play up again.
                self.either_may_move = self.history.is_over();
            }
            // What is no point was told by the reader. It was this player's turn all the same.
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
    fn judge_the_move(&mut self, color: Color, point: Point, followed: Followed, place: Place) {
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
        let (code, message) = match (followed.illegal, followed.repeats, repeats) {
            (Some(Illegal::OffBoard), ..) => (
                Code::OffBoard,
                format!("{player}'s move \"{at}\" is off the {size} board; it is left out."),
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
                if repetition.goes_on && followed.illegal.is_none() {
                    return;
                }
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
            Some(_) => Severity::Error,
            None => Severity::Note,
        };
        if followed.illegal.is_some() {
            self.illegal += 1;
            self.first_illegal.get_or_insert(number);
            if followed
                .repeats
                .is_some_and(|repetition| repetition.goes_on)
            {
                // Still the same cycle: the move is counted, its beginning was told.
                return;
            }
        }
        self.tell_at_move(
            Finding::new(code, message).severity(severity),
            number,
            place,
        );
    }

    fn set_up(&mut self, setup: &Setup, place: Place) {
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
            self.tell(finding.severity(Severity::Warning).at(place));
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
        self.history.edit(to_move, |board| {
            for point in empty.iter() {
                board.set(point, None);
            }
            for point in black.iter() {
                board.set(point, Some(Color::Black));
            }
            for point in white.iter() {
                board.set(point, Some(Color::White));
            }
        });
        self.either_may_move = true;
        let board = self.history.board();
        let smothered = board
            .chains()
            .into_iter()
            .find(|&chain| board.liberties(chain).is_empty());
        if let Some(chain) = smothered {
            let message = format!(
                "The stones at {} are set up without a liberty; they stay until they are taken.",
                size.name(chain)
            );
            self.tell(Finding::new(Code::SetupWithoutLiberty, message).at(place));
        }
    }

    /// What only the whole game shows.
    fn judge_the_game(&mut self, header: &Header) {
        if let Some(finding) = self.opening.finding() {
            self.tell(finding);
        }
        if self.history.moves() == 0 {
            let board = self.history.board();
            let empty = board.empty() == PointSet::full(board.size());
            self.tell(Finding::new(
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
            self.tell(Finding::new(
                Code::ResignerMovedLast,
                format!("By the result {loser} resigned, but {loser} also made the last move."),
            ));
        }
        if let Some(finding) = self.komi_against_result(header) {
            self.tell(finding);
        }
    }

    /// Points on the board are whole numbers, so the fraction of the margin is the komi's.
    fn komi_against_result(&self, header: &Header) -> Option<Finding> {
        let komi = header.komi?;
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
                        _ => header.result_text.trim().to_string(),
                    }
                ),
            )
        })
    }

    fn tell_at_move(&mut self, finding: Finding, number: u32, place: Place) {
        self.tell(finding.at_move(number).at(place));
    }

    fn tell(&mut self, finding: Finding) {
        self.telling.tell(finding);
    }

    fn finish(self, game: u32) -> Replay {
        Replay {
            captures: Color::BOTH.map(|color| self.history.captures(color)),
            moves: self.history.moves(),
            passes: self.history.passes(),
            last_mover: self.last_mover,
            to_move: self.history.to_move(),
            handicap: self.opening.handicap(),
            illegal: self.illegal,
            first_illegal: self.first_illegal,
            findings: self.telling.finish(game),
            board: self.history.into_board(),
        }
    }
}
