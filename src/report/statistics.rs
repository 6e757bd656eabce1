//! What the plots of a report show, added up game by game.

use std::collections::BTreeMap;

use crate::board::Color;
use crate::games::Winner;
use crate::pipeline::date::first_day;
use crate::pipeline::row::ScoreRow;

/// Moves per bar of the lengths, and points per bar of the margins.
pub(super) const MOVES_PER_BAR: u32 = 20;
pub(super) const POINTS_PER_BAR: i32 = 5;

/// How many different komi, and ranks, are shown at most.
const MOST_GROUPS: usize = 12;

/// Longer games, and larger margins, share the last bar.
const LAST_BAR: i32 = 20;

/// Who won how many games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Wins {
    pub black: u64,
    pub white: u64,
    pub drawn: u64,
    pub open: u64,
}

impl Wins {
    fn add(&mut self, winner: Option<Winner>) {
        match winner {
            Some(Winner::Player(Color::Black)) => self.black += 1,
            Some(Winner::Player(Color::White)) => self.white += 1,
            Some(Winner::Draw) => self.drawn += 1,
            None => self.open += 1,
        }
    }

    pub(super) fn decided(self) -> u64 {
        self.black + self.white + self.drawn
    }

    pub(super) fn all(self) -> u64 {
        self.decided() + self.open
    }
}

/// What was added up.
#[derive(Clone, Debug, Default)]
pub(super) struct Statistics {
    /// Games by the number of their moves, in steps of [`MOVES_PER_BAR`].
    pub lengths: BTreeMap<i32, u64>,
    /// Counted games by Black's lead, in steps of [`POINTS_PER_BAR`].
    pub margins: BTreeMap<i32, u64>,
    /// By komi in hundredths.
    komi: BTreeMap<i64, Wins>,
    pub handicaps: BTreeMap<u32, Wins>,
    /// By year and, where it is known, month.
    dates: BTreeMap<(u16, Option<u8>), Wins>,
    /// By Black's rank and White's.
    ranks: BTreeMap<(Rank, Rank), Wins>,
}

/// A rank in its order, from the weakest: kyu, dan, professional.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rank {
    /// From 30 down to 1, so the number is negative.
    Kyu(i8),
    Dan(u8),
    Pro(u8),
}

impl Rank {
    /// `5k`, `3 dan`, `9p`, `2段`.
    pub(super) fn parse(text: &str) -> Option<Rank> {
        let text = text.trim();
        let end = text.find(|c: char| !c.is_ascii_digit())?;
        let number: u8 = text[..end]
            .parse()
            .ok()
            .filter(|number| (1..=30).contains(number))?;
        let kind = text[end..].trim_start().to_lowercase();
        match kind.chars().next()? {
            'k' | '級' | '级' => Some(Rank::Kyu(-(number as i8))),
            'd' | '段' => Some(Rank::Dan(number)),
            'p' => Some(Rank::Pro(number)),
            _ => None,
        }
    }

    pub(super) fn name(self) -> String {
        match self {
            Rank::Kyu(number) => format!("{}k", -number),
            Rank::Dan(number) => format!("{number}d"),
            Rank::Pro(number) => format!("{number}p"),
        }
    }
}

impl Statistics {
    pub(super) fn add(&mut self, row: &ScoreRow) {
        if row.agreement.is_none() {
            return;
        }
        let winner = row.decision.winner;
        if let Some(moves) = row.moves {
            let bar = ((moves / MOVES_PER_BAR) as i32).min(LAST_BAR);
            *self.lengths.entry(bar).or_default() += 1;
        }
        if let Some(margin) = row.decision.margin {
            let bar = (margin.black_lead() / f64::from(POINTS_PER_BAR)).floor() as i32;
            let bar = bar.clamp(-LAST_BAR, LAST_BAR - 1);
            *self.margins.entry(bar).or_default() += 1;
        }
        if let Some(komi) = row.komi {
            let komi = (komi * 100.0).round() as i64;
            self.komi.entry(komi).or_default().add(winner);
        }
        if let Some(handicap) = row.handicap {
            self.handicaps
                .entry(handicap.min(10))
                .or_default()
                .add(winner);
        }
        if let Some((year, month, _)) = first_day(&row.date) {
            self.dates.entry((year, month)).or_default().add(winner);
        }
        if let (Some(black), Some(white)) =
            (Rank::parse(&row.black_rank), Rank::parse(&row.white_rank))
        {
            self.ranks.entry((black, white)).or_default().add(winner);
        }
    }

