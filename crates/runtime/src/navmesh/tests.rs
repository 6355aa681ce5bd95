use std::{num::NonZeroU64, sync::Arc};

use glam::Vec3;

use super::{
    NavMesh, NavMeshError, NavMeshParams, PolyLink, PolyRef, Tile, TileError,
    sample::{connect, linked, mesh, solo, tile},
};
use crate::{
    geom::MAX_COORDINATE,
    ids::{AreaId, TileCoord},
};

const FULL: [&str; 2] = ["..", ".."];
const BOTH_WAYS: u8 = 1;

fn every_poly(mesh: &NavMesh) -> Vec<PolyRef> {
    let polys = mesh.slots().flat_map(|(slot, tile)| {
        (0..tile.polys.len()).map(move |poly| mesh.poly_ref(slot, poly).unwrap())
    });
    polys.collect()
}

/// Checks that every link has a link in the opposite direction.
#[track_caller]
fn check_symmetric(mesh: &NavMesh) {
    for poly in every_poly(mesh) {
        for link in mesh.links(poly) {
            assert!(mesh.resolve(link.to).is_some(), "{poly} leads to nothing");
            assert!(
                linked(mesh, link.to).contains(&poly),
                "no way back from {} to {poly}",
                link.to
            );
        }
    }
}

fn four_tiles() -> Vec<Tile> {
    [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(x, z)| tile(x, z, &FULL)).into()
}

#[test]
fn tiles_are_linked_inside_and_across_borders() {
    let mesh = mesh(four_tiles());
    check_symmetric(&mesh);
    let n_links = |slot, poly| linked(&mesh, mesh.poly_ref(slot, poly).unwrap()).len();
    assert_eq!(n_links(0, 0), 2, "a corner of the mesh");
    assert_eq!(n_links(0, 3), 4, "the middle of the mesh");
    assert_eq!(mesh.stats().n_links, 48);
}

#[test]
fn a_replaced_tile_has_new_references_in_the_same_slot() {
    let mut mesh = mesh(four_tiles());
    let before = mesh.clone();
    let old = mesh.poly_ref(1, 2).unwrap();
    assert!(mesh.remove_tiles_at(TileCoord::new(1, 0)));
    assert!(!mesh.remove_tiles_at(TileCoord::new(1, 0)));
    check_symmetric(&mesh);
    assert!(mesh.resolve(old).is_none() && before.resolve(old).is_some());
    assert_eq!(mesh.stats().n_links, 48 - 16);

    mesh.add_tile(Arc::new(tile(1, 0, &FULL))).unwrap();
    check_symmetric(&mesh);
    assert!(mesh.resolve(old).is_none());
    let new = mesh.poly_ref(1, 2).unwrap();
    assert_eq!(new.0.get() - old.0.get(), 1 << (mesh.layout().tile_bits + mesh.layout().poly_bits));
    assert_eq!(mesh.stats(), before.stats());
}

#[test]
fn tiles_are_by_place_if_they_were_added_so() {
    let tiles = four_tiles();
    let mut mesh = mesh(tiles.clone());
    assert!(mesh.is_by_place());
    let again = mesh_of(&mesh);
    assert_eq!(again.to_bytes(), mesh.to_bytes());
    // The same slot, with another salt.
    mesh.remove_tiles_at(TileCoord::new(1, 0));
    mesh.add_tile(Arc::new(tiles[1].clone())).unwrap();
    assert!(!mesh.is_by_place());
    assert!(mesh_of(&mesh).is_by_place());
    assert_eq!(mesh_of(&mesh).to_bytes(), again.to_bytes());
    // A slot between others that is free.
    mesh.remove_tiles_at(TileCoord::new(0, 0));
    assert!(!mesh.is_by_place());
    let swapped = super::sample::mesh([tiles[1].clone(), tiles[0].clone()]);
    assert!(!swapped.is_by_place());
    let places = mesh_of(&swapped).slots().map(|(_, tile)| tile.header.x).collect::<Vec<_>>();
    assert_eq!(places, [0, 1]);
}

