//! JSON lines: one object per line, for programs.

use serde::Serialize;

use super::{FindingFormat, ScoreFormat};
use crate::finding::Finding;
use crate::pipeline::row::{FindingRow, ScoreRow};
use crate::sgf::Collection;

/// Findings as JSON lines. What a finding does not have is `null`.
#[derive(Clone, Copy, Debug, Default)]
pub struct JsonFindings;

impl FindingFormat for JsonFindings {
    fn findings(
        &self,
        file: &str,
        _source: Option<&Collection>,
        findings: &[Finding],
        out: &mut Vec<u8>,
    ) {
        for finding in findings {
            write_line(&FindingRow { file, finding }, out);
        }
    }
}

/// Scores as JSON lines, with the final position where the rows have it.
#[derive(Clone, Copy, Debug, Default)]
pub struct JsonScores;

impl ScoreFormat for JsonScores {
    fn row(&self, row: &ScoreRow, out: &mut Vec<u8>) {
        write_line(row, out);
    }
}

fn write_line(row: &impl Serialize, out: &mut Vec<u8>) {
    serde_json::to_writer(&mut *out, row).expect("a row in memory can be serialised");
    out.push(b'\n');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Code;

    #[test]
    fn a_finding_is_one_object_on_one_line() {
        let finding = Finding::new(Code::EmptyFile, "The file is empty.");
        let mut out = Vec::new();
        JsonFindings.findings("a\nb.sgf", None, &[finding], &mut out);
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "{\"file\":\"a\\nb.sgf\",\"game\":null,\"move\":null,\"line\":null,\"column\":null,\
             \"severity\":\"error\",\"code\":\"empty-file\",\"message\":\"The file is empty.\"}\n"
        );
    }
}
