//! Chains that merge into larger pieces.

/// A partition of the numbers below a limit into sets that merge.
pub(crate) struct UnionFind(Vec<u16>);

impl UnionFind {
    /// Every number is a set of its own.
    pub(crate) fn new(len: usize) -> UnionFind {
        UnionFind((0..len as u16).collect())
    }

    /// The smallest number of the set.
    pub(crate) fn root(&self, number: usize) -> usize {
        let mut root = number;
        while self.0[root] as usize != root {
            root = self.0[root] as usize;
        }
        root
    }

    /// The smallest number of the set, with the way to it made shorter.
    fn find(&mut self, number: usize) -> usize {
        let mut root = number;
        while self.0[root] as usize != root {
            self.0[root] = self.0[self.0[root] as usize];
            root = self.0[root] as usize;
        }
        root
    }

    /// Makes one set of two.
    #[inline]
    pub(crate) fn join(&mut self, a: usize, b: usize) {
        // Most that meet have met before.
        if self.0[a] != self.0[b] {
            let (a, b) = (self.find(a), self.find(b));
            self.0[a.max(b)] = a.min(b) as u16;
        }
    }

    /// Makes every way to a root one step long. Ways lead to smaller numbers, so the rest of a
    /// number's way is settled before it.
    pub(crate) fn settle(&mut self) {
        for number in 0..self.0.len() {
            self.0[number] = self.0[self.0[number] as usize];
        }
    }
}
