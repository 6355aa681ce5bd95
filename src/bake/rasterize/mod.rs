//! Turns triangles into solid spans.
//!
//! Each triangle is cut into rows of cells, each row into cells; what is left of it in a cell is as high
//! as the span it makes. Spans of a column that touch become one. [`clip`] cuts in the plain way, [`rows`]
//! and [`flanks`] in a faster one that comes to the same.
//!
//! Source: Recast, `rcRasterizeTriangles`.

mod clip;
mod columns;
mod flanks;
mod rows;

use std::ops::RangeInclusive;

use glam::{Vec3, Vec3A};

use crate::{
    bake::{
        GridFrame, Heightfield, Span, TriangleSlopes,
        limit::{Limit, StageError},
        pulse::Pulse,
    },
    geom::Aabb,
    ids::AreaId,
    mesh::TriMesh,
    monitor::Monitor,
};
use clip::Clipped;
use columns::Columns;
use flanks::Flanks;
use rows::Rows;

/// Rasterizes `slopes.triangles` of `mesh`, in order, into the columns of `frame`.
///
/// Where spans are merged whose tops are at most `merge_vx` cells apart, the larger area id wins; else
/// that of the higher top.
pub(super) fn rasterize(
    mesh: &TriMesh,
    slopes: &TriangleSlopes,
    frame: GridFrame,
    merge_vx: u32,
    monitor: &dyn Monitor,
) -> Result<Heightfield, StageError> {
    let mut raster = Rasterizer::new(frame, merge_vx, monitor);
    for (&triangle, &area) in slopes.triangles.iter().zip(&slopes.areas) {
        raster.triangle(mesh.corners(triangle as usize), area)?;
    }
    Ok(raster.columns.into_heightfield(frame, &mut raster.pulse)?)
}

const X: usize = 0;
const Z: usize = 2;

/// Coordinates below this many cells are known so exactly that crossings with a plane stay far from the
/// next plane: a crossing is off by at most some eight roundings of 2⁻²⁴ of the coordinate each. Beyond,
/// rounding may move a crossing to another cell, and only the plain way of cutting is right.
const FINE: f32 = 65_536.0;

/// The cells of one row that a part of a triangle touches, by its extent.
#[derive(Clone, Copy)]
struct Row {
    z: u32,
    x0: i32,
    x1: i32,
    area: AreaId,
}

struct Rasterizer<'m> {
    frame: GridFrame,
    inverse_cell_size: f32,
    inverse_cell_height: f32,
    merge_vx: u32,
    columns: Columns,
    pulse: Pulse<'m>,
}

impl<'m> Rasterizer<'m> {
    fn new(frame: GridFrame, merge_vx: u32, monitor: &'m dyn Monitor) -> Self {
        Self {
            frame,
            inverse_cell_size: 1.0 / frame.cell_size,
            inverse_cell_height: 1.0 / frame.cell_height,
            merge_vx,
            columns: Columns::new(frame.n_cells()),
            pulse: Pulse::new(monitor),
        }
    }

    fn triangle(&mut self, corners: [Vec3; 3], area: AreaId) -> Result<(), StageError> {
        self.pulse.step()?;
        let [a, b, c] = corners;
        let bounds = Aabb { min: a.min(b).min(c), max: a.max(b).max(c) };
        let origin = self.frame.bounds.min;
        if !bounds.overlaps(&self.frame.bounds) {
            return Ok(());
        }
        // Row −1 cuts off what lies before the grid.
        let last = cell_count(self.frame.n_z) - 1;
        let z0 = truncate((bounds.min.z - origin.z) * self.inverse_cell_size).clamp(-1, last);
        let z1 = truncate((bounds.max.z - origin.z) * self.inverse_cell_size).clamp(0, last);
        let corners = [Vec3A::from(a), Vec3A::from(b), Vec3A::from(c)];
        let mut row = Clipped::new(&corners);
        let extreme = bounds.max.abs().max(bounds.min.abs());
        let is_fine = extreme.x.max(extreme.z) < self.frame.cell_size * FINE;
        if !is_fine || self.plane(origin.z, z0) <= bounds.min.z {
            return self.cut_rows_plainly(row, z0..=z1, area);
        }
        let mut rows = Rows::new(corners);
        for z in z0..=z1 {
            let z_end = self.plane(origin.z, z);
            // Beyond a plane at the very end lie at most two corners, which are no polygon.
            if bounds.max.z <= z_end {
                rows.write_to(&mut row);
                return self.row(&row, z, area);
            }
            if !rows.cut(z_end, &mut row) {
                rows.write_to(&mut row);
                return self.cut_rows_plainly(row, z..=z1, area);
            }
            self.row(&row, z, area)?;
        }
        Ok(())
    }

    /// Cuts `rest` into the rows `zs`.
    fn cut_rows_plainly(
        &mut self,
        mut rest: Clipped,
        zs: RangeInclusive<i32>,
        area: AreaId,
    ) -> Result<(), StageError> {
        let [mut row, mut next] = [Clipped::EMPTY; 2];
        for z in zs {
            rest.divide::<Z>(self.plane(self.frame.bounds.min.z, z), &mut row, &mut next);
            std::mem::swap(&mut rest, &mut next);
            self.row(&row, z, area)?;
        }
        Ok(())
    }

