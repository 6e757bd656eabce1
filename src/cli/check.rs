//! `kifu check`: find every illegal move.

use std::io;
use std::process::ExitCode;
use std::time::Instant;

use clap::Args;

use super::games::OtherGameArgs;
use super::limits::{LIMITS, help};
use super::run_config::{Format, Report, STOP, TableArgs, command_line, exit_status};
use super::summary::Summary;
use super::{Failure, tell};
use crate::finding::Finding;
use crate::games::go;
#[cfg(feature = "parquet")]
use crate::output::parquet::ParquetFindings;
#[cfg(feature = "xlsx")]
use crate::output::workbook::{self, FindingWorkbook};
use crate::output::{
    CsvFindings, Document, FindingDocument, FindingFormat, GithubFindings, JsonFindings,
    SarifFindings, TextFindings, Writing,
};
use crate::pipeline::Part;
use crate::pipeline::batch::Ended;
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
    /// known. Where it names none they are chinese if the komi of an even game is 7.5,
    /// else japanese.
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
      Files, archives, and standard input.
  find . -name '*.sgf' -print0 | kifu check --files-from -
      Names from another program.
  kifu check games/ --format csv -o findings.csv
      A spreadsheet with the columns file, game, move, line, column, severity, code, message.
  kifu check games/ --format github
      In a job of GitHub Actions: each finding beside its line. --format sarif is for others.
  kifu check --strict --fail-on warning game.sgf
      Whether a record is as FF[4] has it, before it is published.
  kifu check games/ --format jsonl | jq -r 'select(.severity == \"error\") | .file'
      The files that have errors.

Exit status: 0 nothing wrong, 1 findings of severity error (or what --fail-on says), 2 the command
could not do its work.";

pub(super) fn run(args: CheckArgs) -> Result<ExitCode, Failure> {
    let config = args.config.resolve(Format::Text)?;
    let mut kind = match config.format {
        Format::Text => Kind::Rows(Box::new(TextFindings::new(config.colored))),
        Format::Csv => Kind::Rows(Box::new(CsvFindings {
            style: config.csv,
            columns: config.columns(FINDING_COLUMNS)?,
        })),
        Format::Jsonl => Kind::Rows(Box::new(JsonFindings {
            columns: config.picked(FINDING_COLUMNS)?,
        })),
        Format::Github => Kind::Rows(Box::new(GithubFindings)),
        Format::Sarif => {
            let output = config.open_text()?;
            Kind::Document(Box::new(SarifFindings::new(output.clone())?), output)
        }
        #[cfg(feature = "xlsx")]
        Format::Xlsx => {
            let columns = config.columns(FINDING_COLUMNS)?;
            let output = config.open_document()?;
            let about = workbook::About {
                command: command_line(),
            };
            let book = FindingWorkbook::new(output.clone(), columns, about)?;
            Kind::Document(Box::new(book), output)
        }
        #[cfg(feature = "parquet")]
        Format::Parquet => {
            let columns = config.columns(FINDING_COLUMNS)?;
            let output = config.open_document()?;
            let table = ParquetFindings::new(output.clone(), columns)?;
            Kind::Document(Box::new(table), output)
        }
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
    let mut total = Tally::default();
    let ended = match &mut kind {
        Kind::Rows(format) => {
            let mut header = Vec::new();
            format.header(&mut header);
            config.run(
                &header,
                |part| report(&part, &options, &**format),
                |tally| total.add(tally),
            )?
        }
        Kind::Document(document, output) => {
            let mut findings = Findings {
                document: &mut **document,
                total: &mut total,
            };
            config.run_document(output, &mut findings, |part| found(&part, &options))?
        }
    };
    if !config.quiet {
        tell(Summary::new(&total, started.elapsed()));
    }
    Ok(exit_status(ended, config.fail_on, &total, 0))
}

/// How findings are written.
type Kind = Writing<dyn FindingFormat, dyn FindingDocument>;

/// What goes into a document, and what is added up beside it.
struct Findings<'a> {
    document: &'a mut dyn FindingDocument,
    total: &'a mut Tally,
}

/// What was found in a file, or in a part of one.
struct PartFindings {
    file: String,
    findings: Vec<Finding>,
    tally: Tally,
}

impl Document<PartFindings> for Findings<'_> {
    fn add(&mut self, part: PartFindings) -> io::Result<()> {
        self.total.add(part.tally);
        self.document.add(&part.file, &part.findings)
    }

    fn close(&mut self, ended: Ended) -> io::Result<()> {
        self.document.close(self.total, ended)
    }
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

/// Checks a file, or a part of one, for a document.
fn found(part: &Part, options: &CheckOptions) -> Report<PartFindings> {
    let checked = file::check(part, options);
    let sizes = checked.findings.iter();
    let held = sizes.map(|finding| size_of::<Finding>() + finding.message.len());
    Report {
        rows: Vec::new(),
        held: held.sum(),
        tally: PartFindings {
            file: part.name.clone(),
            findings: checked.findings,
            tally: checked.tally,
        },
    }
}
