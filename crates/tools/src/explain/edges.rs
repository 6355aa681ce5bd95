//! Classifies the edges that erosion measures from: wall, drop, riser higher than the climb, low ceiling.

use std::collections::BTreeSet;

use glam::Vec3;
use walkable_bake::bake::{BakePlan, Intermediates, Span, VoxelParams};
use walkable_runtime::ids::Dir;

use super::{
    filters,
    ground::{Border, SpanQueue, border, cells},
    reason::EdgeKind,
};

/// An edge of walkable ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct GroundEdge {
    pub(super) border: Border,
    pub(super) kind: EdgeKind,
    /// Direction in which the ground ends.
    pub(super) towards: Dir,
}

/// Returns the edges from which erosion starts that are less than `reach` half cells away from open span `open` of
/// `cell`, nearest first. Distances spread over the neighbor links, as in erosion.
pub(super) fn edges_around(
    (plan, stages): (&BakePlan, &Intermediates),
    [x, z]: [u32; 2],
    open: usize,
    reach: u32,
) -> Vec<GroundEdge> {
    let (field, areas) = (&stages.compact, &stages.compact_areas);
    let mut edges = Vec::new();
    // With a reach of 0, too, the span itself is examined.
    let mut queue = SpanQueue::new(field, reach.saturating_sub(1));
    queue.push(0, (open, x, z));
    while let Some((distance, (span, x, z))) = queue.pop() {
        for dir in Dir::ALL {
            let side = field.neighbor((x, z), span, dir);
            let Some(side) = side.filter(|side| areas[side.span].is_walkable()) else {
                let kind = kind((plan, stages), [x, z], span, dir);
                let border = border(field, distance, (x, z), span);
                edges.push(GroundEdge { border, kind, towards: dir });
                continue;
            };
            queue.push(distance + 2, (side.span, side.x, side.z));
            if let Some(far) = field.neighbor((side.x, side.z), side.span, dir.next()) {
                queue.push(distance + 3, (far.span, far.x, far.z));
            }
        }
    }
    edges
}

/// Risers up to this height are steps, not walls, in meters: curbs, stages, oversized stairs.
const STEP: f32 = 1.0;

/// Returns the maximum height of a riser that counts as a step too high for the agent, in meters. Anything higher is a
/// wall or a drop.
pub(super) fn highest_riser(plan: &BakePlan) -> f32 {
    let settings = &plan.input().settings;
    (3.0 * settings.agent_max_climb).max(STEP).min(settings.agent_height.max(STEP))
}

/// Classifies the border of open span `span` of `cell` in direction `dir`, in which it has no walkable neighbor.
fn kind(
    (plan, stages): (&BakePlan, &Intermediates),
    cell: [u32; 2],
    span: usize,
    dir: Dir,
) -> EdgeKind {
    let params = plan.params();
    let Some(beside) = stepped(stages, cell, dir) else { return EdgeKind::LevelEnd };
    if is_beyond_level(plan, stages, cell, dir) {
        return EdgeKind::LevelEnd;
    }
    let floor = i32::from(stages.compact.spans[span].floor_vx);
    let clearance = stages.compact.spans[span].clearance_vx;
    // 255 means open sky.
    let ceiling = if clearance == u8::MAX { i32::MAX } else { floor + i32::from(clearance) };
    let index = stages.spans.frame.cell_index(beside[0], beside[1]);
    let column = stages.spans.column(index);
    let filtered = stages.filtered.column(index);
    let climb = to_i32(params.walkable_climb_vx);
    let height = to_i32(params.walkable_height_vx);
    let mut found = EdgeKind::Wall;
    let mut lowest_drop = None;
    for (i, solid) in column.iter().copied().enumerate() {
        let (top, above) = gap(column, i);
        let rise = top - floor;
        let room = ceiling.min(above) - top.max(floor);
        if rise.abs() <= climb {
            if room < height {
                // A solid that begins at most the climb above the floor is an obstacle, not a ceiling.
                if above.saturating_sub(floor) > climb {
                    found = EdgeKind::LowCeiling(meters(room, params));
                }
                continue;
            }
            if filtered.get(i).is_some_and(|span| span.area.is_walkable()) {
                continue;
            }
            return at_level((plan, stages), beside, i, solid);
        }
        if room < height {
            continue;
        }
        let is_walkable = solid.area.is_walkable();
        let rise_m = meters(rise, params);
        if rise > 0 && is_walkable && rise_m <= highest_riser(plan) {
            if is_wide((plan, stages), beside, top)
                && (is_low(rise, climb) || is_deep((plan, stages), beside, top, dir))
            {
                found = EdgeKind::Riser(rise_m);
            }
        } else if rise < 0 {
            lowest_drop = Some(-rise_m);
        }
    }
    match (found, lowest_drop) {
        (EdgeKind::Wall, Some(drop)) => fallen(plan, Some(drop)),
        (EdgeKind::Wall, None) if column.is_empty() => EdgeKind::Drop(None),
        (found, _) => found,
    }
}

/// Returns whether the cell next to `cell` is outside the level. Tiles have such cells because of their border.
pub(super) fn is_beyond_level(
    plan: &BakePlan,
    stages: &Intermediates,
    cell: [u32; 2],
    dir: Dir,
) -> bool {
    let bounds = plan.input().mesh.bounds();
    let place = stepped(stages, cell, dir)
        .map(|[x, z]| stages.spans.frame.world_from_grid(cells(x) + 0.5, 0.0, cells(z) + 0.5));
    place.is_none_or(|place| {
        place.x < bounds.min.x
            || bounds.max.x < place.x
            || place.z < bounds.min.z
            || bounds.max.z < place.z
    })
}

