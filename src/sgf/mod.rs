//! SGF text becomes games.
//!
//! [`parse`] takes the bytes of a file and gives a [`Collection`], which is what `FF[4]` calls the
//! games of a file: the text, the whole tree of nodes and properties, the [`Game`]s in it, and a
//! finding for everything that had to be guessed or repaired on the way. The types here are what
//! the rest of the program sees of a record: [`Game`] with its [`Header`] and the steps of its main
//! line, or of every branch.
//!
//! The stages are a file each: the scanner finds nodes and values in any text, the tree holds
//! them, and the builder understands what they say with the help of a small reader for each kind
//! of value (result, komi, handicap, size, points). [`Collection::to_sgf`] writes everything back.
//! A file that is too large to be held at once is cut into pieces of some games each before that.

mod build;
pub(crate) mod charset;
mod conformance;
mod cut;
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

pub use game::{
    Branches, Contents, Game, GameKind, Header, Setup, SetupPoints, Step, StepKind, Target, Visit,
};
pub use limits::Limits;
pub use server::Server;
pub use tree::{Key, NodeId, Property, Tree, Value};
pub use values::{MOST_KOMI, RecordedResult, WinBy};
pub use write::Annotation;

use crate::finding::{Code, Finding, Place};
use build::Source;
use charset::CharsetSource;
use conformance::elsewhere::Elsewhere;
use cut::Cut;
#[cfg(fuzzing)]
pub(crate) use cut::comparison::assert_same;
pub(crate) use cut::{Cutter, Cutting, FileEnd, Piece};
use findings::ParseFindings;
pub(crate) use lines::LineFinder;
#[cfg(feature = "cli")]
pub(crate) use lines::SourceLine;

/// The games of a file, with its text and its tree.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Collection<'a> {
    /// The games, in the order of the file.
    pub games: Vec<Game>,
    /// What was guessed or repaired, by game and place.
    pub findings: Vec<Finding>,
    text: Cow<'a, str>,
    ascii: bool,
    /// The place of the text in its file.
    start: Place,
    tree: Tree,
    limits: Limits,
    /// What earlier parts of the file have reported about the file as a whole.
    reported_before: Vec<Finding>,
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
        let mut collection = Collection::new(Cow::Borrowed(""), &Cut::whole(""), findings, limits);
        collection.findings.truncate(1);
        return collection;
    }
    let decoded = charset::decode(bytes);
    if let Some(finding) = charset_finding(decoded.charset, &decoded.source) {
        findings.whole(0, finding.code, || finding.message);
    }
    report_broken(0, decoded.charset, decoded.broken, &mut findings);
    let cut = Cut::whole(&decoded.text);
    Collection::new(decoded.text, &cut, findings, limits)
}

/// Parses some of the games of a file that was cut. Games and lines count from the start of the
/// file.
pub(crate) fn parse_piece<'a>(piece: &'a Piece, limits: &Limits) -> Collection<'a> {
    let Piece { text, cut } = piece;
    let mut findings = ParseFindings::new(limits.findings);
    let mut reported_before = None;
    match charset_finding(cut.charset, &cut.charset_source) {
        Some(finding) if cut.charset_is_known => reported_before = Some(finding),
        Some(finding) => findings.whole(0, finding.code, || finding.message),
        None => {}
    }
    if cut.is_whole() {
        report_broken(0, cut.charset, cut.broken, &mut findings);
    }
    let mut collection = Collection::new(Cow::Borrowed(text), cut, findings, limits);
    collection.reported_before.extend(reported_before);
    collection
}

/// What there is to report about a charset.
fn charset_finding(charset: &str, source: &CharsetSource) -> Option<Finding> {
    let (code, message) = match source {
        CharsetSource::File => return None,
        CharsetSource::Guess => (
            Code::CharsetGuessed,
            format!("The file does not name its charset; {charset} was guessed."),
        ),
        CharsetSource::GuessAgainst(claim) => (
            Code::CharsetWrong,
            format!("The file claims to be in {claim}, but is not; it was read as {charset}."),
        ),
    };
    Some(Finding::new(code, message))
}

/// Reports characters that could not be read, in a game or in the file as a whole.
fn report_broken(game: u32, charset: &str, broken: usize, findings: &mut ParseFindings) {
    if broken > 0 {
        findings.whole(game, Code::CharsetBroken, || match broken {
            1 => format!("A character is cut off or is not valid {charset}."),
            _ => format!("{broken} characters are cut off or are not valid {charset}."),
        });
    }
}

fn report_zeros(game: u32, offset: usize, findings: &mut ParseFindings) {
    findings.at(game, offset as u32, Code::NulBytes, || {
        "The file holds bytes of value zero; they were taken for white space.".to_owned()
    });
}

