//! Rasterizes triangles into solid spans.
//!
//! Each triangle is cut into rows of cells, and each row into cells. The part of a triangle in a cell becomes a span of
//! its height range. Touching spans of a column are merged. [`clip`] is the general method of cutting, [`rows`] and
//! [`lanes`] are faster with the same results; [`pieces`] converts the parts in cells to spans.
//!
//! Source: Recast, `rcRasterizeTriangles`.

mod clip;
mod columns;
mod lanes;
mod pieces;
mod rows;

use std::ops::RangeInclusive;

use clip::Clipped;
use glam::{Vec3, Vec3A};
use lanes::Lanes;
use pieces::Pieces;
use rows::Rows;
use walkable_mesh::TriMesh;
use walkable_runtime::{
    geom::Aabb,
    monitor::{Cancelled, Monitor},
};

use crate::bake::{
    GridFrame, Heightfield, RawArea, TriangleSlopes, limit::StageError, pulse::Pulse,
};

/// Rasterizes `slopes.triangles` of `mesh`, in order, into the columns of `frame`.
///
/// A merged span has the larger area id if the tops are at most `merge_vx` cells apart, or else the area of the higher
/// top, unless the lower one is new and has a larger area. Also returns the number of cells where that changed the area of
/// a marked surface.
pub(super) fn rasterize(
    mesh: &TriMesh,
    slopes: &TriangleSlopes,
    frame: GridFrame,
    merge_vx: u32,
    monitor: &dyn Monitor,
) -> Result<(Heightfield, usize), StageError> {
    let surfaces = slopes.areas.iter().map(|&area| Surface { area, steepness: 0 });
    let triangles = slopes.triangles.iter().copied().zip(surfaces);
    let merging = Merging { merge_vx, max_steepness: 0 };
    let fields = rasterize_for(mesh, triangles, frame, &[merging], monitor)?;
    Ok(fields.into_iter().next().expect("there is one for each merging"))
}

/// The area of a triangle.
#[derive(Clone, Copy)]
pub(super) struct Surface {
    pub(super) area: RawArea,
    /// Number of slopes, of those for which spans are merged, at which the triangle is not walkable.
    pub(super) steepness: u8,
}

/// What the areas of merged spans depend on.
#[derive(Clone, Copy)]
pub(super) struct Merging {
    pub(super) merge_vx: u32,
    /// Triangles that are steeper are not walkable.
    pub(super) max_steepness: u8,
}

/// Like [`rasterize`], with a result for each `merging`: the same spans, with areas of their own.
pub(super) fn rasterize_for(
    mesh: &TriMesh,
    triangles: impl Iterator<Item = (u32, Surface)>,
    frame: GridFrame,
    merging: &[Merging],
    monitor: &dyn Monitor,
) -> Result<Vec<(Heightfield, usize)>, StageError> {
    let mut raster = Rasterizer::new(frame, merging, monitor);
    for (triangle, surface) in triangles {
        raster.triangle(mesh.corners(triangle as usize), surface)?;
        raster.pieces.check()?;
    }
    Ok(raster.pieces.into_heightfields(frame, &mut raster.pulse)?)
}

const X: usize = 0;
const Z: usize = 2;

/// Below this coordinate, in cells, rounding cannot move the crossing with a plane close to the next plane: the error
/// is at most about eight roundings of 2⁻²⁴ of the coordinate. Above, only the general method is correct.
const FINE: f32 = 65_536.0;

/// The values that all parts of a triangle share.
#[derive(Clone, Copy)]
struct TriangleTraits {
    surface: Surface,
    /// Whether all corners have the same height. Then all parts have it, too.
    is_level: bool,
    /// Whether all coordinates are below [`FINE`].
    is_fine: bool,
}

/// The cells of a row that the extent of a part of a triangle touches.
#[derive(Clone, Copy)]
struct Row {
    /// Index of the row's first cell.
    first: u32,
    x0: i32,
    x1: i32,
    surface: Surface,
}

