//! The parser against records that were made up: valid ones, where it must agree with
//! `sgf-parse`, and broken ones, where it must neither panic nor lose its way. What was read is
//! written back, and must mean the same.

use kifu::board::{PointSet, Size};
use kifu::sgf::{
    Annotation, Collection, Game, Key, Limits, NodeId, Property, Step, StepKind, Target, parse,
};
use proptest::prelude::*;
use sgf_parse::go::Prop;
use sgf_parse::{InvalidNodeError, SgfNode, SgfParseError, SgfProp};

/// A node of a record that is being made up.
#[derive(Clone, Debug)]
struct Node {
    properties: Vec<String>,
    children: Vec<Node>,
}

impl Node {
    fn write(&self, text: &mut String) {
        text.push(';');
        self.properties
            .iter()
            .for_each(|property| text.push_str(property));
        let alone = self.children.len() == 1;
        for child in &self.children {
            if !alone {
                text.push('(');
            }
            child.write(text);
            if !alone {
                text.push(')');
            }
        }
    }

    fn count(&self) -> usize {
        1 + self.children.iter().map(Node::count).sum::<usize>()
    }

    /// The node with this number, in the order of the file; counts it down on the way.
    fn nth(&mut self, number: &mut usize) -> Option<&mut Node> {
        if *number == 0 {
            return Some(self);
        }
        *number -= 1;
        self.children.iter_mut().find_map(|child| child.nth(number))
    }

    /// The record of which this is the root.
    fn record(&self) -> String {
        let mut text = String::from("(");
        self.write(&mut text);
        text.push(')');
        text
    }
}

fn point() -> impl Strategy<Value = String> {
    "[a-s][a-s]"
}

/// A text with everything escaped that must be.
///
/// A line break that is escaped is missing: `sgf-parse` leaves it in the text.
fn text() -> impl Strategy<Value = String> {
    let parts = [
        "\\]", "\\\\", "[", "(", ";", ")", "\n", " ", "棋譜", "B[dd\\]", "word", "\r\n", "\t", ":",
        "\\:", "\\a", "é", "\u{3000}",
    ];
    let part = proptest::sample::select(parts.to_vec());
    proptest::collection::vec(part, 0..8).prop_map(|parts| parts.concat())
}

fn property() -> impl Strategy<Value = String> {
    prop_oneof![
        text().prop_map(|text| format!("C[{text}]")),
        text().prop_map(|text| format!("XX[{text}]")),
        "[0-9]".prop_map(|number| format!("N[{number}]")),
        "(DM|GB|GW|UC)\\[[12]\\]",
        "HO\\[[12]\\]",
        "V\\[[+-]?[0-9]{1,3}(\\.[0-9]{1,2})?\\]",
        "PM\\[[12]\\]",
        "FG\\[([0-9]{1,3}:[a-z ]{0,5})?\\]",
    ]
}

/// Places on a board that have nothing in common, each a square of nine points: its corner, and
/// two numbers that decide what is done with it.
fn places() -> impl Strategy<Value = Vec<(u8, u8, u8, u8)>> {
    let squares: Vec<u8> = (0..36).collect();
    let squares = proptest::sample::subsequence(squares, 0..8).prop_shuffle();
    let choices = proptest::collection::vec(any::<(u8, u8)>(), 8);
    (squares, choices).prop_map(|(squares, choices)| {
        let both = squares.into_iter().zip(choices);
        both.map(|(square, (which, how))| (square % 6 * 3, square / 6 * 3, which, how))
            .collect()
    })
}

/// Lists of points for some of these properties: single points and rectangles, labels, arrows.
fn lists(names: &'static [&'static str]) -> impl Strategy<Value = Vec<String>> {
    places().prop_map(|places| {
        let mut lists = vec![String::new(); names.len()];
        for (x, y, which, how) in places {
            let which = which as usize % names.len();
            let point = |right, down| {
                let letter = |n: u8| char::from(b'a' + n);
                format!("{}{}", letter(x + right), letter(y + down))
            };
            let (first, last) = (point(0, 0), point(2, 2));
            lists[which] += &match (names[which], how % 4) {
                ("LB", _) => format!("[{first}:{how}]"),
                ("AR" | "LN", _) => format!("[{last}:{first}]"),
                (_, 0) => format!("[{first}:{last}]"),
                (_, 1) => format!("[{first}:{}]", point(0, 1)),
                (_, 2) => format!("[{first}]\r\n[{last}]"),
                _ => format!("[{first}]"),
            };
        }
        let named = names.iter().zip(lists).filter(|(_, list)| !list.is_empty());
        named.map(|(name, list)| format!("{name}{list}")).collect()
    })
}

