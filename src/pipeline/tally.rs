//! What a run counts, for its summary.

use std::collections::BTreeMap;

use super::row::{RowStatus, ScoreRow};
use super::sources::Sources;
use crate::count::Agreement;
use crate::finding::{Code, Finding, Severity};
use crate::games::DecidedBy;
use crate::replay::ChosenRules;

/// From this confidence on, kifu is said to be sure.
pub(crate) const SURE: f64 = 0.9;

/// What has been counted, in one file or in all of them.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub(crate) struct Tally {
    /// Files that were read.
    pub files: u64,
    /// Inputs of which nothing could be read.
    pub unread: u64,
    /// Games in the files.
    pub games: u64,
    /// Moves in the games.
    pub moves: u64,
    /// Games by the name of their rule set and where it was taken from.
    pub rules: BTreeMap<(&'static str, &'static str), u64>,
    /// Findings by severity and code.
    pub findings: BTreeMap<(Severity, Code), u64>,
}

impl Tally {
    pub(crate) fn count(&mut self, finding: &Finding) {
        *self
            .findings
            .entry((finding.severity, finding.code))
            .or_default() += u64::from(finding.count);
    }

    /// Counts a game's rule set.
    pub(crate) fn count_rules(&mut self, chosen: &ChosenRules) {
        let rules = (chosen.rules.base.as_str(), chosen.source.as_str());
        *self.rules.entry(rules).or_default() += 1;
    }

    /// Adds what another part of the run has counted.
    pub(crate) fn add(&mut self, other: Tally) {
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

    /// Whether there was any finding of at least this severity.
    pub(crate) fn has(&self, least: Severity) -> bool {
        self.findings.keys().any(|(severity, _)| *severity >= least)
    }
}

/// What has been counted of scores.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub(crate) struct ScoreTally {
    /// What every run counts.
    pub records: Tally,
    /// Games that a count decides.
    pub scored: u64,
    /// Games with the margin on record.
    pub exact: u64,
    /// Games with the winner on record, by another margin.
    pub winner: u64,
    /// Games with another winner than on record, where there is a margin on record.
    pub differs: u64,
    /// Games with another winner than on record, where that is all the record says.
    pub other_winner: u64,
    /// Games whose dead stones were judged.
    pub judged: u64,
    /// Of those, the games with a confidence of [`SURE`] or more.
    pub sure: u64,
    /// How often a confidence came true.
    pub calibration: Calibration,
    /// Games that a decision on record decides.
    pub decided: u64,
    /// Games that nothing decides.
    pub undecided: u64,
    /// Games that were counted as their server plays and not as the record says, by the server.
    pub as_servers_play: BTreeMap<&'static str, u64>,
    /// What the games of each source say about how it counts.
    pub sources: Sources,
    /// How many games are worth a look.
    pub worth_a_look: u64,
    /// The first of them, at most [`ScoreTally::LISTED`].
    pub look_at: Vec<LookAt>,
}

impl ScoreTally {
    /// Counted games whose record has a margin.
    pub(crate) fn compared(&self) -> u64 {
        self.exact + self.winner + self.differs
    }

    /// Counted games whose record says otherwise.
    pub(crate) fn disagreements(&self) -> u64 {
        self.winner + self.differs + self.other_winner
    }
}

/// A game that is worth a look, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub(crate) struct LookAt {
    /// The file.
    pub file: String,
    /// The game in it, from 1.
    pub game: u32,
    /// Why, in a few words.
    pub reason: String,
}

impl ScoreTally {
    /// How many games that are worth a look are named.
    pub(crate) const LISTED: usize = 10;

    pub(crate) fn note(&mut self, row: &ScoreRow) {
        let Some(agreement) = row.agreement else {
            return;
        };
        match row.decision.by {
            Some(DecidedBy::Count) => self.scored += 1,
            Some(_) => self.decided += 1,
            None => self.undecided += 1,
        }
        match agreement {
            Agreement::Exact => self.exact += 1,
            Agreement::Winner => self.winner += 1,
            // A winner alone is written `B+`, with nothing behind it.
            Agreement::Differs if row.recorded_result.ends_with('+') => self.other_winner += 1,
            Agreement::Differs => self.differs += 1,
            Agreement::NotComparable => {}
        }
        if let Some(confidence) = row.confidence {
            self.judged += 1;
            self.sure += u64::from(confidence >= SURE);
            if agreement != Agreement::NotComparable {
                self.calibration
                    .note(confidence, agreement == Agreement::Exact);
            }
        }
        if let (Some(reason), Some(game)) = (reason_to_look(row), row.game) {
            self.worth_a_look += 1;
            if self.look_at.len() < ScoreTally::LISTED {
                let file = row.file.clone();
                self.look_at.push(LookAt { file, game, reason });
            }
        }
    }

