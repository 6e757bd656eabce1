//! False eyes: points that their owner will have to fill.
//!
//! A macro chain that touches an eye in a single point is tied to that eye by a *weak link*. If the
//! weak link is all that holds two parts of the [graph](super::eye_graph) together, the enemy can
//! come to cut it. A part that has an eye elsewhere, and keeps it when every gap has been pushed into,
//! can bear that: with an eye on either side of it, the connecting point is a shared eye, and both
//! parts live. A part without one must connect, so the point gets filled (it is a *false eye*, or
//! *teire*). Filling it joins the macro chains around it, which may leave another weak link to look
//! at, and so on. Weak links that form a ring need no filling: cut in one place, the ring still holds.
//!
//! ```text
//!     X X . X O       The weak link at the top: the lone stone right of it has no other eye, so
//!     X . X O O       Black will have to connect.
//! ```
//!
//! If the enemy has already thrown in on the weak link, the points beside it go as well: the owner
//! has to take the stone from there, and then to connect.

use super::eye_graph::{EyeGraph, Link, Vertex};

/// Fills every weak link that has to be filled.
pub(super) fn fill(graph: &mut EyeGraph) {
    loop {
        graph.link();
        let mut filled = false;
        for weak_link in weak_links(graph) {
            let Link {
                macro_chain,
                eye,
                contact,
                ..
            } = graph.links[weak_link];
            if graph.to_fill.contains(contact) {
                continue;
            }
            if must_connect(graph, Vertex::MacroChain(macro_chain as usize), weak_link)
                || must_connect(graph, Vertex::Eye(eye as usize), weak_link)
            {
                graph.fill(eye as usize, contact);
                filled = true;
            }
        }
        if !filled {
            return;
        }
        graph.update_contacts();
    }
}

/// The links through a single point that alone hold two parts of the graph together. Their points
/// are cuttable.
fn weak_links(graph: &mut EyeGraph) -> Vec<usize> {
    let eyes = &graph.eyes;
    let may_be_weak = |link: &Link| link.single && eyes[link.eye as usize].links.len() >= 2;
    if !graph.links.iter().any(may_be_weak) {
        return Vec::new();
    }
    find_bridges(graph);
    let mut weak_links = Vec::new();
    for number in 0..graph.links.len() {
        let Link {
            eye,
            contact,
            single,
            bridge,
            ..
        } = graph.links[number];
        if single && bridge && graph.eyes[eye as usize].links.len() >= 2 {
            weak_links.push(number);
            graph.set_cuttable(eye as usize, contact);
        }
    }
    weak_links
}

/// Marks the links that are the only way between their ends. A walk along the links makes a tree; a
/// link that is not of the tree closes a ring, together with the ways from its ends up to where they
/// meet, and the links of no ring are the bridges.
fn find_bridges(graph: &mut EyeGraph) {
    let eyes = graph.eyes.len();
    let index = |vertex: Vertex| match vertex {
        Vertex::Eye(eye) => eye,
        Vertex::MacroChain(macro_chain) => eyes + macro_chain,
    };
    // How deep in the tree an eye or a macro chain is, the root being 1, and the link up.
    let mut places = vec![(0u16, usize::MAX); eyes + graph.position.chains()];
    let mut tree: Vec<Vertex> = Vec::with_capacity(64);
    for root in 0..eyes {
        if places[root].0 > 0 {
            continue;
        }
        places[root].0 = 1;
        let mut next = tree.len();
        tree.push(Vertex::Eye(root));
        while let Some(&vertex) = tree.get(next) {
            next += 1;
            let (depth, up) = places[index(vertex)];
            let mut way = graph.first_link(vertex);
            while let Some(link) = way {
                way = graph.next_link(vertex, link);
                if link == up {
                    continue;
                }
                let other = graph.other_end(vertex, link);
                let place = &mut places[index(other)];
                if place.0 == 0 {
                    *place = (depth + 1, link);
                    graph.links[link].bridge = true;
                    tree.push(other);
                    continue;
                }
                let (mut a, mut b) = (vertex, other);
                while a != b {
                    if places[index(a)].0 < places[index(b)].0 {
                        (a, b) = (b, a);
                    }
                    let (_, up) = places[index(a)];
                    graph.links[up].bridge = false;
                    a = graph.other_end(a, up);
                }
            }
        }
    }
}

