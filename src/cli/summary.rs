//! The summary that every run over records ends with, on standard error.

use std::cmp::Reverse;
use std::fmt::{self, Write as _};
use std::time::Duration;

use indicatif::HumanCount;

use crate::output::printable;
use crate::pipeline::sources::FoundConventions;
use crate::pipeline::tally::{LookAt, SURE, ScoreTally, Tally};

/// The summary of a run over records.
pub(super) struct Summary<'a> {
    tally: &'a Tally,
    time: Duration,
}

impl Summary<'_> {
    /// The summary after a run of this duration.
    pub(super) fn new(tally: &Tally, time: Duration) -> Summary<'_> {
        Summary { tally, time }
    }
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
            ..
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
            return writeln!(f, "no problems found");
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

pub(super) fn plural(count: u64, noun: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{} {noun}{ending}", HumanCount(count))
}

/// What the summary says about the scores, and which games are worth a look.
pub(super) fn scores(tally: &ScoreTally) -> String {
    let all = tally.scored + tally.decided + tally.undecided;
    if all == 0 {
        return String::new();
    }
    let mut text = format!(
        "{}: {} counted, {} decided on record, {} without a result\n",
        plural(all, "game"),
        HumanCount(tally.scored),
        HumanCount(tally.decided),
        HumanCount(tally.undecided)
    );
    let compared = tally.compared();
    if compared > 0 {
        let share = 100.0 * tally.exact as f64 / compared as f64;
        let _ = writeln!(
            text,
            "of {} with a margin on record: {} exact ({share:.1} %), {} with another margin, {} with \
             another winner",
            plural(compared, "counted game"),
            HumanCount(tally.exact),
            HumanCount(tally.winner),
            HumanCount(tally.differs),
        );
    }
    if tally.other_winner > 0 {
        let _ = writeln!(
            text,
            "{} with another winner than the record, which gives no margin",
            plural(tally.other_winner, "counted game")
        );
    }
    if tally.judged > 0 {
        let _ = writeln!(
            text,
            "sure ({SURE} or more) of {} of {}",
            HumanCount(tally.sure),
            plural(tally.judged, "counted game")
        );
    }
    if tally.worth_a_look > 0 {
        let _ = writeln!(text, "worth a look: {}", plural(tally.worth_a_look, "game"));
        for LookAt {
            file, game, reason, ..
        } in &tally.look_at
        {
            let place = match game {
                1 => String::new(),
                _ => format!(", game {game}"),
            };
            let _ = writeln!(text, "  {}{place}: {}", printable(file), printable(reason));
        }
        if tally.worth_a_look > tally.look_at.len() as u64 {
            text.push_str(
                "  … and more: in the table, those whose agreement is winner or differs, whose \
                 confidence is below 0.9, or whose status is illegal or contradictory\n",
            );
        }
    }
    text
}

/// What the summary says about records that do not tell what was played: which were not taken at
/// their word, and which should not be.
pub(super) fn conventions(tally: &ScoreTally, taken: Option<&FoundConventions>) -> String {
    let mut text = String::new();
    if !tally.as_servers_play.is_empty() {
        let servers = tally.as_servers_play.iter();
        let words = servers.map(|(server, count)| format!("{} from {server}", HumanCount(*count)));
        let _ = writeln!(
            text,
            "counted as the server plays, not as the record says: {} (--conventions record takes \
             them at their word)",
            words.collect::<Vec<_>>().join(", ")
        );
    }
    if let Some(taken) = taken {
        for sentence in taken.sentences() {
            let _ = writeln!(text, "{}: counted so", printable(&sentence));
        }
        return text;
    }
    for sentence in tally.sources.decide().sentences() {
        let _ = writeln!(
            text,
            "{}: --conventions auto counts so",
            printable(&sentence)
        );
    }
    text
}
