//! A row of the table of scores, and how it is written.
//!
//! The same [`ScoreRow`] is written as CSV (for spreadsheets), as JSON lines (with the map of the
//! final position and the verdict on each chain) or as text (a few lines for people).

use std::fmt::Write as _;

use super::csv::harmless;
use super::json;
use super::terminal::{Styles, printable};
use crate::board::{Color, Point, Size};
use crate::count::{Agreement, ChainVerdict, points};

/// How far a record could be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RowStatus {
    Ok,
    /// Something had to be repaired or guessed.
    Repaired,
    /// The game holds illegal moves.
    Illegal,
    Unreadable,
    /// A game that kifu does not know.
    NotGo,
}

impl RowStatus {
    /// The word for it in every output.
    pub fn as_str(self) -> &'static str {
        match self {
            RowStatus::Ok => "ok",
            RowStatus::Repaired => "repaired",
            RowStatus::Illegal => "illegal",
            RowStatus::Unreadable => "unreadable",
            RowStatus::NotGo => "not-go",
        }
    }
}

/// What is known of one side.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SideRow {
    pub captures: Option<u32>,
    pub dead: Option<u32>,
    pub territory: Option<u32>,
    pub stones: Option<u32>,
    pub score: Option<f64>,
}

/// One game's row. What does not apply is `None` or empty.
#[derive(Clone, Debug, PartialEq)]
pub struct ScoreRow {
    pub file: String,
    /// From 1; `None` when the file holds no game.
    pub game: Option<u32>,
    pub game_type: String,
    pub board: String,
    pub rules: String,
    pub rules_source: String,
    pub komi: Option<f64>,
    pub handicap: Option<u32>,
    pub black: String,
    pub white: String,
    pub date: String,
    pub event: String,
    pub moves: Option<u32>,
    pub ended_by: String,
    /// Black's, then White's.
    pub sides: [SideRow; 2],
    pub dame: Option<u32>,
    pub seki_groups: Option<u32>,
    pub result: String,
    pub recorded_result: String,
    pub agreement: Option<Agreement>,
    pub confidence: Option<f64>,
    pub illegal_moves: Option<u32>,
    pub first_illegal: Option<u32>,
    pub status: RowStatus,
    pub notes: Vec<String>,
    /// Only in JSON lines and in text.
    pub position: Option<ScoredPosition>,
}

/// The final position of a game of Go, understood.
#[derive(Clone, Debug, PartialEq)]
pub struct ScoredPosition {
    pub size: Size,
    /// One string a row from the top.
    pub map: Vec<String>,
    pub chains: Vec<ChainVerdict>,
    /// What would have to be otherwise for the recorded result.
    pub what_if: Option<String>,
    /// How the score is made up.
    pub account: String,
}

impl ScoreRow {
    /// A row of which only the name and the status are known.
    pub fn bare(file: &str, game: Option<u32>, status: RowStatus) -> ScoreRow {
        ScoreRow {
            file: file.to_string(),
            game,
            game_type: String::new(),
            board: String::new(),
            rules: String::new(),
            rules_source: String::new(),
            komi: None,
            handicap: None,
            black: String::new(),
            white: String::new(),
            date: String::new(),
            event: String::new(),
            moves: None,
            ended_by: String::new(),
            sides: Default::default(),
            dame: None,
            seki_groups: None,
            result: String::new(),
            recorded_result: String::new(),
            agreement: None,
            confidence: None,
            illegal_moves: None,
            first_illegal: None,
            status,
            notes: Vec::new(),
            position: None,
        }
    }
}

/// How rows of scores are written.
pub trait ScoreFormat: Send + Sync {
    /// What stands before the first row.
    fn header(&self, _out: &mut Vec<u8>) {}

    fn row(&self, row: &ScoreRow, out: &mut Vec<u8>);

    /// Whether the format shows the final position.
    fn wants_position(&self) -> bool {
        true
    }
}

/// A value of a row, by its kind: CSV and JSON write them differently.
enum Cell<'a> {
    /// Text from outside or a word of ours.
    Text(&'a str),
    Count(Option<u32>),
    Points(Option<f64>),
    Share(Option<f64>),
}

