//! The three filters that decide where, on solid spans, an agent may stand. Each only changes areas.

use crate::{
    bake::{
        Heightfield, Span,
        heightfield::{SKY_VX, ceiling},
        pulse::Pulse,
    },
    ids::{AreaId, Dir},
    monitor::{Cancelled, Monitor},
};

/// Makes unwalkable spans walkable whose top is at most `climb_vx` above a walkable span directly below:
/// kerbs, stair edges, small debris.
///
/// Only spans that were walkable to begin with carry others, so that a pile of obstacles is not climbed.
///
/// Source: Recast, `rcFilterLowHangingWalkableObstacles`.
pub(super) fn raise_low_hanging_obstacles(
    mut field: Heightfield,
    climb_vx: u32,
    monitor: &dyn Monitor,
) -> Result<Heightfield, Cancelled> {
    let mut pulse = Pulse::new(monitor);
    for cell in 0..field.frame.n_cells() {
        pulse.step()?;
        let range = field.range(cell);
        // The span below as it was before the filter, if it was walkable.
        let mut below: Option<Span> = None;
        for span in &mut field.spans[range] {
            let was = *span;
            if !was.area.is_walkable()
                && let Some(below) = below
                && u32::from(span.max_vx - below.max_vx) <= climb_vx
            {
                span.area = below.area;
            }
            below = was.area.is_walkable().then_some(was);
        }
    }
    Ok(field)
}

/// Makes spans unwalkable from which one would fall deeper than `climb_vx`, and those on ground so steep
/// that the neighbours one could step to are more than `climb_vx` apart. Beyond the grid is a drop.
///
/// Source: Recast, `rcFilterLedgeSpans`.
pub(super) fn clear_ledges(
    mut field: Heightfield,
    height_vx: u32,
    climb_vx: u32,
    monitor: &dyn Monitor,
) -> Result<Heightfield, Cancelled> {
    let step = Step { height_vx: signed(height_vx), climb_vx: signed(climb_vx) };
    let mut pulse = Pulse::new(monitor);
    for z in 0..field.frame.n_z {
        for x in 0..field.frame.n_x {
            let range = field.range(field.frame.cell_index(x, z));
            if range.is_empty() {
                pulse.step()?;
                continue;
            }
            let around = Dir::ALL.map(|dir| neighbor_column(&field, (x, z), dir));
            for index in 0..range.len() {
                pulse.step()?;
                let column = &field.spans[range.clone()];
                let is_candidate = column[index].area.is_walkable();
                if is_candidate && step.is_ledge(column, index, &around, &field.spans) {
                    field.spans[range.start + index].area = AreaId::NULL;
                }
            }
        }
    }
    Ok(field)
}

/// Makes spans unwalkable with less than `height_vx` of room above them.
///
/// Source: Recast, `rcFilterWalkableLowHeightSpans`.
pub(super) fn clear_low_ceilings(
    mut field: Heightfield,
    height_vx: u32,
    monitor: &dyn Monitor,
) -> Result<Heightfield, Cancelled> {
    let mut pulse = Pulse::new(monitor);
    for cell in 0..field.frame.n_cells() {
        pulse.step()?;
        let range = field.range(cell);
        let column = &mut field.spans[range];
        for index in 0..column.len() {
            if u32::from(ceiling(column, index) - column[index].max_vx) < height_vx {
                column[index].area = AreaId::NULL;
            }
        }
    }
    Ok(field)
}

/// Positions of the spans of the cell next to `(x, z)`; `None` beyond the grid.
fn neighbor_column(
    field: &Heightfield,
    (x, z): (u32, u32),
    dir: Dir,
) -> Option<std::ops::Range<usize>> {
    let (x, z) = (x.checked_add_signed(dir.dx())?, z.checked_add_signed(dir.dz())?);
    let is_inside = x < field.frame.n_x && z < field.frame.n_z;
    is_inside.then(|| field.range(field.frame.cell_index(x, z)))
}

fn signed(n: u32) -> i32 {
    i32::try_from(n).unwrap_or(i32::MAX)
}

/// What an agent can do between two cells.
#[derive(Clone, Copy)]
struct Step {
    height_vx: i32,
    climb_vx: i32,
}

