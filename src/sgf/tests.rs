//! What the reader makes of whole files.

use super::*;
use crate::board::{Color, PointSet, Size};

/// The codes of the findings, in order.
fn codes(collection: &Collection) -> Vec<&'static str> {
    collection
        .findings
        .iter()
        .map(|finding| finding.code.as_str())
        .collect()
}

/// The main line of a game in short: `Bee Wge B--`.
fn moves(game: &Game) -> String {
    let mut moves = Vec::new();
    for step in &game.main_line {
        moves.push(match &step.kind {
            StepKind::Move { color, target } => match target {
                Target::Point(point) => format!("{}{}", color.letter(), point.to_sgf()),
                Target::Pass => format!("{}--", color.letter()),
                Target::Text(text) => format!("{}‹{text}›", color.letter()),
            },
            StepKind::Setup(setup) => {
                let setup = setup.points();
                let lists = [
                    ("+B", &setup.black),
                    ("+W", &setup.white),
                    ("-", &setup.empty),
                ];
                let counts = lists.iter().filter(|(_, set)| !set.is_empty());
                counts
                    .map(|(sign, set)| format!("{sign}{}", set.len()))
                    .collect()
            }
            StepKind::ToPlay(color) => format!("{}?", color.letter()),
            StepKind::Forced => "!".to_owned(),
        });
    }
    moves.join(" ")
}

fn parsed(text: &str) -> Collection<'_> {
    parse(text.as_bytes(), &Limits::default())
}

/// The example of a code's page, `\xNN` read as a byte.
fn example(code: Code) -> Vec<u8> {
    let page = code.page();
    let (_, example) = page.split_once("## Example\n\n").unwrap();
    let lines: Vec<&str> = example
        .lines()
        .take_while(|line| line.is_empty() || line.starts_with("    "))
        .collect();
    let text = lines
        .iter()
        .map(|line| line.strip_prefix("    ").unwrap_or(line))
        .collect::<Vec<_>>()
        .join("\n");
    let mut bytes = Vec::new();
    let mut rest = text.trim_end();
    while let Some((before, after)) = rest.split_once("\\x") {
        bytes.extend(before.bytes());
        bytes.push(u8::from_str_radix(&after[..2], 16).unwrap());
        rest = &after[2..];
    }
    bytes.extend(rest.bytes());
    bytes
}

#[test]
fn the_example_of_every_page_gives_its_finding() {
    let ours = Code::ALL.iter().skip_while(|code| **code != Code::NotSgf);
    let ours: Vec<Code> = ours
        .copied()
        .take_while(|code| *code != Code::OccupiedPoint)
        .collect();
    assert!(ours.len() > 30);
    for code in ours {
        let limits = match code {
            Code::TooDeep => Limits {
                depth: 3,
                ..Limits::default()
            },
            Code::TooManyGames => Limits {
                games: 2,
                ..Limits::default()
            },
            Code::TooManyNodes => Limits {
                nodes: 4,
                ..Limits::default()
            },
            Code::TooManySetups => Limits {
                setup_points: 2 * (361 + 1),
                ..Limits::default()
            },
            _ => Limits::default(),
        };
        let bytes = example(code);
        let collection = parse(&bytes, &limits);
        let found = codes(&collection);
        assert!(
            found.contains(&code.as_str()),
            "{}: {found:?}",
            code.as_str()
        );
        let moves = collection
            .games
            .iter()
            .map(|game| game.main_line.len())
            .sum::<usize>();
        assert!(
            moves >= 1 || code == Code::NotSgf,
            "{} loses the moves",
            code.as_str()
        );
    }
}

#[test]
fn a_clean_record_has_no_findings() {
    let text = "(;GM[1]FF[4]CA[UTF-8]SZ[9]PB[Kitani]PW[Go Seigen]BR[4d]WR[4d]KM[5.5]HA[0]RE[W+0.5]\
                RU[Japanese]DT[1933-10-16]PC[Tokyo]EV[Shin Fuseki]RO[1]GN[One]SO[a book]AP[kifu:1]\n\
                ;B[ee]BL[100];W[ge]C[Hello \\[world\\]: yes];B[];W[]TB[aa][ab]TW[ba:bb])";
    let collection = parsed(text);
    assert_eq!(codes(&collection), [""; 0]);
    let game = &collection.games[0];
    assert_eq!(moves(game), "Bee Wge B-- W--");
    let header = &game.header;
    assert_eq!(
        (header.black.as_str(), header.white.as_str()),
        ("Kitani", "Go Seigen")
    );
    assert_eq!((header.komi, header.handicap), (Some(5.5), Some(0)));
    assert_eq!(header.rules.as_deref(), Some("Japanese"));
    assert_eq!(
        header.result,
        Some(RecordedResult::Win {
            winner: Color::White,
            by: WinBy::Points(0.5)
        })
    );
    assert_eq!(header.black_marks.map(|marks| marks.len()), Some(2));
    assert_eq!(header.white_marks.map(|marks| marks.len()), Some(2));
    assert_eq!(
        game.main_line[1].place,
        crate::finding::Place {
            line: 2,
            column: 15
        }
    );
    assert_eq!(game.contents, Contents::Moves);
}

