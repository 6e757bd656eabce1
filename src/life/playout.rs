//! Playouts: a position played to its end by moves that are mostly random.
//!
//! A finished game leaves little to decide, and what a few dozen sensible random games agree on is
//! nearly always what two players would agree on. The quality of the moves matters more than the
//! number of games, and three habits make the difference: answer the last move where it threatens
//! something, never fill a true eye, and put more than a single stone of one's own into atari only
//! in the shapes that kill, and not often. The last one also keeps seki alive: whoever fills a
//! shared liberty does just that.
//!
//! Everything random is seeded from the position, so the same board always gives the same games.
//!
//! Single stones in atari must stay allowed, or no throw-in and no placement inside an eye would
//! ever be tried. (Coulom and others found the same for playing programs; a program that scores
//! needs it more, as dead shapes are all that is left at the end.)

use super::playout_board::{ChainAfter, PlayoutBoard};
use super::random::Random;
use crate::board::{Board, Color, Point, Size, Spot};

/// How the players of a playout behave.
#[derive(Clone, Copy, Debug)]
pub struct Policy {
    /// The most stones that may be put into atari by their own move, in a shape that leaves only
    /// one eye if it is taken. One stone always may.
    pub self_atari: usize,
    /// Of 256 chances to put two or more stones into atari, how many are taken.
    pub self_atari_odds: u64,
}

impl Policy {
    /// Sacrifices up to six stones now and then, as a placement in a larger eye needs.
    pub const BOLD: Policy = Policy {
        self_atari: 6,
        self_atari_odds: 64,
    };
    /// Never puts more than one stone into atari.
    pub const CAREFUL: Policy = Policy {
        self_atari: 1,
        self_atari_odds: 0,
    };
}

/// Who owned what at the end of several playouts of one position, a bit a playout.
#[derive(Clone, Debug)]
pub struct Survey {
    policy: Policy,
    /// For Black and for White, the playouts that ended with each point theirs.
    owned: [Vec<u64>; 2],
    playouts: u32,
}

impl Survey {
    /// The playouts in which Black moved first: every other one.
    const BLACK_FIRST: u64 = 0x5555_5555_5555_5555;

    /// A survey without a playout as yet.
    pub fn new(size: Size, policy: Policy) -> Survey {
        Survey {
            policy,
            owned: [vec![0; size.padded()], vec![0; size.padded()]],
            playouts: 0,
        }
    }

    /// Plays on until there are this many playouts (64 at most), Black and White moving first in
    /// turn.
    pub fn play(&mut self, player: &mut Player, playouts: u32) {
        assert!(playouts <= 64, "a survey has at most 64 playouts");
        let size = player.start.size();
        let open: Vec<Point> = size
            .points()
            .filter(|&point| player.start.is_empty(point))
            .collect();
        for playout in self.playouts..playouts {
            player.reset(&open);
            player.play_on(Color::BOTH[playout as usize % 2], None, self.policy, None);
            for point in size.points() {
                if let Some(owner) = player.owner(point) {
                    self.owned[owner.index()][point.index()] |= 1 << playout;
                }
            }
            self.playouts = playout + 1;
        }
    }

    /// The playouts that ended with the point a player's.
    #[inline]
    pub fn owned(&self, color: Color, point: Point) -> u64 {
        self.owned[color.index()][point.index()]
    }

    /// The playouts that most of a chain's stones survived: of three stones of it, at least two.
    pub fn survived(&self, color: Color, stones: &[Point]) -> u64 {
        let [a, b, c] = sample(stones).map(|stone| self.owned(color, stone));
        a & b | a & c | b & c
    }

    /// All playouts.
    pub fn all(&self) -> u64 {
        u64::MAX.checked_shr(64 - self.playouts).unwrap_or(0)
    }

    /// The playouts in which this player moved first.
    pub fn first_moved(&self, color: Color) -> u64 {
        self.all()
            & match color {
                Color::Black => Survey::BLACK_FIRST,
                Color::White => !Survey::BLACK_FIRST,
            }
    }

    /// Of the playouts in `among`, the share that is in `which`.
    pub fn share(which: u64, among: u64) -> f32 {
        (which & among).count_ones() as f32 / among.count_ones().max(1) as f32
    }
}

/// Three stones that stand for a chain.
fn sample(stones: &[Point]) -> [Point; 3] {
    [
        stones[0],
        stones[stones.len() / 2],
        stones[stones.len() - 1],
    ]
}