    /// Adds what another part of the run has counted.
    pub(crate) fn add(&mut self, other: ScoreTally) {
        self.records.add(other.records);
        self.scored += other.scored;
        self.exact += other.exact;
        self.winner += other.winner;
        self.differs += other.differs;
        self.other_winner += other.other_winner;
        self.judged += other.judged;
        self.sure += other.sure;
        self.calibration.add(&other.calibration);
        self.decided += other.decided;
        self.undecided += other.undecided;
        for (server, count) in other.as_servers_play {
            *self.as_servers_play.entry(server).or_default() += count;
        }
        self.sources.add(other.sources);
        self.worth_a_look += other.worth_a_look;
        let room = ScoreTally::LISTED - self.look_at.len();
        self.look_at.extend(other.look_at.into_iter().take(room));
    }
}

/// Confidence against truth: of the games that kifu was so sure of, how many have the margin on
/// record.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Calibration {
    bins: [Bin; Calibration::LOWER.len()],
}

/// The games whose confidence lies between two bounds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Bin {
    /// From this confidence.
    pub from: f64,
    /// Up to this one.
    pub to: f64,
    /// How many games there are.
    pub games: u64,
    /// How many of them have the margin on record.
    pub exact: u64,
    /// The sum of their confidences.
    sum: f64,
}

impl Bin {
    /// What kifu said on average.
    pub(crate) fn expected(self) -> f64 {
        self.sum / self.games as f64
    }

    /// What came of it.
    pub(crate) fn share(self) -> f64 {
        self.exact as f64 / self.games as f64
    }
}

impl Calibration {
    /// Most games are nearly certain, so the bins are narrow there.
    const LOWER: [f64; 8] = [0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99];

    fn note(&mut self, confidence: f64, is_exact: bool) {
        let bin = Calibration::LOWER
            .iter()
            .rposition(|lower| confidence >= *lower);
        let bin = &mut self.bins[bin.unwrap_or(0)];
        bin.games += 1;
        bin.exact += u64::from(is_exact);
        bin.sum += confidence;
    }

    fn add(&mut self, other: &Calibration) {
        for (bin, other) in self.bins.iter_mut().zip(&other.bins) {
            bin.games += other.games;
            bin.exact += other.exact;
            bin.sum += other.sum;
        }
    }

    /// The bins that hold games, from the least sure to the surest.
    pub(crate) fn bins(&self) -> impl Iterator<Item = Bin> + '_ {
        let upper = Calibration::LOWER.iter().skip(1).chain(&[1.0]);
        let bounds = Calibration::LOWER.iter().zip(upper);
        let bins = self.bins.iter().zip(bounds);
        let bins = bins.map(|(bin, (&from, &to))| Bin { from, to, ..*bin });
        bins.filter(|bin| bin.games > 0)
    }
}

/// Why somebody should look at a game, if there is a reason to.
pub(crate) fn reason_to_look(row: &ScoreRow) -> Option<String> {
    let (result, recorded) = (&row.decision.result, &row.recorded_result);
    match (row.status, row.agreement, row.confidence) {
        (RowStatus::Illegal, ..) => {
            let number = row.first_illegal.unwrap_or(0);
            Some(format!("illegal move {number}"))
        }
        (RowStatus::Contradictory, ..) => Some(format!(
            "the komi does not fit the result on record, {recorded}"
        )),
        (_, Some(Agreement::Winner | Agreement::Differs), _) => {
            Some(format!("{result} counted, {recorded} on record"))
        }
        (_, _, Some(confidence)) if confidence < SURE => {
            // Rounded down: 0.898 is not 90 %, which would be sure.
            let percent = (100.0 * confidence).floor();
            Some(format!("{result}, {percent:.0} % sure"))
        }
        _ => None,
    }
}
