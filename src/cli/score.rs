//! `kifu score`: the final score of every game.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use clap::{Args, ValueEnum};
use indicatif::HumanCount;

use super::games::OtherGameArgs;
use super::run_config::{Format, Report, STOP, TableArgs, exit_status, unwritten};
use super::summary::{Summary, conventions, scores};
use super::unwritten::UnwrittenFiles;
use super::{Failure, tell};
use crate::count::Counting;
use crate::games::Outcome;
use crate::games::convention::Conventions;
use crate::games::go::{self, DeadStones};
use crate::input::{Inputs, reason};
use crate::output::folder::{GivenNames, OutputFolder, Unnamed};
use crate::output::{CsvScores, JsonScores, ScoreFormat, TextScores, printable};
use crate::pipeline::Part;
use crate::pipeline::annotation::{SetResult, annotate};
use crate::pipeline::file::{self, ScoreOptions, ScoredFile};
use crate::pipeline::row::{self, COLUMNS};
use crate::pipeline::sources::{FoundConventions, Survey};
use crate::pipeline::tally::ScoreTally;
use crate::rules::Rules;
use crate::sgf::{Annotation, MOST_KOMI};

/// Score every game: find the dead stones, count by the rules, compare with the record.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct ScoreArgs {
    #[command(flatten)]
    config: TableArgs,

    /// Count by these rules, whatever the records say: japanese, chinese, korean, aga, nz, ing,
    /// tromp-taylor, stone-scoring, or an RU[] text.
    ///
    /// Without it the rules are those that the record names in RU[]. Where it names none they are
    /// chinese if the komi is 7.5, else japanese.
    #[arg(long, value_name = "RULES")]
    rules: Option<Rules>,

    /// Count with this komi, whatever the records say [default: what KM[] says, else none; 8 in
    /// an even game by Ing rules].
    #[arg(long, value_name = "POINTS", allow_negative_numbers = true, value_parser = komi)]
    komi: Option<f64>,

    /// Where the dead stones are taken from [default: judged; none where by the rules, such as
    /// Tromp-Taylor, or on the server, such as CGOS, every stone stands].
    #[arg(long, value_enum, value_name = "FROM")]
    dead_stones: Option<DeadStonesArg>,

    /// How closely territory is looked at [default: strict, or as the server on record counts].
    #[arg(long, value_enum, value_name = "HOW")]
    counting: Option<CountingArg>,

    /// How far records are taken at their word where it comes to komi, rules and counting.
    ///
    /// The result of a game never decides its own score: `auto` asks the games of each source which
    /// komi, rules and counting fit their results, and takes what is clear with any one of them
    /// left out. It reads the inputs twice.
    #[arg(long, value_enum, value_name = "HOW", default_value = "known")]
    conventions: ConventionsArg,

    /// Write every record to DIR as well, in the same tree of folders, with the territory, the dead
    /// stones and the score in the last node of its main line.
    #[arg(long, value_name = "DIR")]
    annotate: Option<PathBuf>,

    /// In annotated records, put kifu's result into RE[] even where there is a margin; a decision
    /// on record, such as B+R, always stays.
    #[arg(long, requires = "annotate")]
    set_result: bool,

    /// In annotated records, write RE[] only where the confidence is at least this.
    #[arg(
        long,
        value_name = "PROBABILITY",
        default_value_t = SetResult::MIN_CONFIDENCE,
        value_parser = probability,
        requires = "annotate"
    )]
    min_confidence: f64,

    /// Whether games that no count decides get an estimate, with the scores behind it.
    #[arg(long, value_enum, value_name = "WHEN", default_value = "on")]
    estimates: Switch,

    #[command(flatten)]
    other_games: OtherGameArgs,
}

const EXAMPLES: &str = "\
Examples:
  kifu score games/ -o scores.csv
      One row per game, in the order of the files.
  kifu score game.sgf
      A few readable lines, on a terminal.
  kifu score games/ --format jsonl
      With the map of each final position and the verdict on each chain.
  kifu score games/ --rules chinese --komi 7.5
      By other rules than the records say.
  kifu score games/ --dead-stones marks
      With the dead stones that the players marked, where the record has TB[] and TW[].
  kifu score games/ --dead-stones none
      Every stone on the board stands, as under Tromp-Taylor rules.
  kifu score games/ --conventions auto
      By the komi and rules that the games of each server or folder fit.
  kifu score games/ --annotate scored/
      And every record as FF[4] in UTF-8, with TB[], TW[], MA[] on dead stones, a comment that
      adds up the score, and RE[] where it was missing.

The result on record is never read to find the score; it is compared with it afterwards, in the
columns recorded_result and agreement. The column confidence says how likely it is that the
players would have agreed on the result: of the games with 0.8, about 80 in a hundred are exact.

Exit status: 0 nothing wrong, 1 findings of severity error, 2 the command could not do its work.";

