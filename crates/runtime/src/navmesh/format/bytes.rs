//! Reading and writing of little-endian numbers.

use glam::Vec3;

use super::FormatError;

/// A reader of numbers from bytes, with its position.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    bytes: &'a [u8],
    offset: usize,
}

impl<'a> Reader<'a> {
    /// Starts at the first of `bytes`.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, offset: 0 }
    }

    /// Returns the number of bytes before the position.
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// Returns the number of bytes after the position.
    pub fn n_left(&self) -> usize {
        self.bytes.len() - self.offset
    }

    /// Reads `n_bytes` bytes.
    pub fn slice(&mut self, what: &'static str, n_bytes: usize) -> Result<&'a [u8], FormatError> {
        let rest = &self.bytes[self.offset..];
        let Some(taken) = rest.get(..n_bytes) else {
            let needed = n_bytes as u64;
            return Err(FormatError::Truncated {
                what,
                offset: self.offset,
                needed,
                left: rest.len(),
            });
        };
        self.offset += n_bytes;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self, what: &'static str) -> Result<[u8; N], FormatError> {
        let mut array = [0; N];
        array.copy_from_slice(self.slice(what, N)?);
        Ok(array)
    }

    /// Reads a byte.
    pub fn u8(&mut self, what: &'static str) -> Result<u8, FormatError> {
        Ok(self.array::<1>(what)?[0])
    }

    /// Reads an unsigned integer of two bytes.
    pub fn u16(&mut self, what: &'static str) -> Result<u16, FormatError> {
        Ok(u16::from_le_bytes(self.array(what)?))
    }

    /// Reads an unsigned integer of four bytes.
    pub fn u32(&mut self, what: &'static str) -> Result<u32, FormatError> {
        Ok(u32::from_le_bytes(self.array(what)?))
    }

    /// Reads an unsigned integer of eight bytes.
    pub fn u64(&mut self, what: &'static str) -> Result<u64, FormatError> {
        Ok(u64::from_le_bytes(self.array(what)?))
    }

    /// Reads a signed integer of four bytes.
    pub fn i32(&mut self, what: &'static str) -> Result<i32, FormatError> {
        Ok(i32::from_le_bytes(self.array(what)?))
    }

    /// Reads a floating-point number, which need not be finite.
    pub fn f32(&mut self, what: &'static str) -> Result<f32, FormatError> {
        Ok(f32::from_le_bytes(self.array(what)?))
    }

    /// Reads three floating-point numbers.
    pub fn vec3(&mut self, what: &'static str) -> Result<Vec3, FormatError> {
        Ok(Vec3::new(self.f32(what)?, self.f32(what)?, self.f32(what)?))
    }

    /// Reads a count: a signed integer that must not be negative.
    pub fn count(&mut self, what: &'static str) -> Result<u32, FormatError> {
        let offset = self.offset;
        let value = self.i32(what)?;
        u32::try_from(value).map_err(|_negative| FormatError::BadNumber {
            what,
            offset,
            value: i64::from(value),
        })
    }

    /// Reads the four bytes that identify a format, and compares them with `expected`.
    pub fn magic(&mut self, what: &'static str, expected: u32) -> Result<(), FormatError> {
        let offset = self.offset;
        let found = self.u32(what)?;
        if found == expected {
            Ok(())
        } else {
            Err(FormatError::WrongMagic { what, offset, found, expected })
        }
    }

    /// Reads a version number and compares it with `expected`.
    pub fn version(&mut self, what: &'static str, expected: u32) -> Result<(), FormatError> {
        let offset = self.offset;
        let found = self.u32(what)?;
        if found == expected {
            Ok(())
        } else {
            Err(FormatError::WrongVersion { what, offset, found, expected })
        }
    }

    /// Reads `n` records of `SIZE` bytes.
    pub fn records<const SIZE: usize>(
        &mut self,
        what: &'static str,
        n: u32,
    ) -> Result<&'a [[u8; SIZE]], FormatError> {
        let needed = u64::from(n) * SIZE as u64;
        if needed > self.n_left() as u64 {
            let (offset, left) = (self.offset, self.n_left());
            return Err(FormatError::Truncated { what, offset, needed, left });
        }
        Ok(self.slice(what, n as usize * SIZE)?.as_chunks().0)
    }
}

/// A record of fixed size; reads numbers at given offsets.
#[derive(Clone, Copy)]
pub(crate) struct Record<'a, const SIZE: usize>(pub(crate) &'a [u8; SIZE]);

impl<const SIZE: usize> Record<'_, SIZE> {
    #[inline]
    pub(crate) fn u16(self, at: usize) -> u16 {
        u16::from_le_bytes([self.0[at], self.0[at + 1]])
    }

    #[inline]
    pub(crate) fn u16s<const N: usize>(self, at: usize) -> [u16; N] {
        let mut numbers = [0; N];
        for (index, number) in numbers.iter_mut().enumerate() {
            *number = self.u16(at + 2 * index);
        }
        numbers
    }

    #[inline]
    pub(crate) fn u32(self, at: usize) -> u32 {
        u32::from_le_bytes([self.0[at], self.0[at + 1], self.0[at + 2], self.0[at + 3]])
    }

    #[inline]
    pub(crate) fn vec3(self, at: usize) -> Vec3 {
        let float = |at| f32::from_bits(self.u32(at));
        Vec3::new(float(at), float(at + 4), float(at + 8))
    }
}

/// A writer of numbers.
#[derive(Debug, Default)]
pub struct Writer {
    /// The bytes written so far.
    pub bytes: Vec<u8>,
}

impl Writer {
    /// Appends bytes.
    pub fn put<const N: usize>(&mut self, bytes: [u8; N]) {
        self.bytes.extend_from_slice(&bytes);
    }

    /// Appends an integer of two bytes.
    pub fn u16(&mut self, value: u16) {
        self.put(value.to_le_bytes());
    }

    /// Appends integers of two bytes.
    pub fn u16s(&mut self, values: &[u16]) {
        for &value in values {
            self.u16(value);
        }
    }

    /// Appends four bytes.
    pub fn u32(&mut self, value: u32) {
        self.put(value.to_le_bytes());
    }

    /// Appends four bytes.
    pub fn i32(&mut self, value: i32) {
        self.put(value.to_le_bytes());
    }

    /// Appends four bytes.
    pub fn f32(&mut self, value: f32) {
        self.put(value.to_le_bytes());
    }

    /// Appends three floating-point numbers.
    pub fn vec3(&mut self, value: Vec3) {
        for number in value.to_array() {
            self.f32(number);
        }
    }

    /// Appends the length of a list. Lists of a valid tile are far shorter than the limit: their indices have 16 bits,
    /// or count bytes of a file that fits into memory.
    pub fn count(&mut self, len: usize) {
        self.u32(u32::try_from(len).unwrap_or(u32::MAX));
    }

    /// Appends `n_bytes` zeros.
    pub fn zeros(&mut self, n_bytes: usize) {
        self.bytes.resize(self.bytes.len() + n_bytes, 0);
    }
}
