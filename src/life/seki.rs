//! Seki: chains that live because neither side may start.
//!
//! The smallest seki can be seen: a region of two empty points between chains that have no other
//! liberties ([`is_two_point`]). Whoever plays there puts himself in atari.
//!
//! The general case, with more liberties, with eyes, with several chains, is found by reading. Two
//! chains of different colours are in seki with each other when
//!
//! - neither can be taken, even if the enemy moves first;
//! - but each of them would be taken if its living enemies could not be: it has not got two eyes
//!   of its own, and lives only by what it could do to them;
//! - and they share a liberty.
//!
//! The first line sets a seki apart from dead stones, the second from plain life. Both are
//! questions to the local search. Where it doesn't know, no seki is claimed.
//!
//! A position that depends on a ko is no seki, nor is a chain that lives in "seki" only until the
//! opponent starts a ko in the corner: for that see [`bent_four`](super::bent_four).

use super::judge::Life;
use super::local_board::LocalBoard;
use super::local_search::{self, Fate, Problem};
use super::position_graph::{PositionGraph, Region};
use crate::board::{Board, Color, Point, PointSet, UnionFind};

/// Chains in seki with each other.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Seki {
    /// The chains, by their index in the graph of the position, in order.
    pub chains: Vec<usize>,
    /// The liberties that the two sides share.
    pub shared: PointSet,
}

/// Whether a region is the smallest seki: two empty points, between chains of both colours that
/// have no other liberties.
///
/// ```
/// use kifu::board::{Board, Point};
/// use kifu::life::{PositionGraph, seki};
///
/// let board: Board = "
///     X X X X O O O O
///     X O O O X X X O
///     X O O . X X X O
///     X O O . X X X O
///     X O O O X X X O
///     X X X X O O O O
///     . . . X O . . .
/// ".parse().unwrap();
/// let graph = PositionGraph::new(&board);
/// let region_at = |x, y| graph.region(graph.region_at(Point::new(x, y)).unwrap());
/// assert!(seki::is_two_point(&graph, region_at(3, 2)));
/// assert!(!seki::is_two_point(&graph, region_at(0, 6)));
/// ```
pub fn is_two_point(graph: &PositionGraph, region: Region) -> bool {
    let has_no_other = |chain: usize| graph.chain(chain).regions.len() == 1;
    region.points().len() == 2
        && Color::BOTH.into_iter().all(|color| region.touches(color))
        && region.chains().into_iter().all(has_no_other)
}

/// Every seki of a position, in the order of their first stones, as far as the local search can tell
/// with this many positions per question. What is presumed safe is not asked about: stones that are
/// unconditionally alive, or that enclose ample room.
///
/// ```
/// use kifu::board::Board;
/// use kifu::life::{PositionGraph, seki};
///
/// let board: Board = "
///     . . . . X O . . . .
///     . X X X X O O O O .
///     . X O O O X X X O .
///     . X O O . X X X O .
///     . X O O . X X X O .
///     . X O O O X X X O .
///     . X X X X O O O O .
///     . . . . X O . . . .
/// ".parse().unwrap();
/// let found = seki::find(&board, &PositionGraph::new(&board), 2_000);
/// assert_eq!(found.len(), 1);
/// assert_eq!(found[0].shared.len(), 2);
/// ```
pub fn find(board: &Board, graph: &PositionGraph, limit: u32) -> Vec<Seki> {
    find_among(board, graph, &local_search::presumed_safe(graph), limit)
}

/// Like [`find`], with the stones that are settled given by the caller.
pub(crate) fn find_among(
    board: &Board,
    graph: &PositionGraph,
    safe: &PointSet,
    limit: u32,
) -> Vec<Seki> {
    let pairs = meetings(graph, safe);
    let mut asked: Vec<usize> = pairs.iter().flat_map(|pair| pair.chains).collect();
    asked.sort_unstable();
    asked.dedup();
    let fate_if_attacked = |chain: usize, safe: &PointSet| {
        let node = graph.chain(chain);
        let problem = Problem::new(board, node.stones[0], safe);
        problem.map(|problem| problem.fate(node.color.other(), limit))
    };
    asked.retain(|&chain| fate_if_attacked(chain, safe) == Some(Fate::Lives));
    // The living as walls: whom could they not do without?
    let living = Color::BOTH.map(|color| {
        let of_color = |chain: usize| graph.chain(chain).color == color;
        *safe | graph.stones(|chain| of_color(chain) && asked.contains(&chain))
    });
    asked.retain(|&chain| {
        let enemy = graph.chain(chain).color.other();
        fate_if_attacked(chain, &living[enemy.index()]) == Some(Fate::Dies)
    });
    gather(&pairs, &asked)
}

