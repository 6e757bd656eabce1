//! Shadows: how far a cluster reaches when all it colours is taken for stones.
//!
//! Influencie draws the [colour map](super::color_map) a second time, with every point of every
//! cluster pretending to be a stone. What the map then colours around a cluster is its shadow:
//! ground that is not its own yet, but where it would be the one to make eyes. The shadow of a
//! cluster is the connected part of the second map that holds the cluster; clusters whose shadows
//! run together have it in common.

use super::cluster::Cluster;
use super::color_map::ColorMap;
use crate::board::{Color, PointSet};

/// The second map and the shadow of each cluster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shadows {
    /// The map that spreads from all points of the clusters.
    pub map: ColorMap,
    /// The shadow of each cluster, the cluster included, in the order of the clusters.
    pub of_clusters: Vec<PointSet>,
}

/// Casts the shadows of the clusters of a map.
pub(crate) fn cast(map: &ColorMap, clusters: &[Cluster]) -> Shadows {
    let mut pretended = [PointSet::EMPTY; 2];
    for cluster in clusters {
        pretended[cluster.color.index()] |= cluster.points;
    }
    let second = ColorMap::spread(map.size(), pretended);
    let of_clusters = clusters
        .iter()
        .map(|cluster| {
            let first = cluster.points.first().expect("a cluster has points");
            second.points(cluster.color).connected(first)
        })
        .collect();
    Shadows {
        map: second,
        of_clusters,
    }
}

impl Shadows {
    /// All points in the shadow of a colour.
    pub fn points(&self, color: Color) -> &PointSet {
        self.map.points(color)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::drawn;
    use crate::influence::cluster;

    #[test]
    fn a_shadow_never_shrinks_the_cluster_nor_enters_the_enemy() {
        let board = drawn::board(
            "
            . . . . . . . . .
            . . X . . . O . .
            . . . . . . . . .
            . X . . X . . O .
            . . . . . . . . .
            . . X . . . O . .
            . . . . . . . . .
        ",
        );
        let map = ColorMap::new(&board);
        let clusters = cluster::find(&board, &map);
        let shadows = cast(&map, &clusters);
        for color in Color::BOTH {
            assert!(map.points(color).is_subset(shadows.points(color)));
            assert!(!shadows.points(color).meets(map.points(color.other())));
        }
    }

    #[test]
    fn a_shadow_reaches_beyond_the_cluster() {
        let drawing = "
            . . . . . . .
            . . . X . . .
            . . . . . . .
            . X . . . X .
            . . . . . . .
            . . . X . . .
            . . . . . . .
        ";
        let board = drawn::board(drawing);
        let map = ColorMap::new(&board);
        let clusters = cluster::find(&board, &map);
        let shadows = cast(&map, &clusters);
        assert!(map.points(Color::Black).len() < clusters[0].points.len());
        let all = PointSet::full(board.size());
        assert_eq!(shadows.of_clusters[0], all);
    }

    #[test]
    fn every_cluster_lies_in_its_shadow() {
        use crate::board::Board;
        use crate::influence::{cluster, color_map::ColorMap, shadow};
        let board: Board = "
            . . X . . .
            . . . . . .
            X . . . . O
            . . . . . .
        "
        .parse()
        .unwrap();
        let map = ColorMap::new(&board);
        let clusters = cluster::find(&board, &map);
        let shadows = shadow::cast(&map, &clusters);
        assert_eq!(shadows.of_clusters.len(), clusters.len());
        for (cluster, shadow) in clusters.iter().zip(&shadows.of_clusters) {
            assert!(cluster.points.is_subset(shadow));
        }
    }
}
