//! Conformance with `FF[4]`, for `kifu check --strict`.
//!
//! The parser takes whatever it can make sense of; this module asks whether the record is what
//! the standard says. `sgf-parse` answers: every property becomes one of its typed values, and
//! every node goes through its validation. But it stops at the first fault of a node and can't
//! say where a fault stands. So when it objects, the node is gone through again, and each fault
//! becomes a finding with a place; what it objects to and we can't place is reported at the node.
//! It is not asked again what it has answered: a move of two letters is valid, and so is a node
//! with valid values and the same names as one before.
//!
//! Some rules of the standard `sgf-parse` does not know: points that stand in a list twice, points
//! off the board, the forms of dates and results, game information further down a path than the
//! next node. Those are checked here. Where it takes less than the standard (an empty list, an
//! escaped colon, `PM[0]`), values are handed to it in a form that it takes.
//!
//! What each property takes is in [`properties`], the forms of texts and numbers in [`forms`].
//! Moves and points of other games than Go have notations of their own and are not looked into.

mod forms;
mod properties;

use std::collections::{HashMap, HashSet};

use sgf_parse::{InvalidNodeError, PropertyType, SgfProp, go, unknown_game};

use super::findings::ParseFindings;
use super::game::{Game, GameKind};
use super::scan::excerpt;
use super::tree::{Key, NodeId, Property, Tree, Value};
use crate::board::{Point, PointSet, Size};
use crate::finding::Code;
use properties::{Definition, Takes, definition};

/// Finds everything in a game, main line and variations, that is not as `FF[4]` has it.
pub(super) fn check(tree: &Tree, text: &str, game: &Game, findings: &mut ParseFindings) {
    if game.kind == GameKind::Go {
        Checker::<go::Prop>::new(tree, text, game, findings).game();
    } else {
        Checker::<unknown_game::Prop>::new(tree, text, game, findings).game();
    }
}

/// A property of `sgf-parse`, of Go or of another game.
trait Typed: SgfProp {
    /// Whether a value is not of its type.
    fn is_invalid(&self) -> bool;
}

impl Typed for go::Prop {
    fn is_invalid(&self) -> bool {
        matches!(self, go::Prop::Invalid(..))
    }
}

impl Typed for unknown_game::Prop {
    fn is_invalid(&self) -> bool {
        matches!(self, unknown_game::Prop::Invalid(..))
    }
}

struct Checker<'a, 'r, P> {
    tree: &'a Tree,
    text: &'a str,
    game: &'a Game,
    go: bool,
    findings: &'r mut ParseFindings,
    /// Names that `FF[4]` does not know.
    unknown: UnknownNames<'a>,
    /// The names of the properties of nodes to which there is no objection.
    shapes: Vec<Vec<Key>>,

    // Of the node that is being checked:
    /// Its properties, as `sgf-parse` has them.
    typed: Vec<P>,
    /// The names of its properties.
    shape: Vec<Key>,
    /// The number of its move, if it has one.
    move_number: Option<u32>,
    /// The codes that were reported for it.
    reported: Vec<Code>,
    /// The points that have been named, for each group of properties that may name one only once.
    named: [PointSet; Group::COUNT],
    /// Which of those sets are not empty.
    groups: u8,
}

/// What the way to a node, the node itself included, has brought.
#[derive(Clone, Copy, Default)]
struct Path {
    moves: u32,
    /// The node with the game information.
    info: Option<NodeId>,
}

/// Properties that must not name one point twice within a node.
#[derive(Clone, Copy)]
enum Group {
    Setup,
    Marks,
    Labels,
    Territory,
    Dimmed,
    View,
}

impl Group {
    const COUNT: usize = 6;

    fn for_key(key: Key) -> Option<Group> {
        const LB: Key = Key::new(b"LB");
        const DD: Key = Key::new(b"DD");
        const VW: Key = Key::new(b"VW");
        match key {
            Key::AB | Key::AW | Key::AE => Some(Group::Setup),
            Key::TB | Key::TW => Some(Group::Territory),
            LB => Some(Group::Labels),
            DD => Some(Group::Dimmed),
            VW => Some(Group::View),
            key => MARKS.contains(&key).then_some(Group::Marks),
        }
    }

