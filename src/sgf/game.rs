//! A game as the record tells it: nothing here has been checked against the rules yet.

use super::{NodeId, RecordedResult, Server};
use crate::board::{Color, Point, PointSet, Size};
use crate::finding::Place;

/// Which game a record is of.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GameKind {
    /// Go, `GM[1]`.
    Go,
    /// Gridless Go.
    GridlessGo,
    /// Dai Hasami Shogi.
    HasamiShogi,
    /// Another game of `GM[]`, by its name.
    Other(String),
}

/// What the root of a record says about the game. `None` means that the record does not say.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Header {
    /// `PB[]`: Black's name.
    pub black: String,
    /// `PW[]`: White's name.
    pub white: String,
    /// `BR[]`: Black's rank.
    pub black_rank: String,
    /// `WR[]`: White's rank.
    pub white_rank: String,
    /// `BT[]`: Black's team.
    pub black_team: String,
    /// `WT[]`: White's team.
    pub white_team: String,
    /// `DT[]` as written.
    pub date: String,
    /// `EV[]`: the tournament.
    pub event: String,
    /// `RO[]`: its round.
    pub round: String,
    /// `PC[]`: where the game was played.
    pub place: String,
    /// `GN[]`: the game's name.
    pub name: String,
    /// `SO[]`: where the record comes from.
    pub source: String,
    /// `TM[]`: the time limit as written.
    pub time: String,
    /// `OT[]`: the overtime as written.
    pub overtime: String,
    /// `AP[]`: the program that wrote it.
    pub application: String,
    /// The server that `PC[]`, `SO[]` or `AP[]` names.
    pub server: Option<Server>,
    /// `RU[]` as written.
    pub rules: Option<String>,
    /// `KM[]`, in points.
    pub komi: Option<f64>,
    /// `KM[]` says something that is no komi.
    pub komi_is_unreadable: bool,
    /// `HA[]`: the number of handicap stones.
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

/// Where a move that was read goes. Only the rules know whether it may.
#[derive(Clone, Debug, PartialEq)]
pub enum Target {
    /// A point, which may lie off the board of this game.
    Point(Point),
    /// No stone.
    Pass,
    /// Text that is no point of Go: broken, or the notation of another game.
    Text(String),
}

/// One thing that a node does, in the order in which a node's properties take effect.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The node.
    pub node: NodeId,
    /// Where the property stands in the file.
    pub place: Place,
    /// What it does.
    pub kind: StepKind,
}

/// What one property of a node does.
#[derive(Clone, Debug, PartialEq)]
pub enum StepKind {
    /// `B[]` or `W[]`.
    Move {
        /// Whose move it is.
        color: Color,
        /// Where it goes.
        target: Target,
    },
    /// `AB[]`, `AW[]` and `AE[]`.
    Setup(Box<Setup>),
    /// `PL[]`: whose turn it is.
    ToPlay(Color),
    /// `KO[]`: the moves of this node are executed whether they are legal or not.
    Forced,
}

/// `AB`, `AW` and `AE` of one node, as little as a file of nothing else may cost: a rectangle for
/// each value, most of them of one point.
#[derive(Clone, Debug, Default)]
pub struct Setup {
    pub(super) areas: Box<[SetupArea]>,
}

/// What becomes of a rectangle.
#[derive(Clone, Copy, Debug)]
pub(super) struct SetupArea {
    pub(super) stone: Option<Color>,
    pub(super) corners: (Point, Point),
}

impl SetupArea {
    /// How many points there are in it.
    pub(super) fn points(&self) -> usize {
        let (one, other) = self.corners;
        let side = |a: u8, b: u8| usize::from(a.abs_diff(b)) + 1;
        side(one.x(), other.x()) * side(one.y(), other.y())
    }
}

/// The points that become black, white and empty in one node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SetupPoints {
    /// `AB[]`: black stones.
    pub black: PointSet,
    /// `AW[]`: white stones.
    pub white: PointSet,
    /// `AE[]`: points that are emptied.
    pub empty: PointSet,
}

impl Setup {
    /// The points that the node sets up. Some may lie off the board of this game.
    pub fn points(&self) -> SetupPoints {
        let mut points = SetupPoints::default();
        for area in &self.areas {
            let set = match area.stone {
                Some(Color::Black) => &mut points.black,
                Some(Color::White) => &mut points.white,
                None => &mut points.empty,
            };
            let (one, other) = area.corners;
            set.insert_rectangle(one, other);
        }
        points
    }
}

impl PartialEq for Setup {
    /// Whether the same points are set up, however they are written.
    fn eq(&self, other: &Setup) -> bool {
        self.points() == other.points()
    }
}

/// What a record holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contents {
    /// Moves: a game.
    Moves,
    /// Stones set up and no move: a problem or a position.
    Position,
    /// Neither.
    Nothing,
}

/// One game of a file.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Game {
    /// Its number in the file, from 1.
    pub number: u32,
    /// Which game it is.
    pub kind: GameKind,
    /// The size of the board.
    pub size: Size,
    /// What the root says about the game.
    pub header: Header,
    /// What the main line holds.
    pub contents: Contents,
    /// The first node of its tree.
    pub root: NodeId,
    /// The steps of the main line, root first.
    pub main_line: Vec<Step>,
}

/// Every branch of a game, for those who walk them all.
///
/// The visits are in the order of the file, so a parent always comes before its children and a
/// branch is left only when it is done. Walking needs no recursion: after a node with more than
/// one child keep the position, and come back to it when a visit's parent is not the visit
/// before.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Branches<'g> {
    /// The nodes in the order of the file.
    pub visits: Vec<Visit>,
    /// The steps of the main line, as the game has them.
    pub(super) main_line: &'g [Step],
    /// The steps of all other visits.
    pub(super) steps: Vec<Step>,
}

impl Branches<'_> {
    /// What a visited node does.
    pub fn steps(&self, visit: &Visit) -> &[Step] {
        let steps = match visit.main_line {
            true => self.main_line,
            false => &self.steps,
        };
        let first = visit.first_step as usize;
        &steps[first..first + visit.step_count as usize]
    }
}

/// A node on the way through all branches of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Visit {
    /// The node.
    pub node: NodeId,
    /// The node before it; `None` for the root.
    pub parent: Option<NodeId>,
    /// Whether more than one line goes on from here.
    pub branches: bool,
    /// Whether it belongs to the main line.
    pub main_line: bool,
    // A file is shorter than 4 GB, and so are the steps of a game fewer.
    pub(super) first_step: u32,
    pub(super) step_count: u32,
}
