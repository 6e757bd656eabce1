//! A Go board as one would put it on a web page: wood, hairline grid, shaded stones.
//!
//! Everything is measured in the distance between two lines, the cell. A cell is a whole number
//! of pixels and lines lie in the middle of pixels, so that a picture at its natural size is
//! crisp; the natural size is 760 pixels for every board on which that gives stones of a sensible
//! size.
//!
//! What is told by colour is told by shape as well: territory is small squares, dead stones are
//! translucent, stones in seki carry a diamond, the last move a ring, points that can't be
//! played a cross (suicide) or a square frame (ko).

use super::diagram::{Diagram, Outlined, Unplayable, star_points};
use super::lettering;
use super::picture::{Anchor, Figure, Paint, Picture, Rgba, Segment, Shape, Stamp, Xy};
use crate::rules::{Color, Point, PointSet, column_name};

/// How wide a picture is when the board allows it.
const NATURAL_WIDTH: f32 = 760.0;
/// The smallest and the largest cell that looks good.
const CELLS: (f32, f32) = (24.0, 64.0);
/// From the outermost line to the rim of the board, in cells.
const MARGIN: f32 = 1.27;
/// A caption needs some width, even under the smallest board.
const CAPTION_WIDTH: f32 = 400.0;

const PAPER: Rgba = Rgba::rgb(0xfaf6ec);
const INK: Rgba = Rgba::rgb(0x2b2118);
const FAINT_INK: Rgba = Rgba::rgb(0x74685a);
const LINE: Rgba = Rgba::rgb(0x4a3418);
const BLACK: Rgba = Rgba::rgb(0x17171b);
const WHITE: Rgba = Rgba::rgb(0xfdfcf8);

/// Draws the diagram as a wooden board with its caption beneath.
pub fn goban(diagram: &Diagram) -> Picture {
    let mut goban = Goban::new(diagram);
    goban.wood();
    goban.leanings();
    goban.grid();
    goban.links();
    goban.coordinates();
    goban.stones();
    goban.outlines();
    goban.territory();
    goban.marks();
    goban.caption();
    goban.picture
}

struct Goban<'a> {
    diagram: &'a Diagram,
    picture: Picture,
    cell: f32,
    /// From the outermost line to the coordinates and the rim.
    margin: f32,
    /// Where the lines of the top left corner cross.
    origin: Xy,
    /// The height of the board without the caption.
    board_height: f32,
    /// The stamps of a black and a white stone.
    stones: [Stamp; 2],
}

