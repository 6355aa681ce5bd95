//! Applies [`SearchRules`](super::SearchRules) in searches.

use super::{Filter, LinkSides, QueryError, SearchRules, search_rules::HEURISTIC_SCALE};
use crate::{
    ids::AreaId,
    navmesh::{Link, NavMesh},
};

impl Filter {
    /// Checks that costs are valid, as searches require.
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

    /// Returns whether searches equal Detour's.
    pub(super) fn is_as_detour(&self) -> bool {
        let SearchRules { entering_cost, heuristic_scale, refused_connections, .. } = &self.rules;
        // Compares bits without an early exit, so that it is vectorized. A zero may have a sign.
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

/// Returns whether no cost is negative, infinite or not a number. This runs in every search, so it compares bits
/// without an early exit, which is vectorized.
fn make_sense(costs: &[f32]) -> bool {
    let faults = costs.iter().fold(0, |faults, cost| {
        let bits = cost.to_bits();
        // Both set the highest bit: adding one to the largest exponent, and the sign of a number that is not zero.
        let is_unbounded = (bits & 0x7fff_ffff) + 0x0080_0000;
        let is_negative = bits & bits.wrapping_sub(1);
        faults | is_unbounded | is_negative
    });
    faults >> 31 == 0
}

/// The rules of a search. There is one type per kind of rules, so that other rules do not slow down a search as in
/// Detour.
pub(super) trait Rules: Copy {
    /// Returns the heuristic for a distance.
    fn estimate(self, distance: f32) -> f32;
    /// Returns the cost of a path after it enters another area, with the entering cost.
    fn entered(self, cost: f32, from: AreaId, to: AreaId) -> f32;
    /// Returns whether a link may be followed.
    fn admits(self, mesh: &NavMesh, link: Link) -> bool;
    /// Returns whether the total cost of a path is above the limit.
    fn exceeds_cost_limit(self, total: f32) -> bool;
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

    fn entered(self, cost: f32, _: AreaId, _: AreaId) -> f32 {
        cost
    }

    fn admits(self, _: &NavMesh, _: Link) -> bool {
        true
    }

    fn exceeds_cost_limit(self, _: f32) -> bool {
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
    per_meter: f32,
}

impl<'a> Extended<'a> {
    pub(super) fn new(filter: &'a Filter) -> Self {
        let rules = &filter.rules;
        let lowest = if rules.expects_cheapest_area { filter.lowest_cost() } else { 1.0 };
        Self { rules, per_meter: rules.heuristic_scale * lowest }
    }
}

impl Rules for Extended<'_> {
    fn estimate(self, distance: f32) -> f32 {
        distance * self.per_meter
    }

    fn entered(self, cost: f32, from: AreaId, to: AreaId) -> f32 {
        cost + self.rules.entering(from, to)
    }

    fn admits(self, mesh: &NavMesh, link: Link) -> bool {
        self.rules.admits(mesh, link)
    }

    fn exceeds_cost_limit(self, total: f32) -> bool {
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
        ids::AreaId,
        navmesh::{
            NavMesh,
            sample::{connect, mesh, solo, tile},
        },
        query::{
            Corridor, CorridorRequest, HeldBack, MeshPoint, NearestRequest, PolygonsAroundRequest,
            QueryError, Scratch, find_corridor, nearest, polygons_around,
        },
    };

    /// Area 2 is on the straight line from left to right.
    const FIELD: [&str; 7] =
        [".......", ".......", "..222..", "..222..", "..222..", ".......", "......."];

    fn end(mesh: &NavMesh, x: f32, z: f32) -> MeshPoint {
        let (center, half_extents) = (Vec3::new(x, 0.0, z), Vec3::splat(0.1));
        let request = NearestRequest { center, half_extents, filter: &Filter::default() };
        nearest(mesh, &request).unwrap().unwrap()
    }

    fn from_left_to_right(mesh: &NavMesh, filter: &Filter) -> Result<Corridor, QueryError> {
        let request = CorridorRequest::new(end(mesh, 0.5, 3.5), end(mesh, 6.5, 3.5), filter);
        find_corridor(mesh, &request, &mut Scratch::default())
    }

    fn across(filter: &Filter) -> (Corridor, usize) {
        let mesh = solo(&FIELD);
        let corridor = from_left_to_right(&mesh, filter).unwrap();
        let areas = corridor.polys.iter().map(|&poly| {
            let (tile, index) = mesh.resolve(poly).unwrap();
            tile.polys[index].area
        });
        let n_entered = areas.filter(|&area| area == AreaId(2)).count();
        (corridor, n_entered)
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

    /// With an area cost below 1, only a heuristic that is scaled by it finds the cheapest path.
    #[test]
    fn the_heuristic_can_be_scaled_by_the_lowest_area_cost() {
        let cheap = |expects: bool| {
            across(&with(|filter| {
                filter.area_cost[2] = 0.1;
                filter.rules.expects_cheapest_area = expects;
                // A heuristic of 0 is never too high.
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
    fn entry_points_that_move_never_lead_in_circles() {
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
            let filter = with(|filter| filter.rules.link_sides = sides);
            let request = PolygonsAroundRequest::new(end(&mesh, 0.5, 0.5), 99.0, &filter);
            polygons_around(&mesh, &request, &mut Scratch::default()).unwrap().polys.len()
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
            let (start, end) = (end(&mesh, 0.5, 0.5), end(&mesh, 2.5, 0.5));
            let request = CorridorRequest::new(start, end, &filter);
            find_corridor(&mesh, &request, &mut Scratch::default()).unwrap().is_complete
        };
        assert!(reaches(&[]) && reaches(&[999]) && !reaches(&[7, 1000]));
    }

    #[test]
    fn invalid_costs_are_rejected() {
        let mesh = solo(&FIELD);
        for cost in [-1.0, -f32::MIN_POSITIVE, f32::NAN, -f32::NAN, f32::INFINITY] {
            let filter = with(|filter| filter.area_cost[9] = cost);
            let refused = from_left_to_right(&mesh, &filter);
            assert_eq!(refused, Err(QueryError::BadNumber { what: "a cost of the filter" }));
        }
    }
}
