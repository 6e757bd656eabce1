//! Files with so many games that they are cut: nothing of what comes out may show it.
//!
//! A collection of more than a megabyte is held against the same games in two files that are
//! small enough to be read at once, in every packing, with one thread and with several.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use flate2::write::GzEncoder;
use flate2::{Compression, Crc};

const GAMES: usize = 8000;

/// How many games the first of the two files has.
const HALF: usize = GAMES / 2 + 137;

/// A game that is like no other. Some have illegal moves, some are broken, some lines are shared.
fn game(number: usize) -> String {
    let letter = |value: usize| char::from(b'a' + (value % 9) as u8);
    let (x, y) = (letter(number), letter(number / 9));
    let comment = "棋 a comment with a \\] and a (;B[aa\\] in it, as people write them. ".repeat(2);
    let mut game = format!("(;GM[1]SZ[9]PB[{number}]KM[6.5]C[{comment}]\n;B[{x}{y}]\n;W[ee]");
    match number % 100 {
        7 => game += &format!(";B[{x}{y}]"),
        23 => game = game.replace("KM[6.5]", "KM[much]"),
        // The “)” is missing.
        50 => return game + "\n",
        _ => {}
    }
    game + if number.is_multiple_of(3) { ")" } else { ")\n" }
}

fn games(numbers: std::ops::Range<usize>) -> String {
    numbers.map(game).collect()
}

fn kifu(folder: &Path, args: &[&str], stdin: &[u8]) -> Output {
    let mut kifu = Command::new(env!("CARGO_BIN_EXE_kifu"))
        .args(args)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = kifu.stdin.take().unwrap();
    std::thread::scope(|scope| {
        scope.spawn(move || input.write_all(stdin));
        kifu.wait_with_output().unwrap()
    })
}

fn stdout(folder: &Path, args: &[&str], stdin: &[u8]) -> String {
    let output = kifu(folder, args, stdin);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() < Some(2), "{args:?}: {stderr}");
    String::from_utf8(output.stdout).unwrap()
}

/// A tar with one member.
fn tar(name: &str, content: &[u8]) -> Vec<u8> {
    let mut header = [0; 512];
    header[..name.len()].copy_from_slice(name.as_bytes());
    header[124..135].copy_from_slice(format!("{:011o}", content.len()).as_bytes());
    header[148..156].fill(b' ');
    header[156] = b'0';
    let sum: u32 = header.iter().map(|&byte| u32::from(byte)).sum();
    header[148..155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
    let mut tar = [&header, content].concat();
    tar.resize(tar.len().next_multiple_of(512) + 1024, 0);
    tar
}

/// A zip with one member.
fn zip(name: &str, content: &[u8]) -> Vec<u8> {
    let mut deflate = flate2::write::DeflateEncoder::new(Vec::new(), Compression::fast());
    deflate.write_all(content).unwrap();
    let packed = deflate.finish().unwrap();
    let mut checksum = Crc::new();
    checksum.update(content);
    let mut common = [20_u16, 0, 8, 0, 0].map(u16::to_le_bytes).concat();
    for number in [checksum.sum(), packed.len() as u32, content.len() as u32] {
        common.extend(number.to_le_bytes());
    }
    common.extend((name.len() as u32).to_le_bytes());
    let mut zip = [b"PK\x03\x04", &common[..], name.as_bytes(), &packed].concat();
    let start = zip.len() as u32;
    zip.extend(b"PK\x01\x02\x14\0");
    zip.extend(common);
    zip.extend([0; 14]);
    zip.extend(name.as_bytes());
    let size = zip.len() as u32 - start;
    zip.extend(b"PK\x05\x06\0\0\0\0\x01\0\x01\0");
    zip.extend(size.to_le_bytes());
    zip.extend(start.to_le_bytes());
    zip.extend([0; 2]);
    zip
}

fn gzip(content: &[u8]) -> Vec<u8> {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(content).unwrap();
    gzip.finish().unwrap()
}

/// A folder with the collection and its two halves.
fn folder() -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let (first, second) = (games(1..HALF + 1), games(HALF + 1..GAMES + 1));
    let all = first.clone() + &second;
    assert!(first.len() < 1 << 20 && second.len() < 1 << 20 && all.len() > 1 << 20);
    fs::write(folder.path().join("1.sgf"), first).unwrap();
    fs::write(folder.path().join("2.sgf"), second).unwrap();
    fs::write(folder.path().join("all.sgfs"), &all).unwrap();
    (folder, all)
}

/// The rows of both halves as those of one file: games and lines go on counting.
fn joined(rows: &str, lines_before: usize, line_column: Option<usize>) -> Vec<String> {
    let adjust = |row: &str| {
        let mut fields: Vec<String> = row.split(',').map(str::to_owned).collect();
        let is_second = fields[0] == "2.sgf";
        fields[0] = "all.sgfs".to_owned();
        if is_second {
            let game: usize = fields[1].parse().unwrap();
            fields[1] = (game + HALF).to_string();
            if let Some(column) = line_column
                && let Ok(line) = fields[column].parse::<usize>()
            {
                fields[column] = (line + lines_before).to_string();
            }
        }
        fields.join(",")
    };
    let mut rows = rows.lines();
    let header = rows.next().unwrap().to_owned();
    [header].into_iter().chain(rows.map(adjust)).collect()
}

