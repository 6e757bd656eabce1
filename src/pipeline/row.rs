//! Rows of the table of scores: the one mapping from an outcome to columns.
//!
//! `COLUMNS` is the list of columns, each with its name, its type, its meaning and the way to
//! take its `Cell` from a [`ScoreRow`]. CSV, JSON and every other table are made from this list,
//! and `kifu schema` prints it. A column has one type in every row: a score of 198 points is
//! `198.0`, as one of 169.5 is `169.5`.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;
use serde::ser::Serializer;

use crate::board::{Color, Point, Size};
use crate::count::{Agreement, ChainVerdict, Margin, chain_verdicts, normalized};
use crate::finding::{
    Code, Finding, LONGEST_CELL, Severity, nearest, shortened, shortened_message,
};
use crate::games::go::{NotGo, Verdict};
use crate::games::{DecidedBy, Decision, Winner};
use crate::games::{FinalScore, OtherGame};
use crate::sgf::Game;

/// The version of the tables: it changes when a column changes its name, type or meaning.
pub(crate) const SCHEMA_VERSION: u32 = 1;

/// The type of a column's values; all but [`ColumnType::Sentences`] may be missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub(crate) enum ColumnType {
    /// A string; missing is an empty cell in CSV and `null` in JSON.
    Text,
    /// A date as the record has it: text, and in a workbook a date where it is a single day.
    Date,
    /// A whole number that is not negative.
    Integer,
    /// A number of points, to hundredths.
    Number,
    /// A number from 0 to 1, to thousandths.
    Probability,
    /// A list of sentences; in CSV, one text.
    Sentences,
}

impl ColumnType {
    /// The word for it in `kifu schema`.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            ColumnType::Text => "text",
            ColumnType::Date => "date",
            ColumnType::Integer => "integer",
            ColumnType::Number => "number",
            ColumnType::Probability => "probability",
            ColumnType::Sentences => "sentences",
        }
    }
}

/// A value of a row.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub(crate) enum Cell<'a> {
    /// Text from outside or a word of kifu's own; empty where there is none.
    Text(&'a str),
    /// A date from outside, however it is written.
    Date(&'a str),
    /// A count.
    Integer(Option<u32>),
    /// Points.
    Number(Option<f64>),
    /// A probability.
    Probability(Option<f64>),
    /// Sentences.
    Sentences(&'a [String]),
}

/// A column of a table whose rows are of the type that `cell` takes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Column<F> {
    /// The name, which stays the same between versions.
    pub name: &'static str,
    /// The type of its values.
    pub kind: ColumnType,
    /// What it means, in a sentence.
    pub meaning: &'static str,
    /// Takes the value from a row.
    pub cell: F,
}

impl<F: Copy> Column<F> {
    /// A column; the alias of its table gives closures the type of their row.
    pub(crate) const fn new(
        name: &'static str,
        kind: ColumnType,
        meaning: &'static str,
        cell: F,
    ) -> Column<F> {
        Column {
            name,
            kind,
            meaning,
            cell,
        }
    }
}

/// Picks columns by their names, in the order of the names.
pub(crate) fn pick<F: Copy>(
    columns: &[Column<F>],
    names: &[String],
) -> Result<Vec<Column<F>>, NoColumn> {
    let find = |name: &String| {
        let found = columns.iter().find(|column| column.name == name.as_str());
        found.copied().ok_or_else(|| NoColumn {
            name: name.clone(),
            nearest: nearest(name, columns.iter().map(|column| column.name)),
        })
    };
    names.iter().map(find).collect()
}

/// A name that no column has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NoColumn {
    /// The name.
    pub name: String,
    /// The column that may have been meant.
    pub nearest: Option<&'static str>,
}

impl fmt::Display for NoColumn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "There is no column `{}`", self.name)?;
        if let Some(nearest) = self.nearest {
            write!(f, "; did you mean `{nearest}`?")?;
        } else {
            write!(f, ".")?;
        }
        write!(f, " `kifu schema` lists them all.")
    }
}

