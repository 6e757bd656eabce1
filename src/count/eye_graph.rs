//! The graph on which the count understands eyes: macro chains, eyes, and which touch which.
//!
//! By the rule book, not every point that one colour surrounds is territory. A point where its
//! owner will have to connect once the dame are filled is none (a [false eye](super::false_eyes)),
//! and neither is what stones in [seki](super::seki) surround. Both are questions about eyes, and
//! both are answered on one graph:
//!
//! - *Macro chains* are chains, joined where they can meet among the dame (see
//!   [`super::dame_reach`]).
//! - *Eyes* are the regions that one colour surrounds, and the open eyes in open regions.
//! - A macro chain and an eye are linked when they touch.
//!
//! What an eye is worth is decided by its shape and by the dead stones in it (see
//! [`super::eye_space`]).
//!
//! The graph of macro chains and eyes, and the care for dead stones thrown in at false eyes, follow
//! the aims of lightvector's goscorer; the way from there is our own.

use std::borrow::Cow;
use std::ops::Range;

use super::dame_reach::{OpenEyes, Space};
use super::eye_space::{EyeSpace, is_roomy};
use super::final_position::FinalPosition;
use crate::board::{Color, Point, PointSet, Spot, UnionFind};
use crate::life::Contact;

/// A space that may be worth eyes to one side.
pub(super) struct Eye<'a> {
    pub(super) owner: Color,
    pub(super) points: &'a [Point],
    /// Where the enemy can push against it, if it is open.
    choke_points: &'a [Point],
    /// Where chains of the owner touch it.
    contacts: Cow<'a, [Contact]>,
    /// Its links, by their numbers.
    pub(super) links: Range<usize>,
    /// Whether it is known to be worth one eye, and two.
    worth: [Option<bool>; 2],
    /// Whether it is known to be an eye still when the dame are filled.
    lasts: Option<bool>,
}

impl<'a> Eye<'a> {
    fn new(eye: Space<'a>, contacts: Cow<'a, [Contact]>) -> Eye<'a> {
        Eye {
            owner: eye.owner,
            points: eye.points,
            choke_points: eye.choke_points,
            contacts,
            links: 0..0,
            worth: [None; 2],
            lasts: None,
        }
    }
}

/// A macro chain that touches an eye.
pub(super) struct Link {
    pub(super) macro_chain: u16,
    pub(super) eye: u16,
    /// Where it touches.
    pub(super) contact: Point,
    /// Whether that is the only point.
    pub(super) single: bool,
    /// Whether nothing else holds the two together.
    pub(super) bridge: bool,
    /// The link of the same macro chain that was drawn before this one.
    before: Option<u16>,
}

/// What a link has at its ends.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Vertex {
    MacroChain(usize),
    Eye(usize),
}

pub(super) struct EyeGraph<'a> {
    pub(super) position: &'a FinalPosition<'a>,
    macro_chains: UnionFind,
    pub(super) eyes: Vec<Eye<'a>>,
    /// By owner: points of eyes where the enemy can cut a macro chain off.
    cuttable: [PointSet; 2],
    /// By chain: its macro chain when the links were drawn, and in the end its group.
    pub(super) macro_chain_of: Vec<usize>,
    /// Points where their owner will have to connect once the dame are filled.
    pub(super) to_fill: PointSet,
    /// Points that were filled in, each with a chain that the stone there has joined.
    filled: Vec<(Point, usize)>,
    /// All links, one eye after the other.
    pub(super) links: Vec<Link>,
    /// By macro chain: the last of its links.
    last_link: Vec<Option<u16>>,
}