/// Names of properties that mark points.
type Marks = &'static [&'static str];

const MARKS: Marks = &[
    "CR", "MA", "SL", "SQ", "TR", "LB", "AR", "LN", "DD", "VW", "TB", "TW",
];

/// The properties of a node: a move or setup, and others, each name once.
fn properties(marks: Marks) -> impl Strategy<Value = Vec<String>> {
    let target = prop_oneof![4 => point(), 1 => Just(String::new())];
    let about = prop_oneof![
        3 => Just(String::new()),
        1 => "(BL|WL)\\[[0-9]{1,4}(\\.[0-9]{1,3})?\\]",
        1 => "(OB|OW|MN)\\[[0-9]{1,2}\\]",
        1 => "(BM|TE)\\[[12]\\]",
        1 => "(DO|IT|KO)\\[\\]",
    ];
    let play = ("[BW]", target, about)
        .prop_map(|(color, target, about)| vec![format!("{color}[{target}]"), about]);
    let player = prop_oneof![2 => Just(String::new()), 1 => "PL\\[[BW]\\]"];
    let setup = (lists(&["AB", "AW", "AE"]), player).prop_map(|(mut lists, player)| {
        lists.push(player);
        lists
    });
    let node = prop_oneof![5 => play, 1 => setup];
    let marks = lists(marks);
    let others = proptest::collection::vec(property(), 0..3);
    (node, marks, others).prop_map(|(mut all, marks, others)| {
        all.retain(|property| !property.is_empty());
        all.extend(marks);
        const ONE_OF: [&str; 4] = ["DM", "GB", "GW", "UC"];
        let name = |property: &str| match property.split('[').next() {
            Some(name) if ONE_OF.contains(&name) => "one of four".to_owned(),
            name => name.unwrap_or_default().to_owned(),
        };
        for other in others {
            if all.iter().all(|property| name(property) != name(&other)) {
                all.push(other);
            }
        }
        all
    })
}

fn tree(marks: Marks) -> impl Strategy<Value = Node> {
    let leaf = properties(marks).prop_map(|properties| Node {
        properties,
        children: Vec::new(),
    });
    leaf.prop_recursive(12, 60, 3, move |inner| {
        (properties(marks), proptest::collection::vec(inner, 1..3)).prop_map(
            |(properties, children)| Node {
                properties,
                children,
            },
        )
    })
}

fn record() -> impl Strategy<Value = (String, Node)> {
    record_with(MARKS)
}

fn record_with(marks: Marks) -> impl Strategy<Value = (String, Node)> {
    tree(marks).prop_map(|node| {
        let header = vec!["GM[1]FF[4]SZ[19]KM[6.5]PB[Black]".to_owned()];
        let root = Node {
            properties: header,
            children: vec![node],
        };
        (root.record(), root)
    })
}

/// The nodes of `sgf-parse` in the order of the file.
fn in_order(root: &SgfNode<Prop>) -> Vec<&SgfNode<Prop>> {
    let mut nodes = Vec::new();
    let mut waiting = vec![root];
    while let Some(node) = waiting.pop() {
        nodes.push(node);
        let children: Vec<_> = node.children().collect();
        waiting.extend(children.into_iter().rev());
    }
    nodes
}

/// A property with typed values: ours with the texts that we read.
fn typed(property: Property) -> Prop {
    let values = property.values().map(|value| value.text().into_owned());
    Prop::new(property.name(), values.collect())
}