impl std::error::Error for NoColumn {}

impl Cell<'_> {
    /// The number as it is written, rounded so that equal values look equal.
    pub(crate) fn rounded(self) -> Option<f64> {
        match self {
            // Adding zero turns -0 into 0.
            Cell::Number(number) => number.map(|value| (value * 100.0).round() / 100.0 + 0.0),
            Cell::Probability(share) => share.map(|value| (value * 1000.0).round() / 1000.0),
            _ => None,
        }
    }
}

impl Serialize for Cell<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Cell::Text("") | Cell::Date("") => serializer.serialize_none(),
            Cell::Text(text) | Cell::Date(text) => serializer.serialize_str(text),
            Cell::Integer(count) => count.serialize(serializer),
            Cell::Number(_) | Cell::Probability(_) => self.rounded().serialize(serializer),
            Cell::Sentences(sentences) => sentences.serialize(serializer),
        }
    }
}

/// How far a record could be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RowStatus {
    /// Nothing stood in the way.
    Ok,
    /// Something had to be repaired or guessed.
    Repaired,
    /// The komi and the result on record exclude each other.
    Contradictory,
    /// The game holds illegal moves.
    Illegal,
    /// There is no game in the file, or it could not be read.
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
            RowStatus::Contradictory => "contradictory",
            RowStatus::Illegal => "illegal",
            RowStatus::Unreadable => "unreadable",
            RowStatus::NotGo => "not-go",
        }
    }
}

/// What is known of one side.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct SideRow {
    /// Stones that it took during play.
    pub captures: Option<u32>,
    /// Its stones that are dead at the end.
    pub dead: Option<u32>,
    /// Its territory.
    pub territory: Option<u32>,
    /// Its stones that stand.
    pub stones: Option<u32>,
    /// What it has by the rule set.
    pub score: Option<f64>,
}

/// One game's row. What does not apply is `None` or empty; `COLUMNS` says what each means.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
#[allow(missing_docs)]
pub struct ScoreRow {
    pub file: String,
    /// From 1; `None` when the file holds no game.
    pub game: Option<u32>,
    pub decision: Decision,
    pub estimate: String,
    pub final_position: Option<bool>,
    pub findings: String,
    pub worst: Option<Severity>,
    pub game_type: String,
    pub board: String,
    pub rules: String,
    pub rules_source: String,
    pub komi: Option<f64>,
    pub komi_source: String,
    pub handicap: Option<u32>,
    pub handicap_points: Option<u32>,
    pub black: String,
    pub black_rank: String,
    pub black_team: String,
    pub white: String,
    pub white_rank: String,
    pub white_team: String,
    pub date: String,
    pub event: String,
    pub round: String,
    pub place: String,
    pub time: String,
    pub overtime: String,
    pub source: String,
    pub moves: Option<u32>,
    pub ended_by: String,
    /// Black's, then White's.
    pub sides: [SideRow; 2],
    pub dame: Option<u32>,
    pub seki_groups: Option<u32>,
    pub recorded_result: String,
    pub agreement: Option<Agreement>,
    pub confidence: Option<f64>,
    pub illegal_moves: Option<u32>,
    pub first_illegal: Option<u32>,
    pub status: RowStatus,
    pub notes: Vec<String>,
    /// What would have to be otherwise for the recorded result; one of the notes as well.
    pub what_if: Option<String>,
    /// Only where it was asked for.
    pub position: Option<ScoredPosition>,
}

/// The final position of a game of Go, understood.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ScoredPosition {
    /// How the score is made up.
    pub account: String,
    /// One string per row, from the top.
    pub map: Vec<String>,
    /// The verdict on each chain.
    pub chains: Vec<ChainRow>,
}

/// The verdict on a chain, with points by their names.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ChainRow {
    /// `black` or `white`.
    pub color: String,
    /// Its stones, row by row from the top left: `C4`.
    pub points: Vec<String>,
    /// The empty points next to it.
    pub liberties: Vec<String>,
    /// Its true one-point eyes.
    pub eyes: Vec<String>,
    /// One-point eyes that will have to be filled.
    pub false_eyes: Vec<String>,
    /// `alive`, `dead` or `seki`.
    pub status: String,
    /// How sure the status is.
    pub probability: f64,
    /// Why, in words.
    pub reason: String,
}

