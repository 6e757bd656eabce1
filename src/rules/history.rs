//! The past of a game: turns, passes, prisoners, ko and superko.
//!
//! A [`Board`] knows one position. Whether that position may come back is decided here, from a
//! table of all positions since the last setup. Positions are found by their hash; a hash that
//! was seen before is only a suspicion, which is confirmed by replaying the game up to the earlier
//! position and comparing the stones. That is rare, so it may be slow; everything else happens at
//! each move and is a push and a look-up.
//!
//! There are two ways on. [`History::play`] is for a player: it refuses what the rules forbid.
//! [`History::follow`] is for a record: it goes on as a referee who finds a mistake afterwards
//! would, so that one mistake is one mistake.
//!
//! - A stone on a stone or off the board can't be placed: it is left out and the turn passes.
//! - Suicide where it is forbidden takes the stones off the board, as where it is allowed: the
//!   program that wrote the record must have done so too, or its later moves would not fit.
//! - A ko taken back too early, or a repeated position, stands.

use super::{KoRule, Rules, Suicide};
use crate::board::{Board, Captures, Color, Illegal, Point, PointSet, Size};

/// How an earlier position came back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Repetition {
    /// The move after which the position was first on the board; 0 is the start.
    pub first: u32,
    /// The same player was to move then.
    pub situational: bool,
    /// The same player had made the position then.
    pub natural: bool,
    /// The move before this one repeated a position as well: the players go round in a cycle.
    pub goes_on: bool,
}

/// What following a record's move came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Followed {
    /// What was taken off the board.
    pub captures: Captures,
    /// Why the rule set forbids the move, if it does.
    pub illegal: Option<Illegal>,
    /// The position that came back, forbidden or not.
    pub repeats: Option<Repetition>,
}

/// A move that put a stone on the board, and the position after it.
#[derive(Clone, Copy)]
struct Ply {
    hash: u64,
    /// The move's number, passes counted.
    number: u32,
    point: Point,
    color: Color,
    /// How this position came about, all its repetitions included. Kept up to date only in the
    /// first of them.
    seen: Seen,
}

/// Who was to move in a position, and who made it: a bit each.
#[derive(Clone, Copy, Default)]
struct Seen(u8);

impl Seen {
    fn to_move(color: Color) -> Seen {
        Seen(1 << color.index())
    }

    fn made_by(color: Color) -> Seen {
        Seen(4 << color.index())
    }

    fn has(self, other: Seen) -> bool {
        self.0 & other.0 != 0
    }

    fn add(&mut self, other: Seen) {
        self.0 |= other.0;
    }
}

/// A game in progress.
///
/// ```
/// use kifu::board::{Color, Illegal, Size};
/// use kifu::rules::{History, Preset};
///
/// let size = Size::new(4, 3).unwrap();
/// let mut game = History::new(size, &Preset::Japanese.rules());
/// let at = |x, y| size.point(x, y).unwrap();
/// for (color, x, y) in [
///     (Color::Black, 1, 0), (Color::White, 2, 0),
///     (Color::Black, 0, 1), (Color::White, 3, 1),
///     (Color::Black, 1, 2), (Color::White, 2, 2),
///     (Color::Black, 2, 1), (Color::White, 1, 1), // White takes the ko
/// ] {
///     game.play(color, at(x, y)).unwrap();
/// }
/// assert_eq!(game.captures(Color::White), 1);
/// assert_eq!(game.play(Color::Black, at(2, 1)), Err(Illegal::Ko));
/// ```
#[derive(Clone)]
pub struct History {
    board: Board,
    ko: KoRule,
    suicide: Suicide,
    to_move: Color,
    /// Moves so far, passes and stones that could not be placed counted.
    number: u32,
    /// Passes since the last stone.
    passes: u32,
    /// Prisoners taken by Black and by White.
    captures: [u32; 2],
    /// The stones at the start or at the last setup, by colour.
    start: [PointSet; 2],
    /// The position at the start, then one for each stone played.
    plies: Vec<Ply>,
    /// Where in `plies` the present position is on the board for the first time.
    present: u32,
    /// An open hash table of places in `plies`, one for each different position. A free slot
    /// holds 0, the place of the start: whoever finds no position there still meets the start.
    table: Vec<u32>,
    /// The earlier place that the last stone brought back.
    last_repeat: Option<u32>,
    /// Suspicions that may still be confirmed by replaying.
    replays_left: u32,
}

