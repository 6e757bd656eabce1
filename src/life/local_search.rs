//! Local reading: can this chain be killed, and can it be saved?
//!
//! The search plays out a fight on a local board (`local_board.rs`): the chain, the empty points
//! around it, friends it may join, and unsettled enemies that it may have to race. The attacker
//! wants to take the chain; the defender wants that never to happen. The defender may pass, since
//! a chain that lives need not move; the attacker gains nothing by passing. When every attack
//! fails the chain lives, with two eyes or in seki.
//!
//! The tree is searched by proof numbers (Nagai's df-pn): each position keeps the least number of
//! open questions that would have to be answered to prove the kill, and to prove that there is
//! none, and the search always goes where the least is missing. [`Problem::can_settle`] asks the same
//! tree for more: life that no attack can touch, for which the defender has to move. Three things are known without
//! reading: a chain beside a wall of its own colour lives; a chain that is alive by
//! [Benson's](super::benson) rule lives; and a chain dies when there are no two points, apart from
//! each other, where it could ever have eyes.
//!
//! *Ko.* A ko is not decided on the spot but by threats elsewhere. The search is done with each
//! side in turn as the master of all kos, who may retake at once while the other may not take at
//! all. A chain that is taken only if the attacker is the master depends on [`Fate::Ko`].
//!
//! The search is exact on its local board as long as its node limit suffices, and gives the same
//! answer every time; beyond the limit it says [`Fate::Unknown`]. What it takes for granted is the
//! local board: settled stones are settled, and the attacker is at home in the distance.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::Range;

use super::benson::{self, Candidate, Link};
use super::local_board::{LocalBoard, LocalPosition, Nodes, each, lowest};
use super::position_graph::PositionGraph;
use super::potential_territory::PotentialTerritories;
use crate::board::{Board, Color, Point, PointSet};

/// What becomes of a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Fate {
    /// It can't be taken.
    Lives,
    /// It is taken.
    Dies,
    /// Whoever wins the ko decides.
    Ko,
    /// The search ended before it knew.
    Unknown,
}

/// The stones that need no reading: those that are unconditionally alive, and those whose chains
/// enclose so much room together that nobody would doubt them.
///
/// Room is what a colour encloses, less than three quarters of the board, with at most a few
/// enemy stones in it.
pub(crate) fn presumed_safe(graph: &PositionGraph) -> PointSet {
    /// Room for two eyes whoever moves first, unless the shape is odd.
    const AMPLE: u32 = 8;
    let proven = benson::proven(graph);
    let mut safe = *proven.alive(Color::Black) | *proven.alive(Color::White);
    for color in Color::BOTH {
        let areas = PotentialTerritories::enclosed_by(graph, color);
        let is_ample = |area: usize| {
            let area = areas.get(area);
            let enclosed = 4 * area.points < 3 * graph.size().area() as u32;
            area.points >= AMPLE && enclosed && 3 * (area.points - area.empty) <= area.points
        };
        safe |= graph.stones(|chain| {
            let chain = graph.chain(chain);
            let (mut regions, mut enemies) = (chain.regions.iter(), chain.enemies.iter());
            chain.color == color
                && (regions.any(|&region| is_ample(areas.of_region(region)))
                    || enemies.any(|&enemy| areas.of_chain(enemy).is_some_and(is_ample)))
        });
    }
    safe
}

/// A question of life and death: some chains of one colour in their surroundings. Drawn once, it
/// can be asked with either side to move.
pub(crate) struct Problem {
    board: LocalBoard,
    /// The stones that must not be taken.
    target: Nodes,
    defender: Color,
}

impl Problem {
    /// The problem of the chain at `chain`; the `safe` stones are taken for settled. None if there
    /// is no stone, or if the chain is too large to be read.
    pub(crate) fn new(board: &Board, chain: Point, safe: &PointSet) -> Option<Problem> {
        Problem::of_chains(board, &[chain], safe)
    }

    /// The problem of several chains of one colour, of which none may be lost.
    pub(crate) fn of_chains(board: &Board, chains: &[Point], safe: &PointSet) -> Option<Problem> {
        let defender = board.stone(*chains.first()?)?;
        let board = LocalBoard::around(board, chains, safe)?;
        Some(Problem::inside(board, chains, defender))
    }

