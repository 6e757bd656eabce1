//! Fits the forests that decide life and death and how sure that is.
//!
//! ```text
//! cargo run --release --example train -- kgs.tar.gz --plain tygem.tar.gz --dead engine-dead.jsonl.gz
//! ```
//!
//! The inputs are folders or archives of finished games with a recorded result. A game teaches life
//! and death where its dead stones are known:
//!
//! - from its own marks (`TB[]`, `TW[]`);
//! - from the file given with `--dead`: JSON lines with `file`, `dead` (SGF points) and `confirmed`
//!   (whether those dead stones give the recorded result).
//!
//! Every game with a result teaches how far to trust a score. To take further games as known where
//! one change of a chain's status gives the recorded result was tried: it teaches forgetfulness, and
//! made the scores worse.
//!
//! `--plain INPUT` says that the games of an input were counted plainly, by a server that they do not
//! name: Tygem's records say `RU[Korean]`, as any game by Korean rules does.
//!
//! `--fails FILE` lists the games whose score is not the recorded one, with the chains to blame.
//!
//! Everything that is printed about accuracy is cross-validated: the games are dealt into folds, and
//! a game is judged by forests that were grown without its fold. The forest of the search learns from
//! odds of forests that had not seen the game either, as it will meet them in real use; seeds of a
//! game for which those leave no doubt teach it nothing. The forests that are written are grown from
//! all games.

mod boost;

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use boost::{Cases, Growth};
use kifu::board::{Board, Point, PointSet};
use kifu::count::{Counting, Margin};
use kifu::games::go::{GoOptions, Verdict};
use kifu::input::{InputFile, Inputs, Limits};
use kifu::life::{Life, PositionGraph};
use kifu::replay::{choose_rules, replay};
use kifu::sgf::{self, Game, GameKind};
use kifu::training::{
    Evidence, Forest, Stage, average_until_clear, confidence, features, is_certain, marked_dead,
    search_features,
};
use rayon::prelude::*;

const FOLDS: u64 = 4;

const FROM_PLAYOUTS: Growth = Growth {
    trees: 100,
    depth: 6,
    rate: 0.17,
    damping: 3.0,
    case_share: 0.6,
    feature_share: 0.5,
};

const FROM_SEARCH: Growth = Growth {
    trees: 600,
    depth: 5,
    rate: 0.03,
    damping: 2.0,
    case_share: 0.3,
    feature_share: 0.15,
};

const CONFIDENCE: Growth = Growth {
    trees: 200,
    depth: 4,
    rate: 0.06,
    damping: 8.0,
    case_share: 0.7,
    feature_share: 0.6,
};

/// How often each game is played out, every time with another random seed. More seeds teach the
/// forests what in the evidence is chance, and steady the figures that are printed.
const SEEDS: u32 = 6;

/// A game to learn from.
struct Lesson {
    /// The folder it came from, for the report.
    set: String,
    name: String,
    fold: u64,
    board: Board,
    graph: PositionGraph,
    /// The evidence after the first two stages, seed by seed.
    seeds: Vec<[Evidence; 2]>,
    /// Whether each chain is alive, where that is known.
    alive: Option<Vec<bool>>,
    game: Game,
    options: GoOptions,
    recorded: Option<Margin>,
}

/// Log-odds of every chain, for every seed of every lesson.
type LogOdds = Vec<Vec<Vec<f32>>>;

/// What may be wrong with a score, in numbers, and whether it is the one on record.
type Doubts = ([f32; confidence::COUNT], bool);

impl Lesson {
    /// The verdict on the chains by odds from any of the seeds.
    fn life(&self, log_odds: &[f32]) -> Life {
        let ownership = self.seeds[0][1].ownership.clone();
        Life::new(self.graph.clone(), log_odds.to_vec(), ownership)
    }

    /// The game scored as kifu scores it, with the chains judged so.
    fn verdict(&self, log_odds: &[f32]) -> Verdict {
        Verdict::with_life(&self.game, &self.options, self.life(log_odds))
    }

