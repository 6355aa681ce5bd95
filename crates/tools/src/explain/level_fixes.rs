//! Finds by how much a level must be changed to fix a place.

use glam::Vec3;
use walkable_bake::bake::BakePlan;
use walkable_runtime::{diagnostic::Phrase, phrase};

use super::{
    around::{Around, looks_up, sight},
    measure::meters,
};

/// Describes a fix for a place near an edge: by how much to widen the passage, or how far to move the edge.
pub(super) fn wider(plan: &BakePlan, at: Vec3, distance: f32, radius: f32) -> Phrase {
    let params = plan.params();
    let settings = &plan.input().settings;
    let around = Around::new(plan, at, sight(plan));
    let slab = [at.y + settings.agent_max_climb, at.y + settings.agent_height];
    let near = around.nearest_wall(at, slab, None);
    let opposite = near.and_then(|(_, wall)| {
        let aside = wall - glam::Vec2::new(at.x, at.z);
        around.nearest_wall(at, slab, Some(aside.normalize_or_zero()))
    });
    let needed = width_for(radius, params.cell_size);
    match opposite.map(|(other, _)| distance + other) {
        Some(width) if width < needed => widen(width, needed, (radius, params.cell_size)),
        _ => {
            let lacking = meters((radius + params.cell_size - distance).max(0.01));
            phrase!("move the wall or extend the ground by {lacking}", lacking)
        }
    }
}

/// Returns the width of a passage that an agent fits through at any position and direction of it in the grid: walls cover
/// every voxel that they touch, and the middle must be a radius away from both.
pub(crate) fn width_for(radius: f32, cell_size: f32) -> f32 {
    2.0 * radius + 3.0 * cell_size
}

/// Describes how far to widen a passage of `width`: see [`width_for`].
pub(crate) fn widen(width: f32, to: f32, (radius, cell_size): (f32, f32)) -> Phrase {
    let [width, to, radius, cell] = [width, to, radius, cell_size].map(meters);
    phrase!(
        "widen this passage of {width} to {to}: twice the radius of {radius} and three voxels of {cell}, for any position and direction in the grid",
        width,
        to,
        radius,
        cell
    )
}

/// Returns the number of triangles to flip together with the triangle under `at`. Counts all triangles connected to it
/// within its object if they form an inverted solid, otherwise only the triangles that face down.
pub(super) fn n_inverted(plan: &BakePlan, at: Vec3) -> usize {
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
