//! Layers: what the analysis says of a position, put on a diagram.
//!
//! Each function marks one kind of understanding and says in a sentence what it comes to, for the
//! line under the board. Influence, clusters and shadows are three views of one analysis, the
//! program of [`influence`](crate::influence).

use super::diagram::{Diagram, OutlineKind, Outlined, Unplayable};
use crate::board::{Board, Color, Illegal, PointSet};
use crate::count::{Count, Mark};
use crate::influence::Influence;
use crate::influence::cluster::{Cluster, ClusterStatus};
use crate::influence::color_map::Tint;
use crate::influence::voronoi;
use crate::rules::History;

/// Marks dead stones, seki and territory as they were counted.
pub fn show_territory(diagram: &mut Diagram, count: &Count) -> String {
    let map = &count.map;
    diagram.dead = map.points(|mark| matches!(mark, Mark::Dead(_)));
    diagram.seki = map.points(|mark| matches!(mark, Mark::Seki(_)));
    diagram.territory = Color::BOTH.map(|color| {
        map.points(|mark| mark == Mark::Territory(color) || mark == Mark::Dead(color.other()))
    });
    let [black, white] = Color::BOTH.map(|color| count.account(color));
    format!("{}: Black {black}; White {white}", count.margin())
}

/// Colours points and links by the last colour map, on which all stones that were found dead
/// are left out.
pub fn show_influence(diagram: &mut Diagram, influence: &Influence) -> String {
    let map = &influence.last.map;
    diagram.dead = influence.dead();
    diagram.leaning = Color::BOTH.map(|color| *map.points(color));
    diagram.links = map
        .links()
        .filter_map(|(from, to, tint)| match tint {
            Tint::Colored(color) => Some((from, to, color)),
            Tint::Uncolored | Tint::Neutral => None,
        })
        .collect();
    let [black, white] = Color::BOTH.map(|color| map.points(color).len());
    let open = map.size().area() - black - white;
    format!("Colour map: Black {black} points, White {white}, {open} uncoloured")
}

/// Circumscribes the clusters and their eyes, and marks the obviously dead stones.
pub fn show_clusters(diagram: &mut Diagram, influence: &Influence) -> String {
    let clusters = &influence.redrawn.clusters;
    diagram.dead = influence.obviously_dead;
    diagram.leaning = Color::BOTH.map(|color| *influence.redrawn.map.points(color));
    let outlined = |points: &PointSet, cluster: &Cluster, line| Outlined {
        points: *points,
        color: cluster.color,
        line,
    };
    diagram.outlines = clusters
        .iter()
        .map(|cluster| outlined(&cluster.points, cluster, OutlineKind::Cluster))
        .collect();
    for cluster in clusters {
        let eyes = cluster.eyes.iter();
        diagram
            .outlines
            .extend(eyes.map(|eye| outlined(eye, cluster, OutlineKind::Eye)));
    }
    let sides = Color::BOTH.map(|color| {
        let own = clusters.iter().filter(|cluster| cluster.color == color);
        let alive = own
            .clone()
            .filter(|cluster| cluster.status == ClusterStatus::Alive);
        let (all, alive) = (own.count(), alive.count());
        format!("{} {all}, {alive} of them plainly alive", color.name())
    });
    let dead = influence.obviously_dead.len();
    format!(
        "Clusters: {}; {}; {dead} plainly dead stones",
        sides[0], sides[1]
    )
}

/// The colour map and the shadows of its clusters, composed.
pub fn show_shadows(diagram: &mut Diagram, influence: &Influence) -> String {
    let (map, shadows) = (&influence.last.map, &influence.last_shadows);
    diagram.dead = influence.dead();
    diagram.leaning = Color::BOTH.map(|color| *map.points(color));
    diagram.shaded = Color::BOTH.map(|color| *shadows.points(color) - *map.points(color));
    let clusters = &influence.last.clusters;
    diagram.outlines = clusters
        .iter()
        .zip(&shadows.of_clusters)
        .map(|(cluster, shadow)| Outlined {
            points: *shadow,
            color: cluster.color,
            line: OutlineKind::Shadow,
        })
        .collect();
    let [black, white] = Color::BOTH.map(|color| shadows.points(color).len());
    let open = map.size().area() - black - white;
    format!("With shadows: Black {black} points, White {white}, {open} open")
}

