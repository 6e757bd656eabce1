//! The count itself: from a position and its dead stones to a score for each side.

use std::fmt;

use super::eye_graph::EyeGraph;
use super::final_position::{FinalPosition, Lifted};
use super::finish::ProtectiveMove;
use super::margin::{Margin, points};
use super::seki::Groups;
use super::servers::Counting;
use super::{dame_reach, false_eyes};
use crate::board::{Board, Color, Point, PointSet, Size, UnionFind};
use crate::life::{Life, PositionGraph};
use crate::rules::{Button, GroupTax, Points, Rules, Scoring};

/// What a game brings to its count besides the final position.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ScoringTerms {
    /// What White gets, in points.
    pub komi: f64,
    /// Stones that Black started with in place of a first move.
    pub handicap: u32,
    /// Stones that Black and White took during play.
    pub captures: [u32; 2],
    /// Who passed first, for rules with a button.
    pub first_pass: Option<Color>,
    /// How closely territory is looked at.
    pub counting: Counting,
}

/// What a point of the final position is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mark {
    /// A stone that stays on the board; also a dead one among dame or in a seki, where the point
    /// under it is nobody's.
    Stone(Color),
    /// A stone that stays on the board, alive without two eyes of its own.
    Seki(Color),
    /// A dead stone that is lifted: the point is the other side's.
    Dead(Color),
    /// An empty point that one side surrounds.
    Territory(Color),
    /// An empty point that is worth nothing: shared, or needed to connect, or an eye in a seki.
    Dame,
}

impl Mark {
    /// The sign for it in a drawing and in the `map` of JSON lines.
    pub fn sign(self) -> char {
        use Color::{Black, White};
        match self {
            Mark::Stone(Black) => 'X',
            Mark::Stone(White) => 'O',
            Mark::Dead(Black) => 'x',
            Mark::Dead(White) => 'o',
            Mark::Seki(Black) => '#',
            Mark::Seki(White) => '@',
            Mark::Territory(Black) => 'b',
            Mark::Territory(White) => 'w',
            Mark::Dame => '.',
        }
    }
}

/// The final position, point by point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScoreMap {
    size: Size,
    marks: Vec<Mark>,
}

impl ScoreMap {
    /// Width and height of the board.
    pub fn size(&self) -> Size {
        self.size
    }

    /// What the point is; the point must be on the board.
    pub fn mark(&self, point: Point) -> Mark {
        self.marks[point.y() as usize * self.size.width() as usize + point.x() as usize]
    }

    pub(super) fn set(&mut self, point: Point, mark: Mark) {
        self.marks[point.y() as usize * self.size.width() as usize + point.x() as usize] = mark;
    }

    /// The points that bear a mark.
    pub fn points(&self, wanted: impl Fn(Mark) -> bool) -> PointSet {
        self.size
            .points()
            .zip(&self.marks)
            .filter(|&(_, &mark)| wanted(mark))
            .map(|(point, _)| point)
            .collect()
    }

    /// One text a row, from the top, in the signs of [`Mark::sign`].
    pub fn rows(&self) -> Vec<String> {
        self.marks
            .chunks(self.size.width() as usize)
            .map(|row| row.iter().map(|mark| mark.sign()).collect())
            .collect()
    }
}

impl fmt::Display for ScoreMap {
    /// The rows, one per line, with a blank between the points.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in self.marks.chunks(self.size.width() as usize) {
            let signs: Vec<String> = row.iter().map(|mark| mark.sign().to_string()).collect();
            writeln!(f, "{}", signs.join(" "))?;
        }
        Ok(())
    }
}

/// What one side has.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Side {
    /// Points it surrounds: empty ones, and those under the enemy's dead stones.
    pub territory: u32,
    /// Its stones that stay on the board alive.
    pub stones: u32,
    /// Its dead stones: prisoners of the other side.
    pub dead: u32,
    /// Stones it took during play.
    pub captures: u32,
    /// What it gives back for the eyes its groups can't fill.
    pub group_tax: u32,
    /// Komi, compensation for handicap stones, and the button.
    pub extra: f64,
    /// All of it, by the rule set.
    pub score: f64,
}

