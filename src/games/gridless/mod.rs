//! Gridless Go: stones are discs that may be placed anywhere on the board.
//!
//! # The board
//!
//! Coordinates are in grid units from the top left intersection, a stone has the diameter of
//! one unit. A board of 19 by 19 reaches half a unit beyond its outermost lines, so that it has
//! an area of 19 × 19 and that a stone on the edge of the grid lies on it with its whole disc.
//! A stone is on the board when its whole disc is, which is to say, when its centre is within
//! the grid: the two ways to say it are one.
//!
//! # Snapping
//!
//! Hands and mice are not exact. A stone within the snapping distance ([`DEFAULT_SNAP`] unless
//! the user says otherwise) of a better place is moved there. In this order:
//!
//! 1. A stone that stands on an intersection or touches a stone already, and lies where it may,
//!    stays; so a record that was written after snapping is read as it is.
//! 2. A stone that sticks out over the edge is pushed back to it.
//! 3. It goes to the nearest of the fixed places: the intersection, the places where it touches
//!    two stones, and those where it touches a stone and the edge.
//! 4. Otherwise it slides straight to or from the nearest stone until it touches it.
//!
//! A place that is not free is no place to snap to. A stone that no place attracts stays where
//! it was put, and if it overlaps another there, the move is illegal.
//!
//! # Taking
//!
//! Stones of one colour that touch are a group, groups without a liberty ([`stones`] says how
//! one is found) are taken: first the opponent's, then one's own, so that suicide is legal.
//! There is no ko rule. Two passes end the game.
//!
//! # The score
//!
//! Each stone owns the part of the board that is nearer to it than to any other ([`voronoi`]);
//! the parts are added up by colour and divided by the area of a stone. White adds komi.

mod geometry;
mod stones;
mod voronoi;

use std::f64::consts::PI;

use super::other::{BoardGame, FinalScore, Taken, quoted};
use crate::board::{Color, Point, PointSet, Size};
use crate::finding::{Code, Finding};
use crate::sgf::{SetupPoints, Target};
use geometry::{Circle, DIAMETER, TOLERANCE, TOUCH};
pub(crate) use geometry::{Location, Rectangle};
use stones::Stones;

/// The snapping distance in grid units, unless the user says otherwise.
pub const DEFAULT_SNAP: f64 = 0.1;

/// The longest snapping distance: beyond half a stone it would no longer be a correction.
pub const LONGEST_SNAP: f64 = 0.5;

/// The area of a stone, which is worth one point.
const STONE_AREA: f64 = PI * DIAMETER * DIAMETER / 4.0;

/// A position of gridless Go.
#[derive(Clone, Debug)]
pub(crate) struct Gridless {
    size: Size,
    snap: f64,
    stones: Stones,
    last: Option<Location>,
    passes: u32,
}

/// What may be wrong with a place for a stone.
enum Fault {
    OffBoard,
    Overlap { stone: Location },
}

impl Gridless {
    /// An empty board, on which stones snap within this distance, which is taken for
    /// [`LONGEST_SNAP`] if it is longer.
    pub(crate) fn new(size: Size, snap: f64) -> Gridless {
        Gridless {
            size,
            snap: snap.clamp(0.0, LONGEST_SNAP),
            stones: Stones::new(grid(size)),
            last: None,
            passes: 0,
        }
    }

    /// How many lines the grid has across and down.
    pub(crate) fn size(&self) -> Size {
        self.size
    }

    /// Where the last move put its stone; `None` after a pass.
    pub(crate) fn last_stone(&self) -> Option<Location> {
        self.last
    }

    /// The colour and the centre of every stone on the board.
    pub(crate) fn stones(&self) -> impl Iterator<Item = (Color, Location)> {
        self.stones.iter().map(|stone| (stone.color, stone.center))
    }

    /// Whether a stone covers this intersection.
    pub(crate) fn is_covered(&self, point: Point) -> bool {
        let mut covering = self.stones.near(intersection(point), DIAMETER / 2.0);
        covering.next().is_some()
    }