impl<'a> EyeGraph<'a> {
    pub(super) fn new(
        position: &'a FinalPosition<'a>,
        macro_chains: UnionFind,
        open_eyes: &'a OpenEyes,
    ) -> EyeGraph<'a> {
        let mut graph = EyeGraph {
            position,
            macro_chains,
            eyes: Vec::with_capacity(32),
            cuttable: [PointSet::EMPTY; 2],
            macro_chain_of: Vec::new(),
            to_fill: PointSet::EMPTY,
            filled: Vec::new(),
            links: Vec::with_capacity(64),
            last_link: vec![None; position.chains()],
        };
        for region in position.regions() {
            if let Some(owner) = region.owner {
                let closed = Space {
                    owner,
                    points: region.points,
                    choke_points: &[],
                };
                let contacts = Cow::Borrowed(region.contacts);
                graph.eyes.push(Eye::new(closed, contacts));
            }
        }
        for eye in open_eyes.iter() {
            let contacts = Cow::Owned(graph.contacts(eye.owner, eye.points));
            graph.eyes.push(Eye::new(eye, contacts));
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

    /// Draws the links anew.
    pub(super) fn link(&mut self) {
        self.macro_chain_of = self.macro_chains.roots();
        self.links.clear();
        self.last_link.fill(None);
        for (number, eye) in self.eyes.iter_mut().enumerate() {
            let first = self.links.len();
            for &Contact { point, chain } in eye.contacts.iter() {
                let macro_chain = self.macro_chain_of[chain as usize];
                match self.last_link[macro_chain] {
                    Some(link) if link as usize >= first => {
                        let link = &mut self.links[link as usize];
                        link.single &= link.contact == point;
                    }
                    before => {
                        self.last_link[macro_chain] = Some(self.links.len() as u16);
                        self.links.push(Link {
                            macro_chain: macro_chain as u16,
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

    /// The first link of a macro chain or an eye.
    pub(super) fn first_link(&self, vertex: Vertex) -> Option<usize> {
        match vertex {
            Vertex::MacroChain(macro_chain) => self.last_link[macro_chain].map(usize::from),
            Vertex::Eye(eye) => self.eyes[eye].links.clone().next(),
        }
    }

    /// The link of a macro chain or an eye that comes after this one.
    pub(super) fn next_link(&self, vertex: Vertex, link: usize) -> Option<usize> {
        match vertex {
            Vertex::MacroChain(_) => self.links[link].before.map(usize::from),
            Vertex::Eye(eye) => (link + 1 < self.eyes[eye].links.end).then_some(link + 1),
        }
    }

    /// Where a link leads from one of its ends.
    pub(super) fn other_end(&self, vertex: Vertex, link: usize) -> Vertex {
        match vertex {
            Vertex::MacroChain(_) => Vertex::Eye(self.links[link].eye as usize),
            Vertex::Eye(_) => Vertex::MacroChain(self.links[link].macro_chain as usize),
        }
    }

    /// Notes that the enemy can cut at a point of an eye, which may be worth less for it.
    pub(super) fn set_cuttable(&mut self, eye: usize, point: Point) {
        let eye = &mut self.eyes[eye];
        if self.cuttable[eye.owner.index()].insert(point) {
            eye.worth = [None; 2];
            eye.lasts = None;
        }
    }

    /// Plays the owner's stone on a point of an eye, which joins the macro chains around it.
    pub(super) fn fill(&mut self, eye: usize, point: Point) {
        let Eye { owner, points, .. } = self.eyes[eye];
        let thrown_in = self.position.dead_stone(point).is_some();
        self.to_fill.insert(point);
        let mut joined = None;
        for beside in point.neighbors() {
            if let Some(chain) = self.chain_at(beside, owner) {
                self.macro_chains.join(*joined.get_or_insert(chain), chain);
            } else if thrown_in && points.contains(&beside) {
                self.to_fill.insert(beside);
            }
        }
        self.filled.extend(joined.map(|chain| (point, chain)));
    }

    /// Finds the contacts anew of every eye in which a point was filled.
    pub(super) fn update_contacts(&mut self) {
        for eye in 0..self.eyes.len() {
            let Eye { owner, points, .. } = self.eyes[eye];
            if points.iter().any(|&point| self.to_fill.contains(point)) {
                self.eyes[eye].contacts = Cow::Owned(self.contacts(owner, points));
            }
        }
    }

    /// Makes one group of all macro chains around the same eye: [`macro_chain_of`] is the group
    /// from now on.
    ///
    /// [`macro_chain_of`]: EyeGraph::macro_chain_of
    pub(super) fn join_groups(&mut self) {
        for eye in &self.eyes {
            for pair in self.links[eye.links.clone()].windows(2) {
                let [a, b] = [&pair[0], &pair[1]].map(|link| link.macro_chain as usize);
                self.macro_chains.join(a, b);
            }
        }
        self.macro_chain_of = self.macro_chains.roots();
    }

    /// The chain of this colour on a point, whether it stands there or was filled in.
    #[inline]
    fn chain_at(&self, point: Point, color: Color) -> Option<usize> {
        let filled_in = || {
            let stone = self.filled.iter().find(|&&(there, _)| there == point);
            stone.map(|&(_, chain)| chain)
        };
        let chain = self.position.chain(point).or_else(filled_in)?;
        (self.position.color(chain) == color).then_some(chain)
    }

    /// Whether an eye is worth this many, one or two.
    pub(super) fn is_worth(&mut self, number: usize, wanted: usize) -> bool {
        if let Some(known) = self.eyes[number].worth[wanted - 1] {
            return known;
        }
        let eye = &self.eyes[number];
        let space = Space {
            owner: eye.owner,
            points: eye.points,
            choke_points: eye.choke_points,
        };
        let worth = self.evaluate(space, wanted);
        self.eyes[number].worth[wanted - 1] = Some(worth);
        worth
    }

    /// Whether an eye is still one when the dame are filled, and so every push into an open eye
    /// has been answered.
    pub(super) fn lasts(&mut self, number: usize) -> bool {
        let eye = &self.eyes[number];
        if eye.choke_points.is_empty() {
            return self.is_worth(number, 1);
        }
        if let Some(known) = eye.lasts {
            return known;
        }
        let pushed = |point: Point| {
            point
                .neighbors()
                .iter()
                .any(|p| eye.choke_points.contains(p))
        };
        let kept: Vec<Point> = eye.points.iter().copied().filter(|&p| !pushed(p)).collect();
        let kept = Space {
            owner: eye.owner,
            points: &kept,
            choke_points: &[],
        };
        let lasts = self.evaluate(kept, 1);
        self.eyes[number].lasts = Some(lasts);
        lasts
    }

    fn evaluate(&self, eye: Space, wanted: usize) -> bool {
        let is_cuttable = |point: Point| self.cuttable[eye.owner.index()].contains(point);
        let len = eye.points.len() + eye.choke_points.len();
        let (mut cuttable, mut stones, mut thrown_in) = (eye.choke_points.len(), 0, false);
        for &point in eye.points {
            match (
                is_cuttable(point),
                self.position.dead_stone(point).is_some(),
            ) {
                (true, lifted) => {
                    cuttable += 1;
                    thrown_in |= lifted;
                }
                (false, lifted) => stones += lifted as u32,
            }
        }
        let room = len.saturating_sub(cuttable + eye.choke_points.len());
        if !thrown_in && is_roomy(room as u32, stones) || len > EyeSpace::LIMIT {
            return true;
        }
        if cuttable == 0 && wanted == 1 {
            return len > 0;
        }
        // A cuttable point is no eye, and between two eyes there is a point.
        if cuttable == len || len < 2 * wanted - 1 {
            return false;
        }
        self.space(eye).makes_eyes(wanted as u32)
    }

    /// The eye as a space to search.
    fn space(&self, eye: Space) -> EyeSpace {
        let points = [eye.points, eye.choke_points].concat();
        let mut space = EyeSpace::new(points.len());
        for (number, &point) in points.iter().enumerate() {
            if self.position.dead_stone(point).is_some() {
                space.set_enemy(number);
            }
            if number >= eye.points.len() || self.cuttable[eye.owner.index()].contains(point) {
                space.set_cuttable(number);
            }
            for beside in point.neighbors() {
                if let Some(other) = points.iter().position(|&p| p == beside) {
                    space.connect(number, other);
                } else if self.position.spot(beside) != Spot::Edge {
                    space.set_wall(number);
                }
            }
        }
        space
    }
}