    /// What may be wrong with the score, and whether it is the one on record, where it is final.
    fn doubts(&self, options: &GoOptions, log_odds: &[f32]) -> Option<Doubts> {
        let verdict = Verdict::with_life(&self.game, options, self.life(log_odds));
        let exact = verdict.margin() == self.recorded?;
        let is_final = verdict.not_final.is_none();
        let life = verdict.life.as_ref().filter(|_| is_final)?;
        let circumstances = confidence::Circumstances {
            passes: verdict.replay.passes,
            server: self.game.header.server,
        };
        let numbers = confidence::features(life, &verdict.count, &circumstances);
        Some((numbers, exact))
    }
}

fn main() -> std::io::Result<()> {
    let mut named = Vec::new();
    let mut known_dead = HashMap::new();
    // Of everything that is learned from, in whatever order it comes.
    let data = AtomicU64::new(0);
    let mut plain = Vec::new();
    let mut fails = None;
    let mut args = std::env::args_os().skip(1);
    while let Some(arg) = args.next() {
        match arg.to_str() {
            Some("--dead") => {
                let path = args.next().expect("--dead FILE");
                let text = read_text(Path::new(&path))?;
                data.fetch_add(hash(text.as_bytes()), Ordering::Relaxed);
                known_dead = parse_known_dead(&text)?;
            }
            Some("--plain") => {
                let input = args.next().expect("--plain INPUT");
                plain.push(input.to_string_lossy().into_owned());
                named.push(input);
            }
            Some("--fails") => fails = Some(args.next().expect("--fails FILE")),
            _ => named.push(arg),
        }
    }
    let inputs = Inputs::new(named);
    let mut lessons: Vec<Lesson> = inputs
        .open()
        .par_bridge()
        .flat_map_iter(|found| {
            let counting = (plain.iter())
                .any(|input| found.name().starts_with(input))
                .then_some(Counting::Plain);
            let file = found.read(&Limits::default());
            let bytes = file.bytes.as_deref().unwrap_or_default();
            data.fetch_add(hash(bytes), Ordering::Relaxed);
            lessons_of(file, &known_dead, counting)
        })
        .collect();
    // The bridge hands files over in any order; the forests must not depend on it.
    lessons.sort_by_key(|lesson| (lesson.fold, lesson.board.hash()));
    let known = lessons
        .iter()
        .filter(|lesson| lesson.alive.is_some())
        .count();
    println!(
        "{} games, of {} the dead stones are known",
        lessons.len(),
        known
    );

    let from_playouts = |stage: Stage| {
        let lessons = &lessons;
        move |held_out| grow_from_playouts(lessons, stage, held_out)
    };
    let [quick, playouts] = [Stage::Quick, Stage::Playouts].map(|stage| -> LogOdds {
        cross_validate(&lessons, from_playouts(stage), |forest, i| {
            let seeds = lessons[i].seeds.iter();
            let weighed = seeds.map(|evidence| evidence[stage as usize].log_odds(forest));
            weighed.collect()
        })
    });
    // What is certain after the first stage goes no further.
    let settled = |quick: &LogOdds, later: &LogOdds| -> LogOdds {
        let lessons = quick.iter().zip(later);
        lessons
            .map(|(quick, later)| {
                let seeds = quick.iter().zip(later);
                let settle = |(quick, later): (&Vec<f32>, &Vec<f32>)| {
                    let certain = is_certain(quick);
                    if certain { quick } else { later }.clone()
                };
                seeds.map(settle).collect()
            })
            .collect()
    };
    let certain = quick
        .iter()
        .flatten()
        .filter(|log_odds| is_certain(log_odds));
    println!(
        "certain after the quick stage: {} games of {}",
        certain.count() / SEEDS as usize,
        lessons.len()
    );
    report("after the playouts", &lessons, &settled(&quick, &playouts));

    let searched = search(&lessons, &playouts);
    let from_search = |held_out| grow_from_search(&lessons, &searched, held_out);
    let search: LogOdds = cross_validate(&lessons, from_search, |forest, i| {
        let seeds = playouts[i].iter().zip(&searched[i]);
        seeds
            .map(|(playouts, searched)| {
                let mut log_odds = playouts.clone();
                for features in searched {
                    log_odds[features.chain] = forest.log_odds(&features.numbers);
                }
                log_odds
            })
            .collect()
    });
    let starts = settled(&quick, &search);
    report("after the search", &lessons, &starts);

    // Each seed in turn is the first, and is followed by the others.
    let mut reseeded = 0;
    let odds: LogOdds = starts
        .iter()
        .zip(&search)
        .map(|(starts, search)| {
            let seeds = starts.iter().enumerate();
            seeds
                .map(|(start, log_odds)| {
                    average_until_clear(log_odds.clone(), |reseed, _| {
                        reseeded += 1;
                        search[(start + reseed as usize) % search.len()].clone()
                    })
                })
                .collect()
        })
        .collect();
    println!(
        "searched with another seed: {:.4} times per game",
        f64::from(reseeded) / (lessons.len() as f64 * f64::from(SEEDS))
    );
    report("after all seeds", &lessons, &odds);
    if let Some(path) = fails {
        std::fs::write(path, list_fails(&lessons, &odds))?;
    }

    let doubts: Vec<Vec<Doubts>> = lessons
        .par_iter()
        .zip(&odds)
        .map(|(lesson, odds)| {
            // Users meet games that were counted plainly without knowing it.
            let unaware = (lesson.options.counting.is_some()).then(GoOptions::default);
            let options = [Some(lesson.options), unaware].into_iter().flatten();
            options
                .filter_map(|options| lesson.doubts(&options, &odds[0]))
                .collect()
        })
        .collect();
    let trust = |held_out| {
        let mut cases = Cases::new(confidence::COUNT);
        for (lesson, doubts) in lessons.iter().zip(&doubts) {
            if lesson.fold % FOLDS != held_out {
                for (row, exact) in doubts {
                    cases.push(row, *exact);
                }
            }
        }
        boost::grow(&cases, &CONFIDENCE)
    };
    let confidences = cross_validate(&lessons, trust, |forest, i| {
        let doubts = doubts[i].iter();
        let sure = doubts.map(|(row, exact)| (forest.probability(row), *exact));
        sure.collect::<Vec<_>>()
    });
    let mut kinds: BTreeMap<&str, Vec<(f32, bool)>> = BTreeMap::new();
    for (lesson, confidence) in lessons.iter().zip(confidences) {
        for kind in [lesson.set.as_str(), ALL] {
            kinds.entry(kind).or_default().extend(&confidence);
        }
    }
    println!("confidence:");
    for (kind, cases) in kinds {
        report_calibration(kind, &cases);
    }

    let data = data.into_inner();
    let forests = Stage::ALL.map(|stage| {
        let forest = match stage {
            Stage::Search => from_search(FOLDS),
            stage => from_playouts(stage)(FOLDS),
        };
        forest.to_bytes(&stage.feature_names(), data)
    });
    let confidence = trust(FOLDS).to_bytes(&confidence::feature_names(), data);
    for (path, bytes) in [
        ("src/life/life.forest", forests.concat()),
        ("src/count/confidence.forest", confidence),
    ] {
        println!("{path}: {} bytes", bytes.len());
        std::fs::write(path, bytes)?;
    }
    Ok(())
}

