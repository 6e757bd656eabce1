//! The table of chains that `kifu show --explain` prints under a board.

use crate::board::Size;
use crate::count::ChainVerdict;

/// A line for each chain: where it is, its stones, liberties and eyes, its status and why.
pub(crate) fn chain_table(size: Size, chains: &[ChainVerdict]) -> String {
    let header = [
        "chain",
        "stones",
        "liberties",
        "eyes",
        "status",
        "sure",
        "why",
    ];
    let mut rows = vec![header.map(str::to_string)];
    rows.extend(chains.iter().map(|chain| {
        [
            format!("{} {}", chain.color.name(), size.name(chain.stones[0])),
            chain.stones.len().to_string(),
            chain.liberties.len().to_string(),
            chain.eyes.len().to_string(),
            chain.status.as_str().to_string(),
            format!("{:.0} %", 100.0 * chain.probability),
            chain.reason.clone(),
        ]
    }));
    let widths: [usize; 7] = std::array::from_fn(|column| {
        let cells = rows.iter().map(|row| row[column].len());
        cells.max().unwrap_or(0)
    });
    let mut text = String::new();
    for row in &rows {
        let cells: Vec<String> = (row.iter().zip(widths).enumerate())
            .map(|(column, (cell, width))| match column {
                // Numbers stand under their last digit.
                1 | 2 | 3 | 5 => format!("{cell:>width$}"),
                6 => cell.clone(),
                _ => format!("{cell:<width$}"),
            })
            .collect();
        text += cells.join("  ").trim_end();
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Color, Point};
    use crate::count::ChainStatus;

    #[test]
    fn columns_line_up() {
        let chain = |x, stones, status, reason: &str| ChainVerdict {
            color: Color::White,
            stones: (0..stones).map(|y| Point::new(x, y)).collect(),
            liberties: vec![Point::new(8, 8)],
            eyes: Vec::new(),
            false_eyes: Vec::new(),
            status,
            probability: 0.987,
            reason: reason.to_string(),
        };
        let chains = [
            chain(1, 2, ChainStatus::Dead, "in atari at J1"),
            chain(3, 10, ChainStatus::Alive, "two eyes"),
        ];
        assert_eq!(
            chain_table(Size::square(19), &chains),
            "\
chain      stones  liberties  eyes  status  sure  why
White B19       2          1     0  dead    99 %  in atari at J1
White D19      10          1     0  alive   99 %  two eyes
"
        );
    }
}
