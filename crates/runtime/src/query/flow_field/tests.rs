use std::sync::Arc;

use glam::Vec3;
use proptest::prelude::*;

use super::*;
use crate::{
    ids::{AreaId, TileCoord},
    navmesh::{
        Portal, Tile,
        sample::{connect, mesh, solo, tile},
    },
    query::{NearestRequest, Reachability, Scratch, nearest},
};

fn at(x: f32, z: f32) -> Vec3 {
    Vec3::new(x, 0.0, z)
}

fn on(mesh: &NavMesh, x: f32, z: f32) -> Option<MeshPoint> {
    let half_extents = Vec3::splat(0.3);
    let request = NearestRequest { center: at(x, z), half_extents, filter: &Filter::default() };
    nearest(mesh, &request).unwrap()
}

fn polys(mesh: &NavMesh) -> Vec<PolyRef> {
    let slots = mesh.slots().flat_map(|(slot, tile)| {
        (0..tile.polys.len()).map(move |poly| mesh.poly_ref(slot, poly).unwrap())
    });
    slots.collect()
}

/// Returns the costs of all crossings, by polygon, found by lowering them until none changes.
fn reference(mesh: &NavMesh, filter: &Filter, goal: MeshPoint) -> Vec<(PolyRef, Vec<f32>)> {
    let crossings = |poly: PolyRef| {
        let points = |Portal { left, right }| [left, (left + right) * 0.5, right];
        mesh.links(poly).flat_map(move |link| points(link.portal).map(|point| (link.to, point)))
    };
    let ground = |poly: PolyRef| {
        let (tile, index) = mesh.resolve(poly).unwrap();
        &tile.polys[index]
    };
    let mut costs: Vec<(PolyRef, Vec<f32>)> =
        polys(mesh).into_iter().map(|p| (p, vec![f32::INFINITY; crossings(p).count()])).collect();
    loop {
        let before = costs.clone();
        for (from, own) in &mut costs {
            for ((to, point), cost) in crossings(*from).zip(own) {
                let [here, there] = [*from, to].map(ground);
                if !filter.passes(there) {
                    continue;
                }
                let per_meter = filter.area_cost[usize::from(there.area.0)];
                let next = &before.iter().find(|(poly, _)| *poly == to).unwrap().1;
                let over = crossings(to)
                    .zip(next)
                    .map(|((_, after), cost)| cost + point.distance(after) * per_meter);
                let straight = if to == goal.poly {
                    point.distance(goal.point) * per_meter
                } else {
                    f32::INFINITY
                };
                *cost = over.fold(straight, f32::min);
                if here.area != there.area {
                    *cost += filter.rules.entering_cost[usize::from(there.area.0)];
                }
            }
        }
        if costs == before {
            return costs;
        }
    }
}

#[test]
fn costs_are_added_up_over_portals() {
    let mesh = solo(&["...", "##.", "..."]);
    let mut filter = Filter::default();
    let field =
        flow_field(&mesh, &FlowFieldRequest::new(on(&mesh, 0.5, 2.5).unwrap(), &filter)).unwrap();
    // Right, down along the wall and left again. The midpoint before the corner is not on the shortest line.
    let start = on(&mesh, 0.5, 0.5).unwrap();
    let expected = 2.0 * (0.5 + 1.0_f32.hypot(0.5)) + 1.0;
    assert!((field.cost(&mesh, start).unwrap() - expected).abs() < 1e-5);
    filter.area_cost[0] = 2.0;
    let request = FlowFieldRequest::new(field.goal(), &filter);
    let field = flow_field(&mesh, &request).unwrap();
    assert!((field.cost(&mesh, start).unwrap() - 2.0 * expected).abs() < 1e-5);
    let sample =
        field.sample(&mesh, start, &mut FlowAgent::default(), &mut Scratch::default()).unwrap();
    assert_eq!(sample.corner, at(2.0, 1.0));
    assert_eq!(sample.next.unwrap().poly, on(&mesh, 1.5, 0.5).unwrap().poly);
    let at_goal = field
        .sample(&mesh, field.goal(), &mut FlowAgent::default(), &mut Scratch::default())
        .unwrap();
    assert_eq!((at_goal.cost, at_goal.direction, at_goal.next), (0.0, Vec3::ZERO, None));
}

