//! Rows of bits surrounded by zeros, so that reading slightly beyond an end needs no special case.

/// Number of zeros before the first row and after the last.
const MARGIN: usize = 128;

/// Enough bits for an exact division of any possible word index.
const RECIPROCAL_BITS: u32 = 36;

/// Rows of bits, numbered from 0, each followed by at least one zero, with a row of zeros before the first and after
/// the last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BitLines {
    words: Vec<u64>,
    /// Number of bits from one row to the next, a multiple of 64.
    stride: usize,
    /// 2^36 divided by the number of words per row, rounded up. Multiplying by it replaces a division.
    reciprocal: u64,
}

impl BitLines {
    pub(super) fn new(n_bits: u32, n_lines: u32) -> Self {
        let stride = (n_bits as usize / 64 + 1) * 64;
        let n_words = (stride * (n_lines as usize + 2) + 2 * MARGIN) / 64;
        let reciprocal = (1_u64 << RECIPROCAL_BITS).div_ceil(stride as u64 / 64);
        Self { words: vec![0; n_words], stride, reciprocal }
    }

    /// Returns the number of bits from one row to the next.
    pub(super) const fn stride(&self) -> usize {
        self.stride
    }

    /// Returns the number of all bits, which is larger than any node index.
    pub(super) const fn n_bits(&self) -> usize {
        self.words.len() * 64
    }

    /// Returns the memory of the bits, in bytes.
    pub(super) const fn n_bytes(&self) -> usize {
        8 * self.words.capacity()
    }

    /// Returns the index of bit `bit` of row `line`.
    pub(super) const fn at(&self, line: u32, bit: u32) -> usize {
        MARGIN + (line as usize + 1) * self.stride + bit as usize
    }

    /// Returns the row and the bit of index `at`.
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

    /// Returns the 64 bits from `at`, the first one lowest.
    pub(super) fn window(&self, at: usize) -> u64 {
        let (word, shift) = (at / 64, at % 64);
        match self.words.get(word..word + 2) {
            Some(&[low, high]) => low >> shift | (high << 1) << (63 - shift),
            _ => 0,
        }
    }

    /// Returns the 3 x 3 bits around `at`: three of the previous row, three of its own row and three of the next row,
    /// lowest first.
    #[inline]
    pub(super) fn around(&self, at: usize) -> u16 {
        let (word, shift, step) = ((at - 1) / 64, (at - 1) % 64, self.stride / 64);
        let three = |word: usize| {
            let low = self.words.get(word).map_or(0, |low| low >> shift);
            // The three bits rarely extend into the next word.
            let high = if shift <= 61 {
                0
            } else {
                self.words.get(word + 1).map_or(0, |high| high << (64 - shift))
            };
            ((low | high) & 7) as u16
        };
        three(word - step) | three(word) << 3 | three(word + step) << 6
    }

    /// Returns bits of the same size, all zero.
    pub(super) fn like(&self) -> Self {
        Self { words: vec![0; self.words.len()], ..*self }
    }

    /// Sets each 64-bit word of the rows to the result of `word`, which gets its index.
    pub(super) fn fill(&mut self, word: impl Fn(usize) -> u64) {
        let ends = (MARGIN + self.stride) / 64;
        for at in ends..self.words.len() - ends {
            self.words[at] = word(at * 64);
        }
    }

    /// Returns up to 64 bits of a row from `bit`, limited to its first `n_bits` bits.
    fn part(&self, line: u32, bit: u32, n_bits: u32) -> u64 {
        let n_left = n_bits.saturating_sub(bit);
        if n_left == 0 { 0 } else { self.window(self.at(line, bit)) & lowest(n_left) }
    }

    /// Returns a copy with the bits of each row reversed if `swaps[0]`, and the rows reversed if `swaps[1]`.
    pub(super) fn mirrored(&self, [n_bits, n_lines]: [u32; 2], swaps: [bool; 2]) -> Self {
        let mut mirrored = self.like();
        for line in 0..n_lines {
            let from = if swaps[1] { n_lines - 1 - line } else { line };
            for bit in (0..n_bits).step_by(64) {
                let word = if swaps[0] {
                    let last = self.at(from, n_bits) - bit as usize;
                    self.window(last - 64).reverse_bits() & lowest(n_bits - bit)
                } else {
                    self.part(from, bit, n_bits)
                };
                mirrored.set_word(self.at(line, bit), word);
            }
        }
        mirrored
    }

    /// Returns the transposed bits: rows become columns.
    pub(super) fn transposed(&self, [n_bits, n_lines]: [u32; 2]) -> Self {
        across(n_lines, n_bits, |line, bit| self.part(line, bit, n_bits))
    }

