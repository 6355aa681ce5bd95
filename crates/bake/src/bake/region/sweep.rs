//! Monotone partitioning, row by row: a run of cells along x continues a region of the previous row if the run touches
//! only this region and the region only this run, and starts a new region otherwise.
//!
//! Source: Recast, `rcBuildRegionsMonotone` and the first half of `rcBuildLayerRegions`, and for heightfield layers
//! that of `rcBuildHeightfieldLayers`.
//! Differs: a row can have any number of runs. Recast allocates about as many as the grid has cells along a side, and
//! writes beyond them if floors overlap or areas change at every cell.

use walkable_runtime::{ids::Dir, monitor::Monitor};

use super::{Draft, Ground, Piece};
use crate::bake::{
    limit::{Limit, StageError},
    pulse::Pulse,
};

/// A run of connected cells of one area in a row.
#[derive(Clone, Copy)]
struct Run<P> {
    above: Above<P>,
    /// Number of cells of the run that touch its region in the previous row.
    n_touching: u32,
}

/// What a run touches in the previous row.
#[derive(Clone, Copy, PartialEq)]
enum Above<P> {
    Nothing,
    One(P),
    Several,
}

pub(super) fn cut<P: Piece>(
    ground: Ground<'_>,
    draft: Draft<P>,
    monitor: &dyn Monitor,
) -> Result<Draft<P>, StageError> {
    cut_until(ground, draft, usize::MAX, monitor)
}

/// Like [`cut`], but stops after `n_rows` rows.
pub(super) fn cut_until<P: Piece>(
    ground: Ground<'_>,
    draft: Draft<P>,
    n_rows: usize,
    monitor: &dyn Monitor,
) -> Result<Draft<P>, StageError> {
    let frame = &ground.field.frame;
    let border = frame.border_vx;
    let mut sweep = Sweep {
        ground,
        draft,
        runs: Vec::new(),
        n_touching: Vec::new(),
        pulse: Pulse::new(monitor),
    };
    for z in (border..frame.n_z.saturating_sub(border)).take(n_rows) {
        sweep.row(z)?;
    }
    Ok(sweep.draft)
}

struct Sweep<'a, P> {
    ground: Ground<'a>,
    draft: Draft<P>,
    /// Runs of the current row.
    runs: Vec<Run<P>>,
    /// Per region: number of cells of the current row that touch it in the previous row.
    n_touching: Vec<u32>,
    pulse: Pulse<'a>,
}

impl<P: Piece> Sweep<'_, P> {
    fn row(&mut self, z: u32) -> Result<(), StageError> {
        self.runs.clear();
        self.n_touching.clear();
        self.n_touching.resize(self.draft.next as usize, 0);
        // The spans of the current row have the numbers of their runs, from 1, until the regions are known.
        let spans = self.walkable_spans(z);
        for &span in &spans {
            self.pulse.step()?;
            let run = match self.like_neighbor(span, Dir::West) {
                Some(run) => run,
                None => self.start_run()?,
            };
            if let Some(above) = self.like_neighbor(span, Dir::South) {
                self.touch(run, above);
            }
            self.draft.ids[span] = run;
        }
        let mut region_of_run = Vec::with_capacity(self.runs.len());
        for index in 0..self.runs.len() {
            let Run { above, n_touching } = self.runs[index];
            region_of_run.push(match above {
                Above::One(id) if self.n_touching[id.number()] == n_touching => id,
                Above::Nothing | Above::One(_) | Above::Several => self.draft.allocate()?,
            });
        }
        for span in spans {
            let run = self.draft.ids[span].number() - 1;
            self.draft.ids[span] = region_of_run[run];
        }
        Ok(())
    }

    /// Returns the walkable spans of row `z` inside the border, by x and from low to high.
    fn walkable_spans(&self, z: u32) -> Vec<usize> {
        let frame = &self.ground.field.frame;
        let border = frame.border_vx;
        (border..frame.n_x.saturating_sub(border))
            .flat_map(|x| self.ground.field.cell(frame.cell_index(x, z)))
            .filter(|&span| self.ground.areas[span].is_walkable())
            .collect()
    }

    /// Returns the region or run of the neighbor, if it has one, the same area, and is not in the border.
    fn like_neighbor(&self, span: usize, dir: Dir) -> Option<P> {
        let next = self.ground.field.adjacency.step(span, dir)?;
        let id = self.draft.ids[next];
        let is_like = self.ground.areas[next] == self.ground.areas[span];
        (is_like && id.is_ground()).then_some(id)
    }

    /// Starts a run and returns its number.
    fn start_run(&mut self) -> Result<P, Limit> {
        self.runs.push(Run { above: Above::Nothing, n_touching: 0 });
        let n = self.runs.len();
        let number = u32::try_from(n).ok().filter(|n| *n <= P::MAX);
        number.map(P::numbered).ok_or_else(|| Limit {
            what: "the number of separate stretches of ground in one row",
            value: n as u64,
            limit: u64::from(P::MAX),
            remedy: "use smaller tiles or a larger cell_size",
        })
    }

    /// Records that a cell of `run` touches the region `id`. A run that touches several regions continues none, so
    /// further regions are not recorded.
    fn touch(&mut self, run: P, id: P) {
        let run = &mut self.runs[run.number() - 1];
        if run.above == Above::Nothing || run.above == Above::One(id) {
            run.above = Above::One(id);
            run.n_touching += 1;
            self.n_touching[id.number()] += 1;
        } else {
            run.above = Above::Several;
        }
    }
}
