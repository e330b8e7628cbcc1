//! Randomness that repeats: the same seed, the same walk, on every machine.

/// A small generator (splitmix64). Good enough to choose steps, and no secret.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Starts from this seed.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// Any number.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// A number below this one, which is not 0.
    pub fn below(&mut self, end: usize) -> usize {
        (self.number() % end as u64) as usize
    }

    /// True this often in a thousand.
    pub fn is_chosen(&mut self, in_a_thousand: usize) -> bool {
        self.below(1000) < in_a_thousand
    }
}
