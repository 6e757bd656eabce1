//! A game as the record tells it: nothing here has been checked against the rules yet.

use super::RecordedResult;
use crate::finding::Place;
use crate::rules::{Color, Point, PointSet, Size};

/// Which game a record is of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GameKind {
    Go,
    GridlessGo,
    HasamiShogi,
    /// Another game of `GM[]`, by its name.
    Other(String),
}

/// What the root of a record says about the game. `None` means that the record does not say.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Header {
    pub black: String,
    pub white: String,
    pub black_rank: String,
    pub white_rank: String,
    pub date: String,
    pub event: String,
    pub round: String,
    pub place: String,
    pub name: String,
    pub source: String,
    pub application: String,
    /// `RU[]` as written.
    pub rules: Option<String>,
    pub komi: Option<f64>,
    pub handicap: Option<u32>,
    /// `RE[]`, read.
    pub result: Option<RecordedResult>,
    /// `RE[]` as written.
    pub result_text: String,
    /// `TB[]` of the last node of the main line that has marks.
    pub black_marks: Option<PointSet>,
    /// `TW[]` of the same node.
    pub white_marks: Option<PointSet>,
}

/// A node of a game's tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub(crate) u32);

/// Where a move that was read goes. Only the rules know whether it may.
#[derive(Clone, Debug, PartialEq)]
pub enum Target {
    /// A point, which may lie off the board of this game.
    Point(Point),
    Pass,
    /// Text that is no point of Go: broken, or the notation of another game.
    Text(String),
}

/// One thing that a node does, in the order in which a node's properties take effect.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    pub node: NodeId,
    pub place: Place,
    pub kind: StepKind,
}

#[derive(Clone, Debug, PartialEq)]
pub enum StepKind {
    Move {
        color: Color,
        target: Target,
    },
    Setup(Box<Setup>),
    /// `PL[]`: whose turn it is.
    ToPlay(Color),
}

/// `AB`, `AW` and `AE` of one node.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Setup {
    pub black: PointSet,
    pub white: PointSet,
    pub empty: PointSet,
}

/// One game of a file.
#[derive(Clone, Debug)]
pub struct Game {
    /// Its number in the file, from 1.
    pub number: u32,
    pub kind: GameKind,
    pub size: Size,
    pub header: Header,
    /// The steps of the main line, root first.
    pub main_line: Vec<Step>,
}
