//! Assembles levels from solids. Every face is counter-clockwise seen from outside.

use std::ops::Range;

use glam::Vec3;
use walkable_mesh::{MeshPart, TriMesh};
use walkable_runtime::ids::Dir;

/// Collects the triangles of named parts.
#[derive(Debug, Default)]
pub(super) struct Solids {
    vertices: Vec<Vec3>,
    parts: Vec<NamedTriangles>,
    current: usize,
}

#[derive(Debug)]
struct NamedTriangles {
    object: String,
    material: String,
    triangles: Vec<[u32; 3]>,
}

/// A hole in a wall.
#[derive(Clone, Copy, Debug)]
pub(super) struct Opening {
    /// Start and end along the wall, in world coordinates.
    pub(super) along: [f32; 2],
    /// Bottom and top, in world coordinates.
    pub(super) heights: [f32; 2],
}

impl Solids {
    /// Starts or continues the part of `object` made of `material`; following faces belong to it.
    pub(super) fn part(&mut self, object: &str, material: &str) -> &mut Self {
        let named = |part: &NamedTriangles| part.object == object && part.material == material;
        self.current = self.parts.iter().position(named).unwrap_or(self.parts.len());
        if self.current == self.parts.len() {
            let (object, material) = (object.to_owned(), material.to_owned());
            self.parts.push(NamedTriangles { object, material, triangles: Vec::new() });
        }
        self
    }

    /// Adds a vertex, for use in [`Solids::face`].
    pub(super) fn vertex(&mut self, position: Vec3) -> u32 {
        let index = u32::try_from(self.vertices.len()).unwrap_or(u32::MAX);
        // Adding zero removes the sign of a negative zero, which would be written to files.
        self.vertices.push(position + Vec3::ZERO);
        index
    }

    /// Adds a triangle of existing vertices.
    pub(super) fn face(&mut self, corners: [u32; 3]) {
        if self.parts.is_empty() {
            self.part("", "");
        }
        self.parts[self.current].triangles.push(corners);
    }

    /// Adds a convex polygon.
    pub(super) fn polygon(&mut self, corners: &[Vec3]) {
        let first = self.vertex(corners[0]);
        let others: Vec<u32> = corners[1..].iter().map(|&corner| self.vertex(corner)).collect();
        for edge in others.windows(2) {
            self.face([first, edge[0], edge[1]]);
        }
    }

    /// Adds an upright solid between two convex outlines with the same number of corners, counter-clockwise seen from
    /// above. The outlines need not be level.
    pub(super) fn column(&mut self, bottom: &[Vec3], top: &[Vec3]) {
        let lower: Vec<u32> = bottom.iter().map(|&corner| self.vertex(corner)).collect();
        let upper: Vec<u32> = top.iter().map(|&corner| self.vertex(corner)).collect();
        for i in 1..lower.len().saturating_sub(1) {
            self.face([upper[0], upper[i], upper[i + 1]]);
            self.face([lower[0], lower[i + 1], lower[i]]);
        }
        for i in 0..lower.len() {
            let next = (i + 1) % lower.len();
            self.face([lower[i], lower[next], upper[next]]);
            self.face([lower[i], upper[next], upper[i]]);
        }
    }

    /// Adds a box.
    pub(super) fn cuboid(&mut self, min: Vec3, max: Vec3) {
        self.column(&level_outline(min, max, min.y), &level_outline(min, max, max.y));
    }

    /// Adds a ramp that fills the box from its bottom and rises toward `dir`.
    pub(super) fn wedge(&mut self, min: Vec3, max: Vec3, dir: Dir) {
        let [l0, l1, h1, h0] = outline_towards(min, max, min.y, dir);
        let [_, _, t1, t0] = outline_towards(min, max, max.y, dir);
        let [l0, l1, h0, h1, t0, t1] = [l0, l1, h0, h1, t0, t1].map(|corner| self.vertex(corner));
        for corners in [
            [l0, h1, l1],
            [l0, h0, h1],
            [l0, l1, t1],
            [l0, t1, t0],
            [h1, h0, t0],
            [h1, t0, t1],
            [l1, h1, t1],
            [l0, t0, h0],
        ] {
            self.face(corners);
        }
    }

