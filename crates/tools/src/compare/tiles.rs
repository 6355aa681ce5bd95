//! Tiles that changed between two navmeshes with the same grid.

use std::{collections::BTreeMap, sync::Arc};

use serde::{Deserialize, Serialize};
use walkable_runtime::navmesh::{NavMesh, Tile};

/// Maximum difference between the grids of two navmeshes, in meters.
const SAME_GRID: f32 = 1e-3;

/// A tile, by column, row and layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct TileKey {
    /// Column.
    pub x: i32,
    /// Row.
    pub z: i32,
    /// Layer.
    pub layer: i32,
}

/// Tiles that changed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TileChanges {
    /// Number of tiles with the same data.
    pub n_same: usize,
    /// Tiles with different data.
    pub changed: Vec<TileKey>,
    /// Tiles that only the second navmesh has.
    pub added: Vec<TileKey>,
    /// Tiles that only the first navmesh has.
    pub removed: Vec<TileKey>,
}

/// Returns whether two navmeshes have tiles of the same size at the same places.
pub(super) fn same_grid(before: &NavMesh, after: &NavMesh) -> bool {
    let (a, b) = (before.params(), after.params());
    let numbers = [
        (a.origin.x, b.origin.x),
        (a.origin.z, b.origin.z),
        (a.tile_width, b.tile_width),
        (a.tile_height, b.tile_height),
    ];
    numbers.iter().all(|(a, b)| (a - b).abs() <= SAME_GRID)
}

/// Compares the tiles of two navmeshes; `None` if their grids differ.
pub(super) fn tile_changes(before: &NavMesh, after: &NavMesh) -> Option<TileChanges> {
    if !same_grid(before, after) {
        return None;
    }
    let [before, after] = [before, after].map(by_key);
    let mut changes = TileChanges::default();
    for (key, old) in &before {
        match after.get(key) {
            None => changes.removed.push(*key),
            Some(new) if Arc::ptr_eq(old, new) || old == new => changes.n_same += 1,
            Some(_) => changes.changed.push(*key),
        }
    }
    changes.added = after.keys().filter(|key| !before.contains_key(*key)).copied().collect();
    Some(changes)
}

fn by_key(mesh: &NavMesh) -> BTreeMap<TileKey, &Arc<Tile>> {
    let key = |tile: &Tile| {
        let header = &tile.header;
        TileKey { x: header.x, z: header.z, layer: header.layer }
    };
    mesh.slots().map(|(_, tile)| (key(tile), tile)).collect()
}
