//! Links between polygons of the tiles in a navmesh.

use std::collections::BTreeMap;

use glam::Vec3;
use serde::Serialize;

use super::PolyRef;

/// Value of [`Link::side`] for a link that does not cross a tile border.
pub(crate) const INSIDE: u8 = 0xff;
/// Value of [`Link::edge`] for a link from ground to an off-mesh link that starts or ends there.
pub(crate) const NO_EDGE: u8 = 0xff;
/// The two ends of an edge, in the units of [`Link::limits`].
pub(crate) const WHOLE_EDGE: [u8; 2] = [0, 255];

/// An edge that a path crosses from one polygon to the next, as seen when walking.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Portal {
    /// Left end.
    pub left: Vec3,
    /// Right end.
    pub right: Vec3,
}

impl Portal {
    /// Returns the point halfway between both ends.
    pub fn midpoint(&self) -> Vec3 {
        (self.left + self.right) * 0.5
    }
}

/// A link from a polygon to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PolyLink {
    /// The target polygon.
    pub to: PolyRef,
    /// The crossed edge; for a link from an off-mesh link, the end at which it is left; 0xff for a link from the ground
    /// onto an off-mesh link.
    pub edge: u8,
    /// The crossed tile border, from 0 (+x) over 2 (+z) to 7; 0xff inside a tile.
    pub side: u8,
    /// Start and end of the crossed part of the edge, in 255ths; zero inside a tile.
    pub limits: [u8; 2],
    /// The portal that a path crosses.
    pub portal: Portal,
}

/// A link as stored in the navmesh, without its portal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Link {
    /// Number of the target polygon.
    pub(crate) to: u32,
    /// The crossed edge, the end of the off-mesh link, or [`NO_EDGE`].
    pub(crate) edge: u8,
    /// The crossed tile border, or [`INSIDE`].
    pub(crate) side: u8,
    /// Start and end of the crossed part of the edge, in 255ths; zero inside a tile.
    pub(crate) limits: [u8; 2],
}

impl Link {
    /// Returns a link over a whole edge, or without an edge.
    pub(crate) const fn new(to: u32, edge: u8, side: u8) -> Self {
        Self { to, edge, side, limits: [0, 0] }
    }
}

/// Calls `visit` with the index of each link of a polygon, the link, and the index of the first link to the same polygon.
/// Any number of off-mesh links can end at a polygon, so this must not take quadratic time.
pub(crate) fn for_each_with_first(links: &[Link], mut visit: impl FnMut(usize, Link, usize)) {
    /// Number of links that are compared one by one.
    const FEW: usize = 64;
    let mut known = BTreeMap::new();
    for (index, &link) in links.iter().enumerate() {
        let first = if links.len() <= FEW {
            links[..index].iter().position(|first| first.to == link.to).unwrap_or(index)
        } else {
            *known.entry(link.to).or_insert(index)
        };
        visit(index, link, first);
    }
}

/// Converts an index in a list of links or polygons; far fewer than 2³² fit in memory.
pub(super) fn index_u32(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}
