//! What lies around an open span: the nearest edge, the island it belongs to, the polygon over it.

use std::{
    cmp::Reverse,
    collections::{BTreeSet, BinaryHeap},
};

use glam::Vec3;
use walkable_bake::bake::{CompactField, PolyMesh, Regions};
use walkable_runtime::ids::{AreaId, Dir, RegionId};

/// The nearest open span at the edge of walkable ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Border {
    /// Distance as erosion counts it: a side step 2, a diagonal step 3.
    pub(super) half_cells: u32,
    /// The same in meters.
    pub(super) distance: f32,
    /// Center of the edge's voxel.
    pub(super) at: Vec3,
}

/// Seeks the edge nearest to open span `open` of `cell`, spreading over the links as erosion's
/// distances do. `None` where there is none within `reach` half cells.
pub(super) fn nearest_border(
    field: &CompactField,
    areas: &[AreaId],
    [x, z]: [u32; 2],
    open: usize,
    reach: u32,
) -> Option<Border> {
    let mut settled = BTreeSet::new();
    let mut queue = BinaryHeap::from([Reverse((0_u32, open, x, z))]);
    while let Some(Reverse((distance, span, x, z))) = queue.pop() {
        if !settled.insert(span) {
            continue;
        }
        if is_border(field, areas, (x, z), span) {
            return Some(border(field, distance, (x, z), span));
        }
        for dir in Dir::ALL {
            let Some(side) = field.neighbor((x, z), span, dir) else { continue };
            if distance + 2 <= reach {
                queue.push(Reverse((distance + 2, side.span, side.x, side.z)));
            }
            let diagonal = field.neighbor((side.x, side.z), side.span, dir.next());
            if let Some(far) = diagonal.filter(|_| distance + 3 <= reach) {
                queue.push(Reverse((distance + 3, far.span, far.x, far.z)));
            }
        }
    }
    None
}

fn is_border(field: &CompactField, areas: &[AreaId], cell: (u32, u32), span: usize) -> bool {
    !areas[span].is_walkable()
        || Dir::ALL
            .into_iter()
            .any(|dir| field.neighbor(cell, span, dir).is_none_or(|n| !areas[n.span].is_walkable()))
}

fn border(field: &CompactField, half_cells: u32, (x, z): (u32, u32), span: usize) -> Border {
    let frame = &field.frame;
    let center = |c: u32| cells(c) + 0.5;
    let floor = f32::from(field.spans[span].floor_vx);
    Border {
        half_cells,
        distance: cells(half_cells) * 0.5 * frame.cell_size,
        at: frame.world_from_grid(center(x), floor, center(z)),
    }
}

/// A count of cells as a factor for a cell's size.
#[expect(clippy::cast_precision_loss, reason = "grids have fewer than 2^24 cells a side")]
pub(super) const fn cells(n: u32) -> f32 {
    n as f32
}

/// Number of walkable cells without a region that are linked to open span `open`.
pub(super) fn island(
    field: &CompactField,
    areas: &[AreaId],
    regions: &Regions,
    [x, z]: [u32; 2],
    open: usize,
) -> usize {
    let mut seen = BTreeSet::from([open]);
    let mut stack = vec![(open, x, z)];
    while let Some((span, x, z)) = stack.pop() {
        for dir in Dir::ALL {
            let Some(n) = field.neighbor((x, z), span, dir) else { continue };
            let lost = areas[n.span].is_walkable() && regions.ids[n.span] == RegionId::NONE;
            if lost && seen.insert(n.span) {
                stack.push((n.span, n.x, n.z));
            }
        }
    }
    seen.len()
}

/// Index of the polygon of `region` that contains `at` seen from above.
pub(super) fn polygon_at(mesh: &PolyMesh, region: RegionId, at: Vec3) -> Option<usize> {
    let same = |&index: &usize| mesh.polygons[index].region == region;
    let all = 0..mesh.polygons.len();
    all.clone().filter(same).find(|&i| contains(mesh, i, at)).or_else(|| {
        // A polygon merged across regions keeps only one of their names.
        all.filter(|i| !same(i)).find(|&i| near(mesh, i, at) && contains(mesh, i, at))
    })
}

/// Whether `at` lies inside polygon `index` seen from above. A small tolerance keeps places on a
/// shared edge in one of its polygons.
fn contains(mesh: &PolyMesh, index: usize, at: Vec3) -> bool {
    const TOLERANCE: f32 = 1e-4;
    let corners = &mesh.polygons[index].vertices;
    let world = |i: usize| mesh.world_vertex(corners[i % corners.len()]);
    let sides = (0..corners.len()).map(|i| {
        let (edge, offset) = (world(i + 1) - world(i), at - world(i));
        (edge.x * offset.z - edge.z * offset.x, edge.length() * TOLERANCE)
    });
    let (mut left, mut right) = (true, true);
    for (side, tolerance) in sides {
        left &= side >= -tolerance;
        right &= side <= tolerance;
    }
    left || right
}

/// Whether `at` lies within two meters of the heights of polygon `index`.
fn near(mesh: &PolyMesh, index: usize, at: Vec3) -> bool {
    const MARGIN: f32 = 2.0;
    let heights = mesh.polygons[index].vertices.iter().map(|&v| mesh.world_vertex(v).y);
    let (low, high) = heights
        .fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), y| (low.min(y), high.max(y)));
    at.y >= low - MARGIN && at.y <= high + MARGIN
}
