//! Links of the open spans, resolved to span indices once, for the stages that walk them many times.

use crate::{
    bake::{CompactField, pulse::Pulse},
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
        let mut next = Vec::with_capacity(field.spans.len());
        for z in 0..field.frame.n_z {
            for x in 0..field.frame.n_x {
                pulse.step()?;
                for span in field.cell(field.frame.cell_index(x, z)) {
                    next.push(Dir::ALL.map(|dir| {
                        field
                            .neighbor((x, z), span, dir)
                            .and_then(|neighbor| u32::try_from(neighbor.span).ok())
                            .unwrap_or(NONE)
                    }));
                }
            }
        }
        Ok(Self { next })
    }

    /// Number of spans.
    pub(super) fn len(&self) -> usize {
        self.next.len()
    }

    /// The span one step from `span` in direction `dir`.
    pub(super) fn step(&self, span: usize, dir: Dir) -> Option<usize> {
        let next = self.next[span][dir as usize];
        (next != NONE).then_some(next as usize)
    }
}
