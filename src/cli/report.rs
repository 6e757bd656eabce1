//! `kifu report`: one HTML file about all games.

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use clap::Args;

use super::aliases::AliasArgs;
use super::judging::JudgingArgs;
use super::run_config::{Format, RecordArgs, Report as PartReport, command_line, exit_status};
use super::score::UNASKED;
use super::summary::{Summary, scores};
use super::{Failure, tell};
use crate::draw::{Caption, other_board_picture, svg};
use crate::finding::Finding;
use crate::games::Outcome;
use crate::output::{Document, excerpt};
use crate::pipeline::Part;
use crate::pipeline::batch::Ended;
use crate::pipeline::file::{self, ScoreOptions};
use crate::pipeline::tally::ScoreTally;
use crate::report::{REPORT_GAMES, Report, ReportGame, Rest, SourceExcerpt};
use crate::standings::Standings;

/// Write a report on all games: one HTML file with boards, plots, standings and a table.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct ReportArgs {
    #[command(flatten)]
    records: RecordArgs,

    /// The HTML file, which appears when it is complete.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,

    /// How many games the page holds; the rest is in a table beside it.
    #[arg(long, value_name = "N", default_value_t = REPORT_GAMES)]
    report_games: usize,

    #[command(flatten)]
    judging: JudgingArgs,

    #[command(flatten)]
    aliases: AliasArgs,
}

const EXAMPLES: &str = "\
Examples:
  kifu report games/ -o report.html
      At the top the games to look at, then plots, standings and all games.
  kifu report games/ -o report.html --aliases names.csv
      With players who write their names in several ways merged.
  kifu report games/ -o report.html --report-games 2000
      A smaller page; the games behind the first 2000 are in report-rest.csv.

The page needs no network and loads nothing: it can be sent by mail. In the table, click a heading
to sort and a game to open it; with the keyboard, the arrow keys and Enter do the same. The address
of an open game can be kept: it names the file and the game.

Exit status: 0 nothing wrong, 1 findings of severity error, 2 the command could not do its work.";

pub(super) fn run(args: ReportArgs) -> Result<ExitCode, Failure> {
    let aliases = args.aliases.read()?;
    let to_stdout = args.output == Path::new("-");
    let output = (!to_stdout).then(|| args.output.clone());
    let config = args.records.resolve(output, Format::Text)?;
    let rest = match to_stdout {
        true => None,
        false => {
            let path = rest_beside(&args.output);
            config.check_target(&path)?;
            Some(Rest::new(path))
        }
    };
    let mut judging = args.judging.resolve(&config, true);
    let started = Instant::now();
    let surveyed = judging.survey(&config)?;
    let output = config.open_text()?;
    let mut page = PageOfGames {
        report: Report::new(
            output.clone(),
            args.report_games,
            rest,
            Standings::new(aliases),
            command_line(),
        ),
        total: ScoreTally::default(),
    };
    let options = &judging.options;
    let ended = config.run_document(&output, &mut page, |part| scored(&part, options))?;
    let total = &page.total;
    if !config.quiet {
        tell(Summary::new(&total.records, started.elapsed()));
        tell(scores(total));
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

/// The table for the games that are too many: `report-rest.csv` beside `report.html`.
fn rest_beside(report: &Path) -> PathBuf {
    let mut name = report.file_stem().unwrap_or_default().to_os_string();
    name.push("-rest.csv");
    report.with_file_name(name)
}

struct PageOfGames {
    report: Report,
    total: ScoreTally,
}

/// The games of a file, or of a part of one.
struct PartGames {
    games: Vec<ReportGame>,
    tally: ScoreTally,
}

impl Document<PartGames> for PageOfGames {
    fn add(&mut self, part: PartGames) -> io::Result<()> {
        self.total.add(part.tally);
        part.games.iter().try_for_each(|game| self.report.add(game))
    }

    fn close(&mut self, ended: Ended) -> io::Result<()> {
        self.report.close(&self.total, ended)
    }
}

fn scored(part: &Part, options: &ScoreOptions) -> PartReport<PartGames> {
    let mut scored = file::score(part, options);
    let rows = std::mem::take(&mut scored.rows);
    let mut findings = std::mem::take(&mut scored.findings);
    findings.sort_by_key(|finding| (finding.game, finding.place));
    let mut lines = scored.parsed.as_ref().map(|parsed| parsed.lines());
    let findings: Vec<(Finding, Option<SourceExcerpt>)> = findings
        .into_iter()
        .map(|finding| {
            let line = lines
                .as_mut()
                .and_then(|lines| lines.source_line(finding.place));
            let line = line
                .map(excerpt)
                .map(|(text, indent)| SourceExcerpt(text, indent));
            (finding, line)
        })
        .collect();
    // They are sorted by game.
    let until = |game: u32| findings.partition_point(|(finding, _)| finding.game < game);
    let of_file = &findings[..until(1)];
    let games: Vec<ReportGame> = rows
        .into_iter()
        .enumerate()
        .map(|(number, row)| ReportGame {
            // What was found about the file as a whole stands with each of its games.
            findings: {
                let own = row.game.map_or(0..0, |game| until(game)..until(game + 1));
                [of_file, &findings[own]].concat()
            },
            other_board: match scored.outcomes.get(number) {
                Some(Outcome::Other(played)) => {
                    Some(svg(&other_board_picture(played, &Caption::default())))
                }
                _ => None,
            },
            row,
        })
        .collect();
    let held: usize = games.iter().map(ReportGame::held).sum();
    PartReport {
        rows: Vec::new(),
        held: held + scored.tally.sources.held(),
        tally: PartGames {
            games,
            tally: scored.tally,
        },
    }
}
