use walkable_runtime::search::{SearchStats, SearchStep, Side, StepKind, Watch, is_over};

use super::{
    Columns, Voxel, VoxelAnswer, VoxelPath,
    path::{nothing, sides},
    scratch::{Label, VoxelScratch},
};

/// Labels that a search by spans keeps per span.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SpanSearch {
    /// Keeps a label for each entry height that no other label dominates. Paths cost exactly the same as those of a
    /// voxel-by-voxel search.
    #[default]
    Exact,
    /// Keeps a single label, as common descriptions do. Not exact: about one path in twenty is suboptimal, by up to an
    /// eighth on game maps.
    OnePerSpan,
}

/// No label.
const NONE: u32 = u32::MAX;

/// Finds an optimal path with six moves, one span at a time. Movement up and down a span needs no search, so the number
/// of steps across open space depends on its width and not on its volume.
///
/// A label is kept unless another label of the span costs at most the same everywhere in the span. To check this,
/// comparing the costs at the entry height of the first label is sufficient.
///
/// Places in traces are [numbers of voxels](super::Volume::number).
pub fn find_by_spans<W: Watch>(
    columns: &Columns,
    [start, goal]: [Voxel; 2],
    keep: SpanSearch,
    scratch: &mut VoxelScratch,
    watch: &mut W,
) -> VoxelAnswer<VoxelPath> {
    let (Some(first), Some(last)) = (columns.span_of(start), columns.span_of(goal)) else {
        return nothing();
    };
    scratch.labels.clear();
    // A step costs its height difference plus 1, and the heuristic grows by at most the same amount.
    let least = sides(start, goal).into_iter().sum();
    scratch.open_labels.clear(least, 2 * columns.size()[1] + 2);
    if let Some(next) = scratch.search.checked_add(1) {
        scratch.search = next;
    } else {
        scratch.heads.clear();
        scratch.search = 1;
    }
    if scratch.heads.len() < columns.n_spans() {
        scratch.heads.resize(columns.n_spans(), [0; 2]);
    }
    let mut search = Spans { columns, goal, last, keep, scratch, watch, n_expanded: 0 };
    search.reach(start, 0, first, None);
    let path = search.run().map(|label| search.path(label));
    let open = &search.scratch.open_labels;
    let stats = SearchStats {
        n_expanded: search.n_expanded,
        n_opened: open.n_pushed(),
        open_peak: open.peak(),
    };
    VoxelAnswer { path, stats }
}

struct Spans<'a, W> {
    columns: &'a Columns,
    goal: Voxel,
    last: u32,
    keep: SpanSearch,
    scratch: &'a mut VoxelScratch,
    watch: &'a mut W,
    n_expanded: u64,
}

impl<W: Watch> Spans<'_, W> {
    fn run(&mut self) -> Option<u32> {
        while let Some(number) = self.next() {
            let label = &mut self.scratch.labels[number as usize];
            if std::mem::replace(&mut label.is_closed, true) {
                continue;
            }
            let label = *label;
            self.report_step(StepKind::Expanded, number);
            // The rest of the path is straight up or down to the goal.
            if label.span == self.last {
                return Some(number);
            }
            if is_over(self.watch, self.n_expanded) {
                return None;
            }
            self.n_expanded += 1;
            self.expand(number, label);
        }
        None
    }

    fn next(&mut self) -> Option<u32> {
        let VoxelScratch { labels, open_labels, .. } = &mut *self.scratch;
        open_labels.pop(|label| labels[label as usize].open)
    }

    fn expand(&mut self, number: u32, label: Label) {
        let [x, y, z] = label.at;
        let own = self.columns.span(label.span);
        let columns = self.columns;
        for (dx, dz) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
            let beside = [x.wrapping_add_signed(dx), z.wrapping_add_signed(dz)];
            for (span, there) in columns.overlapping(beside, own.bottom, own.top) {
                // Nearest height at which both spans are free.
                let (low, high) = (own.bottom.max(there.bottom), own.top.min(there.top) - 1);
                let height = y.clamp(u32::from(low), u32::from(high));
                let g = label.g.saturating_add(height.abs_diff(y) + 1);
                self.reach([beside[0], height, beside[1]], g, span, Some(number));
            }
        }
    }

    /// Adds a label to a span unless a known label dominates it.
    #[inline]
    fn reach(&mut self, at: Voxel, g: u32, span: u32, parent: Option<u32>) {
        let VoxelScratch { heads, labels, open_labels, search, .. } = &mut *self.scratch;
        let Ok(number) = u32::try_from(labels.len()) else { return };
        let head = &mut heads[span as usize];
        let newest = if head[0] == *search { head[1] } else { NONE };
        let mut other = newest;
        while let Some(label) = labels.get_mut(other as usize) {
            let between = label.at[1].abs_diff(at[1]);
            match self.keep {
                SpanSearch::Exact if label.g.saturating_add(between) <= g => return,
                // The new label is no more expensive than this one anywhere in the span.
                SpanSearch::Exact => label.is_closed |= g.saturating_add(between) <= label.g,
                SpanSearch::OnePerSpan if label.is_closed || label.g <= g => return,
                SpanSearch::OnePerSpan => {
                    label.is_closed = true;
                    break;
                }
            }
            other = label.next;
        }
        *head = [*search, number];
        let parent = parent.unwrap_or(number);
        let h: u32 = sides(at, self.goal).into_iter().sum();
        let open = open_labels.push(g.saturating_add(h), number);
        labels.push(Label { at, g, span, parent, next: newest, open, is_closed: false });
        self.report_step(StepKind::Opened, number);
    }

    fn path(&self, last: u32) -> VoxelPath {
        let labels = &self.scratch.labels;
        let mut voxels = vec![self.goal];
        let mut at = last;
        loop {
            let label = labels[at as usize];
            voxels.push(label.at);
            if label.parent == at {
                break;
            }
            let [x, _, z] = labels[label.parent as usize].at;
            // Moves up or down in the parent's span, then into this one.
            voxels.push([x, label.at[1], z]);
            at = label.parent;
        }
        voxels.dedup();
        voxels.reverse();
        let end = labels[last as usize];
        let cost = f64::from(end.g + end.at[1].abs_diff(self.goal[1]));
        VoxelPath { voxels, cost }
    }

    fn report_step(&mut self, kind: StepKind, number: u32) {
        let (labels, goal) = (&self.scratch.labels, self.goal);
        let [n_x, n_y, _] = self.columns.size().map(u64::from);
        self.watch.step(|| {
            let label = labels[number as usize];
            let place = |label: Label| {
                let [x, y, z] = label.at.map(u64::from);
                (z * n_y + y) * n_x + x
            };
            let (g, h) = (f64::from(label.g), sides(label.at, goal).into_iter().sum::<u32>());
            SearchStep {
                kind,
                place: place(label),
                parent: Some(label.parent)
                    .filter(|&parent| parent != number)
                    .map(|parent| place(labels[parent as usize])),
                side: Side::Start,
                g,
                h: f64::from(h),
                f: g + f64::from(h),
            }
        });
    }
}
