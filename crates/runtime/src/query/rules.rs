//! What searches can do beyond Detour's: the additions of Unreal's navmesh search, each switched on by
//! itself.

use super::{Filter, QueryError};
use crate::{
    ids::AreaId,
    navmesh::{GraphPoly, INSIDE, Link, NavMesh, PolyKind},
};

/// Share of the straight distance that a search expects of the way still to go. A little less than
/// all of it, as in Detour: rounding must not make the estimate larger than the way.
const HEURISTIC_SCALE: f32 = 0.999;

/// How [`find_corridor`](super::find_corridor) and [`SlicedPath`](super::SlicedPath) search, beyond
/// which polygons they may use. The default is what Detour does; each field says what it does to the
/// corridor. A corridor is *cheapest* here among all rows of polygons whose cost is measured from the
/// middle of one crossed edge to the next.
///
/// Searches that spread ([`polygons_around`](super::polygons_around) and its like) and rays use
/// `entering_cost`, `link_sides` and `refused_connections` alone.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchRules {
    /// Cost of passing onto each area from another; 0 by default. Corridors stay cheapest: estimates
    /// leave it out and so are never too high.
    pub entering_cost: [f32; AreaId::COUNT],
    /// Share of the straight distance that is expected of the way still to go; 0.999 by default. With
    /// 0 every direction is searched alike. Above the lowest area cost the search is quicker and its
    /// corridor at most that many times as dear as the cheapest: 1.5 times for a scale of 1.5 where all
    /// areas cost 1.
    pub heuristic_scale: f32,
    /// Whether estimates are multiplied by the lowest cost of any area. Off by default. With areas
    /// cheaper than 1 a metre, only this keeps corridors cheapest; with all areas dearer than 1, it
    /// saves expansions.
    pub expects_cheapest_area: bool,
    /// Polygons are left aside that cannot be on a corridor of at most this cost; infinite by default.
    /// Every cheaper corridor is still found, as far as estimates are not too high.
    pub cost_limit: f32,
    /// Whether a polygon once expanded is never expanded anew, though a cheaper way to it is found. Off
    /// by default. Changes nothing where estimates keep step with costs: a scale below 1, and no area
    /// cheaper than 1 a metre or [`SearchRules::expects_cheapest_area`]. Else it saves time and may
    /// miss the cheapest corridor.
    pub skips_closed: bool,
    /// Whether the place where a polygon is entered moves along when a cheaper way into it is found.
    /// Off by default: Detour keeps the first. On, corridors are cheaper on average, but a corridor
    /// already built on the earlier place is not revised. The new way must be cheaper up to the entry,
    /// not only in all; so no scale leads in circles.
    pub moves_entries: bool,
    /// Over which sides of a tile links may be followed; all by default.
    pub link_sides: LinkSides,
    /// Connections that may not be used, by [`user_id`](crate::navmesh::OffMeshConnection::user_id).
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

impl Filter {
    /// Refuses costs with which a search would have no end.
    pub(super) fn check(&self) -> Result<(), QueryError> {
        let SearchRules { entering_cost, heuristic_scale, .. } = &self.rules;
        let is_sound = make_sense(&self.area_cost)
            && make_sense(entering_cost)
            && make_sense(std::slice::from_ref(heuristic_scale));
        if !is_sound {
            return Err(QueryError::BadNumber { what: "a cost of the filter" });
        }
        if self.rules.cost_limit.is_nan() {
            return Err(QueryError::BadNumber { what: "the cost limit of the filter" });
        }
        Ok(())
    }

    /// Whether searches do as Detour's.
    pub(super) fn is_as_detour(&self) -> bool {
        let SearchRules { entering_cost, heuristic_scale, refused_connections, .. } = &self.rules;
        // By bits and without an early end, so that many are looked at together. A zero may have a sign.
        let any = entering_cost.iter().fold(0, |any, cost| any | (cost.to_bits() << 1));
        any == 0
            && refused_connections.is_empty()
            && heuristic_scale.to_bits() == HEURISTIC_SCALE.to_bits()
            && self.rules.cost_limit == f32::INFINITY
            && self.rules.max_expansions == usize::MAX
            && self.rules.link_sides == LinkSides::ALL
            && !self.rules.expects_cheapest_area
            && !self.rules.skips_closed
            && !self.rules.moves_entries
    }

    fn lowest_cost(&self) -> f32 {
        self.area_cost.iter().copied().fold(f32::INFINITY, f32::min)
    }
}

/// Whether no cost is negative, infinite or not a number. This is part of every search, so it looks at bits and
/// has no early end: many are looked at together.
fn make_sense(costs: &[f32]) -> bool {
    let faults = costs.iter().fold(0, |faults, cost| {
        let bits = cost.to_bits();
        // Both set the highest bit: the largest exponent and one more, a sign of what is not zero.
        let is_unbounded = (bits & 0x7fff_ffff) + 0x0080_0000;
        let is_negative = bits & bits.wrapping_sub(1);
        faults | is_unbounded | is_negative
    });
    faults >> 31 == 0
}

