//! The scanner: text becomes a [`Tree`], whatever the text.
//!
//! It reads as a person would who sees the brackets and knows Go: every move that is there is
//! kept, and everything that SGF does not allow is repaired and reported. The repairs, by what
//! is found:
//!
//! - **Text before, between and after the games** is skipped. A game starts at a `(` with a node
//!   behind it, so the parentheses of a mail or of a web page start none.
//! - **A `;` or `(` is missing**: a known property where a node should start starts one; a file
//!   may even start with a move.
//! - **A `)` is missing**: the game ends where the next one starts (`(;GM[`, `(;FF[`) or with the
//!   file. **A `)` too many**: when moves follow, the line goes on.
//! - **A node after a variation** at the same level goes on the line, and what stands in the
//!   parentheses is the variation, as some programs mean it.
//! - **A `]` within a text** ends the value only if what follows is structure: a node, a
//!   variation, another value or property. Else it belongs to the text.
//! - **A `]` is missing**: the value of a move or of setup ends where no point can go on; a text
//!   ends where a move (`;B[dd]`) or a property of the header follows.
//! - **A name without a value**, and anything else that stands outside of a value, is skipped.
//!
//! Nothing here is recursive, and no byte is looked at more than a fixed number of times: the
//! look ahead after a `]` stops at the next bracket at the latest, and the search for the true end
//! of a text remembers what it has found.

use std::cell::Cell;
use std::ops::Range;

use memchr::{memchr, memchr2};

use super::findings::ParseFindings;
use super::limits::Limits;
use super::tree::{Key, NodeId, Span, Tree};
use crate::finding::Code;

/// A text to scan: a whole file, or some of the games of one.
#[derive(Clone, Debug)]
pub(crate) struct Extent {
    /// Where in the text to begin, and where to stop. What stands behind that is looked at where
    /// it decides how something before it is meant.
    pub body: Range<usize>,
    /// How many games of the file stand before it.
    pub games_before: u32,
    /// Whether another game follows, so that its end is not the end of the file.
    pub followed: bool,
}

impl Extent {
    /// All of a text.
    pub(crate) fn whole(text: &str) -> Extent {
        Extent {
            body: 0..text.len(),
            games_before: 0,
            followed: false,
        }
    }
}

/// Reads the text into a tree.
pub(crate) fn scan(
    text: &str,
    extent: &Extent,
    limits: &Limits,
    findings: &mut ParseFindings,
) -> Tree {
    let tree = Tree::with_room_for(extent.body.len());
    let mut scanner = Scanner::new(text, extent, limits, TreeBuilder { tree, findings });
    scanner.file();
    scanner.build.tree
}

/// Finds where games start, from a place on where one does or where the file begins. What stands
/// near the end of the text may look different when more of it is known, unless the text is at
/// its end.
pub(crate) fn game_starts(text: &str, from: usize, at_end: bool, limits: &Limits) -> GameStarts {
    let extent = Extent {
        body: from..text.len(),
        games_before: 0,
        followed: !at_end,
    };
    let unlimited = Limits {
        games: usize::MAX,
        nodes: usize::MAX,
        ..limits.clone()
    };
    let mut scanner = Scanner::new(text, &extent, &unlimited, GameStarts::default());
    let stopped = scanner.file();
    let (at, mut outline) = (scanner.at, scanner.build);
    outline.too_deep = stopped.filter(|_| at < text.len()).map(|Stop| at);
    outline
}

/// What the scanner makes of what it finds.
trait Build {
    /// How many games have been started.
    fn games(&self) -> usize;
    fn first_child(&self, node: NodeId) -> Option<NodeId>;
    fn push_node(&mut self, parent: Option<NodeId>, offset: u32) -> NodeId;
    fn push_first_child(&mut self, parent: NodeId, offset: u32) -> NodeId;
    fn push_property(&mut self, key: Key, name: Span);
    fn push_value(&mut self, value: Span);
    fn repaired(&mut self, game: u32, at: usize, code: Code, message: impl FnOnce() -> String);
    /// A game starts here, with a `(`.
    fn game_starts(&mut self, _at: usize) {}
    /// A game may start here: a `(` with a header behind it inside of another game.
    fn game_may_start(&mut self, _at: usize) {}
    /// Whether anybody wants to know that.
    const WANTS_STARTS: bool = false;
}

/// Builds the tree and writes down what was repaired.
struct TreeBuilder<'a> {
    tree: Tree,
    findings: &'a mut ParseFindings,
}