impl ChainRow {
    fn new(chain: ChainVerdict, size: Size) -> ChainRow {
        let names = |points: &[Point]| points.iter().map(|&point| size.name(point)).collect();
        let color = match chain.color {
            Color::Black => "black",
            Color::White => "white",
        };
        ChainRow {
            color: color.to_string(),
            points: names(&chain.stones),
            liberties: names(&chain.liberties),
            eyes: names(&chain.eyes),
            false_eyes: names(&chain.false_eyes),
            status: chain.status.as_str().to_string(),
            probability: (chain.probability * 1000.0).round() / 1000.0,
            reason: chain.reason,
        }
    }
}

/// A finding in the table of findings.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FindingRow<'a> {
    /// The path as given.
    pub file: &'a str,
    /// What was found there.
    pub finding: &'a Finding,
}

/// The type of a column of [`FindingRow`]s.
pub(crate) type FindingColumn = Column<for<'r> fn(&'r FindingRow<'r>) -> Cell<'r>>;

/// The columns of the table of findings, in order.
pub(crate) const FINDING_COLUMNS: &[FindingColumn] = {
    use ColumnType::{Integer, Text};
    &[
        FindingColumn::new(
            "file",
            Text,
            "The path as given; `archive.zip/inner/path.sgf` for a member of an archive; `-` for standard input.",
            |row| Cell::Text(row.file),
        ),
        FindingColumn::new(
            "game",
            Integer,
            "The game in the file, from 1; missing when the finding is about the file as a whole.",
            |row| Cell::Integer(counted(row.finding.game)),
        ),
        FindingColumn::new(
            "move",
            Integer,
            "The move, from 1, where the finding is about a move.",
            |row| Cell::Integer(row.finding.move_number),
        ),
        FindingColumn::new(
            "line",
            Integer,
            "The line in the file, from 1; missing where the finding has no place in the text.",
            |row| Cell::Integer(counted(row.finding.place.line)),
        ),
        FindingColumn::new(
            "column",
            Integer,
            "The character in the line, from 1.",
            |row| Cell::Integer(counted(row.finding.place.column)),
        ),
        FindingColumn::new(
            "severity",
            Text,
            "`error`: the game, or a part of it, can't be trusted. `warning`: something was repaired or contradicts itself. `note`: worth knowing.",
            |row| Cell::Text(row.finding.severity.as_str()),
        ),
        FindingColumn::new(
            "code",
            Text,
            "A word that stays the same between versions; `kifu explain` lists them all.",
            |row| Cell::Text(row.finding.code.as_str()),
        ),
        FindingColumn::new("message", Text, "A sentence.", |row| {
            Cell::Text(&row.finding.message)
        }),
    ]
};

/// A number that counts from 1, where 0 means that there is none.
fn counted(number: u32) -> Option<u32> {
    (number > 0).then_some(number)
}

impl Serialize for FindingRow<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(
            FINDING_COLUMNS
                .iter()
                .map(|column| (column.name, (column.cell)(self))),
        )
    }
}

/// The type of a column of [`ScoreRow`]s.
pub(crate) type ScoreColumn = Column<fn(&ScoreRow) -> Cell<'_>>;

