//! Runs that are ended from outside, or that can't begin.
//!
//! kifu reads its list of inputs from a named pipe that never ends, so that it is certain to be
//! at work when the end comes.
#![cfg(target_os = "linux")]

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use tempfile::TempDir;

const RECORD: &str = "(;GM[1]SZ[9];B[aa];W[aa])";

/// A folder with a record, and an endless list that names it over and over. The thread that
/// writes the list ends when nobody reads it any more.
fn endless_inputs() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("game.sgf");
    fs::write(&record, RECORD).unwrap();
    let list = folder.path().join("list");
    let made = Command::new("mkfifo").arg(&list).status().unwrap();
    assert!(made.success());
    thread::spawn(move || {
        let mut list = File::create(list).unwrap();
        let names = format!("{}\n", record.display()).repeat(100);
        while list.write_all(names.as_bytes()).is_ok() {}
    });
    folder
}

fn kifu(folder: &Path, args: &[&str]) -> Command {
    let mut kifu = Command::new(env!("CARGO_BIN_EXE_kifu"));
    kifu.args(["check", "--quiet", "--files-from", "list"])
        .args(args)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    kifu
}

fn stderr(mut kifu: Child) -> (Option<i32>, String) {
    let mut text = String::new();
    let mut stderr = kifu.stderr.take().unwrap();
    stderr.read_to_string(&mut text).unwrap();
    (kifu.wait().unwrap().code(), text)
}

#[test]
fn ctrl_c_leaves_whole_rows_in_the_partial_file() {
    for threads in ["1", "2"] {
        let folder = endless_inputs();
        let args = ["--format", "csv", "--threads", threads, "-o", "out.csv"];
        let kifu = kifu(folder.path(), &args).spawn().unwrap();
        let partial = folder.path().join("out.csv.partial");
        while fs::metadata(&partial).map_or(0, |data| data.len()) < 1 << 16 {
            thread::sleep(Duration::from_millis(5));
        }
        let signal = Command::new("kill")
            .args(["-INT", &kifu.id().to_string()])
            .status();
        assert!(signal.unwrap().success());
        let (status, said) = stderr(kifu);
        assert_eq!(status, Some(2), "{said}");
        assert_eq!(
            said,
            "kifu: Interrupted. What was finished is in out.csv.partial.\n"
        );
        assert!(!folder.path().join("out.csv").exists());
        let rows = fs::read_to_string(&partial).unwrap();
        assert!(rows.ends_with('\n'));
        let expected = rows.lines().nth(1).unwrap();
        assert!(expected.contains(",occupied-point,"), "{expected}");
        assert!(rows.lines().skip(1).all(|row| row == expected));
    }
}

#[test]
fn ctrl_c_leaves_a_parquet_file_that_can_be_opened() {
    let folder = endless_inputs();
    let kifu = kifu(folder.path(), &["--format", "parquet", "-o", "out.parquet"])
        .spawn()
        .unwrap();
    let partial = folder.path().join("out.parquet.partial");
    // A group of rows is complete.
    while fs::metadata(&partial).map_or(0, |data| data.len()) < 1 << 10 {
        thread::sleep(Duration::from_millis(5));
    }
    let signal = Command::new("kill")
        .args(["-INT", &kifu.id().to_string()])
        .status();
    assert!(signal.unwrap().success());
    let (status, said) = stderr(kifu);
    assert_eq!(status, Some(2), "{said}");
    assert_eq!(
        said,
        "kifu: Interrupted. What was finished is in out.parquet.partial.\n"
    );
    assert!(!folder.path().join("out.parquet").exists());
    let diff = Command::new(env!("CARGO_BIN_EXE_kifu"))
        .args(["diff", "out.parquet.partial", "out.parquet.partial"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&diff.stderr);
    assert_eq!(diff.status.code(), Some(0), "{said}");
    assert!(said.contains("rows in both tables: 0 changed"), "{said}");
}

#[test]
fn a_reader_that_has_seen_enough_ends_the_run_quietly() {
    for threads in ["1", "2"] {
        let folder = endless_inputs();
        let mut kifu = kifu(folder.path(), &["--format", "csv", "--threads", threads])
            .spawn()
            .unwrap();
        let mut rows = BufReader::new(kifu.stdout.take().unwrap()).lines();
        assert!(rows.next().unwrap().unwrap().starts_with("file,game"));
        drop(rows);
        assert_eq!(stderr(kifu), (Some(0), String::new()));
    }
}

#[test]
fn threads_that_can_not_be_started_are_a_message() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("game.sgf"), RECORD).unwrap();
    // Each thread asks for a stack of its own, and there is no room for so many.
    let kifu = Command::new("sh")
        .arg("-c")
        .arg("ulimit -v 400000 && exec \"$0\" check game.sgf --threads 4000")
        .arg(env!("CARGO_BIN_EXE_kifu"))
        .current_dir(folder.path())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let (status, said) = stderr(kifu);
    assert_eq!(status, Some(2), "{said}");
    assert_eq!(
        said,
        "kifu: The 4000 threads can't be started; name fewer with --threads N.\n"
    );
}