impl Build for TreeBuilder<'_> {
    fn games(&self) -> usize {
        self.tree.roots().len()
    }

    fn first_child(&self, node: NodeId) -> Option<NodeId> {
        self.tree.first_child(node)
    }

    #[inline]
    fn push_node(&mut self, parent: Option<NodeId>, offset: u32) -> NodeId {
        self.tree.push_node(parent, offset)
    }

    fn push_first_child(&mut self, parent: NodeId, offset: u32) -> NodeId {
        self.tree.push_first_child(parent, offset)
    }

    #[inline]
    fn push_property(&mut self, key: Key, name: Span) {
        self.tree.push_property(key, name);
    }

    #[inline]
    fn push_value(&mut self, value: Span) {
        self.tree.push_value(value);
    }

    fn repaired(&mut self, game: u32, at: usize, code: Code, message: impl FnOnce() -> String) {
        self.findings.at(game, at as u32, code, message);
    }
}

/// Where the games of a text start.
#[derive(Debug, Default)]
pub(crate) struct GameStarts {
    games: usize,
    pub starts: Vec<Start>,
    /// Where a `)` may be missing: headers inside of other games.
    pub possible_starts: Vec<Start>,
    /// Where so many parentheses are open that nothing was read behind it.
    pub too_deep: Option<usize>,
}

/// A place where a game starts, and how many games have started before it in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Start {
    pub at: usize,
    pub games_before: u32,
}

impl GameStarts {
    /// How many games start in the text.
    pub(crate) fn games(&self) -> u32 {
        self.games as u32
    }

    fn start(&self, at: usize) -> Start {
        Start {
            at,
            games_before: self.games(),
        }
    }
}

impl Build for GameStarts {
    fn games(&self) -> usize {
        self.games
    }

    fn first_child(&self, _node: NodeId) -> Option<NodeId> {
        None
    }

    #[inline]
    fn push_node(&mut self, parent: Option<NodeId>, _offset: u32) -> NodeId {
        self.games += usize::from(parent.is_none());
        NodeId(0)
    }

    fn push_first_child(&mut self, _parent: NodeId, _offset: u32) -> NodeId {
        NodeId(0)
    }

    #[inline]
    fn push_property(&mut self, _key: Key, _name: Span) {}

    #[inline]
    fn push_value(&mut self, _value: Span) {}

    fn repaired(&mut self, _: u32, _: usize, _: Code, _: impl FnOnce() -> String) {}

    fn game_starts(&mut self, at: usize) {
        self.starts.push(self.start(at));
    }

    fn game_may_start(&mut self, at: usize) {
        self.possible_starts.push(self.start(at));
    }

    const WANTS_STARTS: bool = true;
}

struct Scanner<'a, B> {
    bytes: &'a [u8],
    text: &'a str,
    at: usize,
    /// Where to stop.
    end: usize,
    extent: &'a Extent,
    limits: &'a Limits,
    build: B,
    /// For every open parenthesis the node before it.
    open: Vec<Option<NodeId>>,
    /// The node that the next node follows.
    node: Option<NodeId>,
    /// The end of the main line of the game, as far as it is read.
    main_end: Option<NodeId>,
    /// The game is not Go, by its `GM[]`.
    other_game: bool,
    /// A `GM[]` has said which game it is: the first that does decides.
    game_is_named: bool,
    last: Token,
    known_end: KnownEnd,
    /// How many nodes this game has.
    nodes: usize,
    /// Whether it has more than it may have: the rest of it is not kept.
    skipping: bool,
    /// Whether anything was decided by the text being at its end.
    end_seen: Cell<bool>,
}

/// What was read last.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Token {
    Open,
    Close,
    Node,
    Value,
}

/// The end of a text that was searched for and found last: whoever searches again from a place
/// between `from` and `end` finds the same.
struct KnownEnd {
    from: usize,
    end: Option<usize>,
}

/// What a property's values look like, as far as finding their end goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// Points and moves: short, without brackets.
    Points,
    /// A line of the header.
    Line,
    /// Anything, over many lines.
    Text,
}

/// A place where the scan can't or must not go on.
struct Stop;

