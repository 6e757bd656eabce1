//! Parquet, for those who build data sets.
//!
//! A column of the table is a column of the file, with its type: text as strings, counts as 64-bit
//! integers, points and probabilities as doubles, sentences as a list of strings. All may be null,
//! but for the lists, which are empty. Written with `--positions`, a row also holds what a JSON line
//! has of the final position: `account`, `map`, `chains` as a list of structs, `what_if`.
//!
//! Rows are gathered until they are [`ROWS_PER_GROUP`] and then encoded column by column, so
//! memory stays as it is however long the table is. Values that repeat (players, rules, codes)
//! are written once per group, in a dictionary; pages are compressed with Snappy. The version of
//! kifu and of the columns are in the file's metadata, under `kifu` and `kifu_schema`.
//!
//! A list is stored flat, with two small numbers beside each value: how much of its path is there
//! (the definition level) and which list it goes on with (the repetition level). See Melnik et al.,
//! *Dremel: Interactive Analysis of Web-Scale Datasets*, 2010.

use std::io;
use std::sync::Arc;

use ::parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use ::parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use ::parquet::errors::ParquetError;
use ::parquet::file::metadata::KeyValue;
use ::parquet::file::properties::{EnabledStatistics, WriterProperties};
use ::parquet::file::writer::SerializedFileWriter;
use ::parquet::schema::types::{ColumnPath, Type};

use super::{FindingDocument, ScoreDocument, ScoredPart, SharedDestination};
use crate::finding::Finding;
use crate::pipeline::batch::Ended;
use crate::pipeline::row::{
    Cell, ChainRow, Column, ColumnType, FindingColumn, FindingRow, SCHEMA_VERSION, ScoreColumn,
    ScoredPosition,
};
use crate::pipeline::tally::{ScoreTally, Tally};

/// How many rows make a row group.
pub(crate) const ROWS_PER_GROUP: usize = 16_384;

/// Text that hardly ever repeats, for which a dictionary would be a waste.
const UNIQUE: [&str; 4] = ["file", "notes", "message", "account"];

/// The values of a leaf of the schema, for the rows of a group.
struct Leaf {
    values: Values,
    /// How much of its path each value has.
    defined: Vec<i16>,
    /// Which list each value goes on with; unused where there is no list.
    repeated: Vec<i16>,
    is_list: bool,
}

enum Values {
    /// Texts one after the other, and where each ends.
    Text(Vec<u8>, Vec<usize>),
    Integer(Vec<i64>),
    Double(Vec<f64>),
}

impl Leaf {
    fn new(values: Values, is_list: bool) -> Leaf {
        Leaf {
            values,
            defined: Vec::new(),
            repeated: Vec::new(),
            is_list,
        }
    }

    fn text() -> Values {
        Values::Text(Vec::new(), Vec::new())
    }

    /// Notes a place of the column, with or without a value.
    fn mark(&mut self, defined: i16, repeated: i16) {
        self.defined.push(defined);
        if self.is_list {
            self.repeated.push(repeated);
        }
    }

    fn put_text(&mut self, text: &str) {
        if let Values::Text(bytes, ends) = &mut self.values {
            bytes.extend_from_slice(text.as_bytes());
            ends.push(bytes.len());
        }
    }

    fn put_double(&mut self, number: f64) {
        if let Values::Double(numbers) = &mut self.values {
            numbers.push(number);
        }
    }

    /// Text that may be missing, outside of any list.
    fn optional_text(&mut self, text: Option<&str>) {
        self.mark(i16::from(text.is_some()), 0);
        if let Some(text) = text {
            self.put_text(text);
        }
    }

    /// A list that is always there.
    fn list<S: AsRef<str>>(&mut self, texts: &[S]) {
        if texts.is_empty() {
            self.mark(0, 0);
        }
        for (number, text) in texts.iter().enumerate() {
            self.mark(1, i16::from(number > 0));
            self.put_text(text.as_ref());
        }
    }

