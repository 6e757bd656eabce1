//! The picture of who leans where, at any moment of a game.
//!
//! [`analyse`] draws it in nine steps from `color_map`, `cluster`, `shadow` and `local_life`;
//! [`voronoi`] gives each point to the nearest stone, a first estimate of an
//! unfinished game.

pub(crate) mod cluster;
pub(crate) mod color_map;
mod local_life;
mod shadow;
mod steps;
pub mod voronoi;

pub use steps::{Influence, Shade, analyse};