impl Row {
    /// Returns the index of the cell in column `x`, which must be in the grid.
    #[inline]
    fn cell(self, x: i32) -> u32 {
        self.first.wrapping_add_signed(x)
    }
}

struct Rasterizer<'m> {
    frame: GridFrame,
    inverse_cell_size: f32,
    pieces: Pieces,
    pulse: Pulse<'m>,
}

impl<'m> Rasterizer<'m> {
    fn new(frame: GridFrame, merging: &[Merging], monitor: &'m dyn Monitor) -> Self {
        Self {
            frame,
            inverse_cell_size: 1.0 / frame.cell_size,
            pieces: Pieces::new(&frame, merging),
            pulse: Pulse::new(monitor),
        }
    }

    fn triangle(&mut self, corners: [Vec3; 3], surface: Surface) -> Result<(), Cancelled> {
        self.pulse.step()?;
        let [a, b, c] = corners;
        let bounds = Aabb { min: a.min(b).min(c), max: a.max(b).max(c) };
        let origin = self.frame.bounds.min;
        if !bounds.overlaps(&self.frame.bounds) {
            return Ok(());
        }
        // Row −1 is the part before the grid.
        let last = cell_count(self.frame.n_z) - 1;
        let mut z0 = truncate((bounds.min.z - origin.z) * self.inverse_cell_size).clamp(-1, last);
        let z1 = truncate((bounds.max.z - origin.z) * self.inverse_cell_size).clamp(0, last);
        let corners = [Vec3A::from(a), Vec3A::from(b), Vec3A::from(c)];
        let mut row = Clipped::new(&corners);
        let extreme = bounds.max.abs().max(bounds.min.abs());
        let is_fine = extreme.x.max(extreme.z) < self.frame.cell_size * FINE;
        let traits = TriangleTraits { surface, is_level: bounds.max.y <= bounds.min.y, is_fine };
        // A wall on a plane counts for both sides of the plane.
        if !is_fine || bounds.max.z <= self.plane_z(z0).min(bounds.min.z) {
            return self.cut_rows_plainly(row, z0..=z1, traits);
        }
        let mut rows = Rows::new(corners);
        // Due to rounding, the start may be in the previous row.
        while self.plane_z(z0) <= bounds.min.z {
            if rows.begin(self.plane_z(z0), &mut row) {
                self.row(&row, z0, traits)?;
            }
            z0 += 1;
        }
        for z in z0..=z1 {
            let z_end = self.plane_z(z);
            // At most two corners are beyond a plane at the very end, and they form no polygon.
            if bounds.max.z <= z_end {
                rows.write_to(&mut row);
                return self.row(&row, z, traits);
            }
            if !rows.cut(z_end, &mut row) {
                rows.write_to(&mut row);
                return self.cut_rows_plainly(row, z..=z1, traits);
            }
            self.row(&row, z, traits)?;
        }
        Ok(())
    }

    /// Cuts `rest` into the rows `zs`.
    fn cut_rows_plainly(
        &mut self,
        mut rest: Clipped,
        zs: RangeInclusive<i32>,
        traits: TriangleTraits,
    ) -> Result<(), Cancelled> {
        let [mut row, mut next] = [Clipped::EMPTY; 2];
        for z in zs {
            rest.divide::<Z>(self.plane_z(z), &mut row, &mut next);
            std::mem::swap(&mut rest, &mut next);
            self.row(&row, z, traits)?;
        }
        Ok(())
    }

    /// Returns the end of row `z`.
    fn plane_z(&self, z: i32) -> f32 {
        plane(self.frame.bounds.min.z, z, self.frame.cell_size)
    }

    /// Returns the end of column `x`.
    fn plane_x(&self, x: i32) -> f32 {
        plane(self.frame.bounds.min.x, x, self.frame.cell_size)
    }