/// Plays both sides of a position.
pub struct Player {
    start: PlayoutBoard,
    board: PlayoutBoard,
    /// The empty points that may be played.
    open: Vec<Point>,
    /// Where each of them is in `open`; meaningless for other points.
    slots: Vec<u16>,
    random: Random,
}

impl Player {
    /// A player whose random numbers are seeded from the position and from `reseed`: how often the
    /// position has been played out before.
    pub fn new(start: &Board, reseed: u32) -> Player {
        let board = PlayoutBoard::new(start);
        let seed = start.hash() ^ u64::from(reseed).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        Player {
            start: board.clone(),
            board,
            open: Vec::new(),
            slots: vec![0; start.size().padded()],
            random: Random::new(seed),
        }
    }

    /// Goes back to the position, of whose empty points only `open` may be played. They are put in
    /// another order every time: a move is looked for from a random place on, and a point behind
    /// many that can't be played would always come up more often.
    pub fn reset(&mut self, open: &[Point]) {
        self.board.copy_from(&self.start);
        self.open.clear();
        self.open.extend_from_slice(open);
        for last in (1..open.len()).rev() {
            let other = self.random.below(last + 1);
            self.open.swap(last, other);
        }
        for (slot, point) in self.open.iter().enumerate() {
            self.slots[point.index()] = slot as u16;
        }
    }

    #[inline]
    fn is_open(&self, point: Point) -> bool {
        self.open.get(self.slots[point.index()] as usize) == Some(&point)
    }

    pub(super) fn board(&self) -> &PlayoutBoard {
        &self.board
    }

    pub(super) fn open(&self) -> &[Point] {
        &self.open
    }

    pub(super) fn pass(&mut self) {
        self.board.pass();
    }

    /// Plays on until both sides pass, `last` being the move to answer; notes the moves if asked.
    pub(super) fn play_on(
        &mut self,
        mut color: Color,
        mut last: Option<Point>,
        policy: Policy,
        mut noted: Option<&mut Vec<(Color, Point)>>,
    ) {
        let mut passes = 0;
        // A ko can go round for ever.
        for _ in 0..4 * self.open.len() + 60 {
            last = self.choose(color, last, policy);
            match last {
                Some(point) => {
                    self.put(color, point);
                    if let Some(noted) = &mut noted {
                        noted.push((color, point));
                    }
                    passes = 0;
                }
                None => {
                    self.pass();
                    passes += 1;
                    if passes == 2 {
                        return;
                    }
                }
            }
            color = color.other();
        }
    }

    /// Whose the point is: its stone's, or that of the only colour beside it.
    #[inline]
    pub(super) fn owner(&self, point: Point) -> Option<Color> {
        self.board.spot(point).color().or_else(|| {
            let counts = self.board.neighbor_counts(point);
            let stones = Color::BOTH.map(|color| counts.stones(color) > 0);
            match stones {
                [true, false] => Some(Color::Black),
                [false, true] => Some(Color::White),
                _ => None,
            }
        })
    }

    /// Whether most of a chain's points are still its colour's: of three of them, at least two.
    pub(super) fn survives(&self, color: Color, stones: &[Point]) -> bool {
        let votes = sample(stones).map(|stone| self.owner(stone) == Some(color));
        votes.into_iter().filter(|&vote| vote).count() >= 2
    }

    /// Plays a stone and keeps the list of open points.
    #[inline]
    pub(super) fn put(&mut self, color: Color, point: Point) {
        let slot = self.slots[point.index()];
        self.open.swap_remove(slot as usize);
        if let Some(&moved) = self.open.get(slot as usize) {
            self.slots[moved.index()] = slot;
        }
        self.board.put(color, point);
        for &stone in self.board.taken() {
            self.slots[stone.index()] = self.open.len() as u16;
            self.open.push(stone);
        }
    }

    /// The next move, if there is a sensible one: an answer to the last move, or any.
    #[inline]
    fn choose(&mut self, color: Color, last: Option<Point>, policy: Policy) -> Option<Point> {
        if let Some(last) = last
            && let Some(answer) = self.answer(color, last)
            && self.is_open(answer)
        {
            return Some(answer);
        }
        let count = self.open.len();
        let start = self.random.below(count);
        for i in (start..count).chain(0..start) {
            let point = self.open[i];
            if self.is_sensible(color, point, policy) {
                return Some(point);
            }
        }
        None
    }

