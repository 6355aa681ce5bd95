use glam::Vec3;
use walkable_runtime::{
    ids::{Dir, RegionId},
    monitor::Unmonitored,
    navmesh::PORTAL_BIT,
};

use super::{outline::outlines, regions::LayerRegions, *};
use crate::bake::{CellRect, LayerLinks, RawArea};

/// An agent that climbs one cell.
const CLIMB_VX: u32 = 1;

/// Cells along a side of each character of a picture: outlines in layers of few cells are cut short.
const SCALE: u16 = 4;

/// Creates a layer of cells of 1 m, four by four of them for each character: a digit is a floor of that height, a
/// letter a floor of height 0 and that area, `.` nothing. Steps of up to a cell are links; `portals` lists sides of the
/// layer with portals.
fn layer(rows: &[&str], portals: &[Dir]) -> HeightLayer {
    let scale = usize::from(SCALE);
    let [n_x, n_z] = [rows[0].len(), rows.len()].map(|n| u32::try_from(n * scale).unwrap());
    let row = |row: &str| row.bytes().flat_map(|cell| vec![cell; scale]).collect::<Vec<u8>>();
    let cells: Vec<u8> = rows.iter().flat_map(|text| row(text).repeat(scale)).collect();
    let height = |cell: u8| match cell {
        b'.' => HeightLayer::NO_HEIGHT,
        b'0'..=b'9' => cell - b'0',
        _ => 0,
    };
    let area = |cell: u8| match cell {
        b'.' => RawArea::NULL,
        b'0'..=b'9' => RawArea::WALKABLE,
        letter => RawArea(letter - b'a' + 1),
    };
    let size = |n: u32| f32::from(u8::try_from(n).unwrap());
    let mut layer = HeightLayer {
        bounds: Aabb::new(Vec3::ZERO, Vec3::new(size(n_x), 9.0, size(n_z))),
        cell_size: 1.0,
        cell_height: 1.0,
        n_x,
        n_z,
        used: CellRect { min_x: 0, max_x: n_x - 1, min_z: 0, max_z: n_z - 1 },
        min_y_vx: 0,
        max_y_vx: 9,
        heights: cells.iter().map(|&cell| height(cell)).collect(),
        areas: cells.iter().map(|&cell| area(cell)).collect(),
        links: vec![LayerLinks::default(); cells.len()],
    };
    for z in 0..n_z {
        for x in 0..n_x {
            let cell = layer.cell_index(x, z);
            for dir in Dir::ALL.into_iter().filter(|_| layer.areas[cell].is_walkable()) {
                match layer.neighbor_cell((x, z), dir) {
                    Some(next) if layer.heights[cell].abs_diff(layer.heights[next]) <= 1 => {
                        layer.links[cell].0 |= 1 << dir as u8;
                    }
                    None if portals.contains(&dir) => layer.links[cell].0 |= 0x10 << dir as u8,
                    _ => {}
                }
            }
        }
    }
    layer
}

fn regions(layer: &HeightLayer) -> LayerRegions {
    regions::cut(layer, CLIMB_VX, &Unmonitored).unwrap()
}

/// Checks the regions of all characters, a digit each.
#[track_caller]
fn check_regions(rows: &[&str], expected: &[&str]) {
    let layer = layer(rows, &[]);
    let ids = regions(&layer).ids;
    let digit = |id: &RegionId| if id.0 == 0 { ".".to_owned() } else { id.0.to_string() };
    let scale = usize::from(SCALE);
    let every_row = ids.chunks(rows[0].len() * scale).step_by(scale);
    let shown: Vec<String> =
        every_row.map(|row| row.iter().step_by(scale).map(digit).collect()).collect();
    assert_eq!(shown, expected);
}

fn tile_of(layer: &HeightLayer, max_error: f32) -> MeshedLayer {
    let meshing = LayerMeshing {
        agent_height: 2.0,
        agent_radius: 0.0,
        agent_max_climb: 1.0,
        edge_max_error: max_error,
        off_mesh: Vec::new(),
        area_flags: AreaFlags::default(),
    };
    mesh_layer(layer, TileCoord::new(2, 3), 4, &meshing, &Unmonitored).unwrap()
}

#[test]
fn strips_that_touch_once_are_one_region() {
    // The strip to the right of the hole touches the others twice; with it the hole would be closed.
    check_regions(&["0000", "00.0", "0000"], &["2222", "22.1", "2222"]);
    check_regions(&["000", "000"], &["111", "111"]);
    check_regions(&["00.00", "00000"], &["11.11", "11111"]);
}

#[test]
fn regions_end_where_ground_or_area_does() {
    check_regions(&["0033", "0000"], &["1122", "1111"]);
    check_regions(&["00aa", "00aa"], &["1122", "1122"]);
    check_regions(&["0.0", "..."], &["1.2", "..."]);
    check_regions(&["...", "..."], &["...", "..."]);
}