/// The columns of the table of scores, in order: who and what, the result, the record, the account.
pub(crate) const COLUMNS: &[ScoreColumn] = {
    use ColumnType::{Date, Integer, Number, Probability, Sentences, Text};
    &[
        ScoreColumn::new(
            "file",
            Text,
            "The path as given; `archive.zip/inner/path.sgf` for a member of an archive; `-` for standard input.",
            |row| Cell::Text(&row.file),
        ),
        ScoreColumn::new(
            "game",
            Integer,
            "The game in the file, from 1; missing when the file holds no game.",
            |row| Cell::Integer(row.game),
        ),
        ScoreColumn::new("black", Text, "Black's name, from the record.", |row| {
            Cell::Text(&row.black)
        }),
        ScoreColumn::new(
            "black_rank",
            Text,
            "Black's rank, from the record.",
            |row| Cell::Text(&row.black_rank),
        ),
        ScoreColumn::new("white", Text, "White's name, from the record.", |row| {
            Cell::Text(&row.white)
        }),
        ScoreColumn::new(
            "white_rank",
            Text,
            "White's rank, from the record.",
            |row| Cell::Text(&row.white_rank),
        ),
        ScoreColumn::new("date", Date, "The date, from the record.", |row| {
            Cell::Date(&row.date)
        }),
        ScoreColumn::new("event", Text, "The event, from the record.", |row| {
            Cell::Text(&row.event)
        }),
        ScoreColumn::new("round", Text, "The round, from the record.", |row| {
            Cell::Text(&row.round)
        }),
        ScoreColumn::new(
            "result",
            Text,
            "The game's result: counted where the position is final (`B+3.5`, `W+0.5`, `0`), as recorded where the game was decided otherwise (`B+R`, `W+T`, `W+F`, `Void`) or, without a final position, by nobody knows how much (`B+`), missing where nothing decides it.",
            |row| Cell::Text(&row.decision.result),
        ),
        ScoreColumn::new("winner", Text, "`black`, `white` or `draw`.", |row| {
            Cell::Text(row.decision.winner.map_or("", Winner::as_str))
        }),
        ScoreColumn::new(
            "margin",
            Number,
            "The counted margin from Black's point of view: negative where White wins.",
            |row| Cell::Number(row.decision.margin.map(Margin::black_lead)),
        ),
        ScoreColumn::new(
            "recorded_result",
            Text,
            "The record's result in one spelling.",
            |row| Cell::Text(&row.recorded_result),
        ),
        ScoreColumn::new(
            "agreement",
            Text,
            "The counted result against the recorded one: `exact`, `winner` (another margin), `differs` (another winner) or `not-comparable` (no margin on record, and no other winner).",
            |row| Cell::Text(row.agreement.map_or("", Agreement::as_str)),
        ),
        ScoreColumn::new(
            "confidence",
            Probability,
            "The probability that the players would have agreed on the counted result; missing where nothing was counted or the dead stones were given.",
            |row| Cell::Probability(row.confidence),
        ),
        ScoreColumn::new(
            "decided_by",
            Text,
            "`count`, `resignation`, `time`, `forfeit` or `illegal-move`; missing where nothing decides the game.",
            |row| Cell::Text(row.decision.by.map_or("", DecidedBy::as_str)),
        ),
        ScoreColumn::new(
            "estimate",
            Text,
            "What the board looks like where no count decides the game: `W+11`; missing where the game was decided with too much of it open to say who leads.",
            |row| Cell::Text(&row.estimate),
        ),
        ScoreColumn::new(
            "final_position",
            Text,
            "`yes` if the game was played out, else `no`.",
            |row| {
                Cell::Text(
                    row.final_position
                        .map_or("", |is_final| if is_final { "yes" } else { "no" }),
                )
            },
        ),
        ScoreColumn::new(
            "ended_by",
            Text,
            "What the moves say: `passes`; else what the record says: `resignation`, `time`, `forfeit`, `counted` (a margin, and no passes), `unfinished`; else `unknown`.",
            |row| Cell::Text(&row.ended_by),
        ),
        ScoreColumn::new("moves", Integer, "Moves, passes included.", |row| {
            Cell::Integer(row.moves)
        }),
        ScoreColumn::new(
            "status",
            Text,
            "`ok`, `repaired`, `contradictory` (the komi and the result on record exclude each other), `illegal` (the game holds illegal moves), `unreadable` or `not-go`.",
            |row| Cell::Text(row.status.as_str()),
        ),
        ScoreColumn::new(
            "worst",
            Text,
            "The severity of the worst finding: `error`, `warning` or `note`.",
            |row| Cell::Text(row.worst.map_or("", Severity::as_str)),
        ),
        ScoreColumn::new(
            "findings",
            Text,
            "The codes of what was found, with their number where over one: `off-board(3) superko`.",
            |row| Cell::Text(&row.findings),
        ),
        ScoreColumn::new(
            "illegal_moves",
            Integer,
            "How many moves break the rules.",
            |row| Cell::Integer(row.illegal_moves),
        ),
        ScoreColumn::new(
            "first_illegal",
            Integer,
            "The number of the first move that breaks the rules.",
            |row| Cell::Integer(row.first_illegal),
        ),
        ScoreColumn::new(
            "game_type",
            Text,
            "`go`, `gridless-go` or `hasami-shogi`.",
            |row| Cell::Text(&row.game_type),
        ),
        ScoreColumn::new("board", Text, "The size of the board: `19x19`.", |row| {
            Cell::Text(&row.board)
        }),
        ScoreColumn::new("rules", Text, "The rule set that was counted by.", |row| {
            Cell::Text(&row.rules)
        }),
        ScoreColumn::new(
            "rules_source",
            Text,
            "What chose the rules: the `record`, an `option`, the ways of the `server`, the `statistics` of its source, or the `default`.",
            |row| Cell::Text(&row.rules_source),
        ),
        ScoreColumn::new("komi", Number, "The komi in points.", |row| {
            Cell::Number(row.komi)
        }),
        ScoreColumn::new(
            "komi_source",
            Text,
            "What chose the komi: the `record`, an `option`, the ways of the `server`, the `statistics` of its source, or the `default`.",
            |row| Cell::Text(&row.komi_source),
        ),
        ScoreColumn::new(
            "handicap",
            Integer,
            "The number of handicap stones.",
            |row| Cell::Integer(row.handicap),
        ),
        ScoreColumn::new(
            "handicap_points",
            Integer,
            "What White gets for the handicap stones by the rule set; part of `white_score`.",
            |row| Cell::Integer(row.handicap_points),
        ),
        ScoreColumn::new(
            "black_score",
            Number,
            "What Black has by the rule set.",
            |row| Cell::Number(row.sides[0].score),
        ),
        ScoreColumn::new(
            "white_score",
            Number,
            "What White has by the rule set, komi and handicap points included.",
            |row| Cell::Number(row.sides[1].score),
        ),
        ScoreColumn::new(
            "black_territory",
            Integer,
            "Black's territory in points.",
            |row| Cell::Integer(row.sides[0].territory),
        ),
        ScoreColumn::new(
            "white_territory",
            Integer,
            "White's territory in points.",
            |row| Cell::Integer(row.sides[1].territory),
        ),
        ScoreColumn::new(
            "black_stones",
            Integer,
            "Black's stones that stand at the end.",
            |row| Cell::Integer(row.sides[0].stones),
        ),
        ScoreColumn::new(
            "white_stones",
            Integer,
            "White's stones that stand at the end.",
            |row| Cell::Integer(row.sides[1].stones),
        ),
        ScoreColumn::new(
            "black_captures",
            Integer,
            "Stones that Black took during play.",
            |row| Cell::Integer(row.sides[0].captures),
        ),
        ScoreColumn::new(
            "white_captures",
            Integer,
            "Stones that White took during play.",
            |row| Cell::Integer(row.sides[1].captures),
        ),
        ScoreColumn::new(
            "black_dead",
            Integer,
            "Black's stones that are dead at the end: prisoners of White.",
            |row| Cell::Integer(row.sides[0].dead),
        ),
        ScoreColumn::new(
            "white_dead",
            Integer,
            "White's stones that are dead at the end: prisoners of Black.",
            |row| Cell::Integer(row.sides[1].dead),
        ),
        ScoreColumn::new("dame", Integer, "Points that are nobody's.", |row| {
            Cell::Integer(row.dame)
        }),
        ScoreColumn::new(
            "seki_groups",
            Integer,
            "Groups that are alive in seki.",
            |row| Cell::Integer(row.seki_groups),
        ),
        ScoreColumn::new(
            "black_team",
            Text,
            "Black's team, from the record.",
            |row| Cell::Text(&row.black_team),
        ),
        ScoreColumn::new(
            "white_team",
            Text,
            "White's team, from the record.",
            |row| Cell::Text(&row.white_team),
        ),
        ScoreColumn::new(
            "place",
            Text,
            "Where the game was played, from the record.",
            |row| Cell::Text(&row.place),
        ),
        ScoreColumn::new("time", Text, "The time limit, from the record.", |row| {
            Cell::Text(&row.time)
        }),
        ScoreColumn::new("overtime", Text, "The overtime, from the record.", |row| {
            Cell::Text(&row.overtime)
        }),
        ScoreColumn::new("source", Text, "The source that the record names.", |row| {
            Cell::Text(&row.source)
        }),
        ScoreColumn::new(
            "notes",
            Sentences,
            "How the score came about and, where the record differs, what would give its result.",
            |row| Cell::Sentences(&row.notes),
        ),
    ]
};

