//! Chains: rings of stones, each with one record at the index of its head.
//!
//! A record holds *pseudo-liberties*: a liberty counts once for each stone of the chain beside it. They
//! are cheap to keep up to date, zero exactly when the chain has no liberty, and together with the
//! sum and the sum of squares of their indices they tell in three multiplications whether the
//! chain has just one liberty and which: all numbers of a list are equal exactly when
//! n·Σq² = (Σq)². The records of two chains that join simply add up.

use std::ops::Range;

use super::Point;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Chain {
    /// Σq² over the pseudo-liberties q.
    squares: u64,
    /// Σq.
    sum: u32,
    /// How many pseudo-liberties.
    count: u16,
    pub stones: u16,
}

impl Chain {
    /// A stone on its own, with nothing known about what is beside it.
    #[inline]
    pub(crate) fn stone() -> Chain {
        Chain {
            stones: 1,
            ..Chain::default()
        }
    }

    #[inline]
    pub(crate) fn add_liberty(&mut self, point: Point) {
        let q = point.index() as u32;
        self.count += 1;
        self.sum += q;
        self.squares += (q * q) as u64;
    }

    #[inline]
    pub(crate) fn remove_liberty(&mut self, point: Point) {
        let q = point.index() as u32;
        self.count -= 1;
        self.sum -= q;
        self.squares -= (q * q) as u64;
    }

    #[inline]
    pub(crate) fn join(&mut self, other: Chain) {
        self.count += other.count;
        self.sum += other.sum;
        self.squares += other.squares;
        self.stones += other.stones;
    }

    #[inline]
    pub(crate) fn has_no_liberty(&self) -> bool {
        self.count == 0
    }

    /// The only liberty, if there is exactly one. It has four neighbours, so it can't count more
    /// than four times: that settles the question for most chains.
    #[inline]
    pub(crate) fn only_liberty(&self) -> Option<Point> {
        let one = matches!(self.count, 1..=4)
            && self.count as u64 * self.squares == self.sum as u64 * self.sum as u64;
        one.then(|| Point::from_index((self.sum / self.count as u32) as usize))
    }
}

#[derive(Clone, Copy, Debug)]
struct Link {
    /// The head of the chain that the stone belongs to.
    head: Point,
    /// The next stone in the ring of the chain.
    next: Point,
}

/// All chains of a position. What is said about points without a stone is left over from before.
#[derive(Clone, Debug)]
pub(crate) struct Chains {
    links: Vec<Link>,
    /// The record of each chain, at the index of its head.
    records: Vec<Chain>,
}

impl Chains {
    /// Room for the chains of a board with this many points.
    pub(crate) fn new(points: usize) -> Chains {
        let nowhere = Point::from_index(0);
        let link = Link {
            head: nowhere,
            next: nowhere,
        };
        Chains {
            links: vec![link; points],
            records: vec![Chain::default(); points],
        }
    }

    /// Takes over some points of another position.
    pub(crate) fn copy_from(&mut self, other: &Chains, points: Range<usize>) {
        self.links[points.clone()].copy_from_slice(&other.links[points.clone()]);
        self.records[points.clone()].copy_from_slice(&other.records[points]);
    }

    #[inline]
    pub(crate) fn head(&self, stone: Point) -> Point {
        self.links[stone.index()].head
    }

    /// The next stone in the ring.
    #[inline]
    pub(crate) fn next(&self, stone: Point) -> Point {
        self.links[stone.index()].next
    }

    /// The record of a stone's chain.
    #[inline]
    pub(crate) fn at(&self, stone: Point) -> &Chain {
        &self.records[self.head(stone).index()]
    }

    #[inline]
    pub(crate) fn of_mut(&mut self, stone: Point) -> &mut Chain {
        let head = self.head(stone);
        &mut self.records[head.index()]
    }

    /// Makes a chain of one stone.
    #[inline]
    pub(crate) fn add(&mut self, stone: Point, record: Chain) {
        self.links[stone.index()] = Link {
            head: stone,
            next: stone,
        };
        self.records[stone.index()] = record;
    }

    /// Makes one chain of those of two stones; the larger keeps its head.
    #[inline]
    pub(crate) fn join(&mut self, a: Point, b: Point) {
        let (a, b) = (self.head(a), self.head(b));
        if a == b {
            return;
        }
        let larger_first = self.at(a).stones >= self.at(b).stones;
        let (kept, gone) = if larger_first { (a, b) } else { (b, a) };
        let record = self.records[gone.index()];
        self.records[kept.index()].join(record);
        let mut stone = gone;
        loop {
            let link = &mut self.links[stone.index()];
            link.head = kept;
            if link.next == gone {
                break;
            }
            stone = link.next;
        }
        let after = self.next(kept);
        self.links[kept.index()].next = gone;
        self.links[stone.index()].next = after;
    }

    /// The stones of a chain, from this one on.
    pub(crate) fn ring(&self, first: Point) -> impl Iterator<Item = Point> {
        let mut next = Some(first);
        std::iter::from_fn(move || {
            let stone = next?;
            let after = self.next(stone);
            next = (after != first).then_some(after);
            Some(stone)
        })
    }
}
