//! A tree becomes games.
//!
//! What a node does is listed in the order in which it takes effect: first the stones that are set
//! up, then whose turn it is, then moves. The header is read from wherever on the main line it
//! stands, since many programs put the result into the last node; where a property is given
//! twice, the first that says something is right.

use super::RecordedResult;
use super::findings::ParseFindings;
use super::game::{
    Branches, Contents, Game, GameKind, Header, Setup, SetupArea, Step, StepKind, Target, Visit,
};
use super::limits::Limits;
use super::lines::LineFinder;
use super::scan::excerpt;
use super::server::Server;
use super::tree::{Key, NodeId, Property, Tree};
use super::values::MOST_KOMI;
use super::values::handicap;
use super::values::komi::{self, Komi, Written};
use super::values::points::{self, NonStandard};
use super::values::size::{self, SizeError};
use crate::board::{Color, PointSet, Size};
use crate::finding::{Code, Place};

/// A file that was scanned.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a> {
    pub tree: &'a Tree,
    pub text: &'a str,
    pub ascii: bool,
    /// The place of the text in its file.
    pub start: Place,
    pub limits: &'a Limits,
}

impl<'a> Source<'a> {
    pub(crate) fn lines(self) -> LineFinder<'a> {
        LineFinder::new(self.text, self.ascii, self.start)
    }
}

/// Builds every game of the text, of which so many stand before it in the file.
pub(crate) fn games(source: Source, games_before: u32, findings: &mut ParseFindings) -> Vec<Game> {
    let mut lines = source.lines();
    let roots = source.tree.roots();
    let mut games = Vec::with_capacity(roots.len());
    for (&root, number) in roots.iter().zip(games_before + 1..) {
        games.push(
            Builder {
                source,
                number,
                findings,
            }
            .game(root, &mut lines),
        );
    }
    games
}

/// Builds every branch of a game.
pub(crate) fn branches<'g>(
    source: Source,
    game: &'g Game,
    mut lines: LineFinder,
    findings: &mut ParseFindings,
) -> Branches<'g> {
    let tree = source.tree;
    // What there is to report of the main line has been reported.
    let mut reported = ParseFindings::new(0);
    let nodes = tree.game_nodes(game.root);
    let mut branches = Branches {
        visits: Vec::with_capacity(nodes.len()),
        main_line: &game.main_line,
        steps: Vec::new(),
    };
    let mut line = Line::new(game.kind.clone(), game.size);
    let mut main_line = Some(game.root);
    // The steps of the main line are in the game, and need not be kept twice.
    let mut main_steps = game.main_line.iter().peekable();
    let mut main_count = 0;
    let mut again = Vec::new();
    // How many moves there are up to each node and with it: a variation counts on from its branch.
    let mut moves: Vec<u32> = Vec::with_capacity(nodes.len());
    for node in nodes {
        let on_main_line = main_line == Some(node);
        if on_main_line {
            main_line = tree.first_child(node);
        }
        let parent = tree.parent(node);
        line.moves = parent.map_or(0, |parent| moves[parent.index() - game.root.index()]);
        let mut builder = Builder {
            source,
            number: game.number,
            findings: match on_main_line {
                true => &mut reported,
                false => &mut *findings,
            },
        };
        let (first_step, end) = if on_main_line {
            again.clear();
            builder.steps(node, &mut line, &mut lines, &mut again);
            let first = main_count;
            while main_steps.next_if(|step| step.node == node).is_some() {
                main_count += 1;
            }
            (first, main_count)
        } else {
            let first = branches.steps.len();
            builder.steps(node, &mut line, &mut lines, &mut branches.steps);
            (first, branches.steps.len())
        };
        moves.push(line.moves);
        branches.visits.push(Visit {
            node,
            parent,
            branches: tree.branches(node),
            main_line: on_main_line,
            first_step: first_step as u32,
            step_count: (end - first_step) as u32,
        });
    }
    branches
}

/// What is known of a line while it is walked.
struct Line<'a> {
    kind: GameKind,
    size: Size,
    moves: u32,
    /// How many points were set up, see [`Builder::may_set_up`].
    setup_points: usize,
    facts: Facts<'a>,
    /// The last node with `TB[]` or `TW[]`.
    marked: Option<NodeId>,
}

