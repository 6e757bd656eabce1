//! Tables that kifu wrote, read back: CSV in every style, JSON lines, Parquet.

use std::collections::VecDeque;
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use serde_json::Value as Json;

use super::Value;
use crate::pipeline::row::{COLUMNS, ColumnType, FINDING_COLUMNS};
use crate::standings::STANDING_COLUMNS;

/// A table that is read row by row.
pub(crate) struct TableReader {
    name: String,
    columns: Vec<String>,
    numeric: Vec<bool>,
    rows: Rows,
}

enum Rows {
    Csv(Box<csv::StringRecordsIntoIter<Box<dyn Read>>>),
    /// Lines, of which the first was looked at already.
    Json(VecDeque<String>, Box<dyn BufRead>, u64),
    #[cfg(feature = "parquet")]
    Parquet(Box<::parquet::record::reader::RowIter<'static>>),
}

/// Why a table can't be read, in a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unreadable(pub String);

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Whether the column of this name holds numbers.
fn is_numeric(name: &str) -> bool {
    let kinds = COLUMNS
        .iter()
        .map(|column| (column.name, column.kind))
        .chain(
            FINDING_COLUMNS
                .iter()
                .map(|column| (column.name, column.kind)),
        )
        .chain(
            STANDING_COLUMNS
                .iter()
                .map(|column| (column.name, column.kind)),
        );
    let kind = kinds.into_iter().find(|(column, _)| *column == name);
    matches!(
        kind,
        Some((
            _,
            ColumnType::Integer | ColumnType::Number | ColumnType::Probability
        ))
    )
}

impl TableReader {
    /// Opens a file; what it holds is seen from its first bytes.
    pub(crate) fn open(path: &Path) -> Result<TableReader, Unreadable> {
        let name = path.to_string_lossy().into_owned();
        let failed = |error: io::Error| unreadable(&name, &crate::input::reason(&error));
        let mut file = File::open(path).map_err(failed)?;
        let mut start = Vec::new();
        (&mut file)
            .take(4)
            .read_to_end(&mut start)
            .map_err(failed)?;
        if start == b"PAR1" {
            return TableReader::parquet(&name, file);
        }
        let content: Box<dyn Read> = Box::new(io::Cursor::new(start.clone()).chain(file));
        match start.iter().find(|byte| !byte.is_ascii_whitespace()) {
            Some(b'{') => TableReader::json(&name, Box::new(BufReader::new(content))),
            Some(_) => TableReader::csv(&name, content),
            None => Err(unreadable(&name, "it is empty")),
        }
    }

    fn new(name: &str, columns: Vec<String>, rows: Rows) -> TableReader {
        TableReader {
            name: name.to_string(),
            numeric: columns.iter().map(|column| is_numeric(column)).collect(),
            columns,
            rows,
        }
    }

    pub(crate) fn csv(name: &str, content: Box<dyn Read>) -> Result<TableReader, Unreadable> {
        let mut content = BufReader::new(content);
        let mut header = Vec::new();
        content
            .read_until(b'\n', &mut header)
            .map_err(|error| unreadable(name, &crate::input::reason(&error)))?;
        if header.starts_with(b"\xef\xbb\xbf") {
            header.drain(..3);
        }
        // The names of columns are plain words, so what stands between them is the delimiter.
        let delimiter = header
            .iter()
            .find(|byte| !byte.is_ascii_alphanumeric() && !matches!(byte, b'_' | b'"'))
            .copied()
            .unwrap_or(b',');
        let content: Box<dyn Read> = Box::new(io::Cursor::new(header).chain(content));
        let mut reader = csv::ReaderBuilder::new()
            .delimiter(delimiter)
            .from_reader(content);
        let columns = reader
            .headers()
            .map_err(|error| unreadable(name, &error.to_string()))?;
        let columns = columns.iter().map(str::to_string).collect();
        let rows = Rows::Csv(Box::new(reader.into_records()));
        Ok(TableReader::new(name, columns, rows))
    }

    fn json(name: &str, mut content: Box<dyn BufRead>) -> Result<TableReader, Unreadable> {
        let mut first = String::new();
        content
            .read_line(&mut first)
            .map_err(|error| unreadable(name, &crate::input::reason(&error)))?;
        let row: serde_json::Map<String, Json> = serde_json::from_str(&first)
            .map_err(|error| unreadable(name, &format!("line 1 is no JSON object: {error}")))?;
        // What a line has of the position follows from the columns and is not compared.
        let columns = row
            .into_iter()
            .filter(|(_, value)| !value.is_object() && !is_position(value))
            .map(|(column, _)| column)
            .filter(|column| !["account", "what_if", "map", "chains"].contains(&column.as_str()))
            .collect();
        let rows = Rows::Json(VecDeque::from([first]), content, 0);
        Ok(TableReader::new(name, columns, rows))
    }

