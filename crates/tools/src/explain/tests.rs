use std::sync::Arc;

use glam::Vec3;
use walkable_bake::bake::{
    AreaVolume, BakeInput, BakeOutput, BakePlan, BakeSettings, CompactField, GridFrame,
    Heightfield, OpenSpan, RawArea, Regions, Span, SurfaceRule, SurfaceSource, SurfaceUse,
    VolumeShape, VoxelParams, bake_tile,
};
use walkable_mesh::{MeshPart, TriMesh};
use walkable_runtime::{
    geom::Aabb,
    ids::{AreaId, Dir, RegionId, TileCoord},
    monitor::Unmonitored,
    stage::Stage,
};

use super::{Explanation, Verdict, explain, filters, ground, reason::Reason, tile_at};

/// Voxels of 0.5 m by 0.25 m; an agent with a height of 8, a climb of 2 and a radius of 2 voxels.
fn params() -> VoxelParams {
    VoxelParams {
        cell_size: 0.5,
        cell_height: 0.25,
        walkable_height_vx: 8,
        walkable_climb_vx: 2,
        walkable_radius_vx: 2,
        max_edge_len_vx: 0,
        max_edge_error_vx: 1.3,
        min_region_area_vx: 64,
        merge_region_area_vx: 400,
        detail_sample_dist: 0.0,
        detail_sample_max_error: 0.25,
        border_vx: 0,
        tile_size_vx: 0,
    }
}

fn frame(n_x: u32, n_z: u32) -> GridFrame {
    let size = Vec3::new(ground::cells(n_x) * 0.5, 25.0, ground::cells(n_z) * 0.5);
    let bounds = Aabb::new(Vec3::ZERO, size);
    GridFrame { bounds, cell_size: 0.5, cell_height: 0.25, n_x, n_z, border_vx: 0 }
}

/// Returns a grid of 3 by 3 columns. The middle one is `column`, its neighbor toward +x is `east`, and the others have
/// a floor from 10 to 12. Spans are `(min, max)`, all walkable.
fn field(column: &[(u16, u16)], east: &[(u16, u16)]) -> Heightfield {
    let frame = frame(3, 3);
    let mut starts = vec![0];
    let mut spans = Vec::new();
    for cell in 0..9 {
        let column = match cell {
            4 => column,
            5 => east,
            _ => &[(10, 12)][..],
        };
        let area = RawArea::WALKABLE;
        spans.extend(column.iter().map(|&(min_vx, max_vx)| Span { min_vx, max_vx, area }));
        starts.push(u32::try_from(spans.len()).unwrap());
    }
    Heightfield { frame, starts, spans }
}

#[track_caller]
fn check(column: &[(u16, u16)], east: &[(u16, u16)], expected: &Reason) {
    let field = field(column, east);
    assert_eq!(
        filters::reason(&field, [1, 1], 0, (&BakeSettings::default(), &params())),
        *expected
    );
}

#[test]
fn filter_reasons_contain_their_numbers() {
    let floor = &[(10, 12)][..];
    check(
        &[(10, 12), (17, 18)],
        floor,
        &Reason::LowCeiling { room: 1.25, room_in_voxels: 1.25, needed: 2.0 },
    );
    let ledge = |drop| Reason::Ledge { drop, climb: 0.5, towards: Dir::East };
    check(floor, &[(1, 4)], &ledge(Some(2.0)));
    check(floor, &[], &ledge(None));
    check(floor, &[(9, 10)], &Reason::Unexplained);
    // Each step is within the climb, but the floor rises by more than the climb across the voxel.
    check(&[(9, 11)], &[(8, 9)], &Reason::Uneven { rise: 0.75, climb: 0.5 });
}

#[test]
fn the_outermost_voxels_are_the_edge_of_the_level() {
    let field = field(&[(10, 12)], &[(10, 12)]);
    let reason = filters::reason(&field, [0, 1], 0, (&BakeSettings::default(), &params()));
    assert_eq!(reason, Reason::LevelEdge);
}

#[test]
fn a_gap_too_low_to_enter_is_not_a_ledge() {
    // A lower floor to the east, below a ceiling that is too low for the agent to reach it.
    check(&[(10, 12)], &[(1, 4), (15, 30)], &Reason::Unexplained);
}

