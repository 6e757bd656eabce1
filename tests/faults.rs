//! What goes wrong around kifu: full disks, folders that can't be written to, files that change
//! while they are read, kills, and low limits. Whatever happens, what was finished is whole, and
//! what was not is named.
//!
//! Some of it needs a mount, which not every machine allows: such a test says so and passes.
#![cfg(target_os = "linux")]

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use tempfile::TempDir;

const GAME: &str = "(;SZ[5]KM[0.5];B[bc];W[dc];B[bb];W[db];B[bd];W[dd];B[];W[])";

fn folder_of(games: usize) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("games")).unwrap();
    for number in 0..games {
        let path = folder.path().join(format!("games/{number:04}.sgf"));
        fs::write(path, GAME).unwrap();
    }
    folder
}

fn kifu(folder: &Path, arguments: &[&str]) -> Command {
    let mut kifu = Command::new(env!("CARGO_BIN_EXE_kifu"));
    kifu.args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    kifu
}

/// A run under limits of the shell.
fn limited(folder: &Path, limits: &str, arguments: &str) -> Output {
    let program = env!("CARGO_BIN_EXE_kifu");
    Command::new("bash")
        .args(["-c", &format!("{limits}; exec {program} {arguments}")])
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

fn told(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Every name below a folder, hidden ones too.
fn names(folder: &Path) -> Vec<String> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        match path.is_dir() {
            true => names.extend(
                self::names(&path)
                    .into_iter()
                    .map(|inner| format!("{name}/{inner}")),
            ),
            false => names.push(name),
        }
    }
    names.sort();
    names
}

/// Asserts that all rows of a table are whole, and gives their number without the header. The last
/// row may be torn if `may_be_torn`.
fn whole_rows(table: &str, may_be_torn: bool) -> usize {
    let end = table.rfind('\n').map_or(0, |at| at + 1);
    assert!(may_be_torn || end == table.len(), "{}", &table[end..]);
    let mut rows = table[..end].lines();
    let cells = |row: &str| row.matches(',').count();
    let Some(header) = rows.next() else {
        return 0;
    };
    rows.inspect(|row| assert_eq!(cells(row), cells(header), "{row}"))
        .count()
}

/// Something mounted on a folder for as long as it lives; `None` where that is not allowed.
struct Mount<'a>(&'a Path);

impl Mount<'_> {
    fn new<'a>(arguments: &[&str], on: &'a Path) -> Option<Mount<'a>> {
        let mounted = Command::new("mount").args(arguments).arg(on).output();
        if mounted.is_ok_and(|output| output.status.success()) {
            return Some(Mount(on));
        }
        eprintln!("SKIPPED: this machine does not let us mount {arguments:?}");
        None
    }
}

impl Drop for Mount<'_> {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0).status();
    }
}

#[test]
fn work_that_is_done_counts_even_if_nobody_can_be_told() {
    let folder = folder_of(1);
    for arguments in [
        &["check", "games"][..],
        &["score", "games"],
        &["score", "games", "--annotate", "out"],
        &["show", "games", "-o", "pictures/"],
    ] {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let status = kifu(folder.path(), arguments)
            .stderr(full)
            .status()
            .unwrap();
        assert_eq!(status.code(), Some(0), "{arguments:?}");
    }
}

