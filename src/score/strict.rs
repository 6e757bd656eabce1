//! The rule book's reading of territory: points that must be filled, and groups in seki.
//!
//! By the rule book, not every point that one colour surrounds is territory. A point where its
//! owner will have to connect once the dame are filled is none (a *false eye*, or *teire*), and
//! stones that are alive without two eyes, sharing their liberties with the enemy, are in *seki*:
//! what they surround does not count. Both are questions about eyes, and both are answered on
//! one picture, a graph:
//!
//! - *Pieces* are chains, joined where they can meet among the dame (see [`super::passage`]).
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
//! (see [`super::eyespace`]); threads are exits there. A group whose eyes are worth less, and
//! that is not dead, lives in seki.
//!
//! The graph of pieces and eyes, and the care for dead stones thrown in at false eyes, follow the
//! aims of lightvector's goscorer; the way from there is our own.

use super::count::Side;
use super::eyespace::{Space, is_roomy};
use super::ground::Ground;
use super::passage::{self, LooseEye};
use super::servers::Counting;
use super::union::Union;
use crate::rules::{Color, Point, Spot};

/// What the rule book takes away from plain surrounded points.
pub(super) struct Reading {
    /// By point: its owner will have to connect there once the dame are filled.
    pub(super) to_fill: Vec<bool>,
    /// By part: the chain is alive in seki, or the region is an eye of such chains.
    pub(super) in_seki: Vec<bool>,
    pub(super) seki_groups: u32,
    /// By part: the group that the chain or region belongs to.
    group: Vec<u16>,
}

/// A space that may be worth eyes to one side.
struct Eye {
    owner: Color,
    points: Vec<Point>,
    /// Points that the owner gives up to answer pushes; only loose eyes have them.
    answers: Vec<Point>,
    /// Threads: points where a piece hangs on this eye.
    exits: Vec<Point>,
    links: Vec<Link>,
    /// Whether it is known to be worth one eye, and two.
    worth: [Option<bool>; 2],
}

/// A piece that touches an eye.
#[derive(Clone, Copy)]
struct Link {
    piece: usize,
    /// Where it touches.
    contact: Point,
    /// Whether that is the only point.
    single: bool,
    /// Whether nothing else holds the two together.
    bridge: bool,
}

pub(super) fn read(ground: &Ground, counting: Counting) -> Reading {
    let mut pieces = Union::new(ground.len());
    let loose = passage::walk(ground, &mut pieces);
    if counting == Counting::Kgs {
        passage::join_across(ground, &mut pieces);
    }
    let mut graph = Graph::new(ground, pieces, loose);
    graph.fill_threads();
    graph.into_reading()
}

struct Graph<'a> {
    ground: &'a Ground,
    pieces: Union,
    eyes: Vec<Eye>,
    /// By chain, and after linking by piece: the enemy can come near it.
    exposed: Vec<bool>,
    to_fill: Vec<bool>,
    /// By point: the chain that a stone filled in there has joined.
    filled: Vec<Option<u16>>,
    /// By piece: the eyes it touches.
    eyes_of: Vec<Vec<u16>>,
}

/// A part of the graph: numbers of pieces and of eyes.
#[derive(Default)]
struct Part {
    pieces: Vec<usize>,
    eyes: Vec<usize>,
}