/// Whether the part of the graph around a macro chain or an eye, cut off at this link, has no eye of
/// its own.
fn must_connect(graph: &mut EyeGraph, start: Vertex, cut: usize) -> bool {
    let mut part = Vec::with_capacity(32);
    part.push(start);
    let mut next = 0;
    while let Some(&vertex) = part.get(next) {
        next += 1;
        if let Vertex::Eye(eye) = vertex
            && graph.lasts(eye)
        {
            return false;
        }
        let mut way = graph.first_link(vertex);
        while let Some(link) = way {
            way = graph.next_link(vertex, link);
            let other = graph.other_end(vertex, link);
            if link != cut && !part.contains(&other) {
                part.push(other);
            }
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::super::score::tests::{counted, drawn};
    use super::super::{Counting, ScoringTerms, count};
    use crate::rules::Preset;

    #[test]
    fn a_stone_that_hangs_on_one_point_will_have_to_connect() {
        counted(
            "
            . . X . X O .     b b X . X O w
            . . X X O O .     b b X X O O w
            X X X O O . .     X X X O O w w
            . . X O . O .     b b X O w O w
            . . X O . . .     b b X O w w w
            ",
            Preset::Japanese,
        );
    }

    #[test]
    fn filling_one_weak_link_may_leave_another() {
        // The stones along the top hang together by two points, and have no eye at the far end.
        counted(
            "
            . X . X . X O .     b X . X . X O w
            X X X O X O O .     X X X O X O O w
            . X O O O O . .     b X O O O O w w
            X X O . O . . .     X X O w O w w w
            ",
            Preset::Japanese,
        );
    }

    #[test]
    fn between_two_eyes_a_weak_link_is_an_eye_as_well() {
        // The same with an eye at the far end: nothing has to be filled.
        counted(
            "
            . X . X . X . X O .     b X b X b X b X O w
            X X X O X X X X O .     X X X O X X X X O w
            . X O O O O O O O .     b X O O O O O O O w
            X X O . . O . O . .     X X O w w O w O w w
            ",
            Preset::Japanese,
        );
    }

    #[test]
    fn a_ring_of_weak_links_holds() {
        // The two-headed dragon: neither chain has an eye of its own, and both live.
        counted(
            "
            . X X X X X X     b X X X X X X
            X O O O O O X     X O O O O O X
            X O . O . O X     X O w O w O X
            X O O O O O X     X O O O O O X
            X X X X X X .     X X X X X X b
            ",
            Preset::Japanese,
        );
    }

    #[test]
    fn a_stone_thrown_in_on_a_weak_link_costs_the_point_beside_it_too() {
        counted(
            "
            . . . o X . O .     b b . O X . O w
            X X X X O O O .     X X X X O O O w
            . X . X O . O .     b X b X O w O w
            X X X X O O O O     X X X X O O O O
            ",
            Preset::Japanese,
        );
    }

    #[test]
    fn kgs_joins_stones_across_the_dame_that_the_enemy_holds_apart() {
        // Black's stones stand above and below the two dame, so White can't connect there: the
        // three stones in the middle hang on the point right of them.
        let drawing = "
            . O X . X . X O . .     w O X b X b X O w w
            O O X X X X X O . .     O O X X X X X O w w
            . O . . O O O . O .     w O . . O O O . O w
            O O X X X X X O . .     O O X X X X X O w w
            . O X . X . X O . .     w O X b X b X O w w
        ";
        let strict = counted(drawing, Preset::Japanese);
        let (board, dead, _) = drawn(drawing);
        let terms = ScoringTerms {
            counting: Counting::Kgs,
            ..ScoringTerms::default()
        };
        let kgs = count(&board, &dead, &Preset::Japanese.rules(), &terms);
        assert_eq!(kgs.white.territory, strict.white.territory + 1);
    }
}
