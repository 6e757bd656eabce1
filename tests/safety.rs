//! Nothing of the user's is lost: by a slip in the arguments, a signal, or a full disk.

use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};

const GAME: &str = "(;SZ[5]KM[0.5];B[bc];W[dc];B[bb];W[db];B[bd];W[dd];B[];W[])";

fn kifu(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_kifu"))
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap()
}

/// A folder with a record, a copy of it under another ending, an archive and a list.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in ["a.sgf", "b.sgf", "a.txt"] {
        fs::write(folder.path().join(name), GAME).unwrap();
    }
    // An empty zip.
    let mut zip = b"PK\x05\x06".to_vec();
    zip.resize(22, 0);
    fs::write(folder.path().join("in.zip"), zip).unwrap();
    fs::write(folder.path().join("list"), "a.sgf\n").unwrap();
    fs::write(folder.path().join("a.svg"), format!("Dear friend, {GAME}")).unwrap();
    fs::write(
        folder.path().join("letter.csv"),
        format!("Dear friend, {GAME}"),
    )
    .unwrap();
    fs::write(folder.path().join("letters"), "letter.csv\n").unwrap();
    #[cfg(unix)]
    for (link, target) in [("link.csv", "a.sgf"), ("letter-link.csv", "letter.csv")] {
        std::os::unix::fs::symlink(target, folder.path().join(link)).unwrap();
    }
    folder
}

#[test]
fn output_never_replaces_an_input_a_record_or_an_archive() {
    for (arguments, target) in [
        (
            &["score", "a.sgf", "--format", "csv", "-o", "a.sgf"][..],
            "a.sgf",
        ),
        (&["check", ".", "--format", "csv", "-o", "./b.sgf"], "b.sgf"),
        (
            &["score", "in.zip", "--format", "csv", "-o", "in.zip"],
            "in.zip",
        ),
        (
            &["score", "--format", "csv", "-o", "a.sgf", "b.sgf"],
            "a.sgf",
        ),
        (
            &[
                "score",
                "--files-from",
                "list",
                "--format",
                "csv",
                "-o",
                "list",
            ],
            "list",
        ),
        (&["score", "a.txt", "-o", "a.txt"], "a.txt"),
        (&["score", "b.sgf", "-o", "a.txt"], "a.txt"),
        (&["show", "a.txt", "-o", "a.txt"], "a.txt"),
        (&["show", "b.sgf", "-o", "a.txt"], "a.txt"),
        (&["show", "a.svg", "-o", "a.svg"], "a.svg"),
        // The text before the game hides that it is a record.
        (&["score", "letter.csv", "-o", "letter.csv"], "letter.csv"),
        (&["score", "let*.csv", "-o", "letter.csv"], "letter.csv"),
        (
            &["score", ".", "--ext", "csv", "-o", "letter.csv"],
            "letter.csv",
        ),
        (
            &["score", "--files-from", "letters", "-o", "letter.csv"],
            "letter.csv",
        ),
        #[cfg(unix)]
        (&["score", "b.sgf", "-o", "link.csv"], "link.csv"),
        #[cfg(unix)]
        (
            &["score", "letter.csv", "-o", "letter-link.csv"],
            "letter.csv",
        ),
    ] {
        let folder = folder();
        let target = folder.path().join(target);
        let before = fs::read(&target).unwrap();
        let output = kifu(folder.path(), arguments);
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
        assert!(
            message.contains("is not written over"),
            "{arguments:?}: {message}"
        );
        assert_eq!(fs::read(&target).unwrap(), before, "{arguments:?}");
        let partial = target.with_file_name(format!(
            "{}.partial",
            target.file_name().unwrap().to_str().unwrap()
        ));
        assert!(!partial.exists(), "{arguments:?}");
    }
}

#[test]
fn a_table_replaces_an_older_table() {
    let folder = folder();
    for _ in 0..2 {
        let output = kifu(folder.path(), &["score", "a.sgf", "-q", "-o", "scores.csv"]);
        assert_eq!(output.status.code(), Some(0));
    }
    let table = fs::read_to_string(folder.path().join("scores.csv")).unwrap();
    assert_eq!(table.lines().count(), 2);
}

#[test]
fn an_extension_that_kifu_does_not_write_is_refused() {
    let folder = folder();
    for name in ["scores.ods", "scores.json"] {
        let output = kifu(folder.path(), &["score", "a.sgf", "-o", name]);
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2));
        assert!(message.contains(".csv, .tsv"), "{message}");
        assert!(!folder.path().join(name).exists());
    }
}

/// Feeds names until a row is out, sends the signal, and gives the table that is left.
#[cfg(unix)]
fn rows_after_signal(signal: &str) -> (Option<i32>, String) {
    let folder = folder();
    let mut run = Command::new(env!("CARGO_BIN_EXE_kifu"))
        .args([
            "score",
            "--dead-stones",
            "none",
            "--files-from",
            "-",
            "-q",
            "-o",
            "scores.csv",
        ])
        .current_dir(folder.path())
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut names = run.stdin.take().unwrap();
    // Fewer than a pipe holds: writing must not wait for the run.
    let list = "a.sgf\n".repeat(4_000);
    names.write_all(list.as_bytes()).unwrap();
    names.flush().unwrap();
    // The list stays open, so the run waits for more.
    std::thread::sleep(std::time::Duration::from_millis(700));
    let sent = Command::new("kill")
        .args([format!("-{signal}"), run.id().to_string()])
        .status()
        .unwrap();
    assert!(sent.success());
    let status = run.wait().unwrap();
    let mut message = String::new();
    run.stderr
        .take()
        .unwrap()
        .read_to_string(&mut message)
        .unwrap();
    assert!(
        message.contains("What was finished is in"),
        "{signal}: {message}"
    );
    drop(names);
    let table = fs::read_to_string(folder.path().join("scores.csv.partial")).unwrap();
    (status.code(), table)
}

#[cfg(unix)]
#[test]
fn every_signal_keeps_the_rows_that_are_finished() {
    for signal in ["INT", "TERM", "HUP"] {
        let (status, table) = rows_after_signal(signal);
        assert_eq!(status, Some(2), "{signal}");
        assert!(table.ends_with('\n'), "{signal}");
        assert!(
            table.lines().count() > 1,
            "{signal}: {} lines",
            table.lines().count()
        );
    }
}

#[cfg(unix)]
#[test]
fn on_a_full_disk_the_rows_that_fit_are_whole_and_named() {
    let folder = folder();
    let list = "a.sgf\n".repeat(5000);
    fs::write(folder.path().join("list"), list).unwrap();
    // Files may grow to 64 KiB and no further, as if the disk were full.
    let command = format!(
        "trap '' XFSZ; ulimit -f 128; exec {} score --dead-stones none --files-from list -q -o scores.csv",
        env!("CARGO_BIN_EXE_kifu")
    );
    let output = Command::new("sh")
        .args(["-c", &command])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(message.contains("scores.csv.partial"), "{message}");
    let table = fs::read_to_string(folder.path().join("scores.csv.partial")).unwrap();
    assert!(table.ends_with('\n'));
    let cells = |line: &str| line.matches(',').count();
    let mut lines = table.lines();
    let header = cells(lines.next().unwrap());
    assert!(table.lines().count() > 10);
    assert!(lines.all(|line| cells(line) == header));
}
