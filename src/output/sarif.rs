//! Findings as SARIF 2.1.0, which code hosts and editors show beside the line that they are about.
//!
//! The results are written as they come; the rules, which are the codes that were found, with
//! their pages, follow behind them: the order of keys means nothing in JSON.

use std::collections::BTreeSet;
use std::io::{self, Write};

use serde_json::{Value, json};

use super::{FindingDocument, SharedDestination};
use crate::finding::{Code, Finding, Severity};
use crate::pipeline::batch::Ended;
use crate::pipeline::tally::Tally;

/// Findings as a SARIF file.
pub(crate) struct SarifFindings {
    output: SharedDestination,
    codes: BTreeSet<Code>,
    is_first: bool,
}

impl SarifFindings {
    pub(crate) fn new(mut output: SharedDestination) -> io::Result<SarifFindings> {
        output.write_all(
            b"{\n\"$schema\": \"https://json.schemastore.org/sarif-2.1.0.json\",\n\
              \"version\": \"2.1.0\",\n\"runs\": [{\n\"results\": [",
        )?;
        Ok(SarifFindings {
            output,
            codes: BTreeSet::new(),
            is_first: true,
        })
    }
}

impl FindingDocument for SarifFindings {
    fn add(&mut self, file: &str, findings: &[Finding]) -> io::Result<()> {
        for finding in findings {
            self.codes.insert(finding.code);
            let separator = if self.is_first { "\n" } else { ",\n" };
            self.is_first = false;
            self.output.write_all(separator.as_bytes())?;
            self.output
                .write_all(result(file, finding).to_string().as_bytes())?;
        }
        Ok(())
    }

    fn close(&mut self, _tally: &Tally, ended: Ended) -> io::Result<()> {
        let rules: Vec<Value> = self.codes.iter().map(|code| rule(*code)).collect();
        let tool = json!({ "driver": {
            "name": "kifu",
            "version": env!("CARGO_PKG_VERSION"),
            "rules": rules,
        }});
        let is_complete = ended == Ended::Completed;
        let invocations = json!([{ "executionSuccessful": is_complete }]);
        write!(
            self.output,
            "\n],\n\"columnKind\": \"unicodeCodePoints\",\n\"invocations\": {invocations},\n\
             \"tool\": {tool}\n}}]\n}}\n"
        )
    }
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}

fn result(file: &str, finding: &Finding) -> Value {
    let mut location = json!({ "artifactLocation": { "uri": uri(file) } });
    if finding.place.line > 0 {
        location["region"] = json!({
            "startLine": finding.place.line,
            "startColumn": finding.place.column.max(1),
        });
    }
    let mut properties = serde_json::Map::new();
    if finding.game > 0 {
        properties.insert("game".to_string(), json!(finding.game));
    }
    if let Some(number) = finding.move_number {
        properties.insert("move".to_string(), json!(number));
    }
    json!({
        "ruleId": finding.code.as_str(),
        "level": level(finding.severity),
        "message": { "text": finding.message },
        "locations": [{ "physicalLocation": location }],
        "properties": properties,
    })
}

fn rule(code: Code) -> Value {
    let page = code.page();
    // The paragraph under the title says what it is.
    let paragraphs = page.split("\n\n").skip(1).map(str::trim);
    let what = paragraphs
        .clone()
        .find(|text| !text.is_empty())
        .unwrap_or_default();
    json!({
        "id": code.as_str(),
        "shortDescription": { "text": what.replace('\n', " ") },
        "help": { "text": page, "markdown": page },
        "defaultConfiguration": { "level": level(code.severity()) },
    })
}

/// A path as a relative reference.
fn uri(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for byte in path.replace('\\', "/").bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(char::from(byte));
            }
            _ => uri += &format!("%{byte:02X}"),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_references() {
        assert_eq!(uri("games/a b%:é.sgf"), "games/a%20b%25%3A%C3%A9.sgf");
    }
}