/// Returns whether the top of span `index` of `cell`, `rise` above a place in it, would be ground to step up to if the
/// step were lower.
pub(super) fn is_step_up(
    (plan, stages): (&BakePlan, &Intermediates),
    cell: [u32; 2],
    index: usize,
    rise: f32,
) -> bool {
    let column = stages.spans.column(stages.spans.frame.cell_index(cell[0], cell[1]));
    let Some(span) = column.get(index) else { return false };
    rise <= highest_riser(plan) && is_wide((plan, stages), cell, i32::from(span.max_vx))
}

/// Returns the reason why ground at the level of the edge was lost.
fn at_level(
    (plan, stages): (&BakePlan, &Intermediates),
    cell: [u32; 2],
    index: usize,
    solid: Span,
) -> EdgeKind {
    if !solid.area.is_walkable() {
        return EdgeKind::Unwalkable;
    }
    let params = (&plan.input().settings, plan.params());
    match filters::reason(&stages.spans, cell, index, params).edge() {
        EdgeKind::Drop(drop) => fallen(plan, drop),
        kind => kind,
    }
}

fn fallen(plan: &BakePlan, drop: Option<f32>) -> EdgeKind {
    match drop {
        Some(drop) if drop <= highest_riser(plan) => EdgeKind::Riser(-drop),
        drop => EdgeKind::Drop(drop),
    }
}

/// Returns whether a rise is that of a step, even if its top is narrow: half a climb more than the climb, or two voxels for
/// rounding.
fn is_low(rise: i32, climb: i32) -> bool {
    rise <= (3 * climb / 2).max(climb + 2)
}

/// Returns whether the surface at height `top` in `cell` continues in direction `dir` for the agent's width, unlike the top
/// of a hedge.
fn is_deep(
    (plan, stages): (&BakePlan, &Intermediates),
    mut cell: [u32; 2],
    mut top: i32,
    dir: Dir,
) -> bool {
    // At any position in the grid, ground that is wide enough covers two voxels more than the agent.
    for _ in 0..2 * plan.params().walkable_radius_vx + 2 {
        let Some(next) = stepped(stages, cell, dir) else { return true };
        let Some(there) = onward((plan, stages), next, top) else { return false };
        (cell, top) = (next, there);
    }
    true
}

/// Returns the top of the walkable span in `cell` that continues a surface at height `top`: level with it, or the next
/// stair.
fn onward((plan, stages): (&BakePlan, &Intermediates), cell: [u32; 2], top: i32) -> Option<i32> {
    let params = plan.params();
    let climb = to_i32(params.walkable_climb_vx).max(1);
    let column = stages.spans.column(stages.spans.frame.cell_index(cell[0], cell[1]));
    let walkable = column.iter().filter(|span| span.area.is_walkable());
    walkable
        .map(|span| i32::from(span.max_vx))
        .find(|&there| there - top >= -climb && meters(there - top, params) <= highest_riser(plan))
}

/// Returns whether the surface at height `top` in `cell` is ground rather than an obstacle: whether it is, with the stairs
/// that lead up from it, at least as large as the minimum region size.
fn is_wide((plan, stages): (&BakePlan, &Intermediates), cell: [u32; 2], top: i32) -> bool {
    let needed = plan.params().min_region_area_vx.clamp(1, 1000) as usize;
    let mut seen = BTreeSet::from([cell]);
    let mut stack = vec![(cell, top)];
    while let Some((cell, top)) = stack.pop() {
        if seen.len() >= needed {
            return true;
        }
        for dir in Dir::ALL {
            let Some(beside) = stepped(stages, cell, dir).filter(|cell| !seen.contains(cell))
            else {
                continue;
            };
            if let Some(next) = onward((plan, stages), beside, top) {
                seen.insert(beside);
                stack.push((beside, next));
            }
        }
    }
    false
}

/// Returns the neighbor of `cell` in direction `dir`, if it is on the grid.
pub(super) fn stepped(stages: &Intermediates, [x, z]: [u32; 2], dir: Dir) -> Option<[u32; 2]> {
    let frame = &stages.spans.frame;
    let (x, z) = (x.checked_add_signed(dir.dx())?, z.checked_add_signed(dir.dz())?);
    (x < frame.n_x && z < frame.n_z).then_some([x, z])
}

fn gap(column: &[Span], index: usize) -> (i32, i32) {
    let above = column.get(index + 1).map_or(i32::MAX, |next| i32::from(next.min_vx));
    (i32::from(column[index].max_vx), above)
}

fn to_i32(vx: u32) -> i32 {
    i32::try_from(vx).unwrap_or(i32::MAX)
}

#[expect(clippy::cast_precision_loss, reason = "heights are at most 65,535 cells")]
fn meters(vx: i32, params: &VoxelParams) -> f32 {
    vx as f32 * params.cell_height
}

/// Returns the offset of one cell in a direction.
#[expect(clippy::cast_precision_loss, reason = "one step")]
pub(super) fn step(dir: Dir) -> Vec3 {
    Vec3::new(dir.dx() as f32, 0.0, dir.dz() as f32)
}

/// Returns the midpoint of the side of an edge's voxel that faces the edge.
pub(super) fn side_of(edge: &GroundEdge, cell_size: f32) -> Vec3 {
    edge.border.at + step(edge.towards) * (cell_size / 2.0)
}
