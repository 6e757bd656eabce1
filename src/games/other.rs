//! The games that are not Go, played out in one way for all of them.
//!
//! A game fits when a [`BoardGame`] can take a move or say why not, and count itself.
//! [`OtherGame`] does the rest: it numbers the moves, watches whose turn it is, goes on after an
//! illegal move as a referee would (the man is not placed, the turn passes) and counts the
//! prisoners. Whoever begins may begin: neither game says who does. Go has the same shape, but its
//! own faster way through [`crate::rules`] and [`crate::replay`].

use std::time::Instant;

use super::{Gridless, Hasami};
use crate::board::{Color, Size};
use crate::finding::{Code, Finding, FindingLimiter, Severity};
use crate::replay::{is_past, too_slow};
use crate::sgf::{Game, GameKind, RecordedResult, SetupPoints, Step, StepKind, Target, WinBy};

/// A game for two in progress.
pub(crate) trait BoardGame {
    /// Plays a move and says what it took off the board; or leaves the position as it was and
    /// says why the move is illegal.
    fn play(&mut self, color: Color, target: &Target) -> Result<Taken, Finding>;

    /// Puts men on the board and takes others off before or between the moves, and says what
    /// could not be done.
    fn set_up(&mut self, _setup: &SetupPoints) -> Vec<Finding> {
        Vec::new()
    }

    /// Whether the game has come to its end.
    fn is_over(&self) -> bool {
        false
    }

    /// The men on the board, Black's first.
    fn men(&self) -> [u32; 2];

    /// What each side has, and who wins by it.
    fn score(&self, komi: f64) -> FinalScore;
}

/// The board of a game that is not Go.
#[derive(Clone, Debug)]
pub(crate) enum OtherBoard {
    Gridless(Gridless),
    Hasami(Hasami),
}

impl OtherBoard {
    fn position(&self) -> &dyn BoardGame {
        match self {
            OtherBoard::Gridless(board) => board,
            OtherBoard::Hasami(board) => board,
        }
    }

    fn position_mut(&mut self) -> &mut dyn BoardGame {
        match self {
            OtherBoard::Gridless(board) => board,
            OtherBoard::Hasami(board) => board,
        }
    }

    /// The men on the board, Black's first.
    pub(crate) fn men(&self) -> [u32; 2] {
        self.position().men()
    }
}

/// The men of each side, Black's first, that a move took off the board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Taken {
    pub men: [u32; 2],
}

/// What each side has, and who wins by it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct FinalScore {
    /// Black's first, komi included.
    pub scores: [f64; 2],
    /// Who wins, and by what.
    pub result: RecordedResult,
}

impl FinalScore {
    /// The side with more points wins by the difference; `komi` is added to White's. Scores are
    /// rounded to hundredths first, so that the margin is the difference of the scores one sees.
    pub(crate) fn by_points(points: [f64; 2], komi: f64) -> FinalScore {
        let hundredths = |score: f64| (score * 100.0).round();
        // A record may claim any komi; one that dwarfs every board need not overflow.
        let komi = komi.clamp(-1e9, 1e9);
        let [black, white] = [hundredths(points[0]), hundredths(points[1] + komi)];
        let result = if black == white {
            RecordedResult::Draw
        } else {
            RecordedResult::Win {
                winner: if black > white {
                    Color::Black
                } else {
                    Color::White
                },
                by: WinBy::Points((black - white).abs() / 100.0),
            }
        };
        FinalScore {
            scores: [black / 100.0, white / 100.0],
            result,
        }
    }
}

/// A game that is not Go, played out.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct OtherGame {
    /// The word in the column `game_type`.
    pub game_type: &'static str,
    /// The size of the board.
    pub size: Size,
    /// What White gets, in points.
    pub komi: f64,
    /// What is wrong with the game.
    pub findings: Vec<Finding>,
    /// Moves in the record, passes and illegal ones included.
    pub moves: u32,
    /// How many of them break the rules.
    pub illegal_moves: u32,
    /// The first of those, from 1.
    pub first_illegal: Option<u32>,
    /// Men that each side has taken, Black first. A stone that takes itself counts for the
    /// opponent.
    pub captures: [u32; 2],
    /// Whether the game was played to its end.
    pub over: bool,
    /// The board at the end.
    pub(crate) board: OtherBoard,
}

