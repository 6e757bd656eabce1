//! The summary that every run over records ends with, on standard error.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use indicatif::HumanCount;

use crate::finding::{Code, Finding, Severity};
use crate::replay::ChosenRules;

/// What has been counted, in one file or in all of them.
#[derive(Debug, Default)]
pub(super) struct Tally {
    pub files: u64,
    /// Inputs of which nothing could be read.
    pub unread: u64,
    pub games: u64,
    pub moves: u64,
    /// Games by the name of their rule set and where it was taken from.
    rules: BTreeMap<(&'static str, &'static str), u64>,
    findings: BTreeMap<(Severity, Code), u64>,
}

impl Tally {
    pub(super) fn count(&mut self, finding: &Finding) {
        *self
            .findings
            .entry((finding.severity, finding.code))
            .or_default() += 1;
    }

    /// Counts a game's rule set.
    pub(super) fn count_rules(&mut self, chosen: &ChosenRules) {
        let rules = (chosen.rules.base.as_str(), chosen.source.as_str());
        *self.rules.entry(rules).or_default() += 1;
    }

    pub(super) fn add(&mut self, other: Tally) {
        self.files += other.files;
        self.unread += other.unread;
        self.games += other.games;
        self.moves += other.moves;
        for (rules, count) in other.rules {
            *self.rules.entry(rules).or_default() += count;
        }
        for (kind, count) in other.findings {
            *self.findings.entry(kind).or_default() += count;
        }
    }

    /// Whether there was any finding of severity error.
    pub(super) fn has_errors(&self) -> bool {
        self.findings
            .keys()
            .any(|(severity, _)| *severity == Severity::Error)
    }

    /// The summary after a run of this duration.
    pub(super) fn summary(&self, time: Duration) -> Summary<'_> {
        Summary { tally: self, time }
    }
}

pub(super) struct Summary<'a> {
    tally: &'a Tally,
    time: Duration,
}

impl fmt::Display for Summary<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally {
            files,
            unread,
            games,
            moves,
            rules,
            findings,
        } = self.tally;
        write!(f, "{}", plural(*files, "file"))?;
        if *unread > 0 {
            write!(f, " ({} more could not be read)", HumanCount(*unread))?;
        }
        let seconds = self.time.as_secs_f64();
        let rate = (*games as f64 / seconds.max(1e-6)).round() as u64;
        writeln!(
            f,
            ", {}, {} in {seconds:.2} s, {} games/s",
            plural(*games, "game"),
            plural(*moves, "move"),
            HumanCount(rate)
        )?;
        if !rules.is_empty() {
            let mut rows: Vec<_> = rules.iter().collect();
            rows.sort_by_key(|(rules, count)| (Reverse(**count), **rules));
            let words = rows
                .into_iter()
                .map(|((name, source), count)| format!("{} {name} ({source})", HumanCount(*count)));
            writeln!(f, "rules: {}", words.collect::<Vec<_>>().join(", "))?;
        }
        if findings.is_empty() {
            return writeln!(f, "nothing found");
        }
        // The worst first, and of those the most frequent.
        let mut rows: Vec<_> = findings.iter().collect();
        rows.sort_by_key(|((severity, code), count)| (*severity, **count, Reverse(*code)));
        for ((severity, code), count) in rows.into_iter().rev() {
            let (count, severity) = (HumanCount(*count).to_string(), severity.as_str());
            writeln!(f, "{count:>9}  {severity:<8} {}", code.as_str())?;
        }
        Ok(())
    }
}

fn plural(count: u64, noun: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{} {noun}{ending}", HumanCount(count))
}
