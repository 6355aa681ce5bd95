//! Adds height samples inside a polygon until its triangles follow the ground.
//!
//! Source: the second part of `buildPolyDetail`, which compares every sample with every triangle. Here, a triangle is
//! only compared with the samples around it.

use std::ops::Range;

use glam::Vec3;
use walkable_runtime::monitor::{Cancelled, Monitor};

use super::{
    MAX_VERTICES, PolygonDetail, Sampling, delaunay::Outcome, facet::Facet,
    height_patch::HeightPatch, plane,
};
use crate::bake::pulse::Pulse;

/// Displacement of samples from their grid, because symmetry would lead to bad triangles. In cells.
const JITTER_VX: f32 = 0.1;
/// Maximum distance of samples from their grid, in steps of the grid, with a margin for rounding. Steps are at least
/// 0.9 cells.
const MAX_JITTER_STEPS: f32 = 0.25;
/// Grid point without sample.
const NO_SAMPLE: u32 = u32::MAX;
/// Error of a sample that is above or below no triangle.
const UNMEASURED: f32 = f32::MAX;

/// A point of the ground.
#[derive(Clone, Copy, Debug)]
struct Sample {
    position: Vec3,
    is_used: bool,
}

/// Samples on a grid over a polygon. Buffers are reused for the next polygon.
#[derive(Debug, Default)]
pub(super) struct SampleGrid {
    /// Distance of grid points, in meters.
    step: f32,
    /// First grid point along x and z, in steps from the tile's origin.
    start: [i32; 2],
    /// Number of grid points along x and z.
    size: [usize; 2],
    /// Per grid point, row by row: its sample or [`NO_SAMPLE`].
    sample_at: Vec<u32>,
    samples: Vec<Sample>,
    /// Per sample: its vertical distance from the triangles, in meters.
    errors: Vec<f32>,
}

impl SampleGrid {
    /// Replaces the samples by those inside the polygon `corners`, away from its edges.
    pub(super) fn fill(
        &mut self,
        sampling: Sampling,
        patch: &HeightPatch,
        corners: &[Vec3],
        monitor: &dyn Monitor,
    ) -> Result<(), Cancelled> {
        let min = corners.iter().copied().fold(corners[0], Vec3::min);
        let max = corners.iter().copied().fold(corners[0], Vec3::max);
        let [xs, zs] = [(min.x, max.x), (min.z, max.z)]
            .map(|(min, max)| steps_between(min, max, sampling.distance));
        self.step = sampling.distance;
        self.start = [xs.start, zs.start];
        self.size = [xs.len(), zs.len()];
        self.sample_at.clear();
        self.samples.clear();
        let y = (max.y + min.y) * 0.5;
        for z in zs {
            monitor.check()?;
            for x in xs.clone() {
                let point = Vec3::new(meters(x, self.step), y, meters(z, self.step));
                let distance = plane::signed_distance_squared_to_polygon(point, corners);
                let sample = if distance > -self.step / 2.0 {
                    NO_SAMPLE
                } else {
                    self.push(sampling, patch, point)
                };
                self.sample_at.push(sample);
            }
        }
        Ok(())
    }

    /// Adds the sample near `point` and returns its index.
    fn push(&mut self, sampling: Sampling, patch: &HeightPatch, point: Vec3) -> u32 {
        let grid = sampling.grid;
        let height = f32::from(patch.height_at(point.to_array(), grid));
        let index = sample_index(self.samples.len());
        let [jitter_x, jitter_z] = jitter(index);
        let position = Vec3::new(
            point.x + jitter_x * grid.cell_size * JITTER_VX,
            height * grid.cell_height,
            point.z + jitter_z * grid.cell_size * JITTER_VX,
        );
        self.samples.push(Sample { position, is_used: false });
        index
    }

    /// Returns the unused sample with the largest error, the first if several are equal, and its error. `None` if all
    /// are on a triangle or outside all triangles.
    fn worst(
        &mut self,
        triangles: impl Iterator<Item = [Vec3; 3]>,
        pulse: &mut Pulse<'_>,
    ) -> Result<Option<(usize, f32)>, Cancelled> {
        self.errors.clear();
        self.errors.resize(self.samples.len(), UNMEASURED);
        for triangle in triangles {
            self.measure(&Facet::new(triangle), pulse)?;
        }
        let mut worst = None;
        let mut max_error = 0.0;
        for (i, (&error, sample)) in self.errors.iter().zip(&self.samples).enumerate() {
            if max_error < error && error < UNMEASURED && !sample.is_used {
                max_error = error;
                worst = Some((i, error));
            }
        }
        Ok(worst)
    }

