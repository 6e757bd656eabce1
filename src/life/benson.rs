//! Unconditional life and territory: proofs that need no reading.
//!
//! David Benson ("Life in the Game of Go", 1976) found which chains can't be taken even if their
//! owner passes for ever. Cut the board into the areas that a colour encloses. An area is *vital*
//! to a chain when all its empty points are liberties of that chain: the opponent can't fill it
//! without running out of liberties himself. Chains with two vital areas live, as long as the
//! areas stay closed; so strike out every chain with fewer than two, then every area that a struck
//! chain helps to close, and again, until nothing changes. What is left lives without a move.
//!
//! An area that only such chains close is also the owner's territory, if the opponent can never
//! live in it: to live he needs two eyes, so two points that are not beside each other and not
//! beside a living stone. Where there are none, whatever enemy stones are inside are dead.
//!
//! The proof itself (`strike_out`) knows nothing of boards: the local search and the count of eyes in
//! a space use it on small boards of their own.
//!
//! This is certain, and rare: only about a fifth of the living stones in a finished game are
//! unconditionally alive, since most areas are larger than the two eyes that they would become. It
//! is a proof to show and a way to skip work; not a judge of all that it doesn't prove.

use super::position_graph::PositionGraph;
use super::potential_territory::PotentialTerritories;
use crate::board::{Board, Color, Point, PointSet};

/// What is proven about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unconditional {
    alive: [PointSet; 2],
    territory: [PointSet; 2],
}

impl Unconditional {
    /// The stones of a colour that can't be taken even if their owner always passes.
    pub fn alive(&self, color: Color) -> &PointSet {
        &self.alive[color.index()]
    }

    /// The points, empty or with dead enemy stones, that are a colour's whatever happens.
    pub fn territory(&self, color: Color) -> &PointSet {
        &self.territory[color.index()]
    }
}

/// The unconditional life and territory of both colours.
///
/// ```
/// use kifu::life::benson;
/// use kifu::board::{Board, Color};
///
/// let board: Board = "
///     . X . X O
///     X X X X O
///     O O O O O
///     . . O . .
/// ".parse().unwrap();
/// let proven = benson::unconditional(&board);
/// assert_eq!(proven.alive(Color::Black).len(), 6);
/// assert_eq!(proven.territory(Color::Black).len(), 2);
/// // White's two areas below are eyes as well.
/// assert_eq!(proven.alive(Color::White).len(), 8);
/// ```
pub fn unconditional(board: &Board) -> Unconditional {
    proven(&PositionGraph::new(board))
}

/// The same for a position that has been cut into chains and regions.
pub(crate) fn proven(graph: &PositionGraph) -> Unconditional {
    let mut found = Unconditional {
        alive: [PointSet::EMPTY; 2],
        territory: [PointSet::EMPTY; 2],
    };
    for color in Color::BOTH {
        let (alive, territory) = proven_of(graph, color);
        found.alive[color.index()] = alive;
        found.territory[color.index()] = territory;
    }
    found
}

/// The living stones and the territory of a colour.
fn proven_of(graph: &PositionGraph, color: Color) -> (PointSet, PointSet) {
    let areas = PotentialTerritories::enclosed_by(graph, color);
    let mut links: Vec<Link> = Vec::with_capacity(256);
    let mut candidates = vec![Candidate::new(2); graph.chains().len()];
    for (number, chain) in graph.chains().iter().enumerate() {
        if chain.color != color {
            candidates[number].alive = false;
            continue;
        }
        // The areas beside the chain, each with how many of its liberties are in there.
        let mut beside: Vec<(usize, u32)> = Vec::new();
        let mut add =
            |area: usize, liberties: u32| match beside.iter_mut().find(|(other, _)| *other == area)
            {
                Some((_, sum)) => *sum += liberties,
                None => beside.push((area, liberties)),
            };
        for &liberty in &chain.liberties {
            let region = graph.region_at(liberty).expect("a liberty is empty");
            add(areas.of_region(region), 1);
        }
        for &enemy in &chain.enemies {
            add(areas.of_chain(enemy).expect("an enemy is off the board"), 0);
        }
        links.extend(beside.into_iter().map(|(area, liberties)| Link {
            chain: number as u16,
            area: area as u16,
            vital: liberties == areas.get(area).empty,
        }));
    }
    let mut closed = vec![true; areas.len()];
    strike_out(&mut candidates, &mut closed, &links);
    let alive = graph.stones(|chain| candidates[chain].alive);
    let mut territory = PointSet::EMPTY;
    if !alive.is_empty() {
        for (area, _) in closed.iter().enumerate().filter(|&(_, &closed)| closed) {
            let points = areas.points(graph, area);
            if !has_room_for_two_eyes(graph, color, &points) {
                territory |= points;
            }
        }
    }
    (alive, territory)
}

/// One chain beside one area.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Link {
    pub(crate) chain: u16,
    pub(crate) area: u16,
    /// Whether all empty points of the area are liberties of the chain.
    pub(crate) vital: bool,
}

/// A chain that may be alive.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    pub(crate) alive: bool,
    /// How many vital areas it needs.
    needs: u16,
    has: u16,
}

