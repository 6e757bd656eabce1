//! The games that are not Go: gridless Go and Dai Hasami Shogi.
//!
//! A game fits kifu when its [`Position`] can take a move or say why not, count itself, and
//! be drawn. [`replay`] does the rest in the same way for every game: it numbers the moves,
//! watches whose turn it is, goes on after an illegal move as a referee would (the man is not
//! placed, the turn passes) and counts the prisoners. Go has the same shape, but its own
//! faster way through [`crate::rules`]; nothing here is known there.
//!
//! # Go fits too
//!
//! ```
//! use kifu::finding::{Code, Finding};
//! use kifu::record::{RecordedResult, Target};
//! use kifu::rules::{Board, Color, Size};
//! use kifu::variant::{Position, Standing, Taken};
//!
//! struct Go(Board);
//!
//! impl Position for Go {
//!     fn play(&mut self, color: Color, target: &Target) -> Result<Taken, Finding> {
//!         let Target::Point(point) = target else {
//!             return Ok(Taken::default());
//!         };
//!         let before = Color::BOTH.map(|color| self.0.stones(color).len() as u32);
//!         let illegal = |_| Finding::new(Code::OccupiedPoint, "The point is not free.");
//!         self.0.play(color, *point).map_err(illegal)?;
//!         let mut taken = Taken::default();
//!         let enemy = color.other();
//!         taken.men[enemy.index()] = before[enemy.index()] - self.men()[enemy.index()];
//!         Ok(taken)
//!     }
//!
//!     fn men(&self) -> [u32; 2] {
//!         Color::BOTH.map(|color| self.0.stones(color).len() as u32)
//!     }
//!
//!     fn standing(&self, komi: f64) -> Standing {
//!         Standing::by_points(self.men().map(f64::from), komi)
//!     }
//!
//!     fn text(&self) -> String {
//!         String::new()
//!     }
//! }
//!
//! let mut go = Go(Board::new(Size::square(2)));
//! for (color, letters) in [(Color::Black, b"aa"), (Color::White, b"ab"), (Color::Black, b"bb")] {
//!     let target = Target::Point(kifu::rules::Point::from_sgf(letters).unwrap());
//!     go.play(color, &target).unwrap();
//! }
//! assert_eq!(go.men(), [2, 0]);
//! ```

mod gridless;
mod hasami;

pub use gridless::{DEFAULT_SNAP, Gridless};
pub use hasami::Hasami;

use crate::finding::Finding;
use crate::record::{Game, GameKind, RecordedResult, Setup, StepKind, Target, WinBy};
use crate::rules::Color;

/// A position of some game for two.
pub trait Position {
    /// Plays a move and says what it took off the board; or leaves the position as it was and
    /// says why the move is illegal.
    fn play(&mut self, color: Color, target: &Target) -> Result<Taken, Finding>;

    /// Puts men on the board and takes others off before or between the moves, and says what
    /// could not be done.
    fn set_up(&mut self, _setup: &Setup) -> Vec<Finding> {
        Vec::new()
    }

    /// Whether the game has come to its end.
    fn is_over(&self) -> bool {
        false
    }

    /// The men on the board, Black's first.
    fn men(&self) -> [u32; 2];

    /// What each side has, and who wins by it.
    fn standing(&self, komi: f64) -> Standing;

    /// The position in letters, for a terminal.
    fn text(&self) -> String;
}

/// The men of each side, Black's first, that a move took off the board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Taken {
    pub men: [u32; 2],
}

/// What each side has, and who wins by it.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// Black's first, komi included.
    pub scores: [f64; 2],
    pub result: RecordedResult,
}

impl Standing {
    /// The side with more points wins by the difference; `komi` is added to White's. Scores are
    /// rounded to hundredths first, so that the margin is the difference of the scores one sees.
    pub fn by_points(points: [f64; 2], komi: f64) -> Standing {
        let hundredths = |score: f64| (score * 100.0).round();
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
        Standing {
            scores: [black / 100.0, white / 100.0],
            result,
        }
    }
}

/// What a user may choose about the replay of these games.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// How far a gridless stone may be moved to the grid or to touching a stone, in grid units.
    pub snap: f64,
    /// Stop after this many moves.
    pub moves: Option<u32>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            snap: DEFAULT_SNAP,
            moves: None,
        }
    }
}

/// A game that was replayed.
pub struct Replay {
    /// The word in the column `game_type`.
    pub game_type: &'static str,
    /// `19x19`: the board as the column `board` writes it.
    pub board: String,
    pub komi: f64,
    pub findings: Vec<Finding>,
    /// Moves in the record, passes and illegal ones included.
    pub moves: u32,
    pub illegal_moves: u32,
    pub first_illegal: Option<u32>,
    /// Men that each side has taken, Black first. A stone that takes itself counts for the
    /// opponent.
    pub captures: [u32; 2],
    /// Whether the game was played to its end.
    pub over: bool,
    /// The position at the end.
    pub position: Box<dyn Position>,
}

impl Replay {
    /// What each side has at the end, and who wins by it.
    pub fn standing(&self) -> Standing {
        self.position.standing(self.komi)
    }
}

/// Replays the main line of a game that is not Go; `None` when it is Go, or a game that kifu
/// does not know.
pub fn replay(game: &Game, options: &Options) -> Option<Replay> {
    let (game_type, board, position): (_, _, Box<dyn Position>) = match game.kind {
        GameKind::GridlessGo => (
            "gridless-go",
            game.size.to_string(),
            Box::new(Gridless::new(game.size, options.snap)),
        ),
        GameKind::HasamiShogi => (
            "hasami-shogi",
            "9x9".to_owned(),
            Box::new(Hasami::default()),
        ),
        GameKind::Go | GameKind::Other(_) => return None,
    };
    let mut replay = Replay {
        game_type,
        board,
        komi: game.header.komi.unwrap_or(0.0),
        findings: Vec::new(),
        moves: 0,
        illegal_moves: 0,
        first_illegal: None,
        captures: [0; 2],
        over: false,
        position,
    };
    replay.run(game, options.moves.unwrap_or(u32::MAX));
    Some(replay)
}

impl Replay {
    fn run(&mut self, game: &Game, limit: u32) {
        for step in &game.main_line {
            let mut found = Vec::new();
            match &step.kind {
                StepKind::Setup(setup) => found = self.position.set_up(setup),
                StepKind::ToPlay(_) => {}
                StepKind::Move { color, target } => {
                    if self.moves == limit {
                        break;
                    }
                    self.moves += 1;
                    match self.position.play(*color, target) {
                        Ok(taken) => {
                            for side in Color::BOTH {
                                self.captures[side.other().index()] += taken.men[side.index()];
                            }
                        }
                        Err(illegal) => {
                            self.illegal_moves += 1;
                            self.first_illegal.get_or_insert(self.moves);
                            found.push(illegal);
                        }
                    }
                    for finding in &mut found {
                        finding.move_number = Some(self.moves);
                    }
                }
            }
            self.findings.extend(
                found
                    .into_iter()
                    .map(|finding| finding.game(game.number).at(step.place)),
            );
        }
        self.over = self.position.is_over();
    }
}

/// A move as it was written, safe to show and not too long to read.
fn quoted(text: &str) -> String {
    const LONGEST: usize = 40;
    let mut shown: String = text.chars().take(LONGEST).collect();
    if text.chars().nth(LONGEST).is_some() {
        shown.push('…');
    }
    format!("“{}”", shown.escape_debug())
}
