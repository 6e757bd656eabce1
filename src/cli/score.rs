//! `kifu score`: the final score of every game.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use clap::Args;
use indicatif::HumanCount;

use super::aliases::AliasArgs;
use super::judging::JudgingArgs;
use super::run_config::{Format, Report, TableArgs, command_line, exit_status, unwritten};
use super::summary::{Summary, conventions, scores};
use super::unwritten::UnwrittenFiles;
use super::{Failure, tell};
#[cfg(feature = "pictures")]
use crate::draw::{Caption, Diagram, other_board_picture, png, show_territory, small_goban};
use crate::games::Outcome;
use crate::input::{Inputs, reason};
use crate::output::folder::{GivenNames, OutputFolder, Unnamed};
#[cfg(feature = "parquet")]
use crate::output::parquet::ParquetScores;
#[cfg(feature = "xlsx")]
use crate::output::workbook::{self, ScoreWorkbook};
use crate::output::{
    CsvScores, Document, JsonScores, ScoreDocument, ScoreFormat, ScoredPart, TextScores, Writing,
    printable,
};
use crate::pipeline::Part;
use crate::pipeline::annotation::{SetResult, annotate};
use crate::pipeline::batch::Ended;
use crate::pipeline::file::{self, ScoreOptions, ScoredFile};
use crate::pipeline::row::COLUMNS;
use crate::pipeline::tally::ScoreTally;
use crate::sgf::Annotation;
use crate::standings::Standings;

/// Score every game: find the dead stones, count by the rules, compare with the record.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct ScoreArgs {
    #[command(flatten)]
    config: TableArgs,

    #[command(flatten)]
    judging: JudgingArgs,

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

    /// In a workbook, put a picture of the final position beside each row.
    #[cfg(all(feature = "xlsx", feature = "pictures"))]
    #[arg(long)]
    boards: bool,

    /// In a Parquet file, write the final position too: account, map, chains and what_if, as in
    /// JSON lines.
    #[cfg(feature = "parquet")]
    #[arg(long)]
    positions: bool,

    #[command(flatten)]
    aliases: AliasArgs,
}

const EXAMPLES: &str = "\
Examples:
  kifu score games/ -o scores.csv
      One row per game, in the order of the files.
  kifu score games/ -o scores.xlsx
      A workbook: the scores, the games to look at, the findings, standings and a summary.
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

Exit status: 0 nothing wrong, 1 findings of severity error (or what --fail-on says), 2 the command
could not do its work.";

fn probability(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|share: &f64| (0.0..=1.0).contains(share))
        .ok_or_else(|| "a probability is a number from 0 to 1".to_string())
}

pub(super) fn run(args: ScoreArgs) -> Result<ExitCode, Failure> {
    let default = if io::stdout().is_terminal() {
        Format::Text
    } else {
        Format::Csv
    };
    let (boards, positions) = (args.wants_boards(), args.wants_positions());
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
    // Whatever the format: a mistake in the file is reported.
    #[cfg_attr(not(feature = "xlsx"), expect(unused_variables))]
    let aliases = args.aliases.read()?;
    let mut kind = match config.format {
        Format::Text => Kind::Rows(Box::new(TextScores::new(config.colored))),
        Format::Csv => Kind::Rows(Box::new(CsvScores {
            style: config.csv,
            columns: config.columns(COLUMNS)?,
        })),
        Format::Jsonl => Kind::Rows(Box::new(JsonScores {
            columns: config.picked(COLUMNS)?,
        })),
        #[cfg(feature = "xlsx")]
        Format::Xlsx => {
            let columns = config.columns(COLUMNS)?;
            let output = config.open_document()?;
            let standings = Standings::new(aliases);
            let about = workbook::About {
                command: command_line(),
            };
            let book = ScoreWorkbook::new(output.clone(), columns, boards, standings, about)?;
            Kind::Document(Box::new(book), output)
        }
        #[cfg(feature = "parquet")]
        Format::Parquet => {
            let columns = config.columns(COLUMNS)?;
            let output = config.open_document()?;
            let table = ParquetScores::new(output.clone(), columns, positions)?;
            Kind::Document(Box::new(table), output)
        }
        format @ (Format::Github | Format::Sarif) => return Err(format.refused()),
    };
    let wants_position = match &kind {
        Kind::Rows(format) => format.wants_position(),
        Kind::Document(..) => positions,
    };
    let mut judging = args.judging.resolve(&config, wants_position);
    let started = Instant::now();
    let surveyed = judging.survey(&config)?;
    let scorer = Scorer {
        options: judging.options,
        annotator,
        boards,
    };
    let mut total = ScoreTally::default();
    let mut annotations = Annotations::default();
    let ended = match &mut kind {
        Kind::Rows(format) => {
            let mut header = Vec::new();
            format.header(&mut header);
            config.run(
                &header,
                |part| scorer.rows(&part, &**format),
                |scores| {
                    annotations.take(scores.annotated, scores.ends_file);
                    total.add(scores.tally);
                },
            )
        }
        Kind::Document(document, output) => {
            let mut scores = Scores {
                document: &mut **document,
                annotations: &mut annotations,
                total: &mut total,
            };
            config.run_document(output, &mut scores, |part| scorer.document_part(&part))
        }
    };
    if !config.quiet && ended.is_ok() {
        tell(Summary::new(&total.records, started.elapsed()));
        tell(scores(&total));
        let found = surveyed.is_auto.then_some(&scorer.options.found);
        tell(conventions(&total, found));
        if !surveyed.could_ask {
            tell(UNASKED);
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
        total.disagreements(),
    ))
}

