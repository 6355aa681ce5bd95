//! The three filters that determine on which solid spans an agent can stand. Each changes only areas, and reads only
//! the areas of its own column: first the two filters that work within a column are applied everywhere, then ledges are
//! found.

use std::ops::Range;

use walkable_runtime::monitor::{Cancelled, Monitor};

use crate::bake::{
    BakeSettings, GridFrame, Heightfield, RawArea, Span,
    heightfield::{SKY_VX, ceiling},
    pulse::Pulse,
};

walkable_runtime::in_order! {
    /// A filter of the solid spans. The bake applies the enabled filters, an animation shows them one by one, and an
    /// explanation tests which of them removed a span, always in the order of [`SpanFilter::ALL`].
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum SpanFilter {
        /// Makes unwalkable spans walkable if their top is at most a climb above the walkable span directly below: curbs,
        /// stair edges, small debris.
        ///
        /// Source: Recast, `rcFilterLowHangingWalkableObstacles`.
        LowHangingObstacles,
        /// Makes spans unwalkable if an agent could fall from them deeper than a climb, or if the ground is so steep that
        /// the neighbors within a step are more than a climb apart. The edge of the grid counts as a drop.
        ///
        /// Source: Recast, `rcFilterLedgeSpans`.
        Ledges,
        /// Makes spans unwalkable if the clearance above them is less than the agent's height.
        ///
        /// Source: Recast, `rcFilterWalkableLowHeightSpans`.
        LowCeilings,
    }
}

impl SpanFilter {
    /// Returns whether `settings` enable the filter.
    pub const fn is_on(self, settings: &BakeSettings) -> bool {
        match self {
            Self::LowHangingObstacles => settings.filter_low_hanging_obstacles,
            Self::Ledges => settings.filter_ledge_spans,
            Self::LowCeilings => settings.filter_low_height_spans,
        }
    }

    /// Returns the filters that `settings` enable, in the order of application.
    pub fn enabled(settings: &BakeSettings) -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(|filter| filter.is_on(settings))
    }
}

/// The enabled filters, by their position in [`SpanFilter::ALL`].
#[derive(Clone, Copy, Default)]
pub(super) struct Filters([bool; SpanFilter::ALL.len()]);

impl Filters {
    const fn has(self, filter: SpanFilter) -> bool {
        self.0[filter as usize]
    }
}

impl FromIterator<SpanFilter> for Filters {
    fn from_iter<I: IntoIterator<Item = SpanFilter>>(filters: I) -> Self {
        let mut chosen = Self::default();
        filters.into_iter().for_each(|filter| chosen.0[filter as usize] = true);
        chosen
    }
}

/// Applies `filters` for an agent of height `height_vx` that climbs `climb_vx`.
pub(super) fn apply(
    mut field: Heightfield,
    filters: Filters,
    [height_vx, climb_vx]: [u32; 2],
    monitor: &dyn Monitor,
) -> Result<Heightfield, Cancelled> {
    let step = StepLimits { height_vx: signed(height_vx), climb_vx: signed(climb_vx) };
    let mut pulse = Pulse::new(monitor);
    let n_x = field.frame.n_x as usize;
    let mut floors = Vec::with_capacity(field.frame.n_cells());
    for row in (0..field.frame.n_cells()).step_by(n_x) {
        let starts = &field.starts[row..=row + n_x];
        pulse.steps(field.frame.n_x + (starts[n_x] - starts[0]))?;
        for ends in starts.windows(2) {
            let column = &mut field.spans[ends[0] as usize..ends[1] as usize];
            floors.push(step.filter_column(column, filters));
        }
    }
    if filters.has(SpanFilter::Ledges) {
        clear_ledges(&mut field, step, &floors, &mut pulse)?;
    }
    Ok(field)
}

/// The height of the floor of a cell with a single floor and enough clearance, or else [`MIXED`] or [`NO_FLOOR`].
type Floor = i16;
/// Marks a cell with several floors, or with a low ceiling.
const MIXED: Floor = -1;
/// Marks a cell without any floor.
const NO_FLOOR: Floor = -2;

