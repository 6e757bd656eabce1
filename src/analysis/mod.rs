//! Understanding a position: who lives, who is dead, and whose the empty points are.
//!
//! Each module answers one question about a [`Board`](crate::rules::Board) and opens with the idea
//! behind its answer. None of them looks at anything but the stones.
//!
//! - [`region`]: connected empty points, the colour they touch, the chains around them;
//! - [`eye`]: the eyes of a chain, true and false, and its larger eye spaces;
//! - [`benson`]: life and territory that are proven whatever the opponent does;
//! - [`life_search`]: can a chain be killed, can it be saved, read out locally;
//! - [`seki`]: chains that live because neither side may start;
//! - [`dead_shape`]: eye spaces that make only one eye;
//! - [`bent_four`]: the corner that looks like seki and is dead under Japanese rules;
//! - [`influence`]: the picture of who leans where, drawn in nine steps from [`color_map`],
//!   [`cluster`], [`shadow`] and [`local_life`];
//! - [`life`]: which chains of a finished position are alive, decided by evidence from playouts
//!   ([`playout`]), shape ([`sketch`], [`features`]) and search ([`second_look`], [`testimony`]),
//!   weighed by a learned [`forest`];
//! - [`voronoi`]: each point to the nearest stone, a first estimate of an unfinished game.

mod arena;
pub mod benson;
pub mod bent_four;
pub mod cluster;
pub mod color_map;
pub mod dead_shape;
pub mod eye;
pub mod features;
mod field;
pub mod forest;
pub mod influence;
pub mod life;
pub mod life_search;
pub mod local_life;
pub mod playout;
pub mod region;
pub mod second_look;
pub mod seki;
pub mod shadow;
pub mod sketch;
pub mod testimony;
pub mod voronoi;
mod zone;

#[cfg(test)]
mod drawn;
