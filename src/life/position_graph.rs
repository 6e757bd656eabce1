//! A position taken apart: its chains, its empty regions, and which lie beside which.
//!
//! A board keeps chains for playing. Deciding who lives, proving it and counting ask for more,
//! again and again: the liberties of a chain, its enemies and friends, the regions beside it, the
//! chains around a region. A position is cut into these once, and the graph is handed on to all
//! who ask; none of them fills the board again.
//!
//! A *chain* is a connected set of stones of one colour. A *region* is a connected set of empty
//! points. If all stones beside it have one colour, it is that colour's; if there are both, or none
//! at all, it is nobody's. That is the whole of area counting once the dead stones are off the
//! board. As long as they are on it, a territory with a dead stone in it is nobody's here: see
//! potential territories for what becomes of regions when chains are
//! taken for dead.
//!
//! A region brings its *contacts*: point by point, the chains beside it. They are written down
//! while the region is found, so that nobody has to look around its points again.

use std::ops::Range;

use crate::board::{Board, Color, Point, PointSet, Size, Spot};

/// A chain and what lies beside it. Other chains and regions are named by their index.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ChainNode {
    /// Whose it is.
    pub color: Color,
    /// Its stones, from the topmost, leftmost one on.
    pub stones: Vec<Point>,
    /// Its liberties.
    pub liberties: Vec<Point>,
    /// Enemy chains beside it.
    pub enemies: Vec<usize>,
    /// Chains of its own colour that touch it diagonally or share a liberty with it.
    pub friends: Vec<usize>,
    /// Empty regions beside it.
    pub regions: Vec<usize>,
}

impl ChainNode {
    /// How many liberties two chains have in common.
    pub(crate) fn shared_liberties(&self, other: &ChainNode) -> usize {
        self.liberties
            .iter()
            .filter(|point| other.liberties.contains(point))
            .count()
    }
}

/// A connected part of the empty points.
#[derive(Clone, Copy, Debug)]
pub struct Region<'a> {
    points: &'a [Point],
    contacts: &'a [Contact],
    touches: [bool; 2],
}

impl<'a> Region<'a> {
    /// Its points, from the topmost, leftmost one on.
    pub fn points(&self) -> &'a [Point] {
        self.points
    }

    /// Whose it is: the only colour that it touches.
    pub fn owner(&self) -> Option<Color> {
        match self.touches {
            [true, false] => Some(Color::Black),
            [false, true] => Some(Color::White),
            _ => None,
        }
    }

    /// Whether a stone of this colour lies beside it.
    pub fn touches(&self, color: Color) -> bool {
        self.touches[color.index()]
    }

    /// The chains around it, by index, each once.
    pub fn chains(&self) -> Vec<usize> {
        let mut chains: Vec<usize> = Vec::new();
        for contact in self.contacts {
            let chain = contact.chain as usize;
            if !chains.contains(&chain) {
                chains.push(chain);
            }
        }
        chains
    }

    /// Point by point, the stones beside it.
    pub(crate) fn contacts(&self) -> &'a [Contact] {
        self.contacts
    }
}

/// An empty point, and the chain of a stone beside it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Contact {
    pub(crate) point: Point,
    pub(crate) chain: u16,
}

/// A region, by where its points and contacts are.
#[derive(Clone, Debug)]
struct RegionNode {
    points: Range<u32>,
    contacts: Range<u32>,
    touches: [bool; 2],
}