    fn cell(&mut self, cell: Cell<'_>) {
        match cell {
            Cell::Text(text) | Cell::Date(text) => {
                self.optional_text(Some(text).filter(|text| !text.is_empty()));
            }
            Cell::Sentences(sentences) => self.list(sentences),
            Cell::Integer(count) => {
                self.mark(i16::from(count.is_some()), 0);
                if let (Some(count), Values::Integer(numbers)) = (count, &mut self.values) {
                    numbers.push(i64::from(count));
                }
            }
            Cell::Number(_) | Cell::Probability(_) => {
                let number = cell.rounded();
                self.mark(i16::from(number.is_some()), 0);
                if let Some(number) = number {
                    self.put_double(number);
                }
            }
        }
    }
}

fn of_column<F>(column: &Column<F>) -> Result<(Type, Leaf), ParquetError> {
    let name = column.name;
    Ok(match column.kind {
        ColumnType::Text | ColumnType::Date => (
            text_type(name, Repetition::OPTIONAL)?,
            Leaf::new(Leaf::text(), false),
        ),
        ColumnType::Integer => (
            plain_type(name, Physical::INT64, Repetition::OPTIONAL)?,
            Leaf::new(Values::Integer(Vec::new()), false),
        ),
        ColumnType::Number | ColumnType::Probability => (
            plain_type(name, Physical::DOUBLE, Repetition::OPTIONAL)?,
            Leaf::new(Values::Double(Vec::new()), false),
        ),
        ColumnType::Sentences => (
            list_type(name, text_type("element", Repetition::REQUIRED)?)?,
            Leaf::new(Leaf::text(), true),
        ),
    })
}

fn plain_type(name: &str, kind: Physical, repetition: Repetition) -> Result<Type, ParquetError> {
    Type::primitive_type_builder(name, kind)
        .with_repetition(repetition)
        .build()
}

fn text_type(name: &str, repetition: Repetition) -> Result<Type, ParquetError> {
    Type::primitive_type_builder(name, Physical::BYTE_ARRAY)
        .with_logical_type(Some(LogicalType::String))
        .with_repetition(repetition)
        .build()
}

fn struct_type(
    name: &str,
    repetition: Repetition,
    fields: Vec<Type>,
) -> Result<Type, ParquetError> {
    Type::group_type_builder(name)
        .with_repetition(repetition)
        .with_fields(fields.into_iter().map(Arc::new).collect())
        .build()
}

/// A list that is always there, in the three layers that the format asks for.
fn list_type(name: &str, element: Type) -> Result<Type, ParquetError> {
    let list = struct_type("list", Repetition::REPEATED, vec![element])?;
    Type::group_type_builder(name)
        .with_repetition(Repetition::REQUIRED)
        .with_logical_type(Some(LogicalType::List))
        .with_fields(vec![Arc::new(list)])
        .build()
}

/// The columns of the final position, behind those of the table.
fn position_types() -> Result<Vec<Type>, ParquetError> {
    let required = |name| text_type(name, Repetition::REQUIRED);
    let texts = |name| list_type(name, required("element")?);
    let chain = struct_type(
        "element",
        Repetition::REQUIRED,
        vec![
            required("color")?,
            texts("points")?,
            texts("liberties")?,
            texts("eyes")?,
            texts("false_eyes")?,
            required("status")?,
            plain_type("probability", Physical::DOUBLE, Repetition::REQUIRED)?,
            required("reason")?,
        ],
    )?;
    Ok(vec![
        text_type("account", Repetition::OPTIONAL)?,
        texts("map")?,
        list_type("chains", chain)?,
        text_type("what_if", Repetition::OPTIONAL)?,
    ])
}

/// The leaves of [`position_types`], in the same order.
fn position_leaves() -> Vec<Leaf> {
    let text = |is_list| Leaf::new(Leaf::text(), is_list);
    vec![
        text(false),
        text(true),
        // A chain's colour, its four lists of points, status, probability and reason.
        text(true),
        text(true),
        text(true),
        text(true),
        text(true),
        text(true),
        Leaf::new(Values::Double(Vec::new()), true),
        text(true),
        text(false),
    ]
}

fn put_position(leaves: &mut [Leaf], position: Option<&ScoredPosition>, what_if: Option<&str>) {
    let [account, map, chain @ .., last] = leaves else {
        return;
    };
    account.optional_text(position.map(|position| position.account.as_str()));
    map.list(position.map_or(&[][..], |position| &position.map));
    put_chains(chain, position.map_or(&[], |position| &position.chains));
    last.optional_text(what_if);
}

