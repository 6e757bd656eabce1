//! The summary that every run over records ends with, on standard error.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use indicatif::HumanCount;

use crate::finding::{Code, Finding, Severity};

/// What has been counted, in one file or in all of them.
#[derive(Debug, Default)]
pub(super) struct Tally {
    pub files: u64,
    /// Inputs of which nothing could be read.
    pub unread: u64,
    pub games: u64,
    pub moves: u64,
    findings: BTreeMap<(Severity, Code), u64>,
}

impl Tally {
    pub(super) fn count(&mut self, finding: &Finding) {
        *self
            .findings
            .entry((finding.severity, finding.code))
            .or_default() += 1;
    }

    pub(super) fn add(&mut self, other: Tally) {
        self.files += other.files;
        self.unread += other.unread;
        self.games += other.games;
        self.moves += other.moves;
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
        if findings.is_empty() {
            return writeln!(f, "nothing found");
        }
        // The worst first, and of those the most frequent.
        let mut rows: Vec<_> = findings.iter().collect();
        rows.sort_by_key(|((severity, code), count)| {
            (*severity, **count, std::cmp::Reverse(*code))
        });
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
