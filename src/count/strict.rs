//! The rule book's reading of territory: points that must be filled, and groups in seki.
//!
//! By the rule book, not every point that one colour surrounds is territory. A point where its
//! owner will have to connect once the dame are filled is none (a *false eye*, or *teire*), and
//! stones that are alive without two eyes, sharing their liberties with the enemy, are in *seki*:
//! what they surround does not count. Both are questions about eyes, and both are answered on
//! one picture, a graph:
//!
//! - *Pieces* are chains, joined where they can meet among the dame (see [`super::dame_reach`]).
//! - *Eyes* are the regions that one colour surrounds, and the loose eyes in open regions.
//! - A piece and an eye are linked when they touch.
//!
//! **False eyes.** A piece that touches an eye in a single point hangs on that eye by a thread.
//! If the thread is all that holds two parts of the graph together, the enemy can come to cut it.
//! A part that has an eye elsewhere can bear that: with an eye on either side of it, the
//! connecting point is a shared eye, and both parts live. A part without one must connect, so the
//! point gets filled. Filling it joins the pieces around it, which may leave another thread to
//! look at, and so on. Threads that form a ring need no filling: cut in one place, the ring still
//! holds.
//!
//! ```text
//!     X X . X O       The thread at the top: the lone stone right of it has no other eye, so
//!     X . X O O       Black will have to connect.
//! ```
//!
//! If the enemy has already thrown in on the thread, the points beside it go as well: the owner
//! has to take the stone from there, and then to connect.
//!
//! **Seki.** A group, that is a connected part of the graph, is alive by itself when its eyes are
//! worth two together. What an eye is worth is decided by its shape and by the dead stones in it
//! (see [`super::eye_space`]); threads are exits there. A group whose eyes are worth less, and
//! that is not dead, lives in seki.
//!
//! The graph of pieces and eyes, and the care for dead stones thrown in at false eyes, follow the
//! aims of lightvector's goscorer; the way from there is our own.

use std::borrow::Cow;
use std::ops::Range;

use super::dame_reach::{self, LooseEyes};
use super::eye_space::{Space, is_roomy};
use super::final_position::{Contact, Ground, Region};
use super::score::{Mark, ScoreMap, Side};
use super::servers::Counting;
use crate::board::UnionFind;
use crate::board::{Color, Point, PointSet, Spot};

/// What the rule book takes away from plain surrounded points.
pub(super) struct Reading {
    /// Points where their owner will have to connect once the dame are filled.
    pub(super) to_fill: PointSet,
    /// By chain: it is alive in seki.
    pub(super) in_seki: Vec<bool>,
    pub(super) seki_groups: u32,
    /// By chain: the group that it belongs to.
    groups: Vec<usize>,
}

/// A space that may be worth eyes to one side.
struct Eye<'a> {
    owner: Color,
    points: &'a [Point],
    /// Where chains of the owner touch it.
    contacts: Cow<'a, [Contact]>,
    /// Its links, by their numbers.
    links: Range<usize>,
    /// Whether it is known to be worth one eye, and two.
    worth: [Option<bool>; 2],
}

impl<'a> Eye<'a> {
    fn new(owner: Color, points: &'a [Point], contacts: Cow<'a, [Contact]>) -> Eye<'a> {
        Eye {
            owner,
            points,
            contacts,
            links: 0..0,
            worth: [None; 2],
        }
    }
}

/// A piece that touches an eye.
struct Link {
    piece: u16,
    eye: u16,
    /// Where it touches.
    contact: Point,
    /// Whether that is the only point.
    single: bool,
    /// Whether nothing else holds the two together.
    bridge: bool,
    /// The link of the same piece that was drawn before this one.
    before: Option<u16>,
}

/// What a link has at its ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Piece(usize),
    Eye(usize),
}

