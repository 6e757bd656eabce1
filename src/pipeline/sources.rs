//! What the games of a source say about how it counts.
//!
//! A single game that misses its record tells little: another komi, other rules or one forgotten
//! stone explain it as well. The games of one source tell a lot. If 437 of 577 records with `KM[0]`
//! are exact with a komi of 6.5, and 36 with the next best, that is what was played there.
//!
//! - A **source** is a server that kifu knows; else the folder that the records lie in. Its games
//!   fall into [groups](GroupKey) whose records say the same: size of the board, rules, komi, even
//!   or not. What is decided holds for a group.
//! - Of each finished game with a margin on record the group keeps a **vote**: with which komi each
//!   way of counting gives that margin. A group keeps at most [`SAMPLE`] votes, those of the games
//!   whose names have the smallest hashes. So the votes are the same whatever the order in which the
//!   games come, and memory stays as it is.
//! - [`Group::decide`] takes another komi, other rules or another look at territory only if they fit
//!   clearly more games than what is counted now, and clearly more than the next best that is as simple. All
//!   that has to hold with one vote less: a result that hangs on a single game is none, and so no game
//!   decides its own score.
//!
//! `kifu score` says in its summary what it finds, and with `--conventions auto` it looks at the
//! games twice: first for the votes, then to count.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::{Mutex, PoisonError};

use super::part::Part;
use crate::count::{Counting, Leads, Margin, Way, counterfactual::USUAL_KOMI};
use crate::games::convention::{Basis, Convention};
use crate::games::go::Verdict;
use crate::games::{self, Outcome};
use crate::replay::{choose_rules, is_even};
use crate::rules::{Preset, Scoring};
use crate::sgf::{self, Game, GameKind};

/// How many votes a group keeps.
pub(crate) const SAMPLE: usize = 512;

/// How many groups there may be; beyond that those whose names come last are left out.
const MOST_GROUPS: usize = 256;

/// A group with fewer votes decides nothing.
const FEWEST_GAMES: u32 = 15;

/// How many games another reading must explain that the one in use does not.
const FEWEST_TURNED: u32 = 10;

/// Games whose records come from the same source and say the same.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct GroupKey {
    /// The name of the server, or of the folder.
    pub(crate) source: String,
    pub(crate) is_server: bool,
    /// `19x19`.
    pub(crate) board: String,
    pub(crate) even: bool,
    /// The name of the rule set on record, or of the default.
    pub(crate) rules: &'static str,
    /// The komi on record, in hundredths of a point.
    pub(crate) komi: Option<i32>,
}

impl GroupKey {
    /// The group of a game of Go in this file.
    pub(crate) fn of(file: &str, game: &Game) -> GroupKey {
        let header = &game.header;
        let folder = || {
            file.rsplit_once(['/', '\\'])
                .map_or("", |(folder, _)| folder)
        };
        GroupKey {
            source: match header.server {
                Some(server) => server.name().to_string(),
                None => folder().to_string(),
            },
            is_server: header.server.is_some(),
            board: game.size.to_string(),
            even: is_even(game),
            rules: choose_rules(header, None).rules.base.as_str(),
            komi: header.komi.map(hundredths),
        }
    }

    /// `games from Fox, even, 19x19, that say japanese rules and a komi of 0`.
    fn in_words(&self) -> String {
        let from = match (self.is_server, self.source.as_str()) {
            (true, source) => format!("from {source}"),
            (false, "") => "in this folder".to_string(),
            (false, folder) => format!("in {folder}"),
        };
        let kind = if self.even { "even" } else { "handicap" };
        let komi = match self.komi {
            Some(komi) => format!("a komi of {}", f64::from(komi) / 100.0),
            None => "no komi".to_string(),
        };
        let (board, rules) = (&self.board, self.rules);
        format!("{kind} {board} games {from} with {rules} rules and {komi} on record")
    }
}

fn hundredths(points: f64) -> i32 {
    (100.0 * points).round() as i32
}

/// What a game was counted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reading {
    pub(crate) way: Way,
    /// In hundredths of a point.
    pub(crate) komi: i32,
}

