//! Positions, drawn.
//!
//! A position becomes a [`Diagram`], which is shown as a [`text_board`], or drawn as a [`goban`]:
//! a [`Picture`], which is written as SVG or PNG. The boards of the other games have no layers and
//! need no diagram: [`other_board_text`] and [`other_board_picture`].
//!
//! Pictures need the feature `pictures`; text needs none.

mod diagram;
mod layer;
#[cfg(feature = "pictures")]
mod picture;
mod text;

pub use diagram::{Caption, Diagram, OutlineKind, Outlined, Unplayable};
pub use layer::{
    show_clusters, show_influence, show_shadows, show_territory, show_unplayable, show_voronoi,
};
#[cfg(feature = "pictures")]
pub use picture::{
    KIT_CELL, KIT_ORIGIN, Picture, TooLarge, board_kit, goban, other_board_picture, png,
    small_goban, svg,
};
pub use text::{TextStyle, other_board_text, text_board};
