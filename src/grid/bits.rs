//! Lines of bits with zeros around them, so that looking a little past an end is no special case.

/// Zeros before the first line and after the last.
const MARGIN: usize = 128;

/// Lines of bits, numbered from 0, each with at least one zero behind it and a line of zeros before
/// the first and after the last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BitLines {
    words: Vec<u64>,
    /// Bits from a line to the next, a multiple of 64.
    stride: usize,
}

impl BitLines {
    pub(super) fn new(n_bits: u32, n_lines: u32) -> Self {
        let stride = (n_bits as usize / 64 + 1) * 64;
        let n_words = (stride * (n_lines as usize + 2) + 2 * MARGIN) / 64;
        Self { words: vec![0; n_words], stride }
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
    #[expect(clippy::cast_possible_truncation, reason = "strides are at most 2^15")]
    pub(super) const fn line_and_bit(&self, at: u32) -> (u32, u32) {
        let (at, stride) = (at - MARGIN as u32, self.stride as u32);
        (at / stride - 1, at % stride)
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
    pub(super) fn around(&self, at: usize) -> u16 {
        let three = |at: usize| (self.window(at - 1) & 7) as u16;
        three(at - self.stride) | three(at) << 3 | three(at + self.stride) << 6
    }
}
