//! Bent four in the corner: a group that looks like seki and is dead.
//!
//! A surrounded group shares its only eye space, in a corner, with three enemy stones. If it plays
//! there itself it dies at once. The enemy can leave it as it is, remove his opponent's ko threats,
//! and then play a fourth stone so that the four stand bent in the corner: they are taken, he plays
//! in again, and the group has to win a ko that it started without a threat. Japanese rules
//! therefore call the group dead where it stands; under area rules it must be played out, or left.
//!
//! The shape is recognised by its points. The group encloses exactly five: the corner, two more
//! along one side, one along the other (the bent four), and one beside them. Three of the four are
//! enemy stones; the fourth and the fifth are empty and the last two liberties inside. The rest is
//! asked of the local search: the group must not be able to save itself by
//! moving first, nor be plainly taken without a ko.

use super::local_search::{self, Fate, Problem};
use super::position_graph::PositionGraph;
use super::potential_territory::PotentialTerritories;
use crate::board::{Board, Color, Point, PointSet, Size};

/// A group that is dead by bent four in the corner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BentFour {
    /// The stones of the group.
    pub group: PointSet,
    /// Whose they are.
    pub owner: Color,
    /// The five points inside, with the three stones of the enemy.
    pub inside: PointSet,
}

/// Every bent four in the corner, in the order of the points inside.
///
/// ```
/// use kifu::life::bent_four;
/// use kifu::board::{Board, Color};
///
/// let board: Board = "
///     O O . X O .
///     O X X X O .
///     . X O O O .
///     X X O . . .
///     O O O . . .
///     . . . . . .
/// ".parse().unwrap();
/// let found = bent_four::find(&board);
/// assert_eq!(found.len(), 1);
/// assert_eq!(found[0].owner, Color::Black);
/// ```
pub fn find(board: &Board) -> Vec<BentFour> {
    find_in(board, &PositionGraph::new(board))
}

/// Every bent four of a position that has been cut into chains and regions.
pub(crate) fn find_in(board: &Board, graph: &PositionGraph) -> Vec<BentFour> {
    let safe = local_search::presumed_safe(graph);
    let mut found = Vec::new();
    for owner in Color::BOTH {
        let invaders = board.stones(owner.other());
        let areas = PotentialTerritories::enclosed_by(graph, owner);
        for (number, area) in areas.iter().enumerate() {
            if area.points != 5 || area.empty != 2 {
                continue;
            }
            let inside = areas.points(graph, number);
            let completes_four =
                |four: PointSet| four.is_subset(&inside) && (inside & invaders).is_subset(&four);
            if !corner_fours(board.size()).any(completes_four) {
                continue;
            }
            let stones = inside.neighbors(board.size());
            if let Some(group) = is_caught(board, &stones, &safe) {
                found.push(BentFour {
                    group,
                    owner,
                    inside,
                });
            }
        }
    }
    found
}

/// Every bent four of the board: in each corner, along either side.
fn corner_fours(size: Size) -> impl Iterator<Item = PointSet> {
    let (right, bottom) = (size.width() as i16 - 1, size.height() as i16 - 1);
    let corners = [
        (0, 0, 1, 1),
        (right, 0, -1, 1),
        (0, bottom, 1, -1),
        (right, bottom, -1, -1),
    ];
    corners.into_iter().flat_map(move |(x, y, dx, dy)| {
        let along = [
            [(0, 0), (1, 0), (2, 0), (0, 1)],
            [(0, 0), (0, 1), (0, 2), (1, 0)],
        ];
        along.into_iter().filter_map(move |steps| {
            let point = |(a, b): (i16, i16)| {
                let (x, y) = (
                    u8::try_from(x + a * dx).ok()?,
                    u8::try_from(y + b * dy).ok()?,
                );
                size.point(x, y)
            };
            steps.into_iter().map(point).collect::<Option<PointSet>>()
        })
    })
}

/// Whether the group around the space can't help itself; the stones of its chains if so.
fn is_caught(board: &Board, around: &PointSet, safe: &PointSet) -> Option<PointSet> {
    const LIMIT: u32 = 4_000;
    let mut seen = PointSet::EMPTY;
    let chains: Vec<Point> = around
        .iter()
        .map(|stone| board.head(stone))
        .filter(|&head| seen.insert(head))
        .collect();
    let owner = board.stone(*chains.first()?)?;
    let problem = Problem::of_chains(board, &chains, safe)?;
    let caught = problem.fate(owner.other(), LIMIT) == Fate::Ko
        && matches!(problem.fate(owner, LIMIT), Fate::Ko | Fate::Dies);
    caught.then(|| {
        let stones = chains.iter().flat_map(|&chain| board.chain(chain));
        stones.collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::drawn;

    const CLASSIC: &str = "
        O O . X O .
        O X X X O .
        . X O O O .
        X X O . . .
        O O O . . .
        . . . . . .
    ";

    /// Three stones along the edge: the fourth beside the corner bends them.
    const ALONG_THE_EDGE: &str = "
        O . X O . .
        O X X O . .
        O X O O . .
        . X O . . .
        X X O . . .
        O O O . . .
    ";

    #[test]
    fn both_shapes_are_found_from_every_side_and_in_both_colours() {
        let shapes = [CLASSIC, ALONG_THE_EDGE];
        for drawing in shapes.into_iter().flat_map(drawn::orientations) {
            let swapped: String = drawing
                .chars()
                .map(|c| match c {
                    'X' => 'O',
                    'O' => 'X',
                    other => other,
                })
                .collect();
            for (drawing, owner, stones) in
                [(&drawing, Color::Black, "X"), (&swapped, Color::White, "O")]
            {
                let found = find(&drawn::board(drawing));
                assert_eq!(found.len(), 1, "{drawing}");
                assert_eq!(found[0].owner, owner);
                assert_eq!(found[0].group, drawn::marked(drawing, stones));
                assert_eq!(found[0].inside.len(), 5);
            }
        }
    }

    #[test]
    fn a_group_with_another_eye_is_not_dead() {
        let alive = "
            O O . X . X O
            O X X X X X O
            . X O O O O O
            X X O . . . .
            O O O . . . .
            . . . . . . .
            . . . . . . .
        ";
        assert!(find(&drawn::board(alive)).is_empty());
    }

    #[test]
    fn the_same_shape_away_from_the_corner_is_not_one() {
        let side = "
            O X O O . X O
            O X O X X X O
            O X . X O O O
            O X X X O . .
            O O O O O . .
            . . . . . . .
            . . . . . . .
        ";
        assert!(find(&drawn::board(side)).is_empty());
    }
}