    /// Fills the cells that `part`, a part of a triangle within row `z`, touches.
    fn row(&mut self, part: &Clipped, z: i32, traits: TriangleTraits) -> Result<(), Cancelled> {
        let Some(z) = u32::try_from(z).ok().filter(|_| part.is_polygon()) else { return Ok(()) };
        let origin = self.frame.bounds.min.x;
        let (min, max) = part.extent::<X>();
        let x0 = truncate((min - origin) * self.inverse_cell_size);
        let x1 = truncate((max - origin) * self.inverse_cell_size);
        let n_x = cell_count(self.frame.n_x);
        if x1 < 0 || n_x <= x0 {
            return Ok(());
        }
        // Column −1 is the part before the grid.
        let first = z * self.frame.n_x;
        let [x0, x1] = [x0.clamp(-1, n_x - 1), x1.clamp(0, n_x - 1)];
        let row = Row { first, x0, x1, surface: traits.surface };
        let first_end = self.plane_x(row.x0);
        if max < first_end {
            self.fill(row.x0, part.extent::<1>(), row);
        } else if traits.is_level && min < first_end {
            self.fill_level(part, max, row);
        } else if traits.is_fine {
            self.cut(part, max, row);
        } else {
            self.cut_plainly(*part, row);
        }
        self.pulse.steps(1 + (row.x1 - row.x0).unsigned_abs())
    }

    /// Fills the cells of `row` up to the cell in which the level `part` ends, at `max`.
    fn fill_level(&mut self, part: &Clipped, max: f32, row: Row) {
        let y = part.corners()[0].y;
        let mut x1 = row.x1;
        // Due to rounding, or if the end is on a plane, the end may be in the previous cell.
        while row.x0 < x1
            && max <= self.plane_x(x1 - 1)
            && (max < self.plane_x(x1 - 1) || n_corners_at(max, part.corners()) < 3)
        {
            x1 -= 1;
        }
        let x0 = row.x0.max(0);
        if x0 <= x1 {
            let first = row.cell(x0);
            self.pieces.push([first, row.cell(x1) + 1 - first], (y, y), row.surface);
        }
    }

    /// Cuts `part`, which ends at `max`, into the cells of `row`.
    fn cut(&mut self, part: &Clipped, max: f32, row: Row) {
        let Some(mut lanes) = Lanes::new(part.corners()) else {
            return self.cut_plainly(*part, row);
        };
        for x in row.x0..=row.x1 {
            let x_end = self.plane_x(x);
            if max < x_end || max <= x_end && n_corners_at(max, part.corners()) < 3 {
                return self.fill(x, lanes.rest(), row);
            }
            let Some(heights) = lanes.cut(x_end) else {
                let mut rest = Clipped::EMPTY;
                lanes.write_to(&mut rest);
                return self.cut_plainly(rest, Row { x0: x, ..row });
            };
            self.fill(x, heights, row);
        }
    }

    /// Cuts `rest` into the cells of `row`.
    fn cut_plainly(&mut self, mut rest: Clipped, row: Row) {
        let [mut cell, mut next] = [Clipped::EMPTY; 2];
        let (mut rest, mut next) = (&mut rest, &mut next);
        for x in row.x0..=row.x1 {
            rest.divide::<X>(self.plane_x(x), &mut cell, next);
            std::mem::swap(&mut rest, &mut next);
            if cell.is_polygon() {
                self.fill(x, cell.extent::<1>(), row);
            }
        }
    }

    /// Fills cell `x` of `row` between two heights, unless it is before the grid.
    #[inline]
    fn fill(&mut self, x: i32, heights: (f32, f32), row: Row) {
        if 0 <= x {
            self.pieces.push([row.cell(x), 1], heights, row.surface);
        }
    }
}

/// Returns the end of cell `at`, if the first cell begins at `origin`.
fn plane(origin: f32, at: i32, cell_size: f32) -> f32 {
    origin + to_float(at) * cell_size + cell_size
}