    /// Updates the errors of the samples above and below a triangle.
    fn measure(&mut self, facet: &Facet, pulse: &mut Pulse<'_>) -> Result<(), Cancelled> {
        let [xs, zs] = match facet.reach() {
            Some([xs, zs]) => [self.grid_points(0, xs), self.grid_points(1, zs)],
            None => self.size.map(|n| 0..n),
        };
        for z in zs {
            let row = z * self.size[0];
            for &sample in &self.sample_at[row + xs.start..row + xs.end] {
                pulse.step()?;
                if sample == NO_SAMPLE {
                    continue;
                }
                let position = self.samples[sample as usize].position;
                if let Some(distance) = facet.vertical_distance(position) {
                    let error = &mut self.errors[sample as usize];
                    *error = error.min(distance);
                }
            }
        }
        Ok(())
    }

    /// Returns the grid points along `axis` whose samples can lie between two coordinates.
    fn grid_points(&self, axis: usize, [min, max]: [f32; 2]) -> Range<usize> {
        let first = (min / self.step - MAX_JITTER_STEPS).floor();
        let last = (max / self.step + MAX_JITTER_STEPS).ceil();
        let inside = |step: f32| {
            let offset = i64::from(truncated(step)) - i64::from(self.start[axis]);
            usize::try_from(offset.max(0)).map_or(self.size[axis], |at| at.min(self.size[axis]))
        };
        inside(first)..inside(last + 1.0)
    }
}

/// Returns the range of steps that covers `min` to `max`: from the last multiple of `step` at or below `min`, up to but
/// excluding the first at or above `max`.
fn steps_between(min: f32, max: f32, step: f32) -> Range<i32> {
    truncated((min / step).floor())..truncated((max / step).ceil())
}

#[expect(clippy::cast_possible_truncation, reason = "floats saturate; a level has fewer steps")]
const fn truncated(value: f32) -> i32 {
    value as i32
}

#[expect(clippy::cast_precision_loss, reason = "rounds as the reference does")]
fn meters(n_steps: i32, step: f32) -> f32 {
    n_steps as f32 * step
}

#[expect(clippy::cast_possible_truncation, reason = "a polygon has fewer samples than 2^32")]
const fn sample_index(index: usize) -> u32 {
    index as u32
}

/// Returns two pseudo-random numbers from −1 to 1, the same for the same index.
///
/// Source: `getJitterX` and `getJitterY`.
#[expect(clippy::cast_possible_truncation, reason = "only the low bits count")]
fn jitter(index: u32) -> [f32; 2] {
    [0x8da6_b343_u32, 0xd816_3841].map(|factor| {
        let low = index.wrapping_mul(factor) as u16;
        f32::from(low) / 65535.0 * 2.0 - 1.0
    })
}

/// Adds the sample with the largest error and triangulates again, until no error is above the maximum, the polygon has
/// the maximum number of vertices, or `n` samples were added.
///
/// `detail.triangles` must cover the polygon.
pub(super) fn add_samples(
    sampling: Sampling,
    detail: &mut PolygonDetail,
    n: usize,
    monitor: &dyn Monitor,
) -> Result<Outcome, Cancelled> {
    let PolygonDetail { vertices, hull, triangles, samples, delaunay, .. } = detail;
    let mut pulse = Pulse::new(monitor);
    let mut outcome = Outcome::Sound;
    delaunay.begin();
    let most = vertices.len().saturating_add(n).min(MAX_VERTICES);
    while vertices.len() < most {
        let positions = triangles.iter().map(|&[a, b, c]| {
            [vertices[usize::from(a)], vertices[usize::from(b)], vertices[usize::from(c)]]
        });
        let Some((worst, error)) = samples.worst(positions, &mut pulse)? else { break };
        if error <= sampling.max_error {
            break;
        }
        let sample = &mut samples.samples[worst];
        sample.is_used = true;
        vertices.push(sample.position);
        outcome = delaunay.run(vertices, hull, triangles);
    }
    Ok(outcome)
}
