//! The rules engine, in the words of the rule book.
//!
//! [`Board`] knows stones, chains, liberties, captures and the simple ko; it is fast and knows
//! nothing of a game's past. Points are [`Point`]s and sets of them are [`PointSet`]s.

mod board;
mod color;
mod point;
mod point_set;

pub use board::{Board, Captures, Illegal};
pub use color::{Color, Spot};
pub use point::{Point, Size};
pub use point_set::PointSet;