impl Line<'_> {
    fn new(kind: GameKind, size: Size) -> Self {
        Line {
            kind,
            size,
            moves: 0,
            setup_points: 0,
            facts: Facts::default(),
            marked: None,
        }
    }
}

/// The properties of a header, each where it first says something.
#[derive(Clone, Copy, Default)]
struct Facts<'a> {
    /// Each with whether it says something, which may take long to find out.
    found: [Option<(Property<'a>, bool)>; Facts::KEYS.len()],
    /// A second `AP[]`: Fox puts its own behind another program's.
    second_application: Option<Property<'a>>,
    /// Whether there are `TC[]` and `TT[]`, by which Fox tells the byo-yomi.
    fox_clock: [bool; 2],
}

impl<'a> Facts<'a> {
    const KEYS: [Key; 22] = [
        Key::GM,
        Key::SZ,
        Key::AP,
        Key::RU,
        Key::KM,
        Key::HA,
        Key::RE,
        Key::PB,
        Key::PW,
        Key::BR,
        Key::WR,
        Key::BT,
        Key::WT,
        Key::DT,
        Key::EV,
        Key::RO,
        Key::PC,
        Key::GN,
        Key::SO,
        Key::TM,
        Key::OT,
        Key::FF,
    ];

    fn index(key: Key) -> Option<usize> {
        Facts::KEYS.iter().position(|&other| other == key)
    }

    /// Keeps the property if it belongs to the header; false if the header has it already.
    fn add(&mut self, property: Property<'a>) -> bool {
        let Some(index) = Facts::index(property.key()) else {
            self.fox_clock[0] |= property.key() == Key::TC;
            self.fox_clock[1] |= property.key() == Key::TT;
            return true;
        };
        match &mut self.found[index] {
            Some((_, true)) => {
                if property.key() == Key::AP {
                    self.second_application.get_or_insert(property);
                }
                false
            }
            found => {
                let says_something = !property.value().simple_text().is_empty();
                *found = Some((property, says_something));
                true
            }
        }
    }

    fn get(&self, key: Key) -> Option<Property<'a>> {
        let (property, _) = self.found[Facts::index(key)?]?;
        Some(property)
    }

    /// The server that the record comes from, where it names one.
    fn server(&self) -> Option<Server> {
        let keys = [Key::PC, Key::SO, Key::AP].map(|key| self.get(key));
        let texts = keys
            .into_iter()
            .chain([self.second_application])
            .flatten()
            .map(|property| property.value().simple_text());
        let texts: Vec<_> = texts.collect();
        Server::named_in(&texts.iter().map(AsRef::as_ref).collect::<Vec<&str>>())
            .or_else(|| Server::named_as_place(&self.text(Key::PC)))
            .or_else(|| (self.fox_clock == [true; 2]).then_some(Server::Fox))
    }

    fn text(&self, key: Key) -> String {
        self.get(key)
            .map(|property| property.value().simple_text().into_owned())
            .unwrap_or_default()
    }
}

struct Builder<'a, 'r> {
    source: Source<'a>,
    number: u32,
    findings: &'r mut ParseFindings,
}

