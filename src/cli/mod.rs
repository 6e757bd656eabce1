//! The command line: one file per command.
//!
//! What was typed and what was decided are two types. `TableArgs` is what clap read, shared
//! by every command that goes through records; `RunConfig` is checked and ready to
//! use, and runs the batch: it owns the progress bar, Ctrl-C, and the closed pipe.
//!
//! The exit status is 0 when nothing is wrong, 1 when there were findings of severity error, and
//! 2 when the command itself could not do its work. A reader that closes the pipe early, as
//! `head` does, is no failure.

mod check;
mod completions;
mod explain;
mod games;
mod man;
mod progress;
mod run_config;
mod schema;
mod score;
mod show;
mod summary;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::input::reason;

/// Reads, checks and scores folders of Go game records.
#[derive(Debug, Parser)]
#[command(name = "kifu", version, propagate_version = true, after_help = EXAMPLES)]
struct Args {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  kifu check games/              find every illegal move in a folder of records
  kifu score games/ -o scores.csv
                                 the final score of every game, as a spreadsheet
  kifu show game.sgf             the final position in the terminal
  kifu explain occupied-point    what a finding means
  kifu help check                all options of a command, with examples";

#[derive(Debug, Subcommand)]
enum Command {
    Check(check::CheckArgs),
    Score(score::ScoreArgs),
    Show(show::ShowArgs),
    Explain(explain::ExplainArgs),
    Schema(schema::SchemaArgs),
    Completions(completions::CompletionsArgs),
    Man(man::ManArgs),
}

/// Why a command could not do its work, in a sentence for the user.
#[derive(Debug)]
enum Failure {
    Message(String),
    Output(io::Error),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::Output(error)
    }
}

/// Runs the program on the process's own arguments.
pub fn main() -> ExitCode {
    let outcome = match Args::parse().command {
        Command::Check(args) => check::run(args),
        Command::Score(args) => score::run(args),
        Command::Show(args) => show::run(args),
        Command::Explain(args) => explain::run(&args),
        Command::Schema(args) => schema::run(&args),
        Command::Completions(args) => completions::run(&args),
        Command::Man(args) => man::run(&args),
    };
    let message = match outcome {
        Ok(status) => return status,
        // Whoever read our output has seen enough.
        Err(Failure::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
            return ExitCode::SUCCESS;
        }
        Err(Failure::Output(error)) => {
            format!("The output can't be written: {}.", reason(&error))
        }
        Err(Failure::Message(message)) => message,
    };
    // If even that can't be written there is nobody left to read it.
    let _ = writeln!(io::stderr(), "kifu: {message}");
    ExitCode::from(2)
}
