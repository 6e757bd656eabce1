//! An estimate for games that were not played out.
//!
//! In the middle of a game hardly anything is enclosed, and a count that knows only enclosed points
//! says next to nothing. So each point that belongs to nobody yet is given to the side with the
//! nearest stone that stands, where one side's is nearer: the Voronoi cells of the living stones.

use super::{Count, Mark};
use crate::board::Color;
use crate::influence::voronoi;
use crate::life::Life;

/// Gives the points that nobody has to the side whose stones are nearest.
pub(crate) fn share_out(count: &mut Count, life: &Life) {
    let graph = life.graph();
    let standing = Color::BOTH.map(|color| {
        graph.stones(|chain| life.is_alive(chain) && graph.chain(chain).color == color)
    });
    // Stones without eyes in an open position are not in seki: they are not finished.
    for color in Color::BOTH {
        for stone in count.map.points(|mark| mark == Mark::Seki(color)).iter() {
            count.map.set(stone, Mark::Stone(color));
        }
    }
    count.seki_groups = 0;
    let cells = voronoi::cells_around(graph.size(), &standing);
    let open = count.map.points(|mark| mark == Mark::Dame);
    for color in Color::BOTH {
        let gained = open & *cells.points(color);
        for point in gained.iter() {
            count.map.set(point, Mark::Territory(color));
        }
        let points = gained.len() as u32;
        let side = match color {
            Color::Black => &mut count.black,
            Color::White => &mut count.white,
        };
        side.territory += points;
        side.score += f64::from(points);
        count.dame -= points;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, PointSet};
    use crate::count::{ScoringTerms, count};
    use crate::life::{Ownership, PositionGraph};
    use crate::rules::Preset;

    #[test]
    fn open_points_go_to_the_nearest_stone() {
        let board: Board = "
            . . . . .
            . X . O .
            . . . . .
            . X . O .
            . . . . .
        "
        .parse()
        .unwrap();
        let rules = Preset::Japanese.rules();
        let mut counted = count(&board, &PointSet::EMPTY, &rules, &ScoringTerms::default());
        assert_eq!(counted.dame, 21);
        let life = Life::new(
            PositionGraph::new(&board),
            vec![9.0; 4],
            Ownership::default(),
        );
        share_out(&mut counted, &life);
        let expected = ["bb.ww", "bX.Ow", "bb.ww", "bX.Ow", "bb.ww"];
        assert_eq!(counted.map.rows(), expected);
        assert_eq!((counted.black.territory, counted.white.territory), (8, 8));
        assert_eq!(counted.dame, 5);
    }
}
