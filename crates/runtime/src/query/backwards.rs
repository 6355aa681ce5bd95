//! The search for a corridor from its end, see [`CorridorRequest::backwards`](super::CorridorRequest::backwards).

use super::{
    HeldBack,
    best_first::{BestFirstSearch, Current, NeighborEntry, SearchInput},
    rules::Rules,
};
use crate::navmesh::{INSIDE, IncomingLink, Marks, PolyKind, Portal, opposite};

impl<R: Rules> BestFirstSearch<'_, R> {
    /// Expands the links that lead to the polygon of a node.
    pub(super) fn expand_backwards(&mut self, current: &Current) {
        let (graph, portals) = (self.graph, self.portals);
        for incoming in graph.incoming(current.poly) {
            if current.before != Some(incoming.from) {
                self.go_back(current, incoming, &portals.of(incoming.from)[incoming.index]);
            }
        }
    }

    /// Follows a link in reverse, and updates its source if that path is the cheapest so far.
    fn go_back(&mut self, current: &Current, incoming: IncomingLink, portal: &Portal) {
        let IncomingLink { from, link, .. } = incoming;
        let SearchInput { filter, goal, goal_at, .. } = *self.input;
        let Marks { flags, area, kind } = self.graph.marks(from);
        // An agent may leave the polygon it stands on, whatever the filter says.
        let may_be_on = filter.passes_flags(flags) || from == goal_at;
        if !may_be_on || !self.rules.admits(self.mesh, link) {
            self.note(HeldBack::Filter);
            return;
        }
        // As many nodes per polygon as in a search from the start that crosses the same border.
        let state = if link.side == INSIDE { 0 } else { opposite(link.side) >> 1 };
        let Some((node, position)) = self.meet(current, from, state, portal) else { return };
        let here = current.cost + position.distance(current.position) * current.cost_per_meter;
        let here = self.rules.entered(here, area, current.area);
        let to_start = goal.point.distance(position);
        let is_start = from == goal_at;
        let cost = if is_start { here + to_start * filter.cost_in(area) } else { here };
        let estimate = if is_start { 0.0 } else { self.rules.estimate(to_start) };
        // A path cannot start on an off-mesh link.
        let may_be_last = kind == PolyKind::Ground;
        self.keep(current, node, NeighborEntry { position, cost, estimate, may_be_last });
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;
    use proptest::prelude::*;

    use super::*;
    use crate::{
        navmesh::{
            NavMesh, PolyRef,
            sample::{connect, mesh, solo, tile},
        },
        query::{
            CorridorRequest, Expansion, Filter, MeshPoint, NavPath, NearestRequest, PathRequest,
            PathStatus, QueryError, Reachability, Scratch, WhyNot, find_corridor, find_path,
            n_usable, nearest,
        },
    };

    fn at(x: f32, z: f32) -> Vec3 {
        Vec3::new(x, 0.0, z)
    }

    fn on(mesh: &NavMesh, x: f32, z: f32) -> MeshPoint {
        let half_extents = Vec3::splat(0.2);
        let request = NearestRequest { center: at(x, z), half_extents, filter: &Filter::default() };
        nearest(mesh, &request).unwrap().unwrap()
    }

    fn both(mesh: &NavMesh, request: &PathRequest<'_>) -> [NavPath; 2] {
        [false, true].map(|backwards| {
            let request = PathRequest { backwards, ..*request };
            find_path(mesh, &request, &mut Scratch::default()).unwrap()
        })
    }

    /// Returns the path found from the end, and what the search expanded.
    fn traced(mesh: &NavMesh, request: &PathRequest<'_>) -> (NavPath, Vec<Expansion>) {
        let (request, mut scratch) =
            (PathRequest { backwards: true, ..*request }, Scratch::traced());
        let path = find_path(mesh, &request, &mut scratch).unwrap();
        (path, scratch.expanded().to_vec())
    }

    fn request(filter: &Filter, start: Vec3, end: Vec3) -> PathRequest<'_> {
        let half_extents = Vec3::splat(0.2);
        PathRequest { half_extents, ..PathRequest::new(start, end, filter) }
    }

    /// A single passage, with areas that cost more to walk and to enter.
    const SNAKE: [&str; 5] = ["..22.", "####.", "2....", ".####", "..222"];

    #[test]
    fn a_way_costs_the_same_from_either_end() {
        let mesh = solo(&SNAKE);
        let mut filter = Filter::default();
        (filter.area_cost[2], filter.rules.entering_cost[2]) = (3.0, 10.0);
        let [there, back] = both(&mesh, &request(&filter, at(0.5, 0.5), at(4.5, 4.5)));
        assert_eq!((there.status, back.status), (PathStatus::Complete, PathStatus::Complete));
        assert_eq!((&there.corridor, &there.points), (&back.corridor, &back.points));
        assert_eq!(there.portals, back.portals);
        assert!((there.cost - back.cost).abs() < 1e-4, "{} {}", there.cost, back.cost);
        // In the opposite direction, the last area is entered before the first step.
        let [turned, _] = both(&mesh, &request(&filter, at(4.5, 4.5), at(0.5, 0.5)));
        assert!((turned.cost + 10.0 - back.cost).abs() < 1e-4, "{} {}", turned.cost, back.cost);
        let (back, expanded) = traced(&mesh, &request(&filter, at(0.5, 0.5), at(4.5, 4.5)));
        assert_eq!(expanded.first().map(|first| first.poly), back.corridor.last().copied());
        assert_eq!(expanded.last().map(|last| last.poly), back.corridor.first().copied());
        assert_eq!(expanded.len(), back.n_expanded);
    }

    /// Returns two rooms, connected by an off-mesh link from left to right.
    fn rooms() -> NavMesh {
        let mut rooms = tile(0, 0, &[".#.", ".#.", ".#."]);
        connect(&mut rooms, [at(0.9, 1.5), at(2.1, 1.5)], 0, 0xff);
        mesh([rooms])
    }

    #[test]
    fn one_way_connections_are_taken_their_way() {
        let (mesh, filter) = (rooms(), Filter::default());
        let [there, back] = both(&mesh, &request(&filter, at(0.5, 0.5), at(2.5, 0.5)));
        assert_eq!((there.status, back.status), (PathStatus::Complete, PathStatus::Complete));
        assert_eq!((&there.corridor, &there.points), (&back.corridor, &back.points));
        assert!((there.cost - back.cost).abs() < 1e-5, "{} {}", there.cost, back.cost);

        // From right to left, one path ends at the right wall and the other starts in the left room.
        let [there, back] = both(&mesh, &request(&filter, at(2.5, 1.5), at(0.5, 1.5)));
        assert_eq!((there.why, back.why), (Some(WhyNot::OneWay), Some(WhyNot::OneWay)));
        assert_eq!(
            (there.points, back.points),
            (vec![at(2.5, 1.5), at(2.0, 1.5)], vec![at(1.0, 1.5), at(0.5, 1.5)])
        );
        assert_eq!(back.status, PathStatus::Partial);
        assert!(back.start.is_some_and(|start| start.point == at(2.5, 1.5)));
    }

    #[test]
    fn a_corridor_into_excluded_ground_is_empty_but_not_out_of_it() {
        let mut mesh = solo(&["..."; 3]);
        let filter = Filter { exclude_flags: 2, ..Filter::default() };
        let [shut, open] = [0.5, 2.5].map(|x| on(&mesh, x, 0.5));
        mesh.set_flags(shut.poly, 2);
        let ask = |[start, end]: [MeshPoint; 2]| {
            let request = CorridorRequest::new(start, end, &filter);
            let request = CorridorRequest { backwards: true, ..request };
            find_corridor(&mesh, &request, &mut Scratch::default())
                .map(|found| (found.is_complete, found.held_back, found.polys.len()))
        };
        assert_eq!(ask([open, shut]), Ok((false, Some(HeldBack::Filter), 0)));
        assert_eq!(ask([shut, open]), Ok((true, None, 3)));
        assert_eq!(ask([shut, shut]), Ok((true, None, 1)));
    }

    #[test]
    fn rules_hold_from_the_end_too() {
        let (mesh, ends) = (rooms(), [at(0.5, 0.5), at(2.5, 0.5)]);
        let why = |change: &dyn Fn(&mut Filter)| {
            let mut filter = Filter::default();
            change(&mut filter);
            let [there, back] = both(&mesh, &request(&filter, ends[0], ends[1]));
            assert_eq!(there.why, back.why);
            back.why
        };
        assert_eq!(why(&|_| ()), None);
        let refused = why(&|filter| filter.rules.refused_connections.push(1000));
        assert_eq!(refused, Some(WhyNot::Filtered));
        assert_eq!(why(&|filter| filter.rules.cost_limit = 2.0), Some(WhyNot::CostLimit));
        assert_eq!(why(&|filter| filter.rules.cost_limit = 9.0), None);
        assert_eq!(why(&|filter| filter.rules.max_expansions = 2), Some(WhyNot::LoopBound));
        let filter = Filter::default();
        let few = PathRequest { max_nodes: 2, ..request(&filter, ends[0], ends[1]) };
        assert_eq!(both(&mesh, &few)[1].why, Some(WhyNot::NodeLimit));
    }

    /// Closes the borders that the path crosses, to the left of the tiles.
    #[test]
    fn sides_are_those_that_a_walker_crosses() {
        let mesh = mesh([tile(0, 0, &["..", ".."]), tile(1, 0, &["..", ".."])]);
        let mut filter = Filter::default();
        filter.rules.link_sides = filter.rules.link_sides.without(4);
        let right = both(&mesh, &request(&filter, at(0.5, 0.5), at(3.5, 0.5)));
        assert_eq!(right.map(|path| path.status), [PathStatus::Complete; 2]);
        let left = both(&mesh, &request(&filter, at(3.5, 0.5), at(0.5, 0.5)));
        assert_eq!(left.map(|path| path.status), [PathStatus::Partial; 2]);
    }

    /// Cells of two adjacent tiles, off-mesh links between cells, and a query.
    #[derive(Clone, Debug)]
    struct Question {
        cells: Vec<u8>,
        shut: Vec<prop::sample::Index>,
        connections: Vec<([f32; 2], [f32; 2], u8)>,
        ends: [[f32; 2]; 2],
        entering: f32,
        is_aimed: bool,
    }

    fn question() -> impl Strategy<Value = Question> {
        let cell = prop_oneof![8 => Just(b'.'), 6 => Just(b'#'), 2 => Just(b'2')];
        let place = || [0u8..12, 0u8..6].prop_map(|cell| cell.map(|n| f32::from(n) + 0.5));
        (
            prop::collection::vec(cell, 72),
            prop::collection::vec(any::<prop::sample::Index>(), 0..6),
            prop::collection::vec((place(), place(), 0u8..2), 0..5),
            [place(), place()],
            prop_oneof![Just(0.0f32), 0.0f32..5.0],
            any::<bool>(),
        )
            .prop_map(|(cells, shut, connections, ends, entering, is_aimed)| Question {
                cells,
                shut,
                connections,
                ends,
                entering,
                is_aimed,
            })
    }

    impl Question {
        fn mesh(&self) -> NavMesh {
            let tiles = [0, 1].map(|x| {
                let columns = usize::from(x > 0) * 6;
                let rows = self.cells.chunks(12).map(|row| &row[columns..columns + 6]);
                let rows: Vec<&str> = rows.map(|row| str::from_utf8(row).unwrap()).collect();
                let mut tile = tile(x, 0, &rows);
                for &(start, end, flags) in &self.connections {
                    let [from, to] = [start, end].map(|place| i16::from(place[0] > 6.0));
                    if from == x {
                        let side =
                            [0xff, 0, 4][usize::from(from != to) * (1 + usize::from(to < from))];
                        connect(&mut tile, [start, end].map(|[x, z]| at(x, z)), flags, side);
                    }
                }
                tile
            });
            let mut mesh = mesh(tiles);
            let polys: Vec<PolyRef> = mesh
                .slots()
                .flat_map(|(slot, tile)| (0..tile.polys.len()).map(move |poly| (slot, poly)))
                .map(|(slot, poly)| mesh.poly_ref(slot, poly).unwrap())
                .collect();
            for at in self.shut.iter().filter(|_| !polys.is_empty()) {
                mesh.set_flags(polys[at.index(polys.len())], 2);
            }
            mesh
        }

        fn filter(&self) -> Filter {
            let mut filter = Filter { exclude_flags: 2, ..Filter::default() };
            (filter.area_cost[2], filter.rules.entering_cost[2]) = (3.0, self.entering);
            if !self.is_aimed {
                filter.rules.heuristic_scale = 0.0;
            }
            filter
        }
    }

    /// Returns the cost of a corridor found from the end, measured while walking it from the start.
    fn walked(mesh: &NavMesh, filter: &Filter, expanded: &[Expansion], start: Vec3) -> f32 {
        let ground = |poly| {
            let (tile, index) = mesh.resolve(poly).unwrap();
            tile.polys[index].area
        };
        let (mut from, mut sum) = (start, 0.0);
        let mut node = expanded.last();
        while let Some(at) = node {
            let area = ground(at.poly);
            sum += from.distance(at.position) * filter.cost_in(area);
            from = at.position;
            node = at.parent.map(|next| &expanded[next as usize]);
            let next = node.map(|next| ground(next.poly));
            sum += next.map_or(0.0, |next| filter.rules.entering(area, next));
        }
        sum
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

        /// Searches from either end find a path if there is one, over links in their direction and accepted polygons,
        /// with the cost of its steps.
        #[test]
        fn both_ends_agree(question in question()) {
            let (mesh, filter) = (question.mesh(), question.filter());
            let [start, end] = question.ends.map(|[x, z]| at(x, z));
            let [there, back] = both(&mesh, &request(&filter, start, end));
            prop_assert_eq!((there.status, there.why), (back.status, back.why));
            prop_assert_eq!((there.start, there.end), (back.start, back.end));
            let (Some(on_start), Some(on_end)) = (back.start, back.end) else { return Ok(()) };
            prop_assert_eq!(n_usable(&mesh, &back.corridor, &filter), back.corridor.len());
            prop_assert_eq!(back.corridor.last(), Some(&on_end.poly));
            prop_assert_eq!(back.points.last(), Some(&on_end.point));
            let known = Reachability::new(&mesh, &filter);
            let is_complete = back.status == PathStatus::Complete;
            prop_assert_eq!(known.can_reach(&mesh, on_start.poly, on_end.poly), Some(is_complete));
            if is_complete {
                prop_assert_eq!(back.corridor[0], on_start.poly);
                prop_assert_eq!(back.points[0], on_start.point);
            }
            if is_complete && back.n_expanded > 0 {
                let (_, expanded) = traced(&mesh, &request(&filter, start, end));
                let sum = walked(&mesh, &filter, &expanded, on_start.point);
                prop_assert!((sum - back.cost).abs() < 1e-3, "{} {}", sum, back.cost);
                let near = 1.0 + 0.25 * there.cost.min(back.cost);
                prop_assert!((there.cost - back.cost).abs() < near, "{} {}", there.cost, back.cost);
            }
        }
    }

    #[test]
    fn the_goal_of_a_search_may_lie_off_the_mesh_where_allowed() {
        let mesh = solo(&["...", "...", ".#."]);
        let filter = Filter::default();
        let ask = |start: [f32; 2], end: [f32; 2], requires_goal: bool| {
            let [start, end] = [start, end].map(|[x, z]| at(x, z));
            let request = PathRequest { requires_goal, ..request(&filter, start, end) };
            both(&mesh, &request).map(|path| (path.status, path.why, path.points))
        };
        let nowhere = |why| (PathStatus::Unreachable, Some(why), Vec::new());
        let (on, off) = ([0.5, 0.5], [2.5, 9.0]);
        for backwards in 0..2 {
            assert_eq!(ask(on, off, true)[backwards], nowhere(WhyNot::EndOffMesh));
            assert_eq!(ask(off, on, true)[backwards], nowhere(WhyNot::StartOffMesh));
            assert_eq!(ask(off, off, false)[backwards], nowhere(WhyNot::StartOffMesh));
        }
        let nan = request(&filter, at(0.5, 0.5), at(f32::NAN, 0.0));
        let refused = find_path(&mesh, &nan, &mut Scratch::default()).map(|path| path.status);
        assert_eq!(refused, Err(QueryError::BadNumber { what: "the end" }));
        let [there, back] = ask(on, off, false);
        let points = [at(0.5, 0.5), at(2.5, 3.0)];
        assert_eq!(there.1, Some(WhyNot::EndOffMesh));
        assert_eq!(
            (there.0, there.2.first(), there.2.last()),
            (PathStatus::Partial, points.first(), points.last())
        );
        assert_eq!(back, nowhere(WhyNot::EndOffMesh));
        let [there, back] = ask(off, on, false);
        assert_eq!(there, nowhere(WhyNot::StartOffMesh));
        assert_eq!(back.1, Some(WhyNot::StartOffMesh));
        assert_eq!(
            (back.0, back.2.first(), back.2.last()),
            (PathStatus::Partial, points.last(), points.first())
        );
    }

    /// Corridors can be found without the points of a path, and traced: both searches with the same filter and ends.
    #[test]
    fn corridors_are_found_without_points_and_traced() {
        let (mesh, filter) = (solo(&SNAKE), Filter::default());
        let (start, end) = (on(&mesh, 0.5, 0.5), on(&mesh, 4.5, 4.5));
        let mut scratch = Scratch::traced();
        let request = CorridorRequest::new(start, end, &filter);
        let there = find_corridor(&mesh, &request, &mut scratch).unwrap();
        assert_eq!(scratch.expanded()[0].poly, start.poly);
        let request = CorridorRequest { backwards: true, ..request };
        let back = find_corridor(&mesh, &request, &mut scratch).unwrap();
        assert_eq!(there.polys, back.polys);
        assert_eq!(scratch.expanded()[0].poly, end.poly);
    }
}
