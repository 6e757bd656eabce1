//! Dead shapes: eye spaces that make only one eye.
//!
//! A chain with one eye space and no other liberties lives if it can part the space into two eyes.
//! The shapes where the attacker can prevent it by playing first, or where even the defender's
//! first move is not enough, are the *nakade* that players learn by heart: three in a row, the
//! square four, the bulky five, the flower six. Here they are not learnt but read out, each time,
//! by the [local search](super::local_search): that covers every shape, and the same shape in the
//! corner, where liberties are scarce and the answer may be another, or a ko.

use super::local_board::Arena;
use super::local_search::{Fate, Problem};
use crate::board::{Color, PointSet, Size};

/// How an empty eye space stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Two eyes, whoever moves first.
    Alive,
    /// Two eyes for the defender, one if the attacker moves first.
    Unsettled,
    /// One eye, whoever moves first.
    Dead,
    /// It comes down to a ko when the attacker moves first.
    Ko,
}

/// Spaces larger than this are taken for alive: the largest that the attacker can reduce to one
/// eye from the inside has six points.
const LARGEST: usize = 7;

/// Positions to look into; ample for the largest shapes.
const LIMIT: u32 = 50_000;

/// How a connected empty eye space stands, if one chain surrounds it on a board of this size and
/// has no other liberties.
///
/// ```
/// use kifu::life::dead_shape::{self, Standing};
/// use kifu::board::{PointSet, Size};
///
/// let size = Size::square(9);
/// let row: PointSet = (2..5).filter_map(|x| size.point(x, 4)).collect();
/// assert_eq!(dead_shape::standing(&row, size), Standing::Unsettled);
/// ```
pub fn standing(space: &PointSet, size: Size) -> Standing {
    if space.len() > LARGEST {
        return Standing::Alive;
    }
    let defender = Color::Black;
    let Some(arena) = Arena::eye_space(space, size, defender) else {
        return Standing::Alive;
    };
    let problem = Problem::inside_space(arena, defender);
    let attacked = problem.fate(defender.other(), LIMIT);
    let defended = problem.fate(defender, LIMIT);
    match (attacked, defended) {
        (Fate::Lives | Fate::Unknown, _) => Standing::Alive,
        (Fate::Dies, Fate::Lives) => Standing::Unsettled,
        (Fate::Ko, _) | (_, Fate::Ko) => Standing::Ko,
        (Fate::Dies, _) => Standing::Dead,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::drawn;

    /// The standing of the space drawn with `s`, seen from every side.
    fn of(drawing: &str) -> Standing {
        let standings: Vec<Standing> = drawn::orientations(drawing)
            .iter()
            .map(|drawing| {
                let board = drawn::board(drawing);
                standing(&drawn::marked(drawing, "s"), board.size())
            })
            .collect();
        assert!(
            standings.iter().all(|s| *s == standings[0]),
            "{standings:?}"
        );
        standings[0]
    }

    /// The same away from the edge.
    fn in_the_middle(drawing: &str) -> Standing {
        let rows: Vec<&str> = drawing.split_whitespace().collect();
        let width = rows[0].len() + 4;
        let blank = ".".repeat(width);
        let mut framed = vec![blank.clone(), blank.clone()];
        framed.extend(rows.iter().map(|row| format!("..{row}..")));
        framed.extend([blank.clone(), blank]);
        of(&framed.join("\n"))
    }

    #[test]
    fn rows() {
        assert_eq!(in_the_middle("s"), Standing::Dead);
        assert_eq!(in_the_middle("ss"), Standing::Dead);
        assert_eq!(in_the_middle("sss"), Standing::Unsettled);
        assert_eq!(in_the_middle("ssss"), Standing::Alive);
        assert_eq!(in_the_middle("sssss"), Standing::Alive);
    }

    #[test]
    fn fours() {
        assert_eq!(in_the_middle("ss ss"), Standing::Dead);
        assert_eq!(in_the_middle("sss .s."), Standing::Unsettled);
        assert_eq!(in_the_middle("ss. .ss"), Standing::Alive);
        assert_eq!(in_the_middle("sss s.."), Standing::Alive);
    }

    #[test]
    fn fives() {
        assert_eq!(in_the_middle("sss ss."), Standing::Unsettled);
        assert_eq!(in_the_middle(".s. sss .s."), Standing::Unsettled);
        assert_eq!(in_the_middle("sss s.s"), Standing::Alive);
    }

    #[test]
    fn sixes() {
        // The flower, or rabbity six; the other solid six, two by three, is alive in the middle.
        assert_eq!(in_the_middle(".s. sss ss."), Standing::Unsettled);
        assert_eq!(in_the_middle("sss sss"), Standing::Alive);
    }

    #[test]
    fn the_corner_changes_the_answer() {
        let bent_four = "
            sss..
            s....
            .....
            .....
        ";
        assert_eq!(of(bent_four), Standing::Ko);
        let two_by_three = "
            sss..
            sss..
            .....
            .....
        ";
        // Six points, alive in the middle: without outside liberties they are one eye here.
        assert_eq!(of(two_by_three), Standing::Unsettled);
    }
}
