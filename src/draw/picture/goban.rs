//! A Go board as one would put it on a web page: wood, hairline grid, shaded stones.
//!
//! The [`wooden_board`](super::wooden_board) underneath is that of every game.
//!
//! What is shown by colour is shown by shape as well: territory is small squares, dead stones are
//! translucent, stones in seki carry a diamond, the last move a ring, points that can't be
//! played a cross (suicide) or a square frame (ko).

use super::shapes::{Figure, Picture, Rgba, Segment, Shape, Xy};
use super::wooden_board::{BLACK, LINE, NARROW_MARGIN, WHITE, WIDE_MARGIN, WoodenBoard};
use crate::board::{Board, Color, Point, PointSet, Size, column_name};
use crate::draw::diagram::{Diagram, OutlineKind, Outlined, Unplayable, star_points};

/// The radius of a stone, in cells.
const STONE: f32 = 0.48;

/// Draws the diagram as a wooden board with its caption beneath.
pub fn goban(diagram: &Diagram) -> Picture {
    let gaps = |lines: u8| f32::from(lines - 1);
    let gaps = (gaps(diagram.size.width()), gaps(diagram.size.height()));
    let board = WoodenBoard::new(
        gaps,
        STONE,
        &diagram.caption,
        &format!("Go position on a board of {}", diagram.size),
    );
    let mut goban = Goban { diagram, board };
    goban.leanings();
    goban.grid();
    goban.links();
    goban.coordinates();
    goban.stones();
    goban.outlines();
    goban.territory();
    goban.marks();
    goban.board.picture
}

/// Draws the diagram for a small picture: the same marks in flat colours, without coordinates and
/// caption.
pub fn small_goban(diagram: &Diagram) -> Picture {
    let gaps = |lines: u8| f32::from(lines - 1);
    let gaps = (gaps(diagram.size.width()), gaps(diagram.size.height()));
    let what = format!("Go position on a board of {}", diagram.size);
    let mut goban = Goban {
        diagram,
        board: WoodenBoard::flat(gaps, STONE, NARROW_MARGIN, &what),
    };
    goban.grid();
    goban.stones();
    goban.territory();
    goban.marks();
    goban.board.picture
}

/// An empty board of this size in flat colours, with coordinates.
pub(super) fn small_board(size: Size) -> Picture {
    let gaps = |lines: u8| f32::from(lines - 1);
    let gaps = (gaps(size.width()), gaps(size.height()));
    let diagram = Diagram::new(&Board::new(size));
    let mut goban = Goban {
        diagram: &diagram,
        board: WoodenBoard::flat(gaps, STONE, WIDE_MARGIN, ""),
    };
    goban.grid();
    goban.coordinates();
    goban.board.picture
}

struct Goban<'a> {
    diagram: &'a Diagram,
    board: WoodenBoard,
}