    pub(crate) fn inside(board: LocalBoard, chains: &[Point], defender: Color) -> Problem {
        let target = board.chains_at(chains);
        Problem {
            board,
            target,
            defender,
        }
    }

    /// The problem of the one chain around an [eye space](LocalBoard::eye_space).
    pub(crate) fn inside_space(board: LocalBoard, defender: Color) -> Problem {
        let target = board.start().stones[defender.index()];
        Problem {
            board,
            target,
            defender,
        }
    }

    /// What becomes of the chains if `first` moves first, looking into at most `limit` positions
    /// for each master of the kos.
    pub(crate) fn fate(&self, first: Color, limit: u32) -> Fate {
        let mut search = ProofSearch::new(self, Goal::Kill, self.defender.other(), limit);
        match search.run(first) {
            None => Fate::Unknown,
            Some(false) => Fate::Lives,
            Some(true) if !search.met_ko => Fate::Dies,
            Some(true) => match ProofSearch::new(self, Goal::Kill, self.defender, limit).run(first)
            {
                None => Fate::Unknown,
                Some(false) => Fate::Ko,
                Some(true) => Fate::Dies,
            },
        }
    }

    /// Whether the chains' own side, moving first, makes life that no attack can touch: with two
    /// eyes or by joining a settled friend, not in seki, and not by a ko.
    pub(crate) fn can_settle(&self, limit: u32) -> bool {
        let mut search = ProofSearch::new(self, Goal::Settle, self.defender.other(), limit);
        search.run(self.defender) == Some(false)
    }
}

/// What the two sides of a search are after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Goal {
    /// The attacker has to take the chains; they live if that never happens, in seki too.
    Kill,
    /// The defender has to make life that no attack can touch; a seki is not enough.
    Settle,
}

impl Goal {
    /// What a line comes to that leads nowhere: whoever has to achieve something has not.
    fn without_end(self) -> Missing {
        match self {
            Goal::Kill => Missing::ALIVE,
            Goal::Settle => Missing::DEAD,
        }
    }
}

/// How much is missing to prove the kill, and to prove that there is none. Zero is proven, and
/// [`NEVER`] disproven.
#[derive(Clone, Copy)]
struct Missing {
    kill: u32,
    life: u32,
}

const NEVER: u32 = 1 << 30;

impl Missing {
    const OPEN: Missing = Missing { kill: 1, life: 1 };
    const DEAD: Missing = Missing {
        kill: 0,
        life: NEVER,
    };
    const ALIVE: Missing = Missing {
        kill: NEVER,
        life: 0,
    };
}

/// A position and whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Turn {
    position: LocalPosition,
    mover: Color,
}

/// What the search knows about a position that it has come across.
struct Seen {
    turn: Turn,
    missing: Missing,
    /// Whether the line under study goes through here: coming back to a position gets the
    /// attacker nowhere.
    on_path: bool,
    /// The positions that the mover can bring about, once they have been asked for.
    next: Option<Range<u32>>,
}

/// One search of a problem with one master of the kos.
struct ProofSearch<'a> {
    board: &'a LocalBoard,
    target: Nodes,
    defender: Color,
    goal: Goal,
    master: Color,
    /// Whether being master of the kos ever mattered.
    met_ko: bool,
    seen: Vec<Seen>,
    /// Where in `seen` a position is.
    places: HashMap<Turn, u32, BuildHasherDefault<Mixer>>,
    /// The places that `next` ranges over.
    nexts: Vec<u32>,
    /// How often a position was looked into: known positions that depend on each other can keep
    /// the search busy without a new one coming up.
    searched: usize,
    limit: usize,
}

/// Deeper lines than this are taken for attempts that lead nowhere.
const DEEPEST: u32 = 64;