impl<'a> Goban<'a> {
    fn new(diagram: &'a Diagram) -> Goban<'a> {
        let gaps = |lines: u8| f32::from(lines - 1);
        let (across, down) = (gaps(diagram.size.width()), gaps(diagram.size.height()));
        let cell = (NATURAL_WIDTH / (across.max(down) + 2.0 * MARGIN))
            .floor()
            .clamp(CELLS.0, CELLS.1);
        // What rounding the cell down left over, less than a pixel a line, goes to the margin.
        let spare = match NATURAL_WIDTH - (across.max(down) + 2.0 * MARGIN) * cell {
            spare if spare >= 0.0 && cell < CELLS.1 => spare,
            _ => 0.0,
        };
        let margin = (MARGIN * cell + spare / 2.0).round();
        let board_width = across * cell + 2.0 * margin;
        let board_height = down * cell + 2.0 * margin;
        let (width, caption) = if diagram.caption.is_empty() {
            (board_width, 0.0)
        } else {
            let width = board_width.max(CAPTION_WIDTH);
            (width, caption_height(diagram, width))
        };
        let title = title(diagram);
        let mut picture = Picture::new(width, board_height + caption, title);
        let stones = Color::BOTH.map(|color| picture.cut_stamp(stone(color, cell)));
        Goban {
            diagram,
            picture,
            cell,
            margin,
            origin: (
                ((width - across * cell) / 2.0).floor() + 0.5,
                margin.floor() + 0.5,
            ),
            board_height,
            stones,
        }
    }

    /// Where a point of the board, or a place between points, lies in the picture.
    fn at(&self, x: f32, y: f32) -> Xy {
        (self.origin.0 + x * self.cell, self.origin.1 + y * self.cell)
    }

    fn point(&self, point: Point) -> Xy {
        self.at(f32::from(point.x()), f32::from(point.y()))
    }

    fn wood(&mut self) {
        let (width, height) = (self.picture.width(), self.board_height);
        self.picture
            .draw(Shape::rect(0.0, 0.0, width, height).fill(Paint::Linear {
                from: (0.0, 0.0),
                to: (1.0, 1.0),
                stops: vec![
                    (0.0, Rgba::rgb(0xe9c583)),
                    (0.5, Rgba::rgb(0xe2b96f)),
                    (1.0, Rgba::rgb(0xd8aa5c)),
                ],
            }));
        // The grain: long lines, each a little crooked, scattered by the golden ratio so that
        // they neither bunch nor repeat.
        let scatter = |n: f32| (n * 0.618_034).fract();
        for (color, opacity, step, thick) in [
            (Rgba::rgb(0x9a6420), 0.10, 23.0, 1.2),
            (Rgba::rgb(0xfff0cc), 0.13, 41.0, 2.6),
        ] {
            let mut grain = Vec::new();
            for number in 0..(width / step) as u32 {
                let n = number as f32 + step;
                let x = scatter(n) * width;
                let bend = |k: f32| x + (scatter(n * 7.0 + k) - 0.5) * 0.035 * width;
                grain.push(Segment::Move((x, 0.0)));
                grain.push(Segment::Curve(
                    (bend(1.0), height * 0.3),
                    (bend(2.0), height * 0.7),
                    (bend(3.0), height),
                ));
            }
            self.picture
                .draw(Shape::path(grain).stroke(color.opacity(opacity), thick));
        }
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
        self.picture.draw(Shape::path(lines).stroke(LINE, 1.0));
        let (x, y) = self.at(0.0, 0.0);
        self.picture
            .draw(Shape::rect(x, y, right * self.cell, bottom * self.cell).stroke(LINE, 2.0));
        if right == 0.0 && bottom == 0.0 {
            // A single point has no lines: a small cross shows where it is.
            let arm = self.cell * 0.3;
            for (dx, dy) in [(arm, 0.0), (0.0, arm)] {
                self.picture
                    .draw(Shape::line((x - dx, y - dy), (x + dx, y + dy)).stroke(LINE, 2.0));
            }
        }
        for star in star_points(self.diagram.size) {
            let (x, y) = self.point(star);
            let radius = (self.cell * 0.1).max(2.4);
            self.picture.draw(Shape::circle(x, y, radius).fill(LINE));
        }
    }

    fn coordinates(&mut self) {
        let size = (self.cell * 0.29).min(14.0);
        // Midway between the stones on the outermost line and the rim.
        let out = (self.cell * 0.5 + self.margin) / 2.0 / self.cell;
        let (width, height) = (self.diagram.size.width(), self.diagram.size.height());
        let label = |goban: &mut Goban<'_>, text: String, x: f32, y: f32| {
            let (x, y) = goban.at(x, y);
            goban
                .picture
                .draw(Shape::text(text, (x, y + size / 2.0), size).color(LINE));
        };
        for x in 0..width {
            for y in [-out, f32::from(height - 1) + out] {
                label(self, column_name(x), f32::from(x), y);
            }
        }
        for y in 0..height {
            for x in [-out, f32::from(width - 1) + out] {
                label(self, (height - y).to_string(), x, f32::from(y));
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
                self.picture
                    .faint_stamp(self.stones[color.index()], at, opacity);
            }
        }
    }

