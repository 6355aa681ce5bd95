//! Little-endian numbers, one after another.

use std::io::Read;

use super::BinnedError;
use crate::names::{MAX_NAME_BYTES, NameError};

/// Reads numbers and names from a part of a file.
pub(super) struct Fields<R> {
    from: R,
    /// Number of bytes of the part that were not read yet.
    n_left: u64,
}

impl<R: Read> Fields<R> {
    /// Reads the next `n_bytes` bytes of `from`.
    pub(super) fn new(from: R, n_bytes: u64) -> Self {
        Self { from, n_left: n_bytes }
    }

    pub(super) fn n_left(&self) -> u64 {
        self.n_left
    }

    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), BinnedError> {
        let n_left = self.n_left.checked_sub(bytes.len() as u64);
        self.n_left = n_left.ok_or(BinnedError::Damaged("it ends too early"))?;
        Ok(self.from.read_exact(bytes)?)
    }

    pub(super) fn array<const N: usize>(&mut self) -> Result<[u8; N], BinnedError> {
        let mut bytes = [0; N];
        self.fill(&mut bytes)?;
        Ok(bytes)
    }

    pub(super) fn u32(&mut self) -> Result<u32, BinnedError> {
        self.array().map(u32::from_le_bytes)
    }

    pub(super) fn u64(&mut self) -> Result<u64, BinnedError> {
        self.array().map(u64::from_le_bytes)
    }

    pub(super) fn u128(&mut self) -> Result<u128, BinnedError> {
        self.array().map(u128::from_le_bytes)
    }

    pub(super) fn f32s<const N: usize>(&mut self) -> Result<[f32; N], BinnedError> {
        let mut numbers = [0.0; N];
        for number in &mut numbers {
            *number = self.array().map(f32::from_le_bytes)?;
        }
        Ok(numbers)
    }

    pub(super) fn name(&mut self) -> Result<String, BinnedError> {
        let n = usize::try_from(self.u32()?).unwrap_or(usize::MAX);
        if n > MAX_NAME_BYTES {
            return Err(NameError::TooLong(n).into());
        }
        let mut bytes = vec![0; n];
        self.fill(&mut bytes)?;
        String::from_utf8(bytes).map_err(|_utf8| BinnedError::Damaged("a name is not UTF-8"))
    }
}

pub(super) fn put_f32s(bytes: &mut Vec<u8>, numbers: &[f32]) {
    for number in numbers {
        bytes.extend(number.to_le_bytes());
    }
}

pub(super) fn put_text(bytes: &mut Vec<u8>, text: &str) -> Result<(), BinnedError> {
    let n =
        u32::try_from(text.len()).map_err(|_large| BinnedError::Foreign("a name is too long"))?;
    bytes.extend(n.to_le_bytes());
    bytes.extend(text.as_bytes());
    Ok(())
}
