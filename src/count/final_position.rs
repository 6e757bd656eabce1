//! A final position without its dead stones: chains, and the empty regions between them.
//!
//! This is where every way of counting starts. The dead stones are lifted; what is left falls
//! into *chains* of one colour and *regions* of empty points, and a region that touches the
//! stones of one colour only belongs to it.
//!
//! A region brings its *contacts*: point by point, the chains beside it. They are written down
//! while the region is found, so that nobody has to look around its points again.

use std::ops::Range;

use crate::board::{Board, Color, Point, PointSet, Size, Spot};

/// The position after the dead stones are lifted.
pub(super) struct FinalPosition<'a> {
    board: &'a Board,
    lifted: &'a PointSet,
    /// The points of regions that are nobody's.
    open: PointSet,
    /// By point: the number of its chain, or a mark beyond all chains.
    chain_of: Vec<u16>,
    chains: Vec<Chain>,
    regions: Vec<Extent>,
    /// The points of all regions, one region after the other.
    points: Vec<Point>,
    /// The contacts of all regions, in the same way.
    contacts: Vec<Contact>,
}

struct Chain {
    color: Color,
    /// The stone that stands for it on the board.
    head: Point,
}

/// A region, by where its points and contacts are.
struct Extent {
    owner: Option<Color>,
    points: Range<usize>,
    contacts: Range<usize>,
}

/// A connected set of empty points.
#[derive(Clone, Copy)]
pub(super) struct Region<'a> {
    /// Whose it is: the only colour that it touches. An empty board is nobody's.
    pub(super) owner: Option<Color>,
    pub(super) points: &'a [Point],
    /// Point by point, the stones beside it.
    pub(super) contacts: &'a [Contact],
}

/// An empty point, and the chain of a stone beside it.
#[derive(Clone, Copy)]
pub(super) struct Contact {
    pub(super) point: Point,
    pub(super) chain: u16,
}

/// What stands in place of a chain's number: an empty point whose region is still to be found,
/// one that has been found, and the edge.
const UNSEEN: u16 = u16::MAX - 2;
const SEEN: u16 = u16::MAX - 1;
const EDGE: u16 = u16::MAX;

