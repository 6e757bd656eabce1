//! The command line: one file per command.
//!
//! What was typed and what was decided are two types. `TableArgs` is what clap read, shared
//! by every command that goes through records; `RunConfig` is checked and ready to
//! use, and runs the batch: it owns the progress bar, Ctrl-C, and the closed pipe.
//!
//! The exit status is 0 when nothing is wrong, 1 when there were findings of severity error, and
//! 2 when the command itself could not do its work. A reader that closes the pipe early, as
//! `head` does, is no failure.

mod aliases;
mod check;
mod completions;
mod diff;
mod explain;
mod games;
mod judging;
mod limits;
mod man;
mod progress;
#[cfg(feature = "report")]
mod report;
mod run_config;
mod schema;
mod score;
mod show;
mod standings;
mod summary;
mod unwritten;

use std::fmt::Display;
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::finding::Finding;
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
  kifu score games/ -o scores.xlsx
                                 the final score of every game, as a spreadsheet
  kifu report games/ -o report.html
                                 a page with the games to look at, plots and standings
  kifu show game.sgf             the final position in the terminal
  kifu explain occupied-point    what a finding means
  kifu help check                all options of a command, with examples";

#[derive(Debug, Subcommand)]
enum Command {
    Check(check::CheckArgs),
    Score(score::ScoreArgs),
    Show(show::ShowArgs),
    #[cfg(feature = "report")]
    Report(report::ReportArgs),
    Standings(standings::StandingsArgs),
    Diff(diff::DiffArgs),
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

impl Failure {
    /// This and another, if there is one.
    fn and(self, other: Option<Failure>) -> Failure {
        match (self, other) {
            (Failure::Message(first), Some(Failure::Message(second))) => {
                Failure::Message(format!("{first}\nkifu: {second}"))
            }
            (Failure::Message(first), Some(Failure::Output(error))) => {
                let second = unwritable(&error);
                Failure::Message(format!("{first}\nkifu: {second}"))
            }
            (first, _) => first,
        }
    }
}

/// The sentence about an output that could not be written.
fn unwritable(error: &io::Error) -> String {
    format!("The output can't be written: {}.", reason(error))
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::Output(error)
    }
}

/// Runs the program on the process's own arguments.
pub fn main() -> ExitCode {
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) => return print_usage(&error),
    };
    // A mistake of kifu's own that no file is to blame for.
    let outcome = catch_unwind(AssertUnwindSafe(|| run(args.command)));
    let outcome = outcome.unwrap_or_else(|panic| {
        let finding = Finding::internal_error(&*panic);
        Err(Failure::Message(finding.message))
    });
    let message = match outcome {
        Ok(status) => return status,
        // Whoever read our output has seen enough.
        Err(Failure::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
            return ExitCode::SUCCESS;
        }
        Err(Failure::Output(error)) => unwritable(&error),
        Err(Failure::Message(message)) => message,
    };
    tell(format_args!("kifu: {message}\n"));
    ExitCode::from(2)
}

/// Help that was asked for, or what is wrong with the arguments.
fn print_usage(error: &clap::Error) -> ExitCode {
    match error.print() {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => ExitCode::from(2),
        _ => ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2)),
    }
}

/// Tells the user something on standard error. If that can't be written there is nobody left to
/// tell, and the work is as good as without it.
fn tell(text: impl Display) {
    let _ = write!(io::stderr(), "{text}");
}

fn run(command: Command) -> Result<ExitCode, Failure> {
    match command {
        Command::Check(args) => check::run(args),
        Command::Score(args) => score::run(args),
        Command::Show(args) => show::run(args),
        #[cfg(feature = "report")]
        Command::Report(args) => report::run(args),
        Command::Standings(args) => standings::run(args),
        Command::Diff(args) => diff::run(&args),
        Command::Explain(args) => explain::run(&args),
        Command::Schema(args) => schema::run(&args),
        Command::Completions(args) => completions::run(&args),
        Command::Man(args) => man::run(&args),
    }
}