/// A game that goes round in circles for thousands of moves would be replayed thousands of
/// times. After this many repetitions the hash alone is believed.
const MOST_REPLAYS: u32 = 16;

const SMALLEST_TABLE: usize = 1024;

impl History {
    /// A game that starts with an empty board and Black to move.
    pub fn new(size: Size, rules: &Rules) -> History {
        let mut history = History {
            board: Board::new(size),
            ko: rules.ko,
            suicide: rules.suicide,
            to_move: Color::Black,
            number: 0,
            passes: 0,
            captures: [0; 2],
            start: [PointSet::EMPTY; 2],
            plies: Vec::with_capacity(SMALLEST_TABLE / 2),
            present: 0,
            table: vec![0; SMALLEST_TABLE],
            last_repeat: None,
            replays_left: MOST_REPLAYS,
        };
        history.begin();
        history
    }

    /// A game that starts from this position.
    pub fn from_board(board: Board, to_move: Color, rules: &Rules) -> History {
        let mut history = History::new(board.size(), rules);
        history.edit(to_move, |now| *now = board);
        history
    }

    /// Forgets all positions but the present one, which becomes the start.
    fn begin(&mut self) {
        self.plies.clear();
        // A table that has grown would take longer to clear than what came after the last setup.
        match self.table.len() {
            SMALLEST_TABLE => self.table.fill(0),
            _ => self.table = vec![0; SMALLEST_TABLE],
        }
        self.present = 0;
        self.last_repeat = None;
        self.plies.push(Ply {
            hash: self.board.hash(),
            number: self.number,
            point: Point::new(0, 0),
            color: self.to_move.other(),
            seen: Seen::to_move(self.to_move),
        });
    }

    /// The position.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The final position, when the past no longer matters.
    pub fn into_board(self) -> Board {
        self.board
    }

    /// Whose turn it is.
    pub fn to_move(&self) -> Color {
        self.to_move
    }

    /// How many moves were made, passes counted.
    pub fn moves(&self) -> u32 {
        self.number
    }

    /// How many prisoners this player has taken.
    pub fn captures(&self, by: Color) -> u32 {
        self.captures[by.index()]
    }

    /// How many passes there were in a row.
    pub fn passes(&self) -> u32 {
        self.passes
    }

    /// Whether both players have passed in turn. A move after that resumes the game.
    pub fn is_over(&self) -> bool {
        self.passes >= 2
    }

    /// Gives the turn to a player, as `PL[]` does.
    pub(crate) fn set_to_move(&mut self, color: Color) {
        if self.plies.len() == 1 {
            // Nothing was played yet, so it never was the other player's turn.
            self.plies[0].seen = Seen::default();
        }
        self.turn_to(color);
    }

    #[inline]
    fn turn_to(&mut self, color: Color) {
        self.to_move = color;
        self.plies[self.present as usize]
            .seen
            .add(Seen::to_move(color));
    }

    /// Changes the position as an editor does. No position from before counts as a repetition
    /// any more.
    pub fn edit(&mut self, to_move: Color, change: impl FnOnce(&mut Board)) {
        change(&mut self.board);
        self.board.lift_ko();
        self.to_move = to_move;
        self.passes = 0;
        self.start = Color::BOTH.map(|color| self.board.stones(color));
        self.begin();
    }

    /// The turn passes without a stone.
    pub fn pass(&mut self, color: Color) {
        self.number += 1;
        self.passes += 1;
        self.board.lift_ko();
        self.turn_to(color.other());
    }

