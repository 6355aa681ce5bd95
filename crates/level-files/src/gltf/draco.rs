//! Decodes triangles and vertices that are compressed with Draco, with the crate `draco-core`.
//!
//! The decoder allocates memory per triangle, and again for each attribute with seams, as the data announce them. Both numbers are at the beginning of the data, so they are read here first, and the memory for them is
//! limited by the size of the file.
//!
//! Source: Khronos, `KHR_draco_mesh_compression`; Google, Draco bitstream specification, version 2.2.
//! Differs: metadata are removed before, since they can be nested and the decoder reads them recursively.

use std::borrow::Cow;

use draco_core::{
    DataType, DecodeLimits, DecoderBuffer, ErrorKind, Mesh, MeshDecoder, PointAttribute, PointIndex,
};

use super::{
    accessor::Elements,
    buffers::Buffers,
    bytes::{Bytes, Damage},
};

/// Memory for decoding all primitives of a file: this many bytes per byte of the file ...
const BYTES_PER_BYTE: usize = 512;
/// ... plus this many bytes.
const BYTES: usize = 128 << 20;
/// Maximum memory for decoding one primitive, in bytes.
const MAX_BYTES: usize = 2 << 30;
/// Memory per triangle, in bytes: once for the triangle, and once for each attribute with seams.
const BYTES_PER_TRIANGLE: usize = 64;
/// Memory per byte of an attribute, in bytes.
const BYTES_PER_ATTRIBUTE_BYTE: usize = 8;

/// Length of the header before the metadata, in bytes.
const HEADER: usize = 11;
/// The second byte of the flags in the header.
const FLAGS: usize = 10;
/// The flag of metadata, in that byte.
const HAS_METADATA: u8 = 0x80;
const TRIANGLES: u8 = 1;
/// The edgebreaker method; the other one is the sequential method.
const EDGEBREAKER: u8 = 1;

/// Returns the memory limit for decoding all primitives of a file, in bytes.
pub(super) fn most_bytes(buffers: &Buffers<'_>) -> usize {
    let of_file = buffers.n_bytes().saturating_mul(BYTES_PER_BYTE).saturating_add(BYTES);
    of_file.min(buffers.max_bytes())
}

/// The triangles and attributes of a primitive.
pub(super) struct Decoded {
    mesh: Mesh,
    n_bytes: usize,
}

impl Decoded {
    /// Returns an estimate of the memory that decoding took, in bytes.
    pub(super) const fn n_bytes(&self) -> usize {
        self.n_bytes
    }

    /// Returns the triangles, as indices of vertices.
    pub(super) fn triangles(&self) -> impl Iterator<Item = [u32; 3]> {
        self.mesh.faces().iter().map(|face| face.map(|vertex| vertex.0))
    }

    /// Returns the attribute with this number, one element per vertex.
    pub(super) fn attribute(&self, id: u32) -> Result<Elements, String> {
        let found = self.mesh.attribute_by_unique_id(id);
        elements(found.ok_or_else(|| no_attribute(id))?, self.mesh.num_points())
    }
}

/// Returns the message for an attribute that the data do not have.
pub(super) fn no_attribute(id: u32) -> String {
    format!("its data have no attribute {id}")
}

