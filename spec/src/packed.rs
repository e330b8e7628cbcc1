//! Bit by bit into a few machine words: the form in which a search stores its states. No rule knows of it.

/// A state in `N` words. Equal states are equal words, and the reverse.
pub type Words<const N: usize> = [u64; N];

/// Fields side by side, at most 64 bits together. A few are put together first, since that is cheaper than to write
/// each.
#[derive(Clone, Copy, Debug, Default)]
pub struct Fields {
    bits: u64,
    width: u32,
    /// What did not fit, of any of them.
    excess: u64,
}

impl Fields {
    /// With the low `width` bits (1 to 32) of one more.
    #[must_use]
    #[inline(always)]
    pub fn with(self, value: u32, width: u32) -> Fields {
        let value = u64::from(value);
        Fields {
            bits: self.bits | value << (self.width % 64),
            width: self.width + width,
            excess: self.excess | value >> width,
        }
    }
}

/// Writes fields one after the other.
#[derive(Debug)]
pub struct Writer<const N: usize> {
    words: Words<N>,
    /// The word that is being filled.
    at: usize,
    word: u64,
    filled: u32,
}

impl<const N: usize> Default for Writer<N> {
    fn default() -> Self {
        Writer { words: [0; N], at: 0, word: 0, filled: 0 }
    }
}

impl<const N: usize> Writer<N> {
    /// Appends these.
    ///
    /// # Panics
    /// If a value does not fit, or no room is left: either would merge two states without a word.
    #[inline(always)]
    pub fn put(&mut self, fields: Fields) {
        let Fields { bits, width, excess } = fields;
        if excess != 0 || width > 64 {
            do_not_fit(fields);
        }
        self.word |= bits << self.filled;
        self.filled += width;
        if self.filled >= 64 {
            self.turn();
            // What was left over, if anything, starts the next word.
            self.word = if self.filled == 0 { 0 } else { bits >> (width - self.filled) };
        }
    }

    /// Starts the next word.
    fn turn(&mut self) {
        assert!(self.at < N, "the bounds outgrew the {N} words of the packed form");
        self.words[self.at] = self.word;
        self.at += 1;
        self.filled -= 64;
    }

    /// What was written.
    ///
    /// # Panics
    /// If no room is left for the last word.
    #[inline]
    pub fn finish(mut self) -> Words<N> {
        if self.filled > 0 {
            assert!(self.at < N, "the bounds outgrew the {N} words of the packed form");
            self.words[self.at] = self.word;
        }
        self.words
    }
}

#[cold]
fn do_not_fit(fields: Fields) -> ! {
    panic!("{fields:?} do not fit: the bounds outgrew the packed form")
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