impl<'a, B: Build> Scanner<'a, B> {
    fn new(text: &'a str, extent: &'a Extent, limits: &'a Limits, build: B) -> Scanner<'a, B> {
        Scanner {
            bytes: text.as_bytes(),
            text,
            at: extent.body.start,
            end: extent.body.end,
            extent,
            limits,
            build,
            open: Vec::new(),
            node: None,
            last: Token::Close,
            main_end: None,
            other_game: false,
            game_is_named: false,
            known_end: KnownEnd {
                from: usize::MAX,
                end: None,
            },
            nodes: 0,
            skipping: false,
            end_seen: Cell::new(false),
        }
    }

    /// The number of the game that is being read; 0 before the first.
    fn game(&self) -> u32 {
        self.extent.games_before + self.build.games() as u32
    }

    fn repaired(&mut self, at: usize, code: Code, message: impl FnOnce() -> String) {
        if !self.skipping {
            self.build.repaired(self.game(), at, code, message);
        }
    }

    /// Scans everything, or up to where it must not go on.
    fn file(&mut self) -> Option<Stop> {
        loop {
            let from = self.at;
            let start = self.naked_game().or_else(|| self.find_game());
            let Some(start) = start.filter(|start| start.at < self.end) else {
                self.outside(from.min(self.end), self.end);
                return None;
            };
            self.outside(from, start.at);
            if let Err(stop) = self.start_game(start).and_then(|()| self.games()) {
                return Some(stop);
            }
        }
    }

    /// Tells whoever wants to know that a game starts here.
    fn game_starts(&mut self, at: usize) {
        if B::WANTS_STARTS && !(self.end_seen.get() && self.extent.followed) {
            self.build.game_starts(at);
        }
    }

    /// Tells of text outside of games.
    fn outside(&mut self, from: usize, to: usize) {
        let text = &self.text[from..to];
        let blank =
            |c: char| c <= ' ' || matches!(c, '\u{feff}' | '\u{1a}' | '\u{3000}' | '\u{a0}');
        let Some(first) = text.find(|c| !blank(c)) else {
            return;
        };
        if self.game() == 0 {
            // Without any game the whole file is the problem, not its beginning.
            if to < self.end {
                self.repaired(from + first, Code::TextBefore, || {
                    format!("Text before the first game was skipped: {}.", excerpt(text))
                });
            }
            return;
        }
        let closes = text.bytes().filter(|&byte| byte == b')').count();
        if text.bytes().all(|byte| byte <= b' ' || byte == b')') {
            self.repaired(from + first, Code::ExtraClose, || match closes {
                1 => "A “)” without a “(” was skipped.".to_owned(),
                _ => format!("{closes} “)” without a “(” were skipped."),
            });
        } else {
            self.repaired(from + first, Code::TextAfter, || {
                format!("Text after the game was skipped: {}.", excerpt(text))
            });
        }
    }

    /// A file that starts with a move, or with what opens a game, where `(;` should stand.
    fn naked_game(&self) -> Option<GameStart> {
        if self.at > 0 {
            return None;
        }
        const BOM: &[u8] = "\u{feff}".as_bytes();
        let from = if self.bytes.starts_with(BOM) {
            BOM.len()
        } else {
            0
        };
        let at = self.skip_blank(from);
        let key = self.known_property(at)?;
        (opens_games(key) || self.is_move(at)).then_some(GameStart {
            at,
            kind: StartKind::Naked,
        })
    }

    /// Finds where the next game starts, or where the last one goes on after a `)` too many.
    fn find_game(&self) -> Option<GameStart> {
        let mut at = self.at;
        while let Some(found) = memchr2(b'(', b';', &self.bytes[at..]) {
            at += found;
            let inside = self.skip_blank(at + 1);
            if self.bytes[at] == b'(' {
                match self.byte(inside) {
                    Some(b';') if self.node_starts(inside + 1) => {
                        return Some(GameStart {
                            at,
                            kind: StartKind::Open,
                        });
                    }
                    Some(b'A'..=b'Z') if self.known_property(inside).is_some() => {
                        return Some(GameStart {
                            at,
                            kind: StartKind::Open,
                        });
                    }
                    _ => {}
                }
            } else if let Some(key) = self.known_property(inside) {
                // A node outside of any game.
                let first = self.game() == 0;
                if opens_games(key) || first && self.is_move(inside) {
                    return Some(GameStart {
                        at,
                        kind: StartKind::Bare,
                    });
                } else if !first {
                    return Some(GameStart {
                        at,
                        kind: StartKind::GoesOn,
                    });
                }
            }
            at += 1;
        }
        None
    }

    /// Whether a node can go on like this after its `;`.
    fn node_starts(&self, at: usize) -> bool {
        let at = self.skip_blank(at);
        match self.byte(at) {
            None | Some(b';' | b'(' | b')') => true,
            Some(_) => self.property_at(at).is_some(),
        }
    }

    /// Whether a move stands here, with a point or a pass.
    fn is_move(&self, at: usize) -> bool {
        match &self.bytes[at..] {
            [b'B' | b'W', b'[', b']', ..] => true,
            [b'B' | b'W', b'[', x, y, b']', ..] => x.is_ascii_lowercase() && y.is_ascii_lowercase(),
            _ => false,
        }
    }

    fn start_game(&mut self, start: GameStart) -> Result<(), Stop> {
        self.at = start.at;
        match start.kind {
            StartKind::Open => {
                self.game_starts(start.at);
                self.node = None;
                self.open.clear();
            }
            StartKind::Bare => {
                self.node = None;
                self.open.clear();
                self.open.push(None);
                self.last = Token::Open;
                self.push_node(start.at)?;
                self.repaired(start.at, Code::MissingOpen, || {
                    "The “(” before the first node is missing; the game was read from here."
                        .to_owned()
                });
                self.at += 1;
            }
            StartKind::Naked => {
                self.open.push(None);
                self.push_node(start.at)?;
                self.repaired(start.at, Code::MissingOpen, || {
                    "The “(;” before the first property is missing; the game was read from here."
                        .to_owned()
                });
            }
            StartKind::GoesOn => {
                self.node = self.main_end;
                self.open.clear();
                self.open.push(None);
                self.repaired(start.at, Code::ExtraClose, || {
                    "A “)” closes the game too early; it was skipped, and the line goes on."
                        .to_owned()
                });
            }
        }
        Ok(())
    }

    /// Reads nodes and variations until no parenthesis is open.
    fn games(&mut self) -> Result<(), Stop> {
        loop {
            self.at = self.skip_blank(self.at);
            let at = self.at;
            let byte = match self.byte(at) {
                Some(byte) if at < self.end => byte,
                _ => return self.end_of_file(),
            };
            match byte {
                b';' => {
                    if B::WANTS_STARTS && self.node.is_some() && self.pass_plain_moves() {
                        continue;
                    }
                    self.push_node(at)?;
                    self.at += 1;
                    self.plain_move();
                }
                b'(' => self.open_variation()?,
                b')' => {
                    if self.last == Token::Open {
                        self.repaired(at, Code::StrayText, || {
                            "An empty pair of parentheses was skipped.".to_owned()
                        });
                    }
                    self.at += 1;
                    self.last = Token::Close;
                    let before = self.open.pop().flatten();
                    if self.open.is_empty() {
                        return Ok(());
                    }
                    self.node = before;
                }
                // The second value of a plain move.
                b'[' if self.last == Token::Value => {
                    let shape = match self.other_game {
                        true => Shape::Text,
                        false => Shape::Points,
                    };
                    self.value(shape)?;
                }
                _ => match self.property_at(at) {
                    Some(name) => self.property(name)?,
                    None => self.stray()?,
                },
            }
        }
    }

    /// Goes over nodes that are plain moves, for whoever only wants to know where games start;
    /// false if there is none.
    fn pass_plain_moves(&mut self) -> bool {
        let from = self.at;
        while let Some(&[b';', b'B' | b'W', b'[', x, y, b']', next]) =
            self.bytes.get(self.at..self.at + 7)
            && x.is_ascii_lowercase()
            && y.is_ascii_lowercase()
        {
            self.at += if next == b'\n' { 7 } else { 6 };
            self.last = Token::Value;
        }
        self.at > from
    }

    /// Reads `B[dd]` or `W[dd]` directly after a `;`: nearly all of most files.
    #[inline]
    fn plain_move(&mut self) {
        const BLACK: Key = Key::new(b"B");
        const WHITE: Key = Key::new(b"W");
        let at = self.at;
        if let Some(&[color @ (b'B' | b'W'), b'[', x, y, b']']) = self.bytes.get(at..at + 5)
            && x.is_ascii_lowercase()
            && y.is_ascii_lowercase()
        {
            let key = if color == b'B' { BLACK } else { WHITE };
            if !self.skipping {
                self.build.push_property(key, span(at, at + 1));
                self.build.push_value(span(at + 2, at + 4));
            }
            self.last = Token::Value;
            self.at = at + 5;
        }
    }

    fn open_variation(&mut self) -> Result<(), Stop> {
        let at = self.at;
        if self.node.is_some() && self.opens_new_game(at) {
            self.repaired(at, Code::MissingClose, || NOT_CLOSED.to_owned());
            self.game_starts(at);
            self.open.clear();
            self.node = None;
        } else if B::WANTS_STARTS && self.node.is_some() && starts_with_header(self.bytes, at) {
            self.build.game_may_start(at);
        }
        if self.open.len() >= self.limits.depth {
            let depth = self.limits.depth;
            self.repaired(at, Code::TooDeep, || {
                format!("More than {depth} parentheses are open here; the rest was not read.")
            });
            return Err(Stop);
        }
        self.open.push(self.node);
        self.last = Token::Open;
        self.at += 1;
        Ok(())
    }

    /// Whether this parenthesis starts a game of its own, not a variation.
    fn opens_new_game(&self, at: usize) -> bool {
        let node = self.skip_blank(at + 1);
        self.byte(node) == Some(b';')
            && self
                .known_property(self.skip_blank(node + 1))
                .is_some_and(opens_games)
    }

    fn push_node(&mut self, at: usize) -> Result<(), Stop> {
        let parent = self.node;
        if parent.is_none() {
            if self.game() as usize >= self.limits.games {
                let games = self.limits.games;
                self.repaired(at, Code::TooManyGames, || {
                    format!("The file has more than {games} games; the rest was not read.")
                });
                return Err(Stop);
            }
            (self.nodes, self.skipping) = (0, false);
            (self.other_game, self.game_is_named) = (false, false);
        }
        self.nodes += 1;
        if self.nodes > self.limits.nodes && parent.is_some() {
            let nodes = self.limits.nodes;
            self.repaired(at, Code::TooManyNodes, || {
                format!("The game has more than {nodes} nodes; the rest of it was not read.")
            });
            self.skipping = true;
            self.last = Token::Node;
            return Ok(());
        }
        let node = match parent {
            Some(before)
                if self.last == Token::Close && self.build.first_child(before).is_some() =>
            {
                self.repaired(at, Code::NodeAfterVariation, || {
                    "A node follows a variation at the same level; the line goes on with it."
                        .to_owned()
                });
                self.build.push_first_child(before, at as u32)
            }
            _ => self.build.push_node(parent, at as u32),
        };
        // A node that is its parent's first goes on the line that its parent is on.
        let first = parent.is_none_or(|parent| self.build.first_child(parent) == Some(node));
        if first && (parent.is_none() || parent == self.main_end) {
            self.main_end = Some(node);
        }
        self.node = Some(node);
        self.last = Token::Node;
        Ok(())
    }

    /// Reads a property with the values that follow.
    fn property(&mut self, name: Name) -> Result<(), Stop> {
        if matches!(self.last, Token::Open | Token::Close) {
            let at = self.at;
            self.push_node(at)?;
            self.repaired(at, Code::MissingNode, || {
                "The “;” before this property is missing; a node was started here.".to_owned()
            });
        }
        let letters = &self.bytes[self.at..name.end];
        let key = long_names(Key::new(letters));
        if letters.iter().any(u8::is_ascii_lowercase) {
            let written = &self.text[self.at..name.end];
            self.repaired(self.at, Code::LongName, || {
                format!("The name “{written}” was read by its capitals, as FF[3] has it.")
            });
        }
        if !self.skipping {
            self.build.push_property(key, span(self.at, name.end));
        }
        self.at = name.value;
        let shape = match shape(key) {
            Shape::Points if self.other_game => Shape::Text,
            shape => shape,
        };
        self.value(shape)?;
        if opens_games(key) {
            self.note_the_game(key, name.value + 1);
        }
        // More values; white space may stand between them.
        loop {
            let next = self.skip_blank(self.at);
            if self.byte(next) != Some(b'[') {
                return Ok(());
            }
            self.at = next;
            self.value(shape)?;
        }
    }

    /// Remembers whether the game is Go, when `GM[]` has said so. Only Go's moves are points;
    /// those of other games may be any text, with brackets in it.
    fn note_the_game(&mut self, key: Key, start: usize) {
        if key == Key::GM && self.nodes == 1 && !self.game_is_named {
            let said = self
                .text
                .get(start..self.at.saturating_sub(1))
                .unwrap_or("");
            let said = said.trim_matches(|c: char| c <= ' ' || c.is_whitespace());
            let number = said.trim_start_matches('+').parse::<u32>();
            self.other_game = number.is_ok_and(|number| number != 1);
            self.game_is_named = !said.is_empty();
        }
    }

    /// Reads a value from its `[` on.
    fn value(&mut self, shape: Shape) -> Result<(), Stop> {
        self.last = Token::Value;
        let start = self.at + 1;
        let end = match shape {
            Shape::Points => self.points_end(start),
            Shape::Line | Shape::Text => self.text_end(start, shape),
        };
        match end {
            End::Closed(end) => {
                self.push_value(start, end);
                self.at = end + 1;
                Ok(())
            }
            End::Unclosed(end) => {
                self.repaired(self.at, Code::UnterminatedValue, || {
                    "The “]” of this value is missing; it was ended before the next node or property."
                        .to_owned()
                });
                self.push_value(start, end);
                self.at = end;
                Ok(())
            }
            // Another game follows, and would have ended it.
            End::File if self.extent.followed => {
                self.push_value(start, self.end.max(start));
                self.at = self.end;
                Ok(())
            }
            End::File => {
                let end = self.end;
                self.repaired(self.at, Code::Truncated, || {
                    "The file ends within this value; it is cut off.".to_owned()
                });
                self.push_value(start, end);
                self.at = end;
                Err(Stop)
            }
        }
    }

    #[inline]
    fn push_value(&mut self, start: usize, end: usize) {
        if !self.skipping {
            self.build.push_value(span(start, end));
        }
    }

    /// Where a value of points ends: at its `]`, or before anything that no point contains.
    fn points_end(&self, start: usize) -> End {
        let mut at = start;
        while let Some(byte) = self.byte(at) {
            match byte {
                b']' => return End::Closed(at),
                // Whoever escapes a bracket knows where the value ends.
                b'\\' if self.byte(at + 1) == Some(b'[') => at += 2,
                b';' | b'[' | b'(' | b')' => {
                    // The name of the next property is not part of the value.
                    let end = if byte == b'[' {
                        self.before_name(start, at)
                    } else {
                        at
                    };
                    return End::Unclosed(end);
                }
                _ => at += 1,
            }
        }
        End::File
    }

    /// The start of the name that ends here, if there is one.
    fn before_name(&self, start: usize, end: usize) -> usize {
        let letters = self.bytes[start..end].iter().rev().take(2);
        end - letters
            .take_while(|letter| letter.is_ascii_uppercase())
            .count()
    }

    /// Where a text ends.
    fn text_end(&mut self, start: usize, shape: Shape) -> End {
        let Some(first) = self.find_bracket(start) else {
            return End::File;
        };
        let end = match self.closes(first) {
            true => first,
            false => match self.true_end(first) {
                Some(end) => end,
                None => return End::Closed(first),
            },
        };
        if let Some(cut) = self.swallowed(start, end, shape) {
            return if first < end {
                End::Closed(first)
            } else {
                End::Unclosed(cut)
            };
        }
        if first < end {
            self.repaired(first, Code::UnescapedBracket, || {
                "A “]” within the text should be written “\\]”; it was taken as a part of the text."
                    .to_owned()
            });
        }
        End::Closed(end)
    }

    /// The next `]` that is not escaped.
    fn find_bracket(&self, start: usize) -> Option<usize> {
        let mut at = start;
        loop {
            let rest = self.bytes.get(at..).unwrap_or_default();
            let Some(found) = memchr2(b']', b'\\', rest) else {
                self.end_seen.set(true);
                return None;
            };
            at += found;
            if self.bytes[at] == b']' {
                return Some(at);
            }
            at += 2;
        }
    }

    /// The next `]` after this one that closes a value.
    fn true_end(&mut self, first: usize) -> Option<usize> {
        let known = &self.known_end;
        if known.from <= first && known.end.is_none_or(|end| first < end) {
            return known.end;
        }
        let mut at = first + 1;
        let end = loop {
            match self.find_bracket(at) {
                None => break None,
                Some(found) if self.closes(found) => break Some(found),
                Some(found) => at = found + 1,
            }
        };
        self.known_end = KnownEnd { from: first, end };
        end
    }

    /// Whether a `]` closes a value, by what follows it.
    fn closes(&self, bracket: usize) -> bool {
        let at = self.skip_blank(bracket + 1);
        let next = self.skip_blank(at + 1);
        match self.byte(at) {
            None | Some(b'[') => true,
            Some(b';') => self.node_starts(next) || self.valueless_name(next),
            Some(b'(') => match self.byte(next) {
                Some(b';') => self.node_starts(next + 1),
                _ => self.proper_property(next),
            },
            Some(b')') => match self.byte(next) {
                None | Some(b'(' | b')' | b';' | b'<') => true,
                // Behind the last parenthesis of a game stands whatever mails and pages end with.
                Some(_) => self.proper_property(next) || self.line_ends(at, next),
            },
            Some(_) => self.proper_property(at) || self.valueless_name(at),
        }
    }

    fn line_ends(&self, from: usize, to: usize) -> bool {
        self.bytes[from..to]
            .iter()
            .any(|byte| matches!(byte, b'\n' | b'\r'))
    }

    /// Whether a property stands here whose name no writer of a comment would come up with: in
    /// capitals (and the digits that FF[3] allows), or one that SGF knows.
    fn proper_property(&self, at: usize) -> bool {
        self.property_at(at).is_some_and(|name| {
            let letters = &self.bytes[at..name.end];
            let is_capital = |letter: &u8| letter.is_ascii_uppercase() || letter.is_ascii_digit();
            letters.iter().all(is_capital) || is_known(long_names(Key::new(letters)))
        })
    }

    /// Whether there is a name that has lost its value, with the next node behind it: `LB ;B[dd]`.
    fn valueless_name(&self, at: usize) -> bool {
        let letters = self.bytes[at..]
            .iter()
            .take(3)
            .take_while(|byte| byte.is_ascii_uppercase());
        let count = letters.count();
        let after = self.skip_blank(at + count);
        matches!(count, 1 | 2) && self.byte(after) == Some(b';') && self.node_starts(after + 1)
    }

    /// Whether the text has run over moves or properties because its own `]` is missing: where it
    /// should end instead.
    fn swallowed(&self, start: usize, end: usize, shape: Shape) -> Option<usize> {
        const LONGEST_LINE: usize = 512;
        let value = &self.bytes[start..end];
        // `… ;B[dd`: what the bracket at the end really closes is a move.
        if let [.., b'B' | b'W', b'[', x, y] = value
            && x.is_ascii_alphabetic()
            && y.is_ascii_alphabetic()
        {
            let before = value[..value.len() - 4].trim_ascii_end();
            if let Some(text) = before.strip_suffix(b";") {
                let text = text.trim_ascii_end();
                let text = text.strip_suffix(b"(").unwrap_or(text);
                return Some(start + text.len());
            }
        }
        if shape == Shape::Line && value.len() <= LONGEST_LINE {
            let mut at = start;
            while let Some(found) = memchr(b'[', &self.bytes[at..end]) {
                let bracket = at + found;
                let name = self.before_name(start, bracket);
                let apart = name > start && self.bytes[name - 1].is_ascii_whitespace();
                if apart && is_known(Key::new(&self.bytes[name..bracket])) {
                    return Some(name);
                }
                at = bracket + 1;
            }
        }
        None
    }

    /// Skips what is no part of any property, up to where something is.
    fn stray(&mut self) -> Result<(), Stop> {
        let from = self.at;
        let mut at = from;
        while let Some(byte) = self.byte(at) {
            match byte {
                b';' | b'(' | b')' => break,
                // The value of nothing.
                b'[' => {
                    at = match memchr(b']', &self.bytes[at..]) {
                        Some(end) => at + end + 1,
                        None => {
                            self.end_seen.set(true);
                            self.bytes.len()
                        }
                    }
                }
                byte if byte.is_ascii_alphabetic() => {
                    if at > from && self.property_at(at).is_some() {
                        break;
                    }
                    at = self.word_end(at);
                }
                _ => at += 1,
            }
        }
        self.at = at;
        let text = &self.text[from..at];
        if text
            .chars()
            .all(|c| c <= ' ' || matches!(c, '\u{feff}' | '\u{3000}' | '\u{a0}'))
        {
            return Ok(());
        }
        let name = text.trim_ascii();
        if name.len() <= 12
            && name
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b' ')
        {
            self.repaired(from, Code::MissingValue, || {
                format!("“{name}” has no value; it was skipped.")
            });
        } else {
            self.repaired(from, Code::StrayText, || {
                format!("Text outside of any value was skipped: {}.", excerpt(text))
            });
        }
        Ok(())
    }