impl OtherGame {
    /// Which game it is.
    pub(crate) fn kind(&self) -> GameKind {
        match self.board {
            OtherBoard::Gridless(_) => GameKind::GridlessGo,
            OtherBoard::Hasami(_) => GameKind::HasamiShogi,
        }
    }

    /// What each side has at the end, and who wins by it.
    pub fn score(&self) -> FinalScore {
        self.board.position().score(self.komi)
    }

    /// The same in a line: `Black wins by 2: Black 18, White 16`.
    pub fn summary(&self) -> String {
        let FinalScore { scores, result } = self.score();
        let who = match result {
            RecordedResult::Win {
                winner,
                by: WinBy::Points(margin),
            } => format!("{} wins by {margin}", winner.name()),
            RecordedResult::Win { winner, .. } => format!("{} wins", winner.name()),
            _ => "A draw".to_owned(),
        };
        let [black, white] = scores;
        format!("{who}: Black {black}, White {white}")
    }
}

impl OtherGame {
    /// Plays the main line of a record on this board.
    fn replay(
        game: &Game,
        game_type: &'static str,
        board: OtherBoard,
        findings: FindingLimiter,
        deadline: Option<Instant>,
    ) -> OtherGame {
        let mut played = OtherGame {
            game_type,
            size: game.size,
            komi: game.header.komi.unwrap_or(0.0),
            findings: Vec::new(),
            moves: 0,
            illegal_moves: 0,
            first_illegal: None,
            captures: [0; 2],
            over: false,
            board,
        };
        played.run(game, findings, deadline);
        played
    }

    /// Plays out a record of gridless Go, with this snapping distance.
    pub(super) fn gridless(
        game: &Game,
        snap: f64,
        findings: FindingLimiter,
        deadline: Option<Instant>,
    ) -> OtherGame {
        let board = OtherBoard::Gridless(Gridless::new(game.size, snap));
        OtherGame::replay(game, "gridless-go", board, findings, deadline)
    }

    /// Plays out a record of Dai Hasami Shogi.
    pub(super) fn hasami(
        game: &Game,
        findings: FindingLimiter,
        deadline: Option<Instant>,
    ) -> OtherGame {
        let board = OtherBoard::Hasami(Hasami::default());
        OtherGame::replay(game, "hasami-shogi", board, findings, deadline)
    }

    fn run(&mut self, game: &Game, mut findings: FindingLimiter, deadline: Option<Instant>) {
        let mut turn = None;
        let mut in_time = true;
        for step in &game.main_line {
            if is_past(deadline) {
                in_time = false;
                findings.add(too_slow().at_move(self.moves + 1).at(step.place));
                break;
            }
            match &step.kind {
                StepKind::Setup(setup) => {
                    for finding in self.board.position_mut().set_up(&setup.points()) {
                        findings.add(finding.at(step.place));
                    }
                }
                StepKind::ToPlay(color) => turn = Some(*color),
                // These games have no use for it: what is illegal is not played.
                StepKind::Forced => {}
                StepKind::Move { color, target } => {
                    self.moves += 1;
                    if turn == Some(color.other()) {
                        findings.add(self.about_move(step, out_of_turn(*color)));
                    }
                    turn = Some(color.other());
                    for finding in self.play(*color, target) {
                        findings.add(self.about_move(step, finding));
                    }
                }
            }
        }
        if self.moves == 0 && in_time {
            findings.add(Finding::new(Code::NoMoves, "The record holds no move."));
        }
        self.over = in_time && self.board.position().is_over();
        self.findings = findings.finish_game(game.number);
    }

    fn about_move(&self, step: &Step, finding: Finding) -> Finding {
        finding.at_move(self.moves).at(step.place)
    }