fn clear_ledges(
    field: &mut Heightfield,
    step: StepLimits,
    floors: &[Floor],
    pulse: &mut Pulse<'_>,
) -> Result<(), Cancelled> {
    let GridFrame { n_x, n_z, .. } = field.frame;
    let mut evenness = EvenCells::new(n_x, step, floors);
    for z in 0..n_z {
        let first = field.frame.cell_index(0, z);
        let row = field.starts[first]..field.starts[first + n_x as usize];
        pulse.steps(n_x + (row.end - row.start))?;
        let is_rim = z == 0 || z + 1 == n_z;
        let evenness = evenness.row(z);
        for (x, &even) in (0..n_x).zip(evenness) {
            let cell = first + x as usize;
            if even == EVEN || floors[cell] == NO_FLOOR {
                continue;
            }
            let own = field.range(cell);
            if is_rim || x == 0 || x + 1 == n_x {
                field.spans[own].iter_mut().for_each(|span| span.area = RawArea::NULL);
                continue;
            }
            let n_x = n_x as usize;
            let around = [cell - 1, cell + n_x, cell + 1, cell - n_x].map(|cell| field.range(cell));
            clear_ledges_of(&mut field.spans, step, &own, &around);
        }
    }
    Ok(())
}

/// Makes the ledges among the spans `own` unwalkable; `around` are the neighboring cells.
fn clear_ledges_of(
    spans: &mut [Span],
    step: StepLimits,
    own: &Range<usize>,
    around: &[Range<usize>; 4],
) {
    let mut from = 0;
    loop {
        let column = &spans[own.clone()];
        let around = around.each_ref().map(|cell| &spans[cell.clone()]);
        let is_ledge = |&index: &usize| {
            column[index].area.is_walkable() && step.is_ledge(column, index, around)
        };
        let Some(ledge) = (from..column.len()).find(is_ledge) else { break };
        spans[own.start + ledge].area = RawArea::NULL;
        from = ledge + 1;
    }
}

/// Finds cells that cannot be ledges: they and their neighbors each have one floor, within a climb.
struct EvenCells<'a> {
    n_x: usize,
    climb_vx: i16,
    floors: &'a [Floor],
    row: Vec<i16>,
}

/// Marks an even cell.
const EVEN: i16 = 1;

impl<'a> EvenCells<'a> {
    fn new(n_x: u32, step: StepLimits, floors: &'a [Floor]) -> Self {
        let n_x = n_x as usize;
        let climb_vx = i16::try_from(step.climb_vx).unwrap_or(i16::MAX);
        let climb_vx = if step.is_lower_than_agent() { climb_vx } else { -1 };
        Self { n_x, climb_vx, floors, row: vec![0; n_x] }
    }

