//! The three filters that decide where, on solid spans, an agent may stand. Each only changes areas.

use crate::{
    bake::{
        GridFrame, Heightfield, Span,
        heightfield::{SKY_VX, ceiling},
        pulse::Pulse,
    },
    ids::AreaId,
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
    let GridFrame { n_x, n_z, .. } = field.frame;
    let bases = bases(&field);
    let row = n_x as usize;
    let mut pulse = Pulse::new(monitor);
    for z in 0..n_z {
        let first = field.frame.cell_index(0, z);
        pulse.steps(n_x + field.starts[first + row] - field.starts[first])?;
        for x in 0..n_x {
            let cell = first + x as usize;
            let own = field.range(cell);
            if own.is_empty() {
                continue;
            }
            if x == 0 || z == 0 || x + 1 == n_x || z + 1 == n_z {
                field.spans[own].iter_mut().for_each(|span| span.area = AreaId::NULL);
                continue;
            }
            let around = [cell - 1, cell + row, cell + 1, cell - row];
            for index in own.clone() {
                if !field.spans[index].area.is_walkable() {
                    continue;
                }
                let column = &field.spans[own.start..own.end];
                let mut ledge = Ledge::new(step, column, index - own.start);
                let is_ledge = around.iter().any(|&cell| match bases[cell].n_spans {
                    0 | 1 => ledge.is_beside_base(bases[cell]),
                    _ => ledge.is_beside(field.column(cell)),
                });
                if is_ledge || ledge.is_steep() {
                    field.spans[index].area = AreaId::NULL;
                }
            }
        }
    }
    Ok(field)
}

/// The lowest span of a cell, which mostly is its only one, where its neighbours find it fast.
#[derive(Clone, Copy)]
struct Base {
    min_vx: u16,
    max_vx: u16,
    n_spans: u32,
}

fn bases(field: &Heightfield) -> Vec<Base> {
    let base = |cell| {
        let column = field.column(cell);
        let (min_vx, max_vx) =
            column.first().map_or((SKY_VX, SKY_VX), |span| (span.min_vx, span.max_vx));
        let n_spans = u32::try_from(column.len()).unwrap_or(u32::MAX);
        Base { min_vx, max_vx, n_spans }
    };
    (0..field.frame.n_cells()).map(base).collect()
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

fn signed(n: u32) -> i32 {
    i32::try_from(n).unwrap_or(i32::MAX)
}

/// What an agent can do between two cells.
#[derive(Clone, Copy)]
struct Step {
    height_vx: i32,
    climb_vx: i32,
}

/// A span compared with the cells around it.
struct Ledge {
    step: Step,
    floor: i32,
    ceiling: i32,
    /// Lowest and highest neighbouring floor within one step, this one included.
    lowest: i32,
    highest: i32,
}

impl Ledge {
    fn new(step: Step, column: &[Span], index: usize) -> Self {
        let floor = i32::from(column[index].max_vx);
        let ceiling = i32::from(ceiling(column, index));
        Self { step, floor, ceiling, lowest: floor, highest: floor }
    }

    /// Whether one would fall into the cell of these spans.
    fn is_beside(&mut self, neighbors: &[Span]) -> bool {
        let drop_ends = neighbors.first().map_or(SKY_VX, |span| span.min_vx);
        // Above the highest floor that there is room to get onto, there is none to get onto either.
        let highest = self.ceiling - self.step.height_vx;
        let floors = neighbors.iter().take_while(|span| i32::from(span.max_vx) <= highest);
        self.is_open_down_to(drop_ends)
            || floors.enumerate().any(|(index, neighbor)| {
                self.falls_onto(neighbor.max_vx, ceiling(neighbors, index))
            })
    }

    /// As [`Ledge::is_beside`] for a cell with one span or none.
    fn is_beside_base(&mut self, base: Base) -> bool {
        self.is_open_down_to(base.min_vx) || self.falls_onto(base.max_vx, SKY_VX)
    }

    /// Whether there is room to fall beside it, above nothing but what lies above `drop_ends`.
    fn is_open_down_to(&self, drop_ends: u16) -> bool {
        self.step.height_vx <= self.ceiling.min(i32::from(drop_ends)) - self.floor
    }

    /// Whether one can get to a floor and falls in doing so.
    fn falls_onto(&mut self, other_floor: u16, other_ceiling: u16) -> bool {
        let (other_floor, other_ceiling) = (i32::from(other_floor), i32::from(other_ceiling));
        let room = self.ceiling.min(other_ceiling) - self.floor.max(other_floor);
        if room < self.step.height_vx {
            return false;
        }
        let rise = other_floor - self.floor;
        if (-self.step.climb_vx..=self.step.climb_vx).contains(&rise) {
            self.lowest = self.lowest.min(other_floor);
            self.highest = self.highest.max(other_floor);
        }
        rise < -self.step.climb_vx
    }

    /// Whether the neighbours one could step to are too far apart.
    fn is_steep(&self) -> bool {
        self.step.climb_vx < self.highest - self.lowest
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
