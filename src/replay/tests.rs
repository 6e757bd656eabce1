use super::*;
use crate::board::Color;
use crate::finding::{Code, Finding, Severity};
use crate::rules::Rules;
use crate::sgf::{Limits, parse};

fn replayed(sgf: &str) -> Replay {
    let collection = parse(sgf.as_bytes(), &Limits::default());
    let game = &collection.games[0];
    replay(game, &choose_rules(&game.header, None).in_play())
}

/// The codes found in a game with their severity and move: `superko error 7`.
fn found(sgf: &str) -> Vec<String> {
    let of = |finding: &Finding| {
        let number = finding.move_number.map(|number| format!(" {number}"));
        let (code, severity) = (finding.code.as_str(), finding.severity.as_str());
        format!("{code} {severity}{}", number.unwrap_or_default())
    };
    replayed(sgf).findings.iter().map(of).collect()
}

/// Every page of a finding about the course of a game shows a game in which kifu finds it.
#[test]
fn the_example_of_every_page_is_an_example() {
    for code in [
        Code::OccupiedPoint,
        Code::OffBoard,
        Code::Suicide,
        Code::KoRetaken,
        Code::Superko,
        Code::SituationalSuperko,
        Code::OutOfTurn,
        Code::WhiteFirst,
        Code::MoveAfterEnd,
        Code::SeveralMoves,
        Code::SetupAfterPlay,
        Code::SetupAndMove,
        Code::SetupConflict,
        Code::SetupWithoutLiberty,
        Code::HandicapMismatch,
        Code::HandicapPlayed,
        Code::KomiDoubtful,
        Code::KomiAgainstResult,
        Code::ResignerMovedLast,
        Code::UnknownRules,
        Code::NoMoves,
    ] {
        let example: String = code
            .page()
            .lines()
            .filter_map(|line| line.strip_prefix("    "))
            .collect();
        assert!(example.starts_with("(;"), "{}", code.as_str());
        let collection = parse(example.as_bytes(), &Limits::default());
        let game = &collection.games[0];
        let chosen = choose_rules(&game.header, None);
        let codes: Vec<Code> = replay(game, &chosen.in_play())
            .findings
            .into_iter()
            .chain(chosen.finding)
            .map(|finding| finding.code)
            .collect();
        assert_eq!(codes, [code], "{example}");
    }
}

#[test]
fn a_clean_game_has_nothing_to_tell() {
    let game = replayed("(;GM[1]SZ[9]KM[6.5]RE[W+6.5];B[ee];W[ge];B[gf];W[];B[])");
    assert_eq!(game.findings, []);
    assert_eq!((game.moves, game.passes, game.illegal), (5, 2, 0));
    assert_eq!(game.last_mover, Some(Color::Black));
    assert_eq!(game.to_move, Color::White);
}

#[test]
fn one_mistake_is_one_finding() {
    // White plays on a stone; the game goes on as if White had passed.
    let sgf = "(;GM[1]SZ[9];B[ee];W[ee];B[ge];W[gf];B[ff];W[hh])";
    assert_eq!(found(sgf), ["occupied-point error 2"]);
    // A board of 19x19 that says 9: every move is wrong, and every one is found.
    let moves: String = (0..40)
        .map(|n| if n % 2 == 0 { ";B[pd]" } else { ";W[dp]" })
        .collect();
    let game = replayed(&format!("(;GM[1]SZ[9]{moves})"));
    assert_eq!(game.findings.len(), 40);
    assert_eq!((game.illegal, game.first_illegal), (40, Some(1)));
}

#[test]
fn the_rules_decide_whether_suicide_is_an_error() {
    let sgf = |rules| format!("(;GM[1]SZ[9]RU[{rules}];B[ba];W[ee];B[ab];W[aa];B[gg])");
    assert_eq!(found(&sgf("Chinese")), ["suicide error 4"]);
    assert_eq!(found(&sgf("NZ")), ["suicide note 4"]);
    // A single stone's suicide repeats the position, which positional superko forbids.
    assert_eq!(found(&sgf("Tromp-Taylor")), ["superko error 4"]);
}

