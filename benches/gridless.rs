//! How long a gridless game of 500 stones takes, from its SGF text to the score:
//!
//!     cargo bench --bench gridless
//!
//! The stones are scattered as evenly as the golden ratio and the plastic number scatter them,
//! half of them so that they snap to another, on a board where most of them find room.

use std::time::{Duration, Instant};

use kifu::games::{GameOptions, Outcome, judge};
use kifu::sgf::{Limits, parse};

const STONES: u32 = 500;
const RUNS: usize = 51;

fn main() {
    let sgf = game();
    let mut times: Vec<Duration> = (0..RUNS).map(|_| score(&sgf)).collect();
    times.sort();
    let median = times[RUNS / 2];
    println!("{STONES} stones: {median:.2?} (median of {RUNS})");
}

fn score(sgf: &str) -> Duration {
    let start = Instant::now();
    let collection = parse(sgf.as_bytes(), &Limits::default());
    let Outcome::Other(game) = judge(&collection.games[0], &GameOptions::default()) else {
        panic!("a gridless game");
    };
    let scores = game.score().scores;
    let time = start.elapsed();
    assert!(game.moves == STONES && scores[0] > 0.0);
    time
}

fn game() -> String {
    let mut sgf = String::from("(;GM[1]RU[Gridless]SZ[30]");
    for n in 0..STONES {
        let part = |ratio: f64| (f64::from(n) * ratio).fract() * 29.0;
        let color = if n % 2 == 0 { 'B' } else { 'W' };
        let (x, y) = (part(0.618_033_988_7), part(0.754_877_666_2));
        sgf += &format!(";{color}[{x:.3},{y:.3}]");
    }
    sgf + ")"
}
