//! Dead shapes: eye spaces that make only one eye.
//!
//! A chain with one eye space and no other liberties lives if it can part the space into two eyes.
//! The shapes where the attacker can prevent it by playing first, or where even the defender's
//! first move is not enough, are the *nakade* that players learn by heart: three in a row, the
//! square four, the bulky five, the flower six. Here they are not learnt but read out, each time,
//! by the [local search](super::local_search): that covers every shape, and the same shape in the
//! corner, where liberties are scarce and the answer may be another, or a ko.

use super::local_board::LocalBoard;
use super::local_search::{Fate, Problem};
use crate::board::{Color, PointSet, Size};

/// How an empty eye space stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ShapeStatus {
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
pub(crate) fn status(space: &PointSet, size: Size) -> ShapeStatus {
    if space.len() > LARGEST {
        return ShapeStatus::Alive;
    }
    let defender = Color::Black;
    let Some(local) = LocalBoard::eye_space(space, size, defender) else {
        return ShapeStatus::Alive;
    };
    let problem = Problem::inside_space(local, defender);
    let attacked = problem.fate(defender.other(), LIMIT);
    let defended = problem.fate(defender, LIMIT);
    match (attacked, defended) {
        (Fate::Lives | Fate::Unknown, _) => ShapeStatus::Alive,
        (Fate::Dies, Fate::Lives) => ShapeStatus::Unsettled,
        (Fate::Ko, _) | (_, Fate::Ko) => ShapeStatus::Ko,
        (Fate::Dies, _) => ShapeStatus::Dead,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::drawn;

    /// The status of the space drawn with `s`, seen from every side.
    fn status_of(drawing: &str) -> ShapeStatus {
        let statuses: Vec<ShapeStatus> = drawn::orientations(drawing)
            .iter()
            .map(|drawing| {
                let board = drawn::board(drawing);
                status(&drawn::marked(drawing, "s"), board.size())
            })
            .collect();
        assert!(statuses.iter().all(|s| *s == statuses[0]), "{statuses:?}");
        statuses[0]
    }

    /// The same away from the edge.
    fn in_the_middle(drawing: &str) -> ShapeStatus {
        let rows: Vec<&str> = drawing.split_whitespace().collect();
        let width = rows[0].len() + 4;
        let blank = ".".repeat(width);
        let mut framed = vec![blank.clone(), blank.clone()];
        framed.extend(rows.iter().map(|row| format!("..{row}..")));
        framed.extend([blank.clone(), blank]);
        status_of(&framed.join("\n"))
    }

    #[test]
    fn rows() {
        assert_eq!(in_the_middle("s"), ShapeStatus::Dead);
        assert_eq!(in_the_middle("ss"), ShapeStatus::Dead);
        assert_eq!(in_the_middle("sss"), ShapeStatus::Unsettled);
        assert_eq!(in_the_middle("ssss"), ShapeStatus::Alive);
        assert_eq!(in_the_middle("sssss"), ShapeStatus::Alive);
    }

    #[test]
    fn fours() {
        assert_eq!(in_the_middle("ss ss"), ShapeStatus::Dead);
        assert_eq!(in_the_middle("sss .s."), ShapeStatus::Unsettled);
        assert_eq!(in_the_middle("ss. .ss"), ShapeStatus::Alive);
        assert_eq!(in_the_middle("sss s.."), ShapeStatus::Alive);
    }

    #[test]
    fn fives() {
        assert_eq!(in_the_middle("sss ss."), ShapeStatus::Unsettled);
        assert_eq!(in_the_middle(".s. sss .s."), ShapeStatus::Unsettled);
        assert_eq!(in_the_middle("sss s.s"), ShapeStatus::Alive);
    }

    #[test]
    fn sixes() {
        // The flower, or rabbity six; the other solid six, two by three, is alive in the middle.
        assert_eq!(in_the_middle(".s. sss ss."), ShapeStatus::Unsettled);
        assert_eq!(in_the_middle("sss sss"), ShapeStatus::Alive);
    }

    #[test]
    fn the_corner_changes_the_answer() {
        let bent_four = "
            sss..
            s....
            .....
            .....
        ";
        assert_eq!(status_of(bent_four), ShapeStatus::Ko);
        let two_by_three = "
            sss..
            sss..
            .....
            .....
        ";
        // Six points, alive in the middle: without outside liberties they are one eye here.
        assert_eq!(status_of(two_by_three), ShapeStatus::Unsettled);
    }

    #[test]
    fn three_in_a_row_are_unsettled() {
        use crate::board::{PointSet, Size};
        use crate::life::dead_shape::{self, ShapeStatus};
        let size = Size::square(9);
        let row: PointSet = (2..5).filter_map(|x| size.point(x, 4)).collect();
        assert_eq!(dead_shape::status(&row, size), ShapeStatus::Unsettled);
    }
}
