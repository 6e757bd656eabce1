//! The board of Dai Hasami Shogi in letters.

use crate::board::Color;
use crate::games::{BoardGame, HASAMI_SIDE as SIDE, Hasami, Square};

/// The board with its letters and digits, `B` for a black man and `W` for a white one, and under
/// it the men left.
pub(super) fn text(board: &Hasami) -> String {
    let mut text = String::from("  1 2 3 4 5 6 7 8 9\n");
    for (letter, row) in ('A'..).zip(0..SIDE) {
        text.push(letter);
        for column in 0..SIDE {
            let man = board.man(Square { row, column });
            text.push(' ');
            text.push(man.map_or('.', Color::letter));
        }
        text.push('\n');
    }
    let [black, white] = board.men();
    text + &format!("\nWhite men: {white}\nBlack men: {black}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_men_stand_ready() {
        assert_eq!(
            text(&Hasami::default()),
            "  1 2 3 4 5 6 7 8 9\n\
             A B B B B B B B B B\n\
             B B B B B B B B B B\n\
             C . . . . . . . . .\n\
             D . . . . . . . . .\n\
             E . . . . . . . . .\n\
             F . . . . . . . . .\n\
             G . . . . . . . . .\n\
             H W W W W W W W W W\n\
             I W W W W W W W W W\n\
             \n\
             White men: 18\n\
             Black men: 18\n"
        );
    }
}
