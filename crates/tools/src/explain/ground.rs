//! The surroundings of an open span: the nearest edge, the island it belongs to, the polygon above it.

use std::{cmp::Reverse, collections::BTreeSet};

use glam::Vec3;
use walkable_bake::bake::{CompactField, DetailMesh, PolyMesh, RawArea, Regions};
use walkable_runtime::{
    geom::{from_above::height_on_triangle, nearest_on_triangle},
    ids::{Dir, RegionId},
};

/// An open span at the edge of walkable ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Border {
    /// Distance in half cells, as in erosion: an orthogonal step counts 2, a diagonal step 3.
    pub(super) half_cells: u32,
    /// The same distance in meters.
    pub(super) distance: f32,
    /// Center of the edge's voxel.
    pub(super) at: Vec3,
}

/// Finds the edge nearest to open span `open` of `cell`, spreading over the neighbor links as erosion does. `None` if
/// there is no edge within `reach` half cells.
pub(super) fn nearest_border(
    field: &CompactField,
    areas: &[RawArea],
    [x, z]: [u32; 2],
    open: usize,
    reach: u32,
) -> Option<Border> {
    let mut queue = SpanQueue::new(field, reach);
    queue.push(0, (open, x, z));
    while let Some((distance, (span, x, z))) = queue.pop() {
        if is_border(field, areas, (x, z), span) {
            return Some(border(field, distance, (x, z), span));
        }
        for dir in Dir::ALL {
            let Some(side) = field.neighbor((x, z), span, dir) else { continue };
            queue.push(distance + 2, (side.span, side.x, side.z));
            let diagonal = field.neighbor((side.x, side.z), side.span, dir.next());
            if let Some(far) = diagonal {
                queue.push(distance + 3, (far.span, far.x, far.z));
            }
        }
    }
    None
}

/// An open span: its index, and column and row of its cell.
type SpanAt = (usize, u32, u32);

/// Open spans by their distance in half cells, each of them once: the nearest first, and of those at the same distance
/// the one with the lowest index.
pub(super) struct SpanQueue {
    /// The spans at each distance.
    at: Vec<Vec<SpanAt>>,
    /// The spans at the current distance, the next one last.
    current: Vec<SpanAt>,
    /// The current distance.
    distance: usize,
    /// The largest distance.
    reach: usize,
    /// Whether a span was taken out.
    is_settled: Vec<bool>,
}

impl SpanQueue {
    /// Creates an empty queue for spans of `field` that are at most `reach` half cells away.
    pub(super) fn new(field: &CompactField, reach: u32) -> Self {
        Self {
            at: Vec::new(),
            current: Vec::new(),
            distance: 0,
            reach: reach as usize,
            is_settled: vec![false; field.spans.len()],
        }
    }

    /// Adds a span that is farther away than all spans taken out, unless it is out of reach.
    pub(super) fn push(&mut self, distance: u32, span: SpanAt) {
        let distance = distance as usize;
        if distance > self.reach || self.is_settled[span.0] {
            return;
        }
        if self.at.len() <= distance {
            self.at.resize_with(distance + 1, Vec::new);
        }
        self.at[distance].push(span);
    }

    /// Takes out the next span, with its distance.
    pub(super) fn pop(&mut self) -> Option<(u32, SpanAt)> {
        loop {
            while let Some(span) = self.current.pop() {
                if !std::mem::replace(&mut self.is_settled[span.0], true) {
                    return Some((u32::try_from(self.distance).ok()?, span));
                }
            }
            let farther = self.at.iter().skip(self.distance);
            self.distance += farther.take_while(|at| at.is_empty()).count();
            self.current = std::mem::take(self.at.get_mut(self.distance)?);
            self.current.sort_unstable_by_key(|(span, ..)| Reverse(*span));
        }
    }
}

fn is_border(field: &CompactField, areas: &[RawArea], cell: (u32, u32), span: usize) -> bool {
    !areas[span].is_walkable()
        || Dir::ALL
            .into_iter()
            .any(|dir| field.neighbor(cell, span, dir).is_none_or(|n| !areas[n.span].is_walkable()))
}

pub(super) fn border(
    field: &CompactField,
    half_cells: u32,
    (x, z): (u32, u32),
    span: usize,
) -> Border {
    let frame = &field.frame;
    let center = |c: u32| cells(c) + 0.5;
    let floor = f32::from(field.spans[span].floor_vx);
    Border {
        half_cells,
        distance: cells(half_cells) * 0.5 * frame.cell_size,
        at: frame.world_from_grid(center(x), floor, center(z)),
    }
}

