use walkable::{
    bake::{BakeError, BakePlan, LayerCut, LayerOutline, bake_layers},
    ids::TileCoord,
    monitor::Unmonitored,
    tile_cache::{LayerKey, LayerTile, Obstacle, TileCache, TileCacheParams},
};

use crate::recast::{NoRoom, mesh_layer};

/// Builds tiles from the layers at `coord`, with obstacles on them, with both libraries, and returns the number of the
/// first layer that differs.
///
/// # Errors
/// Returns an error if the ground does not fit into layers.
pub fn first_differing_layer(
    plan: &BakePlan,
    coord: TileCoord,
    obstacles: &[Obstacle],
) -> Result<Option<u32>, BakeError> {
    let params = TileCacheParams::of_plan(plan);
    let links = &plan.input().off_mesh;
    let baked = bake_layers(plan, coord, LayerCut::Sweep, &Unmonitored)?;
    for (number, layer) in (0..).zip(&baked.set.layers) {
        let key = LayerKey::new(coord, number);
        let mut cache = TileCache::new(TileCacheParams { max_tiles: 1, ..params }, links.clone());
        // Detour traces a region in at most as many steps as there are cells, and divides by the number of corners,
        // which is zero for a single cell.
        let Some(tile) = LayerTile::pack(key, layer).filter(|_| layer.heights.len() > 1) else {
            continue;
        };
        cache.add_tile(tile).expect("it is the first");
        let touching: Vec<_> =
            obstacles.iter().filter(|o| !cache.touched_by(o).is_empty()).cloned().collect();
        for obstacle in &touching {
            cache.add_obstacle(obstacle.clone()).expect("obstacles of cases are sound");
        }
        let ours = cache.mesh_tile(key, &Unmonitored).map(|made| made.expect("it was added"));
        if ours.as_ref().is_ok_and(|made| !has_room_around_corners(&made.outlines)) {
            continue;
        }
        let ours = ours.map(|made| made.tile.map(|tile| tile.to_bytes()));
        match (ours, mesh_layer(&params, key, layer, &touching, links)) {
            (Ok(ours), Ok(theirs)) if ours == theirs => {}
            (_, Err(NoRoom)) => {}
            _ => return Ok(Some(number)),
        }
    }
    Ok(None)
}

/// Returns whether no outline passes a corner more than twice, as it does only if it overlaps itself: when Detour
/// removes such a corner, it may read uninitialized memory. It has space for 16 neighbors, and reads a third corner of
/// a gap that has two. If an agent climbs higher than it is tall, links lead one way, and outlines overlap themselves.
fn has_room_around_corners(outlines: &[LayerOutline]) -> bool {
    outlines.iter().all(|outline| {
        let mut columns: Vec<[u16; 2]> = outline.corners.iter().map(|&[x, _, z]| [x, z]).collect();
        columns.sort_unstable();
        columns.chunk_by(|a, b| a == b).all(|passages| passages.len() <= 2)
    })
}
