//! `kifu score`: the final score of every game.

use std::fmt::Write as _;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use clap::{Args, ValueEnum};
use indicatif::HumanCount;

use super::Failure;
use super::games::VariantArgs;
use super::run_config::{CommonArgs, Format, Report, exit_status, unwritten};
use super::summary::Tally;
use crate::count::{Agreement, Counting, chains, normalized};
use crate::finding::{Code, Finding, Severity};
use crate::games;
use crate::games::go::{DeadStones, Options, Verdict};
use crate::input::{InputFile, Inputs, reason};
use crate::output::folder::{GivenNames, OutputFolder, Unnamed};
use crate::output::{
    self, CsvScores, JsonScores, RowStatus, ScoreFormat, ScoreRow, ScoredPosition, SetResult,
    SideRow, TextScores, printable,
};
use crate::rules::Rules;
use crate::sgf::{self, Annotation, Game, GameKind, Reading};

/// Score every game: find the dead stones, count by the rules, compare with the record.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct ScoreArgs {
    #[command(flatten)]
    common: CommonArgs,

    /// Count by these rules, whatever the records say: japanese, chinese, korean, aga, nz, ing,
    /// tromp-taylor, stone-scoring, or an RU[] text.
    ///
    /// Without it the rules are those that the record names in RU[]. Where it names none they are
    /// chinese if the komi is 7.5, else japanese.
    #[arg(long, value_name = "RULES")]
    rules: Option<Rules>,

    /// Count with this komi, whatever the records say.
    #[arg(long, value_name = "POINTS", allow_negative_numbers = true, value_parser = komi)]
    komi: Option<f64>,

    /// Where the dead stones are taken from.
    #[arg(long, value_enum, value_name = "FROM", default_value = "judged")]
    dead_stones: DeadStonesArg,

    /// How closely territory is looked at [default: strict, or as the server on record counts].
    #[arg(long, value_enum, value_name = "HOW")]
    counting: Option<CountingArg>,

    /// Start the CSV with a byte order mark, by which Excel knows UTF-8.
    #[arg(long)]
    bom: bool,

    /// Write every record to DIR as well, in the same tree of folders, with the territory, the dead
    /// stones and the score in the last node of its main line.
    #[arg(long, value_name = "DIR")]
    annotate: Option<PathBuf>,

    /// In annotated records, put kifu's result into RE[] even where there is one.
    #[arg(long, requires = "annotate")]
    set_result: bool,

    #[command(flatten)]
    variants: VariantArgs,
}

const EXAMPLES: &str = "\
Examples:
  kifu score games/ -o scores.csv
      One row a game, in the order of the files.
  kifu score game.sgf
      A few readable lines, on a terminal.
  kifu score games/ --format jsonl
      With the map of each final position and the verdict on each chain.
  kifu score games/ --rules chinese --komi 7.5
      By other rules than the records say.
  kifu score games/ --dead-stones marks
      With the dead stones that the players marked, where TB[] and TW[] tell.
  kifu score games/ --dead-stones none
      Every stone on the board stands, as under Tromp-Taylor rules.
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

#[derive(Clone, Copy, Debug, ValueEnum)]
enum CountingArg {
    /// By the rule book: no points for false eyes and eyes in seki.
    Strict,
    /// Every region that touches one colour only counts.
    Plain,
}

fn komi(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|komi: &f64| komi.abs() <= 1000.0)
        .ok_or_else(|| "a komi is a number of points such as 6.5".to_string())
}