/// Returns the mesh of the same tiles, added by place.
fn mesh_of(mesh: &NavMesh) -> NavMesh {
    NavMesh::of_tiles(*mesh.params(), mesh.width(), mesh.tiles_by_place()).unwrap()
}

#[test]
fn a_tile_without_room_refuses_links_and_counts_them() {
    let mut full = tile(0, 0, &FULL);
    full.header.max_link_count = 9;
    let mut mesh = mesh([full, tile(1, 0, &FULL)]);
    let (n_links, n_refused) = (mesh.stats().n_links, mesh.stats().n_refused_links);
    assert_eq!((n_links, n_refused), (9 + 10, 1), "8 inside and 2 over the border each");
    // Newer links come first; the remaining links keep their order.
    let of = |mesh: &NavMesh| -> Vec<u64> {
        let links = mesh.links(mesh.poly_ref(1, 0).unwrap());
        links.map(|link| link.to.0.get()).collect()
    };
    let before = of(&mesh);
    assert!(before[0] < mesh.poly_ref(1, 0).unwrap().0.get(), "over the border first");
    mesh.remove_tiles_at(TileCoord::new(0, 0));
    assert_eq!(of(&mesh), before[before.len() - 2..]);
    assert_eq!(mesh.stats().n_links, 8);
}

#[test]
fn places_in_the_list_of_polygons_never_overlap() {
    let mut mesh = mesh(four_tiles());
    for _ in 0..40 {
        mesh.remove_tiles_at(TileCoord::new(1, 1));
        mesh.add_tile(Arc::new(tile(1, 1, &FULL))).unwrap();
        let mut firsts: Vec<u32> = mesh.live_tiles().map(|live| live.first_node).collect();
        firsts.sort_unstable();
        assert!(firsts.windows(2).all(|pair| pair[0] + 4 <= pair[1]), "{firsts:?}");
        assert!(firsts.iter().all(|&first| first as usize + 4 <= mesh.n_nodes()));
        assert!(mesh.n_nodes() <= 2 * 16);
    }
}

#[test]
fn tiles_that_do_not_fit_are_refused() {
    let mut mesh = mesh(four_tiles());
    let occupied = mesh.add_tile(Arc::new(tile(1, 1, &FULL)));
    assert_eq!(occupied, Err(NavMeshError::Occupied { x: 1, z: 1, layer: 0 }));

    let large = tile(5, 5, &["................."; 17]);
    assert!(matches!(
        mesh.add_tile(Arc::new(large)),
        Err(NavMeshError::TooManyPolys { found: 289, limit: 256, .. })
    ));

    let mut bad = tile(5, 5, &FULL);
    bad.polys[3].vertices[1] = 9;
    let source = TileError::OutOfRange { item: "polygon", index: 3, what: "corner", value: 9 };
    let unsound = mesh.add_tile(Arc::new(bad));
    assert_eq!(unsound, Err(NavMeshError::Unsound { x: 5, z: 5, layer: 0, error: source }));

    let params = NavMeshParams { max_tiles: 1, ..*mesh.params() };
    let mut small = NavMesh::new(params).unwrap();
    small.add_tile(Arc::new(tile(0, 0, &FULL))).unwrap();
    let full = small.add_tile(Arc::new(tile(1, 0, &FULL)));
    assert_eq!(full, Err(NavMeshError::Full { max_tiles: 1 }));
    let none = NavMeshParams { tile_width: f32::NAN, ..params };
    assert!(matches!(NavMesh::new(none), Err(NavMeshError::BadParameter { .. })));
}

#[test]
fn references_to_nothing_resolve_to_nothing() {
    let mesh = solo(&FULL);
    let good = mesh.poly_ref(0, 3).unwrap();
    assert_eq!(mesh.resolve(good).unwrap().1, 3);
    for bits in [1, good.0.get() + 1, good.0.get() | 1 << 40, u64::MAX] {
        assert!(mesh.resolve(PolyRef(NonZeroU64::new(bits).unwrap())).is_none(), "{bits}");
    }
    assert_eq!((mesh.poly_ref(0, 4), mesh.poly_ref(1, 0)), (None, None));
}