impl Serialize for ScoreRow {
    /// An object with a key per column and, where it was asked for, those of the position.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Object<'a> {
            #[serde(flatten)]
            columns: Columns<'a>,
            #[serde(flatten)]
            position: Option<Position<'a>>,
        }
        #[derive(Serialize)]
        struct Position<'a> {
            #[serde(flatten)]
            position: &'a ScoredPosition,
            what_if: Option<&'a str>,
        }
        let object = Object {
            columns: Columns(self),
            position: self.position.as_ref().map(|position| Position {
                position,
                what_if: self.what_if.as_deref(),
            }),
        };
        object.serialize(serializer)
    }
}

/// The columns of a row alone.
struct Columns<'a>(&'a ScoreRow);

impl Serialize for Columns<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(
            COLUMNS
                .iter()
                .map(|column| (column.name, (column.cell)(self.0))),
        )
    }
}

impl ScoreRow {
    /// A row of which only the name and the status are known.
    pub(crate) fn bare(file: &str, game: Option<u32>, status: RowStatus) -> ScoreRow {
        ScoreRow {
            file: file.to_string(),
            game,
            decision: Decision::default(),
            estimate: String::new(),
            final_position: None,
            findings: String::new(),
            worst: None,
            game_type: String::new(),
            board: String::new(),
            rules: String::new(),
            rules_source: String::new(),
            komi: None,
            komi_source: String::new(),
            handicap: None,
            handicap_points: None,
            black: String::new(),
            black_rank: String::new(),
            black_team: String::new(),
            white: String::new(),
            white_rank: String::new(),
            white_team: String::new(),
            date: String::new(),
            event: String::new(),
            round: String::new(),
            place: String::new(),
            time: String::new(),
            overtime: String::new(),
            source: String::new(),
            moves: None,
            ended_by: String::new(),
            sides: Default::default(),
            dame: None,
            seki_groups: None,
            recorded_result: String::new(),
            agreement: None,
            confidence: None,
            illegal_moves: None,
            first_illegal: None,
            status,
            notes: Vec::new(),
            what_if: None,
            position: None,
        }
    }

