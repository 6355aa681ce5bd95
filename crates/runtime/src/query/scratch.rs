use crate::{
    navmesh::NavMesh,
    query::{Expansion, SearchedCell, node::Node, path_point::CorridorStep, trace::Trace},
    search::{NodePool, OpenList},
};

/// Memory that searches reuse. Use one per thread; once warm, it does not allocate.
///
/// A scratch created by [`Scratch::traced`] also records what the last search expanded. This is the only way to trace
/// a query.
///
/// ```no_run
/// # use walkable::{navmesh::NavMesh, query::*};
/// # fn f(mesh: &NavMesh, request: &PathRequest<'_>) -> Result<(), QueryError> {
/// let mut scratch = Scratch::traced();
/// let path = find_path(mesh, request, &mut scratch)?;
/// assert_eq!(scratch.expanded().len(), path.n_expanded);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    pub(super) nodes: NodePool<Node>,
    pub(super) open: OpenList,
    pub(super) steps: Vec<CorridorStep>,
    pub(super) points: Vec<super::PathPoint>,
    pub(super) corners: Vec<super::PathPoint>,
    pub(super) polyanya: super::polyanya::Memory,
    pub(super) route: super::route::Memory,
    pub(super) trace: Option<Trace>,
}

impl Scratch {
    /// Creates a scratch that also keeps a trace of the last search of any query. Searches with other scratches have
    /// no overhead for this.
    pub fn traced() -> Self {
        let (trace, polyanya) = (Some(Trace::default()), super::polyanya::Memory::traced());
        let route = super::route::Memory::traced();
        Self { polyanya, route, trace, ..Self::default() }
    }

    /// Returns the cells that the last [`find_route`](super::find_route) searched, in order; empty if no trace is kept. The
    /// first ones are those of start and end, whose polygons are searched; a cell can be searched more than once.
    pub fn searched_cells(&self) -> &[SearchedCell] {
        self.route.searched_cells()
    }

    /// Returns what the last search expanded, in order; empty if no trace is kept. In searches without an end the
    /// heuristic is zero: `f` is `g`.
    pub fn expanded(&self) -> &[Expansion] {
        self.trace.as_ref().map_or(&[], |trace| &trace.expanded)
    }

    /// Runs a search with the trace, if one is kept. The trace is empty when the search begins.
    pub(super) fn with_trace<T>(
        &mut self,
        search: impl FnOnce(&mut Self, Option<&mut Trace>) -> T,
    ) -> T {
        let mut trace = self.trace.take();
        trace.iter_mut().for_each(Trace::clear);
        let result = search(self, trace.as_mut());
        self.trace = trace;
        result
    }

    /// Returns the number of nodes that the last search used.
    pub fn n_nodes(&self) -> usize {
        self.nodes.len()
    }

    /// Prepares for a search of `mesh` with at most `max_nodes` nodes.
    pub(super) fn reset(&mut self, mesh: &NavMesh, max_nodes: usize) {
        self.nodes.reset(mesh.n_nodes(), max_nodes);
        self.open.clear();
    }
}
