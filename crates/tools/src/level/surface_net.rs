//! Turns a density over a grid into a surface.

use glam::Vec3;

use crate::level::solid::Solids;

/// Density at the points of a grid: positive in open space, negative in rock.
///
/// Invariant: `values` has one number per grid point, x first, then y, then z.
#[derive(Debug)]
pub(super) struct Density {
    /// Number of grid points along x, y and z.
    pub(super) n: [usize; 3],
    /// Distance between grid points, in meters.
    pub(super) step: f32,
    /// Position of the first grid point.
    pub(super) origin: Vec3,
    values: Vec<f32>,
}

impl Density {
    /// Creates a grid of rock.
    pub(super) fn rock(origin: Vec3, step: f32, n: [usize; 3]) -> Self {
        Self { n, step, origin, values: vec![-1.0; n[0] * n[1] * n[2]] }
    }

    fn index(&self, [x, y, z]: [usize; 3]) -> usize {
        x + self.n[0] * (y + self.n[1] * z)
    }

    fn value(&self, point: [usize; 3]) -> f32 {
        self.values[self.index(point)]
    }

    /// Returns the position of a grid point.
    pub(super) fn position(&self, point: [usize; 3]) -> Vec3 {
        self.origin + Vec3::from_array(point.map(to_f32)) * self.step
    }

    /// Raises the density of a point to at least `density`. The outermost points stay rock.
    pub(super) fn open(&mut self, point: [usize; 3], density: f32) {
        if point.iter().zip(self.n).all(|(&i, n)| i > 0 && i + 1 < n) {
            let index = self.index(point);
            self.values[index] = self.values[index].max(density);
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "grids have far fewer than 2^24 points a side")]
fn to_f32(i: usize) -> f32 {
    i as f32
}

/// Adds the surface between rock and open space, facing the open space.
///
/// Each grid cell that the surface crosses gets one vertex, at the mean of the points at which the surface crosses the
/// edges of the cell. Each crossed grid edge gets one quad between the four cells around it.
///
/// Source: Gibson, "Constrained elastic surface nets" (1998), without the relaxation.
pub(super) fn surface_net(density: &Density, solids: &mut Solids) {
    let mut vertices = vec![None; density.values.len()];
    for_each_below(density.n, |cell| {
        vertices[density.index(cell)] = cell_vertex(density, cell).map(|at| solids.vertex(at));
    });
    for_each_below(density.n, |point| {
        let here = density.value(point);
        for axis in 0..3 {
            let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
            if point[u] == 0 || point[v] == 0 {
                continue;
            }
            let there = density.value(shifted(point, axis));
            if (here > 0.0) == (there > 0.0) {
                continue;
            }
            let around = |du: usize, dv: usize| {
                let mut cell = point;
                cell[u] -= du;
                cell[v] -= dv;
                vertices[density.index(cell)]
            };
            let quad = [around(1, 1), around(0, 1), around(0, 0), around(1, 0)];
            let [Some(a), Some(b), Some(c), Some(d)] = quad else { continue };
            // Counter-clockwise seen from farther along the axis; flipped if rock is on that side.
            let [b, d] = if there > 0.0 { [b, d] } else { [d, b] };
            solids.face([a, b, c]);
            solids.face([a, c, d]);
        }
    });
}

/// Visits every cell of a grid of `n` points.
fn for_each_below(n: [usize; 3], mut visit: impl FnMut([usize; 3])) {
    for z in 0..n[2] - 1 {
        for y in 0..n[1] - 1 {
            for x in 0..n[0] - 1 {
                visit([x, y, z]);
            }
        }
    }
}

fn shifted(mut point: [usize; 3], axis: usize) -> [usize; 3] {
    point[axis] += 1;
    point
}

/// Returns the mean of the points at which the surface crosses the edges of the cell; `None` if it crosses none.
fn cell_vertex(density: &Density, cell: [usize; 3]) -> Option<Vec3> {
    let mut sum = Vec3::ZERO;
    let mut n_crossings = 0_u8;
    for axis in 0..3 {
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        for (du, dv) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
            let mut from = cell;
            from[u] += du;
            from[v] += dv;
            let to = shifted(from, axis);
            let (a, b) = (density.value(from), density.value(to));
            if (a > 0.0) != (b > 0.0) {
                let (from, to) = (density.position(from), density.position(to));
                sum += from + (to - from) * (a / (a - b));
                n_crossings += 1;
            }
        }
    }
    (n_crossings > 0).then(|| sum / f32::from(n_crossings))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ball_of_air_is_a_closed_surface_that_faces_in() {
        let mut density = Density::rock(Vec3::splat(-8.0), 1.0, [17; 3]);
        for_each_below([17; 3], |point| {
            let at = density.position(point);
            density.open(point, 5.0 - at.length());
        });
        let mut solids = Solids::default();
        surface_net(&density, &mut solids);
        let mesh = solids.finish().unwrap();
        for vertex in mesh.vertices() {
            assert!((vertex.length() - 5.0).abs() < 0.3, "{vertex}");
        }
        let mut volume = 0.0;
        for triangle in 0..mesh.triangles().len() {
            let [a, b, c] = mesh.corners(triangle);
            volume += a.dot(b.cross(c)) / 6.0;
            assert!((b - a).cross(c - a).dot(a) < 0.0, "a face looks out");
        }
        assert!((volume + 523.6).abs() < 40.0, "{volume}");
    }
}
