//! Conformance with `FF[4]`, for `kifu check --strict`.
//!
//! The parser takes whatever it can make sense of; this module asks whether the record is what
//! the standard says. `sgf-parse` answers: every property becomes one of its typed values, and
//! every node goes through its validation. But it stops at the first fault of a node and can't
//! say where a fault stands. So when it objects, the node is gone through again, and each fault
//! becomes a finding with a place; what it objects to and we can't place is reported at the node.
//! It is not asked again what it has answered: a move or mark of two letters is valid, and so is a
//! node with valid values and the same names as one before. Records with much markup have little
//! else, and to build its values costs several times what it takes to parse them.
//!
//! Some rules of the standard `sgf-parse` does not know: points that stand in a list twice, points
//! off the board, the forms of dates and results, game information further down a path than the
//! next node. Those are checked here. Where it takes less than the standard (an empty list, an
//! escaped colon, `PM[0]`), values are handed to it in a form that it takes.
//!
//! Much of what is not as the standard has it was found when the game was parsed and replayed, and
//! reported with what kifu makes of it. Such a fault is not reported again: see [`elsewhere`].
//!
//! What each property takes is in [`properties`], the forms of texts and numbers in [`forms`].
//! Moves and points of other games than Go have notations of their own and are not looked into.

pub(super) mod elsewhere;
mod forms;
mod properties;

use std::collections::{HashMap, HashSet};

use memchr::{memchr, memchr2};
use sgf_parse::{InvalidNodeError, PropertyType, SgfProp, go, unknown_game};

use super::findings::ParseFindings;
use super::game::{Game, GameKind};
use super::scan::excerpt;
use super::tree::{Key, NodeId, Property, Tree, Value};
use crate::board::{Point, PointSet, Size};
use crate::finding::Code;
use elsewhere::{Elsewhere, counterparts};
use properties::{Definition, Takes, definition};

