//! Elements stored as differences from the previous element, byte by byte.

use super::{Bytes, CUT_OFF, Damage, TOO_LONG};

/// Number of elements in a group, which share a number of bits.
const GROUP: usize = 16;
/// Maximum number of elements in a block.
const MAX_BLOCK: usize = 256;
/// Maximum size of a block, in bytes.
const MAX_BLOCK_BYTES: usize = 8192;
/// Maximum size of an element, in bytes.
const MAX_STRIDE: usize = 256;

/// How the four bytes of a channel differ from those of the previous element.
#[derive(Clone, Copy)]
enum Channel {
    /// A zigzag-encoded difference for each byte.
    Bytes,
    /// A zigzag-encoded difference for each pair of bytes.
    Pairs,
    /// An exclusive or of the four bytes, rotated by this number of bits.
    Bits(u32),
}

impl Channel {
    fn of(mode: u8) -> Result<Self, Damage> {
        match (mode & 0xf, mode >> 4) {
            (0, 0) => Ok(Self::Bytes),
            (1, 0) => Ok(Self::Pairs),
            (2, bits) => Ok(Self::Bits(bits.into())),
            _ => Err("it has an unknown channel mode"),
        }
    }

    fn apply(self, before: [u8; 4], delta: [u8; 4]) -> [u8; 4] {
        match self {
            Self::Bytes => std::array::from_fn(|at| {
                let delta = delta[at];
                before[at].wrapping_add((delta >> 1) ^ (delta & 1).wrapping_neg())
            }),
            Self::Pairs => {
                let pair = |at: usize| {
                    let [before, delta] =
                        [before, delta].map(|of| u16::from_le_bytes([of[at], of[at + 1]]));
                    before.wrapping_add((delta >> 1) ^ (delta & 1).wrapping_neg()).to_le_bytes()
                };
                let ([a, b], [c, d]) = (pair(0), pair(2));
                [a, b, c, d]
            }
            Self::Bits(n) => {
                let [before, delta] = [before, delta].map(u32::from_le_bytes);
                (before ^ delta.rotate_right(n)).to_le_bytes()
            }
        }
    }
}

/// How the differences of one byte of all elements in a block are stored.
#[derive(Clone, Copy)]
enum Lane {
    Zeros,
    /// One byte each.
    Plain,
    /// In groups with one of these numbers of bits.
    Groups([usize; 4]),
}

impl Lane {
    /// The only encoding in version 0.
    const OLD: Self = Self::Groups([0, 2, 4, 8]);

    const fn of(control: u8) -> Self {
        match control & 3 {
            0 => Self::Groups([0, 1, 2, 4]),
            1 => Self::Groups([1, 2, 4, 8]),
            2 => Self::Zeros,
            _three => Self::Plain,
        }
    }

    /// Reads the differences of `n` elements.
    fn read(self, bytes: &mut Bytes<'_>, n: usize) -> Result<[u8; MAX_BLOCK], Damage> {
        let mut deltas = [0; MAX_BLOCK];
        match self {
            Self::Zeros => {}
            Self::Plain => deltas[..n].copy_from_slice(bytes.take(n)?),
            Self::Groups(bits) => {
                let n_groups = n.div_ceil(GROUP);
                let header = bytes.take(n_groups.div_ceil(4))?;
                for (group, deltas) in deltas.chunks_exact_mut(GROUP).take(n_groups).enumerate() {
                    let choice = header[group / 4] >> (group % 4 * 2) & 3;
                    read_group(bytes, bits[usize::from(choice)], deltas)?;
                }
            }
        }
        Ok(deltas)
    }
}

/// Reads a group with 0, 1, 2, 4 or 8 bits per difference. If all bits are set, the difference is a byte that follows.
fn read_group(bytes: &mut Bytes<'_>, n_bits: usize, deltas: &mut [u8]) -> Result<(), Damage> {
    match n_bits {
        0 => {}
        8 => deltas.copy_from_slice(bytes.take(GROUP)?),
        _few => {
            let packed = bytes.take(GROUP * n_bits / 8)?;
            let per_byte = 8 / n_bits;
            let mask = (1_u8 << n_bits) - 1;
            for (at, delta) in deltas.iter_mut().enumerate() {
                let place = at % per_byte;
                // Single bits begin with the lowest, others with the highest.
                let place = if n_bits == 1 { place } else { per_byte - 1 - place };
                *delta = packed[at / per_byte] >> (place * n_bits) & mask;
                if *delta == mask {
                    *delta = bytes.byte()?;
                }
            }
        }
    }
    Ok(())
}

/// Decodes `n` elements of `stride` bytes, a multiple of 4 up to 256.
pub(super) fn decode(bytes: &[u8], stride: usize, n: usize) -> Result<Vec<u8>, Damage> {
    let (&version, body) = bytes.split_first().ok_or(CUT_OFF)?;
    let (n_channels, tail_bytes) = match version {
        0xa0 => (0, 32),
        0xa1 => (stride / 4, 24),
        _ => return Err("it does not begin with 0xa0 or 0xa1"),
    };
    // The tail consists of padding, the element before the first one, and the modes of the channels.
    let padded = (stride + n_channels).max(tail_bytes);
    let end = body.len().checked_sub(padded).ok_or(CUT_OFF)?;
    let (body, tail) = body.split_at(end);
    let (tail, modes) = tail.split_at(tail.len() - n_channels);
    let mut before = [0; MAX_STRIDE];
    before[..stride].copy_from_slice(&tail[tail.len() - stride..]);
    let mut channels = [Channel::Bytes; MAX_STRIDE / 4];
    for (channel, &mode) in channels.iter_mut().zip(modes) {
        *channel = Channel::of(mode)?;
    }
    let most = (MAX_BLOCK_BYTES / stride / GROUP * GROUP).min(MAX_BLOCK);
    let mut body = Bytes(body);
    let mut elements = vec![0; n * stride];
    for block in elements.chunks_mut(most * stride) {
        let n = block.len() / stride;
        let controls = body.take(n_channels)?;
        for (channel, mode) in channels.iter().enumerate().take(stride / 4) {
            let mut lanes = [[0; MAX_BLOCK]; 4];
            for (at, lane) in lanes.iter_mut().enumerate() {
                let control = controls.get(channel).map(|byte| byte >> (2 * at));
                *lane = control.map_or(Lane::OLD, Lane::of).read(&mut body, n)?;
            }
            let place = channel * 4..channel * 4 + 4;
            let mut last = [0; 4];
            last.copy_from_slice(&before[place.clone()]);
            for (at, element) in block.chunks_exact_mut(stride).enumerate() {
                last = mode.apply(last, lanes.map(|lane| lane[at]));
                element[place.clone()].copy_from_slice(&last);
            }
            before[place].copy_from_slice(&last);
        }
    }
    if body.0.is_empty() { Ok(elements) } else { Err(TOO_LONG) }
}
