//! `kifu schema`: the columns of the tables.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use serde::Serialize;

use super::Failure;
use crate::pipeline::row::{COLUMNS, Column, ColumnType, FINDING_COLUMNS};
use crate::standings::STANDING_COLUMNS;

/// List the columns of a table: name, type and meaning.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct SchemaArgs {
    /// The table: that of `kifu score`, `kifu check` or `kifu standings`.
    #[arg(value_enum, default_value = "score")]
    table: Table,

    /// How the list is written.
    #[arg(long, value_enum, default_value = "text")]
    format: SchemaFormat,
}

const EXAMPLES: &str = "\
Examples:
  kifu schema
      The columns of `kifu score`, for people.
  kifu schema check --format json
      The columns of `kifu check`, for programs.

Types: text; date (as the record has it; a real date in a workbook where it is a single day);
integer (a whole number, not negative); number (points, to hundredths); probability (from 0 to 1,
to thousandths); sentences (a list of texts; in CSV, one text). A missing value is
empty in CSV and null in JSON.";

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Table {
    Score,
    Check,
    Standings,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum SchemaFormat {
    /// A list for people.
    Text,
    /// An array of objects with the keys name, type and meaning.
    Json,
}

/// A column without the way to its values.
#[derive(Serialize)]
struct Described {
    name: &'static str,
    #[serde(rename = "type")]
    kind: ColumnType,
    meaning: &'static str,
}

fn described<F>(columns: &[Column<F>]) -> Vec<Described> {
    let describe = |column: &Column<F>| Described {
        name: column.name,
        kind: column.kind,
        meaning: column.meaning,
    };
    columns.iter().map(describe).collect()
}

pub(super) fn run(args: &SchemaArgs) -> Result<ExitCode, Failure> {
    let columns = match args.table {
        Table::Score => described(COLUMNS),
        Table::Check => described(FINDING_COLUMNS),
        Table::Standings => described(STANDING_COLUMNS),
    };
    let mut out = io::stdout().lock();
    match args.format {
        SchemaFormat::Text => {
            let width = |text: fn(&Described) -> usize| columns.iter().map(text).max().unwrap_or(0);
            let name_width = width(|column| column.name.len());
            let type_width = width(|column| column.kind.as_str().len());
            for Described {
                name,
                kind,
                meaning,
            } in &columns
            {
                let kind = kind.as_str();
                writeln!(out, "{name:<name_width$}  {kind:<type_width$}  {meaning}")?;
            }
        }
        SchemaFormat::Json => {
            serde_json::to_writer_pretty(&mut out, &columns).map_err(io::Error::from)?;
            writeln!(out)?;
        }
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}
