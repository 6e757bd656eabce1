//! The report: one HTML file that opens from a mail attachment, with nothing to fetch.
//!
//! What an organiser wants to know stands at the top and is plain HTML: how many games, how many
//! results confirmed, which to look at. Then plots, which are SVG, and standings. All games follow in a
//! table that a script sorts and filters; of its rows only those in view exist, so that ten
//! thousand games open as fast as ten.
//!
//! A game has two parts in the file. Its row is in a list of JSON that is parsed when the page
//! opens. What is only seen when somebody opens the game (the map of its final position, the
//! chains and why, the findings with their source lines) is packed, many games at a time, with
//! deflate and base64, and unpacked when it is asked for. Boards are not stored as pictures: the
//! page holds the wood, the stones and the marks once, as [`draw`](crate::draw) draws them, and the
//! script places them where the map says.
//!
//! Text from records reaches the page in three ways, and none lets it become markup: `maud` escapes
//! it, JSON has its `<` escaped, and the script writes text nodes only. A policy in the page's head
//! forbids it to load anything.

mod page;
mod plot;
mod statistics;

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::PathBuf;

use flate2::Compression;
use flate2::write::DeflateEncoder;
use serde::Serialize;

use self::statistics::Statistics;
use crate::board::Size;
use crate::finding::Finding;
use crate::output::{CsvScores, Destination, ScoreFormat, SharedDestination};
use crate::pipeline::batch::Ended;
use crate::pipeline::row::{Cell, ChainRow, ScoreRow};
use crate::pipeline::tally::{ScoreTally, reason_to_look};
use crate::standings::Standings;

/// How many games a page holds unless another number is asked for.
pub(crate) const REPORT_GAMES: usize = 10_000;

/// How many games are packed together: enough for deflate to find what repeats, few enough to be
/// unpacked at once.
const GAMES_PER_PACK: usize = 64;

/// How many games to look at are listed at the top.
const MOST_LISTED: usize = 100;

/// A game on its way to the report.
pub(crate) struct ReportGame {
    pub row: ScoreRow,
    /// What was found about it, each with the line it is about.
    pub findings: Vec<(Finding, Option<SourceExcerpt>)>,
    /// The board of a game that is not Go, as SVG.
    pub other_board: Option<String>,
}

impl ReportGame {
    /// About how many bytes it holds in memory.
    pub(crate) fn held(&self) -> usize {
        let board = self.other_board.as_ref().map_or(0, String::len);
        self.row.held() + 800 * self.findings.len() + board
    }
}

/// The part of a source line around the place of a finding, and how far into it the place is.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct SourceExcerpt(pub String, pub usize);

/// Where the games go that are too many for a page.
pub(crate) struct Rest {
    /// The table beside the report.
    pub path: PathBuf,
    open: Option<Destination>,
    count: u64,
}

impl Rest {
    pub(crate) fn new(path: PathBuf) -> Rest {
        Rest {
            path,
            open: None,
            count: 0,
        }
    }

    fn add(&mut self, row: &ScoreRow) -> io::Result<()> {
        let table = CsvScores::default();
        let mut out = Vec::new();
        if self.open.is_none() {
            table.header(&mut out);
        }
        table.row(row, &mut out);
        self.count += 1;
        let open = match self.open.take() {
            Some(open) => open,
            None => Destination::file(&self.path)?,
        };
        self.open.insert(open).write(&out)
    }

    /// The name of the table, and how many games it holds, if any.
    fn finish(&mut self) -> io::Result<Option<(String, u64)>> {
        let Some(mut open) = self.open.take() else {
            return Ok(None);
        };
        open.finish()?;
        let name = self.path.file_name().unwrap_or_default();
        Ok(Some((name.to_string_lossy().into_owned(), self.count)))
    }
}

/// A report that is being put together.
pub(crate) struct Report {
    output: SharedDestination,
    most_games: usize,
    command: String,
    rest: Option<Rest>,
    statistics: Statistics,
    standings: Standings,
    /// The rows, as the inside of a JSON array.
    rows: String,
    games: usize,
    left_out: u64,
    /// What is told of a game when it is opened, as the inside of a JSON array.
    pack: String,
    packs: Vec<String>,
    /// The sizes of boards that the page has to hold.
    sizes: BTreeSet<(u8, u8)>,
    listed: Vec<Listed>,
}