    /// Legal, no eye of one's own filled, no large chain put into atari. Asks the cheap questions
    /// first: this is where playouts spend most of their time.
    #[inline]
    fn is_sensible(&mut self, color: Color, point: Point, policy: Policy) -> bool {
        let counts = self.board.neighbor_counts(point);
        if counts.empty() >= 2 {
            return true;
        }
        if self.is_true_eye(color, point) || self.board.ko() == Some(point) {
            return false;
        }
        if self.board.takes(color, point) {
            return true;
        }
        if counts.stones(color) == 0 {
            // A stone on its own: in atari if there is an empty point beside it, else suicide.
            return counts.empty() == 1;
        }
        match self.board.chain_after(color, point) {
            ChainAfter::Free | ChainAfter::OneLiberty(1) => true,
            ChainAfter::OneLiberty(stones) => {
                stones <= policy.self_atari
                    && self.random.chance(policy.self_atari_odds)
                    && self.fills_one_eye(color, point)
            }
            ChainAfter::NoLiberty => false,
        }
    }

    /// Whether the chain of a stone played here, of six stones at most, would leave a space that
    /// makes only one eye if it were taken: the sacrifice that kills.
    fn fills_one_eye(&self, color: Color, point: Point) -> bool {
        const LARGEST: usize = 6;
        let mut stones = [point; LARGEST];
        let mut count = 1;
        let own = color.spot();
        for beside in point.neighbors() {
            if self.board.spot(beside) == own && !stones[..count].contains(&beside) {
                for stone in self.board.chain(beside) {
                    if count == LARGEST {
                        return false;
                    }
                    stones[count] = stone;
                    count += 1;
                }
            }
        }
        let stones = &stones[..count];
        let (mut links, mut most, mut corner) = (0, 0, false);
        for stone in stones {
            let (mut inside, mut edges) = (0, 0);
            for beside in stone.neighbors() {
                inside += stones.contains(&beside) as u32;
                edges += (self.board.spot(beside) == Spot::Edge) as u32;
            }
            links += inside;
            most = most.max(inside);
            corner |= edges == 2;
        }
        match count {
            1..=3 => true,
            4 => links == 8 || most == 3 || corner,
            5 => links == 10 || most == 4,
            _ => links == 12 && most == 4,
        }
    }

    /// Whether the point is an eye that can't be made false: own stones beside it, and at most one
    /// enemy on its diagonals, none at the edge.
    #[inline]
    pub(super) fn is_true_eye(&self, color: Color, point: Point) -> bool {
        if !self.board.neighbor_counts(point).is_closed_by(color) {
            return false;
        }
        let enemy = color.other().spot();
        let (mut enemies, mut edge) = (0, 0);
        for corner in point.diagonals() {
            let spot = self.board.spot(corner);
            enemies += (spot == enemy) as u32;
            edge |= (spot == Spot::Edge) as u32;
        }
        enemies + edge < 2
    }

    /// The answer to what the last move threatens, if it threatens anything.
    fn answer(&self, color: Color, last: Point) -> Option<Point> {
        // Take the chain that just put itself into atari.
        if let Some(liberty) = self.board.atari(last)
            && self.board.ko() != Some(liberty)
        {
            return Some(liberty);
        }
        let own = color.spot();
        for beside in last.neighbors() {
            if self.board.spot(beside) == own
                && let Some(liberty) = self.board.atari(beside)
                && let Some(rescue) = self.rescue(color, beside, liberty)
            {
                return Some(rescue);
            }
        }
        last.neighbors().into_iter().find_map(|beside| {
            let vital = self.vital_point(color, beside)?;
            let playable = self.board.ko() != Some(vital)
                && self.board.chain_after(color, vital) != ChainAfter::NoLiberty;
            playable.then_some(vital)
        })
    }

    /// The move that saves a chain in atari: taking an attacker, or running with the last liberty.
    fn rescue(&self, color: Color, chain: Point, liberty: Point) -> Option<Point> {
        let enemy = color.other().spot();
        let attackers = self.board.chain(chain).flat_map(Point::neighbors);
        attackers
            .filter(|&beside| self.board.spot(beside) == enemy)
            .find_map(|attacker| self.board.atari(attacker))
            .filter(|&take| self.board.ko() != Some(take))
            .or_else(|| {
                (self.board.chain_after(color, liberty) == ChainAfter::Free).then_some(liberty)
            })
    }

