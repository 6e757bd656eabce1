//! `kifu check`: find every illegal move.

use std::process::ExitCode;
use std::time::Instant;

use clap::Args;

use super::Failure;
use super::common::{CommonArgs, Format, Report, exit_status};
use super::summary::Tally;
use crate::finding::Severity;
use crate::input::InputFile;
use crate::output::{CsvFindings, FindingFormat, JsonFindings, TextFindings};

/// Find every illegal move, and everything else that is wrong with a record.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct CheckArgs {
    #[command(flatten)]
    common: CommonArgs,
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
  kifu check games/ --format jsonl | jq -r 'select(.severity == \"error\") | .file'
      The files that have errors.

Exit status: 0 nothing wrong, 1 findings of severity error, 2 the command could not do its work.";

pub(super) fn run(args: CheckArgs) -> Result<ExitCode, Failure> {
    let common = args.common.decide(Format::Text)?;
    let format: Box<dyn FindingFormat> = match common.format {
        Format::Text => Box::new(TextFindings::new(common.colored)),
        Format::Csv => Box::new(CsvFindings),
        Format::Jsonl => Box::new(JsonFindings),
    };
    let started = Instant::now();
    let mut header = Vec::new();
    format.header(&mut header);
    let mut total = Tally::default();
    let ended = common.run(
        &header,
        |file| check(&file, &*format),
        |tally| total.add(tally),
    )?;
    if !common.quiet {
        eprint!("{}", total.summary(started.elapsed()));
    }
    Ok(exit_status(ended, total.has_errors()))
}

/// Checks one file and writes down what was found.
fn check(file: &InputFile, format: &dyn FindingFormat) -> Report<Tally> {
    let mut tally = Tally::default();
    let mut rows = Vec::new();
    if file.bytes.is_some() {
        tally.files = 1;
    } else if file
        .findings
        .iter()
        .any(|finding| finding.severity == Severity::Error)
    {
        tally.unread = 1;
    }
    for finding in &file.findings {
        tally.count(finding);
        format.finding(&file.name, None, finding, &mut rows);
    }
    Report { rows, tally }
}
