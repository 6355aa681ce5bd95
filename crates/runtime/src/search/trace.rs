//! The steps of searches, to be counted, drawn and played back. Searches that are not watched have no cost for it.
//!
//! Each search of graphs, grids and volumes takes a [`Watch`]; pass a [`Trace`] to record its steps in order. Queries
//! of navmeshes record their expansions if requested.

use serde::{Deserialize, Serialize};

/// The end from which a search reached a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Side {
    /// The start.
    #[default]
    Start,
    /// The goal, in searches from both ends.
    Goal,
}

/// The kind of a step of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum StepKind {
    /// The node is added to the open list.
    Opened,
    /// A cheaper path to a node on the open list was found.
    Lowered,
    /// The node is taken from the open list, and its neighbors are visited.
    Expanded,
    /// A scan from the parent ended here without finding a node. A scan follows a diagonal first, then a row or column.
    /// Opened nodes of the same search were found by such scans as well.
    Scanned,
}

/// One step of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SearchStep {
    /// The kind of the step.
    pub kind: StepKind,
    /// Index of the node in the searched structure: a vertex, a cell, a voxel.
    pub place: u64,
    /// The node from which the node was reached; `None` for the first node.
    pub parent: Option<u64>,
    /// The end from which the node was reached.
    pub side: Side,
    /// Cost of the path to the node.
    pub g: f64,
    /// Heuristic: estimated cost from the node to the goal, without a weight.
    pub h: f64,
    /// Priority on the open list.
    pub f: f64,
}

/// Receives the steps of a search, and can end it.
pub trait Watch {
    /// Receives a step; `step` creates it.
    fn step(&mut self, step: impl FnOnce() -> SearchStep);

    /// Returns whether the search should continue. Called before the first and then before every 1024th expanded node.
    /// If it returns `false`, the search ends without a path, or with the nodes visited so far.
    /// [`cancellable`](super::cancellable) distinguishes this end from others.
    fn goes_on(&mut self) -> bool {
        true
    }
}

/// Number of nodes expanded between two calls of [`Watch::goes_on`].
const STRIDE: u64 = 1024;

/// Returns whether a search that has expanded this number of nodes should end. Asks `watch` before the first and then
/// before every 1024th node.
#[inline]
pub fn is_over(watch: &mut impl Watch, n_expanded: u64) -> bool {
    n_expanded.is_multiple_of(STRIDE) && !watch.goes_on()
}

/// Ignores all steps.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unwatched;

impl Watch for Unwatched {
    fn step(&mut self, _: impl FnOnce() -> SearchStep) {}
}

/// Records all steps.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// The steps so far, in order.
    pub steps: Vec<SearchStep>,
}

impl Trace {
    /// Returns the steps at which nodes were expanded, in order.
    pub fn expanded(&self) -> impl Iterator<Item = &SearchStep> {
        self.steps.iter().filter(|step| step.kind == StepKind::Expanded)
    }
}

impl Watch for Trace {
    fn step(&mut self, step: impl FnOnce() -> SearchStep) {
        self.steps.push(step());
    }
}

/// The effort of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchStats {
    /// Number of nodes taken from the open list, whose neighbors were visited.
    pub n_expanded: u64,
    /// Number of entries added to the open list: one per node, and one more per cheaper path.
    pub n_opened: u64,
    /// Largest number of entries on the open list.
    pub open_peak: usize,
}