    /// Adds steps that fill the box from its bottom and rise toward `dir`. The last step is as high as the box.
    pub(super) fn stairs(&mut self, min: Vec3, max: Vec3, dir: Dir, n_steps: u8) {
        let n = f32::from(n_steps);
        for step in 0..n_steps {
            let (from, to) = (f32::from(step) / n, f32::from(step + 1) / n);
            let across = |t: f32| match dir {
                Dir::East => min.x + (max.x - min.x) * t,
                Dir::West => max.x + (min.x - max.x) * t,
                Dir::North => min.z + (max.z - min.z) * t,
                Dir::South => max.z + (min.z - max.z) * t,
            };
            let top = min.y + (max.y - min.y) * to;
            let (a, b) = (across(from), across(to));
            let (low, high) = (a.min(b), a.max(b));
            let (step_min, step_max) = match dir {
                Dir::East | Dir::West => {
                    (Vec3::new(low, min.y, min.z), Vec3::new(high, top, max.z))
                }
                Dir::North | Dir::South => {
                    (Vec3::new(min.x, min.y, low), Vec3::new(max.x, top, high))
                }
            };
            self.cuboid(step_min, step_max);
        }
    }

    /// Adds a wall that fills the box except for `openings`. The openings are sorted along the longer of its horizontal
    /// sides and do not overlap.
    pub(super) fn wall(&mut self, min: Vec3, max: Vec3, openings: &[Opening]) {
        let along_x = max.x - min.x >= max.z - min.z;
        let mut fill = |along: [f32; 2], heights: [f32; 2]| {
            if along[1] <= along[0] || heights[1] <= heights[0] {
                return;
            }
            let at = |i: usize, x: f32, z: f32| {
                if along_x {
                    Vec3::new(along[i], heights[i], z)
                } else {
                    Vec3::new(x, heights[i], along[i])
                }
            };
            self.cuboid(at(0, min.x, min.z), at(1, max.x, max.z));
        };
        let (start, end) = if along_x { (min.x, max.x) } else { (min.z, max.z) };
        let mut done = start;
        for opening in openings {
            fill([done, opening.along[0]], [min.y, max.y]);
            fill(opening.along, [min.y, opening.heights[0]]);
            fill(opening.along, [opening.heights[1], max.y]);
            done = opening.along[1];
        }
        fill([done, end], [min.y, max.y]);
    }

    /// Adds a slab that fills the box except for a hole through it, which is inside the box.
    pub(super) fn slab_with_hole(&mut self, min: Vec3, max: Vec3, hole: [Range<f32>; 2]) {
        let [x, z] = hole;
        let mut piece = |xs: [f32; 2], zs: [f32; 2]| {
            if xs[0] < xs[1] && zs[0] < zs[1] {
                self.cuboid(Vec3::new(xs[0], min.y, zs[0]), Vec3::new(xs[1], max.y, zs[1]));
            }
        };
        piece([min.x, x.start], [min.z, max.z]);
        piece([x.end, max.x], [min.z, max.z]);
        piece([x.start, x.end], [min.z, z.start]);
        piece([x.start, x.end], [z.end, max.z]);
    }

    /// Returns the mesh of all parts, in the order of their first use; `None` without triangles.
    pub(super) fn finish(self) -> Option<TriMesh> {
        let mut triangles = Vec::new();
        let mut parts = Vec::new();
        for part in self.parts.into_iter().filter(|part| !part.triangles.is_empty()) {
            let start = u32::try_from(triangles.len()).ok()?;
            triangles.extend(part.triangles);
            let range = start..u32::try_from(triangles.len()).ok()?;
            let [object, material] = [part.object, part.material].map(Into::into);
            parts.push(MeshPart { object, material, triangles: range });
        }
        TriMesh::with_parts(self.vertices, triangles, parts).ok()
    }
}

/// Returns the outline of a box at height `y`, counter-clockwise seen from above.
pub(super) fn level_outline(min: Vec3, max: Vec3, y: f32) -> [Vec3; 4] {
    [
        Vec3::new(min.x, y, min.z),
        Vec3::new(min.x, y, max.z),
        Vec3::new(max.x, y, max.z),
        Vec3::new(max.x, y, min.z),
    ]
}