pub(super) fn run(args: ScoreArgs) -> Result<ExitCode, Failure> {
    let usual = if io::stdout().is_terminal() {
        Format::Text
    } else {
        Format::Csv
    };
    let mut common = args.common.decide(usual)?;
    let annotator = match &args.annotate {
        Some(folder) => Some(Annotator {
            folder: output_folder(folder, &mut common.inputs)?,
            set_result: match args.set_result {
                true => SetResult::Always,
                false => SetResult::IfMissing,
            },
        }),
        None => None,
    };
    let format: Box<dyn ScoreFormat> = match common.format {
        Format::Text => Box::new(TextScores::new(common.colored)),
        Format::Csv => Box::new(CsvScores { bom: args.bom }),
        Format::Jsonl => Box::new(JsonScores),
    };
    let scorer = Scorer {
        options: Options {
            rules: args.rules,
            komi: args.komi,
            counting: args.counting.map(|how| match how {
                CountingArg::Strict => Counting::Strict,
                CountingArg::Plain => Counting::Plain,
            }),
            dead_stones: match args.dead_stones {
                DeadStonesArg::Judged => DeadStones::Judged,
                DeadStonesArg::Marks => DeadStones::Marks,
                DeadStonesArg::None => DeadStones::None,
            },
        },
        variants: args.variants.options(),
        limits: common.record_limits.clone(),
        format: &*format,
        annotator,
    };
    let started = Instant::now();
    let mut header = Vec::new();
    format.header(&mut header);
    let mut total = ScoreTally::default();
    let mut shelf = Shelf::default();
    let ended = common.run(
        &header,
        |file| scorer.file(file),
        |mut tally| {
            shelf.take(tally.annotated.take());
            total.add(tally);
        },
    )?;
    if !common.quiet {
        eprint!(
            "{}{}",
            total.records.summary(started.elapsed()),
            total.scores()
        );
        if let Some(folder) = &args.annotate {
            eprintln!(
                "{} annotated records in {}",
                HumanCount(shelf.count),
                printable(&folder.to_string_lossy())
            );
        }
    }
    if let Some(failure) = shelf.failure {
        return Err(failure);
    }
    Ok(exit_status(ended, total.records.has_errors()))
}

/// What to do with each file.
struct Scorer<'a> {
    options: Options,
    variants: games::Options,
    limits: sgf::Limits,
    format: &'a dyn ScoreFormat,
    annotator: Option<Annotator>,
}

/// Where annotated records go, and what they say.
struct Annotator {
    folder: OutputFolder,
    set_result: SetResult,
}

