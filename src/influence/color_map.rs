//! The colour map: how the stones' influence spreads over points and links.
//!
//! The map is that of the program Influencie. A *link* joins two neighbouring points. At first
//! only the stones' points are coloured. Then, until nothing new is coloured:
//!
//! 1. a newly coloured point colours its links; a link that gets both colours becomes neutral;
//! 2. an uncoloured point of whose four links at least three have one colour and none has the
//!    other takes that colour; at the rim, two are enough;
//! 3. an uncoloured link between two uncoloured points takes a colour when each of them has a link
//!    of that colour and none of the other.
//!
//! Where the recipe leaves room, this is how it is read here:
//!
//! - Each step looks at the map as the step before left it, for all points and both colours at
//!   once. So the map does not depend on the order of points, and turning the board or swapping
//!   the colours turns or swaps the map.
//! - A corner lies at the rim: both of its two links are needed. On boards of one row the points at
//!   the ends have a single link, and that one decides.
//! - A neutral link counts for neither colour. It always lies between two points of different
//!   colours, so no uncoloured point ever has one.
//!
//! The map does not know about life and death: dead stones have to be left out of the sources.

use crate::board::{Board, Color, Point, PointSet, Size};

/// The colour of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tint {
    Uncolored,
    Colored(Color),
    /// Coloured from both ends in different colours.
    Neutral,
}

/// The coloured points and links of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColorMap {
    size: Size,
    points: [PointSet; 2],
    /// For each colour, the points whose link to the right has it; both colours make it neutral.
    right: [PointSet; 2],
    /// The same for the link below.
    below: [PointSet; 2],
}

impl ColorMap {
    /// The map of the stones on a board.
    pub fn new(board: &Board) -> ColorMap {
        let sources = Color::BOTH.map(|color| board.stones(color));
        ColorMap::spread(board.size(), sources)
    }

    /// The map that spreads from these points of Black and of White.
    pub fn spread(size: Size, sources: [PointSet; 2]) -> ColorMap {
        let mut map = ColorMap {
            size,
            points: sources,
            right: [PointSet::EMPTY; 2],
            below: [PointSet::EMPTY; 2],
        };
        let mut fresh = sources;
        loop {
            for color in Color::BOTH {
                for point in fresh[color.index()].iter() {
                    for beside in map.beside(point) {
                        map.paint(point, beside, color);
                    }
                }
            }
            fresh = map.newly_coloured_points();
            for color in Color::BOTH {
                map.points[color.index()] |= fresh[color.index()];
            }
            let links = map.newly_coloured_links();
            for &(a, b, color) in &links {
                map.paint(a, b, color);
            }
            if links.is_empty() && fresh.iter().all(PointSet::is_empty) {
                return map;
            }
        }
    }

    pub fn size(&self) -> Size {
        self.size
    }

    /// The colour of a point.
    pub fn point(&self, point: Point) -> Option<Color> {
        Color::BOTH
            .into_iter()
            .find(|color| self.points[color.index()].contains(point))
    }

    /// All points of a colour, stones included.
    pub fn points(&self, color: Color) -> &PointSet {
        &self.points[color.index()]
    }

    /// The colour of the link between two neighbouring points, in either order.
    pub fn link(&self, a: Point, b: Point) -> Tint {
        let (first, sets) = self.link_sets(a, b);
        match sets.map(|set| set.contains(first)) {
            [false, false] => Tint::Uncolored,
            [true, false] => Tint::Colored(Color::Black),
            [false, true] => Tint::Colored(Color::White),
            [true, true] => Tint::Neutral,
        }
    }

    /// Every link with its ends, row by row: first the link to the right of a point, then the one
    /// below it.
    pub fn links(&self) -> impl Iterator<Item = (Point, Point, Tint)> {
        self.size.points().flat_map(move |point| {
            let [_, _, right, below] = point.neighbors();
            [right, below]
                .into_iter()
                .filter(|&beside| self.size.contains(beside))
                .map(move |beside| (point, beside, self.link(point, beside)))
        })
    }

    /// The neighbours of a point on the board.
    pub(super) fn beside(&self, point: Point) -> impl Iterator<Item = Point> + use<> {
        let size = self.size;
        point
            .neighbors()
            .into_iter()
            .filter(move |&beside| size.contains(beside))
    }

    /// The end of a link that stands for it, and the sets that hold its colours.
    fn link_sets(&self, a: Point, b: Point) -> (Point, &[PointSet; 2]) {
        let (first, second) = if a < b { (a, b) } else { (b, a) };
        debug_assert!(first.neighbors().contains(&second));
        let sets = if first.y() == second.y() {
            &self.right
        } else {
            &self.below
        };
        (first, sets)
    }

    fn paint(&mut self, a: Point, b: Point, color: Color) {
        let (first, second) = if a < b { (a, b) } else { (b, a) };
        let sets = if first.y() == second.y() {
            &mut self.right
        } else {
            &mut self.below
        };
        sets[color.index()].insert(first);
    }

    /// The colour of all the coloured links of a point; none if there are both, or none at all.
    pub fn leaning(&self, point: Point) -> Option<Color> {
        match self.coloured_links(point) {
            [0, 0] => None,
            [_, 0] => Some(Color::Black),
            [0, _] => Some(Color::White),
            _ => None,
        }
    }

    /// How many links of a point have each colour.
    fn coloured_links(&self, point: Point) -> [usize; 2] {
        let mut counts = [0; 2];
        for beside in self.beside(point) {
            if let Tint::Colored(color) = self.link(point, beside) {
                counts[color.index()] += 1;
            }
        }
        counts
    }

