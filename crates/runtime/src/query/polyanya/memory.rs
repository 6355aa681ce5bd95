use super::search::{PlanePath, PlaneScratch};
use crate::navmesh::PolyAt;

/// Memory of a search and its answer.
#[derive(Clone, Debug, Default)]
pub(in crate::query) struct Memory {
    pub(super) search: PlaneScratch<PolyAt>,
    pub(super) path: PlanePath<PolyAt>,
}
