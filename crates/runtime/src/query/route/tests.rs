#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "worlds have few tiles, and costs are small"
)]

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BinaryHeap},
    sync::Arc,
};

use glam::Vec3;
use proptest::prelude::*;

use super::*;
use crate::{
    ids::{AreaId, TileCoord},
    navmesh::{
        Poly, PolyRef, Tile,
        sample::{connect, mesh, tile},
    },
    query::{Filter, NearestRequest, nearest},
};

pub(super) fn on(mesh: &NavMesh, x: f32, z: f32) -> Option<MeshPoint> {
    let (center, half_extents) = (Vec3::new(x, 0.0, z), Vec3::splat(0.3));
    let request = NearestRequest { center, half_extents, filter: &Filter::default() };
    nearest(mesh, &request).unwrap()
}

pub(super) fn ground(mesh: &NavMesh, poly: PolyRef) -> &Poly {
    let (tile, index) = mesh.resolve(poly).unwrap();
    &tile.polys[index]
}

fn way(filter: &Filter, from: Vec3, to: Vec3, area: AreaId) -> i64 {
    let per_meter = f64::from(filter.area_cost[usize::from(area.0)]);
    (from.as_dvec3().distance(to.as_dvec3()) * per_meter * 1024.0).ceil().max(1.0) as i64
}

fn entering(mesh: &NavMesh, filter: &Filter, from: PolyRef, to: PolyRef) -> i64 {
    let [from, to] = [from, to].map(|poly| ground(mesh, poly).area);
    let cost = f64::from(filter.rules.entering_cost[usize::from(to.0)]);
    if from == to { 0 } else { (cost * 1024.0).ceil() as i64 }
}

/// Returns the lowest cost in 1024ths, found by a search over all links.
pub(super) fn reference(
    mesh: &NavMesh,
    filter: &Filter,
    start: MeshPoint,
    end: MeshPoint,
) -> Option<i64> {
    let straight = way(filter, start.point, end.point, ground(mesh, start.poly).area);
    let mut best = (start.poly == end.poly).then_some(straight);
    let mut costs: BTreeMap<(PolyRef, usize), i64> = BTreeMap::new();
    let mut queue = BinaryHeap::new();
    let mut expand = |at: MeshPoint, cost: i64, queue: &mut BinaryHeap<_>| {
        let area = ground(mesh, at.poly).area;
        for (index, link) in mesh.links(at.poly).enumerate() {
            if !filter.passes(ground(mesh, link.to)) {
                continue;
            }
            let point = link.portal.midpoint();
            let cost = cost
                + way(filter, at.point, point, area)
                + entering(mesh, filter, at.poly, link.to);
            let known = costs.entry((at.poly, index)).or_insert(i64::MAX);
            if cost < *known {
                *known = cost;
                queue.push((Reverse(cost), link.to, point.to_array().map(f32::to_bits)));
            }
        }
    };
    expand(start, 0, &mut queue);
    while let Some((Reverse(cost), poly, point)) = queue.pop() {
        let at = MeshPoint { poly, point: Vec3::from_array(point.map(f32::from_bits)) };
        if poly == end.poly {
            let total = cost + way(filter, at.point, end.point, ground(mesh, poly).area);
            best = Some(best.map_or(total, |best| best.min(total)));
        }
        expand(at, cost, &mut queue);
    }
    best
}

/// Returns the cost of a corridor over the midpoints of its portals.
pub(super) fn cost_of(mesh: &NavMesh, filter: &Filter, route: &Route, polys: &[PolyRef]) -> i64 {
    let mut at = route.start.point;
    let mut cost = 0;
    for pair in polys.windows(2) {
        let [from, to] = [pair[0], pair[1]];
        let link = mesh.links(from).find(|link| link.to == to).expect("neighbors are linked");
        assert!(filter.passes(ground(mesh, to)));
        let point = link.portal.midpoint();
        cost += way(filter, at, point, ground(mesh, from).area) + entering(mesh, filter, from, to);
        at = point;
    }
    cost + way(filter, at, route.end.point, ground(mesh, *polys.last().unwrap()).area)
}

