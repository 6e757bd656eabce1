//! A final position without its dead stones: chains, and the empty regions between them.
//!
//! This is where every way of counting starts. The dead stones are lifted; what is left are chains
//! of one colour and regions of empty points, and a region that touches the stones of one colour
//! only belongs to it.
//!
//! The board has been cut into chains and regions before ([`PositionGraph`]), and lifting stones
//! changes little of that: a region without a dead chain beside it stays as it is, and the others
//! grow together with the chains that are lifted ([`PotentialTerritories`]). So a position can be
//! counted again and again, with other stones lifted, at little cost.
//!
//! Records may stop while a border is still open, and then a single point may join the territory of
//! one side to that of the other. A large region between both colours is therefore shared out by
//! what playouts say about its points ([`Ownership`]); what they leave in doubt stays nobody's.

use std::ops::Range;

use crate::board::{Board, Color, Point, PointSet, Size, Spot};
use crate::life::{Contact, Life, Ownership, PositionGraph, PotentialTerritories};

/// How many points an open region has that is more than unfilled dame.
const LARGE: usize = 10;

/// Fewer points of an open region than this are no part of it that is one side's: just as often
/// they get filled along with the dame around them.
const SMALLEST_PART: usize = 3;

/// The stones that are lifted from a position.
pub(crate) struct Lifted<'a> {
    /// By chain: all of it is lifted.
    chains: Vec<bool>,
    /// Whose the points of open regions are, where somebody knows.
    ownership: Option<&'a Ownership>,
    /// Stones of Black and of White that were lifted already when the graph was drawn: parts of
    /// chains that otherwise stand.
    strays: [PointSet; 2],
}

impl Lifted<'_> {
    /// Lifts whole chains of a position that was judged, and shares out what is open.
    pub(crate) fn chains(life: &Life, chains: Vec<bool>) -> Lifted<'_> {
        Lifted {
            ownership: Some(life.ownership()),
            ..Lifted::only(chains)
        }
    }

    /// Lifts whole chains, and no more.
    pub(crate) fn only(chains: Vec<bool>) -> Lifted<'static> {
        Lifted {
            chains,
            ownership: None,
            strays: [PointSet::EMPTY; 2],
        }
    }

    /// Lifts any stones off a board. Marks on a record may name some stones of a chain and not the
    /// others; what is left of it may fall apart, so the graph is that of the board without them.
    pub(crate) fn stones(board: &Board, stones: &PointSet) -> (PositionGraph, Lifted<'static>) {
        let strays = Color::BOTH.map(|color| {
            let lifted = *stones & board.stones(color);
            let in_part = |&stone: &Point| board.chain(stone).any(|other| !lifted.contains(other));
            lifted.iter().filter(in_part).collect::<PointSet>()
        });
        let graph = match strays[0] | strays[1] {
            PointSet::EMPTY => PositionGraph::new(board),
            strays => PositionGraph::new(&board.without(&strays)),
        };
        let chains = graph.chains().iter();
        let chains = chains
            .map(|chain| stones.contains(chain.stones[0]))
            .collect();
        let lifted = Lifted {
            chains,
            ownership: None,
            strays,
        };
        (graph, lifted)
    }

    /// The colour of a stone that was part of a chain that stands.
    fn stray(&self, point: Point) -> Option<Color> {
        let of_color = |color: &Color| self.strays[color.index()].contains(point);
        Color::BOTH.into_iter().find(of_color)
    }
}

/// The position after the dead stones are lifted.
pub(super) struct FinalPosition<'a> {
    graph: &'a PositionGraph,
    lifted: &'a Lifted<'a>,
    territories: PotentialTerritories,
    /// By chain: its colour, or empty if it is lifted.
    spots: Vec<Spot>,
    /// The points of regions that are nobody's.
    open: PointSet,
    regions: Vec<Extent>,
    /// The points of the regions that grew together, one region after the other.
    points: Vec<Point>,
    /// Their contacts, in the same way.
    contacts: Vec<Contact>,
    /// How many points of open regions clearly are one side's.
    shared: u32,
}

/// Where the points and contacts of a region are.
#[derive(Clone)]
enum Extent {
    /// With the region of this number in the graph.
    Unchanged(usize),
    /// In the position's own lists.
    Grown {
        owner: Option<Color>,
        points: Range<usize>,
        contacts: Range<usize>,
    },
}

