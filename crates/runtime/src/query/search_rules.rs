//! What searches can do beyond Detour's: the additions of Unreal's navmesh search, each switched on by
//! itself.

use serde::{Deserialize, Serialize};

use crate::{
    ids::AreaId,
    navmesh::{GraphPoly, INSIDE, Link, NavMesh, PolyKind},
};

/// Share of the straight distance that a search expects of the way still to go. A little less than
/// all of it, as in Detour: rounding must not make the estimate larger than the way.
pub(super) const HEURISTIC_SCALE: f32 = 0.999;

/// How [`find_corridor`](super::find_corridor) and [`SlicedPath`](super::SlicedPath) search, beyond
/// which polygons they may use. The default is what Detour does; each field says what it does to the
/// corridor. A corridor is *cheapest* here among all rows of polygons whose cost is measured from the
/// middle of one crossed edge to the next.
///
/// Searches that spread ([`polygons_around`](super::polygons_around) and similar) and rays use
/// `entering_cost`, `link_sides` and `refused_connections` alone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SearchRules {
    /// Cost of passing onto each area from another; 0 by default. Corridors stay cheapest: estimates
    /// leave it out and so are never too high.
    #[serde(with = "super::as_list::costs")]
    pub entering_cost: [f32; AreaId::COUNT],
    /// Share of the straight distance that is expected of the way still to go; 0.999 by default. With
    /// 0 every direction is searched alike. Above the lowest area cost the search is quicker and its
    /// corridor at most that many times as dear as the cheapest: 1.5 times for a scale of 1.5 where all
    /// areas cost 1.
    pub heuristic_scale: f32,
    /// Whether estimates are multiplied by the lowest cost of any area. Off by default. With areas
    /// cheaper than 1 a meter, only this keeps corridors cheapest; with all areas dearer than 1, it
    /// saves expansions.
    pub expects_cheapest_area: bool,
    /// Polygons are left aside that cannot be on a corridor of at most this cost; infinite by default.
    /// Every cheaper corridor is still found, as far as estimates are not too high.
    #[serde(with = "super::as_list::limit")]
    pub cost_limit: f32,
    /// Whether a polygon once expanded is never expanded anew, though a cheaper way to it is found. Off
    /// by default. Changes nothing where estimates keep step with costs: a scale below 1, and no area
    /// cheaper than 1 a meter or [`SearchRules::expects_cheapest_area`]. Else it saves time and may
    /// miss the cheapest corridor.
    pub skips_closed: bool,
    /// Whether the place where a polygon is entered moves along when a cheaper way into it is found.
    /// Off by default: Detour keeps the first. On, corridors are cheaper on average, but a corridor
    /// already built on the earlier place is not revised. The new way must be cheaper up to the entry,
    /// not only in all; so no scale leads in circles.
    pub moves_entries: bool,
    /// Over which sides of a tile links may be followed; all by default.
    pub link_sides: LinkSides,
    /// Off-mesh links that may not be used, by [`user_id`](crate::navmesh::OffMeshConnection::user_id).
    pub refused_connections: Vec<u32>,
    /// Most polygons that a search expands; no bound by default. A search that reaches it ends as if
    /// nothing were left to look at.
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

/// A set of ways out of a polygon: inside its tile, and over each of the tile's eight sides, from 0
/// (+x) over 2 (+z), 4 (-x) and 6 (-z); odd sides are corners.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkSides(u16);

impl LinkSides {
    /// All.
    pub const ALL: Self = Self(0x1ff);
    /// Those that do not leave the tile.
    pub const INSIDE: Self = Self(0x100);

    /// These without one side of the tile; as they are for a side that does not exist.
    #[must_use]
    pub const fn without(self, side: u8) -> Self {
        if side < 8 { Self(self.0 & !(1 << side)) } else { self }
    }

    pub(super) fn has(self, side: u8) -> bool {
        let bit = if side == INSIDE { 8 } else { side & 7 };
        self.0 & (1 << bit) != 0
    }
}

impl SearchRules {
    /// Whether a link may be followed.
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

    /// Cost of passing from one area into another.
    pub(super) fn entering(&self, from: u8, to: u8) -> f32 {
        if from == to { 0.0 } else { self.entering_cost[usize::from(to) % AreaId::COUNT] }
    }
}
