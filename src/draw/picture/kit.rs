//! A board in parts, for a page that shows many of them.
//!
//! The page holds the wood with its lines and coordinates once per size, and each kind of stone
//! and mark once. Whoever shows a position places them where its map says: at the crossing of
//! column `x` and row `y`, counted from the top left, which is [`CELL`]`·x + `[`ORIGIN`] from the
//! left and as far from the top. They look as in [`small_goban`](super::small_goban).

use std::fmt::Write as _;

use super::goban::{seki_diamond, small_board, territory_square};
use super::svg::{figure_svg, shapes_svg};
use super::wooden_board::{FLAT_CELL, WIDE_MARGIN, flat_stone};
use crate::board::{Color, Size};

/// From line to line.
pub const CELL: f32 = FLAT_CELL;

/// From the rim to the first line.
pub const ORIGIN: f32 = WIDE_MARGIN + 0.5;

/// The parts for boards of these sizes, as symbols and groups of SVG: `k-19x19` for a board; `k-b`,
/// `k-w` for stones, `k-tb`, `k-tw` for territory and `k-sb`, `k-sw` for a stone alive in seki.
pub fn board_kit(sizes: &[Size]) -> String {
    let mut kit = String::new();
    for color in Color::BOTH {
        let letter = match color {
            Color::Black => 'b',
            Color::White => 'w',
        };
        for (kind, figure) in [
            ("", flat_stone(color, FLAT_CELL * 0.48)),
            ("t", territory_square(color, FLAT_CELL, (0.0, 0.0))),
            ("s", seki_diamond(color, FLAT_CELL, (0.0, 0.0))),
        ] {
            let figure = figure_svg(&figure);
            let _ = write!(kit, "<g id=\"k-{kind}{letter}\">{figure}</g>");
        }
    }
    for &size in sizes {
        let board = small_board(size);
        let (width, height) = (board.width(), board.height());
        let _ = write!(
            kit,
            "<symbol id=\"k-{size}\" viewBox=\"0 0 {width} {height}\">{}</symbol>",
            shapes_svg(&board)
        );
    }
    kit
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_is_there_once() {
        let kit = board_kit(&[Size::square(9), Size::square(19)]);
        for part in [
            "k-b", "k-w", "k-tb", "k-tw", "k-sb", "k-sw", "k-9x9", "k-19x19",
        ] {
            assert_eq!(kit.matches(&format!("id=\"{part}\"")).count(), 1, "{part}");
        }
    }
}
