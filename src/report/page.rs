//! The page around a report.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::plot;
use super::statistics::{MOVES_PER_BAR, POINTS_PER_BAR};
use super::{GAMES_PER_PACK, Listed, Report};
use crate::draw::{KIT_CELL, KIT_ORIGIN};
use crate::finding::Severity;
use crate::pipeline::tally::{SURE, ScoreTally};
use crate::standings::{EventStandings, Outcome};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// Nothing may be loaded from anywhere.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; \
                      img-src data:";

/// How many events, and players of an event, are shown.
const MOST_EVENTS: usize = 50;
const MOST_PLAYERS: usize = 200;

/// Up to so many players there is a table of who played whom.
const MOST_IN_CROSS_TABLE: usize = 40;

/// How many kinds of findings are shown.
const MOST_KINDS: usize = 20;

/// What a page is made from.
pub(super) struct Page<'a> {
    pub report: &'a Report,
    pub tally: &'a ScoreTally,
    pub is_complete: bool,
    /// The table of the games that are not on the page, and how many.
    pub rest: Option<(String, u64)>,
    /// The parts of the boards, as SVG.
    pub kit: String,
}

impl Page<'_> {
    pub(super) fn render(&self) -> Markup {
        let packs = &self.report.packs;
        html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    meta http-equiv="Content-Security-Policy" content=(POLICY);
                    meta name="generator" content=(concat!("kifu ", env!("CARGO_PKG_VERSION")));
                    title { "Report on " (self.tally.records.games) " games of Go" }
                    style { (PreEscaped(STYLE)) }
                }
                body {
                    a.skip href="#games" { "Skip to the games" }
                    header {
                        h1 { "Report on " (number(self.tally.records.games)) " games" }
                        nav aria-label="Sections" {
                            @if !self.report.listed.is_empty() { a href="#look" { "Look at these" } }
                            a href="#plots" { "Plots" }
                            a href="#standings" { "Standings" }
                            a href="#games" { "All games" }
                        }
                    }
                    main {
                        (self.summary())
                        (self.look_at())
                        (self.plots())
                        (self.standings())
                        (self.games())
                    }
                    footer {
                        p { "Written by kifu " (env!("CARGO_PKG_VERSION")) " with " code { (self.report.command) } }
                    }
                    dialog id="game" aria-labelledby="game-title" {}
                    (plot::hatching())
                    svg id="kit" class="defs" width="0" height="0" aria-hidden="true" data-cell=(KIT_CELL) data-origin=(KIT_ORIGIN) {
                        defs { (PreEscaped(&self.kit)) }
                    }
                    script type="application/json" id="rows" data-pack=(GAMES_PER_PACK) {
                        (PreEscaped("[")) (PreEscaped(&self.report.rows)) (PreEscaped("]"))
                    }
                    @for (number, pack) in packs.iter().enumerate() {
                        script type="text/plain" id={ "pack-" (number) } { (PreEscaped(pack)) }
                    }
                    script { (PreEscaped(SCRIPT)) }
                }
            }
        }
    }

    fn summary(&self) -> Markup {
        let tally = self.tally;
        let compared = tally.compared();
        html! {
            section aria-label="Summary" {
                @if !self.is_complete {
                    p.warning { "The run was interrupted: what was not finished is missing." }
                }
                ul.figures {
                    (figure(tally.records.games, "games", ""))
                    (figure(tally.scored, "counted", ""))
                    @if compared > 0 {
                        (figure(tally.exact, "confirmed", &format!("of {} with a margin on record", number(compared))))
                        (figure(tally.winner, "with another margin", ""))
                        (figure(tally.differs, "with another winner", ""))
                    }
                    (figure(tally.decided, "decided on record", ""))
                    (figure(tally.undecided, "without a result", ""))
                    @if tally.judged > 0 {
                        (figure(tally.sure, "sure", &format!("{:.0} % or more, of {}", 100.0 * SURE, number(tally.judged))))
                    }
                    @if tally.records.unread > 0 {
                        (figure(tally.records.unread, "inputs that could not be read", ""))
                    }
                }
            }
        }
    }

    fn look_at(&self) -> Markup {
        let listed = &self.report.listed;
        if listed.is_empty() {
            return html! {
                section { p { "No game needs a second look." } }
            };
        }
        html! {
            section #look {
                h2 { "Look at these" }
                p {
                    (number(self.tally.worth_a_look)) " games are worth a look: illegal moves, another result than on record, or less than "
                    (format!("{:.0}", 100.0 * SURE)) " % sure."
                    @if self.tally.worth_a_look > listed.len() as u64 {
                        " Here are the first " (listed.len()) "; the filter of all games finds the others."
                    }
                }
                ol.look { @for game in listed { (entry(game)) } }
            }
        }
    }

    fn plots(&self) -> Markup {
        let statistics = &self.report.statistics;
        let lengths: Vec<(String, u64)> = filled(&statistics.lengths)
            .map(|(bar, count)| ((bar * MOVES_PER_BAR as i32).to_string(), count))
            .collect();
        let margins: Vec<(String, u64)> = filled(&statistics.margins)
            .map(|(bar, count)| (margin_label(bar), count))
            .collect();
        let handicaps: Vec<_> = statistics
            .handicaps
            .iter()
            .map(|(stones, wins)| (stones.to_string(), *wins))
            .collect();
        let bins: Vec<_> = self.tally.calibration.bins().collect();
        let (ranks, rank_games) = statistics.rank_matrix();
        let mut kinds: Vec<_> = self.tally.records.findings.iter().collect();
        kinds.sort_by_key(|((_, code), count)| (std::cmp::Reverse(**count), *code));
        let kinds: Vec<(String, &str, u64)> = kinds
            .into_iter()
            .take(MOST_KINDS)
            .map(|((severity, code), count)| {
                let class = match severity {
                    Severity::Error => "error",
                    Severity::Warning => "warning",
                    Severity::Note => "note",
                };
                (code.as_str().to_string(), class, *count)
            })
            .collect();
        html! {
            section #plots {
                h2 { "Plots" }
                div.plots {
                    (plot::bars("Length of the games", "in moves", &lengths))
                    (plot::bars("Margins of counted games", "in points; W left, B right", &margins))
                    (plot::calibration(&bins))
                    (plot::results("Results by komi", &statistics.komi()))
                    (plot::results("Results by handicap", &handicaps))
                    (plot::results("Results over time", &statistics.over_time()))
                    (plot::rank_matrix(&ranks, &rank_games))
                    (plot::lying_bars("Findings by kind", &kinds))
                }
            }
        }
    }

    fn standings(&self) -> Markup {
        let mut events: Vec<EventStandings> = self.report.standings.events().collect();
        // Large events first; games without an event are none.
        events.sort_by_key(|event| (event.event.is_empty(), std::cmp::Reverse(event.games)));
        let more = events.len().saturating_sub(MOST_EVENTS);
        events.truncate(MOST_EVENTS);
        html! {
            section #standings {
                h2 { "Standings" }
                @if events.is_empty() { p { "No game names two players." } }
                @for (number, event) in events.iter().enumerate() {
                    details open[number == 0] {
                        summary {
                            @if event.event.is_empty() { "Games without an event" } @else { (event.event) }
                            " "
                            small { (event.players.len()) " players, " (event.games) (if event.games == 1 { " game" } else { " games" }) @if event.open > 0 { ", " (event.open) " without a result" } }
                        }
                        (event_table(event))
                    }
                }
                @if more > 0 { p { (more) " smaller events are left out here; kifu standings lists all." } }
            }
        }
    }

    fn games(&self) -> Markup {
        html! {
            section #games {
                h2 { "All games" }
                @match &self.rest {
                    Some((name, count)) => p.warning {
                        "This page holds the first " (number(self.report.games as u64)) " games; " (number(*count))
                        " more are in the table " a href=(name) { (name) } " beside it. Summary, plots and standings count all of them."
                    },
                    None if self.report.left_out > 0 => p.warning {
                        "This page holds the first " (number(self.report.games as u64)) " games; " (number(self.report.left_out)) " more are left out."
                    },
                    None => {}
                }
                noscript { p.warning { "Without scripts the list of all games can't be shown." } }
                form.filters role="search" aria-label="Filter the games" {
                    label { "Text " input type="search" name="text" placeholder="file, event, rules …"; }
                    label { "Player " input type="search" name="player"; }
                    label { "From " input name="from" placeholder="YYYY-MM-DD" size="11"; }
                    label { "to " input name="to" placeholder="YYYY-MM-DD" size="11"; }
                    label { "Agreement "
                        select name="agreement" {
                            option value="" { "all" }
                            option value="look" { "worth a look" }
                            option value="exact" { "exact" }
                            option value="winner" { "another margin" }
                            option value="differs" { "another winner" }
                            option value="not-comparable" { "not comparable" }
                        }
                    }
                    button type="reset" { "All" }
                    output aria-live="polite" {}
                }
                div.table tabindex="0" role="region" aria-label="All games" { table {} }
            }
        }
    }
}