/// A counted position.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Count {
    /// What every point is.
    pub map: ScoreMap,
    /// What Black has.
    pub black: Side,
    /// What White has.
    pub white: Side,
    /// Empty points that are worth nothing.
    pub dame: u32,
    /// Points of open regions that clearly are one side's, and so its territory.
    pub shared: u32,
    /// Groups alive in seki.
    pub seki_groups: u32,
    /// Moves that were left to play and are taken for made: their points are no territory.
    pub assumed: Vec<ProtectiveMove>,
    /// Points of Black and of White that are territory by plain counting and not by the rule book.
    pub(super) disputed: [u32; 2],
    pub(super) rules: Rules,
    pub(super) terms: ScoringTerms,
}

/// Counts a final position.
///
/// Every stone in `dead` is a prisoner. The point under it is territory where the other side
/// surrounds it; in a seki or among dame it is nobody's, and the map shows the stone as it stands.
///
/// ```
/// use kifu::board::{Board, PointSet};
/// use kifu::rules::Rules;
/// use kifu::count::{ScoringTerms, count};
///
/// let board: Board = "
///     . X . O .
///     . X . O .
///     . X . O O
///     X X . O .
///     . X . O .
/// ".parse().unwrap();
/// let rules: Rules = "japanese".parse().unwrap();
/// let mut terms = ScoringTerms::default();
/// terms.komi = 0.5;
/// let counted = count(&board, &PointSet::EMPTY, &rules, &terms);
/// assert_eq!(counted.black.territory, 4);
/// assert_eq!(counted.margin().to_string(), "W+0.5");
/// ```
pub fn count(board: &Board, dead: &PointSet, rules: &Rules, terms: &ScoringTerms) -> Count {
    let (graph, lifted) = Lifted::stones(board, dead);
    count_lifted(&graph, &lifted, rules, terms)
}

/// Counts a final position that was judged.
pub fn count_life(life: &Life, rules: &Rules, terms: &ScoringTerms) -> Count {
    let lifted = Lifted::chains(life, life.dead_chains());
    count_lifted(life.graph(), &lifted, rules, terms)
}