fn check(mesh: &NavMesh, overlay: &RouteOverlay, filter: &Filter, [start, end]: [MeshPoint; 2]) {
    let mut scratch = Scratch::default();
    let route = find_route(mesh, &RouteRequest::new(start, end, overlay), &mut scratch).unwrap();
    let expected = reference(mesh, filter, start, end);
    assert_eq!(route.as_ref().map(|route| i64::from(route.exact_cost)), expected);
    let Some(route) = route else { return };
    let polys = route_corridor(mesh, overlay, &route, 0..route.n_legs(), &mut scratch).unwrap();
    assert_eq!((polys[0], *polys.last().unwrap()), (start.poly, end.poly));
    assert_eq!(Some(cost_of(mesh, filter, &route, &polys)), expected);
}

const PICTURES: [[&str; 2]; 7] = [
    ["..", ".."],
    [".#", ".."],
    ["#.", "2."],
    ["22", ".."],
    ["..", "##"],
    [".3", "3."],
    [".#", "#."],
];

/// Returns a world of tiles of 2 × 2 m, and a filter.
pub(super) fn world() -> impl Strategy<Value = (NavMesh, Filter)> {
    let sizes = prop_oneof![Just((9, 9)), Just((40, 3)), Just((3, 70)), Just((1, 1))];
    let worlds = sizes.prop_flat_map(|(width, height)| {
        let jump = (0..width, 0..height, -2..=2_i16, 0..2_u8);
        let tiles = prop::collection::vec(0..14_usize, (width * height) as usize);
        (Just(width), tiles, prop::collection::vec(jump, 0..4))
    });
    let costs = (0.0..4.0_f32, 0.5..8.0_f32, 0.0..3.0_f32, any::<bool>());
    (worlds, costs).prop_map(|((width, pictures, jumps), (ground, water, into, shuns))| {
        let tiles = (0..).zip(&pictures).map(|(at, &picture)| {
            let (x, z) = (at % width, at / width);
            let mut made = tile(x, z, &PICTURES[picture.saturating_sub(7)]);
            for &(jump_x, jump_z, along, is_both) in &jumps {
                if (jump_x, jump_z) == (x, z) && !made.polys.is_empty() {
                    let from = Vec3::new(f32::from(x) * 2.0 + 0.5, 0.0, f32::from(z) * 2.0 + 0.5);
                    let to = from + Vec3::new(f32::from(along), 0.0, 0.0);
                    let side = if along.abs() < 2 {
                        0xff
                    } else if along > 0 {
                        0
                    } else {
                        4
                    };
                    connect(&mut made, [from, to], is_both, side);
                }
            }
            made
        });
        let mesh = mesh(tiles.collect::<Vec<_>>());
        let area_cost = [ground.max(0.0); AreaId::COUNT];
        let mut filter = Filter { area_cost, ..Filter::default() };
        filter.area_cost[2] = water;
        filter.rules.entering_cost[3] = into;
        if shuns {
            filter.rules.entering_cost[2] = into;
        }
        (mesh, filter)
    })
}

pub(super) fn points(mesh: &NavMesh, [a, b]: [usize; 2]) -> Option<[MeshPoint; 2]> {
    let all: Vec<MeshPoint> = mesh
        .slots()
        .flat_map(|(slot, tile)| {
            let grounds = (0..tile.header.off_mesh_base as usize).collect::<Vec<_>>();
            grounds.into_iter().map(move |poly| {
                let corners = tile.corners(&tile.polys[poly]);
                let [first, across] = [corners[0], corners[2]];
                let point = first.lerp(across, 0.3);
                MeshPoint { poly: mesh.poly_ref(slot, poly).unwrap(), point }
            })
        })
        .collect();
    (!all.is_empty()).then(|| [all[a % all.len()], all[b % all.len()]])
}

/// A world of which only some tiles are loaded.
pub(super) struct LoadedPart {
    tiles: BTreeMap<TilePlace, Arc<Tile>>,
    pub(super) mesh: NavMesh,
}