impl Step {
    fn is_ledge(
        self,
        column: &[Span],
        index: usize,
        around: &[Option<std::ops::Range<usize>>; 4],
        spans: &[Span],
    ) -> bool {
        let floor = i32::from(column[index].max_vx);
        let ceiling = i32::from(ceiling(column, index));
        // Lowest and highest neighbouring floor within one step, this one included.
        let (mut lowest, mut highest) = (floor, floor);
        for neighbors in around {
            let Some(neighbors) = neighbors else { return true };
            let neighbors = &spans[neighbors.clone()];
            let drop_ends = neighbors.first().map_or(SKY_VX, |span| span.min_vx);
            if self.height_vx <= ceiling.min(i32::from(drop_ends)) - floor {
                return true;
            }
            for (index, neighbor) in neighbors.iter().enumerate() {
                let other_floor = i32::from(neighbor.max_vx);
                let other_ceiling = i32::from(self::ceiling(neighbors, index));
                if ceiling.min(other_ceiling) - floor.max(other_floor) < self.height_vx {
                    continue;
                }
                let rise = other_floor - floor;
                if rise < -self.climb_vx {
                    return true;
                }
                if rise <= self.climb_vx {
                    (lowest, highest) = (lowest.min(other_floor), highest.max(other_floor));
                }
            }
        }
        self.climb_vx < highest - lowest
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        bake::heightfield::tests::{field, show},
        monitor::Unmonitored,
    };

    type Filter = fn(Heightfield) -> Result<Heightfield, Cancelled>;

    const LOW: Filter = |field| raise_low_hanging_obstacles(field, 2, &Unmonitored);
    const LEDGES: Filter = |field| clear_ledges(field, 10, 2, &Unmonitored);
    const CEILINGS: Filter = |field| clear_low_ceilings(field, 10, &Unmonitored);

    #[track_caller]
    fn check(filter: Filter, before: &str, after: &str) {
        assert_eq!(show(&filter(field(before)).unwrap()), after, "{before}");
    }

    #[test]
    fn low_obstacles_carry() {
        check(LOW, "0-1,2-3!", "0-1,2-3");
        check(LOW, "0-1,3-4!", "0-1,3-4!");
        check(LOW, "0-1!,2-3!", "0-1!,2-3!");
        // The second obstacle rests on the first, which was not walkable itself.
        check(LOW, "0-1,2-3!,4-5!", "0-1,2-3,4-5!");
    }

    #[test]
    fn low_ceilings_clear() {
        check(CEILINGS, "0-1,10-11", "0-1!,10-11");
        check(CEILINGS, "0-1,11-12", "0-1,11-12");
    }

    /// Five by five cells, flat but for the middle row, which reads `row`; shows the middle cell.
    #[track_caller]
    fn check_ledge(row: &str, expected: &str) {
        let flat = "9-10 9-10 9-10 9-10 9-10\n".repeat(2);
        let text = format!("{flat}{row}\n{flat}");
        let after = show(&clear_ledges(field(&text), 10, 2, &Unmonitored).unwrap());
        let middle = after.lines().nth(2).and_then(|row| row.split(' ').nth(2)).unwrap();
        assert_eq!(middle, expected, "{row}");
    }

    #[test]
    fn ledges_clear() {
        check_ledge("9-10 9-10 9-10 9-10 9-10", "9-10");
        // A drop to one side: within a step, deeper, and without a floor.
        check_ledge("9-10 7-8 9-10 9-10 9-10", "9-10");
        check_ledge("9-10 6-7 9-10 9-10 9-10", "9-10!");
        check_ledge("9-10 . 9-10 9-10 9-10", "9-10!");
        // A wall is no drop; nor is a hole under too low a ceiling.
        check_ledge("9-10 0-99 9-10 9-10 9-10", "9-10");
        check_ledge("9-10 0-1,5-99 9-10 9-10 9-10", "9-10");
        // Steps up and down that together exceed the climb: a steep slope.
        check_ledge("9-10 7-8 9-10 10-11 9-10", "9-10!");
        check_ledge("9-10 8-9 9-10 10-11 9-10", "9-10");
        // Spans that are not walkable stay so.
        check_ledge("9-10 9-10 9-10! 9-10 9-10", "9-10!");
    }

    #[test]
    fn the_rim_of_the_grid_is_a_ledge() {
        check(
            LEDGES,
            "0-1 0-1 0-1\n0-1 0-1 0-1\n0-1 0-1 0-1",
            "0-1! 0-1! 0-1!\n0-1! 0-1 0-1!\n0-1! 0-1! 0-1!",
        );
    }
}