/// Grows the forest of one of the first two stages from all lessons but one fold.
fn grow_from_playouts(lessons: &[Lesson], stage: Stage, held_out: u64) -> Forest {
    let mut cases = Cases::new(features::COUNT);
    for lesson in lessons
        .iter()
        .filter(|lesson| lesson.fold % FOLDS != held_out)
    {
        for evidence in &lesson.seeds {
            let alive = lesson.alive.iter().flatten();
            let features = evidence[stage as usize].features.iter();
            for (features, &alive) in features.zip(alive) {
                cases.push(&features.0, alive);
            }
        }
    }
    boost::grow(&cases, &FROM_PLAYOUTS)
}

/// What the search finds in every game with every seed, given the odds of the playouts.
fn search(
    lessons: &[Lesson],
    log_odds: &LogOdds,
) -> Vec<Vec<Vec<search_features::SearchFeatures>>> {
    lessons
        .par_iter()
        .zip(log_odds)
        .map(|(lesson, log_odds)| {
            let seeds = lesson.seeds.iter().zip(log_odds).zip(0..);
            seeds
                .map(|(([_, evidence], log_odds), reseed)| {
                    let (board, graph) = (&lesson.board, &lesson.graph);
                    search_features::collect(board, graph, evidence, log_odds, reseed, |_| true)
                })
                .collect()
        })
        .collect()
}

