//! Adding and removing tiles in any order gives the same navmesh as building it from scratch.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{collections::BTreeMap, path::PathBuf, sync::Arc};

use glam::Vec3;
use proptest::prelude::*;
use walkable::{
    ids::TileCoord,
    navmesh::{NavMesh, PolyRef, Tile, format::RefWidth},
    query::{Filter, PathRequest, Scratch, find_path},
};

/// Returns meshes of more than one tile, one with off-mesh links.
fn folders() -> Vec<PathBuf> {
    let root = walkable_test_support::own_reference().join("cases");
    ["islands-linked", "city-tiled", "spiral-varied"].map(|name| root.join(name)).into()
}

fn read(folder: &std::path::Path) -> NavMesh {
    NavMesh::from_bytes(&std::fs::read(folder.join("navmesh.bin")).unwrap()).unwrap()
}

thread_local! { static MESHES: Vec<NavMesh> = folders().iter().map(|folder| read(folder)).collect(); }

/// Coordinate, layer and polygon index.
type Name = (i32, i32, i32, usize);

fn name(mesh: &NavMesh, poly: PolyRef) -> Name {
    let (tile, index) = mesh.resolve(poly).unwrap();
    (tile.header.x, tile.header.z, tile.header.layer, index)
}

/// Returns the links of each polygon, sorted, since their order depends on the order of adding tiles.
fn links(mesh: &NavMesh) -> BTreeMap<Name, Vec<String>> {
    let polys = mesh.slots().flat_map(|(slot, tile)| {
        (0..tile.polys.len()).map(move |poly| mesh.poly_ref(slot, poly).unwrap())
    });
    let links_of = |poly: PolyRef| {
        let mut links: Vec<String> = mesh
            .links(poly)
            .map(|link| {
                let to = name(mesh, link.to);
                format!("{to:?} {} {} {:?} {:?}", link.edge, link.side, link.limits, link.portal)
            })
            .collect();
        links.sort_unstable();
        (name(mesh, poly), links)
    };
    polys.map(links_of).collect()
}

fn place(tile: &Tile) -> (TileCoord, u32) {
    let header = &tile.header;
    let [x, z, layer] = [header.x, header.z, header.layer].map(|at| at.try_into().unwrap());
    (TileCoord::new(x, z), layer)
}

/// Returns tiles as stored in files, before a navmesh moves the ends of off-mesh links.
fn fresh(mesh: &NavMesh) -> Vec<Arc<Tile>> {
    mesh.slots().map(|(_, tile)| Arc::clone(tile)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_order_of_adding_and_removing_gives_the_same_links(
        which in any::<prop::sample::Index>(),
        moves in prop::collection::vec(any::<prop::sample::Index>(), 0..60),
        last in any::<u64>(),
        is_wide in any::<bool>(),
    ) {
        MESHES.with(|meshes| {
            let at_once = &meshes[which.index(meshes.len())];
            let tiles = fresh(at_once);
            let width = if is_wide { RefWidth::Bits64 } else { RefWidth::Bits32 };
            let mut mesh = NavMesh::with_width(*at_once.params(), width).unwrap();
            let mut stale: Vec<PolyRef> = Vec::new();
            for at in moves {
                let tile = &tiles[at.index(tiles.len())];
                let (coord, layer) = place(tile);
                if let Some(slot) = mesh.slot_at(coord, layer) {
                    stale.push(mesh.poly_ref(slot, 0).unwrap());
                    prop_assert!(mesh.remove_tile(coord, layer).is_some());
                } else {
                    mesh.add_tile(Arc::clone(tile)).unwrap();
                }
                prop_assert!(stale.iter().all(|&poly| mesh.resolve(poly).is_none()));
            }
            // The remaining tiles are added in random order.
            let mut rest: Vec<_> = (0..).zip(&tiles).collect();
            rest.sort_by_key(|&(index, _)| (last ^ index).wrapping_mul(0x9e37_79b9_7f4a_7c15));
            for (_, tile) in rest {
                let (coord, layer) = place(tile);
                if mesh.slot_at(coord, layer).is_none() {
                    mesh.add_tile(Arc::clone(tile)).unwrap();
                }
            }
            prop_assert!(links(&mesh) == links(at_once));
            prop_assert_eq!(mesh.stats().n_polys, at_once.stats().n_polys);
            prop_assert!(stale.iter().all(|&poly| mesh.resolve(poly).is_none()));
            let again = NavMesh::from_bytes(&mesh.to_bytes()).unwrap();
            prop_assert!(links(&again) == links(at_once));
            prop_assert_eq!(again.slots().map(|(slot, _)| slot).collect::<Vec<_>>(),
                mesh.slots().map(|(slot, _)| slot).collect::<Vec<_>>());
            Ok(())
        })?;
    }

    /// 32-bit and 64-bit references lead to the same paths over the same polygons.
    #[test]
    fn the_width_of_references_changes_no_path(
        which in any::<prop::sample::Index>(),
        ends in prop::array::uniform2(prop::array::uniform3(0.0f32..1.0)),
    ) {
        MESHES.with(|meshes| {
            let narrow = &meshes[which.index(meshes.len())];
            let mut wide = NavMesh::with_width(*narrow.params(), RefWidth::Bits64).unwrap();
            for tile in fresh(narrow) {
                wide.add_tile(tile).unwrap();
            }
            let bounds = narrow.bounds();
            let [start, end] = ends.map(|end| bounds.min + bounds.size() * Vec3::from_array(end));
            let filter = Filter::default();
            let request = PathRequest::new(start, end, &filter);
            let mut scratch = Scratch::default();
            let [a, b] = [narrow, &wide].map(|mesh| {
                let path = find_path(mesh, &request, &mut scratch).unwrap();
                let corridor: Vec<Name> =
                    path.corridor.iter().map(|&poly| name(mesh, poly)).collect();
                (corridor, path.points, path.status, path.why)
            });
            prop_assert_eq!(a, b);
            Ok(())
        })?;
    }
}

/// Compares the bytes of every tile's state with those of the C++ library.
#[test]
fn states_of_tiles_agree_with_the_reference() {
    for folder in folders() {
        let mut mesh = read(&folder);
        let slots: Vec<usize> = mesh.slots().map(|(slot, _)| slot).collect();
        let states: Vec<Vec<u8>> =
            slots.iter().map(|&slot| mesh.tile_state(slot).unwrap()).collect();
        let expected = std::fs::read(folder.join("state.bin")).unwrap();
        assert!(states.concat() == expected, "{}", folder.display());
        let before = mesh.to_bytes();
        for (&slot, state) in slots.iter().zip(&states) {
            mesh.set_flags(mesh.poly_ref(slot, 0).unwrap(), 0x1234);
            mesh.restore_tile_state(state).unwrap();
        }
        assert!(mesh.to_bytes() == before, "{}", folder.display());
    }
}
