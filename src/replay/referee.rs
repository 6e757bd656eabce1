//! A record is played out on the board and checked against its rules.
//!
//! [`replay`] goes through the main line of a game move by move, keeps going after a mistake as
//! [`History::follow`] describes, and says what it found. Besides what single moves do wrong it
//! looks at the game as a whole: handicap stones that do not fit `HA[]`, a result that does not
//! fit the komi, a player who resigned after the own move.
//!
//! Handicap stones come in three ways: set up with `AB[]`, played by Black as the first moves, or
//! only announced by `HA[]`. The stones on the board decide; `HA[]` decides where there are none.
//!
//! [`replay_variations`] does the same for every branch beside the main line: move by move, not
//! as a whole, since a variation has no result and no handicap of its own.

use crate::board::{Board, Color, Illegal, Point, PointSet, Size};
use crate::finding::{Code, Finding, Place, Severity, Telling};
use crate::rules::{Button, Followed, History, Rules, Scoring};
use crate::sgf::{
    Branches, Game, Header, NodeId, RecordedResult, Setup, Step, StepKind, Target, WinBy,
};

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
///
/// ```
/// use kifu::finding::Code;
/// use kifu::sgf::{read, Limits};
/// use kifu::replay::replay;
/// use kifu::rules::Rules;
///
/// let reading = read(b"(;GM[1]SZ[9];B[ee];W[ee];B[ge];W[];B[])", &Limits::default());
/// let replayed = replay(&reading.games[0], &Rules::default());
/// assert_eq!(replayed.first_illegal, Some(2));
/// assert_eq!(replayed.findings[0].code, Code::OccupiedPoint);
/// assert_eq!(replayed.passes, 2);
/// ```
pub fn replay(game: &Game, rules: &Rules) -> Replay {
    let opening = Opening::of(&game.main_line, &game.header);
    let mut referee = Referee::new(game.size, *rules, opening, Telling::default());
    for step in &game.main_line {
        referee.step(step);
    }
    referee.judge_the_game(&game.header);
    referee.finish(game.number)
}

/// Plays out the main line of a game and leaves it as it stands then, ready to be asked what may
/// be played next.
pub fn follow(game: &Game, rules: &Rules) -> History {
    let opening = Opening::of(&game.main_line, &game.header);
    let mut referee = Referee::new(game.size, *rules, opening, Telling::default());
    for step in &game.main_line {
        referee.step(step);
    }
    referee.history
}

/// Each variation is played out from the start of the game, so a tree built for it could keep
/// kifu busy for days. Collections of openings with a quarter of a million nodes stay far below
/// this many moves.
pub const MOST_VARIATION_MOVES: usize = 20_000_000;

/// Plays out every branch beside the main line, and says what is wrong in them.
///
/// ```
/// use kifu::sgf::{read, Limits};
/// use kifu::replay::{replay_variations, MOST_VARIATION_MOVES};
/// use kifu::rules::Rules;
///
/// let sgf = b"(;GM[1]SZ[9];B[ee](;W[ge];B[gc])(;W[ec];B[ee]))";
/// let reading = read(sgf, &Limits::default());
/// let game = &reading.games[0];
/// let (branches, _) = reading.branches(game);
/// let findings =
///     replay_variations(game, &branches, &Rules::default(), MOST_VARIATION_MOVES);
/// assert_eq!(findings.len(), 1);
/// assert_eq!(findings[0].move_number, Some(3));
/// ```
pub fn replay_variations(
    game: &Game,
    branches: &Branches,
    rules: &Rules,
    most_moves: usize,
) -> Vec<Finding> {
    let visits = &branches.visits;
    // Visits are in the order of their nodes, parents before children.
    let place_of = |node: NodeId| visits.binary_search_by_key(&node, |visit| visit.node).ok();
    let mut told: Vec<bool> = visits.iter().map(|visit| visit.main_line).collect();
    let mut goes_on = vec![false; visits.len()];
    for visit in visits {
        if let Some(parent) = visit.parent.and_then(place_of) {
            goes_on[parent] = true;
        }
    }
    let mut telling = Telling::default();
    let mut work = 0;
    let mut line = Vec::new();
    for leaf in (0..visits.len()).filter(|&place| !goes_on[place]) {
        if told[leaf] {
            continue;
        }
        line.clear();
        let mut next = Some(leaf);
        while let Some(place) = next {
            line.push(place);
            next = visits[place].parent.and_then(place_of);
        }
        line.reverse();
        work += line
            .iter()
            .map(|&place| cost(branches.steps(&visits[place])))
            .sum::<usize>();
        if work > most_moves {
            telling.tell(Finding::new(
                Code::TooManyVariations,
                "The variations are too many and too long to check them all; the rest was left out.",
            ));
            break;
        }
        let steps = || {
            line.iter()
                .flat_map(|&place| branches.steps(&visits[place]))
        };
        let opening = Opening::of(steps(), &game.header);
        let mut referee = Referee::new(game.size, *rules, opening, telling);
        for &place in &line {
            referee.silent = std::mem::replace(&mut told[place], true);
            for step in branches.steps(&visits[place]) {
                referee.step(step);
            }
        }
        telling = referee.telling;
    }
    telling.finish(game.number)
}

