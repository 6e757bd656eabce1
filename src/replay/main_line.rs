//! The main line of a record, played out from the first stone to the last pass.

use super::opening::Opening;
use super::referee::Referee;
use std::time::Instant;

use crate::board::{Board, Color};
use crate::finding::{Code, Finding, FindingLimiter};
use crate::rules::{History, Rules};
use crate::sgf::Game;

/// A game that was played out.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Replay {
    /// The final position.
    pub board: Board,
    /// Prisoners taken by Black and by White during play.
    pub captures: [u32; 2],
    /// Moves of the record, passes and illegal moves counted.
    pub moves: u32,
    /// Passes at the end, in a row.
    pub passes: u32,
    /// Who passed first in the game. White's passes while Black places the handicap are none.
    pub first_pass: Option<Color>,
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
    /// Whether it was left before its end, because it took too long.
    pub is_cut_short: bool,
    /// What is wrong with the game, in the order of the moves; last what concerns it as a whole.
    pub findings: Vec<Finding>,
}

/// Plays out the main line of a game.
///
/// ```
/// use kifu::finding::Code;
/// use kifu::sgf::{parse, Limits};
/// use kifu::replay::replay;
/// use kifu::rules::Rules;
///
/// let collection = parse(b"(;GM[1]SZ[9];B[ee];W[ee];B[ge];W[];B[])", &Limits::default());
/// let replayed = replay(&collection.games[0], &Rules::default());
/// assert_eq!(replayed.first_illegal, Some(2));
/// assert_eq!(replayed.findings[0].code, Code::OccupiedPoint);
/// assert_eq!(replayed.passes, 2);
/// ```
pub fn replay(game: &Game, rules: &Rules) -> Replay {
    replay_into(
        game,
        rules,
        game.header.komi,
        FindingLimiter::default(),
        None,
    )
}

/// Plays out the main line of a game that was played with this komi, up to the deadline, and lists
/// what the limiter lets through.
pub(crate) fn replay_into(
    game: &Game,
    rules: &Rules,
    komi: Option<f64>,
    findings: FindingLimiter,
    deadline: Option<Instant>,
) -> Replay {
    let opening = Opening::new(game.main_line.iter(), &game.header, game.size, rules);
    let mut referee = Referee::new(game.size, *rules, opening, findings);
    // The clock is looked at so rarely that it costs nothing.
    const STEPS_AT_A_TIME: usize = 512;
    for steps in game.main_line.chunks(STEPS_AT_A_TIME) {
        if is_past(deadline) {
            referee.cut_short(steps[0].place);
            break;
        }
        for step in steps {
            referee.step(step);
        }
    }
    referee.judge_the_game(&game.header, komi);
    referee.finish(game.number)
}

/// Whether this moment has come.
pub(crate) fn is_past(deadline: Option<Instant>) -> bool {
    deadline.is_some_and(|deadline| Instant::now() >= deadline)
}

/// What there is to say of a game that takes too long.
pub(crate) fn too_slow() -> Finding {
    Finding::new(
        Code::TooSlow,
        "The game takes longer than it may (--max-game-time); it was left here.",
    )
}

/// Plays out the main line of a game and leaves it as it stands then, ready to be asked what may
/// be played next.
pub(crate) fn follow(game: &Game, rules: &Rules) -> History {
    let opening = Opening::new(game.main_line.iter(), &game.header, game.size, rules);
    let mut referee = Referee::new(game.size, *rules, opening, FindingLimiter::default());
    for step in &game.main_line {
        referee.step(step);
    }
    referee.history
}
