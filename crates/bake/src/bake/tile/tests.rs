use std::sync::LazyLock;

use walkable_runtime::{ids::AreaId, monitor::Unmonitored};

use super::*;
use crate::bake::{
    AreaFlags,
    contour::build_contours,
    detail::build_detail,
    pictures::{Picture, picture, picture_with},
    polymesh::build_polymesh,
};

/// Returns the kinds of polygons with the default flags.
fn kinds() -> PolygonKinds<'static> {
    static FLAGS: LazyLock<AreaFlags> = LazyLock::new(AreaFlags::default);
    PolygonKinds::by_area(&FLAGS)
}

const COORD: TileCoord = TileCoord::new(3, 4);
const AGENT: TileAgent = TileAgent { height: 2.0, radius: 0.5, max_climb: 0.9 };

fn stages_of(picture: &Picture, max_verts_per_poly: usize) -> (PolyMesh, DetailMesh) {
    let (set, _) = build_contours(picture.for_contours(), 0.5, 0, &Unmonitored).unwrap();
    let (mesh, _) = build_polymesh(&set, max_verts_per_poly, &Unmonitored).unwrap();
    let (detail, _) = build_detail(&mesh, picture.for_detail(), [2.0, 0.5], &Unmonitored).unwrap();
    (mesh, detail)
}

fn tile_of(picture: &Picture, links: &[OffMeshLink]) -> Tile {
    let (mesh, detail) = stages_of(picture, 6);
    let (tile, warnings) =
        build_tile(&mesh, Some(&detail), (links, kinds()), AGENT, COORD.into()).unwrap();
    assert_eq!(warnings, []);
    let tile = tile.unwrap();
    tile.validate().unwrap();
    tile
}

fn link(start: Vec3, end: Vec3) -> OffMeshLink {
    OffMeshLink {
        start,
        end,
        radius: 0.5,
        bidirectional: true,
        area: AreaId(5),
        flags: 8,
        user_id: 1000,
    }
}

#[test]
fn nothing_to_walk_on_is_no_tile() {
    let (mesh, detail) = stages_of(&picture("... ..."), 6);
    assert_eq!(
        build_tile(&mesh, Some(&detail), (&[], kinds()), AGENT, COORD.into()),
        Ok((None, Vec::new()))
    );
}

#[test]
fn many_corners_are_no_tile_but_a_warning() {
    let (mesh, detail) = stages_of(&picture("AAA AAA AAA"), 7);
    let (tile, warnings) =
        build_tile(&mesh, Some(&detail), (&[], kinds()), AGENT, COORD.into()).unwrap();
    assert!(tile.is_none() && warnings.len() == 1);
}

#[test]
fn a_square_on_a_tile_has_four_portals() {
    let text = "133332 1AAAA2 1AAAA2 1AAAA2 144442";
    let tile = tile_of(&picture_with(text, 1, |_, _| 0), &[]);
    let mut neighbors = tile.polys[0].neighbors;
    neighbors[..4].sort_unstable();
    assert_eq!(neighbors, [0x8000, 0x8002, 0x8004, 0x8006, 0, 0]);
    assert_eq!((tile.header.x, tile.header.z, tile.header.max_link_count), (3, 4, 12));
    assert_eq!(tile.bv_nodes.len(), 2);
}

#[test]
fn an_edge_that_borders_on_its_own_polygon_is_closed_with_room_for_links() {
    let (mut mesh, detail) = stages_of(&picture("AAA AAA AAA"), 6);
    mesh.polygons[0].edges[1] = Edge::Itself;
    let (tile, _) = build_tile(&mesh, Some(&detail), (&[], kinds()), AGENT, COORD.into()).unwrap();
    let tile = tile.unwrap();
    assert_eq!((tile.polys[0].neighbors, tile.header.max_link_count), ([0; 6], 4 + 2));
}

#[test]
fn neighbors_are_counted_from_one_and_areas_have_flags() {
    let tile = tile_of(&picture("AAAbbb AAAbbb AAAbbb"), &[]);
    let [first, second] = [&tile.polys[0], &tile.polys[1]];
    assert!(first.neighbors.contains(&2) && second.neighbors.contains(&1));
    assert_eq!(
        [(first.area, first.flags), (second.area, second.flags)],
        [(AreaId(0), 1), (AreaId(5), 1)]
    );
}

#[test]
fn detail_does_not_repeat_corners() {
    let bumpy = |x: u32, z: u32| u16::try_from((x * z) % 4).unwrap();
    let tile = tile_of(&picture_with(&["AAAAAAAAAAAAAAAA"; 16].join(" "), 0, bumpy), &[]);
    let own: usize = tile.detail_patches.iter().map(|p| usize::from(p.n_vertices)).sum();
    assert!(own > 0);
    assert_eq!(own, tile.detail_vertices.len());
}

#[test]
fn links_that_start_in_the_tile_become_polygons() {
    let square = picture("AAAA AAAA AAAA AAAA");
    let links = [
        link(Vec3::new(1.0, 1.0, 1.0), Vec3::new(3.0, 1.0, 3.0)),
        link(Vec3::new(1.0, 50.0, 1.0), Vec3::new(3.0, 1.0, 3.0)),
        link(Vec3::new(9.0, 1.0, 1.0), Vec3::new(3.0, 1.0, 3.0)),
        link(Vec3::new(2.0, 1.0, 2.0), Vec3::new(-3.0, 1.0, 3.0)),
    ];
    let tile = tile_of(&square, &links);
    assert_eq!(tile.off_mesh.len(), 2, "the second is too high, the third starts outside");
    assert_eq!(tile.polys.len(), 3);
    assert_eq!([tile.off_mesh[0].side, tile.off_mesh[1].side], [INSIDE_SIDE, 4]);
    assert_eq!(tile.polys[2].vertices(), [6, 7]);
    let n_edges = 4;
    assert_eq!(tile.header.max_link_count, n_edges + 2 * (2 + 3));
}

const INSIDE_SIDE: u8 = 0xff;

#[test]
fn too_many_polygons_are_refused() {
    let (mut mesh, mut detail) = stages_of(&picture("AAA AAA AAA"), 6);
    mesh.polygons = vec![mesh.polygons[0].clone(); MAX_POLYGONS + 1];
    detail.patches = vec![detail.patches[0]; MAX_POLYGONS + 1];
    let error = build_tile(&mesh, Some(&detail), (&[], kinds()), AGENT, COORD.into()).unwrap_err();
    assert!(matches!(error, Limit { value: 32_768, limit: 32_767, .. }));
}
