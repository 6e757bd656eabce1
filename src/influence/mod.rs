//! The picture of who leans where, at any moment of a game.
//!
//! [`analyse`] draws it in nine steps from [`color_map`], [`cluster`], [`shadow`] and
//! [`local_life`]; [`voronoi`] gives each point to the nearest stone, a first estimate of an
//! unfinished game.

pub mod cluster;
pub mod color_map;
pub mod local_life;
pub mod shadow;
mod steps;
pub mod voronoi;

pub use steps::{ClusterMap, Influence, Shade, analyse};
