/// How far a corridor leads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CorridorOutcome {
    /// Whether its last polygon is that of the end; else it is the nearest that can be reached.
    pub is_complete: bool,
    /// What kept the search from looking at more polygons, if anything did.
    pub held_back: Option<HeldBack>,
    /// Cost to the end, or to where the last polygon is entered.
    pub cost: f32,
    /// Nodes taken from the open list.
    pub n_expanded: usize,
}

/// What keeps a search from looking at a polygon. Where several do, the last of these is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum HeldBack {
    /// The filter does not let it pass, or its rules refuse the link.
    Filter,
    /// It can only be reached for more than [`SearchRules::cost_limit`](super::SearchRules).
    CostLimit,
    /// All nodes are used.
    NodeLimit,
    /// [`SearchRules::max_expansions`](super::SearchRules) polygons were expanded.
    LoopBound,
}