#[test]
fn every_move_is_kept() {
    let cases = [
        // Parentheses.
        ("(;SZ[9];B[aa](;W[bb](;B[cc])))", "Baa Wbb Bcc"),
        ("(;SZ[9];B[aa](;W[bb];B[cc])(;W[dd]))", "Baa Wbb Bcc"),
        ("(;SZ[9];B[aa];W[bb]);B[cc])", "Baa Wbb Bcc"),
        ("(;SZ[9](;B[aa](;W[bb]))));B[cc])", "Baa Wbb Bcc"),
        ("((;SZ[9];B[aa];W[bb]))", "Baa Wbb"),
        ("(SZ[9];B[aa];W[bb])", "Baa Wbb"),
        (";SZ[9]GM[1];B[aa];W[bb]", "Baa Wbb"),
        ("(;SZ[9];B[aa]();W[bb])", "Baa Wbb"),
        // Text around.
        (
            "Re: (see below) the game; B won\n(;SZ[9];B[aa];W[bb])\n-- \nAlice (2k)",
            "Baa Wbb",
        ),
        ("<html><a href=\"x;y\">(;SZ[9];B[aa];W[bb])</a>", "Baa Wbb"),
        // Brackets.
        ("(;SZ[9];B[aa]C[a [b] c];W[bb])", "Baa Wbb"),
        ("(;SZ[9];B[aa]C[see [a]; then [b]];W[bb])", "Baa Wbb"),
        ("(;SZ[9];B[aa]C[(see [a]) then];W[bb])", "Baa Wbb"),
        ("(;SZ[9];B[aa]C[:-] ];W[bb])", "Baa Wbb"),
        ("(;SZ[9];B[aa]C[open;W[bb];B[cc])", "Baa Wbb Bcc"),
        ("(;SZ[9];B[aa]C[open\n(;W[bb];B[cc]))", "Baa Wbb Bcc"),
        ("(;SZ[9];B[aa]C[closed] %% ;W[bb];B[cc])", "Baa Wbb Bcc"),
        ("(;SZ[9]PB[Lee\nPW[Cho];B[aa];W[bb])", "Baa Wbb"),
        ("(;SZ[9];B[aa;W[bb];B[cc)", "Baa Wbb Bcc"),
        ("(;SZ[9];B[aa]C[end\\];W[bb])", "Baa Wbb"),
        ("(;SZ[9];B[aa]]];W[bb])", "Baa Wbb"),
        ("(;SZ[9]AB[aa\nAW[bb];W[cc])", "+B1+W1 Wcc"),
        // Names.
        ("(;SZ[9]LB C;B[aa];W[bb])", "Baa Wbb"),
        ("(;SZ[9];B[aa]LB;W[bb])", "Baa Wbb"),
        ("(;SZ[9];B[aa]C[text]LB ;W[bb])", "Baa Wbb"),
        ("(;SiZe[9];Black[aa];White[bb])", "Baa Wbb"),
        ("(;SZ[9]AddBlack[cc];BLACK[aa];white[bb])", "+B1 Baa Wbb"),
        ("(;SZ[9]MULTIGOGM[1];B[aa];W[bb])", "Baa Wbb"),
        ("(;sz[9];b[aa];w[bb])", "Baa Wbb"),
        // White space.
        ("( ; SZ [9] ; B [aa]\n; W\n[bb] )", "Baa Wbb"),
        ("(;SZ[9]\r;B[aa]\r;W[bb]\r)", "Baa Wbb"),
        ("(;SZ[9];B[a\na];W[ bb ])", "Baa Wbb"),
        ("(;SZ[9]\0;B[aa]\0;W\0[bb])", "Baa Wbb"),
        ("\u{feff}(;SZ[9];B[aa]\u{feff};W[bb])", "Baa Wbb"),
        // Several moves and setup.
        ("(;SZ[9]B[aa]W[bb]B[cc])", "Baa Wbb Bcc"),
        ("(;SZ[9];B[aa][bb];W[cc])", "Baa Bbb Wcc"),
        ("(;SZ[9];B[aa]AW[cc]PL[W];W[bb])", "+W1 W? Baa Wbb"),
        ("(;SZ[9]AB[aa:cc]AE[bb][dd];W[ee])", "+B9-2 Wee"),
        // Points.
        ("(;SZ[19];B[];W[ ];B[tt];W[pp])", "B-- W-- B-- Wpp"),
        ("(;SZ[21];B[tt])", "Btt"),
        (
            "(;SZ[9];B[EE];W[dundefined];B[zz])",
            "Bee W‹dundefined› Bzz",
        ),
    ];
    for (text, expected) in cases {
        let collection = parsed(text);
        assert_eq!(collection.games.len(), 1, "{text}");
        assert_eq!(moves(&collection.games[0]), expected, "{text}");
    }
}