#[test]
fn one_way_links_lead_one_way() {
    let mut rooms = tile(0, 0, &[".#.", ".#.", ".#."]);
    connect(&mut rooms, [at(0.9, 1.5), at(2.1, 1.5)], 0, 0xff);
    let mesh = mesh([rooms]);
    let (filter, mut scratch) = (Filter::default(), Scratch::default());
    let [left, right] = [0.5, 2.5].map(|x| on(&mesh, x, 1.5).unwrap());
    let to_right = flow_field(&mesh, &FlowFieldRequest::new(right, &filter)).unwrap();
    let sample = to_right.sample(&mesh, left, &mut FlowAgent::default(), &mut scratch).unwrap();
    let step = sample.next.unwrap();
    assert!(step.onto_connection && sample.corner == at(0.9, 1.5), "{sample:?}");
    assert!((sample.cost - 2.0).abs() < 1e-5);
    let on_link = MeshPoint { poly: step.poly, point: sample.corner };
    let sample = to_right.sample(&mesh, on_link, &mut FlowAgent::default(), &mut scratch).unwrap();
    assert_eq!((sample.corner, sample.next.unwrap().poly), (at(2.1, 1.5), right.poly));
    let to_left = flow_field(&mesh, &FlowFieldRequest::new(left, &filter)).unwrap();
    assert_eq!(to_left.cost(&mesh, right), None);
    assert_eq!(to_left.sample(&mesh, right, &mut FlowAgent::default(), &mut scratch), None);
}

#[test]
fn fields_of_changed_meshes_are_not_current() {
    let mut mesh = solo(&["...", "...", "..."]);
    let filter = Filter { exclude_flags: 2, ..Filter::default() };
    let (start, goal) = (on(&mesh, 0.5, 0.5).unwrap(), on(&mesh, 2.5, 0.5).unwrap());
    let request = FlowFieldRequest::new(goal, &filter);
    let mut field = flow_field(&mesh, &request).unwrap();
    let before = field.cost(&mesh, start).unwrap();
    mesh.set_flags(on(&mesh, 1.5, 0.5).unwrap().poly, 2);
    assert!(!field.is_current(&mesh) && field.cost(&mesh, start).is_none());
    let update = update_flow_field(&mesh, &request, &mut field).unwrap();
    // The links into the closed polygon are closed: those of its three neighbors have changed.
    assert_eq!(update.n_changed, 3);
    assert!(field.cost(&mesh, start).unwrap() > before + 0.4);
    let stale =
        FlowFieldRequest { goal: MeshPoint { point: at(f32::NAN, 0.0), ..goal }, ..request };
    let refused = flow_field(&mesh, &stale).map(|field| field.goal());
    assert_eq!(refused, Err(QueryError::BadNumber { what: "the goal" }));
    mesh.remove_tiles_at(TileCoord::new(0, 0));
    let refused = update_flow_field(&mesh, &request, &mut field);
    assert_eq!(refused, Err(QueryError::StalePolygon { poly: goal.poly }));
}

/// A change of a navmesh of four tiles.
#[derive(Clone, Copy, Debug)]
enum Change {
    Flags(prop::sample::Index, bool),
    Area(prop::sample::Index, u8),
    /// Removes a tile, or adds it again.
    Tile(usize),
    Cost(f32),
    Goal(f32, f32),
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        3 => (any::<prop::sample::Index>(), any::<bool>())
            .prop_map(|(poly, is_open)| Change::Flags(poly, is_open)),
        2 => (any::<prop::sample::Index>(), 0u8..3).prop_map(|(poly, area)| Change::Area(poly, area)),
        2 => (0usize..4).prop_map(Change::Tile),
        1 => (0.5f32..4.0).prop_map(Change::Cost),
        1 => (0.0f32..12.0, 0.0f32..12.0).prop_map(|(x, z)| Change::Goal(x, z)),
    ]
}