/// The columns of the table, in order.
fn columns(row: &ScoreRow) -> [(&'static str, Cell<'_>); 33] {
    use Cell::{Count, Points, Share, Text};
    let [black, white] = &row.sides;
    [
        ("file", Text(&row.file)),
        ("game", Count(row.game)),
        ("game_type", Text(&row.game_type)),
        ("board", Text(&row.board)),
        ("rules", Text(&row.rules)),
        ("rules_source", Text(&row.rules_source)),
        ("komi", Points(row.komi)),
        ("handicap", Count(row.handicap)),
        ("black", Text(&row.black)),
        ("white", Text(&row.white)),
        ("date", Text(&row.date)),
        ("event", Text(&row.event)),
        ("moves", Count(row.moves)),
        ("ended_by", Text(&row.ended_by)),
        ("black_captures", Count(black.captures)),
        ("white_captures", Count(white.captures)),
        ("black_dead", Count(black.dead)),
        ("white_dead", Count(white.dead)),
        ("black_territory", Count(black.territory)),
        ("white_territory", Count(white.territory)),
        ("black_stones", Count(black.stones)),
        ("white_stones", Count(white.stones)),
        ("dame", Count(row.dame)),
        ("seki_groups", Count(row.seki_groups)),
        ("black_score", Points(black.score)),
        ("white_score", Points(white.score)),
        ("result", Text(&row.result)),
        ("recorded_result", Text(&row.recorded_result)),
        (
            "agreement",
            Text(row.agreement.map_or("", Agreement::as_str)),
        ),
        ("confidence", Share(row.confidence)),
        ("illegal_moves", Count(row.illegal_moves)),
        ("first_illegal", Count(row.first_illegal)),
        ("status", Text(row.status.as_str())),
    ]
}

/// Rows as CSV with a header line.
#[derive(Clone, Copy, Debug, Default)]
pub struct CsvScores {
    /// Start with a byte order mark, by which Excel knows UTF-8.
    pub bom: bool,
}

impl ScoreFormat for CsvScores {
    fn header(&self, out: &mut Vec<u8>) {
        if self.bom {
            out.extend_from_slice("\u{feff}".as_bytes());
        }
        let empty = ScoreRow::bare("", None, RowStatus::Ok);
        let names = columns(&empty).map(|(name, _)| name);
        out.extend_from_slice(names.join(",").as_bytes());
        out.extend_from_slice(b",notes\n");
    }

    fn row(&self, row: &ScoreRow, out: &mut Vec<u8>) {
        let number = |text: Option<String>| text.unwrap_or_default();
        let mut writer = csv::WriterBuilder::new()
            .buffer_capacity(1024)
            .from_writer(out);
        for (_, cell) in columns(row) {
            let written = match cell {
                Cell::Text(text) => writer.write_field(&*harmless(text)),
                Cell::Count(count) => writer.write_field(number(count.map(|n| n.to_string()))),
                Cell::Points(value) => writer.write_field(number(value.map(points))),
                Cell::Share(share) => writer.write_field(number(share.map(|p| format!("{p:.3}")))),
            };
            written.expect("a buffer in memory takes everything");
        }
        writer
            .write_field(&*harmless(&row.notes.join(" ")))
            .and_then(|()| writer.write_record(None::<&[u8]>))
            .and_then(|()| Ok(writer.flush()?))
            .expect("a buffer in memory takes everything");
    }

    fn wants_position(&self) -> bool {
        false
    }
}

/// Rows as JSON objects, one a line.
#[derive(Clone, Copy, Debug, Default)]
pub struct JsonScores;

