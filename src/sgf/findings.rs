//! What the parser finds, collected while it goes.
//!
//! A finding bears the offset of the text that it is about. Lines and columns are looked up at the
//! end, all at once and in order, because most files never need one.

use super::lines::LineFinder;
use crate::finding::{Code, Finding, FindingLimiter};

/// The findings of all games of a file.
pub(crate) struct ParseFindings {
    findings: FindingLimiter,
    /// Where each listed finding is.
    offsets: Vec<Option<u32>>,
}

impl ParseFindings {
    /// With at most so many findings of a kind per game.
    pub(crate) fn new(limit: usize) -> ParseFindings {
        ParseFindings {
            findings: FindingLimiter::new(limit),
            offsets: Vec::new(),
        }
    }

    /// Adds something about a game as a whole; 0 is the file.
    pub(crate) fn whole(&mut self, game: u32, code: Code, message: impl FnOnce() -> String) {
        self.add(Finding::new(code, "").game(game), None, message);
    }

    /// Adds something about a place in the text.
    pub(crate) fn at(
        &mut self,
        game: u32,
        offset: u32,
        code: Code,
        message: impl FnOnce() -> String,
    ) {
        self.add(Finding::new(code, "").game(game), Some(offset), message);
    }

    /// Adds something about a move.
    pub(crate) fn at_move(
        &mut self,
        (game, number): (u32, u32),
        offset: u32,
        code: Code,
        message: impl FnOnce() -> String,
    ) {
        let finding = Finding::new(code, "").game(game).at_move(number);
        self.add(finding, Some(offset), message);
    }

    fn add(&mut self, finding: Finding, offset: Option<u32>, message: impl FnOnce() -> String) {
        if self.findings.add_with(finding, message) {
            self.offsets.push(offset);
        }
    }

    /// The findings by game and place.
    pub(crate) fn finish(self, mut lines: LineFinder) -> Vec<Finding> {
        let findings = self.findings.finish().into_iter();
        let mut found: Vec<(Option<u32>, Finding)> =
            self.offsets.into_iter().zip(findings).collect();
        found.sort_by_key(|(offset, finding)| (*offset, finding.code));
        let mut findings: Vec<Finding> = found
            .into_iter()
            .map(|(offset, finding)| match offset {
                Some(offset) => finding.at(lines.place(offset)),
                None => finding,
            })
            .collect();
        findings.sort_by_key(|finding| finding.game);
        findings
    }
}
