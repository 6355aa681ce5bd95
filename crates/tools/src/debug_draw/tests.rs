#![expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::float_cmp,
    reason = "the pictures are small and their numbers exact"
)]

use std::sync::Arc;

use glam::{Vec3, vec3};
use walkable_bake::bake::{
    CellRect, CompactField, Contour, ContourSet, ContourVertex, DetailMesh, DetailRange,
    DistanceField, Edge, GridFrame, HeightLayer, HeightLayerSet, Heightfield, MeshPolygon,
    OpenSpan, PolyMesh, RawArea, Regions, Span, TriangleSlopes,
};
use walkable_mesh::TriMesh;
use walkable_runtime::{
    geom::Aabb,
    ids::{AreaId, RegionId, TileCoord},
    navmesh::{
        self, NO_NEIGHBOR, NavMesh, NavMeshParams, PORTAL_BIT, Poly, PolyKind, Portal, Tile,
        TileHeader,
    },
    query::{Expansion, NavPath, PathStatus},
};

use crate::debug_draw::{self, DrawList, Paint};

const GROUND: RawArea = RawArea::WALKABLE;
const NONE: RawArea = RawArea::NULL;

/// Returns a frame from the origin on, with cells of 0.5 m and a cell height of 0.2 m.
fn frame(n_x: u32, n_z: u32, border_vx: u32) -> GridFrame {
    let bounds = Aabb::new(Vec3::ZERO, vec3(n_x as f32 * 0.5, 2.0, n_z as f32 * 0.5));
    GridFrame { bounds, cell_size: 0.5, cell_height: 0.2, n_x, n_z, border_vx }
}

/// Creates a field with one span per cell. Each character of the picture is its floor height, `.` for no span.
fn field(border_vx: u32, rows: &[&str]) -> CompactField {
    let frame = frame(rows[0].len() as u32, rows.len() as u32, border_vx);
    let (mut starts, mut spans) = (vec![0], Vec::new());
    for cell in rows.iter().flat_map(|row| row.bytes()) {
        if cell != b'.' {
            let floor_vx = u16::from(cell - b'0');
            spans.push(OpenSpan { floor_vx, clearance_vx: 255 });
        }
        starts.push(spans.len() as u32);
    }
    let links = vec![[CompactField::NO_LINK; 4]; spans.len()];
    CompactField::new(frame, [10, 4], (starts, spans), &links)
}

fn n_painted(list: &DrawList, paint: Paint) -> usize {
    let triangles = list.triangles.iter().map(|t| t.paint);
    let lines = list.lines.iter().map(|l| l.paint);
    let points = list.points.iter().map(|p| p.paint);
    let blocks = list.blocks.iter().map(|b| b.paint);
    triangles.chain(lines).chain(points).chain(blocks).filter(|&p| p == paint).count()
}

fn surface(list: &DrawList) -> f32 {
    let area = |[a, b, c]: [Vec3; 3]| (b - a).cross(c - a).length() * 0.5;
    list.triangles.iter().map(|triangle| area(triangle.corners)).sum()
}

#[test]
fn equal_floors_next_to_each_other_become_one_quad() {
    let field = field(0, &["1112", "111."]);
    let list = debug_draw::compact(&field, &[GROUND; 7]);
    assert_eq!(list.triangles.len(), 2 * 2, "three by two cells of height 1, one of height 2");
    assert_eq!(surface(&list), 7.0 * 0.25);
    let tops = list.triangles.iter().filter(|t| t.corners[0].y > 0.3).count();
    assert_eq!(tops, 2, "the floor of height 2");
}

#[test]
fn cells_have_edges_and_those_without_a_link_stand_out() {
    let (frame, starts) = (frame(4, 2, 0), vec![0, 1, 2, 3, 3, 4, 5, 5, 5]);
    let spans = [1, 1, 4, 1, 1].map(|floor_vx| OpenSpan { floor_vx, clearance_vx: 255 }).to_vec();
    let no = CompactField::NO_LINK;
    // The first two columns are linked. The third cell is higher; the fourth has no span.
    let links = [[no, 0, 0, no], [0, 0, no, no], [no; 4], [no, no, 0, 0], [0, no, no, 0]];
    let field = CompactField::new(frame, [10, 4], (starts, spans), &links);
    let list = debug_draw::compact(&field, &[GROUND; 5]);
    let mut found: Vec<_> = list.lines.iter().map(|line| (line.paint, line.a, line.b)).collect();
    found.sort_by_key(|(paint, a, _)| (format!("{paint:?}"), a.y.to_bits(), a.x.to_bits()));
    let expected = [
        (Paint::CellEdge, vec3(0.0, 0.2, 0.5), vec3(1.0, 0.2, 0.5)),
        (Paint::CellEdge, vec3(0.5, 0.2, 0.0), vec3(0.5, 0.2, 1.0)),
        (Paint::MissingLink, vec3(1.0, 0.2, 0.0), vec3(1.0, 0.2, 0.5)),
        (Paint::MissingLink, vec3(1.0, 0.8, 0.0), vec3(1.0, 0.8, 0.5)),
    ];
    assert_eq!(found, expected, "edges in a row are one line");
}

