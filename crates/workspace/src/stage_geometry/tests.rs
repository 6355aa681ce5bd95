use std::collections::BTreeMap;

use serde_json::Value;
use walkable::{
    bake::{BakeConfig, bake_tile},
    ids::RegionId,
    level::builtin,
    mesh::{ImportOptions, LevelFile, read_gltf, read_obj, read_ply},
    monitor::Unmonitored,
};

use super::*;

fn plan(level: &str, tile_size: &str) -> Arc<BakePlan> {
    let level = builtin(level).unwrap();
    let mut config = BakeConfig::parse(level.config).unwrap();
    config.settings.set("tile_size", tile_size).unwrap();
    let mesh = ImportOptions::default().import(read_obj(level.obj).unwrap()).unwrap();
    Arc::new(BakePlan::new(config.with_mesh(Arc::new(mesh))).unwrap())
}

fn baked(stage: StageView, plan: &Arc<BakePlan>) -> StageBake {
    let tiles = plan.tiles().map(|coord| (Arc::clone(plan), coord)).collect();
    let mut bake = StageBake::new(stage, tiles, AreaTable::default());
    assert!(bake.is_new() && !bake.is_done());
    while !bake.is_done() {
        bake.advance(&AtomicBool::new(false));
    }
    bake
}

fn stages() -> impl Iterator<Item = StageView> {
    StageView::ALL.into_iter().filter(|stage| stage.needs_stages())
}

/// Numbers of triangles and lines, and the area of the triangles.
#[derive(Debug, Default)]
struct Contents {
    n_triangles: usize,
    n_lines: usize,
    area: f64,
}

impl Contents {
    fn of(bake: &StageBake) -> Self {
        let parts = || bake.done.iter().flat_map(|tile| &tile.parts);
        Self {
            n_triangles: parts().map(|part| part.triangles.len()).sum(),
            n_lines: parts().map(|part| part.lines.len()).sum(),
            area: parts().flat_map(|part| &part.triangles).map(|&corners| area(corners)).sum(),
        }
    }

    /// Returns the contents of a file without triangles if `file` is an error: then it is not a level.
    fn of_file<E>(file: Result<LevelFile, E>, n_lines: usize) -> Self {
        let Ok(file) = file else { return Self { n_lines, ..Self::default() } };
        let corners = file.triangles.iter().map(|ids| ids.map(|id| file.vertices[id as usize]));
        Self { n_triangles: file.triangles.len(), n_lines, area: corners.map(area).sum() }
    }

    #[track_caller]
    fn assert_same(&self, other: &Self, what: &str) {
        let counts = |each: &Self| (each.n_triangles, each.n_lines);
        assert_eq!(counts(self), counts(other), "{what}");
        let error = (self.area - other.area).abs();
        assert!(error <= 1e-4 * self.area, "{what}: {} and {} m²", self.area, other.area);
    }
}

fn area([a, b, c]: [Vec3; 3]) -> f64 {
    f64::from((b - a).cross(c - a).length()) / 2.0
}

/// Returns the contents of a file, read by the readers of levels, which skip lines; lines are counted in the text.
fn read_back(format: ExportFormat, bytes: &[u8]) -> Contents {
    let text = || String::from_utf8(bytes.to_vec()).unwrap();
    match format {
        ExportFormat::Obj => {
            let n_lines = text().lines().filter(|line| line.starts_with("l ")).count();
            Contents::of_file(read_obj(bytes), n_lines)
        }
        ExportFormat::Ply => {
            let text = text();
            let header = text.lines().find_map(|line| line.strip_prefix("element edge "));
            let n_lines = header.unwrap().parse().unwrap();
            Contents::of_file(read_ply(bytes), n_lines)
        }
        ExportFormat::Glb | ExportFormat::Gltf => {
            let n_lines = lines_of_gltf(&document(format, bytes));
            let file = read_gltf(bytes, &|name| panic!("{name} is another file"));
            Contents::of_file(file, n_lines)
        }
        _ => of_json(&serde_json::from_slice(bytes).unwrap()),
    }
}

fn document(format: ExportFormat, bytes: &[u8]) -> Value {
    if format == ExportFormat::Gltf {
        return serde_json::from_slice(bytes).unwrap();
    }
    let n = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    serde_json::from_slice(&bytes[20..20 + n]).unwrap()
}