impl Goban<'_> {
    /// Where a point of the board, or a place between points, lies in the picture.
    fn at(&self, x: f32, y: f32) -> Xy {
        self.board.at(x, y)
    }

    fn point(&self, point: Point) -> Xy {
        self.at(f32::from(point.x()), f32::from(point.y()))
    }

    fn grid(&mut self) {
        let (width, height) = (self.diagram.size.width(), self.diagram.size.height());
        let (right, bottom) = (f32::from(width - 1), f32::from(height - 1));
        let mut lines = Vec::new();
        for x in 0..width {
            lines.push(Segment::Move(self.at(f32::from(x), 0.0)));
            lines.push(Segment::Line(self.at(f32::from(x), bottom)));
        }
        for y in 0..height {
            lines.push(Segment::Move(self.at(0.0, f32::from(y))));
            lines.push(Segment::Line(self.at(right, f32::from(y))));
        }
        self.board
            .picture
            .draw(Shape::path(lines).stroke(LINE, 1.0));
        let (x, y) = self.at(0.0, 0.0);
        self.board.picture.draw(
            Shape::rect(x, y, right * self.board.cell, bottom * self.board.cell).stroke(LINE, 2.0),
        );
        if right == 0.0 && bottom == 0.0 {
            // A single point has no lines: a small cross shows where it is.
            let arm = self.board.cell * 0.3;
            for (dx, dy) in [(arm, 0.0), (0.0, arm)] {
                self.board
                    .picture
                    .draw(Shape::line((x - dx, y - dy), (x + dx, y + dy)).stroke(LINE, 2.0));
            }
        }
        for star in star_points(self.diagram.size) {
            let (x, y) = self.point(star);
            let radius = (self.board.cell * 0.1).max(2.4);
            self.board
                .picture
                .draw(Shape::circle(x, y, radius).fill(LINE));
        }
    }

    fn coordinates(&mut self) {
        let out = self.board.label_distance();
        let (width, height) = (self.diagram.size.width(), self.diagram.size.height());
        for x in 0..width {
            for y in [-out, f32::from(height - 1) + out] {
                self.board.label(column_name(x), f32::from(x), y);
            }
        }
        for y in 0..height {
            for x in [-out, f32::from(width - 1) + out] {
                self.board.label((height - y).to_string(), x, f32::from(y));
            }
        }
    }

    fn stones(&mut self) {
        for point in self.diagram.size.points() {
            if let Some(color) = self.diagram.stone(point) {
                let at = self.point(point);
                let opacity = if self.diagram.dead.contains(point) {
                    0.42
                } else {
                    1.0
                };
                self.board
                    .picture
                    .faint_stamp(self.board.stones[color.index()], at, opacity);
            }
        }
    }

    /// Whole cells in a player's colour, fainter where there is only shadow.
    fn leanings(&mut self) {
        for color in Color::BOTH {
            let (tint, strong, faint) = match color {
                Color::Black => (Rgba::rgb(0x1b2440), 0.42, 0.2),
                Color::White => (Rgba::rgb(0xffffff), 0.58, 0.28),
            };
            for (points, opacity) in [
                (self.diagram.leaning[color.index()], strong),
                (self.diagram.shaded[color.index()], faint),
            ] {
                let mut area = Vec::new();
                for contour in contours(&points) {
                    area.extend(self.rounded_contour(&contour, 0.0, 0.18));
                }
                if !area.is_empty() {
                    let area = Shape::path(area).fill(tint.opacity(opacity));
                    self.board.picture.draw(area);
                }
            }
        }
    }

    /// Coloured links, as broad lines over the grid.
    fn links(&mut self) {
        for color in Color::BOTH {
            let mut lines = Vec::new();
            for &(from, to, _) in self.diagram.links.iter().filter(|link| link.2 == color) {
                lines.push(Segment::Move(self.point(from)));
                lines.push(Segment::Line(self.point(to)));
            }
            if !lines.is_empty() {
                self.board.picture.draw(
                    Shape::path(lines)
                        .stroke(flat(color), self.board.cell * 0.1)
                        .round(),
                );
            }
        }
    }

    fn outlines(&mut self) {
        for outlined in &self.diagram.outlines {
            self.outline(outlined);
        }
    }

    fn outline(&mut self, outlined: &Outlined) {
        let line = match outlined.color {
            Color::Black => Rgba::rgb(0x1f4e9c),
            Color::White => Rgba::rgb(0xc2410c),
        };
        let (inset, width) = match outlined.line {
            OutlineKind::Cluster => (0.06, 0.075),
            OutlineKind::Eye => (0.17, 0.045),
            OutlineKind::Shadow => (0.16, 0.075),
        };
        let mut path = Vec::new();
        for contour in contours(&outlined.points) {
            let drawn = self.rounded_contour(&contour, inset, 0.3);
            path.extend(match outlined.line {
                OutlineKind::Shadow => dashes(&drawn),
                OutlineKind::Cluster | OutlineKind::Eye => drawn,
            });
        }
        let width = width * self.board.cell;
        self.board
            .picture
            .draw(Shape::path(path).stroke(line, width).round());
    }

    fn territory(&mut self) {
        for color in Color::BOTH {
            for point in self.diagram.territory[color.index()].iter() {
                if self.diagram.stone(point).is_some() && !self.diagram.dead.contains(point) {
                    continue;
                }
                let square = territory_square(color, self.board.cell, self.point(point));
                self.board.picture.draw(square);
            }
        }
    }

    fn marks(&mut self) {
        let cell = self.board.cell;
        for point in self.diagram.seki.iter() {
            let Some(color) = self.diagram.stone(point) else {
                continue;
            };
            let diamond = seki_diamond(color, cell, self.point(point));
            self.board.picture.draw(diamond);
        }
        if let Some(point) = self.diagram.last_move {
            let (x, y) = self.point(point);
            let ring = match self.diagram.stone(point) {
                Some(Color::Black) => WHITE,
                Some(Color::White) => BLACK,
                None => LINE,
            };
            let radius = if self.diagram.seki.contains(point) {
                0.33
            } else {
                0.25
            };
            self.board
                .picture
                .draw(Shape::circle(x, y, cell * radius).stroke(ring, cell * 0.065));
        }
        for &(point, reason) in &self.diagram.unplayable {
            self.unplayable(point, reason);
        }
    }

    /// A cross in the colour of whoever may not play, or in halves of both; a frame for a ko.
    fn unplayable(&mut self, point: Point, reason: Unplayable) {
        let (x, y) = self.point(point);
        let arm = self.board.cell * 0.2;
        let strokes = [
            Shape::line((x - arm, y - arm), (x + arm, y + arm)),
            Shape::line((x - arm, y + arm), (x + arm, y - arm)),
        ];
        let width = self.board.cell * 0.11;
        let colors = match reason {
            Unplayable::Suicide(color) => [color; 2],
            Unplayable::SuicideForBoth => Color::BOTH,
            Unplayable::Ko(color) => {
                let frame = Shape::rect(x - arm, y - arm, 2.0 * arm, 2.0 * arm);
                self.board
                    .picture
                    .draw(frame.clone().stroke(LINE, width + self.board.cell * 0.05));
                self.board.picture.draw(frame.stroke(flat(color), width));
                return;
            }
        };
        for (stroke, color) in strokes.into_iter().zip(colors) {
            // A dark rim keeps White's cross visible on light wood.
            self.board.picture.draw(
                stroke
                    .clone()
                    .stroke(LINE, width + self.board.cell * 0.05)
                    .round(),
            );
            self.board
                .picture
                .draw(stroke.stroke(flat(color), width).round());
        }
    }

    /// A contour drawn `inset` cells inside its points' cells, with round corners.
    fn rounded_contour(&self, contour: &[(u8, u8)], inset: f32, rounding: f32) -> Vec<Segment> {
        let corner = |index: usize| contour[index % contour.len()];
        let count = contour.len();
        let mut path = Vec::with_capacity(2 * count + 1);
        for index in 0..count {
            let (before, here, after) =
                (corner(index + count - 1), corner(index), corner(index + 1));
            let (arrive, leave) = (direction(before, here), direction(here, after));
            // The inside lies to the right of the way.
            let inward = |(dx, dy): (f32, f32)| (-dy, dx);
            let (a, b) = (inward(arrive), inward(leave));
            let x = f32::from(here.0) - 0.5 + inset * (a.0 + b.0);
            let y = f32::from(here.1) - 0.5 + inset * (a.1 + b.1);
            let start = self.at(x - rounding * arrive.0, y - rounding * arrive.1);
            let end = self.at(x + rounding * leave.0, y + rounding * leave.1);
            let control = self.at(x, y);
            path.push(if index == 0 {
                Segment::Move(start)
            } else {
                Segment::Line(start)
            });
            let toward = |from: Xy| {
                (
                    from.0 + (control.0 - from.0) * 0.55,
                    from.1 + (control.1 - from.1) * 0.55,
                )
            };
            path.push(Segment::Curve(toward(start), toward(end), end));
        }
        path.push(Segment::Close);
        path
    }
}