/// With which komi, in hundredths, each way of counting gives the margin on record.
pub(crate) type Vote = [i32; Way::ALL.len()];

/// The votes of a group.
#[derive(Clone, Debug, Default)]
pub(crate) struct Group {
    /// By the hash of the game; `None` for one that was not counted in the end.
    votes: BTreeMap<u64, Option<Vote>>,
    now: Option<Reading>,
}

/// What was found out about a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    /// What its games are counted by now.
    pub(crate) now: Reading,
    /// What fits better.
    pub(crate) better: Reading,
    /// Of so many games.
    pub(crate) games: u32,
    /// Those that are exact now.
    pub(crate) now_fits: u32,
    /// Those that would be.
    pub(crate) better_fits: u32,
}

impl Group {
    /// Whether the vote of a game with this hash would be kept.
    fn would_keep(&self, hash: u64) -> bool {
        let last = self.votes.last_key_value();
        self.votes.len() < SAMPLE || last.is_some_and(|(&last, _)| hash < last)
    }

    fn add(&mut self, hash: u64, vote: Option<Vote>) {
        self.votes.insert(hash, vote);
        if self.votes.len() > SAMPLE {
            self.votes.pop_last();
        }
    }

    /// The reading that clearly fits better than the one in use, if there is one.
    pub(crate) fn decide(&self) -> Option<Found> {
        self.decide_without(1)
    }

    /// The same if this many of the votes for it are not heard.
    fn decide_without(&self, unheard: u32) -> Option<Found> {
        let now = self.now?;
        let votes: Vec<Vote> = self.votes.values().flatten().copied().collect();
        let games = votes.len() as u32;
        if games < FEWEST_GAMES + unheard {
            return None;
        }
        let count = |fits: &dyn Fn(&Vote) -> bool| votes.iter().filter(|vote| fits(vote)).count();
        let fit = |vote: &Vote, reading: Reading| vote[reading.way as usize] == reading.komi;
        let fits = |reading: Reading| count(&|vote| fit(vote, reading)) as u32;
        let heard = |fits: u32| fits.saturating_sub(unheard);
        let fits_most = |fits: u32| 2 * heard(fits) >= games - unheard;
        let clearly_better = |other: Reading, than: Reading| {
            let turned = count(&|vote| fit(vote, other) && !fit(vote, than)) as u32;
            let lost = count(&|vote| fit(vote, than) && !fit(vote, other)) as u32;
            heard(turned) >= FEWEST_TURNED && heard(turned) >= 3 * lost
        };
        // First the rules and the komi, with territory as it is looked at now.
        let territory = match now.way {
            Way::Area => Way::Strict,
            way => way,
        };
        let mut komis: Vec<i32> = vec![now.komi];
        let usual = USUAL_KOMI.map(hundredths);
        komis.extend(usual.iter().filter(|&&komi| komi != now.komi));
        let readings = komis.iter().flat_map(|&komi| {
            [territory, Way::Area].map(|way| (fits(Reading { way, komi }), Reading { way, komi }))
        });
        let changes = |reading: Reading| {
            u32::from(reading.way != now.way) + u32::from(reading.komi != now.komi)
        };
        // Of those that are as good, the one with the fewest changes, and with the same komi.
        let rank = |&(fits, reading): &(u32, Reading)| {
            let same_komi = reading.komi == now.komi;
            (fits, Reverse(changes(reading)), same_komi)
        };
        let mut by_rank: Vec<(u32, Reading)> = readings.collect();
        by_rank.sort_by_key(rank);
        let (best_fits, best) = by_rank.pop()?;
        // What changes more does not stand against what changes less.
        let next = by_rank
            .iter()
            .rev()
            .find(|(_, reading)| *reading != now && changes(*reading) <= changes(best));
        let next_fits = next.map_or(0, |(fits, _)| *fits);
        let is_clear = best != now
            && clearly_better(best, now)
            && fits_most(best_fits)
            && 5 * next_fits <= 4 * heard(best_fits);
        let decided = if is_clear { best } else { now };
        // Then how closely territory is looked at.
        let other = match decided.way {
            Way::Strict => Some(Way::Plain),
            Way::Plain => Some(Way::Strict),
            Way::Area => None,
        };
        let other = other.map(|way| Reading { way, ..decided });
        let better = match other {
            Some(other) if clearly_better(other, decided) && fits_most(fits(other)) => other,
            _ => decided,
        };
        (better != now).then(|| Found {
            now,
            better,
            games,
            now_fits: fits(now),
            better_fits: fits(better),
        })
    }
}

