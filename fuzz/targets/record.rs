//! Records: parsed, checked with all their variations and against FF[4], written and read again.
//! What is written means what was read, and is written the same again.

#![no_main]

use kifu::fuzzing::replay_variations;
use kifu::games;
use kifu::sgf::{Collection, Game, Limits, StepKind, parse};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let limits = Limits::default();
    let collection = parse(data, &limits);
    for game in &collection.games {
        games::replay(game, &games::GameOptions::default());
        replay_variations(&collection, game);
    }
    collection.conformance();
    let written = collection.to_sgf(&[]);
    let read = parse(written.as_bytes(), &limits);
    assert_eq!(meaning(&collection), meaning(&read), "{written}");
    assert_eq!(read.to_sgf(&[]), written);
});

/// What the games are, without where they stand.
fn meaning(collection: &Collection) -> Vec<(String, Vec<StepKind>)> {
    let steps = |game: &Game| game.main_line.iter().map(|step| step.kind.clone()).collect();
    let games = collection.games.iter();
    games
        .map(|game| (format!("{:?} {:?} {:?}", game.kind, game.size, game.header), steps(game)))
        .collect()
}