/// The mark of a point of territory.
pub(super) fn territory_square(color: Color, cell: f32, (x, y): Xy) -> Figure {
    let side = (cell * 0.29).round();
    let square = Shape::rect(x - side / 2.0, y - side / 2.0, side, side).fill(flat(color));
    match color {
        Color::Black => square.stroke(WHITE.opacity(0.35), 1.0),
        Color::White => square.stroke(LINE.opacity(0.7), 1.0),
    }
}

/// The mark of a stone that is alive in seki.
pub(super) fn seki_diamond(color: Color, cell: f32, (x, y): Xy) -> Figure {
    let reach = cell * 0.2;
    let line = match color {
        Color::Black => Rgba::rgb(0x6fd6c4),
        Color::White => Rgba::rgb(0x0c7567),
    };
    Shape::polygon([
        (x, y - reach),
        (x + reach, y),
        (x, y + reach),
        (x - reach, y),
    ])
    .stroke(line, cell * 0.06)
}

fn flat(color: Color) -> Rgba {
    match color {
        Color::Black => BLACK,
        Color::White => WHITE,
    }
}

fn direction(from: (u8, u8), to: (u8, u8)) -> (f32, f32) {
    let sign = |from: u8, to: u8| (f32::from(to) - f32::from(from)).clamp(-1.0, 1.0);
    (sign(from.0, to.0), sign(from.1, to.1))
}

