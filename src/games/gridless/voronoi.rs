//! Each point of the board belongs to the nearest stone.
//!
//! The Delaunay triangulation (by `spade`, with exact predicates) says which stones are
//! neighbours; the cell of a stone is the board, cut along the middle line to each neighbour.
//! Where four stones lie on a circle either diagonal is a triangulation; the stone that is then
//! missed would only have touched the cell in a corner.

use spade::{DelaunayTriangulation, Point2, Triangulation, mitigate_underflow};

use super::geometry::{Location, Rectangle};

/// The cell of every stone: a convex polygon, clockwise as seen on a board.
pub(crate) fn cells(board: Rectangle, centers: &[Location]) -> Vec<Vec<Location>> {
    let mut triangulation = DelaunayTriangulation::<Point2<f64>>::new();
    let handles: Vec<_> = centers
        .iter()
        .map(|center| {
            let site = mitigate_underflow(Point2::new(center.x, center.y));
            triangulation
                .insert(site)
                .expect("a stone on the board has finite coordinates")
        })
        .collect();
    handles
        .into_iter()
        .zip(centers)
        .map(|(handle, &center)| {
            let mut cell = board.corners().to_vec();
            for edge in triangulation.vertex(handle).out_edges() {
                let neighbor = edge.to().position();
                let (x, y) = (neighbor.x, neighbor.y);
                cell = nearer(&cell, center, Location { x, y });
            }
            cell
        })
        .collect()
}

/// The part of a convex polygon that is nearer to one point than to the other.
fn nearer(polygon: &[Location], own: Location, other: Location) -> Vec<Location> {
    let across = Location {
        x: other.x - own.x,
        y: other.y - own.y,
    };
    let middle = Location {
        x: (own.x + other.x) / 2.0,
        y: (own.y + other.y) / 2.0,
    };
    let beyond =
        |point: Location| (point.x - middle.x) * across.x + (point.y - middle.y) * across.y;
    let mut kept = Vec::with_capacity(polygon.len() + 1);
    for (index, &from) in polygon.iter().enumerate() {
        let to = polygon[(index + 1) % polygon.len()];
        let (start, end) = (beyond(from), beyond(to));
        if start <= 0.0 {
            kept.push(from);
        }
        if (start < 0.0 && end > 0.0) || (start > 0.0 && end < 0.0) {
            let part = start / (start - end);
            kept.push(Location {
                x: from.x + part * (to.x - from.x),
                y: from.y + part * (to.y - from.y),
            });
        }
    }
    kept
}

/// The area of a convex polygon.
pub(crate) fn area(polygon: &[Location]) -> f64 {
    let next = polygon.iter().cycle().skip(1);
    let twice: f64 = polygon
        .iter()
        .zip(next)
        .map(|(a, b)| a.x * b.y - b.x * a.y)
        .sum();
    twice.abs() / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const BOARD: Rectangle = Rectangle {
        left: -0.5,
        top: -0.5,
        right: 8.5,
        bottom: 6.5,
    };

    fn places() -> impl Strategy<Value = Vec<Location>> {
        // Half of the places on a quarter grid, where many lie on a circle or on a line.
        let anywhere = (0.0..=8.0, 0.0..=6.0);
        let quarters = (0u8..=32, 0u8..=24).prop_map(|(x, y)| (x as f64 / 4.0, y as f64 / 4.0));
        let place = prop_oneof![anywhere, quarters].prop_map(|(x, y)| Location { x, y });
        prop::collection::vec(place, 1..60).prop_map(|places| {
            let mut apart: Vec<Location> = Vec::new();
            for place in places {
                if apart.iter().all(|other| other.distance(place) > 1e-3) {
                    apart.push(place);
                }
            }
            apart
        })
    }

    proptest! {
        #[test]
        fn cells_add_up_to_the_board(places in places()) {
            let total: f64 = cells(BOARD, &places).iter().map(|cell| area(cell)).sum();
            prop_assert!((total - BOARD.area()).abs() < 1e-9, "{total}");
        }

        #[test]
        fn a_cell_is_the_board_cut_by_every_other_stone(places in places()) {
            for (own, cell) in places.iter().zip(cells(BOARD, &places)) {
                let mut cut = BOARD.corners().to_vec();
                for other in places.iter().filter(|&other| other != own) {
                    cut = nearer(&cut, *own, *other);
                }
                prop_assert!((area(&cut) - area(&cell)).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn one_stone_has_the_whole_board_and_none_has_nothing() {
        let center = Location { x: 1.0, y: 6.0 };
        assert_eq!(area(&cells(BOARD, &[center])[0]), BOARD.area());
        assert!(cells(BOARD, &[]).is_empty());
    }

    #[test]
    fn tiny_coordinates_are_no_trouble() {
        let places = [(1e-300, 5e-324), (3.0, 0.0)].map(|(x, y)| Location { x, y });
        let total: f64 = cells(BOARD, &places).iter().map(|cell| area(cell)).sum();
        assert!((total - BOARD.area()).abs() < 1e-9);
    }
}
