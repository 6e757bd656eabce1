//! A small Monte-Carlo tree search around a chain whose fate is not clear.
//!
//! Playouts know how a fight usually ends; a tree finds out how it ends when both sides choose
//! well. The moves are those near the chain, in the empty points that can be reached from it
//! without crossing a chain that certainly lives. Both sides may pass, so a seki is left alone:
//! nobody has a better move. Moves that were good at any time in a game count for its start too
//! (the *all moves as first* estimate of Brügmann, in the form of Gelly and Silver), as a few
//! hundred games are all there are.
//!
//! The search answers with shares, not verdicts: they are more evidence for the decision in
//! [`judge`](super::judge), which has learned how far to trust it.

use std::collections::VecDeque;

use super::judge::CLEAR;
use super::playout::{Player, Policy};
use super::playout_board::ChainAfter;
use super::position_graph::PositionGraph;
use crate::board::{Board, Color, Point, PointSet};

/// What the search found for a chain with one side moving first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Estimate {
    /// How often the chain survived after the best first move.
    pub survival: f32,
    /// How often it survived in all games of the search.
    pub mean: f32,
    /// Whether to pass was the best first move.
    pub pass: bool,
    /// How often the chain and its weakest enemy both survived.
    pub both: f32,
}

/// The question of a search: does this chain survive?
#[derive(Clone, Copy, Debug)]
pub(crate) struct Question<'a> {
    pub color: Color,
    pub stones: &'a [Point],
    /// The stones of the enemy whose fate is noted too; may be none.
    pub enemy: &'a [Point],
    /// The empty points where the fight takes place.
    pub area: &'a [Point],
}

/// No search goes over an area of more points.
const LARGEST_AREA: usize = 60;

/// The empty points near a chain: those that can be reached from it over empty points and over
/// chains that may be dead, the nearest first if there are too many.
pub(crate) fn area(graph: &PositionGraph, chain: usize, log_odds: &[f32]) -> Vec<Point> {
    let mut area = Vec::new();
    let mut reached: PointSet = graph.chain(chain).stones.iter().copied().collect();
    let mut queue: VecDeque<Point> = graph.chain(chain).stones.iter().copied().collect();
    while let Some(point) = queue.pop_front() {
        if graph.region_at(point).is_some() {
            area.push(point);
            if area.len() == LARGEST_AREA {
                break;
            }
        }
        for beside in point.neighbors() {
            if reached.contains(beside) {
                continue;
            }
            if let Some(other) = graph.chain_at(beside) {
                // A chain that clearly lives is a wall.
                if log_odds[other] < CLEAR {
                    reached.extend(graph.chain(other).stones.iter().copied());
                    queue.extend(&graph.chain(other).stones);
                }
            } else if graph.region_at(beside).is_some() {
                reached.insert(beside);
                queue.push_back(beside);
            }
        }
    }
    area.sort_unstable();
    area
}

/// A move in the tree.
#[derive(Clone, Debug)]
struct Node {
    /// `None` is a pass.
    point: Option<Point>,
    games: f32,
    survived: f32,
    /// The same over the games in which the move was made at any later time.
    games_with: f32,
    survived_with: f32,
    children: std::ops::Range<u32>,
}

impl Node {
    fn new(point: Option<Point>) -> Node {
        Node {
            point,
            games: 0.0,
            survived: 0.0,
            games_with: 0.0,
            survived_with: 0.0,
            children: 0..0,
        }
    }

    /// How promising the move is for a side that wants the chain to survive, or not.
    fn ucb(&self, wants_survival: bool, log_games: f32) -> f32 {
        let share = |survived: f32, games: f32| {
            if wants_survival {
                survived / games
            } else {
                1.0 - survived / games
            }
        };
        let with = if self.games_with > 0.0 {
            share(self.survived_with, self.games_with)
        } else {
            0.6
        };
        if self.games == 0.0 {
            return with + 0.15;
        }
        let trust = match self.point {
            Some(_) => self.games / (self.games + 40.0),
            None => 1.0,
        };
        let exploration = 0.12 * (log_games / self.games).sqrt();
        trust * share(self.survived, self.games) + (1.0 - trust) * with + exploration
    }
}

/// Searches one position; keeps its memory from question to question.
pub(crate) struct ChainSearch {
    player: Player,
    nodes: Vec<Node>,
    path: Vec<usize>,
    moves: Vec<(Color, Point)>,
    /// For each point the last game in which it was played, and by whom first.
    first_played: Vec<(u32, Color)>,
    game: u32,
}

impl ChainSearch {
    /// After how many games to stop if no more than so many ended otherwise than the rest.
    const STOPS: [(f32, f32); 3] = [(24.0, 0.0), (48.0, 1.0), (150.0, 1.0)];

