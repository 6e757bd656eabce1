//! Boards in characters, for the terminal, pipes and text files.

mod board;
mod gridless;
mod hasami;

pub use board::{TextStyle, text_board};

use super::Caption;
use crate::games::{OtherBoard, OtherGame};

/// The board of a game that is not Go in letters, with its caption below in this style.
pub fn other_board_text(game: &OtherGame, caption: &Caption, style: TextStyle) -> String {
    let board = match &game.board {
        OtherBoard::Gridless(board) => gridless::text(board),
        OtherBoard::Hasami(board) => hasami::text(board),
    };
    board + &board::text_caption(caption, style)
}
