//! Measures the time of answers to "why not here?" and "why no path?" on a town of 700 m, once it is baked, without the
//! search for fixes; and the time of a check of its navmesh. `cargo bench -p walkable --bench answers`

#![expect(clippy::print_stdout, clippy::unwrap_used, reason = "a program that shows its result")]

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use walkable::{
    bake::{BakeInput, BakeOutput, BakePlan, BakeSettings, bake_tile},
    check::check,
    explain::{explain, tile_at},
    glam::Vec3,
    level::{LevelKind, generate},
    monitor::Unmonitored,
    navmesh::{NavMesh, Tile},
    query::{
        Filter, PathRequest, PathStatus, RandomPointRequest, Scratch, TileChoice, find_path,
        random_point,
    },
    route::{RouteDepth, explain_path},
};
use walkable_runtime::random::Random;

const SIZE: f32 = 700.0;
const N_PLACES: usize = 100;
const N_PATHS: usize = 20;

fn main() {
    let mesh = Arc::new(generate(LevelKind::Town, 1, SIZE).unwrap().mesh);
    println!("town of {SIZE} m, {} triangles", mesh.triangles().len());
    println!("| tiles | question | number | median, ms | 95 %, ms | longest, ms |");
    println!("|---|---|---:|---:|---:|---:|");
    for tile_size in [0, 48] {
        let settings = BakeSettings { tile_size, ..BakeSettings::default() };
        let plan = BakePlan::new(BakeInput::new(Arc::clone(&mesh), settings)).unwrap();
        let tile = |coord| {
            let tile = bake_tile(&plan, coord, BakeOutput::Tile, &Unmonitored).unwrap().tile;
            Some((coord, Arc::new(tile?)))
        };
        let tiles: Vec<_> = plan.tiles().filter_map(tile).collect();
        let navmesh =
            plan.link(tiles.iter().map(|(_, tile): &(_, Arc<Tile>)| Arc::clone(tile))).unwrap();
        let name = if tile_size == 0 { "one".to_owned() } else { tiles.len().to_string() };
        row(&name, "why here", places(&plan));
        row(&name, "why no path", paths(&plan, &navmesh));
        let start = Instant::now();
        check(&navmesh, Some(&plan), &Unmonitored).unwrap();
        row(&name, "check", vec![start.elapsed()]);
    }
}

/// Measures explanations of random places on the level's surface, after the bake of their tile.
fn places(plan: &BakePlan) -> Vec<Duration> {
    let mesh = &plan.input().mesh;
    let mut random = Random::new(1);
    let mut times = Vec::new();
    let solo = plan.is_solo().then(|| plan.tiles().next().unwrap());
    let baked = solo.map(|coord| bake_tile(plan, coord, BakeOutput::Stages, &Unmonitored).unwrap());
    for _ in 0..N_PLACES {
        let corners = mesh.corners(random.below(mesh.triangles().len()));
        let at = (corners[0] + corners[1] + corners[2]) / 3.0;
        let coord = tile_at(plan, at).unwrap();
        let of_tile = || bake_tile(plan, coord, BakeOutput::Stages, &Unmonitored).unwrap();
        let own = if baked.is_none() { Some(of_tile()) } else { None };
        let stages = own.as_ref().or(baked.as_ref()).unwrap().stages.as_ref().unwrap();
        let start = Instant::now();
        let _ = explain(plan, stages, at, None);
        times.push(start.elapsed());
    }
    times
}

/// Measures explanations of incomplete paths between random places.
fn paths(plan: &BakePlan, navmesh: &NavMesh) -> Vec<Duration> {
    let (filter, mut random) = (Filter::default(), Random::new(1));
    let by_area = RandomPointRequest { tiles: TileChoice::ByArea, filter: &filter };
    let mut place = || -> Vec3 { random_point(navmesh, &by_area, || random.unit()).unwrap().point };
    let mut times = Vec::new();
    while times.len() < N_PATHS {
        let request = PathRequest::new(place(), place(), &filter);
        let path = find_path(navmesh, &request, &mut Scratch::default()).unwrap();
        if path.status == PathStatus::Complete {
            continue;
        }
        let start = Instant::now();
        let question = (&request, &path);
        explain_path(Some(plan), navmesh, question, RouteDepth::Alternatives, &Unmonitored)
            .unwrap();
        times.push(start.elapsed());
    }
    times
}

fn row(tiles: &str, question: &str, mut times: Vec<Duration>) {
    times.sort_unstable();
    let ms = |percent: usize| times[(times.len() - 1) * percent / 100].as_secs_f64() * 1e3;
    println!(
        "| {tiles} | {question} | {} | {:.1} | {:.1} | {:.1} |",
        times.len(),
        ms(50),
        ms(95),
        ms(100)
    );
}
