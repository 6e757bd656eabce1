//! Clusters: what the colour map holds together, its eyes, and what is obviously dead.
//!
//! A cluster is everything of one colour in the [colour map](super::color_map) that links of that
//! colour hold together. It is the map's idea of a group, looser than a chain: stones a jump apart
//! are one cluster as long as the enemy does not touch the points between them.
//!
//! An *eye* of a cluster is a connected set of its empty points that the colour controls wholly:
//! all their links have it, so that they lie inside and not at the border. Influencie judges a
//! cluster by its eyes and its surroundings:
//!
//! - it is [`ClusterStatus::Alive`] with enough eyes, or with one large eye that is no
//!   [dead shape](crate::life::dead_shape);
//! - else it is [`ClusterStatus::Dead`] if it is surrounded and all the enemies around it are alive;
//! - else the question is left [`ClusterStatus::Open`].
//!
//! How the recipe is read here:
//!
//! - A point belongs to a cluster when all its links are *same-coloured or neutral*, and an
//!   uncoloured link is neutral too. So a cluster has its coloured points, which it controls, and
//!   around them a border of uncoloured points that it alone touches. If only coloured points
//!   could belong to it, asking of each whether it is coloured, as the recipe does, would make no
//!   sense, and a cluster would never cast a shadow beyond itself.
//! - The original asks for *more than two* eyes, and would declare a surrounded group with exactly
//!   two dead. Two are enough here, but an eye of one point must be true by the
//!   [diagonal rule](crate::life::eye).
//! - A large eye has more than three points.
//! - A cluster is surrounded if a walk over points of no cluster, started at its border, meets
//!   neither a friendly cluster nor *open space*: a point that no coloured link touches. The
//!   enemies are the clusters that the walk or the border itself meets; without any, there is no
//!   siege.
//! - All clusters are first judged by their eyes, then the sieges are looked at: the answer does
//!   not depend on the order of the clusters.

use super::color_map::{ColorMap, Tint};
use crate::board::{Board, Color, Point, PointSet};
use crate::life::dead_shape;
use crate::life::eye::{self, EyeKind};

/// What is obvious about a cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ClusterStatus {
    Alive,
    Dead,
    /// Neither is obvious.
    Open,
}

/// What one colour holds together in the colour map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cluster {
    pub color: Color,
    /// Its stones, its coloured empty points and the border that it alone touches.
    pub points: PointSet,
    /// Its stones.
    pub stones: PointSet,
    /// Its eyes.
    pub eyes: Vec<PointSet>,
    pub status: ClusterStatus,
}

/// The clusters of a map, in the order of their first points, each with its eyes and how it
/// stands. `board` is the board that the map was drawn from.
pub(crate) fn find(board: &Board, map: &ColorMap) -> Vec<Cluster> {
    let mut clusters: Vec<Cluster> = Color::BOTH
        .into_iter()
        .flat_map(|color| circumscribe(board, map, color))
        .collect();
    clusters.sort_by_key(|cluster| cluster.points.first());
    for cluster in &mut clusters {
        if has_life(board, cluster) {
            cluster.status = ClusterStatus::Alive;
        }
    }
    let dead: Vec<bool> = clusters
        .iter()
        .map(|cluster| {
            cluster.status == ClusterStatus::Open && is_besieged(map, cluster, &clusters)
        })
        .collect();
    for (cluster, dead) in clusters.iter_mut().zip(dead) {
        if dead {
            cluster.status = ClusterStatus::Dead;
        }
    }
    clusters
}

/// The clusters of a colour with their eyes.
fn circumscribe(board: &Board, map: &ColorMap, color: Color) -> Vec<Cluster> {
    let mut rest: PointSet = map
        .size()
        .points()
        .filter(|&point| match map.point(point) {
            Some(own) => own == color,
            None => map.leaning(point) == Some(color),
        })
        .collect();
    let mut clusters = Vec::new();
    while let Some(first) = rest.first() {
        let points = linked(map, color, &rest, first);
        rest -= points;
        let stones = points & board.stones(color);
        let controlled = |&point: &Point| {
            map.beside(point)
                .all(|beside| map.link(point, beside) == Tint::Colored(color))
        };
        let coloured = points & *map.points(color);
        let inner: PointSet = (coloured - stones).iter().filter(controlled).collect();
        clusters.push(Cluster {
            color,
            points,
            stones,
            eyes: inner.parts().collect(),
            status: ClusterStatus::Open,
        });
    }
    clusters
}

/// The points of a set that links of a colour join to the first.
fn linked(map: &ColorMap, color: Color, among: &PointSet, first: Point) -> PointSet {
    let mut points: PointSet = [first].into_iter().collect();
    let mut todo = vec![first];
    while let Some(point) = todo.pop() {
        for beside in map.beside(point) {
            let joined = map.link(point, beside) == Tint::Colored(color);
            if joined && among.contains(beside) && points.insert(beside) {
                todo.push(beside);
            }
        }
    }
    points
}

