//! `kifu show`: draw positions, in the terminal or as pictures.
//!
//! Each game becomes a scene: a Go position with its layer, or the board of another game. A scene
//! can be written as text, SVG or PNG. Where it goes is decided once, from what was typed:
//! boards in a row to standard output or a text file, one picture to a file, or one file per game
//! into a folder.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Instant;

use clap::{Args, ValueEnum};

use super::games::OtherGameArgs;
use super::run_config::{Format, RecordArgs, Report, exit_status, unwritten};
use super::summary::Summary;
use super::unwritten::UnwrittenFiles;
use super::{Failure, tell};
use crate::board::{Board, Point};
use crate::count::chain_verdicts;
use crate::draw::{
    Caption, Diagram, TextStyle, other_board_text, show_clusters, show_influence, show_shadows,
    show_territory, show_unplayable, show_voronoi, text_board,
};
use crate::finding::{Code, Finding, Severity};
use crate::games::go::GoReplay;
use crate::games::{self, OtherGame, Outcome, go};
use crate::influence;
use crate::input::Inputs;
use crate::output::folder::{GivenNames, OutputFolder, Unnamed};
use crate::output::{Destination, FindingFormat, TextFindings, chain_table, printable};
use crate::pipeline::Part;
use crate::pipeline::batch::Ended;
use crate::pipeline::tally::Tally;
use crate::replay::{EndedBy, Replay, follow};
use crate::sgf::{self, Collection, Game, Header, StepKind, Target};

/// Draw the position of a game: in the terminal, as SVG or as PNG.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct ShowArgs {
    #[command(flatten)]
    records: RecordArgs,

    /// Show the position after move N, passes counted, instead of the last one.
    #[arg(long = "move", value_name = "N")]
    move_number: Option<u32>,

    /// Show only game N of each file.
    #[arg(long, value_name = "N")]
    game: Option<u32>,

    /// What to show on the board [default: territory of a game that was played to its end, else
    /// stones].
    #[arg(long, value_enum)]
    layer: Option<Layer>,

    /// Print a table under the board: each chain, its liberties, eyes, status and why.
    #[arg(long)]
    explain: bool,

    /// Draw to FILE.svg, FILE.png or FILE.txt, or one picture per game into a folder.
    #[arg(short, long, value_name = "FILE|FOLDER")]
    output: Option<PathBuf>,

    /// Draw SVG pictures; the default in a folder.
    #[arg(long)]
    svg: bool,

    /// Draw PNG pictures.
    #[arg(long, conflicts_with = "svg")]
    png: bool,

    /// Width of PNG pictures [default: 760, less or more where stones would be too large or small].
    #[arg(long, value_name = "PIXELS", value_parser = clap::value_parser!(u32).range(16..=8192))]
    width: Option<u32>,

    /// Draw boards of text with letters only, for terminals that show circles too wide.
    #[arg(long)]
    ascii: bool,

    #[command(flatten)]
    other_games: OtherGameArgs,
}

const EXAMPLES: &str = "\
Examples:
  kifu show game.sgf
      The final position in the terminal: territory, dead stones and the score.
  kifu show game.sgf --move 120 --layer voronoi
      After move 120, with every point given to the nearest stone.
  kifu show game.sgf -o final.svg
      A picture; .svg, .png or .txt by extension.
  kifu show games/ -o boards/ --png
      One picture per game, in the same tree of folders.

In text, Black's stones are ● and White's ○ (X and O with --ascii); other marks are explained
under the board. Names in scripts without Latin letters are romanised in PNG pictures, and left
to the viewer's fonts in SVG.";

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Layer {
    /// The stones and the last move.
    Stones,
    /// Territory, dead stones and seki, with the score.
    Territory,
    /// The colour map: points and links that lean to a player.
    Influence,
    /// What holds together on the colour map, with its eyes, and plainly dead stones.
    Clusters,
    /// The colour map with the shadows that the clusters cast.
    Shadows,
    /// Every point given to the nearest stone.
    Voronoi,
    /// Points where a player may not play, and why.
    Unplayable,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FileFormat {
    Text,
    Svg,
    Png,
}

impl FileFormat {
    fn extension(self) -> &'static str {
        match self {
            FileFormat::Text => "txt",
            FileFormat::Svg => "svg",
            FileFormat::Png => "png",
        }
    }

    /// The format that a file name asks for.
    fn of_file(path: &Path) -> Option<FileFormat> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "txt" => Some(FileFormat::Text),
            "svg" => Some(FileFormat::Svg),
            "png" => Some(FileFormat::Png),
            _ => None,
        }
    }
}

