use std::collections::BTreeSet;

use proptest::prelude::*;

use super::{
    tests::{LoadedPart, cost_of, ground, on, points, reference, world},
    *,
};
use crate::{
    navmesh::{
        PolyKind, PolyRef,
        sample::{connect, mesh, tile},
    },
    query::{Filter, WhyNot, closest_point},
};

/// Returns the polygons that a search over all links reaches.
fn reached(mesh: &NavMesh, filter: &Filter, start: PolyRef) -> BTreeSet<PolyRef> {
    let mut reached = BTreeSet::from([start]);
    let mut open = vec![start];
    while let Some(poly) = open.pop() {
        for link in mesh.links(poly) {
            if filter.passes(ground(mesh, link.to)) && reached.insert(link.to) {
                open.push(link.to);
            }
        }
    }
    reached
}

/// Returns the nearest of the reached ground polygons that are `allowed`, compared one by one.
fn nearest_of(
    mesh: &NavMesh,
    reached: &BTreeSet<PolyRef>,
    point: Vec3,
    allowed: impl Fn(TilePoly) -> bool,
) -> Option<MeshPoint> {
    let candidates = reached.iter().filter_map(|&poly| {
        let place = mesh.tile_poly(poly).unwrap();
        if ground(mesh, poly).kind != PolyKind::Ground || !allowed(place) {
            return None;
        }
        let nearest = closest_point(mesh, poly, point).unwrap().point;
        let distance = nearest.as_dvec3().distance(point.as_dvec3());
        Some((distance, place, MeshPoint { poly, point: nearest }))
    });
    let nearest = candidates.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    nearest.map(|(_, _, place)| place)
}

/// Divides the world into islands by removing a column of tiles.
fn cut(mesh: &mut NavMesh, column: usize) {
    let columns: BTreeSet<i32> = mesh.tiles().map(|tile| tile.header.x).collect();
    let columns: Vec<_> = columns.into_iter().collect();
    let gone = columns[column % columns.len()];
    let places: Vec<_> = mesh.tiles().map(TilePlace::of).filter(|place| place.x == gone).collect();
    for place in places {
        mesh.remove_at(place);
    }
}

