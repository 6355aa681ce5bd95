//! Lets 1,000 agents walk to one goal with a single search: `cargo run --release --example flow_field`.

#![expect(clippy::print_stdout, reason = "a program that shows its result")]

use std::{error::Error, sync::Arc};

use walkable::{
    bake::{BakeInput, BakeSettings, bake},
    crowd::{AgentParams, Crowd, CrowdParams},
    level::{LevelKind, generate},
    monitor::Unmonitored,
    query::{
        Filter, FlowAgent, FlowFieldRequest, MeshPoint, PathCorridor, RandomPointRequest, Scratch,
        Seeded, TileChoice, flow_field, random_point,
    },
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
    let mut place = || random_point(&mesh, &request, || random.share()).ok_or("no navmesh");
    let field = flow_field(&mesh, &FlowFieldRequest::new(place()?, &filter))?;

    let mut crowd = Crowd::new(CrowdParams { max_agents: N_AGENTS, max_agent_radius: 0.4 })?;
    let mut agents = Vec::new();
    while agents.len() < N_AGENTS {
        let start = place()?;
        if field.cost(&mesh, start).is_some() {
            let id = crowd.add_agent(&mesh, start.point, AgentParams::of_size(0.4, 2.0))?;
            agents.push((id, FlowAgent::default()));
        }
    }
    let mut scratch = Scratch::default();
    for _ in 0..3600 {
        // Agents within 10 m of the goal have arrived.
        agents.retain_mut(|(id, memory)| {
            let Some(agent) = crowd.agent(*id) else { return false };
            let (point, speed) = (agent.position(), agent.params().max_speed);
            let Some(poly) = agent.corridor().map(PathCorridor::first) else { return true };
            let sample = field.sample(&mesh, MeshPoint { poly, point }, memory, &mut scratch);
            let Some(sample) = sample else { return true };
            crowd.set_velocity(*id, sample.direction * speed).ok();
            sample.cost > 10.0 || !crowd.remove_agent(*id)
        });
        crowd.update(&mesh, SECONDS);
    }
    println!("{} of {N_AGENTS} agents arrived within two minutes", N_AGENTS - agents.len());
    Ok(())
}
