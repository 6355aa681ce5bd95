use std::hash::Hasher as _;

use siphasher::sip128::{Hasher128 as _, SipHasher24};

use crate::TriMesh;

/// A 128-bit hash of a stream of bytes: SipHash-2-4 with a key of zeros, the same on every platform and in every
/// version. It finds damage and changes; a malicious author can construct collisions.
#[derive(Clone, Debug)]
pub struct StableHash(SipHasher24);

impl StableHash {
    /// Returns the hash of an empty stream.
    #[expect(clippy::new_without_default, reason = "an empty hash is a start, not a default")]
    pub fn new() -> Self {
        Self(SipHasher24::new())
    }

    /// Returns the hash of `bytes`.
    pub fn of(bytes: &[u8]) -> u128 {
        let mut hash = Self::new();
        hash.bytes(bytes);
        hash.finish()
    }

    /// Returns the hash of a level: its vertices, triangles and parts.
    pub fn of_mesh(mesh: &TriMesh) -> u128 {
        let mut hash = Self::new();
        for vertex in mesh.vertices() {
            hash.extend(vertex.to_array().map(f32::to_bits));
        }
        for triangle in mesh.triangles() {
            hash.extend(*triangle);
        }
        for part in mesh.parts() {
            hash.text(&part.object);
            hash.text(&part.material);
            hash.extend([part.triangles.start, part.triangles.end]);
        }
        hash.finish()
    }

    /// Appends bytes.
    pub fn bytes(&mut self, bytes: &[u8]) {
        // `Hasher::write_u32` and similar methods depend on the platform.
        self.0.write(bytes);
    }

    /// Appends the length of `text` and its bytes.
    pub fn text(&mut self, text: &str) {
        self.bytes(&(text.len() as u64).to_le_bytes());
        self.bytes(text.as_bytes());
    }

    /// Returns the hash of the stream so far.
    pub fn finish(&self) -> u128 {
        self.0.finish128().into()
    }
}

/// Appends numbers as little-endian bytes.
impl Extend<u32> for StableHash {
    fn extend<I: IntoIterator<Item = u32>>(&mut self, words: I) {
        words.into_iter().for_each(|word| self.bytes(&word.to_le_bytes()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the hash in the byte order of the reference implementation.
    fn hex(hash: u128) -> String {
        format!("{:032x}", hash.swap_bytes())
    }

    #[test]
    fn hashes_are_those_of_openssl() {
        // openssl mac -macopt hexkey:00000000000000000000000000000000 -macopt size:16 -in FILE SIPHASH
        assert_eq!(hex(StableHash::of(b"")), "5049d74780a3e07d4202ab47d4cef2f4");
        let mut hash = StableHash::new();
        hash.extend([0x0403_0201, u32::MAX]);
        hash.bytes(b"walkable");
        assert_eq!(hash.finish(), StableHash::of(b"\x01\x02\x03\x04\xff\xff\xff\xffwalkable"));
        assert_eq!(hex(hash.finish()), "0fb6d77cc3d1a1883f76391699abbb09");
    }
}
