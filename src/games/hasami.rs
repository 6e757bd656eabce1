//! Dai Hasami Shogi: nine by nine squares, eighteen men per side, taken between two.
//!
//! Rows are named `A` to `I` from the top, columns `1` to `9` from the left. Black begins with
//! rows `A` and `B` full, White with `H` and `I`. A move is written `B3-E3`.
//!
//! # Moving
//!
//! A man moves along its row or its column to an empty square. Only on the way of a move of
//! three squares or more are men looked for; a move of two squares is free whatever stands
//! between, so a man may jump one man of either side. The man that was jumped stays. What is
//! wrong with a move is looked for in this order, and the first thing found is said: the man is
//! not the mover's own, the target is occupied, the move is crooked, men are in the way.
//!
//! # Taking
//!
//! From the square where the man arrived one looks along each of the four directions to the
//! nearest man of the mover's own. If every square between holds a man, and those can then only
//! be the enemy's, they are all taken; the four directions are judged one by one, so that one
//! move may take up to four lines. It follows that
//!
//! - a gap spares the line: one empty square between and nothing is taken in that direction;
//! - the edge is no partner: a line that ends at the edge, or in a corner, is safe;
//! - only the man that moved takes: whoever steps between two enemies is not taken, and men
//!   whom a capture elsewhere leaves between two enemies stay.
//!
//! # The end
//!
//! The rules name no end. kifu ends the game when a side has no men left: that is a win without
//! a margin, `B+`. In every other position the result is the difference of the men. There is no
//! pass.

use super::other::{BoardGame, FinalScore, Taken, quoted};
use crate::board::Color;
use crate::finding::{Code, Finding};
use crate::sgf::{RecordedResult, Target, WinBy};

/// A board has so many rows, and as many columns.
pub(crate) const SIDE: u8 = 9;

/// A square; row and column count from 0 at the top left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Square {
    pub row: u8,
    pub column: u8,
}

impl Square {
    /// Reads `B3`; small letters are as good.
    fn parse(name: &[u8]) -> Option<Square> {
        let &[letter, digit] = name else {
            return None;
        };
        let row = letter.to_ascii_uppercase().checked_sub(b'A')?;
        let column = digit.checked_sub(b'1')?;
        (row < SIDE && column < SIDE).then_some(Square { row, column })
    }

    /// The square that many steps away, if it is on the board.
    fn step(self, (down, right): (i8, i8), steps: u8) -> Option<Square> {
        let row = self.row.checked_add_signed(down * steps as i8)?;
        let column = self.column.checked_add_signed(right * steps as i8)?;
        (row < SIDE && column < SIDE).then_some(Square { row, column })
    }

    /// The squares from the next one on to the edge.
    fn ray(self, direction: (i8, i8)) -> impl Iterator<Item = Square> {
        (1..SIDE).map_while(move |steps| self.step(direction, steps))
    }

    fn name(self) -> String {
        let letter = |first: u8, n: u8| char::from(first + n);
        [letter(b'A', self.row), letter(b'1', self.column)]
            .iter()
            .collect()
    }
}

/// Down, up, right and left.
const DIRECTIONS: [(i8, i8); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];

/// Reads `B3-E3`.
fn read_move(text: &str) -> Option<(Square, Square)> {
    let (from, to) = text.trim().split_once('-')?;
    Some((
        Square::parse(from.as_bytes())?,
        Square::parse(to.as_bytes())?,
    ))
}

/// A position of Dai Hasami Shogi.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Hasami {
    squares: [[Option<Color>; SIDE as usize]; SIDE as usize],
    /// From where and to where the last man went.
    last: Option<(Square, Square)>,
}

impl Default for Hasami {
    /// The position at the beginning.
    fn default() -> Hasami {
        let row = |row| match row {
            0 | 1 => [Some(Color::Black); SIDE as usize],
            7 | 8 => [Some(Color::White); SIDE as usize],
            _ => [None; SIDE as usize],
        };
        Hasami {
            squares: std::array::from_fn(row),
            last: None,
        }
    }
}

impl Hasami {
    /// The last move that was played: from where, to where.
    pub(crate) fn last_move(&self) -> Option<(Square, Square)> {
        self.last
    }

