//! Little-endian numbers, one after another.

use super::BinnedError;

/// Reads numbers from bytes.
pub(super) struct Cursor<'a>(pub(super) &'a [u8]);

impl<'a> Cursor<'a> {
    pub(super) fn take(&mut self, n: usize) -> Result<&'a [u8], BinnedError> {
        let (taken, rest) =
            self.0.split_at_checked(n).ok_or(BinnedError::Damaged("it ends too early"))?;
        self.0 = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], BinnedError> {
        let mut bytes = [0; N];
        bytes.copy_from_slice(self.take(N)?);
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

    pub(super) fn text(&mut self) -> Result<&'a str, BinnedError> {
        let n = self.u32()?;
        let bytes = self.take(usize::try_from(n).unwrap_or(usize::MAX))?;
        std::str::from_utf8(bytes).map_err(|_utf8| BinnedError::Damaged("a name is not UTF-8"))
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
