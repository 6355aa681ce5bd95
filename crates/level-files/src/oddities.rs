//! Findings about a readable file that a level designer should know.

use glam::{DVec3, Vec3};
use walkable_runtime::diagnostic::{Code, Finding, Location};

use crate::FileWarnings;

/// A triangle whose height is less than this fraction of its longest edge has no area. The fraction is the relative
/// step between neighboring `f32` values, so the normal would be noise.
const FLAT_HEIGHT: f64 = 1e-7;

/// Counts triangles without area and triangles that repeat an earlier one. `place_of` returns the place of a triangle
/// in the file.
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

/// Counts vertices that no triangle uses. `place_of` returns the place of a vertex in the file, and its number there.
pub(super) fn check_use(
    vertices: &[Vec3],
    triangles: &[[u32; 3]],
    place_of: impl Fn(usize) -> (Location, usize),
    warnings: &mut FileWarnings,
) {
    let mut used = vec![false; vertices.len()];
    for &vertex in triangles.as_flattened() {
        used[vertex as usize] = true;
    }
    for (index, _) in used.iter().enumerate().filter(|(_, used)| !**used) {
        warnings.add(Code::VertexUnused, || {
            let (place, vertex) = place_of(index);
            (place, Finding::VertexUnused { vertex })
        });
    }
}

fn is_flat([a, b, c]: [DVec3; 3]) -> bool {
    let (ab, ac, bc) = (b - a, c - a, c - b);
    let longest_squared = ab.length_squared().max(ac.length_squared()).max(bc.length_squared());
    // Twice the area is the longest edge times the height.
    ab.cross(ac).length() <= FLAT_HEIGHT * longest_squared
}

/// Returns the triangles with the same corner positions in the same winding as an earlier triangle, each with the first
/// such triangle, in order. A triangle with the opposite winding is not a repetition.
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

/// Returns a number per vertex: the index of the first vertex at the same position.
pub(super) fn weld(vertices: &[Vec3]) -> Vec<u32> {
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
