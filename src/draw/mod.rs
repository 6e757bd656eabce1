//! Positions, drawn.
//!
//! A position becomes a [`Diagram`], which is shown as a [`text_board`], or drawn as a
//! [`goban`]: a [`picture`], which is written as SVG or PNG. The boards of the other games have
//! no layers and need no diagram: [`other_board_text`] and [`other_board_picture`].

mod diagram;
mod goban;
mod gridless;
mod hasami;
mod layer;
mod lettering;
pub mod picture;
mod png;
mod svg;
mod text_board;
mod wooden_board;

pub use diagram::{Caption, Diagram, OutlineKind, Outlined, Unplayable};
pub use goban::goban;
pub use layer::{
    show_clusters, show_influence, show_shadows, show_territory, show_unplayable, show_voronoi,
};
pub use png::{TooLarge, png};
pub use svg::svg;
pub(crate) use text_board::text_caption;
pub use text_board::{TextStyle, text_board};

use crate::games::OtherBoard;

/// The board of a game that is not Go in letters, for a terminal.
pub fn other_board_text(board: &OtherBoard) -> String {
    match board {
        OtherBoard::Gridless(board) => gridless::text(board),
        OtherBoard::Hasami(board) => hasami::text(board),
    }
}

/// The board of a game that is not Go as a picture with this caption.
pub fn other_board_picture(board: &OtherBoard, caption: &Caption) -> picture::Picture {
    match board {
        OtherBoard::Gridless(board) => gridless::picture(board, caption),
        OtherBoard::Hasami(board) => hasami::picture(board, caption),
    }
}