/// Returns the outline of [`level_outline`], rotated so that the edge between the last two corners is toward `dir`.
fn outline_towards(min: Vec3, max: Vec3, y: f32, dir: Dir) -> [Vec3; 4] {
    let mut outline = level_outline(min, max, y);
    let first = match dir {
        Dir::East => 0,
        Dir::South => 1,
        Dir::West => 2,
        Dir::North => 3,
    };
    outline.rotate_left(first);
    outline
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIN: Vec3 = Vec3::new(1.0, 2.0, 3.0);
    const MAX: Vec3 = Vec3::new(4.0, 6.0, 5.0);

    /// Returns the volume that the faces enclose; positive if they face out.
    fn volume(mesh: &TriMesh) -> f32 {
        let corners = (0..mesh.triangles().len()).map(|triangle| mesh.corners(triangle));
        corners.map(|[a, b, c]| a.dot(b.cross(c))).sum::<f32>() / 6.0
    }

    /// Returns whether every edge of the surface is used once in each direction.
    fn is_closed(mesh: &TriMesh) -> bool {
        let key = |v: u32| mesh.vertices()[v as usize].to_array().map(f32::to_bits);
        let mut edges: Vec<_> = mesh
            .triangles()
            .iter()
            .flat_map(|&[a, b, c]| [(a, b), (b, c), (c, a)])
            .map(|(a, b)| (key(a), key(b)))
            .collect();
        edges.sort_unstable();
        edges.iter().all(|&(a, b)| edges.binary_search(&(b, a)).is_ok())
    }

    #[track_caller]
    fn check_solid(build: impl Fn(&mut Solids), expected_volume: f32) {
        let mut solids = Solids::default();
        build(&mut solids);
        let mesh = solids.finish().unwrap();
        assert!(is_closed(&mesh));
        assert!((volume(&mesh) - expected_volume).abs() < 1e-3, "{}", volume(&mesh));
        assert_eq!((mesh.bounds().min, mesh.bounds().max), (MIN, MAX));
    }

    #[test]
    fn solids_are_closed_and_face_out() {
        check_solid(|s| s.cuboid(MIN, MAX), 24.0);
        for dir in Dir::ALL {
            check_solid(|s| s.wedge(MIN, MAX, dir), 12.0);
            check_solid(|s| s.stairs(MIN, MAX, dir, 4), 24.0 * 0.625);
        }
        let door = Opening { along: [2.0, 3.0], heights: [2.0, 4.0] };
        check_solid(|s| s.wall(MIN, MAX, &[door]), 24.0 - 4.0);
        check_solid(|s| s.slab_with_hole(MIN, MAX, [2.0..3.0, 3.5..4.5]), 24.0 - 4.0);
    }

    #[test]
    fn ramps_rise_in_their_direction() {
        for (dir, high) in [
            (Dir::East, Vec3::new(4.0, 6.0, 3.0)),
            (Dir::West, Vec3::new(1.0, 6.0, 5.0)),
            (Dir::North, Vec3::new(1.0, 6.0, 5.0)),
            (Dir::South, Vec3::new(4.0, 6.0, 3.0)),
        ] {
            for stairs in [false, true] {
                let mut solids = Solids::default();
                if stairs {
                    solids.stairs(MIN, MAX, dir, 5);
                } else {
                    solids.wedge(MIN, MAX, dir);
                }
                let mesh = solids.finish().unwrap();
                assert!(mesh.vertices().contains(&high), "{dir:?}");
                let opposite = MIN + MAX - high;
                let low = Vec3::new(opposite.x, 6.0, opposite.z);
                assert!(!mesh.vertices().contains(&low), "{dir:?}");
            }
        }
    }

    #[test]
    fn parts_are_gathered_by_name() {
        let mut solids = Solids::default();
        solids.part("a", "wood").cuboid(MIN, MAX);
        solids.part("b", "wood").cuboid(MIN, MAX);
        solids.part("a", "wood").wedge(MIN, MAX, Dir::East);
        let mesh = solids.finish().unwrap();
        let parts: Vec<_> =
            mesh.parts().iter().map(|p| (&*p.object, p.triangles.clone())).collect();
        assert_eq!(parts, [("a", 0..20), ("b", 20..32)]);
    }
}