    fn end_of_file(&mut self) -> Result<(), Stop> {
        let (open, followed) = (self.open.len(), self.extent.followed);
        self.repaired(self.end, Code::MissingClose, || match open {
            _ if followed => NOT_CLOSED.to_owned(),
            1 => "The “)” at the end of the game is missing.".to_owned(),
            _ => format!("{open} “)” at the end of the game are missing."),
        });
        Err(Stop)
    }

    #[inline]
    fn byte(&self, at: usize) -> Option<u8> {
        let byte = self.bytes.get(at);
        if byte.is_none() {
            self.end_seen.set(true);
        }
        byte.copied()
    }

    /// The next byte that is neither white space nor a control character.
    #[inline]
    fn skip_blank(&self, mut at: usize) -> usize {
        while self.byte(at).is_some_and(|byte| byte <= b' ') {
            at += 1;
        }
        at
    }

    fn word_end(&self, at: usize) -> usize {
        let word = self.bytes[at..]
            .iter()
            .take_while(|byte| byte.is_ascii_alphanumeric());
        at + word.count()
    }

    /// The name at this place, if it is one with a value behind it.
    #[inline]
    fn property_at(&self, at: usize) -> Option<Name> {
        if !self.byte(at)?.is_ascii_alphabetic() {
            return None;
        }
        let end = self.word_end(at);
        let value = self.skip_blank(end);
        (self.byte(value) == Some(b'[')).then_some(Name { end, value })
    }