    /// About how many bytes it holds in memory.
    pub(crate) fn held(&self) -> usize {
        let texts = COLUMNS.iter().map(|column| match (column.cell)(self) {
            Cell::Text(text) | Cell::Date(text) => text.len(),
            Cell::Sentences(sentences) => sentences.iter().map(|text| text.len() + 24).sum(),
            Cell::Integer(_) | Cell::Number(_) | Cell::Probability(_) => 0,
        });
        let position = self.position.as_ref().map_or(0, |position| {
            let chains = position.chains.iter().map(|chain| {
                let points = [&chain.points, &chain.liberties, &chain.eyes];
                let points: usize = points.iter().map(|points| points.len()).sum();
                size_of::<ChainRow>() + 32 * points + chain.reason.len()
            });
            position.account.len() + 64 * position.map.len() + chains.sum::<usize>()
        });
        size_of::<ScoreRow>() + texts.sum::<usize>() + position
    }

    /// The row of a file without games, or of a game that was not read; the findings say why.
    pub(crate) fn unreadable(file: &str, findings: &[Finding]) -> ScoreRow {
        let games = findings.iter().map(|finding| finding.game);
        let game = games.max().filter(|&game| game > 0);
        let mut row = ScoreRow::bare(file, game, RowStatus::Unreadable);
        row.notes = findings
            .iter()
            .map(|finding| finding.message.clone())
            .collect();
        row
    }

