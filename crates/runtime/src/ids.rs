//! Small identifier types shared by the whole library.

use serde::{Deserialize, Serialize};

/// Coordinate of a tile in the grid, counted from the level's minimum corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct TileCoord {
    /// Column, along world x.
    pub x: u32,
    /// Row, along world z.
    pub z: u32,
}

impl TileCoord {
    /// Creates the coordinate of column `x`, row `z`.
    pub const fn new(x: u32, z: u32) -> Self {
        Self { x, z }
    }
}

impl std::fmt::Display for TileCoord {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{},{}", self.x, self.z)
    }
}

/// The area of a polygon of a tile, 0 to 63: the kind of ground, which has a cost and flags. Plain ground is 0.
///
/// The spans of a bake have areas of their own, `walkable::bake::RawArea`, in which 0 is not walkable.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct AreaId(pub u8);

impl AreaId {
    /// Plain ground.
    pub const GROUND: Self = Self(0);
    /// Number of distinct areas.
    pub const COUNT: usize = 64;
}

impl std::fmt::Display for AreaId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

/// A region: connected spans of one tile. 0 is "no region"; the top bit marks regions of the border.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct RegionId(pub u16);

impl RegionId {
    /// No region.
    pub const NONE: Self = Self(0);
    /// Bit of regions in the border around a tile, whose contours do not become polygons.
    pub const BORDER_BIT: u16 = 0x8000;

    /// Returns whether this is a region of ground: neither "no region" nor a border region.
    #[inline]
    pub const fn is_ground(self) -> bool {
        self.0 != Self::NONE.0 && !self.is_border()
    }

    /// Returns whether this is a border region.
    #[inline]
    pub const fn is_border(self) -> bool {
        self.0 & Self::BORDER_BIT != 0
    }
}

/// One of the four grid directions, in the order of Recast.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Dir {
    /// Towards −x.
    West = 0,
    /// Towards +z.
    North = 1,
    /// Towards +x.
    East = 2,
    /// Towards −z.
    South = 3,
}

impl Dir {
    /// All four, in numbering order.
    pub const ALL: [Self; 4] = [Self::West, Self::North, Self::East, Self::South];

    /// Returns the step along x.
    #[inline]
    pub const fn dx(self) -> i32 {
        match self {
            Self::West => -1,
            Self::East => 1,
            Self::North | Self::South => 0,
        }
    }

    /// Returns the step along z.
    #[inline]
    pub const fn dz(self) -> i32 {
        match self {
            Self::North => 1,
            Self::South => -1,
            Self::West | Self::East => 0,
        }
    }

    /// Returns the column and row one step from `(x, z)`; wraps below 0.
    #[inline]
    pub const fn step_from(self, (x, z): (u32, u32)) -> (u32, u32) {
        (x.wrapping_add_signed(self.dx()), z.wrapping_add_signed(self.dz()))
    }

    /// Returns the next direction, a quarter turn from −x toward +z.
    #[must_use]
    #[inline]
    pub const fn next(self) -> Self {
        Self::ALL[(self as usize + 1) & 3]
    }

    /// Returns the previous direction.
    #[must_use]
    #[inline]
    pub const fn previous(self) -> Self {
        Self::ALL[(self as usize + 3) & 3]
    }

    /// Returns the opposite direction.
    #[must_use]
    #[inline]
    pub const fn opposite(self) -> Self {
        Self::ALL[(self as usize + 2) & 3]
    }
}
