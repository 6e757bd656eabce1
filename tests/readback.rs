//! What kifu writes, read back by the programs that people use: openpyxl and LibreOffice for
//! workbooks, pyarrow, polars and DuckDB for Parquet files.
//!
//! Programs that are not installed are named on standard error, and what they would check is not
//! checked; `KIFU_PYTHON` names the Python to ask. What needs none of them is checked always.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// Records with everything that could break a file: formulas, markup, control characters, names of
/// 40,000 characters, dates that are and that are no days, and files that hold no game.
fn records() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let long = "長".repeat(40_000);
    let records = [
        // Played out: a row with every column, the chains and their reasons.
        (
            "counted.sgf",
            fs::read_to_string(
                Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/score/wrong-record/game.sgf"),
            )
            .unwrap(),
        ),
        (
            "formula.sgf",
            "(;GM[1]FF[4]SZ[9]PB[=1+1]PW[@SUM(A1)]DT[2016-03-09]EV[-2]RE[B+R];B[ee])".to_string(),
        ),
        (
            "markup.sgf",
            "(;GM[1]FF[4]CA[UTF-8]SZ[9]PB[<script>alert(1)</script>]PW[a\u{1}b\u{ffff}\"&]\
             DT[1846-09-11,14]RE[W+T];B[ee])"
                .to_string(),
        ),
        (
            "long.sgf",
            format!(
                "(;GM[1]FF[4]CA[UTF-8]SZ[9]PB[{long}]PW[呉清源]DT[1899-01-01]RE[B+R];B[ee];W[ee])"
            ),
        ),
        ("empty.sgf", String::new()),
        ("=cmd.sgf", "no record".to_string()),
    ];
    for (name, text) in records {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn kifu(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_kifu"))
        .args(args)
        .current_dir(folder)
        .output()
        .unwrap()
}

/// Writes the scores of the records to a file.
fn write(folder: &Path, args: &[&str]) {
    let mut all = vec!["score", ".", "--quiet", "--exit-zero"];
    all.extend(args);
    let output = kifu(folder, &all);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{args:?}: {errors}");
}

/// Runs a Python program that needs a module; says so if it is not there.
fn python(module: &str, program: &str, folder: &Path) {
    let python = std::env::var("KIFU_PYTHON").unwrap_or_else(|_| "python3".to_string());
    let has_module = Command::new(&python)
        .args(["-c", &format!("import {module}")])
        .output()
        .is_ok_and(|output| output.status.success());
    if !has_module {
        eprintln!("NOT CHECKED: {module} is not installed for {python}");
        return;
    }
    let output = Command::new(&python)
        .args(["-c", program])
        .current_dir(folder)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{module}: {}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn the_same_records_give_the_same_bytes() {
    let folder = records();
    for name in ["scores.xlsx", "scores.parquet"] {
        let mut written = Vec::new();
        for threads in ["1", "2", "2"] {
            write(folder.path(), &["--threads", threads, "-o", name]);
            // The file from before is replaced.
            written.push(fs::read(folder.path().join(name)).unwrap());
        }
        // The workbook repeats the command, and with it the number of threads.
        assert!(written[1] == written[2], "{name}");
        if name.ends_with(".parquet") {
            assert!(written[0] == written[1], "{name}");
        }
    }
}

#[test]
fn a_parquet_file_holds_what_the_other_tables_hold() {
    let folder = records();
    write(folder.path(), &["-o", "scores.parquet"]);
    write(folder.path(), &["-o", "positions.parquet", "--positions"]);
    write(folder.path(), &["-o", "scores.jsonl"]);
    write(folder.path(), &["-o", "scores.csv", "--raw"]);
    write(folder.path(), &["-o", "komi.parquet", "--komi", "0.5"]);
    for other in ["scores.jsonl", "scores.csv", "positions.parquet"] {
        let output = kifu(folder.path(), &["diff", "scores.parquet", other]);
        let said = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(0), "{other}: {said}");
    }
    let output = kifu(folder.path(), &["diff", "scores.parquet", "komi.parquet"]);
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains("  komi: 6.5 -> 0.5\n"), "{said}");
}

