//! What changed between two tables: yesterday's scores and today's, or those of two engines.
//!
//! Rows are matched by what names them: a game by its file and number, a player by the event and
//! the name; a finding is named by all of its cells, so it can only come or go. Both tables are
//! read side by side, and a row is forgotten as soon as its partner was met: two tables in the
//! same order take no more memory than a row each, however long they are.
//!
//! Cells are compared by their value, not by the way they are written: `3.5` in a CSV, `3,5` in one
//! with decimal commas and the number in a Parquet file are the same. Columns that only one of
//! the tables has are not compared; the summary names them.

mod read;

pub(crate) use read::{TableReader, Unreadable};

use std::collections::{BTreeMap, HashMap, VecDeque};

/// The names of the columns by which rows are matched, and how to know the table.
const KEYS: [(&str, &[&str]); 3] = [
    ("recorded_result", &["file", "game"]),
    ("severity", &[]),
    ("sodos", &["event", "player"]),
];

/// A value of a table that was read.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Missing,
    Text(String),
    Number(f64),
}

impl Value {
    /// The value as it is shown.
    pub(crate) fn shown(&self) -> String {
        match self {
            Value::Missing => String::new(),
            Value::Text(text) => text.clone(),
            Value::Number(number) => number.to_string(),
        }
    }
}

/// How a row differs.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Change {
    /// Only the old table has it.
    Removed,
    /// Only the new table has it.
    Added,
    /// Cells changed: the column, the old value, the new one.
    Changed(Vec<(String, Value, Value)>),
}

/// What a comparison came to.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Comparison {
    /// Rows that both tables have.
    pub matched: u64,
    /// Of those, the rows with a change.
    pub changed: u64,
    pub removed: u64,
    pub added: u64,
    /// How often each column changed.
    pub by_column: BTreeMap<String, u64>,
    /// Columns that only the old table has, and only the new one.
    pub unmatched: [Vec<String>; 2],
}

impl Comparison {
    /// Whether anything differs.
    pub(crate) fn has_changes(&self) -> bool {
        self.changed + self.removed + self.added > 0
    }
}

/// Rows of one table that wait for their partner, each kind in its order.
type Waiting = HashMap<Vec<String>, VecDeque<(u64, Vec<Value>)>>;

/// Compares two tables, or only some of their columns, and hands every difference to `tell`: the
/// row's name, as far as it has one, and the change.
pub(crate) fn compare(
    mut old: TableReader,
    mut new: TableReader,
    only: &[String],
    mut tell: impl FnMut(&[String], Change) -> std::io::Result<()>,
) -> Result<Comparison, CompareError> {
    let names = [old.columns().to_vec(), new.columns().to_vec()];
    let key = key_of(&names)?;
    for name in only {
        if !names.iter().all(|columns| columns.contains(name)) {
            return Err(CompareError::NoColumn(name.clone()));
        }
    }
    let shared: Vec<String> = names[0]
        .iter()
        .filter(|name| names[1].contains(name) && !key.contains(name))
        .filter(|name| only.is_empty() || only.contains(name))
        .cloned()
        .collect();
    let key = match key.is_empty() {
        true => shared.clone(),
        false => key,
    };
    let unmatched = |own: usize| {
        let other = &names[1 - own];
        names[own]
            .iter()
            .filter(|name| !other.contains(name))
            .cloned()
            .collect()
    };
    let mut comparison = Comparison {
        unmatched: [unmatched(0), unmatched(1)],
        ..Comparison::default()
    };
    let places = |columns: &[String], wanted: &[String]| -> Vec<usize> {
        let place = |name| columns.iter().position(|column| column == name);
        wanted.iter().filter_map(place).collect()
    };
    let keys = [0, 1].map(|side: usize| places(&names[side], &key));
    let cells = [0, 1].map(|side: usize| places(&names[side], &shared));
    let mut waiting = [Waiting::new(), Waiting::new()];
    let mut order = 0;
    let mut is_over = [false; 2];
    while is_over != [true; 2] {
        for side in [0, 1] {
            if is_over[side] {
                continue;
            }
            let reader = if side == 0 { &mut old } else { &mut new };
            let Some(row) = reader.next_row()? else {
                is_over[side] = true;
                continue;
            };
            order += 1;
            let name: Vec<String> = keys[side].iter().map(|&at| row[at].shown()).collect();
            let row: Vec<Value> = cells[side].iter().map(|&at| row[at].clone()).collect();
            let partners = waiting[1 - side].get_mut(&name);
            let Some((_, partner)) = partners.and_then(VecDeque::pop_front) else {
                waiting[side]
                    .entry(name)
                    .or_default()
                    .push_back((order, row));
                continue;
            };
            if waiting[1 - side].get(&name).is_some_and(VecDeque::is_empty) {
                waiting[1 - side].remove(&name);
            }
            comparison.matched += 1;
            let [before, after] = if side == 0 {
                [row, partner]
            } else {
                [partner, row]
            };
            let values = before.into_iter().zip(after);
            let changes: Vec<(String, Value, Value)> = (shared.iter().zip(values))
                .filter(|(_, (before, after))| before != after)
                .map(|(column, (before, after))| (column.clone(), before, after))
                .collect();
            if !changes.is_empty() {
                comparison.changed += 1;
                for (column, ..) in &changes {
                    *comparison.by_column.entry(column.clone()).or_default() += 1;
                }
                tell(&name, Change::Changed(changes)).map_err(CompareError::Output)?;
            }
        }
    }
    for (side, rows) in waiting.into_iter().enumerate() {
        let mut left: Vec<(u64, Vec<String>)> = Vec::new();
        for (name, rows) in rows {
            left.extend(rows.into_iter().map(|(order, _)| (order, name.clone())));
        }
        left.sort();
        for (_, name) in left {
            let change = match side {
                0 => Change::Removed,
                _ => Change::Added,
            };
            match side {
                0 => comparison.removed += 1,
                _ => comparison.added += 1,
            }
            tell(&name, change).map_err(CompareError::Output)?;
        }
    }
    Ok(comparison)
}

