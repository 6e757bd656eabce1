//! Workbooks for Excel and LibreOffice.
//!
//! The table of scores with real numbers and dates, and beside it what people make of such a table
//! first: the games to look at, the findings, the standings, a summary with its charts. The
//! columns are those of every other format ([`COLUMNS`](crate::pipeline::row::COLUMNS)).
//!
//! Rows are written to temporary files as they come, so that memory stays as it is; only what
//! the summary and the standings add up is kept, and the pictures of `--boards`, of which there
//! is a limit. Text is always written as text: no cell is ever a formula, whatever a player calls
//! himself. The same input gives the same bytes.

mod sheet;
mod summary;

use std::io;

use rust_xlsxwriter::{
    ConditionalFormatFormula, DocProperties, ExcelDateTime, Format, FormatAlign, FormatBorder,
    Image, ObjectMovement, XlsxError,
};

use self::sheet::{Heading, Table};
use super::{FindingDocument, ScoreDocument, ScoredPart, SharedDestination};
use crate::finding::Finding;
use crate::pipeline::batch::Ended;
use crate::pipeline::row::{
    COLUMNS, Cell, Column, FINDING_COLUMNS, FindingColumn, FindingRow, ScoreColumn, ScoreRow,
};
use crate::pipeline::tally::{ScoreTally, Tally, reason_to_look};
use crate::standings::{STANDING_COLUMNS, StandingRow, Standings};

/// How many boards are drawn at most: Excel keeps every picture in memory, and so does the writer.
pub(crate) const MOST_BOARDS: u64 = 5000;

/// How wide and high a board is in its cell, in pixels.
const BOARD_SIDE: u32 = 132;

/// The columns of a game that are repeated among those to look at.
const LOOK_AT: [&str; 10] = [
    "file",
    "game",
    "black",
    "white",
    "date",
    "event",
    "result",
    "recorded_result",
    "agreement",
    "confidence",
];

/// The last column of the table of scores that is printed: what follows is the account, which no
/// paper is wide enough for.
const LAST_PRINTED: &str = "confidence";

/// What a workbook is told about the run.
#[derive(Clone, Debug, Default)]
pub(crate) struct About {
    /// The command, as it was typed.
    pub command: String,
}

/// A workbook of scores.
pub(crate) struct ScoreWorkbook {
    workbook: rust_xlsxwriter::Workbook,
    output: SharedDestination,
    about: About,
    formats: Formats,
    columns: Vec<ScoreColumn>,
    look_columns: Vec<ScoreColumn>,
    has_boards: bool,
    boards: u64,
    boards_left_out: u64,
    scores: Table,
    look_at: Table,
    findings: Table,
    standings: Standings,
}

impl ScoreWorkbook {
    /// A workbook with these columns in its table of scores and, if it is to have them, pictures.
    pub(crate) fn new(
        output: SharedDestination,
        columns: Vec<ScoreColumn>,
        has_boards: bool,
        standings: Standings,
        about: About,
    ) -> io::Result<ScoreWorkbook> {
        let mut workbook = new_workbook().map_err(unwritten)?;
        let look_columns: Vec<ScoreColumn> = LOOK_AT
            .iter()
            .filter_map(|name| COLUMNS.iter().find(|column| column.name == *name))
            .copied()
            .collect();
        let picture = has_boards.then_some(Heading {
            name: "position",
            meaning: "The final position, with territory, dead stones and seki.",
        });
        let mut look_headings: Vec<Heading> = look_columns.iter().map(Heading::of).collect();
        look_headings.extend([
            Heading {
                name: "why",
                meaning: "Why the game is worth a look.",
            },
            Heading {
                name: "what_if",
                meaning: "The smallest change that gives the result on record.",
            },
        ]);
        let headings = picture
            .into_iter()
            .chain(columns.iter().map(Heading::of))
            .collect();
        let formats = Formats::new();
        let mut table = |name, headings| Table::new(name, headings, &formats, &mut workbook);
        Ok(ScoreWorkbook {
            scores: table("Scores", headings).map_err(unwritten)?,
            look_at: table("Look at these", look_headings).map_err(unwritten)?,
            findings: table(
                "Findings",
                FINDING_COLUMNS.iter().map(Heading::of).collect(),
            )
            .map_err(unwritten)?,
            workbook,
            output,
            about,
            formats,
            columns,
            look_columns,
            has_boards,
            boards: 0,
            boards_left_out: 0,
            standings,
        })
    }