#[test]
fn pyarrow_polars_and_duckdb_read_what_the_json_lines_say() {
    let folder = records();
    write(folder.path(), &["-o", "scores.parquet", "--positions"]);
    write(folder.path(), &["-o", "scores.jsonl"]);
    let program = |read: &str| {
        format!(
            "import json\n\
             lines = [json.loads(line) for line in open('scores.jsonl', encoding='utf-8')]\n\
             {read}\n\
             assert len(rows) == len(lines) == 6, len(rows)\n\
             for row, line in zip(rows, lines):\n    \
                 line = dict({{'account': None, 'map': [], 'chains': [], 'what_if': None}}, **line)\n    \
                 for key in row:\n        \
                     assert row[key] == line[key], (key, row[key], line[key])\n    \
                 assert row.keys() == line.keys()\n"
        )
    };
    python(
        "pyarrow",
        &program(
            "import pyarrow.parquet as pq\n\
             file = pq.ParquetFile('scores.parquet')\n\
             assert file.metadata.metadata[b'kifu_schema'] == b'1'\n\
             assert file.metadata.metadata[b'kifu']\n\
             rows = file.read().to_pylist()",
        ),
        folder.path(),
    );
    python(
        "polars",
        &program("import polars\nrows = polars.read_parquet('scores.parquet').to_dicts()"),
        folder.path(),
    );
    python(
        "duckdb",
        &program(
            "import duckdb\n\
             table = duckdb.sql(\"select * from 'scores.parquet'\")\n\
             rows = [dict(zip(table.columns, row)) for row in table.fetchall()]",
        ),
        folder.path(),
    );
}

#[test]
fn openpyxl_reads_numbers_as_numbers_and_formulas_as_text() {
    let folder = records();
    let boards: &[&str] = match cfg!(feature = "pictures") {
        true => &["-o", "scores.xlsx", "--boards"],
        false => &["-o", "scores.xlsx"],
    };
    write(folder.path(), boards);
    let program = r#"
import datetime, openpyxl
book = openpyxl.load_workbook('scores.xlsx')
assert book.sheetnames == ['Scores', 'Look at these', 'Findings', 'Standings', 'Summary'], book.sheetnames
sheet = book['Scores']
rows = list(sheet.iter_rows(values_only=True))
rows = [dict(zip(rows[0], row)) for row in rows[1:]]
by_file = {row['file']: row for row in rows}
assert len(rows) == 6, len(rows)
counted = by_file['./counted.sgf']
assert counted['margin'] == 0.5 and type(counted['moves']) is int, counted
assert 0.5 < counted['confidence'] <= 1
formula = by_file['./formula.sgf']
assert formula['black'] == '=1+1' and formula['white'] == '@SUM(A1)' and formula['event'] == '-2'
assert formula['date'] == datetime.datetime(2016, 3, 9), formula['date']
for row in sheet.iter_rows():
    for cell in row:
        assert cell.data_type != 'f', cell.coordinate
markup = by_file['./markup.sgf']
assert markup['black'] == '<script>alert(1)</script>'
assert markup['white'] == 'a b\ufffd"&', ascii(markup['white'])
assert markup['date'] == '1846-09-11,14'
long = by_file['./long.sgf']
assert len(long['black']) == 1000 and 'middle is left out' in long['notes']
assert long['date'] == '1899-01-01'
assert './=cmd.sgf' in by_file
assert sheet.freeze_panes == 'A2' and sheet.auto_filter.ref
assert sheet.page_setup.orientation == 'landscape' and sheet.page_setup.fitToHeight == 0
assert sheet.print_title_rows == '$1:$1'
look = [row for row in book['Look at these'].iter_rows(values_only=True)]
assert any('if the white stone at C4 is left' in str(row[-1]) for row in look), look
findings = list(book['Findings'].iter_rows(values_only=True))
assert findings[0] == ('file', 'game', 'move', 'line', 'column', 'severity', 'code', 'message')
assert any(row[6] == 'occupied-point' and type(row[3]) is int for row in findings)
summary = {row[0]: row[1] for row in book['Summary'].iter_rows(values_only=True)}
assert summary['Games'] == 4 and summary['Another winner'] == 1, summary
assert summary['Command'].startswith('kifu score'), summary
"#;
    python("openpyxl", program, folder.path());
}

#[test]
fn libreoffice_opens_a_workbook() {
    let folder = records();
    write(folder.path(), &["-o", "scores.xlsx"]);
    let profile = folder.path().join("profile");
    let output = Command::new("soffice")
        .arg(format!(
            "-env:UserInstallation=file://{}",
            profile.display()
        ))
        .args(["--headless", "--convert-to", "csv", "scores.xlsx"])
        .current_dir(folder.path())
        .output();
    let Ok(output) = output else {
        eprintln!("NOT CHECKED: LibreOffice (soffice) is not installed");
        return;
    };
    let said = String::from_utf8_lossy(&output.stderr);
    // In the charset of the system, whatever that is.
    let table = fs::read(folder.path().join("scores.csv"))
        .unwrap_or_else(|_| panic!("LibreOffice wrote no table: {said}"));
    let table = String::from_utf8_lossy(&table);
    let rows: Vec<&str> = table.lines().collect();
    assert!(rows[0].starts_with("file,game,black,"), "{}", rows[0]);
    assert_eq!(rows.len(), 7, "{table}");
    assert!(table.contains(",=1+1,"), "{table}");
}
