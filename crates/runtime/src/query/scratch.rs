use crate::{
    navmesh::NavMesh,
    query::{Expansion, node::Node, path_point::Step, trace::Trace},
    search::{NodePool, OpenList},
};

/// Memory that searches reuse. One per thread; a warm one does not allocate.
///
/// One made by [`Scratch::traced`] also writes down what the last search expanded:
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

    /// Prepares for a search of `mesh` with at most `max_nodes` nodes.
    pub(super) fn reset(&mut self, mesh: &NavMesh, max_nodes: usize) {
        self.nodes.reset(mesh.n_nodes(), max_nodes);
        self.open.clear();
    }
}