#[test]
fn floors_on_the_border_belong_to_other_tiles() {
    let field = field(1, &["111", "151", "111"]);
    let list = debug_draw::compact(&field, &[GROUND; 9]);
    assert_eq!(surface(&list), 0.25);
    assert_eq!(list.bounds(), Aabb::new(vec3(0.5, 1.0, 0.5), vec3(1.0, 1.0, 1.0)));
}

#[test]
fn floors_are_painted_by_area_and_by_what_erosion_took() {
    let field = field(0, &["1111"]);
    let areas = [GROUND, RawArea(3), NONE, GROUND];
    let list = debug_draw::compact(&field, &areas);
    assert_eq!(n_painted(&list, Paint::Area(AreaId(0))), 4);
    assert_eq!(n_painted(&list, Paint::Area(AreaId(3))), 2);
    assert_eq!(n_painted(&list, Paint::Blocked), 2);
    let list = debug_draw::eroded(&field, &areas, &[NONE, RawArea(3), NONE, GROUND]);
    assert_eq!(n_painted(&list, Paint::Lost), 2);
    assert_eq!(list.triangles.len(), 6, "what was blocked before is not drawn");
}

#[test]
fn distance_is_a_part_of_the_largest() {
    let field = field(0, &["1111"]);
    let values = DistanceField { distances: vec![0, 2, 4, 4], max: 4 };
    let list = debug_draw::distance(&field, &[GROUND, GROUND, GROUND, NONE], &values);
    let paints: Vec<Paint> = list.triangles.iter().step_by(2).map(|t| t.paint).collect();
    assert_eq!(paints, [0.0, 0.5, 1.0].map(Paint::Scalar));
    let flat = DistanceField { distances: vec![0; 4], max: 0 };
    assert_eq!(debug_draw::distance(&field, &[GROUND; 4], &flat).triangles.len(), 2);
}

#[test]
fn regions_have_hues_that_differ_between_tiles() {
    let field = field(0, &["1111"]);
    let ids = vec![RegionId(1), RegionId(2), RegionId::NONE, RegionId(1)];
    let regions = Regions { ids, max: 2 };
    let here = debug_draw::regions(&field, &regions, TileCoord::new(0, 0));
    let there = debug_draw::regions(&field, &regions, TileCoord::new(1, 0));
    assert_eq!(here.triangles.len(), 6);
    assert_eq!(here.triangles[0].paint, here.triangles[4].paint, "one region, one hue");
    assert_ne!(here.triangles[0].paint, here.triangles[2].paint);
    assert_ne!(here.triangles[0].paint, there.triangles[0].paint);
}

#[test]
fn spans_become_blocks_and_lost_ones_are_marked() {
    let span = |min_vx, max_vx, area| Span { min_vx, max_vx, area };
    let spans = vec![span(0, 2, GROUND), span(5, 6, NONE), span(0, 1, RawArea(2))];
    let before = Heightfield { frame: frame(2, 1, 0), starts: vec![0, 2, 3], spans };
    let mut after = before.clone();
    after.spans[0].area = NONE;
    let list = debug_draw::spans(&before);
    assert_eq!(list.blocks.len(), 3);
    let corners = |block: &debug_draw::Block| (block.min, block.max);
    let all: Vec<(Vec3, Vec3)> = list.blocks.iter().map(corners).collect();
    assert!(all.contains(&(vec3(0.0, 1.0, 0.0), vec3(0.5, 1.2, 0.5))), "{all:?}");
    assert!(all.contains(&(vec3(0.5, 0.0, 0.0), vec3(1.0, 0.2, 0.5))), "{all:?}");
    let list = debug_draw::filtered(&before, &after);
    for paint in [Paint::Lost, Paint::Blocked, Paint::Area(AreaId(2))] {
        assert_eq!(n_painted(&list, paint), 1);
    }
}

