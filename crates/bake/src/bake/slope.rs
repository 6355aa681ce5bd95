use glam::Vec3;
use serde::{Deserialize, Serialize};
use walkable_mesh::TriMesh;
use walkable_runtime::monitor::{Cancelled, Monitor};

use crate::bake::{RawArea, pulse::Pulse};

/// The triangles of one tile, marked by whether their slope is walkable.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TriangleSlopes {
    /// Indices into the mesh's triangles, in file order.
    pub triangles: Vec<u32>,
    /// One per triangle: [`RawArea::NULL`] if it is too steep, else [`RawArea::WALKABLE`] or the area of its object or
    /// material.
    pub areas: Vec<RawArea>,
}

/// Number of triangles that are gathered before their slopes are computed with SIMD, four at a time.
const AT_ONCE: usize = 32;

/// Marks the triangles, given in file order, that are less steep than `max_slope_deg`.
///
/// Degenerate triangles and those that face down are not walkable.
///
/// Source: Recast, `rcMarkWalkableTriangles`.
pub(super) fn mark_slopes(
    mesh: &TriMesh,
    triangles: Vec<u32>,
    max_slope_deg: f32,
    monitor: &dyn Monitor,
) -> Result<TriangleSlopes, Cancelled> {
    let min_normal_y = cosine(max_slope_deg / 180.0 * std::f32::consts::PI);
    let mut pulse = Pulse::new(monitor);
    let mut areas = Vec::with_capacity(triangles.len());
    let mut names = [[0; 3]; AT_ONCE];
    let mut edges = [[0.0; AT_ONCE]; 6];
    for some in triangles.chunks(AT_ONCE) {
        pulse.step()?;
        let names = &mut names[..some.len()];
        copy_names(mesh, some, names);
        gather(mesh.vertices(), names, &mut edges);
        let marked: [_; AT_ONCE] = std::array::from_fn(|at| {
            let is_walkable = min_normal_y < normal_y(edges.each_ref().map(|row| row[at]));
            if is_walkable { RawArea::WALKABLE } else { RawArea::NULL }
        });
        areas.extend_from_slice(&marked[..some.len()]);
    }
    Ok(TriangleSlopes { triangles, areas })
}

/// Copies the vertex indices of `triangles`.
///
/// Does so before any vertex is looked up, so that the lookups overlap in the memory pipeline. Indices of consecutive
/// triangles, as in a bake in one piece, are copied as a block.
fn copy_names(mesh: &TriMesh, triangles: &[u32], names: &mut [[u32; 3]]) {
    let ends = triangles.first().zip(triangles.last());
    let beside =
        ends.and_then(|(&first, &last)| mesh.triangles().get(first as usize..=last as usize));
    if let Some(beside) = beside.filter(|beside| beside.len() == names.len()) {
        names.copy_from_slice(beside);
        return;
    }
    for (name, &triangle) in names.iter_mut().zip(triangles) {
        *name = mesh.triangles()[triangle as usize];
    }
}

/// Stores the two edges of each triangle that start at its first vertex, coordinate by coordinate.
fn gather(vertices: &[Vec3], names: &[[u32; 3]], edges: &mut [[f32; AT_ONCE]; 6]) {
    for (at, corners) in (0..AT_ONCE).zip(names) {
        let [a, b, c] = corners.map(|vertex| vertices[vertex as usize]);
        let [u, v] = [b - a, c - a];
        for (row, coordinate) in edges.iter_mut().zip([u.x, u.y, u.z, v.x, v.y, v.z]) {
            row[at] = coordinate;
        }
    }
}

/// Rounds the double-precision cosine once: the same on every platform and, for the angles in question, equal to the
/// reference's C library.
#[expect(clippy::cast_possible_truncation, reason = "rounding to single precision is the point")]
fn cosine(radians: f32) -> f32 {
    f64::from(radians).cos() as f32
}

/// Returns the height of the unit normal between two edges `u` and `v`; NaN for a degenerate triangle.
#[inline]
fn normal_y([ux, uy, uz, vx, vy, vz]: [f32; 6]) -> f32 {
    let normal = [uy * vz - vy * uz, uz * vx - vz * ux, ux * vy - vx * uy];
    let [x, y, z] = normal;
    y * (1.0 / (x * x + y * y + z * z).sqrt())
}

#[cfg(test)]
mod tests {
    use walkable_runtime::monitor::Unmonitored;

    use super::*;

    /// Checks a triangle that rises by `rise` over a run of 1.
    #[track_caller]
    fn check(corners: [Vec3; 3], max_slope_deg: f32, expected: RawArea) {
        let mesh = TriMesh::new(corners.to_vec(), vec![[0, 1, 2]]).unwrap();
        let slopes = mark_slopes(&mesh, vec![0], max_slope_deg, &Unmonitored).unwrap();
        assert_eq!(slopes.areas, [expected], "{corners:?} at {max_slope_deg}");
    }

    fn ramp(rise: f32) -> [Vec3; 3] {
        [Vec3::ZERO, Vec3::new(0.0, 0.0, 1.0), Vec3::new(1.0, rise, 0.0)]
    }

    const YES: RawArea = RawArea::WALKABLE;
    const NO: RawArea = RawArea::NULL;

    #[test]
    fn triangles_less_steep_than_the_slope_are_walkable() {
        check(ramp(0.0), 45.0, YES);
        check(ramp(0.9), 45.0, YES);
        check(ramp(1.1), 45.0, NO);
        check(ramp(1.1), 60.0, YES);
        check(ramp(0.0), 0.0, NO);
    }

    #[test]
    fn ceilings_and_slivers_are_not_walkable() {
        let [a, b, c] = ramp(0.0);
        check([a, c, b], 45.0, NO);
        check([a, b, b], 45.0, NO);
        check([a, a, a], 90.0, NO);
    }
}