    fn add_row(&mut self, row: &ScoreRow, board: Option<&[u8]>) -> Result<(), XlsxError> {
        let first = u16::from(self.has_boards);
        let height = self.has_boards.then_some(BOARD_SIDE + 4);
        self.scores.begin_row(&mut self.workbook, height)?;
        if let Some(png) = board {
            if self.boards < MOST_BOARDS {
                let image = Image::new_from_buffer(png)?
                    .set_scale_to_size(BOARD_SIDE, BOARD_SIDE, true)
                    .set_object_movement(ObjectMovement::MoveAndSizeWithCells)
                    .set_alt_text(format!("Final position, {}", row.decision.result));
                self.scores.insert_image(&image)?;
                self.boards += 1;
            } else {
                self.boards_left_out += 1;
            }
        }
        for (number, column) in (first..).zip(&self.columns) {
            self.scores.write(number, (column.cell)(row))?;
        }
        if let Some(reason) = reason_to_look(row) {
            self.look_at.begin_row(&mut self.workbook, None)?;
            for (number, column) in (0..).zip(&self.look_columns) {
                self.look_at.write(number, (column.cell)(row))?;
            }
            let next = self.look_columns.len() as u16;
            self.look_at.write(next, Cell::Text(&reason))?;
            let what_if = row.what_if.as_deref().unwrap_or_default();
            self.look_at.write(next + 1, Cell::Text(what_if))?;
        }
        self.standings.add(row);
        Ok(())
    }

    fn finish(&mut self, tally: &ScoreTally, ended: Ended) -> Result<(), XlsxError> {
        self.color_scores()?;
        let mut standings = Table::new(
            "Standings",
            STANDING_COLUMNS.iter().map(Heading::of).collect(),
            &self.formats,
            &mut self.workbook,
        )?;
        for event in self.standings.events() {
            for player in &event.players {
                let row = StandingRow::new(&event, player);
                standings.begin_row(&mut self.workbook, None)?;
                for (number, column) in (0..).zip(STANDING_COLUMNS) {
                    standings.write(number, (column.cell)(&row))?;
                }
            }
        }
        let mut notes = vec![interruption(ended)];
        for table in [&self.scores, &self.look_at, &self.findings, &standings] {
            notes.push(table.note_on_sheets());
            notes.push(table.note_on_cuts());
        }
        if self.boards_left_out > 0 {
            let count = self.boards_left_out;
            notes.push(Some(format!(
                "{count} games have no picture: a workbook holds {MOST_BOARDS} boards at most."
            )));
        }
        if self.standings.nameless > 0 {
            notes.push(Some(format!(
                "{} games do not name two players and count for nobody in the standings.",
                self.standings.nameless
            )));
        }
        let notes: Vec<String> = notes.into_iter().flatten().collect();
        let summary = summary::of_scores(tally, &self.about, &notes, &self.formats)?;
        for table in [
            &mut self.scores,
            &mut self.look_at,
            &mut self.findings,
            &mut standings,
        ] {
            table.push_to(&mut self.workbook)?;
        }
        self.workbook.push_worksheet(summary);
        self.workbook.save_to_writer(self.output.clone())
    }