fn lines_of_gltf(document: &Value) -> usize {
    let primitives = document["meshes"].as_array().unwrap().iter();
    let primitives = primitives.flat_map(|mesh| mesh["primitives"].as_array().unwrap());
    let lines = primitives.filter(|primitive| primitive["mode"] == 1);
    let count = |primitive: &Value| {
        let accessor = usize::try_from(primitive["indices"].as_u64().unwrap()).unwrap();
        document["accessors"][accessor]["count"].as_u64().unwrap() / 2
    };
    usize::try_from(lines.map(count).sum::<u64>()).unwrap()
}

fn of_json(document: &Value) -> Contents {
    let mut contents = Contents::default();
    for part in document["tiles"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|tile| tile["parts"].as_array().unwrap())
    {
        let vertices: Vec<Vec3> = serde_json::from_value(part["vertices"].clone()).unwrap();
        let triangles: Vec<[usize; 3]> = serde_json::from_value(part["triangles"].clone()).unwrap();
        let lines: Vec<[usize; 2]> = serde_json::from_value(part["lines"].clone()).unwrap();
        assert!(lines.iter().flatten().all(|&index| index < vertices.len()));
        contents.n_triangles += triangles.len();
        contents.n_lines += lines.len();
        contents.area +=
            triangles.iter().map(|ids| area(ids.map(|index| vertices[index]))).sum::<f64>();
    }
    contents
}

#[test]
fn every_stage_is_read_back_from_every_format() {
    let plan = plan("sample", "64");
    for stage in stages() {
        let bake = baked(stage, &plan);
        let expected = Contents::of(&bake);
        assert!(expected.n_triangles + expected.n_lines > 20, "{}: {expected:?}", stage.key());
        let has_triangles = expected.n_triangles > 0;
        let is_outline = matches!(stage, StageView::ContoursRaw | StageView::Contours);
        assert_eq!(has_triangles, !is_outline, "{}", stage.key());
        for format in ExportFormat::of_stages() {
            let bytes = bake.bytes(format).unwrap();
            let what = format!("{} as {}", stage.key(), format.key());
            read_back(format, &bytes).assert_same(&expected, &what);
        }
    }
}

#[test]
fn files_are_the_same_each_time_and_other_formats_are_refused() {
    let plan = plan("sample", "32");
    let [first, second] = [(); 2].map(|()| baked(StageView::Regions, &plan));
    for &format in ExportFormat::ALL {
        if format.stage().is_some() {
            assert!(
                first.bytes(format).unwrap() == second.bytes(format).unwrap(),
                "{}",
                format.key()
            );
        } else {
            let error = first.bytes(format).unwrap_err().to_string();
            assert!(error.contains(format.name()) && error.contains("stage"), "{error}");
        }
    }
}

#[test]
fn regions_have_the_area_of_their_cells() {
    let plan = plan("sample", "64");
    let bake = baked(StageView::Regions, &plan);
    assert!(bake.done.len() > 1);
    for tile in &bake.done {
        let stages =
            bake_tile(&plan, tile.coord, BakeOutput::Stages, &Unmonitored).unwrap().stages.unwrap();
        let (field, frame) = (&stages.compact, &stages.compact.frame);
        let inside = |n: u32| frame.border_vx..n - frame.border_vx;
        let mut cells: BTreeMap<u16, f64> = BTreeMap::new();
        for z in inside(frame.n_z) {
            for x in inside(frame.n_x) {
                for span in field.cell(frame.cell_index(x, z)) {
                    let RegionId(id) = stages.regions.ids[span];
                    *cells.entry(id).or_default() += f64::from(frame.cell_size.powi(2));
                }
            }
        }
        cells.remove(&RegionId::NONE.0);
        assert_eq!(tile.parts.len(), cells.len(), "tile {}", tile.coord);
        for part in &tile.parts {
            assert!(part.name == "region" && part.is_colored_by_value);
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a region")]
            let expected = cells[&(part.value.unwrap() as u16)];
            let found: f64 = part.triangles.iter().map(|&corners| area(corners)).sum();
            assert!((found - expected).abs() < 1e-3, "{found} and {expected} m²");
        }
    }
}

#[test]
fn distances_are_in_meters() {
    let plan = plan("sample", "0");
    let bake = baked(StageView::Distance, &plan);
    let stages = bake_tile(&plan, TileCoord::new(0, 0), BakeOutput::Stages, &Unmonitored)
        .unwrap()
        .stages
        .unwrap();
    let field = stages.distance.unwrap();
    let cell = plan.input().settings.cell_size;
    let farthest = field.distances.iter().max().copied().unwrap();
    let found = bake.done[0].parts.iter().filter_map(|part| part.value).fold(0.0, f32::max);
    assert!((found - f32::from(farthest) * cell / 2.0).abs() < 1e-3, "{found} m");
    assert!(bake.done[0].parts.iter().all(|part| part.name == "distance"));
}

