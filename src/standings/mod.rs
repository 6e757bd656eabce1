//! Standings: who won how many games of an event, and against whom.
//!
//! A game counts for the event that its record names, with the result of its row: counted where
//! the position is final, as recorded where the game was decided otherwise. A game without a
//! result is listed as open and counts for nobody.
//!
//! A win is a point and a draw is half of one. Ties are broken as at most tournaments: by SOS, the
//! sum of the points of all opponents, then by SODOS, the points of the opponents that were
//! beaten and half of those of the opponents that were held to a draw. Who is still level shares
//! the place. Points are kept in halves, SODOS in quarters, so that nothing is ever rounded.
//!
//! Two names are two players. Only the user knows that `Go Seigen` and `呉清源` are one, and says so
//! in a file of [`Aliases`].

mod aliases;
mod columns;

pub(crate) use aliases::Aliases;
pub(crate) use columns::{STANDING_COLUMNS, StandingColumn, StandingRow};

use std::collections::{BTreeMap, HashMap};

use crate::board::Color;
use crate::games::Winner;
use crate::pipeline::row::ScoreRow;

/// The games of every event, as far as they were added.
#[derive(Clone, Debug, Default)]
pub(crate) struct Standings {
    aliases: Aliases,
    events: BTreeMap<String, Event>,
    /// Games that name no players, or the same one twice, and so count for nobody.
    pub nameless: u64,
}

/// The games of one event.
#[derive(Clone, Debug, Default)]
struct Event {
    numbers: HashMap<String, u32>,
    players: Vec<Player>,
    games: Vec<Pairing>,
}

#[derive(Clone, Debug)]
struct Player {
    name: String,
    /// As the last record has it that says anything.
    rank: String,
}

/// A game between two players of an event.
#[derive(Clone, Copy, Debug)]
struct Pairing {
    /// Black's number, then White's.
    players: [u32; 2],
    winner: Option<Winner>,
    /// Rounds that have a number come in its order, others behind them.
    round: u32,
}

/// The standings of an event.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct EventStandings {
    /// The event, as the records name it; empty for games that name none.
    pub event: String,
    /// The players, the first first.
    pub players: Vec<Standing>,
    /// How many games have a result.
    pub games: u32,
    /// How many have none.
    pub open: u32,
}

/// How a player stands in an event.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Standing {
    /// From 1; the same for players who are level in everything.
    pub place: u32,
    pub name: String,
    pub rank: String,
    pub wins: u32,
    pub draws: u32,
    pub losses: u32,
    /// The points of all opponents, in halves.
    sos_halves: u32,
    /// The points of beaten opponents and half of those of drawn ones, in quarters.
    sodos_quarters: u32,
    /// Every game, round by round.
    pub encounters: Vec<Encounter>,
}

/// A game from the point of view of one player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Encounter {
    /// Where the opponent stands in [`EventStandings::players`].
    pub opponent: usize,
    pub outcome: Outcome,
}

/// What became of a game for one player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Win,
    Draw,
    Loss,
    /// The game has no result.
    Open,
}

impl Outcome {
    /// As tables of tournaments write it behind the opponent's number.
    pub(crate) fn sign(self) -> char {
        match self {
            Outcome::Win => '+',
            Outcome::Draw => '=',
            Outcome::Loss => '-',
            Outcome::Open => '?',
        }
    }

    fn of(winner: Option<Winner>, color: Color) -> Outcome {
        match winner {
            None => Outcome::Open,
            Some(Winner::Draw) => Outcome::Draw,
            Some(Winner::Player(winner)) if winner == color => Outcome::Win,
            Some(Winner::Player(_)) => Outcome::Loss,
        }
    }
}

impl Standing {
    /// Games with a result.
    pub(crate) fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    fn halves(&self) -> u32 {
        2 * self.wins + self.draws
    }

    /// A point for a win, half a point for a draw.
    pub(crate) fn points(&self) -> f64 {
        f64::from(self.halves()) / 2.0
    }

    /// The sum of the opponents' points.
    pub(crate) fn sos(&self) -> f64 {
        f64::from(self.sos_halves) / 2.0
    }

    /// The sum of the points of beaten opponents, and half of those of drawn ones.
    pub(crate) fn sodos(&self) -> f64 {
        f64::from(self.sodos_quarters) / 4.0
    }