/// The rules by which one search goes. One type per kind of rules, so that a search as in Detour pays
/// nothing for the others.
pub(super) trait Rules: Copy {
    /// What is expected of a way of this length.
    fn estimate(self, distance: f32) -> f32;
    /// Cost of a way up to its end, if passing from one area into another costs something.
    fn entered(self, cost: f32, from: u8, to: u8) -> f32;
    /// Whether a link may be followed.
    fn admits(self, mesh: &NavMesh, link: Link) -> bool;
    /// Whether corridors of this cost are too dear.
    fn is_too_dear(self, total: f32) -> bool;
    fn skips_closed(self) -> bool;
    fn moves_entries(self) -> bool;
    fn max_expansions(self) -> usize;
}

/// Detour's rules.
#[derive(Clone, Copy)]
pub(super) struct AsDetour;

impl Rules for AsDetour {
    fn estimate(self, distance: f32) -> f32 {
        distance * HEURISTIC_SCALE
    }

    fn entered(self, cost: f32, _: u8, _: u8) -> f32 {
        cost
    }

    fn admits(self, _: &NavMesh, _: Link) -> bool {
        true
    }

    fn is_too_dear(self, _: f32) -> bool {
        false
    }

    fn skips_closed(self) -> bool {
        false
    }

    fn moves_entries(self) -> bool {
        false
    }

    fn max_expansions(self) -> usize {
        usize::MAX
    }
}

/// The rules of a filter.
#[derive(Clone, Copy)]
pub(super) struct Extended<'a> {
    rules: &'a SearchRules,
    per_metre: f32,
}

impl<'a> Extended<'a> {
    pub(super) fn new(filter: &'a Filter) -> Self {
        let rules = &filter.rules;
        let lowest = if rules.expects_cheapest_area { filter.lowest_cost() } else { 1.0 };
        Self { rules, per_metre: rules.heuristic_scale * lowest }
    }
}