#[test]
fn too_many_strips_are_an_error_that_says_so() {
    let rows: Vec<String> = (0..32)
        .map(|z| (0..20).map(|x| if (x + z) % 2 == 0 { '0' } else { '.' }).collect())
        .collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let error = regions::cut(&layer(&rows, &[]), CLIMB_VX, &Unmonitored).unwrap_err();
    let StageError::Limit(limit) = error else { unreachable!("{error:?}") };
    assert_eq!((limit.value, limit.limit), (320, 255));
}

/// Checks the corners of all outlines, as x and z in characters.
#[track_caller]
fn check_outlines(layer: &HeightLayer, max_error: f32, expected: &[&[[u16; 2]]]) {
    let found = outlines(layer, &regions(layer), CLIMB_VX, max_error);
    let corners = |outline: &Outline| -> Vec<[u16; 2]> {
        outline.corners.iter().map(|c| [c.place[0] / SCALE, c.place[2] / SCALE]).collect()
    };
    assert_eq!(found.iter().map(corners).collect::<Vec<_>>(), expected);
}

#[test]
fn outlines_run_around_their_region() {
    let square = layer(&["00", "00"], &[]);
    check_outlines(&square, 0.1, &[&[[0, 0], [0, 2], [2, 2], [2, 0]]]);
    let stair = layer(&["0...", "00..", "000.", "0000"], &[]);
    check_outlines(&stair, 4.0, &[&[[0, 0], [0, 4], [4, 4]]]);
    let exact = outlines(&stair, &regions(&stair), CLIMB_VX, 0.1);
    assert_eq!(exact[0].corners.len(), 10);
}

#[test]
fn corners_take_the_highest_cell_in_reach() {
    let slope = layer(&["01", "23"], &[]);
    let found = outlines(&slope, &regions(&slope), CLIMB_VX, 0.1);
    let heights: Vec<_> = found.iter().flat_map(|o| &o.corners).map(|c| c.place[1]).collect();
    assert!(heights.contains(&3) && heights.iter().all(|&height| height <= 3), "{heights:?}");
}

#[test]
fn a_square_is_one_polygon_with_portals_where_the_layer_leads_on() {
    let made = tile_of(&layer(&["000", "000", "000"], &[Dir::East, Dir::South]), 1.0);
    assert_eq!(made.warnings, []);
    let tile = made.tile.unwrap();
    tile.validate().unwrap();
    assert_eq!((tile.header.x, tile.header.z, tile.header.layer), (2, 3, 4));
    assert_eq!((tile.polys.len(), tile.bv_nodes.len(), tile.detail_triangles.len()), (1, 0, 2));
    let mut neighbors = tile.polys[0].neighbors[..4].to_vec();
    neighbors.sort_unstable();
    // East is side 0 in tile data and south side 6.
    assert_eq!(neighbors, [0, 0, PORTAL_BIT, PORTAL_BIT | 6]);
}

#[test]
fn polygons_of_regions_that_touch_are_neighbors() {
    let tile = tile_of(&layer(&["0000", "00.0", "0000"], &[]), 0.1).tile.unwrap();
    tile.validate().unwrap();
    for (index, poly) in (1_u16..).zip(&tile.polys) {
        let n = usize::from(poly.n_vertices);
        for &other in poly.neighbors[..n].iter().filter(|&&other| other != 0) {
            assert!(tile.polys[usize::from(other) - 1].neighbors.contains(&index));
        }
    }
    let area: f32 = tile
        .polys
        .iter()
        .map(|poly| {
            let corners: Vec<Vec3> =
                poly.vertices().iter().map(|&v| tile.vertices[usize::from(v)]).collect();
            let fan = (2..corners.len()).map(|i| {
                (corners[i - 1] - corners[0]).cross(corners[i] - corners[0]).length() * 0.5
            });
            fan.sum::<f32>()
        })
        .sum();
    assert!((area - 11.0 * 16.0).abs() < 1e-3, "{area}");
}

#[test]
fn the_polygons_are_those_of_the_tile_in_its_order() {
    let made = tile_of(&layer(&["0000", "00.0", "0033"], &[Dir::South]), 0.1);
    let tile = made.tile.unwrap();
    let mesh = &made.polygons;
    assert!(mesh.polygons.iter().any(|polygon| polygon.region != mesh.polygons[0].region));
    assert_eq!(tile.polys.len(), mesh.polygons.len());
    for (poly, polygon) in tile.polys.iter().zip(&mesh.polygons) {
        let corners = polygon.vertices.iter().map(|&vertex| mesh.world_vertex(vertex));
        assert_eq!(tile.corners(poly).to_vec(), corners.collect::<Vec<_>>());
    }
}

#[test]
fn areas_become_separate_polygons() {
    let tile = tile_of(&layer(&["00aa", "00aa"], &[Dir::South]), 0.1).tile.unwrap();
    assert_eq!((tile.polys.len(), tile.vertices.len()), (2, 6));
    let mut areas: Vec<u8> = tile.polys.iter().map(|poly| poly.area.0).collect();
    areas.sort_unstable();
    assert_eq!(areas, [0, 1]);
}

#[test]
fn a_layer_without_ground_makes_no_tile() {
    let made = tile_of(&layer(&["..", ".."], &[]), 1.0);
    assert_eq!((made.tile, made.warnings), (None, Vec::new()));
}