impl Candidate {
    /// A chain that lives with so many vital areas.
    pub(crate) const fn new(needs: u16) -> Candidate {
        Candidate {
            alive: true,
            needs,
            has: 0,
        }
    }
}

/// Benson's proof: strikes out every chain with fewer vital areas than it needs, then opens every
/// area that a struck chain helps to close, and again, until nothing changes.
pub(crate) fn strike_out(chains: &mut [Candidate], closed: &mut [bool], links: &[Link]) {
    while strike_once(chains, closed, links) {
        for link in links {
            closed[link.area as usize] &= chains[link.chain as usize].alive;
        }
    }
}

/// One round of the proof: strikes out every chain with fewer vital areas that are closed than it
/// needs; whether there were any.
pub(crate) fn strike_once(chains: &mut [Candidate], closed: &[bool], links: &[Link]) -> bool {
    for chain in chains.iter_mut() {
        chain.has = 0;
    }
    for link in links.iter().filter(|link| link.vital) {
        chains[link.chain as usize].has += closed[link.area as usize] as u16;
    }
    let mut struck = false;
    for chain in chains.iter_mut() {
        struck |= chain.alive && chain.has < chain.needs;
        chain.alive &= chain.has >= chain.needs;
    }
    struck
}

/// Whether the opponent of `color` could make two eyes in an area that `color` encloses.
fn has_room_for_two_eyes(graph: &PositionGraph, color: Color, area: &PointSet) -> bool {
    let own = color.spot();
    let touches_wall = |point: &Point| {
        let beside = point.neighbors();
        beside.into_iter().any(|p| graph.spot(p) == own)
    };
    let mut inner = area.iter().filter(|point| !touches_wall(point));
    match (inner.next(), inner.next(), inner.next()) {
        (_, None, _) => false,
        (Some(a), Some(b), None) => !a.neighbors().contains(&b),
        // Of three points of a grid, two are apart.
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Size;
    use crate::board::drawn;

    /// Capital `X` and `O` are stones, `b` and `w` proven territory; a second drawing shows the
    /// proven stones only.
    fn check(drawing: &str, alive: &str) {
        let board = drawn::board(drawing);
        let proven = unconditional(&board);
        for (color, stone, territory) in [(Color::Black, "X", "bB"), (Color::White, "O", "wW")] {
            assert_eq!(
                *proven.alive(color),
                drawn::marked(alive, stone),
                "{} stones {board}",
                color.name()
            );
            assert_eq!(
                *proven.territory(color) & board.empty(),
                drawn::marked(drawing, territory),
                "{} territory {board}",
                color.name()
            );
        }
    }

    #[test]
    fn two_small_eyes_live_and_one_does_not() {
        check(
            "
            b X b X O .
            X X X X O .
            O O O O O .
            . . . . . .
        ",
            "
            . X . X . .
            X X X X . .
            . . . . . .
            . . . . . .
        ",
        );
        check(
            "
            . X X X O .
            X X X X O .
            O O O O O .
            . . . . . .
        ",
            "
            . . . . . .
            . . . . . .
            . . . . . .
            . . . . . .
        ",
        );
    }

    #[test]
    fn chains_that_share_two_false_looking_eyes_live_together() {
        // A two-headed dragon: the diagonal rule calls the eyes at the top and the bottom false,
        // yet each of the two chains has both.
        check(
            "
            X X b X X
            X X X O X
            X O b O X
            X X X O X
            X X b X X
        ",
            "
            X X . X X
            X X X . X
            X . . . X
            X X X . X
            X X . X X
        ",
        );
    }

    #[test]
    fn a_large_area_proves_nothing_unless_all_of_it_is_liberties() {
        // All of the two-point area is liberties; the nine points in the corner are not.
        check(
            "
            b b X b X O
            X X X X X O
            O O O O O O
        ",
            "
            . . X . X .
            X X X X X .
            . . . . . .
        ",
        );
        check(
            "
            . . . X X O
            . . . X X O
            . . . X . O
            X X X X O O
        ",
            "
            . . . . . .
            . . . . . .
            . . . . . .
            . . . . . .
        ",
        );
    }

    #[test]
    fn enemy_stones_in_proven_territory_are_dead() {
        let board = drawn::board(
            "
            . O X . X . X .
            . O X X X X X .
            X X X . . . . .
            . . . . . . . .
        ",
        );
        let proven = unconditional(&board);
        let territory = drawn::marked(
            "
            t t . t . t . .
            t t . . . . . .
            . . . . . . . .
            . . . . . . . .
        ",
            "t",
        );
        assert_eq!(*proven.territory(Color::Black), territory);
        assert!(proven.territory(Color::White).is_empty());
    }

    #[test]
    fn a_board_without_stones_or_without_room_is_no_trouble() {
        for side in [1, 2, 19, 52] {
            let proven = unconditional(&Board::new(Size::square(side)));
            assert!(proven.alive(Color::Black).is_empty());
            assert!(proven.territory(Color::White).is_empty());
        }
        unconditional(&drawn::board("X O"));
    }
}