/// Puts seemingly shared life to the test: whether chains that are taken for `seki` really are.
/// It is none if one side, moving first, makes life of its own, and then takes the others. Those
/// are dead, and are named. Stones that live and are not in seki are settled.
pub(crate) fn refute(board: &Board, life: &Life, seki: &[bool], limit: u32) -> Vec<usize> {
    let graph = life.graph();
    let unsettled = |chain: usize| seki[chain] || !life.is_alive(chain);
    // What a fight over a seki may reach: chains in seki, the regions beside them, and the dead
    // stones in those, which still count as liberties and as stones.
    let mut fights = UnionFind::new(seki.len());
    for (number, chain) in graph.chains().iter().enumerate() {
        for &enemy in chain
            .enemies
            .iter()
            .filter(|&&e| unsettled(number) && unsettled(e))
        {
            fights.join(number, enemy);
        }
    }
    for region in graph.regions() {
        let mut around = region
            .chains()
            .into_iter()
            .filter(|&chain| unsettled(chain));
        if let Some(first) = around.next() {
            for chain in around {
                fights.join(first, chain);
            }
        }
    }
    let roots = fights.roots();
    let mut dead = Vec::new();
    for fight in 0..seki.len() {
        let members: Vec<usize> = (0..seki.len())
            .filter(|&chain| unsettled(chain) && roots[chain] == fight)
            .collect();
        let mut points = graph.stones(|chain| members.contains(&chain));
        for &region in members
            .iter()
            .flat_map(|&chain| &graph.chain(chain).regions)
        {
            points.extend(graph.region(region).points().iter().copied());
        }
        let of_color = |color: Color| -> Vec<usize> {
            let in_seki = members.iter().copied().filter(|&chain| seki[chain]);
            in_seki
                .filter(|&chain| graph.chain(chain).color == color)
                .collect()
        };
        let problem = |chains: &[usize], points: &PointSet, color: Color| {
            let stones: Vec<Point> = chains
                .iter()
                .map(|&chain| graph.chain(chain).stones[0])
                .collect();
            let local = LocalBoard::of(board, points, color)?;
            Some(Problem::inside(local, &stones, color))
        };
        for color in Color::BOTH {
            let (own, others) = (of_color(color), of_color(color.other()));
            if own.is_empty() || others.is_empty() {
                break;
            }
            let settles = problem(&own, &points, color).is_some_and(|it| it.can_settle(limit));
            let beyond = points & !graph.stones(|chain| own.contains(&chain));
            let dies = |&other: &usize| {
                let problem = problem(&[other], &beyond, color.other());
                problem.is_some_and(|it| it.fate(color, limit) == Fate::Dies)
            };
            if settles && others.iter().all(dies) {
                dead.extend(others);
                break;
            }
        }
    }
    dead
}

/// A black and a white chain with liberties in common.
struct Meeting {
    chains: [usize; 2],
    shared: PointSet,
}

/// Every pair of unsettled chains that share a liberty.
fn meetings(graph: &PositionGraph, safe: &PointSet) -> Vec<Meeting> {
    let unsettled = |color: Color| {
        let chains = graph.chains().iter().enumerate();
        chains.filter(move |(_, chain)| chain.color == color && !safe.contains(chain.stones[0]))
    };
    let mut pairs = Vec::new();
    for (black, ours) in unsettled(Color::Black) {
        for (white, theirs) in unsettled(Color::White) {
            let ours = ours.liberties.iter().copied();
            let shared: PointSet = ours.filter(|p| theirs.liberties.contains(p)).collect();
            if !shared.is_empty() {
                let chains = [black, white];
                pairs.push(Meeting { chains, shared });
            }
        }
    }
    pairs
}

