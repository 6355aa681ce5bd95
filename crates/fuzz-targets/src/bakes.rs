//! Bakes of small levels, with settings from the input.

use std::{str, sync::Arc};

use walkable::{
    bake::{BakeConfig, BakeLimits, BakeOutput, BakePlan, LayerCut, bake_tile},
    glam::Vec3,
    mesh::TriMesh,
    monitor::Unmonitored,
    navmesh::NavMesh,
    tile_cache::TileCache,
};

/// Limits of a bake. A bake whose estimate exceeds them is skipped.
pub(crate) const LIMITS: BakeLimits = BakeLimits { n_bytes: 64_000_000, secs: 0.2 };
/// Maximum number of triangles in the level that the input describes.
const MAX_TRIANGLES: usize = 64;
/// Meters per unit of the triangles' coordinates.
const STEP: f32 = 1.0 / 16.0;

/// Bakes an input of a settings file, a zero byte, and triangles with 16-bit coordinates. Without triangles, a small
/// level with two floors is baked.
pub(crate) fn bake(bytes: &[u8]) {
    let mut pieces = bytes.splitn(2, |&byte| byte == 0);
    let text = pieces.next().and_then(|text| str::from_utf8(text).ok());
    let Some(Ok(config)) = text.map(BakeConfig::parse) else { return };
    let Some(mesh) = level(pieces.next().unwrap_or_default()) else { return };
    let Ok(plan) = BakePlan::new(config.with_mesh(Arc::new(mesh))) else { return };
    if plan.check_limits(1, LIMITS).is_err() {
        return;
    }
    tiles(&plan);
    layers(&plan);
}

fn level(bytes: &[u8]) -> Option<TriMesh> {
    let numbers = bytes.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]]));
    let numbers: Vec<_> = numbers.map(|number| f32::from(number) * STEP).collect();
    let mut corners: Vec<_> = numbers.chunks_exact(3).map(Vec3::from_slice).collect();
    corners.truncate(3 * MAX_TRIANGLES);
    if corners.len() < 3 {
        let floor = |y: f32| [[0.0, y, 0.0], [0.0, y, 9.0], [9.0, y, 9.0]].map(Vec3::from);
        let ramp = [[0.0, 0.0, 0.0], [9.0, 3.0, 9.0], [9.0, 3.0, 0.0]].map(Vec3::from);
        corners = [floor(0.0), floor(3.0), ramp].concat();
    }
    let triangles =
        (0..u32::try_from(corners.len() / 3).ok()?).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]);
    TriMesh::new(corners, triangles.collect()).ok()
}

fn tiles(plan: &BakePlan) {
    let baked = plan.tiles().map(|coord| bake_tile(plan, coord, BakeOutput::Tile, &Unmonitored));
    let tiles: Vec<_> = baked.filter_map(|baked| baked.ok()?.tile).map(Arc::new).collect();
    let Ok(mesh) = plan.link(tiles) else { return };
    let bytes = mesh.to_bytes();
    let again = NavMesh::from_bytes(&bytes).map(|mesh| mesh.to_bytes());
    assert!(again == Ok(bytes), "the baked navmesh is not read back: {:?}", again.err());
}

fn layers(plan: &BakePlan) {
    for cut in [LayerCut::Sweep, LayerCut::Watershed] {
        let Ok(mut baked) = TileCache::bake(plan, cut, &Unmonitored) else { continue };
        if baked.cache.build(&Unmonitored).is_err() {
            continue;
        }
        let bytes = baked.cache.to_bytes();
        let read = TileCache::from_bytes(&bytes);
        assert!(read.is_ok(), "the baked layers are not read back: {:?}", read.err());
        let mesh = read.map(|cache| cache.loaded_nav_mesh(&Unmonitored).map(|_| ()));
        assert!(matches!(mesh, Ok(Ok(()))), "the baked layers give no navmesh: {mesh:?}");
    }
}