    /// A row with what every kind of game has in its header.
    fn of_game(file: &str, game: &Game) -> ScoreRow {
        let header = &game.header;
        let mut row = ScoreRow::bare(file, Some(game.number), RowStatus::Ok);
        let texts = [
            (&mut row.black, &header.black),
            (&mut row.black_rank, &header.black_rank),
            (&mut row.black_team, &header.black_team),
            (&mut row.white, &header.white),
            (&mut row.white_rank, &header.white_rank),
            (&mut row.white_team, &header.white_team),
            (&mut row.date, &header.date),
            (&mut row.event, &header.event),
            (&mut row.round, &header.round),
            (&mut row.place, &header.place),
            (&mut row.time, &header.time),
            (&mut row.overtime, &header.overtime),
            (&mut row.source, &header.source),
        ];
        let recorded = header.result.as_ref().map(normalized).unwrap_or_default();
        let mut cut = false;
        for (cell, text) in texts
            .into_iter()
            .chain([(&mut row.recorded_result, &recorded)])
        {
            let short = shortened(text, LONGEST_CELL);
            cut |= short.len() < text.len();
            *cell = short.into_owned();
        }
        if cut {
            row.notes.push(format!(
                "A value of the header has more than {LONGEST_CELL} characters; its middle is left \
                 out here."
            ));
        }
        row
    }

    /// Writes the codes of the findings about this game, and about the file as a whole.
    pub(crate) fn list_findings(&mut self, codes: &BTreeMap<Code, (Severity, u32)>) {
        let words = codes.iter().map(|(code, (_, count))| match count {
            1 => code.as_str().to_string(),
            _ => format!("{}({count})", code.as_str()),
        });
        self.findings = words.collect::<Vec<_>>().join(" ");
        self.worst = codes.values().map(|(severity, _)| *severity).max();
    }

    fn count_illegal(&mut self, illegal: u32, first: Option<u32>) {
        self.illegal_moves = Some(illegal);
        self.first_illegal = first;
        if illegal > 0 {
            self.status = RowStatus::Illegal;
        }
    }
}

/// What rows are to hold beside the results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Wanted {
    /// Estimates of games that no count decides, with the scores behind them.
    pub estimates: bool,
    /// The final position: its map, its chains and the reasons.
    pub positions: bool,
}

impl Default for Wanted {
    fn default() -> Wanted {
        Wanted {
            estimates: true,
            positions: false,
        }
    }
}