    /// Where cell `at` ends, of cells that start at `origin`.
    fn plane(&self, origin: f32, at: i32) -> f32 {
        origin + to_float(at) * self.frame.cell_size + self.frame.cell_size
    }

    /// Fills the cells of row `z` that `part`, a part of a triangle within that row, touches.
    fn row(&mut self, part: &Clipped, z: i32, area: AreaId) -> Result<(), StageError> {
        self.pulse.step()?;
        let Some(z) = u32::try_from(z).ok().filter(|_| part.is_polygon()) else { return Ok(()) };
        let origin = self.frame.bounds.min;
        let (min, max) = part.extent::<X>();
        let x0 = truncate((min - origin.x) * self.inverse_cell_size);
        let x1 = truncate((max - origin.x) * self.inverse_cell_size);
        let n_x = cell_count(self.frame.n_x);
        if x1 < 0 || n_x <= x0 {
            return Ok(());
        }
        // Column −1 cuts off what lies before the grid.
        let row = Row { z, x0: x0.clamp(-1, n_x - 1), x1: x1.clamp(0, n_x - 1), area };
        self.pulse.steps((row.x1 - row.x0).unsigned_abs())?;
        self.cells(part, (min, max), row)
    }

    /// Fills the cells of `row` that `part`, which lies between `min` and `max`, touches.
    fn cells(
        &mut self,
        part: &Clipped,
        (min, max): (f32, f32),
        row: Row,
    ) -> Result<(), StageError> {
        let first_end = self.plane(self.frame.bounds.min.x, row.x0);
        if max < first_end {
            return self.fill(row.x0, part.extent::<1>(), row);
        }
        if max < self.plane(self.frame.bounds.min.x, row.x0 + 1) {
            return self.cut_in_two(part, row);
        }
        if max.abs().max(min.abs()) >= self.frame.cell_size * FINE {
            return self.cut_plainly(*part, row);
        }
        if first_end <= min {
            return self.cut_one_plainly(part, row);
        }
        let (low, high) = part.extent::<1>();
        if low >= high {
            return self.fill_level(low, max, row, part);
        }
        match Flanks::new(part.corners()) {
            Some(flanks) => self.cut_flanks(flanks, max, row),
            None => self.cut_plainly(*part, row),
        }
    }

    /// Fills the first two cells of `row`; `part` does not reach further.
    fn cut_in_two(&mut self, part: &Clipped, row: Row) -> Result<(), StageError> {
        let halves = part.heights_of_halves(self.plane(self.frame.bounds.min.x, row.x0));
        for (x, half) in (row.x0..=row.x1).zip(halves) {
            if let Some(heights) = half {
                self.fill(x, heights, row)?;
            }
        }
        Ok(())
    }

    /// Fills the cells of `row` up to the one in which the part ends, at `max`, all at height `y`: cutting a
    /// level part gives level pieces.
    fn fill_level(&mut self, y: f32, max: f32, row: Row, part: &Clipped) -> Result<(), StageError> {
        let origin = self.frame.bounds.min;
        let mut x1 = row.x1;
        // Rounding, or an end on a plane, may put the end in the cell before.
        while row.x0 < x1
            && max <= self.plane(origin.x, x1 - 1)
            && (max < self.plane(origin.x, x1 - 1) || n_corners_at(max, part.corners()) < 3)
        {
            x1 -= 1;
        }
        let Some(span) = self.span((y, y), row.area) else { return Ok(()) };
        for x in row.x0.max(0)..=x1 {
            self.add(x, row.z, span)?;
        }
        Ok(())
    }

    /// Cuts what `flanks` holds into the cells of `row`; it ends at `max`.
    fn cut_flanks(&mut self, mut flanks: Flanks<'_>, max: f32, row: Row) -> Result<(), StageError> {
        let origin = self.frame.bounds.min;
        for x in row.x0..=row.x1 {
            let x_end = self.plane(origin.x, x);
            if max < x_end || max <= x_end && n_corners_at(max, flanks.corners()) < 3 {
                return self.fill(x, flanks.rest(), row);
            }
            let cut = if x_end < max { flanks.cut(x_end) } else { None };
            let Some(heights) = cut else {
                let mut rest = Clipped::EMPTY;
                flanks.write_to(&mut rest);
                return self.cut_one_plainly(&rest, Row { x0: x, ..row });
            };
            self.fill(x, heights, row)?;
        }
        Ok(())
    }

    /// Cuts `part` into the first cell of `row` and what lies beyond it.
    fn cut_one_plainly(&mut self, part: &Clipped, row: Row) -> Result<(), StageError> {
        let [mut cell, mut rest] = [Clipped::EMPTY; 2];
        part.divide::<X>(self.plane(self.frame.bounds.min.x, row.x0), &mut cell, &mut rest);
        if cell.is_polygon() {
            self.fill(row.x0, cell.extent::<1>(), row)?;
        }
        let row = Row { x0: row.x0 + 1, ..row };
        if row.x1 < row.x0 {
            Ok(())
        } else if rest.is_polygon() {
            self.cells(&rest, rest.extent::<X>(), row)
        } else {
            self.cut_plainly(rest, row)
        }
    }

