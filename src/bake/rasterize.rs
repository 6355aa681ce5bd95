//! Turns triangles into solid spans.
//!
//! Each triangle is cut into rows of cells, each row into cells; what is left of it in a cell is as high
//! as the span it makes. Spans of a column that touch become one.
//!
//! Source: Recast, `rcRasterizeTriangles`.

use glam::Vec3;

use crate::{
    bake::{
        GridFrame, Heightfield, Span, TriangleSlopes,
        limit::{Limit, StageError},
        pulse::Pulse,
    },
    geom::Aabb,
    ids::AreaId,
    mesh::TriMesh,
    monitor::{Cancelled, Monitor},
};

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

/// Most spans of one tile: their pool stays below four gigabytes.
const MAX_SPANS: usize = 1 << 28;

/// Most corners of a triangle cut along cell borders: 7, and some to spare for grids so fine that
/// coordinates cannot be told apart. What such a cut would add beyond them is left out.
const MAX_CORNERS: usize = 12;

const X: usize = 0;
const Z: usize = 2;

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

        let mut rest = Clipped::new(&corners);
        let [mut row, mut next] = [Clipped::EMPTY; 2];
        for z in z0..=z1 {
            self.pulse.step()?;
            let z_end = origin.z + to_float(z) * self.frame.cell_size + self.frame.cell_size;
            rest.divide::<Z>(z_end, &mut row, &mut next);
            std::mem::swap(&mut rest, &mut next);
            if let (true, Ok(z)) = (row.is_polygon(), u32::try_from(z)) {
                self.row(&mut row, z, area)?;
            }
        }
        Ok(())
    }

    /// Cuts `rest`, a part of a triangle within row `z`, into cells.
    fn row(&mut self, rest: &mut Clipped, z: u32, area: AreaId) -> Result<(), StageError> {
        let origin = self.frame.bounds.min;
        let (min, max) = rest.extent::<X>();
        let x0 = truncate((min - origin.x) * self.inverse_cell_size);
        let x1 = truncate((max - origin.x) * self.inverse_cell_size);
        let n_x = cell_count(self.frame.n_x);
        if x1 < 0 || n_x <= x0 {
            return Ok(());
        }
        let [mut cell, mut next] = [Clipped::EMPTY; 2];
        for x in x0.clamp(-1, n_x - 1)..=x1.clamp(0, n_x - 1) {
            self.pulse.step()?;
            let x_end = origin.x + to_float(x) * self.frame.cell_size + self.frame.cell_size;
            rest.divide::<X>(x_end, &mut cell, &mut next);
            std::mem::swap(rest, &mut next);
            if let (true, Ok(x)) = (cell.is_polygon(), u32::try_from(x)) {
                let (min, max) = cell.extent::<1>();
                if let Some(span) = self.span(min - origin.y, max - origin.y, area) {
                    self.columns.add(self.frame.cell_index(x, z), span, self.merge_vx)?;
                }
            }
        }
        Ok(())
    }

    /// The span between two heights above the grid's floor, snapped outwards to cells; `None` where it
    /// lies wholly outside the grid.
    fn span(&self, min: f32, max: f32, area: AreaId) -> Option<Span> {
        let top = self.frame.bounds.max.y - self.frame.bounds.min.y;
        if max < 0.0 || top < min {
            return None;
        }
        let min = if min < 0.0 { 0.0 } else { min };
        let max = if top < max { top } else { max };
        let highest = Heightfield::MAX_HEIGHT_VX;
        let min_vx = height_vx((min * self.inverse_cell_height).floor(), 0, highest - 1);
        let max_vx = height_vx((max * self.inverse_cell_height).ceil(), min_vx + 1, highest);
        Some(Span { min_vx, max_vx, area })
    }
}

/// A convex polygon cut from a triangle.
#[derive(Clone, Copy)]
struct Clipped {
    corners: [Vec3; MAX_CORNERS],
    n: usize,
}

impl Clipped {
    const EMPTY: Self = Self { corners: [Vec3::ZERO; MAX_CORNERS], n: 0 };

    fn new(corners: &[Vec3; 3]) -> Self {
        let mut clipped = Self::EMPTY;
        for &corner in corners {
            clipped.push(corner);
        }
        clipped
    }

    fn push(&mut self, corner: Vec3) {
        if self.n < MAX_CORNERS {
            self.corners[self.n] = corner;
            self.n += 1;
        }
    }

    fn corners(&self) -> &[Vec3] {
        &self.corners[..self.n]
    }

    fn is_polygon(&self) -> bool {
        3 <= self.n
    }

    /// Smallest and largest coordinate along `AXIS`.
    fn extent<const AXIS: usize>(&self) -> (f32, f32) {
        let first = self.corners[0][AXIS];
        self.corners().iter().fold((first, first), |(min, max), corner| {
            let value = corner[AXIS];
            (if value < min { value } else { min }, if max < value { value } else { max })
        })
    }

