use std::ops::Range;

use serde::{Deserialize, Serialize};
use walkable_runtime::{
    ids::Dir,
    monitor::{Cancelled, Monitor},
};

use crate::bake::{
    GridFrame, Heightfield, RawArea,
    adjacency::{Adjacency, SpanIndex},
    heightfield::SKY_VX,
    pulse::Pulse,
    voxel_params::meters,
};

/// Open space above a solid span: a floor with its clearance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenSpan {
    /// Height of the floor, in cells.
    pub floor_vx: u16,
    /// Free cells above the floor, at most 255.
    pub clearance_vx: u8,
}

impl OpenSpan {
    fn ceiling_vx(self) -> u32 {
        u32::from(self.floor_vx) + u32::from(self.clearance_vx)
    }
}

/// Open spans of every column, with their neighbors. Areas, distances and regions of the spans are kept in separate
/// arrays, with one entry per span.
///
/// Invariants: `starts` as in [`Heightfield`]; links lead to existing spans. If the climb is at most the height and no
/// cell has more than 63 spans, links are mutual.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CompactField {
    /// Position of the columns.
    pub frame: GridFrame,
    /// Clearance that the agent needs, in cells.
    pub walkable_height_vx: u32,
    /// Highest step, in cells.
    pub walkable_climb_vx: u32,
    /// Index of each cell's first span, and the total.
    pub starts: Vec<u32>,
    /// Spans of all cells, in cell order.
    pub spans: Vec<OpenSpan>,
    /// Neighbors of each span.
    pub(super) adjacency: Adjacency,
}

impl CompactField {
    /// The link value for a missing neighbor.
    pub const NO_LINK: u8 = Adjacency::NO_LINK;

    /// Returns the indices of the spans of cell `cell`.
    pub fn cell(&self, cell: usize) -> Range<usize> {
        self.starts[cell] as usize..self.starts[cell + 1] as usize
    }

    /// Returns the neighbor of span `span` of cell `(x, z)` in direction `dir`, as cell and span index.
    pub fn neighbor(&self, (x, z): (u32, u32), span: usize, dir: Dir) -> Option<NeighborSpan> {
        let span = self.adjacency.step(span, dir)?;
        let (x, z) = (x.wrapping_add_signed(dir.dx()), z.wrapping_add_signed(dir.dz()));
        Some(NeighborSpan { x, z, span })
    }

    /// Returns for each direction the index of the neighbor of span `span` of cell `(x, z)` within its own cell, or
    /// [`CompactField::NO_LINK`].
    pub fn links(&self, cell: (u32, u32), span: usize) -> [u8; 4] {
        Dir::ALL.map(|dir| {
            let place = self.neighbor(cell, span, dir).map(|NeighborSpan { x, z, span }| {
                span - self.starts[self.frame.cell_index(x, z)] as usize
            });
            place.and_then(|place| u8::try_from(place).ok()).unwrap_or(Self::NO_LINK)
        })
    }

    /// Creates a field from spans, for an agent of height `height_vx` that climbs `climb_vx`, with
    /// [`CompactField::links`] as given, one entry per span. The links must lead to existing spans, which is not
    /// checked: the function is public only for tests in the bake's own crates.
    #[doc(hidden)]
    pub fn new(
        frame: GridFrame,
        [height_vx, climb_vx]: [u32; 2],
        (starts, spans): (Vec<u32>, Vec<OpenSpan>),
        links: &[[u8; 4]],
    ) -> Self {
        let adjacency = Adjacency::new(&frame, &starts, links);
        let (walkable_height_vx, walkable_climb_vx) = (height_vx, climb_vx);
        Self { frame, walkable_height_vx, walkable_climb_vx, starts, spans, adjacency }
    }
}

/// A span reached by a link, with its cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NeighborSpan {
    /// Column.
    pub x: u32,
    /// Row.
    pub z: u32,
    /// Index of the span.
    pub span: usize,
}

/// Open spans, not linked yet.
pub(super) struct Open {
    field: CompactField,
    /// Areas, one per span of `field`.
    areas: Vec<RawArea>,
}

/// Open spans, their areas, and the number of lost links.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Compacted {
    /// Open spans and links.
    pub(super) field: CompactField,
    /// Areas, one per span of `field`.
    pub(super) areas: Vec<RawArea>,
    /// Number of links to spans with more than 62 walkable spans below them, which the format cannot encode.
    pub(super) n_lost_links: usize,
}

