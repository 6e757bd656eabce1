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

use std::ops::Range;

use crate::board::{Board, Color, Point, PointSet, Size, Spot};
use crate::life::{Contact, PositionGraph, PotentialTerritories};

/// The stones that are lifted from a position.
pub(crate) struct Lifted {
    /// By chain: all of it is lifted.
    chains: Vec<bool>,
    /// Stones of Black and of White that were lifted already when the graph was drawn: parts of
    /// chains that otherwise stand.
    strays: [PointSet; 2],
}

impl Lifted {
    /// Lifts whole chains.
    pub(crate) fn chains(chains: Vec<bool>) -> Lifted {
        Lifted {
            chains,
            strays: [PointSet::EMPTY; 2],
        }
    }

    /// Lifts any stones off a board. Marks on a record may name some stones of a chain and not the
    /// others; what is left of it may fall apart, so the graph is that of the board without them.
    pub(crate) fn stones(board: &Board, stones: &PointSet) -> (PositionGraph, Lifted) {
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
        (graph, Lifted { chains, strays })
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
    lifted: &'a Lifted,
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
    pub(super) fn new(graph: &'a PositionGraph, lifted: &'a Lifted) -> FinalPosition<'a> {
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
        (0..self.regions.len()).map(|number| self.region(number))
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
