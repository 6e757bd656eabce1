//! The two players, and what can be on a point.

/// A player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Color {
    /// Plays first in an even game.
    Black = 1,
    /// Gets the komi.
    White = 2,
}

impl Color {
    /// Both players, Black first.
    pub const BOTH: [Color; 2] = [Color::Black, Color::White];

    /// The opponent.
    #[inline]
    pub fn other(self) -> Color {
        match self {
            Color::Black => Color::White,
            Color::White => Color::Black,
        }
    }

    /// What a point with a stone of this colour holds.
    #[inline]
    pub(crate) fn spot(self) -> Spot {
        match self {
            Color::Black => Spot::Black,
            Color::White => Spot::White,
        }
    }

    /// 0 for Black, 1 for White: for arrays with one entry per player.
    #[inline]
    pub(crate) fn index(self) -> usize {
        self as usize - 1
    }

    /// `Black` or `White`, for sentences.
    pub fn name(self) -> &'static str {
        match self {
            Color::Black => "Black",
            Color::White => "White",
        }
    }

    /// `B` or `W`, as SGF and results write it.
    pub fn letter(self) -> char {
        match self {
            Color::Black => 'B',
            Color::White => 'W',
        }
    }
}

/// What is on a point of the padded board: nothing, a stone, or the edge around the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Spot {
    /// No stone.
    Empty = 0,
    /// A black stone.
    Black = 1,
    /// A white stone.
    White = 2,
    /// Not a point: the edge around the board.
    Edge = 3,
}

impl Spot {
    /// The stone on the point, if there is one.
    #[inline]
    pub fn color(self) -> Option<Color> {
        match self {
            Spot::Black => Some(Color::Black),
            Spot::White => Some(Color::White),
            Spot::Empty | Spot::Edge => None,
        }
    }
}
