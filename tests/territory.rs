//! What the count calls territory, held against what can be proven or read out on small boards.
//!
//! `PROPTEST_CASES=20000 cargo test --test territory` looks at many more boards.

use std::collections::HashMap;

use kifu::board::{Board, Color, Point, PointSet, Size};
use kifu::count::{Mark, ScoreMap, ScoringTerms, count};
use kifu::life::benson;
use kifu::rules::Preset;
use proptest::prelude::*;

/// Boards with Black on one side, White on the other, a ragged border and holes everywhere: full of
/// eyes, false eyes, dame and sekis. Every chain has a liberty.
fn boards() -> impl Strategy<Value = Board> {
    let sizes = (1u8..=5, 1u8..=7, 0u8..=8, 4u8..9);
    let spots = proptest::collection::vec((0u8..3, any::<u8>()), 35);
    (sizes, spots).prop_filter_map("chains have liberties", |(sizes, spots)| {
        let (height, width, border, holes) = sizes;
        let size = Size::new(width, height)?;
        let mut board = Board::new(size);
        for (point, (jitter, hole)) in size.points().zip(spots) {
            let color = match point.x() + jitter < border {
                true => Color::Black,
                false => Color::White,
            };
            board.set(point, (hole % holes > 0).then_some(color));
        }
        all_stand(&board).then_some(board)
    })
}

/// Whether every chain has a liberty.
fn all_stand(board: &Board) -> bool {
    let stands = |point: &Point| !board.liberties(*point).is_empty();
    board.chains().iter().all(stands)
}

fn counted(board: &Board) -> ScoreMap {
    let terms = ScoringTerms::default();
    count(board, &PointSet::EMPTY, &Preset::Japanese.rules(), &terms).map
}

/// The point where one goes when the board is turned or mirrored in one of eight ways.
fn turned(size: Size, point: Point, way: u8) -> Point {
    let (mut x, mut y) = (point.x(), point.y());
    if way & 1 != 0 {
        x = size.width() - 1 - x;
    }
    if way & 2 != 0 {
        y = size.height() - 1 - y;
    }
    match way & 4 {
        0 => Point::new(x, y),
        _ => Point::new(y, x),
    }
}

fn swapped(mark: Mark) -> Mark {
    match mark {
        Mark::Stone(color) => Mark::Stone(color.other()),
        Mark::Seki(color) => Mark::Seki(color.other()),
        Mark::Dead(color) => Mark::Dead(color.other()),
        Mark::Territory(color) => Mark::Territory(color.other()),
        Mark::Dame => Mark::Dame,
    }
}

/// Chains that surround regions together.
struct Group {
    color: Color,
    stones: PointSet,
    /// The regions that they alone surround.
    regions: Vec<PointSet>,
}

impl Group {
    fn all(board: &Board) -> Vec<Group> {
        let size = board.size();
        let mut groups = Vec::new();
        for color in Color::BOTH {
            let enemy = board.stones(color.other());
            let surrounded: Vec<PointSet> = (board.empty().parts())
                .filter(|region| !region.neighbors(size).meets(&enemy))
                .collect();
            let mut rest = board.stones(color);
            while let Some(start) = rest.first() {
                let mut stones: PointSet = board.chain(start).collect();
                let mut regions: Vec<PointSet> = Vec::new();
                while let Some(&region) = surrounded.iter().find(|region| {
                    !regions.contains(region) && region.neighbors(size).meets(&stones)
                }) {
                    let wall = region.neighbors(size) & board.stones(color);
                    stones.extend(wall.iter().flat_map(|stone| board.chain(stone)));
                    regions.push(region);
                }
                rest &= !stones;
                groups.push(Group {
                    color,
                    stones,
                    regions,
                });
            }
        }
        groups
    }

    fn points(&self) -> PointSet {
        let regions = self.regions.iter();
        regions.fold(PointSet::EMPTY, |points, &region| points | region)
    }

    /// The board when the enemy has filled the dame around the group, unless the group could
    /// connect something there.
    fn without_dame(&self, board: &Board) -> Option<Board> {
        let size = board.size();
        let mut filled = board.clone();
        for region in board.empty().parts() {
            let around = region.neighbors(size);
            let own = around & board.stones(self.color);
            if !own.meets(&self.stones) || self.regions.contains(&region) {
                continue;
            }
            let chain: PointSet = board.chain(own.first()?).collect();
            if region.len() > 1 || !own.is_subset(&chain) {
                return None;
            }
            filled.set(region.first()?, Some(self.color.other()));
        }
        Some(filled)
    }
}