/// Decodes `bytes`. Fails if they contain more than `max_triangles`, or if decoding needs more than `max_bytes` of
/// memory.
pub(super) fn decode(
    bytes: &[u8],
    max_triangles: usize,
    max_bytes: usize,
) -> Result<Decoded, String> {
    let (bytes, counts) = counts(bytes)?;
    let Counts { n_triangles, n_seamed } = counts;
    if n_triangles > max_triangles {
        return Err(format!(
            "its data have {n_triangles} triangles, its indices only {max_triangles}"
        ));
    }
    let too_large = || "decoding it takes more memory than allowed for the file's size".to_owned();
    let n_bytes = n_triangles.saturating_mul(BYTES_PER_TRIANGLE * (1 + n_seamed));
    let n_left = max_bytes.min(MAX_BYTES).checked_sub(n_bytes).ok_or_else(too_large)?;
    let limits = DecodeLimits::default()
        .with_max_faces(n_triangles as u64)
        .with_max_decoded_bytes((n_left / BYTES_PER_ATTRIBUTE_BYTE) as u64);
    let mut mesh = Mesh::new();
    let mut from = DecoderBuffer::new(&bytes).with_limits(limits);
    MeshDecoder::new().decode(&mut from, &mut mesh).map_err(|error| match error.kind() {
        ErrorKind::LimitExceeded => too_large(),
        _ => format!("its data are damaged: {}", error.message()),
    })?;
    let attributes = (0..mesh.num_attributes()).map(|at| mesh.attribute(at));
    let n_element_bytes = attributes.map(element_size).fold(0, usize::saturating_add);
    let n_attribute_bytes = n_element_bytes.saturating_mul(mesh.num_points());
    let n_attribute_bytes = n_attribute_bytes.saturating_mul(BYTES_PER_ATTRIBUTE_BYTE);
    Ok(Decoded { mesh, n_bytes: n_bytes.saturating_add(n_attribute_bytes) })
}

/// The counts in the header that determine how much memory decoding needs.
struct Counts {
    n_triangles: usize,
    /// Number of attributes with seams, whose connectivity is stored separately.
    n_seamed: usize,
}

/// Reads the beginning of the data. Returns the data without metadata.
fn counts(bytes: &[u8]) -> Result<(Cow<'_, [u8]>, Counts), String> {
    let mut rest = Bytes(bytes);
    let header = rest.take(HEADER)?;
    let &[b'D', b'R', b'A', b'C', b'O', major, minor, kind, method, ..] = header else {
        return Err("its data do not begin with \"DRACO\"".to_owned());
    };
    if (major, minor) != (2, 2) {
        return Err(format!(
            "version {major}.{minor} of Draco's format is not supported, only 2.2"
        ));
    }
    if kind != TRIANGLES {
        return Err("its data have no triangles".to_owned());
    }
    let without = if header[FLAGS] & HAS_METADATA == 0 {
        Cow::Borrowed(bytes)
    } else {
        skip_metadata(&mut rest)?;
        let mut copy = [header, rest.0].concat();
        copy[FLAGS] &= !HAS_METADATA;
        Cow::Owned(copy)
    };
    let counts = if method == EDGEBREAKER {
        let _variant = rest.byte()?;
        let _n_vertices = rest.varint()?;
        Counts { n_triangles: rest.varint()? as usize, n_seamed: rest.byte()?.into() }
    } else {
        Counts { n_triangles: rest.varint()? as usize, n_seamed: 0 }
    };
    Ok((without, counts))
}

/// Skips the metadata of the attributes and of the whole.
fn skip_metadata(from: &mut Bytes<'_>) -> Result<(), Damage> {
    for _ in 0..from.varint()? {
        let _attribute = from.varint()?;
        skip_entries(from)?;
    }
    skip_entries(from)
}

/// Skips named values, and the nested ones.
fn skip_entries(from: &mut Bytes<'_>) -> Result<(), Damage> {
    // Each list but the first is preceded by its name, and followed by those in it.
    let mut n_lists = 1_u64;
    let mut is_named = false;
    while n_lists > 0 {
        if is_named {
            skip_name(from)?;
        }
        for _ in 0..from.varint()? {
            skip_name(from)?;
            let n_bytes = from.varint()?;
            from.take(n_bytes as usize)?;
        }
        n_lists += u64::from(from.varint()?);
        n_lists -= 1;
        is_named = true;
    }
    Ok(())
}

fn skip_name(from: &mut Bytes<'_>) -> Result<(), Damage> {
    let n_bytes = from.byte()?;
    from.take(n_bytes.into())?;
    Ok(())
}

