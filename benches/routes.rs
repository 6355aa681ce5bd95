//! Routes across a large navmesh: the overlay against A*. `cargo bench -p walkable --bench routes` bakes a town of 2 km,
//! `-- 5000` one of 5 km, and `-- FILE.bin` loads a navmesh instead. All times are processor time; a search is measured
//! three times in a row, and its shortest time counts.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a program that shows its result, in rounded numbers"
)]

use std::{sync::Arc, time::Duration};

use cpu_time::{ProcessTime, ThreadTime};

use walkable::{
    bake::{BakeInput, BakePlan, BakeSettings, Keep, bake_tile},
    glam::Vec3,
    ids::TileCoord,
    level::{LevelKind, generate},
    mesh::TriMesh,
    monitor::Unmonitored,
    navmesh::{NavMesh, Poly},
    query::{
        Corridor, CorridorRequest, Filter, MeshPoint, RandomPointRequest, RouteOverlay,
        RouteRequest, Scratch, TileChoice, find_corridor_into, find_route, random_point,
        route_corridor,
    },
};
use walkable_runtime::{random::Random, side_by_side};

/// The side of the default town, and of the largest one that is not joined from several, in meters.
const SIZE: f32 = 2000.0;
const N_ROUTES: usize = 200;
const N_UPDATES: usize = 50;

fn main() {
    let chosen = std::env::args().skip(1).find(|arg| arg != "--bench");
    let mut mesh = match chosen.as_deref().map(|chosen| (chosen, chosen.parse())) {
        None => bake_town(SIZE),
        Some((_, Ok(size))) => bake_town(size),
        Some((file, Err(_))) => NavMesh::from_bytes(&std::fs::read(file).unwrap()).unwrap(),
    };
    let filter = Filter::default();
    let n_polys: usize = mesh.tiles().map(|tile| tile.polys.len()).sum();
    println!("{} tiles, {n_polys} polygons", mesh.tiles().count());
    let clock = ProcessTime::now();
    let mut overlay = RouteOverlay::new(&mesh, &filter).unwrap();
    let time = clock.elapsed();
    let (n_bytes, n_mesh) = (overlay.n_bytes(), mesh.to_bytes().len());
    println!(
        "overlay: {} ms, {:.1} MB, {:.0} % of the navmesh's file",
        millis(time),
        megabytes(n_bytes),
        100.0 * megabytes(n_bytes) / megabytes(n_mesh),
    );

    let far = 0.75 * mesh.bounds().size().with_y(0.0).max_element();
    println!("routes between points at least {far:.0} m apart:");
    let (mut by_route, mut with_polys, mut by_astar) = (Vec::new(), Vec::new(), Vec::new());
    let (mut without_route, mut astar_without_route) = (Vec::new(), Vec::new());
    let mut partial_routes = Vec::new();
    let (mut cost, mut astar_cost, mut n_cells) = (0.0, 0.0, 0);
    let mut scratch = Scratch::default();
    let mut corridor = Corridor::default();
    for [start, end] in far_points(&mesh, &filter, far) {
        let request =
            CorridorRequest { max_nodes: usize::MAX, ..CorridorRequest::new(start, end, &filter) };
        let (astar_time, ()) = shortest(|| {
            find_corridor_into(&mesh, &request, &mut scratch, &mut corridor).unwrap();
        });
        let request = RouteRequest::new(start, end, &overlay);
        let (route_time, route) = shortest(|| find_route(&mesh, &request, &mut scratch).unwrap());
        let Some(route) = route else {
            assert!(!corridor.is_complete);
            without_route.push(route_time);
            astar_without_route.push(astar_time);
            let partial = RouteRequest { allows_partial: true, ..request };
            let (time, _) = shortest(|| find_route(&mesh, &partial, &mut scratch).unwrap());
            partial_routes.push(time);
            continue;
        };
        let legs = 0..route.n_legs();
        let (polys_time, _) = shortest(|| {
            route_corridor(&mesh, &overlay, &route, legs.clone(), &mut scratch).unwrap()
        });
        by_astar.push(astar_time);
        by_route.push(route_time);
        with_polys.push(route_time + polys_time);
        cost += f64::from(route.cost);
        astar_cost += f64::from(corridor.cost);
        n_cells += route.n_cells;
    }
    println!("| | median, ms | 95 %, ms | longest, ms | mean, ms |");
    println!("|---|---:|---:|---:|---:|");
    row("A*", &mut by_astar);
    row("route", &mut by_route);
    row("route with all polygons", &mut with_polys);
    row("A*, unreachable", &mut astar_without_route);
    row("route, unreachable", &mut without_route);
    row("partial route instead", &mut partial_routes);
    let mean =
        |times: &[Duration]| times.iter().sum::<Duration>().as_secs_f64() / times.len() as f64;
    println!("A* takes {:.0} times as long as a route", mean(&by_astar) / mean(&by_route));
    println!("A* finds corridors that cost {:.2} % more", 100.0 * (astar_cost / cost - 1.0));
    println!("{} cells per route", n_cells / by_route.len());
    measure_updates(&mut mesh, &mut overlay);
}