    /// The board, with the half unit beyond its outermost lines.
    pub(crate) fn board(&self) -> Rectangle {
        grid(self.size).grown(DIAMETER / 2.0)
    }

    /// The stones on the board with their cells.
    pub(crate) fn cells(&self) -> Vec<VoronoiCell> {
        let stones: Vec<_> = self.stones.iter().collect();
        let centers: Vec<Location> = stones.iter().map(|stone| stone.center).collect();
        stones
            .into_iter()
            .zip(voronoi::cells(self.board(), &centers))
            .map(|(stone, outline)| VoronoiCell {
                color: stone.color,
                center: stone.center,
                outline,
            })
            .collect()
    }

    /// Where a stone that was put here comes to lie.
    fn snapped(&self, put: Location) -> Location {
        let pushed = grid(self.size).nearest(put);
        let put = if pushed.distance(put) <= self.snap {
            pushed
        } else {
            put
        };
        let intersection = grid(self.size).nearest(Location {
            x: put.x.round(),
            y: put.y.round(),
        });
        let near = self.stones.centers_near(put, TOUCH + self.snap);
        let settled = intersection.distance(put) <= TOLERANCE
            || near.iter().any(|stone| stone.distance(put) <= TOUCH);
        if settled && self.stones.is_free(put) {
            return put;
        }
        let circles: Vec<Circle> = near.iter().map(|&stone| Circle::touching(stone)).collect();
        let mut fixed = vec![intersection];
        for (index, &circle) in circles.iter().enumerate() {
            let others = circles[..index].iter();
            fixed.extend(others.flat_map(|&other| circle.meet(other)));
            fixed.extend(grid(self.size).meet(circle));
        }
        let sliding = near.iter().map(|stone| stone.towards(put, DIAMETER));
        self.nearest_free(put, fixed)
            .or_else(|| self.nearest_free(put, sliding.collect()))
            .unwrap_or(put)
    }

    /// The nearest of the places within the snapping distance where a stone may stand.
    fn nearest_free(&self, put: Location, mut places: Vec<Location>) -> Option<Location> {
        places.retain(|place| place.distance(put) <= self.snap);
        places.sort_by(|a, b| a.distance(put).total_cmp(&b.distance(put)));
        places.into_iter().find(|&place| self.stones.is_free(place))
    }

    fn fault(&self, center: Location) -> Option<Fault> {
        if !self.stones.is_on_board(center) {
            return Some(Fault::OffBoard);
        }
        self.stones.overlapped(center).map(|stone| Fault::Overlap {
            stone: stone.center,
        })
    }

    /// Takes the groups of one colour that have no liberty off the board, and counts the stones.
    fn take(&mut self, color: Color) -> u32 {
        let dead = self.stones.without_liberty(color);
        for &stone in &dead {
            self.stones.remove(stone);
        }
        dead.len() as u32
    }
}

/// Where the centres of stones may be.
fn grid(size: Size) -> Rectangle {
    Rectangle {
        left: 0.0,
        top: 0.0,
        right: f64::from(size.width() - 1),
        bottom: f64::from(size.height() - 1),
    }
}

/// A stone and the part of the board that is nearest to it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct VoronoiCell {
    pub color: Color,
    pub center: Location,
    /// A convex polygon.
    pub outline: Vec<Location>,
}

impl VoronoiCell {
    /// The cell's area in square grid units.
    pub(crate) fn area(&self) -> f64 {
        voronoi::area(&self.outline)
    }
}

/// What a move says.
enum Said {
    Pass,
    Stone(Location),
}

/// Reads `3.25,15.5`; or, as in Go, the two letters of an intersection, or a pass.
fn read_move(text: &str, size: Size) -> Option<Said> {
    let text = text.trim();
    // The old way to pass, on boards where `tt` is no point.
    let passes = size.width() <= 19 && size.height() <= 19 && text == "tt";
    if text.is_empty() || passes {
        return Some(Said::Pass);
    }
    if let Some(point) = Point::from_sgf(text.as_bytes()) {
        return Some(Said::Stone(intersection(point)));
    }
    let (x, y) = text.split_once(',')?;
    let number = |text: &str| {
        let number: f64 = text.trim().parse().ok()?;
        number.is_finite().then_some(number)
    };
    Some(Said::Stone(Location {
        x: number(x)?,
        y: number(y)?,
    }))
}