/// Returns the number of corners on the plane at x = `at`, the end of their part. Three or more form a polygon beyond
/// the plane.
fn n_corners_at(at: f32, corners: &[Vec3A]) -> usize {
    corners.iter().filter(|corner| at <= corner.x).count()
}

/// Returns a cell coordinate rounded toward zero.
#[expect(clippy::cast_possible_truncation, reason = "truncation is meant; overflow saturates")]
fn truncate(value: f32) -> i32 {
    value as i32
}

#[expect(clippy::cast_precision_loss, reason = "grids have at most 65535 cells along a side")]
fn to_float(cell: i32) -> f32 {
    cell as f32
}

fn cell_count(n: u32) -> i32 {
    i32::try_from(n).unwrap_or(i32::MAX)
}

#[cfg(test)]
mod tests {
    use walkable_runtime::monitor::{Cancelled, Unmonitored};

    use super::{columns::merged, *};
    use crate::bake::{
        Span,
        heightfield::tests::{show, unit_frame},
    };

    /// Rasterizes walkable triangles, given by their corners, into 3 × 2 cells.
    #[track_caller]
    fn check(triangles: &[[[f32; 3]; 3]], expected: &str) {
        let vertices = triangles.iter().flatten().map(|&corner| Vec3::from(corner)).collect();
        let n = u32::try_from(triangles.len()).unwrap();
        let indices = (0..n).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        let mesh = TriMesh::new(vertices, indices).unwrap();
        let areas = vec![RawArea::WALKABLE; triangles.len()];
        let slopes = TriangleSlopes { triangles: (0..n).collect(), areas };
        let (field, _) = rasterize(&mesh, &slopes, unit_frame(3, 2), 1, &Unmonitored).unwrap();
        assert_eq!(show(&field), expected);
    }

    #[test]
    fn a_triangle_fills_the_cells_it_touches() {
        // Level at height 2.5, over the cell in the corner and the one beside it.
        check(&[[[0.1, 2.5, 0.1], [0.1, 2.5, 0.9], [1.9, 2.5, 0.1]]], "2-3 2-3 .\n. . .");
        // A triangle that ends at a whole height still has a height of one cell.
        check(&[[[0.1, 2.0, 0.1], [0.1, 2.0, 0.9], [0.9, 2.0, 0.1]]], "2-3 . .\n. . .");
        // A ramp rises from cell to cell.
        check(&[[[0.0, 0.0, 0.5], [3.0, 3.0, 0.6], [3.0, 3.0, 0.4]]], "0-1 1-2 2-3\n. . .");
    }

    #[test]
    fn what_sticks_out_of_the_grid_is_cut_off() {
        check(&[[[-9.0, 1.5, -9.0], [-9.0, 1.5, 0.5], [0.5, 1.5, 0.5]]], "1-2 . .\n. . .");
        check(&[[[2.5, 1.5, 1.5], [2.5, 1.5, 9.0], [9.0, 1.5, 9.0]]], ". . .\n. . 1-2");
        check(
            &[[[-9.0, 1.5, -9.0], [-9.0, 1.5, 30.0], [30.0, 1.5, -9.0]]],
            "1-2 1-2 1-2\n1-2 1-2 1-2",
        );
        // Above and below the grid.
        check(&[[[0.1, 101.0, 0.1], [0.1, 101.0, 0.9], [0.9, 101.0, 0.1]]], ". . .\n. . .");
        check(&[[[0.1, -1.0, 0.1], [0.1, 3.0, 0.9], [0.9, 3.0, 0.1]]], "0-3 . .\n. . .");
    }

    #[test]
    fn spans_that_touch_become_one() {
        let level = |y: f32| [[0.1, y, 0.1], [0.1, y, 0.9], [0.9, y, 0.1]];
        check(&[level(5.5), level(2.5)], "2-3,5-6 . .\n. . .");
        check(&[level(2.5), level(3.5)], "2-4 . .\n. . .");
        check(&[level(2.5), level(6.5), level(4.5), level(3.5), level(5.5)], "2-7 . .\n. . .");
    }

