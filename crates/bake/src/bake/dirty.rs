//! Finds the tiles that a change of the input makes stale.

use std::sync::Arc;

use rayon::prelude::*;
use walkable_runtime::{
    ids::TileCoord,
    monitor::{Cancelled, Monitor},
};

use crate::bake::{
    BakePlan, BakeSettings, PARAMS,
    tile_input::{Triangles, read_input},
};

/// The tiles to update after a change, by row and column.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DirtyTiles {
    /// Tiles of the new plan to bake: those whose result may have changed, and new ones.
    pub changed: Vec<TileCoord>,
    /// Tiles of the old plan that the new one does not have.
    pub removed: Vec<TileCoord>,
}

/// Finds the tiles that may differ between a bake of `old` and one of `new`.
///
/// A tile is changed if any input of its bake is: its position and the height of the level; the triangles whose box
/// touches its square including the border, their order and their areas; the volumes that touch it and their order; the
/// part of the bounds over it; the off-mesh links that start in it and the number of those that end in it. Any setting
/// and any flag of an area changes all tiles. So every stale tile is reported; the result of a reported tile may still
/// be the same, for instance if a moved triangle is hidden by others.
///
/// Takes time linear in the number of triangles if the meshes are not identical, else in the number of tiles and
/// volumes.
///
/// # Errors
/// Returns [`Cancelled`] soon after the monitor is cancelled.
pub fn dirty_tiles(
    old: &BakePlan,
    new: &BakePlan,
    monitor: &dyn Monitor,
) -> Result<DirtyTiles, Cancelled> {
    let same_settings = same_settings(&old.input().settings, &new.input().settings)
        && old.input().area_flags == new.input().area_flags
        && old.input().agents == new.input().agents;
    let triangles = if has_same_triangles(old, new) { Triangles::Skip } else { Triangles::Read };
    let reads = |plan: &BakePlan, tile| {
        let mut read = Vec::new();
        read_input(plan, tile, triangles, &mut read, monitor)?;
        Ok::<_, Cancelled>(read)
    };
    let is_changed = |tile: TileCoord| -> Result<bool, Cancelled> {
        monitor.check()?;
        if !same_settings || !old.has_tile(tile) {
            return Ok(true);
        }
        Ok(reads(old, tile)? != reads(new, tile)?)
    };
    let tiles: Vec<_> = new.tiles().collect();
    let changed: Result<Vec<_>, _> =
        tiles.into_par_iter().map(|tile| Ok(is_changed(tile)?.then_some(tile))).collect();
    let removed = old.tiles().filter(|&tile| !new.has_tile(tile)).collect();
    Ok(DirtyTiles { changed: changed?.into_iter().flatten().collect(), removed })
}

/// Returns whether all settings have the same representation; 0 and −0 differ.
fn same_settings(old: &BakeSettings, new: &BakeSettings) -> bool {
    PARAMS.iter().all(|param| param.format(param.get(old)) == param.format(param.get(new)))
}

fn has_same_triangles(old: &BakePlan, new: &BakePlan) -> bool {
    Arc::ptr_eq(&old.input().mesh, &new.input().mesh) && old.part_uses() == new.part_uses()
}