fn intersection(point: Point) -> Location {
    Location {
        x: f64::from(point.x()),
        y: f64::from(point.y()),
    }
}

/// A place as sentences write it, to thousandths.
fn name(place: Location) -> String {
    let number = |n: f64| {
        if n.abs() < 1e6 {
            // The sum turns a negative zero into a plain one.
            ((n * 1000.0).round() / 1000.0 + 0.0).to_string()
        } else {
            format!("{n:.3e}")
        }
    };
    format!("{},{}", number(place.x), number(place.y))
}

impl BoardGame for Gridless {
    fn play(&mut self, color: Color, target: &Target) -> Result<Taken, Finding> {
        let passes = std::mem::take(&mut self.passes);
        let said = match target {
            Target::Pass => Said::Pass,
            Target::Point(point) => Said::Stone(intersection(*point)),
            Target::Text(text) => read_move(text, self.size).ok_or_else(|| {
                let message = format!(
                    "{} is no place on a gridless board; one is written 3.25,15.5.",
                    quoted(text)
                );
                Finding::new(Code::GridlessBadPlace, message)
            })?,
        };
        let Said::Stone(put) = said else {
            self.passes = passes + 1;
            self.last = None;
            return Ok(Taken::default());
        };
        let center = self.snapped(put);
        match self.fault(center) {
            Some(Fault::OffBoard) => {
                let message = format!(
                    "The stone at {} does not lie on the {} board.",
                    name(put),
                    self.size
                );
                return Err(Finding::new(Code::GridlessOffBoard, message));
            }
            Some(Fault::Overlap { stone }) => {
                let message = format!(
                    "The stone at {} overlaps the one at {}.",
                    name(center),
                    name(stone)
                );
                return Err(Finding::new(Code::GridlessOverlap, message));
            }
            None => {}
        }
        self.stones.add(color, center);
        self.last = Some(center);
        let mut taken = Taken::default();
        for side in [color.other(), color] {
            taken.men[side.index()] = self.take(side);
        }
        self.stones.clear_suspects();
        Ok(taken)
    }

    /// Setup stones are given by intersections. They replace a stone with the same centre;
    /// `AE` takes off the stone that covers the intersection.
    fn set_up(&mut self, setup: &SetupPoints) -> Vec<Finding> {
        let mut findings = Vec::new();
        let on_board = |points: &PointSet| -> Vec<Location> {
            let points = points.iter().filter(|&point| self.size.contains(point));
            points.map(intersection).collect()
        };
        let [black, white, empty] = [&setup.black, &setup.white, &setup.empty].map(on_board);
        for place in empty {
            let covering: Vec<_> = self.stones.near(place, DIAMETER / 2.0).collect();
            for stone in covering {
                self.stones.remove(stone);
            }
        }
        for (color, places) in [(Color::Black, black), (Color::White, white)] {
            for place in places {
                let same: Vec<_> = self.stones.near(place, TOLERANCE).collect();
                for stone in same {
                    self.stones.remove(stone);
                }
                if let Some(stone) = self.stones.overlapped(place) {
                    let message = format!(
                        "The setup stone at {} overlaps the one at {}.",
                        name(place),
                        name(stone.center)
                    );
                    findings.push(Finding::new(Code::GridlessOverlap, message));
                } else {
                    self.stones.add(color, place);
                }
            }
        }
        findings
    }

    fn is_over(&self) -> bool {
        self.passes >= 2
    }

    fn men(&self) -> [u32; 2] {
        Color::BOTH.map(|color| {
            let stones = self.stones.iter();
            stones.filter(|stone| stone.color == color).count() as u32
        })
    }

