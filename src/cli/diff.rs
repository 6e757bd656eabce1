//! `kifu diff`: what changed between two tables.

use std::io::{self, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use indicatif::HumanCount;

use super::summary::plural;
use super::{Failure, tell};
use crate::diff::{Change, CompareError, Comparison, TableReader, compare};
use crate::output::{CsvStyle, printable, write_json_line};
use crate::pipeline::row::Cell;

/// Show what changed between two tables: two scorings, two checks or two standings.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct DiffArgs {
    /// The table from before: CSV, JSON lines or Parquet.
    #[arg(value_name = "OLD")]
    old: PathBuf,

    /// The table to compare it with.
    #[arg(value_name = "NEW")]
    new: PathBuf,

    /// Compare only these columns.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    columns: Vec<String>,

    /// How the changes are written.
    #[arg(long, value_enum, default_value = "text")]
    format: DiffFormat,

    /// No summary.
    #[arg(short, long)]
    quiet: bool,
}

const EXAMPLES: &str = "\
Examples:
  kifu diff old.csv new.csv
      Game by game, which cells changed, and a summary.
  kifu diff old.parquet new.parquet --columns result,agreement
      Only where the result or the agreement with the record is another.
  kifu diff katago.csv kifu.csv --columns winner --format csv
      Where two engines disagree on the winner, as a table.

Games are matched by file and number, players by event and name; a finding can only come or go.
Values are compared, not the way they are written, so the two tables may be of different formats;
text that a CSV guards with an apostrophe is the exception, which --raw leaves out.

Exit status: 0 nothing changed, 1 something did, 2 the tables could not be compared.";

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum DiffFormat {
    /// For people.
    Text,
    /// A row per changed cell: name, change, column, old, new.
    Csv,
    /// The same as JSON objects.
    Jsonl,
}

pub(super) fn run(args: &DiffArgs) -> Result<ExitCode, Failure> {
    let open = |path| TableReader::open(path).map_err(|error| Failure::Message(error.to_string()));
    let (old, new) = (open(&args.old)?, open(&args.new)?);
    let mut out = io::BufWriter::new(io::stdout().lock());
    let style = CsvStyle::default();
    let mut buffer = Vec::new();
    if args.format == DiffFormat::Csv {
        let names = ["name", "change", "column", "old", "new"];
        style.record(names.into_iter().map(Cell::Text), &mut buffer);
        out.write_all(&buffer)?;
    }
    let compared = compare(old, new, &args.columns, |name, change| {
        buffer.clear();
        match args.format {
            DiffFormat::Text => write_text(name, &change, &mut buffer),
            DiffFormat::Csv | DiffFormat::Jsonl => {
                let name = shown_name(name);
                for [change, column, old, new] in cells(&change) {
                    let cells = [
                        ("name", name.as_str()),
                        ("change", &change),
                        ("column", &column),
                        ("old", &old),
                        ("new", &new),
                    ];
                    let cells = cells
                        .into_iter()
                        .map(|(name, text)| (name, Cell::Text(text)));
                    match args.format {
                        DiffFormat::Csv => style.record(cells.map(|(_, cell)| cell), &mut buffer),
                        _ => write_json_line(cells, &mut buffer),
                    }
                }
            }
        }
        out.write_all(&buffer)
    });
    let compared = compared.map_err(|error| match error {
        CompareError::Unreadable(error) => Failure::Message(error.to_string()),
        CompareError::Output(error) => Failure::Output(error),
        CompareError::NoColumn(name) => Failure::Message(format!(
            "There is no column `{}` in both tables.",
            printable(&name)
        )),
        CompareError::NoKey => Failure::Message(
            "These are not two tables of one kind that kifu wrote: nothing names the rows of both."
                .to_string(),
        ),
    })?;
    out.flush()?;
    drop(out);
    if !args.quiet {
        tell(summary(&compared));
    }
    Ok(match compared.has_changes() {
        true => ExitCode::from(1),
        false => ExitCode::SUCCESS,
    })
}

/// A row's name as it is read: `games.sgf, game 2`; the first game of a file needs no number.
fn shown_name(name: &[String]) -> String {
    match name {
        [file, game] if game == "1" || game.is_empty() => file.clone(),
        [file, game] if game.bytes().all(|byte| byte.is_ascii_digit()) => {
            format!("{file}, game {game}")
        }
        parts => {
            let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
            let parts = parts.into_iter().filter(|part| !part.is_empty());
            parts.collect::<Vec<_>>().join(", ")
        }
    }
}

fn write_text(name: &[String], change: &Change, out: &mut Vec<u8>) {
    let name = shown_name(name);
    let name = printable(&name);
    let text = match change {
        Change::Removed => format!("- {name}\n"),
        Change::Added => format!("+ {name}\n"),
        Change::Changed(cells) => {
            let mut text = format!("{name}\n");
            for (column, old, new) in cells {
                let shown = |text: String| match text.is_empty() {
                    true => "nothing".to_string(),
                    false => printable(&text).into_owned(),
                };
                let (old, new) = (shown(old.shown()), shown(new.shown()));
                text += &format!("  {column}: {old} -> {new}\n");
            }
            text
        }
    };
    out.extend_from_slice(text.as_bytes());
}

/// The cells of a change behind its name, a row per changed column.
fn cells(change: &Change) -> Vec<[String; 4]> {
    let whole = |word: &str| {
        vec![[
            word.to_string(),
            String::new(),
            String::new(),
            String::new(),
        ]]
    };
    match change {
        Change::Removed => whole("removed"),
        Change::Added => whole("added"),
        Change::Changed(cells) => {
            let cells = cells.iter();
            let cells = cells.map(|(column, old, new)| {
                [
                    "changed".to_string(),
                    column.clone(),
                    old.shown(),
                    new.shown(),
                ]
            });
            cells.collect()
        }
    }
}

fn summary(compared: &Comparison) -> String {
    let mut text = format!(
        "{} in both tables: {} changed; {} removed, {} added\n",
        plural(compared.matched, "row"),
        HumanCount(compared.changed),
        HumanCount(compared.removed),
        HumanCount(compared.added),
    );
    let mut columns: Vec<(&String, &u64)> = compared.by_column.iter().collect();
    columns.sort_by_key(|(name, count)| (std::cmp::Reverse(**count), *name));
    for (name, count) in columns {
        text += &format!(
            "{:>9}  {}\n",
            HumanCount(*count).to_string(),
            printable(name)
        );
    }
    for (which, names) in ["old", "new"].iter().zip(&compared.unmatched) {
        if !names.is_empty() {
            let names = names.join(", ");
            text += &format!("only in the {which} table: {}\n", printable(&names));
        }
    }
    text
}