#[test]
fn games_of_a_collection_are_told_apart() {
    let cases = [
        (
            "(;GM[1]SZ[9];B[aa])(;GM[1]SZ[9];W[bb])",
            &["Baa", "Wbb"][..],
        ),
        ("(;GM[1]SZ[9];B[aa]\n(;GM[1]SZ[9];W[bb])", &["Baa", "Wbb"]),
        (
            "(;GM[1]SZ[9];B[aa]\n(;FF[4]SZ[9];W[bb]\n(;FF[4]SZ[9];B[cc]",
            &["Baa", "Wbb", "Bcc"],
        ),
        (
            "(;SZ[9];B[aa])\nand another:\n(;SZ[9];W[bb])",
            &["Baa", "Wbb"],
        ),
        ("(;SZ[9];B[aa]);GM[1]SZ[9];W[bb])", &["Baa", "Wbb"]),
        ("((;SZ[9];B[aa])(;SZ[9];W[bb]))", &["Baa", "Wbb"]),
        ("", &[]),
        ("()", &[]),
        ("(;)", &[""]),
    ];
    for (text, expected) in cases {
        let collection = parsed(text);
        let games: Vec<String> = collection.games.iter().map(moves).collect();
        assert_eq!(games, expected, "{text}");
        let numbers: Vec<u32> = collection.games.iter().map(|game| game.number).collect();
        assert_eq!(numbers, (1..=games.len() as u32).collect::<Vec<_>>());
    }
}

#[test]
fn kinds_of_games_and_of_contents() {
    let cases = [
        ("(;B[aa])", GameKind::Go, Contents::Moves),
        (
            "(;GM[1]SZ[9]AB[aa]AW[bb])",
            GameKind::Go,
            Contents::Position,
        ),
        ("(;GM[1]SZ[9]C[nothing])", GameKind::Go, Contents::Nothing),
        (
            "(;GM[1]RU[Gridless];B[3.25,15.5])",
            GameKind::GridlessGo,
            Contents::Moves,
        ),
        (
            "(;GM[8]RU[Hasami];B[B3-E3])",
            GameKind::HasamiShogi,
            Contents::Moves,
        ),
        (
            "(;RU[hasami];B[B3-E3])",
            GameKind::HasamiShogi,
            Contents::Moves,
        ),
        (
            "(;GM[8];B[7776])",
            GameKind::Other("Shogi".into()),
            Contents::Moves,
        ),
        (
            "(;GM[99];B[aa])",
            GameKind::Other("GM[99]".into()),
            Contents::Moves,
        ),
    ];
    for (text, kind, contents) in cases {
        let game = parsed(text).games.remove(0);
        assert_eq!((game.kind, game.contents), (kind, contents), "{text}");
    }
    let gridless = parsed("(;GM[1]RU[Gridless];B[3.25,15.5];W[])")
        .games
        .remove(0);
    assert_eq!(moves(&gridless), "B‹3.25,15.5› W‹›");
}

#[test]
fn the_size_may_come_late() {
    let game = parsed("(;GM[1];SZ[13:9]KM[0.5];B[aa])").games.remove(0);
    assert_eq!(game.size, Size::new(13, 9).unwrap());
    assert_eq!(game.header.komi, Some(0.5));
}

#[test]
fn marks_come_from_the_last_node_that_has_them() {
    let game = parsed("(;SZ[9];B[aa]TB[cc];W[bb]TB[dd][ee])")
        .games
        .remove(0);
    let expected: PointSet = [
        Size::square(9).point(3, 3).unwrap(),
        Size::square(9).point(4, 4).unwrap(),
    ]
    .into_iter()
    .collect();
    assert_eq!(game.header.black_marks, Some(expected));
    assert_eq!(game.header.white_marks, None);
}

#[test]
fn every_branch_can_be_walked() {
    let collection = parsed("(;SZ[9];B[aa](;W[bb];B[cc])(;W[dd](;B[ee])(;B[XX!])))");
    let (branches, findings) = collection.branches(&collection.games[0]);
    let parents: Vec<Option<u32>> = branches
        .visits
        .iter()
        .map(|visit| visit.parent.map(|parent| parent.0))
        .collect();
    assert_eq!(
        parents,
        [None, Some(0), Some(1), Some(2), Some(1), Some(4), Some(4)]
    );
    let main: Vec<bool> = branches
        .visits
        .iter()
        .map(|visit| visit.main_line)
        .collect();
    assert_eq!(main, [true, true, true, true, false, false, false]);
    let forks: Vec<bool> = branches.visits.iter().map(|visit| visit.branches).collect();
    assert_eq!(forks, [false, true, false, false, true, false, false]);
    assert_eq!(branches.steps(&branches.visits[5]).len(), 1);
    // The third move of its line, though the fifth of the file.
    let moves: Vec<_> = findings.iter().map(|finding| finding.move_number).collect();
    assert_eq!(moves, [Some(3)]);
}

