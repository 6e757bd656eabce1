//! Positions, drawn.
//!
//! A position becomes a [`Diagram`], which is shown as a [`text_board`], or drawn as a
//! [`goban`]: a [`picture`], which is written as SVG or PNG.

mod diagram;
mod goban;
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
pub(crate) use wooden_board::{BLACK, LINE, WHITE, WoodenBoard};