fn put_chains(leaves: &mut [Leaf], chains: &[ChainRow]) {
    if chains.is_empty() {
        leaves.iter_mut().for_each(|leaf| leaf.mark(0, 0));
        return;
    }
    let [
        color_leaf,
        points_leaf,
        liberties_leaf,
        eyes_leaf,
        false_eyes_leaf,
        status_leaf,
        probability_leaf,
        reason_leaf,
    ] = leaves
    else {
        return;
    };
    for (number, chain) in chains.iter().enumerate() {
        let next = i16::from(number > 0);
        // By name, so that nothing new is forgotten here.
        let ChainRow {
            color,
            points,
            liberties,
            eyes,
            false_eyes,
            status,
            probability,
            reason,
        } = chain;
        for (leaf, text) in [
            (&mut *color_leaf, color),
            (&mut *status_leaf, status),
            (&mut *reason_leaf, reason),
        ] {
            leaf.mark(1, next);
            leaf.put_text(text);
        }
        probability_leaf.mark(1, next);
        probability_leaf.put_double(*probability);
        for (leaf, names) in [
            (&mut *points_leaf, points),
            (&mut *liberties_leaf, liberties),
            (&mut *eyes_leaf, eyes),
            (&mut *false_eyes_leaf, false_eyes),
        ] {
            if names.is_empty() {
                leaf.mark(1, next);
            }
            for (number, name) in names.iter().enumerate() {
                leaf.mark(2, if number > 0 { 2 } else { next });
                leaf.put_text(name);
            }
        }
    }
}

/// A table of leaves on its way to a file.
struct Table {
    writer: SerializedFileWriter<SharedDestination>,
    leaves: Vec<Leaf>,
    rows: usize,
}

impl Table {
    fn new(
        output: SharedDestination,
        name: &str,
        fields: Vec<Type>,
        leaves: Vec<Leaf>,
    ) -> Result<Table, ParquetError> {
        let schema = struct_type_of_table(name, fields)?;
        let metadata = vec![
            KeyValue::new("kifu".to_string(), env!("CARGO_PKG_VERSION").to_string()),
            KeyValue::new("kifu_schema".to_string(), SCHEMA_VERSION.to_string()),
        ];
        let mut properties = WriterProperties::builder()
            .set_created_by(concat!("kifu ", env!("CARGO_PKG_VERSION")).to_string())
            .set_key_value_metadata(Some(metadata))
            .set_compression(Compression::SNAPPY)
            .set_statistics_enabled(EnabledStatistics::Chunk);
        for name in UNIQUE {
            let path = ColumnPath::from(name);
            properties = properties.set_column_dictionary_enabled(path, false);
        }
        let list = ["notes", "list", "element"].map(String::from).to_vec();
        properties = properties.set_column_dictionary_enabled(ColumnPath::new(list), false);
        let writer =
            SerializedFileWriter::new(output, Arc::new(schema), Arc::new(properties.build()))?;
        Ok(Table {
            writer,
            leaves,
            rows: 0,
        })
    }

    /// A row is complete.
    fn end_row(&mut self) -> Result<(), ParquetError> {
        self.rows += 1;
        match self.rows >= ROWS_PER_GROUP {
            true => self.write_group(),
            false => Ok(()),
        }
    }

    fn write_group(&mut self) -> Result<(), ParquetError> {
        if self.rows == 0 {
            return Ok(());
        }
        self.rows = 0;
        let mut group = self.writer.next_row_group()?;
        let mut leaves = self.leaves.iter_mut();
        while let Some(mut column) = group.next_column()? {
            let leaf = leaves.next().expect("a leaf per column");
            let defined = std::mem::take(&mut leaf.defined);
            let repeated = std::mem::take(&mut leaf.repeated);
            let repeated = leaf.is_list.then_some(&repeated[..]);
            let defined = Some(&defined[..]);
            match &mut leaf.values {
                Values::Text(bytes, ends) => {
                    let texts = slices(std::mem::take(bytes), ends);
                    ends.clear();
                    let column = column.typed::<ByteArrayType>();
                    column.write_batch(&texts, defined, repeated)?;
                }
                Values::Integer(numbers) => {
                    let numbers = std::mem::take(numbers);
                    let column = column.typed::<Int64Type>();
                    column.write_batch(&numbers, defined, repeated)?;
                }
                Values::Double(numbers) => {
                    let numbers = std::mem::take(numbers);
                    let column = column.typed::<DoubleType>();
                    column.write_batch(&numbers, defined, repeated)?;
                }
            }
            column.close()?;
        }
        group.close()?;
        Ok(())
    }