/// A property of `sgf-parse` with white space as SGF wants it, which `sgf-parse` leaves to whoever
/// prints it.
fn with_plain_space(property: &Prop) -> Prop {
    let plain = |text: &str| text.replace("\r\n", "\n").replace('\t', " ");
    match property {
        Prop::C(text) => Prop::C(plain(&text.text).as_str().into()),
        Prop::Unknown(name, values) => {
            let values = values.iter().map(|value| plain(value));
            Prop::Unknown(name.clone(), values.collect())
        }
        other => other.clone(),
    }
}

/// Code, line and column of everything that is not as FF[4] has it.
fn strictly(text: &str) -> Vec<(&'static str, u32, u32)> {
    let collection = parse(text.as_bytes(), &Limits::default());
    let findings = collection.conformance().into_iter();
    // `XX` is in records that are otherwise valid.
    let others = findings.filter(|finding| !finding.message.contains("property XX"));
    others
        .map(|finding| {
            let place = finding.place;
            (finding.code.as_str(), place.line, place.column)
        })
        .collect()
}

/// A fault to put into a valid record: where, what (`@` marks the place), and how it is called.
type Fault = (Spot, &'static str, &'static str);

#[derive(Clone, Copy, Debug)]
enum Spot {
    /// In a node of its own, somewhere in the tree.
    Node,
    /// At the end of the root node.
    Root,
    /// In place of `FF[4]`.
    Format,
}

#[rustfmt::skip]
const FAULTS: [Fault; 42] = [
    (Spot::Format, "@FF[3]", "ff4-version"),
    (Spot::Format, "FF[@5]", "ff4-value"),
    (Spot::Root, "DT[@31.5.2024]", "ff4-date"),
    (Spot::Root, "RE[@Black wins]", "ff4-result"),
    (Spot::Root, "HA[@0]", "ff4-value"),
    (Spot::Root, "TM[@1e3]", "ff4-value"),
    (Spot::Root, "AP[@kifu]", "ff4-value"),
    (Spot::Root, "SO[one][@two]", "ff4-value"),
    (Spot::Root, "AB[dd][pp]@AB[pd]", "ff4-property-twice"),
    (Spot::Root, "AB[dd][pp:qq]AW[@pq]", "ff4-setup-twice"),
    (Spot::Node, "B[@abc]", "ff4-value"),
    (Spot::Node, "W[@d d]", "ff4-value"),
    (Spot::Node, "B[dd]BL[@soon]", "ff4-value"),
    (Spot::Node, "B[dd]KO[@yes]", "ff4-value"),
    (Spot::Node, "TR[aa][@b][cc]", "ff4-value"),
    (Spot::Node, "CR[@cc:aa]", "ff4-value"),
    (Spot::Node, "CR[@aa:bb:cc]", "ff4-value"),
    (Spot::Node, "DD[aa][@cc:cc]", "ff4-value"),
    (Spot::Node, "LB[@aa]", "ff4-value"),
    (Spot::Node, "LB[@aa:x:y]", "ff4-value"),
    (Spot::Node, "LN[@aa:aa]", "ff4-value"),
    (Spot::Node, "PL[@black]", "ff4-value"),
    (Spot::Node, "GB[@3]", "ff4-value"),
    (Spot::Node, "B[@ZZ]", "ff4-off-board"),
    (Spot::Node, "W[@zz]", "ff4-off-board"),
    (Spot::Node, "SQ[aa][@aa:ZZ]", "ff4-markup-twice"),
    (Spot::Node, "AR[aa:bb][@cc:ZZ]", "ff4-off-board"),
    (Spot::Node, "B[dd]C[one]@C[two]", "ff4-property-twice"),
    (Spot::Node, "W[dd]@B[pp]", "ff4-several-moves"),
    (Spot::Node, "AB[dd]@B[pp]", "ff4-setup-and-move"),
    (Spot::Node, "W[dd]@PL[W]", "ff4-setup-and-move"),
    (Spot::Node, "AE[dd:ff][@ee]", "ff4-setup-twice"),
    (Spot::Node, "MA[dd]SL[aa][@dd]", "ff4-markup-twice"),
    (Spot::Node, "LB[dd:a][@dd:b]", "ff4-markup-twice"),
    (Spot::Node, "TB[aa:cc]TW[dd][@bb:bc]", "ff4-markup-twice"),
    (Spot::Node, "AR[aa:bb][@aa:bb]", "ff4-markup-twice"),
    (Spot::Node, "B[dd]TE[1]@BM[1]", "ff4-mixed-annotations"),
    (Spot::Node, "DM[1]@UC[2]", "ff4-mixed-annotations"),
    (Spot::Node, "@KO[]", "ff4-without-move"),
    (Spot::Node, "@IT[]", "ff4-without-move"),
    (Spot::Node, "B[dd]@SZ[19]", "ff4-root-property"),
    (Spot::Node, "W[dd]@RE[B+R]", "ff4-game-info-twice"),
];