#[test]
fn outlines_start_inside_the_border_and_dash_where_tiles_meet() {
    let vertex = |x, z, region| ContourVertex { x, y: 0, z, region_and_flags: region };
    let border = u32::from(RegionId::BORDER_BIT);
    let corners = vec![vertex(0, 0, border), vertex(0, 2, 0), vertex(2, 2, 7)];
    let contour =
        Contour { region: RegionId(1), area: GROUND, vertices: corners.clone(), raw: corners };
    let set = ContourSet { frame: frame(4, 4, 1), contours: vec![contour], max_error: 1.3 };
    let list = debug_draw::contours(&set, TileCoord::new(0, 0));
    assert_eq!((list.lines.len(), list.points.len()), (6, 3));
    assert_eq!(list.points[0].at, vec3(0.5, 0.0, 0.5));
    let (under, lines) = list.lines.split_at(3);
    assert!(under.iter().all(|line| line.paint == Paint::RawContour && line.width == 1.0));
    let dashed: Vec<bool> = lines.iter().map(|l| l.dashed).collect();
    assert_eq!(dashed, [true, false, false]);
    assert!(lines[1].width > lines[2].width, "walls are wider than region borders");
    let raw = debug_draw::raw_contours(&set, TileCoord::new(0, 0));
    assert_eq!((raw.lines.len(), raw.points.len()), (3, 3));
    let same_hue = |line: &debug_draw::Line| line.paint == lines[0].paint && line.width == 2.0;
    assert!(raw.lines.iter().all(same_hue), "{:?}", raw.lines);
}

/// Returns two triangles that share the edge from corner 0 to corner 2.
fn two_polygons() -> PolyMesh {
    let polygon = |vertices: [u16; 3], edges: [Edge; 3]| MeshPolygon {
        vertices: vertices.into_iter().collect(),
        edges: edges.into_iter().collect(),
        region: RegionId(1),
        area: GROUND,
    };
    PolyMesh {
        origin: Vec3::ZERO,
        bounds_max: vec3(2.0, 1.0, 2.0),
        cell_size: 0.5,
        cell_height: 0.2,
        max_verts_per_poly: 6,
        border_vx: 0,
        max_edge_error: 1.3,
        vertices: vec![[0, 0, 0], [0, 0, 4], [4, 0, 4], [4, 0, 0]],
        polygons: vec![
            polygon([0, 1, 2], [Edge::Boundary, Edge::Portal(1), Edge::Neighbor(1)]),
            polygon([0, 2, 3], [Edge::Neighbor(0), Edge::Boundary, Edge::Boundary]),
        ],
    }
}

#[test]
fn polygons_draw_a_shared_edge_once() {
    let list = debug_draw::polygons(&two_polygons());
    assert_eq!((list.triangles.len(), list.points.len()), (2, 4));
    assert_eq!(n_painted(&list, Paint::InnerEdge), 1);
    assert_eq!(n_painted(&list, Paint::PortalEdge), 1);
    assert_eq!(list.lines.len(), 5);
    assert_eq!(surface(&list), 4.0);
}

#[test]
fn detail_tells_edges_of_polygons_from_its_own() {
    let polygons = two_polygons();
    let middle = vec3(0.5, 0.1, 1.0);
    let corners = [0, 1, 2].map(|i| polygons.world_vertex(i));
    let vertices = [corners.as_slice(), &[middle]].concat();
    let patch = DetailRange { first_vertex: 0, n_vertices: 4, first_triangle: 0, n_triangles: 3 };
    let triangles = vec![[0, 1, 3, 0b1], [1, 2, 3, 0b1], [2, 0, 3, 0b1]];
    let mesh = DetailMesh { patches: vec![patch], vertices, triangles };
    let list = debug_draw::detail(&polygons, &mesh);
    assert_eq!((list.triangles.len(), list.points.len()), (3, 1));
    assert_eq!(n_painted(&list, Paint::InnerEdge), 3);
    assert_eq!(list.lines.len(), 9);
    let cut = DetailRange { n_triangles: 9, ..patch };
    let broken = DetailMesh { patches: vec![cut], ..mesh };
    assert!(debug_draw::detail(&polygons, &broken).triangles.is_empty(), "a range too long");
}

