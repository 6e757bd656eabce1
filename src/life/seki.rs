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
//! questions to the [local search](super::local_search). Where it doesn't know, no seki is claimed.
//!
//! A position that depends on a ko is no seki, nor is a chain that lives in "seki" only until the
//! opponent starts a ko in the corner: for that see [`bent_four`](super::bent_four).

use super::local_search::{self, Fate, Problem};
use super::region::Region;
use crate::board::{Board, Color, Point, PointSet};

/// Chains in seki with each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seki {
    /// The chains, each by its head, in the order of their first stones.
    pub chains: Vec<Point>,
    /// All their stones.
    pub stones: PointSet,
    /// The liberties that the two sides share.
    pub shared: PointSet,
}

/// Whether a region is the smallest seki: two empty points, between chains of both colours that
/// have no other liberties.
///
/// ```
/// use kifu::life::{region, seki};
/// use kifu::board::Board;
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
/// let between = region::at(&board, board.size().point(3, 2).unwrap()).unwrap();
/// assert!(seki::is_two_point(&board, &between));
/// let outside = region::at(&board, board.size().point(0, 6).unwrap()).unwrap();
/// assert!(!seki::is_two_point(&board, &outside));
/// ```
pub fn is_two_point(board: &Board, region: &Region) -> bool {
    let both_colours = |color: Color| region.border.meets(&board.stones(color));
    region.points.len() == 2
        && Color::BOTH.into_iter().all(both_colours)
        && region
            .chains(board)
            .into_iter()
            .all(|chain| board.liberties(chain).is_subset(&region.points))
}

/// Every seki on the board, as far as the local search can tell with this many positions a
/// question. What is [presumed safe](local_search::presumed_safe) is not asked about.
///
/// ```
/// use kifu::life::seki;
/// use kifu::board::Board;
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
/// let found = seki::find(&board, 2_000);
/// assert_eq!(found.len(), 1);
/// assert_eq!(found[0].shared.len(), 2);
/// ```
pub fn find(board: &Board, limit: u32) -> Vec<Seki> {
    find_among(board, &local_search::presumed_safe(board), limit)
}

/// Like [`find`], with the stones that are settled given by the caller.
pub fn find_among(board: &Board, safe: &PointSet, limit: u32) -> Vec<Seki> {
    let pairs = meetings(board, safe);
    let mut asked: Vec<Point> = pairs.iter().flat_map(|pair| pair.chains).collect();
    asked.sort_unstable();
    asked.dedup();
    let lives_if_attacked = |chain: &Point, safe: &PointSet| {
        let owner = board.stone(*chain).expect("a chain has a colour");
        Problem::new(board, *chain, safe).map(|problem| problem.fate(owner.other(), limit))
    };
    asked.retain(|chain| lives_if_attacked(chain, safe) == Some(Fate::Lives));
    // The living as walls: whom could they not do without?
    let living = Color::BOTH.map(|color| {
        let mut stones = *safe;
        for &chain in asked.iter().filter(|&&c| board.stone(c) == Some(color)) {
            stones.extend(board.chain(chain));
        }
        stones
    });
    let dependent: Vec<Point> = asked
        .into_iter()
        .filter(|chain| {
            let owner = board.stone(*chain).expect("a chain has a colour");
            lives_if_attacked(chain, &living[owner.other().index()]) == Some(Fate::Dies)
        })
        .collect();
    gather(board, &pairs, &dependent)
}

/// A black and a white chain with liberties in common.
struct Meeting {
    chains: [Point; 2],
    shared: PointSet,
}

/// Every pair of unsettled chains that share a liberty.
fn meetings(board: &Board, safe: &PointSet) -> Vec<Meeting> {
    let unsettled: Vec<(Point, PointSet)> = board
        .chains()
        .into_iter()
        .filter(|&chain| !safe.contains(chain))
        .map(|chain| (chain, board.liberties(chain)))
        .collect();
    let of = |color: Color| {
        unsettled
            .iter()
            .filter(move |(chain, _)| board.stone(*chain) == Some(color))
    };
    let mut pairs = Vec::new();
    for (black, ours) in of(Color::Black) {
        for (white, theirs) in of(Color::White) {
            if ours.meets(theirs) {
                pairs.push(Meeting {
                    chains: [*black, *white],
                    shared: *ours & *theirs,
                });
            }
        }
    }
    pairs
}

/// Puts the pairs of dependent chains together that have a chain in common.
fn gather(board: &Board, pairs: &[Meeting], dependent: &[Point]) -> Vec<Seki> {
    let mut found: Vec<Seki> = Vec::new();
    for pair in pairs {
        if !pair.chains.iter().all(|chain| dependent.contains(chain)) {
            continue;
        }
        let mut joined = Seki {
            chains: pair.chains.to_vec(),
            stones: PointSet::EMPTY,
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
        for &chain in &seki.chains {
            seki.stones.extend(board.chain(chain));
        }
        let mut seen = PointSet::EMPTY;
        let stones = seki.stones.iter().map(|stone| board.head(stone));
        seki.chains = stones.filter(|&head| seen.insert(head)).collect();
    }
    found.sort_by_key(|seki| seki.stones.first());
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::drawn;
    use crate::life::region;

    const LIMIT: u32 = 20_000;

    /// The stones in seki, with `#` and `@` as settled stones of Black and White.
    fn seki_stones(drawing: &str) -> PointSet {
        let (board, safe) = drawn::settled(drawing);
        find_among(&board, &safe, LIMIT)
            .iter()
            .fold(PointSet::EMPTY, |sum, seki| sum | seki.stones)
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
        let between = region::at(&board, Point::new(3, 2)).unwrap();
        assert!(is_two_point(&board, &between));
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
        assert!(find(&drawn::board(drawing), LIMIT).is_empty());
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
        assert!(find(&board, LIMIT).is_empty());
    }
}