/// The place of a byte, by lines and characters.
fn line_and_column(text: &str, offset: usize) -> (u32, u32) {
    let before = text[..offset].replace("\r\n", "\n");
    let line = before.rsplit('\n').next().unwrap_or_default();
    let lines = before.matches('\n').count() as u32 + 1;
    (lines, line.chars().count() as u32 + 1)
}

/// Properties for a node in which nothing need be right.
fn soup() -> impl Strategy<Value = String> {
    let parts = [
        "B[dd]",
        "W[pp]",
        "B[x]",
        "W[]",
        "KO[]",
        "KO[x]",
        "MN[3]",
        "AB[aa]",
        "AW[bb]",
        "AE[?]",
        "PL[B]",
        "PL[x]",
        "C[text]",
        "DM[1]",
        "DM[3]",
        "GB[2]",
        "GW[1]",
        "UC[1]",
        "HO[1]",
        "BM[1]",
        "DO[]",
        "IT[]",
        "TE[2]",
        "TE[]",
        "CR[aa]",
        "CR[cc]",
        "SQ[aa]",
        "TR[bb][cc]",
        "TR[x]",
        "MA[dd]",
        "LB[aa:x]",
        "AR[aa:bb]",
        "AR[aa:aa]",
        "SZ[19]",
        "SZ[x]",
        "GM[1]",
        "AP[x]",
        "CA[UTF-8]",
        "KM[6.5]",
        "KM[x]",
        "HA[2]",
        "HA[1]",
        "PB[one]",
        "PB[one][two]",
        "BL[1.5]",
        "OB[x]",
        "PM[2]",
        "FG[x]",
        "QQ[x]",
        "TB[aa]",
        "VW[aa]",
    ];
    let part = proptest::sample::select(parts.to_vec());
    proptest::collection::vec(part, 0..6).prop_map(|parts| parts.concat())
}

/// What we call a fault of `sgf-parse`.
fn code_of(fault: &InvalidNodeError) -> &'static str {
    use InvalidNodeError as Fault;
    match fault {
        Fault::InvalidProperty(_) => "ff4-value",
        Fault::RepeatedIdentifier(_) => "ff4-property-twice",
        Fault::MultipleMoves(_) => "ff4-several-moves",
        Fault::SetupAndMove(_) => "ff4-setup-and-move",
        Fault::RepeatedMarkup(_) => "ff4-markup-twice",
        Fault::KoWithoutMove(_) | Fault::UnexpectedMoveAnnotation(_) => "ff4-without-move",
        Fault::MultipleMoveAnnotations(_) | Fault::MultipleExclusiveAnnotations(_) => {
            "ff4-mixed-annotations"
        }
        Fault::UnexpectedRootProperties(_) => "ff4-root-property",
        Fault::UnexpectedGameInfo(_) => "ff4-game-info-twice",
    }
}

fn moves(game: &Game) -> Vec<String> {
    let mut moves = Vec::new();
    for step in &game.main_line {
        if let StepKind::Move { color, target } = &step.kind {
            let target = match target {
                Target::Point(point) => point.to_sgf(),
                Target::Pass => String::new(),
                Target::Text(text) => text.clone(),
            };
            moves.push(format!("{}[{target}]", color.letter()));
        }
    }
    moves
}

fn all_nodes(collection: &Collection) -> Vec<NodeId> {
    let games = collection.games.iter();
    games
        .flat_map(|game| collection.tree().game_nodes(game.root))
        .collect()
}

