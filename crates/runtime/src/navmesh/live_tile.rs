use std::{
    num::NonZeroU64,
    ops::Range,
    sync::{Arc, OnceLock},
};

use super::{PolyRef, Tile, open_vertices::OpenVertices};

/// A tile in a navmesh.
#[derive(Clone, Debug)]
pub(crate) struct LiveTile {
    /// The tile data, with the ends of off-mesh links moved onto the ground.
    pub(crate) tile: Arc<Tile>,
    /// Number of the tile's first polygon in the [`Graph`](super::Graph).
    pub(crate) first_node: u32,
    pub(super) n_polys: u32,
    /// Number of links from the tile's polygons.
    pub(super) n_links: usize,
    /// Number of links dropped for lack of space.
    pub(super) n_refused_links: usize,
    /// For each off-mesh link, whether its start is on the ground.
    pub(super) starts: Vec<bool>,
    pub(super) open_vertices: OnceLock<OpenVertices>,
    /// Number that identifies it in references.
    pub(crate) number: u32,
    /// Reference to its first polygon.
    pub(super) base: NonZeroU64,
}

impl LiveTile {
    /// Returns the reference to a polygon of this tile.
    pub(crate) fn poly_ref(&self, poly: u32) -> PolyRef {
        // The polygon's bits are zero in `base`, so this cannot overflow.
        PolyRef(self.base.saturating_add(u64::from(poly)))
    }

    /// Returns the numbers of the tile's polygons in the [`Graph`](super::Graph).
    pub(crate) fn numbers(&self) -> Range<u32> {
        self.first_node..self.first_node + self.n_polys
    }

    /// Returns whether a link between the tile's polygons may be missing.
    pub(crate) fn lacks_links(&self) -> bool {
        self.n_refused_links > 0
    }

    /// Returns the vertices of the tile that are surrounded by ground.
    pub(crate) fn open_vertices(&self) -> &OpenVertices {
        self.open_vertices.get_or_init(|| OpenVertices::of(&self.tile))
    }
}
