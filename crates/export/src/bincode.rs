//! Bincode, version 2, with its standard configuration: integers of variable length, little-endian.

use crate::ground::index_u32;

/// The byte before a 16-bit number; the next value is the byte before a 32-bit number.
const LONG: u8 = 251;

/// Bytes that are written one value after another. The fields of a struct and the items of an array follow one another
/// without separators.
#[derive(Debug, Default)]
pub(crate) struct Bincode(Vec<u8>);

impl Bincode {
    /// Writes 8-bit numbers, flags, or whether an optional value follows.
    pub(crate) fn bytes<const N: usize>(&mut self, values: [u8; N]) {
        self.0.extend(values);
    }

    /// Writes integers of more than 8 bits.
    pub(crate) fn unsigned<const N: usize>(&mut self, values: [u32; N]) {
        for value in values {
            match (u8::try_from(value), u16::try_from(value)) {
                (Ok(byte), _) if byte < LONG => self.0.push(byte),
                (_, Ok(value)) => {
                    self.0.push(LONG);
                    self.0.extend(value.to_le_bytes());
                }
                _ => {
                    self.0.push(LONG + 1);
                    self.0.extend(value.to_le_bytes());
                }
            }
        }
    }

    /// Writes numbers, or the coordinates of a point.
    pub(crate) fn floats<const N: usize>(&mut self, values: [f32; N]) {
        self.0.extend(values.into_iter().flat_map(f32::to_le_bytes));
    }

    /// Writes the number of `items`, then each of them by `put`.
    pub(crate) fn list<T>(&mut self, items: &[T], mut put: impl FnMut(&mut Self, &T)) {
        self.unsigned([index_u32(items.len())]);
        for item in items {
            put(self, item);
        }
    }

    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.0
    }
}