pub(super) fn read(ground: &Ground, counting: Counting) -> Reading {
    let mut pieces = UnionFind::new(ground.chains());
    let loose = dame_reach::walk(ground, &mut pieces);
    if counting == Counting::Kgs {
        dame_reach::join_across(ground, &mut pieces);
    }
    let mut graph = Graph::new(ground, pieces, &loose);
    graph.fill_threads();
    graph.into_reading()
}

struct Graph<'a> {
    ground: &'a Ground<'a>,
    pieces: UnionFind,
    eyes: Vec<Eye<'a>>,
    /// By owner: points of loose eyes that it gives up to answer pushes.
    answers: &'a [PointSet; 2],
    /// By owner: points of eyes that are threads, where a piece hangs on the eye.
    exits: [PointSet; 2],
    /// By chain: its piece when the links were drawn, and in the end its group.
    piece_of: Vec<usize>,
    to_fill: PointSet,
    /// Points that were filled in, each with a chain that the stone there has joined.
    filled: Vec<(Point, usize)>,
    /// All links, one eye after the other.
    links: Vec<Link>,
    /// By piece: the last of its links.
    last_link: Vec<Option<u16>>,
}

impl<'a> Graph<'a> {
    fn new(ground: &'a Ground<'a>, pieces: UnionFind, loose: &'a LooseEyes) -> Graph<'a> {
        let mut graph = Graph {
            ground,
            pieces,
            eyes: Vec::with_capacity(32),
            answers: &loose.answers,
            exits: [PointSet::EMPTY; 2],
            piece_of: Vec::with_capacity(ground.chains()),
            to_fill: PointSet::EMPTY,
            filled: Vec::new(),
            links: Vec::with_capacity(64),
            last_link: vec![None; ground.chains()],
        };
        for region in ground.regions() {
            if let Some(owner) = region.owner {
                let contacts = Cow::Borrowed(region.contacts);
                graph.eyes.push(Eye::new(owner, region.points, contacts));
            }
        }
        for (owner, points) in loose.iter() {
            let contacts = Cow::Owned(graph.contacts(owner, points));
            graph.eyes.push(Eye::new(owner, points, contacts));
        }
        graph
    }

    /// Where an eye is touched: by chains, and by stones that were filled in.
    fn contacts(&self, owner: Color, points: &[Point]) -> Vec<Contact> {
        let mut contacts = Vec::with_capacity(2 * points.len());
        for &point in points.iter().filter(|&&p| !self.to_fill.contains(p)) {
            for beside in point.neighbors() {
                if let Some(chain) = self.chain_at(beside, owner) {
                    let chain = chain as u16;
                    contacts.push(Contact { point, chain });
                }
            }
        }
        contacts
    }

    fn settle_pieces(&mut self) {
        self.piece_of = self.pieces.roots();
    }

    /// Draws the links anew.
    fn link(&mut self) {
        self.settle_pieces();
        self.links.clear();
        self.last_link.fill(None);
        for (number, eye) in self.eyes.iter_mut().enumerate() {
            let first = self.links.len();
            for &Contact { point, chain } in eye.contacts.iter() {
                let piece = self.piece_of[chain as usize];
                match self.last_link[piece] {
                    Some(link) if link as usize >= first => {
                        let link = &mut self.links[link as usize];
                        link.single &= link.contact == point;
                    }
                    before => {
                        self.last_link[piece] = Some(self.links.len() as u16);
                        self.links.push(Link {
                            piece: piece as u16,
                            eye: number as u16,
                            contact: point,
                            single: true,
                            bridge: false,
                            before,
                        });
                    }
                }
            }
            eye.links = first..self.links.len();
        }
    }

    /// The first link of a piece or an eye.
    fn first_link(&self, end: End) -> Option<usize> {
        match end {
            End::Piece(piece) => self.last_link[piece].map(usize::from),
            End::Eye(eye) => self.eyes[eye].links.clone().next(),
        }
    }

    /// The link of a piece or an eye that comes after this one.
    fn next_link(&self, end: End, link: usize) -> Option<usize> {
        match end {
            End::Piece(_) => self.links[link].before.map(usize::from),
            End::Eye(eye) => (link + 1 < self.eyes[eye].links.end).then_some(link + 1),
        }
    }

    /// Where a link leads from one of its ends.
    fn other_end(&self, end: End, link: usize) -> End {
        match end {
            End::Piece(_) => End::Eye(self.links[link].eye as usize),
            End::Eye(_) => End::Piece(self.links[link].piece as usize),
        }
    }

    /// Fills every thread that has to be filled.
    fn fill_threads(&mut self) {
        loop {
            self.link();
            let mut filled = false;
            for thread in self.threads() {
                let Link {
                    piece,
                    eye,
                    contact,
                    ..
                } = self.links[thread];
                if self.to_fill.contains(contact) {
                    continue;
                }
                if self.must_connect(End::Piece(piece as usize), thread)
                    || self.must_connect(End::Eye(eye as usize), thread)
                {
                    self.fill(eye as usize, contact);
                    filled = true;
                }
            }
            if !filled {
                return;
            }
            for eye in 0..self.eyes.len() {
                let Eye { owner, points, .. } = self.eyes[eye];
                if points.iter().any(|&point| self.to_fill.contains(point)) {
                    self.eyes[eye].contacts = Cow::Owned(self.contacts(owner, points));
                }
            }
        }
    }

    /// The links through a single point that alone hold two parts of the graph together. Their
    /// points become exits of the eye.
    fn threads(&mut self) -> Vec<usize> {
        let eyes = &self.eyes;
        let may_be_thread = |link: &Link| link.single && eyes[link.eye as usize].links.len() >= 2;
        if !self.links.iter().any(may_be_thread) {
            return Vec::new();
        }
        self.find_bridges();
        let mut threads = Vec::new();
        for (number, link) in self.links.iter().enumerate() {
            let eye = &mut self.eyes[link.eye as usize];
            if link.single && link.bridge && eye.links.len() >= 2 {
                threads.push(number);
                if self.exits[eye.owner.index()].insert(link.contact) {
                    eye.worth = [None; 2];
                }
            }
        }
        threads
    }

    /// Marks the links that are the only way between their ends. A walk along the links makes a
    /// tree; a link that is not of the tree closes a ring, together with the ways from its ends
    /// up to where they meet, and the links of no ring are the bridges.
    fn find_bridges(&mut self) {
        let eyes = self.eyes.len();
        let vertex = |end: End| match end {
            End::Eye(eye) => eye,
            End::Piece(piece) => eyes + piece,
        };
        // How deep in the tree an eye or a piece is, the root being 1, and the link up.
        let mut places = vec![(0u16, usize::MAX); eyes + self.ground.chains()];
        let mut tree: Vec<End> = Vec::with_capacity(64);
        for root in 0..eyes {
            if places[root].0 > 0 {
                continue;
            }
            places[root].0 = 1;
            let mut next = tree.len();
            tree.push(End::Eye(root));
            while let Some(&end) = tree.get(next) {
                next += 1;
                let (depth, up) = places[vertex(end)];
                let mut way = self.first_link(end);
                while let Some(link) = way {
                    way = self.next_link(end, link);
                    if link == up {
                        continue;
                    }
                    let other = self.other_end(end, link);
                    let place = &mut places[vertex(other)];
                    if place.0 == 0 {
                        *place = (depth + 1, link);
                        self.links[link].bridge = true;
                        tree.push(other);
                        continue;
                    }
                    let (mut a, mut b) = (end, other);
                    while a != b {
                        if places[vertex(a)].0 < places[vertex(b)].0 {
                            (a, b) = (b, a);
                        }
                        let (_, up) = places[vertex(a)];
                        self.links[up].bridge = false;
                        a = self.other_end(a, up);
                    }
                }
            }
        }
    }

    /// Whether the part of the graph around a piece or an eye, cut off at this link, can be
    /// attacked and has no eye of its own.
    fn must_connect(&mut self, start: End, cut: usize) -> bool {
        let mut part = Vec::with_capacity(32);
        part.push(start);
        let mut next = 0;
        while let Some(&end) = part.get(next) {
            next += 1;
            if let End::Eye(eye) = end
                && self.is_worth(eye, 1)
            {
                return false;
            }
            let mut way = self.first_link(end);
            while let Some(link) = way {
                way = self.next_link(end, link);
                let other = self.other_end(end, link);
                if link != cut && !part.contains(&other) {
                    part.push(other);
                }
            }
        }
        part.iter().any(|&end| match end {
            End::Piece(piece) => self.is_exposed(piece),
            End::Eye(_) => false,
        })
    }

    /// Whether the enemy can come near a piece or a group.
    fn is_exposed(&self, piece: usize) -> bool {
        let mut chains = (0..self.ground.chains()).filter(|&chain| self.piece_of[chain] == piece);
        chains.any(|chain| self.ground.is_exposed(chain))
    }

    /// Plays on a thread, which joins the pieces around it.
    fn fill(&mut self, eye: usize, point: Point) {
        let Eye { owner, points, .. } = self.eyes[eye];
        let thrown_in = self.ground.was_lifted(point);
        self.to_fill.insert(point);
        let mut joined = None;
        for beside in point.neighbors() {
            if let Some(chain) = self.chain_at(beside, owner) {
                self.pieces.join(*joined.get_or_insert(chain), chain);
            } else if thrown_in && points.contains(&beside) {
                self.to_fill.insert(beside);
            }
        }
        self.filled.extend(joined.map(|chain| (point, chain)));
    }

    /// The chain of this colour on a point, whether it stands there or was filled in.
    #[inline]
    fn chain_at(&self, point: Point, color: Color) -> Option<usize> {
        let filled_in = || {
            let stone = self.filled.iter().find(|&&(there, _)| there == point);
            stone.map(|&(_, chain)| chain)
        };
        let chain = self.ground.chain(point).or_else(filled_in)?;
        (self.ground.color(chain) == color).then_some(chain)
    }

    /// Whether an eye is worth this much, one or two.
    fn is_worth(&mut self, number: usize, wanted: usize) -> bool {
        if let Some(known) = self.eyes[number].worth[wanted - 1] {
            return known;
        }
        let worth = self.judge(&self.eyes[number], wanted);
        self.eyes[number].worth[wanted - 1] = Some(worth);
        worth
    }

    fn judge(&self, eye: &Eye, wanted: usize) -> bool {
        let answers = &self.answers[eye.owner.index()];
        let is_exit = |point: Point| self.exits[eye.owner.index()].contains(point);
        let (mut len, mut exits, mut stones, mut thrown_in) = (0, 0, 0, false);
        for &point in eye.points.iter().filter(|&&p| !answers.contains(p)) {
            len += 1;
            match (is_exit(point), self.ground.was_lifted(point)) {
                (true, lifted) => {
                    exits += 1;
                    thrown_in |= lifted;
                }
                (false, lifted) => stones += lifted as u32,
            }
        }
        if !thrown_in && is_roomy((len - exits) as u32, stones) || len > Space::LIMIT {
            return true;
        }
        if exits == 0 && wanted == 1 {
            return len > 0;
        }
        // An exit is no eye, and between two eyes there is a point.
        if exits == len || len < 2 * wanted - 1 {
            return false;
        }
        self.space(eye).makes_eyes(wanted as u32)
    }

    /// The eye as a space to search.
    fn space(&self, eye: &Eye) -> Space {
        let answers = &self.answers[eye.owner.index()];
        let points: Vec<Point> = eye
            .points
            .iter()
            .copied()
            .filter(|&point| !answers.contains(point))
            .collect();
        let mut space = Space::new(points.len());
        for (number, &point) in points.iter().enumerate() {
            if self.ground.was_lifted(point) {
                space.set_enemy(number);
            }
            if self.exits[eye.owner.index()].contains(point) {
                space.set_exit(number);
            }
            for beside in point.neighbors() {
                if let Some(other) = points.iter().position(|&p| p == beside) {
                    space.connect(number, other);
                } else if self.ground.spot(beside) != Spot::Edge {
                    space.set_wall(number);
                }
            }
        }
        space
    }

    /// Finds the groups in seki: pieces around the same eyes belong together.
    fn into_reading(mut self) -> Reading {
        let ground = self.ground;
        for eye in &self.eyes {
            for pair in self.links[eye.links.clone()].windows(2) {
                self.pieces
                    .join(pair[0].piece as usize, pair[1].piece as usize);
            }
        }
        self.settle_pieces();
        let alive = self.living_groups();
        let in_seki: Vec<bool> = self.piece_of.iter().map(|&group| !alive[group]).collect();
        let seki_groups = (0..ground.chains())
            .filter(|&chain| in_seki[chain] && self.piece_of[chain] == chain)
            .count();
        Reading {
            to_fill: self.to_fill,
            in_seki,
            seki_groups: seki_groups as u32,
            groups: self.piece_of,
        }
    }

    /// By group: whether it has two eyes, or no enemy.
    fn living_groups(&mut self) -> Vec<bool> {
        let mut alive = vec![false; self.ground.chains()];
        let mut has_eye = alive.clone();
        for wanted in [1, 2] {
            for eye in 0..self.eyes.len() {
                let Some(link) = self.first_link(End::Eye(eye)) else {
                    continue;
                };
                let group = self.piece_of[self.links[link].piece as usize];
                if !alive[group] && self.is_worth(eye, wanted) {
                    alive[group] = has_eye[group] || wanted == 2;
                    has_eye[group] = true;
                }
            }
        }
        for (group, alive) in alive.iter_mut().enumerate() {
            if self.piece_of[group] == group && !*alive {
                *alive = !self.is_exposed(group);
            }
        }
        alive
    }
}

impl Reading {
    /// Whether this is an eye of chains in seki.
    pub(super) fn is_eye_in_seki(&self, region: Region) -> bool {
        let wall = region.owner.and(region.contacts.first());
        wall.is_some_and(|contact| self.in_seki[contact.chain as usize])
    }