    /// The code of a point that is named twice, and what happens to such a point.
    fn twice(self) -> (Code, &'static str) {
        match self {
            Group::Setup => (Code::Ff4SetupTwice, "set up twice"),
            Group::Marks => (Code::Ff4MarkupTwice, "marked twice"),
            Group::Labels => (Code::Ff4MarkupTwice, "labelled twice"),
            Group::Territory => (Code::Ff4MarkupTwice, "listed as territory twice"),
            Group::Dimmed => (Code::Ff4MarkupTwice, "dimmed twice"),
            Group::View => (Code::Ff4MarkupTwice, "listed twice"),
        }
    }
}

/// So many different nodes are remembered per game.
const MOST_SHAPES: usize = 16;

/// The key of every name that is too long to have one of its own.
const LONG_NAME: Key = Key::new(b"ABCDEFGHI");

const MARKS: [Key; 5] = [
    Key::new(b"CR"),
    Key::new(b"MA"),
    Key::new(b"SL"),
    Key::new(b"SQ"),
    Key::new(b"TR"),
];

/// What is said of a move: it takes one in the same node.
const OF_A_MOVE: [Key; 5] = [
    Key::new(b"BM"),
    Key::new(b"DO"),
    Key::new(b"IT"),
    Key::new(b"TE"),
    Key::new(b"KO"),
];

/// Of each of these a node may have one.
const ALTERNATIVES: [[Key; 4]; 2] = [
    [
        Key::new(b"DM"),
        Key::new(b"UC"),
        Key::new(b"GB"),
        Key::new(b"GW"),
    ],
    [
        Key::new(b"BM"),
        Key::new(b"DO"),
        Key::new(b"IT"),
        Key::new(b"TE"),
    ],
];

impl<'a, 'r, P: Typed> Checker<'a, 'r, P> {
    fn new(tree: &'a Tree, text: &'a str, game: &'a Game, findings: &'r mut ParseFindings) -> Self {
        Checker {
            tree,
            text,
            game,
            go: game.kind == GameKind::Go,
            findings,
            unknown: UnknownNames::default(),
            shapes: Vec::new(),
            typed: Vec::new(),
            shape: Vec::new(),
            move_number: None,
            reported: Vec::new(),
            named: [PointSet::EMPTY; Group::COUNT],
            groups: 0,
        }
    }

    fn game(mut self) {
        let (tree, root) = (self.tree, self.game.root);
        self.format(root);
        let nodes = tree.game_nodes(root);
        let mut paths: Vec<Path> = Vec::with_capacity(nodes.len());
        for node in nodes {
            let before = match tree.parent(node) {
                Some(parent) => paths[parent.index() - root.index()],
                None => Path::default(),
            };
            paths.push(self.node(node, before));
        }
        self.unknown.report(self.game.number, self.findings);
    }

    fn properties(&self, node: NodeId) -> impl Iterator<Item = Property<'a>> + use<'a, P> {
        self.tree.properties(node, self.text)
    }