#[test]
fn output_that_can_not_be_written_is_a_failure() {
    let folder = folder_of(1);
    for arguments in [
        &["check", "games", "-q", "--format", "csv"][..],
        &["score", "games", "-q"],
        &["show", "games"],
        &["explain", "suicide"],
        &["schema"],
        &["--help"],
        &["score", "--help"],
    ] {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let output = kifu(folder.path(), arguments)
            .stdout(full)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    }
    let output = kifu(folder.path(), &["score", "games", "-q", "-o", "/dev/full"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(
        told(&output),
        "kifu: The output can't be written: No space left on device.\n"
    );
}

#[test]
fn a_game_that_is_not_there_is_a_failure() {
    let folder = folder_of(1);
    for (arguments, expected) in [
        (
            &["show", "games/0000.sgf", "--game", "5"][..],
            "kifu: games/0000.sgf has no game 5.\n",
        ),
        (
            &["show", "games/0000.sgf", "--game", "5", "-o", "5.svg"],
            "kifu: games/0000.sgf has no game 5.\n",
        ),
        (
            &["show", "games", "--game", "5"],
            "kifu: No file has a game 5.\n",
        ),
    ] {
        let output = kifu(folder.path(), arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert_eq!(told(&output), expected);
        assert!(!folder.path().join("5.svg").exists());
    }
    let output = kifu(folder.path(), &["show", "games", "--game", "1"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0));
}

/// All annotated records fail: the failure counts them and names them, and nothing is left.
fn assert_all_named(output: &Output, games: usize, folder: &Path) {
    let told = told(output);
    assert_eq!(output.status.code(), Some(2), "{told}");
    let count = format!("kifu: {games} files can't be written:\n");
    assert!(told.contains(&count), "{told}");
    for number in 0..games.min(100) {
        let name = format!("{number:04}.sgf can't be written");
        assert!(told.contains(&name), "{told}");
    }
    assert!(games <= 100 || told.contains(&format!("… and {} more.", games - 100)));
    assert_eq!(names(folder), [""; 0]);
}

#[test]
fn annotated_records_that_do_not_fit_are_counted_and_named() {
    let folder = folder_of(120);
    for number in 0..120 {
        let path = folder.path().join(format!("games/{number:04}.sgf"));
        let comment = format!("(;SZ[5]C[{}]{}", "x".repeat(2000), &GAME[2..]);
        fs::write(path, comment).unwrap();
    }
    // Files may grow to a kilobyte and no further.
    let limits = "trap '' XFSZ; ulimit -f 1";
    let arguments = "score games --columns file -q --annotate out > /dev/null";
    let output = limited(folder.path(), limits, arguments);
    assert_all_named(&output, 120, &folder.path().join("out"));
}

#[test]
fn a_full_disk_is_said_of_the_table_and_of_every_record() {
    let folder = folder_of(40);
    let disk = folder.path().join("disk");
    fs::create_dir(&disk).unwrap();
    let Some(_mount) = Mount::new(&["-t", "tmpfs", "-o", "size=64k", "tmpfs"], &disk) else {
        return;
    };
    fs::write(disk.join("fill"), vec![0; 64 << 10]).unwrap();
    let arguments = ["score", "games", "-q", "--annotate", "disk/out"];
    let output = kifu(folder.path(), &arguments).output().unwrap();
    assert_all_named(&output, 40, &disk.join("out"));
    // Room for some of the rows, and the rest of the disk is taken by somebody else.
    let list = "games/0000.sgf\n".repeat(3000);
    fs::write(folder.path().join("list"), list).unwrap();
    fs::write(disk.join("fill"), vec![0; 20 << 10]).unwrap();
    let arguments = ["score", "--files-from", "list", "-q", "-o", "disk/s.csv"];
    let output = kifu(folder.path(), &arguments).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let told = told(&output);
    assert!(told.contains("No space left on device"), "{told}");
    assert!(told.contains("disk/s.csv.partial"), "{told}");
    let table = fs::read_to_string(disk.join("s.csv.partial")).unwrap();
    assert!(whole_rows(&table, false) > 10);
}

#[test]
fn a_folder_that_can_not_be_written_to_is_a_failure() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder_of(2);
    let locked = folder.path().join("locked");
    fs::create_dir(&locked).unwrap();
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o555)).unwrap();
    // Nobody keeps root out of a folder but the kernel itself.
    let is_root = fs::write(locked.join("probe"), "").is_ok();
    let target = if is_root { "/proc" } else { "locked" };
    let table = format!("{target}/scores.csv");
    let annotated = format!("{target}/out");
    for arguments in [
        &["score", "games", "-q", "-o", &table][..],
        &["score", "games", "-q", "--annotate", &annotated],
        &["show", "games", "-q", "-o", &format!("{target}/pictures/")],
    ] {
        let output = kifu(folder.path(), arguments).output().unwrap();
        let told = told(&output);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {told}");
        assert!(
            told.starts_with("kifu: ") && told.contains(target),
            "{told}"
        );
    }
}

#[test]
fn inputs_that_are_mounted_a_second_time_are_not_written_over() {
    let folder = folder_of(3);
    let before = fs::read(folder.path().join("games/0000.sgf")).unwrap();
    let second = folder.path().join("second");
    fs::create_dir(&second).unwrap();
    let games = folder.path().join("games");
    let Some(_mount) = Mount::new(&["--bind", games.to_str().unwrap()], &second) else {
        return;
    };
    let arguments = ["score", "games", "-q", "--annotate", "second"];
    let output = kifu(folder.path(), &arguments).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", told(&output));
    assert!(told(&output).contains("is an input and lies in second"));
    let inner = folder.path().join("out/games");
    fs::create_dir_all(&inner).unwrap();
    let Some(_inner) = Mount::new(&["--bind", games.to_str().unwrap()], &inner) else {
        return;
    };
    // Two inputs, so that their paths are kept.
    fs::write(folder.path().join("other.sgf"), GAME).unwrap();
    let arguments = ["score", "games", "other.sgf", "-q", "--annotate", "out"];
    let output = kifu(folder.path(), &arguments).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", told(&output));
    assert!(told(&output).contains("3 files can't be written"));
    assert_eq!(fs::read(games.join("0000.sgf")).unwrap(), before);
    assert_eq!(names(&games), ["0000.sgf", "0001.sgf", "0002.sgf"]);
}

