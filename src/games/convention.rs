//! What the records of a source say, and what was played there.
//!
//! Some servers write a komi or a rule set into their records that the games were not played by.
//! Whoever scores such a record wants the game that was played; so a convention, where there is
//! one, comes before the record, and a note says so. `--conventions record` takes records at their
//! word.
//!
//! What is known of servers stands in a table here, with the games that it rests on: finished games
//! with a margin on record, and how many of them each reading gives exactly. How servers look at
//! false eyes is in [`Counting`]; what the games of one run say about their own source is counted
//! in `pipeline::sources`.
//!
//! | record | games | as written | as played | next best |
//! | --- | --- | --- | --- | --- |
//! | Fox, 9 dan, even, `KM[0]`, territory | 577 | 0 | komi 6.5: 437 | komi 7.5: 36 |
//! | Fox, professionals, even, `KM[0]`, territory | 159 | 0 | komi 6.5: 143 | komi 5.5: 5 |
//! | Tom, 9 dan, `KM[7.5]RU[Japanese]` | 666 | 331 | area: 647 | |
//!
//! Other records of these servers are right as they are: Fox's `KM[650]` and `KM[750]` by territory
//! (122 of 146 and 24 of 26), its `KM[0]` in handicap games and where Black has the first move for
//! a handicap (`HA[1]`: 19 of 23), `KM[375]` by area (3.75 zi, with a margin in zi too), Tom's
//! `KM[6.5]` by territory (plain counting: 111 of 114). Even games by Chinese rules for which Fox
//! writes `KM[0]` are few; they are played with 3.75 zi like its others.
//!
//! The half points tell by themselves that the komi is wrong: none of Fox's even games with
//! `KM[0]` ends in whole points.

use crate::count::Counting;
use crate::replay::is_even;
use crate::rules::{Preset, Rules, Scoring};
use crate::sgf::{Game, Server};

/// How far records are taken at their word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Conventions {
    /// Always.
    Record,
    /// Except where a server is known to play otherwise.
    #[default]
    Known,
}

/// What the games of a source were played by, where that is not what their records say.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Convention {
    /// The rules, where the record names others.
    pub rules: Option<Rules>,
    /// The komi, where the record says another.
    pub komi: Option<f64>,
    /// How territory is looked at, where that is not as the rules or the server have it.
    pub counting: Option<Counting>,
    /// What it rests on.
    pub basis: Basis,
}

/// What a convention rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Basis {
    /// The table of this module.
    Server(Server),
    /// The games of the same source in the same run: it gives the result of `fits` of `games`.
    Statistics {
        /// How many results it gives.
        fits: u32,
        /// Of how many.
        games: u32,
    },
}

impl Convention {
    /// What is known of the server that a record comes from, for games like this one.
    pub fn known(game: &Game) -> Option<Convention> {
        const FULL_BOARD: u8 = 19;
        let header = &game.header;
        let server = header.server?;
        let on_record = || {
            let rules = header.rules.as_deref().unwrap_or("");
            Rules::from_record(rules.trim()).unwrap_or_default()
        };
        let found = |rules, komi| Convention {
            rules,
            komi,
            counting: None,
            basis: Basis::Server(server),
        };
        let is_full = game.size.width() == FULL_BOARD && game.size.height() == FULL_BOARD;
        match (server, header.komi) {
            // Black may play twice at the start: where White let the time pass, Fox leaves it out.
            (Server::Fox, Some(0.0))
                if is_full
                    && header
                        .handicap
                        .map_or_else(|| is_even(game), |stones| stones == 0) =>
            {
                let komi = match on_record().scoring {
                    Scoring::Territory => 6.5,
                    Scoring::Area => 7.5,
                };
                Some(found(None, Some(komi)))
            }
            (Server::Tom, Some(7.5)) if on_record().scoring == Scoring::Territory => {
                Some(found(Some(Preset::Chinese.rules()), None))
            }
            _ => None,
        }
    }

    /// This one, and where it leaves something open the other.
    #[must_use]
    pub fn or(self, other: Option<Convention>) -> Convention {
        let other = other.as_ref();
        Convention {
            rules: self.rules.or(other.and_then(|other| other.rules)),
            komi: self.komi.or(other.and_then(|other| other.komi)),
            counting: self.counting.or(other.and_then(|other| other.counting)),
            ..self
        }
    }