    /// Whose man stands on a square of the board.
    pub(crate) fn man(&self, square: Square) -> Option<Color> {
        self.squares[square.row as usize][square.column as usize]
    }

    fn put(&mut self, square: Square, man: Option<Color>) {
        self.squares[square.row as usize][square.column as usize] = man;
    }

    /// Why the man may not go there, if it may not.
    fn check(&self, color: Color, from: Square, to: Square) -> Result<(), Finding> {
        let side = color.name();
        let (start, goal) = (from.name(), to.name());
        if self.man(from) != Some(color) {
            let holder = match self.man(from) {
                Some(_) => format!("the man on {start} is {}'s", color.other().name()),
                None => format!("there is no man on {start}"),
            };
            let message = format!("It is not {side}'s turn to play this man: {holder}.");
            return Err(Finding::new(Code::HasamiNotYourMan, message));
        }
        if self.man(to).is_some() {
            let message = format!("There is already a man on the square {goal}.");
            return Err(Finding::new(Code::HasamiOccupiedSquare, message));
        }
        let down = to.row as i8 - from.row as i8;
        let right = to.column as i8 - from.column as i8;
        if down != 0 && right != 0 {
            let message = format!("The man's move from {start} to {goal} is not a straight line.");
            return Err(Finding::new(Code::HasamiCrookedMove, message));
        }
        let distance = (down + right).unsigned_abs();
        let direction = (down.signum(), right.signum());
        let way = || (1..distance).filter_map(|steps| from.step(direction, steps));
        if distance > 2 {
            let men: Vec<String> = way()
                .filter(|&square| self.man(square).is_some())
                .map(Square::name)
                .collect();
            if !men.is_empty() {
                let message = format!(
                    "There are other men in the way of the man from {start} to {goal}: {}.",
                    men.join(", ")
                );
                return Err(Finding::new(Code::HasamiMenInTheWay, message));
            }
        }
        Ok(())
    }

    /// The men that a man of this colour, just arrived on the square, takes in one direction.
    fn line_taken(&self, color: Color, arrived: Square, direction: (i8, i8)) -> Vec<Square> {
        let mut line = Vec::new();
        for square in arrived.ray(direction) {
            match self.man(square) {
                Some(man) if man == color => return line,
                Some(_) => line.push(square),
                None => return Vec::new(),
            }
        }
        Vec::new()
    }

    /// Moves the man and returns the enemy's men that it takes.
    fn advance(&mut self, color: Color, from: Square, to: Square) -> Vec<Square> {
        self.put(from, None);
        self.put(to, Some(color));
        self.last = Some((from, to));
        let taken: Vec<Square> = DIRECTIONS
            .iter()
            .flat_map(|&direction| self.line_taken(color, to, direction))
            .collect();
        for &square in &taken {
            self.put(square, None);
        }
        taken
    }
}

impl BoardGame for Hasami {
    fn play(&mut self, color: Color, target: &Target) -> Result<Taken, Finding> {
        let unreadable = |what: &str| {
            let message = format!("{what} is no move of Dai Hasami Shogi; one is written B3-E3.");
            Finding::new(Code::HasamiBadMove, message)
        };
        let (from, to) = match target {
            Target::Text(text) if text.trim().is_empty() => return Err(unreadable("A pass")),
            Target::Text(text) => read_move(text).ok_or_else(|| unreadable(&quoted(text)))?,
            Target::Point(point) => return Err(unreadable(&quoted(&point.to_sgf()))),
            Target::Pass => return Err(unreadable("A pass")),
        };
        self.check(color, from, to)?;
        let mut taken = Taken::default();
        taken.men[color.other().index()] = self.advance(color, from, to).len() as u32;
        Ok(taken)
    }

    fn is_over(&self) -> bool {
        self.men().contains(&0)
    }

    fn men(&self) -> [u32; 2] {
        Color::BOTH.map(|color| {
            let men = self.squares.iter().flatten();
            men.filter(|&&man| man == Some(color)).count() as u32
        })
    }

