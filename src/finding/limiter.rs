//! A mistake is told once.
//!
//! Stones that were never recorded give a dozen moves on occupied points, a wrong board size a
//! hundred off the board. Of each kind a game gets a few findings and the number of the others.

use super::{Code, Finding};

/// At most this many findings of one kind in a game; the last of them tells how many more there
/// are.
const MOST_OF_A_KIND: u32 = 5;

/// The findings of one game, of each kind a few.
#[derive(Debug, Default)]
pub(crate) struct Telling {
    findings: Vec<Finding>,
    kinds: Vec<Kind>,
}

/// The findings of one code.
#[derive(Debug)]
struct Kind {
    code: Code,
    /// How many there were, told or not.
    count: u32,
    /// Where the last one that is told stands in the list.
    last: usize,
}

impl Telling {
    /// Writes a finding down, unless there are enough of its kind.
    pub(crate) fn tell(&mut self, finding: Finding) {
        let code = finding.code;
        let told = self.findings.len();
        match self.kinds.iter_mut().find(|kind| kind.code == code) {
            Some(kind) => {
                kind.count += 1;
                if kind.count > MOST_OF_A_KIND {
                    return;
                }
                kind.last = told;
            }
            None => self.kinds.push(Kind {
                code,
                count: 1,
                last: told,
            }),
        }
        self.findings.push(finding);
    }

    /// What is told of the game with this number.
    pub(crate) fn finish(mut self, game: u32) -> Vec<Finding> {
        for kind in &self.kinds {
            if kind.count > MOST_OF_A_KIND {
                let more = kind.count - MOST_OF_A_KIND;
                let message = &mut self.findings[kind.last].message;
                let are = if more == 1 { "is" } else { "are" };
                message.push_str(&format!(" There {are} {more} more like this in the game."));
            }
        }
        for finding in &mut self.findings {
            finding.game = game;
        }
        self.findings
    }
}
