//! Potential territory: what is surrounded once some chains are taken off the board.
//!
//! A potential territory is a connected area of empty points and of stones that are taken for dead.
//! Once those are off the board, one that standing stones of a single colour touch is that colour's
//! territory. Whose the stones are that count as dead depends on who asks:
//!
//! - the judge asks with those that most playouts killed, and with those that seem to be dead;
//! - the count asks with the dead, and what-ifs with others;
//! - with all chains of one colour off the board, these are the areas that the other colour
//!   *encloses*, which is what [unconditional life](super::benson) is about.
//!
//! The [graph](PositionGraph) of the position says which regions and chains lie beside each other,
//! so to find the territories is to join neighbours: no point has to be visited.

use super::position_graph::PositionGraph;
use crate::board::{Color, Point, PointSet, UnionFind};

/// A connected area of empty points and removed stones.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PotentialTerritory {
    /// How many points it has.
    pub(crate) points: u32,
    /// How many of them are empty.
    pub(crate) empty: u32,
    /// Whether a standing stone of each colour touches it.
    touches: [bool; 2],
}

impl PotentialTerritory {
    /// Whether no standing stone of this colour touches it.
    #[inline]
    pub(crate) fn is_free_of(&self, color: Color) -> bool {
        !self.touches[color.index()]
    }

    /// The only colour that touches it.
    pub(crate) fn owner(&self) -> Option<Color> {
        match self.touches {
            [true, false] => Some(Color::Black),
            [false, true] => Some(Color::White),
            _ => None,
        }
    }
}

/// All potential territories of a position, in the order of their first points.
pub(crate) struct PotentialTerritories {
    list: Vec<PotentialTerritory>,
    of_regions: Vec<u16>,
    /// [`STANDING`] for chains that are not removed.
    of_chains: Vec<u16>,
}

const STANDING: u16 = u16::MAX;

impl PotentialTerritories {
    /// The potential territories if these chains are off the board.
    pub(crate) fn new(
        graph: &PositionGraph,
        is_removed: impl Fn(usize) -> bool,
    ) -> PotentialTerritories {
        let regions = graph.regions().len();
        let chains = graph.chains();
        // Regions, then chains.
        let mut areas = UnionFind::new(regions + chains.len());
        let removed: Vec<bool> = (0..chains.len()).map(is_removed).collect();
        for (number, chain) in chains.iter().enumerate().filter(|&(i, _)| removed[i]) {
            for &region in &chain.regions {
                areas.join(regions + number, region);
            }
            for &enemy in chain.enemies.iter().filter(|&&enemy| removed[enemy]) {
                areas.join(regions + number, regions + enemy);
            }
        }
        let roots = areas.roots();
        let mut firsts: Vec<(Point, usize)> = Vec::with_capacity(roots.len());
        firsts.extend((0..regions).map(|i| (graph.region(i).points()[0], i)));
        let stones = (0..chains.len()).filter(|&chain| removed[chain]);
        firsts.extend(stones.map(|i| (chains[i].stones[0], regions + i)));
        firsts.sort_unstable();
        let mut of_roots = vec![STANDING; roots.len()];
        let mut found = PotentialTerritories {
            list: Vec::with_capacity(regions),
            of_regions: vec![STANDING; regions],
            of_chains: vec![STANDING; chains.len()],
        };
        for (_, member) in firsts {
            let number = &mut of_roots[roots[member]];
            if *number == STANDING {
                *number = found.list.len() as u16;
                found.list.push(PotentialTerritory {
                    points: 0,
                    empty: 0,
                    touches: [false; 2],
                });
            }
            let territory = &mut found.list[*number as usize];
            if member < regions {
                found.of_regions[member] = *number;
                let points = graph.region(member).points().len() as u32;
                territory.points += points;
                territory.empty += points;
            } else {
                found.of_chains[member - regions] = *number;
                territory.points += chains[member - regions].stones.len() as u32;
            }
        }
        for (number, chain) in chains.iter().enumerate() {
            if removed[number] {
                let territory = &mut found.list[found.of_chains[number] as usize];
                let enemy = chain.color.other();
                territory.touches[enemy.index()] |= chain.enemies.iter().any(|&e| !removed[e]);
            } else {
                for &region in &chain.regions {
                    let territory = &mut found.list[found.of_regions[region] as usize];
                    territory.touches[chain.color.index()] = true;
                }
            }
        }
        found
    }