    fn definition(&self, property: Property) -> Option<&'static Definition> {
        definition(property.key(), self.go)
    }

    /// Reports a fault of the node that is being checked.
    fn report(&mut self, offset: u32, code: Code, message: impl FnOnce() -> String) {
        self.reported.push(code);
        let game = self.game.number;
        match self.move_number {
            Some(number) => self.findings.at_move((game, number), offset, code, message),
            None => self.findings.at(game, offset, code, message),
        }
    }

    /// Which version of SGF the record says it is.
    fn format(&mut self, root: NodeId) {
        let format = self.tree.property(root, Key::FF, self.text);
        let Some(property) = format else {
            let offset = self.tree.offset(root);
            self.report(offset, Code::Ff4Version, || {
                "The record does not say FF[4]; without FF it is FF[1].".to_owned()
            });
            return;
        };
        // What is no number of a format is reported as such.
        if let number @ ("1" | "2" | "3") = property.value().raw() {
            self.report(property.offset(), Code::Ff4Version, || {
                format!("The record says that it is FF[{number}]; it was checked as FF[4].")
            });
        }
    }

    /// Checks a node, and gives what the way to its children has brought.
    fn node(&mut self, node: NodeId, before: Path) -> Path {
        if let Some(path) = self.plain_move(node, before) {
            return path;
        }
        self.typed.clear();
        self.shape.clear();
        self.reported.clear();
        while self.groups != 0 {
            self.named[self.groups.trailing_zeros() as usize] = PointSet::EMPTY;
            self.groups &= self.groups - 1;
        }
        let mut path = before;
        for property in self.properties(node) {
            self.shape.push(property.key());
            if matches!(property.key(), Key::B | Key::W) {
                path.moves += property.values().len() as u32;
            }
        }
        self.move_number = (path.moves > before.moves).then_some(before.moves + 1);
        let is_root = node == self.game.root;
        let known = !is_root && self.shapes.contains(&self.shape);

        let (mut valid, mut fits, mut info) = (true, true, false);
        for property in self.properties(node) {
            let Some(definition) = self.definition(property) else {
                if self.go {
                    self.unknown.add(property);
                }
                let values = property.values().map(|value| value.raw().to_owned());
                self.typed.push(P::new(property.name(), values.collect()));
                continue;
            };
            if !(known && is_plain_move(definition, property)) {
                let typed: P = typed(definition, property, self.go);
                valid &= !typed.is_invalid();
                self.typed.push(typed);
            }
            fits &= property
                .values()
                .all(|value| has_form(definition.takes, value.raw(), self.go));
            info |= definition.role == Some(PropertyType::GameInfo);
            self.texts(definition, property);
            if self.go {
                self.points(definition, property);
            }
        }
        if info {
            match before.info {
                Some(first) => self.second_info(node, first),
                None => path.info = Some(node),
            }
        }
        let verdict = match (known, valid) {
            (true, true) => Ok(()),
            (true, false) => Err(InvalidNodeError::InvalidProperty(String::new())),
            (false, _) => P::validate_properties(&self.typed, is_root),
        };
        if verdict.is_ok() && !known {
            self.remember_shape(is_root);
        }
        if verdict.is_err() || !fits {
            self.faults(node, is_root);
        }
        if let Err(fault) = verdict {
            self.unplaced(node, &fault);
        }
        path
    }

    /// Remembers the names of the properties of a node to which there is no objection. Whether
    /// `sgf-parse` objects to another node with the same depends on its values alone, and on points
    /// that are marked twice, which are found here in any case.
    fn remember_shape(&mut self, is_root: bool) {
        let full = self.shapes.len() >= MOST_SHAPES;
        if self.go && !is_root && !full && !self.shape.contains(&LONG_NAME) {
            self.shapes.push(self.shape.clone());
        }
    }

    /// The shortest way for a node with a move of two small letters and nothing else, as most
    /// nodes are. `sgf-parse` has no objection to any of these, as a test makes sure, so it is not
    /// asked about each.
    #[inline]
    fn plain_move(&mut self, node: NodeId, before: Path) -> Option<Path> {
        if !self.go || node == self.game.root {
            return None;
        }
        let plain = self.tree.plain_move(node, self.text)?;
        let path = Path {
            moves: before.moves + 1,
            ..before
        };
        if !is_playable(Point::from_sgf(&plain.letters)?, self.game.size) {
            self.move_number = Some(path.moves);
            let value = self.properties(node).next()?.value();
            self.off_board(value);
        }
        Some(path)
    }

    /// Checks the texts that have a prescribed form.
    fn texts(&mut self, definition: &Definition, property: Property) {
        let value = property.value();
        let (code, right) = match definition.takes {
            Takes::Date => (Code::Ff4Date, forms::is_date(&value.simple_text())),
            // Other games have results of their own.
            Takes::Result if self.go => (Code::Ff4Result, forms::is_result(&value.simple_text())),
            _ => return,
        };
        if !right {
            self.report(value.offset(), code, || takes(definition, value.raw()));
        }
    }

    /// Checks that points are on the board, and that no two properties name one twice.
    fn points(&mut self, definition: &Definition, property: Property) {
        match definition.takes {
            Takes::Move => {
                for value in property.values() {
                    let point = Point::from_sgf(value.raw().as_bytes());
                    if point.is_some_and(|point| !is_playable(point, self.game.size)) {
                        self.off_board(value);
                    }
                }
            }
            Takes::Points | Takes::PointsOrNothing | Takes::Labels => {
                let Some(group) = Group::for_key(definition.key) else {
                    return;
                };
                for value in property.values() {
                    self.named_points(definition, group, value);
                }
            }
            Takes::Pairs => {
                let mut seen = HashSet::new();
                for value in property.values() {
                    let Some((from, to)) = corners(value.raw()) else {
                        continue;
                    };
                    if !seen.insert((from, to)) {
                        let (name, written) = (definition.name, value.raw());
                        self.report(value.offset(), Code::Ff4MarkupTwice, || {
                            format!("{name} has “{written}” twice.")
                        });
                    }
                    if [from, to].iter().any(|&end| !self.game.size.contains(end)) {
                        self.off_board(value);
                    }
                }
            }
            _ => {}
        }
    }

    /// Adds the points of a value to those of its group.
    fn named_points(&mut self, definition: &Definition, group: Group, value: Value) {
        let raw = value.raw();
        let area = if definition.takes == Takes::Labels {
            let point = raw.split_once(':').map(|(point, _)| point.as_bytes());
            point.and_then(Point::from_sgf).map(|point| (point, point))
        } else {
            area(raw)
        };
        // What is no point is reported with the values that are not of their type.
        let Some((from, to)) = area else { return };
        if !self.game.size.contains(to) {
            self.off_board(value);
        }
        self.groups |= 1 << group as u8;
        let named = &mut self.named[group as usize];
        let mut twice = 0;
        let mut first = from;
        for y in from.y()..=to.y() {
            for x in from.x()..=to.x() {
                let point = Point::new(x, y);
                if !named.insert(point) {
                    first = if twice == 0 { point } else { first };
                    twice += 1;
                }
            }
        }
        if twice > 0 {
            let (code, what) = group.twice();
            self.report(value.offset(), code, || {
                let point = first.to_sgf();
                match twice {
                    1 => format!("The point “{point}” is {what} in one node."),
                    _ => format!(
                        "{twice} points, the first of them “{point}”, are {what} in one node."
                    ),
                }
            });
        }
    }

    fn off_board(&mut self, value: Value) {
        let size = self.game.size;
        self.report(value.offset(), Code::Ff4OffBoard, || {
            format!("{} is not on the {size} board.", excerpt(value.raw()))
        });
    }

    /// Reports game information in a node, where it stands in an earlier one already.
    #[cold]
    fn second_info(&mut self, node: NodeId, first: NodeId) {
        let is_info = |property: &Property| {
            let definition = definition(property.key(), self.go);
            definition.is_some_and(|found| found.role == Some(PropertyType::GameInfo))
        };
        let info: Vec<Property> = self.properties(node).filter(is_info).collect();
        let place = if first == self.game.root {
            "the root node"
        } else {
            "an earlier node"
        };
        self.report(info[0].offset(), Code::Ff4GameInfoTwice, || {
            let names = names(&info);
            let has = if info.len() == 1 { "stands" } else { "stand" };
            format!("{names} {has} apart from the game information, which is in {place}.")
        });
    }

    /// Finds every fault of a node with which something is wrong.
    #[cold]
    fn faults(&mut self, node: NodeId, is_root: bool) {
        let properties: Vec<Property> = self.properties(node).collect();
        let with_role = |role: PropertyType| -> Vec<Property> {
            let all = properties.iter().copied();
            let has_role = |property: &Property| {
                let definition = definition(property.key(), self.go);
                definition.is_some_and(|found| found.role == Some(role))
            };
            all.filter(has_role).collect()
        };
        let (moves, setup) = (
            with_role(PropertyType::Move),
            with_role(PropertyType::Setup),
        );
        let root = with_role(PropertyType::Root);

        let mut counts: HashMap<String, (u32, u32)> = HashMap::new();
        for property in &properties {
            if let Some(definition) = self.definition(*property) {
                self.values(definition, *property);
            }
            let (count, second) = counts.entry(property.name()).or_default();
            *count += 1;
            if *count == 2 {
                *second = property.offset();
            }
        }
        let repeated = counts.into_iter().filter(|(_, (count, _))| *count > 1);
        let mut repeated: Vec<(String, (u32, u32))> = repeated.collect();
        repeated.sort_unstable_by_key(|&(_, (_, second))| second);
        for (name, (count, second)) in repeated {
            self.report(second, Code::Ff4PropertyTwice, || match count {
                2 => format!("{name} stands twice in one node."),
                _ => format!("{name} stands {count} times in one node."),
            });
        }

        // Points of Go are compared one by one, wherever they stand in a list or a rectangle.
        let (go, mut marked) = (self.go, HashSet::new());
        let marks = properties
            .iter()
            .filter(|property| !go && MARKS.contains(&property.key()));
        for value in marks.flat_map(|property| property.values()) {
            if !marked.insert(value.raw()) {
                self.report(value.offset(), Code::Ff4MarkupTwice, || {
                    format!("{} is marked twice in one node.", excerpt(value.raw()))
                });
            }
        }

        let black = properties.iter().find(|property| property.key() == Key::B);
        let white = properties.iter().find(|property| property.key() == Key::W);
        if let (Some(black), Some(white)) = (black, white) {
            let offset = black.offset().max(white.offset());
            self.report(offset, Code::Ff4SeveralMoves, || {
                "A node holds a move of Black and one of White.".to_owned()
            });
        }
        if let ([first_move, ..], [first_setup, ..]) = (&moves[..], &setup[..]) {
            let offset = first_move.offset().max(first_setup.offset());
            self.report(offset, Code::Ff4SetupAndMove, || {
                let (setup, moves) = (names(&setup), names(&moves));
                format!("Set-up ({setup}) and move ({moves}) stand in one node.")
            });
        }
        for property in &properties {
            if black.or(white).is_none() && OF_A_MOVE.contains(&property.key()) {
                let name = property.name();
                self.report(property.offset(), Code::Ff4WithoutMove, || {
                    format!("{name} belongs to a move, and this node has none.")
                });
            }
        }
        for group in ALTERNATIVES {
            let mut annotations = properties
                .iter()
                .filter(|property| group.contains(&property.key()));
            let Some(first) = annotations.next() else {
                continue;
            };
            for other in annotations.filter(|other| other.key() != first.key()) {
                self.report(other.offset(), Code::Ff4MixedAnnotations, || {
                    format!("{} and {} exclude each other.", first.name(), other.name())
                });
            }
        }
        if let ([first, ..], false) = (&root[..], is_root) {
            self.report(first.offset(), Code::Ff4RootProperty, || {
                let belong = if root.len() == 1 { "belongs" } else { "belong" };
                format!("{} {belong} in the root node.", names(&root))
            });
        }
    }

    /// Finds the values of a property that are not of its type.
    fn values(&mut self, definition: &Definition, property: Property) {
        let count = property.values().len();
        if count > 1 && !definition.takes.is_list() {
            let second = property.values().nth(1).map_or(0, Value::offset);
            self.report(second, Code::Ff4Value, || {
                format!("{} takes one value, not {count}.", definition.name)
            });
        }
        for value in property.values() {
            let (raw, name) = (value.raw(), definition.name);
            // Nothing is a list only where nothing else is listed.
            let listed = definition.takes == Takes::PointsOrNothing && count > 1;
            if self.accepts(definition, raw) && !(listed && raw.is_empty()) {
                continue;
            }
            let solid: String = raw.chars().filter(|c| !c.is_whitespace()).collect();
            let spaced = solid.len() < raw.len() && self.accepts(definition, &solid);
            self.report(value.offset(), Code::Ff4Value, || match spaced {
                true => format!("{name} has white space in its value, {}.", excerpt(raw)),
                false => takes(definition, raw),
            });
        }
    }

    /// Whether a value, by itself, is of the property's type.
    fn accepts(&self, definition: &Definition, value: &str) -> bool {
        let arguments = arguments(definition.takes, [value].into_iter(), self.go);
        let alone = P::new(definition.name.to_owned(), arguments);
        !alone.is_invalid() && has_form(definition.takes, value, self.go)
    }

    /// Reports what `sgf-parse` objects to, unless it has been found and placed.
    fn unplaced(&mut self, node: NodeId, fault: &InvalidNodeError) {
        use InvalidNodeError as Fault;
        let (code, message) = match fault {
            Fault::InvalidProperty(_) => (Code::Ff4Value, "A value is not of its type."),
            Fault::RepeatedIdentifier(_) => (
                Code::Ff4PropertyTwice,
                "A property stands twice in one node.",
            ),
            Fault::MultipleMoves(_) => (Code::Ff4SeveralMoves, "A node holds several moves."),
            Fault::SetupAndMove(_) => (Code::Ff4SetupAndMove, "Set-up and move stand in one node."),
            Fault::RepeatedMarkup(_) => {
                (Code::Ff4MarkupTwice, "A point is marked twice in one node.")
            }
            Fault::KoWithoutMove(_) | Fault::UnexpectedMoveAnnotation(_) => (
                Code::Ff4WithoutMove,
                "A property belongs to a move, and this node has none.",
            ),
            Fault::MultipleMoveAnnotations(_) | Fault::MultipleExclusiveAnnotations(_) => {
                (Code::Ff4MixedAnnotations, "Annotations exclude each other.")
            }
            Fault::UnexpectedRootProperties(_) => (
                Code::Ff4RootProperty,
                "A property belongs in the root node.",
            ),
            Fault::UnexpectedGameInfo(_) => (
                Code::Ff4GameInfoTwice,
                "Game information stands in two nodes of one line.",
            ),
        };
        if !self.reported.contains(&code) {
            let offset = self.tree.offset(node);
            self.report(offset, code, || message.to_owned());
        }
    }
}

