//! `kifu check`: find every illegal move.

use std::process::ExitCode;
use std::time::Instant;

use clap::Args;

use super::games::OtherGameArgs;
use super::limits::{LIMITS, help};
use super::run_config::{Format, Report, STOP, TableArgs, exit_status};
use super::summary::Summary;
use super::{Failure, tell};
use crate::games::go;
use crate::output::{CsvFindings, FindingFormat, JsonFindings, TextFindings};
use crate::pipeline::Part;
use crate::pipeline::file::{self, CheckOptions};
use crate::pipeline::row::FINDING_COLUMNS;
use crate::pipeline::tally::Tally;
use crate::replay;
use crate::rules::Rules;

/// Find every illegal move, and everything else that is wrong with a record.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct CheckArgs {
    #[command(flatten)]
    config: TableArgs,

    /// Check every game by these rules, whatever the record says: japanese, chinese, korean,
    /// aga, nz, ing, tromp-taylor or stone-scoring.
    ///
    /// Without it the rules are those that the record names in RU[], in any spelling that is
    /// known. Where it names none they are chinese if the komi is 7.5, else japanese.
    #[arg(long, value_name = "RULES")]
    rules: Option<Rules>,

    /// Check every variation, not the main line alone.
    #[arg(long)]
    variations: bool,

    #[arg(long, value_name = "N", help = help("max-variation-moves"),
        default_value_t = replay::MOST_VARIATION_MOVES, help_heading = LIMITS)]
    max_variation_moves: usize,

    /// Check every game, variations included, against the standard, FF[4].
    ///
    /// Finds values that are not of their type, properties in the wrong node or twice in one,
    /// points named twice or off the board, properties that FF[4] does not know. Their codes
    /// start with `ff4-`, and all are warnings or notes: see --fail-on.
    #[arg(long)]
    strict: bool,

    #[command(flatten)]
    other_games: OtherGameArgs,
}

const EXAMPLES: &str = "\
Examples:
  kifu check games/
      Everything in a folder, with the source line of each finding.
  kifu check a.sgf b.zip c.tar.gz -
      Files, archives, and SGF text on standard input.
  find . -name '*.sgf' -print0 | kifu check --files-from -
      Names from another program.
  kifu check games/ --format csv -o findings.csv
      A spreadsheet with the columns file, game, move, line, column, severity, code, message.
  kifu check --strict --fail-on warning game.sgf
      Whether a record is as FF[4] has it, before it is published.
  kifu check games/ --format jsonl | jq -r 'select(.severity == \"error\") | .file'
      The files that have errors.

Exit status: 0 nothing wrong, 1 findings of severity error, 2 the command could not do its work.";

pub(super) fn run(args: CheckArgs) -> Result<ExitCode, Failure> {
    let config = args.config.resolve(Format::Text)?;
    let format: Box<dyn FindingFormat> = match config.format {
        Format::Text => Box::new(TextFindings::new(config.colored)),
        Format::Csv => Box::new(CsvFindings {
            style: config.csv,
            columns: config.columns(FINDING_COLUMNS)?,
        }),
        Format::Jsonl => Box::new(JsonFindings {
            columns: config.picked(FINDING_COLUMNS)?,
        }),
    };
    let options = CheckOptions {
        games: args.other_games.with(go::GoOptions {
            rules: args.rules,
            ..go::GoOptions::default()
        }),
        variation_moves: args.variations.then_some(args.max_variation_moves),
        strict: args.strict,
        stop: Some(&STOP),
        limits: config.record_limits.clone(),
    };
    let started = Instant::now();
    let mut header = Vec::new();
    format.header(&mut header);
    let mut total = Tally::default();
    let ended = config.run(
        &header,
        |part| report(&part, &options, &*format),
        |tally| total.add(tally),
    )?;
    if !config.quiet {
        tell(Summary::new(&total, started.elapsed()));
    }
    Ok(exit_status(ended, config.fail_on, &total, 0))
}

/// Checks a file, or a part of one, and writes down what was found.
fn report(part: &Part, options: &CheckOptions, format: &dyn FindingFormat) -> Report<Tally> {
    let checked = file::check(part, options);
    let mut rows = Vec::new();
    format.findings(
        &part.name,
        checked.parsed.as_ref(),
        &checked.findings,
        &mut rows,
    );
    Report::new(rows, checked.tally)
}
