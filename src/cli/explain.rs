//! `kifu explain`: what a finding means.

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use clap::Args;
use unicode_width::UnicodeWidthStr;

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

/// Lines longer than this are hard to read, however wide the terminal is.
const WIDEST: usize = 100;
/// The width of a terminal that does not tell it.
const USUAL: usize = 80;

pub(super) fn run(args: &ExplainArgs) -> Result<ExitCode, Failure> {
    let mut out = io::stdout().lock();
    let is_terminal = out.is_terminal();
    let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let styles = Styles::new(is_terminal && !no_color);
    // For a pipe the pages stay as they are, a paragraph to a line.
    let width = is_terminal.then(|| match terminal_size::terminal_size() {
        Some((width, _)) => usize::from(width.0).min(WIDEST),
        None => USUAL,
    });
    let text = match &args.code {
        None => list(width, &styles),
        Some(word) => {
            let code = Code::from_word(&word.to_ascii_lowercase())
                .ok_or_else(|| Failure::Message(unknown_code(word)))?;
            page(code.page(), width, &styles)
        }
    };
    out.write_all(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

/// All codes, each with a sentence.
fn list(width: Option<usize>, styles: &Styles) -> String {
    let words = Code::ALL.iter().map(|code| code.as_str());
    let longest = words.map(str::len).max().unwrap_or(0);
    let Styles { strong, reset, .. } = styles;
    let mut text = String::new();
    for code in Code::ALL {
        let (word, severity) = (code.as_str(), code.severity().as_str());
        let margin = longest + 2 + 7 + 2;
        let what = wrapped(first_sentence(code.page()), width, margin);
        text += &format!("{strong}{word:<longest$}{reset}  {severity:<7}  {what}\n");
    }
    text
}

/// A page as a terminal shows it: headings stand out, paragraphs are as wide as it is, and what is
/// indented stays as it is.
fn page(page: &str, width: Option<usize>, styles: &Styles) -> String {
    let Styles { strong, reset, .. } = styles;
    let mut text = String::new();
    for line in page.lines() {
        text += &match line {
            heading if line.starts_with('#') && width.is_some() => {
                format!("{strong}{}{reset}", heading.trim_start_matches(['#', ' ']))
            }
            heading if line.starts_with('#') => format!("{strong}{heading}{reset}"),
            example if line.starts_with(' ') => example.to_string(),
            item if line.starts_with("- ") => wrapped(item, width, 2),
            paragraph => wrapped(paragraph, width, 0),
        };
        text.push('\n');
    }
    text
}

/// A paragraph in lines of a width, all but the first behind a margin; one line without a width.
fn wrapped(paragraph: &str, width: Option<usize>, margin: usize) -> String {
    let Some(width) = width else {
        return paragraph.to_string();
    };
    // Beside a wide margin in a narrow terminal nothing could be read.
    let room = width.saturating_sub(margin).max(20);
    let mut text = String::new();
    let mut used = 0;
    for word in paragraph.split(' ') {
        let long = word.width();
        if used > 0 && used + 1 + long > room {
            text += &format!("\n{:margin$}", "");
            used = 0;
        } else if used > 0 {
            text.push(' ');
            used += 1;
        }
        text += word;
        used += long;
    }
    text
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

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str =
        "# ko (error)\n\nA move that takes back.\n\n    (;B[aa] ;W[bb] ;B[cc] ;W[dd])\n";

    #[test]
    fn a_page_is_as_wide_as_the_terminal() {
        let plain = Styles::default();
        assert_eq!(page(PAGE, None, &plain), PAGE);
        let narrow =
            "ko (error)\n\nA move that takes\nback.\n\n    (;B[aa] ;W[bb] ;B[cc] ;W[dd])\n";
        assert_eq!(page(PAGE, Some(20), &plain), narrow);
        let styled = page(PAGE, Some(80), &Styles::new(true));
        assert!(
            styled.starts_with("\x1b[1mko (error)\x1b[0m\n"),
            "{styled:?}"
        );
    }

    #[test]
    fn a_sentence_in_the_list_stays_behind_its_margin() {
        assert_eq!(
            wrapped("one two three four five", Some(24), 4),
            "one two three four\n    five"
        );
        for line in list(Some(80), &Styles::default()).lines() {
            assert!(line.width() <= 80, "{line}");
        }
    }
}