    /// Colours disagreements, low confidence and records that something is wrong with.
    fn color_scores(&mut self) -> Result<(), XlsxError> {
        let first = u16::from(self.has_boards);
        let place = |name: &str| {
            let place = self.columns.iter().position(|column| column.name == name);
            place.map(|place| first + place as u16)
        };
        let formats = &self.formats;
        let mut rules: Vec<(&str, &str, &Format)> = Vec::new();
        for colored in ["result", "recorded_result", "agreement"] {
            rules.push((colored, "agreement=\"differs\"", &formats.differs));
            rules.push((colored, "agreement=\"winner\"", &formats.other_margin));
        }
        rules.push(("confidence", "confidence<0.5", &formats.differs));
        rules.push(("confidence", "confidence<0.9", &formats.unsure));
        for status in ["illegal", "unreadable"] {
            let rule: &str = match status {
                "illegal" => "status=\"illegal\"",
                _ => "status=\"unreadable\"",
            };
            rules.push(("status", rule, &formats.differs));
        }
        rules.push(("status", "status=\"contradictory\"", &formats.other_margin));
        for (colored, rule, format) in rules {
            let asked = rule.split(['=', '<']).next().unwrap_or_default();
            let (Some(colored), Some(asked_place)) = (place(colored), place(asked)) else {
                continue;
            };
            let cell = format!(
                "${}2",
                rust_xlsxwriter::utility::column_number_to_name(asked_place)
            );
            let mut formula = format!("={}", rule.replacen(asked, &cell, 1));
            // An empty cell is less than any number.
            if rule.contains('<') {
                formula = format!("=AND({cell}<>\"\",{})", &formula[1..]);
            }
            let rule = ConditionalFormatFormula::new()
                .set_rule(formula.as_str())
                .set_format(format.clone());
            self.scores.add_rule(colored, rule);
        }
        let last = place(LAST_PRINTED);
        self.scores.print_up_to(last);
        Ok(())
    }
}

impl ScoreDocument for ScoreWorkbook {
    fn add(&mut self, part: ScoredPart) -> io::Result<()> {
        for (number, row) in part.rows.iter().enumerate() {
            let board = part.boards.get(number).and_then(Option::as_deref);
            self.add_row(row, board).map_err(unwritten)?;
        }
        add_findings(
            &mut self.findings,
            &mut self.workbook,
            FINDING_COLUMNS,
            &part.file,
            &part.findings,
        )
        .map_err(unwritten)
    }

    fn close(&mut self, tally: &ScoreTally, ended: Ended) -> io::Result<()> {
        self.finish(tally, ended).map_err(unwritten)
    }
}

/// A workbook of findings.
pub(crate) struct FindingWorkbook {
    workbook: rust_xlsxwriter::Workbook,
    output: SharedDestination,
    about: About,
    formats: Formats,
    columns: Vec<FindingColumn>,
    findings: Table,
}

impl FindingWorkbook {
    /// A workbook with these columns.
    pub(crate) fn new(
        output: SharedDestination,
        columns: Vec<FindingColumn>,
        about: About,
    ) -> io::Result<FindingWorkbook> {
        let mut workbook = new_workbook().map_err(unwritten)?;
        let formats = Formats::new();
        let headings = columns.iter().map(Heading::of).collect();
        let findings = Table::new("Findings", headings, &formats, &mut workbook);
        Ok(FindingWorkbook {
            findings: findings.map_err(unwritten)?,
            workbook,
            output,
            about,
            formats,
            columns,
        })
    }

