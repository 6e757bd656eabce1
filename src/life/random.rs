//! Random numbers: Marsaglia's xorshift with Vigna's multiplier, small and fast.
//!
//! Whoever needs them seeds them with something that is the same in every run, such as the position.

/// A generator of random numbers.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A generator with this seed; 0 and 1 are the same.
    pub fn new(seed: u64) -> Random {
        Random(seed | 1)
    }

    #[inline]
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// A number below `n`.
    #[inline]
    pub(crate) fn below(&mut self, n: usize) -> usize {
        (((self.next() >> 32) * n as u64) >> 32) as usize
    }

    /// Yes in `odds` of 256 cases.
    #[inline]
    pub(crate) fn chance(&mut self, odds: u64) -> bool {
        self.next() >> 56 < odds
    }

    /// A number from 0 up to and without 1.
    pub fn share(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1u64 << 24) as f32
    }
}