impl<'a> Builder<'a, '_> {
    fn game(mut self, root: NodeId, lines: &mut LineFinder) -> Game {
        // The kind of game and the size decide how moves are read.
        let mut first = Facts::default();
        for property in self.properties(root) {
            first.add(property);
        }
        let kind = self.kind(&first);
        let size = self.size(root, &first, &kind);
        let mut line = Line::new(kind, size);
        let nodes = self.source.tree.game_nodes(root).len();
        let mut main_line = Vec::with_capacity(nodes.min(512));
        for node in self.source.tree.line_from(root) {
            self.steps(node, &mut line, lines, &mut main_line);
        }
        let mut header = self.header(&line.facts, size);
        if let Some(node) = line.marked {
            header.black_marks = self.marks(node, Key::TB, size);
            header.white_marks = self.marks(node, Key::TW, size);
        }
        let contents = match (line.moves, line.setup_points) {
            (0, 0) => Contents::Nothing,
            (0, _) => Contents::Position,
            _ => Contents::Moves,
        };
        Game {
            number: self.number,
            kind: line.kind,
            size,
            header,
            contents,
            root,
            main_line,
        }
    }

    fn properties(&self, node: NodeId) -> impl Iterator<Item = Property<'a>> + use<'a> {
        self.source.tree.properties(node, self.source.text)
    }

    fn repaired(&mut self, property: Property, code: Code, message: impl FnOnce() -> String) {
        self.findings
            .at(self.number, property.offset(), code, message);
    }

    /// Which game this is, by `GM[]` and `RU[]`.
    fn kind(&mut self, facts: &Facts) -> GameKind {
        const GO: usize = 1;
        const SHOGI: usize = 8;
        let rules = facts.text(Key::RU).to_lowercase();
        let name = facts.text(Key::GM);
        let number = name.trim_start_matches('+').parse::<usize>().ok();
        let may_be = |game| name.is_empty() || number == Some(game);
        if may_be(SHOGI)
            && ["hasami", "はさみ", "挟み"]
                .iter()
                .any(|word| rules.contains(word))
        {
            return GameKind::HasamiShogi;
        }
        if may_be(GO) {
            return match rules.contains("gridless") {
                true => GameKind::GridlessGo,
                false => GameKind::Go,
            };
        }
        if ["go", "weiqi", "baduk", "igo", "围棋", "圍棋", "囲碁"]
            .contains(&name.to_lowercase().as_str())
        {
            return GameKind::Go;
        }
        let name = match number {
            Some(number) => match GAMES.get(number.wrapping_sub(1)) {
                Some(name) => (*name).to_owned(),
                None => format!("GM[{number}]"),
            },
            None => name,
        };
        if let Some(property) = facts.get(Key::GM) {
            self.repaired(property, Code::OtherGame, || {
                format!("This is a record of {name}, not of Go; its moves were not checked.")
            });
        }
        GameKind::Other(name)
    }

    fn size(&mut self, root: NodeId, facts: &Facts<'a>, kind: &GameKind) -> Size {
        const DEFAULT: u8 = 19;
        let default_size = match kind {
            GameKind::HasamiShogi => Size::square(9),
            _ => Size::square(DEFAULT),
        };
        if matches!(kind, GameKind::Other(_)) {
            return default_size;
        }
        let found = facts.get(Key::SZ).or_else(|| self.late_size(root));
        let Some(property) = found else {
            if *kind == GameKind::Go {
                self.findings.whole(self.number, Code::SizeMissing, || {
                    "The record does not say how large the board is; it was taken to be 19x19."
                        .to_owned()
                });
            }
            return default_size;
        };
        let text = property.value().simple_text();
        match size::parse(&text) {
            Ok(size) => size,
            Err(SizeError::Unreadable) => {
                self.repaired(property, Code::SizeUnreadable, || {
                    let written = excerpt(&text);
                    format!("The board size {written} can't be read; it was taken to be 19x19.")
                });
                default_size
            }
            Err(SizeError::TooLarge) => {
                self.repaired(property, Code::BoardTooLarge, || {
                    let (most, written) = (Size::MAX, excerpt(&text));
                    format!("A board of {written} is larger than SGF can write ({most}x{most}); {most}x{most} was used.")
                });
                Size::square(Size::MAX)
            }
        }
    }

    /// `SZ[]` in one of the nodes between the root and the first move.
    fn late_size(&mut self, root: NodeId) -> Option<Property<'a>> {
        let tree = self.source.tree;
        for node in tree.line_from(root).skip(1) {
            for property in self.properties(node) {
                match property.key() {
                    Key::SZ => return Some(property),
                    Key::B | Key::W => return None,
                    _ => {}
                }
            }
        }
        None
    }

    /// Adds what a node does to the steps, and what it says of the game to the line's facts.
    fn steps(
        &mut self,
        node: NodeId,
        line: &mut Line<'a>,
        lines: &mut LineFinder,
        steps: &mut Vec<Step>,
    ) {
        if line.kind == GameKind::Go
            && let Some(plain) = self.source.tree.plain_move(node, self.source.text)
        {
            line.moves += 1;
            let color = if plain.key == Key::B {
                Color::Black
            } else {
                Color::White
            };
            let target = points::from_letters(plain.letters, line.size);
            let kind = StepKind::Move { color, target };
            steps.push(Step {
                node,
                place: lines.place(plain.offset),
                kind,
            });
            return;
        }
        let mut setup: Option<Vec<SetupArea>> = None;
        let mut to_play = None;
        let mut moves = false;
        let mut forced = false;
        for property in self.properties(node) {
            match property.key() {
                Key::B | Key::W => moves = true,
                Key::AB | Key::AW | Key::AE if line.kind != GameKind::HasamiShogi => {
                    let setup = setup.get_or_insert_default();
                    self.set_up(property, line.size, setup);
                }
                Key::KO => forced = true,
                Key::PL => to_play = self.player_to_move(property),
                Key::TB | Key::TW => line.marked = Some(node),
                _ => self.fact(property, line),
            }
        }
        let whole = (setup.is_some() || to_play.is_some() || forced)
            .then(|| lines.place(self.source.tree.offset(node)));
        if let (Some(setup), Some(place)) = (setup, whole) {
            let points = setup.iter().map(SetupArea::points).sum();
            if self.may_set_up(node, points, line) {
                let areas = setup.into_boxed_slice();
                steps.push(Step {
                    node,
                    place,
                    kind: StepKind::Setup(Box::new(Setup { areas })),
                });
            }
        }
        if let (Some(color), Some(place)) = (to_play, whole) {
            steps.push(Step {
                node,
                place,
                kind: StepKind::ToPlay(color),
            });
        }
        if moves {
            if let (true, Some(place)) = (forced, whole)
                && self.may_set_up(node, 0, line)
            {
                steps.push(Step {
                    node,
                    place,
                    kind: StepKind::Forced,
                });
            }
            for property in self.properties(node) {
                if let Some(color) = mover(property) {
                    self.moves(node, color, property, line, lines, steps);
                }
            }
        }
    }

    #[inline]
    fn moves(
        &mut self,
        node: NodeId,
        color: Color,
        property: Property<'a>,
        line: &mut Line,
        lines: &mut LineFinder,
        steps: &mut Vec<Step>,
    ) {
        let values = property.values();
        let several = values.len() > 1;
        let place = lines.place(property.offset());
        for value in values {
            // A value is shorter than a node, and a move takes more memory than either.
            if line.moves as usize >= self.source.limits.nodes {
                let (offset, most) = (value.offset(), self.source.limits.nodes);
                self.findings
                    .at(self.number, offset, Code::TooManyNodes, || {
                        format!(
                            "The game has more than {most} moves; the rest of them was not read."
                        )
                    });
                break;
            }
            line.moves += 1;
            let at = (self.number, line.moves);
            let target = match line.kind {
                GameKind::Go => match points::target(value.raw(), line.size) {
                    (target, None) => target,
                    (target, Some(odd)) => {
                        self.nonstandard_move(at, value.offset(), value.raw(), odd);
                        match target {
                            // As it would be read again once it was written.
                            Target::Text(_) => Target::Text(value.simple_text().into_owned()),
                            target => target,
                        }
                    }
                },
                // Other games write moves in their own way.
                _ => Target::Text(value.simple_text().into_owned()),
            };
            steps.push(Step {
                node,
                place,
                kind: StepKind::Move { color, target },
            });
        }
        if several {
            let at = (self.number, line.moves);
            self.findings
                .at_move(at, property.offset(), Code::SeveralValues, || {
                    format!(
                        "{} plays several points with one property; each was read as a move.",
                        color.name()
                    )
                });
        }
    }

    #[cold]
    fn nonstandard_move(&mut self, at: (u32, u32), offset: u32, raw: &str, odd: NonStandard) {
        let written = excerpt(raw);
        match odd {
            NonStandard::Capitals => self.findings.at_move(at, offset, Code::CapitalPoint, || {
                format!("The point {written} is written in capitals; small letters were meant.")
            }),
            NonStandard::Word => self.findings.at_move(at, offset, Code::LoosePoint, || {
                format!("The move {written} was read as a pass.")
            }),
            NonStandard::Coordinates => self.findings.at_move(at, offset, Code::LoosePoint, || {
                format!("The move {written} was read as the coordinates on the board's edge.")
            }),
            NonStandard::Unreadable => {
                self.findings.at_move(at, offset, Code::UnreadableMove, || {
                    format!("The move {written} is no point; the turn passes to the other side.")
                })
            }
        }
    }

    fn set_up(&mut self, property: Property<'a>, size: Size, areas: &mut Vec<SetupArea>) {
        let stone = match property.key() {
            Key::AB => Some(Color::Black),
            Key::AW => Some(Color::White),
            _ => None,
        };
        for value in property.values() {
            if let Some(corners) = points::rectangle(value.raw(), size) {
                areas.push(SetupArea { stone, corners });
            } else if !value.raw().trim_ascii().is_empty() {
                let written = excerpt(value.raw());
                self.findings
                    .at(self.number, value.offset(), Code::UnreadablePoint, || {
                        format!("{written} is no point of a board; it was not set up.")
                    });
            }
        }
    }

    /// Whether the game may set up so many points more, or force a move, which takes as long.
    fn may_set_up(&mut self, node: NodeId, points: usize, line: &mut Line) -> bool {
        // The whole board is looked at afterwards, whatever changes on it.
        const LEAST: usize = 19 * 19;
        let most = self.source.limits.setup_points;
        let before = line.setup_points;
        line.setup_points = before.saturating_add(line.size.area().max(LEAST) + points);
        if line.setup_points > most && before <= most {
            let offset = self.source.tree.offset(node);
            self.findings
                .at(self.number, offset, Code::TooManySetups, || {
                    format!(
                        "The game sets up stones on more than {most} points in all; the stones \
                         from here on were not set."
                    )
                });
        }
        line.setup_points <= most
    }

    fn player_to_move(&mut self, property: Property<'a>) -> Option<Color> {
        let text = property.value().simple_text();
        match text.to_lowercase().as_str() {
            "b" | "black" | "1" | "黑" | "黒" => Some(Color::Black),
            "w" | "white" | "2" | "白" => Some(Color::White),
            _ => {
                self.repaired(property, Code::UnreadablePlayer, || {
                    format!("{} names no player; PL[] was ignored.", excerpt(&text))
                });
                None
            }
        }
    }

    fn fact(&mut self, property: Property<'a>, line: &mut Line<'a>) {
        if !line.facts.add(property) {
            let name = property.name();
            self.repaired(property, Code::DuplicateProperty, || {
                format!("{name} is given twice; the first one was used.")
            });
        }
    }

    fn marks(&self, node: NodeId, key: Key, size: Size) -> Option<PointSet> {
        let mut marks = None;
        for property in self
            .properties(node)
            .filter(|property| property.key() == key)
        {
            let marks = marks.get_or_insert(PointSet::EMPTY);
            for value in property.values() {
                if let Some((one, other)) = points::rectangle(value.raw(), size) {
                    marks.insert_rectangle(one, other);
                }
            }
        }
        marks.map(|marks: PointSet| marks & PointSet::full(size))
    }

    fn header(&mut self, facts: &Facts<'a>, size: Size) -> Header {
        let server = facts.server();
        let komi = facts.get(Key::KM);
        let komi = komi.and_then(|property| self.komi(property, server));
        Header {
            black: facts.text(Key::PB),
            white: facts.text(Key::PW),
            black_rank: facts.text(Key::BR),
            white_rank: facts.text(Key::WR),
            black_team: facts.text(Key::BT),
            white_team: facts.text(Key::WT),
            date: facts.text(Key::DT),
            event: facts.text(Key::EV),
            round: facts.text(Key::RO),
            place: facts.text(Key::PC),
            name: facts.text(Key::GN),
            source: facts.text(Key::SO),
            time: facts.text(Key::TM),
            overtime: facts.text(Key::OT),
            application: facts.text(Key::AP),
            server,
            rules: facts.get(Key::RU).map(|_| facts.text(Key::RU)),
            komi,
            komi_is_unreadable: komi.is_none() && !facts.text(Key::KM).is_empty(),
            handicap: facts
                .get(Key::HA)
                .and_then(|property| self.handicap(property, size)),
            result: facts
                .get(Key::RE)
                .and_then(|property| self.result(property, server, &facts.text(Key::RU))),
            result_text: facts.text(Key::RE),
            black_marks: None,
            white_marks: None,
        }
    }

    fn komi(&mut self, property: Property, server: Option<Server>) -> Option<f64> {
        let text = property.value().simple_text();
        if text.is_empty() {
            return None;
        }
        let Some(Komi { points, written }) = komi::parse(&text, server) else {
            self.repaired(property, Code::KomiUnreadable, || {
                let written = excerpt(&text);
                format!("The komi {written} can't be read; the game counts as one without komi.")
            });
            return None;
        };
        if points.abs() > MOST_KOMI {
            self.repaired(property, Code::KomiUnreadable, || {
                format!(
                    "The komi {} can't be meant: it is more than {MOST_KOMI} points. The game \
                     counts as one without komi.",
                    excerpt(&text)
                )
            });
            return None;
        }
        let how = match written {
            Written::Plainly => return Some(points),
            Written::Loosely => "",
            Written::InZi => ", as zi of two points each",
            Written::InHundredths => ", as hundredths of a point",
            Written::InHundredthsOfZi => ", as hundredths of a zi, two points each",
        };
        self.repaired(property, Code::KomiConverted, || {
            format!(
                "The komi {} was read as {points} points{how}.",
                excerpt(&text)
            )
        });
        Some(points)
    }

    fn handicap(&mut self, property: Property, size: Size) -> Option<u32> {
        let text = property.value().simple_text();
        if text.is_empty() {
            return None;
        }
        let stones = handicap::parse(&text);
        if stones.is_none() {
            self.repaired(property, Code::HandicapUnreadable, || {
                let written = excerpt(&text);
                format!("The handicap {written} can't be read; the stones on the board decide.")
            });
        } else if stones > Some(handicap::most(size)) {
            self.repaired(property, Code::HandicapUnreadable, || {
                format!(
                    "The handicap {} can't be meant on a {size} board; the stones on it decide.",
                    excerpt(&text)
                )
            });
            return None;
        } else if text.parse::<u32>().is_err() {
            let stones = stones.unwrap_or(0);
            self.repaired(property, Code::HandicapConverted, || {
                format!(
                    "The handicap {} was read as {stones} stones.",
                    excerpt(&text)
                )
            });
        }
        stones
    }

    fn result(
        &mut self,
        property: Property,
        server: Option<Server>,
        rules: &str,
    ) -> Option<RecordedResult> {
        let text = property.value().simple_text();
        let result = match text.as_ref() {
            // How OGS writes a draw. Elsewhere it is a win that nobody counted.
            "B+0" | "W+0" if server == Some(Server::Ogs) => Some(RecordedResult::Draw),
            text if server == Some(Server::Fox) => {
                RecordedResult::read_fox(text, names_chinese_rules(rules))
            }
            text => RecordedResult::parse(text),
        };
        if let Some(RecordedResult::Unreadable(_)) = result {
            self.repaired(property, Code::ResultUnreadable, || {
                format!("The result {} can't be read.", excerpt(&text))
            });
        }
        result
    }
}