    /// What decides the place.
    fn key(&self) -> (u32, u32, u32) {
        (self.halves(), self.sos_halves, self.sodos_quarters)
    }
}

impl Standings {
    /// No games yet; players are merged as the aliases say.
    pub(crate) fn new(aliases: Aliases) -> Standings {
        Standings {
            aliases,
            ..Standings::default()
        }
    }

    /// Adds a game.
    pub(crate) fn add(&mut self, row: &ScoreRow) {
        // A file without games, or a game that kifu does not know.
        if row.agreement.is_none() {
            return;
        }
        let names = [&row.black, &row.white].map(|name| self.aliases.name_of(name.trim()));
        if names.iter().any(|name| name.is_empty()) || names[0] == names[1] {
            self.nameless += 1;
            return;
        }
        let event = row.event.trim();
        if !self.events.contains_key(event) {
            self.events.insert(event.to_string(), Event::default());
        }
        let Some(event) = self.events.get_mut(event) else {
            return;
        };
        let black = event.number(names[0], &row.black_rank);
        let white = event.number(names[1], &row.white_rank);
        event.games.push(Pairing {
            players: [black, white],
            winner: row.decision.winner,
            round: round_number(&row.round),
        });
    }

    /// The standings of every event, in the order of their names.
    pub(crate) fn events(&self) -> impl Iterator<Item = EventStandings> + '_ {
        self.events
            .iter()
            .map(|(name, event)| event.standings(name))
    }
}

/// The number in `Round 3`, `3 (final)` or `第3局`.
fn round_number(text: &str) -> u32 {
    let digits = text.trim_start_matches(|c: char| !c.is_ascii_digit());
    let end = digits.find(|c: char| !c.is_ascii_digit());
    digits[..end.unwrap_or(digits.len())]
        .parse()
        .unwrap_or(u32::MAX)
}

impl Event {
    fn number(&mut self, name: &str, rank: &str) -> u32 {
        let number = match self.numbers.get(name) {
            Some(&number) => number,
            None => {
                let number = self.players.len() as u32;
                self.numbers.insert(name.to_string(), number);
                self.players.push(Player {
                    name: name.to_string(),
                    rank: String::new(),
                });
                number
            }
        };
        if !rank.is_empty() {
            let player = &mut self.players[number as usize];
            if player.rank != rank {
                player.rank = rank.to_string();
            }
        }
        number
    }

