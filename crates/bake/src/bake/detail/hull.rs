//! Triangulates the vertices around a polygon, without vertices inside.

use glam::Vec3;

use super::{MAX_VERTICES, plane};

/// Flag of a triangle's edge that is on the polygon's boundary. There are two bits per edge.
const ON_BOUNDARY: u8 = 1;

/// Triangulates the vertices of `hull`, given in order around a convex polygon. Starts at the corner whose ear has the
/// shortest perimeter, and extends to both sides by the triangle with the shorter perimeter, which suits straight edges
/// with many vertices.
///
/// - `n_corners`: the first vertices, which are the polygon's corners; only they can start.
///
/// Source: `triangulateHull`.
pub(super) fn triangulate(
    vertices: &[Vec3],
    hull: &[u8],
    n_corners: usize,
    triangles: &mut Vec<[u8; 3]>,
) {
    let n = hull.len();
    let after = |i: usize| if i + 1 < n { i + 1 } else { 0 };
    let before = |i: usize| if i > 0 { i - 1 } else { n - 1 };
    let at = |i: usize| vertices[usize::from(hull[i])];
    let length = |i: usize, j: usize| plane::distance(at(i), at(j));

    let mut start = 0;
    let mut min_perimeter = f32::MAX;
    for i in (0..n).filter(|&i| usize::from(hull[i]) < n_corners) {
        let (previous, next) = (before(i), after(i));
        let perimeter = length(previous, i) + length(i, next) + length(next, previous);
        if perimeter < min_perimeter {
            start = i;
            min_perimeter = perimeter;
        }
    }
    let (mut left, mut right) = (after(start), before(start));
    triangles.push([hull[start], hull[left], hull[right]]);
    while after(left) != right {
        let (next_left, next_right) = (after(left), before(right));
        let by_left = length(left, next_left) + length(next_left, right);
        let by_right = length(right, next_right) + length(left, next_right);
        if by_left < by_right {
            triangles.push([hull[left], hull[next_left], hull[right]]);
            left = next_left;
        } else {
            triangles.push([hull[left], hull[next_right], hull[right]]);
            right = next_right;
        }
    }
}

/// The edges on a polygon's boundary.
#[derive(Debug)]
pub(super) struct Boundary {
    /// The next vertex of each vertex of the hull.
    after: [Option<u8>; MAX_VERTICES],
}

impl Boundary {
    pub(super) fn new(hull: &[u8]) -> Self {
        let mut after = [None; MAX_VERTICES];
        for (&vertex, &next) in hull.iter().zip(hull.iter().cycle().skip(1)) {
            after[usize::from(vertex)] = Some(next);
        }
        Self { after }
    }

    /// Returns the flags of a triangle's edges, two bits per edge, beginning with the edge from its first vertex.
    ///
    /// Source: `setTriFlags`.
    pub(super) fn flags(&self, [a, b, c]: [u8; 3]) -> u8 {
        [(a, b), (b, c), (c, a)].into_iter().enumerate().fold(0, |flags, (edge, (from, to))| {
            let is_on = self.after[usize::from(from)] == Some(to);
            if is_on { flags | ON_BOUNDARY << (2 * edge) } else { flags }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SQUARE: [Vec3; 4] = [
        Vec3::new(0.0, 0.0, 0.0),
        Vec3::new(0.0, 0.0, 4.0),
        Vec3::new(4.0, 0.0, 4.0),
        Vec3::new(4.0, 0.0, 0.0),
    ];

    #[test]
    fn a_square_is_two_triangles_with_two_boundary_edges_each() {
        let mut triangles = Vec::new();
        let hull = [3, 0, 1, 2];
        triangulate(&SQUARE, &hull, 4, &mut triangles);
        assert_eq!(triangles, [[3, 0, 2], [0, 1, 2]]);
        let boundary = Boundary::new(&hull);
        let flags: Vec<u8> = triangles.iter().map(|&t| boundary.flags(t)).collect();
        assert_eq!(flags, [0b01_00_01, 0b00_01_01]);
    }

    #[test]
    fn only_corners_start() {
        let mut vertices = SQUARE.to_vec();
        vertices.push(Vec3::new(0.0, 1.0, 0.1));
        let mut triangles = Vec::new();
        triangulate(&vertices, &[3, 0, 4, 1, 2], 4, &mut triangles);
        assert_eq!(triangles.len(), 3);
        assert!(vertices.len() == 5 && triangles[0][0] < 4);
    }
}