fn has_life(board: &Board, cluster: &Cluster) -> bool {
    let is_true = |eye: &&PointSet| {
        let point = eye.first().expect("an eye has points");
        eye.len() > 1 || eye::at(board, cluster.color, point) != Some(EyeKind::False)
    };
    let is_ample = |eye: &PointSet| {
        eye.len() > 3 && dead_shape::status(eye, board.size()) == dead_shape::ShapeStatus::Alive
    };
    cluster.eyes.iter().filter(is_true).count() >= 2 || cluster.eyes.iter().any(is_ample)
}

/// Whether a cluster is surrounded by enemies who are all alive.
fn is_besieged(map: &ColorMap, cluster: &Cluster, clusters: &[Cluster]) -> bool {
    let size = map.size();
    let taken = clusters
        .iter()
        .fold(PointSet::EMPTY, |sum, cluster| sum | cluster.points);
    let between = PointSet::full(size) - taken;
    // The ground of no cluster that can be reached from the border.
    let mut ground = PointSet::EMPTY;
    for start in (cluster.points.neighbors(size) & between).iter() {
        if !ground.contains(start) {
            ground |= between.connected(start);
        }
    }
    let is_open = |point| {
        map.beside(point)
            .all(|beside| map.link(point, beside) == Tint::Uncolored)
    };
    if ground.iter().any(is_open) {
        return false;
    }
    let reached = (cluster.points | ground).neighbors(size);
    let others = |color: Color| {
        clusters
            .iter()
            .filter(move |other| other.color == color && other.points != cluster.points)
            .filter(|other| other.points.meets(&reached))
    };
    let mut enemies = others(cluster.color.other()).peekable();
    others(cluster.color).next().is_none()
        && enemies.peek().is_some()
        && enemies.all(|enemy| enemy.status == ClusterStatus::Alive)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::drawn;

    fn clusters(drawing: &str) -> Vec<Cluster> {
        let board = drawn::board(drawing);
        find(&board, &ColorMap::new(&board))
    }

    /// The stones of the clusters that stand like this.
    fn stones(drawing: &str, status: ClusterStatus) -> PointSet {
        clusters(drawing)
            .iter()
            .filter(|cluster| cluster.status == status)
            .fold(PointSet::EMPTY, |sum, cluster| sum | cluster.stones)
    }

    #[test]
    fn stones_joined_by_coloured_points_are_one_cluster() {
        let found = clusters(
            "
            . . . . . .
            . . X . . .
            . X . X . .
            . . . . . .
            . . . . . O
            . . . . . .
        ",
        );
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].stones.len(), 3);
        // Three stones, the two points that they colour, and the border that only they touch.
        assert_eq!(found[0].points.len(), 5 + 8);
    }

    #[test]
    fn a_stone_held_by_a_group_with_two_eyes_is_dead() {
        let drawing = "
            . O . O O . . .
            O O O X O . . .
            . . O O O . . .
            . . . . . . . .
        ";
        assert_eq!(
            stones(drawing, ClusterStatus::Dead),
            drawn::marked(drawing, "X"),
            "{:?}",
            clusters(drawing)
        );
    }

    #[test]
    fn false_eyes_are_no_life() {
        let drawing = "
            O X . X O . .
            X . X X O . .
            O X X O O . .
            . O O O . . .
            . . . . . . .
        ";
        let found = clusters(drawing);
        let black = found
            .iter()
            .find(|cluster| cluster.stones.len() > 2 && cluster.color == Color::Black);
        assert_eq!(black.unwrap().status, ClusterStatus::Open);
    }

    #[test]
    fn with_open_space_beside_it_nothing_is_obvious() {
        let drawing = "
            . . . . . . . .
            . . . . . . . .
            . . X O . . . .
            . . . . . . . .
            . . . . . . . .
            . . . . . . . .
        ";
        assert_eq!(stones(drawing, ClusterStatus::Open).len(), 2);
    }

    #[test]
    fn a_cluster_with_two_eyes_is_alive() {
        use crate::board::Board;
        use crate::influence::cluster::{self, ClusterStatus};
        use crate::influence::color_map::ColorMap;
        let board: Board = "
            . X . X O . .
            X X X X O . .
            O O O O O . .
            . . . . . . .
        "
        .parse()
        .unwrap();
        let clusters = cluster::find(&board, &ColorMap::new(&board));
        assert_eq!(clusters[0].eyes.len(), 2);
        assert_eq!(clusters[0].status, ClusterStatus::Alive);
    }
}
