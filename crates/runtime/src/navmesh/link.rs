//! Links between polygons, as they are while tiles are in a mesh.

use glam::Vec3;
use serde::Serialize;

use super::PolyRef;

/// Value of [`Link::side`] for a link that does not cross a tile border.
pub(crate) const INSIDE: u8 = 0xff;
/// Value of [`Link::edge`] for a link from ground to a connection that starts or ends there.
pub(crate) const NO_EDGE: u8 = 0xff;
/// The two ends of an edge, as [`Link::limits`] count.
pub(crate) const WHOLE_EDGE: [u8; 2] = [0, 255];

/// An edge that a path crosses from one polygon to the next, as seen when walking.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Portal {
    /// Its left end.
    pub left: Vec3,
    /// Its right end.
    pub right: Vec3,
}

impl Portal {
    /// Point half way between its ends.
    pub fn midpoint(&self) -> Vec3 {
        (self.left + self.right) * 0.5
    }
}

/// A way from a polygon to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PolyLink {
    /// Where it leads.
    pub to: PolyRef,
    /// Edge it crosses; for off-mesh links the end it leaves from, or 0xff from the ground onto one.
    pub edge: u8,
    /// Tile border it crosses, from 0 (+x) over 2 (+z) to 7; 0xff inside a tile.
    pub side: u8,
    /// Where the part of the edge that it crosses starts and ends, in 255ths; zero inside a tile.
    pub limits: [u8; 2],
    /// What a path crosses.
    pub portal: Portal,
}

/// A link as the mesh stores it, beside its portal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Link {
    /// Number of the polygon it leads to.
    pub(crate) to: u32,
    /// Edge it crosses, end of the connection, or [`NO_EDGE`].
    pub(crate) edge: u8,
    /// Tile border it crosses, or [`INSIDE`].
    pub(crate) side: u8,
    /// Where the part of the edge that it crosses starts and ends, in 255ths; zero inside a tile.
    pub(crate) limits: [u8; 2],
}

impl Link {
    /// A link over a whole edge, or without one.
    pub(crate) const fn new(to: u32, edge: u8, side: u8) -> Self {
        Self { to, edge, side, limits: [0, 0] }
    }
}

/// Position in a list of links or polygons; far fewer than 2³² fit memory.
pub(super) fn index_u32(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}