/// Whether this is a move of two small letters: see [`Checker::plain_move`].
fn is_plain_move(definition: &Definition, property: Property) -> bool {
    definition.takes == Takes::Move
        && property.values().len() == 1
        && matches!(
            property.value().raw().as_bytes(),
            [b'a'..=b'z', b'a'..=b'z']
        )
}

/// The property as `sgf-parse` has it.
fn typed<P: SgfProp>(definition: &Definition, property: Property, go: bool) -> P {
    let values = property.values().map(Value::raw);
    let arguments = arguments(definition.takes, values, go);
    P::new(definition.name.to_owned(), arguments)
}

/// The values of a property in a form that `sgf-parse` takes wherever the standard does.
fn arguments<'v>(
    takes: Takes,
    values: impl ExactSizeIterator<Item = &'v str>,
    go: bool,
) -> Vec<String> {
    let alone = values.len() == 1;
    let mut pairs = HashSet::new();
    let mut arguments = Vec::with_capacity(values.len());
    for raw in values {
        match takes {
            // `TB[]` is a list without points.
            Takes::PointsOrNothing if alone && raw.is_empty() => {}
            // A rectangle stands for up to 2704 points, and would be unfolded into a set of them.
            // Its corners are of their type if it is.
            Takes::Points | Takes::PointsOrNothing if go => match raw.split_once(':') {
                Some((from, to)) if !to.contains(':') => {
                    arguments.extend([from.to_owned(), to.to_owned()])
                }
                _ => arguments.push(raw.to_owned()),
            },
            // An arrow that is drawn twice is reported as such.
            Takes::Pairs if !pairs.insert(raw) => {}
            Takes::Labels | Takes::Application | Takes::Figure => {
                arguments.push(without_escaped_colons(raw));
            }
            // A text is any text.
            Takes::Text if alone => arguments.push(String::new()),
            // Not to print numbers is a mode too.
            Takes::PrintMode if raw == "0" => arguments.push("1".to_owned()),
            _ => arguments.push(raw.to_owned()),
        }
    }
    arguments
}

