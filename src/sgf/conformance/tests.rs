//! What is found where; and that the table of properties and the short ways agree with
//! `sgf-parse`. Records that are made up are held against both in `tests/parsing.rs`.

use super::*;
use crate::sgf::{Limits, parse};
use sgf_parse::go::Prop;

/// Checks that these codes, and no others, are found where the marks `@` stand.
#[track_caller]
fn assert_found(marked: &str, codes: &[&str]) {
    let text = marked.replace('@', "");
    let mut expected = Vec::new();
    let mut codes = codes.iter();
    for (line, number) in marked.split('\n').zip(1..) {
        let mut column = 1;
        for c in line.chars() {
            match c {
                '@' => expected.push((*codes.next().expect("a code per mark"), number, column)),
                _ => column += 1,
            }
        }
    }
    assert_eq!(codes.next(), None, "a mark per code");
    let collection = parse(text.as_bytes(), &Limits::default());
    let found: Vec<(&str, u32, u32)> = collection
        .conformance()
        .into_iter()
        .map(|finding| {
            let place = finding.place;
            (finding.code.as_str(), place.line, place.column)
        })
        .collect();
    assert_eq!(found, expected, "{marked}");
}

fn messages(text: &str) -> Vec<String> {
    let collection = parse(text.as_bytes(), &Limits::default());
    let findings = collection.conformance();
    findings
        .into_iter()
        .map(|finding| finding.message)
        .collect()
}

#[test]
fn the_table_is_that_of_sgf_parse() {
    let mut names: Vec<String> = ('A'..='Z').map(String::from).collect();
    for first in 'A'..='Z' {
        names.extend(('A'..='Z').map(|second| format!("{first}{second}")));
    }
    let mut known = 0;
    for name in names {
        let found = definition(Key::new(name.as_bytes()), true);
        let Some(found) = found else {
            let theirs = Prop::new(name.clone(), vec!["1".to_owned()]);
            assert!(matches!(theirs, Prop::Unknown(..)), "{name}");
            continue;
        };
        known += 1;
        assert_eq!(found.name, name);
        let sample = match found.takes {
            Takes::Nothing | Takes::Text | Takes::Date | Takes::Result | Takes::Figure => "",
            Takes::Move | Takes::Points | Takes::PointsOrNothing => "aa",
            Takes::Number | Takes::Double | Takes::Format | Takes::Style => "1",
            Takes::PrintMode | Takes::Handicap => "2",
            Takes::Real => "6.5",
            Takes::Color => "W",
            Takes::Pairs | Takes::Labels => "aa:bb",
            Takes::Application => "kifu:1",
            Takes::Size => "13:9",
        };
        let theirs = Prop::new(name.clone(), vec![sample.to_owned()]);
        assert!(!matches!(theirs, Prop::Invalid(..)), "{name}[{sample}]");
        assert_eq!(theirs.property_type(), found.role, "{name}");
        // Nonsense is taken by texts alone.
        let theirs = Prop::new(name.clone(), vec!["-.".to_owned()]);
        let is_text = matches!(found.takes, Takes::Text | Takes::Date | Takes::Result);
        assert_eq!(!matches!(theirs, Prop::Invalid(..)), is_text, "{name}[-.]");
        // And several values by lists alone.
        let theirs = Prop::new(name.clone(), vec!["aa:bb".to_owned(), "aa:cc".to_owned()]);
        let is_list = !matches!(theirs, Prop::Invalid(..));
        assert_eq!(is_list, found.takes.is_list(), "{name}[aa:bb][aa:cc]");
    }
    assert_eq!(known, 67);
}

/// A record with a node for each list of values of a property, and whether each is plain.
fn plainness(name: &str, lists: &[&str]) -> Vec<bool> {
    let nodes: String = lists.iter().map(|list| format!(";{name}{list}")).collect();
    let record = format!("(;FF[4]{nodes})");
    let collection = parse(record.as_bytes(), &Limits::default());
    let tree = &collection.tree;
    let takes = definition(Key::new(name.as_bytes()), true).unwrap().takes;
    let nodes = tree.game_nodes(collection.games[0].root).skip(1);
    nodes
        .map(|node| {
            let property = tree.properties(node, &collection.text).next().unwrap();
            is_plain(takes, property)
        })
        .collect()
}