    /// Rule 2.
    fn newly_coloured_points(&self) -> [PointSet; 2] {
        let mut fresh = [PointSet::EMPTY; 2];
        for point in self.uncoloured() {
            let links = self.beside(point).count();
            // Three of four inside, two at the rim, the only one at the end of a row.
            let needed = if links == 4 { 3 } else { links.min(2) };
            let counts = self.coloured_links(point);
            for color in Color::BOTH {
                let enough = counts[color.index()] >= needed.max(1);
                if enough && counts[color.other().index()] == 0 {
                    fresh[color.index()].insert(point);
                }
            }
        }
        fresh
    }

    /// Rule 3.
    fn newly_coloured_links(&self) -> Vec<(Point, Point, Color)> {
        let mut found = Vec::new();
        for point in self.uncoloured() {
            let Some(color) = self.leaning(point) else {
                continue;
            };
            let [_, _, right, below] = point.neighbors();
            for beside in [right, below] {
                let open = self.size.contains(beside)
                    && self.point(beside).is_none()
                    && self.link(point, beside) == Tint::Uncolored;
                if open && self.leaning(beside) == Some(color) {
                    found.push((point, beside, color));
                }
            }
        }
        found
    }

    fn uncoloured(&self) -> impl Iterator<Item = Point> + use<> {
        let coloured = self.points[0] | self.points[1];
        self.size
            .points()
            .filter(move |&point| !coloured.contains(point))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::drawn;

    /// `X` and `O` are stones, `b` and `w` coloured points.
    fn check(drawing: &str) -> ColorMap {
        let map = ColorMap::new(&drawn::board(drawing));
        for (color, marks) in [(Color::Black, "Xb"), (Color::White, "Ow")] {
            assert_eq!(
                *map.points(color),
                drawn::marked(drawing, marks),
                "{}",
                color.name()
            );
        }
        map
    }

    #[test]
    fn a_lone_stone_colours_its_links_and_no_point() {
        let map = check(
            "
            . . . . .
            . . . . .
            . . X . .
            . . . . .
            . . . . .
        ",
        );
        let coloured = map.links().filter(|link| link.2 != Tint::Uncolored);
        // Its own four links; its neighbours touch no other coloured link, and the links between
        // points that each have one are diagonal, so there are none.
        assert_eq!(coloured.count(), 4);
    }

    #[test]
    fn three_links_colour_a_point_and_two_do_at_the_rim() {
        // The point below the middle has one link from it, and two more by the third rule.
        check(
            "
            . . . . .
            . . X . .
            . X b X .
            . . b . .
            . . . . .
        ",
        );
        check(
            "
            . X b X .
            . . b . .
            . . . . .
            . . . . .
        ",
        );
    }

    #[test]
    fn a_corner_needs_both_its_links() {
        check(
            "
            b X . .
            X . . .
            . . . .
            . . . .
        ",
        );
        check(
            "
            . X . .
            . . . .
            . . . .
            . . . .
        ",
        );
    }

    #[test]
    fn stones_two_apart_colour_the_links_between_their_neighbours() {
        // The empty points beside each stone lean to Black, so the links between them are
        // coloured by the third rule.
        let map = check(
            "
            . . . . .
            . . . . .
            . X . . X
            . . . . .
            . . . . .
        ",
        );
        assert_eq!(
            map.link(Point::new(2, 2), Point::new(3, 2)),
            Tint::Colored(Color::Black)
        );
    }

    #[test]
    fn enemies_in_contact_neutralise_their_link() {
        let map = check(
            "
            . . . .
            . X O .
            . . . .
        ",
        );
        let (black, white) = (Point::new(1, 1), Point::new(2, 1));
        assert_eq!(map.link(black, white), Tint::Neutral);
        assert_eq!(map.link(white, black), Tint::Neutral);
    }

    #[test]
    fn swapping_the_colours_swaps_the_map_and_turning_the_board_turns_it() {
        let drawing = "
            . . X . . O . .
            . X . . O . . .
            . . . X . . O .
            X . . . . . . O
            . . X . . O . .
        ";
        let map = ColorMap::new(&drawn::board(drawing));
        let swapped = drawing
            .replace('X', "T")
            .replace('O', "X")
            .replace('T', "O");
        let other = ColorMap::new(&drawn::board(&swapped));
        assert_eq!(map.points(Color::Black), other.points(Color::White));
        let sizes: Vec<usize> = drawn::orientations(drawing)
            .iter()
            .map(|drawing| {
                ColorMap::new(&drawn::board(drawing))
                    .points(Color::Black)
                    .len()
            })
            .collect();
        assert!(sizes.iter().all(|&count| count == sizes[0]), "{sizes:?}");
    }

    #[test]
    fn narrow_boards_and_empty_boards_come_to_an_end() {
        check("b X b X . O w");
        let empty = ColorMap::new(&Board::new(Size::square(19)));
        assert!(empty.points(Color::Black).is_empty());
        check("X");
    }

    #[test]
    fn a_point_between_three_stones_is_coloured() {
        use crate::board::{Board, Color};
        use crate::influence::color_map::ColorMap;
        let board: Board = "
            . X . . .
            X . . . .
            . X . . O
            . . . . .
        "
        .parse()
        .unwrap();
        let map = ColorMap::new(&board);
        // The point between the three stones is coloured by three links.
        let between = board.size().point(1, 1).unwrap();
        assert_eq!(map.point(between), Some(Color::Black));
    }
}
