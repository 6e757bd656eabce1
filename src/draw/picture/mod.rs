//! A picture: a list of shapes that every renderer draws alike.
//!
//! What a board looks like is decided once, by whoever fills a [`Picture`]: the Go board in
//! [`goban()`], the boards of the other games beside it. [`svg()`] and [`png()`] only know how to
//! draw the few kinds of [`shapes`] there are. Shapes are drawn in the order in which they were
//! added, over each other.
//!
//! A figure that comes many times, such as a stone, is drawn once as a stamp and then stamped: the
//! SVG file stays small, and the PNG renderer shades each kind of stone once.

mod goban;
mod gridless;
mod hasami;
mod kit;
mod lettering;
mod png;
mod shapes;
mod svg;
mod wooden_board;

pub use goban::{goban, small_goban};
pub use kit::{CELL as KIT_CELL, ORIGIN as KIT_ORIGIN, board_kit};
pub use png::{TooLarge, png};
pub use shapes::Picture;
pub use svg::svg;

use super::Caption;
use crate::games::{OtherBoard, OtherGame};

/// The board of a game that is not Go as a picture with this caption.
pub fn other_board_picture(game: &OtherGame, caption: &Caption) -> Picture {
    match &game.board {
        OtherBoard::Gridless(board) => gridless::picture(board, caption),
        OtherBoard::Hasami(board) => hasami::picture(board, caption),
    }
}

#[cfg(test)]
mod tests {
    use super::shapes::{Rgba, Shape};
    use super::*;

    #[test]
    fn one_picture_is_written_in_both_formats() {
        let mut picture = Picture::new(100.0, 100.0, "One black disc");
        picture.draw(Shape::rect(0.0, 0.0, 100.0, 100.0).fill(Rgba::rgb(0xdcb35c)));
        picture.draw(Shape::circle(50.0, 50.0, 30.0).fill(Rgba::BLACK));
        assert!(svg(&picture).contains("<circle"));
        assert!(png(&picture, 200).unwrap().starts_with(b"\x89PNG"));
    }
}