    fn standings(&self, name: &str) -> EventStandings {
        let mut players: Vec<Standing> = self
            .players
            .iter()
            .map(|player| Standing {
                name: player.name.clone(),
                rank: player.rank.clone(),
                ..Standing::default()
            })
            .collect();
        let mut games: Vec<&Pairing> = self.games.iter().collect();
        games.sort_by_key(|game| game.round);
        for game in &games {
            for color in Color::BOTH {
                let opponent = game.players[color.other().index()] as usize;
                let player = &mut players[game.players[color.index()] as usize];
                let outcome = Outcome::of(game.winner, color);
                match outcome {
                    Outcome::Win => player.wins += 1,
                    Outcome::Draw => player.draws += 1,
                    Outcome::Loss => player.losses += 1,
                    Outcome::Open => {}
                }
                player.encounters.push(Encounter { opponent, outcome });
            }
        }
        let halves: Vec<u32> = players.iter().map(Standing::halves).collect();
        for player in &mut players {
            for &Encounter { opponent, outcome } in &player.encounters {
                let theirs = halves[opponent];
                if outcome != Outcome::Open {
                    player.sos_halves += theirs;
                }
                player.sodos_quarters += match outcome {
                    Outcome::Win => 2 * theirs,
                    Outcome::Draw => theirs,
                    Outcome::Loss | Outcome::Open => 0,
                };
            }
        }
        // The encounters name players by their numbers, which the order of the places replaces.
        let mut order: Vec<usize> = (0..players.len()).collect();
        order.sort_by(|&a, &b| {
            let (a, b) = (&players[a], &players[b]);
            b.key().cmp(&a.key()).then_with(|| a.name.cmp(&b.name))
        });
        let mut index = vec![0; players.len()];
        for (place, &number) in order.iter().enumerate() {
            index[number] = place;
        }
        let mut sorted: Vec<Standing> = Vec::with_capacity(players.len());
        for number in order {
            let mut player = std::mem::take(&mut players[number]);
            for encounter in &mut player.encounters {
                encounter.opponent = index[encounter.opponent];
            }
            player.place = match sorted.last() {
                Some(before) if before.key() == player.key() => before.place,
                _ => sorted.len() as u32 + 1,
            };
            sorted.push(player);
        }
        let decided = self.games.iter().filter(|game| game.winner.is_some());
        let decided = decided.count();
        EventStandings {
            event: name.to_string(),
            players: sorted,
            games: decided as u32,
            open: (self.games.len() - decided) as u32,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::Agreement;
    use crate::pipeline::row::RowStatus;

    /// A game, as `Akari 1-0 Ben`, with the round behind it.
    fn row(game: &str, round: &str) -> ScoreRow {
        let mut words = game.split(' ');
        let mut row = ScoreRow::bare("a.sgf", Some(1), RowStatus::Ok);
        row.black = words.next().unwrap().to_string();
        row.decision.winner = match words.next().unwrap() {
            "1-0" => Some(Winner::Player(Color::Black)),
            "0-1" => Some(Winner::Player(Color::White)),
            "=" => Some(Winner::Draw),
            _ => None,
        };
        row.white = words.next().unwrap().to_string();
        row.round = round.to_string();
        row.agreement = Some(Agreement::NotComparable);
        row
    }

    fn standings(games: &[(&str, &str)], aliases: &str) -> Vec<String> {
        let mut standings = Standings::new(Aliases::parse(aliases.as_bytes()).unwrap());
        for (game, round) in games {
            standings.add(&row(game, round));
        }
        let event = standings.events().next().unwrap();
        let lines = event.players.iter().map(|player| {
            let row = StandingRow::new(&event, player);
            format!(
                "{} {} {} sos {} sodos {}: {}",
                player.place,
                player.name,
                player.points(),
                player.sos(),
                player.sodos(),
                row.results
            )
        });
        lines.collect()
    }

    #[test]
    fn a_tournament_of_four() {
        // Three rounds, everyone against everyone; the records come in any order.
        let games = [
            ("Akari 1-0 Chie", "Round 2"),
            ("Akari 1-0 Ben", "Round 1"),
            ("Chie 0-1 Dov", "Round 1"),
            ("Ben = Dov", "Round 2"),
            ("Dov 1-0 Akari", "Round 3"),
            ("Ben 1-0 Chie", "Round 3"),
        ];
        assert_eq!(
            standings(&games, ""),
            [
                // Beat Chie (0) and Akari (2), drew with Ben (1.5).
                "1 Dov 2.5 sos 3.5 sodos 2.75: 4+ 3= 2+",
                "2 Akari 2 sos 4 sodos 1.5: 3+ 4+ 1-",
                "3 Ben 1.5 sos 4.5 sodos 1.25: 2- 1= 4+",
                "4 Chie 0 sos 6 sodos 0: 1- 2- 3-",
            ]
        );
    }

    #[test]
    fn who_is_level_shares_the_place_and_open_games_count_for_nobody() {
        let games = [
            ("Akari 1-0 Ben", ""),
            ("Chie 1-0 Dov", ""),
            ("Akari ? Chie", ""),
        ];
        assert_eq!(
            standings(&games, ""),
            [
                "1 Akari 1 sos 0 sodos 0: 3+ 2?",
                "1 Chie 1 sos 0 sodos 0: 4+ 1?",
                "3 Ben 0 sos 1 sodos 0: 1-",
                "3 Dov 0 sos 1 sodos 0: 2-",
            ]
        );
    }

    #[test]
    fn players_are_merged_by_aliases_only() {
        let games = [("Go 1-0 Kitani", ""), ("Kitani 0-1 呉清源", "")];
        assert_eq!(standings(&games, "").len(), 3);
        assert_eq!(
            standings(&games, "Go Seigen,Go,呉清源\n"),
            [
                "1 Go Seigen 2 sos 0 sodos 0: 2+ 2+",
                "2 Kitani 0 sos 4 sodos 0: 1- 1-",
            ]
        );
    }

    #[test]
    fn rounds_are_read_in_words_too() {
        assert_eq!(round_number("Round 12 of 20"), 12);
        assert_eq!(round_number("第3局"), 3);
        assert_eq!(round_number("final"), u32::MAX);
        assert_eq!(round_number("99999999999999"), u32::MAX);
    }
}
