//! Who lives and who is dead.
//!
//! Each module answers one question about a [`Board`](crate::board::Board) and opens with the idea
//! behind its answer. None of them looks at anything but the stones.
//!
//! - [`PositionGraph`]: the position cut into chains and empty regions, once for all who ask;
//! - [`eye`]: the eyes of a chain, true and false;
//! - [`benson`]: life and territory that are proven whatever the opponent does;
//! - `local_search`: can a chain be killed, can it be saved, read out locally;
//! - [`seki`]: chains that live because neither side may start;
//! - `dead_shape`: eye spaces that make only one eye;
//! - [`bent_four`]: the corner that looks like seki and is dead under Japanese rules;
//! - [`judge`]: which chains of a finished position are alive, decided by evidence from playouts
//!   (`playout`), shape (`position_graph`, `features`) and search (`chain_mcts`, `search_features`),
//!   weighed by a learned `forest`.

pub mod benson;
pub mod bent_four;
mod chain_mcts;
pub(crate) mod dead_shape;
pub mod eye;
pub(crate) mod features;
pub(crate) mod forest;
pub(crate) mod judge;
pub(crate) mod local_board;
pub(crate) mod local_search;
mod ownership;
mod playout;
mod playout_board;
mod position_graph;
mod potential_territory;
pub(crate) mod random;
pub(crate) mod search_features;
pub mod seki;

pub use judge::{Life, judge};
pub(crate) use judge::{LifeJudge, estimate};
pub use ownership::Ownership;
#[cfg(test)]
pub(crate) use position_graph::CUTS;
pub(crate) use position_graph::Contact;
pub use position_graph::{ChainNode, PositionGraph, Region};
pub(crate) use potential_territory::PotentialTerritories;