/// Returns the polygons of [`two_polygons`] as tile data; the first has a detail vertex on its portal edge.
fn two_polygon_tile() -> Tile {
    let poly = |vertices: [u16; 3], neighbors: [u16; 3], area| Poly {
        vertices: [vertices[0], vertices[1], vertices[2], 0, 0, 0],
        neighbors: [neighbors[0], neighbors[1], neighbors[2], 0, 0, 0],
        flags: 1,
        n_vertices: 3,
        area,
        kind: PolyKind::Ground,
    };
    let patch = |first_vertex, n_vertices, first_triangle, n_triangles| navmesh::DetailPatch {
        first_vertex,
        first_triangle,
        n_vertices,
        n_triangles,
    };
    let bounds = Aabb::new(Vec3::ZERO, vec3(2.0, 1.0, 2.0));
    Tile {
        header: TileHeader {
            x: 0,
            z: 0,
            layer: 0,
            user_id: 0,
            max_link_count: 0,
            off_mesh_base: 2,
            walkable_height: 2.0,
            walkable_radius: 0.5,
            walkable_climb: 0.5,
            bounds,
            bv_quant_factor: 2.0,
        },
        vertices: vec![Vec3::ZERO, vec3(0.0, 0.0, 2.0), vec3(2.0, 0.0, 2.0), vec3(2.0, 0.0, 0.0)],
        polys: vec![
            poly([0, 1, 2], [NO_NEIGHBOR, PORTAL_BIT | 1, 2], AreaId(0)),
            poly([0, 2, 3], [1, NO_NEIGHBOR, NO_NEIGHBOR], AreaId(5)),
        ],
        detail_patches: vec![patch(0, 1, 0, 2), patch(1, 0, 2, 1)],
        detail_vertices: vec![vec3(1.0, 0.3, 2.001)],
        detail_triangles: vec![[0, 1, 3, 0b00_01_01], [0, 3, 2, 0b01_01_00], [0, 1, 2, 0b01_01_01]],
        bv_nodes: Vec::new(),
        off_mesh: Vec::new(),
    }
}

#[test]
fn tiles_draw_edges_along_their_detail() {
    let list = debug_draw::tile(&two_polygon_tile());
    assert_eq!(list.triangles.len(), 3);
    assert_eq!(n_painted(&list, Paint::Area(AreaId(5))), 1);
    assert_eq!(n_painted(&list, Paint::BoundaryEdge), 3);
    assert_eq!(n_painted(&list, Paint::PortalEdge), 2, "the portal bends at the detail vertex");
    assert_eq!(n_painted(&list, Paint::InnerEdge), 1);
    let highest = list.lines.iter().flat_map(|l| [l.a.y, l.b.y]).fold(0.0, f32::max);
    assert_eq!(highest, 0.3);
}

#[test]
fn paths_have_two_ends_and_discs_on_their_corners() {
    let path = NavPath {
        status: PathStatus::Complete,
        why: None,
        start: None,
        end: None,
        corridor: Vec::new(),
        portals: vec![Portal { left: Vec3::ZERO, right: Vec3::X }],
        points: vec![Vec3::ZERO, Vec3::X, Vec3::ONE],
        length: 2.0,
        cost: 2.0,
        n_expanded: 0,
    };
    let list = debug_draw::path(&path);
    assert_eq!((list.lines.len(), list.points.len()), (2, 1));
    let list = debug_draw::portals(&path.portals);
    assert_eq!((list.lines.len(), list.points.len()), (1, 2));
}

#[test]
fn searched_polygons_are_filled_in_order_and_a_large_tree_is_left_out() {
    let mut tile = two_polygon_tile();
    tile.polys[0].neighbors[1] = NO_NEIGHBOR;
    let mut mesh = NavMesh::new(NavMeshParams::solo(&tile)).unwrap();
    mesh.add_tile(Arc::new(tile)).unwrap();
    let node = |number: u32| Expansion {
        poly: mesh.poly_ref(0, number as usize % 2).unwrap(),
        position: vec3(number as f32, 0.0, 0.0),
        g: 0.0,
        f: 0.0,
        parent: number.checked_sub(1),
        state: 0,
    };
    let nodes: Vec<_> = (0..151).map(node).collect();
    let small = debug_draw::expanded(&mesh, &nodes[..3]);
    let fills: Vec<_> = small.triangles.iter().map(|triangle| triangle.paint).collect();
    assert_eq!(fills, [0.0, 0.0, 0.5].map(Paint::Expanded), "each polygon once");
    assert_eq!((small.lines.len(), small.points.len()), (2, 3));
    assert_eq!(debug_draw::expanded(&mesh, &nodes[..150]).points.len(), 150);
    let large = debug_draw::expanded(&mesh, &nodes);
    assert_eq!((large.triangles.len(), large.lines.len(), large.points.len()), (3, 0, 0));
}

