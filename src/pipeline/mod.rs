//! The way of a record from bytes to a row.

pub mod batch;
