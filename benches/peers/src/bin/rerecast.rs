//! Bakes levels in one piece with Walkable and with the crate `rerecast`, a translation of Recast to Rust, alternating,
//! on one thread: prints whether the polygons and their detail agree, and the time of each.

use std::{error::Error, sync::Arc};

use peers::{clock::thread_nanoseconds, levels::LEVELS};
use rerecast::{Aabb3d, AreaType, BuildContoursFlags, DetailNavmesh, HeightfieldBuilder, TriMesh};
use rerecast_glam::{UVec3, Vec3A};
use walkable::{
    bake::{BakeInput, BakeOutput, BakePlan, BakeSettings, Intermediates, bake_tile},
    monitor::Unmonitored,
};

const ROUNDS: u32 = 3;

fn main() -> Result<(), Box<dyn Error>> {
    let names: Vec<_> = std::env::args().skip(1).collect();
    println!("| level, solo | ours, ms | rerecast, ms | ratio | polygons | detail |");
    println!("|---|---:|---:|---:|---|---|");
    let mut logarithms = Vec::new();
    for level in
        LEVELS.iter().filter(|level| names.is_empty() || names.iter().any(|n| n == level.name))
    {
        let Some(mesh) = level.mesh() else { continue };
        let settings = BakeSettings { tile_size: 0, ..BakeSettings::default() };
        let plan = BakePlan::new(BakeInput::new(Arc::clone(&mesh), settings))?;
        let coord = plan.tiles().next().ok_or("a plan has a tile")?;
        let triangles = triangles(&plan);
        let stages = bake_tile(&plan, coord, BakeOutput::Stages, &Unmonitored)?.stages;
        let stages = stages.ok_or("stages were asked for")?;
        let mut theirs_made = None;
        let [mut ours, mut theirs] = [u64::MAX; 2];
        for round in 0..ROUNDS {
            for is_ours in [round % 2 == 0, round % 2 != 0] {
                let triangles = (!is_ours).then(|| triangles.clone());
                let start = thread_nanoseconds();
                match triangles {
                    None => drop(bake_tile(&plan, coord, BakeOutput::Tile, &Unmonitored)?),
                    Some(triangles) => theirs_made = Some(bake(&plan, triangles)),
                }
                let time = thread_nanoseconds() - start;
                let best = if is_ours { &mut ours } else { &mut theirs };
                *best = (*best).min(time);
            }
        }
        let [polygons, detail] = match theirs_made {
            Some(Ok(made)) => made.compare(&stages),
            Some(Err(error)) => {
                println!("| {} | {:.2} | – | – | {error} | |", level.name, ours as f64 / 1e6);
                continue;
            }
            None => continue,
        };
        let ratio = ours as f64 / theirs as f64;
        logarithms.push(ratio.ln());
        let [ours, theirs] = [ours, theirs].map(|time| time as f64 / 1e6);
        let name = level.name;
        println!("| {name} | {ours:.2} | {theirs:.2} | {ratio:.2} | {polygons} | {detail} |");
    }
    let mean = logarithms.iter().sum::<f64>() / logarithms.len() as f64;
    println!("| geometric mean | | | {:.2} | | |", mean.exp());
    Ok(())
}

fn triangles(plan: &BakePlan) -> TriMesh {
    let mesh = &plan.input().mesh;
    TriMesh {
        vertices: mesh.vertices().iter().map(|v| Vec3A::from(v.to_array())).collect(),
        indices: mesh.triangles().iter().map(|&corners| UVec3::from(corners)).collect(),
        area_types: vec![AreaType::NOT_WALKABLE; mesh.triangles().len()],
    }
}

/// The last results of `rerecast`.
struct RerecastResult {
    polygons: rerecast::PolygonNavmesh,
    detail: DetailNavmesh,
}

impl RerecastResult {
    /// Compares polygons and detail; returns whether they are the same, and how far vertices of the detail are off.
    fn compare(&self, stages: &Intermediates) -> [String; 2] {
        let ours = &stages.polygons;
        let corners = self.polygons.vertices.iter().map(|v| v.to_array());
        let corners = corners.eq(ours.vertices.iter().copied());
        let used = self.polygons.polygons.iter().filter(|v| **v != u16::MAX);
        let polygons = used.eq(ours.polygons.iter().flat_map(|polygon| &polygon.vertices));
        let n = [ours.polygons.len(), self.polygons.regions.len()];
        let polygons = same(corners && polygons, n);
        let ours = &stages.detail;
        let n = [ours.vertices.len(), self.detail.vertices.len()];
        if n[0] != n[1] {
            return [polygons, same(false, n)];
        }
        let pairs = ours.vertices.iter().zip(&self.detail.vertices);
        let off = pairs.map(|(a, b)| a.distance(glam::Vec3::from(b.to_array())));
        let off = off.fold(0.0, f32::max);
        let triangles = ours.triangles.iter().map(|&[a, b, c, _]| [a, b, c]);
        let is_same = triangles.eq(self.detail.triangles.iter().copied());
        [polygons, format!("{}, corners off by {off} m", same(is_same, n))]
    }
}

fn same(is_same: bool, [ours, theirs]: [usize; 2]) -> String {
    if is_same { "the same".into() } else { format!("others: {ours}, {theirs}") }
}

/// Bakes up to the detail: `rerecast` creates no tile data.
fn bake(plan: &BakePlan, mut triangles: TriMesh) -> Result<RerecastResult, String> {
    let coord = plan.tiles().next().ok_or("a plan has a tile")?;
    let (frame, params, settings) = (plan.tile_frame(coord), plan.params(), &plan.input().settings);
    let small = |n: u32| u16::try_from(n).map_err(|error| error.to_string());
    let (height, climb) = (small(params.walkable_height_vx)?, small(params.walkable_climb_vx)?);
    let text = |error: &dyn std::fmt::Display| error.to_string();

    triangles.mark_walkable_triangles(settings.agent_max_slope.to_radians());
    let [min, max] = [frame.bounds.min, frame.bounds.max].map(|v| v.to_array().into());
    let (cell_size, cell_height) = (frame.cell_size, frame.cell_height);
    let builder = HeightfieldBuilder { aabb: Aabb3d { min, max }, cell_size, cell_height };
    let mut solid = builder.build().map_err(|error| text(&error))?;
    solid.rasterize_triangles(&triangles, climb).map_err(|error| text(&error))?;
    solid.filter_low_hanging_walkable_obstacles(climb);
    solid.filter_ledge_spans(height, climb);
    solid.filter_walkable_low_height_spans(height);
    let mut open = solid.into_compact(height, climb).map_err(|error| text(&error))?;
    open.erode_walkable_area(small(params.walkable_radius_vx)?);
    open.build_distance_field();
    let sizes = [params.min_region_area_vx, params.merge_region_area_vx].map(small);
    let [min, merge] = sizes;
    open.build_regions(0, min?, merge?).map_err(|error| text(&error))?;
    let edge = small(params.max_edge_len_vx)?;
    let contours = open.build_contours(
        params.max_edge_error_vx,
        edge,
        BuildContoursFlags::TESSELLATE_SOLID_WALL_EDGES,
    );
    let n = small(settings.verts_per_poly)?;
    let polygons = contours.into_polygon_mesh(n).map_err(|error| text(&error))?;
    let (distance, error) = (params.detail_sample_dist, params.detail_sample_max_error);
    let detail =
        DetailNavmesh::new(&polygons, &open, distance, error).map_err(|error| text(&error))?;
    Ok(RerecastResult { polygons, detail })
}
