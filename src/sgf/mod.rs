//! SGF text becomes games.
//!
//! [`parse`] takes the bytes of a file and gives a [`Collection`], which is what FF[4] calls the
//! games of a file: the text, the whole tree of nodes and properties, the [`Game`]s in it, and a
//! finding for everything that had to be guessed or repaired on the way. The types here are what
//! the rest of the program sees of a record: [`Game`] with its [`Header`] and the steps of its main
//! line, or of every branch.
//!
//! The stages are a file each: the scanner finds nodes and values in any text, the tree holds
//! them, and the builder understands what they say with the help of a small reader for each kind
//! of value (result, komi, handicap, size, points). [`Collection::to_sgf`] writes everything back.

mod build;
pub mod charset;
mod conformance;
mod findings;
mod game;
mod limits;
mod lines;
mod scan;
mod server;
mod tree;
pub(crate) mod values;
mod write;

use std::borrow::Cow;

pub use game::{Branches, Contents, Game, GameKind, Header, Setup, Step, StepKind, Target, Visit};
pub use limits::Limits;
pub use server::Server;
pub use tree::{Key, NodeId, Property, Tree, Value};
pub use values::{RecordedResult, WinBy};
pub use write::Annotation;

use crate::finding::{Code, Finding, Place};
use build::Source;
use charset::CharsetSource;
use findings::ParseFindings;
pub(crate) use lines::LineFinder;
#[cfg(feature = "cli")]
pub(crate) use lines::SourceLine;

/// The games of a file, with its text and its tree.
#[derive(Clone, Debug)]
pub struct Collection<'a> {
    pub games: Vec<Game>,
    /// What was guessed or repaired, by game and place.
    pub findings: Vec<Finding>,
    text: Cow<'a, str>,
    ascii: bool,
    tree: Tree,
    limits: Limits,
}

/// Parses a file.
///
/// ```
/// use kifu::sgf::{parse, Limits};
///
/// let collection = parse(b"(;GM[1]SZ[9]PB[Shusaku];B[ee];W[ge])", &Limits::default());
/// let game = &collection.games[0];
/// assert_eq!(game.header.black, "Shusaku");
/// assert_eq!(game.main_line.len(), 2);
/// assert!(collection.findings.is_empty());
/// ```
pub fn parse<'a>(bytes: &'a [u8], limits: &Limits) -> Collection<'a> {
    let mut findings = ParseFindings::new(limits.findings);
    if bytes.len() >= u32::MAX as usize {
        findings.whole(0, Code::NotSgf, || {
            "The file is larger than 4 GB and was not read.".to_owned()
        });
        return Collection::new(
            Cow::Borrowed(""),
            true,
            Tree::default(),
            Vec::new(),
            findings,
            limits,
        );
    }
    let decoded = charset::decode(bytes);
    report_charset(&decoded, &mut findings);
    if let Some(zero) = memchr::memchr(0, decoded.text.as_bytes()) {
        findings.at(0, zero as u32, Code::NulBytes, || {
            "The file holds bytes of value zero; they were taken for white space.".to_owned()
        });
    }
    let tree = scan::scan(&decoded.text, limits, &mut findings);
    if tree.is_empty() {
        findings.whole(0, Code::NotSgf, || {
            "There is no game in this file: it is not SGF.".to_owned()
        });
    }
    let source = Source {
        tree: &tree,
        text: &decoded.text,
        ascii: decoded.ascii,
        limits,
    };
    let games = build::games(source, &mut findings);
    Collection::new(decoded.text, decoded.ascii, tree, games, findings, limits)
}

fn report_charset(decoded: &charset::Decoded, findings: &mut ParseFindings) {
    let charset = decoded.charset;
    match &decoded.source {
        CharsetSource::File => {}
        CharsetSource::Guess => findings.whole(0, Code::CharsetGuessed, || {
            format!("The file does not name its charset; {charset} was guessed.")
        }),
        CharsetSource::GuessAgainst(claim) => findings.whole(0, Code::CharsetWrong, || {
            format!("The file claims to be in {claim}, but is not; it was read as {charset}.")
        }),
    }
    if decoded.broken > 0 {
        let broken = decoded.broken;
        findings.whole(0, Code::CharsetBroken, || match broken {
            1 => format!("A character is cut off or is not valid {charset}."),
            _ => format!("{broken} characters are cut off or are not valid {charset}."),
        });
    }
}

impl<'a> Collection<'a> {
    fn new(
        text: Cow<'a, str>,
        ascii: bool,
        tree: Tree,
        games: Vec<Game>,
        findings: ParseFindings,
        limits: &Limits,
    ) -> Collection<'a> {
        let findings = findings.finish(LineFinder::new(&text, ascii));
        Collection {
            games,
            findings,
            text,
            ascii,
            tree,
            limits: limits.clone(),
        }
    }

    /// The file as text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// A line of the text, from 1, without its line break: what a finding's place points into.
    pub fn line(&self, number: u32) -> Option<&str> {
        let line = self.lines().source_line(Place {
            line: number,
            column: 1,
        })?;
        Some(line.after)
    }

    /// Finds the source lines of findings.
    pub(crate) fn lines(&self) -> LineFinder<'_> {
        LineFinder::new(&self.text, self.ascii)
    }

    /// The nodes of all games.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The properties of a node, in the order of the file.
    pub fn properties(&self, node: NodeId) -> impl Iterator<Item = Property<'_>> {
        self.tree.properties(node, &self.text)
    }

    /// Every branch of a game, with what had to be repaired beside the main line.
    pub fn branches(&self, game: &Game) -> (Branches, Vec<Finding>) {
        let mut findings = ParseFindings::new(self.limits.findings);
        let (tree, text, ascii, limits) = (&self.tree, &self.text, self.ascii, &self.limits);
        let branches = build::branches(
            Source {
                tree,
                text,
                ascii,
                limits,
            },
            game,
            &mut findings,
        );
        (branches, findings.finish(self.lines()))
    }

    /// Everything in the games, main lines and variations, that is not as `FF[4]` has it.
    ///
    /// ```
    /// use kifu::sgf::{parse, Limits};
    ///
    /// let collection = parse(b"(;GM[1]FF[4]SZ[9];B[ee]TE[1]BM[1])", &Limits::default());
    /// let findings = collection.conformance();
    /// assert_eq!(findings[0].message, "TE and BM exclude each other.");
    /// assert_eq!((findings[0].place.line, findings[0].place.column), (1, 29));
    /// ```
    pub fn conformance(&self) -> Vec<Finding> {
        let mut findings = ParseFindings::new(self.limits.findings);
        for game in &self.games {
            conformance::check(&self.tree, &self.text, game, &mut findings);
        }
        findings.finish(self.lines())
    }
}

#[cfg(test)]
mod tests;