/// Where the drawings go.
enum Goal {
    /// Boards of text, one after the other, to standard output or to a file.
    Boards(Option<PathBuf>),
    /// One picture, to standard output or to a file.
    Picture(FileFormat, Option<PathBuf>),
    /// A file per game.
    Folder(FileFormat, PathBuf),
}

impl ShowArgs {
    fn goal(&self) -> Result<Goal, Failure> {
        let asked = match (self.svg, self.png) {
            (true, _) => Some(FileFormat::Svg),
            (_, true) => Some(FileFormat::Png),
            _ => None,
        };
        let output = self
            .output
            .as_deref()
            .filter(|path| *path != Path::new("-"));
        let Some(path) = output else {
            if asked == Some(FileFormat::Png) && io::stdout().is_terminal() {
                let message = "A terminal can't show PNG: name a file with -o FILE.png.";
                return Err(Failure::Message(message.to_string()));
            }
            return Ok(match asked {
                Some(format) => Goal::Picture(format, None),
                None => Goal::Boards(None),
            });
        };
        let is_folder = path.is_dir() || path.to_string_lossy().ends_with(['/', '\\']);
        let format = FileFormat::of_file(path).filter(|_| !is_folder);
        if let (None, false, Some(extension)) = (format, is_folder, path.extension()) {
            return Err(Failure::Message(format!(
                "kifu draws no .{} files: name the output .svg, .png or .txt, or a folder ({}/).",
                printable(&extension.to_string_lossy()),
                printable(&path.to_string_lossy()),
            )));
        }
        match (format, asked) {
            (Some(format), Some(asked)) if format != asked => Err(Failure::Message(format!(
                "{} is not a name for {}: leave --{} out, or name a folder.",
                printable(&path.to_string_lossy()),
                asked.extension().to_uppercase(),
                asked.extension(),
            ))),
            (Some(FileFormat::Text), _) => Ok(Goal::Boards(Some(path.to_path_buf()))),
            (Some(format), _) => Ok(Goal::Picture(format, Some(path.to_path_buf()))),
            (None, asked) => Ok(Goal::Folder(
                asked.unwrap_or(FileFormat::Svg),
                path.to_path_buf(),
            )),
        }
    }
}

pub(super) fn run(args: ShowArgs) -> Result<ExitCode, Failure> {
    let goal = args.goal()?;
    let boards_file = match &goal {
        Goal::Boards(path) => path.clone(),
        _ => None,
    };
    let ShowArgs {
        records,
        move_number,
        explain,
        game,
        layer,
        width,
        ascii,
        other_games,
        ..
    } = args;
    let config = records.resolve(boards_file, Format::Text)?;
    if let Goal::Picture(_, Some(path)) = &goal {
        config.check_target(path)?;
    }
    let folder = match &goal {
        Goal::Folder(_, path) => {
            Some(OutputFolder::create(path, &config.inputs).map_err(|error| {
                let name = path.to_string_lossy();
                let name = printable(&name);
                Failure::Message(format!("The folder {name} can't be made: {error}."))
            })?)
        }
        _ => None,
    };
    let style = match (ascii, config.colored) {
        (true, _) => TextStyle::Ascii,
        (false, true) => TextStyle::Colored,
        (false, false) => TextStyle::Unicode,
    };
    // A single record needs no heading.
    let headings = !matches!(config.inputs.named.as_slice(), [only] if Path::new(only).is_file());
    let renderer = Renderer {
        explain,
        move_number,
        game,
        layer,
        width,
        style,
        headings,
        games: other_games.with(go::GoOptions::default()),
        limits: config.record_limits.clone(),
        findings: TextFindings::new(config.colored),
        goal: &goal,
        folder,
        paint_room: PaintRoom::new(),
    };
    let started = Instant::now();
    let mut total = Tally::default();
    let mut pictures = Pictures::default();
    let ended = config.run(
        b"",
        |part| renderer.part(&part),
        |drawn| {
            total.add(drawn.tally);
            pictures.take(drawn.pictures);
        },
    )?;
    if let Goal::Picture(_, path) = &goal {
        pictures.write_single(path.as_deref())?;
    }
    if let Some(failure) = pictures.unwritten.failure() {
        return Err(failure);
    }
    if let (Ended::Completed, Some(number)) = (ended, game)
        && total.games == 0
        && total.files > 0
    {
        return Err(no_such_game(number, &config.inputs));
    }
    if !config.quiet && matches!(goal, Goal::Folder(..)) {
        tell(Summary::new(&total, started.elapsed()));
    }
    Ok(exit_status(ended, config.fail_on, &total, 0))
}

