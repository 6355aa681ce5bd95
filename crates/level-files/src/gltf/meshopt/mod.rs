//! Decodes buffer views that are compressed with meshoptimizer's codecs, in both versions.
//!
//! Our own decoder: the crate `meshopt` compiles C++, and the other one is not maintained.
//!
//! Source: Khronos, `EXT_meshopt_compression` and the draft of `KHR_meshopt_compression`, appendices A and B.
//! Differs: the filters `OCTAHEDRAL` and `COLOR` are not supported, since positions, indices and instances do not use
//! them.

mod attributes;
mod filters;
mod indices;

use super::{
    bytes::{Bytes, CUT_OFF, Damage, TOO_LONG},
    json::Meshopt,
};
use crate::file_warnings::excerpt;

/// Decodes `bytes` to `layout.count` elements of `layout.byte_stride` bytes each, whose total size must have been
/// checked.
pub(super) fn decode(bytes: &[u8], layout: &Meshopt) -> Result<Vec<u8>, String> {
    let &Meshopt { count: n, byte_stride: stride, .. } = layout;
    let filter = layout.filter.as_deref().unwrap_or("NONE");
    let unfit = |needed: &str| format!("a stride of {stride} bytes where {needed} is needed");
    match &*layout.mode {
        "ATTRIBUTES" if stride == 0 || stride % 4 != 0 || stride > 256 => {
            Err(unfit("a multiple of 4 up to 256"))
        }
        "ATTRIBUTES" => {
            let filter = filters::named(filter)
                .ok_or_else(|| format!("the filter {} is not supported", excerpt(filter)))?;
            if !filter.fits(stride) {
                return Err(unfit("that of the filter"));
            }
            let mut elements = attributes::decode(bytes, stride, n)?;
            filter.apply(&mut elements);
            Ok(elements)
        }
        "TRIANGLES" | "INDICES" if !matches!(stride, 2 | 4) => Err(unfit("2 or 4")),
        "TRIANGLES" if !n.is_multiple_of(3) => Err(format!("{n} indices are no triangles")),
        "TRIANGLES" => Ok(indices::stored(indices::triangles(bytes, n / 3)?, stride)),
        "INDICES" => Ok(indices::stored(indices::sequence(bytes, n)?, stride)),
        other => Err(format!("the mode {} is not supported", excerpt(other))),
    }
}

#[cfg(test)]
mod tests {
    use base64::{Engine as _, engine::general_purpose::STANDARD};
    use proptest::prelude::*;
    use serde::Deserialize;

    use super::*;

    /// Data that meshoptimizer 1.3 encoded, and the result of its decoder.
    #[derive(Deserialize)]
    struct Case {
        name: String,
        layout: Meshopt,
        encoded: String,
        decoded: String,
    }

    impl Case {
        fn encoded(&self) -> Vec<u8> {
            STANDARD.decode(&self.encoded).unwrap()
        }
    }

    fn cases() -> Vec<Case> {
        serde_json::from_str(include_str!("../../../tests/data/meshopt.json")).unwrap()
    }

    #[test]
    fn data_are_decoded_as_by_meshoptimizer() {
        let cases = cases();
        assert_eq!(cases.len(), 32);
        for case in cases {
            let expected = STANDARD.decode(&case.decoded).unwrap();
            let decoded = decode(&case.encoded(), &case.layout);
            let decoded = decoded.unwrap_or_else(|error| panic!("{}: {error}", case.name));
            if case.layout.filter.as_deref() == Some("QUATERNION") {
                // The specification allows a difference of one.
                let components = |bytes: &[u8]| -> Vec<i16> {
                    bytes.as_chunks().0.iter().map(|&bytes| i16::from_le_bytes(bytes)).collect()
                };
                let pairs = components(&decoded).into_iter().zip(components(&expected));
                assert!(pairs.into_iter().all(|(a, b)| a.abs_diff(b) <= 1), "{}", case.name);
            } else {
                assert_eq!(decoded, expected, "{}", case.name);
            }
        }
    }

    #[test]
    fn shorter_and_longer_data_are_refused() {
        for case in cases() {
            let encoded = case.encoded();
            for n in 0..encoded.len() {
                assert!(decode(&encoded[..n], &case.layout).is_err(), "{} {n}", case.name);
            }
            let tail = match &*case.layout.mode {
                "TRIANGLES" => 16,
                "INDICES" => 4,
                _ if encoded[0] == 0xa0 => case.layout.byte_stride.max(32),
                _ => (case.layout.byte_stride / 4 * 5).max(24),
            };
            let mut longer = encoded.clone();
            longer.insert(encoded.len() - tail, 0);
            assert_eq!(decode(&longer, &case.layout), Err(TOO_LONG.to_owned()), "{}", case.name);
        }
    }

    #[test]
    fn layouts_are_checked() {
        let layout = |mode: &str, filter: Option<&str>, byte_stride, count| Meshopt {
            buffer: 0,
            byte_offset: 0,
            byte_length: 0,
            byte_stride,
            count,
            mode: mode.into(),
            filter: filter.map(Into::into),
        };
        for (mode, filter, stride, n, expected) in [
            (
                "ATTRIBUTES",
                None,
                0,
                1,
                "a stride of 0 bytes where a multiple of 4 up to 256 is needed",
            ),
            (
                "ATTRIBUTES",
                None,
                260,
                1,
                "a stride of 260 bytes where a multiple of 4 up to 256 is needed",
            ),
            (
                "ATTRIBUTES",
                Some("QUATERNION"),
                4,
                1,
                "a stride of 4 bytes where that of the filter is needed",
            ),
            ("ATTRIBUTES", Some("OCTAHEDRAL"), 4, 1, "the filter OCTAHEDRAL is not supported"),
            ("TRIANGLES", None, 3, 3, "a stride of 3 bytes where 2 or 4 is needed"),
            ("TRIANGLES", None, 4, 4, "4 indices are no triangles"),
            ("ZIP", None, 4, 4, "the mode ZIP is not supported"),
            ("ATTRIBUTES", None, 4, 1, "it is cut off"),
            ("INDICES", None, 4, 1, "it is cut off"),
        ] {
            assert_eq!(decode(&[], &layout(mode, filter, stride, n)).unwrap_err(), expected);
        }
        assert_eq!(
            decode(b"\xa2", &layout("ATTRIBUTES", None, 4, 1)),
            Err("it does not begin with 0xa0 or 0xa1".to_owned())
        );
        assert_eq!(
            decode(&[0xe1; 20], &layout("TRIANGLES", None, 4, 3)).unwrap_err(),
            "it refers to an edge or a vertex before the first one"
        );
    }

    proptest! {
        #[test]
        fn damaged_data_never_panic(
            case in any::<prop::sample::Index>(),
            changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        ) {
            let cases = cases();
            let case = &cases[case.index(cases.len())];
            let mut bytes = case.encoded();
            for (at, value) in changes {
                let at = at.index(bytes.len());
                bytes[at] = value;
            }
            if let Ok(decoded) = decode(&bytes, &case.layout) {
                prop_assert_eq!(decoded.len(), case.layout.count * case.layout.byte_stride);
            }
        }
    }
}