/// A connected set of empty points.
#[derive(Clone, Copy)]
pub(super) struct EmptyRegion<'a> {
    /// Whose it is: the only colour that it touches. An empty board is nobody's.
    pub(super) owner: Option<Color>,
    pub(super) points: &'a [Point],
    /// Point by point, the stones beside it.
    pub(super) contacts: &'a [Contact],
}

impl<'a> FinalPosition<'a> {
    /// The position of a graph from which these stones have been lifted.
    pub(super) fn new(graph: &'a PositionGraph, lifted: &'a Lifted<'a>) -> FinalPosition<'a> {
        let spots = graph.chains().iter().zip(&lifted.chains);
        let spots = spots.map(|(chain, &lifted)| match lifted {
            true => Spot::Empty,
            false => chain.color.spot(),
        });
        let mut position = FinalPosition {
            graph,
            lifted,
            territories: PotentialTerritories::new(graph, |chain| lifted.chains[chain]),
            spots: spots.collect(),
            open: PointSet::EMPTY,
            regions: Vec::new(),
            points: Vec::new(),
            contacts: Vec::new(),
            shared: 0,
        };
        position.find_regions();
        position
    }

    fn find_regions(&mut self) {
        let (graph, territories) = (self.graph, &self.territories);
        let mut grown: Vec<usize> = (0..graph.chains().len())
            .filter_map(|chain| territories.of_chain(chain))
            .collect();
        grown.sort_unstable();
        grown.dedup();
        let mut regions = vec![Extent::Unchanged(0); territories.len()];
        for region in 0..graph.regions().len() {
            regions[territories.of_region(region)] = Extent::Unchanged(region);
        }
        for territory in grown {
            regions[territory] = self.grow_together(territory);
        }
        self.regions = regions;
        for territory in 0..self.regions.len() {
            self.share(territory);
        }
        let mut open = PointSet::EMPTY;
        for region in self.open_regions() {
            open.extend(region.points.iter().copied());
        }
        self.open = open;
    }

    /// One region of those in a potential territory, and of the points under lifted chains.
    fn grow_together(&mut self, territory: usize) -> Extent {
        let graph = self.graph;
        let (points, contacts) = (self.points.len(), self.contacts.len());
        for (number, region) in graph.regions().enumerate() {
            if self.territories.of_region(number) == territory {
                self.points.extend_from_slice(region.points());
                let standing = |contact: &&Contact| !self.lifted.chains[contact.chain as usize];
                let contacts = region.contacts().iter();
                self.contacts.extend(contacts.filter(standing));
            }
        }
        for (number, chain) in graph.chains().iter().enumerate() {
            if self.territories.of_chain(number) != Some(territory) {
                continue;
            }
            self.points.extend_from_slice(&chain.stones);
            for &point in &chain.stones {
                for beside in point.neighbors() {
                    if let Some(chain) = self.chain(beside) {
                        let chain = chain as u16;
                        self.contacts.push(Contact { point, chain });
                    }
                }
            }
        }
        Extent::Grown {
            owner: self.territories.get(territory).owner(),
            points: points..self.points.len(),
            contacts: contacts..self.contacts.len(),
        }
    }

    /// Parts an open region that is large, or that dead stones were lifted from: what clearly is
    /// one side's is a region of its own, as if the border were closed. The rest stays open.
    fn share(&mut self, territory: usize) {
        let Some(ownership) = self.lifted.ownership else {
            return;
        };
        let region = self.region(territory);
        let points: PointSet = region.points.iter().copied().collect();
        let dead = Color::BOTH.map(|color| -> PointSet {
            let dead = |&point: &Point| self.dead_stone(point) == Some(color);
            points.iter().filter(dead).collect()
        });
        let has_dead = |part: &PointSet| part.meets(&dead[0]) || part.meets(&dead[1]);
        if region.owner.is_some() || points.len() < LARGE && !has_dead(&points) {
            return;
        }
        let contacts = region.contacts.to_vec();
        let contacts_of = |part: &PointSet, owner: Option<Color>| -> Vec<Contact> {
            let touches = |contact: &&Contact| {
                let color = self.color(contact.chain as usize);
                part.contains(contact.point) && owner.is_none_or(|owner| owner == color)
            };
            contacts.iter().filter(touches).copied().collect()
        };
        let mut parts = Vec::new();
        let mut rest = points;
        for owner in Color::BOTH {
            let is_owners = |&point: &Point| match self.dead_stone(point) {
                // Clearly the enemy's, or the stone would not be dead.
                Some(color) => color != owner,
                None => ownership.clear_owner(point) == Some(owner),
            };
            let owned: PointSet = points.iter().filter(is_owners).collect();
            for part in owned.parts() {
                let own = contacts_of(&part, Some(owner));
                if has_dead(&part) || part.len() >= SMALLEST_PART && !own.is_empty() {
                    rest &= !part;
                    parts.push((owner, part, own));
                }
            }
        }
        let left = contacts_of(&rest, None);
        self.regions[territory] = self.own_lists(None, rest, &left);
        for (owner, part, own) in parts {
            self.shared += part.len() as u32;
            let part = self.own_lists(Some(owner), part, &own);
            self.regions.push(part);
        }
    }

    /// A region with its points and contacts in the position's own lists.
    fn own_lists(
        &mut self,
        owner: Option<Color>,
        points: PointSet,
        contacts: &[Contact],
    ) -> Extent {
        let (first_point, first_contact) = (self.points.len(), self.contacts.len());
        self.points.extend(points.iter());
        self.contacts.extend_from_slice(contacts);
        Extent::Grown {
            owner,
            points: first_point..self.points.len(),
            contacts: first_contact..self.contacts.len(),
        }
    }

    /// How many points of open regions clearly are one side's.
    pub(super) fn shared(&self) -> u32 {
        self.shared
    }

    pub(super) fn size(&self) -> Size {
        self.graph.size()
    }

    #[inline]
    pub(super) fn spot(&self, point: Point) -> Spot {
        match self.graph.chain_at(point) {
            Some(chain) => self.spots[chain],
            None => self.graph.spot(point),
        }
    }

    /// The dead stone that was lifted from this empty point, if there was one.
    #[inline]
    pub(super) fn dead_stone(&self, point: Point) -> Option<Color> {
        match self.graph.chain_at(point) {
            Some(chain) => Some(self.color(chain)),
            None => self.lifted.stray(point),
        }
    }

    /// How many chains there are, those that were lifted included. They are numbered from 0.
    pub(super) fn chains(&self) -> usize {
        self.spots.len()
    }

    /// Whether the chain still stands.
    #[inline]
    pub(super) fn stands(&self, chain: usize) -> bool {
        !self.lifted.chains[chain]
    }

    /// The number of the chain that stands on a point.
    #[inline]
    pub(super) fn chain(&self, point: Point) -> Option<usize> {
        let chain = self.graph.chain_at(point)?;
        self.stands(chain).then_some(chain)
    }

    #[inline]
    pub(super) fn color(&self, chain: usize) -> Color {
        self.graph.chain(chain).color
    }

    /// What each point of the board gets, row by row, if its chain or its being empty decides.
    pub(super) fn by_chain<T: Copy>(&self, chains: &[T], empty: T) -> Vec<T> {
        self.graph.by_chain(chains, empty)
    }

    /// How many stones a chain has.
    pub(super) fn stones(&self, chain: usize) -> usize {
        self.graph.chain(chain).stones.len()
    }

    /// The region of this number.
    #[inline]
    fn region(&self, number: usize) -> EmptyRegion<'_> {
        match &self.regions[number] {
            &Extent::Unchanged(region) => {
                let region = self.graph.region(region);
                EmptyRegion {
                    owner: region.owner(),
                    points: region.points(),
                    contacts: region.contacts(),
                }
            }
            Extent::Grown {
                owner,
                points,
                contacts,
            } => EmptyRegion {
                owner: *owner,
                points: &self.points[points.clone()],
                contacts: &self.contacts[contacts.clone()],
            },
        }
    }

    /// The regions, in the order of their first points.
    pub(super) fn regions(&self) -> impl Iterator<Item = EmptyRegion<'_>> {
        let regions = (0..self.regions.len()).map(|number| self.region(number));
        // Nothing may be left of an open region that was shared out.
        regions.filter(|region| !region.points.is_empty())
    }

    /// The regions that are nobody's.
    pub(super) fn open_regions(&self) -> impl Iterator<Item = EmptyRegion<'_>> {
        self.regions().filter(|region| region.owner.is_none())
    }

    /// The points of regions that are nobody's.
    pub(super) fn open(&self) -> &PointSet {
        &self.open
    }
}