#[test]
fn low_obstacles_need_walkable_ground_below() {
    let mut field = field(&[(10, 12), (13, 14)], &[(10, 12)]);
    let low = |field: &Heightfield| filters::is_low_hanging(field, [1, 1], 1, &params());
    assert!(!low(&field), "walkable by itself");
    field.spans[5].area = RawArea::NULL;
    assert!(low(&field));
    field.spans[4].area = RawArea::NULL;
    assert!(!low(&field));
    assert!(!filters::is_low_hanging(&field, [1, 1], 0, &params()));
}

/// Returns a flat floor drawn as text: `#` is missing, any other character is an open span linked to its neighbors.
fn floor(rows: &[&str]) -> CompactField {
    let n_x = u32::try_from(rows[0].len()).unwrap();
    let n_z = u32::try_from(rows.len()).unwrap();
    let open = |x: u32, z: u32| {
        rows.get(z as usize)
            .and_then(|row| row.as_bytes().get(x as usize))
            .is_some_and(|&c| c != b'#')
    };
    let mut starts = vec![0];
    let (mut spans, mut links) = (Vec::new(), Vec::new());
    for (x, z) in (0..n_z).flat_map(|z| (0..n_x).map(move |x| (x, z))) {
        if open(x, z) {
            links.push(Dir::ALL.map(|dir| {
                let (x, z) = (x.wrapping_add_signed(dir.dx()), z.wrapping_add_signed(dir.dz()));
                if open(x, z) { 0 } else { CompactField::NO_LINK }
            }));
            spans.push(OpenSpan { floor_vx: 4, clearance_vx: 255 });
        }
        starts.push(u32::try_from(spans.len()).unwrap());
    }
    let frame = frame(n_x, n_z);
    CompactField::new(frame, [8, 2], (starts, spans), &links)
}

#[track_caller]
fn span_at(field: &CompactField, x: u32, z: u32) -> usize {
    field.cell(field.frame.cell_index(x, z)).start
}

#[test]
fn edge_distances_match_erosion() {
    let field =
        floor(&[".......", ".......", ".......", ".......", ".......", ".......", "......."]);
    let areas = vec![RawArea::WALKABLE; field.spans.len()];
    let border =
        |x, z| ground::nearest_border(&field, &areas, [x, z], span_at(&field, x, z), 32).unwrap();
    assert_eq!(border(0, 3).half_cells, 0);
    assert_eq!(border(1, 3).half_cells, 2);
    assert_eq!(border(3, 3).half_cells, 6);
    assert!((border(3, 3).distance - 1.5).abs() < 1e-6);
    assert_eq!(border(1, 3).at, Vec3::new(0.25, 1.0, 1.75));
}

#[test]
fn islands_are_counted_across_their_links() {
    let rows = ["..#..", "..#..", "###..", ".....", "....."];
    let field = floor(&rows);
    let areas = vec![RawArea::WALKABLE; field.spans.len()];
    let regions = Regions { ids: vec![RegionId::NONE; field.spans.len()], max: 0 };
    let size = |x, z| ground::island(&field, &areas, &regions, [x, z], span_at(&field, x, z)).cells;
    assert_eq!(size(0, 0), 4);
    assert_eq!(size(4, 0), 16);
}

#[test]
fn lengths_have_units_and_few_digits() {
    let cases =
        [(0.3, "0.3 m"), (1.254, "1.25 m"), (12.34, "12.3 m"), (340.0, "340 m"), (0.0, "0 m")];
    for (length, expected) in cases {
        assert_eq!(super::measure::meters(length).to_string(), expected);
    }
}

/// Adds a rectangle between two corners, rising along x from the first height to the second; its front faces up.
fn quad(vertices: &mut Vec<Vec3>, triangles: &mut Vec<[u32; 3]>, min: [f32; 3], max: [f32; 3]) {
    let first = u32::try_from(vertices.len()).unwrap();
    let [x0, y0, z0] = min;
    let [x1, y1, z1] = max;
    vertices.extend([
        Vec3::new(x0, y0, z0),
        Vec3::new(x0, y0, z1),
        Vec3::new(x1, y1, z1),
        Vec3::new(x1, y1, z0),
    ]);
    triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
}

/// Adds a vertical rectangle, 3 m high, above the line from `a` to `b`.
fn wall(vertices: &mut Vec<Vec3>, triangles: &mut Vec<[u32; 3]>, a: [f32; 2], b: [f32; 2]) {
    let first = u32::try_from(vertices.len()).unwrap();
    let corner = |[x, z]: [f32; 2], y| Vec3::new(x, y, z);
    vertices.extend([corner(a, 0.0), corner(b, 0.0), corner(b, 3.0), corner(a, 3.0)]);
    triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
}

