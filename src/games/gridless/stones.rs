//! The stones on a gridless board: who is near whom, who touches whom, who has a liberty.
//!
//! # Liberties
//!
//! A stone has a liberty when another could be placed so that it touches it, lies on the board
//! and overlaps none. The centres that touch a stone form a circle of radius 1 around it. Every
//! other stone cuts an open arc out of that circle, and so does every side of the board; what
//! is left is closed. So either nothing was cut out at all, and any point of the circle will
//! do, or what is left, if anything, has an end, and that end is where the circle meets the
//! circle of another stone or a side of the board. Trying one point of the circle and all those
//! meetings is therefore exact: no liberty is missed, be it a single point between two stones.
//!
//! Overlaps up to [`TOLERANCE`] are forgiven to a liberty just as they are to a stone that is
//! placed, so the arcs are those cut by circles smaller by the tolerance and by a board larger
//! by it.
//!
//! # Speed
//!
//! Stones are kept by unit squares, which hold a few each. Every stone remembers the stones that
//! touch it and one liberty of its own, or that it has none. A new stone can spoil, and one taken
//! off restore, only what is within two diameters. A group can only have lost its last liberty
//! if one of its stones has just lost its own, so those alone are looked at, and only until a
//! stone of the group turns up that has one.

use super::geometry::{Circle, DIAMETER, Location, OVERLAP, ROUNDING, Rectangle, TOLERANCE, TOUCH};
use crate::board::Color;

/// A stone on the board.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Stone {
    pub color: Color,
    pub center: Location,
    /// The stones of the same colour that touch it.
    touching: Vec<StoneId>,
    /// A place where another stone would touch this one.
    liberty: Option<Location>,
}

/// The number of a stone, for as long as it is on the board.
pub(super) type StoneId = usize;

/// All stones on the board.
#[derive(Clone, Debug)]
pub(super) struct Stones {
    /// Where centres may be.
    centers: Rectangle,
    /// Stones by number; a free number is used again.
    all: Vec<Option<Stone>>,
    free: Vec<StoneId>,
    /// Stones that have lost their own liberty since groups were last looked at.
    suspects: Vec<StoneId>,
    /// The stones in each unit square, row by row.
    squares: Vec<Vec<StoneId>>,
    columns: usize,
    rows: usize,
}

