//! The columns of the table of standings.

use serde::Serialize;
use serde::ser::Serializer;

use super::{EventStandings, Standing};
use crate::pipeline::row::{Cell, Column, ColumnType};

/// A player's row.
#[derive(Clone, Debug)]
pub(crate) struct StandingRow<'a> {
    event: &'a str,
    player: &'a Standing,
    /// A word for each game: the opponent's number in the event and the outcome, `3+`.
    pub results: String,
}

impl<'a> StandingRow<'a> {
    /// The row of a player of an event.
    pub(crate) fn new(event: &'a EventStandings, player: &'a Standing) -> StandingRow<'a> {
        let words = player.encounters.iter();
        let words = words.map(|game| format!("{}{}", game.opponent + 1, game.outcome.sign()));
        StandingRow {
            event: &event.event,
            player,
            results: words.collect::<Vec<_>>().join(" "),
        }
    }
}

/// The type of a column of [`StandingRow`]s.
pub(crate) type StandingColumn = Column<for<'r> fn(&'r StandingRow<'r>) -> Cell<'r>>;

/// The columns of the table of standings, in order.
pub(crate) const STANDING_COLUMNS: &[StandingColumn] = {
    use ColumnType::{Integer, Number, Text};
    &[
        StandingColumn::new(
            "event",
            Text,
            "The event, as the records name it; missing for games that name none.",
            |row| Cell::Text(row.event),
        ),
        StandingColumn::new(
            "place",
            Integer,
            "By points, then SOS, then SODOS; the same for players who are level in all three.",
            |row| Cell::Integer(Some(row.player.place)),
        ),
        StandingColumn::new("player", Text, "The player's name.", |row| {
            Cell::Text(&row.player.name)
        }),
        StandingColumn::new("rank", Text, "The rank in the last record.", |row| {
            Cell::Text(&row.player.rank)
        }),
        StandingColumn::new("games", Integer, "Games with a result.", |row| {
            Cell::Integer(Some(row.player.games()))
        }),
        StandingColumn::new(
            "points",
            Number,
            "A point for a win, half a point for a draw.",
            |row| Cell::Number(Some(row.player.points())),
        ),
        StandingColumn::new("wins", Integer, "Games won.", |row| {
            Cell::Integer(Some(row.player.wins))
        }),
        StandingColumn::new("draws", Integer, "Games drawn.", |row| {
            Cell::Integer(Some(row.player.draws))
        }),
        StandingColumn::new("losses", Integer, "Games lost.", |row| {
            Cell::Integer(Some(row.player.losses))
        }),
        StandingColumn::new("sos", Number, "The points of all opponents.", |row| {
            Cell::Number(Some(row.player.sos()))
        }),
        StandingColumn::new(
            "sodos",
            Number,
            "The points of the opponents that were beaten, and half of those of the opponents that were held to a draw.",
            |row| Cell::Number(Some(row.player.sodos())),
        ),
        StandingColumn::new(
            "results",
            Text,
            "The cross-table: for each game the number of the opponent's row in the event and `+` won, `-` lost, `=` drawn or `?` open.",
            |row| Cell::Text(&row.results),
        ),
    ]
};

impl Serialize for StandingRow<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(
            STANDING_COLUMNS
                .iter()
                .map(|column| (column.name, (column.cell)(self))),
        )
    }
}
