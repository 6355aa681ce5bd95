use std::{collections::BTreeSet, sync::Arc};

use walkable::{
    bake::{AreaTable, BakeConfig, bake},
    level::builtin,
    mesh::{ImportOptions, read_obj},
    monitor::Unmonitored,
    navmesh::{NavMesh, PolyKind},
};

/// Settings of the sample level with tiles, an area with its own costs and two off-mesh links.
pub(crate) const TILED: &str = "tile_size=32\narea 1 \"deep water\" flags=2 cost=4 enter=2 color=#112233\n\
    offmesh 2 0 2 4 0 4 0.6 1 5 8\noffmesh 4 0 4 6 0 6 0.6 0 5 8\n";

/// Built-in levels, and settings to add to theirs.
pub(crate) const LEVELS: [(&str, &str); 5] =
    [("sample", ""), ("sample", TILED), ("town", ""), ("tower", ""), ("spiral", "")];

/// The corners of each polygon seen from above, and the numbers of its neighbors.
pub(crate) type Graph = Vec<(Vec<[f32; 2]>, BTreeSet<u32>)>;

/// Returns a baked built-in level with its areas.
pub(crate) fn baked(name: &str, more: &str) -> (NavMesh, AreaTable) {
    let level = builtin(name).unwrap();
    let config = BakeConfig::parse(&format!("{}\n{more}", level.config)).unwrap();
    let areas = config.areas.clone();
    let mesh = ImportOptions::default().import(read_obj(level.obj).unwrap()).unwrap();
    (bake(config.with_mesh(Arc::new(mesh)), &Unmonitored).unwrap(), areas)
}

/// Returns the area of the ground polygons seen from above.
pub(crate) fn ground_area(mesh: &NavMesh) -> f64 {
    let of_tile = |tile: &walkable::navmesh::Tile| -> f64 {
        let ground = tile.polys.iter().filter(|poly| poly.kind == PolyKind::Ground);
        ground.map(|poly| area(tile.corners(poly).iter().map(|at| [at.x, at.z]))).sum()
    };
    mesh.tiles().map(of_tile).sum()
}

/// Returns the area of a polygon in the plane.
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

/// Checks that `polys` are the ground polygons of `mesh` in the order of tiles, with the neighbors that links lead to.
#[track_caller]
pub(crate) fn assert_same_graph(level: &str, mesh: &NavMesh, polys: &Graph) {
    let mut references = Vec::new();
    for (slot, tile) in mesh.slots() {
        let ground = |index: &usize| tile.polys[*index].kind == PolyKind::Ground;
        let indices = (0..tile.polys.len()).filter(ground);
        references.extend(indices.map(|index| mesh.poly_ref(slot, index).unwrap()));
    }
    assert_eq!(polys.len(), references.len(), "{level}");
    let (mut total, mut n_links) = (0.0, 0);
    for (number, &reference) in references.iter().enumerate() {
        let (corners, neighbors) = &polys[number];
        total += area(corners.iter().copied());
        for link in mesh.links(reference).filter(|link| link.edge != 0xff) {
            let Some(to) = references.iter().position(|other| *other == link.to) else { continue };
            // A link narrower than a tenth of a cell is ignored.
            if link.portal.left.distance(link.portal.right) > 0.03 {
                n_links += 1;
                let to = u32::try_from(to).unwrap();
                assert!(neighbors.contains(&to), "{level}: {number} to {to}: {link:?}");
            }
        }
    }
    assert!(n_links > references.len(), "{level}: only {n_links} links");
    assert_same_area(total, ground_area(mesh));
}