impl<'a> ProofSearch<'a> {
    fn new(problem: &'a Problem, goal: Goal, master: Color, limit: u32) -> ProofSearch<'a> {
        ProofSearch {
            board: &problem.board,
            target: problem.target,
            defender: problem.defender,
            goal,
            master,
            met_ko: false,
            seen: Vec::with_capacity(64),
            places: HashMap::default(),
            nexts: Vec::with_capacity(64),
            searched: 0,
            limit: limit as usize,
        }
    }

    /// Whether the chains are taken; none if the limit came first.
    fn run(&mut self, first: Color) -> Option<bool> {
        let start = Turn {
            position: self.board.start(),
            mover: first,
        };
        let mut result = self.judge(&start.position);
        if result.kill != 0 && result.life != 0 {
            let place = self.place(start, Missing::OPEN);
            result = self.search(place, NEVER, NEVER, 0);
        }
        match result {
            Missing { kill: 0, .. } => Some(true),
            Missing { life: 0, .. } => Some(false),
            _ => None,
        }
    }

    fn is_spent(&self) -> bool {
        self.seen.len() >= self.limit || self.searched >= self.limit
    }

    /// Looks into a position until one of its numbers reaches its bound or the limit is spent.
    fn search(&mut self, place: u32, kill_bound: u32, life_bound: u32, depth: u32) -> Missing {
        if depth >= DEEPEST {
            return self.goal.without_end();
        }
        self.searched += 1;
        let attacking = self.seen[place as usize].turn.mover != self.defender;
        let next = self.next(place);
        self.seen[place as usize].on_path = true;
        let result = loop {
            // For the mover, the position with the least missing; for the opponent, all of them.
            let mut least = NEVER;
            let mut second = NEVER;
            let mut best = None;
            let mut sum = 0u32;
            for &child in &self.nexts[next.start as usize..next.end as usize] {
                let seen = &self.seen[child as usize];
                let missing = if seen.on_path {
                    self.goal.without_end()
                } else {
                    seen.missing
                };
                let (mine, theirs) = if attacking {
                    (missing.kill, missing.life)
                } else {
                    (missing.life, missing.kill)
                };
                if mine < least {
                    second = least;
                    least = mine;
                    best = Some((child, theirs));
                } else {
                    second = second.min(mine);
                }
                sum = (sum + theirs).min(NEVER);
            }
            if least == 0 {
                sum = NEVER;
            }
            let now = if attacking {
                Missing {
                    kill: least,
                    life: sum,
                }
            } else {
                Missing {
                    kill: sum,
                    life: least,
                }
            };
            let done = now.kill >= kill_bound || now.life >= life_bound || self.is_spent();
            let Some((best, theirs)) = best.filter(|_| !done) else {
                break now;
            };
            let (mine_bound, theirs_bound) = if attacking {
                (kill_bound, life_bound)
            } else {
                (life_bound, kill_bound)
            };
            let mine = mine_bound.min(second.saturating_add(1));
            let their = theirs_bound.saturating_sub(sum - theirs).min(NEVER);
            let (kill, life) = if attacking {
                (mine, their)
            } else {
                (their, mine)
            };
            let result = self.search(best, kill, life, depth + 1);
            self.seen[best as usize].missing = result;
        };
        self.seen[place as usize].on_path = false;
        result
    }

    /// Where a position is kept, with what is missing if it is new.
    fn place(&mut self, turn: Turn, missing: Missing) -> u32 {
        let place = self.seen.len() as u32;
        self.places.insert(turn, place);
        self.seen.push(Seen {
            turn,
            missing,
            on_path: false,
            next: None,
        });
        place
    }

    /// The positions that the mover can bring about.
    fn next(&mut self, place: u32) -> Range<u32> {
        if let Some(next) = &self.seen[place as usize].next {
            return next.clone();
        }
        let Turn { position, mover } = self.seen[place as usize].turn;
        let attacking = mover != self.defender;
        let mut found = Vec::with_capacity(12);
        for node in each(self.candidates(&position, mover)) {
            if position.ko >> node & 1 != 0 {
                self.met_ko = true;
                if mover != self.master {
                    continue;
                }
            }
            let Some(played) = self.board.put(&position, mover, node) else {
                continue;
            };
            if played.position.ko != 0 && played.taken & self.target == 0 {
                self.met_ko = true;
                if mover != self.master {
                    continue;
                }
            }
            found.push(self.after(played.position, mover));
        }
        // Only the side that has nothing to achieve can afford to pass.
        if attacking == (self.goal == Goal::Settle) {
            found.push(self.after(LocalPosition { ko: 0, ..position }, mover));
        }
        let start = self.nexts.len() as u32;
        self.nexts.extend(found);
        let next = start..self.nexts.len() as u32;
        self.seen[place as usize].next = Some(next.clone());
        next
    }

    /// Where the position after a move is kept.
    fn after(&mut self, position: LocalPosition, moved: Color) -> u32 {
        let turn = Turn {
            position,
            mover: moved.other(),
        };
        if let Some(&place) = self.places.get(&turn) {
            return place;
        }
        let missing = if moved == self.defender {
            self.after_defence(&position)
        } else {
            self.after_attack(&position)
        };
        self.place(turn, missing)
    }

    /// What can be said without a search.
    fn judge(&self, position: &LocalPosition) -> Missing {
        let attack = self.after_attack(position);
        if attack.kill == 0 {
            return attack;
        }
        self.after_defence(position)
    }

    fn after_attack(&self, position: &LocalPosition) -> Missing {
        let own = position.stones[self.defender.index()];
        if self.target & !own != 0 || self.is_hopeless(position) {
            return Missing::DEAD;
        }
        Missing::OPEN
    }

    fn after_defence(&self, position: &LocalPosition) -> Missing {
        if self.is_settled(position) {
            Missing::ALIVE
        } else {
            Missing::OPEN
        }
    }

    /// The attacker's stones that can't be taken: those connected to his walls.
    fn firm(&self, position: &LocalPosition) -> Nodes {
        let attacker = self.defender.other();
        let stones = position.stones[attacker.index()];
        let walled = stones & self.board.walls(attacker);
        if walled == 0 {
            return 0;
        }
        self.board.flood(walled, stones).0
    }

    /// The nodes where the defender could have eyes some day.
    fn eye_room(&self, position: &LocalPosition) -> Nodes {
        let attacker = self.defender.other();
        let firm = self.firm(position);
        let own = position.stones[self.defender.index()];
        self.board.all()
            & !(own | firm | self.board.walls(attacker) | self.board.around_nodes(firm))
    }

    /// Whether the defender has no two points apart from each other for eyes, nor a friend to
    /// join.
    fn is_hopeless(&self, position: &LocalPosition) -> bool {
        if self.board.walls(self.defender) != 0 {
            return false;
        }
        let room = self.eye_room(position);
        match room.count_ones() {
            0 | 1 => true,
            2 => self.board.beside(room.trailing_zeros() as usize) & room != 0,
            _ => false,
        }
    }

    /// Whether every stone of the target is connected to a wall of its own or alive by Benson's
    /// rule.
    fn is_settled(&self, position: &LocalPosition) -> bool {
        let own = position.stones[self.defender.index()];
        let mut unsettled = self.target;
        let walled = own & self.board.walls(self.defender);
        if walled != 0 {
            unsettled &= !self.board.flood(walled, own).0;
            if unsettled == 0 {
                return true;
            }
        }
        // The areas that the defender encloses, without those that the attacker's walls open.
        let outside = self.board.all() & !own;
        let open = outside & self.board.walls(self.defender.other());
        let mut rest = outside & !self.board.flood(open, outside).0;
        let mut areas = Vec::new();
        while rest != 0 {
            let (area, rim) = self.board.flood(lowest(rest), rest);
            rest &= !area;
            areas.push((area, rim));
        }
        if areas.len() < 2 {
            return false;
        }
        let empty = self.board.empty(position);
        let (mut chains, mut links) = (Vec::new(), Vec::new());
        let mut rest = own;
        while rest != 0 {
            let (chain, chain_rim) = self.board.flood(lowest(rest), own);
            rest &= !chain;
            for (number, &(area, rim)) in areas.iter().enumerate() {
                let room = area & empty;
                if rim & chain != 0 {
                    links.push(Link {
                        chain: chains.len() as u16,
                        area: number as u16,
                        vital: room != 0 && room & !chain_rim == 0,
                    });
                }
            }
            chains.push(chain);
        }
        let mut candidates = vec![Candidate::new(2); chains.len()];
        benson::strike_out(&mut candidates, &mut vec![true; areas.len()], &links);
        let mut chains = chains.into_iter().zip(candidates);
        chains.all(|(chain, candidate)| candidate.alive || chain & unsettled == 0)
    }

    /// The nodes worth a try.
    fn candidates(&self, position: &LocalPosition, mover: Color) -> Nodes {
        let attacker = self.defender.other();
        let empty = self.board.empty(position);
        let own = position.stones[self.defender.index()];
        let firm = self.firm(position);
        let prey = position.stones[attacker.index()] & !firm;
        let liberties = self.board.around_nodes(own) & empty;
        // Taking the attacker's loose stones, or saving them.
        let fight = self.board.around_nodes(prey) & empty;
        let room = self.eye_room(position);
        let rim = self.board.around_nodes(room) & empty;
        // With a friend outside, every point may be a way out.
        let escape = self.board.walls(self.defender) & empty != 0;
        let wanted = if escape {
            empty
        } else {
            empty & (room | rim | fight)
        };
        if mover == self.defender {
            let extend = if self.in_atari(position) {
                liberties
            } else {
                // Points that may connect two chains.
                each(liberties)
                    .filter(|&node| (self.board.beside(node) & own).count_ones() >= 2)
                    .fold(0, |sum, node| sum | 1 << node)
            };
            self.without_eyes(wanted | extend, own)
        } else {
            let outside = liberties & !wanted;
            // Outside liberties differ only in when they are filled: one of each kind will do.
            let mut kinds: Vec<Nodes> = Vec::with_capacity(4);
            let mut chosen = 0;
            for node in each(outside) {
                let kind = self.board.beside(node) & (own | empty);
                if !kinds.contains(&kind) {
                    kinds.push(kind);
                    chosen |= 1 << node;
                }
            }
            let stones = position.stones[attacker.index()];
            self.without_eyes(wanted | chosen, stones)
        }
    }

    /// Leaves out the nodes that one chain of the mover closes in on all sides: filling one's own
    /// eye helps nobody.
    fn without_eyes(&self, nodes: Nodes, own: Nodes) -> Nodes {
        let walls = self.board.walls(Color::Black) | self.board.walls(Color::White);
        let others = self.board.all() & !own;
        let mut kept = nodes;
        for node in each(nodes & !walls) {
            let beside = self.board.beside(node);
            if beside & others == 0 && beside != 0 {
                let (stones, _) = self.board.flood(lowest(beside), own);
                if beside & !stones == 0 {
                    kept &= !(1 << node);
                }
            }
        }
        kept
    }

    fn in_atari(&self, position: &LocalPosition) -> bool {
        let mut rest = self.target;
        while rest != 0 {
            let chain = self
                .board
                .chain(position, self.defender, rest.trailing_zeros() as usize);
            if chain.liberties.count_ones() == 1 {
                return true;
            }
            rest &= !chain.stones;
        }
        false
    }
}

/// A quick hasher for positions: they are not chosen by an adversary.
#[derive(Default)]
struct Mixer(u64);

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u64(&mut self, word: u64) {
        let mixed = (self.0 ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.0 = mixed ^ mixed >> 32;
    }

    fn write_u128(&mut self, words: u128) {
        self.write_u64(words as u64);
        self.write_u64((words >> 64) as u64);
    }

    fn write_isize(&mut self, word: isize) {
        self.write_u64(word as u64);
    }

    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::Fate::*;
    use super::*;
    use crate::board::drawn;

    /// The fate of a chain if the enemy and if its owner moves first. `#` and `@` are settled
    /// stones of Black and White.
    fn fates(drawing: &str, x: u8, y: u8) -> (Fate, Fate) {
        let (board, safe) = drawn::settled(drawing);
        let chain = Point::new(x, y);
        let owner = board.stone(chain).expect("a stone");
        let problem = Problem::new(&board, chain, &safe).expect("a problem");
        (
            problem.fate(owner.other(), 20_000),
            problem.fate(owner, 20_000),
        )
    }

    #[test]
    fn eye_spaces_in_a_row() {
        let two = "
            . . X @
            X X X @
            @ @ @ @
        ";
        assert_eq!(fates(two, 0, 1), (Dies, Dies));
        let three = "
            . . . X @
            X X X X @
            @ @ @ @ @
        ";
        assert_eq!(fates(three, 0, 1), (Dies, Lives));
        let four = "
            . . . . X @
            X X X X X @
            @ @ @ @ @ @
        ";
        assert_eq!(fates(four, 0, 1), (Lives, Lives));
    }

    #[test]
    fn the_square_four_is_dead_and_the_bulky_five_unsettled() {
        let square = "
            X X X X @
            X . . X @
            X . . X @
            X X X X @
            @ @ @ @ @
        ";
        assert_eq!(fates(square, 0, 0), (Dies, Dies));
        let bulky = "
            X X X X X @
            X . . . X @
            X . . X X @
            X X X X @ @
            @ @ @ @ @ @
        ";
        assert_eq!(fates(bulky, 0, 0), (Dies, Lives));
    }

    #[test]
    fn the_empty_bent_four_in_the_corner_is_a_ko() {
        let bent = "
            . . . X @
            . X X X @
            X X @ @ @
            @ @ @ @ @
        ";
        assert_eq!(fates(bent, 3, 0), (Ko, Lives));
        // With an outside liberty the throw-in comes too early, but the ko is still there.
        let roomy = "
            . . . X .
            . X X X @
            X X @ @ @
            @ @ @ @ @
        ";
        assert_eq!(fates(roomy, 3, 0).1, Lives);
    }

    #[test]
    fn a_false_eye_does_not_count() {
        // The two stones on the right hang on one link, and the point between is no eye.
        let chain = "
            . X X . X @
            X X @ X @ @
            @ @ @ @ @ @
        ";
        assert_eq!(fates(chain, 0, 1), (Dies, Dies));
        let real = "
            . X X . X @
            X X X X X @
            @ @ @ @ @ @
        ";
        assert_eq!(fates(real, 0, 1), (Lives, Lives));
    }

    #[test]
    fn in_an_even_race_the_first_to_move_wins() {
        let even = "
            @ @ @ @ @ @ @
            @ . X X X X @
            # . O O O O #
            # # # # # # #
        ";
        assert_eq!(fates(even, 2, 1), (Dies, Lives));
        assert_eq!(fates(even, 2, 2), (Dies, Lives));
    }

    #[test]
    fn one_liberty_more_wins_the_race_in_any_case() {
        let ahead = "
            @ @ @ . @ @ @
            @ . X X X X @
            # . O O O O #
            # # # # # # #
        ";
        assert_eq!(fates(ahead, 2, 1), (Lives, Lives));
        assert_eq!(fates(ahead, 2, 2), (Dies, Dies));
    }

    #[test]
    fn an_eye_against_none_wins_the_race_over_shared_liberties() {
        let against_none = "
            # # # # @ @ @ @
            # O O . X X X @
            # O O . X . X @
            # O O O X X X @
            # # # # @ @ @ @
        ";
        // Black fills the shared liberties from outside; White can't without giving himself up.
        assert_eq!(fates(against_none, 4, 1), (Lives, Lives));
        assert_eq!(fates(against_none, 1, 1), (Dies, Dies));
    }

    #[test]
    fn two_shared_liberties_and_no_eyes_are_life_for_both() {
        let seki = "
            # # # # @ @ @ @
            # O O O X X X @
            # O O . X X X @
            # O O . X X X @
            # O O O X X X @
            # # # # @ @ @ @
        ";
        assert_eq!(fates(seki, 4, 1), (Lives, Lives));
        assert_eq!(fates(seki, 1, 1), (Lives, Lives));
    }

    #[test]
    fn a_chain_lives_by_joining_a_settled_friend() {
        let link = "
            # . X . @
            # @ @ @ @
            # @ @ @ @
        ";
        assert_eq!(fates(link, 2, 0), (Dies, Lives));
        let two_ways = "
            # . X . @
            # . X @ @
            # @ @ @ @
        ";
        assert_eq!(fates(two_ways, 2, 0), (Lives, Lives));
    }

    /// The same question answered by trying every legal move, with none of the search's wits: no
    /// candidates, no shapes, no proof numbers, only the capture itself.
    struct Plodder<'a> {
        search: ProofSearch<'a>,
        memo: HashMap<(Turn, u32), bool>,
    }