/// Puts the pairs of dependent chains together that have a chain in common.
fn gather(pairs: &[Meeting], dependent: &[usize]) -> Vec<Seki> {
    let mut found: Vec<Seki> = Vec::new();
    for pair in pairs {
        if !pair.chains.iter().all(|chain| dependent.contains(chain)) {
            continue;
        }
        let mut joined = Seki {
            chains: pair.chains.to_vec(),
            shared: pair.shared,
        };
        let (touching, apart): (Vec<Seki>, Vec<Seki>) = found
            .into_iter()
            .partition(|seki| seki.chains.iter().any(|c| pair.chains.contains(c)));
        found = apart;
        for seki in touching {
            joined.chains.extend(seki.chains);
            joined.shared |= seki.shared;
        }
        found.push(joined);
    }
    for seki in &mut found {
        seki.chains.sort_unstable();
        seki.chains.dedup();
    }
    found.sort_by_key(|seki| seki.chains[0]);
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Point;
    use crate::board::drawn;
    use crate::life::Ownership;

    const LIMIT: u32 = 20_000;

    /// The stones in seki, with `#` and `@` as settled stones of Black and White.
    fn seki_stones(drawing: &str) -> PointSet {
        let (board, safe) = drawn::settled(drawing);
        let graph = PositionGraph::new(&board);
        let found = find_among(&board, &graph, &safe, LIMIT);
        graph.stones(|chain| found.iter().any(|seki| seki.chains.contains(&chain)))
    }

    /// The stones in a seki that is none, if the `#` and `@` are settled, `x` and `o` dead, and all
    /// others seem to live in seki.
    fn refuted(drawing: &str) -> PointSet {
        let (board, settled) = drawn::settled(&drawing.replace('x', "X").replace('o', "O"));
        let graph = PositionGraph::new(&board);
        let dead = drawn::marked(drawing, "xo");
        let settled = settled | dead;
        let chains = graph.chains().iter();
        let seki: Vec<bool> = chains
            .map(|chain| !settled.contains(chain.stones[0]))
            .collect();
        let chains = graph.chains().iter();
        let log_odds = chains.map(|chain| match dead.contains(chain.stones[0]) {
            true => -9.0,
            false => 9.0,
        });
        let log_odds = log_odds.collect();
        let life = Life::new(graph, log_odds, Ownership::default());
        let dead = refute(&board, &life, &seki, LIMIT);
        life.graph().stones(|chain| dead.contains(&chain))
    }

    #[test]
    fn no_seki_where_one_side_can_make_its_second_eye() {
        // Black plays between the two white stones, with a liberty to spare outside.
        let drawing = "
            . O X . X @
            O . X X X @
            X X X X . @
            @ @ @ @ @ .
        ";
        for drawing in drawn::orientations(drawing) {
            let stones = drawn::marked(&drawing, "O");
            assert_eq!(refuted(&drawing), stones, "{drawing}");
        }
    }

    #[test]
    fn a_seki_is_not_refuted() {
        for drawing in [
            "
            @ @ @ @ # # # #
            @ X X X O O O #
            @ X X . O O O #
            @ X X . O O O #
            @ X X X O O O #
            @ @ @ @ # # # #
            . . . @ # . . .
            ",
            // One shared liberty and an eye each; a dead stone in one of them is no friend to join.
            "
            . # O O O O O X .
            . # # # O . O X X
            . # O O O x O O .
            . # # O # O O O O
            # # # # # O # # O
            . . # . # # # # #
            ",
            // The same as above without the liberty outside: Black would put himself in atari.
            "
            . O X . X @
            O . X X X @
            X X X X @ @
            @ @ @ @ @ .
            ",
        ] {
            assert_eq!(refuted(drawing), PointSet::EMPTY, "{drawing}");
        }
    }

    #[test]
    fn two_shared_liberties_without_eyes() {
        let drawing = "
            # # # # @ @ @ @
            # O O O X X X @
            # O O . X X X @
            # O O . X X X @
            # O O O X X X @
            # # # # @ @ @ @
        ";
        assert_eq!(seki_stones(drawing), drawn::marked(drawing, "XO"));
        let (board, _) = drawn::settled(drawing);
        let graph = PositionGraph::new(&board);
        let between = graph.region_at(Point::new(3, 2)).unwrap();
        assert!(is_two_point(&graph, graph.region(between)));
    }

    #[test]
    fn three_shared_liberties_without_eyes() {
        let drawing = "
            # # # # @ @ @ @
            # O O O X X X @
            # O O . X X X @
            # O O . X X X @
            # O O . X X X @
            # O O O X X X @
            # # # # @ @ @ @
        ";
        assert_eq!(seki_stones(drawing), drawn::marked(drawing, "XO"));
    }

    #[test]
    fn one_shared_liberty_and_an_eye_each() {
        let drawing = "
            # # # # @ @ @ @
            # O O O X X X @
            # O . O X . X @
            # O O O . X X @
            # O O O X X X @
            # # # # @ @ @ @
        ";
        assert_eq!(seki_stones(drawing), drawn::marked(drawing, "XO"));
    }

    #[test]
    fn an_eye_against_none_is_no_seki() {
        let drawing = "
            # # # # @ @ @ @
            # O O O X X X @
            # O O . X . X @
            # O O . X X X @
            # O O O X X X @
            # # # # @ @ @ @
        ";
        assert!(seki_stones(drawing).is_empty());
    }

    #[test]
    fn an_outside_liberty_breaks_a_seki_of_one_shared_liberty_and_no_eyes() {
        let drawing = "
            # # # # @ @ @ @
            # O O O X X X @
            # O O . X X X .
            # O O O X X X @
            # # # # @ @ @ @
        ";
        assert!(seki_stones(drawing).is_empty());
    }

    #[test]
    fn living_neighbours_with_a_dame_between_them_are_no_seki() {
        let drawing = "
            . O O . X X . .
            O . O O X . X X
            . O O X X X . X
            O O O . O X X X
            . . O O O O O O
        ";
        let board = drawn::board(drawing);
        assert!(find(&board, &PositionGraph::new(&board), LIMIT).is_empty());
    }

    #[test]
    fn a_group_around_a_dead_shape_in_a_shared_space_is_no_seki() {
        // White has a true eye space of four in a row and Black's stones in it are dead.
        let drawing = "
            @ @ @ @ @ @ @
            @ X X X X X @
            @ X . O . X @
            @ X X X X X @
            @ @ @ @ @ @ @
        ";
        assert!(seki_stones(drawing).is_empty());
    }

    #[test]
    fn an_empty_board_has_none() {
        let board = Board::new(crate::board::Size::square(9));
        assert!(find(&board, &PositionGraph::new(&board), LIMIT).is_empty());
    }
}
