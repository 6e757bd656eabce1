//! Hammers the reader with random and mutated SGF, and times it.
//!
//!     cargo run --release --example hammer -- 1000
//!
//! reads a thousand megabytes of records that were made up, then broken: bytes changed, taken
//! out, doubled and moved, or nothing but brackets and noise. A panic ends it with the seed that
//! caused it (`hammer 0 SEED` reads that text alone); otherwise it says how fast the reader was,
//! and what the slowest text cost, which shows whether anything takes more than linear time.

use std::time::{Duration, Instant};

use kifu::record::{Limits, read};

fn main() {
    let number = |at: usize| {
        std::env::args()
            .nth(at)
            .and_then(|text| text.parse::<u64>().ok())
    };
    let megabytes = number(1).unwrap_or(10);
    let limits = Limits::default();
    if let Some(seed) = number(2) {
        let text = broken(seed);
        let reading = read(&text, &limits);
        println!(
            "{} bytes, {} games, {} findings",
            text.len(),
            reading.games.len(),
            reading.findings.len()
        );
        return;
    }
    let (mut bytes, mut texts, mut games, mut findings) = (0u64, 0u64, 0u64, 0u64);
    let mut spent = Duration::ZERO;
    let mut slowest = (0.0, 0);
    for seed in 0.. {
        if bytes >= megabytes * 1_000_000 {
            break;
        }
        let text = broken(seed);
        let start = Instant::now();
        let outcome = std::panic::catch_unwind(|| {
            let reading = read(&text, &limits);
            let branches = reading.games.first().map(|game| reading.branches(game));
            let more = branches.map_or(0, |(_, findings)| findings.len());
            (reading.games.len(), reading.findings.len() + more)
        });
        let took = start.elapsed();
        let Ok((found, said)) = outcome else {
            eprintln!("The text with seed {seed} makes the reader panic.");
            std::process::exit(1);
        };
        spent += took;
        bytes += text.len() as u64;
        texts += 1;
        games += found as u64;
        findings += said as u64;
        let cost = took.as_nanos() as f64 / text.len() as f64;
        if text.len() > 100_000 && cost > slowest.0 {
            slowest = (cost, seed);
        }
    }
    let rate = bytes as f64 / 1e6 / spent.as_secs_f64();
    println!(
        "{texts} texts, {bytes} bytes, {games} games, {findings} findings: {rate:.0} MB a second"
    );
    println!(
        "the slowest long text cost {:.0} ns a byte (seed {})",
        slowest.0, slowest.1
    );
}

/// A small generator of its own, so that a seed means the same text everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }
}

/// A text that a reader may meet on a bad day.
fn broken(seed: u64) -> Vec<u8> {
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    random.next();
    // Long texts show what is not linear.
    let length = if seed % 64 == 0 {
        1_000_000
    } else {
        200 + random.below(8000)
    };
    match seed % 8 {
        0 => tokens(&mut random, length),
        1 => noise(&mut random, length),
        _ => {
            let mut text = record(&mut random, length);
            let mutations = random.below(40);
            for _ in 0..mutations {
                mutate(&mut random, &mut text);
            }
            text
        }
    }
}

/// The pieces that records are made of, in any order, a few of them most of the time.
fn tokens(random: &mut Random, length: usize) -> Vec<u8> {
    const TOKENS: &[&[u8]] = &[
        b"(",
        b")",
        b";",
        b"[",
        b"]",
        b"\\",
        b"B[aa]",
        b"C[",
        b" x ",
        b"] ",
        b"];",
        b"PB[",
        b"PW[",
        b"W[",
        b"AB[aa:ss]",
        b"\n",
        b"GM[1]",
        b"(;GM[1]",
        b"\xc1]",
        b"\xe6\xa3\x8b",
        b"\0",
        b"LB ",
        b"Black",
        b"a",
        b"Z",
        b"\r",
        b"<br>",
        b":",
    ];
    let palette: Vec<&[u8]> = (0..1 + random.below(8))
        .map(|_| TOKENS[random.below(TOKENS.len())])
        .collect();
    let mut text = Vec::with_capacity(length + 16);
    if random.below(2) == 0 {
        text.extend(b"(;GM[1]SZ[19]");
    }
    while text.len() < length {
        text.extend(palette[random.below(palette.len())]);
    }
    text
}

fn noise(random: &mut Random, length: usize) -> Vec<u8> {
    let mut text = b"(;".to_vec();
    text.extend((0..length).map(|_| random.next() as u8));
    text
}

/// A record with variations, comments and a header, as it should be.
fn record(random: &mut Random, length: usize) -> Vec<u8> {
    let mut text = b"(;GM[1]FF[4]SZ[19]PB[Honinbo]PW[Inoue]KM[6.5]RE[W+R]HA[2]AB[dd][pp]".to_vec();
    let mut open = 1;
    while text.len() < length {
        let (x, y) = (b'a' + random.below(19) as u8, b'a' + random.below(19) as u8);
        let color = if random.below(2) == 0 { b'B' } else { b'W' };
        text.extend([b';', color, b'[', x, y, b']']);
        match random.below(40) {
            0 => text.extend("C[a comment \\[with\\] brackets, 棋 and \\\\]".as_bytes()),
            1 => text.extend(b"LB[aa:1][bb:2]TR[cc]BL[12.5]"),
            2 => {
                text.extend(b"\n(");
                open += 1;
            }
            3 if open > 1 => {
                text.extend(b")\n(");
            }
            _ => {}
        }
    }
    text.extend(vec![b')'; open]);
    text
}

/// Breaks something.
fn mutate(random: &mut Random, text: &mut Vec<u8>) {
    const MARKS: &[u8] = b"()[];\\ \n\0\xff\xc1\x81BWC:aZ";
    let at = random.below(text.len());
    let end = (at + random.below(60)).min(text.len());
    match random.below(6) {
        0 => text[at] = MARKS[random.below(MARKS.len())],
        1 => text[at] = random.next() as u8,
        2 => text.insert(at, MARKS[random.below(MARKS.len())]),
        3 => drop(text.drain(at..end)),
        4 => {
            let copy = text[at..end].to_vec();
            let to = random.below(text.len());
            text.splice(to..to, copy);
        }
        _ if random.below(20) == 0 => text.truncate(at.max(1)),
        _ => {
            let other = random.below(text.len());
            text.swap(at, other);
        }
    }
    if text.is_empty() {
        text.push(b'(');
    }
}