impl Rules for Extended<'_> {
    fn estimate(self, distance: f32) -> f32 {
        distance * self.per_metre
    }

    fn entered(self, cost: f32, from: u8, to: u8) -> f32 {
        cost + self.rules.entering(from, to)
    }

    fn admits(self, mesh: &NavMesh, link: Link) -> bool {
        self.rules.admits(mesh, link)
    }

    fn is_too_dear(self, total: f32) -> bool {
        total > self.rules.cost_limit
    }

    fn skips_closed(self) -> bool {
        self.rules.skips_closed
    }

    fn moves_entries(self) -> bool {
        self.rules.moves_entries
    }

    fn max_expansions(self) -> usize {
        self.rules.max_expansions
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::{
        navmesh::{
            NavMesh, PolyRef,
            sample::{connect, mesh, solo, tile},
        },
        query::{
            CorridorOutcome, HeldBack, MAX_NODES, PathEnd, QueryError, Scratch, find_corridor,
            nearest, polygons_around,
        },
    };

    /// Area 2 lies on the straight way from left to right.
    const FIELD: [&str; 7] =
        [".......", ".......", "..222..", "..222..", "..222..", ".......", "......."];

    fn end(mesh: &NavMesh, x: f32, z: f32) -> PathEnd {
        nearest(mesh, Vec3::new(x, 0.0, z), Vec3::splat(0.1), &Filter::default()).unwrap()
    }

    fn across(filter: &Filter) -> (CorridorOutcome, usize) {
        let mesh = solo(&FIELD);
        let ends = [end(&mesh, 0.5, 3.5), end(&mesh, 6.5, 3.5)];
        let (mut corridor, scratch) = (Vec::new(), &mut Scratch::default());
        let outcome = find_corridor(&mesh, ends, filter, MAX_NODES, scratch, &mut corridor);
        let areas = corridor.iter().map(|&poly| {
            let (tile, index) = mesh.resolve(poly).unwrap();
            tile.polys[index].area
        });
        (outcome.unwrap(), areas.filter(|&area| area == 2).count())
    }

    fn with(change: impl FnOnce(&mut Filter)) -> Filter {
        let mut filter = Filter::default();
        change(&mut filter);
        filter
    }

    #[test]
    fn entering_costs_are_paid_once_an_area() {
        let (free, n_entered) = across(&Filter::default());
        assert_eq!((free.cost, n_entered), (6.0, 3));
        let (cheap, n_entered) = across(&with(|f| f.rules.entering_cost[2] = 0.25));
        assert_eq!((cheap.cost, n_entered), (6.25, 3));
        let (dear, n_entered) = across(&with(|f| f.rules.entering_cost[2] = 50.0));
        assert!(dear.is_complete && dear.cost < 12.0 && n_entered == 0, "{dear:?}");
    }

    #[test]
    fn a_higher_scale_expands_less_and_none_expands_more() {
        let n_expanded = |scale| across(&with(|f| f.rules.heuristic_scale = scale)).0.n_expanded;
        let [blind, usual, greedy] = [0.0, 0.999, 3.0].map(n_expanded);
        assert!(blind > usual && usual >= greedy, "{blind} {usual} {greedy}");
        let same = with(|f| f.rules.skips_closed = true);
        assert_eq!(across(&same).0, across(&Filter::default()).0);
    }

    /// With an area cheaper than a metre a metre, only estimates that know of it find the cheapest way.
    #[test]
    fn estimates_can_expect_the_cheapest_area() {
        let cheap = |expects: bool| {
            across(&with(|filter| {
                filter.area_cost[2] = 0.1;
                filter.rules.expects_cheapest_area = expects;
                // Estimates that expect nothing are never too high.
                filter.rules.heuristic_scale = if expects { 0.999 } else { 0.0 };
            }))
            .0
        };
        let (aimed, blind) = (cheap(true), cheap(false));
        assert!((aimed.cost - blind.cost).abs() < 1e-5 && aimed.n_expanded <= blind.n_expanded);
    }

    #[test]
    fn limits_hold_a_search_back() {
        let (dear, _) = across(&with(|f| f.rules.cost_limit = 5.5));
        assert!(!dear.is_complete && dear.cost <= 5.5);
        assert_eq!(dear.held_back, Some(HeldBack::CostLimit));
        assert!(across(&with(|f| f.rules.cost_limit = 6.01)).0.is_complete);
        let (short, _) = across(&with(|f| f.rules.max_expansions = 3));
        assert_eq!((short.n_expanded, short.held_back), (3, Some(HeldBack::LoopBound)));
    }

    #[test]
    fn entries_that_move_never_lead_in_circles() {
        for scale in [0.0, 0.999, 4.0] {
            for cost in [0.01, 1.0, 7.0] {
                let (outcome, _) = across(&with(|filter| {
                    filter.area_cost[2] = cost;
                    filter.rules.moves_entries = true;
                    filter.rules.heuristic_scale = scale;
                }));
                assert!(outcome.is_complete, "{scale} {cost}");
            }
        }
    }

    #[test]
    fn links_can_be_refused() {
        let mesh = mesh([tile(0, 0, &["..", ".."]), tile(1, 0, &["..", ".."])]);
        let reached = |sides| {
            let (mut reached, scratch) = (Vec::new(), &mut Scratch::default());
            let filter = with(|filter| filter.rules.link_sides = sides);
            let start = end(&mesh, 0.5, 0.5);
            polygons_around(&mesh, start, 99.0, &filter, scratch, &mut reached).unwrap();
            reached.len()
        };
        assert_eq!(reached(LinkSides::ALL), 8);
        assert_eq!(reached(LinkSides::ALL.without(4)), 8, "the other way");
        assert_eq!((reached(LinkSides::ALL.without(0)), reached(LinkSides::INSIDE)), (4, 4));
    }

    #[test]
    fn connections_can_be_refused_by_number() {
        let mut rooms = tile(0, 0, &[".#.", ".#.", ".#."]);
        connect(&mut rooms, [Vec3::new(0.9, 0.0, 1.5), Vec3::new(2.1, 0.0, 1.5)], 1, 0xff);
        let mesh = mesh([rooms]);
        let reaches = |refused: &[u32]| {
            let filter = with(|filter| filter.rules.refused_connections = refused.to_vec());
            let ends = [end(&mesh, 0.5, 0.5), end(&mesh, 2.5, 0.5)];
            let mut corridor: Vec<PolyRef> = Vec::new();
            let scratch = &mut Scratch::default();
            find_corridor(&mesh, ends, &filter, 99, scratch, &mut corridor).unwrap().is_complete
        };
        assert!(reaches(&[]) && reaches(&[999]) && !reaches(&[7, 1000]));
    }

    #[test]
    fn costs_without_sense_are_refused() {
        let mesh = solo(&FIELD);
        let ends = [end(&mesh, 0.5, 3.5), end(&mesh, 6.5, 3.5)];
        for cost in [-1.0, -f32::MIN_POSITIVE, f32::NAN, -f32::NAN, f32::INFINITY] {
            let filter = with(|filter| filter.area_cost[9] = cost);
            let scratch = &mut Scratch::default();
            let outcome = find_corridor(&mesh, ends, &filter, 99, scratch, &mut Vec::new());
            assert_eq!(outcome, Err(QueryError::BadNumber { what: "a cost of the filter" }));
        }
    }
}
