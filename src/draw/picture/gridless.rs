//! The board of gridless Go as a picture: discs at any place, over their cells.

use super::shapes::{Picture, Rgba, Segment, Shape};
use super::wooden_board::{BLACK, LINE, WHITE, WoodenBoard};
use crate::board::Color;
use crate::draw::Caption;
use crate::games::{Gridless, Location, VoronoiCell};

/// Half the distance between two lines.
const STONE_RADIUS: f32 = 0.5;

/// The discs over their cells, which are tinted in the colour of the stone. Coordinates are grid
/// units, as a record counts them.
pub(super) fn picture(position: &Gridless, caption: &Caption) -> Picture {
    let size = position.size();
    let what = format!("Gridless Go on a board of {size}");
    let gaps = (f32::from(size.width() - 1), f32::from(size.height() - 1));
    let mut board = WoodenBoard::new(gaps, STONE_RADIUS, caption, &what);
    let cell = board.cell;
    let at = |board: &WoodenBoard, place: Location| board.at(place.x as f32, place.y as f32);
    let cells = position.cells();
    for VoronoiCell { color, outline, .. } in &cells {
        let tint = match color {
            Color::Black => Rgba::rgb(0x1b2440).opacity(0.42),
            Color::White => Rgba::rgb(0xffffff).opacity(0.58),
        };
        let polygon = Shape::polygon(outline.iter().map(|&corner| at(&board, corner)));
        let border = LINE.opacity(0.45);
        board
            .picture
            .draw(polygon.fill(tint).stroke(border, cell * 0.03));
    }
    let mut lines = Vec::new();
    for x in 0..size.width() {
        lines.push(Segment::Move(board.at(f32::from(x), 0.0)));
        lines.push(Segment::Line(board.at(f32::from(x), gaps.1)));
    }
    for y in 0..size.height() {
        lines.push(Segment::Move(board.at(0.0, f32::from(y))));
        lines.push(Segment::Line(board.at(gaps.0, f32::from(y))));
    }
    board
        .picture
        .draw(Shape::path(lines).stroke(LINE.opacity(0.35), 1.0));
    let out = board.label_distance();
    for x in 0..size.width() {
        for y in [-out, gaps.1 + out] {
            board.label(x.to_string(), f32::from(x), y);
        }
    }
    for y in 0..size.height() {
        for x in [-out, gaps.0 + out] {
            board.label(y.to_string(), x, f32::from(y));
        }
    }
    for stone in &cells {
        let center = at(&board, stone.center);
        board
            .picture
            .stamp(board.stones[stone.color.index()], center);
        if position.last_stone() == Some(stone.center) {
            let ring = match stone.color {
                Color::Black => WHITE,
                Color::White => BLACK,
            };
            let (x, y) = center;
            board
                .picture
                .draw(Shape::circle(x, y, cell * 0.25).stroke(ring, cell * 0.065));
        }
    }
    board.picture
}