fn figure(count: u64, what: &str, more: &str) -> Markup {
    html! {
        li { b { (number(count)) } span { (what) } @if !more.is_empty() { small { (more) } } }
    }
}

fn entry(game: &Listed) -> Markup {
    html! {
        li data-game=(game.number) {
            div.board {}
            div {
                h3 { a href="#" data-open=(game.number) { (game.title) } }
                @if !game.players.is_empty() { p { (game.players) } }
                p.reason { (game.reason) }
                @if !game.account.is_empty() { p { (game.account) } }
                @if let Some(what_if) = &game.what_if { p.what-if { (what_if) "." } }
            }
        }
    }
}

fn event_table(event: &EventStandings) -> Markup {
    let players = &event.players[..event.players.len().min(MOST_PLAYERS)];
    let is_small = event.players.len() <= MOST_IN_CROSS_TABLE;
    html! {
        div.wide tabindex="0" role="region" aria-label={ "Standings of " (event.event) } {
            table.standings {
                thead {
                    tr {
                        th scope="col" { "#" } th scope="col" { "player" } th scope="col" { "rank" }
                        th scope="col" { "points" } th scope="col" { "wins" } th scope="col" { "draws" }
                        th scope="col" { "losses" }
                        th scope="col" { abbr title="sum of the opponents' points" { "SOS" } }
                        th scope="col" { abbr title="sum of the points of beaten opponents" { "SODOS" } }
                        @if is_small {
                            @for number in 1..=event.players.len() { th.cross scope="col" { (number) } }
                        } @else { th scope="col" { "games" } }
                    }
                }
                tbody {
                    @for (number, player) in players.iter().enumerate() {
                        tr {
                            td { (player.place) }
                            th scope="row" { @if is_small { small { (number + 1) " " } } (player.name) }
                            td { (player.rank) } td { (player.points()) } td { (player.wins) } td { (player.draws) }
                            td { (player.losses) } td { (player.sos()) } td { (player.sodos()) }
                            @if is_small {
                                @for other in 0..event.players.len() {
                                    td.cross.own[other == number] { (meetings(player, other)) }
                                }
                            } @else { td { (player.games()) } }
                        }
                    }
                }
            }
        }
        @if event.players.len() > MOST_PLAYERS {
            p { "The first " (MOST_PLAYERS) " of " (event.players.len()) " players; kifu standings lists all." }
        }
    }
}