impl Annotator {
    /// Writes a file back; the error is a sentence.
    fn write(
        &self,
        file: &str,
        reading: &Reading,
        annotations: &[Option<Annotation>],
    ) -> Result<Unnamed, String> {
        let path = self.folder.path(file, None, "sgf");
        let name = path.to_string_lossy().into_owned();
        let sgf = reading.to_sgf(annotations);
        let written = self.folder.write(path, sgf.as_bytes());
        written.map_err(|error| unwritten(&name, &error))
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

/// Gives annotated records their names, in the order of the inputs.
#[derive(Default)]
struct Shelf {
    names: GivenNames,
    count: u64,
    /// The first that could not be written.
    failure: Option<Failure>,
}

impl Shelf {
    fn take(&mut self, record: Option<Result<Unnamed, String>>) {
        let Some(record) = record else { return };
        let named = record.and_then(|file| {
            let name = file.wanted().to_string_lossy().into_owned();
            let given = self.names.give(file);
            given.map_err(|error| unwritten(&name, &error))
        });
        match named {
            Ok(()) => self.count += 1,
            Err(message) => {
                self.failure.get_or_insert(Failure::Message(message));
            }
        }
    }
}

impl Scorer<'_> {
    /// Scores the games of one file: a row each, and a row for a file without games.
    fn file(&self, file: InputFile) -> Report<ScoreTally> {
        let mut tally = ScoreTally::default();
        let mut rows = Vec::new();
        let mut findings = file.findings;
        let mut scored = Vec::new();
        if let Some(bytes) = &file.bytes {
            let mut reading = sgf::read(bytes, &self.limits);
            tally.records.files = 1;
            tally.records.games = reading.games.len() as u64;
            findings.append(&mut reading.findings);
            let mut annotations = Vec::new();
            for game in &reading.games {
                let (row, annotation) = self.game(&file.name, game, &mut findings, &mut tally);
                scored.push(row);
                annotations.push(annotation);
            }
            if let Some(annotator) = &self.annotator
                && !reading.games.is_empty()
                && !findings.iter().any(is_cut_short)
            {
                tally.annotated = Some(annotator.write(&file.name, &reading, &annotations));
            }
        }
        let failed = findings
            .iter()
            .any(|finding| finding.severity == Severity::Error);
        if file.bytes.is_none() {
            tally.records.unread = u64::from(failed);
        }
        if scored.is_empty() && (failed || file.bytes.is_some()) {
            let mut row = ScoreRow::bare(&file.name, None, RowStatus::Unreadable);
            row.notes = findings
                .iter()
                .map(|finding| finding.message.clone())
                .collect();
            scored.push(row);
        }
        for row in &mut scored {
            if row.status == RowStatus::Ok
                && findings.iter().any(|finding| is_repair_of(finding, row))
            {
                row.status = RowStatus::Repaired;
            }
            self.format.row(row, &mut rows);
        }
        for finding in &findings {
            tally.records.count(finding);
        }
        Report { rows, tally }
    }

    fn game(
        &self,
        file: &str,
        game: &Game,
        findings: &mut Vec<Finding>,
        tally: &mut ScoreTally,
    ) -> (ScoreRow, Option<Annotation>) {
        let mut annotation = None;
        let row = if game.kind == GameKind::Go {
            let verdict = Verdict::of(game, &self.options);
            annotation = (self.annotator.as_ref())
                .map(|annotator| output::annotation(game, &verdict, annotator.set_result));
            self.go(file, game, &verdict, findings, tally)
        } else if let Some(replay) = games::replay(game, &self.variants) {
            variant_row(file, game, replay, findings, tally)
        } else {
            let mut row = ScoreRow::bare(file, Some(game.number), RowStatus::NotGo);
            row.notes.push(match &game.kind {
                GameKind::Other(name) => format!("The record is of another game: {name}."),
                _ => "The record is of another game.".to_string(),
            });
            row
        };
        tally.note(&row);
        (row, annotation)
    }

    fn go(
        &self,
        file: &str,
        game: &Game,
        verdict: &Verdict,
        findings: &mut Vec<Finding>,
        tally: &mut ScoreTally,
    ) -> ScoreRow {
        tally.records.moves += u64::from(verdict.replay.moves);
        tally.records.count_rules(&verdict.rules);
        findings.extend(
            verdict
                .rules
                .finding
                .clone()
                .map(|finding| finding.game(game.number)),
        );
        findings.extend_from_slice(&verdict.replay.findings);
        let mut row = ScoreRow::bare(file, Some(game.number), RowStatus::Ok);
        fill_header(&mut row, game);
        let (count, replay) = (&verdict.count, &verdict.replay);
        row.game_type = "go".to_string();
        row.board = game.size.to_string();
        row.rules = verdict.rules.rules.to_string();
        row.rules_source = verdict.rules.source.as_str().to_string();
        row.komi = Some(verdict.komi);
        row.handicap = Some(replay.handicap);
        row.moves = Some(replay.moves);
        row.ended_by = verdict.ended_by.as_str().to_string();
        row.sides = [&count.black, &count.white].map(|side| SideRow {
            captures: Some(side.captures),
            dead: Some(side.dead),
            territory: Some(side.territory),
            stones: Some(side.stones),
            score: Some(side.score),
        });
        row.dame = Some(count.dame);
        row.seki_groups = Some(count.seki_groups);
        row.result = verdict.margin().to_string();
        row.agreement = Some(verdict.agreement);
        row.confidence = verdict.confidence;
        row.illegal_moves = Some(replay.illegal);
        row.first_illegal = replay.first_illegal;
        if replay.illegal > 0 {
            row.status = RowStatus::Illegal;
        }
        row.notes = verdict.notes.clone();
        let what_if = verdict
            .what_if
            .as_ref()
            .map(|what_if| what_if.sentence.clone());
        row.notes
            .extend(what_if.iter().map(|sentence| format!("{sentence}.")));
        if self.format.wants_position() {
            row.position = Some(ScoredPosition {
                size: game.size,
                map: count.map.rows(),
                chains: match &verdict.life {
                    Some(life) => chains(&replay.board, life, count),
                    None => Vec::new(),
                },
                what_if,
                account: count.explain(),
            });
        }
        row
    }
}

/// What every kind of game has in its header.
fn fill_header(row: &mut ScoreRow, game: &Game) {
    let header = &game.header;
    row.black = header.black.clone();
    row.white = header.white.clone();
    row.date = header.date.clone();
    row.event = header.event.clone();
    row.recorded_result = header.result.as_ref().map(normalized).unwrap_or_default();
}

fn variant_row(
    file: &str,
    game: &Game,
    mut replay: games::Replay,
    findings: &mut Vec<Finding>,
    tally: &mut ScoreTally,
) -> ScoreRow {
    tally.records.moves += u64::from(replay.moves);
    findings.append(&mut replay.findings);
    let mut row = ScoreRow::bare(file, Some(game.number), RowStatus::Ok);
    fill_header(&mut row, game);
    let standing = replay.standing();
    let men = replay.position.men();
    row.game_type = replay.game_type.to_string();
    row.board = replay.board.clone();
    row.komi = Some(replay.komi);
    row.moves = Some(replay.moves);
    row.ended_by = if replay.over { "passes" } else { "unknown" }.to_string();
    for (side, (captures, (men, score))) in row.sides.iter_mut().zip(
        replay
            .captures
            .into_iter()
            .zip(men.into_iter().zip(standing.scores)),
    ) {
        side.captures = Some(captures);
        side.stones = Some(men);
        side.score = Some(score);
    }
    row.agreement = Some(match &game.header.result {
        Some(recorded) if *recorded == standing.result => Agreement::Exact,
        _ => Agreement::NotComparable,
    });
    row.result = normalized(&standing.result);
    row.illegal_moves = Some(replay.illegal_moves);
    row.first_illegal = replay.first_illegal;
    if replay.illegal_moves > 0 {
        row.status = RowStatus::Illegal;
    }
    row
}

/// Whether a limit kept a part of the file from being read. What would be written back is not
/// the record.
fn is_cut_short(finding: &Finding) -> bool {
    matches!(
        finding.code,
        Code::TooDeep | Code::TooManyNodes | Code::TooManyGames
    )
}

/// Whether the finding means that the row's game was not read as it was written.
fn is_repair_of(finding: &Finding, row: &ScoreRow) -> bool {
    let of_this_game = finding.game == 0 || Some(finding.game) == row.game;
    // Findings about the course of the game are not about its text.
    let of_the_text = !matches!(
        finding.code,
        Code::OutOfTurn
            | Code::WhiteFirst
            | Code::SeveralMoves
            | Code::SetupAfterPlay
            | Code::HandicapMismatch
            | Code::KomiAgainstResult
            | Code::NestedArchive
            | Code::NameNotUtf8
    );
    of_this_game && of_the_text && finding.severity >= Severity::Warning
}

/// What the summary says about the scores.
#[derive(Default)]
struct ScoreTally {
    records: Tally,
    scored: u64,
    exact: u64,
    winner: u64,
    differs: u64,
    sure: u64,
    judged: u64,
    /// The record of one file, written back.
    annotated: Option<Result<Unnamed, String>>,
}

impl ScoreTally {
    fn note(&mut self, row: &ScoreRow) {
        let Some(agreement) = row.agreement else {
            return;
        };
        self.scored += 1;
        match agreement {
            Agreement::Exact => self.exact += 1,
            Agreement::Winner => self.winner += 1,
            Agreement::Differs => self.differs += 1,
            Agreement::NotComparable => {}
        }
        if let Some(confidence) = row.confidence {
            self.judged += 1;
            self.sure += u64::from(confidence >= 0.9);
        }
    }

    fn add(&mut self, other: ScoreTally) {
        self.records.add(other.records);
        self.scored += other.scored;
        self.exact += other.exact;
        self.winner += other.winner;
        self.differs += other.differs;
        self.sure += other.sure;
        self.judged += other.judged;
    }

    fn scores(&self) -> String {
        let games = |count: u64| match count {
            1 => "1 game".to_string(),
            _ => format!("{} games", HumanCount(count)),
        };
        let compared = self.exact + self.winner + self.differs;
        let mut text = format!("{} scored", games(self.scored));
        if compared > 0 {
            let share = 100.0 * self.exact as f64 / compared as f64;
            let _ = write!(
                text,
                ", {} compared with the record: {} exact ({share:.1} %), {} with another margin, \
                 {} with another winner",
                games(compared),
                HumanCount(self.exact),
                HumanCount(self.winner),
                HumanCount(self.differs),
            );
        }
        if self.scored > compared {
            let rest = HumanCount(self.scored - compared);
            let _ = write!(text, "; {rest} can't be compared");
        }
        if self.judged > 0 {
            let _ = write!(
                text,
                "; sure (0.9 or more) of {} of {}",
                HumanCount(self.sure),
                games(self.judged)
            );
        }
        text + "\n"
    }
}