    /// The most frequent komi, in their order.
    pub(super) fn komi(&self) -> Vec<(String, Wins)> {
        let mut most: Vec<(&i64, &Wins)> = self.komi.iter().collect();
        most.sort_by_key(|(komi, wins)| (std::cmp::Reverse(wins.all()), **komi));
        most.truncate(MOST_GROUPS);
        most.sort_by_key(|(komi, _)| **komi);
        let named = |(komi, wins): (&i64, &Wins)| ((*komi as f64 / 100.0).to_string(), *wins);
        most.into_iter().map(named).collect()
    }

    /// Results by year; by month, where all fall into three years.
    pub(super) fn over_time(&self) -> Vec<(String, Wins)> {
        let years: Vec<u16> = self.dates.keys().map(|(year, _)| *year).collect();
        let span = match (years.first(), years.last()) {
            (Some(first), Some(last)) => last - first,
            _ => return Vec::new(),
        };
        let by_month = span < 3 && self.dates.keys().all(|(_, month)| month.is_some());
        // A long time is shown in steps.
        let step = match span {
            0..60 => 1,
            60..300 => 10,
            _ => 50,
        };
        let mut groups: BTreeMap<(u16, u8), (String, Wins)> = BTreeMap::new();
        for (&(year, month), wins) in &self.dates {
            let (key, name) = match month.filter(|_| by_month) {
                Some(month) => ((year, month), format!("{year}-{month:02}")),
                None => ((year / step * step, 0), (year / step * step).to_string()),
            };
            let (_, sum) = groups.entry(key).or_insert((name, Wins::default()));
            sum.black += wins.black;
            sum.white += wins.white;
            sum.drawn += wins.drawn;
            sum.open += wins.open;
        }
        groups.into_values().collect()
    }

    /// The ranks that play most, in their order, and what becomes of their games: Black's rank
    /// first.
    pub(super) fn rank_matrix(&self) -> (Vec<Rank>, BTreeMap<(Rank, Rank), Wins>) {
        let mut games: BTreeMap<Rank, u64> = BTreeMap::new();
        for ((black, white), wins) in &self.ranks {
            *games.entry(*black).or_default() += wins.all();
            *games.entry(*white).or_default() += wins.all();
        }
        let mut most: Vec<(Rank, u64)> = games.into_iter().collect();
        most.sort_by_key(|(rank, count)| (std::cmp::Reverse(*count), *rank));
        most.truncate(MOST_GROUPS);
        let mut ranks: Vec<Rank> = most.into_iter().map(|(rank, _)| rank).collect();
        ranks.sort();
        (ranks, self.ranks.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_read_as_people_write_them() {
        assert_eq!(Rank::parse("5k"), Some(Rank::Kyu(-5)));
        assert_eq!(Rank::parse("3 dan"), Some(Rank::Dan(3)));
        assert_eq!(Rank::parse("9p"), Some(Rank::Pro(9)));
        assert_eq!(Rank::parse("2段"), Some(Rank::Dan(2)));
        assert_eq!(Rank::parse("1d?"), Some(Rank::Dan(1)));
        for no_rank in ["", "dan", "99k", "5", "NR", "5x"] {
            assert_eq!(Rank::parse(no_rank), None, "{no_rank}");
        }
        assert!(Rank::Kyu(-30) < Rank::Kyu(-1));
        assert!(Rank::Kyu(-1) < Rank::Dan(1));
        assert!(Rank::Dan(9) < Rank::Pro(1));
    }
}