/// What these steps cost, in moves.
fn cost(steps: &[Step]) -> usize {
    const SETUP: usize = 100;
    let of_step = |step: &Step| match step.kind {
        StepKind::Setup(_) => SETUP,
        StepKind::Move { .. } | StepKind::ToPlay(_) => 1,
    };
    1 + steps.iter().map(of_step).sum::<usize>()
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
    fn of<'a>(steps: impl IntoIterator<Item = &'a Step>, header: &Header) -> Opening {
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
    /// How bad the last repetition was that was told.
    cycle: Severity,
    illegal: u32,
    first_illegal: Option<u32>,
    telling: Telling,
    /// Nothing is written down: all of this was told before.
    silent: bool,
}

impl Referee {
    fn new(size: Size, rules: Rules, opening: Opening, telling: Telling) -> Referee {
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
            cycle: Severity::Note,
            illegal: 0,
            first_illegal: None,
            telling,
            silent: false,
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
        }
        if let Some(repetition) = followed.repeats {
            if repetition.goes_on && severity <= self.cycle {
                // The players still go round: where that began was told.
                return;
            }
            self.cycle = severity;
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
        if !self.silent {
            self.telling.tell(finding);
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::choose_rules;
    use crate::sgf::{Limits, read};

    fn replayed(sgf: &str) -> Replay {
        let reading = read(sgf.as_bytes(), &Limits::default());
        let game = &reading.games[0];
        replay(game, &choose_rules(&game.header, None).rules)
    }

    /// The codes found in a game with their severity and move: `superko error 7`.
    fn found(sgf: &str) -> Vec<String> {
        let of = |finding: &Finding| {
            let number = finding.move_number.map(|number| format!(" {number}"));
            let (code, severity) = (finding.code.as_str(), finding.severity.as_str());
            format!("{code} {severity}{}", number.unwrap_or_default())
        };
        replayed(sgf).findings.iter().map(of).collect()
    }

    /// Every page of a finding about the course of a game shows a game in which kifu finds it.
    #[test]
    fn the_example_of_every_page_is_an_example() {
        for code in [
            Code::OccupiedPoint,
            Code::OffBoard,
            Code::Suicide,
            Code::KoRetaken,
            Code::Superko,
            Code::SituationalSuperko,
            Code::OutOfTurn,
            Code::WhiteFirst,
            Code::MoveAfterEnd,
            Code::SeveralMoves,
            Code::SetupAfterPlay,
            Code::SetupWithoutLiberty,
            Code::HandicapMismatch,
            Code::HandicapPlayed,
            Code::KomiAgainstResult,
            Code::ResignerMovedLast,
            Code::UnknownRules,
            Code::NoMoves,
        ] {
            let example: String = code
                .page()
                .lines()
                .filter_map(|line| line.strip_prefix("    "))
                .collect();
            assert!(example.starts_with("(;"), "{}", code.as_str());
            let reading = read(example.as_bytes(), &Limits::default());
            let game = &reading.games[0];
            let chosen = choose_rules(&game.header, None);
            let codes: Vec<Code> = replay(game, &chosen.rules)
                .findings
                .into_iter()
                .chain(chosen.finding)
                .map(|finding| finding.code)
                .collect();
            assert_eq!(codes, [code], "{example}");
        }
    }

    #[test]
    fn a_clean_game_has_nothing_to_tell() {
        let game = replayed("(;GM[1]SZ[9]KM[6.5]RE[W+6.5];B[ee];W[ge];B[gf];W[];B[])");
        assert_eq!(game.findings, []);
        assert_eq!((game.moves, game.passes, game.illegal), (5, 2, 0));
        assert_eq!(game.last_mover, Some(Color::Black));
        assert_eq!(game.to_move, Color::White);
    }

    #[test]
    fn one_mistake_is_one_finding() {
        // White plays on a stone; the game goes on as if White had passed.
        let sgf = "(;GM[1]SZ[9];B[ee];W[ee];B[ge];W[gf];B[ff];W[hh])";
        assert_eq!(found(sgf), ["occupied-point error 2"]);
        // A board of 19x19 that says 9: a few findings, and how many more there are.
        let moves: String = (0..40)
            .map(|n| if n % 2 == 0 { ";B[pd]" } else { ";W[dp]" })
            .collect();
        let game = replayed(&format!("(;GM[1]SZ[9]{moves})"));
        assert_eq!(game.findings.len(), 5);
        assert_eq!((game.illegal, game.first_illegal), (40, Some(1)));
        let last = &game.findings.last().unwrap().message;
        assert!(
            last.ends_with("There are 35 more like this in the game."),
            "{last}"
        );
    }

    #[test]
    fn the_rules_decide_whether_suicide_is_an_error() {
        let sgf = |rules| format!("(;GM[1]SZ[9]RU[{rules}];B[ba];W[ee];B[ab];W[aa];B[gg])");
        assert_eq!(found(&sgf("Chinese")), ["suicide error 4"]);
        assert_eq!(found(&sgf("NZ")), ["suicide note 4"]);
        // A single stone's suicide repeats the position, which positional superko forbids.
        assert_eq!(found(&sgf("Tromp-Taylor")), ["superko error 4"]);
    }

    #[test]
    fn handicap_comes_in_three_ways() {
        let set_up = replayed("(;GM[1]SZ[9]HA[2]AB[cc][gg];W[ee];B[ce])");
        assert_eq!((set_up.handicap, set_up.findings.len()), (2, 0));
        let played = replayed("(;GM[1]SZ[9]HA[2];B[cc];B[gg];W[ee];B[ce])");
        assert_eq!((played.handicap, played.findings.len()), (2, 0));
        let with_passes = replayed("(;GM[1]SZ[9]HA[2];B[cc];W[];B[gg];W[ee];B[ce])");
        assert_eq!((with_passes.handicap, with_passes.findings.len()), (2, 0));
        let announced = replayed("(;GM[1]SZ[9]HA[2];W[ee];B[ce])");
        assert_eq!(announced.handicap, 2);
        assert_eq!(announced.findings[0].code, Code::HandicapMismatch);
        let unsaid = replayed("(;GM[1]SZ[9]AB[ee];W[ce];B[cd])");
        assert_eq!((unsaid.handicap, unsaid.findings.len()), (1, 0));
        let black_first = "(;GM[1]SZ[9]HA[2]AB[cc][gg];B[ee];W[ce])";
        assert_eq!(found(black_first), ["handicap-mismatch warning"]);
        let problem = replayed("(;GM[1]SZ[9]AB[cc][gg]AW[ee];B[ce];W[cd])");
        assert_eq!((problem.handicap, problem.findings.len()), (0, 0));
    }

    #[test]
    fn turns_are_watched() {
        assert_eq!(
            found("(;GM[1]SZ[9];B[cc];W[gg];W[ee];B[ec])"),
            ["out-of-turn warning 3"]
        );
        // PL gives the turn.
        assert_eq!(found("(;GM[1]SZ[9]PL[W];W[cc];B[gg])"), [""; 0]);
        assert_eq!(
            found("(;GM[1]SZ[9];B[cc];W[ce];PL[W];W[gg];B[ee])"),
            [""; 0]
        );
        // After two passes either player may go on.
        let resumed = "(;GM[1]SZ[9];B[cc];W[gg];B[];W[];W[ee];B[ec])";
        assert_eq!(found(resumed), ["move-after-end note 5"]);
    }

    #[test]
    fn komi_and_margin_must_fit() {
        let fits = |komi: &str, result: &str, rules: &str| {
            let sgf = format!("(;GM[1]SZ[9]RU[{rules}]KM[{komi}]RE[{result}];B[ee];W[ce])");
            found(&sgf).is_empty()
        };
        assert!(fits("6.5", "B+3.5", "Japanese"));
        assert!(fits("6.5", "W+0.5", "Japanese"));
        assert!(fits("6", "Draw", "Japanese"));
        assert!(fits("0", "B+10", "Japanese"));
        assert!(fits("6.5", "W+R", "Japanese"));
        assert!(!fits("6.5", "Draw", "Japanese"));
        assert!(!fits("6.5", "B+3", "Japanese"));
        assert!(!fits("7", "W+0.5", "Chinese"));
        // Chinese stones, with a komi in points or in stones.
        assert!(fits("7.5", "B+0.25", "Chinese"));
        assert!(fits("3.75", "W+1.25", "Chinese"));
        // A button is worth half a point.
        assert!(fits("7", "W+0.5", "AGA with button"));
    }

    #[test]
    fn the_end_is_what_the_record_says() {
        let ended = |sgf: &str| {
            let reading = read(sgf.as_bytes(), &Limits::default());
            let game = &reading.games[0];
            replay(game, &Rules::default()).ended_by(game.header.result.as_ref())
        };
        assert_eq!(ended("(;SZ[9]RE[B+R];B[ee])"), EndedBy::Resignation);
        assert_eq!(ended("(;SZ[9]RE[B+T];B[ee])"), EndedBy::Time);
        assert_eq!(ended("(;SZ[9]RE[B+F];B[ee])"), EndedBy::Forfeit);
        assert_eq!(ended("(;SZ[9]RE[B+3.5];B[ee])"), EndedBy::Passes);
        assert_eq!(ended("(;SZ[9]RE[Void];B[ee])"), EndedBy::Unfinished);
        assert_eq!(ended("(;SZ[9];B[ee];W[];B[])"), EndedBy::Passes);
        assert_eq!(ended("(;SZ[9];B[ee];W[])"), EndedBy::Unknown);
    }

    #[test]
    fn a_mistake_before_the_branches_is_told_by_the_main_line_alone() {
        let sgf = "(;GM[1]SZ[9];B[ee];W[ee](;B[cc];W[cc])(;B[gg](;W[gg])(;W[ee])))";
        let reading = read(sgf.as_bytes(), &Limits::default());
        let game = &reading.games[0];
        assert_eq!(
            found(sgf),
            ["occupied-point error 2", "occupied-point error 4"]
        );
        let (branches, _) = reading.branches(game);
        let findings = replay_variations(game, &branches, &Rules::default(), MOST_VARIATION_MOVES);
        let moves: Vec<_> = findings.iter().map(|finding| finding.move_number).collect();
        assert_eq!(moves, [Some(4), Some(4)]);
    }

    #[test]
    fn a_tree_of_endless_variations_comes_to_an_end() {
        // A comb: a main line with a variation at every move.
        let moves = 200;
        let mut sgf = String::from("(;SZ[19]");
        for _ in 0..moves {
            sgf.push_str("(;B[]");
        }
        for _ in 0..moves {
            sgf.push_str(")(;W[])");
        }
        sgf.push(')');
        let reading = read(sgf.as_bytes(), &Limits::default());
        let game = &reading.games[0];
        let (branches, _) = reading.branches(game);
        let told = |most_work| {
            let findings = replay_variations(game, &branches, &Rules::default(), most_work);
            findings
                .iter()
                .any(|finding| finding.code == Code::TooManyVariations)
        };
        assert!(told(10_000));
        assert!(!told(MOST_VARIATION_MOVES));
    }
}