/// Returns the size of an element in bytes.
fn element_size(attribute: &PointAttribute) -> usize {
    usize::from(attribute.num_components()) * attribute.data_type().byte_length()
}

/// Returns an attribute as one element for each of `n` vertices, of which several can share one in the data.
fn elements(attribute: &PointAttribute, n: usize) -> Result<Elements, String> {
    let id = attribute.unique_id();
    let component_type = match attribute.data_type() {
        DataType::Int8 => 5120,
        DataType::Uint8 => 5121,
        DataType::Int16 => 5122,
        DataType::Uint16 => 5123,
        DataType::Uint32 => 5125,
        DataType::Float32 => 5126,
        _ => return Err(format!("its attribute {id} has a type that glTF does not have")),
    };
    let size = element_size(attribute);
    let data = attribute.buffer().data();
    let mut bytes = Vec::with_capacity(n * size);
    for vertex in (0..n).map(|at| PointIndex(u32::try_from(at).unwrap_or(u32::MAX))) {
        let at = attribute.mapped_index(vertex).0 as usize;
        let element = at.checked_mul(size).and_then(|at| data.get(at..)?.get(..size));
        let element = element
            .ok_or_else(|| format!("its attribute {id} has no value for vertex {}", vertex.0))?;
        bytes.extend_from_slice(element);
    }
    Ok(Elements { component_type, width: attribute.num_components().into(), n, bytes })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use base64::{Engine as _, engine::general_purpose::STANDARD};
    use proptest::prelude::*;
    use serde::Deserialize;

    use super::*;

    /// Data that the encoder of Draco 1.5.7 wrote, and the result of its decoder.
    #[derive(Deserialize)]
    struct Case {
        name: String,
        n_triangles: usize,
        n_vertices: usize,
        encoded: String,
        indices: String,
        attributes: BTreeMap<String, CaseAttribute>,
    }

    #[derive(Deserialize)]
    struct CaseAttribute {
        id: u32,
        component: u32,
        shape: String,
        bytes: String,
    }

    impl Case {
        fn encoded(&self) -> Vec<u8> {
            STANDARD.decode(&self.encoded).unwrap()
        }
    }

    fn cases() -> Vec<Case> {
        serde_json::from_str(include_str!("../../tests/data/draco.json")).unwrap()
    }

    fn case(name: &str) -> Vec<u8> {
        cases().into_iter().find(|case| case.name == name).unwrap().encoded()
    }

    const MOST: [usize; 2] = [50, BYTES];

    #[track_caller]
    fn check_error(bytes: &[u8], [max_triangles, max_bytes]: [usize; 2], expected: &str) {
        let error =
            decode(bytes, max_triangles, max_bytes).map(|decoded| decoded.n_bytes).unwrap_err();
        assert_eq!(error, expected);
    }

    #[test]
    fn data_are_decoded_as_by_draco() {
        let cases = cases();
        assert_eq!(cases.len(), 8);
        for case in cases {
            let decoded = decode(&case.encoded(), MOST[0], MOST[1]);
            let decoded = decoded.unwrap_or_else(|error| panic!("{}: {error}", case.name));
            let indices: Vec<u8> =
                decoded.triangles().flatten().flat_map(u32::to_le_bytes).collect();
            assert_eq!(indices.len(), 12 * case.n_triangles);
            assert_eq!(indices, STANDARD.decode(&case.indices).unwrap(), "{}", case.name);
            for (name, expected) in case.attributes {
                let found = decoded.attribute(expected.id).unwrap();
                assert_eq!(format!("VEC{}", found.width), expected.shape, "{name}");
                assert_eq!((found.component_type, found.n), (expected.component, case.n_vertices));
                assert_eq!(found.bytes, STANDARD.decode(expected.bytes).unwrap(), "{name}");
            }
            let error = decoded.attribute(9).map(|found| found.n).unwrap_err();
            assert_eq!(error, "its data have no attribute 9");
        }
    }

    /// Inserts metadata after the header of `bytes`.
    fn with_metadata(bytes: &[u8], metadata: &[u8]) -> Vec<u8> {
        let mut changed = [&bytes[..HEADER], metadata, &bytes[HEADER..]].concat();
        changed[FLAGS] |= HAS_METADATA;
        changed
    }

    #[test]
    fn metadata_of_any_depth_are_skipped() {
        // No attributes; one value "x" of two bytes; then lists called "in", each in the previous one.
        let mut nested = vec![0, 1, 1, b'x', 2, 7, 7];
        for _ in 0..100_000 {
            nested.extend(*b"\x01\x02in\x00");
        }
        nested.push(0);
        let plain = case("sequential");
        let found = decode(&with_metadata(&plain, &nested), MOST[0], MOST[1]).unwrap();
        assert_eq!(found.triangles().count(), 50);
        nested.pop();
        nested.push(2);
        let error = decode(&with_metadata(&plain, &nested), MOST[0], MOST[1])
            .map(|decoded| decoded.n_bytes);
        assert!(error.is_err(), "lists are missing");
    }

    #[test]
    fn other_data_are_named() {
        let bytes = case("edgebreaker");
        let changed = |at: usize, value: u8| {
            let mut changed = bytes.clone();
            changed[at] = value;
            changed
        };
        for (bytes, expected) in [
            (Vec::new(), "it is cut off"),
            (bytes[..12].to_vec(), "it is cut off"),
            (changed(0, b'd'), "its data do not begin with \"DRACO\""),
            (changed(6, 1), "version 2.1 of Draco's format is not supported, only 2.2"),
            (changed(7, 0), "its data have no triangles"),
        ] {
            check_error(&bytes, MOST, expected);
        }
        let error =
            decode(&bytes[..200], MOST[0], MOST[1]).map(|decoded| decoded.n_bytes).unwrap_err();
        assert!(error.starts_with("its data are damaged: "), "{error}");
    }

    #[test]
    fn memory_is_limited_before_decoding() {
        let few = [49, BYTES];
        for name in ["edgebreaker", "sequential"] {
            let expected = "its data have 50 triangles, its indices only 49";
            check_error(&case(name), few, expected);
        }
        let expected = "decoding it takes more memory than allowed for the file's size";
        // The seams of three attributes, and then 54 vertices with 12, 12, 8 and 4 bytes.
        let n_bytes = 50 * 64 * 4;
        let needed = n_bytes + 54 * 36 * 8;
        let bytes = case("edgebreaker");
        for n_bytes in [0, n_bytes - 1, n_bytes, needed - 8] {
            check_error(&bytes, [MOST[0], n_bytes], expected);
        }
        assert_eq!(decode(&bytes, MOST[0], needed).unwrap().n_bytes, needed);
        // A hundred million triangles in some hundred bytes.
        let mut huge = bytes[..13].to_vec();
        huge.extend([0x80, 0xc2, 0xd7, 0x2f]);
        huge.extend(&bytes[14..]);
        check_error(&huge, [usize::MAX, BYTES + 1000 * BYTES_PER_BYTE], expected);
    }

    #[test]
    fn shorter_data_are_refused() {
        for case in cases() {
            let encoded = case.encoded();
            for n in 0..encoded.len() {
                assert!(decode(&encoded[..n], MOST[0], MOST[1]).is_err(), "{} {n}", case.name);
            }
        }
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
            if let Ok(decoded) = decode(&bytes, MOST[0], MOST[1]) {
                prop_assert!(decoded.triangles().count() <= MOST[0]);
                for of in case.attributes.values() {
                    if let Ok(found) = decoded.attribute(of.id) {
                        prop_assert!(found.bytes.len() >= found.n * found.width);
                    }
                }
            }
        }
    }
}
