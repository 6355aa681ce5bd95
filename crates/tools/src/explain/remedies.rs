//! Remedies for each reason: settings to try, and changes to the level in words.

use glam::Vec3;
use walkable_bake::bake::BakePlan;

use super::{
    around::{Around, looks_up, sight},
    reason::{Reason, TooCoarse, meters},
    rungs::Remedy,
};

/// Returns settings that may fix `reason`, the most likely remedy first.
pub(super) fn remedies(plan: &BakePlan, reason: &Reason) -> Vec<Remedy> {
    let settings = &plan.input().settings;
    let finer = |key| Remedy::finer(settings, key);
    match *reason {
        Reason::TooSteep { slope_deg, .. } => vec![Remedy::larger_slope(slope_deg)],
        Reason::LowCeiling { room, .. } => {
            let mut some = vec![Remedy::smaller_height(settings)];
            some.extend((room >= settings.agent_height).then(|| finer("cell_height")));
            some
        }
        Reason::Ledge { drop, .. } => vec![
            Remedy::off(settings, "filter_ledge_spans"),
            Remedy::larger_climb(settings, drop.unwrap_or(0.0)),
            finer("cell_size"),
            Remedy::smaller(settings, "edge_max_error", f32::MAX, 0.1),
        ],
        Reason::Step { height, .. } => vec![
            Remedy::larger_climb(settings, 2.0 * height),
            Remedy::off(settings, "filter_ledge_spans"),
            Remedy::smaller_radius(settings),
            finer("cell_height"),
            Remedy::smaller(settings, "region_min_size", f32::MAX, 0.1),
            finer("cell_size"),
        ],
        Reason::Uneven { rise, .. } | Reason::CellTooCoarse(TooCoarse::Slope { rise, .. }) => vec![
            finer("cell_size"),
            Remedy::larger_climb(settings, 3.0 * rise),
            Remedy::off(settings, "filter_ledge_spans"),
            finer("cell_height"),
        ],
        Reason::CellTooCoarse(TooCoarse::Climb { cell_height, .. }) => vec![
            finer("cell_height"),
            Remedy::larger_climb(settings, 3.0 * cell_height),
            finer("cell_size"),
        ],
        Reason::CellTooCoarse(TooCoarse::Width { .. }) => {
            vec![finer("cell_size"), Remedy::smaller_radius(settings)]
        }
        Reason::LevelEdge => vec![Remedy::off(settings, "filter_ledge_spans")],
        Reason::NearEdge { .. } | Reason::SteepSpan => {
            vec![Remedy::smaller_radius(settings), finer("cell_size")]
        }
        Reason::RegionTooSmall { cells, .. } => {
            let cells = super::ground::cells(u32::try_from(cells).unwrap_or(u32::MAX));
            vec![Remedy::smaller(settings, "region_min_size", cells.sqrt(), 0.1)]
        }
        Reason::NoRegion => vec![
            Remedy::others(settings, "partition", &["monotone", "layers"]),
            finer("cell_size"),
            Remedy::smaller(settings, "region_min_size", f32::MAX, 0.1),
            Remedy::smaller_radius(settings),
        ],
        Reason::CutOff { .. } => {
            vec![Remedy::smaller(settings, "edge_max_error", f32::MAX, 0.1), finer("cell_size")]
        }
        Reason::OffSurface { .. } => vec![
            Remedy::smaller(settings, "detail_sample_dist", f32::MAX, 0.5),
            Remedy::smaller(settings, "detail_sample_max_error", f32::MAX, 0.1),
        ],
        Reason::OutsideLevel
        | Reason::OutsideTile
        | Reason::NoGround
        | Reason::FacesDown
        | Reason::MarkedSurface
        | Reason::LeftOut
        | Reason::OutOfBounds
        | Reason::Buried { .. }
        | Reason::Volume { .. }
        | Reason::AreaWithoutFlags { .. }
        | Reason::Unexplained => Vec::new(),
    }
}

