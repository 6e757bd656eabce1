//! The folders of `src/` are in an order, and no arrow points up: a module names only modules
//! above it in the list. The same list, with a sentence for each, is on the front page of the
//! crate (`src/lib.rs`).

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// From the leaves down to the command line.
const ORDER: &[&str] = &[
    "board",
    "finding",
    "input",
    "sgf",
    "rules",
    "replay",
    "life",
    "influence",
    "count",
    "games",
    "draw",
    "pipeline",
    "standings",
    "diff",
    "output",
    "report",
    "cli",
];

fn source_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            source_files(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

/// The top-level modules that a source file names, with the line it does so on. Comments are left
/// out: a link in the documentation may point anywhere.
fn named_modules(source: &str) -> Vec<(usize, String)> {
    let code: String = source
        .lines()
        .map(|line| line.split("//").next().unwrap_or("").to_owned() + "\n")
        .collect();
    let mut named = Vec::new();
    for (start, path) in code.match_indices("crate::") {
        // `$crate::` and the like name something else.
        let before = code[..start].chars().next_back();
        if before.is_some_and(|c| c.is_alphanumeric() || c == '_') {
            continue;
        }
        let rest = &code[start + path.len()..];
        let starts = match rest.strip_prefix('{') {
            Some(list) => list_starts(list)
                .into_iter()
                .map(|at| start + path.len() + 1 + at)
                .collect(),
            None => vec![start + path.len()],
        };
        for at in starts {
            let name: String = code[at..]
                .chars()
                .take_while(|c| c.is_ascii_lowercase() || *c == '_')
                .collect();
            if !name.is_empty() {
                named.push((1 + code[..at].matches('\n').count(), name));
            }
        }
    }
    named
}

/// Where the entries of `{a::{b, c}, d}` begin; nested lists are part of their entry.
fn list_starts(list: &str) -> Vec<usize> {
    let mut starts = Vec::new();
    let mut depth = 0;
    let mut fresh = true;
    for (at, c) in list.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' => fresh |= depth == 0,
            c if c.is_whitespace() => {}
            _ if fresh => {
                starts.push(at);
                fresh = false;
            }
            _ => {}
        }
    }
    starts
}

#[test]
fn every_arrow_points_down() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    source_files(&root, &mut files);
    let rank = |module: &str| ORDER.iter().position(|name| *name == module);
    let mut upward = BTreeSet::new();
    for path in files {
        let relative = path.strip_prefix(&root).unwrap();
        let module = relative.iter().next().unwrap().to_str().unwrap();
        let Some(own) = rank(module) else {
            assert!(
                ["lib.rs", "main.rs"].contains(&module),
                "{module} has no place in the order"
            );
            continue;
        };
        for (line, name) in named_modules(&fs::read_to_string(&path).unwrap()) {
            if rank(&name).is_some_and(|other| other > own) {
                upward.insert(format!(
                    "src/{}:{line}: {module} -> {name}",
                    relative.display()
                ));
            }
        }
    }
    assert!(upward.is_empty(), "arrows that point up: {upward:#?}");
}

#[test]
fn the_front_page_has_the_same_order() {
    let lib = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lib.rs")).unwrap();
    let listed: Vec<&str> = lib
        .lines()
        .filter_map(|line| line.strip_prefix("//! ")?.split_once(". "))
        .filter(|(number, _)| number.parse::<u32>().is_ok())
        .filter_map(|(_, rest)| rest.split('`').nth(1))
        .collect();
    assert_eq!(listed, ORDER);
}

#[test]
fn every_way_to_name_a_module_is_seen() {
    let source = "\
use crate::board::Color;
use crate::{cli, draw};
// use crate::games;
use crate::{
    life::{eye, sgf},
    rules,
};
fn f() -> crate::output::Row { mycrate::input::x() }
";
    let expected = [
        (1, "board"),
        (2, "cli"),
        (2, "draw"),
        (5, "life"),
        (6, "rules"),
        (8, "output"),
    ];
    let expected = expected.map(|(line, name)| (line, name.to_owned()));
    assert_eq!(named_modules(source), expected);
}