proptest! {
    /// A partial route leads to the nearest of the polygons that a search over all links reaches, and has the same cost
    /// as that search.
    #[test]
    fn partial_routes_lead_to_the_nearest_reachable_place(
        (mut mesh, filter) in world(),
        column in any::<usize>(),
        ends in prop::collection::vec(any::<[usize; 2]>(), 1..6),
    ) {
        cut(&mut mesh, column);
        let overlay = RouteOverlay::new(&mesh, &filter).unwrap();
        let mut scratch = Scratch::default();
        for ends in ends {
            let Some([start, end]) = points(&mesh, ends) else { continue };
            let reached = reached(&mesh, &filter, start.poly);
            let expected = nearest_of(&mesh, &reached, end.point, |_| true);
            prop_assert_eq!(
                nearest_reachable(&mesh, &overlay, start, end.point),
                Ok(expected)
            );
            let request =
                RouteRequest { allows_partial: true, ..RouteRequest::new(start, end, &overlay) };
            let route = find_route(&mesh, &request, &mut scratch).unwrap().unwrap();
            let (goal, status) = if reached.contains(&end.poly) {
                (end, PathStatus::Complete)
            } else {
                (expected.unwrap(), PathStatus::Partial)
            };
            prop_assert_eq!((route.end, route.status), (goal, status));
            let cost = reference(&mesh, &filter, start, goal);
            prop_assert_eq!(Some(i64::from(route.exact_cost)), cost);
            let polys =
                route_corridor(&mesh, &overlay, &route, 0..route.n_legs(), &mut scratch).unwrap();
            prop_assert_eq!(polys.last(), Some(&goal.poly));
            prop_assert_eq!(Some(cost_of(&mesh, &filter, &route, &polys)), cost);
        }
    }

    /// Only cells that are loaded completely are considered, and the nearest of their polygons is found exactly.
    #[test]
    fn the_nearest_reachable_place_is_in_a_loaded_cell(
        (mut whole, filter) in world(),
        column in any::<usize>(),
        ends in any::<[usize; 2]>(),
        loaded in prop::collection::vec(any::<usize>(), 0..3),
    ) {
        cut(&mut whole, column);
        let mut part = LoadedPart::of(&whole);
        let mut overlay = RouteOverlay::new(&whole, &filter).unwrap();
        let Some([start, end]) = points(&whole, ends) else { return Ok(()) };
        let from = whole.tile_poly(start.poly).unwrap();
        let places: Vec<_> = whole.tiles().map(TilePlace::of).collect();
        let mut needed = overlay.tiles_at(from.tile);
        needed.extend(loaded.iter().flat_map(|at| overlay.tiles_at(places[at % places.len()])));
        // A tile of this cell is missing.
        let mut broken = overlay.tiles_at(places[ends[0] % places.len()]);
        let missing = broken.pop().unwrap();
        needed.extend(broken);
        if !overlay.tiles_at(from.tile).contains(&missing) {
            needed.retain(|&place| place != missing);
        }
        part.load(&needed);
        overlay.update(&part.mesh).unwrap();
        let poly = part.mesh.find_poly(from).unwrap();
        let found = nearest_reachable(
            &part.mesh, &overlay, MeshPoint { poly, ..start }, end.point,
        );
        let found = found.unwrap().unwrap();
        let reached = reached(&whole, &filter, start.poly);
        let is_loaded = |poly: TilePoly| {
            overlay.tiles_at(poly.tile).iter().all(|&tile| part.mesh.has_tile(tile))
        };
        let expected = nearest_of(&whole, &reached, end.point, is_loaded).unwrap();
        prop_assert_eq!(part.mesh.tile_poly(found.poly), whole.tile_poly(expected.poly));
        prop_assert_eq!(found.point, expected.point);
    }

    /// Two polygons of a cell are in the same cluster if each reaches the other within the cell, and clusters are
    /// linked like their polygons.
    #[test]
    fn clusters_are_the_parts_of_a_cell_and_linked_as_their_polygons((mesh, filter) in world()) {
        let overlay = RouteOverlay::new(&mesh, &filter).unwrap();
        let polys: Vec<PolyRef> = mesh
            .slots()
            .flat_map(|(slot, tile)| (0..tile.polys.len()).map(move |poly| (slot, poly)))
            .map(|(slot, poly)| mesh.poly_ref(slot, poly).unwrap())
            .collect();
        let cluster = |poly| overlay.cluster(mesh.tile_poly(poly).unwrap()).unwrap();
        let of_all: BTreeSet<_> = polys.iter().map(|&poly| cluster(poly)).collect();
        prop_assert_eq!(of_all.len(), overlay.n_clusters());
        let mut links = BTreeSet::new();
        for &from in &polys {
            let tile = mesh.tile_poly(from).unwrap().tile;
            prop_assert_eq!(cluster(from).cell, [tile.x, tile.z].map(|at| at.div_euclid(4)));
            for link in mesh.links(from).filter(|link| filter.passes(ground(&mesh, link.to))) {
                if cluster(from) != cluster(link.to) {
                    links.insert([cluster(from), cluster(link.to)]);
                }
            }
        }
        prop_assert_eq!(overlay.cluster_links(), links.into_iter().collect::<Vec<_>>());
        for &start in polys.iter().take(8) {
            let within = within(&mesh, &filter, start, cluster(start).cell);
            for &other in &within {
                let is_same = cluster(other) == cluster(start);
                let leads_back =
                    self::within(&mesh, &filter, other, cluster(start).cell).contains(&start);
                prop_assert_eq!(is_same, leads_back);
            }
        }
    }
}

/// Returns the polygons that are reached without leaving a cell.
fn within(mesh: &NavMesh, filter: &Filter, start: PolyRef, cell: [i32; 2]) -> BTreeSet<PolyRef> {
    let mut reached = BTreeSet::from([start]);
    let mut open = vec![start];
    while let Some(poly) = open.pop() {
        for link in mesh.links(poly) {
            let tile = mesh.tile_poly(link.to).unwrap().tile;
            let is_inside = [tile.x, tile.z].map(|at| at.div_euclid(4)) == cell;
            if is_inside && filter.passes(ground(mesh, link.to)) && reached.insert(link.to) {
                open.push(link.to);
            }
        }
    }
    reached
}