    /// Plays one move and gives what is to be said about it.
    fn play(&mut self, color: Color, target: &Target) -> Vec<Finding> {
        let mut findings = Vec::new();
        let blank = matches!(target, Target::Text(text) if text.trim().is_empty());
        let target = if blank { &Target::Pass } else { target };
        if self.board.position().is_over() && *target != Target::Pass {
            let message = format!("{} moves after the game has ended.", color.name());
            findings.push(Finding::new(Code::MoveAfterEnd, message));
        }
        match self.board.position_mut().play(color, target) {
            Ok(taken) => {
                for side in Color::BOTH {
                    self.captures[side.other().index()] += taken.men[side.index()];
                }
                let own = taken.men[color.index()];
                if own > 0 {
                    findings.push(suicide(color, own));
                }
            }
            Err(illegal) => {
                self.illegal_moves += 1;
                self.first_illegal.get_or_insert(self.moves);
                findings.push(illegal);
            }
        }
        findings
    }
}

fn out_of_turn(color: Color) -> Finding {
    let message = format!(
        "{} plays although it is {}'s turn.",
        color.name(),
        color.other().name()
    );
    Finding::new(Code::OutOfTurn, message)
}

/// A note: the games here allow it.
fn suicide(color: Color, lost: u32) -> Finding {
    let stones = match lost {
        1 => "the stone that was played".to_owned(),
        lost => format!("{lost} stones of the player's own"),
    };
    let message = format!("{}'s move takes {stones} off the board.", color.name());
    Finding::new(Code::Suicide, message).severity(Severity::Note)
}