impl Found {
    /// What it comes to for a game of the group.
    pub(crate) fn convention(&self) -> Convention {
        let (now, better) = (self.now, self.better);
        let other_rules = now.way.scoring() != better.way.scoring();
        Convention {
            rules: other_rules.then(|| match better.way.scoring() {
                Scoring::Area => Preset::Chinese.rules(),
                Scoring::Territory => Preset::Japanese.rules(),
            }),
            komi: (now.komi != better.komi).then(|| f64::from(better.komi) / 100.0),
            counting: match better.way {
                Way::Plain if now.way != Way::Plain => Some(Counting::Plain),
                Way::Strict if now.way == Way::Plain => Some(Counting::Strict),
                _ => None,
            },
            basis: Basis::Statistics {
                fits: self.better_fits,
                games: self.games,
            },
        }
    }

    /// What was found about the group, as a sentence without its end.
    pub(crate) fn in_words(&self, key: &GroupKey) -> String {
        let (now, better) = (self.now, self.better);
        let way = |way: Way| match way {
            Way::Area => "area",
            Way::Strict if now.way == Way::Plain || better.way == Way::Plain => {
                "strict counting of territory"
            }
            Way::Plain if now.way.scoring() == better.way.scoring() => {
                "plain counting of territory"
            }
            Way::Strict | Way::Plain => "territory",
        };
        let komi = |komi: i32| match komi {
            0 => "no komi".to_string(),
            komi => format!("a komi of {}", f64::from(komi) / 100.0),
        };
        let reading = |reading: Reading| match (now.way != better.way, now.komi != better.komi) {
            (true, true) => format!("{} with {}", way(reading.way), komi(reading.komi)),
            (true, false) => way(reading.way).to_string(),
            (false, _) => komi(reading.komi),
        };
        let share = |fits: u32| 100.0 * f64::from(fits) / f64::from(self.games.max(1));
        let mut text = String::new();
        let _ = write!(
            text,
            "{} fits {} ({:.0} %), {} fits {} ({:.0} %) of {} {}",
            reading(now),
            self.now_fits,
            share(self.now_fits),
            reading(better),
            self.better_fits,
            share(self.better_fits),
            self.games,
            key.in_words()
        );
        text
    }
}

/// The groups of a run, or of a part of one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sources {
    groups: BTreeMap<GroupKey, Group>,
}

impl Sources {
    /// Adds the vote of a game that was scored, if its record has a margin to vote with.
    pub(super) fn note(&mut self, file: &str, game: &Game, verdict: &Verdict) {
        if let Some(recorded) = Margin::recorded(game.header.result.as_ref()) {
            let hash = hash(file, game.number);
            let (vote, now) = vote(verdict, recorded).unzip();
            self.add_vote(GroupKey::of(file, game), hash, vote, now);
        }
    }

    fn add_vote(&mut self, key: GroupKey, hash: u64, vote: Option<Vote>, now: Option<Reading>) {
        let group = self.groups.entry(key).or_default();
        group.add(hash, vote);
        // Of games that were counted otherwise, by another default of theirs, the same one is
        // taken whatever their order.
        group.now = match (group.now, now) {
            (Some(a), Some(b)) => Some(if order(b) < order(a) { b } else { a }),
            (a, b) => a.or(b),
        };
        if self.groups.len() > MOST_GROUPS {
            self.groups.pop_last();
        }
    }

    /// Adds what another part of the run has found.
    pub(crate) fn add(&mut self, other: Sources) {
        for (key, group) in other.groups {
            for (hash, vote) in group.votes {
                self.add_vote(key.clone(), hash, vote, group.now);
            }
        }
    }

