use std::sync::Arc;

use walkable::{
    bake::{AreaTable, BakeConfig, bake},
    level::builtin,
    mesh::{ImportOptions, read_obj},
    monitor::Unmonitored,
    navmesh::NavMesh,
};

/// Settings of the sample level with tiles, an area with its own costs and two off-mesh links.
pub(crate) const TILED: &str = "tile_size=32\narea 1 \"deep water\" flags=2 cost=4 enter=2 color=#112233\n\
    offmesh 2 0 2 4 0 4 0.6 1 5 8\noffmesh 4 0 4 6 0 6 0.6 0 5 8\n";

/// A baked built-in level with its areas.
pub(crate) fn baked(name: &str, more: &str) -> (NavMesh, AreaTable) {
    let level = builtin(name).unwrap();
    let config = BakeConfig::parse(&format!("{}\n{more}", level.config)).unwrap();
    let areas = config.areas.clone();
    let mesh = ImportOptions::default().import(read_obj(level.obj).unwrap()).unwrap();
    (bake(config.with_mesh(Arc::new(mesh)), &Unmonitored).unwrap(), areas)
}

/// Area of the ground polygons seen from above.
pub(crate) fn ground_area(mesh: &NavMesh) -> f64 {
    let of_tile = |tile: &walkable::navmesh::Tile| -> f64 {
        let ground =
            tile.polys.iter().filter(|poly| poly.kind == walkable::navmesh::PolyKind::Ground);
        ground.map(|poly| area(tile.corners(poly).iter().map(|at| [at.x, at.z]))).sum()
    };
    mesh.tiles().map(of_tile).sum()
}

/// Area of a polygon in the plane.
pub(crate) fn area(ring: impl Iterator<Item = [f32; 2]>) -> f64 {
    let ring: Vec<_> = ring.map(|point| point.map(f64::from)).collect();
    let next = ring.iter().cycle().skip(1);
    let twice: f64 = ring.iter().zip(next).map(|(a, b)| a[0] * b[1] - a[1] * b[0]).sum();
    twice.abs() / 2.0
}

/// Checks that two areas differ by less than a ten-thousandth.
#[track_caller]
pub(crate) fn assert_same_area(found: f64, expected: f64) {
    assert!((found / expected - 1.0).abs() < 1e-4, "{found} m² instead of {expected} m²");
}
