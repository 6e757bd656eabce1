//! At most so many findings of a kind per game.
//!
//! A wrong board size puts a hundred moves off the board, a hostile file breaks in a million
//! places. Every finding is counted. Of each kind (its code and severity) a game lists as many as
//! the limit allows; one more, where the first of the others is, says how many were left out and
//! counts for all of them.

use std::collections::BTreeMap;

use super::{Code, Finding, Severity, shortened_message};

/// Findings of one kind that are listed per game, unless a user says otherwise: more than any
/// game that was ever played has moves, few enough that no file fills the memory.
pub(crate) const MAX_FINDINGS: usize = 10_000;

/// Findings in the order in which they are made, up to the limit of their kind.
#[derive(Debug)]
pub(crate) struct FindingLimiter {
    limit: usize,
    findings: Vec<Finding>,
    kinds: BTreeMap<(u32, Code, Severity), Kind>,
}

/// The findings of one kind in one game.
#[derive(Debug, Default)]
struct Kind {
    listed: usize,
    /// Which finding stands for those that are not listed.
    rest: Option<usize>,
}

impl Default for FindingLimiter {
    fn default() -> FindingLimiter {
        FindingLimiter::new(MAX_FINDINGS)
    }
}

impl FindingLimiter {
    pub(crate) fn new(limit: usize) -> FindingLimiter {
        FindingLimiter {
            limit,
            findings: Vec::new(),
            kinds: BTreeMap::new(),
        }
    }

    /// Lists a finding, or counts it if there are enough of its kind.
    pub(crate) fn add(&mut self, mut finding: Finding) {
        let message = std::mem::take(&mut finding.message);
        self.add_with(finding, || message);
    }

    /// Lists a finding with this message, which is not put together if it is not needed. Returns
    /// whether the list has grown.
    pub(crate) fn add_with(
        &mut self,
        mut finding: Finding,
        message: impl FnOnce() -> String,
    ) -> bool {
        let key = (finding.game, finding.code, finding.severity);
        let kind = self.kinds.entry(key).or_default();
        if let Some(rest) = kind.rest {
            self.findings[rest].count += 1;
            return false;
        }
        if kind.listed < self.limit {
            kind.listed += 1;
            finding.message = shortened_message(message());
        } else {
            kind.rest = Some(self.findings.len());
        }
        self.findings.push(finding);
        true
    }

    /// The findings of a game whose number they do not bear yet.
    pub(crate) fn finish_game(self, number: u32) -> Vec<Finding> {
        let findings = self.finish().into_iter();
        findings.map(|finding| finding.game(number)).collect()
    }

    /// The list, with the number of those that were left out where there are any.
    pub(crate) fn finish(mut self) -> Vec<Finding> {
        for rest in self.kinds.values().filter_map(|kind| kind.rest) {
            let finding = &mut self.findings[rest];
            let (are, more) = match finding.count {
                1 => ("is", 1),
                more => ("are", more),
            };
            finding.message = format!("There {are} {more} more like this from here on.");
        }
        self.findings
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_is_per_game_and_kind_and_nothing_goes_uncounted() {
        let mut limiter = FindingLimiter::new(2);
        for number in 1..=5 {
            for game in [1, 2] {
                let finding = Finding::new(Code::OffBoard, "Off.").game(game);
                limiter.add(finding.at_move(number));
            }
        }
        let warning = Finding::new(Code::OffBoard, "Set up off.").severity(Severity::Warning);
        limiter.add(warning.game(1));
        let listed: Vec<_> = limiter
            .finish()
            .into_iter()
            .filter(|finding| finding.game == 1)
            .map(|finding| (finding.move_number, finding.count, finding.message))
            .collect();
        let expected = [
            (Some(1), 1, "Off."),
            (Some(2), 1, "Off."),
            (Some(3), 3, "There are 3 more like this from here on."),
            (None, 1, "Set up off."),
        ];
        assert_eq!(
            listed,
            expected.map(|(number, count, message)| (number, count, message.to_owned()))
        );
    }

    #[test]
    fn a_limit_of_zero_counts() {
        let mut limiter = FindingLimiter::new(0);
        limiter.add(Finding::new(Code::Suicide, "Suicide."));
        let findings = limiter.finish();
        assert_eq!(
            findings[0].message,
            "There is 1 more like this from here on."
        );
    }
}
