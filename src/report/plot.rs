//! Plots as SVG: bars, stacked bars, points on a diagonal, a matrix.
//!
//! Colours come from the page's style sheet, so that a plot is as light or dark as the page. Every
//! bar says its numbers when it is pointed at, and the whole plot has a title for those who hear
//! the page.

use maud::{Markup, PreEscaped, html};

use super::statistics::{Rank, Wins};
use crate::pipeline::tally::Bin;

const WIDTH: f64 = 420.0;
const HEIGHT: f64 = 200.0;
const LEFT: f64 = 40.0;
const BOTTOM: f64 = 24.0;
const TOP: f64 = 10.0;

/// A plot with its heading.
fn figure(title: &str, explained: &str, height: f64, inside: &Markup) -> Markup {
    html! {
        figure {
            figcaption { b { (title) } @if !explained.is_empty() { " " small { (explained) } } }
            svg viewBox={ "0 0 " (WIDTH) " " (height) } role="img" aria-label=(title) {
                (inside)
            }
        }
    }
}

/// A round number of at least this.
fn ceiling(most: u64) -> u64 {
    let mut scale = 1;
    loop {
        for step in [1, 2, 5] {
            if scale * step >= most {
                return scale * step;
            }
        }
        scale *= 10;
    }
}

/// The line at the bottom, and one per quarter of the height.
fn axis(most: &str, half: &str) -> Markup {
    let middle = TOP + (HEIGHT - BOTTOM - TOP) / 2.0;
    html! {
        @for (y, label) in [(TOP, most), (middle, half), (HEIGHT - BOTTOM, "0")] {
            line.grid x1=(LEFT) x2=(WIDTH) y1=(y) y2=(y) {}
            text.label x=(LEFT - 5.0) y=(y + 4.0) text-anchor="end" { (label) }
        }
    }
}

/// Which of so many labels fit under the bars: every one, or every so-manieth.
fn label_step(count: usize, longest: usize) -> usize {
    let fitting = ((WIDTH - LEFT) / (longest as f64 * 7.0 + 6.0))
        .floor()
        .max(1.0);
    (count as f64 / fitting).ceil().max(1.0) as usize
}

/// Stacked bars; each part has its class.
fn stacked(title: &str, explained: &str, bars: &[(String, Vec<(&str, u64)>)]) -> Markup {
    let total = |parts: &[(&str, u64)]| parts.iter().map(|(_, count)| count).sum::<u64>();
    let most = bars
        .iter()
        .map(|(_, parts)| total(parts))
        .max()
        .unwrap_or(0);
    if most == 0 {
        return html! {};
    }
    let most = ceiling(most);
    let room = HEIGHT - BOTTOM - TOP;
    let step = (WIDTH - LEFT) / bars.len() as f64;
    let width = (step * 0.82).min(46.0);
    let longest = bars.iter().map(|(label, _)| label.chars().count()).max();
    let shown = label_step(bars.len(), longest.unwrap_or(1));
    let half = match most % 2 {
        0 => (most / 2).to_string(),
        _ => (most as f64 / 2.0).to_string(),
    };
    let inside = html! {
        (axis(&most.to_string(), &half))
        @for (number, (label, parts)) in bars.iter().enumerate() {
            @let middle = LEFT + (number as f64 + 0.5) * step;
            @let words = parts.iter().filter(|(_, count)| *count > 0)
                .map(|(class, count)| match *class { "bar" => count.to_string(), class => format!("{class} {count}") })
                .collect::<Vec<_>>().join(", ");
            g {
                title { (label) ": " (words) }
                @for (place, (class, count)) in parts.iter().enumerate() {
                    @let below = parts[..place].iter().map(|(_, count)| count).sum::<u64>();
                    @let height = *count as f64 / most as f64 * room;
                    @let y = HEIGHT - BOTTOM - below as f64 / most as f64 * room - height;
                    @if *count > 0 {
                        rect class=(class) x=(rounded(middle - width / 2.0)) y=(rounded(y))
                            width=(rounded(width)) height=(rounded(height)) {}
                    }
                }
            }
            @if number % shown == 0 {
                text.label x=(rounded(middle)) y=(HEIGHT - 8.0) text-anchor="middle" { (label) }
            }
        }
    };
    figure(title, explained, HEIGHT, &inside)
}

fn rounded(number: f64) -> f64 {
    (number * 10.0).round() / 10.0
}

/// Bars of one kind.
pub(super) fn bars(title: &str, explained: &str, bars: &[(String, u64)]) -> Markup {
    let bars: Vec<_> = bars
        .iter()
        .map(|(label, count)| (label.clone(), vec![("bar", *count)]))
        .collect();
    stacked(title, explained, &bars)
}

/// Who won, by whatever the labels say.
pub(super) fn results(title: &str, groups: &[(String, Wins)]) -> Markup {
    let bars: Vec<_> = groups
        .iter()
        .map(|(label, wins)| {
            let parts = vec![
                ("black", wins.black),
                ("drawn", wins.drawn),
                ("white", wins.white),
                ("open", wins.open),
            ];
            (label.clone(), parts)
        })
        .collect();
    stacked(title, "Black below, White above; hatched: no result", &bars)
}

