//! Links to the editor's web page that contain a repro file.

use base64::{Engine as _, engine::general_purpose::STANDARD as BASE64};
use miniz_oxide::deflate::compress_to_vec_zlib;

/// Maximum length of the part of a link that [`link_to`] returns, in bytes. Issue trackers accept texts of this length.
const MAX_LINK: usize = 60_000;
/// zlib compression level: slowest, smallest output.
const LEVEL: u8 = 9;

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the link would have {n_bytes} characters; the limit is {MAX_LINK}. Save the repro file and shrink it with `walkable repro shrink`"
)]
pub struct TooLongLink {
    n_bytes: usize,
}

/// Returns the fragment of a link: `#repro=` and a `data:` URL with the bytes of a repro file, compressed with zlib
/// (RFC 1950). Fails if it exceeds 60,000 bytes.
pub fn link_to(repro: &[u8]) -> Result<String, TooLongLink> {
    let data = BASE64.encode(compress_to_vec_zlib(repro, LEVEL));
    // The page parses the fragment as form data, in which a plus stands for a space.
    let link = format!("#repro=data:application/zlib;base64,{}", data.replace('+', "%2B"));
    if link.len() > MAX_LINK { Err(TooLongLink { n_bytes: link.len() }) } else { Ok(link) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_contains_the_bytes_without_a_plus() {
        for seed in 0..50_u8 {
            let bytes: Vec<u8> = (0..200_u8).map(|n| n.wrapping_mul(seed)).collect();
            let link = link_to(&bytes).unwrap();
            let data = link.strip_prefix("#repro=data:application/zlib;base64,").unwrap();
            assert!(!data.contains('+'), "{link}");
            let zlib = BASE64.decode(data.replace("%2B", "+")).unwrap();
            assert_eq!(miniz_oxide::inflate::decompress_to_vec_zlib(&zlib).unwrap(), bytes);
        }
    }

    #[test]
    fn long_links_are_refused() {
        let mut state = 1_u32;
        let mut noise = |n: usize| -> Vec<u8> {
            (0..n)
                .map(|_| {
                    state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    state.to_be_bytes()[0]
                })
                .collect()
        };
        assert!(link_to(&noise(40_000)).is_ok());
        let why = link_to(&noise(50_000)).unwrap_err().to_string();
        assert!(why.contains("the limit is 60000"), "{why}");
    }
}