#[test]
fn findings_are_those_of_the_file_as_a_whole_in_every_packing() {
    let (folder, all) = folder();
    let path = folder.path();
    let check = ["check", "-q", "--format", "csv", "--threads"];
    let halves = [&check[..], &["1", "1.sgf", "2.sgf"]].concat();
    let lines_before = games(1..HALF + 1).matches('\n').count();
    assert!(game(HALF).ends_with('\n') || HALF.is_multiple_of(3));
    let mut expected = joined(&stdout(path, &halves, b""), lines_before, Some(3));
    assert!(expected.len() > GAMES / 100 * 3);
    // At the seam of the two files the end of one is not the end of the other.
    expected.retain(|row| !row.starts_with(&format!("all.sgfs,{HALF},")));

    let bytes = all.as_bytes();
    let packed: [(&str, &str, Vec<u8>); 5] = [
        ("all.sgfs.gz", "all.sgfs.gz", gzip(bytes)),
        ("all.tar", "all.tar/all.sgfs", tar("all.sgfs", bytes)),
        ("all.tgz", "all.tgz/all.sgfs", gzip(&tar("all.sgfs", bytes))),
        ("all.zip", "all.zip/all.sgfs", zip("all.sgfs", bytes)),
        ("-", "-", Vec::new()),
    ];
    let mut inputs = vec![("all.sgfs", "all.sgfs")];
    for (file, name, content) in &packed {
        if !content.is_empty() {
            fs::write(path.join(file), content).unwrap();
        }
        inputs.push((file, name));
    }
    for (file, name) in inputs {
        for threads in ["1", "3"] {
            let args = [&check[..], &[threads, file]].concat();
            let found = stdout(path, &args, if file == "-" { bytes } else { b"" });
            let mut rows: Vec<String> = found
                .lines()
                .map(|row| match row.strip_prefix(&format!("{name},")) {
                    Some(rest) => format!("all.sgfs,{rest}"),
                    None => row.to_owned(),
                })
                .collect();
            rows.retain(|row| !row.starts_with(&format!("all.sgfs,{HALF},")));
            assert!(rows == expected, "{file} with {threads} threads");
        }
    }
}

#[test]
fn source_lines_are_those_of_the_file() {
    let (folder, all) = folder();
    let lines: Vec<&str> = all.lines().collect();
    let shown = stdout(folder.path(), &["check", "-q", "all.sgfs"], b"");
    let mut count = 0;
    for text in shown.lines() {
        let Some((number, line)) = text.trim_start().split_once(" | ") else {
            continue;
        };
        let Ok(number) = number.parse::<usize>() else {
            continue;
        };
        count += 1;
        let line = line.trim_start_matches('…').trim_end_matches('…');
        assert!(lines[number - 1].contains(line), "{text}");
    }
    assert!(count > GAMES / 50);
}

#[test]
fn scores_come_in_order_and_records_are_written_back_as_one() {
    let (folder, _) = folder();
    let path = folder.path();
    let score = ["score", "-q", "--format", "csv", "--dead-stones", "none"];
    let halves = ["1.sgf", "2.sgf", "--annotate", "halves"];
    let expected = stdout(path, &[&score[..], &halves[..]].concat(), b"");
    let whole = ["all.sgfs", "--annotate", "whole", "--threads", "3"];
    let found = stdout(path, &[&score[..], &whole[..]].concat(), b"");
    let found: Vec<&str> = found.lines().collect();
    assert_eq!(found.len(), GAMES + 1);
    assert!(found == joined(&expected, 0, None));

    let read = |name: &str| fs::read_to_string(path.join(name)).unwrap();
    let written = read("whole/all.sgf");
    assert!(written == read("halves/1.sgf") + &read("halves/2.sgf"));
    assert_eq!(fs::read_dir(path.join("whole")).unwrap().count(), 1);
}

#[test]
fn a_game_of_a_collection_can_be_drawn() {
    let (folder, _) = folder();
    let show = ["show", "--layer", "stones", "--ascii", "--color", "never"];
    let args = [&show[..], &["all.sgfs", "--game", "7001"]].concat();
    let drawn = stdout(folder.path(), &args, b"");
    assert!(drawn.starts_with("all.sgfs, game 7001\n"), "{drawn}");
    assert!(drawn.contains("7001"));
    assert_eq!(drawn.matches("game ").count(), 1);
}

#[test]
fn a_record_with_a_game_that_is_left_out_is_not_written_back() {
    let folder = tempfile::tempdir().unwrap();
    let long = format!("(;GM[1]SZ[9]C[{}];B[ee])", "long ".repeat(1000));
    let games = [game(1), long, game(2)].concat();
    fs::write(folder.path().join("all.sgf"), games).unwrap();
    let args = "score all.sgf --max-game-size 4K --annotate out --format csv";
    let args: Vec<&str> = args.split(' ').collect();
    let output = kifu(folder.path(), &args, b"");
    assert_eq!(output.status.code(), Some(1));
    let rows = String::from_utf8(output.stdout).unwrap();
    assert_eq!(rows.lines().count(), 4);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.ends_with("0 annotated records in out\n"), "{said}");
    assert_eq!(fs::read_dir(folder.path().join("out")).unwrap().count(), 0);
}

#[test]
fn an_archive_that_breaks_off_gives_what_it_has() {
    let (folder, all) = folder();
    let mut packed = gzip(all.as_bytes());
    packed.truncate(packed.len() - packed.len() / 4);
    fs::write(folder.path().join("cut.sgf.gz"), packed).unwrap();
    let output = kifu(
        folder.path(),
        &["check", "--format", "csv", "cut.sgf.gz"],
        b"",
    );
    let rows = String::from_utf8(output.stdout).unwrap();
    let last = rows.lines().last().unwrap();
    assert_eq!(
        last,
        "cut.sgf.gz,,,,,error,damaged-archive,The archive is damaged: it ends too early."
    );
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.starts_with("1 file, 5,"), "{said}");
}