    pub(crate) fn new(board: &Board, reseed: u32) -> ChainSearch {
        ChainSearch {
            player: Player::new(board, reseed),
            nodes: Vec::new(),
            path: Vec::new(),
            moves: Vec::new(),
            first_played: vec![(0, Color::Black); board.size().padded()],
            game: 0,
        }
    }

    /// Plays up to `games` games with `first` moving first; fewer when they all end alike.
    pub(crate) fn estimate(&mut self, question: &Question, first: Color, games: u32) -> Estimate {
        self.nodes.clear();
        self.nodes.push(Node::new(None));
        let (mut played, mut survived, mut both) = (0.0f32, 0.0f32, 0.0);
        while played < games as f32 {
            self.play(question, first);
            let survives = self.player.survives(question.color, question.stones);
            if survives {
                survived += 1.0;
                let enemy = question.color.other();
                if question.enemy.is_empty() || self.player.survives(enemy, question.enemy) {
                    both += 1.0;
                }
            }
            self.learn(survives, first);
            played += 1.0;
            let others = survived.min(played - survived);
            let agree = |&(games, most): &(f32, f32)| played == games && others <= most;
            if ChainSearch::STOPS.iter().any(agree) {
                break;
            }
        }
        let best = self.nodes[0]
            .children
            .clone()
            .map(|child| &self.nodes[child as usize]);
        let best = best.reduce(|a, b| if b.games > a.games { b } else { a });
        let mean = survived / played;
        Estimate {
            survival: best.map_or(mean, |best| best.survived / best.games.max(1.0)),
            mean,
            pass: best.is_none_or(|best| best.point.is_none()),
            both: both / played,
        }
    }

    /// Plays a game: down the tree, which grows by a move, then to the end.
    fn play(&mut self, question: &Question, first: Color) {
        self.player.reset(question.area);
        self.game += 1;
        self.moves.clear();
        self.path.clear();
        self.path.push(0);
        let mut color = first;
        let mut node = 0;
        let mut last = None;
        let mut passes = 0;
        while !self.nodes[node].children.is_empty() {
            node = self.select(node, color == question.color);
            self.path.push(node);
            last = self.nodes[node].point;
            match last {
                Some(point) => {
                    self.player.put(color, point);
                    self.moves.push((color, point));
                    passes = 0;
                }
                None => {
                    self.player.pass();
                    passes += 1;
                    if passes == 2 {
                        return;
                    }
                }
            }
            color = color.other();
        }
        if node == 0 || self.nodes[node].games > 0.0 {
            self.expand(node, color);
        }
        self.player
            .play_on(color, last, Policy::BOLD, Some(&mut self.moves));
    }

    fn select(&self, parent: usize, wants_survival: bool) -> usize {
        // Whole doublings: the logarithms of two machines may differ in the last bit.
        let log_games = 0.7 * (self.nodes[parent].games as u32).max(1).ilog2() as f32;
        let mut best = (f32::MIN, 0);
        for child in self.nodes[parent].children.clone() {
            let ucb = self.nodes[child as usize].ucb(wants_survival, log_games);
            if ucb > best.0 {
                best = (ucb, child as usize);
            }
        }
        best.1
    }

    /// Adds all moves that are legal and fill no eye, and the pass.
    fn expand(&mut self, node: usize, color: Color) {
        let from = self.nodes.len() as u32;
        let (player, board) = (&self.player, self.player.board());
        let moves = player.open().iter().copied().filter(|&point| {
            board.ko() != Some(point)
                && !player.is_true_eye(color, point)
                && (board.chain_after(color, point) != ChainAfter::NoLiberty
                    || board.takes(color, point))
        });
        self.nodes.extend(moves.map(|point| Node::new(Some(point))));
        self.nodes.push(Node::new(None));
        self.nodes[node].children = from..self.nodes.len() as u32;
    }

    /// Enters the outcome of a game into the tree.
    fn learn(&mut self, survived: bool, first: Color) {
        let value = survived as u8 as f32;
        for &(color, point) in self.moves.iter().rev() {
            self.first_played[point.index()] = (self.game, color);
        }
        let mut color = first;
        for &node in &self.path {
            self.nodes[node].games += 1.0;
            self.nodes[node].survived += value;
            for child in self.nodes[node].children.clone() {
                let child = &mut self.nodes[child as usize];
                if let Some(point) = child.point
                    && self.first_played[point.index()] == (self.game, color)
                {
                    child.games_with += 1.0;
                    child.survived_with += value;
                }
            }
            color = color.other();
        }
    }
}