    /// Cuts `rest` into the cells of `row`.
    fn cut_plainly(&mut self, mut rest: Clipped, row: Row) -> Result<(), StageError> {
        let [mut cell, mut next] = [Clipped::EMPTY; 2];
        let (mut rest, mut next) = (&mut rest, &mut next);
        for x in row.x0..=row.x1 {
            rest.divide::<X>(self.plane(self.frame.bounds.min.x, x), &mut cell, next);
            std::mem::swap(&mut rest, &mut next);
            if cell.is_polygon() {
                self.fill(x, cell.extent::<1>(), row)?;
            }
        }
        Ok(())
    }

    /// Fills cell `x` of `row` between two heights.
    fn fill(&mut self, x: i32, heights: (f32, f32), row: Row) -> Result<(), StageError> {
        if let Some(span) = self.span(heights, row.area) {
            self.add(x, row.z, span)?;
        }
        Ok(())
    }

    /// Adds a span to a cell, unless it lies before the grid.
    fn add(&mut self, x: i32, z: u32, span: Span) -> Result<(), Limit> {
        match u32::try_from(x) {
            Ok(x) => self.columns.add(self.frame.cell_index(x, z), span, self.merge_vx),
            Err(_) => Ok(()),
        }
    }

    /// The span between two heights, snapped outwards to cells; `None` where it lies wholly outside the
    /// grid.
    fn span(&self, (min, max): (f32, f32), area: AreaId) -> Option<Span> {
        let Aabb { min: floor, max: roof } = self.frame.bounds;
        let (min, max, top) = (min - floor.y, max - floor.y, roof.y - floor.y);
        if max < 0.0 || top < min {
            return None;
        }
        let min = if min < 0.0 { 0.0 } else { min };
        let max = if top < max { top } else { max };
        let highest = Heightfield::MAX_HEIGHT_VX;
        // Neither is negative.
        let min_vx = height_vx(truncate(min * self.inverse_cell_height), 0, highest - 1);
        let max_vx = height_vx(rounded_up(max * self.inverse_cell_height), min_vx + 1, highest);
        Some(Span { min_vx, max_vx, area })
    }
}

/// How many corners lie on the plane where x is `at`, the end of the part they belong to. Three and more
/// count as a polygon beyond it.
fn n_corners_at(at: f32, corners: &[Vec3A]) -> usize {
    corners.iter().filter(|corner| at <= corner.x).count()
}

/// The whole part of a cell coordinate, rounded towards zero.
#[expect(clippy::cast_possible_truncation, reason = "truncation is meant; overflow saturates")]
fn truncate(value: f32) -> i32 {
    value as i32
}

/// The smallest whole number that is not below `value`, which is not negative.
fn rounded_up(value: f32) -> i32 {
    let whole = truncate(value);
    if to_float(whole) < value { whole.saturating_add(1) } else { whole }
}

/// A height in cells, forced between two others.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "clamped to the range of u16 before"
)]
fn height_vx(value: i32, min: u16, max: u16) -> u16 {
    value.clamp(i32::from(min), i32::from(max)) as u16
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
    use super::{columns::merged, *};
    use crate::{
        bake::heightfield::tests::{show, unit_frame},
        monitor::{Cancelled, Unmonitored},
    };

    /// Rasterizes walkable triangles, given by their corners, into 3 × 2 cells.
    #[track_caller]
    fn check(triangles: &[[[f32; 3]; 3]], expected: &str) {
        let vertices = triangles.iter().flatten().map(|&corner| Vec3::from(corner)).collect();
        let n = u32::try_from(triangles.len()).unwrap();
        let indices = (0..n).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        let mesh = TriMesh::new(vertices, indices).unwrap();
        let areas = vec![AreaId::WALKABLE; triangles.len()];
        let slopes = TriangleSlopes { triangles: (0..n).collect(), areas };
        let field = rasterize(&mesh, &slopes, unit_frame(3, 2), 1, &Unmonitored).unwrap();
        assert_eq!(show(&field), expected);
    }

    #[test]
    fn a_triangle_fills_the_cells_it_touches() {
        // Level at height 2.5, over the cell in the corner and the one beside it.
        check(&[[[0.1, 2.5, 0.1], [0.1, 2.5, 0.9], [1.9, 2.5, 0.1]]], "2-3 2-3 .\n. . .");
        // One that ends on a whole height still has a height of one cell.
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
        // Above and below.
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
            area: AreaId(area),
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
        let slopes = TriangleSlopes { triangles: vec![0], areas: vec![AreaId::WALKABLE] };
        let monitor = StopAfter(std::sync::atomic::AtomicU32::new(0));
        let outcome = rasterize(&mesh, &slopes, unit_frame(400, 400), 1, &monitor);
        assert_eq!(outcome.unwrap_err(), StageError::Cancelled(Cancelled));
    }
}
