//! An index of the squares of a level by position, seen from above.

use walkable_runtime::geom::Aabb;

use super::Run;

/// The bounds of consecutive squares, which the writer sorts by rows. Takes memory in proportion to the number of
/// squares.
#[derive(Clone, Debug, Default)]
pub(super) struct RunIndex {
    n_runs: usize,
    /// Bounds of groups of [`GROUP`] runs, then of groups of these, and so on up to a single one.
    levels: Vec<Vec<Rect>>,
}

/// Number of runs in a group, and of groups in the next larger one.
const GROUP: usize = 8;

/// Minimum and maximum along x and z.
#[derive(Clone, Copy, Debug)]
struct Rect {
    min: [f32; 2],
    max: [f32; 2],
}

impl Rect {
    const EMPTY: Self = Self { min: [f32::INFINITY; 2], max: [f32::NEG_INFINITY; 2] };

    fn and(self, other: Self) -> Self {
        Self {
            min: [self.min[0].min(other.min[0]), self.min[1].min(other.min[1])],
            max: [self.max[0].max(other.max[0]), self.max[1].max(other.max[1])],
        }
    }

    fn touches(&self, area: &Aabb) -> bool {
        self.min[0] <= area.max.x
            && area.min.x <= self.max[0]
            && self.min[1] <= area.max.z
            && area.min.z <= self.max[1]
    }
}

impl RunIndex {
    pub(super) fn new(runs: &[Run]) -> Self {
        let all = |rects: &mut dyn Iterator<Item = Rect>| rects.fold(Rect::EMPTY, Rect::and);
        let rect = |&Run { min, max, .. }: &Run| Rect { min, max };
        let groups = runs.chunks(GROUP).map(|runs| all(&mut runs.iter().map(rect)));
        let mut levels: Vec<Vec<Rect>> = vec![groups.collect()];
        while let Some(below) = levels.last().filter(|level| 1 < level.len()) {
            let groups = below.chunks(GROUP).map(|rects| all(&mut rects.iter().copied()));
            levels.push(groups.collect());
        }
        Self { n_runs: runs.len(), levels }
    }

    /// Returns the indices of groups of runs that touch `area`, in order; some of their runs may not touch it.
    pub(super) fn near(&self, area: &Aabb) -> impl Iterator<Item = usize> + use<> {
        let mut found = Vec::new();
        // A stack: the first entry is pushed last.
        let mut open = vec![(self.levels.len().saturating_sub(1), 0)];
        while let Some((level, at)) = open.pop() {
            let rect = self.levels.get(level).and_then(|rects| rects.get(at));
            if !rect.is_some_and(|rect| rect.touches(area)) {
                continue;
            }
            match level.checked_sub(1) {
                Some(below) => {
                    open.extend((at * GROUP..(at + 1) * GROUP).rev().map(|at| (below, at)));
                }
                None => found.push(at),
            }
        }
        let n_runs = self.n_runs;
        found.into_iter().flat_map(move |at| at * GROUP..n_runs.min((at + 1) * GROUP))
    }
}