#[derive(Clone, Copy, Debug, ValueEnum)]
enum DeadStonesArg {
    /// kifu finds them.
    Judged,
    /// From TB[] and TW[] in the record, where it has them.
    Marks,
    /// There are none: every stone stands.
    None,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ConventionsArg {
    /// Except where the server on record is known to play otherwise: Fox writes KM[0] for even
    /// games, Tom RU[Japanese] for games that it counts by area.
    Known,
    /// The same, and except where the other games of the same source, a server or a folder, clearly
    /// fit another komi, other rules or another way of counting.
    Auto,
    /// Always.
    Record,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum CountingArg {
    /// By the rule book: no points for false eyes and eyes in seki.
    Strict,
    /// Every region that touches one colour only counts.
    Plain,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Switch {
    On,
    Off,
}

fn probability(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|share: &f64| (0.0..=1.0).contains(share))
        .ok_or_else(|| "a probability is a number from 0 to 1".to_string())
}

fn komi(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|komi: &f64| komi.abs() <= MOST_KOMI)
        .ok_or_else(|| "a komi is a number of points such as 6.5".to_string())
}

pub(super) fn run(args: ScoreArgs) -> Result<ExitCode, Failure> {
    let default = if io::stdout().is_terminal() {
        Format::Text
    } else {
        Format::Csv
    };
    let mut config = args.config.resolve(default)?;
    let annotator = match &args.annotate {
        Some(folder) => Some(Annotator {
            folder: output_folder(folder, &mut config.inputs)?,
            set_result: SetResult {
                replace: args.set_result,
                min_confidence: args.min_confidence,
            },
        }),
        None => None,
    };
    let format: Box<dyn ScoreFormat> = match config.format {
        Format::Text => Box::new(TextScores::new(config.colored)),
        Format::Csv => Box::new(CsvScores {
            style: config.csv,
            columns: config.columns(COLUMNS)?,
        }),
        Format::Jsonl => Box::new(JsonScores {
            columns: config.picked(COLUMNS)?,
        }),
    };
    let mut scorer = Scorer {
        options: ScoreOptions {
            found: FoundConventions::default(),
            games: args.other_games.with(go::GoOptions {
                rules: args.rules,
                komi: args.komi,
                counting: args.counting.map(|how| match how {
                    CountingArg::Strict => Counting::Strict,
                    CountingArg::Plain => Counting::Plain,
                }),
                dead_stones: match args.dead_stones {
                    None => DeadStones::ByRules,
                    Some(DeadStonesArg::Judged) => DeadStones::Judged,
                    Some(DeadStonesArg::Marks) => DeadStones::Marks,
                    Some(DeadStonesArg::None) => DeadStones::None,
                },
                conventions: match args.conventions {
                    ConventionsArg::Known | ConventionsArg::Auto => Conventions::Known,
                    ConventionsArg::Record => Conventions::Record,
                },
                found: None,
            }),
            limits: config.record_limits.clone(),
            stop: Some(&STOP),
            wanted: row::Wanted {
                estimates: args.estimates == Switch::On,
                positions: format.wants_position(),
            },
        },
        format: &*format,
        annotator,
    };
    let started = Instant::now();
    let is_surveyed = match args.conventions {
        ConventionsArg::Auto => {
            let survey = Survey::default();
            let ScoreOptions { games, limits, .. } = &scorer.options;
            let is_surveyed = config.survey(|part| survey.look_at(part, games, limits))?;
            scorer.options.found = survey.finish().decide();
            is_surveyed
        }
        ConventionsArg::Known | ConventionsArg::Record => true,
    };
    let mut header = Vec::new();
    format.header(&mut header);
    let mut total = ScoreTally::default();
    let mut annotations = Annotations::default();
    let ended = config.run(
        &header,
        |part| scorer.part(&part),
        |scores| {
            annotations.take(scores.annotated, scores.ends_file);
            total.add(scores.tally);
        },
    );
    if !config.quiet && ended.is_ok() {
        tell(Summary::new(&total.records, started.elapsed()));
        tell(scores(&total));
        tell(match args.conventions {
            ConventionsArg::Auto => conventions(&total, Some(&scorer.options.found)),
            ConventionsArg::Known | ConventionsArg::Record => conventions(&total, None),
        });
        if !is_surveyed {
            tell(
                "Standard input can't be read twice, so the games of a source were not asked how \
                 they were counted: give files or folders to --conventions auto.\n",
            );
        }
        if let Some(folder) = &args.annotate {
            let count = HumanCount(annotations.count);
            let folder = folder.to_string_lossy();
            tell(format_args!(
                "{count} annotated records in {}\n",
                printable(&folder)
            ));
        }
    }
    if let Some(failure) = annotations.unwritten.failure() {
        return Err(failure.and(ended.err()));
    }
    Ok(exit_status(
        ended?,
        config.fail_on,
        &total.records,
        total.winner + total.differs,
    ))
}

/// What to do with each file.
struct Scorer<'a> {
    options: ScoreOptions,
    format: &'a dyn ScoreFormat,
    annotator: Option<Annotator>,
}