/// A game to look at.
struct Listed {
    /// Its place in the list of rows.
    number: usize,
    title: String,
    players: String,
    reason: String,
    account: String,
    what_if: Option<String>,
}

/// What a row of the table shows; an array in JSON, because the keys would be most of it.
#[derive(Serialize)]
struct TableRow<'a>(
    &'a str,
    Option<u32>,
    &'a str,
    &'a str,
    &'a str,
    &'a str,
    &'a str,
    &'a str,
    &'a str,
    &'a str,
    &'a str,
    &'a str,
    Option<f64>,
    Option<u32>,
    &'a str,
    &'a str,
    Option<f64>,
    Option<u32>,
    &'a str,
    Option<String>,
);

/// What is shown of a game that was opened.
#[derive(Serialize)]
struct Details<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    map: Option<&'a [String]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    svg: Option<&'a str>,
    account: &'a str,
    notes: &'a [String],
    what_if: Option<&'a str>,
    estimate: &'a str,
    facts: Vec<(&'static str, &'a str)>,
    chains: Vec<ChainDetails<'a>>,
    findings: Vec<FindingDetails<'a>>,
}

/// Colour, place, stones, liberties, eyes, status, probability, reason.
#[derive(Serialize)]
struct ChainDetails<'a>(&'a str, &'a [String], usize, usize, &'a str, f64, &'a str);

/// Severity, code, move, line, column, message, and the source line.
#[derive(Serialize)]
struct FindingDetails<'a>(
    &'a str,
    &'a str,
    Option<u32>,
    u32,
    u32,
    &'a str,
    Option<&'a SourceExcerpt>,
);

impl Report {
    pub(crate) fn new(
        output: SharedDestination,
        most_games: usize,
        rest: Option<Rest>,
        standings: Standings,
        command: String,
    ) -> Report {
        Report {
            output,
            most_games,
            command,
            rest,
            statistics: Statistics::default(),
            standings,
            rows: String::new(),
            games: 0,
            left_out: 0,
            pack: String::new(),
            packs: Vec::new(),
            sizes: BTreeSet::new(),
            listed: Vec::new(),
        }
    }

    /// Adds a game.
    pub(crate) fn add(&mut self, game: &ReportGame) -> io::Result<()> {
        self.statistics.add(&game.row);
        self.standings.add(&game.row);
        if self.games >= self.most_games {
            self.left_out += 1;
            return match &mut self.rest {
                Some(rest) => rest.add(&game.row),
                None => Ok(()),
            };
        }
        let reason = reason_to_look(&game.row);
        self.list(&game.row, reason.as_deref());
        push_json(&mut self.rows, &table_row(&game.row, reason));
        push_json(&mut self.pack, &details(game));
        if let Some(position) = &game.row.position
            && let Some(first) = position.map.first()
        {
            let size = (first.chars().count() as u8, position.map.len() as u8);
            self.sizes.insert(size);
        }
        self.games += 1;
        if self.games.is_multiple_of(GAMES_PER_PACK) {
            self.close_pack()?;
        }
        Ok(())
    }

    fn list(&mut self, row: &ScoreRow, reason: Option<&str>) {
        let Some(reason) = reason.filter(|_| self.listed.len() < MOST_LISTED) else {
            return;
        };
        let title = match row.game.filter(|&game| game > 1) {
            Some(game) => format!("{}, game {game}", row.file),
            None => row.file.clone(),
        };
        let players = match (row.black.as_str(), row.white.as_str()) {
            ("", "") => String::new(),
            (black, white) => format!("{black} (Black) against {white} (White)"),
        };
        let position = row.position.as_ref();
        self.listed.push(Listed {
            number: self.games,
            title,
            players,
            reason: reason.to_string(),
            account: position.map_or(String::new(), |position| position.account.clone()),
            what_if: row.what_if.clone(),
        });
    }

    fn close_pack(&mut self) -> io::Result<()> {
        if self.pack.is_empty() {
            return Ok(());
        }
        let mut packer = DeflateEncoder::new(Vec::new(), Compression::default());
        packer.write_all(b"[")?;
        packer.write_all(self.pack.as_bytes())?;
        packer.write_all(b"]")?;
        self.packs.push(base64(&packer.finish()?));
        self.pack.clear();
        Ok(())
    }