impl LoadedPart {
    pub(super) fn of(whole: &NavMesh) -> Self {
        // Tiles in a navmesh have off-mesh links whose ends were moved; tiles in files have the original ends.
        let given = |tile: &Arc<Tile>| {
            let mut tile = Tile::clone(tile);
            for link in &tile.off_mesh {
                let [start, end, ..] = tile.polys[usize::from(link.poly)].vertices;
                tile.vertices[usize::from(start)] = link.ends[0];
                tile.vertices[usize::from(end)] = link.ends[1];
            }
            (TilePlace::of(&tile), Arc::new(tile))
        };
        let tiles: BTreeMap<_, _> = whole.slots().map(|(_, tile)| given(tile)).collect();
        let mut mesh = NavMesh::new(*whole.params()).unwrap();
        mesh.set_world(tiles.keys().copied().collect());
        Self { tiles, mesh }
    }

    /// Loads these tiles, and drops all others.
    pub(super) fn load(&mut self, places: &[TilePlace]) {
        let loaded: Vec<_> = self.mesh.tiles().map(TilePlace::of).collect();
        for &place in loaded.iter().filter(|place| !places.contains(place)) {
            self.mesh.remove_at(place);
        }
        for &place in places {
            if !self.mesh.has_tile(place) {
                self.mesh.add_tile(Arc::clone(&self.tiles[&place])).unwrap();
            }
        }
    }
}