    /// The player made a move that can't be followed at all: it counts, and the turn passes.
    pub(crate) fn skip(&mut self, color: Color) {
        self.number += 1;
        self.passes = 0;
        self.turn_to(color.other());
    }

    /// Whether the rules allow this player to play here now, and why not.
    ///
    /// Whose turn it is does not matter: either player may ask.
    pub fn check(&self, color: Color, point: Point) -> Result<(), Illegal> {
        match self.board.check(color, point) {
            Ok(()) => {}
            Err(Illegal::Suicide) if self.suicide == Suicide::Allowed => {}
            Err(Illegal::Ko) if self.ko != KoRule::Simple => {}
            Err(illegal) => return Err(illegal),
        }
        let superko = !matches!(self.ko, KoRule::None | KoRule::Simple);
        if superko && self.is_known(self.board.hash_after(color, point)) {
            let mut trial = self.clone();
            return trial.follow(color, point).illegal.map_or(Ok(()), Err);
        }
        Ok(())
    }

    /// The empty points where this player may not play now. [`check`](History::check) says why.
    ///
    /// ```
    /// use kifu::board::{Board, Color, Illegal, Point};
    /// use kifu::rules::{History, Preset};
    ///
    /// let board: Board = "
    ///     . X . .
    ///     X X O .
    ///     . X O .
    /// ".parse().unwrap();
    /// let game = History::from_board(board, Color::White, &Preset::Japanese.rules());
    /// let corners = [Point::new(0, 0), Point::new(0, 2)];
    /// assert_eq!(game.unplayable(Color::White), corners.into_iter().collect());
    /// assert_eq!(game.check(Color::White, corners[0]), Err(Illegal::Suicide));
    /// assert!(game.unplayable(Color::Black).is_empty());
    /// ```
    pub fn unplayable(&self, color: Color) -> PointSet {
        let empty = self.board.empty();
        empty
            .iter()
            .filter(|&point| self.check(color, point).is_err())
            .collect()
    }

    /// Plays where the rules allow it.
    pub fn play(&mut self, color: Color, point: Point) -> Result<Captures, Illegal> {
        self.check(color, point)?;
        Ok(self.follow(color, point).captures)
    }

    /// Follows a record: plays even where the rules forbid it, as far as that can be done, and
    /// says what was wrong.
    #[inline]
    pub fn follow(&mut self, color: Color, point: Point) -> Followed {
        let refused = if !self.board.size().contains(point) {
            Some(Illegal::OffBoard)
        } else if !self.board.is_empty(point) {
            Some(Illegal::Occupied)
        } else {
            None
        };
        if refused.is_some() {
            self.skip(color);
            return Followed {
                captures: Captures::default(),
                illegal: refused,
                repeats: None,
            };
        }
        self.number += 1;
        self.passes = 0;
        let retakes = self.board.ko() == Some((color, point));
        let captures = self.board.put(color, point);
        self.captures[color.index()] += captures.taken as u32;
        self.captures[color.other().index()] += captures.lost as u32;
        if self.to_move != color {
            // Out of turn: the player was to move after all.
            self.turn_to(color);
        }
        self.to_move = color.other();
        let repeats = self.remember(color, point);
        let illegal = if captures.lost > 0 && self.suicide == Suicide::Forbidden {
            Some(Illegal::Suicide)
        } else {
            self.forbidden(retakes, repeats)
        };
        Followed {
            captures,
            illegal,
            repeats,
        }
    }

    /// Follows a record that insists on its move, as `KO[]` does: a stone that is in the way is
    /// taken off first. That is the work of an editor, so repetitions are counted anew from there.
    pub(crate) fn force(&mut self, color: Color, point: Point) -> Followed {
        let occupied = self.board.size().contains(point) && !self.board.is_empty(point);
        if !occupied {
            return self.follow(color, point);
        }
        self.edit(color, |board| board.set(point, None));
        Followed {
            illegal: Some(Illegal::Occupied),
            ..self.follow(color, point)
        }
    }

