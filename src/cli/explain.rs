//! `kifu explain`: what a finding means.

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use clap::Args;

use super::Failure;
use crate::finding::{Code, nearest};
use crate::output::{Styles, printable};

/// Explain what a finding means, why it matters, and what kifu does about it.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct ExplainArgs {
    /// The code of a finding, such as `occupied-point`; without one, all codes are listed.
    code: Option<String>,
}

const EXAMPLES: &str = "\
Examples:
  kifu explain                   a list of all codes
  kifu explain occupied-point    the page of one of them";

pub(super) fn run(args: &ExplainArgs) -> Result<ExitCode, Failure> {
    let mut out = io::stdout().lock();
    let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let styles = Styles::new(out.is_terminal() && !no_color);
    let Some(word) = &args.code else {
        let width = Code::ALL
            .iter()
            .map(|code| code.as_str().len())
            .max()
            .unwrap_or(0);
        for code in Code::ALL {
            let (word, severity) = (code.as_str(), code.severity().as_str());
            let what = first_sentence(code.page());
            writeln!(
                out,
                "{}{word:<width$}{}  {severity:<7}  {what}",
                styles.strong, styles.reset
            )?;
        }
        return Ok(ExitCode::SUCCESS);
    };
    let code = Code::from_word(&word.to_ascii_lowercase())
        .ok_or_else(|| Failure::Message(unknown_code(word)))?;
    for line in code.page().lines() {
        if line.starts_with('#') {
            writeln!(out, "{}{line}{}", styles.strong, styles.reset)?;
        } else {
            writeln!(out, "{line}")?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The sentence that opens a page, which says what the finding is.
fn first_sentence(page: &str) -> &str {
    let paragraph = page
        .lines()
        .find(|line| !line.is_empty() && !line.starts_with('#'));
    let paragraph = paragraph.unwrap_or_default();
    paragraph
        .find(". ")
        .map_or(paragraph, |end| &paragraph[..=end])
}

/// Names the codes that a mistyped word may have meant.
fn unknown_code(word: &str) -> String {
    let parts: Vec<&str> = word.split('-').filter(|part| part.len() > 2).collect();
    let codes = || Code::ALL.iter().map(|code| code.as_str());
    let mut near: Vec<&str> = codes()
        .filter(|code| parts.iter().any(|part| code.contains(part)))
        .collect();
    if near.is_empty() {
        near.extend(nearest(word, codes()));
    }
    let word = printable(word);
    if near.is_empty() {
        return format!("There is no code `{word}`; `kifu explain` lists all of them.");
    }
    format!(
        "There is no code `{word}`. Did you mean {}?",
        near.join(" or ")
    )
}