/// Builds the open spans above the walkable spans of `solid`, for an agent of height `height_vx` that climbs
/// `climb_vx`; [`link`] is the next step.
///
/// The bounds of the result extend one agent height above those of `solid`.
///
/// Source: Recast, `rcBuildCompactHeightfield`.
pub(super) fn open(
    solid: &Heightfield,
    height_vx: u32,
    climb_vx: u32,
    monitor: &dyn Monitor,
) -> Result<Open, Cancelled> {
    let mut pulse = Pulse::new(monitor);
    let n_cells = solid.frame.n_cells();
    let mut starts = Vec::with_capacity(n_cells + 1);
    let mut spans = Vec::with_capacity(solid.spans.len());
    let mut areas = Vec::with_capacity(solid.spans.len());
    starts.push(0);
    let n_x = solid.frame.n_x as usize;
    for row in (0..n_cells).step_by(n_x) {
        let row = &solid.starts[row..=row + n_x];
        pulse.steps(solid.frame.n_x + row[n_x] - row[0])?;
        for ends in row.windows(2).map(|ends| ends[0] as usize..ends[1] as usize) {
            let column = &solid.spans[ends];
            let mut ceilings = column.iter().skip(1).map(|above| above.min_vx);
            for span in column {
                let ceiling_vx = ceilings.next().unwrap_or(SKY_VX);
                if !span.area.is_walkable() {
                    continue;
                }
                let clearance_vx = u8::try_from(ceiling_vx - span.max_vx).unwrap_or(u8::MAX);
                spans.push(OpenSpan { floor_vx: span.max_vx, clearance_vx });
                areas.push(span.area);
            }
            // Their number is at most that of the solid spans.
            starts.push(u32::try_from(spans.len()).unwrap_or(u32::MAX));
        }
    }
    spans.shrink_to_fit();
    areas.shrink_to_fit();
    let mut frame = solid.frame;
    frame.bounds.max.y += meters(height_vx, frame.cell_height);
    let field = CompactField {
        frame,
        walkable_height_vx: height_vx,
        walkable_climb_vx: climb_vx,
        starts,
        spans,
        adjacency: Adjacency::default(),
    };
    Ok(Open { field, areas })
}

/// Links the spans between which an agent can step: at most the climb up or down, with enough shared clearance for its
/// height.
pub(super) fn link(open: Open, monitor: &dyn Monitor) -> Result<Compacted, Cancelled> {
    let Open { mut field, areas } = open;
    let (adjacency, n_lost_links) = link_until(&field, usize::MAX, monitor)?;
    field.adjacency = adjacency;
    Ok(Compacted { field, areas, n_lost_links })
}

/// Returns the spans of `linked` with only the links between the first `n_cells` cells and their next cells.
pub(super) fn linked_until(
    linked: &CompactField,
    n_cells: usize,
    monitor: &dyn Monitor,
) -> Result<CompactField, Cancelled> {
    let (adjacency, _) = link_until(linked, n_cells, monitor)?;
    let (starts, spans) = (linked.starts.clone(), linked.spans.clone());
    Ok(CompactField { starts, spans, adjacency, ..*linked })
}

/// Returns the links between the first `n_cells` cells and their next cells, and the number of lost links.
fn link_until(
    field: &CompactField,
    n_cells: usize,
    monitor: &dyn Monitor,
) -> Result<(Adjacency, usize), Cancelled> {
    let mut pulse = Pulse::new(monitor);
    if Adjacency::is_narrow(field.spans.len()) {
        link_spans::<u16>(field, n_cells, &mut pulse)
    } else {
        link_spans::<u32>(field, n_cells, &mut pulse)
    }
}

fn link_spans<I: SpanIndex>(
    field: &CompactField,
    n_cells: usize,
    pulse: &mut Pulse<'_>,
) -> Result<(Adjacency, usize), Cancelled> {
    // Values beyond any height are clamped, so that sums cannot overflow.
    let at_most = |vx: u32| vx.min(1 << 17);
    let step = StepLimits {
        height_vx: at_most(field.walkable_height_vx),
        climb_vx: at_most(field.walkable_climb_vx),
    };
    let CompactField { starts, spans, .. } = field;
    let next = vec![[I::NONE; 4]; spans.len()];
    let mut linker = Linker { step, spans, next, n_lost: 0 };
    let n_x = field.frame.n_x as usize;
    let n_cells = field.frame.n_cells().min(n_cells);
    for row in (0..n_cells).step_by(n_x) {
        let starts_of = |row: usize| starts.get(row..=row + n_x);
        let Some(own_row) = starts_of(row) else { break };
        pulse.steps(field.frame.n_x + own_row[n_x] - own_row[0])?;
        if own_row[0] == own_row[n_x] {
            continue;
        }
        let north_row = starts_of(row + n_x);
        for x in 0..n_x.min(n_cells - row) {
            let own = own_row[x] as usize..own_row[x + 1] as usize;
            if own.is_empty() {
                continue;
            }
            if x + 1 < n_x {
                let east = own.end..own_row[x + 2] as usize;
                linker.link_cells([own.clone(), east], Dir::East);
            }
            if let Some(north_row) = north_row {
                let north = north_row[x] as usize..north_row[x + 1] as usize;
                linker.link_cells([own.clone(), north], Dir::North);
            }
        }
    }
    Ok((I::adjacency(linker.next), linker.n_lost))
}