proptest! {
    #[test]
    fn routes_cost_as_much_as_those_of_a_search_over_all_links(
        (mesh, filter) in world(),
        ends in prop::collection::vec(any::<[usize; 2]>(), 1..6),
    ) {
        let overlay = RouteOverlay::new(&mesh, &filter).unwrap();
        for ends in ends {
            if let Some(ends) = points(&mesh, ends) {
                check(&mesh, &overlay, &filter, ends);
            }
        }
    }

    #[test]
    fn an_updated_overlay_finds_the_same_costs_as_a_new_one(
        (mut mesh, filter) in world(),
        ends in any::<[usize; 2]>(),
        changes in prop::collection::vec((any::<usize>(), 0..PICTURES.len() + 2), 1..4),
    ) {
        let mut overlay = RouteOverlay::new(&mesh, &filter).unwrap();
        for (at, picture) in changes {
            let coords: Vec<(i32, i32)> =
                mesh.tiles().map(|tile| (tile.header.x, tile.header.z)).collect();
            let (x, z) = coords[at % coords.len()];
            let before = mesh.to_bytes();
            if let Some(picture) = PICTURES.get(picture) {
                mesh.remove_tiles_at(TileCoord::new(x as u32, z as u32));
                mesh.add_tile(Arc::new(tile(x as i16, z as i16, picture))).unwrap();
            } else if coords.len() > 1 && picture == PICTURES.len() {
                mesh.remove_tiles_at(TileCoord::new(x as u32, z as u32));
            } else if let Some([poly, _]) = points(&mesh, [at, at]) {
                mesh.set_area(poly.poly, AreaId(2));
            }
            // A changed reference is not a change of the tile.
            let contents = |bytes: Vec<u8>| NavMesh::from_bytes(&bytes).unwrap();
            let tiles = |bytes| contents(bytes).tiles().cloned().collect::<Vec<_>>();
            let is_changed = tiles(before) != tiles(mesh.to_bytes());
            prop_assert_eq!(overlay.update(&mesh).unwrap().n_tiles > 0, is_changed);
            if let Some(ends) = points(&mesh, ends) {
                check(&mesh, &overlay, &filter, ends);
            }
        }
        let mut n_left = overlay.refresh(0);
        while n_left > 0 {
            n_left = overlay.refresh(1);
            if let Some(ends) = points(&mesh, ends) {
                check(&mesh, &overlay, &filter, ends);
            }
        }
        // All costs are equal, whatever the order of the polygon links.
        let fresh = RouteOverlay::new(&mesh, &filter).unwrap();
        prop_assert!(overlay.to_bytes() == fresh.to_bytes());
    }

    #[test]
    fn a_saved_overlay_is_read_back(
        (mesh, filter) in world(),
        ends in any::<[usize; 2]>(),
    ) {
        let overlay = RouteOverlay::new(&mesh, &filter).unwrap();
        let bytes = overlay.to_bytes();
        let mut read = RouteOverlay::from_bytes(&bytes, &filter).unwrap();
        prop_assert_eq!(read.to_bytes(), bytes);
        prop_assert_eq!(read.update(&mesh).unwrap(), RouteUpdate::default());
        if let Some(ends) = points(&mesh, ends) {
            check(&mesh, &read, &filter, ends);
        }
    }

    /// Routes across tiles that are not loaded cost as much as those in the whole navmesh, and their corridors can be
    /// found leg by leg.
    #[test]
    fn routes_lead_through_tiles_that_are_not_loaded(
        (whole, filter) in world(),
        ends in prop::collection::vec(any::<[usize; 2]>(), 1..4),
    ) {
        let mut part = LoadedPart::of(&whole);
        let mut overlay = RouteOverlay::new(&part.mesh, &filter).unwrap();
        let n_cells = overlay.n_waiting();
        let mut n_computed = 0;
        while let Some(needed) = overlay.needed_tiles() {
            part.load(&needed);
            n_computed += 1;
            overlay.update(&part.mesh).unwrap();
            prop_assert!(n_computed <= n_cells);
        }
        prop_assert_eq!(overlay.refresh(usize::MAX), 0);
        prop_assert!(overlay.to_bytes() == RouteOverlay::new(&whole, &filter).unwrap().to_bytes());
        let mut scratch = Scratch::default();
        for ends in ends {
            let Some([start, end]) = points(&whole, ends) else { continue };
            let expected = reference(&whole, &filter, start, end);
            let [start_poly, end_poly] =
                [start, end].map(|end| whole.tile_poly(end.poly).unwrap());
            prop_assert_eq!(overlay.can_reach(start_poly, end_poly), Some(expected.is_some()));
            part.load(&[]);
            let mut needed = overlay.tiles_at(start_poly.tile);
            needed.extend(overlay.tiles_at(end_poly.tile));
            part.load(&needed);
            prop_assert_eq!(overlay.update(&part.mesh).unwrap(), RouteUpdate::default());
            let [here, there] = [(start, start_poly), (end, end_poly)].map(|(end, poly)| {
                MeshPoint { poly: part.mesh.find_poly(poly).unwrap(), point: end.point }
            });
            let request = RouteRequest::new(here, there, &overlay);
            let route = find_route(&part.mesh, &request, &mut scratch).unwrap();
            prop_assert_eq!(route.as_ref().map(|route| i64::from(route.exact_cost)), expected);
            let Some(mut route) = route else { continue };
            let mut polys = Vec::new();
            let mut leg = 0;
            while leg < route.n_legs() {
                let legs = route.split(&overlay, leg..leg + 1, &mut scratch).unwrap();
                leg = legs.end;
                for leg in legs {
                    let mut needed = route.tiles(&overlay, leg);
                    prop_assert!(needed.len() <= 16);
                    let missing = needed.pop().unwrap();
                    part.load(&needed);
                    overlay.update(&part.mesh).unwrap();
                    let corridor = |part: &LoadedPart, overlay: &RouteOverlay, scratch: &mut Scratch| {
                        route_corridor(&part.mesh, overlay, &route, leg..leg + 1, scratch)
                    };
                    let refused = QueryError::TileNotLoaded { tile: missing };
                    let found = corridor(&part, &overlay, &mut scratch);
                    prop_assert_eq!(found, Err(refused));
                    needed.push(missing);
                    part.load(&needed);
                    overlay.update(&part.mesh).unwrap();
                    let found = corridor(&part, &overlay, &mut scratch).unwrap();
                    polys.extend(found.into_iter().map(|poly| part.mesh.tile_poly(poly).unwrap()));
                }
            }
            let polys: Vec<_> =
                polys.into_iter().map(|poly| whole.find_poly(poly).unwrap()).collect();
            let whole_route = Route { start, end, ..route };
            prop_assert_eq!(Some(cost_of(&whole, &filter, &whole_route, &polys)), expected);
        }
    }

    /// Cells that have changed are computed when the tiles around them are loaded.
    #[test]
    fn cells_wait_for_tiles_that_are_not_loaded(
        (mut whole, filter) in world(),
        changes in prop::collection::vec((any::<usize>(), 0..PICTURES.len()), 1..4),
        ends in any::<[usize; 2]>(),
    ) {
        let mut overlay = RouteOverlay::new(&whole, &filter).unwrap();
        let mut part = LoadedPart::of(&whole);
        overlay.update(&part.mesh).unwrap();
        prop_assert_eq!(overlay.n_waiting(), 0);
        for (at, picture) in changes {
            let places: Vec<_> = whole.tiles().map(TilePlace::of).collect();
            let place = places[at % places.len()];
            let made = Arc::new(tile(place.x as i16, place.z as i16, &PICTURES[picture]));
            whole.remove_at(place);
            whole.add_tile(Arc::clone(&made)).unwrap();
            part.tiles.insert(place, made);
            part.load(&[]);
            part.load(&[place]);
            overlay.update(&part.mesh).unwrap();
            let bytes = overlay.to_bytes();
            overlay = RouteOverlay::from_bytes(&bytes, &filter).unwrap();
            prop_assert!(overlay.to_bytes() == bytes);
        }
        let mut n = 0;
        while let Some(needed) = overlay.needed_tiles() {
            part.load(&needed);
            overlay.update(&part.mesh).unwrap();
            n += 1;
            prop_assert!(n < 10_000);
        }
        overlay.refresh(usize::MAX);
        overlay.update(&whole).unwrap();
        prop_assert!(overlay.to_bytes() == RouteOverlay::new(&whole, &filter).unwrap().to_bytes());
        if let Some(ends) = points(&whole, ends) {
            check(&whole, &overlay, &filter, ends);
        }
    }
}

