//! Scores: every game is judged and counted, and the count adds up. The annotated record holds the
//! same moves, gives the same score, and is annotated the same again.

#![no_main]

use kifu::games::{GameOptions, Outcome, judge};
use kifu::pipeline::annotation::{SetResult, annotate};
use kifu::sgf::{Collection, Limits, StepKind, parse};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let collection = parse(data, &Limits::default());
    // Games that are long or many only make the fuzzer slow.
    if collection.games.len() > 8 {
        return;
    }
    let (written, results) = annotated(&collection);
    let read = parse(written.as_bytes(), &Limits::default());
    assert_eq!(moves(&read), moves(&collection), "{written}");
    let (again, results_again) = annotated(&read);
    assert_eq!(results_again, results);
    assert_eq!(again, written);
});

fn annotated(collection: &Collection) -> (String, Vec<String>) {
    let mut annotations = Vec::new();
    let mut results = Vec::new();
    for game in &collection.games {
        let outcome = judge(game, &GameOptions::default());
        let Outcome::Go(verdict) = outcome else {
            annotations.push(None);
            continue;
        };
        let size = game.size.area() as u32;
        let count = &verdict.count;
        assert!(count.dame <= size);
        if let Some(confidence) = verdict.confidence {
            assert!((0.0..=1.0).contains(&confidence), "{confidence}");
        }
        assert!(verdict.margin().black_lead().is_finite());
        results.push(verdict.margin().to_string());
        annotations.push(annotate(game, &verdict, SetResult::default()));
    }
    (collection.to_sgf(&annotations), results)
}

fn moves(collection: &Collection) -> Vec<Vec<StepKind>> {
    let games = collection.games.iter();
    games
        .map(|game| game.main_line.iter().map(|step| step.kind.clone()).collect())
        .collect()
}
