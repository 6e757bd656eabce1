//! Options for the games that are not Go, shared by the commands that replay games.

use clap::Args;

use crate::games::{DEFAULT_SNAP, GameOptions, LONGEST_SNAP, go};

/// The options as they were typed.
#[derive(Debug, Args)]
pub(super) struct OtherGameArgs {
    /// In gridless Go, move a stone by up to DISTANCE grid units (0 to 0.5) to an intersection,
    /// or to touching another stone.
    #[arg(long, value_name = "DISTANCE", default_value_t = DEFAULT_SNAP, value_parser = snap)]
    snap: f64,
}

impl OtherGameArgs {
    /// With what was typed for Go.
    pub(super) fn with(&self, go: go::GoOptions) -> GameOptions {
        let snap = self.snap;
        GameOptions {
            go,
            snap,
            ..GameOptions::default()
        }
    }
}

fn snap(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|distance| (0.0..=LONGEST_SNAP).contains(distance))
        .ok_or_else(|| format!("a snapping distance is a number from 0 to {LONGEST_SNAP}"))
}