impl FinalPosition<'_> {
    /// The position of a board from which these stones have been lifted.
    pub(super) fn new<'a>(board: &'a Board, lifted: &'a PointSet) -> FinalPosition<'a> {
        let size = board.size();
        let mut position = FinalPosition {
            board,
            lifted,
            open: PointSet::EMPTY,
            chain_of: vec![EDGE; size.padded()],
            chains: Vec::with_capacity(64),
            regions: Vec::with_capacity(32),
            points: Vec::new(),
            contacts: Vec::new(),
        };
        position.find_chains();
        position.find_regions();
        position
    }

    fn find_chains(&mut self) {
        let (board, chain_of) = (self.board, self.chain_of.as_mut_slice());
        board.size().points().for_each(|point| {
            if board.head(point) == point
                && let Some(color) = board.stone(point)
            {
                chain_of[point.index()] = self.chains.len() as u16;
                self.chains.push(Chain { color, head: point });
            }
        });
        board.size().points().for_each(|point| {
            let chain = chain_of[board.head(point).index()];
            let is_empty = board.is_empty(point);
            chain_of[point.index()] = if is_empty { UNSEEN } else { chain };
        });
    }

    fn find_regions(&mut self) {
        let stones: usize = (0..self.chains()).map(|chain| self.stones(chain)).sum();
        let empty = self.size().area() - stones;
        let nowhere = Contact {
            point: Point::new(0, 0),
            chain: EDGE,
        };
        self.points = vec![nowhere.point; empty + 1];
        self.contacts = vec![nowhere; 4 * empty + 1];
        let (mut found, mut touched) = (0, 0);
        self.size().points().for_each(|first| {
            if self.chain_of[first.index()] == UNSEEN {
                (found, touched) = self.add_region(first, found, touched);
            }
        });
    }

    /// Adds the region of a point, whose points and contacts go where those of the last one end.
    fn add_region(&mut self, first: Point, start: usize, first_contact: usize) -> (usize, usize) {
        let chain_of = self.chain_of.as_mut_slice();
        let points = self.points.as_mut_slice();
        let contacts = self.contacts.as_mut_slice();
        let (mut found, mut touched) = (start + 1, first_contact);
        chain_of[first.index()] = SEEN;
        points[start] = first;
        let mut next = start;
        while next < found {
            let point = points[next];
            next += 1;
            // Which neighbours are new and which are stones is anybody's guess, and a branch
            // would often guess wrong. So each is written down as both, and kept as what it is.
            for beside in point.neighbors() {
                let chain = chain_of[beside.index()];
                let is_new = chain == UNSEEN;
                chain_of[beside.index()] = if is_new { SEEN } else { chain };
                points[found] = beside;
                found += is_new as usize;
                contacts[touched] = Contact { point, chain };
                touched += (chain < UNSEEN) as usize;
            }
        }
        let mut touches = [false; 2];
        for contact in &contacts[first_contact..touched] {
            touches[self.chains[contact.chain as usize].color.index()] = true;
        }
        let owner = match touches {
            [true, false] => Some(Color::Black),
            [false, true] => Some(Color::White),
            _ => None,
        };
        if owner.is_none() {
            self.open.extend(points[start..found].iter().copied());
        }
        self.regions.push(Extent {
            owner,
            points: start..found,
            contacts: first_contact..touched,
        });
        (found, touched)
    }

    pub(super) fn size(&self) -> Size {
        self.board.size()
    }

    #[inline]
    pub(super) fn spot(&self, point: Point) -> Spot {
        self.board.spot(point)
    }

    /// Whether a dead stone was lifted from this empty point.
    #[inline]
    pub(super) fn was_lifted(&self, point: Point) -> bool {
        self.lifted.contains(point)
    }

    /// How many chains there are. They are numbered from 0.
    pub(super) fn chains(&self) -> usize {
        self.chains.len()
    }

    /// The number of the chain on a point, if there is a stone.
    #[inline]
    pub(super) fn chain(&self, point: Point) -> Option<usize> {
        let chain = self.chain_of[point.index()];
        (chain < UNSEEN).then_some(chain as usize)
    }

    #[inline]
    pub(super) fn color(&self, chain: usize) -> Color {
        self.chains[chain].color
    }

    /// What each point of the board gets, row by row, if its chain or its being empty decides.
    pub(super) fn by_chain<T: Copy>(&self, chains: &[T], empty: T) -> Vec<T> {
        // One entry more, for the points without a stone: no branch has to ask what is there.
        let mut entries = chains.to_vec();
        entries.push(empty);
        let (width, height) = (self.size().width(), self.size().height());
        let mut points = Vec::with_capacity(self.size().area());
        for y in 0..height {
            let row = &self.chain_of[Point::new(0, y).index()..][..width as usize];
            let chains = row.iter().map(|&chain| chains.len().min(chain as usize));
            points.extend(chains.map(|chain| entries[chain]));
        }
        points
    }

    /// How many stones a chain has.
    pub(super) fn stones(&self, chain: usize) -> usize {
        self.board.chain_len(self.chains[chain].head)
    }

    /// Whether the enemy can come near a chain.
    pub(super) fn is_exposed(&self, chain: usize) -> bool {
        let enemy = self.color(chain).other().spot();
        self.board
            .chain(self.chains[chain].head)
            .flat_map(Point::neighbors)
            .any(|beside| self.spot(beside) == enemy || self.open.contains(beside))
    }

    /// The regions, in the order of their first points.
    pub(super) fn regions(&self) -> impl Iterator<Item = Region<'_>> {
        self.regions.iter().map(|extent| Region {
            owner: extent.owner,
            points: &self.points[extent.points.clone()],
            contacts: &self.contacts[extent.contacts.clone()],
        })
    }

    /// The regions that are nobody's.
    pub(super) fn open_regions(&self) -> impl Iterator<Item = Region<'_>> {
        self.regions().filter(|region| region.owner.is_none())
    }

    /// The points of regions that are nobody's.
    pub(super) fn open(&self) -> &PointSet {
        &self.open
    }
}
