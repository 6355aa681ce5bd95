use crate::{
    navmesh::NavMesh,
    query::{Expansion, node::Node, path_point::Step, trace::Trace},
    search::{NodePool, OpenList},
};

/// Memory that searches reuse. Use one per thread; once warm, it does not allocate.
///
/// One created by [`Scratch::traced`] also records what the last search expanded:
///
/// ```no_run
/// # use walkable::{navmesh::NavMesh, query::*};
/// # fn f(mesh: &NavMesh, start: MeshPoint) -> Result<(), QueryError> {
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
    /// Creates memory that also keeps a trace of the last search: of [`find_corridor`](super::find_corridor),
    /// [`polygons_around`](super::polygons_around),
    /// [`polygons_around_shape`](super::polygons_around_shape),
    /// [`random_point_around`](super::random_point_around) or [`wall_distance`](super::wall_distance).
    /// Searches with other memory have no overhead for this.
    pub fn traced() -> Self {
        Self { trace: Some(Trace::default()), ..Self::default() }
    }

    /// What the last search expanded, in order; empty if no trace is kept. In searches without an end the heuristic is
    /// zero: `f` is `g`.
    pub fn expanded(&self) -> &[Expansion] {
        self.trace.as_ref().map_or(&[], |trace| &trace.expanded)
    }

    /// Takes the trace for a new search, if one is kept. It must be returned with [`Scratch::keep_trace`].
    pub(super) fn take_trace(&mut self) -> Option<Trace> {
        let mut trace = self.trace.take()?;
        trace.clear();
        Some(trace)
    }

    /// Puts back the trace from [`Scratch::take_trace`].
    pub(super) fn keep_trace(&mut self, trace: Trace) {
        self.trace = Some(trace);
    }

    /// Prepares for a search of `mesh` with at most `max_nodes` nodes.
    pub(super) fn reset(&mut self, mesh: &NavMesh, max_nodes: usize) {
        self.nodes.reset(mesh.n_nodes(), max_nodes);
        self.open.clear();
    }
}
