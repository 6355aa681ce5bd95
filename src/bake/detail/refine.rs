//! Adding height samples inside a polygon until its triangles follow the ground.
//!
//! Source: the second part of `buildPolyDetail`.

use glam::Vec3;

use super::{
    MAX_VERTICES, PolygonDetail, Sampling, delaunay::Outcome, height_patch::HeightPatch, plane,
};
use crate::monitor::{Cancelled, Monitor};

/// How far samples are moved off their grid, where symmetry would make bad triangles. In cells.
const JITTER_VX: f32 = 0.1;
/// Points this far outside a triangle still count as inside. A share of its edges.
const INSIDE_TOLERANCE: f32 = 1e-4;
/// How many samples are measured between two questions to the monitor.
const SAMPLES_PER_CHECK: usize = 256;

/// A place where the ground's height is known.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    position: Vec3,
    is_used: bool,
}

/// Replaces `samples` by a grid of samples inside the polygon `corners`, away from its edges.
pub(super) fn sample_grid(
    sampling: Sampling,
    patch: &HeightPatch,
    corners: &[Vec3],
    samples: &mut Vec<Sample>,
    monitor: &dyn Monitor,
) -> Result<(), Cancelled> {
    samples.clear();
    let min = corners.iter().copied().fold(corners[0], Vec3::min);
    let max = corners.iter().copied().fold(corners[0], Vec3::max);
    let Sampling { distance, grid, .. } = sampling;
    let y = (max.y + min.y) * 0.5;
    for z in range(min.z, max.z, distance) {
        monitor.check()?;
        for x in range(min.x, max.x, distance) {
            let [grid_x, grid_z] = [steps(x) * distance, steps(z) * distance];
            let point = Vec3::new(grid_x, y, grid_z);
            if plane::signed_distance_squared_to_polygon(point, corners) > -distance / 2.0 {
                continue;
            }
            let height = f32::from(patch.height_at(point.to_array(), grid));
            let [jitter_x, jitter_z] = jitter(samples.len());
            let position = Vec3::new(
                grid_x + jitter_x * grid.cell_size * JITTER_VX,
                height * grid.cell_height,
                grid_z + jitter_z * grid.cell_size * JITTER_VX,
            );
            samples.push(Sample { position, is_used: false });
        }
    }
    Ok(())
}

/// Whole steps of `distance` from below `min` to below `max`.
#[expect(clippy::cast_possible_truncation, reason = "floats saturate; a level has fewer steps")]
fn range(min: f32, max: f32, distance: f32) -> std::ops::Range<i32> {
    (min / distance).floor() as i32..(max / distance).ceil() as i32
}

#[expect(clippy::cast_precision_loss, reason = "rounds as the reference does")]
const fn steps(n: i32) -> f32 {
    n as f32
}

/// Two numbers from −1 to 1 that look random, always the same for the same index.
///
/// Source: `getJitterX` and `getJitterY`.
#[expect(clippy::cast_possible_truncation, reason = "only the low bits count")]
fn jitter(index: usize) -> [f32; 2] {
    [0x8da6_b343_u32, 0xd816_3841].map(|factor| {
        let low = (index as u32).wrapping_mul(factor) as u16;
        f32::from(low) / 65535.0 * 2.0 - 1.0
    })
}

/// Adds the sample that the triangles miss by most, and triangulates anew, until none is missed by
/// more than the allowed error or the polygon is full.
///
/// `detail.triangles` must cover the polygon.
pub(super) fn add_samples(
    sampling: Sampling,
    detail: &mut PolygonDetail,
    monitor: &dyn Monitor,
) -> Result<Outcome, Cancelled> {
    let mut outcome = Outcome::Sound;
    while detail.vertices.len() < MAX_VERTICES {
        detail.facets.clear();
        for triangle in &detail.triangles {
            detail.facets.push(Facet::new(triangle.map(|i| detail.vertices[usize::from(i)])));
        }
        let Some((worst, error)) = worst_sample(&detail.samples, &detail.facets, monitor)? else {
            break;
        };
        if error <= sampling.max_error {
            break;
        }
        let sample = &mut detail.samples[worst];
        sample.is_used = true;
        detail.vertices.push(sample.position);
        outcome = detail.delaunay.run(&detail.vertices, &detail.hull, &mut detail.triangles);
    }
    Ok(outcome)
}

/// The unused sample farthest above or below the facets, the first of equals, and how far. `None`
/// where all lie on a facet or beside all facets.
fn worst_sample(
    samples: &[Sample],
    facets: &[Facet],
    monitor: &dyn Monitor,
) -> Result<Option<(usize, f32)>, Cancelled> {
    let mut worst = None;
    let mut max_error = 0.0;
    for (i, sample) in samples.iter().enumerate() {
        if i % SAMPLES_PER_CHECK == 0 {
            monitor.check()?;
        }
        if sample.is_used {
            continue;
        }
        let errors = facets.iter().filter_map(|facet| facet.vertical_distance(sample.position));
        if let Some(error) = errors.reduce(f32::min)
            && error > max_error
        {
            max_error = error;
            worst = Some((i, error));
        }
    }
    Ok(worst)
}

/// A triangle made ready to measure heights against.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facet {
    origin: Vec3,
    /// Edges from the origin to the third and to the second corner.
    edges: [Vec3; 2],
    dot00: f32,
    dot01: f32,
    dot11: f32,
    inverse: f32,
}

impl Facet {
    fn new([a, b, c]: [Vec3; 3]) -> Self {
        let edges = [c - a, b - a];
        let dot00 = dot(edges[0], edges[0]);
        let dot01 = dot(edges[0], edges[1]);
        let dot11 = dot(edges[1], edges[1]);
        let inverse = 1.0 / (dot00 * dot11 - dot01 * dot01);
        Self { origin: a, edges, dot00, dot01, dot11, inverse }
    }

    /// How far `point` lies above or below the triangle, in metres; `None` beside it.
    ///
    /// Source: `distPtTri`.
    fn vertical_distance(&self, point: Vec3) -> Option<f32> {
        let to = point - self.origin;
        let dot02 = dot(self.edges[0], to);
        let dot12 = dot(self.edges[1], to);
        let u = (self.dot11 * dot02 - self.dot01 * dot12) * self.inverse;
        let v = (self.dot00 * dot12 - self.dot01 * dot02) * self.inverse;
        let is_inside =
            u >= -INSIDE_TOLERANCE && v >= -INSIDE_TOLERANCE && u + v <= 1.0 + INSIDE_TOLERANCE;
        let y = self.origin.y + self.edges[0].y * u + self.edges[1].y * v;
        is_inside.then(|| (y - point.y).abs())
    }
}

/// Dot product seen from above.
fn dot(a: Vec3, b: Vec3) -> f32 {
    a.x * b.x + a.z * b.z
}