/// All chains and empty regions of a position, in the order of their first points.
///
/// ```
/// use kifu::board::{Board, Color};
/// use kifu::life::PositionGraph;
///
/// let board: Board = "
///     . X . .
///     X X O O
///     . O . .
/// ".parse().unwrap();
/// let graph = PositionGraph::new(&board);
/// let corner = graph.region_at(board.size().point(0, 0).unwrap()).unwrap();
/// assert_eq!(graph.region(corner).owner(), Some(Color::Black));
/// assert_eq!(graph.region(corner).chains().len(), 1);
/// let between = graph.region_at(board.size().point(2, 0).unwrap()).unwrap();
/// assert_eq!(graph.region(between).points().len(), 2);
/// assert_eq!(graph.region(between).owner(), None);
/// ```
#[derive(Clone, Debug)]
pub struct PositionGraph {
    size: Size,
    chains: Vec<ChainNode>,
    regions: Vec<RegionNode>,
    /// The points of all regions, one region after the other.
    points: Vec<Point>,
    /// The contacts of all regions, in the same way.
    contacts: Vec<Contact>,
    /// By point: its chain, or its region with the bit [`REGION`], or [`EDGE`].
    nodes: Vec<u16>,
}

/// Set in the number of a region. No board has so many chains.
const REGION: u16 = 1 << 15;
/// An empty point whose region is still to be found.
const UNSEEN: u16 = u16::MAX - 1;
const EDGE: u16 = u16::MAX;

#[cfg(test)]
thread_local! {
    /// How many positions this thread has cut.
    pub(crate) static CUTS: std::cell::Cell<u32> = const { std::cell::Cell::new(0) };
}

impl PositionGraph {
    /// Cuts a position into its chains and regions.
    pub fn new(board: &Board) -> PositionGraph {
        #[cfg(test)]
        CUTS.with(|cuts| cuts.set(cuts.get() + 1));
        let size = board.size();
        let mut graph = PositionGraph {
            size,
            chains: Vec::with_capacity(64),
            regions: Vec::with_capacity(32),
            points: Vec::new(),
            contacts: Vec::new(),
            nodes: vec![EDGE; size.padded()],
        };
        graph.find_chains(board);
        graph.find_regions();
        graph.find_neighbors(board);
        graph
    }

    /// The size of the board.
    pub fn size(&self) -> Size {
        self.size
    }

    /// All chains, in the order of their first stones.
    pub fn chains(&self) -> &[ChainNode] {
        &self.chains
    }

    /// A chain by its index.
    #[inline]
    pub fn chain(&self, chain: usize) -> &ChainNode {
        &self.chains[chain]
    }