    /// Writes the page.
    pub(crate) fn close(&mut self, tally: &ScoreTally, ended: Ended) -> io::Result<()> {
        self.close_pack()?;
        let rest = match &mut self.rest {
            Some(rest) => rest.finish()?,
            None => None,
        };
        let sizes: Vec<Size> = self
            .sizes
            .iter()
            .filter_map(|&(width, height)| Size::new(width, height))
            .collect();
        let page = page::Page {
            report: self,
            tally,
            is_complete: ended == Ended::Completed,
            rest,
            kit: crate::draw::board_kit(&sizes),
        };
        let html = page.render().into_string();
        self.output.clone().write_all(html.as_bytes())
    }
}

fn table_row(row: &ScoreRow, reason: Option<String>) -> TableRow<'_> {
    TableRow(
        &row.file,
        row.game,
        &row.black,
        &row.black_rank,
        &row.white,
        &row.white_rank,
        &row.date,
        &row.event,
        &row.round,
        &row.decision.result,
        &row.recorded_result,
        row.agreement.map_or("", |agreement| agreement.as_str()),
        Cell::Probability(row.confidence).rounded(),
        row.moves,
        &row.board,
        &row.rules,
        Cell::Number(row.komi).rounded(),
        row.handicap,
        row.status.as_str(),
        reason,
    )
}

fn details(game: &ReportGame) -> Details<'_> {
    let row = &game.row;
    let position = row.position.as_ref();
    let chain =
        |chain: &'_ ChainRow| -> (usize, usize) { (chain.liberties.len(), chain.eyes.len()) };
    let facts = [
        ("Decided by", row.decision.by.map_or("", |by| by.as_str())),
        ("Ended by", &row.ended_by),
        ("Place", &row.place),
        ("Time", &row.time),
        ("Overtime", &row.overtime),
        ("Source", &row.source),
        ("Black's team", &row.black_team),
        ("White's team", &row.white_team),
    ];
    Details {
        map: position.map(|position| &position.map[..]),
        svg: game.other_board.as_deref(),
        account: position.map_or("", |position| &position.account),
        notes: &row.notes,
        what_if: row.what_if.as_deref(),
        estimate: &row.estimate,
        facts: facts
            .into_iter()
            .filter(|(_, text)| !text.is_empty())
            .collect(),
        chains: position.map_or(Vec::new(), |position| {
            let chains = position.chains.iter();
            let chains = chains.map(|row| {
                let (liberties, eyes) = chain(row);
                ChainDetails(
                    &row.color,
                    &row.points,
                    liberties,
                    eyes,
                    &row.status,
                    row.probability,
                    &row.reason,
                )
            });
            chains.collect()
        }),
        findings: game
            .findings
            .iter()
            .map(|(finding, line)| {
                FindingDetails(
                    finding.severity.as_str(),
                    finding.code.as_str(),
                    finding.move_number,
                    finding.place.line,
                    finding.place.column,
                    &finding.message,
                    line.as_ref(),
                )
            })
            .collect(),
    }
}

/// Adds an entry to the inside of a JSON array that may stand in a `<script>`.
fn push_json(array: &mut String, entry: &impl Serialize) {
    if !array.is_empty() {
        array.push_str(",\n");
    }
    let json = serde_json::to_string(entry).expect("a row in memory can be serialised");
    // Nothing in it can end the element that it stands in.
    array.push_str(&json.replace('<', "\\u003c"));
}

/// Base64, as scripts read it.
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let byte = |at: usize| u32::from(group.get(at).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for place in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * place)) as usize & 63];
            text.push(match place <= group.len() {
                true => char::from(letter),
                false => '=',
            });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_padded() {
        assert_eq!(base64(b""), "");
        assert_eq!(base64(b"k"), "aw==");
        assert_eq!(base64(b"ki"), "a2k=");
        assert_eq!(base64(b"kif"), "a2lm");
        assert_eq!(base64(b"\xff\xfe\xfd\xfc"), "//79/A==");
    }

    #[test]
    fn no_text_ends_the_script() {
        let mut array = String::new();
        push_json(&mut array, &"</script><!--");
        assert_eq!(array, "\"\\u003c/script>\\u003c!--\"");
    }
}
