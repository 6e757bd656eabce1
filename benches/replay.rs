//! How fast games are replayed: moves a second of CPU time, with every check on.
//!
//!     cargo bench --bench replay                 # games of random play
//!     cargo bench --bench replay -- games/       # the records in a folder
//!
//! Games are read before the clock starts. `history` is the rules engine alone, with positional
//! superko; `replay` is all that `kifu check` does with a game once it is read. What is found on
//! the way is counted at the end.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Instant;

use kifu::board::{Color, Point, Size};
use kifu::replay::{choose_rules, replay};
use kifu::rules::{History, Preset};
use kifu::sgf::{Game, GameKind, Limits, StepKind, Target, parse};

const ROUNDS: usize = 5;

fn main() {
    let folder = std::env::args().skip(1).find(|arg| !arg.starts_with("--"));
    let games = match folder {
        Some(folder) => games_in(folder.into()),
        None => random_games(1000),
    };
    let moves: usize = games.iter().map(|game| game.main_line.len()).sum();
    println!("{} games, {moves} moves", games.len());

    fastest("history", moves, || {
        let rules = Preset::Chinese.rules();
        for game in &games {
            let mut history = History::new(game.size, &rules);
            for step in &game.main_line {
                match &step.kind {
                    StepKind::Move { color, target } => match target {
                        Target::Point(point) => drop(history.follow(*color, *point)),
                        _ => history.pass(*color),
                    },
                    StepKind::Setup(setup) => history.edit(Color::White, |board| {
                        for point in setup
                            .points()
                            .black
                            .iter()
                            .filter(|&p| game.size.contains(p))
                        {
                            board.set(point, Some(Color::Black));
                        }
                        for point in setup
                            .points()
                            .white
                            .iter()
                            .filter(|&p| game.size.contains(p))
                        {
                            board.set(point, Some(Color::White));
                        }
                    }),
                    StepKind::ToPlay(_) | StepKind::Forced => {}
                }
            }
            std::hint::black_box(history.board().hash());
        }
    });

    let mut found = BTreeMap::new();
    fastest("replay", moves, || {
        found.clear();
        for game in &games {
            let rules = choose_rules(&game.header, None).in_play();
            for finding in replay(game, &rules).findings {
                let kind = format!("{} {}", finding.severity.as_str(), finding.code.as_str());
                *found.entry(kind).or_insert(0) += 1;
            }
        }
    });
    for (kind, count) in found {
        println!("{count:8} {kind}");
    }
}

/// Runs the work a few times and prints the best rate, which says most about the program and
/// least about what else the machine does.
fn fastest(name: &str, moves: usize, mut work: impl FnMut()) {
    let seconds = (0..ROUNDS)
        .map(|_| {
            let started = Clock::start();
            work();
            started.seconds()
        })
        .fold(f64::INFINITY, f64::min);
    println!(
        "{name:8} {:6.1} million moves/s",
        moves as f64 / seconds / 1e6
    );
}

/// CPU time where the system tells it, else the time of day.
enum Clock {
    Cpu(f64),
    Wall(Instant),
}

impl Clock {
    fn start() -> Clock {
        cpu_seconds().map_or_else(|| Clock::Wall(Instant::now()), Clock::Cpu)
    }

    fn seconds(self) -> f64 {
        match self {
            Clock::Cpu(start) => cpu_seconds().map_or(0.0, |now| now - start),
            Clock::Wall(start) => start.elapsed().as_secs_f64(),
        }
    }
}

fn cpu_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/schedstat").ok()?;
    let nanoseconds: f64 = text.split_whitespace().next()?.parse().ok()?;
    Some(nanoseconds / 1e9)
}

/// The games of Go in all `.sgf` files of a folder.
fn games_in(folder: PathBuf) -> Vec<Game> {
    let mut files = Vec::new();
    let mut folders = vec![folder];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder)
            .expect("a folder that can be read")
            .flatten()
        {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path
                .extension()
                .is_some_and(|ext| ext.eq_ignore_ascii_case("sgf"))
            {
                files.push(path);
            }
        }
    }
    files.sort();
    files
        .iter()
        .flat_map(|file| {
            let bytes = std::fs::read(file).unwrap_or_default();
            parse(&bytes, &Limits::default()).games
        })
        .filter(|game| game.kind == GameKind::Go)
        .collect()
}

/// Games of legal moves that fill no eye, until the board is full.
fn random_games(count: u64) -> Vec<Game> {
    let size = Size::square(19);
    let rules = Preset::Chinese.rules();
    (1..=count)
        .map(|seed| {
            let mut random = seed;
            let mut history = History::new(size, &rules);
            let mut sgf = String::from("(;GM[1]SZ[19]RU[Chinese]");
            while history.passes() < 2 && history.moves() < 400 {
                let color = history.to_move();
                let points: Vec<Point> = history.board().empty().iter().collect();
                random = random
                    .wrapping_mul(6364136223846793005)
                    .wrapping_add(1442695040888963407);
                let first = (random >> 33) as usize % points.len().max(1);
                let choice = (0..points.len())
                    .map(|n| points[(first + n) % points.len()])
                    .find(|&point| {
                        let own = |p: &Point| {
                            !size.contains(*p) || history.board().stone(*p) == Some(color)
                        };
                        !point.neighbors().iter().all(own) && history.check(color, point).is_ok()
                    });
                match choice {
                    Some(point) => {
                        history.follow(color, point);
                        sgf.push_str(&format!(";{}[{}]", color.letter(), point.to_sgf()));
                    }
                    None => {
                        history.pass(color);
                        sgf.push_str(&format!(";{}[]", color.letter()));
                    }
                }
            }
            sgf.push(')');
            parse(sgf.as_bytes(), &Limits::default()).games.remove(0)
        })
        .collect()
}