#[test]
fn areas_and_edges_have_names() {
    let plan = plan("sample", "0");
    let bake = baked(StageView::Polygons, &plan);
    let names: Vec<_> = bake.done[0].parts.iter().map(|part| (&*part.name, part.value)).collect();
    let areas = [("Ground", Some(0.0)), ("Water", Some(1.0)), ("Door", Some(3.0))];
    assert_eq!(names, [&areas[..], &[("inner edge", None), ("boundary edge", None)]].concat());
    let json: Value = serde_json::from_slice(&bake.bytes(ExportFormat::Json).unwrap()).unwrap();
    assert_eq!(json["stage"], "polygons");
    assert_eq!(json["tiles"][0]["parts"][0]["color"], "#56b4e9");
    let document = document(ExportFormat::Glb, &bake.bytes(ExportFormat::Glb).unwrap());
    assert_eq!(document["asset"]["extras"]["stage"], "polygons");
    let materials = document["materials"].as_array().unwrap().iter();
    let materials: Vec<_> = materials.map(|material| material["name"].as_str().unwrap()).collect();
    assert_eq!(materials, ["Door", "Ground", "Water", "boundary edge", "inner edge"]);
}

#[test]
fn regions_of_gltf_have_colors_and_numbers() {
    let bake = baked(StageView::Regions, &plan("sample", "64"));
    let document = document(ExportFormat::Glb, &bake.bytes(ExportFormat::Glb).unwrap());
    let nodes = document["nodes"].as_array().unwrap();
    assert_eq!(nodes.len(), bake.done.iter().filter(|tile| !tile.parts.is_empty()).count());
    assert_eq!(nodes[1]["name"], "tile 1 0");
    for mesh in document["meshes"].as_array().unwrap() {
        let [primitive] = &**mesh["primitives"].as_array().unwrap() else { panic!("{mesh}") };
        assert!(primitive["attributes"]["COLOR_0"].is_u64(), "{primitive}");
        assert!(primitive["attributes"]["_VALUE"].is_u64(), "{primitive}");
    }
    assert_eq!(document["materials"].as_array().unwrap().len(), 1);
}

#[test]
fn one_layer_can_be_exported_alone() {
    let plan = plan("tower", "0");
    let tiles: Vec<_> = plan.tiles().map(|coord| (Arc::clone(&plan), coord)).collect();
    let of = |layer| {
        let bake = StageBake::new(StageView::Layers, tiles.clone(), AreaTable::default());
        let mut bake = bake.with_layer(layer);
        bake.advance(&AtomicBool::new(false));
        let values = bake.done[0].parts.iter().filter_map(|part| part.value);
        values.collect::<Vec<_>>()
    };
    let all = of(None);
    assert!(all.len() > 1 && all[..2] == [0.0, 1.0], "{all:?}");
    assert_eq!(of(Some(1)), [1.0]);
    let bake = StageBake::new(StageView::Layers, tiles.clone(), AreaTable::default());
    let mut bake = bake.with_layer(Some(999));
    bake.advance(&AtomicBool::new(false));
    let error = bake.bytes(ExportFormat::Glb).unwrap_err().to_string();
    assert!(error.contains("layers is empty"), "{error}");
}

#[test]
fn too_much_geometry_is_refused() {
    let plan = plan("sample", "32");
    let tiles = plan.tiles().map(|coord| (Arc::clone(&plan), coord)).collect();
    let mut bake = StageBake::new(StageView::Spans, tiles, AreaTable::default()).with_limit(500);
    while !bake.is_done() {
        bake.advance(&AtomicBool::new(false));
    }
    assert!(bake.done.len() < plan.tiles().count(), "the other tiles were baked for nothing");
    let error = bake.bytes(ExportFormat::Obj).unwrap_err().to_string();
    assert!(error.contains("500") && error.contains("--tile"), "{error}");
}

#[test]
fn sides_of_boxes_face_outward() {
    let (min, max) = (Vec3::new(-1.0, 2.0, 3.0), Vec3::new(1.0, 5.0, 7.0));
    let block = Block { min, max, cell_size: 1.0, paint: Paint::Blocked };
    let volume = |[a, b, c]: [Vec3; 3]| a.dot(b.cross(c)) / 6.0;
    let total: f32 = sides(&block).map(volume).iter().sum();
    assert!((total - 24.0).abs() < 1e-4, "{total}");
    let middle = (min + max) / 2.0;
    for [a, b, c] in sides(&block) {
        assert!((b - a).cross(c - a).dot(a - middle) > 0.0);
    }
}