/// Replaces tiles and restores them, with the same ground and with other ground.
fn measure_updates(mesh: &mut NavMesh, overlay: &mut RouteOverlay) {
    let tiles: Vec<_> = mesh.slots().map(|(_, tile)| Arc::clone(tile)).collect();
    let unused: fn(&mut Poly) = |poly| poly.flags ^= 0x4000;
    let closed: fn(&mut Poly) = |poly| poly.flags = 0;
    for (kind, change) in [("the same costs", unused), ("a polygon closed or opened", closed)] {
        let (mut updates, mut refreshes) = (Vec::new(), Vec::new());
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
                overlay.update(mesh);
                updates.push(clock.elapsed());
                let clock = ProcessTime::now();
                overlay.refresh(usize::MAX);
                refreshes.push(clock.elapsed());
            }
        }
        row(&format!("update after a replaced tile, {kind}"), &mut updates);
        row(&format!("refresh of the largest cells, {kind}"), &mut refreshes);
    }
}

/// The result of the last of three runs, and the processor time of the shortest.
fn shortest<T>(mut run: impl FnMut() -> T) -> (Duration, T) {
    let mut timed = || {
        let clock = ThreadTime::now();
        let result = run();
        (clock.elapsed(), result)
    };
    let before = timed().0.min(timed().0);
    let (last, result) = timed();
    (before.min(last), result)
}

fn bake_town(size: f32) -> NavMesh {
    let settings = BakeSettings { tile_size: 64, ..BakeSettings::default() };
    let plan = BakePlan::new(BakeInput::new(Arc::new(town(size)), settings)).unwrap();
    let coords: Vec<TileCoord> = plan.tiles().collect();
    let tile = |&coord: &TileCoord| bake_tile(&plan, coord, Keep::Tile, &Unmonitored).unwrap().tile;
    let tiles = side_by_side::each(&coords, usize::MAX, tile);
    plan.link(tiles.into_iter().flatten().map(Arc::new)).unwrap()
}

/// A town; a large one is a square of smaller ones, side by side.
fn town(size: f32) -> TriMesh {
    let n = (size / SIZE).ceil() as u16;
    let side = size / f32::from(n);
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for at in 0..n * n {
        let piece = generate(LevelKind::Town, u64::from(at) + 1, side).unwrap().mesh;
        let corner = Vec3::new(f32::from(at % n), 0.0, f32::from(at / n)) * side;
        let by = corner - piece.bounds().min.with_y(0.0);
        let first = vertices.len() as u32;
        vertices.extend(piece.vertices().iter().map(|&vertex| vertex + by));
        triangles.extend(piece.triangles().iter().map(|corners| corners.map(|at| at + first)));
    }
    TriMesh::new(vertices, triangles).unwrap()
}

fn far_points(mesh: &NavMesh, filter: &Filter, far: f32) -> Vec<[MeshPoint; 2]> {
    let mut random = Random::new(1);
    let mut point = || {
        let request =
            RandomPointRequest { tiles: TileChoice::Alike, ..RandomPointRequest::new(filter) };
        random_point(mesh, &request, || random.unit()).unwrap()
    };
    let mut found = Vec::new();
    while found.len() < N_ROUTES {
        let ends = [point(), point()];
        if ends[0].point.distance(ends[1].point) >= far {
            found.push(ends);
        }
    }
    found
}

fn row(name: &str, times: &mut [Duration]) {
    if times.is_empty() {
        return;
    }
    times.sort_unstable();
    let at = |share: f64| millis(times[((times.len() - 1) as f64 * share) as usize]);
    let mean = times.iter().sum::<Duration>() / times.len() as u32;
    println!("| {name} | {} | {} | {} | {} |", at(0.5), at(0.95), at(1.0), millis(mean));
}

fn millis(time: Duration) -> String {
    format!("{:.3}", time.as_secs_f64() * 1e3)
}

fn megabytes(bytes: usize) -> f64 {
    bytes as f64 / 1e6
}