#[test]
fn an_overlay_of_another_state_is_refused() {
    let mut mesh = mesh((0..9).map(|x| tile(x, 0, &["..", ".."])));
    let filter = Filter::default();
    let mut overlay = RouteOverlay::new(&mesh, &filter).unwrap();
    let ends = [on(&mesh, 0.5, 0.5).unwrap(), on(&mesh, 16.5, 0.5).unwrap()];
    let find = |mesh: &NavMesh, overlay: &RouteOverlay| {
        find_route(mesh, &RouteRequest::new(ends[0], ends[1], overlay), &mut Scratch::default())
    };
    let route = find(&mesh, &overlay).unwrap().unwrap();
    assert_eq!((route.cost, route.crossings.len()), (16.0, 2));
    assert!(mesh.set_flags(ends[1].poly, 2));
    assert_eq!(find(&mesh, &overlay), Err(QueryError::StaleOverlay));
    // No cost changes, so only the cell of the tile is computed.
    assert_eq!(overlay.update(&mesh).unwrap(), RouteUpdate { n_tiles: 1, n_cells: 1 });
    assert!(find(&mesh, &overlay).unwrap().is_some());
    assert_eq!(overlay.update(&mesh).unwrap(), RouteUpdate { n_tiles: 0, n_cells: 0 });
}

#[test]
fn a_route_that_costs_too_much_is_an_error_and_not_unreachable() {
    let mesh = mesh((0..9).map(|x| tile(x, 0, &["..", ".."])));
    let ends = [on(&mesh, 0.5, 0.5).unwrap(), on(&mesh, 16.5, 0.5).unwrap()];
    let mut filter = Filter::default();
    for (cost, expected) in [(30_000.0, true), (60_000.0, false), (1e9, false)] {
        filter.area_cost[0] = cost;
        let overlay = RouteOverlay::new(&mesh, &filter).unwrap();
        let request = RouteRequest::new(ends[0], ends[1], &overlay);
        let found = find_route(&mesh, &request, &mut Scratch::default());
        assert_eq!(found.clone().map(|route| route.is_some()).ok(), expected.then_some(true));
        assert!(expected || found == Err(QueryError::RouteTooExpensive));
    }
}

