use super::search::{PlanePath, PlaneScratch};
use crate::navmesh::PolyAt;

/// Memory of a search and its result.
#[derive(Clone, Debug, Default)]
pub(in crate::query) struct Memory {
    pub(super) search: PlaneScratch<PolyAt>,
    pub(super) path: PlanePath<PolyAt>,
}

impl Memory {
    /// Returns the memory of searches that keep a trace.
    pub(in crate::query) fn traced() -> Self {
        Self { search: PlaneScratch::traced(), ..Self::default() }
    }
}
