//! Who lives and who is dead.
//!
//! Each module answers one question about a [`Board`](crate::board::Board) and opens with the idea
//! behind its answer. None of them looks at anything but the stones.
//!
//! - [`PositionGraph`]: the position cut into chains and empty regions, once for all who ask;
//! - [`eye`]: the eyes of a chain, true and false;
//! - [`benson`]: life and territory that are proven whatever the opponent does;
//! - [`local_search`]: can a chain be killed, can it be saved, read out locally;
//! - [`seki`]: chains that live because neither side may start;
//! - [`dead_shape`]: eye spaces that make only one eye;
//! - [`bent_four`]: the corner that looks like seki and is dead under Japanese rules;
//! - [`judge`]: which chains of a finished position are alive, decided by evidence from playouts
//!   ([`playout`]), shape ([`position_graph`], [`features`]) and search ([`chain_mcts`], [`search_features`]),
//!   weighed by a learned [`forest`].

pub mod benson;
pub mod bent_four;
pub mod chain_mcts;
pub mod dead_shape;
pub mod eye;
pub mod features;
pub mod forest;
mod judge;
pub(crate) mod local_board;
pub mod local_search;
pub mod playout;
mod playout_board;
pub mod position_graph;
mod potential_territory;
pub mod search_features;
pub mod seki;

pub use judge::{Evidence, Life, LifeJudge, Stage, average_until_clear, is_certain, judge};
pub(crate) use position_graph::Contact;
pub use position_graph::{ChainNode, PositionGraph, Region};
pub(crate) use potential_territory::PotentialTerritories;