fn no_such_game(number: u32, inputs: &Inputs) -> Failure {
    Failure::Message(match inputs.named.as_slice() {
        [only] if Path::new(only).is_file() => {
            let name = only.to_string_lossy();
            format!("{} has no game {number}.", printable(&name))
        }
        _ => format!("No file has a game {number}."),
    })
}

/// What became of one game.
enum Drawing {
    /// Bytes of the only picture.
    Held(Vec<u8>),
    /// It would have been one picture too many.
    Left,
    /// A file in the folder.
    Written(Unnamed),
    Failed(String),
}

impl Drawing {
    /// How many bytes it holds in memory.
    fn held(&self) -> usize {
        match self {
            Drawing::Held(bytes) => bytes.capacity(),
            Drawing::Left | Drawing::Written(_) | Drawing::Failed(_) => 0,
        }
    }
}

#[derive(Default)]
struct Drawn {
    tally: Tally,
    pictures: Vec<Drawing>,
}

/// What comes of one file.
#[derive(Default)]
struct FileOutput {
    rows: Vec<u8>,
    drawn: Drawn,
}

/// Draws games; shared by all threads.
struct Renderer<'a> {
    explain: bool,
    move_number: Option<u32>,
    game: Option<u32>,
    layer: Option<Layer>,
    width: Option<u32>,
    style: TextStyle,
    headings: bool,
    games: games::GameOptions,
    limits: sgf::Limits,
    findings: TextFindings,
    goal: &'a Goal,
    folder: Option<OutputFolder>,
    paint_room: PaintRoom,
}

/// How many bytes of memory the pictures that are being painted may take together. A single one
/// that takes more is painted alone.
const MOST_PAINT: u64 = 512 << 20;

/// The memory that is left for painting. A picture of 8,192 pixels a side takes half a gigabyte,
/// whatever the number of threads that would like to paint one.
struct PaintRoom {
    left: Mutex<u64>,
    freed: Condvar,
}

impl PaintRoom {
    fn new() -> PaintRoom {
        PaintRoom {
            left: Mutex::new(MOST_PAINT),
            freed: Condvar::new(),
        }
    }

    /// Waits until there are so many bytes, and works with them.
    #[cfg_attr(not(feature = "pictures"), expect(dead_code))]
    fn with<R>(&self, bytes: u64, work: impl FnOnce() -> R) -> R {
        /// Gives the bytes back, come what may.
        struct Taken<'a>(&'a PaintRoom, u64);

        impl Drop for Taken<'_> {
            fn drop(&mut self) {
                *self.0.left.lock().unwrap_or_else(PoisonError::into_inner) += self.1;
                self.0.freed.notify_all();
            }
        }

        let bytes = bytes.min(MOST_PAINT);
        let left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        let left = self.freed.wait_while(left, |left| *left < bytes);
        *left.unwrap_or_else(PoisonError::into_inner) -= bytes;
        let _taken = Taken(self, bytes);
        work()
    }
}