/// A move as it was written, safe to show and not too long to read.
pub(super) fn quoted(text: &str) -> String {
    const LONGEST: usize = 40;
    let mut shown: String = text.chars().take(LONGEST).collect();
    if text.chars().nth(LONGEST).is_some() {
        shown.push('…');
    }
    format!("“{}”", shown.escape_debug())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, Point};
    use crate::games::{GameOptions, Outcome, replay};
    use crate::sgf::{self, Limits};

    const GRIDLESS: &str = "GM[1]RU[Gridless]SZ[19]";
    const HASAMI: &str = "GM[8]RU[Hasami]";

    /// A game with this root, and these moves of Black and White in turn.
    fn game(root: &str, moves: impl IntoIterator<Item = String>) -> Game {
        let moves: String = moves
            .into_iter()
            .zip(Color::BOTH.into_iter().cycle())
            .map(|(text, color)| format!(";{}[{text}]", color.letter()))
            .collect();
        parse(&format!("(;{root}{moves})"))
    }

    fn parse(sgf: &str) -> Game {
        let mut collection = sgf::parse(sgf.as_bytes(), &Limits::default());
        assert_eq!(collection.findings, []);
        collection.games.remove(0)
    }

    fn words(text: &str) -> impl Iterator<Item = String> {
        text.split_whitespace().map(str::to_owned)
    }

    fn replayed(game: &Game) -> OtherGame {
        match replay(game, &GameOptions::default()) {
            Outcome::Other(played) => *played,
            other => panic!("not a game of the other kind: {other:?}"),
        }
    }

    #[test]
    fn hasami_from_the_record_to_the_result() {
        let game = game(HASAMI, words("B3-E3 H4-E4 A1-A1 H5-E5 B6-E6 I1-I1"));
        let replay = replayed(&game);
        assert_eq!(replay.moves, 6);
        assert_eq!((replay.illegal_moves, replay.first_illegal), (2, Some(3)));
        assert_eq!(replay.captures, [2, 0]);
        let score = replay.score();
        assert_eq!(score.scores, [18.0, 16.0]);
        let by = WinBy::Points(2.0);
        let winner = Color::Black;
        assert_eq!(score.result, RecordedResult::Win { winner, by });
        assert_eq!(replay.summary(), "Black wins by 2: Black 18, White 16");
    }

    #[test]
    fn the_turn_is_watched() {
        let game = parse("(;GM[8]RU[Hasami];B[B3-E3];B[B4-E4];B[B5-E5];B[B6-E6])");
        let replay = replayed(&game);
        let codes: Vec<Code> = replay.findings.iter().map(|found| found.code).collect();
        assert_eq!(codes, [Code::OutOfTurn; 3]);
        assert_eq!(replay.findings[0].move_number, Some(2));
        assert_eq!(replay.illegal_moves, 0);
    }

    #[test]
    fn suicide_and_resumption_are_notes() {
        let game = game(GRIDLESS, words("5,5 0,1 6,6 1,0 0,0 tt tt 3.5,3.5"));
        let replay = replayed(&game);
        let codes: Vec<Code> = replay.findings.iter().map(|found| found.code).collect();
        assert_eq!(codes, [Code::Suicide, Code::MoveAfterEnd]);
        assert!(
            replay
                .findings
                .iter()
                .all(|found| found.severity == Severity::Note)
        );
        assert_eq!(replay.captures, [0, 1]);
        assert_eq!(replay.illegal_moves, 0);
        assert!(!replay.over);
    }

    #[test]
    fn of_ten_thousand_stones_each_that_overlaps_is_found() {
        // Scattered by the golden ratio and the plastic number, most of them onto others.
        let place = |n: u32| {
            let part = |ratio: f64| (f64::from(n) * ratio).fract() * 18.0;
            format!("{},{}", part(0.618_033_988_7), part(0.754_877_666_2))
        };
        let game = game(GRIDLESS, (0..10_000).map(place));
        let replay = replayed(&game);
        assert_eq!(replay.moves, 10_000);
        let overlaps = |found: &&Finding| found.code == Code::GridlessOverlap;
        let overlaps = replay.findings.iter().filter(overlaps).count();
        assert_eq!(overlaps, replay.illegal_moves as usize);
        let [black, white] = replay.score().scores;
        let board = 361.0 / std::f64::consts::FRAC_PI_4;
        assert!((black + white - board).abs() < 0.02);
    }

    /// Go fits the trait too, though it is not played by it.
    #[test]
    fn go_is_a_board_game() {
        struct Go(Board);

        impl BoardGame for Go {
            fn play(&mut self, color: Color, target: &Target) -> Result<Taken, Finding> {
                let Target::Point(point) = target else {
                    return Ok(Taken::default());
                };
                let enemy = color.other().index();
                let before = self.men();
                let illegal = |_| Finding::new(Code::OccupiedPoint, "The point is not free.");
                self.0.play(color, *point).map_err(illegal)?;
                let mut taken = Taken::default();
                taken.men[enemy] = before[enemy] - self.men()[enemy];
                Ok(taken)
            }

            fn men(&self) -> [u32; 2] {
                Color::BOTH.map(|color| self.0.stones(color).len() as u32)
            }

            fn score(&self, komi: f64) -> FinalScore {
                FinalScore::by_points(self.men().map(f64::from), komi)
            }
        }

        let mut go = Go(Board::new(Size::square(2)));
        let mut taken = [0; 2];
        for (color, point) in Color::BOTH.into_iter().cycle().zip([b"aa", b"ab", b"bb"]) {
            let target = Target::Point(Point::from_sgf(point).unwrap());
            let men = go.play(color, &target).unwrap().men;
            taken = [taken[0] + men[0], taken[1] + men[1]];
        }
        assert_eq!((go.men(), taken), ([2, 0], [0, 1]));
        assert_eq!(go.score(0.5).scores, [2.0, 0.5]);
    }

    #[test]
    fn the_examples_in_the_documentation_are_legal_games() {
        let page = include_str!("../../docs/other-games.md");
        let examples: Vec<&str> = page
            .split("\n\n")
            .filter(|part| part.starts_with("    (;"))
            .collect();
        assert_eq!(examples.len(), 2);
        for example in examples {
            let replay = replayed(&parse(example.trim()));
            assert_eq!(replay.findings, [], "{example}");
            assert!(replay.moves > 0);
        }
    }

    #[test]
    fn what_was_written_is_shown_short_and_safe() {
        assert_eq!(quoted("a\u{1b}[31m"), "“a\\u{1b}[31m”");
        assert_eq!(quoted(&"x".repeat(100)).chars().count(), 43);
    }
}