/// The height and climb that limit steps between two cells.
#[derive(Clone, Copy)]
struct StepLimits {
    height_vx: u32,
    climb_vx: u32,
}

impl StepLimits {
    /// Returns the index of the lowest of `neighbors`, sorted by height, that can be reached from `from`.
    fn lowest_in_reach(self, from: OpenSpan, neighbors: &[OpenSpan]) -> Option<usize> {
        // Floors and ceilings rise from one to the next: only a few are neither too low nor too high.
        let floor = u32::from(from.floor_vx);
        let is_too_low = |to: &OpenSpan| {
            u32::from(to.floor_vx) + self.climb_vx < floor
                || to.ceiling_vx() < floor + self.height_vx
        };
        let highest = (floor + self.climb_vx).min(from.ceiling_vx().checked_sub(self.height_vx)?);
        let first = neighbors.partition_point(is_too_low);
        let is_in_reach = |&index: &usize| u32::from(neighbors[index].floor_vx) <= highest;
        let mut in_reach = (first..neighbors.len()).take_while(is_in_reach);
        in_reach.find(|&index| self.is_possible(from, neighbors[index]))
    }

    #[inline]
    fn is_possible(self, from: OpenSpan, to: OpenSpan) -> bool {
        let floor = u32::from(from.floor_vx.max(to.floor_vx));
        u32::from(from.floor_vx.abs_diff(to.floor_vx)) <= self.climb_vx
            && floor + self.height_vx <= from.ceiling_vx().min(to.ceiling_vx())
    }
}

/// Links spans.
struct Linker<'a, I> {
    step: StepLimits,
    spans: &'a [OpenSpan],
    /// Neighbors, one entry per span.
    next: Vec<[I; 4]>,
    /// Number of lost links.
    n_lost: usize,
}

impl<I: SpanIndex> Linker<'_, I> {
    /// Links the spans of two cells in both directions; the second cell lies in direction `dir` of the first.
    #[expect(clippy::inline_always, reason = "a call takes as long as two spans")]
    #[inline(always)]
    fn link_cells(&mut self, [from, to]: [Range<usize>; 2], dir: Dir) {
        if from.len() == 1 && to.len() == 1 {
            if self.step.is_possible(self.spans[from.start], self.spans[to.start]) {
                self.link(from.start, dir, to.start);
                self.link(to.start, dir.opposite(), from.start);
            }
        } else if !to.is_empty() {
            self.link_columns([&from, &to], dir);
        }
    }

    /// If the climb is at most the height, spans with the same index in their cells that can reach each other are each
    /// other's lowest neighbor: any lower span has its ceiling below the other's floor, so there is less room than a
    /// climb.
    #[inline(never)]
    fn link_columns(&mut self, [from, to]: [&Range<usize>; 2], dir: Dir) {
        let n_linkable = usize::from(CompactField::NO_LINK);
        let n_paired = if self.step.climb_vx <= self.step.height_vx { n_linkable } else { 0 };
        let n_paired = n_paired.min(from.len()).min(to.len());
        for (near, far) in from.clone().zip(to.clone()).take(n_paired) {
            if self.step.is_possible(self.spans[near], self.spans[far]) {
                self.link(near, dir, far);
                self.link(far, dir.opposite(), near);
            } else {
                self.link_one_way(near..near + 1, to.clone(), dir);
                self.link_one_way(far..far + 1, from.clone(), dir.opposite());
            }
        }
        if n_paired < from.len() {
            self.link_one_way(from.start + n_paired..from.end, to.clone(), dir);
        }
        if n_paired < to.len() {
            self.link_one_way(to.start + n_paired..to.end, from.clone(), dir.opposite());
        }
    }

    /// Sets the link of `from` that leads to the span `to`.
    #[inline]
    fn link(&mut self, from: usize, dir: Dir, to: usize) {
        self.next[from][dir as usize] = I::new(to);
    }

    #[inline(never)]
    fn link_one_way(&mut self, from: Range<usize>, to: Range<usize>, dir: Dir) {
        let neighbors = &self.spans[to.clone()];
        for span in from {
            let Some(index) = self.step.lowest_in_reach(self.spans[span], neighbors) else {
                continue;
            };
            if index < usize::from(CompactField::NO_LINK) {
                self.link(span, dir, to.start + index);
            } else {
                self.n_lost += 1;
            }
        }
    }
}