/// Returns a floor of 20 m with a low table, a wall, a ramp of 60°, a platform 3 m up, and a roof whose front faces
/// down.
fn plan(volumes: Vec<AreaVolume>) -> BakePlan {
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    let mut add = |min, max| quad(&mut vertices, &mut triangles, min, max);
    add([0.0, 0.0, 0.0], [20.0, 0.0, 20.0]);
    add([4.0, 1.0, 4.0], [7.0, 1.0, 7.0]);
    add([12.0, 0.0, 4.0], [14.0, 3.464, 8.0]);
    add([10.0, 3.0, 12.0], [18.0, 3.0, 18.0]);
    add([2.0, 6.0, 12.0], [6.0, 6.0, 16.0]);
    let n = triangles.len();
    triangles[n - 2..].iter_mut().for_each(|triangle| triangle.reverse());
    wall(&mut vertices, &mut triangles, [16.0, 2.0], [19.0, 2.0]);
    let mesh = Arc::new(TriMesh::new(vertices, triangles).unwrap());
    let settings = BakeSettings::default();
    BakePlan::new(BakeInput { volumes, ..BakeInput::new(mesh, settings) }).unwrap()
}

fn ask(plan: &BakePlan, at: [f32; 3]) -> Explanation {
    let at = Vec3::from(at);
    let tile = tile_at(plan, at).unwrap();
    let bake = bake_tile(plan, tile, BakeOutput::Stages, &Unmonitored).unwrap();
    explain(plan, &bake.stages.unwrap(), at, None)
}

#[test]
fn every_place_gets_its_reason() {
    let plan = plan(Vec::new());
    let cases = [
        ([5.5, 0.0, 5.5], Stage::Filtered, "head room 1 m < 2 m"),
        ([5.5, 1.0, 5.5], Stage::Regions, "island too small: 25 voxels < 64"),
        ([13.0, 1.732, 6.0], Stage::Slope, "slope 60.0° > 45.0°"),
        ([17.0, 1.5, 2.0], Stage::Slope, "slope 90.0° > 45.0°"),
        ([10.1, 3.0, 15.0], Stage::Filtered, "ledge: drop of 3 m > 0.8 m towards −x"),
        ([0.1, 0.0, 10.0], Stage::Filtered, "ledge: the level ends here"),
        ([0.5, 0.0, 10.0], Stage::Eroded, "eroded: 0.52 m to the edge < radius 0.6 m"),
        (
            [0.7, 0.0, 10.0],
            Stage::Eroded,
            "eroded: in whole voxels 0.3 m to the edge < radius 0.6 m (in the level 0.72 m)",
        ),
        ([4.0, 6.0, 14.0], Stage::Slope, "surface faces down (underside, or wrong winding)"),
        ([10.0, 1.5, 2.0], Stage::Spans, "no ground at this height"),
    ];
    for (at, stage, text) in cases {
        let explanation = ask(&plan, at);
        let Verdict::Lost { stage: lost, reason } = &explanation.verdict else {
            panic!("{at:?} is walkable");
        };
        assert_eq!((*lost, &*reason.to_string()), (stage, text), "{at:?}: {explanation:#?}");
        assert_eq!(explanation.steps.iter().filter(|step| !step.kept).count(), 1);
    }
}

#[test]
fn open_ground_is_walkable() {
    let explanation = ask(&plan(Vec::new()), [10.0, 0.0, 2.0]);
    assert!(explanation.verdict.is_walkable(), "{explanation:#?}");
    assert_eq!(explanation.focus, Some(0));
    assert!(explanation.steps.iter().all(|step| step.kept));
    assert!(explanation.verdict.to_string().starts_with("walkable · area 0 · region "));
}