/// Where annotated records go, and what they say.
struct Annotator {
    folder: OutputFolder,
    set_result: SetResult,
}

impl Annotator {
    /// Writes a file back, or what there is of it in a part, if that could be read as a whole.
    fn write(&self, part: &Part, scored: &ScoredFile) -> Annotated {
        let parsed = match &scored.parsed {
            Some(parsed) if !parsed.games.is_empty() && !scored.is_cut_short() => parsed,
            _ => return Annotated::Nothing,
        };
        let annotations: Vec<Option<Annotation>> = parsed
            .games
            .iter()
            .zip(&scored.outcomes)
            .map(|(game, outcome)| match outcome {
                Outcome::Go(verdict) => annotate(game, verdict, self.set_result),
                Outcome::Other(_) | Outcome::Unknown(_) => None,
            })
            .collect();
        let sgf = parsed.to_sgf(&annotations);
        if !part.is_first() {
            return Annotated::More(sgf);
        }
        let path = self.folder.path(&part.name, None, "sgf");
        let name = path.to_string_lossy().into_owned();
        let written = self.folder.write(path, sgf.as_bytes());
        Annotated::File(written.map_err(|error| unwritten(&name, &error)))
    }
}

/// Makes the folder for annotated records, which must not hold any of the inputs.
fn output_folder(path: &Path, inputs: &mut Inputs) -> Result<OutputFolder, Failure> {
    let lossy = path.to_string_lossy();
    let name = printable(&lossy);
    let unmade = |error: io::Error| {
        let reason = reason(&error);
        Failure::Message(format!("The folder {name} can't be made: {reason}."))
    };
    let mut folder = OutputFolder::create(path, inputs).map_err(unmade)?;
    match folder.keep_off(inputs).map_err(unmade)? {
        Ok(()) => Ok(folder),
        Err(input) => Err(Failure::Message(format!(
            "{} is an input and lies in {name}: name another folder to --annotate, so that no \
             record is written over.",
            printable(&input.to_string_lossy()),
        ))),
    }
}

/// What became of a record, or of a part of one.
enum Annotated {
    /// Its first part was written to a file of its own; the error is a sentence.
    File(Result<Unnamed, String>),
    /// What is to be written behind that.
    More(String),
    /// It can't be written back, and neither can the rest of the file.
    Nothing,
}

impl Annotated {
    /// How many bytes it holds in memory.
    fn held(&self) -> usize {
        match self {
            Annotated::More(sgf) => sgf.capacity(),
            _ => 0,
        }
    }
}

/// Puts annotated records together and gives them their names, in the order of the inputs.
#[derive(Default)]
struct Annotations {
    names: GivenNames,
    count: u64,
    /// The record that is not at its end yet.
    open: Option<Unnamed>,
    unwritten: UnwrittenFiles,
}

impl Annotations {
    fn take(&mut self, annotated: Annotated, ends_file: bool) {
        let taken = match annotated {
            Annotated::File(file) => file.map(|file| self.open = Some(file)),
            Annotated::More(sgf) => self.append(&sgf),
            Annotated::Nothing => {
                self.open = None;
                Ok(())
            }
        };
        let named = match (taken, ends_file) {
            (Ok(()), true) => self.give_name(),
            (taken, _) => taken,
        };
        if let Err(message) = named {
            self.open = None;
            self.unwritten.add(message);
        }
    }

    fn append(&mut self, sgf: &str) -> Result<(), String> {
        let Some(file) = &mut self.open else {
            return Ok(());
        };
        file.append(sgf.as_bytes())
            .map_err(|error| unwritten(&file.wanted().to_string_lossy(), &error))
    }

    fn give_name(&mut self) -> Result<(), String> {
        let Some(file) = self.open.take() else {
            return Ok(());
        };
        let name = file.wanted().to_string_lossy().into_owned();
        let given = self.names.give(file);
        given.map_err(|error| unwritten(&name, &error))?;
        self.count += 1;
        Ok(())
    }
}

impl Scorer<'_> {
    /// Scores the games of a file, or of a part of one, and writes their rows.
    fn part(&self, part: &Part) -> Report<PartScores> {
        let scored = file::score(part, &self.options);
        let mut rows = Vec::new();
        for row in &scored.rows {
            self.format.row(row, &mut rows);
        }
        let annotated = match &self.annotator {
            Some(annotator) => annotator.write(part, &scored),
            None => Annotated::Nothing,
        };
        Report {
            rows,
            held: annotated.held() + scored.tally.sources.held(),
            tally: PartScores {
                tally: scored.tally,
                annotated,
                ends_file: part.is_last(),
            },
        }
    }
}

/// What a file, or a part of one, adds to a run.
struct PartScores {
    tally: ScoreTally,
    annotated: Annotated,
    ends_file: bool,
}