    /// How many bytes it holds in memory, roughly.
    pub(crate) fn held(&self) -> usize {
        let votes: usize = self.groups.values().map(|group| group.votes.len()).sum();
        votes * 48 + self.groups.len() * 128
    }

    /// What fits better than what is counted by, group by group.
    pub(crate) fn decide(&self) -> FoundConventions {
        let found = self.groups.iter();
        FoundConventions {
            groups: found
                .filter_map(|(key, group)| Some((key.clone(), group.decide()?)))
                .collect(),
        }
    }
}

fn order(reading: Reading) -> (Way, i32) {
    (reading.way, reading.komi)
}

/// What the sources of a run were found to play by.
#[derive(Clone, Debug, Default)]
pub(crate) struct FoundConventions {
    groups: BTreeMap<GroupKey, Found>,
}

impl FoundConventions {
    /// What was found about the group of a game.
    pub(crate) fn of(&self, file: &str, game: &Game) -> Option<Convention> {
        if self.groups.is_empty() || game.kind != GameKind::Go {
            return None;
        }
        let found = self.groups.get(&GroupKey::of(file, game))?;
        Some(found.convention())
    }

    /// One per group, in the order of their names.
    pub(crate) fn sentences(&self) -> impl Iterator<Item = String> + '_ {
        self.groups.iter().map(|(key, found)| found.in_words(key))
    }
}

/// The vote of a game that was counted, and what it was counted by.
fn vote(verdict: &Verdict, recorded: Margin) -> Option<(Vote, Reading)> {
    // Nothing else decided the game.
    verdict.decision.margin?;
    let leads: Leads = verdict.count.leads()?;
    let vote = Way::ALL.map(|way| hundredths(leads.by(way) - recorded.black_lead()));
    let now = Reading {
        way: leads.now,
        komi: hundredths(verdict.komi),
    };
    Some((vote, now))
}