impl Renderer<'_> {
    /// Draws every game of a file, or of a part of one, and says what can't be read.
    fn part(&self, part: &Part) -> Report<Drawn> {
        let mut output = FileOutput::default();
        self.report(&mut output, &part.name, None, &part.findings);
        output.drawn.tally.files = u64::from(part.is_first());
        match part.parse(&self.limits) {
            Some(collection) => self.draw_games(&mut output, part, &collection),
            None if part.is_whole() => {
                output.drawn.tally.files = 0;
                output.drawn.tally.unread = u64::from(output.drawn.tally.has(Severity::Error));
            }
            None => {}
        }
        Report {
            rows: output.rows,
            held: output.drawn.pictures.iter().map(Drawing::held).sum(),
            tally: output.drawn,
        }
    }

    /// Reports what keeps a game from being drawn. Everything else is the business of
    /// `kifu check`.
    fn report(
        &self,
        output: &mut FileOutput,
        file: &str,
        source: Option<&Collection>,
        findings: &[Finding],
    ) {
        let is_fatal = |finding: &&Finding| {
            finding.severity == Severity::Error && finding.move_number.is_none()
        };
        let fatal: Vec<Finding> = findings.iter().filter(is_fatal).cloned().collect();
        for finding in &fatal {
            output.drawn.tally.count(finding);
        }
        self.findings
            .findings(file, source, &fatal, &mut output.rows);
    }

    fn draw_games(&self, output: &mut FileOutput, part: &Part, collection: &Collection) {
        let file = &part.name;
        self.report(output, file, Some(collection), &collection.findings);
        let several = collection.games.len() > 1 || !part.is_whole();
        for game in &collection.games {
            if self.game.is_some_and(|number| number != game.number) {
                continue;
            }
            output.drawn.tally.games += 1;
            let Some(scene) = self.scene(game) else {
                let message = "This is a record of a game that kifu can't draw.";
                let finding = Finding::new(Code::OtherGame, message)
                    .severity(Severity::Error)
                    .game(game.number);
                self.report(output, file, None, &[finding]);
                continue;
            };
            let number = several.then_some(game.number);
            match self.goal {
                Goal::Boards(_) => self.write_board(output, &scene, file, number),
                Goal::Picture(..) if !output.drawn.pictures.is_empty() => {
                    output.drawn.pictures.push(Drawing::Left);
                }
                Goal::Picture(format, _) => {
                    output
                        .drawn
                        .pictures
                        .push(match self.render(&scene, *format) {
                            Ok(bytes) => Drawing::Held(bytes),
                            Err(message) => Drawing::Failed(message),
                        });
                }
                Goal::Folder(format, _) => {
                    let drawing = self.write_picture(&scene, *format, file, number);
                    output.drawn.pictures.push(drawing);
                }
            }
        }
    }

    fn write_board(&self, output: &mut FileOutput, scene: &Scene, file: &str, number: Option<u32>) {
        let heading = self.headings || number.is_some();
        let mut text = String::new();
        if heading {
            let game = number.map_or(String::new(), |number| format!(", game {number}"));
            text = format!("{}{game}\n", printable(file));
        }
        text += &scene.text(self.style);
        if heading {
            text.push('\n');
        }
        output.rows.extend_from_slice(text.as_bytes());
    }

    fn render(&self, scene: &Scene, format: FileFormat) -> Result<Vec<u8>, String> {
        match format {
            FileFormat::Text => Ok(scene.text(self.style).into_bytes()),
            FileFormat::Svg | FileFormat::Png => {
                picture_bytes(scene, format, self.width, &self.paint_room)
            }
        }
    }

    fn write_picture(
        &self,
        scene: &Scene,
        format: FileFormat,
        record: &str,
        number: Option<u32>,
    ) -> Drawing {
        let Some(folder) = &self.folder else {
            return Drawing::Failed("There is no folder to draw into.".to_string());
        };
        let path = folder.path(record, number, format.extension());
        let bytes = match self.render(scene, format) {
            Ok(bytes) => bytes,
            Err(message) => return Drawing::Failed(message),
        };
        let name = path.to_string_lossy().into_owned();
        match folder.write(path, &bytes) {
            Ok(file) => Drawing::Written(file),
            Err(error) => Drawing::Failed(unwritten(&name, &error)),
        }
    }

    /// The position of a game, ready to be drawn; `None` if kifu does not know the game.
    fn scene(&self, game: &Game) -> Option<Scene> {
        let mut game = game.clone();
        let moves = count_moves(&game);
        if let Some(number) = self.move_number {
            cut_after(&mut game, number);
        }
        let mut caption = caption(&game.header);
        if let Some(number) = self.move_number {
            let shown = number.min(moves);
            let place = format!("after move {shown} of {moves}");
            caption.facts = match caption.facts.is_empty() {
                true => place,
                false => format!("{} · {place}", caption.facts),
            };
        }
        match games::replay(&game, &self.games) {
            Outcome::Go(played) => {
                let shown = self.go_diagram(&game, played, caption);
                Some(Scene::Go(Box::new(shown)))
            }
            Outcome::Other(played) => {
                caption.verdict = played.summary();
                Some(Scene::Other(played, caption))
            }
            Outcome::Unknown(_) => None,
        }
    }

    /// The position with its layer, and the table that explains it, if asked for.
    fn go_diagram(&self, game: &Game, played: GoReplay, caption: Caption) -> (Diagram, String) {
        let rules = played.rules.in_play();
        let mut explanation = String::new();
        let board = &played.replay.board;
        let mut diagram = Diagram::new(board);
        diagram.last_move = last_stone(game, board);
        diagram.caption = caption;
        let influence = || influence::analyse(board);
        let layer = self
            .layer
            .unwrap_or_else(|| self.default_layer(game, &played.replay));
        let verdict = match layer {
            Layer::Stones => String::new(),
            Layer::Territory => {
                let verdict = played.clone().judge(game, &self.games.go);
                let mut line = show_territory(&mut diagram, &verdict.count);
                if let Some(confidence) = verdict.confidence {
                    line += &format!("; {:.0} % sure", 100.0 * confidence);
                }
                if self.explain
                    && let Some(life) = &verdict.life
                {
                    let chains = chain_verdicts(board, life, &verdict.count);
                    explanation = chain_table(board.size(), &chains);
                }
                line
            }
            Layer::Influence => show_influence(&mut diagram, &influence()),
            Layer::Clusters => show_clusters(&mut diagram, &influence()),
            Layer::Shadows => show_shadows(&mut diagram, &influence()),
            Layer::Voronoi => show_voronoi(&mut diagram, board),
            Layer::Unplayable => show_unplayable(&mut diagram, &follow(game, &rules)),
        };
        diagram.caption.verdict = verdict;
        (diagram, explanation)
    }

    /// Territory can be shown when both players had finished.
    fn default_layer(&self, game: &Game, replay: &Replay) -> Layer {
        let ended = replay.ended_by(game.header.result.as_ref());
        match (self.move_number, ended) {
            _ if self.explain => Layer::Territory,
            (None, EndedBy::Passes) => Layer::Territory,
            _ => Layer::Stones,
        }
    }
}