    /// Returns [`EVEN`] or not for each cell of row `z`; cells at the edge of the grid are never even.
    fn row(&mut self, z: u32) -> &[i16] {
        let (n_x, first) = (self.n_x, z as usize * self.n_x);
        let from = |start: Option<usize>| {
            start.and_then(|start| self.floors.get(start..start + n_x)).unwrap_or_default()
        };
        let rows = [first.checked_sub(n_x), Some(first), Some(first + n_x)].map(from);
        let [south, own, north] = rows;
        if n_x < 3 || rows.iter().any(|row| row.len() < n_x) {
            self.row.fill(0);
            return &self.row;
        }
        // This loop has no branches, so that it is vectorized for eight cells.
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

/// The height and climb that limit steps between two cells.
#[derive(Clone, Copy)]
struct StepLimits {
    height_vx: i32,
    climb_vx: i32,
}

impl StepLimits {
    /// Applies the filters that work within a column, and returns the resulting floor.
    ///
    /// Goes from top to bottom, so that the span below is still unfiltered: only spans that were walkable from the
    /// start make others walkable, so an agent does not climb a pile of obstacles.
    #[inline]
    fn filter_column(self, column: &mut [Span], filters: Filters) -> Floor {
        let mut floor = NO_FLOOR;
        let (mut ceiling, mut top_above) = (SKY_VX, i32::MAX);
        let mut column = column;
        while let Some((span, lower)) = column.split_last_mut() {
            let top = i32::from(span.max_vx);
            if filters.has(SpanFilter::LowHangingObstacles)
                && !span.area.is_walkable()
                && let Some(below) = lower.last()
                && top - i32::from(below.max_vx) <= self.climb_vx
            {
                span.area = below.area;
            }
            // A floor without clearance cannot be a ledge.
            if filters.has(SpanFilter::LowCeilings) && i32::from(ceiling) - top < self.height_vx {
                span.area = RawArea::NULL;
            }
            if span.area.is_walkable() {
                let is_alone = floor == NO_FLOOR && self.is_out_of_reach(top_above, top);
                floor = if is_alone { span.max_vx.cast_signed() } else { MIXED };
            }
            (ceiling, top_above) = (span.min_vx, top);
            column = lower;
        }
        floor
    }

    /// Returns whether a top is out of reach from all floors that are a step from `floor`.
    fn is_out_of_reach(self, top: i32, floor: i32) -> bool {
        self.climb_vx.saturating_mul(2) < top - floor
    }

    /// Returns whether the agent is too tall to fall between two tops that are a step apart.
    const fn is_lower_than_agent(self) -> bool {
        self.climb_vx <= self.height_vx
    }

    /// Returns whether an agent could fall from span `index` of `column` into one of the cells `around` it, or the
    /// ground is steep.
    fn is_ledge(self, column: &[Span], index: usize, around: [&[Span]; 4]) -> bool {
        if self.is_even(column[index].max_vx, index, around) {
            return false;
        }
        let mut ledge = Ledge::new(self, column, index);
        around.into_iter().any(|cell| ledge.is_beside(cell)) || ledge.is_steep()
    }

    /// Returns whether every cell around a floor has a top at `index` within a step, all of these are close to each
    /// other, and the next top is out of reach. Lower tops are then irrelevant: there is no space for the agent between
    /// them and a top within a step.
    #[inline]
    fn is_even(self, floor: u16, index: usize, around: [&[Span]; 4]) -> bool {
        let in_reach = i32::from(floor).saturating_add(self.climb_vx);
        let (mut lowest, mut highest) = (floor, floor);
        let is_alone = around.into_iter().all(|spans| {
            let Some(beside) = spans.get(index) else { return false };
            (lowest, highest) = (lowest.min(beside.max_vx), highest.max(beside.max_vx));
            spans.get(index + 1).is_none_or(|above| in_reach < i32::from(above.max_vx))
        });
        is_alone && self.is_lower_than_agent() && i32::from(highest - lowest) <= self.climb_vx
    }
}

/// Compares a span with the cells around it.
struct Ledge {
    step: StepLimits,
    floor: i32,
    ceiling: i32,
    /// Lowest and highest neighboring floor within one step, including this one.
    lowest: i32,
    highest: i32,
}

impl Ledge {
    fn new(step: StepLimits, column: &[Span], index: usize) -> Self {
        let floor = i32::from(column[index].max_vx);
        let ceiling = i32::from(ceiling(column, index));
        Self { step, floor, ceiling, lowest: floor, highest: floor }
    }

    /// Returns whether an agent could fall into the cell of these spans.
    fn is_beside(&mut self, neighbors: &[Span]) -> bool {
        let drop_ends = neighbors.first().map_or(SKY_VX, |span| span.min_vx);
        // Floors above this height leave too little clearance, so the agent cannot get onto them.
        let highest = self.ceiling - self.step.height_vx;
        // Nor can it get onto floors whose ceiling is too low.
        let lowest_ceiling = self.floor.saturating_add(self.step.height_vx);
        let above = neighbors.get(1..).unwrap_or_default();
        let first = above.partition_point(|span| i32::from(span.min_vx) < lowest_ceiling);
        let floors = (first..neighbors.len()).map(|index| (neighbors[index].max_vx, index));
        let mut floors = floors.take_while(|(floor, _)| i32::from(*floor) <= highest);
        self.is_open_down_to(drop_ends)
            || floors.any(|(floor, index)| self.falls_onto(floor, ceiling(neighbors, index)))
    }

    /// Returns whether there is space to fall next to the span, down to `drop_ends`.
    fn is_open_down_to(&self, drop_ends: u16) -> bool {
        self.step.height_vx <= self.ceiling.min(i32::from(drop_ends)) - self.floor
    }

    /// Returns whether an agent could reach a floor only by falling.
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

    /// Returns whether the neighbors within a step are too far apart.
    fn is_steep(&self) -> bool {
        self.step.climb_vx < self.highest - self.lowest
    }
}

#[cfg(test)]
mod tests {
    use SpanFilter::{Ledges, LowCeilings, LowHangingObstacles};
    use proptest::prelude::*;
    use walkable_runtime::monitor::Unmonitored;

    use super::*;
    use crate::bake::heightfield::tests::{field, random_field, show};

    fn filtered(filter: SpanFilter, before: &str) -> String {
        let filters = [filter].into_iter().collect();
        show(&apply(field(before), filters, [10, 2], &Unmonitored).unwrap())
    }

    #[track_caller]
    fn check(filter: SpanFilter, before: &str, after: &str) {
        assert_eq!(filtered(filter, before), after, "{before}");
    }

    #[test]
    fn low_obstacles_carry() {
        check(LowHangingObstacles, "0-1,2-3!", "0-1,2-3");
        check(LowHangingObstacles, "0-1,3-4!", "0-1,3-4!");
        check(LowHangingObstacles, "0-1!,2-3!", "0-1!,2-3!");
        // The second obstacle lies on the first, which was not walkable itself.
        check(LowHangingObstacles, "0-1,2-3!,4-5!", "0-1,2-3,4-5!");
    }

    #[test]
    fn low_ceilings_clear() {
        check(LowCeilings, "0-1,10-11", "0-1!,10-11");
        check(LowCeilings, "0-1,11-12", "0-1,11-12");
    }

    /// Builds five by five cells, flat except for the middle row, which is `row`; compares the middle cell.
    #[track_caller]
    fn check_ledge(row: &str, expected: &str) {
        let middle = row.split(' ').nth(2).unwrap().replace('!', "");
        let flat = format!("{}\n", [middle.as_str(); 5].join(" ")).repeat(2);
        let text = format!("{flat}{row}\n{flat}");
        let after = filtered(Ledges, &text);
        let middle = after.lines().nth(2).and_then(|row| row.split(' ').nth(2)).unwrap();
        assert_eq!(middle, expected, "{row}");
    }

    #[test]
    fn ledges_clear() {
        check_ledge("9-10 9-10 9-10 9-10 9-10", "9-10");
        // Drops on one side: within a step, deeper, and without a floor.
        check_ledge("9-10 7-8 9-10 9-10 9-10", "9-10");
        check_ledge("9-10 6-7 9-10 9-10 9-10", "9-10!");
        check_ledge("9-10 . 9-10 9-10 9-10", "9-10!");
        // A wall is not a drop, and neither is a hole with too little clearance.
        check_ledge("9-10 0-99 9-10 9-10 9-10", "9-10");
        check_ledge("9-10 0-1,5-99 9-10 9-10 9-10", "9-10");
        // Steps up and down whose sum exceeds the climb form a steep slope.
        check_ledge("9-10 7-8 9-10 10-11 9-10", "9-10!");
        check_ledge("9-10 8-9 9-10 10-11 9-10", "9-10");
        // Unwalkable spans stay unwalkable.
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
        // Below the upper floor, there is space to fall next to it.
        check_ledge(&around("9-10,40-41"), "9-10,29-30!");
        // Two floors within a step of each other make the ground steep.
        let near = "9-10,11-12!,40-41";
        check_ledge(&format!("{near} 9-10,12-13!,40-41 {near} {near} {near}"), near);
    }

    /// To the west, the step would lead onto a top without enough clearance.
    #[test]
    fn tops_near_above_a_floor_are_stepped_onto() {
        let row = "9-10 6-7,10-11! 9-10 6-7 9-10";
        let text = ["9-10 9-10 9-10 9-10 9-10"; 2].join("\n");
        let text = format!("{text}\n{row}\n{text}");
        let filtered = show(
            &apply(field(&text), [Ledges].into_iter().collect(), [3, 3], &Unmonitored).unwrap(),
        );
        assert_eq!(filtered.lines().nth(2), Some("9-10! 6-7,10-11! 9-10! 6-7 9-10!"));
    }

    #[test]
    fn the_rim_of_the_grid_is_a_ledge() {
        check(
            Ledges,
            "0-1 0-1 0-1\n0-1 0-1 0-1\n0-1 0-1 0-1",
            "0-1! 0-1! 0-1!\n0-1! 0-1 0-1!\n0-1! 0-1! 0-1!",
        );
    }

    /// Filters naively: the three filters one after another, span by span.
    fn plainly_filtered(mut field: Heightfield, step: StepLimits) -> Heightfield {
        let n_x = field.frame.n_x as usize;
        let is_rim =
            |cell: usize| [cell % n_x, cell / n_x].iter().any(|&at| at == 0 || at + 1 == n_x);
        let before = field.clone();
        for cell in 0..n_x * n_x {
            let column = before.column(cell);
            for (index, &span) in column.iter().enumerate().skip(1) {
                let below = column[index - 1];
                let is_step = i32::from(span.max_vx - below.max_vx) <= step.climb_vx;
                if !span.area.is_walkable() && is_step {
                    field.spans[before.range(cell).start + index].area = below.area;
                }
            }
        }
        for cell in 0..n_x * n_x {
            for (index, span) in before.range(cell).enumerate() {
                let around = [cell.wrapping_sub(1), cell + n_x, cell + 1, cell.wrapping_sub(n_x)];
                if is_rim(cell) || is_plain_ledge(&before, [cell, index], around, step) {
                    field.spans[span].area = RawArea::NULL;
                }
            }
        }
        for cell in 0..n_x * n_x {
            for (index, span) in before.range(cell).enumerate() {
                let room = ceiling(before.column(cell), index) - field.spans[span].max_vx;
                if i32::from(room) < step.height_vx {
                    field.spans[span].area = RawArea::NULL;
                }
            }
        }
        field
    }

    fn is_plain_ledge(
        field: &Heightfield,
        [cell, index]: [usize; 2],
        around: [usize; 4],
        step: StepLimits,
    ) -> bool {
        let own = field.column(cell);
        let (floor, top) = (i32::from(own[index].max_vx), i32::from(ceiling(own, index)));
        let (mut lowest, mut highest) = (floor, floor);
        for cell in around {
            let column = field.column(cell);
            let floors = column.iter().map(|span| i32::from(span.max_vx));
            let bottoms = column.iter().map(|span| span.min_vx).chain([SKY_VX]).map(i32::from);
            let abyss = -1_000_000;
            for (other, ceiling) in [abyss].into_iter().chain(floors).zip(bottoms) {
                if top.min(ceiling) - floor.max(other) < step.height_vx {
                    continue;
                }
                if other - floor < -step.climb_vx {
                    return true;
                }
                if other - floor <= step.climb_vx {
                    (lowest, highest) = (lowest.min(other), highest.max(other));
                }
            }
        }
        step.climb_vx < highest - lowest
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn filters_do_what_they_say(seed: u64, height_vx in 0..16_u32, climb_vx in 0..8_u32) {
            let all = SpanFilter::ALL.into_iter().collect();
            let field = random_field(seed, 7);
            let filtered = apply(field.clone(), all, [height_vx, climb_vx], &Unmonitored).unwrap();
            let step = StepLimits { height_vx: signed(height_vx), climb_vx: signed(climb_vx) };
            prop_assert_eq!(show(&filtered), show(&plainly_filtered(field, step)));
        }
    }
}