#[test]
fn flags_and_areas_can_be_set_without_touching_a_clone() {
    let mut mesh = solo(&FULL);
    let before = mesh.clone();
    let poly = mesh.poly_ref(0, 1).unwrap();
    assert!(
        mesh.set_flags(poly, 6)
            && mesh.set_area(poly, AreaId(63))
            && !mesh.set_area(poly, AreaId(64))
    );
    let of = |mesh: &NavMesh| {
        let (tile, index) = mesh.resolve(poly).unwrap();
        (tile.polys[index].flags, tile.polys[index].area)
    };
    assert_eq!((of(&mesh), of(&before)), ((6, AreaId(63)), (1, AreaId::GROUND)));
}

#[test]
fn a_mesh_can_be_queried_from_many_threads() {
    fn check<T: Send + Sync>(_: &T) {}
    check(&solo(&FULL));
}

/// If rounding leaves a gap between detail triangles, the height is that of the nearest edge, inner edges included.
#[test]
fn a_point_in_no_triangle_has_the_height_of_the_nearest_edge() {
    let mut tile = tile(0, 0, &["."]);
    tile.vertices[3].y = 1.0;
    // The remaining triangle does not cover a corner of the square; its long edge is an inner one.
    tile.detail_patches[0].n_triangles = 1;
    tile.validate().unwrap();
    let height = |x, z| tile.height_at(0, Vec3::new(x, 9.0, z));
    assert_eq!(height(0.25, 0.5), Some(0.25), "in the triangle");
    assert_eq!(height(0.5, 0.5), Some(0.5), "on its long edge");
    assert_eq!(height(0.75, 0.25), Some(0.5), "beside that edge");
    assert_eq!(height(1.5, 0.5), None, "beside the polygon");
    tile.detail_patches[0].n_triangles = 0;
    let without_detail = tile.height_at(0, Vec3::new(0.9, 9.0, 0.5));
    assert_eq!(without_detail, Some(0.5), "on the nearest edge of the polygon");
}

#[test]
fn polygons_with_one_height_are_flat() {
    let level = tile(0, 0, &["."]);
    assert!(level.is_flat(0));
    let with_height = |height: f32| {
        let mut tile = tile(0, 0, &["."]);
        tile.vertices.iter_mut().for_each(|vertex| vertex.y = height);
        tile
    };
    assert!(with_height(2.5).is_flat(0) && !with_height(-0.0).is_flat(0));
    let mut raised = with_height(2.5);
    raised.vertices[3].y = f32::from_bits(2.5_f32.to_bits() + 1);
    assert!(!raised.is_flat(0));
    let mut with_detail = with_height(2.5);
    with_detail.detail_patches[0].n_vertices = 1;
    with_detail.detail_vertices = vec![Vec3::new(0.5, 2.5, 0.5)];
    assert!(with_detail.is_flat(0));
    with_detail.detail_vertices[0].y = 2.75;
    assert!(!with_detail.is_flat(0));
    let mesh = mesh([with_height(2.5)]);
    let poly = mesh.poly_ref(0, 0).unwrap();
    let height = |x| crate::query::poly_height(&mesh, poly, Vec3::new(x, 9.0, 0.5)).unwrap();
    assert_eq!([height(0.5), height(1.5)], [Some(2.5), None]);
}

/// Returns two separate rooms in one tile, and an off-mesh link from one to the other.
fn rooms(flags: u8) -> NavMesh {
    let mut tile = tile(0, 0, &[".#.", ".#.", ".#."]);
    connect(&mut tile, [Vec3::new(0.9, 0.1, 1.5), Vec3::new(2.1, 0.0, 1.5)], flags, 0xff);
    mesh([tile])
}

#[test]
fn a_connection_inside_a_tile_is_linked_at_both_ends() {
    for (flags, leads_back) in [(0, false), (BOTH_WAYS, true)] {
        let mesh = rooms(flags);
        let [left, right, connection] = [2, 3, 6].map(|poly| mesh.poly_ref(0, poly).unwrap());
        assert_eq!(linked(&mesh, connection), [left, right]);
        assert!(linked(&mesh, left).contains(&connection));
        assert_eq!(linked(&mesh, right).contains(&connection), leads_back);
        let (tile, _) = mesh.resolve(connection).unwrap();
        assert_eq!(tile.vertices[16], Vec3::new(0.9, 0.0, 1.5), "its start is moved to the ground");
    }
}