#[test]
fn handicap_comes_in_three_ways() {
    let set_up = replayed("(;GM[1]SZ[9]HA[2]AB[cc][gg];W[ee];B[ce])");
    assert_eq!((set_up.handicap, set_up.findings.len()), (2, 0));
    let played = replayed("(;GM[1]SZ[9]HA[2];B[cc];B[gg];W[ee];B[ce])");
    assert_eq!((played.handicap, played.findings.len()), (2, 0));
    let with_passes = replayed("(;GM[1]SZ[9]HA[2];B[cc];W[];B[gg];W[ee];B[ce])");
    assert_eq!((with_passes.handicap, with_passes.findings.len()), (2, 0));
    // Without a handicap White may pass.
    for said in ["", "HA[0]", "HA[1]"] {
        let even = replayed(&format!("(;GM[1]SZ[9]{said};B[cc];W[];B[gg];W[ee])"));
        assert_eq!((even.handicap, even.findings.len()), (0, 0), "{said}");
        assert_eq!(even.first_pass, Some(Color::White));
    }
    assert_eq!(with_passes.first_pass, None);
    let announced = replayed("(;GM[1]SZ[9]HA[2];W[ee];B[ce])");
    assert_eq!(announced.handicap, 2);
    assert_eq!(announced.findings[0].code, Code::HandicapMismatch);
    let unsaid = replayed("(;GM[1]SZ[9]AB[ee];W[ce];B[cd])");
    assert_eq!((unsaid.handicap, unsaid.findings.len()), (1, 0));
    let black_first = "(;GM[1]SZ[9]HA[2]AB[cc][gg];B[ee];W[ce])";
    assert_eq!(found(black_first), ["handicap-mismatch warning"]);
    let problem = replayed("(;GM[1]SZ[9]AB[cc][gg]AW[ee];B[ce];W[cd])");
    assert_eq!((problem.handicap, problem.findings.len()), (0, 0));
}

#[test]
fn what_ko_forces_is_played_and_reported() {
    // White plays on Black's stone, and takes back the ko at once.
    let onto = "(;GM[1]SZ[9];B[ee];W[ee]KO[];B[ge])";
    assert_eq!(found(onto), ["occupied-point warning 2"]);
    let game = replayed(onto);
    assert_eq!((game.illegal, game.moves), (0, 3));
    assert_eq!(game.board.stones(Color::White).len(), 1);
    assert_eq!(game.board.stones(Color::Black).len(), 1);
    let retaken = "(;GM[1]SZ[9]AB[ba][ab][bc]AW[ca][db][cc]PL[B];B[cb];W[bb]KO[1];B[cb]KO[1])";
    assert_eq!(found(retaken), ["ko-retaken warning 3"]);
    let suicide = "(;GM[1]SZ[9]RU[Chinese]AB[ba][ab]PL[W];W[aa]KO[];B[ee])";
    assert_eq!(found(suicide), ["suicide warning 1"]);
    // There is no place for a stone off the board, and nothing to say of a legal move.
    let off = "(;GM[1]SZ[9];B[pd]KO[];W[ee])";
    assert_eq!(found(off), ["off-board error 1"]);
    assert_eq!(found("(;GM[1]SZ[9];B[ee]KO[];W[ge])"), [""; 0]);
}

#[test]
fn a_point_is_set_up_once_and_before_any_move() {
    let game = replayed("(;GM[1]SZ[9]AB[cc][ee]AW[ee][gg]AE[cc];B[gc])");
    assert_eq!(
        game.findings[0].message,
        "C7, E5 are set up in more than one way in a node; AW[] wins over AB[], and both over AE[]."
    );
    assert_eq!(game.board.stones(Color::White).len(), 2);
    assert_eq!(
        found("(;GM[1]SZ[9];AB[ee]W[ce];B[cc])"),
        ["setup-and-move warning 1"]
    );
    // Moves that come with one setup are reported once.
    assert_eq!(
        found("(;GM[1]SZ[9];AB[ee]W[ce]B[cc];W[gg])"),
        ["setup-and-move warning 1", "several-moves warning 2"]
    );
}

#[test]
fn turns_are_watched() {
    assert_eq!(
        found("(;GM[1]SZ[9];B[cc];W[gg];W[ee];B[ec])"),
        ["out-of-turn warning 3"]
    );
    // PL gives the turn.
    assert_eq!(found("(;GM[1]SZ[9]PL[W];W[cc];B[gg])"), [""; 0]);
    assert_eq!(
        found("(;GM[1]SZ[9];B[cc];W[ce];PL[W];W[gg];B[ee])"),
        [""; 0]
    );
    // After two passes either player may go on.
    let resumed = "(;GM[1]SZ[9];B[cc];W[gg];B[];W[];W[ee];B[ec])";
    assert_eq!(found(resumed), ["move-after-end note 5"]);
}

