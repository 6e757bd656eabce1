//! The board: colours, points, sets of points, chains, and the stones on them.
//!
//! A leaf of the crate. [`Board`] knows stones, chains, liberties, captures and the simple ko; it
//! is fast and knows nothing of a game's past, which is the business of [`crate::rules`]. Points
//! are [`Point`]s and sets of them are [`PointSet`]s.

mod chain;
mod color;
#[cfg(test)]
pub(crate) mod drawn;
mod point;
mod point_set;
mod position;
mod union_find;

pub(crate) use chain::{Chain, Chains};
pub use color::{Color, Spot};
pub(crate) use point::column_name;
pub use point::{Point, Size, Vertex};
pub use point_set::PointSet;
pub use position::{Board, Captures, Illegal};
pub(crate) use union_find::UnionFind;
