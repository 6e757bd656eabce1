//! `kifu check`: find every illegal move.

use std::process::ExitCode;
use std::time::Instant;

use clap::Args;

use super::Failure;
use super::games::VariantArgs;
use super::run_config::{CommonArgs, Format, LIMITS, Report, exit_status};
use super::summary::Tally;
use crate::finding::{Finding, Severity};
use crate::games;
use crate::input::InputFile;
use crate::output::{CsvFindings, FindingFormat, JsonFindings, TextFindings};
use crate::replay::{self, choose_rules};
use crate::rules::Rules;
use crate::sgf::{self, Game, GameKind, Reading};

/// Find every illegal move, and everything else that is wrong with a record.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct CheckArgs {
    #[command(flatten)]
    common: CommonArgs,

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

    /// Leave the variations of a game after N moves in all.
    #[arg(long, value_name = "N", default_value_t = replay::MOST_VARIATION_MOVES, help_heading = LIMITS)]
    max_variation_moves: usize,

    #[command(flatten)]
    variants: VariantArgs,
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
    let check = Check {
        rules: args.rules,
        variation_moves: args.variations.then_some(args.max_variation_moves),
        variants: args.variants.options(),
        limits: common.record_limits.clone(),
        format: &*format,
    };
    let started = Instant::now();
    let mut header = Vec::new();
    format.header(&mut header);
    let mut total = Tally::default();
    let ended = common.run(&header, |file| check.file(file), |tally| total.add(tally))?;
    if !common.quiet {
        eprint!("{}", total.summary(started.elapsed()));
    }
    Ok(exit_status(ended, total.has_errors()))
}

/// What to do with each file.
struct Check<'a> {
    rules: Option<Rules>,
    /// How many moves of variations to check, if any.
    variation_moves: Option<usize>,
    variants: games::Options,
    limits: sgf::Limits,
    format: &'a dyn FindingFormat,
}

impl Check<'_> {
    /// Checks one file and writes down what was found, game by game from top to bottom.
    fn file(&self, file: InputFile) -> Report<Tally> {
        let mut tally = Tally::default();
        let mut rows = Vec::new();
        let mut findings = file.findings;
        let Some(bytes) = &file.bytes else {
            let failed = |finding: &Finding| finding.severity == Severity::Error;
            tally.unread = u64::from(findings.iter().any(failed));
            self.write(&file.name, None, &findings, &mut rows, &mut tally);
            return Report { rows, tally };
        };

        let reading = sgf::read(bytes, &self.limits);
        tally.files = 1;
        tally.games = reading.games.len() as u64;
        findings.extend_from_slice(&reading.findings);
        for game in &reading.games {
            self.game(&reading, game, &mut findings, &mut tally);
        }
        findings.sort_by_key(|finding| (finding.game, finding.place));
        self.write(
            &file.name,
            Some(reading.text()),
            &findings,
            &mut rows,
            &mut tally,
        );
        Report { rows, tally }
    }

    /// Replays one game by its rules.
    fn game(&self, reading: &Reading, game: &Game, findings: &mut Vec<Finding>, tally: &mut Tally) {
        if let Some(replay) = games::replay(game, &self.variants) {
            tally.moves += u64::from(replay.moves);
            findings.extend(replay.findings);
        } else if game.kind == GameKind::Go {
            let chosen = choose_rules(&game.header, self.rules);
            tally.count_rules(&chosen);
            findings.extend(chosen.finding.map(|finding| finding.game(game.number)));
            let replay = replay::replay(game, &chosen.rules);
            tally.moves += u64::from(replay.moves);
            findings.extend(replay.findings);
            if let Some(most_moves) = self.variation_moves {
                let (branches, repairs) = reading.branches(game);
                // What was repaired in the main line has been told.
                let known = |repair: &Finding| {
                    let told = &reading.findings;
                    let from = told.partition_point(|finding| finding.place < repair.place);
                    let there = |finding: &&Finding| finding.place == repair.place;
                    told[from..]
                        .iter()
                        .take_while(there)
                        .any(|finding| finding == repair)
                };
                findings.extend(repairs.into_iter().filter(|repair| !known(repair)));
                findings.extend(replay::replay_variations(
                    game,
                    &branches,
                    &chosen.rules,
                    most_moves,
                ));
            }
        }
    }

    fn write(
        &self,
        file: &str,
        source: Option<&str>,
        findings: &[Finding],
        rows: &mut Vec<u8>,
        tally: &mut Tally,
    ) {
        for finding in findings {
            tally.count(finding);
            self.format.finding(file, source, finding, rows);
        }
    }
}