/// The row of a game of Go; with its final position, if that is asked for.
pub(crate) fn go(file: &str, game: &Game, verdict: &Verdict, wanted: Wanted) -> ScoreRow {
    let mut row = ScoreRow::of_game(file, game);
    let (count, replay) = (&verdict.count, &verdict.replay);
    row.decision = verdict.decision.clone();
    row.final_position = Some(verdict.not_final.is_none());
    row.game_type = "go".to_string();
    row.board = game.size.to_string();
    row.rules = verdict.rules.rules.to_string();
    row.rules_source = verdict.rules.source.as_str().to_string();
    row.komi = Some(verdict.komi);
    row.komi_source = verdict.komi_source.as_str().to_string();
    row.handicap = Some(replay.handicap);
    row.handicap_points = Some(verdict.rules.rules.handicap_points(replay.handicap));
    row.moves = Some(replay.moves);
    row.ended_by = verdict.ended_by.as_str().to_string();
    let counted = verdict.decision.by == Some(DecidedBy::Count);
    if counted || (wanted.estimates && verdict.has_estimate()) {
        row.sides = [&count.black, &count.white].map(|side| SideRow {
            captures: Some(side.captures),
            dead: Some(side.dead),
            territory: Some(side.territory),
            stones: Some(side.stones),
            score: Some(side.score),
        });
        row.dame = Some(count.dame);
        row.seki_groups = Some(count.seki_groups);
        let estimate = verdict.estimate();
        row.estimate = estimate
            .map(|margin| margin.to_string())
            .unwrap_or_default();
    }
    row.agreement = Some(verdict.agreement);
    row.confidence = verdict.confidence;
    row.count_illegal(replay.illegal, replay.first_illegal);
    row.notes.extend_from_slice(&verdict.notes);
    row.what_if = verdict
        .counterfactual
        .as_ref()
        .map(|change| change.sentence.clone());
    row.notes
        .extend(row.what_if.iter().map(|sentence| format!("{sentence}.")));
    if wanted.positions {
        let chains = match &verdict.life {
            Some(life) => chain_verdicts(&replay.board, life, count),
            None => Vec::new(),
        };
        row.position = Some(ScoredPosition {
            account: count.explain(),
            map: count.map.rows(),
            chains: chains
                .into_iter()
                .map(|chain| ChainRow::new(chain, game.size))
                .collect(),
        });
    }
    row
}

/// The row of one of the other games.
pub(crate) fn other_game(file: &str, game: &Game, played: &OtherGame) -> ScoreRow {
    let mut row = ScoreRow::of_game(file, game);
    let FinalScore { scores, result } = played.score();
    let men = played.board.men();
    row.game_type = played.game_type.to_string();
    row.board = played.size.to_string();
    row.komi = Some(played.komi);
    row.moves = Some(played.moves);
    row.ended_by = if played.over { "passes" } else { "unknown" }.to_string();
    for (color, side) in Color::BOTH.into_iter().zip(&mut row.sides) {
        let i = color.index();
        side.captures = Some(played.captures[i]);
        side.stones = Some(men[i]);
        side.score = Some(scores[i]);
    }
    row.agreement = Some(match &game.header.result {
        Some(recorded) if *recorded == result => Agreement::Exact,
        _ => Agreement::NotComparable,
    });
    row.final_position = Some(played.over);
    let decision = Decision::of_other_game(&result, game.header.result.as_ref(), played.over);
    if decision.by != Some(DecidedBy::Count) {
        row.estimate = normalized(&result);
    }
    row.decision = decision;
    row.count_illegal(played.illegal_moves, played.first_illegal);
    row
}

/// The row of a game that kifu does not know.
pub(crate) fn unknown_game(file: &str, game: &Game, not_go: &NotGo) -> ScoreRow {
    let mut row = ScoreRow::bare(file, Some(game.number), RowStatus::NotGo);
    row.notes.push(shortened_message(not_go.to_string()));
    row
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell_is_of_its_columns_type() {
        let row = ScoreRow::bare("a.sgf", None, RowStatus::Ok);
        for column in COLUMNS {
            let kind = match (column.cell)(&row) {
                Cell::Text(_) => ColumnType::Text,
                Cell::Date(_) => ColumnType::Date,
                Cell::Integer(_) => ColumnType::Integer,
                Cell::Number(_) => ColumnType::Number,
                Cell::Probability(_) => ColumnType::Probability,
                Cell::Sentences(_) => ColumnType::Sentences,
            };
            assert_eq!(kind, column.kind, "{}", column.name);
        }
    }

    #[test]
    fn numbers_look_the_same_in_every_row() {
        let json = |cell: Cell| serde_json::to_string(&cell).unwrap();
        assert_eq!(json(Cell::Number(Some(198.0))), "198.0");
        assert_eq!(json(Cell::Number(Some(-0.0))), "0.0");
        assert_eq!(json(Cell::Number(Some(169.504))), "169.5");
        assert_eq!(json(Cell::Probability(Some(1.0))), "1.0");
        assert_eq!(json(Cell::Number(None)), "null");
        assert_eq!(json(Cell::Text("")), "null");
    }
}
