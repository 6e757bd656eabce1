//! The parser against records that were made up: valid ones, where it must agree with
//! `sgf-parse`, and broken ones, where it must neither panic nor lose its way. What was read is
//! written back, and must mean the same.

use kifu::board::{PointSet, Size};
use kifu::sgf::{Annotation, Collection, Game, Key, Limits, NodeId, Step, StepKind, Target, parse};
use proptest::prelude::*;
use sgf_parse::SgfNode;
use sgf_parse::go::Prop;

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
}

fn point() -> impl Strategy<Value = String> {
    "[a-s][a-s]"
}

/// A text with everything escaped that must be.
fn text() -> impl Strategy<Value = String> {
    let parts = [
        "\\]", "\\\\", "[", "(", ";", ")", "\n", " ", "棋譜", "B[dd\\]", "word",
    ];
    let part = proptest::sample::select(parts.to_vec());
    proptest::collection::vec(part, 0..8).prop_map(|parts| parts.concat())
}

fn property() -> impl Strategy<Value = String> {
    prop_oneof![
        text().prop_map(|text| format!("C[{text}]")),
        point().prop_map(|point| format!("TR[{point}]")),
        (point(), "[a-z]{1,3}").prop_map(|(point, label)| format!("LB[{point}:{label}]")),
        (0u32..9999).prop_map(|time| format!("BL[{time}]")),
        text().prop_map(|text| format!("XX[{text}]")),
        "[0-9]".prop_map(|number| format!("N[{number}]")),
    ]
}

/// The properties of a node: a move or setup, and others, each name once.
fn properties() -> impl Strategy<Value = Vec<String>> {
    let play = prop_oneof![
        4 => ("[BW]", point()).prop_map(|(color, point)| format!("{color}[{point}]")),
        1 => "[BW]".prop_map(|color| format!("{color}[]")),
        1 => (point(), point()).prop_map(|(one, two)| format!("AB[{one}]\n[{two}]")),
    ];
    (play, proptest::collection::vec(property(), 0..3)).prop_map(|(play, others)| {
        let mut all = vec![play];
        for other in others {
            let name = |property: &str| property.split('[').next().map(str::to_owned);
            if all.iter().all(|property| name(property) != name(&other)) {
                all.push(other);
            }
        }
        all
    })
}

fn tree() -> impl Strategy<Value = Node> {
    let leaf = properties().prop_map(|properties| Node {
        properties,
        children: Vec::new(),
    });
    leaf.prop_recursive(12, 60, 3, |inner| {
        (properties(), proptest::collection::vec(inner, 1..3)).prop_map(|(properties, children)| {
            Node {
                properties,
                children,
            }
        })
    })
}

fn record() -> impl Strategy<Value = (String, Node)> {
    tree().prop_map(|node| {
        let header = vec!["GM[1]FF[4]SZ[19]KM[6.5]PB[Black]".to_owned()];
        let root = Node {
            properties: header,
            children: vec![node],
        };
        let mut text = String::from("(");
        root.write(&mut text);
        text.push(')');
        (text, root)
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
            let black_territory = set(black);
            Annotation {
                black_territory,
                white_territory: set(white) - black_territory,
                dead: set(dead),
                comment,
                result,
            }
        })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn valid_records_read_as_sgf_parse_reads_them((text, made) in record()) {
        let collection = parse(text.as_bytes(), &Limits::default());
        prop_assert!(collection.findings.is_empty(), "{text}\n{:?}", collection.findings);
        let theirs = sgf_parse::go::parse(&text).unwrap();
        prop_assert_eq!(collection.games.len(), theirs.len());
        let (ours, nodes) = (all_nodes(&collection), in_order(&theirs[0]));
        prop_assert_eq!(ours.len(), made.count());
        prop_assert_eq!(ours.len(), nodes.len());
        for (node, their) in ours.iter().zip(&nodes) {
            let ours: Vec<Prop> = collection.properties(*node).map(|property| property.typed()).collect();
            let theirs: Vec<Prop> = their.properties().cloned().collect();
            prop_assert_eq!(ours, theirs);
        }
        let main: Vec<String> = theirs[0]
            .main_variation()
            .filter_map(|node| node.get_property("B").or(node.get_property("W")))
            .map(ToString::to_string)
            .collect();
        prop_assert_eq!(moves(&collection.games[0]), main);
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
    fn an_annotation_is_all_that_is_added((text, _) in record(), annotation in annotation()) {
        let mut collection = parse(text.as_bytes(), &Limits::default());
        let written = collection.to_sgf(&[Some(annotation.clone())]);
        let mut again = parse(written.as_bytes(), &Limits::default());
        prop_assert!(again.findings.is_empty(), "{written}\n{:?}", again.findings);
        // Annotated once more it is the same: what kifu wrote is replaced, not repeated.
        prop_assert_eq!(&again.to_sgf(&[Some(annotation.clone())]), &written);

        let last = again.tree().line_from(again.games[0].root).last().unwrap();
        let comment = again.properties(last).find(|property| property.key() == Key::C).unwrap();
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
                property.typed();
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
