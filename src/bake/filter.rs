//! The three filters that decide where, on solid spans, an agent may stand. Each only changes areas, and looks at
//! no areas but those of its own column; so all are done column by column in one go.

use std::ops::Range;

use crate::{
    bake::{
        GridFrame, Heightfield, Span,
        heightfield::{SKY_VX, ceiling},
        pulse::Pulse,
    },
    ids::AreaId,
    monitor::{Cancelled, Monitor},
};

/// Which filters to apply, in this order.
#[derive(Clone, Copy)]
pub(super) struct Filters {
    /// Make unwalkable spans walkable whose top is at most a climb above a walkable span directly below:
    /// kerbs, stair edges, small debris.
    ///
    /// Source: Recast, `rcFilterLowHangingWalkableObstacles`.
    pub(super) low_hanging_obstacles: bool,
    /// Make spans unwalkable from which one would fall deeper than a climb, and those on ground so steep that
    /// the neighbours one could step to are more than a climb apart. Beyond the grid is a drop.
    ///
    /// Source: Recast, `rcFilterLedgeSpans`.
    pub(super) ledges: bool,
    /// Make spans unwalkable with less room above them than the agent is high.
    ///
    /// Source: Recast, `rcFilterWalkableLowHeightSpans`.
    pub(super) low_ceilings: bool,
}

/// Applies `filters` for an agent of height `height_vx` that climbs `climb_vx`.
pub(super) fn apply(
    mut field: Heightfield,
    filters: Filters,
    [height_vx, climb_vx]: [u32; 2],
    monitor: &dyn Monitor,
) -> Result<Heightfield, Cancelled> {
    let step = Step { height_vx: signed(height_vx), climb_vx: signed(climb_vx) };
    let GridFrame { n_x, n_z, .. } = field.frame;
    let mut pulse = Pulse::new(monitor);
    let mut evenness = EvenCells::new(&field, step);
    // Above a column's only span is the sky.
    let may_be_low =
        filters.low_ceilings && u32::from(SKY_VX - Heightfield::MAX_HEIGHT_VX) < height_vx;
    for z in 0..n_z {
        let first = field.frame.cell_index(0, z);
        let row = field.starts[first]..field.starts[first + n_x as usize];
        pulse.steps(n_x + (row.end - row.start))?;
        let is_rim = z == 0 || z + 1 == n_z;
        for (x, &even) in (0..n_x).zip(evenness.row(z)) {
            if even == EVEN && !may_be_low {
                continue;
            }
            let cell = first + x as usize;
            let own = field.range(cell);
            if own.is_empty() {
                continue;
            }
            if filters.low_hanging_obstacles && 1 < own.len() {
                raise_low_hanging(&mut field.spans[own.clone()], climb_vx);
            }
            if filters.low_ceilings {
                clear_low(&mut field.spans[own.clone()], height_vx);
            }
            if !filters.ledges {
                continue;
            }
            if is_rim || x == 0 || x + 1 == n_x {
                field.spans[own].iter_mut().for_each(|span| span.area = AreaId::NULL);
                continue;
            }
            let around = [cell - 1, cell + n_x as usize, cell + 1, cell - n_x as usize];
            let is_even = even == EVEN
                || 1 < own.len()
                    && step
                        .are_floors_even(field.column(cell), around.map(|cell| field.column(cell)));
            if !is_even {
                clear_ledges(&mut field, step, own, around);
            }
        }
    }
    Ok(field)
}

