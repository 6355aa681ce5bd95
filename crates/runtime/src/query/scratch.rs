use glam::Vec3;

use crate::{
    navmesh::NavMesh,
    query::{Expansion, straight_path::Step, trace::Trace},
    search::{NodeIdx, NodePool, OpenList},
};

/// Memory that searches reuse. One per thread; a warm one does not allocate.
///
/// One made by [`Scratch::traced`] also writes down what the last search expanded:
///
/// ```no_run
/// # use walkable::{navmesh::NavMesh, query::*};
/// # fn f(mesh: &NavMesh, start: PathEnd) -> Result<(), QueryError> {
/// let mut scratch = Scratch::traced();
/// let wall = wall_distance(mesh, start, 10.0, &Filter::default(), MAX_NODES, &mut scratch)?;
/// let farthest = scratch.expanded().last().map(|last| last.g); // no polygon is nearer and unseen
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    pub(super) nodes: NodePool<Node>,
    pub(super) open: OpenList,
    pub(super) steps: Vec<Step>,
    pub(super) points: Vec<super::PathPoint>,
    pub(super) corners: Vec<super::PathPoint>,
    pub(super) polyanya: super::polyanya::Memory,
    trace: Option<Trace>,
}

impl Scratch {
    /// Memory that also keeps a trace of the last search: of [`find_corridor`](super::find_corridor),
    /// [`polygons_around`](super::polygons_around),
    /// [`polygons_around_shape`](super::polygons_around_shape),
    /// [`random_point_around`](super::random_point_around) or [`wall_distance`](super::wall_distance).
    /// Searches with other memory pay nothing for this.
    pub fn traced() -> Self {
        Self { trace: Some(Trace::default()), ..Self::default() }
    }

    /// What the last search expanded, in order; nothing where no trace is kept. Searches without an end
    /// expect nothing of the way still to go: `f` is `g`.
    pub fn expanded(&self) -> &[Expansion] {
        self.trace.as_ref().map_or(&[], |trace| &trace.expanded)
    }

    /// The trace for a search that begins, if one is kept. It must be given back.
    pub(super) fn take_trace(&mut self) -> Option<Trace> {
        let mut trace = self.trace.take()?;
        trace.clear();
        Some(trace)
    }

    /// Gives back what [`Scratch::take_trace`] gave.
    pub(super) fn keep_trace(&mut self, trace: Trace) {
        self.trace = Some(trace);
    }

    /// Makes ready for a search of `mesh` with at most `max_nodes` nodes.
    pub(super) fn reset(&mut self, mesh: &NavMesh, max_nodes: usize) {
        self.nodes.reset(mesh.n_nodes(), max_nodes);
        self.open.clear();
    }
}

/// What has become of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    /// Just made.
    New,
    /// In the open list.
    Open,
    /// Expanded.
    Closed,
}

/// A polygon that a search has met.
#[derive(Clone, Debug)]
pub(super) struct Node {
    /// Its number in the mesh.
    pub(super) poly: u32,
    /// Where it was entered first.
    pub(super) position: Vec3,
    /// Cost so far.
    pub(super) cost: f32,
    /// Cost so far and estimated cost to the end.
    pub(super) total: f32,
    pub(super) parent: Option<NodeIdx>,
    pub(super) status: Status,
    /// Whether a ray leads here from the parent, which is then no neighbour.
    pub(super) is_detached: bool,
}

impl Node {
    pub(super) fn new(poly: u32) -> Self {
        let position = Vec3::ZERO;
        Self {
            poly,
            position,
            cost: 0.0,
            total: 0.0,
            parent: None,
            status: Status::New,
            is_detached: false,
        }
    }
}
