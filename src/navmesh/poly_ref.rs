use serde::{Deserialize, Serialize};

/// Name of a polygon of a [`NavMesh`](super::NavMesh): salt, tile and polygon packed as Detour does.
/// It goes stale when its tile is removed. Never 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PolyRef(pub std::num::NonZeroU64);

impl std::fmt::Display for PolyRef {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

/// How many bits of a [`PolyRef`] name what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RefLayout {
    /// Bits for the polygon within its tile.
    pub poly_bits: u32,
    /// Bits for the tile slot.
    pub tile_bits: u32,
    /// Bits for the salt that tells a tile from its predecessors in the slot.
    pub salt_bits: u32,
}
