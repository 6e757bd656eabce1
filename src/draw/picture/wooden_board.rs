//! What the boards of all games share: wood, coordinates, shaded stones and a caption beneath.
//!
//! Everything is measured in the distance between two lines, the cell. A cell is a whole number
//! of pixels and lines lie in the middle of pixels, so that a picture at its natural size is
//! crisp; the natural size is 760 pixels for every board on which that gives stones of a sensible
//! size.

use super::lettering;
use super::shapes::{Anchor, Figure, Paint, Picture, Rgba, Segment, Shape, Stamp, Xy};
use crate::board::Color;
use crate::draw::diagram::Caption;

/// How wide a picture is when the board allows it.
const NATURAL_WIDTH: f32 = 760.0;
/// The smallest and the largest cell that looks good.
const CELLS: (f32, f32) = (24.0, 64.0);
/// From the outermost line to the rim of the board, in cells.
const MARGIN: f32 = 1.27;
/// A caption needs some width, even under the smallest board.
const CAPTION_WIDTH: f32 = 400.0;

/// The cell of a flat board; the distance from its outermost line to the rim, and that with room
/// for coordinates.
pub(crate) const FLAT_CELL: f32 = 24.0;
pub(crate) const NARROW_MARGIN: f32 = 19.0;
pub(crate) const WIDE_MARGIN: f32 = 30.0;

const WOOD: Rgba = Rgba::rgb(0xe2b96f);
const PAPER: Rgba = Rgba::rgb(0xfaf6ec);
const INK: Rgba = Rgba::rgb(0x2b2118);
const FAINT_INK: Rgba = Rgba::rgb(0x74685a);
/// Lines, and the letters on the wood.
pub(crate) const LINE: Rgba = Rgba::rgb(0x4a3418);
pub(crate) const BLACK: Rgba = Rgba::rgb(0x17171b);
pub(crate) const WHITE: Rgba = Rgba::rgb(0xfdfcf8);

/// A wooden board, on which anything may be drawn, with its caption beneath.
pub(crate) struct WoodenBoard {
    pub picture: Picture,
    pub cell: f32,
    /// From the outermost line to the coordinates and the rim.
    margin: f32,
    /// Where the lines of the top left corner cross.
    origin: Xy,
    /// The height of the board without the caption.
    board_height: f32,
    /// The stamps of a black and a white stone.
    pub stones: [Stamp; 2],
}

impl WoodenBoard {
    /// A board of so many cells across and down, for stones whose radius is `stone_radius` cells.
    /// `what` says what the picture shows when the caption names no players.
    pub(crate) fn new(
        (across, down): (f32, f32),
        stone_radius: f32,
        caption: &Caption,
        what: &str,
    ) -> WoodenBoard {
        let cell = (NATURAL_WIDTH / (across.max(down) + 2.0 * MARGIN))
            .floor()
            .clamp(CELLS.0, CELLS.1);
        // What rounding the cell down left over, less than a pixel per line, goes to the margin.
        let spare = match NATURAL_WIDTH - (across.max(down) + 2.0 * MARGIN) * cell {
            spare if spare >= 0.0 && cell < CELLS.1 => spare,
            _ => 0.0,
        };
        let margin = (MARGIN * cell + spare / 2.0).round();
        let board_width = across * cell + 2.0 * margin;
        let board_height = down * cell + 2.0 * margin;
        let (width, caption_height) = if *caption == Caption::default() {
            (board_width, 0.0)
        } else {
            let width = board_width.max(CAPTION_WIDTH);
            (width, caption_height(caption, width))
        };
        let title = title(caption, what);
        let mut picture = Picture::new(width, board_height + caption_height, title);
        let stones = Color::BOTH.map(|color| picture.cut_stamp(stone(color, cell * stone_radius)));
        let mut board = WoodenBoard {
            picture,
            cell,
            margin,
            origin: (
                ((width - across * cell) / 2.0).floor() + 0.5,
                margin.floor() + 0.5,
            ),
            board_height,
            stones,
        };
        board.wood();
        board.write(caption);
        board
    }

    /// A board for a small picture: flat colours, a narrow rim and no caption.
    pub(crate) fn flat(
        (across, down): (f32, f32),
        stone_radius: f32,
        margin: f32,
        what: &str,
    ) -> WoodenBoard {
        const CELL: f32 = FLAT_CELL;
        let (width, height) = (across * CELL + 2.0 * margin, down * CELL + 2.0 * margin);
        let mut picture = Picture::new(width, height, what);
        let stones = Color::BOTH.map(|color| {
            let stone = flat_stone(color, CELL * stone_radius);
            picture.cut_stamp(vec![stone])
        });
        picture.draw(Shape::rect(0.0, 0.0, width, height).fill(WOOD));
        WoodenBoard {
            picture,
            cell: CELL,
            margin,
            origin: (margin + 0.5, margin + 0.5),
            board_height: height,
            stones,
        }
    }