    #[cfg(feature = "parquet")]
    fn parquet(name: &str, file: File) -> Result<TableReader, Unreadable> {
        use ::parquet::file::reader::{FileReader, SerializedFileReader};
        let failed = |error: ::parquet::errors::ParquetError| unreadable(name, &error.to_string());
        let reader = SerializedFileReader::new(file).map_err(failed)?;
        let schema = reader.metadata().file_metadata().schema();
        let names = schema.get_fields().iter().map(|field| field.name());
        let columns = names
            .filter(|column| !["account", "what_if", "map", "chains"].contains(column))
            .map(str::to_string)
            .collect();
        let rows = ::parquet::record::reader::RowIter::from_file_into(Box::new(reader));
        Ok(TableReader::new(
            name,
            columns,
            Rows::Parquet(Box::new(rows)),
        ))
    }

    #[cfg(not(feature = "parquet"))]
    fn parquet(name: &str, _file: File) -> Result<TableReader, Unreadable> {
        Err(unreadable(name, "this kifu was built without Parquet"))
    }

    /// The names of the columns.
    pub(crate) fn columns(&self) -> &[String] {
        &self.columns
    }

    /// The next row, a value per column.
    pub(crate) fn next_row(&mut self) -> Result<Option<Vec<Value>>, Unreadable> {
        let TableReader {
            name,
            columns,
            numeric,
            rows,
        } = self;
        match rows {
            Rows::Csv(records) => {
                let Some(record) = records.next() else {
                    return Ok(None);
                };
                let record = record.map_err(|error| unreadable(name, &error.to_string()))?;
                let values = record.iter().zip(numeric);
                Ok(Some(
                    values
                        .map(|(text, numeric)| of_text(text, *numeric))
                        .collect(),
                ))
            }
            Rows::Json(seen, content, number) => {
                let mut line = match seen.pop_front() {
                    Some(line) => line,
                    None => {
                        let mut line = String::new();
                        content
                            .read_line(&mut line)
                            .map_err(|error| unreadable(name, &crate::input::reason(&error)))?;
                        line
                    }
                };
                *number += 1;
                if line.trim().is_empty() {
                    line.clear();
                    return Ok(None);
                }
                let row: serde_json::Map<String, Json> =
                    serde_json::from_str(&line).map_err(|error| {
                        unreadable(name, &format!("line {number} is no JSON object: {error}"))
                    })?;
                let value = |column: &String| row.get(column).map_or(Value::Missing, of_json);
                Ok(Some(columns.iter().map(value).collect()))
            }
            #[cfg(feature = "parquet")]
            Rows::Parquet(rows) => {
                let Some(row) = rows.next() else {
                    return Ok(None);
                };
                let row = row.map_err(|error| unreadable(name, &error.to_string()))?;
                let mut values = vec![Value::Missing; columns.len()];
                for (column, field) in row.get_column_iter() {
                    if let Some(at) = columns.iter().position(|name| name == column) {
                        values[at] = of_field(field);
                    }
                }
                Ok(Some(values))
            }
        }
    }
}

fn unreadable(name: &str, reason: &str) -> Unreadable {
    let name = name.chars().map(|c| if c.is_control() { '?' } else { c });
    let name: String = name.collect();
    let reason = reason.trim_end_matches('.');
    Unreadable(format!("{name} can't be read: {reason}."))
}

fn is_position(value: &Json) -> bool {
    value
        .as_array()
        .is_some_and(|list| list.iter().any(Json::is_object))
}

fn of_text(text: &str, numeric: bool) -> Value {
    if text.is_empty() {
        return Value::Missing;
    }
    let number = numeric
        .then(|| text.replace(',', ".").parse().ok())
        .flatten();
    number.map_or_else(|| Value::Text(text.to_string()), Value::Number)
}

fn of_json(value: &Json) -> Value {
    match value {
        Json::Null => Value::Missing,
        Json::Number(number) => number.as_f64().map_or(Value::Missing, Value::Number),
        Json::String(text) => Value::Text(text.clone()),
        Json::Array(list) => {
            let texts: Vec<&str> = list.iter().filter_map(Json::as_str).collect();
            of_text(&texts.join(" "), false)
        }
        other => Value::Text(other.to_string()),
    }
}

#[cfg(feature = "parquet")]
fn of_field(field: &::parquet::record::Field) -> Value {
    use ::parquet::record::Field;
    match field {
        Field::Null => Value::Missing,
        Field::Long(number) => Value::Number(*number as f64),
        Field::Double(number) => Value::Number(*number),
        Field::Str(text) => of_text(text, false),
        Field::ListInternal(list) => {
            let texts: Vec<String> = (list.elements().iter())
                .filter_map(|field| match field {
                    Field::Str(text) => Some(text.clone()),
                    _ => None,
                })
                .collect();
            of_text(&texts.join(" "), false)
        }
        other => Value::Text(other.to_string()),
    }
}