fn tiles(cells: &[u8], links: &[([f32; 2], [f32; 2], u8)]) -> [Tile; 4] {
    [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(x, z)| {
        let place = 6 * (usize::from(x > 0) + 12 * usize::from(z > 0));
        let rows = (0..6).map(|row| str::from_utf8(&cells[place + 12 * row..][..6]).unwrap());
        let mut tile = tile(x, z, &rows.collect::<Vec<_>>());
        for (start, end, flags) in links {
            let ends =
                [start, end].map(|[px, pz]| at(px + f32::from(6 * x), pz + f32::from(6 * z)));
            connect(&mut tile, ends, *flags, 0xff);
        }
        tile
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    /// After any changes, an updated field equals a new one, has the costs of the reference, and leads to the goal from
    /// wherever it can be reached.
    #[test]
    fn updates_give_the_costs_of_a_new_field(
        cells in prop::collection::vec(prop_oneof![6 => Just(b'.'), 3 => Just(b'#'), 2 => Just(b'2')], 144),
        links in prop::collection::vec(
            ([0.0f32..6.0, 0.0f32..6.0], [0.0f32..6.0, 0.0f32..6.0], 0u8..2), 0..3),
        goal in [0.0f32..12.0, 0.0f32..12.0],
        entering in prop_oneof![Just(0.0f32), 0.0f32..5.0],
        changes in prop::collection::vec(change(), 1..8),
    ) {
        let tiles = tiles(&cells, &links);
        prop_assume!(tiles.iter().all(|tile| !tile.polys.is_empty()));
        let mut mesh = mesh(tiles.clone());
        let mut filter = Filter { exclude_flags: 2, ..Filter::default() };
        (filter.area_cost[2], filter.rules.entering_cost[2]) = (3.0, entering);
        let Some(mut goal) = on(&mesh, goal[0], goal[1]) else { return Ok(()) };
        let mut field = flow_field(&mesh, &FlowFieldRequest::new(goal, &filter)).unwrap();
        let mut is_there = [true; 4];
        for change in changes {
            let polys_now = polys(&mesh);
            let poly = |index: prop::sample::Index| polys_now[index.index(polys_now.len())];
            match change {
                Change::Flags(index, is_open) => {
                    mesh.set_flags(poly(index), if is_open { 1 } else { 2 });
                }
                Change::Area(index, area) => {
                    mesh.set_area(poly(index), AreaId(area));
                }
                Change::Tile(index) if is_there[index] => {
                    let coord = tiles[index].header;
                    let is_goal = mesh.resolve(goal.poly).is_some_and(|(tile, _)| {
                        (tile.header.x, tile.header.z) == (coord.x, coord.z)
                    });
                    if !is_goal {
                        let [x, z] = [coord.x, coord.z].map(|n| u32::try_from(n).unwrap());
                        mesh.remove_tiles_at(TileCoord::new(x, z));
                        is_there[index] = false;
                    }
                }
                Change::Tile(index) => {
                    mesh.add_tile(Arc::new(tiles[index].clone())).unwrap();
                    is_there[index] = true;
                }
                Change::Cost(cost) => filter.area_cost[2] = cost,
                Change::Goal(x, z) => goal = on(&mesh, x, z).unwrap_or(goal),
            }
            let request = FlowFieldRequest::new(goal, &filter);
            update_flow_field(&mesh, &request, &mut field).unwrap();
            let new = flow_field(&mesh, &request).unwrap();
            let (known, mut scratch) = (Reachability::new(&mesh, &filter), Scratch::default());
            for (poly, costs) in reference(&mesh, &filter, goal) {
                let crossings = field.snapshot.crossings_of(mesh.number(poly).unwrap());
                for (crossing, cost) in crossings.zip(costs) {
                    prop_assert_eq!(field.costs.of(crossing).to_bits(), cost.to_bits());
                    prop_assert_eq!(new.costs.of(crossing).to_bits(), cost.to_bits());
                }
                let (tile, index) = mesh.resolve(poly).unwrap();
                let corner = tile.vertices[usize::from(tile.polys[index].vertices[0])];
                let from = MeshPoint { poly, point: corner };
                let sample = field.sample(&mesh, from, &mut FlowAgent::default(), &mut scratch);
                prop_assert_eq!(new.cost(&mesh, from), field.cost(&mesh, from));
                let agent = FlowAgent { crossing: (0..99).find_map(|n| field.snapshot.crossings_of(n).next()) };
                let other = field.sample(&mesh, from, &mut { agent }, &mut scratch);
                prop_assert_eq!(other.is_some(), sample.is_some(), "a foreign memory is harmless");
                prop_assert_eq!(field.cost(&mesh, from), sample.as_ref().map(|sample| sample.cost));
                if filter.passes(&tile.polys[index]) {
                    let can_reach = known.can_reach(&mesh, poly, goal.poly);
                    prop_assert_eq!(can_reach, Some(sample.is_some()));
                }
            }
        }
    }

    /// A change far from the goal discards only the paths that lead through it.
    #[test]
    fn small_changes_recompute_little(x in 0i16..40, z in 0i16..3) {
        let row = ".".repeat(4);
        let mut mesh = mesh((0..10).map(|x| tile(x, 0, &[row.as_str(); 4])));
        let filter = Filter::default();
        let goal = on(&mesh, 0.5, 0.5).unwrap();
        let request = FlowFieldRequest::new(goal, &filter);
        let mut field = flow_field(&mesh, &request).unwrap();
        let changed = on(&mesh, f32::from(x) + 0.5, f32::from(z) + 0.5).unwrap();
        mesh.set_flags(changed.poly, 0);
        let update = update_flow_field(&mesh, &request, &mut field).unwrap();
        prop_assert!((2..=4).contains(&update.n_changed), "{:?}", update);
        // Only the paths from behind the changed polygon lead through it.
        let behind = (40 - usize::try_from(x).unwrap()) * 4 * 4 * 3;
        prop_assert!(update.n_recomputed <= behind + 90, "{:?}", update);
    }
}
