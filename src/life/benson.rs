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
//! This is certain, and rare: only about a fifth of the living stones in a finished game are
//! unconditionally alive, since most areas are larger than the two eyes that they would become. It
//! is a proof to show and a way to skip work; not a judge of all that it doesn't prove.

use crate::board::{Board, Color, Point, PointSet, Spot};

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
    let mut proven = Unconditional {
        alive: [PointSet::EMPTY; 2],
        territory: [PointSet::EMPTY; 2],
    };
    let mut labels = vec![UNSEEN; board.size().padded()];
    for color in Color::BOTH {
        if let Some(enclosure) = Enclosure::of(board, color, &mut labels) {
            let (alive, territory) = enclosure.proof(board, color);
            proven.alive[color.index()] = alive;
            proven.territory[color.index()] = territory;
        }
    }
    proven
}

/// The label of a point that no area has claimed.
const UNSEEN: u16 = u16::MAX;

/// An area that a colour encloses: points without its stones.
struct Area {
    /// Where it begins in the list of all areas' points.
    start: usize,
    empty: u16,
    /// Closed by living chains only, as far as we know.
    closed: bool,
}

/// One chain beside one area.
struct Link {
    area: u16,
    chain: u16,
    /// How many empty points of the area are liberties of the chain.
    liberties: u16,
}

/// The areas and chains of one colour, and which is beside which.
struct Enclosure {
    areas: Vec<Area>,
    points: Vec<Point>,
    /// The heads of the chains.
    chains: Vec<Point>,
    links: Vec<Link>,
    /// The latest link of each chain.
    latest: Vec<Option<usize>>,
}

impl Enclosure {
    /// None if the colour has no stones. Leaves each point's area in `labels`, and each head's
    /// chain.
    fn of(board: &Board, color: Color, labels: &mut [u16]) -> Option<Enclosure> {
        let own = color.spot();
        let size = board.size();
        labels.fill(UNSEEN);
        let mut found = Enclosure {
            areas: Vec::with_capacity(64),
            points: Vec::with_capacity(size.area()),
            chains: Vec::with_capacity(64),
            links: Vec::with_capacity(256),
            latest: Vec::new(),
        };
        for point in size.points() {
            if board.spot(point) == own && board.head(point) == point {
                labels[point.index()] = found.chains.len() as u16;
                found.chains.push(point);
            }
        }
        if found.chains.is_empty() {
            return None;
        }
        found.latest = vec![None; found.chains.len()];
        for point in size.points() {
            if labels[point.index()] == UNSEEN && board.spot(point) != own {
                found.fill(board, color, point, labels);
            }
        }
        Some(found)
    }

    /// Walks over one area and counts, for each chain beside it, the liberties in it.
    fn fill(&mut self, board: &Board, color: Color, from: Point, labels: &mut [u16]) {
        let own = color.spot();
        let label = self.areas.len() as u16;
        let start = self.points.len();
        let first_link = self.links.len();
        let mut empty = 0;
        labels[from.index()] = label;
        self.points.push(from);
        let mut next = start;
        while let Some(&point) = self.points.get(next) {
            next += 1;
            let is_empty = board.is_empty(point);
            empty += is_empty as u16;
            let mut counted = [UNSEEN; 4];
            for (i, beside) in point.neighbors().into_iter().enumerate() {
                let spot = board.spot(beside);
                if spot == own {
                    let chain = labels[board.head(beside).index()];
                    if counted.contains(&chain) {
                        continue;
                    }
                    counted[i] = chain;
                    // The links of this area are the last ones: an older one is another area's.
                    let latest = self.latest[chain as usize];
                    if let Some(link) = latest.filter(|&link| link >= first_link) {
                        self.links[link].liberties += is_empty as u16;
                    } else {
                        self.latest[chain as usize] = Some(self.links.len());
                        self.links.push(Link {
                            area: label,
                            chain,
                            liberties: is_empty as u16,
                        });
                    }
                } else if spot != Spot::Edge && labels[beside.index()] == UNSEEN {
                    labels[beside.index()] = label;
                    self.points.push(beside);
                }
            }
        }
        self.areas.push(Area {
            start,
            empty,
            closed: true,
        });
    }

    /// Strikes out until nothing changes; returns the living stones and the territory.
    fn proof(mut self, board: &Board, color: Color) -> (PointSet, PointSet) {
        let mut living = vec![true; self.chains.len()];
        loop {
            let mut vital = vec![0u16; self.chains.len()];
            for link in &self.links {
                let area = &self.areas[link.area as usize];
                if area.closed && link.liberties == area.empty {
                    vital[link.chain as usize] += 1;
                }
            }
            let mut struck = false;
            for (chain, lives) in living.iter_mut().enumerate() {
                if *lives && vital[chain] < 2 {
                    *lives = false;
                    struck = true;
                }
            }
            if !struck {
                break;
            }
            for link in &self.links {
                if !living[link.chain as usize] {
                    self.areas[link.area as usize].closed = false;
                }
            }
        }
        let mut alive = PointSet::EMPTY;
        for (&head, _) in self.chains.iter().zip(&living).filter(|&(_, &lives)| lives) {
            alive.extend(board.chain(head));
        }
        let mut territory = PointSet::EMPTY;
        if !alive.is_empty() {
            for (i, area) in self.areas.iter().enumerate() {
                let end = self.areas.get(i + 1).map(|next| next.start);
                let points = &self.points[area.start..end.unwrap_or(self.points.len())];
                if area.closed && !has_room_for_two_eyes(board, color, points) {
                    territory.extend(points.iter().copied());
                }
            }
        }
        (alive, territory)
    }
}

/// Whether the opponent of `color` could make two eyes in an area that `color` encloses.
fn has_room_for_two_eyes(board: &Board, color: Color, area: &[Point]) -> bool {
    let own = color.spot();
    let mut inner = area
        .iter()
        .filter(|point| !point.neighbors().into_iter().any(|p| board.spot(p) == own));
    match (inner.next(), inner.next(), inner.next()) {
        (_, None, _) => false,
        (Some(a), Some(b), None) => !a.neighbors().contains(b),
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
