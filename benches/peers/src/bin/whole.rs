//! Measures whole levels in elapsed time: one thread compared with two, and moving a volume in the town. Run it on an
//! otherwise idle machine.

use std::{
    error::Error,
    sync::Arc,
    time::{Duration, Instant},
};

use glam::Vec3;
use peers::levels::LEVELS;
use walkable::{
    bake::{
        AreaVolume, BakeInput, BakeOutput, BakePlan, BakeSettings, RawArea, VolumeShape, bake_tile,
        dirty_tiles,
    },
    monitor::Unmonitored,
};

const USAGE: &str = "whole threads [LEVEL…] | whole edit";
/// Minimum number of rounds on each level.
const N_ROUNDS: usize = 3;
/// Minimum time on each level: times of small levels vary with the noise of the machine.
const TIME: Duration = Duration::from_secs(3);

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<_> = std::env::args().skip(1).collect();
    match args.split_first() {
        Some((mode, levels)) if mode == "threads" => threads(levels),
        Some((mode, _)) if mode == "edit" => edit(),
        _ => {
            println!("{USAGE}");
            Ok(())
        }
    }
}

fn settings() -> BakeSettings {
    BakeSettings { tile_size: 48, ..BakeSettings::default() }
}

fn threads(levels: &[String]) -> Result<(), Box<dyn Error>> {
    let [one, two] = [1, 2].map(|n| rayon::ThreadPoolBuilder::new().num_threads(n).build());
    let (one, two) = (one?, two?);
    println!(
        "| level | rounds | 1 thread, ms | 2 threads, ms | faster by |\n|---|---:|---:|---:|---:|"
    );
    let is_chosen = |name: &str| levels.is_empty() || levels.iter().any(|level| level == name);
    for level in LEVELS.iter().filter(|level| is_chosen(level.name)) {
        let Some(mesh) = level.mesh() else { continue };
        let mut best = [f64::MAX; 2];
        let begin = Instant::now();
        let mut n = 0;
        while n < N_ROUNDS || begin.elapsed() < TIME {
            n += 1;
            for (pool, best) in [&one, &two].into_iter().zip(&mut best) {
                let input = BakeInput::new(Arc::clone(&mesh), settings());
                let start = Instant::now();
                pool.install(|| walkable::bake::bake(input, &Unmonitored))?;
                *best = best.min(start.elapsed().as_secs_f64());
            }
        }
        let [one, two] = best.map(|seconds| seconds * 1e3);
        println!("| {} | {n} | {one:.2} | {two:.2} | {:.2} |", level.name, one / two);
    }
    Ok(())
}

/// Moves a box of 4 m by a meter in the middle of the town, and bakes the tiles that become stale.
fn edit() -> Result<(), Box<dyn Error>> {
    let town = LEVELS.iter().find(|level| level.name == "town").ok_or("the town is missing")?;
    let mesh = town.mesh().ok_or("the town is generated")?;
    let input = |x: f32| {
        let mut input = BakeInput::new(Arc::clone(&mesh), settings());
        let (min, max) = (Vec3::new(x, -1.0, 350.0), Vec3::new(x + 4.0, 3.0, 354.0));
        let outline = vec![min, min.with_z(max.z), max.with_y(min.y), min.with_x(max.x)];
        let shape = VolumeShape::Prism { min_y: min.y, max_y: max.y, outline };
        input.volumes.push(AreaVolume::new(RawArea(1), shape));
        input
    };
    let old = BakePlan::new(input(350.0))?;
    let [mut find, mut bake] = [f64::MAX; 2];
    let mut n = 0;
    for _ in 0..10 {
        let start = Instant::now();
        let new = old.renewed(input(351.0))?;
        let dirty = dirty_tiles(&old, &new, &Unmonitored)?;
        let found = Instant::now();
        n = dirty.changed.len();
        for coord in dirty.changed {
            bake_tile(&new, coord, BakeOutput::Tile, &Unmonitored)?;
        }
        find = find.min((found - start).as_secs_f64() * 1e3);
        bake = bake.min(found.elapsed().as_secs_f64() * 1e3);
    }
    println!("{n} tiles stale; found in {find:.2} ms, baked on one thread in {bake:.2} ms");
    Ok(())
}