    fn close(&mut self) -> Result<(), ParquetError> {
        self.write_group()?;
        self.writer.finish()?;
        Ok(())
    }
}

fn struct_type_of_table(name: &str, fields: Vec<Type>) -> Result<Type, ParquetError> {
    Type::group_type_builder(name)
        .with_fields(fields.into_iter().map(Arc::new).collect())
        .build()
}

/// Texts that share their bytes.
fn slices(bytes: Vec<u8>, ends: &[usize]) -> Vec<ByteArray> {
    let whole = ByteArray::from(bytes);
    let mut start = 0;
    let texts = ends.iter().map(|&end| {
        let text = whole.slice(start, end - start);
        start = end;
        text
    });
    texts.collect()
}

/// What went wrong as an error of the output.
fn unwritten(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(error) => match error.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(error) => io::Error::other(error.to_string()),
        },
        error => io::Error::other(error.to_string()),
    }
}

/// Scores as a Parquet file.
pub(crate) struct ParquetScores {
    columns: Vec<ScoreColumn>,
    has_positions: bool,
    table: Table,
}

impl ParquetScores {
    /// A file with these columns and, if it is to have them, the final positions.
    pub(crate) fn new(
        output: SharedDestination,
        columns: Vec<ScoreColumn>,
        has_positions: bool,
    ) -> io::Result<ParquetScores> {
        let open = || {
            let all = columns.iter().map(of_column);
            let (mut fields, mut leaves): (Vec<_>, Vec<_>) =
                all.collect::<Result<Vec<_>, _>>()?.into_iter().unzip();
            if has_positions {
                fields.extend(position_types()?);
                leaves.extend(position_leaves());
            }
            Table::new(output, "scores", fields, leaves)
        };
        let table = open().map_err(unwritten)?;
        Ok(ParquetScores {
            columns,
            has_positions,
            table,
        })
    }
}

impl ScoreDocument for ParquetScores {
    fn add(&mut self, part: ScoredPart) -> io::Result<()> {
        for row in &part.rows {
            for (leaf, column) in self.table.leaves.iter_mut().zip(&self.columns) {
                leaf.cell((column.cell)(row));
            }
            if self.has_positions {
                let leaves = &mut self.table.leaves[self.columns.len()..];
                put_position(leaves, row.position.as_ref(), row.what_if.as_deref());
            }
            self.table.end_row().map_err(unwritten)?;
        }
        Ok(())
    }

    fn close(&mut self, _tally: &ScoreTally, _ended: Ended) -> io::Result<()> {
        self.table.close().map_err(unwritten)
    }
}

/// Findings as a Parquet file.
pub(crate) struct ParquetFindings {
    columns: Vec<FindingColumn>,
    table: Table,
}

impl ParquetFindings {
    /// A file with these columns.
    pub(crate) fn new(
        output: SharedDestination,
        columns: Vec<FindingColumn>,
    ) -> io::Result<ParquetFindings> {
        let open = || {
            let all = columns.iter().map(of_column);
            let (fields, leaves) = all.collect::<Result<Vec<_>, _>>()?.into_iter().unzip();
            Table::new(output, "findings", fields, leaves)
        };
        let table = open().map_err(unwritten)?;
        Ok(ParquetFindings { columns, table })
    }
}

impl FindingDocument for ParquetFindings {
    fn add(&mut self, file: &str, findings: &[Finding]) -> io::Result<()> {
        for finding in findings {
            let row = FindingRow { file, finding };
            for (leaf, column) in self.table.leaves.iter_mut().zip(&self.columns) {
                leaf.cell((column.cell)(&row));
            }
            self.table.end_row().map_err(unwritten)?;
        }
        Ok(())
    }

    fn close(&mut self, _tally: &Tally, _ended: Ended) -> io::Result<()> {
        self.table.close().map_err(unwritten)
    }
}