/// The corners of the lines around a set of points, each taken as a cell: clockwise around the
/// outside, anticlockwise around holes. The cell of the point (x, y) has its corners at (x, y)
/// and (x + 1, y + 1). Cells that touch only at a corner are kept apart.
fn contours(points: &PointSet) -> Vec<Vec<(u8, u8)>> {
    // Sides of cells with the set to their right: where each begins, and its direction.
    const RIGHT: usize = 0;
    const DOWN: usize = 1;
    const LEFT: usize = 2;
    const UP: usize = 3;
    let mut sides = std::collections::BTreeSet::new();
    for point in points.iter() {
        let (x, y) = (point.x(), point.y());
        let [above, left, right, below] = point.neighbors().map(|side| points.contains(side));
        for (inner, side) in [
            (above, (y, x, RIGHT)),
            (right, (y, x + 1, DOWN)),
            (below, (y + 1, x + 1, LEFT)),
            (left, (y + 1, x, UP)),
        ] {
            if !inner {
                sides.insert(side);
            }
        }
    }
    let mut contours = Vec::new();
    while let Some(first) = sides.pop_first() {
        let mut contour = vec![(first.1, first.0)];
        let mut side = first;
        loop {
            let (y, x, way) = side;
            let end = match way {
                RIGHT => (y, x + 1),
                DOWN => (y + 1, x),
                LEFT => (y, x - 1),
                _ => (y - 1, x),
            };
            // Turning right first keeps to the same cell where two meet at a corner.
            let next = [way + 1, way, way + 3]
                .map(|turned| (end.0, end.1, turned % 4))
                .into_iter()
                .find(|next| sides.remove(next));
            match next {
                Some(next) => {
                    if next.2 != way {
                        contour.push((next.1, next.0));
                    }
                    side = next;
                }
                None => break,
            }
        }
        contours.push(contour);
    }
    contours
}