/// Returns a floor and a wall that meet along one edge, with vertices of their own.
fn corner_mesh() -> TriMesh {
    let vertices = vec![
        vec3(0.0, -0.0, 0.0),
        vec3(0.0, 0.0, 1.0),
        vec3(1.0, 0.0, 0.0),
        vec3(0.0, 0.0, 0.0),
        vec3(0.0, 1.0, 0.0),
        vec3(0.0, 0.0, 1.0),
        vec3(1.0, 0.0, 1.0),
    ];
    TriMesh::new(vertices, vec![[0, 1, 2], [3, 4, 5], [2, 1, 6], [0, 0, 1]]).unwrap()
}

#[test]
fn slopes_tint_triangles() {
    let slopes = TriangleSlopes { triangles: vec![0, 1, 99], areas: vec![GROUND, NONE, NONE] };
    let list = debug_draw::slope(&corner_mesh(), &slopes);
    assert_eq!(n_painted(&list, Paint::LevelWalkable), 1);
    assert_eq!(n_painted(&list, Paint::LevelSteep), 1);
}

#[test]
fn bends_and_open_edges_are_features_and_flat_seams_are_not() {
    let edges = debug_draw::feature_edges(&corner_mesh(), 30f32.to_radians());
    let seam = [vec3(0.0, 0.0, 1.0), vec3(1.0, 0.0, 0.0)];
    let bend = [vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 1.0)];
    let has = |[a, b]: [Vec3; 2]| edges.contains(&[a, b]) || edges.contains(&[b, a]);
    assert!(has(bend) && !has(seam));
    assert_eq!(edges.len(), 6, "the bend and five open edges");
    assert_eq!(
        debug_draw::feature_edges(&corner_mesh(), 1.6).len(),
        5,
        "the bend is a right angle"
    );
}

#[test]
fn boxes_have_twelve_edges() {
    let bounds = Aabb::new(Vec3::ZERO, Vec3::ONE);
    let list = debug_draw::outline(&bounds);
    assert_eq!(list.lines.len(), 12);
    assert!(list.lines.iter().all(|line| line.dashed && line.a.distance(line.b) == 1.0));
    assert_eq!(list.bounds(), bounds);
}

#[test]
fn each_height_layer_is_a_picture_of_its_own() {
    let field = field(0, &["00.", "000"]);
    let set = HeightLayerSet {
        layers: vec![layer(), layer()],
        layer_of_span: vec![Some(0), Some(0), Some(1), None, Some(0)],
        n_hidden: 0,
    };
    let lists = debug_draw::height_layers(&field, &set, TileCoord::new(0, 0));
    assert_eq!(lists.iter().map(surface).collect::<Vec<_>>(), [0.75, 0.25]);
    let paint_of = |list: &DrawList| list.triangles[0].paint;
    assert_ne!(paint_of(&lists[0]), paint_of(&lists[1]));
}

/// Returns a layer without cells.
fn layer() -> HeightLayer {
    HeightLayer {
        bounds: Aabb::new(Vec3::ZERO, Vec3::ONE),
        cell_size: 0.5,
        cell_height: 0.2,
        n_x: 0,
        n_z: 0,
        used: CellRect::default(),
        min_y_vx: 0,
        max_y_vx: 0,
        heights: Vec::new(),
        areas: Vec::new(),
        links: Vec::new(),
    }
}

#[test]
fn colors_are_as_requested_and_edges_stay() {
    let ground = two_polygon_tile();
    let plain = debug_draw::tile(&ground);
    let painted = debug_draw::painted_tile(&ground, |index, corners| {
        assert!(index < 2);
        assert!(corners.iter().all(|corner| corner.is_finite()));
        Paint::Scalar(0.5)
    });
    assert!(painted.triangles.iter().all(|triangle| triangle.paint == Paint::Scalar(0.5)));
    assert_eq!(painted.lines, plain.lines);
    assert_eq!(painted.triangles.len(), plain.triangles.len());
}

#[test]
fn a_box_has_twelve_edges_dashed_or_not() {
    let bounds = Aabb::new(Vec3::ZERO, vec3(1.0, 2.0, 3.0));
    let edges = debug_draw::edges(&bounds, 2.0, Paint::Accent);
    assert_eq!(n_painted(&edges, Paint::Accent), 12);
    assert!(edges.lines.iter().all(|line| line.width == 2.0 && !line.dashed));
    assert!(debug_draw::frame(&bounds, Paint::Bounds).lines.iter().all(|line| line.dashed));
}