/// Reads out whether the enemy can take a stone of a group by moves on these points.
struct Attack<'a> {
    group: &'a Group,
    points: PointSet,
    /// A point that the owner must not play on.
    barred: Option<Point>,
    known: HashMap<(u64, Color, u32), bool>,
}

impl Attack<'_> {
    fn succeeds(&mut self, board: &Board, turn: Color, depth: u32) -> bool {
        let owner = self.group.color;
        if !self.group.stones.is_subset(&board.stones(owner)) {
            return true;
        }
        if depth == 0 {
            return false;
        }
        let key = (board.hash(), turn, depth);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        // The owner may pass; the enemy could have stopped before.
        let mut succeeds = turn == owner && self.succeeds(board, turn.other(), depth - 1);
        let points = self.points;
        for point in points.iter() {
            if succeeds != (turn == owner) {
                break;
            }
            let mut next = board.clone();
            if turn == owner && self.barred == Some(point) || next.play(turn, point).is_err() {
                continue;
            }
            succeeds = self.succeeds(&next, turn.other(), depth - 1);
        }
        self.known.insert(key, succeeds);
        succeeds
    }
}

fn can_be_taken(group: &Group, board: &Board, points: PointSet, barred: Option<Point>) -> bool {
    let mut attack = Attack {
        group,
        points,
        barred,
        known: HashMap::new(),
    };
    attack.succeeds(board, group.color.other(), 2 * points.len() as u32 + 2)
}

fn cases(times: u32) -> ProptestConfig {
    let default = ProptestConfig::default();
    ProptestConfig {
        cases: times * default.cases,
        max_global_rejects: 1_000_000,
        max_local_rejects: 10_000_000,
        failure_persistence: None,
        ..default
    }
}

proptest! {
    #![proptest_config(cases(1))]

    #[test]
    fn a_turned_board_counts_the_same(board in boards(), way in 0u8..8, swap in any::<bool>()) {
        let size = board.size();
        let turned_size = match way & 4 {
            0 => size,
            _ => Size::new(size.height(), size.width()).unwrap(),
        };
        let mut other = Board::new(turned_size);
        for point in size.points() {
            let stone = board.stone(point);
            let stone = if swap { stone.map(Color::other) } else { stone };
            other.set(turned(size, point, way), stone);
        }
        let map = counted(&board);
        let other = counted(&other);
        for point in size.points() {
            let mark = map.mark(point);
            let mark = if swap { swapped(mark) } else { mark };
            prop_assert_eq!(other.mark(turned(size, point, way)), mark, "{}{}", map, other);
        }
    }

    /// With every dame in the enemy's hands, so that no eye is shared.
    #[test]
    fn what_needs_no_move_is_alive_and_territory(board in boards()) {
        let map = counted(&board);
        for color in Color::BOTH {
            let [own, enemy] = [color, color.other()].map(|color| board.stones(color));
            let mut filled = board.clone();
            let mut surrounded = PointSet::EMPTY;
            for region in board.empty().parts() {
                let around = region.neighbors(board.size());
                match (around.meets(&own), around.meets(&enemy)) {
                    (true, true) => region.iter().for_each(|p| filled.set(p, Some(color.other()))),
                    (true, false) => surrounded |= region,
                    _ => {}
                }
            }
            if !all_stand(&filled) {
                continue;
            }
            let proven = benson::unconditional(&filled);
            for point in proven.alive(color).iter() {
                prop_assert_eq!(map.mark(point), Mark::Stone(color), "{}", map);
            }
            for point in (*proven.territory(color) & surrounded).iter() {
                prop_assert_eq!(map.mark(point), Mark::Territory(color), "{}", map);
            }
        }
    }
}

proptest! {
    #![proptest_config(cases(8))]

    /// Eyes of one or two points hold no second eye, so a move in one of them connects.
    #[test]
    fn in_small_eyes_exactly_the_false_ones_have_to_be_filled(board in boards()) {
        let map = counted(&board);
        for group in Group::all(&board) {
            let lives = |point: Point| map.mark(point) == Mark::Stone(group.color);
            let points = group.points();
            if !group.stones.iter().all(lives)
                || group.regions.iter().any(|region| region.len() > 2)
                || points.len() > 5
            {
                continue;
            }
            let Some(board) = group.without_dame(&board) else {
                continue;
            };
            let to_fill: PointSet = points.iter().filter(|&p| map.mark(p) == Mark::Dame).collect();
            let mut filled = board.clone();
            for point in to_fill.iter() {
                filled.set(point, Some(group.color));
            }
            prop_assert!(!can_be_taken(&group, &filled, points & !to_fill, None), "{}", map);
            for point in to_fill.iter() {
                prop_assert!(can_be_taken(&group, &board, points, Some(point)), "{}", map);
            }
        }
    }
}