    /// The key at this place, if a property that SGF knows stands here.
    fn known_property(&self, at: usize) -> Option<Key> {
        let name = self.property_at(at)?;
        let key = long_names(Key::new(&self.bytes[at..name.end]));
        is_known(key).then_some(key)
    }
}

const NOT_CLOSED: &str = "The game before this one is not closed; another starts here.";

/// Whether a `(` with a node and a property of the header stands here, as at the start of a game.
fn starts_with_header(text: &[u8], at: usize) -> bool {
    let not_blank = |text: &'_ [u8]| text.iter().position(|&byte| byte > b' ');
    let inside = &text[at + 1..];
    let Some(node) = not_blank(inside).filter(|&node| inside[node] == b';') else {
        return false;
    };
    let inside = &inside[node + 1..];
    let Some(name) = not_blank(inside) else {
        return false;
    };
    let letters = inside[name..]
        .iter()
        .take_while(|byte| byte.is_ascii_uppercase());
    let end = name + letters.count();
    let header = HEADER.iter().any(|&key| key == &inside[name..end]);
    header && not_blank(&inside[end..]).is_some_and(|value| inside[end + value] == b'[')
}

/// Properties that stand at the start of games, and of no variation.
const HEADER: [&[u8]; 20] = [
    b"GM", b"FF", b"SZ", b"CA", b"AP", b"ST", b"PB", b"PW", b"BR", b"WR", b"EV", b"RO", b"DT",
    b"PC", b"KM", b"HA", b"RE", b"RU", b"GN", b"ID",
];