/// Every other piece of a drawn line.
fn dashes(path: &[Segment]) -> Vec<Segment> {
    let mut dashes = Vec::new();
    let mut pen = (0.0, 0.0);
    let mut start = pen;
    for &segment in path {
        let line_to = match segment {
            Segment::Move(at) => {
                (pen, start) = (at, at);
                continue;
            }
            Segment::Curve(_, _, at) => {
                dashes.push(Segment::Move(pen));
                dashes.push(segment);
                pen = at;
                continue;
            }
            Segment::Line(at) => at,
            Segment::Close => start,
        };
        let (dx, dy) = (line_to.0 - pen.0, line_to.1 - pen.1);
        let pieces = ((dx.abs() + dy.abs()) / 10.0).round() as u32;
        // An odd number of pieces, the first of them a gap: the corners are drawn.
        let pieces = pieces | 1;
        for piece in (1..pieces).step_by(2) {
            let part = |n: u32| {
                let share = n as f32 / pieces as f32;
                (pen.0 + dx * share, pen.1 + dy * share)
            };
            dashes.push(Segment::Move(part(piece)));
            dashes.push(Segment::Line(part(piece + 1)));
        }
        pen = line_to;
    }
    dashes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, Size};
    use crate::draw::{Caption, png, svg};

    /// A painted picture: its width, its height and the colour of each pixel.
    struct Painted {
        width: usize,
        height: usize,
        pixels: Vec<u8>,
    }

    fn painted(diagram: &Diagram) -> Painted {
        let picture = goban(diagram);
        let bytes = png(&picture, picture.width().round() as u32).unwrap();
        let mut reader = ::png::Decoder::new(std::io::Cursor::new(bytes))
            .read_info()
            .unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut pixels).unwrap();
        assert_eq!(info.color_type, ::png::ColorType::Rgb);
        Painted {
            width: info.width as usize,
            height: info.height as usize,
            pixels,
        }
    }

    impl Painted {
        /// How bright the picture is around a place, from 0 to 255.
        fn brightness(&self, (x, y): Xy) -> u32 {
            let mut sum = 0;
            for dy in -1..=1 {
                for dx in -1..=1 {
                    let (x, y) = (x as i32 + dx, y as i32 + dy);
                    let start = 3 * (y as usize * self.width + x as usize);
                    sum += self.pixels[start..start + 3]
                        .iter()
                        .map(|&part| u32::from(part))
                        .sum::<u32>();
                }
            }
            sum / 27
        }
    }

    /// Where a point lies in the picture of a 19×19 board.
    fn place(x: f32, y: f32) -> Xy {
        (47.5 + 37.0 * x, 47.5 + 37.0 * y)
    }

    #[test]
    fn a_full_board_is_760_pixels_wide() {
        let mut diagram = Diagram::new(&Board::new(Size::square(19)));
        let bare = painted(&diagram);
        assert_eq!((bare.width, bare.height), (760, 760));
        diagram.caption.verdict = "Jigo".to_string();
        assert!(painted(&diagram).height > 760);
    }

    #[test]
    fn stones_lie_on_their_points_and_dead_ones_are_translucent() {
        let size = Size::square(19);
        let mut board = Board::new(size);
        let point = |x, y| size.point(x, y).unwrap();
        board.set(point(3, 3), Some(Color::Black));
        board.set(point(15, 3), Some(Color::White));
        board.set(point(3, 15), Some(Color::Black));
        let mut diagram = Diagram::new(&board);
        diagram.dead.insert(point(3, 15));
        diagram.territory[Color::White.index()].insert(point(3, 15));
        diagram.territory[Color::White.index()].insert(point(9, 12));
        diagram.territory[Color::Black.index()].insert(point(9, 5));
        let picture = painted(&diagram);
        let wood = picture.brightness(place(9.5, 9.5));
        let beside = 0.33;
        assert!(picture.brightness(place(3.0, 3.0)) < 90);
        assert!(picture.brightness(place(15.0, 3.0)) > 230);
        let dead = picture.brightness(place(3.0 - beside, 15.0));
        assert!(dead > 90 && dead < wood, "{dead} on wood of {wood}");
        assert!(picture.brightness(place(3.0, 15.0)) > 230);
        assert!(picture.brightness(place(9.0, 12.0)) > 230);
        assert!(picture.brightness(place(9.0, 5.0)) < 60);
    }

    #[test]
    fn boards_of_every_shape_can_be_drawn() {
        for (width, height) in [(1, 1), (1, 52), (52, 1), (52, 52), (13, 9), (2, 2)] {
            let size = Size::new(width, height).unwrap();
            let mut diagram = Diagram::new(&Board::new(size));
            diagram.caption = Caption {
                players: [
                    "A name that is far too long ".repeat(40),
                    "古力".to_string(),
                ],
                facts: "B+R".to_string(),
                verdict: String::new(),
            };
            let picture = goban(&diagram);
            assert!(
                picture.width() >= 400.0 && picture.width() < 1400.0,
                "{size}"
            );
            assert!(svg(&picture).ends_with("</svg>\n"));
            assert!(png(&picture, 300).is_ok(), "{size}");
        }
    }

    #[test]
    fn contours_go_around_sets_and_their_holes() {
        let size = Size::square(5);
        let drawn = |rows: [&str; 5]| -> PointSet {
            size.points()
                .filter(|point| rows[point.y() as usize].as_bytes()[point.x() as usize] == b'#')
                .collect()
        };
        let ring = drawn(["###..", "#.#..", "###..", "...#.", "....."]);
        let mut contours = contours(&ring);
        contours.sort();
        assert_eq!(
            contours,
            [
                vec![(0, 0), (3, 0), (3, 3), (0, 3)],
                vec![(1, 1), (1, 2), (2, 2), (2, 1)],
                vec![(3, 3), (4, 3), (4, 4), (3, 4)],
            ]
        );
    }
}