#[test]
fn a_connection_may_not_move_the_ground() {
    let mut tile = tile(0, 0, &[".#.", ".#.", ".#."]);
    connect(&mut tile, [Vec3::new(0.9, 0.1, 1.5), Vec3::new(2.1, 0.0, 1.5)], BOTH_WAYS, 0xff);
    assert_eq!(tile.validate(), Ok(()));
    tile.polys[6].vertices[1] = 3;
    let what = "end that another polygon uses";
    let shared = TileError::OutOfRange { item: "polygon", index: 6, what, value: 3 };
    assert_eq!(tile.validate(), Err(shared));
    tile.polys[6].vertices[1] = tile.polys[6].vertices[0];
    assert!(tile.validate().is_err(), "one vertex for both ends");
}

#[test]
fn coordinates_whose_distances_overflow_are_refused() {
    let mut tile = tile(0, 0, &[".#.", ".#.", ".#."]);
    tile.vertices[8].y = MAX_COORDINATE;
    assert_eq!(tile.validate(), Ok(()));
    tile.vertices[8].y = -3e38;
    assert_eq!(tile.validate(), Err(TileError::NotFinite { item: "vertex", index: 8 }));
}

#[test]
fn a_connection_too_far_from_the_ground_is_not_linked() {
    let mut tile = tile(0, 0, &[".#.", ".#.", ".#."]);
    connect(&mut tile, [Vec3::new(1.5, 0.0, 1.5), Vec3::new(2.1, 0.0, 1.5)], BOTH_WAYS, 0xff);
    connect(&mut tile, [Vec3::new(0.5, 1.0, 1.5), Vec3::new(2.1, 0.0, 1.5)], BOTH_WAYS, 0xff);
    let mesh = mesh([tile]);
    for connection in [6, 7] {
        assert_eq!(linked(&mesh, mesh.poly_ref(0, connection).unwrap()), []);
    }
}

#[test]
fn a_connection_across_a_border_needs_both_tiles() {
    let mut from = tile(0, 0, &[".#", ".#"]);
    connect(&mut from, [Vec3::new(0.5, 0.0, 0.5), Vec3::new(3.5, 0.0, 0.5)], BOTH_WAYS, 0);
    let to = tile(1, 0, &["#.", "#."]);
    for (first, second) in [(&from, &to), (&to, &from)] {
        let mut mesh = mesh([first.clone(), second.clone()]);
        let connection_of = |mesh: &NavMesh| {
            let found = every_poly(mesh).into_iter().find(|&poly| {
                mesh.resolve(poly).is_some_and(|(tile, index)| index == 2 && tile.header.x == 0)
            });
            found.unwrap()
        };
        check_symmetric(&mesh);
        assert_eq!(linked(&mesh, connection_of(&mesh)).len(), 2);
        mesh.remove_tiles_at(TileCoord::new(1, 0));
        check_symmetric(&mesh);
        assert_eq!(linked(&mesh, connection_of(&mesh)).len(), 1);
        mesh.add_tile(Arc::new(to.clone())).unwrap();
        mesh.remove_tiles_at(TileCoord::new(0, 0));
        check_symmetric(&mesh);
        mesh.add_tile(Arc::new(from.clone())).unwrap();
        check_symmetric(&mesh);
        assert_eq!(linked(&mesh, connection_of(&mesh)).len(), 2);
    }
}

#[test]
fn layers_of_one_place_are_linked_over_their_borders() {
    let below = tile(0, 0, &["..", "##"]);
    let mut above = tile(0, 0, &["##", ".."]);
    above.header.layer = 1;
    // The upper edge of one coincides with the lower edge of the other.
    let mut below = below;
    for poly in &mut below.polys {
        poly.neighbors[1] = super::PORTAL_BIT | 2;
    }
    for poly in &mut above.polys {
        poly.neighbors[3] = super::PORTAL_BIT | 6;
    }
    let mesh = mesh([below, above]);
    check_symmetric(&mesh);
    assert!(linked(&mesh, mesh.poly_ref(0, 0).unwrap()).contains(&mesh.poly_ref(1, 0).unwrap()));
}

