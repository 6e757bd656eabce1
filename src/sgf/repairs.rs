//! What the reader had to repair, collected while it reads.
//!
//! A broken file can break in a million places. Of each code only so many findings a game are
//! kept; the rest are counted and told in one sentence. Places are told at the end, all at once,
//! because most files never need one.

use std::collections::HashMap;

use super::lines::LineFinder;
use crate::finding::{Code, Finding, Severity};

struct Repair {
    finding: Finding,
    offset: Option<u32>,
}

pub(crate) struct Repairs {
    repairs: Vec<Repair>,
    /// How many there are of each code in each game, listed or not, and where the first that is
    /// not listed stands.
    counts: HashMap<(u32, Code), Count>,
    limit: usize,
}

#[derive(Default)]
struct Count {
    all: usize,
    first_unlisted: Option<u32>,
}

/// No file needs more findings than this, whatever the number of its games.
const MOST: usize = 20_000;

impl Repairs {
    pub fn new(limit: usize) -> Repairs {
        Repairs {
            repairs: Vec::new(),
            counts: HashMap::new(),
            limit,
        }
    }

    /// Notes something about the file or game as a whole.
    pub fn whole(&mut self, game: u32, code: Code, message: impl FnOnce() -> String) {
        self.push(game, None, None, code, code.severity(), message);
    }

    /// Notes something at a place in the text.
    pub fn at(&mut self, game: u32, offset: u32, code: Code, message: impl FnOnce() -> String) {
        self.push(game, Some(offset), None, code, code.severity(), message);
    }

    /// Notes something about a move.
    pub fn at_move(
        &mut self,
        (game, number): (u32, u32),
        offset: u32,
        code: Code,
        message: impl FnOnce() -> String,
    ) {
        self.push(
            game,
            Some(offset),
            Some(number),
            code,
            code.severity(),
            message,
        );
    }

    fn push(
        &mut self,
        game: u32,
        offset: Option<u32>,
        move_number: Option<u32>,
        code: Code,
        severity: Severity,
        message: impl FnOnce() -> String,
    ) {
        if self.repairs.len() >= MOST {
            return;
        }
        let count = self.counts.entry((game, code)).or_default();
        count.all += 1;
        if count.all > self.limit {
            count.first_unlisted = count.first_unlisted.or(offset);
            return;
        }
        let mut finding = Finding::new(code, message()).severity(severity).game(game);
        finding.move_number = move_number;
        self.repairs.push(Repair { finding, offset });
    }

    /// The findings by game and place.
    pub fn into_findings(mut self, text: &str, ascii: bool) -> Vec<Finding> {
        for ((game, code), count) in self.counts {
            let more = count.all.saturating_sub(self.limit);
            if more > 0 {
                let message = format!("There are {more} more places like this in this game.");
                let finding = Finding::new(code, message).game(game);
                self.repairs.push(Repair {
                    finding,
                    offset: count.first_unlisted,
                });
            }
        }
        self.repairs
            .sort_by_key(|repair| (repair.offset, repair.finding.code));
        let mut lines = LineFinder::new(text, ascii);
        let mut findings: Vec<Finding> = Vec::with_capacity(self.repairs.len());
        for Repair { finding, offset } in self.repairs {
            findings.push(match offset {
                Some(offset) => finding.at(lines.place(offset)),
                None => finding,
            });
        }
        findings.sort_by_key(|finding| finding.game);
        findings
    }
}
