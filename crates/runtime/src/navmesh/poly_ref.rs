use std::num::NonZeroU64;

use serde::{Deserialize, Serialize};

use super::{NavMeshError, NavMeshParams, RefWidth};

/// A reference to a polygon of a [`NavMesh`](super::NavMesh): salt, tile and polygon, packed as in Detour. It becomes
/// stale when its tile is removed. Never 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PolyRef(pub NonZeroU64);

impl std::fmt::Display for PolyRef {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

/// The layout of a [`PolyRef`]: salt in the highest bits, then tile, then polygon.
#[expect(clippy::struct_field_names, reason = "the unit is part of the name")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RefLayout {
    /// Number of bits of the index of the polygon in its tile.
    pub poly_bits: u32,
    /// Number of bits of the slot of the tile.
    pub tile_bits: u32,
    /// Number of bits of the salt, which distinguishes a tile from earlier tiles of the slot.
    pub salt_bits: u32,
}

/// Minimum number of bits of the salt with which Detour creates a mesh.
const MIN_SALT_BITS: u32 = 10;
/// Maximum number of bits of the salt in Detour's 32-bit mask.
const MAX_SALT_BITS: u32 = 31;

/// The parts of a [`PolyRef`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RefParts {
    pub(crate) salt: u32,
    pub(crate) slot: u32,
    pub(crate) poly: u32,
}

impl RefLayout {
    /// Returns the layout that Detour uses for `params`.
    ///
    /// # Errors
    /// Returns [`NavMeshError::RefBits`] if tiles and polygons leave too few bits for the salt.
    pub fn for_params(params: &NavMeshParams, width: RefWidth) -> Result<Self, NavMeshError> {
        let [tile_bits, poly_bits] = [params.max_tiles, params.max_polys].map(bits_for);
        let layout = match width {
            RefWidth::Bits32 => {
                let salt_bits = u32::BITS.saturating_sub(tile_bits + poly_bits).min(MAX_SALT_BITS);
                Self { poly_bits, tile_bits, salt_bits }
            }
            RefWidth::Bits64 => Self { poly_bits: 20, tile_bits: 28, salt_bits: 16 },
        };
        let fits = tile_bits <= layout.tile_bits
            && poly_bits <= layout.poly_bits
            && layout.salt_bits >= MIN_SALT_BITS;
        if fits { Ok(layout) } else { Err(NavMeshError::RefBits { tile_bits, poly_bits }) }
    }

    /// Returns the largest salt.
    pub(crate) fn max_salt(self) -> u32 {
        (1 << self.salt_bits) - 1
    }

    /// Returns the reference to polygon 0 of a tile; add the index for other polygons. `None` for salt 0, which Detour
    /// does not use.
    pub(crate) fn base(self, slot: u32, salt: u32) -> Option<NonZeroU64> {
        let salt = u64::from(std::num::NonZeroU32::new(salt)?.get());
        let slot = u64::from(slot) << self.poly_bits;
        NonZeroU64::new((salt << (self.poly_bits + self.tile_bits)) | slot)
    }

    /// Returns the parts of `bits`; `None` if the salt is too large for this layout.
    pub(crate) fn parts(self, bits: u64) -> Option<RefParts> {
        let low = |bits: u64, n: u32| bits & ((1 << n) - 1);
        let salt = bits >> (self.poly_bits + self.tile_bits);
        Some(RefParts {
            salt: u32::try_from(salt).ok()?,
            slot: u32::try_from(low(bits >> self.poly_bits, self.tile_bits)).ok()?,
            poly: u32::try_from(low(bits, self.poly_bits)).ok()?,
        })
    }
}

/// Returns the number of bits that distinguish `n` values; 0 if `n` is 0 or 1.
pub fn bits_for(n: u32) -> u32 {
    u32::BITS - n.saturating_sub(1).leading_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn params(max_tiles: u32, max_polys: u32) -> NavMeshParams {
        NavMeshParams {
            origin: glam::Vec3::ZERO,
            tile_width: 1.0,
            tile_height: 1.0,
            max_tiles,
            max_polys,
        }
    }

    #[test]
    fn bits_count_things() {
        let expected =
            [(0, 0), (1, 0), (2, 1), (3, 2), (4, 2), (5, 3), (1 << 14, 14), (u32::MAX, 32)];
        for (n, bits) in expected {
            assert_eq!(bits_for(n), bits, "{n}");
        }
    }

    #[test]
    fn references_are_split_into_their_parts() {
        for (max_tiles, max_polys, width) in [
            (1, 1, RefWidth::Bits32),
            (128, 1 << 15, RefWidth::Bits32),
            (1 << 14, 256, RefWidth::Bits32),
            (1 << 20, 1 << 20, RefWidth::Bits64),
        ] {
            let layout = RefLayout::for_params(&params(max_tiles, max_polys), width).unwrap();
            for parts in [
                RefParts { salt: 1, slot: 0, poly: 0 },
                RefParts { salt: layout.max_salt(), slot: max_tiles - 1, poly: max_polys - 1 },
            ] {
                let base = layout.base(parts.slot, parts.salt).unwrap();
                assert_eq!(layout.parts(base.get() + u64::from(parts.poly)), Some(parts));
            }
            assert_eq!(layout.base(0, 0), None);
        }
    }

    #[test]
    fn too_many_tiles_and_polygons_are_refused() {
        let layout = |tiles, polys, width| RefLayout::for_params(&params(tiles, polys), width);
        assert!(layout(1 << 11, 1 << 11, RefWidth::Bits32).is_ok());
        assert!(layout(1 << 12, 1 << 11, RefWidth::Bits32).is_err());
        assert!(layout(1 << 12, 1 << 11, RefWidth::Bits64).is_ok());
        assert!(layout(u32::MAX, u32::MAX, RefWidth::Bits32).is_err());
        assert!(layout(1, u32::MAX, RefWidth::Bits64).is_err());
    }
}
