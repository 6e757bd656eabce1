//! Influence: Influencie's whole program, step by step.
//!
//! 1. draw the [colour map](super::color_map);
//! 2. circumscribe [clusters](super::cluster) and their eyes;
//! 3. mark the stones that are obviously dead;
//! 4. redraw the map without them;
//! 5. cast the [shadows](super::shadow) of the clusters;
//! 6. analyse [life and death](super::local_life) locally, each cluster with its shadow;
//! 7. redraw the map without the stones that died there;
//! 8. cast the shadows again;
//! 9. compose map and shadows into one picture.
//!
//! [`analyse`] keeps what each step found, so that every one of them can be looked at. To redraw a
//! map, dead stones are taken off the board: their points are coloured by their surroundings like
//! any empty point. Clusters are circumscribed afresh on each new map.
//!
//! This is a picture of who leans where, good to look at and quick. It is not the judge of the
//! score.

use super::cluster::{self, Cluster, ClusterStatus};
use super::color_map::ColorMap;
use super::local_life;
use super::shadow::{self, Shadows};
use crate::board::{Board, Color, Point, PointSet};

/// Positions to look into for each question of life and death: enough for small groups, and little
/// enough that a whole board is drawn at once.
const SEARCH_LIMIT: u32 = 1_000;

/// A map with its clusters: what is drawn anew when dead stones are found.
#[derive(Clone, Debug)]
pub struct ClusterMap {
    /// The board that the map was drawn from, without the stones known to be dead by then.
    pub board: Board,
    pub map: ColorMap,
    pub clusters: Vec<Cluster>,
}

impl ClusterMap {
    fn draw(board: Board) -> ClusterMap {
        let map = ColorMap::new(&board);
        let clusters = cluster::find(&board, &map);
        ClusterMap {
            board,
            map,
            clusters,
        }
    }

    fn without(&self, dead: &PointSet) -> ClusterMap {
        let mut board = self.board.clone();
        for stone in dead.iter() {
            board.set(stone, None);
        }
        ClusterMap::draw(board)
    }
}

/// What each step of the program found.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Influence {
    /// Steps 1 and 2: the map of all stones.
    pub first: ClusterMap,
    /// Step 3: the stones of obviously dead clusters.
    pub obviously_dead: PointSet,
    /// Step 4: the map without them.
    pub redrawn: ClusterMap,
    /// Step 5: the shadows on the redrawn map.
    pub shadows: Shadows,
    /// Step 6: the stones that died by local analysis.
    pub locally_dead: PointSet,
    /// Step 7: the map without any dead stones.
    pub last: ClusterMap,
    /// Step 8: its shadows.
    pub last_shadows: Shadows,
}

/// What the composed picture shows on a point, strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Shade {
    /// A living stone.
    Stone(Color),
    /// Coloured by the map.
    Colored(Color),
    /// In the shadow of a colour.
    Shadow(Color),
    /// Nobody's.
    Clear,
}

impl Influence {
    /// All stones found dead.
    pub fn dead(&self) -> PointSet {
        self.obviously_dead | self.locally_dead
    }

    /// Step 9: the composed picture, point by point. A dead stone's point shows who has it now.
    pub fn shade(&self, point: Point) -> Shade {
        if let Some(color) = self.last.board.stone(point) {
            Shade::Stone(color)
        } else if let Some(color) = self.last.map.point(point) {
            Shade::Colored(color)
        } else if let Some(color) = self.last_shadows.map.point(point) {
            Shade::Shadow(color)
        } else {
            Shade::Clear
        }
    }
}