#[test]
fn a_traced_search_lists_its_cells_by_level() {
    let mesh = mesh((0..80).map(|x| tile(x, 0, &["..", ".."])));
    let overlay = RouteOverlay::new(&mesh, &Filter::default()).unwrap();
    let ends = [on(&mesh, 0.5, 0.5).unwrap(), on(&mesh, 159.5, 0.5).unwrap()];
    let request = RouteRequest::new(ends[0], ends[1], &overlay);
    let mut scratch = Scratch::traced();
    let route = find_route(&mesh, &request, &mut scratch).unwrap().unwrap();
    let cells = scratch.searched_cells();
    let tiles: Vec<_> = cells.iter().map(|cell| (cell.level, cell.tiles.map(|[x, _]| x))).collect();
    assert_eq!(
        tiles,
        [
            (0, [0, 3]),
            (0, [76, 79]),
            (0, [4, 7]),
            (0, [8, 11]),
            (0, [12, 15]),
            (1, [16, 31]),
            (1, [32, 47]),
            (1, [48, 63]),
            (0, [64, 67]),
            (0, [68, 71]),
            (0, [72, 75]),
            // As cheap as the best route that is known.
            (0, [76, 79]),
        ]
    );
    assert_eq!(route.n_cells, cells.len() - 2, "the cells of the ends are searched by polygon");
    assert!(cells[2..].iter().all(|cell| (cell.f - route.cost).abs() < 0.5), "{cells:?}");
    let g: Vec<_> = cells[2..].iter().map(|cell| cell.g).collect();
    assert!(g.is_sorted_by(|a, b| a < b) && (g[0] - 7.5).abs() < 1e-6, "{cells:?}");
    // Finding the corridor searches cells again, but does not record them.
    let n = cells.len();
    route_corridor(&mesh, &overlay, &route, 0..route.n_legs(), &mut scratch).unwrap();
    assert_eq!(scratch.searched_cells().len(), n);
    let mut untraced = Scratch::default();
    find_route(&mesh, &request, &mut untraced).unwrap();
    assert!(untraced.searched_cells().is_empty());
}

#[test]
fn route_paths_end_where_they_can_and_say_why() {
    // Two rows of rooms; a jump leads from the first to the second.
    let mut tiles: Vec<_> =
        (0..2).flat_map(|z| (0..9).map(move |x| tile(x, z, &["..", "##"]))).collect();
    connect(&mut tiles[4], [Vec3::new(8.5, 0.0, 0.5), Vec3::new(8.5, 0.0, 2.5)], 0, 2);
    let mesh = mesh(tiles);
    let filter = Filter::default();
    let overlay = RouteOverlay::new(&mesh, &filter).unwrap();
    let mut scratch = Scratch::default();
    let mut find = |start: [f32; 2], end: [f32; 2], requires_goal| {
        let [start, end] = [start, end].map(|[x, z]| Vec3::new(x, 0.0, z));
        let half_extents = Vec3::splat(0.3);
        let request =
            PathRequest { half_extents, requires_goal, ..PathRequest::new(start, end, &filter) };
        let path = find_route_path(&mesh, &request, &overlay, &mut scratch).unwrap();
        (path.status, path.why, path.points.last().copied())
    };
    let at = |x, z| Some(Vec3::new(x, 0.0, z));
    let (there, back) = ([0.5, 0.5], [17.5, 2.5]);
    assert_eq!(find(there, back, true), (PathStatus::Complete, None, at(17.5, 2.5)));
    let one_way = (PathStatus::Partial, Some(WhyNot::OneWay), at(0.5, 2.0));
    assert_eq!(find(back, there, true), one_way);
    let off = Some(WhyNot::EndOffMesh);
    assert_eq!(find(there, [17.5, 1.5], true), (PathStatus::Unreachable, off, None));
    assert_eq!(find(there, [17.5, 1.4], false), (PathStatus::Partial, off, at(17.5, 1.0)));
}