/// Counts a position that has been cut into chains and regions.
pub(crate) fn count_lifted(
    graph: &PositionGraph,
    lifted: &Lifted,
    rules: &Rules,
    terms: &ScoringTerms,
) -> Count {
    let rules = &terms.counting.applied_to(*rules);
    let position = FinalPosition::new(graph, lifted);
    let mut macro_chains = UnionFind::new(position.chains());
    let open_eyes = dame_reach::find_open_eyes(&position, &mut macro_chains);
    if terms.counting == Counting::Kgs {
        dame_reach::join_across(&position, &mut macro_chains);
    }
    let mut eye_graph = EyeGraph::new(&position, macro_chains, &open_eyes);
    false_eyes::fill(&mut eye_graph);
    let to_fill = eye_graph.to_fill;
    let groups = Groups::new(eye_graph);
    let mut sides = [Side::default(); 2];
    let mut dame = 0;
    let mut disputed = [0; 2];
    let chain_marks: Vec<Mark> = (0..position.chains())
        .map(|chain| {
            let color = position.color(chain);
            if position.stands(chain) {
                sides[color.index()].stones += position.stones(chain) as u32;
            }
            match groups.in_seki[chain] {
                true => Mark::Seki(color),
                false => Mark::Stone(color),
            }
        })
        .collect();
    let mut map = ScoreMap {
        size: graph.size(),
        marks: position.by_chain(&chain_marks, Mark::Dame),
    };
    for region in position.regions() {
        let in_seki = groups.is_eye_in_seki(region);
        for &point in region.points {
            let to_fill = to_fill.contains(point);
            let counted = region.owner.filter(|owner| {
                disputed[owner.index()] += (in_seki || to_fill) as u32;
                (rules.seki == Points::Counted || !in_seki)
                    && (rules.false_eyes == Points::Counted || !to_fill)
            });
            let dead = position.dead_stone(point);
            if let Some(color) = dead {
                sides[color.index()].dead += 1;
            }
            if let Some(owner) = counted {
                sides[owner.index()].territory += 1;
            }
            let mark = match (counted, dead) {
                (Some(owner), Some(color)) if color != owner => Mark::Dead(color),
                // A stone may be called dead though nobody but its own side is near: a point for
                // that side, a prisoner for the other, and so no difference.
                (Some(owner), _) => Mark::Territory(owner),
                // A prisoner, on a point that is nobody's.
                (None, Some(color)) => Mark::Stone(color),
                (None, None) => {
                    dame += 1;
                    Mark::Dame
                }
            };
            map.set(point, mark);
        }
    }
    if rules.group_tax == GroupTax::TwoPoints {
        groups.tax(&position, &map, &mut sides);
    }
    for color in Color::BOTH {
        let enemy_dead = sides[color.other().index()].dead;
        let side = &mut sides[color.index()];
        side.captures = terms.captures[color.index()];
        if color == Color::White {
            side.extra += terms.komi + f64::from(rules.handicap_points(terms.handicap));
        }
        if rules.button == Button::HalfPoint && terms.first_pass == Some(color) {
            side.extra += 0.5;
        }
        let whole = match rules.scoring {
            Scoring::Area => side.territory + side.stones,
            Scoring::Territory => side.territory + side.captures + enemy_dead,
        };
        side.score = f64::from(whole) - f64::from(side.group_tax) + side.extra;
    }
    let [black, white] = sides;
    Count {
        map,
        black,
        white,
        dame,
        shared: position.shared(),
        seki_groups: groups.seki_groups,
        assumed: Vec::new(),
        disputed,
        rules: *rules,
        terms: *terms,
    }
}

impl Count {
    /// Takes points of territory off that their owners still have to fill.
    pub(crate) fn protect(&mut self, moves: &[ProtectiveMove]) {
        for &own in moves {
            let mark = match self.map.mark(own.point) {
                Mark::Territory(owner) if owner == own.color => Mark::Dame,
                Mark::Dead(dead) if dead != own.color => Mark::Stone(dead),
                _ => continue,
            };
            self.map.set(own.point, mark);
            self.dame += (mark == Mark::Dame) as u32;
            let side = match own.color {
                Color::Black => &mut self.black,
                Color::White => &mut self.white,
            };
            side.territory -= 1;
            side.score -= 1.0;
            self.assumed.push(own);
        }
    }

    /// How far the winner is ahead.
    pub fn margin(&self) -> Margin {
        let black_ahead_by = self.black.score - self.white.score;
        match self.rules.black_wins_ties() {
            true => Margin::with_ties_to_black(black_ahead_by),
            false => Margin::new(black_ahead_by),
        }
    }

    /// What one side has.
    pub fn side(&self, color: Color) -> &Side {
        match color {
            Color::Black => &self.black,
            Color::White => &self.white,
        }
    }

    /// How a side's score is made up, item by item: `62 territory + 5 captures + 7 white stones taken off = 74`.
    pub fn account(&self, color: Color) -> String {
        let side = self.side(color);
        let mut items = vec![format!("{} territory", side.territory)];
        match self.rules.scoring {
            Scoring::Area => items.insert(0, plural(side.stones, "stone", "stones")),
            Scoring::Territory => {
                items.push(plural(side.captures, "capture", "captures"));
                items.push(taken_off(color.other(), self.side(color.other()).dead));
            }
        }
        let mut text = items.join(" + ");
        if side.group_tax > 0 {
            text += &format!(" - {} group tax", side.group_tax);
        }
        if color == Color::White {
            if self.terms.komi != 0.0 {
                let sign = if self.terms.komi < 0.0 { '-' } else { '+' };
                text += &format!(" {sign} {} komi", points(self.terms.komi.abs()));
            }
            let handicap = self.rules.handicap_points(self.terms.handicap);
            if handicap > 0 {
                text += &format!(" + {handicap} for the handicap");
            }
        }
        if self.rules.button == Button::HalfPoint && self.terms.first_pass == Some(color) {
            text += " + 0.5 button";
        }
        format!("{text} = {}", points(side.score))
    }

