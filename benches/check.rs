//! How fast records are checked: found, read, replayed.
//!
//!     cargo bench --bench check
//!     KIFU_GAMES=games/ cargo bench --bench check
//!
//! Without a folder of one's own the few games of `fixtures/games` are checked over and over.
//! Each line is the best of five runs.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use kifu::input::Inputs;
use kifu::pipeline::Part;
use kifu::pipeline::batch::{self, Report};
use kifu::replay::{choose_rules, replay};
use kifu::sgf::Limits;

const RUNS: usize = 5;

/// Small folders are named so often that a run has at least this many files.
const FILES: usize = 2000;

fn main() {
    let own = std::env::var_os("KIFU_GAMES").map(PathBuf::from);
    let made = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/games"));
    let mut inputs = Inputs::new([own.unwrap_or(made)]);
    let files = inputs.open().count().max(1);
    inputs.named = vec![inputs.named[0].clone(); FILES.div_ceil(files)];

    for threads in [1, 2] {
        let threads = NonZeroUsize::new(threads).expect("not zero");
        let (time, (games, moves)) = best(|| check_all(&inputs, threads));
        let seconds = time.as_secs_f64();
        println!(
            "{threads} thread(s): {games} games, {moves} moves in {seconds:.3} s: {:.0} games/s, {:.1} million moves/s",
            games as f64 / seconds,
            moves as f64 / seconds / 1e6,
        );
    }
}

/// The shortest time of several runs, and what the run came to.
fn best<T>(run: impl Fn() -> T) -> (Duration, T) {
    let timed = || {
        let started = Instant::now();
        let outcome = run();
        (started.elapsed(), outcome)
    };
    (0..RUNS)
        .map(|_| timed())
        .min_by_key(|(time, _)| *time)
        .expect("there are runs")
}

/// Checks every file and counts games and moves.
fn check_all(inputs: &Inputs, threads: NonZeroUsize) -> (u64, u64) {
    let mut total = (0, 0);
    batch::run(
        inputs.open(),
        &Limits::default(),
        threads,
        &AtomicBool::new(false),
        |part| Report::new(Vec::new(), check(&part)),
        |report, _| {
            let (games, moves) = report.tally;
            total = (total.0 + games, total.1 + moves);
            Ok(())
        },
    )
    .expect("the sink takes everything");
    total
}

fn check(part: &Part) -> (u64, u64) {
    let Some(collection) = part.parse(&Limits::default()) else {
        return (0, 0);
    };
    let replay = |game| replay(game, &choose_rules(&game.header, None).in_play());
    let moves = collection
        .games
        .iter()
        .map(|game| u64::from(replay(game).moves))
        .sum();
    (collection.games.len() as u64, moves)
}
