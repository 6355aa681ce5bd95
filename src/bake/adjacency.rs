//! Links of the open spans, resolved to span indices once, for the stages that walk them many times.

use crate::{
    bake::{CompactField, GridFrame, OpenSpan, pulse::Pulse},
    ids::Dir,
    monitor::{Cancelled, Monitor},
};

/// Which span lies one step away in each direction.
///
/// Invariants: one entry per span of the field it was made from; steps are mutual.
pub(super) struct Adjacency {
    next: Vec<[u32; 4]>,
}

/// Entry of a direction in which one cannot step.
const NONE: u32 = u32::MAX;

impl Adjacency {
    pub(super) fn new(field: &CompactField, monitor: &dyn Monitor) -> Result<Self, Cancelled> {
        let mut pulse = Pulse::new(monitor);
        let GridFrame { n_x, n_z, .. } = field.frame;
        let row = n_x as usize;
        let mut next = Vec::with_capacity(field.spans.len());
        for z in 0..n_z as usize {
            pulse.steps(n_x)?;
            for cell in z * row..(z + 1) * row {
                // Links never lead out of the grid, so what stands for cells beyond it does not matter.
                let first = |cell: usize| field.starts.get(cell).copied().unwrap_or(0);
                let [west, north] = [first(cell.wrapping_sub(1)), first(cell + row)];
                let [east, south] = [first(cell + 1), first(cell.wrapping_sub(row))];
                let resolved = |start: u32, link: u8| {
                    if link == OpenSpan::NO_LINK { NONE } else { start + u32::from(link) }
                };
                for OpenSpan { links: [w, n, e, s], .. } in &field.spans[field.cell(cell)] {
                    next.push([
                        resolved(west, *w),
                        resolved(north, *n),
                        resolved(east, *e),
                        resolved(south, *s),
                    ]);
                }
            }
        }
        Ok(Self { next })
    }

    /// Number of spans.
    pub(super) fn len(&self) -> usize {
        self.next.len()
    }

    /// The spans one step from `span`, by direction. Where there is none, the entry lies beyond every array
    /// with one entry per span, so that `get` finds nothing there.
    pub(super) fn around(&self, span: usize) -> [usize; 4] {
        let [west, north, east, south] = self.next[span];
        [west as usize, north as usize, east as usize, south as usize]
    }

    /// The span one step from `span` in direction `dir`.
    pub(super) fn step(&self, span: usize, dir: Dir) -> Option<usize> {
        let next = self.next[span][dir as usize];
        (next != NONE).then_some(next as usize)
    }
}