#[test]
fn files_that_change_while_they_are_read_harm_no_other() {
    let folder = folder_of(400);
    let path = |name: &str| folder.path().join("games").join(name);
    let large = GAME.repeat(40_000);
    assert!(large.len() > 2 << 20);
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                fs::write(path("vanishing.sgf"), GAME).unwrap();
                fs::write(path("shrinking.sgfs"), &large).unwrap();
                fs::remove_file(path("vanishing.sgf")).unwrap();
                let file = File::options().write(true).open(path("shrinking.sgfs"));
                file.unwrap().set_len(500_000).unwrap();
            }
        });
        for _ in 0..2 {
            let arguments = ["check", "games", "--format", "jsonl", "-q"];
            let output = kifu(folder.path(), &arguments).output().unwrap();
            let rows = String::from_utf8_lossy(&output.stdout);
            assert!(matches!(output.status.code(), Some(0 | 1)), "{rows}");
            assert_eq!(told(&output), "");
            for row in rows.lines() {
                assert!(
                    row.contains("vanishing") || row.contains("shrinking"),
                    "{row}"
                );
            }
        }
        done.store(true, Ordering::Relaxed);
    });
}

/// A number from 0 to 1 that looks random.
fn random(seed: u64) -> f64 {
    let mut bits = seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    bits ^= bits >> 29;
    bits = bits.wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (bits >> 40) as f64 / (1_u64 << 24) as f64
}

#[test]
fn a_run_that_is_killed_at_any_moment_leaves_whole_files_and_visible_rests() {
    let folder = folder_of(200);
    let arguments = "score games --dead-stones none -q --threads 3 --annotate out -o s.csv";
    let arguments: Vec<&str> = arguments.split(' ').collect();
    let (out, table) = (folder.path().join("out"), folder.path().join("s.csv"));
    let started = std::time::Instant::now();
    let full = kifu(folder.path(), &arguments).output().unwrap();
    let whole_run = started.elapsed();
    assert_eq!(full.status.code(), Some(0), "{}", told(&full));
    let expected = fs::read(out.join("0000.sgf")).unwrap();
    let complete = fs::read_to_string(&table).unwrap();
    for moment in 0..20 {
        fs::remove_dir_all(&out).unwrap();
        fs::remove_file(&table).unwrap();
        let mut run = kifu(folder.path(), &arguments).spawn().unwrap();
        thread::sleep(whole_run.mul_f64(random(moment)));
        let signal = if moment % 2 == 0 { "-KILL" } else { "-TERM" };
        let id = run.id().to_string();
        let _ = Command::new("kill").args([signal, &id]).output();
        let status = run.wait().unwrap();
        let partial = folder.path().join("s.csv.partial");
        if partial.exists() {
            let rows = fs::read_to_string(&partial).unwrap();
            assert!(complete.starts_with(&rows), "at {moment}");
            whole_rows(&rows, signal == "-KILL");
            fs::remove_file(&partial).unwrap();
            assert!(!table.exists());
        } else if table.exists() {
            assert_eq!(fs::read_to_string(&table).unwrap(), complete);
        }
        fs::create_dir_all(&out).unwrap();
        for name in names(&out) {
            assert!(!name.starts_with('.'), "{name} at {moment}");
            match name.ends_with(".sgf") {
                true => assert_eq!(fs::read(out.join(&name)).unwrap(), expected),
                // What is left says by its name what it is.
                false => assert!(signal == "-KILL" && name.contains(".sgf.partial"), "{name}"),
            }
        }
        assert!(signal == "-KILL" || matches!(status.code(), Some(0 | 2) | None));
        if !table.exists() {
            fs::write(&table, "").unwrap();
        }
    }
}