/// Only spans that were walkable to begin with carry others, so that a pile of obstacles is not climbed.
fn raise_low_hanging(column: &mut [Span], climb_vx: u32) {
    // The span below as it was before the filter, if it was walkable.
    let mut below: Option<Span> = None;
    for span in column {
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

/// What is too low under a ceiling is no ledge either.
fn clear_low(column: &mut [Span], height_vx: u32) {
    for index in 0..column.len() {
        if u32::from(ceiling(column, index) - column[index].max_vx) < height_vx {
            column[index].area = AreaId::NULL;
        }
    }
}

/// Clears those of the spans `own` that are ledges to the cells `around` them.
fn clear_ledges(field: &mut Heightfield, step: Step, own: Range<usize>, around: [usize; 4]) {
    for index in own.clone() {
        if !field.spans[index].area.is_walkable() {
            continue;
        }
        let mut ledge = Ledge::new(step, &field.spans[own.clone()], index - own.start);
        if around.iter().any(|&cell| ledge.is_beside(field.column(cell))) || ledge.is_steep() {
            field.spans[index].area = AreaId::NULL;
        }
    }
}

/// Which cells have a single span, as have those around them, and tops so alike that none is a ledge to the others.
struct EvenCells {
    n_x: usize,
    climb_vx: i16,
    /// The top of each cell's only span, else [`MIXED`].
    tops: Vec<i16>,
    row: Vec<i16>,
}

/// Stands for the top of a cell with no span or several.
const MIXED: i16 = -1;
/// What is said of an even cell.
const EVEN: i16 = 1;

impl EvenCells {
    fn new(field: &Heightfield, step: Step) -> Self {
        let n_x = field.frame.n_x as usize;
        let top = |column: &[u32]| match column {
            &[start, end] if end == start + 1 => field.spans[start as usize].max_vx.cast_signed(),
            _ => MIXED,
        };
        // Beside a higher top there is no drop unless its span hangs more than the agent's height above.
        let has_any = step.climb_vx <= step.height_vx;
        let climb_vx = if has_any { i16::try_from(step.climb_vx).unwrap_or(i16::MAX) } else { -1 };
        let tops = field.starts.windows(2).map(top).collect();
        Self { n_x, climb_vx, tops, row: vec![0; n_x] }
    }

    /// Per cell of row `z`, [`EVEN`] or not; no cell of the grid's rim is.
    fn row(&mut self, z: u32) -> &[i16] {
        let (n_x, first) = (self.n_x, z as usize * self.n_x);
        let from = |start: Option<usize>| {
            start.and_then(|start| self.tops.get(start..start + n_x)).unwrap_or_default()
        };
        let rows = [first.checked_sub(n_x), Some(first), Some(first + n_x)].map(from);
        let [south, own, north] = rows;
        if n_x < 3 || rows.iter().any(|row| row.len() < n_x) {
            self.row.fill(0);
            return &self.row;
        }
        // Nothing here branches, so that eight cells are looked at together.
        let n = n_x - 2;
        let [west, own, east] = [0, 1, 2].map(|start| &own[start..start + n]);
        let [south, north] = [south, north].map(|row| &row[1..=n]);
        for (x, even) in self.row[1..=n].iter_mut().enumerate() {
            let (low, high) = (west[x].min(east[x]), west[x].max(east[x]));
            let (low, high) = (low.min(south[x]).min(north[x]), high.max(south[x]).max(north[x]));
            let (low, high) = (low.min(own[x]), high.max(own[x]));
            *even = i16::from(low >= 0) & i16::from(high.wrapping_sub(low) <= self.climb_vx);
        }
        &self.row
    }
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
    /// Whether the spans of a cell and those of the cells around it are so alike that none of its own is a ledge: as
    /// many everywhere, with tops at most a climb apart, and the next ones more than a climb above all of them.
    ///
    /// Then each floor has one within a climb in every cell around it. Those above are no fall, and the gap below is
    /// closed by a span that ends within a climb, too near to have room for an agent.
    #[inline]
    fn are_floors_even(self, own: &[Span], around: [&[Span]; 4]) -> bool {
        if self.height_vx < self.climb_vx || around.iter().any(|spans| spans.len() != own.len()) {
            return false;
        }
        let mut in_reach = i32::MIN;
        own.iter().enumerate().all(|(index, span)| {
            let tops = around.map(|spans| spans[index].max_vx);
            let lowest = tops.into_iter().fold(span.max_vx, u16::min);
            let highest = tops.into_iter().fold(span.max_vx, u16::max);
            let is_apart = in_reach < i32::from(lowest);
            in_reach = i32::from(highest).saturating_add(self.climb_vx);
            is_apart && i32::from(highest - lowest) <= self.climb_vx
        })
    }
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

    const NONE: Filters =
        Filters { low_hanging_obstacles: false, ledges: false, low_ceilings: false };
    const LOW: Filters = Filters { low_hanging_obstacles: true, ..NONE };
    const LEDGES: Filters = Filters { ledges: true, ..NONE };
    const CEILINGS: Filters = Filters { low_ceilings: true, ..NONE };

    fn filtered(filters: Filters, before: &str) -> String {
        show(&apply(field(before), filters, [10, 2], &Unmonitored).unwrap())
    }

    #[track_caller]
    fn check(filters: Filters, before: &str, after: &str) {
        assert_eq!(filtered(filters, before), after, "{before}");
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
        let middle = row.split(' ').nth(2).unwrap().replace('!', "");
        let flat = format!("{}\n", [middle.as_str(); 5].join(" ")).repeat(2);
        let text = format!("{flat}{row}\n{flat}");
        let after = filtered(LEDGES, &text);
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
    fn ledges_of_several_floors() {
        let even = "9-10,29-30";
        let around = |west: &str| format!("{even} {west} {even} {even} {even}");
        check_ledge(&around(even), even);
        check_ledge(&around("9-10,27-28"), even);
        check_ledge(&around("9-10,26-27"), "9-10,29-30!");
        check_ledge(&around("5-6,29-30"), "9-10!,29-30");
        // Below the upper floor is room to fall beside it.
        check_ledge(&around("9-10,40-41"), "9-10,29-30!");
        // Two floors within a step of each other make steep ground.
        let near = "9-10,11-12!,40-41";
        check_ledge(&format!("{near} 9-10,12-13!,40-41 {near} {near} {near}"), near);
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
