//! Reads compressed data from the front.

/// Why compressed data cannot be decoded.
pub(super) type Damage = &'static str;

pub(super) const CUT_OFF: Damage = "it is cut off";
pub(super) const TOO_LONG: Damage = "bytes are left after its last element";

/// The unread part of some bytes.
pub(super) struct Bytes<'a>(pub(super) &'a [u8]);

impl<'a> Bytes<'a> {
    pub(super) fn take(&mut self, n: usize) -> Result<&'a [u8], Damage> {
        let (taken, rest) = self.0.split_at_checked(n).ok_or(CUT_OFF)?;
        self.0 = rest;
        Ok(taken)
    }

    pub(super) fn byte(&mut self) -> Result<u8, Damage> {
        self.take(1).map(|byte| byte[0])
    }

    /// Reads an unsigned integer of up to 32 bits in LEB128.
    pub(super) fn varint(&mut self) -> Result<u32, Damage> {
        let mut value = 0_u32;
        for shift in [0, 7, 14, 21, 28] {
            let byte = self.byte()?;
            value |= u32::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err("a number has more than five bytes")
    }

    pub(super) fn end(&self) -> Result<(), Damage> {
        if self.0.is_empty() { Ok(()) } else { Err(TOO_LONG) }
    }
}
