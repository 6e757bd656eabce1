//! The board of gridless Go in letters.

use crate::board::Color;
use crate::games::Gridless;

/// Four letters and two lines per grid unit, which is near enough to square: `X` and `O` at the
/// centres of the stones, dots on the intersections that no stone covers.
pub(super) fn text(board: &Gridless) -> String {
    let size = board.size();
    let (columns, rows) = (size.width() as usize * 4, size.height() as usize * 2);
    let mut letters = vec![vec![' '; columns - 3]; rows - 1];
    for point in size.points().filter(|&point| !board.is_covered(point)) {
        letters[2 * point.y() as usize][4 * point.x() as usize] = '.';
    }
    for (color, center) in board.stones() {
        let row = (2.0 * center.y).round() as usize;
        let column = (4.0 * center.x).round() as usize;
        letters[row][column] = match color {
            Color::Black => 'X',
            Color::White => 'O',
        };
    }
    let lines = letters.iter().map(|row| {
        let line: String = row.iter().collect();
        line.trim_end().to_owned() + "\n"
    });
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Size;
    use crate::games::{BoardGame, DEFAULT_SNAP};
    use crate::sgf::Target;

    #[test]
    fn stones_lie_between_the_points_of_the_grid() {
        let mut board = Gridless::new(Size::square(3), DEFAULT_SNAP);
        for (color, place) in [(Color::Black, "0.5,0.5"), (Color::White, "2,1")] {
            board.play(color, &Target::Text(place.to_owned())).unwrap();
        }
        assert_eq!(
            text(&board),
            concat!(".   .   .\n", "  X\n", ".   .   O\n", "\n", ".   .   .\n")
        );
    }
}