/// Finds everything in a game, main line and variations, that is not as `FF[4]` has it, but for
/// what was reported elsewhere.
pub(super) fn check(
    tree: &Tree,
    text: &str,
    game: &Game,
    elsewhere: &mut Elsewhere,
    findings: &mut ParseFindings,
) {
    if game.kind == GameKind::Go {
        Checker::<go::Prop>::new(tree, text, game, elsewhere, findings).game();
    } else {
        Checker::<unknown_game::Prop>::new(tree, text, game, elsewhere, findings).game();
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
    elsewhere: &'r mut Elsewhere,
    /// Names that `FF[4]` does not know.
    unknown: UnknownNames<'a>,
    /// The names of the properties of nodes to which there is no objection.
    shapes: Vec<Vec<Key>>,

    // Of the node that is being checked:
    node: NodeId,
    /// The property that is being checked, if not the node as a whole.
    property: Option<Property<'a>>,
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
    /// The points that `AB`, `AW` and `AE` have named.
    set_up: [PointSet; 3],
}

/// What the way to a node, the node itself included, has brought.
#[derive(Clone, Copy, Default)]
struct Path {
    moves: u32,
    /// The node with the game information.
    info: Option<NodeId>,
}

/// Properties that must not name one point twice within a node.
#[derive(Clone, Copy, PartialEq, Eq)]
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

/// So many properties of a node are handed to `sgf-parse`; in one with more, all faults are looked
/// for. There are 67 that it could have.
const MOST_TYPED: usize = 1024;

/// So many names that `FF[4]` does not know are told apart per game, or per node.
const MOST_NAMES: usize = 1000;

/// So many properties of one role are named in a sentence.
const MOST_NAMED: usize = 20;

/// So many different nodes are remembered per game.
const MOST_SHAPES: usize = 32;

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
    fn new(
        tree: &'a Tree,
        text: &'a str,
        game: &'a Game,
        elsewhere: &'r mut Elsewhere,
        findings: &'r mut ParseFindings,
    ) -> Self {
        Checker {
            tree,
            text,
            game,
            go: game.kind == GameKind::Go,
            findings,
            elsewhere,
            unknown: UnknownNames::default(),
            shapes: Vec::new(),
            node: game.root,
            property: None,
            typed: Vec::new(),
            shape: Vec::new(),
            move_number: None,
            reported: Vec::new(),
            named: [PointSet::EMPTY; Group::COUNT],
            groups: 0,
            set_up: [PointSet::EMPTY; 3],
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
        if !self.elsewhere.is_empty() && self.is_reported_elsewhere(offset, code) {
            return;
        }
        let game = self.game.number;
        match self.move_number {
            Some(number) => self.findings.at_move((game, number), offset, code, message),
            None => self.findings.at(game, offset, code, message),
        }
    }

    /// Whether the fault, which is at this offset, was reported when the game was parsed or
    /// replayed: with the value, the property or the node in which it is.
    fn is_reported_elsewhere(&mut self, offset: u32, code: Code) -> bool {
        let (tree, text, node) = (self.tree, self.text, self.node);
        let codes = counterparts(code, self.property.map(|property| property.key()));
        let mut places = vec![offset];
        match self.property {
            Some(property) => places.extend([property.offset(), tree.offset(node)]),
            // Other properties may well stand twice too.
            None if code == Code::Ff4PropertyTwice => {}
            None => places.extend(tree.properties(node, text).map(|it| it.offset())),
        }
        self.elsewhere.has(&places, codes, code.severity())
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
        self.node = node;
        self.property = None;
        self.typed.clear();
        self.shape.clear();
        self.reported.clear();
        if self.groups & 1 << Group::Setup as u8 != 0 {
            self.set_up = [PointSet::EMPTY; 3];
        }
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
            let is_kept = self.typed.len() < MOST_TYPED;
            let Some(definition) = self.definition(property) else {
                if self.go && !self.unknown.add(property) {
                    self.report(property.offset(), Code::Ff4UnknownProperty, || {
                        format!("FF[4] has no property {}.", property.name())
                    });
                }
                if is_kept {
                    let values = property.values().map(|value| value.raw().to_owned());
                    self.typed.push(P::new(property.name(), values.collect()));
                }
                continue;
            };
            if !(known && is_plain(definition.takes, property)) {
                let typed: P = typed(definition, property, self.go);
                valid &= !typed.is_invalid();
                if is_kept {
                    self.typed.push(typed);
                }
                fits &= property
                    .values()
                    .all(|value| has_form(definition.takes, value.raw(), self.go));
            }
            info |= definition.role == Some(PropertyType::GameInfo);
            self.property = Some(property);
            self.texts(definition, property);
            if self.go {
                self.points(definition, property);
            }
            self.property = None;
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
        if verdict.is_ok() && !known && self.shape.len() <= MOST_TYPED {
            self.remember_shape(is_root);
        }
        if verdict.is_err() || !valid || !fits || self.shape.len() > MOST_TYPED {
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
            self.node = node;
            self.property = self.properties(node).next();
            self.off_board(self.property?.value());
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
                // A few are compared with each other, as there rarely are more.
                let (mut few, mut seen) = (Vec::new(), HashSet::new());
                let count = property.values().len();
                let mut is_new = |pair| {
                    if count > 16 {
                        return seen.insert(pair);
                    }
                    let is_new = !few.contains(&pair);
                    few.push(pair);
                    is_new
                };
                for value in property.values() {
                    let Some((from, to)) = corners(value.raw()) else {
                        continue;
                    };
                    if !is_new((from, to)) {
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
        // A rectangle from the lower right to the upper left is reported as what is not of its type.
        if from.x() > to.x() || from.y() > to.y() {
            return;
        }
        // Most values are a point or a rectangle that no other has named.
        if group != Group::Setup {
            if from == to && named.insert(from) {
                return;
            }
            if !named.meets_rectangle(from, to) {
                named.insert_rectangle(from, to);
                return;
            }
        }
        let mut points = PointSet::EMPTY;
        points.insert_rectangle(from, to);
        let mut twice = points & *named;
        *named |= points;
        if group == Group::Setup {
            twice = self.set_up_twice(definition.key, points, twice);
        }
        if let Some(first) = twice.first() {
            let (code, what) = group.twice();
            self.report(value.offset(), code, || {
                let point = first.to_sgf();
                match twice.len() {
                    1 => format!("The point “{point}” is {what} in one node."),
                    count => format!(
                        "{count} points, the first of them “{point}”, are {what} in one node."
                    ),
                }
            });
        }
    }

    /// Of the points that are set up twice with this value, those of which it has not been reported
    /// that they are set up in more than one way.
    fn set_up_twice(&mut self, key: Key, points: PointSet, twice: PointSet) -> PointSet {
        let own = match key {
            Key::AB => 0,
            Key::AW => 1,
            _ => 2,
        };
        let own = &mut self.set_up[own];
        let same = twice & *own;
        *own |= points;
        let node = [self.tree.offset(self.node)];
        let (conflict, severity) = ([Code::SetupConflict], Code::Ff4SetupTwice.severity());
        let differs = same != twice && self.elsewhere.has(&node, &conflict, severity);
        if differs { same } else { twice }
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
        let info = self.properties(node).filter(is_info).take(MOST_NAMED);
        let info: Vec<Property> = info.collect();
        let place = if first == self.game.root {
            "the root node"
        } else {
            "an earlier node"
        };
        if self.are_given_twice(&info, Code::Ff4GameInfoTwice) {
            return;
        }
        self.report(info[0].offset(), Code::Ff4GameInfoTwice, || {
            let names = names(&info);
            let has = if info.len() == 1 { "stands" } else { "stand" };
            format!("{names} {has} apart from the game information, which is in {place}.")
        });
    }

    /// Whether it was reported of each of these properties that an earlier node has it too, which is
    /// the fault with this code as well.
    fn are_given_twice(&mut self, properties: &[Property], code: Code) -> bool {
        let twice = [Code::DuplicateProperty];
        let all = !properties.is_empty()
            && properties.iter().all(|property| {
                let place = [property.offset()];
                self.elsewhere.has(&place, &twice, code.severity())
            });
        if all {
            self.reported.push(code);
        }
        all
    }

    /// Finds every fault of a node with which something is wrong.
    #[cold]
    fn faults(&mut self, node: NodeId, is_root: bool) {
        let (tree, text) = (self.tree, self.text);
        let properties = || tree.properties(node, text);
        let with_role = |role: PropertyType| -> Vec<Property> {
            let has_role = |property: &Property| {
                let definition = definition(property.key(), self.go);
                definition.is_some_and(|found| found.role == Some(role))
            };
            properties().filter(has_role).take(MOST_NAMED).collect()
        };
        let (moves, setup) = (
            with_role(PropertyType::Move),
            with_role(PropertyType::Setup),
        );
        let root = with_role(PropertyType::Root);

        // How often each name stands there, and where the second time.
        let mut counts: HashMap<Key, (u32, u32)> = HashMap::new();
        let mut long_names: HashMap<String, (u32, u32)> = HashMap::new();
        for property in properties() {
            if let Some(definition) = self.definition(property) {
                self.property = Some(property);
                self.values(definition, property);
                self.property = None;
            }
            let (count, second) = match property.key() {
                LONG_NAME if long_names.len() >= MOST_NAMES => continue,
                LONG_NAME => long_names.entry(property.name()).or_default(),
                key => counts.entry(key).or_default(),
            };
            *count += 1;
            if *count == 2 {
                *second = property.offset();
            }
        }
        let mut repeated: Vec<(u32, u32)> = counts
            .into_values()
            .chain(long_names.into_values())
            .filter(|(count, _)| *count > 1)
            .map(|(count, second)| (second, count))
            .collect();
        repeated.sort_unstable();
        let mut all = properties();
        for (second, count) in repeated {
            let name = all.find(|property| property.offset() == second);
            let name = name.map_or_else(String::new, |property| property.name());
            self.report(second, Code::Ff4PropertyTwice, || match count {
                2 => format!("{name} stands twice in one node."),
                _ => format!("{name} stands {count} times in one node."),
            });
        }

        // Points of Go are compared one by one, wherever they stand in a list or a rectangle.
        let (go, mut marked) = (self.go, HashSet::new());
        let marks = properties().filter(|property| !go && MARKS.contains(&property.key()));
        for value in marks.flat_map(|property| property.values()) {
            if !marked.insert(value.raw()) {
                self.report(value.offset(), Code::Ff4MarkupTwice, || {
                    format!("{} is marked twice in one node.", excerpt(value.raw()))
                });
            }
        }

        let black = properties().find(|property| property.key() == Key::B);
        let white = properties().find(|property| property.key() == Key::W);
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
        for property in properties() {
            if black.or(white).is_none() && OF_A_MOVE.contains(&property.key()) {
                let name = property.name();
                self.report(property.offset(), Code::Ff4WithoutMove, || {
                    format!("{name} belongs to a move, and this node has none.")
                });
            }
        }
        for group in ALTERNATIVES {
            let mut annotations = properties().filter(|property| group.contains(&property.key()));
            let Some(first) = annotations.next() else {
                continue;
            };
            for other in annotations.filter(|other| other.key() != first.key()) {
                self.report(other.offset(), Code::Ff4MixedAnnotations, || {
                    format!("{} and {} exclude each other.", first.name(), other.name())
                });
            }
        }
        let is_settled = is_root || self.are_given_twice(&root, Code::Ff4RootProperty);
        if let ([first, ..], false) = (&root[..], is_settled) {
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

/// Whether the values of a property are plain: such as `sgf-parse` has no objection to and the
/// standard neither, whatever else is in the node. A test makes sure of that.
fn is_plain(takes: Takes, property: Property) -> bool {
    let mut values = property.values().map(|value| value.raw().as_bytes());
    match takes {
        Takes::Points | Takes::PointsOrNothing => {
            values.all(|raw| is_plain_point(raw) || is_plain_rectangle(raw))
        }
        Takes::Pairs => values.all(is_plain_pair),
        Takes::Labels => values.all(is_plain_label),
        _ if values.len() != 1 => false,
        Takes::Move => values.all(is_plain_point),
        Takes::Text => true,
        Takes::Real => values.all(|raw| match memchr(b'.', raw) {
            Some(point) => is_plain_number(&raw[..point]) && is_plain_number(&raw[point + 1..]),
            None => is_plain_number(raw),
        }),
        Takes::Number => values.all(is_plain_number),
        Takes::Double => values.all(|raw| matches!(raw, b"1" | b"2")),
        _ => false,
    }
}

fn is_plain_point(raw: &[u8]) -> bool {
    matches!(raw, [b'a'..=b'z', b'a'..=b'z'])
}

/// Two plain points that differ.
fn is_plain_pair(raw: &[u8]) -> bool {
    match raw {
        [from @ .., b':', c, d] => {
            let to = [*c, *d];
            is_plain_point(from) && is_plain_point(&to) && from != to
        }
        _ => false,
    }
}

/// A plain pair from the upper left to the lower right.
fn is_plain_rectangle(raw: &[u8]) -> bool {
    is_plain_pair(raw) && raw[0] <= raw[3] && raw[1] <= raw[4]
}

/// A plain point, and a text without another colon or anything escaped.
fn is_plain_label(raw: &[u8]) -> bool {
    match raw {
        [x, y, b':', text @ ..] => {
            is_plain_point(&[*x, *y]) && memchr2(b':', b'\\', text).is_none()
        }
        _ => false,
    }
}

/// A few digits.
fn is_plain_number(raw: &[u8]) -> bool {
    (1..=9).contains(&raw.len()) && raw.iter().all(u8::is_ascii_digit)
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
    let &[a, b, b':', c, d] = raw.as_bytes() else {
        return None;
    };
    Some((Point::from_sgf(&[a, b])?, Point::from_sgf(&[c, d])?))
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
    /// Counts a property; false if there are too many names to tell it apart.
    fn add(&mut self, property: Property<'a>) -> bool {
        let next = self.first.len();
        let name = property.name();
        match self.index.get(&name) {
            Some(&index) => self.first[index].1 += 1,
            None if next >= MOST_NAMES => return false,
            None => {
                self.index.insert(name, next);
                self.first.push((property, 1));
            }
        }
        true
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