    /// Whether the ko rule forbids what just happened.
    #[inline]
    fn forbidden(&self, retakes: bool, repeats: Option<Repetition>) -> Option<Illegal> {
        let superko = repeats.is_some_and(|repetition| match self.ko {
            KoRule::None | KoRule::Simple => false,
            KoRule::Positional => true,
            KoRule::Situational => repetition.situational,
            KoRule::NaturalSituational => repetition.natural,
        });
        if retakes && (superko || self.ko == KoRule::Simple) {
            Some(Illegal::Ko)
        } else if superko {
            Some(Illegal::Superko)
        } else {
            None
        }
    }

    /// Adds the position after a stone to the table; says whether it was there.
    #[inline]
    fn remember(&mut self, color: Color, point: Point) -> Option<Repetition> {
        let hash = self.board.hash();
        let mut seen = Seen::to_move(color.other());
        seen.add(Seen::made_by(color));
        let place = self.plies.len() as u32;
        self.plies.push(Ply {
            hash,
            number: self.number,
            point,
            color,
            seen,
        });
        if self.plies.len() * 2 > self.table.len() {
            self.grow();
        }
        let mask = self.table.len() - 1;
        let mut slot = hash as usize & mask;
        let earlier = loop {
            let there = self.table[slot];
            if self.plies[there as usize].hash == hash && self.is_again(there) {
                break there;
            }
            if there == 0 {
                self.table[slot] = place;
                self.present = place;
                self.last_repeat = None;
                return None;
            }
            slot = (slot + 1) & mask;
        };
        let before = &mut self.plies[earlier as usize];
        let repetition = Repetition {
            first: before.number,
            situational: before.seen.has(Seen::to_move(color.other())),
            natural: before.seen.has(Seen::made_by(color)),
            goes_on: self.last_repeat.is_some(),
        };
        before.seen.add(seen);
        self.present = earlier;
        self.last_repeat = Some(earlier);
        Some(repetition)
    }

    /// Whether a position with this hash has been on the board.
    fn is_known(&self, hash: u64) -> bool {
        let mask = self.table.len() - 1;
        let mut slot = hash as usize & mask;
        loop {
            // A free slot holds 0, the place of the start.
            let place = self.table[slot] as usize;
            if self.plies[place].hash == hash {
                return true;
            }
            if place == 0 {
                return false;
            }
            slot = (slot + 1) & mask;
        }
    }

    #[cold]
    fn grow(&mut self) {
        let mask = self.table.len() * 2 - 1;
        let old = std::mem::replace(&mut self.table, vec![0; mask + 1]);
        for place in old.into_iter().filter(|&place| place != 0) {
            let mut slot = self.plies[place as usize].hash as usize & mask;
            while self.table[slot] != 0 {
                slot = (slot + 1) & mask;
            }
            self.table[slot] = place;
        }
    }