    fn finish(&mut self, tally: &Tally, ended: Ended) -> Result<(), XlsxError> {
        let severity = self
            .columns
            .iter()
            .position(|column| column.name == "severity");
        if let Some(severity) = severity {
            let severity = severity as u16;
            let cell = rust_xlsxwriter::utility::column_number_to_name(severity);
            for (word, format) in [
                ("error", &self.formats.differs),
                ("warning", &self.formats.other_margin),
            ] {
                let rule = ConditionalFormatFormula::new()
                    .set_rule(format!("=${cell}2=\"{word}\"").as_str())
                    .set_format(format.clone());
                self.findings.add_rule(severity, rule);
            }
        }
        let notes = [
            interruption(ended),
            self.findings.note_on_sheets(),
            self.findings.note_on_cuts(),
        ];
        let notes: Vec<String> = notes.into_iter().flatten().collect();
        let summary = summary::of_findings(tally, &self.about, &notes, &self.formats)?;
        self.findings.push_to(&mut self.workbook)?;
        self.workbook.push_worksheet(summary);
        self.workbook.save_to_writer(self.output.clone())
    }
}

impl FindingDocument for FindingWorkbook {
    fn add(&mut self, file: &str, findings: &[Finding]) -> io::Result<()> {
        add_findings(
            &mut self.findings,
            &mut self.workbook,
            &self.columns,
            file,
            findings,
        )
        .map_err(unwritten)
    }

    fn close(&mut self, tally: &Tally, ended: Ended) -> io::Result<()> {
        self.finish(tally, ended).map_err(unwritten)
    }
}

fn new_workbook() -> Result<rust_xlsxwriter::Workbook, XlsxError> {
    let mut workbook = rust_xlsxwriter::Workbook::new();
    // A time of its own would make every file another one.
    let properties = DocProperties::new()
        .set_author(concat!("kifu ", env!("CARGO_PKG_VERSION")))
        .set_creation_datetime(&ExcelDateTime::from_ymd(2000, 1, 1)?);
    workbook.set_properties(&properties);
    // Tables compress well at any level, and the lowest takes the least time.
    workbook.set_zip_compression_level(1);
    Ok(workbook)
}

fn add_findings(
    table: &mut Table,
    workbook: &mut rust_xlsxwriter::Workbook,
    columns: &[FindingColumn],
    file: &str,
    findings: &[Finding],
) -> Result<(), XlsxError> {
    for finding in findings {
        let row = FindingRow { file, finding };
        table.begin_row(workbook, None)?;
        for (number, column) in (0..).zip(columns) {
            table.write(number, (column.cell)(&row))?;
        }
    }
    Ok(())
}

fn interruption(ended: Ended) -> Option<String> {
    match ended {
        Ended::Completed => None,
        Ended::Interrupted => {
            Some("The run was interrupted: what was not finished is missing.".to_string())
        }
    }
}

/// What went wrong as an error of the output.
fn unwritten(error: XlsxError) -> io::Error {
    match error {
        XlsxError::IoError(error) => error,
        XlsxError::ZipError(error) => io::Error::other(error.to_string()),
        error => io::Error::other(error.to_string()),
    }
}

/// How cells look.
struct Formats {
    heading: Format,
    date: Format,
    number: Format,
    probability: Format,
    strong: Format,
    /// Another winner, or something that can't be right.
    differs: Format,
    /// Another margin.
    other_margin: Format,
    unsure: Format,
}

impl Formats {
    fn new() -> Formats {
        let colored = |background: u32, ink: u32| {
            Format::new()
                .set_background_color(background)
                .set_font_color(ink)
        };
        Formats {
            heading: Format::new()
                .set_bold()
                .set_align(FormatAlign::VerticalCenter)
                .set_background_color(0xE8E0D0)
                .set_border_bottom(FormatBorder::Thin),
            date: Format::new().set_num_format("yyyy-mm-dd"),
            number: Format::new().set_num_format("0.0#"),
            probability: Format::new().set_num_format("0.0%"),
            strong: Format::new().set_bold(),
            differs: colored(0xF8C9C4, 0x8A1C10),
            other_margin: colored(0xFBE0B5, 0x7A4A00),
            unsure: colored(0xFFF5C2, 0x6B5900),
        }
    }
}

impl Heading {
    fn of<F>(column: &Column<F>) -> Heading {
        Heading {
            name: column.name,
            meaning: column.meaning,
        }
    }
}