/// Whether `RU[]` names the rules by which Fox counts in zi.
fn names_chinese_rules(rules: &str) -> bool {
    let rules = rules.to_lowercase();
    ["chinese", "中国", "中國"]
        .iter()
        .any(|name| rules.contains(name))
}

/// Whose move the property is, if it is one.
#[inline]
fn mover(property: Property) -> Option<Color> {
    match property.key() {
        Key::B => Some(Color::Black),
        Key::W => Some(Color::White),
        _ => None,
    }
}

/// The games of `GM[]`, from 1 on.
const GAMES: [&str; 40] = [
    "Go",
    "Othello",
    "chess",
    "Gomoku",
    "Nine Men's Morris",
    "Backgammon",
    "Chinese chess",
    "Shogi",
    "Lines of Action",
    "Ataxx",
    "Hex",
    "Jungle",
    "Neutron",
    "Philosopher's Football",
    "Quadrature",
    "Trax",
    "Tantrix",
    "Amazons",
    "Octi",
    "Gess",
    "Twixt",
    "Zertz",
    "Plateau",
    "Yinsh",
    "Punct",
    "Gobblet",
    "Hive",
    "Exxit",
    "Hnefatafl",
    "Kuba",
    "Tripples",
    "Chase",
    "Tumbling Down",
    "Sahara",
    "Byte",
    "Focus",
    "Dvonn",
    "Tamsk",
    "Gipf",
    "Kropki",
];