    /// Returns a row for each diagonal: bit `b` of row `d` is bit `d + b` of row `b`. Bits start again after
    /// `period`. The period is larger than the numbers of bits and of rows, so that a zero separates two diagonals in
    /// the same row.
    pub(super) fn slanted(&self, [n_bits, n_lines]: [u32; 2], period: u32) -> Self {
        across(n_lines, period, |line, diagonal| {
            let bit = (diagonal + line) % period;
            let part = self.part(line, bit, n_bits);
            match period - bit {
                n_left @ ..64 => part | self.part(line, 0, n_bits) << n_left,
                _ => part,
            }
        })
    }

    /// Returns the words, each with the index of its first bit.
    pub(super) fn words(
        &self,
    ) -> impl DoubleEndedIterator<Item = (usize, u64)> + ExactSizeIterator + '_ {
        self.words.iter().enumerate().map(|(word, &bits)| (word * 64, bits))
    }

    /// Sets the word that contains index `at`.
    pub(super) fn set_word(&mut self, at: usize, bits: u64) {
        self.words[at / 64] = bits;
    }
}

/// Returns the indices of the set bits of a word, the lowest first.
#[inline]
pub(super) fn ones(mut bits: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = (bits != 0).then_some(bits.trailing_zeros())?;
        bits &= bits - 1;
        Some(bit)
    })
}

/// Returns a word with its lowest `n` bits set.
const fn lowest(n: u32) -> u64 {
    if n < 64 { (1 << n) - 1 } else { u64::MAX }
}

/// Builds rows whose bit `b` of row `l` is bit `l` of row `b` in the source; `word` returns 64 bits of a source row
/// from a given bit.
fn across(n_bits: u32, n_lines: u32, word: impl Fn(u32, u32) -> u64) -> BitLines {
    let mut lines = BitLines::new(n_bits, n_lines);
    for (line, bit) in (0..n_lines)
        .step_by(64)
        .flat_map(|line| (0..n_bits).step_by(64).map(move |bit| (line, bit)))
    {
        let mut block = [0; 64];
        for (word_of, from) in block.iter_mut().zip(bit..n_bits) {
            *word_of = word(from, line);
        }
        transpose(&mut block);
        for (&bits, to) in block.iter().zip(line..n_lines) {
            lines.set_word(lines.at(to, bit), bits);
        }
    }
    lines
}

/// Swaps bit `b` of word `w` with bit `w` of word `b`, recursively by quarters.
///
/// Source: Warren, "Hacker's Delight", 2002, section 7-3.
fn transpose(block: &mut [u64; 64]) {
    let mut side = 32;
    let mut mask = u64::from(u32::MAX);
    while side > 0 {
        for low in (0..64).filter(|word| word & side == 0) {
            let swap = (block[low] >> side ^ block[low + side]) & mask;
            block[low] ^= swap << side;
            block[low + side] ^= swap;
        }
        side /= 2;
        mask ^= mask << side;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns rows of pseudorandom bits.
    fn lines(n_bits: u32, n_lines: u32) -> BitLines {
        let mut lines = BitLines::new(n_bits, n_lines);
        let mut state = u64::from(n_bits * 1000 + n_lines);
        for line in 0..n_lines {
            for bit in 0..n_bits {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                if state >> 63 != 0 {
                    lines.set(line, bit);
                }
            }
        }
        lines
    }

    fn is_set(lines: &BitLines, line: u32, bit: u32) -> bool {
        lines.is_set(lines.at(line, bit))
    }

    #[test]
    fn lines_are_turned_and_slanted_bit_by_bit() {
        for [n_bits, n_lines] in
            [[1, 1], [5, 3], [64, 64], [63, 2], [200, 70], [129, 129], [130, 1]]
        {
            let size = [n_bits, n_lines];
            let lines = lines(n_bits, n_lines);
            let transposed = lines.transposed(size);
            assert_eq!(transposed.transposed([n_lines, n_bits]), lines);
            let mirrored = lines.mirrored(size, [true, true]);
            assert_eq!(mirrored.mirrored(size, [true, false]), lines.mirrored(size, [false, true]));
            let period = n_bits.max(n_lines) + 1;
            let slanted = lines.slanted(size, period);
            let mut n_slanted = 0;
            for (line, bit) in (0..n_lines).flat_map(|line| (0..n_bits).map(move |bit| (line, bit)))
            {
                let expected = is_set(&lines, line, bit);
                assert_eq!(is_set(&transposed, bit, line), expected);
                assert_eq!(is_set(&mirrored, n_lines - 1 - line, n_bits - 1 - bit), expected);
                assert_eq!(is_set(&slanted, (bit + period - line) % period, line), expected);
                n_slanted += u32::from(expected);
            }
            let all: u32 = slanted.words().map(|(_, word)| word.count_ones()).sum();
            assert_eq!(all, n_slanted, "nothing else is set");
        }
    }

    #[test]
    fn ones_come_out_lowest_first() {
        assert_eq!(ones(1 | 1 << 5 | 1 << 63).collect::<Vec<_>>(), [0, 5, 63]);
        assert_eq!(ones(0).count(), 0);
    }
}