/// The columns that name a row of both tables; none if all of them do.
fn key_of(names: &[Vec<String>; 2]) -> Result<Vec<String>, CompareError> {
    let has = |name: &str| {
        names
            .iter()
            .all(|columns| columns.iter().any(|column| column == name))
    };
    // With `--columns` a table of scores may hold little more than the names of its games.
    let known = KEYS.iter().find(|(mark, _)| has(mark));
    let key = match known {
        Some((_, key)) => key,
        None if has("file") && has("game") => &["file", "game"][..],
        None => return Err(CompareError::NoKey),
    };
    match key.iter().all(|name| has(name)) {
        true => Ok(key.iter().map(|name| (*name).to_string()).collect()),
        false => Err(CompareError::NoKey),
    }
}

/// Why two tables could not be compared.
#[derive(Debug)]
pub(crate) enum CompareError {
    /// A table can't be read.
    Unreadable(Unreadable),
    /// Nothing names the rows of both.
    NoKey,
    /// A column that was asked for is not in both.
    NoColumn(String),
    /// The differences could not be written.
    Output(std::io::Error),
}

impl From<Unreadable> for CompareError {
    fn from(error: Unreadable) -> CompareError {
        CompareError::Unreadable(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn csv(text: &str) -> TableReader {
        TableReader::csv(
            "table.csv",
            Box::new(std::io::Cursor::new(text.to_string())),
        )
        .unwrap()
    }

    fn differences(old: &str, new: &str) -> (Vec<String>, Comparison) {
        let mut told = Vec::new();
        let comparison = compare(csv(old), csv(new), &[], |name, change| {
            let change = match change {
                Change::Removed => "removed".to_string(),
                Change::Added => "added".to_string(),
                Change::Changed(cells) => {
                    let cells = cells.iter();
                    let cells = cells.map(|(column, before, after)| {
                        format!("{column} {} -> {}", before.shown(), after.shown())
                    });
                    cells.collect::<Vec<_>>().join(", ")
                }
            };
            told.push(format!("{}: {change}", name.join(" ")));
            Ok(())
        });
        (told, comparison.unwrap())
    }

    #[test]
    fn games_are_matched_by_file_and_number_in_any_order() {
        let old =
            "file,game,result,recorded_result,margin\na,1,B+3.5,,3.5\nb,1,W+1,,-1.0\nc,1,,,\n";
        let new = "\u{feff}game;file;recorded_result;margin;result\n\
                   1;d;;;\n1;b;;-1,0;W+1\n1;a;;2,5;B+2.5\n";
        let (told, comparison) = differences(old, new);
        assert_eq!(
            told,
            [
                "a 1: result B+3.5 -> B+2.5, margin 3.5 -> 2.5",
                "c 1: removed",
                "d 1: added"
            ]
        );
        assert_eq!((comparison.matched, comparison.changed), (2, 1));
        assert_eq!(comparison.by_column["margin"], 1);
    }

    #[test]
    fn findings_come_and_go() {
        let old = "file,game,severity,code\na,1,error,superko\na,1,error,superko\n";
        let new = "file,game,severity,code\na,1,error,superko\na,1,error,suicide\n";
        let (told, _) = differences(old, new);
        assert_eq!(
            told,
            ["a 1 error superko: removed", "a 1 error suicide: added"]
        );
    }

    #[test]
    fn what_is_no_table_of_kifu_is_refused() {
        let error = compare(csv("a,b\n1,2\n"), csv("a,b\n1,2\n"), &[], |_, _| Ok(()));
        assert!(matches!(error, Err(CompareError::NoKey)));
    }
}
