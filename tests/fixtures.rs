//! Runs kifu on every case in `fixtures/` and compares what it says.
//!
//! A folder with a file `args` is a case. kifu is run in a copy of the folder, with the words of
//! `args` as its arguments; words may be quoted with `'`. Further files say the rest:
//!
//! - `stdout`, `stderr`, `status`: what is expected; a missing one means nothing, or 0.
//! - `stdin`: what kifu gets on its standard input.
//! - `links`: symbolic links to make first, each on a line `name -> target`.
//! - `written/`: the files that kifu is expected to write, under their names.
//!
//! Times and rates in the summary are replaced by `TIME` and `RATE`.
//!
//! A case is a test under the name of its folder, so a part of a name selects some of them:
//!
//!     cargo test --test fixtures check/archive
//!
//! A new test is a new folder:
//!
//!     KIFU_BLESS=1 cargo test --test fixtures
//!
//! writes what kifu says now into the folders, to be looked at before it is committed.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use kifu::finding::Code;
use libtest_mimic::{Arguments, Failed, Trial};

const EXPECTATIONS: [&str; 3] = ["stdout", "stderr", "status"];

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures")
}

/// Every folder below that has a file `args`.
fn cases(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    if folder.join("args").is_file() {
        found.push(folder.to_path_buf());
    }
    let mut inner: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
        .collect();
    inner.sort();
    found.extend(inner.iter().flat_map(|folder| cases(folder)));
    found
}

/// Splits a line as a shell would, as far as `'` goes.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quoted = false;
    for character in line.chars() {
        if character == '\'' {
            quoted = !quoted;
            word.get_or_insert_default();
        } else if character.is_whitespace() && !quoted {
            words.extend(word.take());
        } else {
            word.get_or_insert_default().push(character);
        }
    }
    words.extend(word);
    words
}

/// Replaces what differs from run to run: `in 0.01 s, 1,234 games/s`.
fn without_times(text: &str) -> String {
    let replace = |line: &str| -> Option<String> {
        let (before, rest) = line.split_once(" in ")?;
        let (_, rest) = rest.split_once(" s, ")?;
        let (_, after) = rest.split_once(" games/s")?;
        Some(format!("{before} in TIME s, RATE games/s{after}"))
    };
    text.split_inclusive('\n')
        .map(|line| replace(line).unwrap_or_else(|| line.to_string()))
        .collect()
}