/// A number for a game that is as good as random, and always the same: FNV-1a, with its bits mixed.
fn hash(file: &str, game: u32) -> u64 {
    let bytes = file.bytes().chain(game.to_le_bytes());
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    (hash ^ (hash >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// The votes of all games, gathered before anything is written. Only games whose vote would be kept
/// are judged, which are few where there are many.
#[derive(Debug, Default)]
pub(crate) struct Survey {
    sources: Mutex<Sources>,
}

impl Survey {
    /// Looks at the games of a file, or of a part of one. May be called from any thread.
    pub(crate) fn look_at(&self, part: &Part, options: &games::GameOptions, limits: &sgf::Limits) {
        let Some(parsed) = part.parse(limits) else {
            return;
        };
        let locked = || self.sources.lock().unwrap_or_else(PoisonError::into_inner);
        for game in &parsed.games {
            if game.kind != GameKind::Go || Margin::recorded(game.header.result.as_ref()).is_none()
            {
                continue;
            }
            let key = GroupKey::of(&part.name, game);
            let hash = hash(&part.name, game.number);
            let wanted = (locked().groups.get(&key)).is_none_or(|group| group.would_keep(hash));
            if wanted && let Outcome::Go(verdict) = games::judge(game, options) {
                locked().note(&part.name, game, &verdict);
            }
        }
    }

    /// What was found.
    pub(crate) fn finish(self) -> Sources {
        self.sources
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Reading = Reading {
        way: Way::Strict,
        komi: 0,
    };

    /// A group with these votes, each so many times.
    fn group(votes: &[(usize, Vote)]) -> Group {
        let mut group = Group {
            now: Some(NOW),
            ..Group::default()
        };
        let all = votes
            .iter()
            .flat_map(|&(count, vote)| std::iter::repeat_n(vote, count));
        for (number, vote) in all.enumerate() {
            group.add(hash("game.sgf", number as u32), Some(vote));
        }
        group
    }

    const KOMI_6_5: Vote = [650, 650, 750];
    const AREA: Vote = [100, 100, 0];
    const AS_WRITTEN: Vote = [0, 0, 100];
    const ODD: Vote = [1300, 1300, 1400];

    #[test]
    fn a_clear_majority_decides() {
        let found = group(&[(30, KOMI_6_5), (5, ODD)]).decide().unwrap();
        assert_eq!((found.better.way, found.better.komi), (Way::Strict, 650));
        assert_eq!(
            (found.games, found.better_fits, found.now_fits),
            (35, 30, 0)
        );
        let convention = found.convention();
        assert_eq!((convention.komi, convention.rules), (Some(6.5), None));

        let found = group(&[(20, AREA), (15, AS_WRITTEN)]).decide();
        assert_eq!(found, None, "area explains less than three times as many");
        let both = [0, 0, 0];
        let found = group(&[(20, AREA), (15, both), (1, AS_WRITTEN)])
            .decide()
            .unwrap();
        assert_eq!((found.better.way, found.better.komi), (Way::Area, 0));
        assert_eq!((found.better_fits, found.now_fits), (35, 16));
        assert_eq!(found.convention().rules, Some(Preset::Chinese.rules()));
    }

    #[test]
    fn what_is_not_clear_is_left_as_it_is() {
        // Too few games; no majority; two that are as good.
        assert_eq!(group(&[(15, KOMI_6_5)]).decide(), None);
        assert_eq!(group(&[(20, KOMI_6_5), (25, ODD)]).decide(), None);
        let other = [750, 750, 850];
        assert_eq!(group(&[(20, KOMI_6_5), (18, other)]).decide(), None);
        assert_eq!(group(&[(40, AS_WRITTEN)]).decide(), None);
    }

    #[test]
    fn no_game_decides_its_own_score() {
        let kinds = [
            KOMI_6_5,
            AREA,
            AS_WRITTEN,
            ODD,
            [50, 0, 100],
            [750, 750, 850],
        ];
        let mut random = 1u32;
        let mut decided = 0;
        for _ in 0..3000 {
            let votes = kinds.map(|vote| {
                random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                // Mostly few of a kind, sometimes many.
                (
                    (random >> 16) as usize % 40 * (random >> 28) as usize / 12,
                    vote,
                )
            });
            let Some(found) = group(&votes).decide() else {
                continue;
            };
            decided += 1;
            for (i, _) in votes
                .iter()
                .enumerate()
                .filter(|(_, (count, _))| *count > 0)
            {
                let mut others = votes;
                others[i].0 -= 1;
                let without = group(&others).decide_without(0).unwrap();
                assert_eq!(without.better, found.better, "{votes:?}");
            }
        }
        assert!(decided > 100, "{decided}");
    }

    #[test]
    fn territory_is_looked_at_as_the_games_say() {
        let plain = [50, 0, 100];
        let strict = [0, 50, 100];
        let either = [0, 0, 100];
        let found = group(&[(50, either), (15, plain), (2, strict)])
            .decide()
            .unwrap();
        assert_eq!(found.convention().counting, Some(Counting::Plain));
        let found = group(&[(50, either), (15, plain), (6, strict)]).decide();
        assert_eq!(found, None);
    }

    #[test]
    fn the_order_of_the_games_does_not_matter() {
        let key = |name: &str| GroupKey {
            source: name.to_string(),
            is_server: false,
            board: "19x19".to_string(),
            even: true,
            rules: "japanese",
            komi: Some(0),
        };
        let gather = |order: &mut dyn Iterator<Item = u32>| {
            let mut sources = Sources::default();
            for number in order {
                let name = format!("folder {:03}", number % 300);
                let vote = Some([number as i32; 3]);
                for copy in 0..4 {
                    let hash = hash("game.sgf", 4 * number + copy);
                    sources.add_vote(key(&name), hash, vote, Some(NOW));
                }
            }
            let votes = sources.groups.into_iter();
            votes
                .map(|(key, group)| (key.source, group.votes))
                .collect::<Vec<_>>()
        };
        let games = 40_000;
        let forth = gather(&mut (0..games));
        assert_eq!(forth, gather(&mut (0..games).rev()));
        assert_eq!(forth.len(), MOST_GROUPS);
        assert!(forth.iter().all(|(_, votes)| votes.len() == SAMPLE));
    }
}