    fn score(&self, komi: f64) -> FinalScore {
        let mut points = [0.0; 2];
        for cell in self.cells() {
            points[cell.color.index()] += cell.area() / STONE_AREA;
        }
        FinalScore::by_points(points, komi)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn board(side: u8) -> Gridless {
        Gridless::new(Size::square(side), DEFAULT_SNAP)
    }

    fn play(position: &mut Gridless, color: Color, text: &str) -> Result<Taken, Code> {
        let target = Target::Text(text.to_owned());
        position
            .play(color, &target)
            .map_err(|finding| finding.code)
    }

    /// Plays moves of which none is illegal; the answer is the stones taken, Black's first.
    fn play_all(position: &mut Gridless, color: Color, texts: &[&str]) -> [u32; 2] {
        let mut taken = [0; 2];
        for text in texts {
            let men = play(position, color, text).expect("a legal move").men;
            taken = [taken[0] + men[0], taken[1] + men[1]];
        }
        taken
    }

    /// Where a stone put here on this board comes to lie.
    fn settle(stones: &[(f64, f64)], put: (f64, f64)) -> (f64, f64) {
        let mut position = board(9);
        for &(x, y) in stones {
            position.stones.add(Color::White, Location { x, y });
        }
        let (x, y) = put;
        let place = position.snapped(Location { x, y });
        let thousandth = |n: f64| (n * 1000.0).round() / 1000.0 + 0.0;
        (thousandth(place.x), thousandth(place.y))
    }

    #[test]
    fn a_stone_snaps_to_the_grid() {
        assert_eq!(settle(&[], (3.07, 3.96)), (3.0, 4.0));
        assert_eq!(settle(&[], (3.25, 4.5)), (3.25, 4.5));
        // Both coordinates are within the distance, but the way is longer.
        assert_eq!(settle(&[], (3.08, 3.92)), (3.08, 3.92));
    }

    #[test]
    fn a_stone_snaps_to_touching_another() {
        assert_eq!(settle(&[(3.5, 3.5)], (4.57, 3.5)), (4.5, 3.5));
        assert_eq!(settle(&[(3.5, 3.5)], (4.43, 3.5)), (4.5, 3.5));
        assert_eq!(settle(&[(3.5, 3.5)], (4.65, 3.5)), (4.65, 3.5));
    }

    #[test]
    fn a_stone_snaps_to_touching_two() {
        // The third of three discs that lie close together.
        let high = 3.5 + 0.75f64.sqrt();
        assert_eq!(
            settle(&[(3.2, 3.5), (4.2, 3.5)], (3.73, high + 0.05)),
            (3.7, (high * 1000.0).round() / 1000.0)
        );
    }

    #[test]
    fn a_stone_snaps_to_the_edge_and_to_touching_beside_it() {
        assert_eq!(settle(&[], (3.5, -0.09)), (3.5, 0.0));
        assert_eq!(settle(&[(3.4, 0.0)], (4.33, -0.05)), (4.4, 0.0));
        assert_eq!(settle(&[], (3.5, -0.11)), (3.5, -0.11));
    }

    #[test]
    fn a_stone_that_touches_already_stays() {
        // An intersection is near, and there is room for the stone on it.
        assert_eq!(settle(&[(3.0, 4.05)], (4.0, 4.05)), (4.0, 4.05));
        assert_eq!(settle(&[(3.0, 4.05)], (4.01, 4.05)), (4.0, 4.0));
    }

    #[test]
    fn no_stone_snaps_onto_another() {
        // The intersection (4, 4) is taken up by the stone beside it.
        assert_eq!(settle(&[(3.3, 4.0)], (4.1, 4.0)), (4.1, 4.0));
        assert_eq!(settle(&[(3.1, 4.0)], (4.05, 4.0)), (4.1, 4.0));
    }

    #[test]
    fn an_overlap_is_illegal_and_changes_nothing() {
        let mut position = board(9);
        play_all(&mut position, Color::Black, &["4,4"]);
        assert_eq!(
            play(&mut position, Color::White, "4.5,4.25"),
            Err(Code::GridlessOverlap)
        );
        assert_eq!(position.men(), [1, 0]);
    }

    #[test]
    fn places_that_are_none() {
        let mut position = board(9);
        for text in [
            ",",
            "3",
            "3,",
            "3,4,5",
            "NaN,3",
            "3,inf",
            "-infinity,2",
            "a,b",
            "3;4",
            "١,٢",
        ] {
            let code = play(&mut position, Color::Black, text);
            assert_eq!(code, Err(Code::GridlessBadPlace), "{text}");
        }
        for text in [
            "9,3",
            "3,-1",
            "1e300,3",
            "-1e308,-1e308",
            "8.11,3",
            "3,1e18",
        ] {
            let code = play(&mut position, Color::Black, text);
            assert_eq!(code, Err(Code::GridlessOffBoard), "{text}");
        }
        for text in ["3,4", " 5.25 , 6 ", "1e0,+1", "1e-300,7", "8.09,3", "hh"] {
            assert!(play(&mut position, Color::Black, text).is_ok(), "{text}");
        }
    }

    #[test]
    fn four_stones_around_one_take_it() {
        let mut position = board(9);
        play_all(&mut position, Color::Black, &["4.3,4.6"]);
        let taken = play_all(
            &mut position,
            Color::White,
            &["3.3,4.6", "5.3,4.6", "4.3,3.6", "4.3,5.6"],
        );
        assert_eq!(taken, [1, 0]);
        assert_eq!(position.men(), [0, 4]);
    }

    #[test]
    fn three_stones_around_one_leave_it_three_places() {
        // At angles of 120° they leave room for three more stones, each a tight fit.
        let mut position = board(9);
        play_all(&mut position, Color::Black, &["4.5,4.5"]);
        let around = |degrees: f64| {
            let angle = degrees.to_radians();
            format!("{},{}", 4.5 + angle.cos(), 4.5 + angle.sin())
        };
        for degrees in [0.0, 120.0, 240.0] {
            let taken = play_all(&mut position, Color::White, &[&around(degrees)]);
            assert_eq!(taken, [0, 0]);
        }
        for degrees in [60.0, 180.0] {
            let taken = play_all(&mut position, Color::White, &[&around(degrees)]);
            assert_eq!(taken, [0, 0]);
        }
        let taken = play_all(&mut position, Color::White, &[&around(300.0)]);
        assert_eq!(taken, [1, 0]);
    }

    #[test]
    fn a_group_lives_by_the_liberty_of_one_stone() {
        let mut position = board(9);
        play_all(&mut position, Color::Black, &["0,0", "1,0"]);
        let taken = play_all(&mut position, Color::White, &["0,1", "1,1"]);
        assert_eq!(taken, [0, 0]);
        assert_eq!(play_all(&mut position, Color::White, &["2,0"]), [2, 0]);
    }

    #[test]
    fn one_takes_before_being_taken() {
        // Black's last stone has no liberty until it takes the one in the corner.
        let mut position = board(9);
        play_all(&mut position, Color::White, &["0,0", "1,1", "2,0"]);
        play_all(&mut position, Color::Black, &["0,1"]);
        assert_eq!(play_all(&mut position, Color::Black, &["1,0"]), [0, 1]);
        assert_eq!(position.men(), [2, 2]);
    }

    #[test]
    fn suicide_takes_ones_own() {
        let mut position = board(9);
        play_all(&mut position, Color::White, &["0,1", "1,0"]);
        assert_eq!(play_all(&mut position, Color::Black, &["0,0"]), [1, 0]);
        assert_eq!(position.men(), [0, 2]);
    }

    #[test]
    fn a_board_of_one_point_holds_no_stone() {
        let mut position = board(1);
        assert_eq!(play_all(&mut position, Color::Black, &["0,0"]), [1, 0]);
        assert_eq!(position.men(), [0, 0]);
    }

    #[test]
    fn two_passes_end_the_game() {
        let mut position = board(9);
        for (target, over) in [
            (Target::Pass, false),
            (Target::Text("nowhere".into()), false),
            (Target::Text("".into()), false),
            (Target::Text("tt".into()), true),
            (Target::Pass, true),
            (Target::Text("ee".into()), false),
        ] {
            let _ = position.play(Color::Black, &target);
            assert_eq!(position.is_over(), over);
        }
    }

    #[test]
    fn halves_of_the_board() {
        let mut position = board(5);
        play_all(&mut position, Color::Black, &["1,2"]);
        play_all(&mut position, Color::White, &["3,2"]);
        let half = 12.5 / STONE_AREA;
        let score = position.score(0.5);
        assert!((score.scores[0] - half).abs() < 0.005);
        assert!((score.scores[1] - half - 0.5).abs() < 0.005);
        assert_eq!(
            score.result,
            crate::sgf::RecordedResult::Win {
                winner: Color::White,
                by: crate::sgf::WinBy::Points(0.5)
            }
        );
    }

    #[test]
    fn setup_replaces_and_clears() {
        let points = |names: &[&[u8]]| {
            let mut points = PointSet::default();
            for name in names {
                points.insert(Point::from_sgf(name).unwrap());
            }
            points
        };
        let mut position = board(9);
        play_all(&mut position, Color::White, &["4,4", "6.4,4", "2.5,2"]);
        let findings = position.set_up(&SetupPoints {
            black: points(&[b"ee", b"cc"]),
            white: points(&[b"ii"]),
            empty: points(&[b"ge"]),
        });
        assert_eq!(position.men(), [1, 2]);
        assert_eq!(findings.len(), 1);
        assert_eq!(
            findings[0].message,
            "The setup stone at 2,2 overlaps the one at 2.5,2."
        );
    }

    /// Games of random moves, many of them to places that are half taken.
    fn moves() -> impl Strategy<Value = Vec<(Color, Target)>> {
        let color = prop_oneof![Just(Color::Black), Just(Color::White)];
        let tenths = (-2i32..=62, -2i32..=42)
            .prop_map(|(x, y)| Target::Text(format!("{},{}", x as f64 / 10.0, y as f64 / 10.0)));
        let anywhere = (-0.2..6.2, -0.2..4.2).prop_map(|(x, y)| Target::Text(format!("{x},{y}")));
        let point = (0u8..7, 0u8..5).prop_map(|(x, y)| Target::Point(Point::new(x, y)));
        let target = prop_oneof![4 => tenths, 4 => anywhere, 4 => point, 1 => Just(Target::Pass)];
        prop::collection::vec((color, target), 0..150)
    }

    fn replay(moves: &[(Color, Target)]) -> (Gridless, u32, u32) {
        let mut position = Gridless::new(Size::new(7, 5).unwrap(), DEFAULT_SNAP);
        let (mut placed, mut taken) = (0, 0);
        for (color, target) in moves {
            if let Ok(men) = position.play(*color, target) {
                placed += u32::from(*target != Target::Pass);
                taken += men.men.iter().sum::<u32>();
            }
        }
        (position, placed, taken)
    }

    proptest! {
        #[test]
        fn stones_are_conserved_and_apart(moves in moves()) {
            let (position, placed, taken) = replay(&moves);
            prop_assert_eq!(position.men().iter().sum::<u32>(), placed - taken);
            let stones: Vec<_> = position.stones.iter().collect();
            for (index, a) in stones.iter().enumerate() {
                prop_assert!(position.stones.is_on_board(a.center));
                for b in &stones[..index] {
                    prop_assert!(a.center.distance(b.center) >= 1.0 - 1.1 * TOLERANCE);
                }
            }
        }

        #[test]
        fn no_group_stands_without_a_liberty(moves in moves()) {
            let (position, ..) = replay(&moves);
            prop_assert!(position.stones.dead_groups().is_empty());
        }

        #[test]
        fn a_replay_is_always_the_same(moves in moves()) {
            let ((once, ..), (again, ..)) = (replay(&moves), replay(&moves));
            prop_assert_eq!(once.score(6.5), again.score(6.5));
            prop_assert_eq!(once.cells(), again.cells());
        }

        #[test]
        fn the_score_is_the_area_of_the_board(moves in moves()) {
            let (position, ..) = replay(&moves);
            let total: f64 = position.cells().iter().map(VoronoiCell::area).sum();
            let board = if position.men() == [0, 0] { 0.0 } else { 35.0 };
            prop_assert!((total - board).abs() < 1e-9);
        }
    }
}