    /// The middle of the enemy's small eye space around an empty point, where both sides want to
    /// play: of three points in a row or round a corner, of the pyramid four, of the bulky five,
    /// the crossed five and the flowery six.
    fn vital_point(&self, color: Color, start: Point) -> Option<Point> {
        const LARGEST: usize = 6;
        let is_open = |point: Point| self.board.neighbor_counts(point).stones(color) > 0;
        if !self.board.is_empty(start)
            || self.board.neighbor_counts(start).empty() == 0
            || is_open(start)
        {
            return None;
        }
        let mut space = [start; LARGEST];
        let mut len = 1;
        let mut at = 0;
        while at < len {
            for beside in space[at].neighbors() {
                if self.board.is_empty(beside) && !space[..len].contains(&beside) {
                    if len == LARGEST || is_open(beside) {
                        return None;
                    }
                    space[len] = beside;
                    len += 1;
                }
            }
            at += 1;
        }
        let space = &space[..len];
        let inside = |point: Point| {
            point
                .neighbors()
                .iter()
                .filter(|p| space.contains(p))
                .count()
        };
        let most = space.iter().map(|&point| inside(point)).max()?;
        let mut middles = space.iter().filter(|&&point| inside(point) == most);
        let (first, only) = (*middles.next()?, middles.next().is_none());
        let vital = match len {
            3 => only,
            4..=6 => only && most >= 3,
            _ => false,
        };
        vital.then_some(first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn survey(drawing: &str) -> (Board, Survey) {
        let board: Board = drawing.parse().unwrap();
        let mut survey = Survey::new(board.size(), Policy::BOLD);
        survey.play(&mut Player::new(&board, 0), 32);
        (board, survey)
    }

    fn survival(board: &Board, survey: &Survey, x: u8, y: u8) -> f32 {
        let point = Point::new(x, y);
        let color = board.stone(point).unwrap();
        let stones: Vec<Point> = board.chain(point).collect();
        Survey::share(survey.survived(color, &stones), survey.all())
    }

    #[test]
    fn stones_without_eyes_die_and_the_wall_around_them_lives() {
        let (board, survey) = survey(
            "
            . X . X O . O . .
            X X X X O O O O O
            . X . X O . . . .
            X X X X O . X X .
            . . . X O . . . .
            X X X X O O O O O
            O O O O O . O . .
            . O . O . O O O O
            O O O O O O . O .
        ",
        );
        assert_eq!(survival(&board, &survey, 3, 3), 1.0);
        assert_eq!(survival(&board, &survey, 4, 3), 1.0);
        assert!(survival(&board, &survey, 6, 3) < 0.2);
    }

    #[test]
    fn careful_players_leave_a_seki_alone() {
        // The inner chains share their last two liberties: whoever fills one is taken.
        let board: Board = "
            X X X X O O O O
            X O O O X X X O
            X O O . X X X O
            X O O . X X X O
            X O O O X X X O
            X X X X O O O O
            . X . X O . O .
            X X X X O O O O
        "
        .parse()
        .unwrap();
        let mut survey = Survey::new(board.size(), Policy::CAREFUL);
        survey.play(&mut Player::new(&board, 0), 32);
        assert_eq!(survival(&board, &survey, 1, 1), 1.0);
        assert_eq!(survival(&board, &survey, 4, 1), 1.0);
    }

    #[test]
    fn the_same_board_gives_the_same_survey() {
        let drawing = ". X . . O . .\n. X X . O . .\n. . X O O . O\n. X X X O O .\n. . . X X O .\n. . . . X O .\n. . . . X O .";
        let (_, a) = survey(drawing);
        let (_, b) = survey(drawing);
        assert_eq!(a.owned, b.owned);
    }

    #[test]
    fn the_middle_of_three_is_vital() {
        let board: Board = "
            X X X X X
            X . . . X
            X X X X X
            . X . X .
            X X X X X
        "
        .parse()
        .unwrap();
        let player = Player::new(&board, 0);
        let vital = |x, y| player.vital_point(Color::White, Point::new(x, y));
        assert_eq!(vital(1, 1), Some(Point::new(2, 1)));
        assert_eq!(vital(0, 3), None);
    }
}
