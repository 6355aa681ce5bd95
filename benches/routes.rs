//! Compares routes across a large navmesh with A*. `cargo bench -p walkable --bench routes` bakes a town of 2 km, `--
//! 5000` one of 5 km, and `-- FILE` loads a tile set or a tile store instead. All times are processor time; a search is
//! measured three times in a row, and its shortest time counts. "Cold" means single searches, A* and routes
//! alternating.
//!
//! `-- 5000 FILE.tri` only writes the town, and `-- 5000 FILE.tri terrain` a terrain; `block` adds a block in the
//! middle. `.ci/worlds` and `.ci/shards` use these files.

#![expect(
    clippy::cast_sign_loss,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a program that shows its result, in rounded numbers"
)]

use std::{path::Path, sync::Arc};

use cpu_time::ProcessTime;
use walkable::{
    ids::TileCoord,
    navmesh::{NavMesh, Poly},
    query::{
        Corridor, CorridorRequest, Filter, MeshPoint, RouteOverlay, RouteRequest, Scratch,
        find_corridor_into, find_route, route_corridor,
    },
};
use walkable_runtime::random::Random;
use walkable_test_support::worlds::{
    Times, World, far, far_points, megabytes, nav_mesh, shortest, timed, write_world,
    write_world_with_block,
};

const N_ROUTES: usize = 200;
const N_UPDATES: usize = 50;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    if let [size, file, words @ ..] = &args[..] {
        let size = size.parse().unwrap();
        let has = |word: &str| words.iter().any(|found| found == word);
        let world = if has("terrain") { World::Terrain } else { World::Town };
        let write = if has("block") { write_world_with_block } else { write_world };
        return write(world, size, Path::new(file));
    }
    let mut mesh = nav_mesh(args.first().map_or("2000", String::as_str));
    let filter = Filter::default();
    let n_polys: usize = mesh.tiles().map(|tile| tile.polys.len()).sum();
    println!("{} tiles, {n_polys} polygons", mesh.tiles().count());
    let clock = ProcessTime::now();
    let mut overlay = RouteOverlay::new(&mesh, &filter).unwrap();
    let time = clock.elapsed();
    let (n_bytes, n_mesh) = (overlay.n_bytes(), mesh.to_bytes().len());
    println!(
        "overlay: {:.0} ms, {:.1} MB, {:.0} % of the navmesh's file",
        time.as_secs_f64() * 1e3,
        megabytes(n_bytes),
        100.0 * megabytes(n_bytes) / megabytes(n_mesh),
    );

    println!("routes between points at least {:.0} m apart:", far(&mesh));
    let pairs: Vec<_> = far_points(&mesh, &filter).take(N_ROUTES).collect();
    println!("| | median, ms | 95 %, ms | longest, ms | mean, ms |");
    println!("|---|---:|---:|---:|---:|");
    measure_routes(&mesh, &overlay, &filter, &pairs);
    measure_updates(&mut mesh, &mut overlay);
}

