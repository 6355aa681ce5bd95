//! Heights of the surface of a navmesh above its level, as the data of a heat map.

use std::collections::BTreeMap;

use glam::Vec3;
use serde::{Deserialize, Serialize};
use walkable_runtime::navmesh::TileHeader;

use crate::clip::clipped;

/// Maximum number of squares that a triangle is cut into. Checks have at most 257 by 257 samples for a polygon.
const MAX_SQUARES: u64 = 1 << 20;

/// Heights of the detail surface above the level, at samples.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SurfaceMap {
    pub(super) limit: f32,
    /// By column, row and layer of the tile: the samples of each polygon.
    #[serde(with = "crate::pairs")]
    pub(super) tiles: BTreeMap<[i32; 3], Vec<PolySamples>>,
}

impl SurfaceMap {
    /// Returns the distance from the level, in meters, that the sample error of the detail mesh and the height of
    /// voxels explain. Larger distances are findings.
    pub fn limit(&self) -> f32 {
        self.limit
    }

    /// Returns the samples of a polygon of the tile with this header; `None` if the navmesh had no such tile.
    pub fn poly(&self, tile: &TileHeader, index: usize) -> Option<&PolySamples> {
        self.tiles.get(&[tile.x, tile.z, tile.layer])?.get(index)
    }

    /// Returns the number of samples.
    pub fn n_samples(&self) -> usize {
        self.tiles.values().flatten().map(|poly| poly.samples.len()).sum()
    }
}

/// A point of the detail surface.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SurfaceSample {
    /// The point.
    pub point: Vec3,
    /// Height above the level, in meters: negative below the level, infinite without a triangle below or above it.
    pub height: f32,
}

/// The samples of a polygon: points of a grid, along x and then along z, or a few points of a small polygon.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PolySamples {
    pub(super) spacing: f32,
    pub(super) samples: Vec<SurfaceSample>,
}

/// A part of a triangle, and the height of its surface above the level.
#[derive(Clone, Debug, PartialEq)]
pub struct SurfacePiece {
    /// The corners of a convex polygon.
    pub corners: Vec<Vec3>,
    /// The height above the level of the sample nearest to it, as in [`SurfaceSample::height`].
    pub height: f32,
}

impl PolySamples {
    /// Returns the samples.
    pub fn samples(&self) -> &[SurfaceSample] {
        &self.samples
    }

    /// Returns the height that is farthest from the level; `None` without samples.
    pub fn farthest(&self) -> Option<f32> {
        let heights = self.samples.iter().map(|sample| sample.height);
        heights.max_by(|a, b| a.abs().total_cmp(&b.abs()))
    }

    /// Cuts a triangle of the polygon into squares around the points of the grid. Empty without samples, and for a
    /// triangle much larger than the polygon, with more than a million squares.
    pub fn pieces(&self, triangle: [Vec3; 3]) -> Vec<SurfacePiece> {
        let mut pieces = Vec::new();
        if self.samples.is_empty() || self.spacing <= 0.0 {
            return pieces;
        }
        let [min, max] = [Vec3::min, Vec3::max].map(|of| triangle.into_iter().reduce(of));
        let (Some(min), Some(max)) = (min, max) else { return pieces };
        let [[first_x, first_z], [last_x, last_z]] = [self.grid_point(min), self.grid_point(max)];
        let n_lines = |first: i32, last: i32| u64::from(last.abs_diff(first)) + 1;
        if n_lines(first_x, last_x).saturating_mul(n_lines(first_z, last_z)) > MAX_SQUARES {
            return pieces;
        }
        for x in first_x..=last_x {
            let column = self.cut(triangle.to_vec(), x, |corner| corner.x);
            if column.len() < 3 {
                continue;
            }
            for z in first_z..=last_z {
                let corners = self.cut(column.clone(), z, |corner| corner.z);
                if corners.len() >= 3 {
                    pieces.push(SurfacePiece { height: self.height_near([x, z]), corners });
                }
            }
        }
        pieces
    }

    /// Clips a polygon to the squares of one line of the grid, along the axis of `along`.
    fn cut(&self, corners: Vec<Vec3>, line: i32, along: fn(Vec3) -> f32) -> Vec<Vec3> {
        #[expect(clippy::cast_precision_loss, reason = "a grid with fewer than 2^24 points")]
        let middle = line as f32 * self.spacing;
        let half = 0.5 * self.spacing;
        let corners = clipped(corners, |corner| along(corner) - (middle - half));
        clipped(corners, |corner| middle + half - along(corner))
    }

    /// Returns the height of the sample at a point of the grid, or of the sample nearest to it.
    fn height_near(&self, [x, z]: [i32; 2]) -> f32 {
        let at = |point: [i32; 2]| {
            let key = |sample: &SurfaceSample| self.grid_point(sample.point);
            let index = self.samples.binary_search_by_key(&point, key).ok()?;
            Some(self.samples[index].height)
        };
        if let Some(height) = at([x, z]) {
            return height;
        }
        let squared = |sample: &SurfaceSample| {
            let [near_x, near_z] = self.grid_point(sample.point);
            let [dx, dz] = [near_x - x, near_z - z].map(i64::from);
            dx * dx + dz * dz
        };
        let nearest = self.samples.iter().min_by_key(|sample| squared(sample));
        nearest.map_or(f32::INFINITY, |sample| sample.height)
    }

    /// Returns the point of the grid nearest to a point.
    fn grid_point(&self, at: Vec3) -> [i32; 2] {
        #[expect(clippy::cast_possible_truncation, reason = "floats saturate")]
        let line = |at: f32| (at / self.spacing).round() as i32;
        [line(at.x), line(at.z)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the samples on a grid of 2 m by 2 m whose heights are their x.
    fn samples() -> PolySamples {
        let sample = |[x, z]: [f32; 2]| SurfaceSample { point: Vec3::new(x, 0.0, z), height: x };
        let points = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0], [2.0, 0.0], [2.0, 1.0]];
        PolySamples { spacing: 1.0, samples: points.map(sample).to_vec() }
    }

    fn area(corners: &[Vec3]) -> f32 {
        let across = |pair: &[Vec3]| (pair[0] - corners[0]).cross(pair[1] - corners[0]).length();
        0.5 * corners[1..].windows(2).map(across).sum::<f32>()
    }

    #[test]
    fn pieces_cover_the_triangle_and_have_the_height_of_their_sample() {
        let triangle = [Vec3::ZERO, Vec3::new(0.0, 0.0, 2.0), Vec3::new(2.0, 0.0, 2.0)];
        let pieces = samples().pieces(triangle);
        let all: f32 = pieces.iter().map(|piece| area(&piece.corners)).sum();
        assert!((all - 2.0).abs() < 1e-4, "{all}");
        for SurfacePiece { corners, height } in &pieces {
            assert!(corners.iter().all(|corner| (corner.x - height).abs() <= 0.5), "{corners:?}");
        }
        assert_eq!(samples().farthest(), Some(2.0));
        assert_eq!(PolySamples::default().pieces(triangle), []);
        let tiny = PolySamples { spacing: 1e-20, ..samples() };
        assert_eq!(tiny.pieces(triangle), []);
    }
}
