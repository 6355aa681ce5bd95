use serde::{Deserialize, Serialize};

use crate::navmesh::PolyRef;

/// A sequence of polygons, each linked to the next.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Corridor {
    /// The polygons, in walking order.
    pub polys: Vec<PolyRef>,
    /// Whether the corridor connects both ends. If not, it ends at the reachable polygon nearest to the end, or if
    /// searched backwards, begins at the polygon nearest to the start from which the end is reachable.
    pub is_complete: bool,
    /// Why the search skipped polygons, if it did.
    pub held_back: Option<HeldBack>,
    /// Cost to the end, or to where the last polygon is entered.
    pub cost: f32,
    /// Number of nodes expanded.
    pub n_expanded: usize,
}

impl Corridor {
    /// Sets everything except the polygons.
    pub(super) fn set(&mut self, outcome: CorridorOutcome) {
        let CorridorOutcome { is_complete, held_back, cost, n_expanded } = outcome;
        *self = Self {
            polys: std::mem::take(&mut self.polys),
            is_complete,
            held_back,
            cost,
            n_expanded,
        };
    }

    /// Clears the result but keeps its allocations.
    pub(super) fn clear(&mut self) {
        self.polys.clear();
        *self = Self { polys: std::mem::take(&mut self.polys), ..Self::default() };
    }
}

/// The fields of a [`Corridor`] except its polygons.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CorridorOutcome {
    pub(crate) is_complete: bool,
    pub(crate) held_back: Option<HeldBack>,
    pub(crate) cost: f32,
    pub(crate) n_expanded: usize,
}

/// Why a search skipped a polygon. If there are several reasons, the last one in this list is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[non_exhaustive]
pub enum HeldBack {
    /// The filter rejects the polygon, or the search settings reject the link.
    Filter,
    /// The search may continue in tiles that are not loaded, see
    /// [`NavMesh::set_world`](crate::navmesh::NavMesh::set_world).
    NotLoaded,
    /// The cost to reach the polygon is above [`SearchRules::cost_limit`](super::SearchRules).
    CostLimit,
    /// All nodes are in use.
    NodeLimit,
    /// [`SearchRules::max_expansions`](super::SearchRules) polygons were expanded.
    LoopBound,
}