impl<'a> Collection<'a> {
    fn new(
        text: Cow<'a, str>,
        cut: &Cut,
        mut findings: ParseFindings,
        limits: &Limits,
    ) -> Collection<'a> {
        let extent = &cut.extent;
        if cut.is_whole()
            && let Some(zero) = memchr::memchr(0, text.as_bytes())
        {
            report_zeros(0, zero, &mut findings);
        }
        let tree = scan::scan(&text, extent, limits, &mut findings);
        if !cut.is_whole() {
            report_by_game(cut, &text, &tree, &mut findings);
        } else if tree.is_empty() {
            findings.whole(0, Code::NotSgf, || {
                "There is no game in this file: it is not SGF.".to_owned()
            });
        }
        let mut collection = Collection {
            games: Vec::new(),
            findings: Vec::new(),
            ascii: text.is_ascii(),
            text,
            start: cut.start,
            tree,
            limits: limits.clone(),
            reported_before: Vec::new(),
        };
        collection.games = build::games(collection.source(), extent.games_before, &mut findings);
        collection.findings = findings.finish(collection.lines());
        collection
    }

    fn source(&self) -> Source<'_> {
        Source {
            tree: &self.tree,
            text: &self.text,
            ascii: self.ascii,
            start: self.start,
            limits: &self.limits,
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

    /// What earlier parts of the file have reported about the file as a whole: it holds for these
    /// games too.
    pub(crate) fn reported_before(&self) -> &[Finding] {
        &self.reported_before
    }

    /// Finds the source lines of findings.
    pub(crate) fn lines(&self) -> LineFinder<'_> {
        self.source().lines()
    }

    /// The nodes of all games.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The properties of a node, in the order of the file.
    pub fn properties(&self, node: NodeId) -> impl Iterator<Item = Property<'_>> {
        self.tree.properties(node, &self.text)
    }

    /// Whether a game has more than its main line.
    pub(crate) fn has_variations(&self, game: &Game) -> bool {
        let mut nodes = self.tree.game_nodes(game.root);
        nodes.any(|node| self.tree.branches(node))
    }

    /// Every branch of a game, with what had to be repaired beside the main line.
    pub fn branches<'g>(&self, game: &'g Game) -> (Branches<'g>, Vec<Finding>) {
        self.branches_from(game, &mut self.lines())
    }

    /// The same for those who take the games in their order: the line finder is kept from one to
    /// the next, so that the text is gone through once.
    pub(crate) fn branches_from<'g>(
        &self,
        game: &'g Game,
        lines: &mut LineFinder,
    ) -> (Branches<'g>, Vec<Finding>) {
        lines.place(self.tree.offset(game.root));
        let mut findings = ParseFindings::new(self.limits.findings);
        let branches = build::branches(self.source(), game, lines.clone(), &mut findings);
        (branches, findings.finish(lines.clone()))
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
        self.conformance_beside(&mut [])
    }

    /// The same but for what these findings, in the order of their places, say already. They become
    /// as severe as what they stand for.
    pub(crate) fn conformance_beside(&self, reported: &mut [Finding]) -> Vec<Finding> {
        let mut elsewhere = Elsewhere::new(reported, self.lines());
        let mut findings = ParseFindings::new(self.limits.findings);
        for game in &self.games {
            let (tree, text) = (&self.tree, &self.text);
            conformance::check(tree, text, game, &mut elsewhere, &mut findings);
        }
        elsewhere.raise(reported);
        findings.finish(self.lines())
    }
}

/// Reports with each game of a piece what is reported once for a file that was not cut: there are
/// other games in the file, and they are well.
fn report_by_game(cut: &Cut, text: &str, tree: &Tree, findings: &mut ParseFindings) {
    let has_zeros = memchr::memchr(0, text.as_bytes()).is_some();
    if !has_zeros && cut.broken == 0 {
        return;
    }
    let body = &cut.extent.body;
    let roots = tree.roots();
    for (i, game) in (0..roots.len()).zip(cut.extent.games_before + 1..) {
        let start = match i {
            0 => body.start,
            _ => tree.offset(roots[i]) as usize,
        };
        let next = roots.get(i + 1).map(|&root| tree.offset(root) as usize);
        let own = &text[start..next.unwrap_or(body.end)];
        if let Some(zero) = memchr::memchr(0, own.as_bytes()) {
            report_zeros(game, start + zero, findings);
        }
        if cut.broken > 0 {
            let broken = own.matches(char::REPLACEMENT_CHARACTER).count();
            report_broken(game, cut.charset, broken, findings);
        }
    }
}

#[cfg(test)]
mod tests;