    /// Where a place of the board, in cells from the top left crossing, lies in the picture.
    pub(crate) fn at(&self, x: f32, y: f32) -> Xy {
        (self.origin.0 + x * self.cell, self.origin.1 + y * self.cell)
    }

    /// Writes a coordinate with its middle at this place of the board.
    pub(crate) fn label(&mut self, text: String, x: f32, y: f32) {
        let size = self.cell * 0.29;
        let (x, y) = self.at(x, y);
        self.picture
            .draw(Shape::text(text, (x, y + size / 2.0), size).color(LINE));
    }

    /// How many cells beyond the outermost line coordinates are written: midway between the
    /// stones on it and the rim.
    pub(crate) fn label_distance(&self) -> f32 {
        (self.cell * 0.5 + self.margin) / 2.0 / self.cell
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

    fn write(&mut self, caption: &Caption) {
        if *caption == Caption::default() {
            return;
        }
        let (width, top) = (self.picture.width(), self.board_height);
        let size = caption_size(width);
        self.picture
            .draw(Shape::rect(0.0, top, width, self.picture.height() - top).fill(PAPER));
        let room = room(width);
        let mut base = top + 0.9 * size;
        if caption.players.iter().any(|name| !name.is_empty()) {
            base += size;
            self.write_players(&caption.players, base, size, room);
            base += 0.9 * size;
        }
        for (line, color) in small_lines(caption, width) {
            let small = SMALL * size;
            base += small;
            let (text, small) = fitted(line, small, room);
            self.picture.draw(
                Shape::text(text, (width / 2.0, base), small)
                    .color(color)
                    .weight(0.11),
            );
            base += 0.9 * size;
        }
    }

    /// Both names on one line, each behind a small stone.
    fn write_players(&mut self, names: &[String; 2], base: f32, size: f32, room: f32) {
        let (bead, gap) = (size * 0.62, size * 2.2);
        let names = Color::BOTH.map(|color| match &names[color.index()] {
            name if name.is_empty() => color.name(),
            name => name,
        });
        let each = (room - gap) / 2.0 - 2.9 * bead;
        let fitted = names.map(|name| fitted(name, size, each));
        let widths = [0, 1].map(|n| 2.9 * bead + lettering::width(&fitted[n].0, fitted[n].1));
        let mut x = (self.picture.width() - widths[0] - widths[1] - gap) / 2.0;
        for color in Color::BOTH {
            let (name, size_of_name) = &fitted[color.index()];
            let stamp = self.picture.cut_stamp(stone(color, bead));
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
}

/// A stone with its shadow, around (0, 0).
fn stone(color: Color, radius: f32) -> Vec<Figure> {
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

/// A stone in one colour, around (0, 0).
pub(crate) fn flat_stone(color: Color, radius: f32) -> Figure {
    match color {
        Color::Black => Shape::circle(0.0, 0.0, radius).fill(BLACK),
        Color::White => Shape::circle(0.0, 0.0, radius - 0.5)
            .fill(WHITE)
            .stroke(LINE.opacity(0.6), 1.0),
    }
}

/// The size of the lines under the names, compared with theirs.
const SMALL: f32 = 0.8;

/// The height of capitals in a caption under a picture of this width.
fn caption_size(width: f32) -> f32 {
    (width / 58.0).clamp(9.0, 22.0)
}

fn caption_height(caption: &Caption, width: f32) -> f32 {
    let size = caption_size(width);
    let players = caption.players.iter().any(|name| !name.is_empty());
    let small_lines = small_lines(caption, width).len();
    let height = 0.9 + if players { 1.9 } else { 0.0 } + 1.7 * small_lines as f32 + 0.5;
    (height * size).round()
}

/// How wide a line of a caption may be.
fn room(width: f32) -> f32 {
    width - 3.0 * caption_size(width)
}

/// The lines under the names. One that is too long is broken after a semicolon.
fn small_lines(caption: &Caption, width: f32) -> Vec<(&str, Rgba)> {
    let mut lines = Vec::new();
    for (text, color) in [(&caption.facts, FAINT_INK), (&caption.verdict, INK)] {
        let too_long = lettering::width(text, SMALL * caption_size(width)) > room(width);
        match text.split_once("; ").filter(|_| too_long) {
            Some((first, second)) => lines.extend([(first, color), (second, color)]),
            None if text.is_empty() => {}
            None => lines.push((text, color)),
        }
    }
    lines
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
fn title(caption: &Caption, what: &str) -> String {
    let [black, white] = &caption.players;
    let players = match (black.is_empty(), white.is_empty()) {
        (true, true) => what.to_owned(),
        _ => format!("{black} (Black) against {white} (White)"),
    };
    [players.as_str(), &caption.facts, &caption.verdict]
        .into_iter()
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join(". ")
}