    /// Whole cells in a player's colour.
    fn leanings(&mut self) {
        for color in Color::BOTH {
            let tint = match color {
                Color::Black => Rgba::rgb(0x1b2440).opacity(0.42),
                Color::White => Rgba::rgb(0xffffff).opacity(0.58),
            };
            let mut area = Vec::new();
            for contour in contours(&self.diagram.leaning[color.index()]) {
                area.extend(self.rounded_contour(&contour, 0.0, 0.18));
            }
            if !area.is_empty() {
                self.picture.draw(Shape::path(area).fill(tint));
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
                self.picture.draw(
                    Shape::path(lines)
                        .stroke(flat(color), self.cell * 0.1)
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
        let (line, width) = match outlined.color {
            Color::Black => (Rgba::rgb(0x1f4e9c), 0.075),
            Color::White => (Rgba::rgb(0xc2410c), 0.075),
        };
        let inset = if outlined.dashed { 0.16 } else { 0.06 };
        let mut path = Vec::new();
        for contour in contours(&outlined.points) {
            let drawn = self.rounded_contour(&contour, inset, 0.3);
            path.extend(if outlined.dashed {
                dashes(&drawn)
            } else {
                drawn
            });
        }
        self.picture
            .draw(Shape::path(path).stroke(line, width * self.cell).round());
    }

    fn territory(&mut self) {
        let side = (self.cell * 0.29).round();
        for color in Color::BOTH {
            for point in self.diagram.territory[color.index()].iter() {
                if self.diagram.stone(point).is_some() && !self.diagram.dead.contains(point) {
                    continue;
                }
                let (x, y) = self.point(point);
                let square =
                    Shape::rect(x - side / 2.0, y - side / 2.0, side, side).fill(flat(color));
                self.picture.draw(match color {
                    Color::Black => square.stroke(WHITE.opacity(0.35), 1.0),
                    Color::White => square.stroke(LINE.opacity(0.7), 1.0),
                });
            }
        }
    }

    fn marks(&mut self) {
        let cell = self.cell;
        for point in self.diagram.seki.iter() {
            let Some(color) = self.diagram.stone(point) else {
                continue;
            };
            let ((x, y), reach) = (self.point(point), cell * 0.2);
            let line = match color {
                Color::Black => Rgba::rgb(0x6fd6c4),
                Color::White => Rgba::rgb(0x0c7567),
            };
            self.picture.draw(
                Shape::polygon([
                    (x, y - reach),
                    (x + reach, y),
                    (x, y + reach),
                    (x - reach, y),
                ])
                .stroke(line, cell * 0.06),
            );
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
            self.picture
                .draw(Shape::circle(x, y, cell * radius).stroke(ring, cell * 0.065));
        }
        for &(point, reason) in &self.diagram.unplayable {
            self.unplayable(point, reason);
        }
    }

    /// A cross in the colour of whoever may not play, or in halves of both; a frame for a ko.
    fn unplayable(&mut self, point: Point, reason: Unplayable) {
        let (x, y) = self.point(point);
        let arm = self.cell * 0.2;
        let strokes = [
            Shape::line((x - arm, y - arm), (x + arm, y + arm)),
            Shape::line((x - arm, y + arm), (x + arm, y - arm)),
        ];
        let width = self.cell * 0.11;
        let colors = match reason {
            Unplayable::Suicide(color) => [color; 2],
            Unplayable::SuicideForBoth => Color::BOTH,
            Unplayable::Ko(color) => {
                let frame = Shape::rect(x - arm, y - arm, 2.0 * arm, 2.0 * arm);
                self.picture
                    .draw(frame.clone().stroke(LINE, width + self.cell * 0.05));
                self.picture.draw(frame.stroke(flat(color), width));
                return;
            }
        };
        for (stroke, color) in strokes.into_iter().zip(colors) {
            // A dark rim keeps White's cross visible on light wood.
            self.picture.draw(
                stroke
                    .clone()
                    .stroke(LINE, width + self.cell * 0.05)
                    .round(),
            );
            self.picture.draw(stroke.stroke(flat(color), width).round());
        }
    }

    fn caption(&mut self) {
        let caption = &self.diagram.caption;
        if caption.is_empty() {
            return;
        }
        let (width, top) = (self.picture.width(), self.board_height);
        let size = caption_size(width);
        self.picture
            .draw(Shape::rect(0.0, top, width, self.picture.height() - top).fill(PAPER));
        let room = width - 3.0 * size;
        let mut base = top + 0.9 * size;
        if caption.players.iter().any(|name| !name.is_empty()) {
            base += size;
            self.players(base, size, room);
            base += 0.9 * size;
        }
        for (text, color) in [(&caption.facts, FAINT_INK), (&caption.verdict, INK)] {
            if !text.is_empty() {
                let small = 0.8 * size;
                base += small;
                let (text, small) = fitted(text, small, room);
                self.picture.draw(
                    Shape::text(text, (width / 2.0, base), small)
                        .color(color)
                        .weight(0.11),
                );
                base += 0.9 * size;
            }
        }
    }

    /// Both names on one line, each behind a small stone.
    fn players(&mut self, base: f32, size: f32, room: f32) {
        let (bead, gap) = (size * 0.62, size * 2.2);
        let names = Color::BOTH.map(|color| match &self.diagram.caption.players[color.index()] {
            name if name.is_empty() => color.name(),
            name => name,
        });
        let each = (room - gap) / 2.0 - 2.9 * bead;
        let fitted = names.map(|name| fitted(name, size, each));
        let widths = [0, 1].map(|n| 2.9 * bead + lettering::width(&fitted[n].0, fitted[n].1));
        let mut x = (self.picture.width() - widths[0] - widths[1] - gap) / 2.0;
        for color in Color::BOTH {
            let (name, size_of_name) = &fitted[color.index()];
            let stamp = self.picture.cut_stamp(stone(color, bead / STONE));
            self.picture.stamp(stamp, (x + bead, base - size / 2.0));
            self.picture.draw(
                Shape::text(name.as_str(), (x + 2.9 * bead, base), *size_of_name)
                    .anchor(Anchor::Start)
                    .color(INK)
                    .weight(0.13),
            );
            x += widths[color.index()] + gap;
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

/// The radius of a stone, in cells.
const STONE: f32 = 0.48;

/// A stone with its shadow, around (0, 0).
fn stone(color: Color, cell: f32) -> Vec<Figure> {
    let radius = cell * STONE;
    let shadow = Shape::circle(radius * 0.1, radius * 0.16, radius * 1.1).fill(Paint::Radial {
        center: (0.5, 0.5),
        radius: 0.5,
        stops: vec![
            (0.0, Rgba::BLACK.opacity(0.5)),
            (0.8, Rgba::BLACK.opacity(0.42)),
            (1.0, Rgba::BLACK.opacity(0.0)),
        ],
    });
    // Light falls from the upper left.
    let body = match color {
        Color::Black => Shape::circle(0.0, 0.0, radius).fill(Paint::Radial {
            center: (0.34, 0.3),
            radius: 0.72,
            stops: vec![
                (0.0, Rgba::rgb(0x77777d)),
                (0.2, Rgba::rgb(0x55555b)),
                (0.55, Rgba::rgb(0x2b2b30)),
                (1.0, Rgba::rgb(0x0b0b0d)),
            ],
        }),
        Color::White => Shape::circle(0.0, 0.0, radius).fill(Paint::Radial {
            center: (0.36, 0.32),
            radius: 0.74,
            stops: vec![
                (0.0, Rgba::rgb(0xffffff)),
                (0.5, Rgba::rgb(0xf8f6f1)),
                (0.8, Rgba::rgb(0xe4e0d7)),
                (1.0, Rgba::rgb(0xbdb7aa)),
            ],
        }),
    };
    vec![shadow, body]
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

/// The height of capitals in a caption under a picture of this width.
fn caption_size(width: f32) -> f32 {
    (width / 58.0).clamp(9.0, 22.0)
}

fn caption_height(diagram: &Diagram, width: f32) -> f32 {
    let size = caption_size(width);
    let caption = &diagram.caption;
    let players = caption.players.iter().any(|name| !name.is_empty());
    let small_lines = [&caption.facts, &caption.verdict]
        .into_iter()
        .filter(|line| !line.is_empty())
        .count();
    let height = 0.9 + if players { 1.9 } else { 0.0 } + 1.7 * small_lines as f32 + 0.5;
    (height * size).round()
}

/// The text, smaller if need be, or cut short if it would become too small.
fn fitted(text: &str, size: f32, room: f32) -> (String, f32) {
    let width = lettering::width(text, size);
    if width <= room {
        return (text.to_string(), size);
    }
    let smaller = size * (room / width).max(0.75);
    // No line holds more letters than this, and a record may hold any number.
    let mut letters: Vec<char> = text.chars().take(300).collect();
    let mut shown: String = letters.iter().collect();
    while lettering::width(&shown, smaller) > room && !letters.is_empty() {
        letters.pop();
        shown = letters.iter().collect::<String>().trim_end().to_string() + "…";
    }
    (shown, smaller)
}

/// What the picture shows, for those who can't see it.
fn title(diagram: &Diagram) -> String {
    let caption = &diagram.caption;
    let [black, white] = &caption.players;
    let players = match (black.is_empty(), white.is_empty()) {
        (true, true) => format!("Go position on a board of {}", diagram.size),
        _ => format!("{black} (Black) against {white} (White)"),
    };
    [players.as_str(), &caption.facts, &caption.verdict]
        .into_iter()
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join(". ")
}