#[test]
fn a_run_that_waits_for_its_list_leaves_no_rest_either() {
    let folder = folder_of(1);
    // A list that stays open, so that the run waits.
    let mut run = kifu(
        folder.path(),
        &[
            "score",
            "--files-from",
            "-",
            "-q",
            "--annotate",
            "out",
            "-o",
            "s.csv",
        ],
    )
    .stdin(Stdio::piped())
    .spawn()
    .unwrap();
    let mut list = run.stdin.take().unwrap();
    for _ in 0..2000 {
        list.write_all(b"games/0000.sgf\n").unwrap();
    }
    list.flush().unwrap();
    thread::sleep(Duration::from_millis(300));
    let id = run.id().to_string();
    let _ = Command::new("kill").args(["-TERM", &id]).output();
    let status = run.wait().unwrap();
    drop(list);
    assert_eq!(status.code(), Some(2));
    let left = names(folder.path());
    let rests = left.iter().filter(|name| name.contains("sgf.partial"));
    assert_eq!(rests.count(), 0, "{left:?}");
    let table = fs::read_to_string(folder.path().join("s.csv.partial")).unwrap();
    whole_rows(&table, false);
}

#[test]
fn low_limits_end_in_rows_or_in_a_message() {
    let folder = folder_of(300);
    let all = "score games -q --dead-stones none --threads 2 -o s.csv";
    for limits in ["ulimit -n 16", "ulimit -v 300000", "ulimit -s 1024"] {
        let output = limited(folder.path(), limits, all);
        assert_eq!(output.status.code(), Some(0), "{limits}: {}", told(&output));
        let table = fs::read_to_string(folder.path().join("s.csv")).unwrap();
        assert_eq!(whole_rows(&table, false), 300);
        fs::remove_file(folder.path().join("s.csv")).unwrap();
    }
    // Far too little: no table appears that is not complete, and no row is torn.
    for limits in [
        "ulimit -n 4",
        "ulimit -n 6",
        "ulimit -v 30000",
        "ulimit -v 60000",
    ] {
        let output = limited(folder.path(), limits, all);
        let partial = folder.path().join("s.csv.partial");
        let table = folder.path().join("s.csv");
        match fs::read_to_string(&table) {
            Ok(rows) => {
                // What could not be read has a row that says so, and a status.
                let is_complete = whole_rows(&rows, false) == 300;
                let is_told = rows.contains(",unreadable,") && output.status.code() == Some(1);
                assert!(is_complete || is_told, "{limits}: {rows}");
                fs::remove_file(&table).unwrap();
            }
            Err(_) => assert_ne!(output.status.code(), Some(0), "{limits}"),
        }
        if let Ok(rows) = fs::read_to_string(&partial) {
            whole_rows(&rows, false);
            fs::remove_file(&partial).unwrap();
        }
    }
}

#[test]
fn what_has_no_end_and_no_records_is_left() {
    let folder = folder_of(1);
    let made = Command::new("mkfifo")
        .arg(folder.path().join("pipe.sgf"))
        .status();
    assert!(made.unwrap().success());
    for (arguments, status) in [
        (&["check", "-q", "--files-from", "/dev/zero"][..], 1),
        (&["check", "-q", "--files-from", "/dev/urandom"], 1),
        (&["check", "-q", "--files-from", "/dev/null"], 0),
        (&["check", "-q", "/dev/zero"], 1),
        // There is nobody at the other end of the pipe.
        (&["check", "-q", "pipe.s?f"], 0),
        (&["check", "-q", "."], 0),
    ] {
        let mut run = kifu(folder.path(), arguments).spawn().unwrap();
        let mut waited = 0;
        while run.try_wait().unwrap().is_none() {
            thread::sleep(Duration::from_millis(50));
            waited += 1;
            assert!(waited < 1200, "{arguments:?} does not end");
        }
        assert_eq!(run.wait().unwrap().code(), Some(status), "{arguments:?}");
    }
}

#[test]
fn an_endless_record_without_a_game_can_be_interrupted() {
    let folder = folder_of(1);
    let pipe = folder.path().join("pipe.sgf");
    let made = Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    let feeder = thread::spawn(move || {
        let mut pipe = File::create(pipe).unwrap();
        while pipe.write_all(&[b' '; 4096]).is_ok() {}
    });
    let mut run = kifu(folder.path(), &["check", "-q", "pipe.sgf"])
        .spawn()
        .unwrap();
    thread::sleep(Duration::from_millis(300));
    let id = run.id().to_string();
    let _ = Command::new("kill").args(["-INT", &id]).output();
    assert_eq!(run.wait().unwrap().code(), Some(2));
    feeder.join().unwrap();
}