/// What is said where the games of a source could not be asked.
pub(super) const UNASKED: &str = "Standard input can't be read twice, so the games of a source \
    were not asked how they were counted: give files or folders to --conventions auto.\n";

impl ScoreArgs {
    fn wants_boards(&self) -> bool {
        #[cfg(all(feature = "xlsx", feature = "pictures"))]
        return self.boards;
        #[cfg(not(all(feature = "xlsx", feature = "pictures")))]
        false
    }

    fn wants_positions(&self) -> bool {
        #[cfg(feature = "parquet")]
        return self.positions;
        #[cfg(not(feature = "parquet"))]
        false
    }
}

/// How scores are written.
type Kind = Writing<dyn ScoreFormat, dyn ScoreDocument>;

/// What goes into a document, and what is added up beside it.
struct Scores<'a> {
    document: &'a mut dyn ScoreDocument,
    annotations: &'a mut Annotations,
    total: &'a mut ScoreTally,
}

impl Document<PartScores> for Scores<'_> {
    fn add(&mut self, scores: PartScores) -> io::Result<()> {
        self.annotations.take(scores.annotated, scores.ends_file);
        self.total.add(scores.tally);
        self.document.add(scores.part)
    }

    fn close(&mut self, ended: Ended) -> io::Result<()> {
        self.document.close(self.total, ended)
    }
}

/// What to do with each file.
struct Scorer {
    options: ScoreOptions,
    annotator: Option<Annotator>,
    /// Whether a document shows the final positions.
    boards: bool,
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

impl Scorer {
    /// Scores the games of a file, or of a part of one, and writes their rows.
    fn rows(&self, part: &Part, format: &dyn ScoreFormat) -> Report<PartScores> {
        let scored = file::score(part, &self.options);
        let mut rows = Vec::new();
        for row in &scored.rows {
            format.row(row, &mut rows);
        }
        self.report(part, scored, rows, ScoredPart::default())
    }

    /// Scores the games of a file, or of a part of one, for a document.
    fn document_part(&self, part: &Part) -> Report<PartScores> {
        let mut scored = file::score(part, &self.options);
        let boards = match self.boards {
            true => boards(&scored),
            false => Vec::new(),
        };
        let mut findings = scored.findings.clone();
        findings.sort_by_key(|finding| (finding.game, finding.place));
        let scored_part = ScoredPart {
            file: part.name.clone(),
            rows: std::mem::take(&mut scored.rows),
            findings,
            boards,
        };
        self.report(part, scored, Vec::new(), scored_part)
    }

    fn report(
        &self,
        part: &Part,
        scored: ScoredFile,
        rows: Vec<u8>,
        scored_part: ScoredPart,
    ) -> Report<PartScores> {
        let annotated = match &self.annotator {
            Some(annotator) => annotator.write(part, &scored),
            None => Annotated::Nothing,
        };
        Report {
            rows,
            held: annotated.held() + scored.tally.sources.held() + scored_part.held(),
            tally: PartScores {
                tally: scored.tally,
                annotated,
                ends_file: part.is_last(),
                part: scored_part,
            },
        }
    }
}

/// Small pictures of the final positions, one per row.
#[cfg(feature = "pictures")]
fn boards(scored: &ScoredFile) -> Vec<Option<Vec<u8>>> {
    /// Twice as wide as they are shown, for fine screens.
    const WIDTH: u32 = 264;
    let draw = |outcome: &Outcome| {
        let picture = match outcome {
            Outcome::Go(verdict) => {
                let mut diagram = Diagram::new(&verdict.replay.board);
                if verdict.not_final.is_none() {
                    show_territory(&mut diagram, &verdict.count);
                }
                small_goban(&diagram)
            }
            Outcome::Other(played) => other_board_picture(played, &Caption::default()),
            Outcome::Unknown(_) => return None,
        };
        png(&picture, WIDTH).ok()
    };
    scored.outcomes.iter().map(draw).collect()
}

#[cfg(not(feature = "pictures"))]
fn boards(_scored: &ScoredFile) -> Vec<Option<Vec<u8>>> {
    Vec::new()
}

/// What a file, or a part of one, adds to a run.
struct PartScores {
    tally: ScoreTally,
    annotated: Annotated,
    ends_file: bool,
    /// For a document.
    part: ScoredPart,
}
