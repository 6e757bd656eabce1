//! Boards and answers drawn as text, for the tests of the analysis.

use crate::board::{Board, Point, PointSet};

/// The board that the drawing shows: `X`, `O`, and anything else empty.
pub(crate) fn board(drawing: &str) -> Board {
    drawing.parse().expect("a drawn board")
}

/// A board with settled stones, drawn `#` for Black and `@` for White, and all the chains that
/// they belong to.
pub(crate) fn settled(drawing: &str) -> (Board, PointSet) {
    let board = board(&drawing.replace('@', "O"));
    let mut stones = PointSet::EMPTY;
    for stone in marked(drawing, "#@").iter() {
        stones.extend(board.chain(stone));
    }
    (board, stones)
}

/// The points that carry one of these marks in the drawing.
pub(crate) fn marked(drawing: &str, marks: &str) -> PointSet {
    let mut points = PointSet::EMPTY;
    let rows = drawing.lines().filter(|line| !line.trim().is_empty());
    for (y, row) in rows.enumerate() {
        let drawn = row.chars().filter(|c| !c.is_whitespace());
        for (x, mark) in drawn.enumerate() {
            if marks.contains(mark) {
                points.insert(Point::new(x as u8, y as u8));
            }
        }
    }
    points
}

/// The one point that carries this mark.
pub(crate) fn point(drawing: &str, mark: char) -> Point {
    let points = marked(drawing, mark.to_string().as_str());
    assert_eq!(points.len(), 1, "one {mark} in {drawing}");
    points.first().expect("just counted")
}

/// The same drawing seen in a mirror and turned: all eight ways to look at a board.
pub(crate) fn orientations(drawing: &str) -> Vec<String> {
    let rows: Vec<Vec<char>> = drawing
        .lines()
        .map(|line| line.chars().filter(|c| !c.is_whitespace()).collect())
        .filter(|row: &Vec<char>| !row.is_empty())
        .collect();
    let turned = |rows: &[Vec<char>]| -> Vec<Vec<char>> {
        (0..rows[0].len())
            .map(|x| rows.iter().rev().map(|row| row[x]).collect())
            .collect()
    };
    let mut all = Vec::new();
    let mut now = rows;
    for _ in 0..4 {
        let mirrored: Vec<Vec<char>> = now.iter().rev().cloned().collect();
        all.push(now.clone());
        all.push(mirrored);
        now = turned(&now);
    }
    all.iter()
        .map(|rows| {
            rows.iter()
                .map(|row| row.iter().collect::<String>())
                .collect::<Vec<_>>()
                .join("\n")
        })
        .collect()
}