/// The nodes of a game, each line before the variations beside it, with the number of lines that
/// go on from each.
fn by_lines(collection: &Collection, root: NodeId) -> Vec<(NodeId, usize)> {
    let tree = collection.tree();
    let mut nodes = Vec::new();
    let mut waiting = vec![root];
    while let Some(node) = waiting.pop() {
        let first = tree.first_child(node);
        let children = std::iter::successors(first, |&child| tree.next_sibling(child));
        let from = waiting.len();
        waiting.extend(children);
        waiting[from..].reverse();
        nodes.push((node, waiting.len() - from));
    }
    nodes
}

/// What a step does. Of a move that can't be read that is nothing, whatever its text; a stray
/// backslash in it is not written back.
fn deed(step: &Step) -> String {
    match &step.kind {
        StepKind::Move {
            color,
            target: Target::Text(_),
        } => format!("{color:?} can't be read"),
        kind => format!("{kind:?}"),
    }
}

/// Everything that the games of a file mean: what they are, their headers, the shape of their
/// trees and what each node does.
fn meaning(collection: &Collection) -> Vec<String> {
    let mut lines = Vec::new();
    for game in &collection.games {
        let Game {
            kind,
            size,
            header,
            contents,
            ..
        } = game;
        lines.push(format!("{kind:?} {size:?} {contents:?} {header:?}"));
        let kinds: Vec<String> = game.main_line.iter().map(deed).collect();
        lines.push(format!("{kinds:?}"));
        let (branches, _) = collection.branches(game);
        for (node, children) in by_lines(collection, game.root) {
            let visit = branches
                .visits
                .iter()
                .find(|visit| visit.node == node)
                .unwrap();
            let steps = branches.steps(visit).iter();
            let kinds: Vec<String> = steps.map(deed).collect();
            lines.push(format!("{children} {kinds:?}"));
        }
    }
    lines
}

/// Every property of every node with its values as texts, but for those that say how the file
/// itself is written.
fn all_properties(collection: &Collection) -> Vec<(String, Vec<String>)> {
    let mut all = Vec::new();
    for game in &collection.games {
        for (node, _) in by_lines(collection, game.root) {
            for property in collection.properties(node) {
                let values = property.values().map(|value| value.text().into_owned());
                all.push((property.name(), values.collect()));
            }
        }
    }
    all.retain(|(name, _)| !["FF", "GM", "CA"].contains(&name.as_str()));
    all
}

