//! Lets 1,000 agents walk through a town for a minute: `cargo run --release --example crowd`.

#![expect(clippy::print_stdout, reason = "a program that shows its result")]

use std::{error::Error, sync::Arc, time::Instant};

use walkable::{
    bake::{BakeInput, BakeSettings, bake},
    crowd::{AgentParams, Crowd, CrowdParams},
    level::{LevelKind, generate},
    monitor::Unmonitored,
    query::{Filter, RandomPointRequest, Seeded, TileChoice, random_point},
};

const N_AGENTS: usize = 1000;
const SECONDS: f32 = 1.0 / 30.0;

fn main() -> Result<(), Box<dyn Error>> {
    let level = generate(LevelKind::Town, 7, 120.0)?;
    let settings = BakeSettings { agent_radius: 0.4, tile_size: 48, ..BakeSettings::default() };
    let mesh = bake(BakeInput::new(Arc::new(level.mesh), settings), &Unmonitored)?;

    let filter = Filter::default();
    let request = RandomPointRequest { filter: &filter, tiles: TileChoice::ByArea };
    let mut random = Seeded::new(1);
    let mut place = || {
        let point = random_point(&mesh, &request, || random.share());
        point.ok_or("the navmesh is empty")
    };
    let mut crowd = Crowd::new(CrowdParams { max_agents: N_AGENTS, max_agent_radius: 0.4 })?;
    for _ in 0..N_AGENTS {
        let agent = crowd.add_agent(&mesh, place()?.point, AgentParams::of_size(0.4, 2.0))?;
        crowd.set_target(agent, place()?)?;
    }

    let start = Instant::now();
    let n_updates = 1800;
    let mut n_arrived = 0;
    for _ in 0..n_updates {
        crowd.update(&mesh, SECONDS);
        let is_there = |position: glam::Vec3, target: glam::Vec3| position.distance(target) < 1.0;
        let arrived = crowd.agents().filter(|(_, agent)| {
            agent.target().is_some_and(|target| is_there(agent.position(), target.point))
        });
        // Agents that have arrived get another target.
        for id in arrived.map(|(id, _)| id).collect::<Vec<_>>() {
            crowd.set_target(id, place()?)?;
            n_arrived += 1;
        }
    }
    let ms = start.elapsed().as_secs_f64() * 1e3 / f64::from(n_updates);
    println!("{n_arrived} arrivals of {N_AGENTS} agents in a minute, {ms:.2} ms an update");
    Ok(())
}
