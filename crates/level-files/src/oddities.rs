//! Oddities of a readable file that a designer wants to know about.

use glam::{DVec3, Vec3};
use walkable_runtime::diagnostic::{Code, Finding, Location};

use crate::FileWarnings;

/// A triangle whose height is below this part of its longest edge has no area: that is the step
/// between neighboring `f32` coordinates, so its normal would be noise.
const FLAT_HEIGHT: f64 = 1e-7;

/// Counts triangles without area and triangles that repeat an earlier one. `place_of` says where in the
/// file a triangle is.
pub(super) fn check_triangles(
    vertices: &[Vec3],
    triangles: &[[u32; 3]],
    place_of: impl Fn(usize) -> Location,
    warnings: &mut FileWarnings,
) {
    for (index, triangle) in triangles.iter().enumerate() {
        if is_flat(triangle.map(|v| vertices[v as usize].as_dvec3())) {
            let degenerate = Finding::TriangleDegenerate { triangle: index };
            warnings.add(Code::TriangleDegenerate, || (place_of(index), degenerate));
        }
    }
    for (index, original) in repeats(vertices, triangles) {
        let [index, original] = [index, original].map(|index| index as usize);
        warnings.add(Code::TriangleDuplicate, || {
            let first_at = place_of(original).to_string();
            let repeated = Finding::TriangleDuplicate { triangle: index, original, first_at };
            (place_of(index), repeated)
        });
    }
}

/// Counts vertices that no triangle uses.
pub(super) fn check_use(
    vertices: &[Vec3],
    triangles: &[[u32; 3]],
    vertex_lines: &[u32],
    warnings: &mut FileWarnings,
) {
    let mut used = vec![false; vertices.len()];
    for &vertex in triangles.as_flattened() {
        used[vertex as usize] = true;
    }
    for (index, _) in used.iter().enumerate().filter(|(_, used)| !**used) {
        let unused = Finding::VertexUnused { vertex: index + 1 };
        warnings.add(Code::VertexUnused, || (Location::Line(vertex_lines[index]), unused));
    }
}

fn is_flat([a, b, c]: [DVec3; 3]) -> bool {
    let (ab, ac, bc) = (b - a, c - a, c - b);
    let longest_squared = ab.length_squared().max(ac.length_squared()).max(bc.length_squared());
    // Twice the area is longest edge times height.
    ab.cross(ac).length() <= FLAT_HEIGHT * longest_squared
}

/// Triangles with the same corner positions in the same order around as an earlier one, each with the
/// first such one, in order. A triangle and its back side are no repeat.
fn repeats(vertices: &[Vec3], triangles: &[[u32; 3]]) -> Vec<(u32, u32)> {
    let welded = weld(vertices);
    let mut keyed: Vec<([u32; 3], u32)> = triangles
        .iter()
        .zip(0..)
        .map(|(corners, index)| (smallest_first(corners.map(|v| welded[v as usize])), index))
        .collect();
    drop(welded);
    keyed.sort_unstable();
    let mut found = Vec::new();
    for same in keyed.chunk_by(|a, b| a.0 == b.0) {
        let original = same[0].1;
        found.extend(same[1..].iter().map(|&(_, index)| (index, original)));
    }
    found.sort_unstable();
    found
}

fn smallest_first([a, b, c]: [u32; 3]) -> [u32; 3] {
    if a <= b && a <= c {
        [a, b, c]
    } else if b <= c {
        [b, c, a]
    } else {
        [c, a, b]
    }
}

/// Per vertex, a number that vertices at the same position share.
fn weld(vertices: &[Vec3]) -> Vec<u32> {
    // Adding zero turns -0.0 into 0.0, which is the same position.
    let key = |v: &Vec3| (*v + Vec3::ZERO).to_array().map(f32::to_bits);
    let mut keyed: Vec<([u32; 3], u32)> = vertices.iter().map(key).zip(0..).collect();
    keyed.sort_unstable();
    let mut welded = vec![0; vertices.len()];
    for same in keyed.chunk_by(|a, b| a.0 == b.0) {
        for &(_, vertex) in same {
            welded[vertex as usize] = same[0].1;
        }
    }
    welded
}