/// Finds the next place that looks like the start of a game, without knowing what is before it: a
/// `(` with a header, at the start of a line or behind a `)`.
pub(crate) fn find_start(text: &str, from: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    memchr::memchr_iter(b'(', &bytes[from..])
        .map(|at| from + at)
        .find(|&at| {
            let before = bytes[..at].trim_ascii_end();
            let behind_close = before.last().is_none_or(|&byte| byte == b')');
            let line_break = |byte: &u8| matches!(byte, b'\n' | b'\r');
            let starts_line = bytes[before.len()..at].iter().any(line_break);
            (behind_close || starts_line) && starts_with_header(bytes, at)
        })
}

/// Where a game starts, and how.
struct GameStart {
    at: usize,
    kind: StartKind,
}

enum StartKind {
    /// With a `(`.
    Open,
    /// With a node whose `(` is missing.
    Bare,
    /// With a property: both the `(` and the `;` are missing.
    Naked,
    /// Not at all: these are nodes of the game before, which a `)` has closed too early.
    GoesOn,
}

/// Where a property's name ends and its first value starts.
#[derive(Clone, Copy)]
struct Name {
    end: usize,
    value: usize,
}

/// How a value ends.
enum End {
    /// With the `]` here.
    Closed(usize),
    /// Before this place, without a `]`.
    Unclosed(usize),
    /// With the file.
    File,
}

