//! Findings as the workflow commands of GitHub Actions, which shows them beside the line that they
//! are about: `::error file=a.sgf,line=1,col=68,title=superko::…`.

use std::fmt::Write as _;

use super::FindingFormat;
use super::terminal::printable;
use crate::finding::{Finding, Severity};
use crate::sgf::Collection;

/// Findings for the log of a job.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct GithubFindings;

impl FindingFormat for GithubFindings {
    fn findings(
        &self,
        file: &str,
        _source: Option<&Collection>,
        findings: &[Finding],
        out: &mut Vec<u8>,
    ) {
        for finding in findings {
            let level = match finding.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Note => "notice",
            };
            let mut line = format!("::{level} file={}", escaped(file, true));
            if finding.place.line > 0 {
                let (row, column) = (finding.place.line, finding.place.column);
                let _ = write!(line, ",line={row},col={column}");
            }
            let _ = write!(line, ",title={}::", finding.code.as_str());
            if finding.game > 1 {
                let _ = write!(line, "Game {}: ", finding.game);
            }
            if let Some(number) = finding.move_number {
                let _ = write!(line, "Move {number}: ");
            }
            let message = printable(&finding.message);
            line += &escaped(&message, false);
            line.push('\n');
            out.extend_from_slice(line.as_bytes());
        }
    }
}

/// Text that ends neither the command nor, in a property, the property.
fn escaped(text: &str, in_property: bool) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '%' | '\r' | '\n' => {
                let _ = write!(safe, "%{:02X}", u32::from(character));
            }
            ':' | ',' if in_property => {
                let _ = write!(safe, "%{:02X}", u32::from(character));
            }
            _ => safe.push(character),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::{Code, Place};

    #[test]
    fn a_name_can_not_end_the_command() {
        let finding = Finding::new(Code::OccupiedPoint, "100 %: taken\n::error::boo")
            .game(1)
            .at_move(2)
            .at(Place { line: 3, column: 4 });
        let mut out = Vec::new();
        GithubFindings.findings("a,b:c\n.sgf", None, &[finding], &mut out);
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "::error file=a%2Cb%3Ac%0A.sgf,line=3,col=4,title=occupied-point::Move 2: 100 %25: \
             taken\\u{a}::error::boo\n"
        );
    }
}