#[test]
fn sgf_parse_has_no_objection_to_what_is_plain() {
    let points: Vec<String> = ('a'..='z')
        .flat_map(|x| ('a'..='z').map(move |y| format!("{x}{y}")))
        .collect();
    let mut plain = 0;
    for found in ('A'..='Z').flat_map(|first| {
        let names = ('A'..='Z').map(move |second| format!("{first}{second}"));
        names.chain([first.to_string()])
    }) {
        let Some(definition) = definition(Key::new(found.as_bytes()), true) else {
            continue;
        };
        let mut lists: Vec<String> = points.iter().map(|point| format!("[{point}]")).collect();
        lists.extend(points.iter().map(|point| format!("[{point}:Ab 1\u{e9}]")));
        lists.extend(points.iter().map(|point| format!("[{point}:jj]")));
        let more = [
            "[]",
            "[1]",
            "[2]",
            "[3]",
            "[0]",
            "[999999999]",
            "[007]",
            "[6.5]",
            "[0.000000001]",
            "[.5]",
            "[5.]",
            "[-1]",
            "[1.2.3]",
            "[x]",
            "[aa:]",
            "[aa:b:c]",
            "[aa:\\:]",
            "[aa:b c]",
            "[aa][bb]",
            "[aa][aa]",
            "[aa:x][aa:x]",
            "[aa:x][bb:y]",
            "[aa][]",
            "[1][2]",
            "[aa:bb]",
            "[AA]",
            "[aA]",
            "[tt]",
            "[black]",
            "[B]",
            "[1e3]",
            "[9999999999]",
            "[1000000000.5]",
        ];
        lists.extend(more.map(String::from));
        let lists: Vec<&str> = lists.iter().map(String::as_str).collect();
        for (list, is_plain) in lists.iter().zip(plainness(&found, &lists)) {
            if !is_plain {
                continue;
            }
            plain += 1;
            let inner = &list[1..list.len() - 1];
            let values: Vec<&str> = inner.split("][").collect();
            assert!(
                values
                    .iter()
                    .all(|value| has_form(definition.takes, value, true)),
                "{found}{list}"
            );
            let values = arguments(definition.takes, values.into_iter(), true);
            let typed = Prop::new(found.clone(), values);
            assert!(!matches!(typed, Prop::Invalid(..)), "{found}{list}");
            if definition.takes == Takes::Move {
                assert_eq!(Prop::validate_properties(&[typed], false), Ok(()));
            }
        }
    }
    // Two properties with moves, eleven with points, one with labels.
    assert!(plain > 14 * 676, "{plain}");
}

#[test]
fn the_example_of_every_page_gives_its_finding() {
    let ours = Code::ALL
        .iter()
        .filter(|code| code.as_str().starts_with("ff4-"));
    let mut count = 0;
    for code in ours {
        let page = code.page();
        let example = page.lines().find_map(|line| line.strip_prefix("    "));
        let example = example.unwrap();
        let collection = parse(example.as_bytes(), &Limits::default());
        let findings = collection.conformance();
        assert!(!findings.is_empty(), "{example}");
        for finding in findings {
            assert_eq!(finding.code, *code, "{example}");
        }
        count += 1;
    }
    assert!(count >= 15);
}

#[test]
fn a_record_as_the_standard_wants_it_has_no_findings() {
    let records = [
        "(;FF[4]GM[1])",
        "(;FF[4]GM[1]SZ[13:9]AP[kifu:0.1]CA[UTF-8]ST[2]HA[2]AB[cc][gg]PL[W];W[ee];B[];W[tt])",
        "(;FF[4]DT[1996-12-27,28]RE[W+R]TM[1800]OT[5x30 byo-yomi];B[pd]BL[12.5]OB[3];W[dp]KO[])",
        // What `sgf-parse` takes only in another form.
        "(;FF[4];B[dd]PM[0]DD[]VW[]TB[]TW[];W[pp]FG[];B[pd]LB[aa:12\\:30][bb:\\]]FG[257:a\\:b])",
        "(;FF[4]AP[a\\:b:1]SZ[52];B[ZZ]TR[aa:ZZ])",
        // The same point in properties that have nothing to do with each other, and in two nodes.
        "(;FF[4];B[dd]TR[dd]LB[dd:1]TB[dd]DD[dd]VW[aa:ss]AR[dd:pp][pp:dd];W[pp]TR[dd])",
        // Two games in one tree, each with its information where it becomes another.
        "(;FF[4];B[dd](;W[pp]PB[A])(;W[pd]PB[B]))",
        "(;FF[4](;DM[1])(;GB[2];HO[1]UC[1]))",
        // White space between values is no part of them.
        "(;FF[4]AB[dd] \n [pp]\t[pd];W [dp])",
    ];
    for record in records {
        assert_found(record, &[]);
    }
}

#[test]
fn values_that_are_not_of_their_type() {
    let properties = [
        "KM[@abc]",
        "KM[@]",
        "KM[@.5]",
        "KM[@6.5 ]",
        "KM[@NaN]TM[@1e3]",
        "HA[@1]",
        "SZ[@19:19]",
        "SZ[@53]",
        "ST[@4]PL[@Black]",
        "PB[one][@two]",
        "AB[aa][@b][cc][@dd:ee:ff]",
        "AB[@cc:aa][@dd:dd]",
        "AB[@]",
        "TB[aa][@]",
        "LB[@aa][@bb:x:y]",
        "AR[@aa:aa][aa:bb]",
        "B[@d\\d]DO[@1]",
    ];
    for property in properties {
        let codes = vec!["ff4-value"; property.matches('@').count()];
        assert_found(&format!("(;FF[4]{property})"), &codes);
    }
    assert_found("(;FF[@5];B[dd])", &["ff4-value"]);
    assert_found("(;FF[@0];B[dd])", &["ff4-value"]);
}