    #[track_caller]
    fn check_merge(new: (u16, u16, u8), old: (u16, u16, u8), expected: (u16, u16, u8)) {
        let [new, old, expected] = [new, old, expected].map(|(min_vx, max_vx, area)| Span {
            min_vx,
            max_vx,
            area: RawArea(area),
        });
        assert_eq!(merged(new, old, 1), expected);
    }

    #[test]
    fn the_larger_area_wins_where_tops_are_near() {
        check_merge((0, 5, 0), (2, 5, 63), (0, 5, 63));
        check_merge((0, 6, 0), (2, 5, 63), (0, 6, 63));
        check_merge((0, 7, 0), (2, 5, 63), (0, 7, 0));
        // A span below another takes over the other's area: their top is the same one.
        check_merge((0, 5, 3), (2, 9, 7), (0, 9, 7));
        check_merge((0, 5, 63), (2, 9, 0), (0, 9, 63));
    }

    #[test]
    fn areas_of_lower_surfaces_on_higher_ones_are_counted() {
        let level = |y: f32| [[0.1, y, 0.1], [0.1, y, 0.9], [0.9, y, 0.1]];
        let wall = [[0.1, 0.0, 0.5], [0.1, 6.5, 0.5], [0.9, 0.0, 0.5]];
        let (rock, water, ground) = (1, 2, 63);
        let counted = |triangles: &[([[f32; 3]; 3], u8)]| {
            let vertices = triangles.iter().flat_map(|one| one.0).map(Vec3::from).collect();
            let n = u32::try_from(triangles.len()).unwrap();
            let mesh =
                TriMesh::new(vertices, (0..n).map(|i| [0, 1, 2].map(|k| 3 * i + k)).collect());
            let areas = triangles.iter().map(|one| RawArea(one.1)).collect();
            let slopes = TriangleSlopes { triangles: (0..n).collect(), areas };
            let frame = unit_frame(3, 2);
            let (field, n) = rasterize(&mesh.unwrap(), &slopes, frame, 1, &Unmonitored).unwrap();
            (field.spans[0].area.0, n)
        };
        let (top, low) = (level(6.5), level(1.5));
        assert_eq!(counted(&[(top, rock), (wall, 0), (low, water)]), (water, 1));
        assert_eq!(counted(&[(wall, 0), (low, water), (top, rock)]), (water, 1));
        assert_eq!(counted(&[(low, water), (wall, 0), (top, rock)]), (rock, 0));
        assert_eq!(counted(&[(top, water), (wall, 0), (low, rock)]), (water, 0));
        assert_eq!(counted(&[(top, rock), (wall, 0), (low, ground)]), (ground, 1));
        assert_eq!(counted(&[(wall, 0), (low, ground)]), (ground, 0));
    }

    #[test]
    fn stops_in_the_middle_of_one_large_triangle() {
        struct StopAfter(std::sync::atomic::AtomicU32);
        impl Monitor for StopAfter {
            fn is_cancelled(&self) -> bool {
                self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed) == 3
            }
        }
        let far = 1e4;
        let corners = [Vec3::ZERO, Vec3::new(0.0, 0.0, far), Vec3::new(far, 0.0, 0.0)];
        let mesh = TriMesh::new(corners.to_vec(), vec![[0, 1, 2]]).unwrap();
        let slopes = TriangleSlopes { triangles: vec![0], areas: vec![RawArea::WALKABLE] };
        let monitor = StopAfter(std::sync::atomic::AtomicU32::new(0));
        let outcome = rasterize(&mesh, &slopes, unit_frame(400, 400), 1, &monitor);
        assert_eq!(outcome.unwrap_err(), StageError::Cancelled(Cancelled));
    }
}
