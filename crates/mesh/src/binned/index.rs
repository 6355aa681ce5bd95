//! An index of the squares of a level by position, seen from above. The list of squares stays in the file.

use std::io::{Read, Seek, SeekFrom};

use walkable_runtime::geom::Aabb;

use super::{BinnedError, HEADER_BYTES, Run, TRIANGLE_BYTES, bytes::Fields};

/// Bytes of a square in the file.
const RUN_BYTES: usize = 32;
/// Minimum number of consecutive squares in a group; also the number of groups in one of the next level.
const GROUP: usize = 8;
/// Maximum number of groups of squares. Levels with more squares have larger groups.
const MAX_GROUPS: usize = 4096;

/// The bounds of groups of consecutive squares, which the writer sorts by rows. Takes at most 75 kB.
#[derive(Clone, Debug)]
pub(super) struct RunIndex {
    /// Offset of the list of squares in the file.
    list: u64,
    /// Offset of the directory, and thus the end of the triangles.
    directory: u64,
    n_runs: usize,
    /// Number of triangles of all squares.
    n_triangles: u64,
    /// Number of squares in a group.
    group: usize,
    /// Level by level: the bounds of the groups, then of [`GROUP`] of these together, and so on up to a single one.
    levels: Vec<Vec<Rect>>,
}

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
    /// Reads a list of `n_runs` squares, which ends the directory: the offsets of the directory, of the list and of its
    /// end are given.
    pub(super) fn read(
        from: &mut (impl Read + Seek),
        [directory, list, end]: [u64; 3],
        n_runs: u64,
    ) -> Result<Self, BinnedError> {
        if n_runs.checked_mul(RUN_BYTES as u64) != Some(end - list) {
            return Err(BinnedError::Damaged(
                "its directory has another length than its number of squares",
            ));
        }
        let n_runs = usize::try_from(n_runs).map_err(|_large| {
            BinnedError::Damaged("its directory has more squares than this system can address")
        })?;
        let group = n_runs.div_ceil(MAX_GROUPS).max(GROUP);
        let mut index = Self { list, directory, n_runs, n_triangles: 0, group, levels: Vec::new() };
        let (mut groups, mut end, mut n_triangles) = (Vec::new(), 0, 0);
        index.each_group(from, |runs| {
            for run in runs.iter().filter(|run| run.n_triangles > 0) {
                // A small file could otherwise have any number of triangles.
                if run.offset < end {
                    return Err(BinnedError::Damaged("two squares share triangles"));
                }
                end = run.end();
                n_triangles += run.n_triangles;
            }
            groups.push(runs.iter().map(Run::rect).fold(Rect::EMPTY, Rect::and));
            Ok(())
        })?;
        index.n_triangles = n_triangles;
        index.levels.push(groups);
        while let Some(below) = index.levels.last().filter(|level| 1 < level.len()) {
            let all = |rects: &[Rect]| rects.iter().copied().fold(Rect::EMPTY, Rect::and);
            let level = below.chunks(GROUP).map(all).collect();
            index.levels.push(level);
        }
        Ok(index)
    }

    pub(super) fn n_runs(&self) -> usize {
        self.n_runs
    }

    /// Returns the number of triangles of all squares.
    pub(super) fn n_triangles(&self) -> u64 {
        self.n_triangles
    }

    /// Calls `each` with the squares of each group, in order.
    pub(super) fn each_group(
        &self,
        from: &mut (impl Read + Seek),
        mut each: impl FnMut(&[Run]) -> Result<(), BinnedError>,
    ) -> Result<(), BinnedError> {
        let mut runs = Vec::new();
        for first in (0..self.n_runs).step_by(self.group) {
            self.read_runs(from, first, self.group, &mut runs)?;
            each(&runs)?;
        }
        Ok(())
    }

    /// Reads a square; `None` if there are fewer.
    pub(super) fn run(
        &self,
        index: usize,
        from: &mut (impl Read + Seek),
    ) -> Result<Option<Run>, BinnedError> {
        let mut runs = Vec::new();
        self.read_runs(from, index, 1, &mut runs)?;
        Ok(runs.pop())
    }

    /// Reads the squares whose bounds touch `area`, seen from above, in order.
    pub(super) fn runs_over(
        &self,
        area: &Aabb,
        from: &mut (impl Read + Seek),
    ) -> Result<Vec<Run>, BinnedError> {
        let (mut found, mut runs) = (Vec::new(), Vec::new());
        for group in self.groups_over(area) {
            self.read_runs(from, group * self.group, self.group, &mut runs)?;
            found.extend(runs.iter().copied().filter(|run| run.rect().touches(area)));
        }
        Ok(found)
    }

    /// Returns the indices of the groups that touch `area`, in order; some of their squares may not touch it.
    pub(super) fn groups_over(&self, area: &Aabb) -> Vec<usize> {
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
        found
    }

    /// Reads up to `n` squares, from `first` on, into `runs`.
    fn read_runs(
        &self,
        from: &mut (impl Read + Seek),
        first: usize,
        n: usize,
        runs: &mut Vec<Run>,
    ) -> Result<(), BinnedError> {
        runs.clear();
        let n = self.n_runs.saturating_sub(first).min(n);
        from.seek(SeekFrom::Start(self.list + (first * RUN_BYTES) as u64))?;
        let mut bytes = vec![0; n * RUN_BYTES];
        from.read_exact(&mut bytes)?;
        let mut fields = Fields::new(&bytes[..], bytes.len() as u64);
        for _ in 0..n {
            let (offset, n_triangles) = (fields.u64()?, fields.u64()?);
            let [min, max]: [[f32; 2]; 2] = [fields.f32s()?, fields.f32s()?];
            let n_bytes = n_triangles.checked_mul(TRIANGLE_BYTES as u64);
            let end = n_bytes.and_then(|n_bytes| offset.checked_add(n_bytes));
            if offset < HEADER_BYTES || end.is_none_or(|end| self.directory < end) {
                return Err(BinnedError::Damaged("a square's data is outside the file"));
            }
            if !(0..2).all(|axis| min[axis] <= max[axis]) {
                return Err(BinnedError::Damaged("the bounds of a square are not a rectangle"));
            }
            runs.push(Run { offset, n_triangles, min, max });
        }
        Ok(())
    }
}

impl Run {
    fn rect(&self) -> Rect {
        Rect { min: self.min, max: self.max }
    }

    /// Returns the offset of the end of its triangles.
    fn end(&self) -> u64 {
        self.offset + self.n_triangles * TRIANGLE_BYTES as u64
    }
}
