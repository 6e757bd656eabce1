//! Groups in seki, as the count sees them.
//!
//! A group, that is a connected part of the [graph](super::eye_graph) of macro chains and eyes, is
//! alive by itself when its eyes are worth two together. A group whose eyes are worth less, and that is not dead, shares its liberties with the enemy and lives in
//! *seki*: by territory rules, what it surrounds does not count.
//!
//! Which stones are not dead is given. To find out by reading whether two chains live only because
//! neither side may start, see [`crate::life::seki`].

use super::eye_graph::{EyeGraph, Vertex};
use super::final_position::{EmptyRegion, FinalPosition};
use super::score::{Mark, ScoreMap, Side};
use crate::board::Point;

/// The chains of a final position as groups, and which of those are in seki.
pub(super) struct Groups {
    /// By chain: it is alive in seki.
    pub(super) in_seki: Vec<bool>,
    pub(super) seki_groups: u32,
    /// By chain: the group that it belongs to, named by its first chain.
    group_of: Vec<usize>,
}

impl Groups {
    /// The groups of a graph whose false eyes have been filled: macro chains around the same eyes
    /// belong together.
    pub(super) fn new(mut graph: EyeGraph) -> Groups {
        graph.join_groups();
        let alive = living_groups(&mut graph);
        let (position, group_of) = (graph.position, graph.macro_chain_of);
        let in_seki: Vec<bool> = (group_of.iter().enumerate())
            .map(|(chain, &group)| position.stands(chain) && !alive[group])
            .collect();
        let seki_groups = (0..group_of.len())
            .filter(|&chain| in_seki[chain] && group_of[chain] == chain)
            .count();
        Groups {
            in_seki,
            seki_groups: seki_groups as u32,
            group_of,
        }
    }

    /// Whether this is an eye of chains in seki.
    pub(super) fn is_eye_in_seki(&self, region: EmptyRegion) -> bool {
        let wall = region.owner.and(region.contacts.first());
        wall.is_some_and(|contact| self.in_seki[contact.chain as usize])
    }

    /// Two points for each group that has them: the eyes that it can never fill. Nothing is owed
    /// for points that did not count, such as eyes in seki.
    pub(super) fn tax(&self, position: &FinalPosition, map: &ScoreMap, sides: &mut [Side; 2]) {
        let counted = |&&point: &&Point| !matches!(map.mark(point), Mark::Dame | Mark::Stone(_));
        let mut eyes = vec![0u32; position.chains()];
        for region in position.regions().filter(|region| region.owner.is_some()) {
            let wall = region.contacts[0].chain as usize;
            eyes[self.group_of[wall]] += region.points.iter().filter(counted).count() as u32;
        }
        for (group, eyes) in eyes.into_iter().enumerate() {
            sides[position.color(group).index()].group_tax += eyes.min(2);
        }
    }
}

/// By group: whether it has two eyes.
fn living_groups(graph: &mut EyeGraph) -> Vec<bool> {
    let mut alive = vec![false; graph.position.chains()];
    let mut has_eye = alive.clone();
    for wanted in [1, 2] {
        for eye in 0..graph.eyes.len() {
            let Some(link) = graph.first_link(Vertex::Eye(eye)) else {
                continue;
            };
            let group = graph.macro_chain_of[graph.links[link].macro_chain as usize];
            if !alive[group] && graph.is_worth(eye, wanted) {
                alive[group] = has_eye[group] || wanted == 2;
                has_eye[group] = true;
            }
        }
    }
    alive
}

#[cfg(test)]
mod tests {
    use super::super::score::tests::counted;
    use crate::rules::Preset;

    #[test]
    fn groups_with_an_eye_each_share_their_last_liberty_in_seki() {
        let count = counted(
            "
            . X . O .     . # . @ .
            X X . O O     # # . @ @
            X X . O O     # # . @ @
            ",
            Preset::Japanese,
        );
        assert_eq!(count.seki_groups, 2);
        assert_eq!(count.dame, 5);
    }

    #[test]
    fn dead_stones_in_an_eye_that_is_no_more_than_one_stay_in_a_seki() {
        // Three of five in a row: when Black has taken them, White plays in the middle.
        counted(
            "
            . X . O . O     . # . O w O
            o X . O O .     O # . O O w
            o X . O . O     O # . O w O
            o X . O O .     O # . O O w
            . X . O . O     . # . O w O
            ",
            Preset::Japanese,
        );
    }

    #[test]
    fn dead_stones_in_a_large_eye_are_taken() {
        counted(
            "
            . X . O . O     b X . O w O
            . X . O O .     b X . O O w
            o X . O . O     o X . O w O
            . X . O O .     b X . O O w
            . X . O . O     b X . O w O
            ",
            Preset::Japanese,
        );
    }

    #[test]
    fn unfilled_dame_do_not_make_a_seki() {
        // Nothing is closed on the left, but Black can answer every push: no territory, no seki.
        counted(
            "
            . . . . . X .     . . . . . X b
            . X X . X X .     . X X . X X b
            . . . . . X .     . . . . . X b
            O O O O O X .     O O O O O X b
            . . . . O X .     w w w w O X b
            . . . . O X .     w w w w O X b
            ",
            Preset::Japanese,
        );
    }

    #[test]
    fn one_colour_alone_needs_two_eyes_as_well() {
        // The enemy could still come and take them.
        counted("X . X X     # . # #", Preset::Japanese);
        counted(". X .     b X b", Preset::Japanese);
    }

    #[test]
    fn one_colour_alone_has_everything() {
        counted(
            "
            . X .     b X b
            . . .     b b b
            ",
            Preset::Japanese,
        );
    }
}