#[test]
fn every_fault_of_a_node_is_found() {
    assert_found(
        "(;FF[4]SZ[9]\n;AB[cc][@cc]@W[ee]@B[gg]@B[gh]TE[1]@BM[2]DM[1]@GB[1]@SZ[9]TR[aa]SQ[@aa:ba]@XX[])",
        &[
            "ff4-setup-twice",
            "ff4-setup-and-move",
            "ff4-several-moves",
            "ff4-property-twice",
            "ff4-mixed-annotations",
            "ff4-mixed-annotations",
            "ff4-root-property",
            "ff4-markup-twice",
            "ff4-unknown-property",
        ],
    );
    assert_found(
        "(;FF[4];@DO[];@KO[];@IT[]@@TE[1])",
        &[
            "ff4-without-move",
            "ff4-without-move",
            "ff4-without-move",
            "ff4-mixed-annotations",
            "ff4-without-move",
        ],
    );
}

#[test]
fn variations_are_checked_and_moves_counted_along_them() {
    let record = "(;FF[4]SZ[9];B[ee](;W[ge];B[gc])(;W[ec]TE[1]DO[];B[jj](;W[tt])(;B[kk])))";
    let collection = parse(record.as_bytes(), &Limits::default());
    let findings = collection.conformance();
    let moves: Vec<_> = findings
        .iter()
        .map(|finding| (finding.code, finding.move_number))
        .collect();
    assert_eq!(
        moves,
        [
            (Code::Ff4MixedAnnotations, Some(2)),
            (Code::Ff4OffBoard, Some(3)),
            (Code::Ff4OffBoard, Some(4)),
        ]
    );
}

#[test]
fn game_information_stands_once_on_a_path() {
    // Further down than the next node, and in a variation.
    let marked = "(;FF[4]PB[A];B[dd];W[pp](;B[pd]@RE[B+R];W[dp]@DT[2020]KM[6.5])(;B[dp]))";
    assert_found(marked, &["ff4-game-info-twice"; 2]);
    assert_eq!(
        messages(&marked.replace('@', ""))[1],
        "DT and KM stand apart from the game information, which is in the root node."
    );
}

#[test]
fn a_name_that_nobody_knows_is_reported_once() {
    let record = "(;FF[4];B[dd]LZ[1];W[pp]LZ[2];B[pd]LZ[3]KGSDE[];L[aa]L[bb])";
    assert_eq!(
        messages(record),
        [
            "FF[4] has no property LZ; the game has it 3 times.",
            "FF[4] has no property KGSDE.",
            "FF[4] has no property L, which older versions had; the game has it 2 times.",
            "L stands twice in one node.",
        ]
    );
}

#[test]
fn other_games_have_moves_of_their_own() {
    assert_found(
        "(;FF[4]GM[3]SZ[8]IP[x]KM[none];B[e2-e4]TB[x];W[e7-e5]BL[@soon]CR[e2]TR[@e2];@DO[])",
        &["ff4-value", "ff4-markup-twice", "ff4-without-move"],
    );
    assert_found(
        "(;FF[4]GM[1]RU[Gridless]SZ[13]KM[6.5];B[3.25,9.5];W[9,3])",
        &[],
    );
}

#[test]
fn a_few_bytes_do_not_cost_thousands_of_points() {
    let started = std::time::Instant::now();
    // Rectangles of the whole board in every property that takes them.
    let node = ";CR[aa:ZZ]MA[aa:ZZ]SL[aa:ZZ]SQ[aa:ZZ]TR[aa:ZZ]";
    let record = format!("(;FF[4]SZ[52]{})", node.repeat(1_000));
    assert_eq!(messages(&record).len(), 4_000);
    // Properties without end in one node.
    let record = format!("(;FF[4];{})", "B[dd]CR[aa]".repeat(20_000));
    let messages = messages(&record);
    assert_eq!(messages[0], "B stands 20000 times in one node.");
    assert_eq!(messages[1], "CR stands 20000 times in one node.");
    // Games without end in one file, all on its one line.
    let collection = "(;GM[1];B[dd];W[pp])".repeat(20_000);
    let collection = parse(collection.as_bytes(), &Limits::default());
    assert_eq!(collection.conformance().len(), 20_000);
    // A second or so; anything that grows with the square would take minutes.
    assert!(started.elapsed().as_secs() < 60);
}