impl Stones {
    /// An empty board on which centres may be in this rectangle, whose top left is the origin.
    pub(super) fn new(centers: Rectangle) -> Stones {
        let columns = centers.right as usize + 1;
        let rows = centers.bottom as usize + 1;
        Stones {
            centers,
            all: Vec::new(),
            free: Vec::new(),
            suspects: Vec::new(),
            squares: vec![Vec::new(); columns * rows],
            columns,
            rows,
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Stone> {
        self.all.iter().flatten()
    }

    fn stone(&self, id: StoneId) -> &Stone {
        self.all[id].as_ref().expect("the stone is on the board")
    }

    fn stone_mut(&mut self, id: StoneId) -> &mut Stone {
        self.all[id].as_mut().expect("the stone is on the board")
    }

    /// The column and row of the unit square of a point, or of the one nearest to it.
    fn square(&self, point: Location) -> (usize, usize) {
        // A cast from a negative number gives 0.
        let column = (point.x as usize).min(self.columns - 1);
        let row = (point.y as usize).min(self.rows - 1);
        (column, row)
    }

    /// The stones whose centres are no further than `reach` from a point.
    pub(super) fn near(&self, point: Location, reach: f64) -> impl Iterator<Item = StoneId> {
        let corner = |by: f64| Location {
            x: point.x + by,
            y: point.y + by,
        };
        let (left, top) = self.square(corner(-reach));
        let (right, bottom) = self.square(corner(reach));
        (top..=bottom)
            .flat_map(move |row| (left..=right).map(move |column| row * self.columns + column))
            .flat_map(|square| self.squares[square].iter().copied())
            .filter(move |&id| self.stone(id).center.is_within(reach, point))
    }

    /// The centres of the stones no further than `reach` from a point.
    pub(super) fn centers_near(&self, point: Location, reach: f64) -> Vec<Location> {
        self.near(point, reach)
            .map(|id| self.stone(id).center)
            .collect()
    }

    /// Whether a stone with this centre lies on the board.
    pub(super) fn is_on_board(&self, center: Location) -> bool {
        self.centers.grown(TOLERANCE + ROUNDING).contains(center)
    }

    /// The nearest stone that a stone with this centre would overlap.
    pub(super) fn overlapped(&self, center: Location) -> Option<&Stone> {
        self.near(center, OVERLAP)
            .map(|id| self.stone(id))
            .min_by(|a, b| {
                let distance = |stone: &Stone| stone.center.distance(center);
                distance(a).total_cmp(&distance(b))
            })
    }

    /// Whether a stone may stand here.
    pub(super) fn is_free(&self, center: Location) -> bool {
        self.is_on_board(center) && self.overlapped(center).is_none()
    }

    /// Puts a stone on the board, at a place that is free.
    pub(super) fn add(&mut self, color: Color, center: Location) -> StoneId {
        let id = self.free.pop().unwrap_or_else(|| {
            self.all.push(None);
            self.all.len() - 1
        });
        let touching: Vec<StoneId> = self
            .near(center, TOUCH)
            .filter(|&other| self.stone(other).color == color)
            .collect();
        for &other in &touching {
            self.stone_mut(other).touching.push(id);
        }
        self.all[id] = Some(Stone {
            color,
            center,
            touching,
            liberty: None,
        });
        let (column, row) = self.square(center);
        self.squares[row * self.columns + column].push(id);
        for other in self.around(center) {
            let spoilt = match self.stone(other).liberty {
                Some(liberty) => liberty.is_within(OVERLAP, center),
                None => other == id,
            };
            if spoilt {
                self.seek_liberty(other);
                if self.stone(other).liberty.is_none() {
                    self.suspects.push(other);
                }
            }
        }
        id
    }

    /// Takes a stone off the board.
    pub(super) fn remove(&mut self, id: StoneId) {
        let stone = self.all[id].take().expect("the stone is on the board");
        self.free.push(id);
        let (column, row) = self.square(stone.center);
        self.squares[row * self.columns + column].retain(|&other| other != id);
        for other in stone.touching {
            self.stone_mut(other).touching.retain(|&gone| gone != id);
        }
        for other in self.around(stone.center) {
            if self.stone(other).liberty.is_none() {
                self.seek_liberty(other);
            }
        }
    }

    /// The stones that may share a place to touch them with a stone here.
    fn around(&self, center: Location) -> Vec<StoneId> {
        self.near(center, 2.0 * DIAMETER).collect()
    }

    fn seek_liberty(&mut self, id: StoneId) {
        self.stone_mut(id).liberty = self.liberty_beside(self.stone(id).center);
    }

    /// A place where a stone would touch one that stands here.
    fn liberty_beside(&self, center: Location) -> Option<Location> {
        let circle = Circle::touching(center);
        let others = self.centers_near(center, 2.0 * DIAMETER);
        let is_free = |&place: &Location| {
            self.is_on_board(place) && !others.iter().any(|other| other.is_within(OVERLAP, place))
        };
        let between_stones = others.iter().flat_map(|&other| {
            circle.meet(Circle {
                center: other,
                radius: DIAMETER - TOLERANCE,
            })
        });
        let any = Location {
            x: center.x + DIAMETER,
            y: center.y,
        };
        std::iter::once(any)
            .chain(self.centers.grown(TOLERANCE).meet(circle))
            .chain(between_stones)
            .find(is_free)
    }

    /// The stones of one colour whose groups have no liberty.
    pub(super) fn without_liberty(&self, color: Color) -> Vec<StoneId> {
        let mut dead = Vec::new();
        if self.suspects.is_empty() {
            return dead;
        }
        // Which suspect's group each stone was found in.
        let mut found_in = vec![None; self.all.len()];
        for &suspect in &self.suspects {
            let stone = self.all[suspect].as_ref();
            if found_in[suspect].is_none() && stone.is_some_and(|stone| stone.color == color) {
                dead.extend(self.dead_group(suspect, &mut found_in));
            }
        }
        dead
    }

    /// The group of a stone if it has no liberty, and nothing if it has one.
    fn dead_group(&self, first: StoneId, found_in: &mut [Option<StoneId>]) -> Vec<StoneId> {
        let mut group = vec![first];
        found_in[first] = Some(first);
        let mut next = 0;
        while let Some(&id) = group.get(next) {
            next += 1;
            if self.stone(id).liberty.is_some() {
                return Vec::new();
            }
            for &other in &self.stone(id).touching {
                match found_in[other] {
                    None => {
                        found_in[other] = Some(first);
                        group.push(other);
                    }
                    Some(suspect) if suspect == first => {}
                    // The same group was looked at before, and left when it was seen to live.
                    Some(_) => return Vec::new(),
                }
            }
        }
        group
    }

    /// Forgets which stones lost their liberties: those that had to be taken have been.
    pub(super) fn clear_suspects(&mut self) {
        self.suspects.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A board whose centres reach to (8, 8), with these stones, all black.
    fn stones(places: &[(f64, f64)]) -> Stones {
        let corner = |right, bottom| Rectangle {
            left: 0.0,
            top: 0.0,
            right,
            bottom,
        };
        let mut stones = Stones::new(corner(8.0, 8.0));
        for &(x, y) in places {
            stones.add(Color::Black, Location { x, y });
        }
        stones
    }

    fn at_angle(degrees: f64, distance: f64) -> (f64, f64) {
        let angle = degrees.to_radians();
        (4.0 + distance * angle.cos(), 4.0 + distance * angle.sin())
    }

    /// Whether the first of the stones has a liberty of its own.
    fn first_has_liberty(places: &[(f64, f64)]) -> bool {
        stones(places).stone(0).liberty.is_some()
    }

    /// Three stones that close three quarters of the way around one at (4, 4), and two more
    /// that leave a gap on the right between directions `gap` degrees apart.
    fn around(gap: f64) -> [(f64, f64); 5] {
        let rest = (360.0 - gap) / 3.0;
        let start = gap / 2.0;
        [
            (4.0, 4.0),
            at_angle(start, 1.0),
            at_angle(start + rest, 1.0),
            at_angle(start + 2.0 * rest, 1.0),
            at_angle(-start, 1.0),
        ]
    }

    #[test]
    fn a_gap_for_exactly_one_stone_is_a_liberty() {
        assert!(first_has_liberty(&around(120.0)));
        assert!(first_has_liberty(&around(121.0)));
        assert!(!first_has_liberty(&around(119.0)));
    }

    #[test]
    fn the_tolerance_has_a_sharp_edge_between_stones() {
        // A stone in the middle of the gap is 2 sin(gap / 4) away from both its neighbours.
        let gap = |distance: f64| 4.0 * (distance / 2.0).asin().to_degrees();
        assert!((gap(1.0) - 120.0).abs() < 1e-9);
        assert!(first_has_liberty(&around(gap(1.0 - 0.99 * TOLERANCE))));
        assert!(!first_has_liberty(&around(gap(1.0 - 1.01 * TOLERANCE))));
    }

    #[test]
    fn the_tolerance_has_a_sharp_edge_at_the_edge() {
        // One column of two points: a stone that is not quite at the top leaves not quite
        // enough room below.
        let narrow = |y: f64| {
            let mut stones = Stones::new(Rectangle {
                left: 0.0,
                top: 0.0,
                right: 0.0,
                bottom: 1.0,
            });
            let id = stones.add(Color::Black, Location { x: 0.0, y });
            stones.stone(id).liberty.is_some()
        };
        assert!(narrow(0.0));
        assert!(narrow(0.99 * TOLERANCE));
        assert!(!narrow(1.01 * TOLERANCE));
        assert!(!narrow(0.5));
    }

    #[test]
    fn the_tolerance_has_a_sharp_edge_between_stone_and_edge() {
        // A stone at the top edge, closed in on the left and from below. A stone beside it on
        // the edge just touches the next one, if that leaves it the room.
        let closed = |right: f64| {
            let places = [
                (4.0, 0.0),
                (3.0, 0.0),
                (4.0 + right, 0.0),
                (4.0 - 0.5, 0.75f64.sqrt()),
                (4.0 + 0.5, 0.75f64.sqrt()),
            ];
            first_has_liberty(&places)
        };
        assert!(!closed(1.0));
        assert!(!closed(1.9));
        // The only place is at (5, 0), where the disc below leaves just the room.
        assert!(closed(2.0 - 0.99 * TOLERANCE));
        assert!(!closed(2.0 - 1.01 * TOLERANCE));
    }

    #[test]
    fn the_tolerance_has_a_sharp_edge_for_overlap_and_touch() {
        let stones = stones(&[(4.0, 4.0)]);
        let at = |distance: f64| Location {
            x: 4.0 + distance,
            y: 4.0,
        };
        assert!(stones.is_free(at(1.0 - 0.99 * TOLERANCE)));
        assert!(!stones.is_free(at(1.0 - 1.01 * TOLERANCE)));
        assert_eq!(stones.near(at(1.0 + 0.99 * TOLERANCE), TOUCH).count(), 1);
        assert_eq!(stones.near(at(1.0 + 1.01 * TOLERANCE), TOUCH).count(), 0);
        let edge = |x: f64| Location { x, y: 0.0 };
        assert!(stones.is_free(edge(-0.99 * TOLERANCE)));
        assert!(!stones.is_free(edge(-1.01 * TOLERANCE)));
        assert!(stones.is_free(edge(8.0 + 0.99 * TOLERANCE)));
        assert!(!stones.is_free(edge(8.0 + 1.01 * TOLERANCE)));
    }

    #[test]
    fn a_stone_at_twice_the_distance_takes_one_place_only() {
        // The circles touch at one point, which both stones may still use.
        assert!(first_has_liberty(&[(4.0, 4.0), (6.0, 4.0)]));
        assert!(first_has_liberty(&[(0.0, 0.0), (2.0, 0.0), (0.0, 2.0)]));
    }

    /// Stones at random places of a small part of the board, as many as fit.
    fn crowd() -> impl Strategy<Value = Vec<(f64, f64)>> {
        let halves = (0u8..=8, 0u8..=8).prop_map(|(x, y)| (x as f64 / 2.0, y as f64 / 2.0));
        let place = prop_oneof![(0.0..4.0, 0.0..4.0), halves];
        prop::collection::vec(place, 1..80).prop_map(|places| {
            let mut apart: Vec<(f64, f64)> = Vec::new();
            for (x, y) in places {
                if apart
                    .iter()
                    .all(|other| (other.0 - x).hypot(other.1 - y) >= 1.0)
                {
                    apart.push((x, y));
                }
            }
            apart
        })
    }

    impl Stones {
        /// The groups that have no liberty, found without anything that was remembered.
        pub(in super::super) fn dead_groups(&self) -> Vec<Vec<StoneId>> {
            let mut groups: Vec<Vec<StoneId>> = Vec::new();
            for (id, stone) in self.all.iter().enumerate() {
                let Some(stone) = stone else { continue };
                let touches = |group: &Vec<StoneId>| {
                    group.iter().map(|&other| self.stone(other)).any(|other| {
                        other.color == stone.color && other.center.distance(stone.center) <= TOUCH
                    })
                };
                let (joined, apart): (Vec<_>, Vec<_>) = groups.into_iter().partition(touches);
                groups = apart;
                groups.push([joined.concat(), vec![id]].concat());
            }
            let has_liberty = |&id: &StoneId| self.liberty_beside(self.stone(id).center).is_some();
            groups.retain(|group| !group.iter().any(has_liberty));
            groups
        }
    }

    proptest! {
        #[test]
        fn a_liberty_is_a_place_for_a_stone(places in crowd()) {
            let stones = stones(&places);
            for stone in stones.iter() {
                if let Some(liberty) = stone.liberty {
                    prop_assert!((liberty.distance(stone.center) - 1.0).abs() < ROUNDING);
                    prop_assert!(stones.is_free(liberty));
                }
            }
        }

        #[test]
        fn no_liberty_is_missed(places in crowd()) {
            let stones = stones(&places);
            for stone in stones.iter().filter(|stone| stone.liberty.is_none()) {
                for step in 0..3600 {
                    let angle = f64::from(step).to_radians() / 10.0;
                    let place = Location {
                        x: stone.center.x + angle.cos(),
                        y: stone.center.y + angle.sin(),
                    };
                    prop_assert!(!stones.is_free(place), "{stone:?} at {angle}");
                }
            }
        }

        #[test]
        fn remembered_liberties_are_those_one_would_find(places in crowd(), gone in 0usize..40) {
            let mut stones = stones(&places);
            for id in 0..gone.min(places.len()) {
                stones.remove(id);
            }
            for stone in stones.iter() {
                let found = stones.liberty_beside(stone.center);
                prop_assert_eq!(found.is_some(), stone.liberty.is_some());
            }
        }
    }
}