impl ScoreFormat for JsonScores {
    fn row(&self, row: &ScoreRow, out: &mut Vec<u8>) {
        out.push(b'{');
        for (name, cell) in columns(row) {
            json::write_string(name, out);
            out.push(b':');
            let number = match cell {
                Cell::Text("") => None,
                Cell::Text(text) => {
                    json::write_string(text, out);
                    out.push(b',');
                    continue;
                }
                Cell::Count(count) => count.map(|n| n.to_string()),
                Cell::Points(value) => value.map(points),
                Cell::Share(share) => share.map(|p| format!("{p:.3}")),
            };
            out.extend_from_slice(number.as_deref().unwrap_or("null").as_bytes());
            out.push(b',');
        }
        out.extend_from_slice(b"\"notes\":");
        write_list(&row.notes, out, |note, out| json::write_string(note, out));
        if let Some(position) = &row.position {
            write_position(position, out);
        }
        out.extend_from_slice(b"}\n");
    }
}

fn write_list<T>(items: &[T], out: &mut Vec<u8>, mut write: impl FnMut(&T, &mut Vec<u8>)) {
    out.push(b'[');
    for (i, item) in items.iter().enumerate() {
        if i > 0 {
            out.push(b',');
        }
        write(item, out);
    }
    out.push(b']');
}

fn write_position(position: &ScoredPosition, out: &mut Vec<u8>) {
    out.extend_from_slice(b",\"account\":");
    json::write_string(&position.account, out);
    out.extend_from_slice(b",\"map\":");
    write_list(&position.map, out, |line, out| {
        json::write_string(line, out)
    });
    out.extend_from_slice(b",\"chains\":");
    let size = position.size;
    let names = |points: &[Point], out: &mut Vec<u8>| {
        write_list(points, out, |&point, out| {
            json::write_string(&size.name(point), out)
        });
    };
    write_list(&position.chains, out, |chain, out| {
        let color = match chain.color {
            Color::Black => "black",
            Color::White => "white",
        };
        out.extend_from_slice(format!("{{\"color\":\"{color}\",\"points\":").as_bytes());
        names(&chain.stones, out);
        out.extend_from_slice(b",\"liberties\":");
        names(&chain.liberties, out);
        out.extend_from_slice(b",\"eyes\":");
        names(&chain.eyes, out);
        let (status, probability) = (chain.status.as_str(), chain.probability);
        out.extend_from_slice(
            format!(",\"status\":\"{status}\",\"probability\":{probability:.3},\"reason\":")
                .as_bytes(),
        );
        json::write_string(&chain.reason, out);
        out.push(b'}');
    });
    out.extend_from_slice(b",\"if\":");
    match &position.what_if {
        Some(sentence) => json::write_string(sentence, out),
        None => out.extend_from_slice(b"null"),
    }
}

/// A few lines a game, for people.
pub struct TextScores {
    styles: Styles,
}

impl TextScores {
    pub fn new(colored: bool) -> TextScores {
        TextScores {
            styles: Styles::new(colored),
        }
    }
}

impl ScoreFormat for TextScores {
    fn row(&self, row: &ScoreRow, out: &mut Vec<u8>) {
        let mut text = printable(&row.file).into_owned();
        if let Some(game) = row.game.filter(|&game| game > 1) {
            let _ = write!(text, ", game {game}");
        }
        let Styles { strong, reset, .. } = self.styles;
        let result = if row.result.is_empty() {
            row.status.as_str()
        } else {
            &row.result
        };
        let _ = write!(text, "  {strong}{result}{reset}");
        if let Some(confidence) = row.confidence {
            let _ = write!(text, "  ({:.0} % sure)", 100.0 * confidence);
        }
        if !row.recorded_result.is_empty() {
            let word = match row.agreement {
                Some(Agreement::Exact) => "as recorded".to_string(),
                _ => format!("recorded {}", printable(&row.recorded_result)),
            };
            let _ = write!(text, "  {word}");
        }
        text.push('\n');
        let players = [&row.black, &row.white].map(|name| printable(name));
        if !(row.black.is_empty() && row.white.is_empty()) {
            let _ = writeln!(
                text,
                "  {} (Black) against {} (White)",
                players[0], players[1]
            );
        }
        if let Some(position) = &row.position {
            let _ = writeln!(text, "  {}", position.account);
        }
        for note in &row.notes {
            let _ = writeln!(text, "  {}", printable(note));
        }
        out.extend_from_slice(text.as_bytes());
    }
}