    /// All regions, in the order of their first points.
    pub fn regions(&self) -> impl ExactSizeIterator<Item = Region<'_>> {
        (0..self.regions.len()).map(|region| self.region(region))
    }

    /// A region by its index.
    #[inline]
    pub fn region(&self, region: usize) -> Region<'_> {
        let RegionNode {
            points,
            contacts,
            touches,
        } = &self.regions[region];
        Region {
            points: &self.points[points.start as usize..points.end as usize],
            contacts: &self.contacts[contacts.start as usize..contacts.end as usize],
            touches: *touches,
        }
    }

    /// The chain on a point, if there is a stone.
    #[inline]
    pub fn chain_at(&self, point: Point) -> Option<usize> {
        let node = self.nodes[point.index()];
        (node < REGION).then_some(node as usize)
    }

    /// The region on a point, if it is empty.
    #[inline]
    pub fn region_at(&self, point: Point) -> Option<usize> {
        let node = self.nodes[point.index()];
        (REGION..UNSEEN)
            .contains(&node)
            .then(|| (node - REGION) as usize)
    }

    /// What is on a point, or on the edge beside the board.
    #[inline]
    pub(crate) fn spot(&self, point: Point) -> Spot {
        match self.nodes[point.index()] {
            EDGE => Spot::Edge,
            node if node < REGION => self.chains[node as usize].color.spot(),
            _ => Spot::Empty,
        }
    }

    /// What each point of the board gets, row by row, if its chain or its being empty decides.
    pub(crate) fn by_chain<T: Copy>(&self, chains: &[T], empty: T) -> Vec<T> {
        // One entry more, for the points without a stone: no branch has to ask what is there.
        let mut entries = chains.to_vec();
        entries.push(empty);
        let (width, height) = (self.size.width(), self.size.height());
        let mut points = Vec::with_capacity(self.size.area());
        for y in 0..height {
            let row = &self.nodes[Point::new(0, y).index()..][..width as usize];
            let chains = row.iter().map(|&node| chains.len().min(node as usize));
            points.extend(chains.map(|chain| entries[chain]));
        }
        points
    }

    /// The stones of some chains.
    pub(crate) fn stones(&self, wanted: impl Fn(usize) -> bool) -> PointSet {
        let chains = self.chains.iter().enumerate();
        chains
            .filter(|&(chain, _)| wanted(chain))
            .flat_map(|(_, chain)| chain.stones.iter().copied())
            .collect()
    }

    fn find_chains(&mut self, board: &Board) {
        self.size
            .points()
            .for_each(|point| match board.stone(point) {
                None => self.nodes[point.index()] = UNSEEN,
                Some(color) if self.nodes[point.index()] == EDGE => {
                    self.add_chain(board, color, point);
                }
                Some(_) => {}
            });
    }

    fn add_chain(&mut self, board: &Board, color: Color, first: Point) {
        let number = self.chains.len() as u16;
        let own = color.spot();
        let mut stones = Vec::with_capacity(board.chain_len(first));
        self.nodes[first.index()] = number;
        stones.push(first);
        let mut next = 0;
        while let Some(&stone) = stones.get(next) {
            next += 1;
            for beside in stone.neighbors() {
                if board.spot(beside) == own && self.nodes[beside.index()] == EDGE {
                    self.nodes[beside.index()] = number;
                    stones.push(beside);
                }
            }
        }
        self.chains.push(ChainNode {
            color,
            stones,
            liberties: Vec::new(),
            enemies: Vec::new(),
            friends: Vec::new(),
            regions: Vec::new(),
        });
    }

    fn find_regions(&mut self) {
        let stones: usize = self.chains.iter().map(|chain| chain.stones.len()).sum();
        let empty = self.size.area() - stones;
        let nowhere = Contact {
            point: Point::new(0, 0),
            chain: EDGE,
        };
        self.points = vec![nowhere.point; empty + 1];
        self.contacts = vec![nowhere; 4 * empty + 1];
        let (mut found, mut touched) = (0, 0);
        self.size.points().for_each(|first| {
            if self.nodes[first.index()] == UNSEEN {
                (found, touched) = self.add_region(first, found, touched);
            }
        });
    }

    /// Adds the region of a point, whose points and contacts go where those of the last one end.
    fn add_region(&mut self, first: Point, start: usize, first_contact: usize) -> (usize, usize) {
        let number = REGION | self.regions.len() as u16;
        let nodes = self.nodes.as_mut_slice();
        let points = self.points.as_mut_slice();
        let contacts = self.contacts.as_mut_slice();
        let (mut found, mut touched) = (start + 1, first_contact);
        nodes[first.index()] = number;
        points[start] = first;
        let mut next = start;
        while next < found {
            let point = points[next];
            next += 1;
            // Which neighbours are new and which are stones is anybody's guess, and a branch
            // would often guess wrong. So each is written down as both, and kept as what it is.
            for beside in point.neighbors() {
                let node = nodes[beside.index()];
                let is_new = node == UNSEEN;
                nodes[beside.index()] = if is_new { number } else { node };
                points[found] = beside;
                found += is_new as usize;
                contacts[touched] = Contact { point, chain: node };
                touched += (node < REGION) as usize;
            }
        }
        let mut touches = [false; 2];
        for contact in &contacts[first_contact..touched] {
            touches[self.chains[contact.chain as usize].color.index()] = true;
        }
        self.regions.push(RegionNode {
            points: start as u32..found as u32,
            contacts: first_contact as u32..touched as u32,
            touches,
        });
        (found, touched)
    }

    /// Fills in what lies beside each chain.
    fn find_neighbors(&mut self, board: &Board) {
        fn note(list: &mut Vec<usize>, item: usize) {
            if !list.contains(&item) {
                list.push(item);
            }
        }
        // By point: the last chain that it was found to be a liberty of.
        let mut liberty_of = vec![EDGE; self.nodes.len()];
        let nodes = self.nodes.as_slice();
        for (number, chain) in self.chains.iter_mut().enumerate() {
            let own = chain.color.spot();
            let mut befriend = |point: Point| {
                let node = nodes[point.index()] as usize;
                if board.spot(point) == own && node != number {
                    note(&mut chain.friends, node);
                }
            };
            for &stone in &chain.stones {
                for beside in stone.neighbors() {
                    match nodes[beside.index()] {
                        EDGE => {}
                        node if node >= REGION => {
                            let seen = &mut liberty_of[beside.index()];
                            if *seen == number as u16 {
                                continue;
                            }
                            *seen = number as u16;
                            chain.liberties.push(beside);
                            note(&mut chain.regions, (node - REGION) as usize);
                            beside.neighbors().into_iter().for_each(&mut befriend);
                        }
                        node if node as usize == number => {}
                        enemy => note(&mut chain.enemies, enemy as usize),
                    }
                }
                stone.diagonals().into_iter().for_each(&mut befriend);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::drawn;

    #[test]
    fn chains_know_their_liberties_enemies_and_friends() {
        let board = drawn::board(
            "
            . X . X O
            X . X X O
            O O O O .
            . . . . .
            . . . . .
        ",
        );
        let graph = PositionGraph::new(&board);
        let at = |x, y| graph.chain(graph.chain_at(Point::new(x, y)).unwrap());
        assert_eq!(at(1, 0).liberties.len(), 3);
        assert_eq!(at(1, 0).friends.len(), 2);
        assert_eq!(at(2, 1).stones.len(), 3);
        assert_eq!(at(2, 1).enemies.len(), 2);
        assert_eq!(at(2, 1).shared_liberties(at(1, 0)), 2);
        assert_eq!(at(0, 2).liberties.len(), 6);
        assert_eq!(graph.chain_at(Point::new(0, 0)), None);
        assert_eq!(graph.region_at(Point::new(1, 0)), None);
    }

    #[test]
    fn a_region_belongs_to_the_only_colour_beside_it() {
        let drawing = "
            b b X O w
            b X X O O
            X X O w O
            b X O O w
            X n X O w
        ";
        let board = drawn::board(drawing);
        let graph = PositionGraph::new(&board);
        let owned = |owner: Option<Color>| -> PointSet {
            let regions = graph.regions().filter(|region| region.owner() == owner);
            regions
                .flat_map(|region| region.points())
                .copied()
                .collect()
        };
        assert_eq!(owned(Some(Color::Black)), drawn::marked(drawing, "bn"));
        assert_eq!(owned(Some(Color::White)), drawn::marked(drawing, "w"));
        assert_eq!(graph.regions().len(), 6);
    }

    #[test]
    fn an_empty_board_and_a_shared_region_are_nobodys() {
        let empty = PositionGraph::new(&Board::new(Size::square(9)));
        assert_eq!(empty.regions().len(), 1);
        assert_eq!(empty.region(0).owner(), None);
        assert!(empty.region(0).chains().is_empty());
        let shared = PositionGraph::new(&drawn::board("X . O"));
        assert_eq!(shared.region(0).owner(), None);
        assert_eq!(shared.region(0).chains(), [0, 1]);
        assert_eq!(PositionGraph::new(&drawn::board("X O")).regions().len(), 0);
    }

    #[test]
    fn the_chains_around_a_region_are_named_once_each() {
        let drawing = "
            . a . X X
            X X X . .
            . . X O O
        ";
        let graph = PositionGraph::new(&drawn::board(drawing));
        let region = graph.region(graph.region_at(drawn::point(drawing, 'a')).unwrap());
        // The long chain below and the two stones at the right.
        assert_eq!(region.points().len(), 3);
        assert_eq!(region.chains().len(), 2);
    }
}
