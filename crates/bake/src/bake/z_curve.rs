//! Sorts items along a Z-order curve, so that items that are near each other in space are near each other in a list.

use glam::{Vec2, Vec3Swizzles as _};
use walkable_runtime::{
    geom::Aabb,
    side_by_side::{MANY, each},
};

/// Returns the numbers below `n` in the order in which a Z-order curve through `whole` visits their points, given by
/// `at`, seen from above. Numbers whose points are among some ten that are close together keep their order.
///
/// Chunks of numbers are sorted by the first digit of their positions on the curve. Numbers with the same first digit
/// are gathered from all chunks and sorted by the following digits. A single chunk is sorted by all digits at once.
pub(super) fn along_curve(n: usize, at: impl Fn(usize) -> Vec2 + Sync, whole: &Aabb) -> Vec<u32> {
    let (curve, later) = (Curve::through(whole), later_digits(n));
    let mut pairs = vec![(0, 0); n];
    let chunks: Vec<_> = (0..n).step_by(MANY).zip(pairs.chunks_mut(MANY)).collect();
    let ends = each(chunks, n, |(first, chunk): (usize, &mut [Pair])| {
        let numbers = first..first + chunk.len();
        let pair = |number| (curve.place(at(number)), index_u32(number));
        let mut unsorted: Vec<_> = numbers.map(pair).collect();
        let is_all = chunk.len() == n;
        for &digit in later.iter().filter(|_| is_all) {
            sort_by_digit(&unsorted, chunk, digit);
            unsorted.copy_from_slice(chunk);
        }
        sort_by_digit(&unsorted, chunk, FIRST)
    });
    if ends.len() <= 1 {
        return pairs.into_iter().map(|(_, number)| number).collect();
    }
    let same_digit = |digit: usize| {
        let chunks = ends.iter().zip(pairs.chunks(MANY));
        chunks.map(move |(ends, chunk)| {
            let first = digit.checked_sub(1).map_or(0, |before| ends[before]);
            &chunk[first..ends[digit]]
        })
    };
    let mut order = vec![0; n];
    let mut rest = &mut order[..];
    let runs = (0..N_DIGITS).map(|digit| {
        let n_same = same_digit(digit).map(<[_]>::len).sum();
        rest.split_off_mut(..n_same).unwrap_or_default()
    });
    let runs: Vec<_> = runs.enumerate().collect();
    each(runs, n, |(digit, run): (usize, &mut [u32])| {
        let mut pairs = Vec::with_capacity(run.len());
        pairs.extend(same_digit(digit).flatten());
        let mut sorted = pairs.clone();
        for &digit in &later {
            sort_by_digit(&pairs, &mut sorted, digit);
            std::mem::swap(&mut pairs, &mut sorted);
        }
        for (to, (_, number)) in run.iter_mut().zip(pairs) {
            *to = number;
        }
    });
    order
}

/// A Z-order curve through all cells of a grid of 65,536 by 65,536.
struct Curve {
    start: Vec2,
    /// Number of cells per meter.
    scale: Vec2,
}

impl Curve {
    fn through(whole: &Aabb) -> Self {
        let extent = whole.size().xz().max(Vec2::splat(f32::MIN_POSITIVE));
        Self { start: whole.min.xz(), scale: f32::from(u16::MAX) / extent }
    }

    /// Returns the position of a point on the curve.
    fn place(&self, point: Vec2) -> u32 {
        let cell = (point - self.start) * self.scale;
        spread_bits(to_u16(cell.x)) | spread_bits(to_u16(cell.y)) << 1
    }
}

/// A position on the curve, and the number of the point there.
type Pair = (u32, u32);

/// This many items that are close together need not be sorted.
const N_TOGETHER: usize = 16;
/// Maximum number of bits of a position by which items are sorted at a time.
const DIGIT_BITS: u32 = 8;
const N_DIGITS: usize = 1 << DIGIT_BITS;

/// Some of the bits of a position.
#[derive(Clone, Copy)]
struct Digit {
    shift: u32,
    n_bits: u32,
}

/// The most significant digit.
const FIRST: Digit = Digit { shift: u32::BITS - DIGIT_BITS, n_bits: DIGIT_BITS };