#[test]
fn volumes_are_named() {
    let outline = [[8.0, 1.0], [8.0, 3.0], [11.0, 3.0], [11.0, 1.0]];
    let outline = outline.map(|[x, z]| Vec3::new(x, 0.0, z)).to_vec();
    let shape = VolumeShape::Prism { min_y: -1.0, max_y: 1.0, outline };
    let volume = |area| AreaVolume::new(area, shape.clone());
    let blocked = ask(&plan(vec![volume(RawArea::NULL)]), [10.0, 0.0, 2.0]);
    let lost =
        Verdict::Lost { stage: Stage::Eroded, reason: Reason::Volume { index: 0, margin: 0.0 } };
    assert_eq!(blocked.verdict, lost);
    let beside = [11.6, 0.0, 2.0];
    assert!(ask(&plan(vec![volume(RawArea::NULL)]), beside).verdict.is_walkable());
    let with_margin = AreaVolume { erode: true, ..volume(RawArea::NULL) };
    let kept_out = ask(&plan(vec![volume(RawArea(1)), with_margin]), beside);
    let reason = Reason::Volume { index: 1, margin: 0.6 };
    let text = "within 0.6 m of volume 2, which keeps the agent's radius away from it";
    assert_eq!(reason.to_string(), text);
    assert_eq!(kept_out.verdict, Verdict::Lost { stage: Stage::Eroded, reason });
    let water = ask(&plan(vec![volume(RawArea(1))]), [10.0, 0.0, 2.0]);
    assert!(matches!(water.verdict, Verdict::Walkable { area: AreaId(1), .. }), "{water:#?}");
}

#[test]
fn marked_surfaces_and_bounds_are_named() {
    let BakeInput { mesh, settings, .. } = plan(Vec::new()).input().clone();
    let (vertices, triangles) = (mesh.vertices().to_vec(), mesh.triangles().to_vec());
    let part = |object: &str, triangles| MeshPart {
        object: object.into(),
        material: "".into(),
        triangles,
    };
    let n = u32::try_from(triangles.len()).unwrap();
    let parts = vec![part("floor", 0..2), part("rest", 2..n)];
    let mesh = Arc::new(TriMesh::with_parts(vertices, triangles, parts).unwrap());
    let marked = SurfaceRule {
        source: SurfaceSource::Object,
        name: "floor".to_owned(),
        becomes: SurfaceUse::Area(RawArea::NULL),
    };
    let input = BakeInput {
        surfaces: vec![marked],
        bounds: vec![Aabb::new(Vec3::ZERO, Vec3::new(11.0, 9.0, 20.0))],
        ..BakeInput::new(mesh, settings)
    };
    let plan = BakePlan::new(input).unwrap();
    let blocked = ask(&plan, [10.0, 0.0, 10.0]).verdict;
    assert_eq!(blocked, Verdict::Lost { stage: Stage::Slope, reason: Reason::MarkedSurface });
    let outside = ask(&plan, [14.0, 3.0, 15.0]).verdict;
    assert_eq!(outside, Verdict::Lost { stage: Stage::Spans, reason: Reason::OutOfBounds });
}

#[test]
fn places_beyond_the_level_belong_to_no_tile() {
    let plan = plan(Vec::new());
    for at in [[-1.0, 0.0, 5.0], [5.0, 0.0, 21.0], [f32::NAN, 0.0, 5.0]] {
        assert_eq!(tile_at(&plan, Vec3::from(at)), None, "{at:?}");
    }
    assert_eq!(tile_at(&plan, Vec3::new(20.0, 0.0, 20.0)), Some(TileCoord::new(0, 0)));
}

#[test]
fn explaining_agrees_with_the_bake_everywhere() {
    let plan = plan(Vec::new());
    let bake = bake_tile(&plan, TileCoord::new(0, 0), BakeOutput::Stages, &Unmonitored).unwrap();
    let stages = bake.stages.unwrap();
    let frame = stages.spans.frame;
    for (x, z) in (0..frame.n_z).flat_map(|z| (0..frame.n_x).map(move |x| (x, z))) {
        let cell = frame.cell_index(x, z);
        for (i, span) in stages.spans.column(cell).iter().enumerate() {
            let center = |c: u32| ground::cells(c) + 0.5;
            let at = frame.world_from_grid(center(x), f32::from(span.max_vx), center(z));
            let found = explain(&plan, &stages, at, None);
            assert_eq!((found.cell, found.focus), ([x, z], Some(i)));
            // A simplified contour may include a voxel that a stage lost.
            if found
                .steps
                .last()
                .is_some_and(|step| step.note.to_string().contains("covers the place"))
            {
                continue;
            }
            let filtered = found.column[i].filtered_area.is_walkable();
            let lost = found.steps.iter().find(|step| !step.kept).map(|step| step.stage);
            assert_eq!(lost.is_none_or(|stage| stage > Stage::Filtered), filtered, "{found:#?}");
            let eroded = found.column[i].eroded_area.is_walkable();
            assert_eq!(lost.is_none_or(|stage| stage > Stage::Eroded), eroded, "{found:#?}");
            let unexplained =
                matches!(found.verdict, Verdict::Lost { reason: Reason::Unexplained, .. });
            assert!(!unexplained, "{found:#?}");
        }
    }
}
