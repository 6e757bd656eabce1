//! Eyes: the points and spaces that keep a chain alive.
//!
//! A liberty of a chain is an eye of it when every point beside it is a stone of the chain's
//! colour or the edge. Whether the eye is *true* depends on its diagonals: they are what connects
//! the stones around it. With at most one diagonal that is empty or the enemy's, the stones around
//! the eye hold together, or can still be held together when the opponent cuts once; with two, the
//! opponent can take one of the chains around the eye, which then has to be filled: it is *false*.
//!
//! At the rim there are fewer diagonals and the two ends of the ring around the eye are held apart
//! by the edge, so that one bad diagonal is enough to cut. The points off the board count together
//! as one bad diagonal: an eye on the side or in the corner is true only if all the diagonals it
//! has are the colour's own.
//!
//! The diagonal rule looks at one eye at a time and so calls some eyes false that are not: a ring
//! of chains around two such eyes connects each chain by the other way round. [`benson`] proves
//! those.
//!
//! Larger eyes are not judged by diagonals but by whether two eyes can be made in them: see
//! `dead_shape`.
//!
//! [`benson`]: super::benson

use super::position_graph::ChainNode;
use crate::board::{Board, Color, Point, Spot};

/// Whether an eye will last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EyeKind {
    /// The stones around it hold together.
    True,
    /// The opponent can cut the stones around it, and it will have to be filled.
    False,
}

/// A one-point eye.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Eye {
    /// Where it is.
    pub point: Point,
    /// Whether it can be taken away.
    pub kind: EyeKind,
}

/// The eye of this colour on this point, if there is one.
#[inline]
pub fn at(board: &Board, color: Color, point: Point) -> Option<EyeKind> {
    if !board.is_empty(point) {
        return None;
    }
    let own = color.spot();
    let closed = point
        .neighbors()
        .into_iter()
        .all(|beside| matches!(board.spot(beside), spot if spot == own || spot == Spot::Edge));
    closed.then(|| {
        let mut bad = 0;
        let mut off_board = 0;
        for diagonal in point.diagonals() {
            match board.spot(diagonal) {
                Spot::Edge => off_board = 1,
                spot if spot == own => {}
                _ => bad += 1,
            }
        }
        if bad + off_board <= 1 {
            EyeKind::True
        } else {
            EyeKind::False
        }
    })
}

/// The eyes of a chain: those of its liberties that are closed in by its colour, true or false.
///
/// ```
/// use kifu::board::{Board, Point};
/// use kifu::life::PositionGraph;
/// use kifu::life::eye::{self, EyeKind};
///
/// let board: Board = "
///     . X X . O
///     X X . X O
///     O X X O O
/// ".parse().unwrap();
/// let graph = PositionGraph::new(&board);
/// let chain = graph.chain_at(Point::new(1, 0)).unwrap();
/// let eyes = eye::of_chain(&board, graph.chain(chain));
/// let kinds: Vec<_> = eyes.iter().map(|eye| eye.kind).collect();
/// // The corner is an eye; the one in the middle lacks two of its diagonals.
/// assert_eq!(kinds, [EyeKind::True, EyeKind::False]);
/// ```
pub fn of_chain(board: &Board, chain: &ChainNode) -> Vec<Eye> {
    let liberties = chain.liberties.iter();
    liberties
        .filter_map(|&point| at(board, chain.color, point).map(|kind| Eye { point, kind }))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{PointSet, drawn};
    use crate::life::PositionGraph;

    /// `T` marks the true eyes and `F` the false ones of all black chains.
    fn check(drawing: &str) {
        let board = drawn::board(drawing);
        let mut found = [PointSet::EMPTY; 2];
        let graph = PositionGraph::new(&board);
        for chain in graph.chains() {
            if chain.color == Color::Black {
                for eye in of_chain(&board, chain) {
                    found[(eye.kind == EyeKind::False) as usize].insert(eye.point);
                }
            }
        }
        assert_eq!(found[0], drawn::marked(drawing, "T"), "true eyes {board}");
        assert_eq!(found[1], drawn::marked(drawing, "F"), "false eyes {board}");
    }

    #[test]
    fn in_the_middle_one_bad_diagonal_does_no_harm() {
        check(
            "
            O X X . .
            X T X . .
            X X X . .
        ",
        );
        check(
            "
            O X O . .
            X F X . .
            X X X . .
        ",
        );
        // An empty diagonal is as bad as an enemy stone.
        check(
            "
            O X . . .
            X F X . .
            X X X . .
        ",
        );
    }

    #[test]
    fn at_the_rim_every_diagonal_counts() {
        check(
            "
            X T X . .
            X X X . .
            . . . . .
        ",
        );
        check(
            "
            X F X . .
            O X X . .
            . . . . .
        ",
        );
        check(
            "
            T X . . .
            X X . . .
            . . . . .
        ",
        );
        check(
            "
            F X . . .
            X O . . .
            . . . . .
        ",
        );
    }

    #[test]
    fn on_a_board_of_one_row_there_are_no_diagonals_to_lose() {
        check("T X T X . O");
    }

    #[test]
    fn a_liberty_beside_the_enemy_or_another_liberty_is_no_eye() {
        check(
            "
            . X O . .
            O X . . .
            . X X . .
        ",
        );
    }

    #[test]
    fn an_eye_belongs_to_every_chain_beside_it() {
        let drawing = "
            . X O . .
            X O O . .
            O O . . .
        ";
        let board = drawn::board(drawing);
        let graph = PositionGraph::new(&board);
        for stone in [Point::new(1, 0), Point::new(0, 1)] {
            let chain = graph.chain_at(stone).unwrap();
            assert_eq!(
                of_chain(&board, graph.chain(chain)),
                [Eye {
                    point: Point::new(0, 0),
                    kind: EyeKind::False
                }]
            );
        }
    }
}
