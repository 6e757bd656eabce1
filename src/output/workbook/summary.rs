//! The sheet that sums a run up: what was counted, how it agrees with the records, how often a
//! confidence came true, what was found, and what the colours mean.

use std::cmp::Reverse;

use rust_xlsxwriter::{Chart, ChartLegendPosition, ChartType, Format, Worksheet, XlsxError};

use super::{About, Formats};
use crate::finding::shortened;
use crate::pipeline::tally::{SURE, ScoreTally, Tally};

const NAME: &str = "Summary";

/// The longest command that is repeated.
const LONGEST_COMMAND: usize = 4000;

/// Writes one line after the other.
struct Lines<'a> {
    sheet: Worksheet,
    row: u32,
    formats: &'a Formats,
}

impl Lines<'_> {
    fn heading(&mut self, text: &str) -> Result<(), XlsxError> {
        self.row += 1;
        self.sheet
            .write_string_with_format(self.row, 0, text, &self.formats.strong)?;
        self.row += 1;
        Ok(())
    }

    fn count(&mut self, what: &str, count: u64) -> Result<(), XlsxError> {
        self.sheet.write_string(self.row, 0, what)?;
        self.sheet.write_number(self.row, 1, count as f64)?;
        self.row += 1;
        Ok(())
    }

    fn text(&mut self, what: &str, text: &str) -> Result<(), XlsxError> {
        self.sheet.write_string(self.row, 0, what)?;
        self.sheet.write_string(self.row, 1, text)?;
        self.row += 1;
        Ok(())
    }
}

fn begin<'a>(
    tally: &Tally,
    about: &About,
    notes: &[String],
    formats: &'a Formats,
) -> Result<Lines<'a>, XlsxError> {
    let mut sheet = Worksheet::new();
    sheet.set_name(NAME)?;
    sheet.set_column_width(0, 34)?;
    sheet.set_column_width(1, 16)?;
    sheet.set_column_width(2, 16)?;
    sheet.set_column_width(3, 16)?;
    sheet.set_landscape();
    sheet.set_paper_size(9);
    sheet.set_print_fit_to_pages(1, 0);
    let mut lines = Lines {
        sheet,
        row: 0,
        formats,
    };
    lines.text("Written by", concat!("kifu ", env!("CARGO_PKG_VERSION")))?;
    lines.text("Command", &shortened(&about.command, LONGEST_COMMAND))?;
    for note in notes {
        lines.text("Note", note)?;
    }
    lines.heading("Records")?;
    lines.count("Files", tally.files)?;
    if tally.unread > 0 {
        lines.count("Inputs that could not be read", tally.unread)?;
    }
    lines.count("Games", tally.games)?;
    lines.count("Moves", tally.moves)?;
    Ok(lines)
}

/// The summary of a run that scored games.
pub(super) fn of_scores(
    tally: &ScoreTally,
    about: &About,
    notes: &[String],
    formats: &Formats,
) -> Result<Worksheet, XlsxError> {
    let mut lines = begin(&tally.records, about, notes, formats)?;
    lines.count("Counted", tally.scored)?;
    lines.count("Decided on record", tally.decided)?;
    lines.count("Without a result", tally.undecided)?;
    lines.count("Worth a look", tally.worth_a_look)?;
    lines.heading("Counted results against the records")?;
    let first = lines.row;
    lines.count("Exact", tally.exact)?;
    lines.count("Another margin", tally.winner)?;
    lines.count("Another winner", tally.differs)?;
    if tally.compared() > 0 {
        let mut chart = Chart::new(ChartType::Column);
        chart
            .add_series()
            .set_categories((NAME, first, 0, first + 2, 0))
            .set_values((NAME, first, 1, first + 2, 1))
            .set_gap(60);
        chart.title().set_name("Counted against recorded");
        chart.legend().set_hidden();
        chart.set_alt_text("How many counted results equal those on record");
        lines.sheet.insert_chart_with_offset(1, 5, &chart, 10, 0)?;
    }
    calibration(&mut lines, tally)?;
    findings(&mut lines, &tally.records)?;
    legend(&mut lines)?;
    Ok(lines.sheet)
}