#[test]
fn a_tree_nested_deep_is_read_and_dropped() {
    let deep = "(;B[aa]".repeat(90_000);
    let collection = parsed(&deep);
    assert_eq!(collection.games[0].main_line.len(), 90_000);
    let deeper = "(;B[aa]".repeat(200_000);
    let collection = parse(deeper.as_bytes(), &Limits::default());
    assert!(codes(&collection).contains(&"too-deep"));
    assert_eq!(collection.games[0].main_line.len(), 100_000);
}

#[test]
fn many_findings_of_a_kind_become_few() {
    let text = format!("(;SZ[9]{})", ";B[x!]".repeat(1000));
    let limits = Limits {
        findings: 20,
        ..Limits::default()
    };
    let collection = parse(text.as_bytes(), &limits);
    assert_eq!(collection.findings.len(), 21);
    let count: u32 = collection
        .findings
        .iter()
        .map(|finding| finding.count)
        .sum();
    assert_eq!(count, 1000);
    assert!(
        collection
            .findings
            .last()
            .unwrap()
            .message
            .contains("980 more")
    );
}

#[test]
fn values_are_read_as_text() {
    let collection = parsed("(;C[a\\]b\\\\c\\\nd\r\ne\tf\\:g]GN[ one\n two ])");
    let values: Vec<Value> = collection
        .properties(collection.games[0].root)
        .map(|property| property.value())
        .collect();
    assert_eq!(values[0].text(), "a]b\\cd\ne f:g");
    assert_eq!(values[1].simple_text(), "one  two");
}

#[test]
fn findings_have_places() {
    let collection = parsed("(;SZ[9]\n;B[棋]C[棋];W[!])");
    let places: Vec<(u32, u32, Option<u32>)> = collection
        .findings
        .iter()
        .map(|finding| {
            (
                finding.place.line,
                finding.place.column,
                finding.move_number,
            )
        })
        .collect();
    assert_eq!(places, [(2, 4, Some(1)), (2, 13, Some(2))]);
    assert_eq!(collection.line(2), Some(";B[棋]C[棋];W[!])"));
}

#[test]
fn a_value_of_control_characters_says_nothing() {
    let collection = parsed("(;GM[1]SZ[9]PB[\0]PW[ \\\n ];B[ee]PB[Ann]PW[Bo])");
    assert_eq!(collection.games[0].header.black, "Ann");
    assert_eq!(collection.games[0].header.white, "Bo");
}

/// Whatever a record is made of, reading it takes time by its length.
#[test]
fn no_value_is_read_more_often_than_it_stands_there() {
    const LENGTH: usize = 300_000;
    let time = |record: &str| {
        let started = std::time::Instant::now();
        parse(record.as_bytes(), &Limits::default());
        started.elapsed()
    };
    let long = "x".repeat(LENGTH / 2);
    let plain = time(&format!("(;GM[1]SZ[9]{})", ";C[xx]".repeat(LENGTH / 6)));
    for (name, record) in [
        (
            "AP[] again and again",
            format!("(;SZ[9]AP[{long}]{})", ";AP[y]".repeat(LENGTH / 12)),
        ),
        (
            "verbs before colours",
            format!(
                "(;SZ[9]RE[{}{}])",
                "win".repeat(LENGTH / 6),
                "black".repeat(LENGTH / 10)
            ),
        ),
        (
            "a komi of many numbers",
            format!("(;SZ[9]KM[{}])", "1 ".repeat(LENGTH / 2)),
        ),
        (
            "a rectangle again and again",
            format!("(;SZ[52]AB{})", "[aa:ZZ]".repeat(LENGTH / 7)),
        ),
    ] {
        let took = time(&record);
        // Quadratic time is a thousand times as much.
        assert!(took < 50 * plain, "{name}: {took:?} against {plain:?}");
    }
}

#[test]
fn a_property_of_many_moves_is_no_way_around_the_limit() {
    let limits = Limits {
        nodes: 4,
        ..Limits::default()
    };
    let collection = parse(b"(;SZ[9];B[aa][bb][cc][dd][ee][ff])", &limits);
    assert_eq!(moves(&collection.games[0]), "Baa Bbb Bcc Bdd");
    assert!(codes(&collection).contains(&"too-many-nodes"));
}
