//! What `kifu score --annotate` writes, read by other programs.
//!
//! `sgfmill` (Python) and `@sabaki/sgf` (Node) read every annotated record where they are at hand,
//! and must find the same nodes and properties as kifu does. Where they are not, the test says so.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use kifu::sgf::{Collection, Limits, NodeId, parse};

/// Prints every node of every game on a line: its properties sorted by name, values in hex.
const WITH_SGFMILL: &str = "
import sys
from sgfmill import sgf_grammar
# Its class for games knows square boards only; the grammar below it knows them all.
for game in sgf_grammar.parse_sgf_collection(sys.stdin.buffer.read()):
    waiting = [game]
    while waiting:
        tree = waiting.pop()
        for node in tree.sequence:
            values = lambda name: ' '.join(
                sgf_grammar.text_value(raw).hex() or '-' for raw in node[name])
            print('; '.join(name + ' ' + values(name) for name in sorted(node)))
        waiting.extend(reversed(tree.children))
";

const WITH_SABAKI: &str = "
const sgf = require('@sabaki/sgf')
const hex = text => Buffer.from(text).toString('hex') || '-'
const waiting = sgf.parse(require('fs').readFileSync(0, 'utf8')).reverse()
while (waiting.length) {
  const {data, children} = waiting.pop()
  console.log(Object.keys(data).sort()
    .map(name => name + ' ' + data[name].map(hex).join(' ')).join('; '))
  waiting.push(...children.slice().reverse())
}
";

const READERS: [(&str, &str, &str, &str); 2] = [
    ("python3", "-c", "import sgfmill", WITH_SGFMILL),
    ("node", "-e", "require('@sabaki/sgf')", WITH_SABAKI),
];

/// The same lines as kifu sees them.
fn as_kifu_reads(collection: &Collection) -> String {
    let tree = collection.tree();
    let mut lines = String::new();
    let mut waiting: Vec<NodeId> = tree.roots().iter().rev().copied().collect();
    while let Some(node) = waiting.pop() {
        let mut properties: Vec<String> = Vec::new();
        for property in collection.properties(node) {
            let mut line = property.name();
            for value in property.values() {
                let text = value.text();
                let hex = text
                    .bytes()
                    .fold(String::new(), |hex, byte| hex + &format!("{byte:02x}"));
                let _ = write!(line, " {}", if hex.is_empty() { "-" } else { &hex });
            }
            properties.push(line);
        }
        properties.sort();
        let _ = writeln!(lines, "{}", properties.join("; "));
        let from = waiting.len();
        let first = tree.first_child(node);
        waiting.extend(std::iter::successors(first, |&child| {
            tree.next_sibling(child)
        }));
        waiting[from..].reverse();
    }
    lines
}

/// What another program prints, or `None` if it is not at hand.
fn as_others_read(reader: (&str, &str, &str, &str), sgf: &[u8]) -> Option<String> {
    let (program, flag, probe, script) = reader;
    let run = |script: &str, input: &[u8]| {
        let mut child = Command::new(program)
            .args([flag, script])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .ok()?;
        let _ = child.stdin.take()?.write_all(input);
        child.wait_with_output().ok()
    };
    run(probe, b"").filter(|probed| probed.status.success())?;
    let output = run(script, sgf)?;
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{program} can't read it: {errors}");
    Some(String::from_utf8(output.stdout).unwrap())
}

/// Runs kifu on a folder of the fixtures and gives the records that it wrote.
fn annotated(games: &str) -> Vec<(String, Vec<u8>)> {
    let output = tempfile::tempdir().unwrap();
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join(games);
    let status = Command::new(env!("CARGO_BIN_EXE_kifu"))
        .args(["score", "--quiet", "--annotate"])
        .arg(output.path())
        .arg(games)
        .stdout(Stdio::null())
        .status()
        .unwrap();
    assert!(status.code().is_some_and(|code| code < 2));
    let mut records: Vec<(String, Vec<u8>)> = fs::read_dir(output.path())
        .unwrap()
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.path().is_file())
        .map(|entry| {
            let name = entry.file_name().into_string().unwrap();
            (name, fs::read(entry.path()).unwrap())
        })
        .collect();
    records.sort();
    assert!(!records.is_empty());
    records
}

#[test]
fn other_programs_read_what_kifu_writes() {
    let mut records = annotated("fixtures/games");
    records.extend(annotated("fixtures/score/annotate/games"));
    for reader in READERS {
        for (name, sgf) in &records {
            let Some(theirs) = as_others_read(reader, sgf) else {
                println!("skipped: {} can't do `{}`", reader.0, reader.2);
                break;
            };
            let collection = parse(sgf, &Limits::default());
            assert_eq!(theirs, as_kifu_reads(&collection), "{name} by {}", reader.0);
        }
    }
}
