//! Compresses and decompresses bytes like `FastLZ`.

use fastlz_rs::{CompressState, CompressionLevel, DecompressError, decompress_to_buf};

/// Compresses `bytes` so that `FastLZ` can decompress them: in its first format below 64 KiB, else in its second.
pub(super) fn pack(bytes: &[u8]) -> Vec<u8> {
    let mut state = Box::new(CompressState::new());
    let packed = state.compress_to_vec(bytes, CompressionLevel::Default);
    packed.expect("only a buffer of fixed size can be too small")
}

/// Decompresses bytes that `FastLZ` or [`pack`] compressed to exactly `n_bytes`; otherwise returns the reason.
/// Allocates only these bytes.
pub(super) fn unpack(packed: &[u8], n_bytes: usize) -> Result<Vec<u8>, &'static str> {
    let mut bytes = vec![0; n_bytes];
    match decompress_to_buf(packed, &mut bytes) {
        Ok(found) if found == n_bytes => Ok(bytes),
        Ok(_) => Err("it holds less than its header says"),
        Err(DecompressError::InputTruncated) => Err("it ends too early"),
        Err(DecompressError::InvalidBackreference) => Err("it refers to data before its start"),
        Err(DecompressError::InvalidCompressionLevel) => Err("its format is unknown"),
        Err(DecompressError::OutputTooSmall) => Err("it holds more than its header says"),
        Err(_) => Err("it is invalid"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The result of the C library for [`short`], in its first format.
    const SHORT: &str = "1f000104090503030008070800050100040a0706070a00000206010908000705050b0700060003\
                         0804020204000a600805000603020306602100ffe0fd00e0fd00e04200e2309302020601";
    /// The result of the C library for [`long`], in its second format: seven runs of 10,000 bytes.
    const LONG_START: &str = "210000";
    const LONG_RUN: &str =
        "e0ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff";
    const LONG_BREAKS: [&str; 6] = ["07", "0e", "15", "1c", "23", "2a"];
    const LONG_END: &str = "2d0013000102030405060708090a0b0c0d0e0f10111213";

    fn short() -> Vec<u8> {
        let pattern = (0..60_u16).map(|i| u8::try_from(i % 7 * i % 11).unwrap());
        pattern.clone().chain([255; 600]).chain(pattern).collect()
    }

    fn long() -> Vec<u8> {
        (0..7_u8).flat_map(|i| vec![i * 7; 10_000]).chain(0..20).collect()
    }

    fn bytes(hex: &str) -> Vec<u8> {
        let hex: String = hex.split_whitespace().collect();
        (0..hex.len()).step_by(2).map(|i| u8::from_str_radix(&hex[i..i + 2], 16).unwrap()).collect()
    }

    fn long_packed() -> Vec<u8> {
        let runs = LONG_BREAKS.map(|value| ["00", value, LONG_RUN].concat());
        let first = [LONG_START, LONG_RUN, "2c00"].concat();
        bytes(&[&first, &runs.join("2d00"), LONG_END].concat())
    }

    #[test]
    fn data_compressed_by_the_c_library_is_decompressed() {
        assert_eq!(unpack(&bytes(SHORT), 720), Ok(short()));
        assert_eq!(unpack(&long_packed(), 70_020), Ok(long()));
    }

    #[test]
    fn bytes_come_back() {
        for bytes in [vec![7], vec![0; 3], short(), long(), (0..=255).collect()] {
            let packed = pack(&bytes);
            assert_eq!(unpack(&packed, bytes.len()), Ok(bytes));
        }
        assert!(pack(&long()).len() < 500);
    }

    #[test]
    fn random_bytes_come_back() {
        let mut state = 1_u64;
        let mut random = move |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) % below
        };
        for round in 0..200 {
            let n_bytes = if round % 10 == 0 { 60_000 + random(40_000) } else { random(3_000) + 1 };
            let n_values = 1 + random(if round % 2 == 0 { 4 } else { 256 });
            let n_repeated = 1 + random(300);
            let mut bytes = Vec::new();
            while (bytes.len() as u64) < n_bytes {
                let value = u8::try_from(random(n_values)).unwrap();
                let n = usize::try_from(1 + random(n_repeated)).unwrap();
                bytes.extend(std::iter::repeat_n(value, n));
                let from = usize::try_from(random(bytes.len() as u64)).unwrap();
                bytes.extend_from_within(from..bytes.len().min(from + n));
            }
            assert_eq!(unpack(&pack(&bytes), bytes.len()).as_ref(), Ok(&bytes), "round {round}");
        }
    }

    #[test]
    fn broken_bytes_are_refused() {
        let packed = bytes(SHORT);
        assert_eq!(unpack(&packed, 719), Err("it holds more than its header says"));
        assert_eq!(unpack(&packed, 721), Err("it holds less than its header says"));
        assert_eq!(unpack(&packed[..20], 720), Err("it ends too early"));
        assert_eq!(unpack(&[0, 1, 0x20, 9], 4), Err("it refers to data before its start"));
        assert_eq!(unpack(&[0xff, 1], 4), Err("its format is unknown"));
        assert_eq!(unpack(&[], 4), Err("it holds less than its header says"));
    }
}
