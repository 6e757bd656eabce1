//! JSON lines: one object a finding, for programs.

use super::FindingFormat;
use super::json::write_string;
use crate::finding::Finding;

/// Findings as JSON lines. A number that a finding does not have is `null`.
#[derive(Clone, Copy, Debug, Default)]
pub struct JsonFindings;

impl FindingFormat for JsonFindings {
    fn finding(&self, file: &str, _source: Option<&str>, finding: &Finding, out: &mut Vec<u8>) {
        let numbers = [
            ("game", finding.game),
            ("move", finding.move_number.unwrap_or(0)),
            ("line", finding.place.line),
            ("column", finding.place.column),
        ];
        let words = [
            ("severity", finding.severity.as_str()),
            ("code", finding.code.as_str()),
            ("message", &finding.message),
        ];
        out.extend_from_slice(b"{\"file\":");
        write_string(file, out);
        for (key, value) in numbers {
            let value = if value == 0 {
                "null".to_string()
            } else {
                value.to_string()
            };
            out.extend_from_slice(format!(",\"{key}\":{value}").as_bytes());
        }
        for (key, value) in words {
            out.extend_from_slice(format!(",\"{key}\":").as_bytes());
            write_string(value, out);
        }
        out.extend_from_slice(b"}\n");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Code;

    #[test]
    fn a_finding_is_one_object_on_one_line() {
        let finding = Finding::new(Code::EmptyFile, "The file is empty.");
        let mut out = Vec::new();
        JsonFindings.finding("a\nb.sgf", None, &finding, &mut out);
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "{\"file\":\"a\\nb.sgf\",\"game\":null,\"move\":null,\"line\":null,\"column\":null,\
             \"severity\":\"error\",\"code\":\"empty-file\",\"message\":\"The file is empty.\"}\n"
        );
    }
}
