//! `kifu standings`: who won how many games of each event.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::process::ExitCode;
use std::time::Instant;

use clap::Args;
use unicode_width::UnicodeWidthStr;

use super::aliases::AliasArgs;
use super::judging::JudgingArgs;
use super::run_config::{Format, Report, TableArgs, exit_status};
use super::score::UNASKED;
use super::summary::{Summary, plural};
use super::{Failure, tell};
use crate::output::{Document, SharedDestination, printable, write_json_line};
use crate::pipeline::Part;
use crate::pipeline::batch::Ended;
use crate::pipeline::file::{self, ScoreOptions};
use crate::pipeline::row::{Cell, ScoreRow};
use crate::pipeline::tally::ScoreTally;
use crate::standings::{EventStandings, STANDING_COLUMNS, StandingColumn, StandingRow, Standings};

/// Add up who won how many games of each event: wins, draws, SOS, SODOS, cross-table.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct StandingsArgs {
    #[command(flatten)]
    config: TableArgs,

    #[command(flatten)]
    judging: JudgingArgs,

    #[command(flatten)]
    aliases: AliasArgs,
}

const EXAMPLES: &str = "\
Examples:
  kifu standings games/
      A table per event, in the terminal.
  kifu standings games/ -o table.csv
      The same as CSV: event, place, player, rank, games, points, wins, draws, losses, sos, sodos
      and results.
  kifu standings games/ --aliases names.csv
      With `Go Seigen,呉清源,Wu Qingyuan` in names.csv, games under these three names are one
      player's.

A game counts with the result that `kifu score` gives it: counted where the position is final, as
recorded where a player resigned or lost on time. A win is a point, a draw half a point. SOS is the
sum of the points of all opponents, SODOS that of the opponents that were beaten and half of those
that were held to a draw. In the cross-table, 3+ is a win against the player in line 3, 3- a loss,
3= a draw, and 3? a game without a result, which counts for nobody.

Exit status: 0 nothing wrong, 1 findings of severity error, 2 the command could not do its work.";

pub(super) fn run(args: StandingsArgs) -> Result<ExitCode, Failure> {
    let aliases = args.aliases.read()?;
    let config = args.config.resolve(Format::Text)?;
    let format = match config.format {
        Format::Text => TableFormat::Text,
        Format::Csv => TableFormat::Csv(config.csv),
        Format::Jsonl => TableFormat::Jsonl,
        Format::Github | Format::Sarif => return Err(config.format.refused()),
        #[cfg(any(feature = "xlsx", feature = "parquet"))]
        _ => {
            let message = "Standings are written as text, csv or jsonl; `kifu score -o FILE.xlsx` \
                           writes a workbook that has them too.";
            return Err(Failure::Message(message.to_string()));
        }
    };
    let columns = config.columns(STANDING_COLUMNS)?;
    let mut judging = args.judging.resolve(&config, false);
    let started = Instant::now();
    let surveyed = judging.survey(&config)?;
    let output = config.open_text()?;
    let mut table = StandingsTable {
        standings: Standings::new(aliases),
        total: ScoreTally::default(),
        format,
        columns,
        output: output.clone(),
    };
    let options = &judging.options;
    let ended = config.run_document(&output, &mut table, |part| scored(&part, options))?;
    let StandingsTable {
        standings, total, ..
    } = &table;
    if !config.quiet {
        tell(Summary::new(&total.records, started.elapsed()));
        if standings.nameless > 0 {
            let games = plural(standings.nameless, "game");
            tell(format_args!(
                "without the names of two players, and left out: {games}\n"
            ));
        }
        if !surveyed.could_ask {
            tell(UNASKED);
        }
    }
    Ok(exit_status(
        ended,
        config.fail_on,
        &total.records,
        total.disagreements(),
    ))
}

/// The rows of a file, or of a part of one.
struct Rows {
    rows: Vec<ScoreRow>,
    tally: ScoreTally,
}

fn scored(part: &Part, options: &ScoreOptions) -> Report<Rows> {
    let scored = file::score(part, options);
    let held: usize = scored.rows.iter().map(ScoreRow::held).sum();
    Report {
        rows: Vec::new(),
        held: held + scored.tally.sources.held(),
        tally: Rows {
            rows: scored.rows,
            tally: scored.tally,
        },
    }
}

#[derive(Clone, Copy)]
enum TableFormat {
    Text,
    Csv(crate::output::CsvStyle),
    Jsonl,
}

struct StandingsTable {
    standings: Standings,
    total: ScoreTally,
    format: TableFormat,
    columns: Vec<StandingColumn>,
    output: SharedDestination,
}

impl Document<Rows> for StandingsTable {
    fn add(&mut self, part: Rows) -> io::Result<()> {
        self.total.add(part.tally);
        part.rows.iter().for_each(|row| self.standings.add(row));
        Ok(())
    }

    fn close(&mut self, _ended: Ended) -> io::Result<()> {
        let mut out = Vec::new();
        if let TableFormat::Csv(style) = self.format {
            style.header(&self.columns, &mut out);
        }
        for event in self.standings.events() {
            if let TableFormat::Text = self.format {
                out.extend_from_slice(text(&event, &self.columns).as_bytes());
                continue;
            }
            for player in &event.players {
                let row = StandingRow::new(&event, player);
                let cells = self.columns.iter();
                let cells = cells.map(|column| (column.name, (column.cell)(&row)));
                match self.format {
                    TableFormat::Csv(style) => style.record(cells.map(|(_, cell)| cell), &mut out),
                    _ => write_json_line(cells, &mut out),
                }
            }
            self.output.write_all(&out)?;
            out.clear();
        }
        self.output.write_all(&out)
    }
}

/// The table of an event, for people.
fn text(event: &EventStandings, columns: &[StandingColumn]) -> String {
    let name = match event.event.as_str() {
        "" => "Games without an event".into(),
        name => printable(name),
    };
    let mut text = format!("{name}: {}", plural(u64::from(event.games), "game"));
    if event.open > 0 {
        let _ = write!(text, ", {} more without a result", event.open);
    }
    text.push('\n');
    let columns: Vec<_> = columns
        .iter()
        .filter(|column| column.name != "event")
        .collect();
    // The cross-table names players by their line.
    let mut lines = vec![vec!["".to_string()]];
    lines[0].extend(columns.iter().map(|column| column.name.to_string()));
    for (number, player) in event.players.iter().enumerate() {
        let row = StandingRow::new(event, player);
        let mut line = vec![(number + 1).to_string()];
        line.extend(columns.iter().map(|column| {
            match (column.cell)(&row) {
                Cell::Text(text) => printable(text).into_owned(),
                Cell::Integer(Some(count)) => count.to_string(),
                cell => cell
                    .rounded()
                    .map(|number| number.to_string())
                    .unwrap_or_default(),
            }
        }));
        lines.push(line);
    }
    let widths: Vec<usize> = (0..lines[0].len())
        .map(|column| {
            lines
                .iter()
                .map(|line| line[column].width())
                .max()
                .unwrap_or(0)
        })
        .collect();
    for line in &lines {
        let mut shown = String::new();
        for (number, (cell, width)) in line.iter().zip(&widths).enumerate() {
            let is_text =
                number > 0 && matches!(columns[number - 1].name, "player" | "rank" | "results");
            let space = " ".repeat(width - cell.width());
            let _ = match is_text {
                true => write!(shown, "  {cell}{space}"),
                false => write!(shown, "  {space}{cell}"),
            };
        }
        text += shown.trim_end();
        text.push('\n');
    }
    text.push('\n');
    text
}