/// Grows the forest of the search from all lessons but one fold.
fn grow_from_search(
    lessons: &[Lesson],
    searched: &[Vec<Vec<search_features::SearchFeatures>>],
    held_out: u64,
) -> Forest {
    let mut cases = Cases::new(search_features::SearchFeatures::COUNT);
    for (lesson, searched) in lessons.iter().zip(searched) {
        if let Some(alive) = &lesson.alive
            && lesson.fold % FOLDS != held_out
        {
            for features in searched.iter().flatten() {
                cases.push(&features.numbers, alive[features.chain]);
            }
        }
    }
    boost::grow(&cases, &FROM_SEARCH)
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

/// The rows of the report over all games, and over those whose dead stones are known.
const ALL: &str = "all";
const KNOWN: &str = "all whose dead stones are known";

/// Prints for each set how many games have every chain decided as it is known, and how many have
/// the recorded margin and winner, over all seeds.
fn report(stage: &str, lessons: &[Lesson], odds: &LogOdds) {
    #[derive(Default)]
    struct Sums {
        known: u32,
        right: u32,
        compared: u32,
        exact: u32,
        winner: u32,
    }
    let mut sets: BTreeMap<&str, Sums> = BTreeMap::new();
    for (lesson, seeds) in lessons.iter().zip(odds) {
        let known = lesson.alive.is_some().then_some(KNOWN);
        let of_sets = [lesson.set.as_str(), ALL].into_iter().chain(known);
        for odds in seeds {
            let life = lesson.life(odds);
            let margin = lesson.verdict(odds).margin();
            for set in of_sets.clone() {
                let sums = sets.entry(set).or_default();
                if let Some(alive) = &lesson.alive {
                    sums.known += 1;
                    sums.right +=
                        (0..alive.len()).all(|chain| life.is_alive(chain) == alive[chain]) as u32;
                }
                if let Some(recorded) = lesson.recorded {
                    sums.compared += 1;
                    sums.exact += (margin == recorded) as u32;
                    sums.winner += (margin.winner() == recorded.winner()) as u32;
                }
            }
        }
    }
    let share = |part: u32, whole: u32| 100.0 * f64::from(part) / f64::from(whole.max(1));
    println!("{stage}:");
    println!(
        "{:<44}{:>7}{:>13}{:>9}{:>9}",
        "set", "games", "chains right", "exact", "winner"
    );
    for (set, sums) in sets {
        println!(
            "{set:<44}{:>7}{:>12.2}%{:>8.2}%{:>8.2}%",
            sums.compared / SEEDS,
            share(sums.right, sums.known),
            share(sums.exact, sums.compared),
            share(sums.winner, sums.compared),
        );
    }
}

/// A line for each game that is not exact or has a chain wrong: its name, the recorded and the
/// counted margin, and each wrong chain with its stones, its first stone and its log-odds; chains in
/// doubt where what is right is not known. By the first seed.
fn list_fails(lessons: &[Lesson], odds: &LogOdds) -> String {
    let mut lines = String::new();
    for (lesson, seeds) in lessons.iter().zip(odds) {
        let odds = &seeds[0];
        let life = lesson.life(odds);
        let margin = lesson.verdict(odds).margin();
        let chains = life.graph().chains().iter().enumerate();
        let wrong: Vec<String> = chains
            .filter(|&(index, _)| match &lesson.alive {
                Some(alive) => alive[index] != life.is_alive(index),
                None => odds[index].abs() < 3.0,
            })
            .map(|(index, chain)| {
                let (letter, stones) = (chain.color.letter(), chain.stones.len());
                let first = lesson.board.size().name(chain.stones[0]);
                format!("{letter}{stones}@{first}:{:+.1}", odds[index])
            })
            .collect();
        let exact = lesson.recorded.is_none_or(|recorded| recorded == margin);
        if exact && (lesson.alive.is_none() || wrong.is_empty()) {
            continue;
        }
        let recorded = lesson.recorded.map(|margin| margin.to_string());
        lines += &format!(
            "{}/{}\t{}\t{}\t{}\t{}\n",
            lesson.set,
            lesson.name,
            if lesson.alive.is_some() { "known" } else { "-" },
            recorded.unwrap_or_default(),
            margin,
            wrong.join(" "),
        );
    }
    lines
}

/// Prints how sure the scores of a set were said to be, and how many were exact: of all of them, of
/// those at 0.9 or more, and the expected calibration error over ten bins.
fn report_calibration(set: &str, cases: &[(f32, bool)]) {
    #[derive(Default)]
    struct Bin {
        games: u32,
        said: f64,
        exact: u32,
    }
    let mut bins: [Bin; 10] = Default::default();
    for &(confidence, exact) in cases {
        let bin = &mut bins[((confidence * 10.0) as usize).min(9)];
        bin.games += 1;
        bin.said += f64::from(confidence);
        bin.exact += exact as u32;
    }
    let games = cases.len().max(1) as f64;
    let error: f64 = bins
        .iter()
        .map(|bin| (bin.said - f64::from(bin.exact)).abs())
        .sum();
    let sure = &bins[9];
    println!(
        "{set:<44}{:>7} games, {:>5.1}% sure, {:>5.1}% of those exact, calibration error {:.4}",
        cases.len(),
        100.0 * f64::from(sure.games) / games,
        100.0 * f64::from(sure.exact) / f64::from(sure.games.max(1)),
        error / games,
    );
}

/// FNV-1a.
fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xCBF2_9CE4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
    })
}