    /// How the score is made up, as a sentence for people.
    pub(crate) fn explain(&self) -> String {
        format!(
            "Black: {}. White: {}. {}.",
            self.account(Color::Black),
            self.account(Color::White),
            self.margin().in_words(),
        )
    }
}

fn plural(number: u32, one: &str, more: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { more })
}

/// The dead stones of a colour, as an item of the other side's account.
fn taken_off(color: Color, stones: u32) -> String {
    let ending = if stones == 1 { "" } else { "s" };
    let color = color.name().to_lowercase();
    format!("{stones} {color} stone{ending} taken off")
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::board::drawn as sketch;
    use crate::life::{self, Ownership};
    use crate::rules::Preset;
    use proptest::prelude::*;

    /// A position drawn with its answer beside it: on the left `X` and `O` stones, `x` and `o`
    /// dead stones; on the right the map.
    pub(in crate::count) fn drawn(drawing: &str) -> (Board, PointSet, String) {
        let rows: Vec<(&str, &str)> = drawing
            .lines()
            .filter(|line| !line.trim().is_empty())
            .map(|line| {
                line.trim()
                    .split_once("   ")
                    .expect("two boards side by side")
            })
            .collect();
        let text = |row: &str| row.split_whitespace().collect::<String>();
        let before: Vec<String> = rows.iter().map(|(left, _)| text(left)).collect();
        let board: Board = before.join("\n").to_uppercase().parse().unwrap();
        let dead = board
            .size()
            .points()
            .filter(|p| {
                "xo".contains(char::from(
                    before[p.y() as usize].as_bytes()[p.x() as usize],
                ))
            })
            .collect();
        let after: Vec<String> = rows.iter().map(|(_, right)| text(right)).collect();
        (board, dead, after.join("\n"))
    }

    /// Counts the left board and compares with the map on the right.
    pub(in crate::count) fn counted(drawing: &str, preset: Preset) -> Count {
        let (board, dead, expected) = drawn(drawing);
        let count = count(&board, &dead, &preset.rules(), &ScoringTerms::default());
        assert_eq!(count.map.rows().join("\n"), expected, "{}", count.map);
        count
    }

    const PLAIN_GAME: &str = "
        . . X O . . .     b b X O w w w
        . . X O . . .     b b X O w w w
        o . X O . x .     o b X O w x w
        . . X O O . .     b b X O O w w
        X X X . X O O     X X X . X O O
        . . . X X X O     b b b X X X O
        . . . . . X O     b b b b b X O
    ";

    #[test]
    fn territory_is_surrounded_points_and_prisoners() {
        let terms = ScoringTerms {
            komi: 0.5,
            captures: [2, 1],
            ..ScoringTerms::default()
        };
        let (board, dead, _) = drawn(PLAIN_GAME);
        let count = count(&board, &dead, &Preset::Japanese.rules(), &terms);
        assert_eq!(count.black.territory, 16);
        assert_eq!(count.white.territory, 11);
        assert_eq!((count.black.dead, count.white.dead), (1, 1));
        assert_eq!(count.dame, 1);
        assert_eq!(count.black.score, 19.0);
        assert_eq!(count.white.score, 13.5);
        assert_eq!(
            count.explain(),
            "Black: 16 territory + 2 captures + 1 white stone taken off = 19. \
             White: 11 territory + 1 capture + 1 black stone taken off + 0.5 komi = 13.5. Black wins by 5.5."
        );
    }

    #[test]
    fn area_is_stones_and_surrounded_points() {
        let count = counted(PLAIN_GAME, Preset::Chinese);
        assert_eq!((count.black.stones, count.white.stones), (12, 9));
        assert_eq!(count.margin().to_string(), "B+8");
        assert_eq!(count.account(Color::White), "9 stones + 11 territory = 20");
    }

    #[test]
    fn each_rule_set_compensates_handicap_in_its_own_way() {
        let (board, dead, _) = drawn(PLAIN_GAME);
        let white = |preset: Preset| {
            let terms = ScoringTerms {
                handicap: 4,
                ..ScoringTerms::default()
            };
            count(&board, &dead, &preset.rules(), &terms).white.extra
        };
        assert_eq!(white(Preset::Chinese), 4.0);
        assert_eq!(white(Preset::Aga), 3.0);
        assert_eq!(white(Preset::Nz), 0.0);
        assert_eq!(white(Preset::Japanese), 0.0);
        assert_eq!(white(Preset::Korean), 0.0);
    }

    #[test]
    fn the_button_goes_to_whoever_passes_first() {
        let rules = Rules {
            button: Button::HalfPoint,
            ..Preset::Aga.rules()
        };
        let (board, dead, _) = drawn(PLAIN_GAME);
        let terms = ScoringTerms {
            first_pass: Some(Color::White),
            ..ScoringTerms::default()
        };
        let count = count(&board, &dead, &rules, &terms);
        assert_eq!(count.margin().to_string(), "B+7.5");
        assert!(count.account(Color::White).contains("0.5 button"));
    }

    #[test]
    fn stone_scoring_taxes_every_group_two_eyes() {
        // Black has one group, White two: White's are cut apart.
        let count = counted(
            "
            . O X . X O .     w O X b X O w
            O O X X X O O     O O X X X O O
            . O X . X O .     w O X b X O w
            O O X X X O O     O O X X X O O
            ",
            Preset::StoneScoring,
        );
        assert_eq!(count.black.group_tax, 2);
        assert_eq!(count.white.group_tax, 4);
    }

    #[test]
    fn a_dead_stone_in_a_seki_is_a_prisoner_on_a_worthless_point() {
        let count = counted(
            "
            . X . O .     . # . @ .
            o X . O O     O # . @ @
            X X . O O     # # . @ @
            ",
            Preset::Japanese,
        );
        assert_eq!(count.white.dead, 1);
        assert_eq!(count.black.score, 1.0);
    }

    #[test]
    fn nothing_is_owed_for_eyes_that_did_not_count() {
        let seki = "
            . X . O .     . # . @ .
            . X . O O     . # . @ @
            X X . O O     # # . @ @
            ";
        let count = counted(seki, Preset::StoneScoring);
        assert_eq!((count.black.group_tax, count.white.group_tax), (0, 0));
        assert_eq!((count.black.score, count.white.score), (4.0, 5.0));
        let living = "
            . X . X O .     b X b X O w
            X X X X O .     X X X X O w
            . . X O O .     b b X O O w
            ";
        let count = counted(living, Preset::StoneScoring);
        assert_eq!((count.black.group_tax, count.white.group_tax), (2, 2));
    }

    #[test]
    fn black_wins_ties_by_ing_rules() {
        let tie = "
            . . X O .     b b X O w
            . . X O .     b b X O w
            . . X . O     b b X . O
            ";
        let (board, dead, _) = drawn(tie);
        let margin = |preset: Preset, komi| {
            let terms = ScoringTerms {
                komi,
                ..ScoringTerms::default()
            };
            count(&board, &dead, &preset.rules(), &terms).margin()
        };
        let tied = margin(Preset::Ing, 4.0);
        assert_eq!(tied.to_string(), "B+0");
        assert_eq!(tied.winner(), Some(Color::Black));
        assert_eq!(margin(Preset::Ing, 5.0).to_string(), "W+1");
        assert_eq!(margin(Preset::Chinese, 4.0).to_string(), "0");
    }

    #[test]
    fn a_negative_komi_is_black_s() {
        let (board, dead, _) = drawn(PLAIN_GAME);
        let terms = ScoringTerms {
            komi: -5.5,
            ..ScoringTerms::default()
        };
        let count = count(&board, &dead, &Preset::Chinese.rules(), &terms);
        assert_eq!(
            count.account(Color::White),
            "9 stones + 11 territory - 5.5 komi = 14.5"
        );
        assert_eq!(count.margin().to_string(), "B+13.5");
    }

    #[test]
    fn an_empty_board_is_nobody_s() {
        let board = Board::new(Size::square(9));
        let count = count(
            &board,
            &PointSet::EMPTY,
            &Preset::Chinese.rules(),
            &ScoringTerms::default(),
        );
        assert_eq!(count.dame, 81);
        assert_eq!(count.margin().to_string(), "0");
    }

    #[test]
    fn area_counts_eyes_in_seki_and_false_eyes() {
        let drawing = "
            . X . O .     . # . @ .
            X X . O O     # # . @ @
            X X . O O     # # . @ @
        ";
        let (board, dead, _) = drawn(drawing);
        let chinese = count(
            &board,
            &dead,
            &Preset::Chinese.rules(),
            &ScoringTerms::default(),
        );
        assert_eq!(chinese.black.territory, 1);
        let japanese = counted(drawing, Preset::Japanese);
        assert_eq!(japanese.black.territory, 0);
        assert_eq!(japanese.white.territory, 0);
        assert_eq!(japanese.seki_groups, 2);
    }

    #[test]
    fn an_open_border_is_drawn_where_the_playouts_draw_it() {
        // Nobody has closed the border on the right, and two white stones are cut off.
        let (stones, owners) = (
            "
            . . . . . . . . .
            . . O . . . . . .
            . . O . . . . . .
            . . . . . . . . .
            X X X X X X X X .
            . . . . . . . . O
            O O O O O O O O O
            . . . . . . . . .
            ",
            "
            b b b b b b b b b
            b b b b b b b b b
            b b b b b b b b b
            b b b b b b b b .
            . . . . . . . . .
            w . . b . . . . .
            . . . . . . . . .
            w w w w w w w w w
            ",
        );
        let board = sketch::board(stones);
        let black = sketch::marked(owners, "b");
        let ownership = Ownership::drawn(board.size(), &black, &sketch::marked(owners, "w"));
        let graph = PositionGraph::new(&board);
        let log_odds = graph.chains().iter().map(|chain| match chain.stones.len() {
            2 => -9.0,
            _ => 9.0,
        });
        let log_odds = log_odds.collect();
        let life = Life::new(graph, log_odds, ownership);
        let count = count_life(&life, &Preset::Japanese.rules(), &ScoringTerms::default());
        assert_eq!(
            count.map.rows(),
            [
                "bbbbbbbbb",
                "bbobbbbbb",
                "bbobbbbbb",
                "bbbbbbbb.",
                "XXXXXXXX.",
                "........O",
                "OOOOOOOOO",
                "wwwwwwwww",
            ]
        );
        assert_eq!((count.shared, count.dame), (35, 10));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        /// A dead stone is in a region of the enemy's.
        #[test]
        fn verdicts_do_not_contradict_each_other(
            (width, height) in (2u8..8, 2u8..8),
            spots in prop::collection::vec(0u8..4, 49),
        ) {
            let size = Size::new(width, height).unwrap();
            let mut board = Board::new(size);
            for (point, spot) in size.points().zip(spots) {
                board.set(point, [None, None, Some(Color::Black), Some(Color::White)][spot as usize]);
            }
            let life = life::judge(&board);
            let lifted = Lifted::chains(&life, life.dead_chains());
            let position = FinalPosition::new(life.graph(), &lifted);
            for region in position.regions() {
                for &point in region.points {
                    if let Some(dead) = position.dead_stone(point) {
                        prop_assert_eq!(region.owner, Some(dead.other()), "{}", board);
                    }
                }
            }
        }
    }
}