#[test]
fn obj_text_has_a_group_per_tile_and_a_face_per_triangle() {
    let text = super::format::obj::to_obj(&mesh(four_tiles()));
    let n = |start: &str| text.lines().filter(|line| line.starts_with(start)).count();
    assert_eq!((n("g "), n("v "), n("f "), n("l ")), (4, 36, 32, 0));
    let faces = text.lines().filter_map(|line| line.strip_prefix("f "));
    let largest = faces.flat_map(|face| face.split(' ').map(|n| n.parse::<usize>().unwrap())).max();
    assert!(largest.is_some_and(|largest| largest <= 36));
    assert!(super::format::obj::to_obj(&rooms(0)).contains("\nl 17 18\n"));
}

/// Portals are computed at the first query and kept up to date from then on.
#[test]
fn portals_keep_up_with_the_tiles() {
    let row = |x| tile(x, 0, &["...", ".#.", "#.."]);
    let mut jumps = row(1);
    connect(&mut jumps, [Vec3::new(3.9, 0.0, 1.5), Vec3::new(5.1, 0.0, 1.5)], 1, 0xff);
    let mut mesh = mesh([row(0), jumps, row(2)]);
    let check = |mesh: &NavMesh| {
        let fresh = NavMesh::from_bytes(&mesh.to_bytes()).unwrap();
        for (slot, tile) in mesh.slots() {
            for index in 0..tile.polys.len() {
                let poly = mesh.poly_ref(slot, index).unwrap();
                // The order differs, because the tiles were added in another order.
                let expected: Vec<PolyLink> = fresh.links(poly).collect();
                assert!(mesh.links(poly).all(|link| expected.contains(&link)), "{slot} {index}");
                assert_eq!(mesh.links(poly).count(), expected.len());
            }
        }
    };
    check(&mesh);
    for round in 0..9 {
        let gone = mesh.remove_tile(TileCoord::new(round % 3, 0), 0).unwrap();
        check(&mesh);
        mesh.add_tile(gone).unwrap();
        check(&mesh);
    }
}

/// A prepared navmesh stays prepared while tiles come and go.
#[test]
fn a_navmesh_is_prepared_once() {
    let mut mesh = mesh([tile(0, 0, &["...", ".#.", "#.."])]);
    assert!(!mesh.is_prepared());
    mesh.prepare_queries();
    mesh.add_tile(Arc::new(tile(1, 0, &["..."]))).unwrap();
    let gone = mesh.remove_tile(TileCoord::new(0, 0), 0);
    assert!(gone.is_some() && mesh.is_prepared() && mesh.clone().is_prepared());
}

/// A reference finds its portal, unless it is stale.
#[test]
fn portals_are_found_by_reference() {
    let row = |x| tile(x, 0, &["...", ".#.", "#.."]);
    let mut mesh = mesh([row(0), row(1)]);
    let found = |mesh: &NavMesh, from: PolyRef, to: PolyRef| {
        let between = mesh.portals().between(mesh.number(from).unwrap(), to);
        between.map(|(number, portal)| (mesh.ref_of(number), *portal))
    };
    let mut across = Vec::new();
    for from in every_poly(&mesh) {
        for link in mesh.links(from) {
            assert_eq!(found(&mesh, from, link.to), Some((link.to, link.portal)));
            across.extend((mesh.slot_of(from) < mesh.slot_of(link.to)).then_some((from, link.to)));
        }
        assert_eq!(found(&mesh, from, from), None);
    }
    assert!(!across.is_empty());
    let gone = mesh.remove_tile(TileCoord::new(1, 0), 0).unwrap();
    assert!(across.iter().all(|&(from, to)| found(&mesh, from, to).is_none()));
    mesh.add_tile(gone).unwrap();
    assert!(across.iter().all(|&(from, to)| found(&mesh, from, to).is_none()), "other salt");
}