fn annotation() -> impl Strategy<Value = Annotation> {
    let points = || proptest::collection::vec((0u8..19, 0u8..19), 0..9);
    let result = proptest::option::of("[BW]\\+[1-9]");
    (
        points(),
        points(),
        points(),
        "[a-z\\[\\]\\\\ A-Z]{0,20}",
        result,
    )
        .prop_map(|(black, white, dead, comment, result)| {
            let size = Size::square(19);
            let set = |points: Vec<(u8, u8)>| -> PointSet {
                let points = points.into_iter();
                points.filter_map(|(x, y)| size.point(x, y)).collect()
            };
            let mut annotation = Annotation::default();
            annotation.black_territory = set(black);
            annotation.white_territory = set(white) - annotation.black_territory;
            annotation.dead = set(dead);
            annotation.comment = comment;
            annotation.result = result;
            annotation
        })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn valid_records_read_as_sgf_parse_reads_them(
        records in proptest::collection::vec(record(), 1..4),
    ) {
        let text: String = records.iter().map(|(text, _)| text.as_str()).collect();
        let collection = parse(text.as_bytes(), &Limits::default());
        prop_assert!(collection.findings.is_empty(), "{text}\n{:?}", collection.findings);
        let theirs = sgf_parse::go::parse(&text).unwrap();
        prop_assert_eq!(collection.games.len(), records.len());
        prop_assert_eq!(collection.games.len(), theirs.len());
        for ((game, their), (_, made)) in collection.games.iter().zip(&theirs).zip(&records) {
            let ours: Vec<NodeId> = collection.tree().game_nodes(game.root).collect();
            let nodes = in_order(their);
            prop_assert_eq!(ours.len(), made.count());
            prop_assert_eq!(ours.len(), nodes.len());
            for (&node, their) in ours.iter().zip(&nodes) {
                let ours: Vec<Prop> = collection.properties(node).map(typed).collect();
                let theirs: Vec<Prop> = their.properties().map(with_plain_space).collect();
                prop_assert_eq!(ours, theirs);
                let children = collection.tree().first_child(node);
                let children = std::iter::successors(children, |&child| collection.tree().next_sibling(child));
                prop_assert_eq!(children.count(), their.children().count());
            }
            let main: Vec<String> = their
                .main_variation()
                .filter_map(|node| node.get_property("B").or(node.get_property("W")))
                .map(ToString::to_string)
                .collect();
            prop_assert_eq!(moves(game), main);
        }
    }

    #[test]
    fn valid_records_are_as_the_standard_has_them((text, _) in record()) {
        let theirs = sgf_parse::go::parse(&text).unwrap();
        prop_assert_eq!(theirs[0].validate(), Ok(()), "{}", text);
        prop_assert_eq!(strictly(&text), [], "{}", text);
        let collection = parse(text.as_bytes(), &Limits::default());
        let unknown = collection.conformance();
        prop_assert_eq!(unknown.len(), usize::from(text.contains("XX[")), "{}", text);
    }

    #[test]
    fn a_fault_is_found_where_it_is(
        (_, mut root) in record(),
        fault in proptest::sample::select(FAULTS.to_vec()),
        at in any::<proptest::sample::Index>(),
    ) {
        let (spot, fault, code) = fault;
        match spot {
            Spot::Root => root.properties.push(fault.to_owned()),
            Spot::Format => root.properties[0] = root.properties[0].replace("FF[4]", fault),
            Spot::Node => {
                let node = root.nth(&mut at.index(root.count())).unwrap();
                node.children.push(Node { properties: vec![fault.to_owned()], children: vec![] });
            }
        }
        let marked = root.record();
        let (line, column) = line_and_column(&marked, marked.find('@').unwrap());
        let mut expected = vec![(code, line, column)];
        if fault.contains("aa:ZZ") {
            expected.push(("ff4-off-board", line, column));
        }
        let mut found = strictly(&marked.replace('@', ""));
        found.sort_unstable();
        expected.sort_unstable();
        prop_assert_eq!(found, expected, "{}", marked);
    }

    #[test]
    fn the_verdict_on_a_node_is_that_of_sgf_parse(soup in soup(), is_root in any::<bool>()) {
        let text = if is_root {
            format!("(;FF[4]{soup})")
        } else {
            format!("(;FF[4];{soup})")
        };
        let found: Vec<&str> = strictly(&text).into_iter().map(|(code, ..)| code).collect();
        let theirs = match sgf_parse::go::parse(&text) {
            // Two `GM[]` in a root it does not parse at all.
            Err(SgfParseError::UnexpectedProperty) => {
                prop_assert!(found.contains(&"ff4-property-twice"), "{text}\n{found:?}");
                return Ok(());
            }
            parsed => parsed.unwrap(),
        };
        let node = if is_root { &theirs[0] } else { &theirs[0].children[0] };
        let verdict = Prop::validate_properties(&node.properties, is_root);
        match verdict {
            Err(fault) => prop_assert!(found.contains(&code_of(&fault)), "{text}\n{fault:?}\n{found:?}"),
            // What `sgf-parse` does not look for.
            Ok(()) => {
                let only_ours = ["ff4-unknown-property", "ff4-setup-twice"];
                prop_assert!(found.iter().all(|code| only_ours.contains(code)), "{text}\n{found:?}");
            }
        }
    }

    #[test]
    fn written_records_read_the_same((text, _) in record()) {
        let collection = parse(text.as_bytes(), &Limits::default());
        let written = collection.to_sgf(&[]);
        let again = parse(written.as_bytes(), &Limits::default());
        prop_assert!(again.findings.is_empty(), "{written}\n{:?}", again.findings);
        prop_assert_eq!(meaning(&collection), meaning(&again));
        prop_assert_eq!(all_properties(&collection), all_properties(&again));
    }

    #[test]
    fn an_annotation_is_all_that_is_added(
        // Not those that an annotation is made of.
        (text, _) in record_with(&["CR", "LB", "AR", "VW"]),
        annotation in annotation(),
    ) {
        let mut collection = parse(text.as_bytes(), &Limits::default());
        let written = collection.to_sgf(&[Some(annotation.clone())]);
        let mut again = parse(written.as_bytes(), &Limits::default());
        prop_assert!(again.findings.is_empty(), "{written}\n{:?}", again.findings);
        // Annotated once more it is the same: what kifu wrote is replaced, not repeated.
        prop_assert_eq!(&again.to_sgf(&[Some(annotation.clone())]), &written);

        let last = again.tree().line_from(again.games[0].root).last().unwrap();
        let comment = again.properties(last).find(|property| property.key() == Key::new(b"C")).unwrap();
        let comment = comment.value().text().into_owned();
        let line = format!("{}{}", Annotation::OPENING, annotation.comment);
        prop_assert!(comment.ends_with(&line), "{comment:?}");
        let header = &mut again.games[0].header;
        let marks = |set: PointSet| (!set.is_empty()).then_some(set);
        prop_assert_eq!(header.black_marks.take(), marks(annotation.black_territory));
        // `TW` alone means that Black has no mark, not that there are none.
        prop_assert_eq!(header.white_marks.take(), marks(annotation.white_territory));
        let result = annotation.result.unwrap_or_default();
        prop_assert_eq!(std::mem::take(&mut header.result_text), result);
        header.result = None;
        for collection in [&mut collection, &mut again] {
            collection.games[0].header.black_marks = None;
        }
        prop_assert_eq!(meaning(&collection), meaning(&again));
        // But for the last node, where the annotation is, nothing else has changed.
        let others = |collection: &Collection| {
            let mut all = all_properties(collection);
            all.retain(|(name, _)| !["TB", "TW", "MA", "C", "RE"].contains(&name.as_str()));
            all
        };
        prop_assert_eq!(others(&collection), others(&again));
    }

    #[test]
    fn moves_survive_a_broken_frame(
        (text, _) in record(),
        before in "[a-z .\n]{0,20}",
        after in "\n[a-z<>/ \n]{0,20}",
    ) {
        let whole = parse(text.as_bytes(), &Limits::default());
        let expected = moves(&whole.games[0]);
        let frames = [
            format!("{before}{text}{after}"),
            text.trim_end_matches(')').to_owned(),
            format!("{text})))"),
            text.replacen("(;", "(", 1),
            text.replacen("(;", ";", 1),
            text.replacen("(;", "\r( \r;\r", 1),
            text.replacen("(;", "(\0;\0", 1),
        ];
        for frame in frames {
            let collection = parse(frame.as_bytes(), &Limits::default());
            prop_assert_eq!(collection.games.len(), 1, "{}", frame);
            prop_assert_eq!(&moves(&collection.games[0]), &expected, "{}", frame);
        }
    }

    #[test]
    fn nothing_makes_the_reader_panic(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        let collection = parse(&bytes, &Limits::default());
        for game in &collection.games {
            collection.branches(game);
        }
    }

    #[test]
    fn no_soup_of_brackets_does_either_and_what_is_in_it_can_be_written(
        parts in proptest::collection::vec(
            proptest::sample::select(vec![
                "(", ")", ";", "[", "]", "\\", "B[aa]", "C[", "PB[", " x", "\n", "棋", "GM[1]",
                "AB[aa:zz]", "\0", "W", "RE[白胜1又3/4子]", "KM[3 1/0]", "HA[二]", "SZ[", "Black",
            ]),
            0..60,
        )
    ) {
        let text = parts.concat();
        let collection = parse(text.as_bytes(), &Limits::default());
        for node in all_nodes(&collection) {
            for property in collection.properties(node) {
                typed(property);
                property.values().for_each(|value| drop((value.text(), value.simple_text())));
            }
        }
        let written = collection.to_sgf(&[]);
        let again = parse(written.as_bytes(), &Limits::default());
        prop_assert_eq!(meaning(&collection), meaning(&again), "{}\n{}", text, written);
        prop_assert_eq!(again.to_sgf(&[]), written);
        for finding in &collection.findings {
            prop_assert!(finding.place.line == 0 || collection.line(finding.place.line).is_some());
        }
    }
}
