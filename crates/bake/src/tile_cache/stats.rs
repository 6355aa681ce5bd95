//! Statistics of a tile cache.

use std::collections::BTreeSet;

use serde::Serialize;
use walkable_runtime::geom::Aabb;

use super::TileCache;

/// Statistics of a tile cache.
#[expect(clippy::struct_field_names, reason = "all are counts, and counts start with n_")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct TileCacheStats {
    /// Number of layers.
    pub n_layers: usize,
    /// Number of tiles that have layers.
    pub n_places: usize,
    /// Number of cells with ground.
    pub n_ground_cells: usize,
    /// Length of the cache as a file, in bytes.
    pub n_bytes: usize,
    /// Length of all layers without compression, in bytes.
    pub n_unpacked_bytes: usize,
}

impl TileCache {
    /// Returns the statistics. Decompresses each layer.
    pub fn stats(&self) -> TileCacheStats {
        let mut stats = TileCacheStats::default();
        let mut places = BTreeSet::new();
        for tile in self.tiles() {
            places.insert(tile.key().coord());
            stats.n_layers += 1;
            stats.n_ground_cells += tile.unpack(1.0, 1.0).n_ground_cells();
            stats.n_unpacked_bytes += tile.to_unpacked_bytes().len();
        }
        TileCacheStats { n_places: places.len(), n_bytes: self.to_bytes().len(), ..stats }
    }

    /// Returns the bounds of the ground of all layers; [`Aabb::EMPTY`] if there is none.
    pub fn bounds(&self) -> Aabb {
        let boxes = self.tiles().map(|tile| tile.ground_bounds(self.params().cell_size));
        Aabb::around(boxes.flat_map(|ground| [ground.min, ground.max]))
    }
}