#[inline]
fn span(start: usize, end: usize) -> Span {
    Span {
        start: start as u32,
        end: end as u32,
    }
}

/// `Black` and `White` in capitals have too many of them.
fn long_names(key: Key) -> Key {
    const NAMES: [(Key, Key); 4] = [
        (Key::new(b"BLACK"), Key::new(b"B")),
        (Key::new(b"WHITE"), Key::new(b"W")),
        (Key::new(b"ADDBLACK"), Key::new(b"AB")),
        (Key::new(b"ADDWHITE"), Key::new(b"AW")),
    ];
    NAMES
        .iter()
        .find(|(long, _)| *long == key)
        .map_or(key, |&(_, short)| short)
}

/// Properties that stand in the first node of a game alone.
fn opens_games(key: Key) -> bool {
    [Key::new(b"GM"), Key::new(b"FF")].contains(&key)
}

fn shape(key: Key) -> Shape {
    match known(key) {
        Some((_, shape)) => shape,
        None => Shape::Text,
    }
}

fn is_known(key: Key) -> bool {
    known(key).is_some()
}

fn known(key: Key) -> Option<(Key, Shape)> {
    use Shape::{Line, Points, Text};
    macro_rules! table {
        ($($name:literal $shape:ident,)*) => { [$((Key::new($name), $shape),)*] };
    }
    const KNOWN: &[(Key, Shape)] = &table![
        b"B" Points, b"W" Points, b"C" Text, b"AB" Points, b"AW" Points, b"AE" Points,
        b"TB" Points, b"TW" Points, b"LB" Text, b"TR" Points, b"SQ" Points, b"CR" Points,
        b"MA" Points, b"M" Points, b"SL" Points, b"DD" Points, b"VW" Points, b"L" Points,
        b"BL" Line, b"WL" Line, b"OB" Line, b"OW" Line, b"N" Text, b"PL" Line, b"MN" Line,
        b"GM" Line, b"FF" Line, b"SZ" Line, b"CA" Line, b"AP" Line, b"ST" Line, b"KM" Line,
        b"HA" Line, b"PB" Line, b"PW" Line, b"BR" Line, b"WR" Line, b"BT" Line, b"WT" Line,
        b"DT" Line, b"EV" Line, b"RO" Line, b"RE" Line, b"RU" Line, b"PC" Line, b"SO" Line,
        b"US" Line, b"AN" Line, b"CP" Line, b"GN" Line, b"GC" Text, b"ON" Line, b"OT" Line,
        b"TM" Line, b"ID" Line, b"AR" Text, b"LN" Text, b"FG" Text, b"PM" Line, b"V" Line,
        b"BM" Line, b"TE" Line, b"DO" Line, b"IT" Line, b"DM" Line, b"GB" Line, b"GW" Line,
        b"UC" Line, b"HO" Line, b"KO" Line, b"BS" Line, b"WS" Line,
    ];
    KNOWN.iter().copied().find(|(name, _)| *name == key)
}

/// The beginning of a text for a sentence, on one line.
pub(crate) fn excerpt(text: &str) -> String {
    const LENGTH: usize = 40;
    let mut words = String::new();
    for word in text
        .split(|c: char| c.is_whitespace() || c.is_control())
        .filter(|word| !word.is_empty())
    {
        if !words.is_empty() {
            words.push(' ');
        }
        words.push_str(word);
        if words.chars().count() > LENGTH {
            let short: String = words.chars().take(LENGTH).collect();
            return format!("“{short}…”");
        }
    }
    format!("“{words}”")
}
