//! Fits the forests that decide life and death, and writes `src/analysis/life.forest`.
//!
//! ```text
//! cargo run --release --example train -- games/*.tar.gz --dead engine-dead.jsonl.gz
//! ```
//!
//! The inputs are folders or archives of finished games. A game teaches where its dead stones are
//! known: from its own marks (`TB[]`, `TW[]`), or from the file given with `--dead`, JSON lines with
//! `file`, `dead` (SGF points) and `confirmed` (whether those dead stones give the recorded result).
//! Other games are left out.
//!
//! Everything that is printed about accuracy is cross-validated: the games are dealt into folds, and
//! a game is judged by forests that were grown without its fold. The second forest learns from odds
//! of first forests that had not seen the game either, as it will meet them in the field. The
//! forests that are written are grown from all games.

mod boost;

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use boost::{Cases, Growth};
use kifu::analysis::features;
use kifu::analysis::forest::Forest;
use kifu::analysis::life::{Evidence, Testimony};
use kifu::input::{Inputs, Limits};
use kifu::record::{self, Game, GameKind};
use kifu::rules::{Board, Color, Point, PointSet, Rules, replay};
use rayon::prelude::*;

const FOLDS: u64 = 4;

const FIRST: Growth = Growth {
    trees: 150,
    depth: 6,
    rate: 0.12,
    damping: 3.0,
    case_share: 0.6,
    feature_share: 0.5,
};

const SECOND: Growth = Growth {
    trees: 200,
    depth: 4,
    rate: 0.05,
    damping: 4.0,
    case_share: 0.6,
    feature_share: 0.4,
};

/// A game to learn from.
struct Lesson {
    /// The folder it came from, for the report.
    set: String,
    fold: u64,
    board: Board,
    evidence: Evidence,
    /// Whether each chain is alive.
    alive: Vec<bool>,
}

fn main() -> std::io::Result<()> {
    let mut named = Vec::new();
    let mut known_dead = HashMap::new();
    let mut output = PathBuf::from("src/analysis/life.forest");
    let mut args = std::env::args_os().skip(1);
    while let Some(arg) = args.next() {
        match arg.to_str() {
            Some("--dead") => {
                known_dead = read_known_dead(Path::new(&args.next().expect("--dead FILE")))?
            }
            Some("-o") => output = args.next().expect("-o FILE").into(),
            _ => named.push(arg),
        }
    }
    let inputs = Inputs {
        named,
        ..Inputs::default()
    };
    let lessons: Vec<Lesson> = inputs
        .open()
        .par_bridge()
        .flat_map_iter(|found| lessons_of(found.read(&Limits::default()), &known_dead))
        .collect();
    let mut lessons = lessons;
    // The bridge hands files over in any order; the forests must not depend on it.
    lessons.sort_by_key(|lesson| (lesson.fold, lesson.board.hash()));
    println!("{} games to learn from", lessons.len());

    let first = |held_out: u64| {
        let mut cases = Cases::new(features::COUNT);
        for lesson in lessons
            .iter()
            .filter(|lesson| lesson.fold % FOLDS != held_out)
        {
            for (row, &alive) in lesson.evidence.rows.iter().zip(&lesson.alive) {
                cases.push(&row.0, alive);
            }
        }
        boost::grow(&cases, &FIRST)
    };
    let odds = cross_validate(&lessons, first, |forest, i| {
        lessons[i]
            .evidence
            .rows
            .iter()
            .map(|row| forest.log_odds(&row.0))
            .collect::<Vec<f32>>()
    });
    report("at first sight", &lessons, &odds);

    let heard: Vec<Vec<Testimony>> = lessons
        .par_iter()
        .zip(&odds)
        .map(|(lesson, odds)| lesson.evidence.hear(&lesson.board, odds))
        .collect();
    let second = |held_out: u64| {
        let mut cases = Cases::new(Testimony::COUNT);
        for (lesson, heard) in lessons
            .iter()
            .zip(&heard)
            .filter(|(lesson, _)| lesson.fold % FOLDS != held_out)
        {
            for testimony in heard {
                cases.push(&testimony.row, lesson.alive[testimony.chain]);
            }
        }
        boost::grow(&cases, &SECOND)
    };
    let odds = cross_validate(&lessons, second, |forest, i| {
        let mut odds = odds[i].clone();
        for testimony in &heard[i] {
            odds[testimony.chain] = forest.log_odds(&testimony.row);
        }
        odds
    });
    report("after the second look", &lessons, &odds);

    let bytes = [first(FOLDS).to_bytes(), second(FOLDS).to_bytes()].concat();
    println!("{}: {} bytes", output.display(), bytes.len());
    std::fs::write(output, bytes)
}

