//! Adds barrels to a town one by one and rebuilds only the tiles that they touch: `cargo run --example obstacles`.

#![expect(clippy::print_stdout, reason = "a program that shows its result")]

use std::{error::Error, sync::Arc, time::Instant};

use walkable::{
    bake::{BakeInput, BakePlan, BakeSettings, LayerCut},
    level::{LevelKind, generate},
    monitor::Unmonitored,
    query::{Filter, PathRequest, Scratch, find_path},
    tile_cache::{Obstacle, TileCache},
};

const N_BARRELS: usize = 8;

fn main() -> Result<(), Box<dyn Error>> {
    let level = generate(LevelKind::Town, 7, 120.0)?;
    let settings = BakeSettings { agent_radius: 0.4, tile_size: 48, ..BakeSettings::default() };
    let plan = BakePlan::new(BakeInput::new(Arc::new(level.mesh), settings))?;
    let mut cache = TileCache::bake(&plan, LayerCut::Sweep, &Unmonitored)?.cache;
    let mut mesh = cache.build(&Unmonitored)?.mesh;

    let (filter, mut scratch) = (Filter::default(), Scratch::default());
    let request = PathRequest::new(level.start, level.end, &filter);
    for _ in 0..N_BARRELS {
        let path = find_path(&mesh, &request, &mut scratch)?;
        println!("{:?}: {:.1} m", path.status, path.length);
        // Each barrel blocks a corner of the path that avoids the others.
        let Some(&base) = path.points.get(path.points.len() / 2) else { break };
        let barrel = Obstacle::Cylinder { base, radius: 0.5, height: 1.0 };

        let started = Instant::now();
        let (_, touched) = cache.add_obstacle(barrel)?;
        cache.update(&mut mesh, &touched, &Unmonitored)?;
        println!("{} tiles rebuilt in {:.1?}", touched.len(), started.elapsed());
    }
    Ok(())
}
