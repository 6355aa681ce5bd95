//! Bakes one navmesh for five agents, and compares it with a navmesh for each: `cargo run --release --example bodies`.

#![expect(clippy::print_stdout, reason = "a program that shows its result")]

use std::{error::Error, sync::Arc, time::Instant};

use walkable::{
    bake::{BakeInput, BakeSettings, BakedAgent, bake},
    level::{LevelKind, generate},
    monitor::Unmonitored,
    query::{
        Filter, PathRequest, RandomPointRequest, Scratch, Seeded, TileChoice, find_path,
        random_point,
    },
};

/// Radius, height, climb and slope of each agent.
const SIZES: [[f32; 4]; 5] = [
    [0.3, 1.2, 0.4, 45.0],
    [0.6, 1.8, 0.6, 45.0],
    [0.6, 2.2, 0.4, 40.0],
    [0.9, 2.4, 0.8, 50.0],
    [1.5, 3.4, 0.8, 50.0],
];

fn main() -> Result<(), Box<dyn Error>> {
    let level = Arc::new(generate(LevelKind::Town, 7, 120.0)?.mesh);
    let settings = BakeSettings { tile_size: 48, ..BakeSettings::default() };
    let agent = |(number, [radius, height, max_climb, max_slope]): (usize, [f32; 4])| BakedAgent {
        radius,
        height,
        max_climb,
        max_slope,
        flag: 0x100 << number,
    };
    let agents: Vec<_> = SIZES.into_iter().enumerate().map(agent).collect();

    let input = BakeInput::new(level, settings);
    let started = Instant::now();
    let common = bake(BakeInput { agents: agents.clone(), ..input.clone() }, &Unmonitored)?;
    let secs = started.elapsed().as_secs_f32();
    println!("all agents: {secs:.3} s, {} bytes", common.to_bytes().len());

    let (mut random, mut scratch) = (Seeded::new(1), Scratch::default());
    for agent in agents {
        let started = Instant::now();
        let settings = agent.alone(&input.settings);
        let own = bake(BakeInput { settings, ..input.clone() }, &Unmonitored)?;
        let secs = started.elapsed().as_secs_f32();
        let (everything, its) =
            (Filter::default(), Filter { include_flags: agent.flag, ..Filter::default() });
        let request = RandomPointRequest { filter: &everything, tiles: TileChoice::ByArea };
        let mut place = || random_point(&own, &request, || random.share()).ok_or("no ground");
        let mut n_alike = 0;
        for _ in 0..100 {
            let [start, end] = [place()?.point, place()?.point];
            let alone = find_path(&own, &PathRequest::new(start, end, &everything), &mut scratch)?;
            let shared = find_path(&common, &PathRequest::new(start, end, &its), &mut scratch)?;
            n_alike += usize::from(alone.status == shared.status);
        }
        let (radius, n_bytes) = (agent.radius, own.to_bytes().len());
        println!(
            "radius {radius}: {secs:.3} s, {n_bytes} bytes alone; {n_alike} of 100 paths end alike"
        );
    }
    Ok(())
}
