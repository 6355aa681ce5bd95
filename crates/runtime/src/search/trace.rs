//! What searches tell about their steps, to be counted, drawn and played back. Costs nothing where
//! nobody watches.
//!
//! Every search of graphs, grids and volumes takes a [`Watch`]: give it a [`Trace`] to have its steps, in
//! order. Queries of navmeshes keep their expansions where they are asked to.

/// From which end a search has come to a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Side {
    /// From the start.
    #[default]
    Start,
    /// From the goal, in searches from both ends.
    Goal,
}

/// What a search does with a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepKind {
    /// It is put on the open list.
    Opened,
    /// It is on the open list, and a cheaper way to it was found.
    Lowered,
    /// It is taken from the open list and its neighbors are looked at.
    Expanded,
    /// It is looked at on the way from its parent and not kept: where the scan of a row ended. The
    /// scan has gone from the parent along a diagonal first and then along a row or column; so have
    /// the scans that found what is opened by such a search.
    Scanned,
}

/// One step of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SearchStep {
    /// What happened.
    pub kind: StepKind,
    /// The node, as the thing that is searched numbers its places: a vertex, a cell, a voxel.
    pub place: u64,
    /// The node it was reached from; none for where the search began.
    pub parent: Option<u64>,
    /// From which end it was reached.
    pub side: Side,
    /// Cost of the way to it.
    pub g: f64,
    /// Estimate of the cost from it to the goal, before any weight.
    pub h: f64,
    /// What the open list is sorted by.
    pub f: f64,
}

/// Is told of each step of a search, and may end it.
pub trait Watch {
    /// A step is done; `step` describes it.
    fn step(&mut self, step: impl FnOnce() -> SearchStep);

    /// Whether the search should go on. It asks before the first node that it expands and then before
    /// every 1024th; where it should not, it ends without a path, or with what it has visited so far.
    /// [`cancellable`](super::cancellable) tells such an end from others.
    fn goes_on(&mut self) -> bool {
        true
    }
}

/// Nodes expanded between two times that a search asks whether it should go on.
const STRIDE: u64 = 1024;

/// Whether a search that has expanded so many nodes should end: asks `watch` before the first and then before
/// every 1024th.
#[inline]
pub fn is_over(watch: &mut impl Watch, n_expanded: u64) -> bool {
    n_expanded.is_multiple_of(STRIDE) && !watch.goes_on()
}

/// Watches nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unwatched;

impl Watch for Unwatched {
    fn step(&mut self, _: impl FnOnce() -> SearchStep) {}
}

/// Writes every step down.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// The steps so far, in the order in which they were done.
    pub steps: Vec<SearchStep>,
}

impl Trace {
    /// The steps at which nodes were expanded, in order.
    pub fn expanded(&self) -> impl Iterator<Item = &SearchStep> {
        self.steps.iter().filter(|step| step.kind == StepKind::Expanded)
    }
}

impl Watch for Trace {
    fn step(&mut self, step: impl FnOnce() -> SearchStep) {
        self.steps.push(step());
    }
}

/// What a search has cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchStats {
    /// Nodes taken from the open list, whose neighbors were visited.
    pub n_expanded: u64,
    /// Entries put on the open list: nodes, and once more for each cheaper way.
    pub n_opened: u64,
    /// Largest number of entries on the open list.
    pub open_peak: usize,
}
