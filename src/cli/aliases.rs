//! `--aliases`: which names are the same player.

use std::path::PathBuf;

use clap::Args;

use super::Failure;
use crate::input::reason;
use crate::output::printable;
use crate::standings::Aliases;

/// The option, as it was typed.
#[derive(Debug, Args)]
pub(super) struct AliasArgs {
    /// In standings, take these names for one player: a CSV file with a line for each player, the
    /// name to use and then the others.
    #[arg(long, value_name = "FILE")]
    aliases: Option<PathBuf>,
}

impl AliasArgs {
    /// Reads the file.
    pub(super) fn read(&self) -> Result<Aliases, Failure> {
        let Some(path) = &self.aliases else {
            return Ok(Aliases::default());
        };
        let name = path.to_string_lossy();
        let name = printable(&name);
        let text = std::fs::read(path).map_err(|error| {
            let reason = reason(&error);
            Failure::Message(format!("The aliases {name} can't be read: {reason}."))
        })?;
        Aliases::parse(&text)
            .map_err(|error| Failure::Message(format!("The aliases {name} can't be used. {error}")))
    }
}