/// Grows a forest without each fold in turn and applies it to the games of that fold.
fn cross_validate<T: Send>(
    lessons: &[Lesson],
    grow: impl Fn(u64) -> Forest + Sync,
    apply: impl Fn(&Forest, usize) -> T + Sync,
) -> Vec<T> {
    let forests: Vec<Forest> = (0..FOLDS).into_par_iter().map(&grow).collect();
    (0..lessons.len())
        .into_par_iter()
        .map(|i| apply(&forests[(lessons[i].fold % FOLDS) as usize], i))
        .collect()
}

/// Prints, for each set, in how many games every chain is decided as it is known.
fn report(step: &str, lessons: &[Lesson], odds: &[Vec<f32>]) {
    let mut sets: BTreeMap<&str, (u32, u32)> = BTreeMap::new();
    for (lesson, odds) in lessons.iter().zip(odds) {
        let right = odds
            .iter()
            .zip(&lesson.alive)
            .all(|(&odds, &alive)| (odds > 0.0) == alive);
        for set in [lesson.set.as_str(), "all"] {
            let (games, exact) = sets.entry(set).or_default();
            *games += 1;
            *exact += right as u32;
        }
    }
    println!("{step}: games with every chain right");
    for (set, (games, exact)) in sets {
        println!(
            "  {set:<40} {exact:>6} of {games:>6}  {:.2} %",
            100.0 * f64::from(exact) / f64::from(games)
        );
    }
}

/// Dead stones by file name, of the games whose recorded result they give.
fn read_known_dead(path: &Path) -> std::io::Result<HashMap<String, PointSet>> {
    let file = File::open(path)?;
    let reader: Box<dyn BufRead> = match path.extension() {
        Some(end) if end == "gz" => Box::new(BufReader::new(flate2::read::GzDecoder::new(file))),
        _ => Box::new(BufReader::new(file)),
    };
    let mut known = HashMap::new();
    for line in reader.lines() {
        let entry: serde_json::Value = serde_json::from_str(&line?)?;
        if entry["confirmed"] != true {
            continue;
        }
        let dead = entry["dead"].as_array().into_iter().flatten();
        let dead = dead
            .filter_map(|point| Point::from_sgf(point.as_str()?.as_bytes()))
            .collect();
        known.insert(entry["file"].as_str().unwrap_or_default().to_string(), dead);
    }
    Ok(known)
}

fn lessons_of(file: kifu::input::InputFile, known_dead: &HashMap<String, PointSet>) -> Vec<Lesson> {
    let Some(bytes) = &file.bytes else {
        return Vec::new();
    };
    let reading = record::read(bytes, &record::Limits::default());
    let (folder, name) = file.name.rsplit_once('/').unwrap_or(("", &file.name));
    reading
        .games
        .iter()
        .filter(|game| game.kind == GameKind::Go)
        .filter_map(|game| {
            let board = replay(game, &Rules::of(&game.header, None).rules).board;
            let dead = marked_dead(game, &board).or_else(|| known_dead.get(name).copied())?;
            let evidence = Evidence::gather(&board);
            let is_dead = |stones: &[Point]| {
                2 * stones.iter().filter(|&&stone| dead.contains(stone)).count() > stones.len()
            };
            let alive = evidence
                .sketch
                .chains
                .iter()
                .map(|chain| !is_dead(&chain.stones))
                .collect();
            // By name, so that a game stays in its fold whatever else there is to learn from.
            let fold = name.bytes().fold(0xCBF2_9CE4_8422_2325u64, |hash, byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
            }) >> 20;
            Some(Lesson {
                set: folder.to_string(),
                fold,
                board,
                evidence,
                alive,
            })
        })
        .collect()
}

/// The stones that stand in territory marked as the other side's.
fn marked_dead(game: &Game, board: &Board) -> Option<PointSet> {
    let (black, white) = (game.header.black_marks?, game.header.white_marks?);
    Some(board.stones(Color::White) & black | board.stones(Color::Black) & white)
}