    /// Whether the position at an earlier place, whose hash is the present one's, is really the
    /// present one.
    #[cold]
    fn is_again(&mut self, place: u32) -> bool {
        // The same move from the same position leads to the same position.
        if self.last_repeat.is_some_and(|last| last + 1 == place) {
            let (then, now) = (self.plies[place as usize], self.plies[self.plies.len() - 1]);
            if (then.color, then.point) == (now.color, now.point) {
                return true;
            }
        }
        if self.replays_left == 0 {
            return true;
        }
        self.replays_left -= 1;
        let mut board = Board::new(self.board.size());
        for color in Color::BOTH {
            for point in self.start[color.index()].iter() {
                board.set(point, Some(color));
            }
        }
        for ply in &self.plies[1..=place as usize] {
            board.put(ply.color, ply.point);
        }
        board == self.board
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Preset;

    /// A game on a drawn position, by rules that differ from Japanese ones in the ko rule only.
    fn game(drawing: &str, ko: KoRule) -> History {
        let rules = Rules {
            ko,
            ..Preset::Japanese.rules()
        };
        History::from_board(drawing.parse().unwrap(), Color::Black, &rules)
    }

    const KO: &str = "
        . X O .
        X O . O
        . X O .
        . . . .
    ";

    #[test]
    fn a_ko_is_taken_back_after_a_move_elsewhere() {
        let (take, retake) = (Point::new(2, 1), Point::new(1, 1));
        let mut game = game(KO, KoRule::Simple);
        assert_eq!(game.play(Color::Black, take).unwrap().taken, 1);
        assert_eq!(game.play(Color::White, retake), Err(Illegal::Ko));
        game.play(Color::White, Point::new(0, 3)).unwrap();
        game.play(Color::Black, Point::new(1, 3)).unwrap();
        assert_eq!(game.play(Color::White, retake).unwrap().taken, 1);
        assert_eq!(game.captures(Color::White), 1);
    }

    #[test]
    fn a_pass_lifts_the_simple_ko_but_not_superko() {
        for (ko, after_passes) in [
            (KoRule::None, Ok(())),
            (KoRule::Simple, Ok(())),
            (KoRule::Positional, Err(Illegal::Superko)),
            (KoRule::Situational, Err(Illegal::Superko)),
            // White did not make the position at the start.
            (KoRule::NaturalSituational, Ok(())),
        ] {
            let mut game = game(KO, ko);
            game.play(Color::Black, Point::new(2, 1)).unwrap();
            game.pass(Color::White);
            game.pass(Color::Black);
            assert!(game.is_over());
            assert_eq!(
                game.check(Color::White, Point::new(1, 1)),
                after_passes,
                "{ko:?}"
            );
        }
    }

    #[test]
    fn superko_forbids_the_retake_of_a_ko_as_a_ko() {
        for ko in [KoRule::Simple, KoRule::Positional, KoRule::Situational] {
            let mut game = game(KO, ko);
            game.play(Color::Black, Point::new(2, 1)).unwrap();
            assert_eq!(
                game.check(Color::White, Point::new(1, 1)),
                Err(Illegal::Ko),
                "{ko:?}"
            );
        }
        let mut game = game(KO, KoRule::None);
        game.play(Color::Black, Point::new(2, 1)).unwrap();
        assert_eq!(game.check(Color::White, Point::new(1, 1)), Ok(()));
    }

    #[test]
    fn sending_two_and_returning_one_repeats_the_position_but_not_the_situation() {
        let drawing = "
            . O . X .
            O X X X .
            O . . . .
        ";
        for (ko, last) in [
            (KoRule::Simple, Ok(())),
            (KoRule::Positional, Err(Illegal::Superko)),
            (KoRule::Situational, Ok(())),
            (KoRule::NaturalSituational, Ok(())),
        ] {
            let mut game = game(drawing, ko);
            game.set_to_move(Color::White);
            game.play(Color::White, Point::new(2, 0)).unwrap();
            let captures = game.play(Color::Black, Point::new(0, 0)).unwrap();
            assert_eq!(captures.taken, 2);
            assert_eq!(game.check(Color::White, Point::new(1, 0)), last, "{ko:?}");
        }
    }

    #[test]
    fn following_a_record_says_what_is_wrong_and_goes_on() {
        let mut game = game(KO, KoRule::Simple);
        let off = game.follow(Color::Black, Point::new(40, 40));
        assert_eq!(off.illegal, Some(Illegal::OffBoard));
        assert_eq!(game.to_move(), Color::White);
        let occupied = game.follow(Color::White, Point::new(1, 1));
        assert_eq!(occupied.illegal, Some(Illegal::Occupied));
        game.follow(Color::Black, Point::new(2, 1));
        let retaken = game.follow(Color::White, Point::new(1, 1));
        assert_eq!(retaken.illegal, Some(Illegal::Ko));
        assert_eq!(retaken.captures.taken, 1);
        assert_eq!(retaken.repeats.map(|repetition| repetition.first), Some(0));
        assert_eq!(game.moves(), 4);
        assert_eq!(
            game.board().to_string(),
            KO.parse::<Board>().unwrap().to_string()
        );
    }

    #[test]
    fn forbidden_suicide_takes_the_stones_off() {
        let drawing = "
            . X O
            X X O
            O O O
        ";
        let mut game = game(drawing, KoRule::Simple);
        assert_eq!(
            game.play(Color::Black, Point::new(0, 0)),
            Err(Illegal::Suicide)
        );
        let followed = game.follow(Color::Black, Point::new(0, 0));
        assert_eq!(followed.illegal, Some(Illegal::Suicide));
        assert_eq!(followed.captures.lost, 4);
        assert_eq!(game.captures(Color::White), 4);
        assert!(game.board().stones(Color::Black).is_empty());
    }

    #[test]
    fn allowed_suicide_of_one_stone_repeats_the_position() {
        let drawing = "
            . X .
            X X .
            . . .
        ";
        let corner = Point::new(0, 0);
        for (preset, verdict) in [
            (Preset::TrompTaylor, Err(Illegal::Superko)),
            (Preset::Nz, Ok(())),
            (Preset::Chinese, Err(Illegal::Suicide)),
        ] {
            let board = drawing.parse().unwrap();
            let game = History::from_board(board, Color::White, &preset.rules());
            assert_eq!(game.check(Color::White, corner), verdict, "{preset:?}");
        }
    }

    /// Three kos at once: a triple ko goes round in six moves.
    const TRIPLE_KO: &str = "
        . X O . . X O . . X O .
        X . X O X O . O X O . O
        . X O . . X O . . X O .
        . . . . . . . . . . . .
    ";

    #[test]
    fn a_triple_ko_goes_round_in_six_moves() {
        let mut game = game(TRIPLE_KO, KoRule::Simple);
        let (first, second, third) = (1, 5, 9);
        // In each ko Black takes at x + 1, White at x.
        let cycle = [
            (Color::Black, Point::new(third + 1, 1)),
            (Color::White, Point::new(first, 1)),
            (Color::Black, Point::new(second + 1, 1)),
            (Color::White, Point::new(third, 1)),
            (Color::Black, Point::new(first + 1, 1)),
            (Color::White, Point::new(second, 1)),
        ];
        for (round, &(color, point)) in cycle.iter().cycle().take(3000).enumerate() {
            let followed = game.follow(color, point);
            assert_eq!(followed.illegal, None);
            assert_eq!(followed.captures.taken, 1);
            match followed.repeats {
                None => assert!(round < 5),
                Some(repetition) => {
                    assert_eq!(repetition.first as usize, (round + 1) % 6);
                    assert!(repetition.situational);
                    // Nobody made the position at the start.
                    assert_eq!(repetition.natural, round > 5);
                    assert_eq!(repetition.goes_on, round > 5);
                }
            }
        }
    }

    #[test]
    fn an_editor_starts_the_history_anew() {
        let mut game = game(KO, KoRule::Positional);
        game.play(Color::Black, Point::new(2, 1)).unwrap();
        game.edit(Color::White, |_| {});
        assert_eq!(game.check(Color::White, Point::new(1, 1)), Ok(()));
    }

    #[test]
    fn equal_hashes_of_different_positions_are_no_repetition() {
        let mut game = game(". . .\n. . .\n. . .", KoRule::Positional);
        game.follow(Color::Black, Point::new(0, 0));
        // Pretend that the next position has the hash of the start.
        let mut board = game.board().clone();
        board.put(Color::White, Point::new(1, 1));
        game.plies[0].hash = board.hash();
        let followed = game.follow(Color::White, Point::new(1, 1));
        assert_eq!(followed.repeats, None);
        assert_eq!(game.replays_left, MOST_REPLAYS - 1);
    }
}