    fn score(&self, komi: f64) -> FinalScore {
        let men = self.men();
        let mut score = FinalScore::by_points(men.map(f64::from), komi);
        let wins = |winner| RecordedResult::Win {
            winner,
            by: WinBy::Unspecified,
        };
        match men {
            [0, 0] => {}
            [0, _] => score.result = wins(Color::White),
            [_, 0] => score.result = wins(Color::Black),
            _ => {}
        }
        score
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Point;
    use proptest::prelude::*;

    /// The nine rows of a position, as [`board`] reads them.
    fn drawn(position: &Hasami) -> Vec<String> {
        let letter = |man: &Option<Color>| man.map_or('.', Color::letter);
        let row = |row: &[Option<Color>; 9]| row.iter().map(letter).collect();
        position.squares.iter().map(row).collect()
    }

    /// A position drawn as nine rows.
    fn board(drawing: &str) -> Hasami {
        let mut position = Hasami::default();
        let rows: Vec<&str> = drawing.split_whitespace().collect();
        assert_eq!(rows.len(), 9, "a board has nine rows");
        for (row, letters) in (0..).zip(rows) {
            assert_eq!(letters.len(), 9, "a row has nine squares");
            for (column, letter) in (0..).zip(letters.bytes()) {
                let man = match letter {
                    b'B' => Some(Color::Black),
                    b'W' => Some(Color::White),
                    _ => None,
                };
                position.put(Square { row, column }, man);
            }
        }
        position
    }

    fn play(position: &mut Hasami, color: Color, text: &str) -> Result<u32, Code> {
        let target = Target::Text(text.to_owned());
        position
            .play(color, &target)
            .map(|taken| taken.men[color.other().index()])
            .map_err(|finding| finding.code)
    }

    /// Plays Black's move and compares the board.
    fn after(mut position: Hasami, text: &str, expected: &str) {
        play(&mut position, Color::Black, text).expect("a legal move");
        assert_eq!(drawn(&position), drawn(&board(expected)));
    }

    #[test]
    fn the_four_faults_in_their_order() {
        let begin = Hasami::default;
        let says = |color, text: &str, message: &str| {
            let target = Target::Text(text.to_owned());
            let finding = begin().play(color, &target).expect_err("an illegal move");
            assert_eq!(finding.message, message);
        };
        says(
            Color::Black,
            "H3-E3",
            "It is not Black's turn to play this man: the man on H3 is White's.",
        );
        says(
            Color::White,
            "E5-A5",
            "It is not White's turn to play this man: there is no man on E5.",
        );
        says(
            Color::Black,
            "B3-H4",
            "There is already a man on the square H4.",
        );
        says(
            Color::Black,
            "B3-D4",
            "The man's move from B3 to D4 is not a straight line.",
        );
        says(
            Color::Black,
            "A3-E3",
            "There are other men in the way of the man from A3 to E3: B3.",
        );
        // A man can't stay where it is: its own square is occupied.
        assert_eq!(
            play(&mut begin(), Color::Black, "B3-B3"),
            Err(Code::HasamiOccupiedSquare)
        );
    }

    #[test]
    fn the_way_is_looked_at_in_all_directions() {
        let position = board(
            "......... ......... ....W.... ......... ..B.B.W.. ......... ....B.... ......... .........",
        );
        for text in ["E5-A5", "E5-I5", "E5-E1", "E5-E9"] {
            assert_eq!(
                play(&mut position.clone(), Color::Black, text),
                Err(Code::HasamiMenInTheWay),
                "{text}"
            );
        }
        for text in ["E5-D5", "E5-F5", "E5-E4", "E5-E6"] {
            assert_eq!(
                play(&mut position.clone(), Color::Black, text),
                Ok(0),
                "{text}"
            );
        }
    }

    #[test]
    fn one_man_of_either_side_is_jumped_and_stays() {
        let position = board(
            "......... ......... ......... ....W.... ...BBW... ....B.... ......... ......... .........",
        );
        for text in ["E5-C5", "E5-G5", "E5-E3", "E5-E7"] {
            let mut position = position.clone();
            assert_eq!(play(&mut position, Color::Black, text), Ok(0), "{text}");
            assert_eq!(position.men(), [3, 2], "{text}");
        }
    }

    #[test]
    fn a_line_between_two_is_taken() {
        after(
            board(
                "......... ......... ......... B........ .WWWB.... ......... ......... ......... .........",
            ),
            "D1-E1",
            "......... ......... ......... ......... B...B.... ......... ......... ......... .........",
        );
    }

    #[test]
    fn four_lines_are_taken_at_once() {
        // The man comes in by a jump, over one of the men that it takes.
        after(
            board(
                "....B.... ....W.... ....B.... ....W.... BWWW.WWWB ....W.... ....W.... ....W.... ....B....",
            ),
            "C5-E5",
            "....B.... ....W.... ......... ....W.... B...B...B ......... ......... ......... ....B....",
        );
    }

    #[test]
    fn a_gap_spares_the_line() {
        after(
            board(
                "......... ......... ......... B........ .WW.WB... ......... ......... ......... .........",
            ),
            "D1-E1",
            "......... ......... ......... ......... BWW.WB... ......... ......... ......... .........",
        );
    }

    #[test]
    fn the_edge_and_the_corner_are_no_partners() {
        after(
            board(
                "WWB...... ......... ......... ......... ......... ......... ......... ......B.. .......WW",
            ),
            "H7-I7",
            "WWB...... ......... ......... ......... ......... ......... ......... ......... ......BWW",
        );
    }

    #[test]
    fn one_may_step_between_two_enemies() {
        after(
            board(
                "......... ......... ......... ..B...... .W.W..... ......... ......... ......... .........",
            ),
            "D3-E3",
            "......... ......... ......... ......... .WBW..... ......... ......... ......... .........",
        );
    }

    #[test]
    fn the_nearest_of_ones_own_ends_the_line() {
        after(
            board(
                "......... ......... ......... B........ .WBWB.... ......... ......... ......... .........",
            ),
            "D1-E1",
            "......... ......... ......... ......... B.BWB.... ......... ......... ......... .........",
        );
    }

    #[test]
    fn what_is_no_move() {
        let mut position = Hasami::default();
        for text in [
            "", "B3", "B3E3", "B3-", "J1-E1", "B0-E3", "B3-E33", "B3 - E3", "Ä3-E3",
        ] {
            assert_eq!(
                play(&mut position, Color::Black, text),
                Err(Code::HasamiBadMove),
                "{text}"
            );
        }
        for target in [Target::Pass, Target::Point(Point::new(2, 3))] {
            let finding = position.play(Color::Black, &target).unwrap_err();
            assert_eq!(finding.code, Code::HasamiBadMove);
        }
        assert_eq!(position, Hasami::default());
        assert_eq!(play(&mut position, Color::Black, " b3-e3 "), Ok(0));
    }

    #[test]
    fn men_are_the_score_and_the_last_man_the_game() {
        let mut position = board(
            "......... ......... ......... B........ .WB...... ......... ......... ......... .........",
        );
        let score = position.score(0.0);
        assert_eq!(score.scores, [2.0, 1.0]);
        assert!(!position.is_over());
        play(&mut position, Color::Black, "D1-E1").unwrap();
        assert!(position.is_over());
        assert_eq!(
            position.score(0.0).result,
            RecordedResult::Win {
                winner: Color::Black,
                by: WinBy::Unspecified
            }
        );
    }

    proptest! {
        #[test]
        fn men_are_conserved(moves in prop::collection::vec((0u8..9, 0u8..9, 0u8..9, 0u8..9), 0..400)) {
            let mut position = Hasami::default();
            let mut color = Color::Black;
            let mut taken = [0; 2];
            for (row, column, to_row, to_column) in moves {
                let from = Square { row, column };
                let to = Square { row: to_row, column: to_column };
                let text = format!("{}-{}", from.name(), to.name());
                let before = position.clone();
                match position.play(color, &Target::Text(text)) {
                    Ok(men) => {
                        prop_assert_eq!(men.men[color.index()], 0);
                        taken[color.other().index()] += men.men[color.other().index()];
                        color = color.other();
                    }
                    Err(_) => prop_assert_eq!(&position, &before),
                }
                let men = position.men();
                prop_assert_eq!([men[0] + taken[0], men[1] + taken[1]], [18, 18]);
            }
        }
    }
}