    /// Two points for each group that has them: the eyes that it can never fill. Nothing is owed
    /// for points that did not count, such as eyes in seki.
    pub(super) fn tax(&self, ground: &Ground, map: &ScoreMap, sides: &mut [Side; 2]) {
        let counted = |&&point: &&Point| !matches!(map.mark(point), Mark::Dame | Mark::Stone(_));
        let mut eyes = vec![0u32; ground.chains()];
        for region in ground.regions().filter(|region| region.owner.is_some()) {
            let wall = region.contacts[0].chain as usize;
            eyes[self.groups[wall]] += region.points.iter().filter(counted).count() as u32;
        }
        for (group, eyes) in eyes.into_iter().enumerate() {
            sides[ground.color(group).index()].group_tax += eyes.min(2);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::score::tests::drawn;
    use super::super::{Count, Counting, ScoringTerms, count};
    use crate::rules::Preset;

    /// Counts the left board by Japanese rules and compares with the map on the right.
    fn reads(drawing: &str) -> Count {
        let (board, dead, expected) = drawn(drawing);
        let count = count(
            &board,
            &dead,
            &Preset::Japanese.rules(),
            &ScoringTerms::default(),
        );
        assert_eq!(count.map.rows().join("\n"), expected, "{}", count.map);
        count
    }

    #[test]
    fn a_stone_that_hangs_on_one_point_will_have_to_connect() {
        reads(
            "
            . . X . X O .     b b X . X O w
            . . X X O O .     b b X X O O w
            X X X O O . .     X X X O O w w
            . . X O . O .     b b X O w O w
            . . X O . . .     b b X O w w w
            ",
        );
    }

    #[test]
    fn filling_one_thread_may_leave_another() {
        // The stones along the top hang together by two points, and have no eye at the far end.
        reads(
            "
            . X . X . X O .     b X . X . X O w
            X X X O X O O .     X X X O X O O w
            . X O O O O . .     b X O O O O w w
            X X O . O . . .     X X O w O w w w
            ",
        );
    }

    #[test]
    fn between_two_eyes_a_thread_is_an_eye_as_well() {
        // The same with an eye at the far end: nothing has to be filled.
        reads(
            "
            . X . X . X . X O .     b X b X b X b X O w
            X X X O X X X X O .     X X X O X X X X O w
            . X O O O O O O O .     b X O O O O O O O w
            X X O . . O . O . .     X X O w w O w O w w
            ",
        );
    }

    #[test]
    fn a_ring_of_threads_holds() {
        // The two-headed dragon: neither chain has an eye of its own, and both live.
        reads(
            "
            . X X X X X X     b X X X X X X
            X O O O O O X     X O O O O O X
            X O . O . O X     X O w O w O X
            X O O O O O X     X O O O O O X
            X X X X X X .     X X X X X X b
            ",
        );
    }

    #[test]
    fn a_stone_thrown_in_on_a_thread_costs_the_point_beside_it_too() {
        reads(
            "
            . . . o X . O .     b b . O X . O w
            X X X X O O O .     X X X X O O O w
            . X . X O . O .     b X b X O w O w
            X X X X O O O O     X X X X O O O O
            ",
        );
    }

    #[test]
    fn groups_with_an_eye_each_share_their_last_liberty_in_seki() {
        let count = reads(
            "
            . X . O .     . # . @ .
            X X . O O     # # . @ @
            X X . O O     # # . @ @
            ",
        );
        assert_eq!(count.seki_groups, 2);
        assert_eq!(count.dame, 5);
    }

    #[test]
    fn dead_stones_in_an_eye_that_is_no_more_than_one_stay_in_a_seki() {
        // Three of five in a row: when Black has taken them, White plays in the middle.
        reads(
            "
            . X . O . O     . # . O w O
            o X . O O .     O # . O O w
            o X . O . O     O # . O w O
            o X . O O .     O # . O O w
            . X . O . O     . # . O w O
            ",
        );
    }

    #[test]
    fn dead_stones_in_a_large_eye_are_taken() {
        reads(
            "
            . X . O . O     b X . O w O
            . X . O O .     b X . O O w
            o X . O . O     o X . O w O
            . X . O O .     b X . O O w
            . X . O . O     b X . O w O
            ",
        );
    }

    #[test]
    fn unfilled_dame_do_not_make_a_seki() {
        // Nothing is closed on the left, but Black can answer every push: no territory, no seki.
        reads(
            "
            . . . . . X .     . . . . . X b
            . X X . X X .     . X X . X X b
            . . . . . X .     . . . . . X b
            O O O O O X .     O O O O O X b
            . . . . O X .     w w w w O X b
            . . . . O X .     w w w w O X b
            ",
        );
    }

    #[test]
    fn kgs_joins_stones_across_the_dame_that_the_enemy_holds_apart() {
        // Black's stones stand above and below the two dame, so White can't connect there: the
        // three stones in the middle hang on the point right of them.
        let drawing = "
            . O X . X . X O . .     w O X b X b X O w w
            O O X X X X X O . .     O O X X X X X O w w
            . O . . O O O . O .     w O . . O O O . O w
            O O X X X X X O . .     O O X X X X X O w w
            . O X . X . X O . .     w O X b X b X O w w
        ";
        let strict = reads(drawing);
        let (board, dead, _) = drawn(drawing);
        let terms = ScoringTerms {
            counting: Counting::Kgs,
            ..ScoringTerms::default()
        };
        let kgs = count(&board, &dead, &Preset::Japanese.rules(), &terms);
        assert_eq!(kgs.white.territory, strict.white.territory + 1);
    }

    #[test]
    fn one_colour_alone_has_everything() {
        reads(
            "
            . X .     b X b
            . . .     b b b
            ",
        );
    }
}
