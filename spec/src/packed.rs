//! Bit by bit into a few machine words: the form in which a search stores its states. No rule knows of it.

use std::hash::{Hash, Hasher};

/// A state in `N` words. Equal states are equal words, and the reverse.
#[derive(Clone, Copy, Debug)]
pub struct Words<const N: usize>([u64; N]);

impl<const N: usize> Default for Words<N> {
    /// No field yet.
    fn default() -> Self {
        Words([0; N])
    }
}

impl<const N: usize> PartialEq for Words<N> {
    /// Word by word, which costs less than the call that compares memory of any length.
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).fold(0, |difference, (one, two)| difference | (one ^ two)) == 0
    }
}

impl<const N: usize> Eq for Words<N> {}

impl<const N: usize> Hash for Words<N> {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

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

/// Writes fields one after the other, in place.
#[derive(Debug)]
pub struct Writer<'a, const N: usize> {
    words: &'a mut [u64; N],
    /// The word that is being filled.
    at: usize,
    word: u64,
    filled: u32,
}

impl<'a, const N: usize> Writer<'a, N> {
    /// Starts at the first field.
    #[inline]
    pub fn new(words: &'a mut Words<N>) -> Self {
        *words = Words::default();
        Writer { words: &mut words.0, at: 0, word: 0, filled: 0 }
    }

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
            self.end_word();
            self.at += 1;
            self.filled -= 64;
            // What was left over, if anything, starts the next word.
            self.word = if self.filled == 0 { 0 } else { bits >> (width - self.filled) };
        }
    }

    /// Writes the last word, which may not be full.
    ///
    /// # Panics
    /// If no room is left for it.
    #[inline]
    pub fn finish(mut self) {
        if self.filled > 0 {
            self.end_word();
        }
    }

    #[inline]
    fn end_word(&mut self) {
        assert!(self.at < N, "the bounds outgrew the {N} words of the packed form");
        self.words[self.at] = self.word;
    }
}

#[cold]
fn do_not_fit(fields: Fields) -> ! {
    panic!("{fields:?} do not fit: the bounds outgrew the packed form")
}

/// Reads the fields back in the order in which they were written.
#[derive(Debug)]
pub struct Reader<const N: usize> {
    words: [u64; N],
    at: u32,
}

impl<const N: usize> Reader<N> {
    /// Starts at the first field.
    #[inline]
    pub fn new(words: Words<N>) -> Self {
        Reader { words: words.0, at: 0 }
    }

    /// The next `width` bits (1 to 32).
    #[inline(always)]
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
