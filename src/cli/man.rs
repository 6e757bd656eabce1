//! `kifu man`: the manual pages.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Args, CommandFactory};
use clap_mangen::Man;

use super::Failure;
use crate::output::printable;

/// Print a manual page, of kifu or of one of its commands.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct ManArgs {
    /// The command whose page to print.
    command: Option<String>,
}

const EXAMPLES: &str = "\
Examples:
  kifu man > kifu.1
  kifu man check > kifu-check.1
  kifu man check | man -l -";

pub(super) fn run(args: &ManArgs) -> Result<ExitCode, Failure> {
    let mut kifu = super::Args::command();
    // Gives the commands their full names, as in `kifu check`.
    kifu.build();
    let page = match &args.command {
        None => Man::new(kifu),
        Some(name) => {
            let command = kifu.find_subcommand(name).ok_or_else(|| {
                Failure::Message(format!("There is no command `{}`.", printable(name)))
            })?;
            Man::new(command.clone())
        }
    };
    let mut text = Vec::new();
    page.render(&mut text)?;
    io::stdout().write_all(&text)?;
    Ok(ExitCode::SUCCESS)
}