/// Something to be drawn.
enum Scene {
    /// A diagram, and a table to go under it in text.
    Go(Box<(Diagram, String)>),
    Other(Box<OtherGame>, Caption),
}

impl Scene {
    fn text(&self, style: TextStyle) -> String {
        match self {
            Scene::Go(shown) => {
                let (diagram, explanation) = &**shown;
                text_board(diagram, style) + explanation
            }
            Scene::Other(played, caption) => other_board_text(played, caption, style),
        }
    }
}

/// The scene as SVG, or as PNG of this width.
#[cfg(feature = "pictures")]
fn picture_bytes(
    scene: &Scene,
    format: FileFormat,
    width: Option<u32>,
    room: &PaintRoom,
) -> Result<Vec<u8>, String> {
    use crate::draw::{goban, other_board_picture, png, svg};
    let picture = match scene {
        Scene::Go(shown) => goban(&shown.0),
        Scene::Other(played, caption) => other_board_picture(played, caption),
    };
    if format == FileFormat::Svg {
        return Ok(svg(&picture).into_bytes());
    }
    let width = width.unwrap_or(picture.width().round() as u32);
    let height = f64::from(width) * f64::from(picture.height() / picture.width());
    // Four bytes per pixel, painted and then encoded.
    let bytes = 8 * u64::from(width) * height as u64;
    room.with(bytes, || png(&picture, width))
        .map_err(|error| format!("Nothing was drawn: {error}."))
}

#[cfg(not(feature = "pictures"))]
fn picture_bytes(
    _: &Scene,
    _: FileFormat,
    _: Option<u32>,
    _: &PaintRoom,
) -> Result<Vec<u8>, String> {
    Err("This build of kifu draws text only: it lacks the feature `pictures`.".to_string())
}

/// The pictures of the whole run, in the order of the records.
#[derive(Default)]
struct Pictures {
    names: GivenNames,
    only: Option<Vec<u8>>,
    count: u64,
    unwritten: UnwrittenFiles,
}

