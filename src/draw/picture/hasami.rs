//! The board of Dai Hasami Shogi as a picture: round men on nine by nine squares.

use super::shapes::{Picture, Segment, Shape};
use super::wooden_board::{BLACK, LINE, WHITE, WoodenBoard};
use crate::board::Color;
use crate::draw::Caption;
use crate::games::{HASAMI_SIDE as SIDE, Hasami, Square};

/// The radius of a man, in squares.
const MAN_RADIUS: f32 = 0.4;

/// Round men on the squares; the last move is a line that ends in a ring on its man.
pub(super) fn picture(position: &Hasami, caption: &Caption) -> Picture {
    let side = f32::from(SIDE);
    let mut board = WoodenBoard::new((side, side), MAN_RADIUS, caption, "Dai Hasami Shogi");
    let mut lines = Vec::new();
    for line in (0..=SIDE).map(f32::from) {
        lines.push(Segment::Move(board.at(line, 0.0)));
        lines.push(Segment::Line(board.at(line, side)));
        lines.push(Segment::Move(board.at(0.0, line)));
        lines.push(Segment::Line(board.at(side, line)));
    }
    board.picture.draw(Shape::path(lines).stroke(LINE, 1.0));
    let (x, y) = board.at(0.0, 0.0);
    let length = side * board.cell;
    board
        .picture
        .draw(Shape::rect(x, y, length, length).stroke(LINE, 2.0));
    let out = 0.4;
    for n in 0..SIDE {
        let middle = f32::from(n) + 0.5;
        for edge in [-out, side + out] {
            board.label(char::from(b'1' + n).to_string(), middle, edge);
            board.label(char::from(b'A' + n).to_string(), edge, middle);
        }
    }
    let middle = |board: &WoodenBoard, square: Square| {
        board.at(f32::from(square.column) + 0.5, f32::from(square.row) + 0.5)
    };
    let cell = board.cell;
    if let Some((from, to)) = position.last_move() {
        let way = Shape::line(middle(&board, from), middle(&board, to));
        board
            .picture
            .draw(way.stroke(LINE.opacity(0.5), cell * 0.07).round());
    }
    for row in 0..SIDE {
        for column in 0..SIDE {
            let square = Square { row, column };
            if let Some(color) = position.man(square) {
                let at = middle(&board, square);
                board.picture.stamp(board.stones[color.index()], at);
            }
        }
    }
    if let Some((_, to)) = position.last_move() {
        let (x, y) = middle(&board, to);
        let ring = match position.man(to) {
            Some(Color::Black) => WHITE,
            _ => BLACK,
        };
        board
            .picture
            .draw(Shape::circle(x, y, cell * 0.2).stroke(ring, cell * 0.06));
    }
    board.picture
}