/// Returns the digits after the first by which `n` items must be sorted, until only some ten have the same digits; the
/// least significant one first.
fn later_digits(n: usize) -> Vec<Digit> {
    let n_bits = (usize::BITS - (n / N_TOGETHER).leading_zeros()).min(u32::BITS);
    let n_left = n_bits.saturating_sub(DIGIT_BITS);
    let n_digits = n_left.div_ceil(DIGIT_BITS);
    let width = n_left.div_ceil(n_digits.max(1));
    let digit = |after: u32| Digit { shift: FIRST.shift - after * width, n_bits: width };
    (1..=n_digits).rev().map(digit).collect()
}

/// Sorts `pairs` into `sorted` by a digit of their positions; pairs with the same digit keep their order. Returns where
/// the pairs with each digit end.
fn sort_by_digit(
    pairs: &[Pair],
    sorted: &mut [Pair],
    Digit { shift, n_bits }: Digit,
) -> [usize; N_DIGITS] {
    let mask = (1 << n_bits) - 1;
    let digit_of = |place: u32| ((place >> shift) & mask) as usize;
    let mut ends = [0; N_DIGITS];
    for &(place, _) in pairs {
        ends[digit_of(place)] += 1;
    }
    let mut n_before = 0;
    for end in &mut ends[..1 << n_bits] {
        n_before += std::mem::replace(end, n_before);
    }
    for &pair in pairs {
        let at = &mut ends[digit_of(pair.0)];
        sorted[*at] = pair;
        *at += 1;
    }
    ends
}

/// Converts an index; meshes have fewer than 2³² triangles.
fn index_u32(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "saturates; the place on the curve decides only speed"
)]
fn to_u16(value: f32) -> u16 {
    value as u16
}

/// Returns the bits of `value` with a zero before each.
fn spread_bits(value: u16) -> u32 {
    let mut bits = u32::from(value);
    bits = (bits | bits << 8) & 0x00ff_00ff;
    bits = (bits | bits << 4) & 0x0f0f_0f0f;
    bits = (bits | bits << 2) & 0x3333_3333;
    (bits | bits << 1) & 0x5555_5555
}

#[cfg(test)]
mod tests {
    use glam::Vec3;
    use walkable_runtime::random::Random;

    use super::*;

    #[test]
    fn digits_sort_stably() {
        let mut sorted = [(0, 0); 4];
        let pairs = [(0x201, 0), (0x102, 1), (0x301, 2), (0x000, 3)];
        let ends = sort_by_digit(&pairs, &mut sorted, Digit { shift: 0, n_bits: 8 });
        assert_eq!(sorted, [(0x000, 3), (0x201, 0), (0x301, 2), (0x102, 1)]);
        assert_eq!(ends[..4], [1, 3, 4, 4]);
    }

    #[track_caller]
    fn check(n: usize, n_bits: u32) {
        let mut random = Random::new(n as u64);
        // More points to one side, and some at the same place.
        let side = |random: &mut Random| 30.0 * random.unit() * random.unit().max(0.2);
        let points: Vec<_> =
            (0..n).map(|_| Vec2::new(side(&mut random), side(&mut random))).collect();
        let whole = Aabb::new(Vec3::ZERO, Vec3::splat(30.0));
        let curve = Curve::through(&whole);
        let shift = u32::BITS - n_bits;
        let mut expected: Vec<_> = (0..index_u32(n)).collect();
        expected.sort_by_key(|&at| curve.place(points[at as usize]) >> shift);
        assert_eq!(along_curve(n, |at| points[at], &whole), expected, "{n}");
    }

    #[test]
    fn few_and_many_are_put_along_the_curve() {
        for n in [0, 1, 16, 300, 4095] {
            check(n, 8);
        }
        check(4096, 9);
        check(MANY, 11);
        check(MANY + 1, 11);
        check(70_000, 13);
        check(N_TOGETHER << 16, 18);
    }

    #[test]
    fn bits_are_interleaved() {
        assert_eq!(spread_bits(0b1011), 0b100_0101);
        assert_eq!(spread_bits(u16::MAX), 0x5555_5555);
    }
}