#[test]
fn can_reach_follows_one_way_links_and_changes() {
    // Three rows of rooms; a jump leads from the first to the second, nothing to the third.
    let mut tiles: Vec<_> =
        (0..3).flat_map(|z| (0..9).map(move |x| tile(x, z, &["..", "##"]))).collect();
    connect(&mut tiles[4], [Vec3::new(8.5, 0.0, 0.5), Vec3::new(8.5, 0.0, 2.5)], 0, 2);
    let mut mesh = mesh(tiles);
    let mut overlay = RouteOverlay::new(&mesh, &Filter::default()).unwrap();
    let [first, second, third] = [0.5, 2.5, 4.5].map(|z| on(&mesh, 0.5, z).unwrap());
    let can = |overlay: &RouteOverlay, mesh: &NavMesh, from: MeshPoint, to: MeshPoint| {
        let [a, b] = [from, to].map(|end| mesh.tile_poly(end.poly).unwrap());
        let request = RouteRequest::new(from, to, overlay);
        let route = find_route(mesh, &request, &mut Scratch::default()).unwrap();
        assert_eq!(overlay.can_reach(a, b), Some(route.is_some()));
        route.is_some()
    };
    let reached = |overlay: &RouteOverlay, mesh: &NavMesh| {
        [(first, second), (second, first), (first, third), (third, first)]
            .map(|(from, to)| can(overlay, mesh, from, to))
    };
    assert_eq!(reached(&overlay, &mesh), [true, false, false, false]);
    // The second row is closed behind the end of the jump.
    let wall = on(&mesh, 2.5, 2.5).unwrap().poly;
    mesh.set_flags(wall, 0);
    overlay.update(&mesh).unwrap();
    assert_eq!(reached(&overlay, &mesh), [false; 4]);
    mesh.set_flags(wall, 1);
    overlay.update(&mesh).unwrap();
    assert_eq!(reached(&overlay, &mesh), [true, false, false, false]);
    let unknown = TilePoly { tile: TilePlace { z: 0, x: 99, layer: 0 }, poly: 0 };
    let known = mesh.tile_poly(first.poly).unwrap();
    assert_eq!(overlay.can_reach(known, unknown), None);
    assert_eq!(overlay.can_reach(known, TilePoly { poly: 9, ..known }), None);
}

#[test]
fn damaged_files_and_other_filters_are_refused() {
    let mesh = mesh((0..9).map(|x| tile(x, 0, &["..", ".2"])));
    let filter = Filter::default();
    let bytes = RouteOverlay::new(&mesh, &filter).unwrap().to_bytes();
    let read = |bytes: &[u8], filter: &Filter| RouteOverlay::from_bytes(bytes, filter).map(drop);
    assert_eq!(read(&bytes, &filter), Ok(()));
    let mut other = filter.clone();
    other.area_cost[2] = 3.0;
    assert_eq!(read(&bytes, &other), Err(RouteFileError::OtherFilter));
    for at in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1;
        assert!(read(&damaged, &filter).is_err(), "byte {at}");
        assert!(read(&bytes[..at], &filter).is_err(), "{at} bytes");
    }
}

#[test]
fn a_route_that_no_longer_exists_is_refused() {
    let mut mesh = mesh((0..9).map(|x| tile(x, 0, &["..", ".."])));
    let filter = Filter::default();
    let mut overlay = RouteOverlay::new(&mesh, &filter).unwrap();
    let ends = [on(&mesh, 0.5, 0.5).unwrap(), on(&mesh, 16.5, 0.5).unwrap()];
    let mut scratch = Scratch::default();
    let request = RouteRequest::new(ends[0], ends[1], &overlay);
    let mut route = find_route(&mesh, &request, &mut scratch).unwrap().unwrap();
    mesh.remove_tiles_at(TileCoord::new(4, 0));
    overlay.update(&mesh).unwrap();
    let stale = Err(QueryError::StaleRoute);
    assert_eq!(route_corridor(&mesh, &overlay, &route, 1..2, &mut scratch), stale);
    assert_eq!(route.split(&overlay, 1..2, &mut scratch).map(drop), Err(QueryError::StaleRoute));
    // The last leg does not lead through it.
    assert!(route_corridor(&mesh, &overlay, &route, 2..3, &mut scratch).is_ok());
}