/// All files below a folder with their content, by their path in it.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(inner) = folders.pop() {
        for entry in fs::read_dir(&inner).unwrap() {
            let path = entry.unwrap().path();
            let kind = path.symlink_metadata().unwrap();
            if kind.is_dir() {
                folders.push(path);
            } else if kind.is_file() {
                let name = path.strip_prefix(folder).unwrap().to_path_buf();
                found.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    found
}

fn copy(from: &Path, to: &Path) {
    for (name, content) in files(from) {
        let path = to.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
}

#[cfg(unix)]
fn link(name: &Path, target: &str) {
    std::os::unix::fs::symlink(target, name).unwrap();
}

/// Runs a case and gives everything that a case can say about the outcome.
fn run(case: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let place = tempfile::tempdir().unwrap();
    copy(case, place.path());
    // Not for kifu to see; `written` is how the copy is compared.
    let _ = fs::remove_dir_all(place.path().join("written"));
    #[cfg(unix)]
    for line in fs::read_to_string(case.join("links"))
        .unwrap_or_default()
        .lines()
    {
        let (name, target) = line.split_once(" -> ").expect("a link is `name -> target`");
        link(&place.path().join(name), target);
    }
    let before = files(place.path());

    let args = fs::read_to_string(case.join("args")).unwrap();
    let mut kifu = Command::new(env!("CARGO_BIN_EXE_kifu"))
        .args(words(&args))
        .current_dir(place.path())
        .env_remove("NO_COLOR")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let input = fs::read(case.join("stdin")).unwrap_or_default();
    // kifu need not read it all.
    let _ = kifu.stdin.take().unwrap().write_all(&input);
    let output = kifu.wait_with_output().unwrap();

    let mut outcome = BTreeMap::new();
    let status = output.status.code().expect("kifu was not killed");
    if status != 0 {
        outcome.insert(PathBuf::from("status"), format!("{status}\n").into_bytes());
    }
    outcome.insert(PathBuf::from("stdout"), output.stdout);
    let stderr = without_times(&String::from_utf8(output.stderr).unwrap());
    outcome.insert(PathBuf::from("stderr"), stderr.into_bytes());
    for (name, content) in files(place.path()) {
        if before.get(&name) != Some(&content) {
            outcome.insert(Path::new("written").join(name), content);
        }
    }
    outcome.retain(|_, content| !content.is_empty());
    outcome
}

/// What a case says about the outcome.
fn expectation(case: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut expected = files(case);
    let is_expectation =
        |name: &Path| name.starts_with("written") || EXPECTATIONS.iter().any(|word| name == *word);
    expected.retain(|name, content| is_expectation(name) && !content.is_empty());
    expected
}

fn bless(case: &Path, outcome: &BTreeMap<PathBuf, Vec<u8>>) {
    for name in expectation(case).keys() {
        fs::remove_file(case.join(name)).unwrap();
    }
    for (name, content) in outcome {
        let path = case.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
}

/// One test per case, and one that looks at all of them.
fn main() {
    let arguments = Arguments::from_args();
    let blessing = std::env::var_os("KIFU_BLESS").is_some();
    let root = fixtures();
    let mut tests: Vec<Trial> = cases(&root)
        .into_iter()
        .map(|case| {
            let name = case.strip_prefix(&root).unwrap();
            let name = name.to_str().unwrap().replace('\\', "/");
            let unlinkable = cfg!(not(unix)) && case.join("links").exists();
            Trial::test(name, move || check(&case, blessing)).with_ignored_flag(unlinkable)
        })
        .collect();
    assert!(!tests.is_empty());
    // While the expectations are rewritten there is nothing to read them for.
    let every_code = Trial::test("every_code_is_produced_by_a_fixture", every_code);
    tests.push(every_code.with_ignored_flag(blessing));
    libtest_mimic::run(&arguments, tests).exit();
}

/// Runs a case and compares, or writes the outcome down if it is to be blessed.
fn check(case: &Path, blessing: bool) -> Result<(), Failed> {
    let outcome = run(case);
    let expected = expectation(case);
    if outcome == expected {
        return Ok(());
    }
    if blessing {
        bless(case, &outcome);
        return Ok(());
    }
    let mut difference = String::new();
    let names: BTreeSet<&PathBuf> = expected.keys().chain(outcome.keys()).collect();
    for name in names {
        let (before, now) = (expected.get(name), outcome.get(name));
        if before != now {
            for (which, content) in [("expected", before), ("is", now)] {
                let content = content.map_or("".into(), |content| String::from_utf8_lossy(content));
                difference += &format!("--- {} {which}:\n{content}", name.display());
            }
        }
    }
    Err(difference.into())
}

/// Codes that no file can produce, with the test that produces them instead.
const WITHOUT_FIXTURE: [Code; 1] = [
    // batch::tests::a_panic_becomes_a_finding_and_the_run_goes_on
    Code::InternalError,
];

/// Every code is in the expected output of a fixture.
fn every_code() -> Result<(), Failed> {
    let mut output = String::new();
    for case in cases(&fixtures()) {
        for (name, content) in expectation(&case) {
            if name != Path::new("stderr") {
                output += &String::from_utf8_lossy(&content);
            }
        }
    }
    let missing: Vec<&str> = Code::ALL
        .iter()
        .filter(|code| !WITHOUT_FIXTURE.contains(code))
        .map(|code| code.as_str())
        .filter(|word| {
            let forms = [
                format!("[{word}]"),
                format!(",{word},"),
                format!("\"{word}\""),
            ];
            !forms.iter().any(|form| output.contains(form))
        })
        .collect();
    match missing.is_empty() {
        true => Ok(()),
        false => Err(format!("no fixture produces {missing:?}").into()),
    }
}
