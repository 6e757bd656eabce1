//! `kifu completions`: what a shell needs to complete kifu's arguments.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use super::Failure;

/// Print a script that completes kifu's commands and options in a shell.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct CompletionsArgs {
    shell: Shell,
}

const EXAMPLES: &str = "\
Examples:
  kifu completions bash > ~/.local/share/bash-completion/completions/kifu
  kifu completions zsh > ~/.zfunc/_kifu
  kifu completions fish > ~/.config/fish/completions/kifu.fish";

pub(super) fn run(args: &CompletionsArgs) -> Result<ExitCode, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut super::Args::command(), "kifu", &mut script);
    io::stdout().write_all(&script)?;
    Ok(ExitCode::SUCCESS)
}
