//! Extensions of Detour's searches: those of Unreal's navmesh search, each enabled separately.

use serde::{Deserialize, Serialize};

use crate::{
    ids::AreaId,
    navmesh::{GraphPoly, INSIDE, Link, NavMesh, PolyKind},
};

/// Default scale of the straight-line distance as the heuristic. It is slightly below 1, as in Detour: rounding must
/// not make the heuristic larger than the remaining cost.
pub(super) const HEURISTIC_SCALE: f32 = 0.999;

/// How [`find_corridor`](super::find_corridor) and [`SlicedPath`](super::SlicedPath) search, apart from which polygons
/// they may use. The defaults are Detour's; each field documents its effect on the corridor. A corridor is *cheapest*
/// here among all sequences of polygons whose cost is measured from the midpoint of one crossed edge to the next.
///
/// Searches without an end ([`polygons_around`](super::polygons_around) and similar) and rays use only
/// `entering_cost`, `link_sides` and `refused_connections`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SearchRules {
    /// Cost of entering each area from another; 0 by default. Corridors stay cheapest: the heuristic ignores it and so
    /// never overestimates.
    #[serde(with = "super::as_list::costs")]
    pub entering_cost: [f32; AreaId::COUNT],
    /// Scale of the straight-line distance as the heuristic; 0.999 by default. With 0 all directions are searched
    /// equally. Above the lowest area cost the search is faster, and the corridor costs at most that many times as
    /// much as the cheapest: 1.5 times for a scale of 1.5 if all areas cost 1.
    pub heuristic_scale: f32,
    /// Whether the heuristic is multiplied by the lowest cost of any area. Off by default. If an area costs less than
    /// 1 per meter, only this keeps corridors cheapest; if all areas cost more than 1, it saves expansions.
    pub expects_cheapest_area: bool,
    /// Skips polygons that cannot be on a corridor of at most this cost; infinite by default. Every cheaper corridor
    /// is still found if the heuristic does not overestimate.
    #[serde(with = "super::as_list::limit")]
    pub cost_limit: f32,
    /// Whether closed polygons are never reopened, even if a cheaper path to them is found. Off by default. Has no
    /// effect with a consistent heuristic: a scale below 1, and no area cheaper than 1 per meter or
    /// [`SearchRules::expects_cheapest_area`]. Otherwise it saves time and may miss the cheapest corridor.
    pub skips_closed: bool,
    /// Whether the entry point of a polygon is updated when a cheaper path to it is found. Off by default: Detour
    /// keeps the first entry point. If on, corridors are cheaper on average, but paths already extended from the
    /// earlier entry point are not revised. The new path must be cheaper up to the entry point, not only in total, so
    /// no scale leads to cycles.
    pub moves_entries: bool,
    /// Sides of a tile over which links may be followed; all by default.
    pub link_sides: LinkSides,
    /// Off-mesh links that may not be used, by [`user_id`](crate::navmesh::OffMeshConnection::user_id).
    pub refused_connections: Vec<u32>,
    /// Maximum number of polygons that a search expands; unlimited by default. A search that reaches it ends as if
    /// there were no more open nodes.
    #[serde(with = "super::count_format")]
    pub max_expansions: usize,
}

impl Default for SearchRules {
    fn default() -> Self {
        Self {
            entering_cost: [0.0; AreaId::COUNT],
            heuristic_scale: HEURISTIC_SCALE,
            expects_cheapest_area: false,
            cost_limit: f32::INFINITY,
            skips_closed: false,
            moves_entries: false,
            link_sides: LinkSides::ALL,
            refused_connections: Vec::new(),
            max_expansions: usize::MAX,
        }
    }
}

/// A set of sides over which links may lead: inside a tile, and over each of its eight sides, from 0 (+x) over 2 (+z),
/// 4 (-x) and 6 (-z); odd numbers are corners.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkSides(u16);

impl LinkSides {
    /// All links.
    pub const ALL: Self = Self(0x1ff);
    /// Links inside the tile.
    pub const INSIDE: Self = Self(0x100);

    /// Removes one side of the tile; a number that does not exist has no effect.
    #[must_use]
    pub const fn without(self, side: u8) -> Self {
        if side < 8 { Self(self.0 & !(1 << side)) } else { self }
    }

    pub(super) fn bits(self) -> u16 {
        self.0
    }

    pub(super) fn has(self, side: u8) -> bool {
        let bit = if side == INSIDE { 8 } else { side & 7 };
        self.0 & (1 << bit) != 0
    }
}

impl SearchRules {
    /// Returns whether a link may be followed.
    pub(super) fn admits(&self, mesh: &NavMesh, link: Link) -> bool {
        self.link_sides.has(link.side)
            && (self.refused_connections.is_empty() || !self.refuses_connection(mesh, link.to))
    }

    fn refuses_connection(&self, mesh: &NavMesh, to: u32) -> bool {
        let GraphPoly { tile, poly, .. } = *mesh.graph().poly(to);
        if mesh.graph().marks(to).kind == PolyKind::Ground {
            return false;
        }
        let mut connections = mesh.live(tile).tile.off_mesh.iter();
        let connection = connections.find(|connection| u32::from(connection.poly) == poly);
        connection.is_some_and(|one| self.refused_connections.contains(&one.user_id))
    }

    /// Returns the cost of passing from one area into another.
    pub(super) fn entering(&self, from: AreaId, to: AreaId) -> f32 {
        if from == to { 0.0 } else { self.entering_cost[usize::from(to.0) % AreaId::COUNT] }
    }
}
