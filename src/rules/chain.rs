//! The record of a chain.
//!
//! It holds *pseudo-liberties*: a liberty counts once for each stone of the chain beside it. They
//! are cheap to keep up to date, zero exactly when the chain has no liberty, and together with the
//! sum and the sum of squares of their indices they tell in three multiplications whether the
//! chain has just one liberty and which: all numbers of a list are equal exactly when
//! n·Σq² = (Σq)². The records of two chains that join simply add up.

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
    pub fn stone() -> Chain {
        Chain {
            stones: 1,
            ..Chain::default()
        }
    }

    #[inline]
    pub fn add_liberty(&mut self, point: Point) {
        let q = point.index() as u32;
        self.count += 1;
        self.sum += q;
        self.squares += (q * q) as u64;
    }

    #[inline]
    pub fn remove_liberty(&mut self, point: Point) {
        let q = point.index() as u32;
        self.count -= 1;
        self.sum -= q;
        self.squares -= (q * q) as u64;
    }

    #[inline]
    pub fn join(&mut self, other: Chain) {
        self.count += other.count;
        self.sum += other.sum;
        self.squares += other.squares;
        self.stones += other.stones;
    }

    #[inline]
    pub fn has_no_liberty(&self) -> bool {
        self.count == 0
    }

    /// The only liberty, if there is exactly one. It has four neighbours, so it can't count more
    /// than four times: that settles the question for most chains.
    #[inline]
    pub fn only_liberty(&self) -> Option<Point> {
        let one = matches!(self.count, 1..=4)
            && self.count as u64 * self.squares == self.sum as u64 * self.sum as u64;
        one.then(|| Point::from_index((self.sum / self.count as u32) as usize))
    }
}
