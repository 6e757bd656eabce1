//! Plays the games in `fixtures/games`.
//!
//!     cargo run --release --example made_games -- fixtures/games
//!
//! Records of real games belong to whoever played or recorded them, so the ones that kifu shows
//! itself on are played by this program against itself, and come out the same every time. It
//! knows just enough Go for a game to have an opening, fights, territories, dead stones left on
//! the board and two passes at the end: from every position it plays some hundred games to the
//! end at random, prefers the points that were good for whoever took them first, and passes when
//! every point on the board belongs to somebody.

use std::fmt::Write as _;
use std::path::Path;

use kifu::rules::{Board, Color, Point, Size};

/// One game to be played.
struct Plan {
    file: &'static str,
    size: (u8, u8),
    rules: &'static str,
    komi: f64,
    handicap: &'static [&'static str],
    players: [&'static str; 2],
    ranks: [&'static str; 2],
    date: &'static str,
    event: &'static str,
    /// A player who is this many points behind after the opening gives up.
    resigns_at: f64,
}

const CALM: f64 = 1000.0;

#[rustfmt::skip]
const PLANS: [Plan; 12] = [
    Plan { file: "club-9x9-1", size: (9, 9), rules: "Japanese", komi: 6.5, handicap: &[], players: ["Ada Quill", "Bo Lindgren"], ranks: ["4k", "3k"], date: "2024-03-02", event: "Club evening", resigns_at: CALM },
    Plan { file: "club-9x9-2", size: (9, 9), rules: "Japanese", komi: 6.5, handicap: &[], players: ["Bo Lindgren", "Ada Quill"], ranks: ["3k", "4k"], date: "2024-03-02", event: "Club evening", resigns_at: CALM },
    Plan { file: "club-9x9-3", size: (9, 9), rules: "Chinese", komi: 7.0, handicap: &[], players: ["Cleo Marsh", "Dov Perl"], ranks: ["1d", "1d"], date: "2024-03-09", event: "Club evening", resigns_at: CALM },
    Plan { file: "lesson-9x9", size: (9, 9), rules: "Japanese", komi: 0.5, handicap: &["cg", "gc", "gg"], players: ["Eva Noor", "Cleo Marsh"], ranks: ["12k", "1d"], date: "2024-03-16", event: "Lesson", resigns_at: CALM },
    Plan { file: "league-13x13-1", size: (13, 13), rules: "Japanese", komi: 6.5, handicap: &[], players: ["Finn Aho", "Gita Rao"], ranks: ["2k", "2k"], date: "2024-04-06", event: "Spring league", resigns_at: CALM },
    Plan { file: "league-13x13-2", size: (13, 13), rules: "AGA", komi: 7.5, handicap: &[], players: ["Gita Rao", "Hugo Beck"], ranks: ["2k", "1k"], date: "2024-04-13", event: "Spring league", resigns_at: CALM },
    Plan { file: "wide-13x9", size: (13, 9), rules: "Tromp-Taylor", komi: 6.5, handicap: &[], players: ["Ines Vidal", "Jun Ota"], ranks: ["5k", "5k"], date: "2024-04-20", event: "Odd boards day", resigns_at: CALM },
    Plan { file: "final-19x19", size: (19, 19), rules: "Japanese", komi: 6.5, handicap: &[], players: ["Cleo Marsh", "Dov Perl"], ranks: ["1d", "1d"], date: "2024-05-04", event: "Summer cup, final", resigns_at: CALM },
    Plan { file: "semifinal-19x19-1", size: (19, 19), rules: "Chinese", komi: 7.5, handicap: &[], players: ["Kira Holm", "Cleo Marsh"], ranks: ["2d", "1d"], date: "2024-05-04", event: "Summer cup, semifinal", resigns_at: CALM },
    Plan { file: "semifinal-19x19-2", size: (19, 19), rules: "Chinese", komi: 7.5, handicap: &[], players: ["Dov Perl", "Luis Gama"], ranks: ["1d", "1d"], date: "2024-05-04", event: "Summer cup, semifinal", resigns_at: 25.0 },
    Plan { file: "handicap-19x19", size: (19, 19), rules: "Japanese", komi: 0.5, handicap: &["dd", "pp", "dp", "pd"], players: ["Eva Noor", "Kira Holm"], ranks: ["11k", "2d"], date: "2024-05-11", event: "Summer cup, side event", resigns_at: CALM },
    Plan { file: "new-zealand-19x19", size: (19, 19), rules: "NZ", komi: 7.0, handicap: &[], players: ["Mira Tau", "Ned Wirth"], ranks: ["3k", "3k"], date: "2024-05-18", event: "By post", resigns_at: CALM },
];

fn main() {
    let folder = std::env::args()
        .nth(1)
        .expect("give the folder to write to");
    for (number, plan) in PLANS.iter().enumerate() {
        let text = play(plan, 0x9e37_79b9_7f4a_7c15 ^ (number as u64 + 1));
        let path = Path::new(&folder).join(format!("{}.sgf", plan.file));
        std::fs::write(&path, text).expect("the folder can be written to");
        println!("{}", path.display());
    }
}

/// Plays a game and writes its record.
fn play(plan: &Plan, seed: u64) -> String {
    let size = Size::new(plan.size.0, plan.size.1).expect("the plans are our own");
    let mut board = Board::new(size);
    for stone in plan.handicap {
        board.set(
            Point::from_sgf(stone.as_bytes()).expect("a point"),
            Some(Color::Black),
        );
    }
    let mut color = if plan.handicap.is_empty() {
        Color::Black
    } else {
        Color::White
    };
    let mut dice = Dice(seed);
    let mut seen = vec![board.hash()];
    let mut moves: Vec<(Color, Option<Point>)> = Vec::new();
    let mut prisoners = [0; 2];
    let mut last = None;
    let result = loop {
        let dream = Dream::of(&board, color, last, 300, &mut dice);
        let lead = dream.lead - plan.komi;
        let behind = if color == Color::Black { -lead } else { lead };
        if moves.len() > size.area() / 2 && behind > plan.resigns_at {
            break format!("{}+R", color.other().letter());
        }
        let choice = dream.best_move(&board, color, moves.len(), &seen);
        moves.push((color, choice));
        match choice {
            Some(point) => {
                let captures = board
                    .play(color, point)
                    .expect("only legal moves are dreamt of");
                prisoners[color.index()] += usize::from(captures.taken);
                seen.push(board.hash());
            }
            None => board.lift_ko(),
        }
        if matches!(moves[..], [.., (_, None), (_, None)]) {
            break count(plan, &board, prisoners, &mut dice);
        }
        last = choice;
        color = color.other();
    };
    write_record(plan, size, &moves, &result)
}

/// The result by the rules of the plan, with the stones that the dreams call dead taken off.
fn count(plan: &Plan, board: &Board, prisoners: [usize; 2], dice: &mut Dice) -> String {
    let dream = Dream::of(board, Color::Black, None, 4000, dice);
    let mut lead = -plan.komi;
    let area = plan.rules != "Japanese";
    for point in board.size().points() {
        let owner = match dream.owner[point.index()] {
            share if share > 0.5 => Color::Black,
            share if share < -0.5 => Color::White,
            _ => continue,
        };
        let points = match board.stone(point) {
            Some(color) if color == owner => u8::from(area),
            Some(_) => {
                if area {
                    1
                } else {
                    2
                }
            }
            None => 1,
        };
        lead += if owner == Color::Black {
            f64::from(points)
        } else {
            -f64::from(points)
        };
    }
    if !area {
        lead += prisoners[0] as f64 - prisoners[1] as f64;
    }
    match lead {
        0.0 => "0".to_string(),
        lead if lead > 0.0 => format!("B+{lead}"),
        lead => format!("W+{}", -lead),
    }
}

fn write_record(plan: &Plan, size: Size, moves: &[(Color, Option<Point>)], result: &str) -> String {
    let Plan {
        rules,
        komi,
        players,
        ranks,
        date,
        event,
        handicap,
        ..
    } = plan;
    let mut text = String::from("(;GM[1]FF[4]CA[UTF-8]AP[kifu made_games]\n");
    let board = match (size.width(), size.height()) {
        (width, height) if width == height => width.to_string(),
        (width, height) => format!("{width}:{height}"),
    };
    let _ = writeln!(text, "SZ[{board}]KM[{komi}]RU[{rules}]RE[{result}]");
    let _ = writeln!(
        text,
        "PB[{}]BR[{}]PW[{}]WR[{}]",
        players[0], ranks[0], players[1], ranks[1]
    );
    let _ = writeln!(text, "DT[{date}]EV[{event}]");
    if !handicap.is_empty() {
        let _ = writeln!(text, "HA[{}]AB[{}]", handicap.len(), handicap.join("]["));
    }
    for line in moves.chunks(10) {
        for (color, point) in line {
            let point = point.map(Point::to_sgf).unwrap_or_default();
            let _ = write!(text, ";{}[{point}]", color.letter());
        }
        text.push('\n');
    }
    text.truncate(text.trim_end().len());
    text + ")\n"
}

/// What many random games from a position say about it.
struct Dream {
    /// For each point, from -1 (always White's in the end) to 1 (always Black's).
    owner: Vec<f64>,
    /// For each point, Black's average lead in games where the player to move took it first.
    worth: Vec<(f64, u32)>,
    /// Black's average lead on the board.
    lead: f64,
}

impl Dream {
    fn of(board: &Board, color: Color, last: Option<Point>, games: u32, dice: &mut Dice) -> Dream {
        let padded = board.size().padded();
        let mut dream = Dream {
            owner: vec![0.0; padded],
            worth: vec![(0.0, 0); padded],
            lead: 0.0,
        };
        for _ in 0..games {
            let mut first: Vec<Option<Color>> = vec![None; padded];
            let end = random_game(board.clone(), color, last, &mut first, dice);
            let mut lead = 0.0;
            for point in board.size().points() {
                let owner = end.stone(point).or_else(|| {
                    // Only eyes are left empty.
                    point
                        .neighbors()
                        .into_iter()
                        .find_map(|beside| end.stone(beside))
                });
                let share = match owner {
                    Some(Color::Black) => 1.0,
                    Some(Color::White) => -1.0,
                    None => 0.0,
                };
                dream.owner[point.index()] += share / f64::from(games);
                lead += share;
            }
            dream.lead += lead / f64::from(games);
            for point in board.size().points() {
                if first[point.index()] == Some(color) {
                    let (sum, count) = &mut dream.worth[point.index()];
                    *sum += lead;
                    *count += 1;
                }
            }
        }
        dream
    }

    /// The point that was worth most, among those that are not decided yet.
    fn best_move(&self, board: &Board, color: Color, number: usize, seen: &[u64]) -> Option<Point> {
        let size = board.size();
        let sign = if color == Color::Black { 1.0 } else { -1.0 };
        let opening = number < size.area() / 9;
        let mut best: Option<(f64, Point)> = None;
        for point in size.points() {
            if board.check(color, point).is_err() || is_eye(board, color, point) {
                continue;
            }
            let unsettled = |point: Point| self.owner[point.index()].abs() < 0.9;
            let beside_unsettled = point
                .neighbors()
                .into_iter()
                .any(|beside| board.stone(beside).is_some() && unsettled(beside));
            let (sum, count) = self.worth[point.index()];
            if count < 8 || !(unsettled(point) || beside_unsettled) {
                continue;
            }
            // Nobody opens on the first two lines.
            let edge = |at: u8, side: u8| at.min(side - 1 - at);
            let line = edge(point.x(), size.width()).min(edge(point.y(), size.height()));
            if opening && (line < 2 || (size.area() > 200 && line > 4)) {
                continue;
            }
            let mut after = board.clone();
            after.put(color, point);
            if seen.contains(&after.hash()) {
                continue;
            }
            // A stone that can be taken at once has to take something itself.
            if after.atari(point).is_some() && board.captured_by(color, point).is_empty() {
                continue;
            }
            let worth = sign * sum / f64::from(count);
            if best.is_none_or(|(most, _)| worth > most) {
                best = Some((worth, point));
            }
        }
        best.map(|(_, point)| point)
    }
}

/// A game to the end: saves and takes what the last move put at stake, else plays anywhere but
/// into its own eyes. Notes who takes each point first.
fn random_game(
    mut board: Board,
    mut color: Color,
    mut last: Option<Point>,
    first: &mut [Option<Color>],
    dice: &mut Dice,
) -> Board {
    let mut empty: Vec<Point> = board.empty().iter().collect();
    let mut passes = 0;
    for _ in 0..3 * board.size().area() {
        let urgent = last.and_then(|last| urgent_move(&board, color, last));
        let choice = urgent.filter(|_| dice.below(10) < 9).or_else(|| {
            let mut left = empty.len();
            while left > 0 {
                let at = dice.below(left);
                let point = empty[at];
                let playable = board.check(color, point).is_ok() && !is_eye(&board, color, point);
                if playable {
                    return Some(point);
                }
                left -= 1;
                empty.swap(at, left);
            }
            None
        });
        match choice {
            Some(point) => {
                let captures = board.put(color, point);
                if captures.taken > 0 {
                    empty = board.empty().iter().collect();
                } else {
                    empty.retain(|&other| other != point);
                }
                first[point.index()].get_or_insert(color);
                passes = 0;
            }
            None => {
                board.lift_ko();
                passes += 1;
                if passes == 2 {
                    break;
                }
            }
        }
        last = choice;
        color = color.other();
    }
    board
}

/// Takes the stone that was just played, or saves one that it attacks.
fn urgent_move(board: &Board, color: Color, last: Point) -> Option<Point> {
    if board.stone(last) == Some(color.other())
        && let Some(liberty) = board.atari(last)
        && board.check(color, liberty).is_ok()
    {
        return Some(liberty);
    }
    let attacked = last
        .neighbors()
        .into_iter()
        .filter(|&at| board.stone(at) == Some(color));
    attacked
        .filter_map(|stone| board.atari(stone))
        .filter(|&liberty| board.check(color, liberty).is_ok())
        .find(|&liberty| {
            let mut after = board.clone();
            after.put(color, liberty);
            after.atari(liberty).is_none()
        })
}

/// Whether a point is an eye of this colour that only a fool would fill.
fn is_eye(board: &Board, color: Color, point: Point) -> bool {
    let size = board.size();
    let mine = |at: Point| board.stone(at) == Some(color);
    if !point
        .neighbors()
        .into_iter()
        .all(|at| !size.contains(at) || mine(at))
    {
        return false;
    }
    let corners = point.diagonals();
    let off = corners.iter().filter(|&&at| !size.contains(at)).count();
    let enemies = corners
        .iter()
        .filter(|&&at| board.stone(at) == Some(color.other()))
        .count();
    enemies + usize::from(off > 0) < 2
}

/// Dice that always fall the same way.
struct Dice(u64);

impl Dice {
    fn below(&mut self, count: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 32) as usize * count) >> 32
    }
}
