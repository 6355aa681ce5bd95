//! Packing bytes as `FastLZ` does.

use fastlz_rs::{CompressState, CompressionLevel, DecompressError, decompress_to_buf};

/// Packs `bytes` so that `FastLZ` can unpack them: its first format below 64 KiB, its second above.
pub(super) fn pack(bytes: &[u8]) -> Vec<u8> {
    let mut state = Box::new(CompressState::new());
    let packed = state.compress_to_vec(bytes, CompressionLevel::Default);
    packed.expect("only a buffer of fixed size can be too small")
}

/// Unpacks bytes that `FastLZ` or [`pack`] packed to exactly `n_bytes`; otherwise what is wrong. Allocates
/// these bytes and no more.
pub(super) fn unpack(packed: &[u8], n_bytes: usize) -> Result<Vec<u8>, &'static str> {
    let mut bytes = vec![0; n_bytes];
    match decompress_to_buf(packed, &mut bytes) {
        Ok(found) if found == n_bytes => Ok(bytes),
        Ok(_) => Err("it holds less than its header says"),
        Err(DecompressError::InputTruncated) => Err("it ends too early"),
        Err(DecompressError::InvalidBackreference) => Err("it refers to what is before its start"),
        Err(DecompressError::InvalidCompressionLevel) => Err("its format is unknown"),
        Err(DecompressError::OutputTooSmall) => Err("it holds more than its header says"),
        Err(_) => Err("it is broken"),
    }
}
