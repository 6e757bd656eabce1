//! Understanding a position: who lives, who is dead, and whose the empty points are.
//!
//! Each module answers one question about a [`Board`](crate::rules::Board) and opens with the idea
//! behind its answer. None of them looks at anything but the stones.
//!
//! - [`region`]: connected empty points, the colour they touch, the chains around them;
//! - [`eye`]: the eyes of a chain, true and false, and its larger eye spaces;
//! - [`benson`]: life and territory that are proven whatever the opponent does;
//! - [`voronoi`]: each point to the nearest stone, a first estimate of an unfinished game.

pub mod benson;
pub mod eye;
pub mod region;
pub mod voronoi;

#[cfg(test)]
mod drawn;
