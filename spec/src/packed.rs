//! Bit by bit into a few machine words: the form in which a search stores its states. No rule knows of it.

/// A state in `N` words. Equal states are equal words, and the reverse.
pub type Words<const N: usize> = [u64; N];

/// Writes fields one after the other.
#[derive(Debug)]
pub struct Writer<const N: usize> {
    words: Words<N>,
    at: u32,
}

impl<const N: usize> Default for Writer<N> {
    fn default() -> Self {
        Writer { words: [0; N], at: 0 }
    }
}

impl<const N: usize> Writer<N> {
    /// Appends the low `width` bits (1 to 32).
    ///
    /// # Panics
    /// If the value does not fit, or no room is left: either would merge two states without a word.
    #[inline]
    pub fn put(&mut self, value: u32, width: u32) {
        assert!(u64::from(value) < 1 << width, "{value} does not fit {width} bits: the bounds outgrew the packed form");
        let (word, bit) = ((self.at / 64) as usize, self.at % 64);
        assert!(self.at + width <= 64 * N as u32, "the bounds outgrew the {N} words of the packed form");
        self.words[word] |= u64::from(value) << bit;
        if bit + width > 64 {
            self.words[word + 1] |= u64::from(value) >> (64 - bit);
        }
        self.at += width;
    }

    /// What was written.
    #[inline]
    pub fn finish(self) -> Words<N> {
        self.words
    }
}

/// Reads the fields back in the order in which they were written.
#[derive(Debug)]
pub struct Reader<const N: usize> {
    words: Words<N>,
    at: u32,
}

impl<const N: usize> Reader<N> {
    /// Starts at the first field.
    #[inline]
    pub fn new(words: Words<N>) -> Self {
        Reader { words, at: 0 }
    }

    /// The next `width` bits (1 to 32).
    #[inline]
    pub fn get(&mut self, width: u32) -> u32 {
        let (word, bit) = ((self.at / 64) as usize, self.at % 64);
        let mut value = self.words[word] >> bit;
        if bit + width > 64 {
            value |= self.words[word + 1] << (64 - bit);
        }
        self.at += width;
        (value & ((1 << width) - 1)) as u32
    }
}