/// A text file, perhaps compressed with gzip.
fn read_text(path: &Path) -> std::io::Result<String> {
    let mut file = File::open(path)?;
    let mut text = String::new();
    match path.extension() {
        Some(end) if end == "gz" => flate2::read::GzDecoder::new(file).read_to_string(&mut text)?,
        _ => file.read_to_string(&mut text)?,
    };
    Ok(text)
}

/// Dead stones by file name, of the games whose recorded result they give.
fn parse_known_dead(text: &str) -> std::io::Result<HashMap<String, PointSet>> {
    let mut known = HashMap::new();
    for line in text.lines() {
        let entry: serde_json::Value = serde_json::from_str(line)?;
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

fn lessons_of(
    file: InputFile,
    known_dead: &HashMap<String, PointSet>,
    counting: Option<Counting>,
) -> Vec<Lesson> {
    let Some(bytes) = &file.bytes else {
        return Vec::new();
    };
    let collection = sgf::parse(bytes, &sgf::Limits::default());
    let (folder, name) = file.name.rsplit_once('/').unwrap_or(("", &file.name));
    // By name, so that a game stays in its fold whatever else there is to learn from.
    let fold = hash(name.as_bytes()) >> 20;
    let go = collection
        .games
        .iter()
        .filter(|game| game.kind == GameKind::Go);
    let recorded = |game: &Game| Margin::recorded(game.header.result.as_ref());
    go.filter(|game| recorded(game).is_some())
        .map(|game| {
            let rules = choose_rules(&game.header, None).rules;
            let replay = replay(game, &rules);
            let dead = marked_dead(game, &replay.board).or_else(|| known_dead.get(name).copied());
            let graph = PositionGraph::new(&replay.board);
            let seeds: Vec<[Evidence; 2]> = (0..SEEDS)
                .map(|reseed| Evidence::collect(&replay.board, &graph, reseed))
                .collect();
            let alive = dead.map(|dead| {
                let chains = graph.chains().iter();
                chains
                    .map(|chain| {
                        2 * chain
                            .stones
                            .iter()
                            .filter(|&&stone| dead.contains(stone))
                            .count()
                            <= chain.stones.len()
                    })
                    .collect()
            });
            Lesson {
                set: folder.to_string(),
                name: name.to_string(),
                fold,
                alive,
                graph,
                seeds,
                options: {
                    let mut options = GoOptions::default();
                    options.counting = counting;
                    options
                },
                recorded: recorded(game),
                game: game.clone(),
                board: replay.board,
            }
        })
        .collect()
}