/// Describes a change to the level that fixes `reason` at the place `at`.
pub(super) fn geometry_fix(plan: &BakePlan, at: Vec3, reason: &Reason) -> Option<String> {
    let params = plan.params();
    let words = match *reason {
        Reason::TooSteep { slope_deg, limit_deg } => {
            format!("flatten this slope of {slope_deg:.1}° to less than {limit_deg:.1}°")
        }
        Reason::FacesDown => match n_inverted(plan, at) {
            1 => "flip this triangle".to_owned(),
            n => format!("flip these {n} triangles"),
        },
        Reason::LowCeiling { room, needed } => {
            // One voxel more, because floor and ceiling are rounded.
            let more = (needed - room).max(0.0) + params.cell_height;
            format!("raise the ceiling by {}", meters(more))
        }
        Reason::Step { height, climb } => {
            let over = meters((height - climb).max(0.01));
            format!("this step is {over} too high: lower it, or build a ramp or a step in between")
        }
        Reason::Ledge { .. } | Reason::LevelEdge => {
            format!("extend the ground here by at least {}", meters(2.0 * params.cell_size))
        }
        Reason::NearEdge { distance, radius, .. } => wider(plan, at, distance, radius),
        Reason::RegionTooSmall { cells, limit } => {
            let area = |cells: f32| cells * params.cell_size * params.cell_size;
            let lacking = super::ground::cells(limit)
                - super::ground::cells(u32::try_from(cells).unwrap_or(u32::MAX));
            format!(
                "connect this ground to other ground, or enlarge it by {:.2} m²",
                area(lacking.max(1.0))
            )
        }
        Reason::Volume { index } => {
            format!("remove volume {}, or give it an area other than 0", index + 1)
        }
        Reason::AreaWithoutFlags { area } => format!("give area {area} a flag"),
        Reason::MarkedSurface => "give the object or material an area other than 0".to_owned(),
        Reason::LeftOut => {
            "remove the rule that leaves the object or material out of the bake".to_owned()
        }
        Reason::OutOfBounds => "extend the boxes that limit the bake".to_owned(),
        Reason::NoGround => "add ground here".to_owned(),
        Reason::Buried { depth } => {
            format!("move the place {} up, or remove the solid around it", meters(depth))
        }
        Reason::OutsideLevel => "add ground here: the place is outside the level".to_owned(),
        Reason::SteepSpan
        | Reason::Uneven { .. }
        | Reason::CellTooCoarse(_)
        | Reason::OutsideTile
        | Reason::NoRegion
        | Reason::CutOff { .. }
        | Reason::OffSurface { .. }
        | Reason::Unexplained => return None,
    };
    Some(words)
}

/// Describes a fix for a place near an edge: by how much to widen the passage, or how far to move the edge.
fn wider(plan: &BakePlan, at: Vec3, distance: f32, radius: f32) -> String {
    let params = plan.params();
    let settings = &plan.input().settings;
    let around = Around::new(plan, at, sight(plan));
    let slab = [at.y + settings.agent_max_climb, at.y + settings.agent_height];
    let near = around.nearest_wall(at, slab, None);
    let opposite = near.and_then(|(_, wall)| {
        let aside = wall - glam::Vec2::new(at.x, at.z);
        around.nearest_wall(at, slab, Some(aside.normalize_or_zero()))
    });
    // Walls cover every voxel that they touch, and the middle must be a radius away from both walls.
    let needed = 2.0 * radius + 2.0 * params.cell_size;
    match opposite.map(|(other, _)| distance + other) {
        Some(width) if width < needed => {
            format!("widen this passage of {} by {}", meters(width), meters(needed - width))
        }
        _ => {
            let lacking = (radius + params.cell_size - distance).max(0.01);
            format!("move the wall or extend the ground by {}", meters(lacking))
        }
    }
}

/// Returns the number of triangles to flip together with the triangle under `at`. Counts all triangles connected to it
/// within its object if they form an inverted solid, otherwise only the triangles that face down.
fn n_inverted(plan: &BakePlan, at: Vec3) -> usize {
    use std::collections::{BTreeMap, BTreeSet};

    let mesh = &plan.input().mesh;
    let around = Around::new(plan, at, sight(plan));
    let height = walkable_runtime::geom::from_above::height_on_triangle;
    let under = around.all().iter().filter(|(_, corners)| !looks_up(*corners));
    let under =
        under.filter_map(|&(number, corners)| Some((number, (height(at, corners)? - at.y).abs())));
    let Some((first, _)) = under.min_by(|a, b| a.1.total_cmp(&b.1)) else { return 1 };
    let Some(part) = mesh.parts().iter().find(|part| part.triangles.contains(&first)) else {
        return 1;
    };
    let bits = |corner: Vec3| corner.to_array().map(f32::to_bits);
    let mut at_corner: BTreeMap<[u32; 3], Vec<u32>> = BTreeMap::new();
    for number in part.triangles.clone() {
        for corner in mesh.corners(number as usize) {
            at_corner.entry(bits(corner)).or_default().push(number);
        }
    }
    let mut seen = BTreeSet::from([first]);
    let mut stack = vec![first];
    while let Some(number) = stack.pop() {
        for corner in mesh.corners(number as usize) {
            for &next in at_corner.get(&bits(corner)).into_iter().flatten() {
                if seen.insert(next) {
                    stack.push(next);
                }
            }
        }
    }
    let (mut volume, mut n_down) = (0.0, 0);
    let origin = at;
    for &number in &seen {
        let [a, b, c] = mesh.corners(number as usize).map(|corner| corner - origin);
        volume += a.dot(b.cross(c));
        n_down += usize::from((b - a).cross(c - a).y < 0.0);
    }
    let has_sides = seen.iter().any(|&n| {
        let [a, b, c] = mesh.corners(n as usize);
        (b - a).cross(c - a).normalize_or_zero().y.abs() < 0.5
    });
    if has_sides && volume < 0.0 { seen.len() } else { n_down }
}