/// Of the games that kifu was so sure of, how many have the margin on record.
fn calibration(lines: &mut Lines, tally: &ScoreTally) -> Result<(), XlsxError> {
    let bins: Vec<_> = tally.calibration.bins().collect();
    if bins.is_empty() {
        return Ok(());
    }
    lines.heading("Confidence against the records")?;
    let headings = ["confidence", "games", "expected", "exact"];
    for (column, heading) in (0..).zip(headings) {
        let format = &lines.formats.heading;
        lines
            .sheet
            .write_string_with_format(lines.row, column, heading, format)?;
    }
    lines.row += 1;
    let first = lines.row;
    let percent: &Format = &lines.formats.probability;
    for bin in &bins {
        let sheet = &mut lines.sheet;
        sheet.write_string(lines.row, 0, format!("{:.2} to {:.2}", bin.from, bin.to))?;
        sheet.write_number(lines.row, 1, bin.games as f64)?;
        sheet.write_number_with_format(lines.row, 2, bin.expected(), percent)?;
        sheet.write_number_with_format(lines.row, 3, bin.share(), percent)?;
        lines.row += 1;
    }
    let last = lines.row - 1;
    let mut chart = Chart::new(ChartType::Column);
    for (column, name) in [(2, "expected"), (3, "exact")] {
        chart
            .add_series()
            .set_name(name)
            .set_categories((NAME, first, 0, last, 0))
            .set_values((NAME, first, column, last, column));
    }
    chart.title().set_name("Confidence against the records");
    chart.legend().set_position(ChartLegendPosition::Bottom);
    chart.y_axis().set_min(0).set_max(1);
    chart.set_alt_text("Expected and found shares of exact results by confidence");
    lines.sheet.insert_chart_with_offset(17, 5, &chart, 10, 0)?;
    Ok(())
}

fn findings(lines: &mut Lines, tally: &Tally) -> Result<(), XlsxError> {
    if tally.findings.is_empty() {
        return Ok(());
    }
    lines.heading("Findings by kind")?;
    let mut rows: Vec<_> = tally.findings.iter().collect();
    rows.sort_by_key(|((severity, code), count)| (Reverse(*severity), Reverse(**count), *code));
    for ((severity, code), count) in rows {
        lines.sheet.write_string(lines.row, 0, code.as_str())?;
        lines.sheet.write_number(lines.row, 1, *count as f64)?;
        lines.sheet.write_string(lines.row, 2, severity.as_str())?;
        lines.row += 1;
    }
    Ok(())
}

/// What the colours of the table of scores mean.
fn legend(lines: &mut Lines) -> Result<(), XlsxError> {
    lines.heading("Colours")?;
    let formats = lines.formats;
    for (format, meaning) in [
        (
            &formats.differs,
            "another winner, less than 50 % sure, illegal moves, unreadable".to_string(),
        ),
        (
            &formats.other_margin,
            "another margin, or a komi that does not fit the result".to_string(),
        ),
        (
            &formats.unsure,
            format!("less than {:.0} % sure", 100.0 * SURE),
        ),
    ] {
        lines.sheet.write_blank(lines.row, 0, format)?;
        lines.sheet.write_string(lines.row, 1, meaning)?;
        lines.row += 1;
    }
    lines.text("", "What a column means is in the note on its heading.")
}

/// The summary of a run that checked games.
pub(super) fn of_findings(
    tally: &Tally,
    about: &About,
    notes: &[String],
    formats: &Formats,
) -> Result<Worksheet, XlsxError> {
    let mut lines = begin(tally, about, notes, formats)?;
    if tally.findings.is_empty() {
        lines.text("Findings", "none")?;
        return Ok(lines.sheet);
    }
    let first = lines.row + 2;
    findings(&mut lines, tally)?;
    let last = (lines.row - 1).min(first + 15);
    let mut chart = Chart::new(ChartType::Bar);
    chart
        .add_series()
        .set_categories((NAME, first, 0, last, 0))
        .set_values((NAME, first, 1, last, 1))
        .set_gap(60);
    chart.title().set_name("Findings by kind");
    chart.legend().set_hidden();
    chart.y_axis().set_reverse();
    chart.set_height(60 + 26 * (last - first + 1));
    chart.set_alt_text("How many findings there are of each kind");
    lines.sheet.insert_chart_with_offset(1, 5, &chart, 10, 0)?;
    lines.text("", "kifu explain CODE says what a finding means.")?;
    Ok(lines.sheet)
}
