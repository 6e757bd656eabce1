//! A union-find: sets of numbers that merge, such as chains that turn out to be one group.

/// A partition of the numbers below a limit into sets that merge.
pub(crate) struct UnionFind(Vec<u16>);

impl UnionFind {
    /// Every number is a set of its own.
    pub(crate) fn new(len: usize) -> UnionFind {
        UnionFind((0..len as u16).collect())
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

    /// The smallest number of each number's set. Makes every way to a root one step long on the
    /// way: ways lead to smaller numbers, so the rest of a number's way is settled before it.
    pub(crate) fn roots(&mut self) -> Vec<usize> {
        for number in 0..self.0.len() {
            self.0[number] = self.0[self.0[number] as usize];
        }
        self.0.iter().map(|&root| root as usize).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_goes_by_its_smallest_number() {
        let mut sets = UnionFind::new(7);
        for (a, b) in [(5, 6), (1, 5), (6, 3), (2, 4), (4, 2)] {
            sets.join(a, b);
        }
        assert_eq!(sets.roots(), [0, 1, 2, 1, 2, 1, 1]);
    }
}