/// Gives each point to the nearest stone.
pub fn show_voronoi(diagram: &mut Diagram, board: &Board) -> String {
    let cells = voronoi::cells(board);
    diagram.leaning = Color::BOTH.map(|color| *cells.points(color));
    let [black, white] = Color::BOTH.map(|color| cells.area(color));
    let between = board.size().area() - black - white;
    format!("Nearest stones: Black {black} points, White {white}, {between} between them")
}

/// Marks the empty points where a player may not play now.
pub fn show_unplayable(diagram: &mut Diagram, game: &History) -> String {
    let (mut suicides, mut kos) = ([0; 2], [0; 2]);
    for point in game.board().empty().iter() {
        let verdicts = Color::BOTH.map(|color| game.check(color, point));
        for color in Color::BOTH {
            match verdicts[color.index()] {
                Err(Illegal::Suicide) => suicides[color.index()] += 1,
                Err(Illegal::Ko | Illegal::Superko) => kos[color.index()] += 1,
                Ok(()) | Err(Illegal::OffBoard | Illegal::Occupied) => continue,
            }
            let reason = match verdicts {
                [Err(Illegal::Suicide), Err(Illegal::Suicide)] => Unplayable::SuicideForBoth,
                _ if verdicts[color.index()] == Err(Illegal::Suicide) => Unplayable::Suicide(color),
                _ => Unplayable::Ko(color),
            };
            if !diagram.unplayable.contains(&(point, reason)) {
                diagram.unplayable.push((point, reason));
            }
        }
    }
    let sides = Color::BOTH.map(|color| {
        let (suicides, kos) = (suicides[color.index()], kos[color.index()]);
        format!("{} {suicides} by suicide, {kos} by ko", color.name())
    });
    format!("May not play: {}; {}", sides[0], sides[1])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Point;
    use crate::count::{ScoringTerms, count};
    use crate::draw::{TextStyle, text_board};
    use crate::rules::Rules;

    #[test]
    fn territory_is_shown_as_it_was_counted() {
        let board: Board = "
            . X O . .
            X X O O O
            O X O . O
            . X O O .
            X X O . O
        "
        .parse()
        .unwrap();
        let dead = [Point::new(0, 2)].into_iter().collect();
        let count = count(&board, &dead, &Rules::default(), &ScoringTerms::default());
        let mut diagram = Diagram::new(&board);
        let said = show_territory(&mut diagram, &count);
        assert!(said.starts_with("W+"), "{said}");
        let text = text_board(&diagram, TextStyle::Ascii);
        assert!(text.contains(" 5  b X O w w  5"), "{text}");
        assert!(text.contains(" 3  o X O w O  3"), "{text}");
    }

    #[test]
    fn every_point_goes_to_the_nearest_stone() {
        let board: Board = ". . . . .\n. X . . O\n. . . . .".parse().unwrap();
        let mut diagram = Diagram::new(&board);
        let said = show_voronoi(&mut diagram, &board);
        assert_eq!(
            said,
            "Nearest stones: Black 9 points, White 6, 0 between them"
        );
        assert!(text_board(&diagram, TextStyle::Ascii).contains(" 3  b b b w w  3"));
    }

    #[test]
    fn suicide_and_ko_are_distinguished() {
        let board: Board = "
            . X . X .
            X X X O X
            . X O . O
            O O . O .
            . O . . .
        "
        .parse()
        .unwrap();
        let mut game = History::from_board(board, Color::Black, &Rules::default());
        let taken = game.board().size().point(3, 2).unwrap();
        game.play(Color::Black, taken).unwrap();
        let mut diagram = Diagram::new(game.board());
        show_unplayable(&mut diagram, &game);
        let text = text_board(&diagram, TextStyle::Ascii);
        assert!(text.contains(" 4  X X X k X  4"), "{text}");
        assert!(text.contains(" 5  w X w X w  5"), "{text}");
        assert!(text.contains(" 1  b O . . .  1"), "{text}");
        assert!(text.contains("k forbidden to White by ko"), "{text}");
    }
}