impl Pictures {
    fn take(&mut self, pictures: Vec<Drawing>) {
        for picture in pictures {
            let failed = match picture {
                Drawing::Held(bytes) => {
                    self.count += 1;
                    self.only.get_or_insert(bytes);
                    continue;
                }
                Drawing::Left => {
                    self.count += 1;
                    continue;
                }
                Drawing::Written(file) => {
                    let name = file.wanted().to_string_lossy().into_owned();
                    match self.names.give(file) {
                        Ok(()) => continue,
                        Err(error) => unwritten(&name, &error),
                    }
                }
                Drawing::Failed(message) => message,
            };
            self.unwritten.add(failed);
        }
    }

    /// Writes the one picture of a run that asked for one.
    fn write_single(&mut self, path: Option<&Path>) -> Result<(), Failure> {
        let Some(bytes) = self.only.take() else {
            return Ok(());
        };
        if self.count > 1 {
            let count = self.count;
            let message = format!(
                "There are {count} games, but only one picture fits into a file: name a folder \
                 with -o FOLDER/, or one game with --game N."
            );
            return Err(Failure::Message(message));
        }
        let Some(path) = path else {
            io::stdout().write_all(&bytes)?;
            io::stdout().flush()?;
            return Ok(());
        };
        let written = Destination::file(path).and_then(|mut file| {
            file.write(&bytes)?;
            file.finish()
        });
        written.map_err(|error| Failure::Message(unwritten(&path.to_string_lossy(), &error)))
    }
}

fn count_moves(game: &Game) -> u32 {
    let is_move = |kind: &StepKind| matches!(kind, StepKind::Move { .. });
    game.main_line
        .iter()
        .filter(|step| is_move(&step.kind))
        .count() as u32
}

/// Leaves out everything from move `number` + 1 on.
fn cut_after(game: &mut Game, number: u32) {
    let mut moves = 0;
    let end = game.main_line.iter().position(|step| {
        moves += u32::from(matches!(step.kind, StepKind::Move { .. }));
        moves > number
    });
    game.main_line.truncate(end.unwrap_or(game.main_line.len()));
}

/// The stone that was played last and is still on the board.
fn last_stone(game: &Game, board: &Board) -> Option<Point> {
    game.main_line
        .iter()
        .rev()
        .find_map(|step| match step.kind {
            StepKind::Move {
                color,
                target: Target::Point(point),
            } => (game.size.contains(point) && board.stone(point) == Some(color)).then_some(point),
            _ => None,
        })
}

/// What the record says about the game.
fn caption(header: &Header) -> Caption {
    let player = |name: &str, rank: &str| one_line(&format!("{name} {rank}"));
    let facts: Vec<String> = [&header.result_text, &header.date, &header.event]
        .into_iter()
        .map(|fact| one_line(fact))
        .filter(|fact| !fact.is_empty())
        .collect();
    Caption {
        players: [
            player(&header.black, &header.black_rank),
            player(&header.white, &header.white_rank),
        ],
        facts: facts.join(" · "),
        verdict: String::new(),
    }
}

/// Text from a record on one line, of a sensible length, and harmless on a terminal.
fn one_line(text: &str) -> String {
    const LONGEST: usize = 100;
    let words: Vec<&str> = text.split_whitespace().collect();
    let line = words.join(" ");
    let short: String = line.chars().take(LONGEST).collect();
    let dots = if short.len() < line.len() { "…" } else { "" };
    format!("{}{dots}", printable(&short))
}

#[cfg(all(test, feature = "pictures"))]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering};

    #[test]
    fn pictures_under_way_share_the_memory() {
        let room = PaintRoom::new();
        let (now, most) = (AtomicU64::new(0), AtomicU64::new(0));
        // The last takes more than there is, and is painted alone.
        let sizes = [100, 200, 300, 400, 1000_u64].map(|megabytes| megabytes << 20);
        std::thread::scope(|scope| {
            for bytes in sizes.repeat(4) {
                let (room, now, most) = (&room, &now, &most);
                scope.spawn(move || {
                    let bytes_taken = bytes.min(MOST_PAINT);
                    room.with(bytes, || {
                        let taken = now.fetch_add(bytes_taken, Ordering::SeqCst) + bytes_taken;
                        most.fetch_max(taken, Ordering::SeqCst);
                        std::thread::sleep(std::time::Duration::from_millis(2));
                        now.fetch_sub(bytes_taken, Ordering::SeqCst);
                    });
                });
            }
        });
        assert!(most.into_inner() <= MOST_PAINT);
        assert_eq!(*room.left.lock().unwrap(), MOST_PAINT);
    }
}