    /// Why the komi is not the record's.
    pub(super) fn komi_note(&self, komi: f64, said: Option<f64>, even: bool) -> String {
        let said = match said {
            Some(said) => format!("The record says a komi of {said}"),
            None => "The record gives no komi".to_string(),
        };
        match self.basis {
            Basis::Server(server) => {
                let games = if even { "even games" } else { "such games" };
                let server = server.name();
                format!("{said}; {komi} is counted, with which {games} are played on {server}.")
            }
            Basis::Statistics { fits, games } => format!(
                "{said}; {komi} is counted, which fits {fits} of {games} such games of its source."
            ),
        }
    }

    /// Why the rules are not the record's.
    pub(super) fn rules_note(&self, rules: &Rules, said: &Rules) -> String {
        match self.basis {
            Basis::Server(server) => format!(
                "By the record {said} rules; counted by {rules} rules, as {} counts games with \
                 this komi.",
                server.name()
            ),
            Basis::Statistics { fits, games } => format!(
                "By the record {said} rules; counted by {rules} rules, which fit {fits} of \
                 {games} such games of its source."
            ),
        }
    }

    /// Why territory is looked at in this way.
    pub(super) fn counting_note(&self, counting: Counting) -> Option<String> {
        let Basis::Statistics { fits, games } = self.basis else {
            return None;
        };
        let how = match counting {
            Counting::Plain => {
                "Counted plainly (false eyes and eyes in seki are territory), \
                which fits"
            }
            Counting::Strict | Counting::Kgs => "Counted by the rule book, which fits",
        };
        Some(format!("{how} {fits} of {games} such games of its source."))
    }
}

/// Where a game's komi comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum KomiSource {
    /// `KM[]` says it.
    Record,
    /// The user asked for it.
    Option,
    /// The server that the record comes from is known to play with it, whatever `KM[]` says.
    Server,
    /// The games of the same source fit it, and not what `KM[]` says.
    Statistics,
    /// Nobody said, or nothing that can be read: that of the rules, or none.
    Default,
}

impl KomiSource {
    /// The word for it in every output.
    pub fn as_str(self) -> &'static str {
        match self {
            KomiSource::Record => "record",
            KomiSource::Option => "option",
            KomiSource::Server => "server",
            KomiSource::Statistics => "statistics",
            KomiSource::Default => "default",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sgf::{self, Limits};

    fn known(header: &str) -> Option<Convention> {
        let sgf = format!("(;GM[1]{header};B[pd];W[dp])");
        let collection = sgf::parse(sgf.as_bytes(), &Limits::default());
        Convention::known(&collection.games[0])
    }

    #[test]
    fn fox_plays_even_games_with_komi_whatever_it_writes() {
        let komi = |header: &str| known(header).and_then(|convention| convention.komi);
        assert_eq!(komi("SZ[19]KM[0]HA[0]RU[Japanese]AP[foxwq]"), Some(6.5));
        assert_eq!(komi("SZ[19]KM[0]HA[0]RU[Chinese]AP[foxwq]"), Some(7.5));
        // Passed on by another program; the clock is still Fox's.
        let clock = "SZ[19]AP[GNU Go:3.8]KM[0]HA[0]RU[Japanese]TM[60]TC[3]TT[15]";
        assert_eq!(komi(clock), Some(6.5));
        let timed_out = "SZ[19]KM[0]HA[0]RU[Japanese]AP[foxwq];B[dd]";
        assert_eq!(komi(timed_out), Some(6.5));
        // A komi that is written is the one that was played with.
        assert_eq!(known("SZ[19]KM[650]HA[0]RU[Japanese]AP[foxwq]"), None);
        // Black has something for it.
        assert_eq!(known("SZ[19]KM[0]HA[1]RU[Japanese]AP[foxwq]"), None);
        assert_eq!(
            known("SZ[19]KM[0]HA[2]AB[pp][dd]RU[Japanese]AP[foxwq]"),
            None
        );
        // Nothing is known of small boards, and KM[0] elsewhere is a komi.
        assert_eq!(known("SZ[9]KM[0]HA[0]RU[Japanese]AP[foxwq]"), None);
        assert_eq!(known("SZ[19]KM[0]HA[0]RU[Japanese]"), None);
    }

    #[test]
    fn tom_counts_by_area_where_the_komi_is_that_of_chinese_rules() {
        let rules = |header: &str| known(header).and_then(|convention| convention.rules);
        let chinese = Some(Preset::Chinese.rules());
        assert_eq!(rules("KM[7.5]RU[Japanese]PC[Tom]"), chinese);
        assert_eq!(rules("KM[6.5]RU[Japanese]PC[Tom]"), None);
        assert_eq!(rules("KM[7.5]RU[Chinese]PC[Tom]"), None);
        assert_eq!(rules("KM[7.5]RU[Japanese]PC[Tokyo]"), None);
    }
}