impl Graph<'_> {
    fn new(ground: &Ground, pieces: Union, loose: Vec<LooseEye>) -> Graph<'_> {
        let mut eyes: Vec<Eye> = Vec::new();
        let mut exposed = vec![false; ground.len()];
        for part in 0..ground.len() {
            if let Some(color) = ground.color(part) {
                exposed[part] |= ground.touches(part, color.other());
            } else if let Some(owner) = ground.owner(part) {
                eyes.push(Eye {
                    owner,
                    points: ground.points(part).to_vec(),
                    answers: Vec::new(),
                    exits: Vec::new(),
                    links: Vec::new(),
                    worth: [None; 2],
                });
            } else {
                for beside in ground.points(part).iter().flat_map(|p| p.neighbors()) {
                    if ground.spot(beside).color().is_some() {
                        exposed[ground.part(beside)] = true;
                    }
                }
            }
        }
        eyes.extend(loose.into_iter().map(|eye| Eye {
            owner: eye.owner,
            points: eye.points,
            answers: eye.answers,
            exits: Vec::new(),
            links: Vec::new(),
            worth: [None; 2],
        }));
        Graph {
            ground,
            pieces,
            eyes,
            exposed,
            to_fill: vec![false; ground.size().padded()],
            filled: vec![None; ground.size().padded()],
            eyes_of: vec![Vec::new(); ground.len()],
        }
    }

    /// Draws the links anew.
    fn link(&mut self) {
        for eyes in &mut self.eyes_of {
            eyes.clear();
        }
        for chain in 0..self.ground.len() {
            if self.exposed[chain] {
                let piece = self.pieces.find(chain);
                self.exposed[piece] = true;
            }
        }
        let mut links = Vec::new();
        for number in 0..self.eyes.len() {
            let eye = &self.eyes[number];
            links.clear();
            for &point in eye.points.iter().filter(|p| !self.to_fill[p.index()]) {
                for beside in point.neighbors() {
                    let Some(chain) = self.chain_at(beside, eye.owner) else {
                        continue;
                    };
                    let piece = self.pieces.root(chain);
                    match links
                        .iter_mut()
                        .find(|link: &&mut Link| link.piece == piece)
                    {
                        Some(link) => link.single &= link.contact == point,
                        None => links.push(Link {
                            piece,
                            contact: point,
                            single: true,
                            bridge: false,
                        }),
                    }
                }
            }
            for link in &links {
                self.eyes_of[link.piece].push(number as u16);
            }
            self.eyes[number].links.clone_from(&links);
        }
    }

    /// Everything that hangs together with a piece or an eye, leaving out one link.
    fn part(&self, piece: Option<usize>, eye: Option<usize>, without: (usize, usize)) -> Part {
        let mut part = Part::default();
        part.pieces.extend(piece);
        part.eyes.extend(eye);
        let (mut next_piece, mut next_eye) = (0, 0);
        loop {
            if let Some(&piece) = part.pieces.get(next_piece) {
                next_piece += 1;
                for &eye in &self.eyes_of[piece] {
                    let eye = eye as usize;
                    if (piece, eye) != without && !part.eyes.contains(&eye) {
                        part.eyes.push(eye);
                    }
                }
            } else if let Some(&eye) = part.eyes.get(next_eye) {
                next_eye += 1;
                for link in &self.eyes[eye].links {
                    if (link.piece, eye) != without && !part.pieces.contains(&link.piece) {
                        part.pieces.push(link.piece);
                    }
                }
            } else {
                return part;
            }
        }
    }

    /// Fills every thread that has to be filled.
    fn fill_threads(&mut self) {
        loop {
            self.link();
            let threads = self.threads();
            let mut filled = false;
            for &(piece, eye, point) in &threads {
                if self.to_fill[point.index()] {
                    continue;
                }
                let without = (piece, eye);
                let behind = self.part(Some(piece), None, without);
                let before = self.part(None, Some(eye), without);
                if self.must_connect(&behind) || self.must_connect(&before) {
                    self.fill(eye, point);
                    filled = true;
                }
            }
            if !filled {
                return;
            }
        }
    }

    /// The links through a single point that alone hold two parts of the graph together. Their
    /// points become exits of the eye.
    fn threads(&mut self) -> Vec<(usize, usize, Point)> {
        self.find_bridges();
        let mut threads = Vec::new();
        for (number, eye) in self.eyes.iter_mut().enumerate() {
            if eye.links.len() < 2 {
                continue;
            }
            for link in eye.links.iter().filter(|link| link.single && link.bridge) {
                threads.push((link.piece, number, link.contact));
                if !eye.exits.contains(&link.contact) {
                    eye.exits.push(link.contact);
                    eye.worth = [None; 2];
                }
            }
        }
        threads
    }

    /// Marks the links that are the only way between their ends: those that the tree of a depth
    /// first walk has no way around (Tarjan). Eyes come first in the numbering, then pieces.
    fn find_bridges(&mut self) {
        let eyes = self.eyes.len();
        let mut clock = 0;
        // When a vertex was entered, and the earliest that can be reached from it without the
        // link it was entered by.
        let mut entered = vec![0u32; eyes + self.eyes_of.len()];
        let mut earliest = entered.clone();
        let mut path: Vec<(usize, usize)> = Vec::new();
        for start in 0..eyes {
            if entered[start] > 0 {
                continue;
            }
            clock += 1;
            (entered[start], earliest[start]) = (clock, clock);
            path.push((start, 0));
            while let Some((vertex, next)) = path.last_mut() {
                let vertex = *vertex;
                let neighbor = if vertex < eyes {
                    self.eyes[vertex].links.get(*next).map(|l| eyes + l.piece)
                } else {
                    self.eyes_of[vertex - eyes]
                        .get(*next)
                        .map(|&eye| eye as usize)
                };
                *next += 1;
                let parent = path.len().checked_sub(2).map(|index| path[index].0);
                match neighbor {
                    Some(other) if Some(other) == parent => {}
                    Some(other) if entered[other] > 0 => {
                        earliest[vertex] = earliest[vertex].min(entered[other]);
                    }
                    Some(other) => {
                        clock += 1;
                        (entered[other], earliest[other]) = (clock, clock);
                        path.push((other, 0));
                    }
                    None => {
                        path.pop();
                        let Some(parent) = parent else { continue };
                        earliest[parent] = earliest[parent].min(earliest[vertex]);
                        if earliest[vertex] > entered[parent] {
                            let (eye, piece) = (vertex.min(parent), vertex.max(parent) - eyes);
                            let links = self.eyes[eye].links.iter_mut();
                            for link in links.filter(|link| link.piece == piece) {
                                link.bridge = true;
                            }
                        }
                    }
                }
            }
        }
    }

    /// Whether this part can be attacked and has no eye of its own.
    fn must_connect(&mut self, part: &Part) -> bool {
        part.pieces.iter().any(|&piece| self.exposed[piece])
            && !part.eyes.iter().any(|&eye| self.is_worth(eye, 1))
    }

    /// Plays on a thread, which joins the pieces around it.
    fn fill(&mut self, eye: usize, point: Point) {
        let thrown_in = self.ground.was_lifted(point);
        self.to_fill[point.index()] = true;
        for beside in point.neighbors() {
            if let Some(chain) = self.chain_at(beside, self.eyes[eye].owner) {
                let first = *self.filled[point.index()].get_or_insert(chain as u16);
                self.pieces.join(first as usize, chain);
            } else if thrown_in && self.eyes[eye].points.contains(&beside) {
                self.to_fill[beside.index()] = true;
            }
        }
    }

    /// The chain of this colour on a point, whether it stands there or was filled in.
    #[inline]
    fn chain_at(&self, point: Point, color: Color) -> Option<usize> {
        if self.ground.spot(point) == color.spot() {
            return Some(self.ground.part(point));
        }
        let chain = self.filled[point.index()]? as usize;
        (self.ground.color(chain) == Some(color)).then_some(chain)
    }

    /// Whether an eye is worth this much, one or two.
    fn is_worth(&mut self, number: usize, wanted: usize) -> bool {
        if let Some(known) = self.eyes[number].worth[wanted - 1] {
            return known;
        }
        let worth = self.judge(number, wanted);
        self.eyes[number].worth[wanted - 1] = Some(worth);
        worth
    }

    fn judge(&self, number: usize, wanted: usize) -> bool {
        let eye = &self.eyes[number];
        let space: Vec<Point> = eye
            .points
            .iter()
            .copied()
            .filter(|point| !eye.answers.contains(point))
            .collect();
        let is_exit = |point: &Point| eye.exits.contains(point);
        let lifted = |point: &Point| self.ground.was_lifted(*point);
        let exits = space.iter().filter(|p| is_exit(p)).count();
        let stones = space.iter().filter(|p| lifted(p) && !is_exit(p)).count();
        let thrown_in = space.iter().any(|p| is_exit(p) && lifted(p));
        if !thrown_in && is_roomy((space.len() - exits) as u32, stones as u32)
            || space.len() > Space::LIMIT
        {
            return true;
        }
        if exits == 0 && wanted == 1 {
            return !space.is_empty();
        }
        // An exit is no eye, and between two eyes there is a point.
        if exits == space.len() || space.len() < 2 * wanted - 1 {
            return false;
        }
        self.space(eye, &space).makes_eyes(wanted as u32)
    }

    /// The eye as a space to search.
    fn space(&self, eye: &Eye, points: &[Point]) -> Space {
        let mut space = Space::new(points.len());
        for (number, &point) in points.iter().enumerate() {
            if self.ground.was_lifted(point) {
                space.set_enemy(number);
            }
            if eye.exits.contains(&point) {
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

    /// Finds the groups in seki.
    fn into_reading(mut self) -> Reading {
        let ground = self.ground;
        let mut group = vec![u16::MAX; ground.len()];
        let mut in_seki = vec![false; ground.len()];
        let mut seki_groups = 0;
        for chain in 0..ground.len() {
            if ground.color(chain).is_none() {
                continue;
            }
            let piece = self.pieces.find(chain);
            if group[piece] == u16::MAX {
                let part = self.part(Some(piece), None, (usize::MAX, usize::MAX));
                let seki = !self.lives(&part);
                seki_groups += seki as u32;
                for piece in part.pieces {
                    group[piece] = chain as u16;
                    in_seki[piece] = seki;
                }
            }
            group[chain] = group[piece];
            in_seki[chain] = in_seki[piece];
        }
        for region in ground.regions() {
            if let Some(owner) = ground.owner(region) {
                let beside = ground.points(region).iter().flat_map(|p| p.neighbors());
                let wall = beside.filter(|&p| ground.spot(p) == owner.spot());
                if let Some(chain) = wall.map(|p| ground.part(p)).next() {
                    group[region] = group[chain];
                    in_seki[region] = in_seki[chain];
                }
            }
        }
        Reading {
            to_fill: self.to_fill,
            in_seki,
            seki_groups,
            group,
        }
    }

    /// Whether a group has two eyes, or no enemy.
    fn lives(&mut self, part: &Part) -> bool {
        let mut eyes = 0;
        for &eye in &part.eyes {
            eyes += self.is_worth(eye, 1) as u32;
            if eyes >= 2 {
                return true;
            }
        }
        part.eyes.iter().any(|&eye| self.is_worth(eye, 2))
            || !part.pieces.iter().any(|&piece| self.exposed[piece])
    }
}

impl Reading {
    /// Two points for each group that has them: the eyes that it can never fill.
    pub(super) fn tax(&self, ground: &Ground, sides: &mut [Side; 2]) {
        let mut eyes = vec![0u32; ground.len()];
        let mut colors = vec![None; ground.len()];
        for region in ground.regions() {
            if let Some(owner) = ground.owner(region) {
                let group = self.group[region] as usize;
                colors[group] = Some(owner);
                eyes[group] += ground.points(region).len() as u32;
            }
        }
        for (color, eyes) in colors.into_iter().zip(eyes) {
            if let Some(color) = color {
                sides[color.index()].group_tax += eyes.min(2);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::count::tests::drawn;
    use super::super::{Count, Counting, Terms, count};
    use crate::rules::Preset;

    /// Counts the left board by Japanese rules and compares with the map on the right.
    fn reads(drawing: &str) -> Count {
        let (board, dead, expected) = drawn(drawing);
        let count = count(&board, &dead, &Preset::Japanese.rules(), &Terms::default());
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
        let terms = Terms {
            counting: Counting::Kgs,
            ..Terms::default()
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