/// Converts a count of cells to a factor for the cell size.
#[expect(clippy::cast_precision_loss, reason = "grids have fewer than 2^24 cells a side")]
pub(super) const fn cells(n: u32) -> f32 {
    n as f32
}

/// A connected set of walkable cells without a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Island {
    /// Number of its cells.
    pub(super) cells: usize,
    /// Whether any of its cells borders a region.
    pub(super) touches_region: bool,
}

/// Collects the island of open span `open` in cell `(x, z)`.
pub(super) fn island(
    field: &CompactField,
    areas: &[RawArea],
    regions: &Regions,
    [x, z]: [u32; 2],
    open: usize,
) -> Island {
    let mut touches_region = false;
    let mut seen = BTreeSet::from([open]);
    let mut stack = vec![(open, x, z)];
    while let Some((span, x, z)) = stack.pop() {
        for dir in Dir::ALL {
            let Some(n) = field.neighbor((x, z), span, dir) else { continue };
            let lost = areas[n.span].is_walkable() && regions.ids[n.span] == RegionId::NONE;
            touches_region |= regions.ids[n.span] != RegionId::NONE;
            if lost && seen.insert(n.span) {
                stack.push((n.span, n.x, n.z));
            }
        }
    }
    Island { cells: seen.len(), touches_region }
}

/// Returns the index of the polygon of `region` that contains `at`, seen from above.
pub(super) fn polygon_at(mesh: &PolyMesh, region: RegionId, at: Vec3) -> Option<usize> {
    let same = |&index: &usize| mesh.polygons[index].region == region;
    (0..mesh.polygons.len()).filter(same).find(|&i| contains(mesh, i, at))
}

/// Returns the polygon whose surface is nearest to `at` vertically, and its distance; `None` if no polygon is within
/// `reach`.
pub(super) fn polygon_under(
    (mesh, detail): (&PolyMesh, &DetailMesh),
    at: Vec3,
    reach: f32,
) -> Option<(usize, f32)> {
    let over = (0..mesh.polygons.len()).filter(|&i| contains(mesh, i, at));
    let off = |i: usize| Some((i, (height_over((mesh, detail), i, at)? - at.y).abs()));
    over.filter_map(off).filter(|(_, off)| *off <= reach).min_by(|a, b| a.1.total_cmp(&b.1))
}

/// Returns the height of the detail surface of polygon `index` at `at`, as in tile data, in which the polygon's own
/// corners are not raised.
pub(super) fn height_over(
    (mesh, detail): (&PolyMesh, &DetailMesh),
    index: usize,
    at: Vec3,
) -> Option<f32> {
    let patch = detail.patches.get(index)?;
    let vertices = detail.vertices.get(patch.first_vertex as usize..)?;
    let first = patch.first_triangle as usize;
    let triangles = detail.triangles.get(first..first + patch.n_triangles as usize)?;
    let own = &mesh.polygons.get(index)?.vertices;
    let corner = |i: u8| match own.get(usize::from(i)) {
        Some(&own) => Some(mesh.world_vertex(own)),
        None => vertices.get(usize::from(i)).copied(),
    };
    let corners =
        triangles.iter().filter_map(|&[a, b, c, _]| Some([corner(a)?, corner(b)?, corner(c)?]));
    let beside = |corners: [Vec3; 3]| {
        let flat = corners.map(|corner| corner.with_y(at.y));
        let near = nearest_on_triangle(flat, at);
        // Moved slightly inside, so that rounding does not put the point outside the triangle.
        let inside = near.lerp((flat[0] + flat[1] + flat[2]) / 3.0, 1e-3);
        Some((near.distance_squared(at), height_on_triangle(inside, corners)?))
    };
    let over = corners.clone().filter_map(|corners| height_on_triangle(at, corners));
    // Rounding may leave a gap between triangles.
    let nearest = || {
        let beside = corners.clone().filter_map(beside);
        beside.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, height)| height)
    };
    over.reduce(f32::max).or_else(nearest)
}

/// Returns whether `at` is inside polygon `index`, seen from above. A small tolerance makes points on a shared edge
/// belong to at least one of its polygons.
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