/// A composed value whose text has no other colon than the one that divides it: `sgf-parse` would
/// take an escaped one for another. What the text says does not matter here.
fn without_escaped_colons(raw: &str) -> String {
    if !raw.contains('\\') {
        return raw.to_owned();
    }
    let mut text = String::with_capacity(raw.len());
    let mut rest = raw.chars();
    while let Some(c) = rest.next() {
        match c {
            '\\' => text.extend(rest.next().filter(|&escaped| escaped != ':')),
            c => text.push(c),
        }
    }
    text
}

/// Whether a value that `sgf-parse` takes has the form that the standard wants.
fn has_form(takes: Takes, raw: &str, go: bool) -> bool {
    match takes {
        Takes::Real => forms::is_real(raw),
        Takes::Format => raw != "0",
        Takes::Size => forms::is_size(raw, go),
        // A rectangle has an upper left corner and another.
        Takes::Points | Takes::PointsOrNothing if go => match corners(raw) {
            Some((from, to)) => from != to && from.x() <= to.x() && from.y() <= to.y(),
            None => true,
        },
        _ => true,
    }
}

/// The two points of `aa:cc`.
fn corners(raw: &str) -> Option<(Point, Point)> {
    let (from, to) = raw.split_once(':')?;
    Some((
        Point::from_sgf(from.as_bytes())?,
        Point::from_sgf(to.as_bytes())?,
    ))
}