#[test]
fn komi_and_margin_must_fit() {
    let fits = |komi: &str, result: &str, rules: &str| {
        let sgf = format!("(;GM[1]SZ[9]RU[{rules}]KM[{komi}]RE[{result}];B[ee];W[ce])");
        found(&sgf).is_empty()
    };
    assert!(fits("6.5", "B+3.5", "Japanese"));
    assert!(fits("6.5", "W+0.5", "Japanese"));
    assert!(fits("6", "Draw", "Japanese"));
    assert!(fits("0", "B+10", "Japanese"));
    assert!(fits("6.5", "W+R", "Japanese"));
    assert!(!fits("6.5", "Draw", "Japanese"));
    assert!(!fits("6.5", "B+3", "Japanese"));
    assert!(!fits("7", "W+0.5", "Chinese"));
    // Chinese stones, with a komi in points or in stones.
    assert!(fits("7.5", "B+0.25", "Chinese"));
    assert!(fits("3.75", "W+1.25", "Chinese"));
    // A button is worth half a point.
    assert!(fits("7", "W+0.5", "AGA with button"));
}

#[test]
fn the_end_is_what_the_record_says() {
    let ended = |sgf: &str| {
        let collection = parse(sgf.as_bytes(), &Limits::default());
        let game = &collection.games[0];
        replay(game, &Rules::default()).ended_by(game.header.result.as_ref())
    };
    assert_eq!(ended("(;SZ[9]RE[B+R];B[ee])"), EndedBy::Resignation);
    assert_eq!(ended("(;SZ[9]RE[B+T];B[ee])"), EndedBy::Time);
    assert_eq!(ended("(;SZ[9]RE[B+F];B[ee])"), EndedBy::Forfeit);
    assert_eq!(ended("(;SZ[9]RE[B+3.5];B[ee])"), EndedBy::Counted);
    assert_eq!(ended("(;SZ[9]RE[0];B[ee])"), EndedBy::Counted);
    assert_eq!(ended("(;SZ[9]RE[Void];B[ee])"), EndedBy::Unfinished);
    assert_eq!(ended("(;SZ[9];B[ee];W[];B[])"), EndedBy::Passes);
    assert_eq!(ended("(;SZ[9]RE[B+R];B[ee];W[];B[])"), EndedBy::Passes);
    assert_eq!(ended("(;SZ[9];B[ee];W[])"), EndedBy::Unknown);
}

#[test]
fn a_mistake_before_the_branches_is_told_by_the_main_line_alone() {
    let sgf = "(;GM[1]SZ[9];B[ee];W[ee](;B[cc];W[cc])(;B[gg](;W[gg])(;W[ee])))";
    let collection = parse(sgf.as_bytes(), &Limits::default());
    let game = &collection.games[0];
    assert_eq!(
        found(sgf),
        ["occupied-point error 2", "occupied-point error 4"]
    );
    let (branches, _) = collection.branches(game);
    let findings = replay_variations(
        game,
        &branches,
        &Rules::default(),
        MOST_VARIATION_MOVES,
        100,
        None,
    );
    let moves: Vec<_> = findings.iter().map(|finding| finding.move_number).collect();
    assert_eq!(moves, [Some(4), Some(4)]);
}

#[test]
fn a_tree_of_endless_variations_comes_to_an_end() {
    // A comb: a main line with a variation at every move.
    let moves = 200;
    let mut sgf = String::from("(;SZ[19]");
    for _ in 0..moves {
        sgf.push_str("(;B[]");
    }
    for _ in 0..moves {
        sgf.push_str(")(;W[])");
    }
    sgf.push(')');
    let collection = parse(sgf.as_bytes(), &Limits::default());
    let game = &collection.games[0];
    let (branches, _) = collection.branches(game);
    let reported = |most_work| {
        let findings = replay_variations(game, &branches, &Rules::default(), most_work, 100, None);
        findings
            .iter()
            .any(|finding| finding.code == Code::TooManyVariations)
    };
    assert!(reported(10_000));
    assert!(!reported(MOST_VARIATION_MOVES));
}

#[test]
fn of_a_cycle_every_forbidden_move_is_found_and_of_an_allowed_one_the_first() {
    let cycle = ";W[fb];B[];W[bb];B[gb];W[];B[cb]";
    let replayed = |rules| {
        replayed(&format!(
            "(;GM[1]SZ[8:3]RU[{rules}]PL[W]AB[ba][bc][ab][cb][fa][fc][eb][gb]\
             AW[ca][cc][db][ga][gc][hb]{cycle}{cycle})"
        ))
    };
    let found = |replay: &Replay, severity| {
        let findings = replay.findings.iter();
        findings
            .filter(|finding| finding.severity == severity)
            .count()
    };
    let forbidden = replayed("AGA");
    assert_eq!((forbidden.illegal, forbidden.first_illegal), (5, Some(6)));
    assert_eq!(found(&forbidden, Severity::Error), 5);
    let allowed = replayed("Japanese");
    assert_eq!(allowed.illegal, 0);
    assert_eq!(found(&allowed, Severity::Note), 1);
}