/// Applies [`open`] and [`link`].
#[cfg(test)]
pub(super) fn compact(
    solid: &Heightfield,
    height_vx: u32,
    climb_vx: u32,
    monitor: &dyn Monitor,
) -> Result<Compacted, Cancelled> {
    link(open(solid, height_vx, climb_vx, monitor)?, monitor)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use walkable_runtime::monitor::Unmonitored;

    use super::*;
    use crate::bake::heightfield::tests::{field, random_field};

    /// Checks the links of the spans of cell `(x, z)`, with a height of 10 and a climb of 2.
    #[track_caller]
    fn check(text: &str, x: u32, z: u32, expected: &[[u8; 4]]) {
        let compacted = compact(&field(text), 10, 2, &Unmonitored).unwrap();
        let field = compacted.field;
        let spans = field.cell(field.frame.cell_index(x, z));
        let links: Vec<_> = spans.map(|span| field.links((x, z), span)).collect();
        assert_eq!(links, expected, "{text}");
        assert_eq!(compacted.n_lost_links, 0);
    }

    const NO: u8 = CompactField::NO_LINK;

    #[test]
    fn links_lead_over_low_steps() {
        check("0-1 0-3 0-6", 1, 0, &[[0, NO, NO, NO]]);
        check("0-1\n0-2\n0-3", 0, 1, &[[NO, 0, NO, 0]]);
    }

    #[test]
    fn links_need_head_room() {
        check("0-1,11-12 0-1", 0, 0, &[[NO, NO, 0, NO], [NO, NO, NO, NO]]);
        check("0-1,10-12 0-1", 0, 0, &[[NO, NO, NO, NO], [NO, NO, NO, NO]]);
        // Each span has enough clearance, but the shared clearance is too low.
        check("0-1,12-13 0-3", 0, 0, &[[NO, NO, NO, NO], [NO, NO, NO, NO]]);
    }

    #[test]
    fn links_name_the_lowest_walkable_span_in_reach() {
        check("0-1!,5-6!,20-21,40-41 20-21,40-41", 1, 0, &[[0, NO, NO, NO], [1, NO, NO, NO]]);
    }

    #[test]
    fn clearance_is_capped_and_the_box_grows_by_an_agent() {
        let compacted = compact(&field("0-1,300-301"), 10, 2, &Unmonitored).unwrap();
        let clearances: Vec<_> = compacted.field.spans.iter().map(|s| s.clearance_vx).collect();
        assert_eq!(clearances, [255, 255]);
        assert!((compacted.field.frame.bounds.max.y - 110.0).abs() < 1e-3);
    }

    #[test]
    fn a_column_with_too_many_floors_loses_links_with_a_warning() {
        let column: Vec<_> = (0..64).map(|i| format!("{}-{}", 20 * i, 20 * i + 1)).collect();
        let column = column.join(",");
        let compacted =
            compact(&field(&format!("{column} {column}")), 10, 2, &Unmonitored).unwrap();
        assert_eq!(compacted.n_lost_links, 2);
        let links: Vec<_> = (0..64).map(|span| compacted.field.links((0, 0), span)[2]).collect();
        assert_eq!(links[61..], [61, 62, NO]);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]

        #[test]
        fn links_lead_to_the_lowest_span_in_reach(
            seed: u64,
            height_vx in 0..16_u32,
            climb_vx in 0..8_u32,
        ) {
            let solid = random_field(seed, 6);
            let field = compact(&solid, height_vx, climb_vx, &Unmonitored).unwrap().field;
            for (x, z) in (0..6).flat_map(|z| (0..6).map(move |x| (x, z))) {
                for span in field.cell(field.frame.cell_index(x, z)) {
                    let lowest = Dir::ALL.map(|dir| {
                        let (x, z) = (x.wrapping_add_signed(dir.dx()), z.wrapping_add_signed(dir.dz()));
                        let is_inside = x < 6 && z < 6;
                        let cell = is_inside.then(|| field.cell(field.frame.cell_index(x, z)))?;
                        let from = field.spans[span];
                        let is_in_reach = |to: &OpenSpan| {
                            let floor = from.floor_vx.max(to.floor_vx);
                            let top = from.ceiling_vx().min(to.ceiling_vx());
                            u32::from(from.floor_vx.abs_diff(to.floor_vx)) <= climb_vx
                                && u32::from(floor) + height_vx <= top
                        };
                        field.spans[cell].iter().position(is_in_reach)
                    });
                    let expected = lowest.map(|place| {
                        place.map_or(CompactField::NO_LINK, |place| u8::try_from(place).unwrap())
                    });
                    prop_assert_eq!(field.links((x, z), span), expected);
                }
            }
        }
    }
}