/// Measures searches between pairs of points.
fn measure_routes(
    mesh: &NavMesh,
    overlay: &RouteOverlay,
    filter: &Filter,
    pairs: &[[MeshPoint; 2]],
) {
    let [mut by_astar, mut by_route, mut with_polys] = <[Times; 3]>::default();
    let [mut astar_without_route, mut without_route, mut partial_routes] = <[Times; 3]>::default();
    let [mut cold_astar, mut cold_route] = <[Times; 2]>::default();
    let (mut cost, mut astar_cost, mut n_cells, mut n_routes) = (0.0, 0.0, 0, 0);
    let mut scratch = Scratch::default();
    let mut corridor = Corridor::default();
    for &[start, end] in pairs {
        let request =
            CorridorRequest { max_nodes: usize::MAX, ..CorridorRequest::new(start, end, filter) };
        let mut astar = |scratch: &mut Scratch| {
            find_corridor_into(mesh, &request, scratch, &mut corridor).unwrap();
            (corridor.is_complete, corridor.cost)
        };
        let (astar_time, (is_complete, corridor_cost)) = shortest(|| astar(&mut scratch));
        let request = RouteRequest::new(start, end, overlay);
        let (route_time, route) = shortest(|| find_route(mesh, &request, &mut scratch).unwrap());
        let Some(route) = route else {
            assert!(!is_complete);
            without_route.push(route_time);
            astar_without_route.push(astar_time);
            let partial = RouteRequest { allows_partial: true, ..request };
            let (time, _) = shortest(|| find_route(mesh, &partial, &mut scratch).unwrap());
            partial_routes.push(time);
            continue;
        };
        let legs = 0..route.n_legs();
        let (polys_time, _) =
            shortest(|| route_corridor(mesh, overlay, &route, legs.clone(), &mut scratch).unwrap());
        by_astar.push(astar_time);
        by_route.push(route_time);
        with_polys.push(route_time + polys_time);
        cold_astar.push(timed(|| astar(&mut scratch)).0);
        cold_route.push(timed(|| find_route(mesh, &request, &mut scratch).unwrap()).0);
        cost += f64::from(route.cost);
        astar_cost += f64::from(corridor_cost);
        n_cells += route.n_cells;
        n_routes += 1;
    }
    row("A*", &by_astar);
    row("route", &by_route);
    row("route with all polygons", &with_polys);
    row("A*, cold", &cold_astar);
    row("route, cold", &cold_route);
    row("A*, unreachable", &astar_without_route);
    row("route, unreachable", &without_route);
    row("partial route instead", &partial_routes);
    let ratio = |astar: &Times, route: &Times| astar.mean() / route.mean();
    let [warm, cold] = [ratio(&by_astar, &by_route), ratio(&cold_astar, &cold_route)];
    println!("A* takes {warm:.0} times as long as a route, {cold:.0} times cold");
    println!("A* finds corridors that cost {:.2} % more", 100.0 * (astar_cost / cost - 1.0));
    println!("{} cells per route", n_cells / n_routes);
}

/// Replaces tiles and restores them, with the same ground and with other ground.
fn measure_updates(mesh: &mut NavMesh, overlay: &mut RouteOverlay) {
    let tiles: Vec<_> = mesh.slots().map(|(_, tile)| Arc::clone(tile)).collect();
    let unused: fn(&mut Poly) = |poly| poly.flags ^= 0x4000;
    let closed: fn(&mut Poly) = |poly| poly.flags = 0;
    for (kind, change) in [("the same costs", unused), ("a polygon closed or opened", closed)] {
        let (mut updates, mut refreshes) = (Times::default(), Times::default());
        let mut random = Random::new(2);
        for _ in 0..N_UPDATES {
            let original = &tiles[random.below(tiles.len())];
            let mut changed = (**original).clone();
            let poly = random.below(changed.polys.len());
            change(&mut changed.polys[poly]);
            let coord = TileCoord::new(original.header.x as u32, original.header.z as u32);
            for tile in [Arc::new(changed), Arc::clone(original)] {
                mesh.remove_tiles_at(coord);
                mesh.add_tile(tile).unwrap();
                let clock = ProcessTime::now();
                overlay.update(mesh).expect("few links");
                updates.push(clock.elapsed());
                let clock = ProcessTime::now();
                overlay.refresh(usize::MAX);
                refreshes.push(clock.elapsed());
            }
        }
        row(&format!("update after a replaced tile, {kind}"), &updates);
        row(&format!("refresh of the largest cells, {kind}"), &refreshes);
    }
}

fn row(name: &str, times: &Times) {
    if times.is_empty() {
        return;
    }
    let [median, most, longest] = [0.5, 0.95, 1.0].map(|share| times.quantile(share));
    println!("| {name} | {median:.3} | {most:.3} | {longest:.3} | {:.3} |", times.mean());
}
