//! Lines of bits with zeros around them, so that looking a little past an end is no special case.

/// Zeros before the first line and after the last.
const MARGIN: usize = 128;

/// So many are enough for as many words as there can be.
const RECIPROCAL_BITS: u32 = 36;

/// Lines of bits, numbered from 0, each with at least one zero behind it and a line of zeros before
/// the first and after the last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BitLines {
    words: Vec<u64>,
    /// Bits from a line to the next, a multiple of 64.
    stride: usize,
    /// 2^36 divided by the words of a line, rounded up: to divide by them.
    reciprocal: u64,
}

impl BitLines {
    pub(super) fn new(n_bits: u32, n_lines: u32) -> Self {
        let stride = (n_bits as usize / 64 + 1) * 64;
        let n_words = (stride * (n_lines as usize + 2) + 2 * MARGIN) / 64;
        let reciprocal = (1_u64 << RECIPROCAL_BITS).div_ceil(stride as u64 / 64);
        Self { words: vec![0; n_words], stride, reciprocal }
    }

    /// Bits from a line to the next.
    pub(super) const fn stride(&self) -> usize {
        self.stride
    }

    /// Number of all bits: what is at least every node's number.
    pub(super) const fn n_bits(&self) -> usize {
        self.words.len() * 64
    }

    /// Where bit `bit` of line `line` is.
    pub(super) const fn at(&self, line: u32, bit: u32) -> usize {
        MARGIN + (line as usize + 1) * self.stride + bit as usize
    }

    /// The line and the bit that are at `at`.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "strides are at most 2^15")]
    pub(super) const fn line_and_bit(&self, at: u32) -> (u32, u32) {
        let at = at - MARGIN as u32;
        let line = (((at / 64) as u64 * self.reciprocal) >> RECIPROCAL_BITS) as u32;
        (line - 1, at - line * self.stride as u32)
    }

    pub(super) fn is_set(&self, at: usize) -> bool {
        self.words[at / 64] >> (at % 64) & 1 != 0
    }

    pub(super) fn set(&mut self, line: u32, bit: u32) {
        let at = self.at(line, bit);
        self.words[at / 64] |= 1 << (at % 64);
    }

    /// The 64 bits from `at` on, the first the lowest.
    pub(super) fn window(&self, at: usize) -> u64 {
        let (word, shift) = (at / 64, at % 64);
        match self.words.get(word..word + 2) {
            Some(&[low, high]) => low >> shift | (high << 1) << (63 - shift),
            _ => 0,
        }
    }

    /// The bits around `at`: the one before, itself and the one after of the line before, its own and
    /// the line after, lowest first.
    #[inline]
    pub(super) fn around(&self, at: usize) -> u16 {
        let (word, shift, step) = ((at - 1) / 64, (at - 1) % 64, self.stride / 64);
        let three = |word: usize| match self.words.get(word..word + 2) {
            Some(&[low, high]) => ((low >> shift | (high << 1) << (63 - shift)) & 7) as u16,
            _ => 0,
        };
        three(word - step) | three(word) << 3 | three(word + step) << 6
    }

    /// Bits of the same size, all zero.
    pub(super) fn like(&self) -> Self {
        Self { words: vec![0; self.words.len()], ..*self }
    }

    /// Sets each word of 64 bits of the lines to what `word` says of where it starts.
    pub(super) fn fill(&mut self, word: impl Fn(usize) -> u64) {
        let ends = (MARGIN + self.stride) / 64;
        for at in ends..self.words.len() - ends {
            self.words[at] = word(at * 64);
        }
    }

    /// The words, with where they start.
    pub(super) fn words(
        &self,
    ) -> impl DoubleEndedIterator<Item = (usize, u64)> + ExactSizeIterator + '_ {
        self.words.iter().enumerate().map(|(word, &bits)| (word * 64, bits))
    }

    /// Sets a word by where it starts.
    pub(super) fn set_word(&mut self, at: usize, bits: u64) {
        self.words[at / 64] = bits;
    }
}