    impl Plodder<'_> {
        fn kills(&mut self, turn: Turn, depth: u32) -> bool {
            let Turn { position, mover } = turn;
            let defender = self.search.defender;
            if self.search.target & !position.stones[defender.index()] != 0 {
                return true;
            }
            if depth == 0 {
                return false;
            }
            if let Some(&known) = self.memo.get(&(turn, depth)) {
                return known;
            }
            let is_master = mover == self.search.master;
            let mut options: Vec<LocalPosition> = each(self.search.board.empty(&position))
                .filter(|&node| is_master || position.ko >> node & 1 == 0)
                .filter_map(|node| self.search.board.put(&position, mover, node))
                .filter(|played| {
                    is_master || played.position.ko == 0 || played.taken & self.search.target != 0
                })
                .map(|played| played.position)
                .collect();
            options.push(LocalPosition { ko: 0, ..position });
            let mut outcomes = options.into_iter().map(|position| {
                let mover = mover.other();
                self.kills(Turn { position, mover }, depth - 1)
            });
            let result = if mover == defender {
                outcomes.all(|killed| killed)
            } else {
                outcomes.any(|killed| killed)
            };
            self.memo.insert((turn, depth), result);
            result
        }
    }

    #[test]
    fn the_search_agrees_with_trying_everything() {
        let mut state = 7u64;
        let mut random = |n: u64| {
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (state >> 33) % n
        };
        let mut compared = [0; 2];
        while compared[0] + compared[1] < 2000 {
            // Random stones between settled walls of both colours.
            let mut drawing = String::from("# # # @ @ @\n");
            for row in 0..3 {
                drawing += if row == 0 { "#" } else { "@" };
                for _ in 0..4 {
                    drawing.push(['X', 'X', 'X', 'O', 'O', '.', '.'][random(7) as usize]);
                }
                drawing += if row == 2 { "#\n" } else { "@\n" };
            }
            drawing += "@ @ @ @ @ @\n";
            let (board, safe) = drawn::settled(&drawing);
            let mut weak = board.chains().into_iter().filter(|&c| !safe.contains(c));
            if board
                .chains()
                .iter()
                .any(|&c| !safe.contains(c) && board.liberties(c).is_empty())
            {
                continue;
            }
            let Some(chain) = weak.next() else { continue };
            let defender = board.stone(chain).unwrap();
            let problem = Problem::new(&board, chain, &safe).unwrap();
            for first in Color::BOTH {
                for master in Color::BOTH {
                    let found = ProofSearch::new(&problem, Goal::Kill, master, 20_000).run(first);
                    let mut plodder = Plodder {
                        search: ProofSearch::new(&problem, Goal::Kill, master, 0),
                        memo: HashMap::new(),
                    };
                    let start = Turn {
                        position: problem.board.start(),
                        mover: first,
                    };
                    let expected = plodder.kills(start, 20);
                    assert_eq!(
                        found,
                        Some(expected),
                        "{defender:?} at {chain:?}, {first:?} first, {master:?} wins kos\n{drawing}"
                    );
                    compared[expected as usize] += 1;
                }
            }
        }
        assert!(compared.iter().all(|&count| count > 50), "{compared:?}");
    }

    #[test]
    fn a_limit_too_small_says_so_and_the_answer_does_not_change_with_it() {
        let four = "
            . . . . X @
            X X X X X @
            @ @ @ @ @ @
        ";
        let (board, safe) = drawn::settled(four);
        let problem = Problem::new(&board, Point::new(0, 1), &safe).unwrap();
        let mut answers: Vec<Fate> = (0..200)
            .map(|limit| problem.fate(Color::White, limit))
            .collect();
        assert_eq!(answers[1], Unknown);
        answers.dedup();
        assert_eq!(answers, [Unknown, Lives]);
    }

    #[test]
    fn no_stone_is_no_problem() {
        let board = drawn::board(". .");
        assert!(Problem::new(&board, Point::new(0, 0), &PointSet::EMPTY).is_none());
    }
}