/// What became of the games against one opponent: `+-`; of many, how many.
fn meetings(player: &crate::standings::Standing, other: usize) -> String {
    let games = player.encounters.iter();
    let outcomes: Vec<Outcome> = games
        .filter(|game| game.opponent == other)
        .map(|game| game.outcome)
        .collect();
    if outcomes.len() <= 4 {
        return outcomes.iter().map(|outcome| outcome.sign()).collect();
    }
    let count = |wanted: Outcome| {
        outcomes
            .iter()
            .filter(|outcome| **outcome == wanted)
            .count()
    };
    format!("{}:{}", count(Outcome::Win), count(Outcome::Loss))
}

/// Every bar between the first and the last, also those without a game.
fn filled(bars: &std::collections::BTreeMap<i32, u64>) -> impl Iterator<Item = (i32, u64)> + '_ {
    let first = bars.keys().next().copied().unwrap_or(0);
    let last = bars.keys().next_back().copied().unwrap_or(-1);
    (first..=last).map(|bar| (bar, bars.get(&bar).copied().unwrap_or(0)))
}

fn margin_label(bar: i32) -> String {
    let points = bar * POINTS_PER_BAR;
    match points {
        0.. => format!("B+{points}"),
        _ => format!("W+{}", -points - POINTS_PER_BAR),
    }
}

/// 12,345.
fn number(count: u64) -> String {
    indicatif::HumanCount(count).to_string()
}
