//! Local life and death of a cluster: could it live if the rest of the board were the enemy's?
//!
//! Influencie's question. Take the cluster and its [shadow](super::shadow); fill up the rest of the
//! board with enemy stones and give them two eyes, so that they can't be taken; then read. A chain
//! of the cluster that is taken even if its owner moves first is dead. Enemy stones that lie
//! within the area, and can be taken although everything outside is theirs, are dead too.
//!
//! The reading is done by the [local search](crate::life::local_search) on a board that holds just the
//! area: its walls are the enemy's stones with their two eyes. Chains that can only be saved or
//! killed by whoever moves first are left alone: the game is not over there.

use super::cluster::{Cluster, ClusterStatus};
use crate::board::{Board, Color, Point, PointSet};
use crate::life::local_board::LocalBoard;
use crate::life::local_search::{Fate, Problem};

/// The stones that are dead in the area of a cluster and its shadow, of either colour, looking
/// with at most `limit` positions per question. `clusters` are all of the board; those that are
/// obviously alive are not looked for inside.
pub(crate) fn dead_stones(
    board: &Board,
    clusters: &[Cluster],
    index: usize,
    shadow: &PointSet,
    limit: u32,
) -> PointSet {
    let cluster = &clusters[index];
    let enemy = cluster.color.other();
    let inside = enclosed_enemies(board, clusters, cluster, shadow);
    let area = cluster.points | *shadow | inside;
    let mut dead = PointSet::EMPTY;
    let Some(local) = LocalBoard::within(board, &area, enemy) else {
        return dead;
    };
    let mut seen = PointSet::EMPTY;
    for stone in (cluster.stones | inside & board.stones(enemy)).iter() {
        let chain = board.head(stone);
        if !seen.insert(chain) {
            continue;
        }
        let owner = board.stone(chain).expect("a chain has a colour");
        let stones: PointSet = board.chain(chain).collect();
        // A chain that reaches out of the area is judged where it reaches to.
        if stones.is_subset(&area) && dies(&local, chain, owner, limit) {
            dead |= stones;
        }
    }
    dead
}

/// Whether a chain is taken even if its owner moves first.
fn dies(local: &LocalBoard, chain: Point, owner: Color, limit: u32) -> bool {
    let problem = Problem::inside(local.clone(), &[chain], owner);
    problem.fate(owner, limit) == Fate::Dies
}

/// The parts of the board that the cluster and its shadow close in, with enemy stones that are not
/// obviously alive in them.
fn enclosed_enemies(
    board: &Board,
    clusters: &[Cluster],
    cluster: &Cluster,
    shadow: &PointSet,
) -> PointSet {
    let area = cluster.points | *shadow;
    let living = clusters
        .iter()
        .filter(|other| other.color != cluster.color && other.status == ClusterStatus::Alive)
        .fold(PointSet::EMPTY, |sum, other| sum | other.points);
    (PointSet::full(board.size()) - area)
        .parts()
        .filter(|part| part.len() < area.len() && !part.meets(&living))
        .fold(PointSet::EMPTY, |sum, part| sum | part)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::drawn;
    use crate::influence::{cluster, color_map::ColorMap, shadow};

    /// All stones that are locally dead.
    fn dead(drawing: &str) -> PointSet {
        let board = drawn::board(drawing);
        let map = ColorMap::new(&board);
        let clusters = cluster::find(&board, &map);
        let shadows = shadow::cast(&map, &clusters);
        (0..clusters.len())
            .map(|i| dead_stones(&board, &clusters, i, &shadows.of_clusters[i], 20_000))
            .fold(PointSet::EMPTY, |sum, dead| sum | dead)
    }

    #[test]
    fn a_square_four_is_dead_and_a_row_of_four_is_not() {
        let square = "
            X X X X O . . .
            X . . X O . . .
            X . . X O . . .
            X X X X O . . .
            O O O O O . . .
            . . . . . . . .
            . . . . . . . .
        ";
        assert_eq!(dead(square), drawn::marked(square, "X"));
        let row = "
            . . . . X O . .
            X X X X X O . .
            O O O O O O . .
            . . . . . . . .
            . . . . . . . .
        ";
        assert!(dead(row).is_empty());
    }

    #[test]
    fn an_unsettled_group_is_left_alone() {
        let three = "
            . . . X O . . .
            X X X X O . . .
            O O O O O . . .
            . . . . . . . .
            . . . . . . . .
        ";
        assert!(dead(three).is_empty());
    }

    #[test]
    fn a_stone_in_an_enemy_eye_space_is_dead() {
        let invader = "
            . o . X . X O .
            X X X X X X O .
            O O O O O O O .
            . . . . . . . .
            . . . . . . . .
        ";
        let stone = drawn::marked(invader, "o");
        assert_eq!(dead(&invader.replace('o', "O")), stone);
    }

    #[test]
    fn two_points_of_eye_space_are_not_enough() {
        use crate::board::{Board, Color};
        use crate::influence::{cluster, color_map::ColorMap, local_life, shadow};
        // Two points of eye space are not enough, whoever moves first.
        let board: Board = "
            . . X O . .
            X X X O . .
            O O O O . .
            . . . . . .
            . . . . . .
        "
        .parse()
        .unwrap();
        let map = ColorMap::new(&board);
        let clusters = cluster::find(&board, &map);
        let shadows = shadow::cast(&map, &clusters);
        let dead = local_life::dead_stones(&board, &clusters, 0, &shadows.of_clusters[0], 1_000);
        assert_eq!(dead, board.stones(Color::Black));
    }
}
