//! The file in which a user says which names are the same player.
//!
//! A line for each player, as a spreadsheet saves it: the name to use, then the other names, as
//! CSV. Lines that start with `#` are comments.
//!
//! ```text
//! Go Seigen,呉清源,Wu Qingyuan
//! "Honinbo Shusaku, 7p",Shusaku
//! ```

use std::collections::HashMap;
use std::fmt;

/// Names that stand for other names.
#[derive(Clone, Debug, Default)]
pub(crate) struct Aliases {
    names: HashMap<String, String>,
}

/// What is wrong with a file of aliases, in a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BadAliases(String);

impl fmt::Display for BadAliases {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Aliases {
    /// Reads the text of a file.
    pub(crate) fn parse(text: &[u8]) -> Result<Aliases, BadAliases> {
        let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
        let mut lines = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .comment(Some(b'#'))
            .trim(csv::Trim::All)
            .from_reader(text);
        let mut names: HashMap<String, String> = HashMap::new();
        for line in lines.records() {
            let line = line.map_err(|error| BadAliases(format!("It is no CSV: {error}.")))?;
            let name = line.get(0).unwrap_or_default();
            if name.is_empty() {
                let number = line.position().map_or(0, csv::Position::line);
                return Err(BadAliases(format!(
                    "Line {number} has no name before its first comma."
                )));
            }
            for alias in line.iter().filter(|alias| !alias.is_empty()) {
                let other = names.insert(alias.to_string(), name.to_string());
                if let Some(other) = other.filter(|other| other != name) {
                    return Err(BadAliases(format!(
                        "`{alias}` is said to be `{other}` and `{name}`."
                    )));
                }
            }
        }
        Ok(Aliases { names })
    }

    /// The name of the player whom a record calls so.
    pub(crate) fn name_of<'a>(&'a self, name: &'a str) -> &'a str {
        self.names.get(name).map_or(name, String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_names_a_player_and_what_else_they_are_called() {
        let text = "\u{feff}# comment\nGo Seigen, 呉清源 ,Wu Qingyuan\n\n\"Shusaku, 7p\",Shusaku\n";
        let aliases = Aliases::parse(text.as_bytes()).unwrap();
        assert_eq!(aliases.name_of("呉清源"), "Go Seigen");
        assert_eq!(aliases.name_of("Shusaku"), "Shusaku, 7p");
        assert_eq!(aliases.name_of("Shuwa"), "Shuwa");
    }

    #[test]
    fn one_name_is_not_two_players() {
        let error = Aliases::parse(b"Ann,A\nBob,A\n").unwrap_err();
        assert_eq!(error.to_string(), "`A` is said to be `Ann` and `Bob`.");
        let error = Aliases::parse(b"Ann,A\n,B\n").unwrap_err();
        assert_eq!(
            error.to_string(),
            "Line 2 has no name before its first comma."
        );
    }
}
