//! The decoder without the feature `draco`: decoding always fails.

use super::{accessor::Elements, buffers::Buffers};

pub(super) const fn most_bytes(buffers: &Buffers<'_>) -> usize {
    buffers.max_bytes()
}

/// Has no values, because decoding always fails.
pub(super) enum Decoded {}

impl Decoded {
    pub(super) const fn n_bytes(&self) -> usize {
        match *self {}
    }

    pub(super) const fn triangles(&self) -> std::iter::Empty<[u32; 3]> {
        match *self {}
    }

    pub(super) const fn attribute(&self, _: u32) -> Result<Elements, String> {
        match *self {}
    }
}

pub(super) fn no_attribute(id: u32) -> String {
    format!("its data have no attribute {id}")
}

pub(super) fn decode(
    _: &[u8],
    _max_triangles: usize,
    _max_bytes: usize,
) -> Result<Decoded, String> {
    Err("this program is built without the feature `draco`".to_owned())
}