/// Runs the program on a position.
///
/// ```
/// use kifu::influence::{self, Shade};
/// use kifu::board::{Board, Color};
///
/// let board: Board = "
///     . . X O . . .
///     X X X O . O .
///     O O O O . . .
///     . . . . . . .
///     . . O . . . .
/// ".parse().unwrap();
/// let influence = influence::analyse(&board);
/// // Black's corner has no room for two eyes.
/// assert_eq!(influence.dead(), board.stones(Color::Black));
/// let corner = board.size().point(1, 1).unwrap();
/// assert_eq!(influence.shade(corner), Shade::Colored(Color::White));
/// ```
pub fn analyse(board: &Board) -> Influence {
    let first = ClusterMap::draw(board.clone());
    let obviously_dead = first
        .clusters
        .iter()
        .filter(|cluster| cluster.status == ClusterStatus::Dead)
        .fold(PointSet::EMPTY, |sum, cluster| sum | cluster.stones);
    let redrawn = first.without(&obviously_dead);
    let shadows = shadow::cast(&redrawn.map, &redrawn.clusters);
    let locally_dead = dead_by_search(&redrawn, &shadows);
    let last = redrawn.without(&locally_dead);
    let last_shadows = shadow::cast(&last.map, &last.clusters);
    Influence {
        first,
        obviously_dead,
        redrawn,
        shadows,
        locally_dead,
        last,
        last_shadows,
    }
}

/// Reads every cluster that is not obviously alive.
fn dead_by_search(layer: &ClusterMap, shadows: &Shadows) -> PointSet {
    let mut dead = PointSet::EMPTY;
    for (index, shadow) in shadows.of_clusters.iter().enumerate() {
        if layer.clusters[index].status != ClusterStatus::Alive {
            dead |=
                local_life::dead_stones(&layer.board, &layer.clusters, index, shadow, SEARCH_LIMIT);
        }
    }
    dead
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Size;
    use crate::board::drawn;

    /// The picture as text: `X O` stones, `b w` coloured, `' "` shadows, `.` clear.
    fn picture(influence: &Influence) -> String {
        let size = influence.last.board.size();
        let mut text = String::new();
        for point in size.points() {
            text.push(match influence.shade(point) {
                Shade::Stone(Color::Black) => 'X',
                Shade::Stone(Color::White) => 'O',
                Shade::Colored(Color::Black) => 'b',
                Shade::Colored(Color::White) => 'w',
                Shade::Shadow(Color::Black) => '\'',
                Shade::Shadow(Color::White) => '"',
                Shade::Clear => '.',
            });
            text.push(if point.x() + 1 == size.width() {
                '\n'
            } else {
                ' '
            });
        }
        text
    }

    #[test]
    fn a_finished_game_is_shared_out() {
        let board = drawn::board(
            "
            . . . X O . . . .
            . . X X O . . . .
            . X . X O O . O .
            . . X X X O . . .
            . . . . X O O O O
            X X . . X X X X O
            O X X . . . . X X
            O O O X X . . . .
            . . O O X . . . .
        ",
        );
        let influence = analyse(&board);
        let expected = "
            b b b X O w w w w
            b b X X O w w w w
            b X b X O O w O w
            b b X X X O w w w
            b b b b X O O O O
            X X b b X X X X O
            b X X b b b b X X
            b b b X X b b b b
            b b b b X b b b b
        ";
        let expected: String = expected
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty())
            .map(|line| format!("{line}\n"))
            .collect();
        assert_eq!(picture(&influence), expected);
    }

    #[test]
    fn every_step_leaves_its_layer() {
        let board = drawn::board(
            "
            . . X O . . .
            X X X O . O .
            O O O O . . .
            . . . . . . .
            . . O . . . .
        ",
        );
        let influence = analyse(&board);
        assert_eq!(influence.first.board, board);
        assert_eq!(
            influence.shadows.of_clusters.len(),
            influence.redrawn.clusters.len()
        );
        assert_eq!(influence.dead(), board.stones(Color::Black));
        for stone in influence.dead().iter() {
            assert_eq!(influence.last.board.stone(stone), None);
        }
    }

    #[test]
    fn empty_and_tiny_boards_are_no_trouble() {
        for (width, height) in [(1, 1), (1, 5), (2, 2), (19, 19), (52, 3)] {
            let size = Size::new(width, height).unwrap();
            let mut board = Board::new(size);
            let influence = analyse(&board);
            assert!(influence.dead().is_empty());
            assert_eq!(influence.shade(Point::new(0, 0)), Shade::Clear);
            board.set(Point::new(0, 0), Some(Color::White));
            analyse(&board);
        }
    }
}
