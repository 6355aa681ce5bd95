use serde::{Deserialize, Serialize};
use walkable_runtime::ids::AreaId;

/// The area of ground during a bake, 0 to 63, with Recast's numbering: 0 is not walkable, and 63 is plain ground.
///
/// Polygons of a tile have an [`AreaId`], whose numbering differs: 0 is plain ground. [`RawArea::in_tile`] and
/// [`RawArea::of_tile`] convert one into the other.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct RawArea(pub u8);

impl RawArea {
    /// Not walkable.
    pub const NULL: Self = Self(0);
    /// Plain walkable ground.
    pub const WALKABLE: Self = Self(63);

    /// Returns whether an agent may stand here.
    #[inline]
    pub const fn is_walkable(self) -> bool {
        self.0 != Self::NULL.0
    }

    /// Returns the area that polygons of this ground have in a tile: plain ground is 0, all other areas keep their
    /// number. Ground that is not walkable has no polygons.
    #[inline]
    pub const fn in_tile(self) -> AreaId {
        if self.0 == Self::WALKABLE.0 { AreaId::GROUND } else { AreaId(self.0) }
    }

    /// Returns the area of ground whose polygons have `area` in a tile.
    #[inline]
    pub const fn of_tile(area: AreaId) -> Self {
        if area.0 == AreaId::GROUND.0 { Self::WALKABLE } else { Self(area.0) }
    }
}