/// The corners of what a value of a list of points covers: one point, or a rectangle.
fn area(raw: &str) -> Option<(Point, Point)> {
    match Point::from_sgf(raw.as_bytes()) {
        Some(point) => Some((point, point)),
        None => corners(raw),
    }
}

/// Whether a move may be written so: a point on the board, or `tt`, which passes on boards up to
/// 19x19.
fn is_playable(point: Point, size: Size) -> bool {
    const TT: Point = Point::new(19, 19);
    size.contains(point) || point == TT && size.width() <= 19 && size.height() <= 19
}

/// The sentence about a value that the property does not take.
fn takes(definition: &Definition, raw: &str) -> String {
    let (name, words) = (definition.name, definition.takes.words());
    if raw.is_empty() {
        format!("{name} takes {words}; its value is empty.")
    } else {
        format!("{name} takes {words}, not {}.", excerpt(raw))
    }
}

/// `FF, GM and SZ`.
fn names(properties: &[Property]) -> String {
    let mut text = String::new();
    for (index, property) in properties.iter().enumerate() {
        if index > 0 {
            let last = index + 1 == properties.len();
            text.push_str(if last { " and " } else { ", " });
        }
        text.push_str(&property.name());
    }
    text
}

/// What `FF[1]` to `FF[3]` had and `FF[4]` has not.
const DROPPED: [&str; 18] = [
    "BS", "CH", "CI", "EL", "EX", "ID", "L", "LT", "M", "OM", "OP", "OV", "RG", "SC", "SE", "SI",
    "TC", "WS",
];

/// The properties of a game that `FF[4]` does not know. Programs that have their own tend to write
/// it into every node, so each name is reported once.
#[derive(Default)]
struct UnknownNames<'a> {
    first: Vec<(Property<'a>, u32)>,
    index: HashMap<String, usize>,
}

impl<'a> UnknownNames<'a> {
    fn add(&mut self, property: Property<'a>) {
        let next = self.first.len();
        match *self.index.entry(property.name()).or_insert(next) {
            index if index == next => self.first.push((property, 1)),
            index => self.first[index].1 += 1,
        }
    }

    fn report(&self, game: u32, findings: &mut ParseFindings) {
        for (property, count) in &self.first {
            let offset = property.offset();
            findings.at(game, offset, Code::Ff4UnknownProperty, || {
                let name = property.name();
                let mut message = format!("FF[4] has no property {name}");
                if DROPPED.contains(&name.as_str()) {
                    message += ", which older versions had";
                }
                if *count > 1 {
                    message += &format!("; the game has it {count} times");
                }
                message + "."
            });
        }
    }
}

#[cfg(test)]
mod tests;