/// Bars that lie, for labels that are long.
pub(super) fn lying_bars(title: &str, bars: &[(String, &'static str, u64)]) -> Markup {
    const ROW: f64 = 19.0;
    let Some(most) = bars.iter().map(|(_, _, count)| *count).max() else {
        return html! {};
    };
    let height = bars.len() as f64 * ROW + 6.0;
    let left = 170.0;
    let inside = html! {
        @for (number, (label, class, count)) in bars.iter().enumerate() {
            @let y = number as f64 * ROW + 4.0;
            @let width = (*count as f64 / most as f64 * (WIDTH - left - 50.0)).max(1.0);
            text.label x=(left - 6.0) y=(y + 12.0) text-anchor="end" { (label) }
            rect class=(class) x=(left) y=(y) width=(rounded(width)) height=(ROW - 5.0) {}
            text.label x=(rounded(left + width + 5.0)) y=(y + 12.0) { (count) }
        }
    };
    figure(title, "", height, &inside)
}

/// Confidence against truth: a point per bin, as large as there are games in it. On the diagonal
/// kifu is as often right as it says.
pub(super) fn calibration(bins: &[Bin]) -> Markup {
    let all: u64 = bins.iter().map(|bin| bin.games).sum();
    if all == 0 {
        return html! {};
    }
    let room = HEIGHT - BOTTOM - TOP;
    let x = |share: f64| rounded(LEFT + 10.0 + share * (WIDTH - LEFT - 30.0));
    let y = |share: f64| rounded(HEIGHT - BOTTOM - share * room);
    let inside = html! {
        (axis("100 %", "50 %"))
        line.diagonal x1=(x(0.0)) y1=(y(0.0)) x2=(x(1.0)) y2=(y(1.0)) {}
        @for share in [0.0, 0.25, 0.5, 0.75, 1.0] {
            text.label x=(x(share)) y=(HEIGHT - 8.0) text-anchor="middle" { (100.0 * share) " %" }
        }
        @for bin in bins {
            @let radius = rounded(3.0 + 9.0 * (bin.games as f64 / all as f64).sqrt());
            circle.point cx=(x(bin.expected())) cy=(y(bin.share())) r=(radius) {
                title {
                    (bin.games) " games: " (format!("{:.1}", 100.0 * bin.expected())) " % expected, "
                    (format!("{:.1}", 100.0 * bin.share())) " % as recorded"
                }
            }
        }
    };
    let explained = "how sure kifu was, and how often the record says the same";
    figure("Confidence against the records", explained, HEIGHT, &inside)
}

/// Black's rank down, White's across: how many games, the darker the more Black won.
pub(super) fn rank_matrix(
    ranks: &[Rank],
    games: &std::collections::BTreeMap<(Rank, Rank), Wins>,
) -> Markup {
    if ranks.len() < 2 {
        return html! {};
    }
    let cell = (300.0 / ranks.len() as f64).min(30.0);
    let left = 56.0;
    let top = 22.0;
    let height = top + cell * ranks.len() as f64 + 8.0;
    let inside = html! {
        @for (across, rank) in ranks.iter().enumerate() {
            text.label x=(rounded(left + (across as f64 + 0.5) * cell)) y="14" text-anchor="middle" { (rank.name()) }
        }
        @for (down, black) in ranks.iter().enumerate() {
            @let y = rounded(top + down as f64 * cell);
            text.label x=(left - 6.0) y=(rounded(y + cell / 2.0 + 4.0)) text-anchor="end" { (black.name()) }
            @for (across, white) in ranks.iter().enumerate() {
                @let wins = games.get(&(*black, *white)).copied().unwrap_or_default();
                @let x = rounded(left + across as f64 * cell);
                @if wins.all() > 0 {
                    @let share = match wins.decided() { 0 => 0.5, decided => (wins.black as f64 + wins.drawn as f64 / 2.0) / decided as f64 };
                    g {
                        title {
                            "Black " (black.name()) ", White " (white.name()) ": " (wins.all()) " games, Black won "
                            (wins.black) ", White " (wins.white)
                        }
                        rect.cell x=(x) y=(y) width=(rounded(cell - 1.0)) height=(rounded(cell - 1.0)) fill-opacity=(rounded(0.1 + 0.8 * share)) {}
                        text class=(if share > 0.55 { "label on-dark" } else { "label" })
                            x=(rounded(x + cell / 2.0)) y=(rounded(y + cell / 2.0 + 4.0)) text-anchor="middle" { (wins.all()) }
                    }
                }
            }
        }
    };
    let explained =
        "games by Black's rank (down) and White's (across); the darker, the more Black won";
    figure("Ranks", explained, height, &inside)
}

/// The pattern of games without a result.
pub(super) fn hatching() -> Markup {
    PreEscaped(
        "<svg width=\"0\" height=\"0\" aria-hidden=\"true\" class=\"defs\"><pattern id=\"hatch\" \
         width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\"><path d=\"M0 5L5 0\" \
         class=\"hatch\"/></pattern></svg>"
            .to_string(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_end_at_round_numbers() {
        for (most, end) in [(1, 1), (3, 5), (7, 10), (11, 20), (450, 500), (501, 1000)] {
            assert_eq!(ceiling(most), end);
        }
    }

    #[test]
    fn nothing_is_no_plot() {
        assert_eq!(bars("a", "", &[]).into_string(), "");
        assert_eq!(calibration(&[]).into_string(), "");
    }
}