    /// Cuts along the plane where the coordinate `AXIS` is `at`, into what lies before and beyond it.
    ///
    /// Corners on the plane go to both sides.
    fn divide<const AXIS: usize>(&self, at: f32, before: &mut Self, beyond: &mut Self) {
        before.n = 0;
        beyond.n = 0;
        let Some(&(mut previous)) = self.corners().last() else { return };
        let mut previous_room = at - previous[AXIS];
        for &corner in self.corners() {
            let room = at - corner[AXIS];
            if (0.0 <= room) == (0.0 <= previous_room) {
                if 0.0 <= room {
                    before.push(corner);
                }
                if room <= 0.0 {
                    beyond.push(corner);
                }
            } else {
                let along = previous_room / (previous_room - room);
                let crossing = previous + (corner - previous) * along;
                before.push(crossing);
                beyond.push(crossing);
                // A corner on the plane is the crossing itself.
                if 0.0 < room {
                    before.push(corner);
                } else if room < 0.0 {
                    beyond.push(corner);
                }
            }
            (previous, previous_room) = (corner, room);
        }
    }
}

/// End of a list of spans.
const END: u32 = u32::MAX;

/// Columns under construction: a linked list of spans each, all in one pool.
struct Columns {
    heads: Vec<u32>,
    pool: Vec<Link>,
    free: u32,
}

#[derive(Clone, Copy)]
struct Link {
    span: Span,
    next: u32,
}

impl Columns {
    fn new(n_cells: usize) -> Self {
        Self { heads: vec![END; n_cells], pool: Vec::new(), free: END }
    }

    /// Adds `span` to a column, merged with the spans it touches.
    fn add(&mut self, cell: usize, span: Span, merge_vx: u32) -> Result<(), Limit> {
        let mut span = span;
        let mut below = END;
        let mut at = self.heads[cell];
        while let Some(&Link { span: other, next }) = self.pool.get(at as usize) {
            if span.max_vx < other.min_vx {
                break;
            }
            if other.max_vx < span.min_vx {
                below = at;
            } else {
                span = merged(span, other, merge_vx);
                self.set_next(cell, below, next);
                self.release(at);
            }
            at = next;
        }
        let new = self.allocate(Link { span, next: at })?;
        self.set_next(cell, below, new);
        Ok(())
    }

    fn set_next(&mut self, cell: usize, below: u32, next: u32) {
        match self.pool.get_mut(below as usize) {
            Some(link) => link.next = next,
            None => self.heads[cell] = next,
        }
    }

    fn release(&mut self, at: u32) {
        if let Some(link) = self.pool.get_mut(at as usize) {
            link.next = self.free;
            self.free = at;
        }
    }

    fn allocate(&mut self, link: Link) -> Result<u32, Limit> {
        if let Some(slot) = self.pool.get_mut(self.free as usize) {
            let at = self.free;
            self.free = slot.next;
            *slot = link;
            return Ok(at);
        }
        let at = self.pool.len();
        let fits = u32::try_from(at).ok().filter(|_| at < MAX_SPANS);
        self.pool.push(link);
        fits.ok_or_else(|| Limit {
            what: "the number of solid spans",
            value: at as u64 + 1,
            limit: MAX_SPANS as u64,
            remedy: "use a larger cell_size or smaller tiles",
        })
    }

    fn into_heightfield(
        self,
        frame: GridFrame,
        pulse: &mut Pulse<'_>,
    ) -> Result<Heightfield, Cancelled> {
        let mut starts = Vec::with_capacity(self.heads.len() + 1);
        let mut spans = Vec::with_capacity(self.pool.len());
        let mut n = 0;
        for head in self.heads {
            pulse.step()?;
            starts.push(n);
            let mut at = head;
            while let Some(link) = self.pool.get(at as usize) {
                spans.push(link.span);
                n += 1;
                at = link.next;
            }
        }
        starts.push(n);
        Ok(Heightfield { frame, starts, spans })
    }
}

/// `new` and `old` as one span. Tops are compared after the new one has grown.
fn merged(new: Span, old: Span, merge_vx: u32) -> Span {
    let max_vx = new.max_vx.max(old.max_vx);
    let is_near = u32::from(max_vx - old.max_vx) <= merge_vx;
    let area = if is_near { new.area.max(old.area) } else { new.area };
    Span { min_vx: new.min_vx.min(old.min_vx), max_vx, area }
}

/// The whole part of a cell coordinate, rounded towards zero.
#[expect(clippy::cast_possible_truncation, reason = "truncation is meant; overflow saturates")]
fn truncate(value: f32) -> i32 {
    value as i32
}

/// A whole height in cells, forced between two others.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "clamped to the range of u16 before"
)]
fn height_vx(value: f32, min: u16, max: u16) -> u16 {
    (value as i32).clamp(i32::from(min), i32::from(max)) as u16
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
    use super::*;
    use crate::{
        bake::heightfield::tests::{show, unit_frame},
        monitor::Unmonitored,
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