    /// The areas that a colour encloses, with whatever enemy stones are in them.
    pub(crate) fn enclosed_by(graph: &PositionGraph, color: Color) -> PotentialTerritories {
        PotentialTerritories::new(graph, |chain| graph.chain(chain).color != color)
    }

    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &PotentialTerritory> {
        self.list.iter()
    }

    #[inline]
    pub(crate) fn get(&self, territory: usize) -> &PotentialTerritory {
        &self.list[territory]
    }

    /// The territory that a region is part of.
    #[inline]
    pub(crate) fn of_region(&self, region: usize) -> usize {
        self.of_regions[region] as usize
    }

    /// The territory that a chain is part of, if it is off the board.
    #[inline]
    pub(crate) fn of_chain(&self, chain: usize) -> Option<usize> {
        let territory = self.of_chains[chain];
        (territory != STANDING).then_some(territory as usize)
    }

    /// By point: the territory that it is part of.
    pub(crate) fn by_point(&self, graph: &PositionGraph) -> Vec<Option<u16>> {
        let mut territories = vec![None; graph.size().padded()];
        for (region, &territory) in graph.regions().zip(&self.of_regions) {
            for point in region.points() {
                territories[point.index()] = Some(territory);
            }
        }
        for (chain, &territory) in graph.chains().iter().zip(&self.of_chains) {
            if territory != STANDING {
                for stone in &chain.stones {
                    territories[stone.index()] = Some(territory);
                }
            }
        }
        territories
    }

    /// The points of a territory.
    pub(crate) fn points(&self, graph: &PositionGraph, territory: usize) -> PointSet {
        let regions = graph.regions().enumerate();
        let regions = regions.filter(|&(region, _)| self.of_region(region) == territory);
        let empty: PointSet = regions.flat_map(|(_, r)| r.points()).copied().collect();
        empty | graph.stones(|chain| self.of_chain(chain) == Some(territory))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, Size, drawn};
    use proptest::prelude::*;

    #[test]
    fn what_a_colour_encloses_includes_the_enemy_inside() {
        let board = drawn::board(
            "
            . O X . .
            . . X . .
            X X X . .
        ",
        );
        let graph = PositionGraph::new(&board);
        let areas = PotentialTerritories::enclosed_by(&graph, Color::Black);
        let sizes: Vec<(u32, u32)> = areas.iter().map(|area| (area.points, area.empty)).collect();
        assert_eq!(sizes, [(4, 3), (6, 6)]);
        assert!(areas.iter().all(|area| area.owner() == Some(Color::Black)));
    }

    proptest! {
        /// To join the nodes of the graph is to fill the board without the stones.
        #[test]
        fn joined_neighbours_are_the_filled_areas(
            (width, height) in (1u8..8, 1u8..8),
            spots in prop::collection::vec(0u8..4, 49),
            removed in prop::collection::vec(any::<bool>(), 49),
        ) {
            let size = Size::new(width, height).unwrap();
            let mut board = Board::new(size);
            for (point, spot) in size.points().zip(spots) {
                board.set(point, [None, None, Some(Color::Black), Some(Color::White)][spot as usize]);
            }
            let graph = PositionGraph::new(&board);
            let territories = PotentialTerritories::new(&graph, |chain| removed[chain]);
            let stones = graph.stones(|chain| removed[chain]);
            let standing = board.without(&stones);
            let filled: Vec<PointSet> = standing.empty().parts().collect();
            prop_assert_eq!(territories.len(), filled.len());
            for (number, points) in filled.into_iter().enumerate() {
                let territory = territories.get(number);
                prop_assert_eq!(territories.points(&graph, number), points);
                prop_assert_eq!(territory.points as usize, points.len());
                prop_assert_eq!(territory.empty as usize, (points & board.empty()).len());
                for color in Color::BOTH {
                    let touches = points.neighbors(size).meets(&standing.stones(color));
                    prop_assert_eq!(territory.is_free_of(color), !touches);
                }
            }
        }
    }
}
