//! Random scenes, each from one number.

use std::f32::consts::TAU;

use glam::Vec3;
use walkable::{
    crowd::{AgentId, AgentParams, AgentState, AvoidanceParams, CrowdParams, UpdateFlags},
    ids::TileCoord,
    monitor::Unmonitored,
    query::{Filter, MeshPoint, NearestRequest, nearest},
    tile_cache::{LayerKey, Obstacle, ObstacleId, TileCache},
};
use walkable_runtime::random::Random;

use super::{
    Both, Command,
    levels::{CrowdLevel, LEVELS, place},
};

/// Maximum number of agents of a scene.
const MAX_AGENTS: usize = 48;
/// Largest radius of an agent, in meters.
const MAX_RADIUS: f32 = 0.6;
/// An agent this near to its target has arrived, in meters.
const ARRIVED: f32 = 1.0;

/// How agents are placed, and their targets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Through a door, or along a passage, from both sides.
    CounterFlow,
    /// Two streams that cross at a right angle.
    Crossing,
    /// From a circle to its opposite side.
    Circle,
    /// Between random places.
    Travelers,
    /// Toward other agents, whose positions are the targets.
    Chasers,
}

/// A random scene.
#[derive(Debug)]
pub struct Case {
    /// Name of the scene, for users.
    pub name: String,
    /// Length of an update, in seconds.
    pub seconds: f32,
    random: Random,
    kind: Kind,
    level: &'static CrowdLevel,
    cache: Option<TileCache>,
    /// Probability of each kind of incident per update.
    rate: f32,
    /// Targets of agents, by slot; `None` for agents without one.
    goals: Vec<Option<Vec3>>,
    /// Tiles to be added later: the update, the place, the bytes.
    removed: Vec<(u32, [u32; 3], Vec<u8>)>,
    /// Obstacles to be removed later.
    placed: Vec<(u32, ObstacleId)>,
}

impl Case {
    /// Creates the scene of `seed` and its crowds.
    pub fn new(seed: u64) -> (Self, Both) {
        let mut random = Random::new(seed);
        let level = &*LEVELS[random.below(LEVELS.len())];
        let open =
            [Kind::CounterFlow, Kind::Crossing, Kind::Circle, Kind::Travelers, Kind::Chasers];
        let kinds: &[Kind] = match level.floor {
            Some(size) if size.z > 20.0 => &open,
            Some(_) => &[Kind::CounterFlow, Kind::CounterFlow, Kind::Travelers, Kind::Chasers],
            None => &[Kind::Travelers, Kind::Travelers, Kind::Chasers],
        };
        let kind = random.pick(kinds);
        let max_agents = random.pick(&[4, 20, MAX_AGENTS]);
        let params = CrowdParams { max_agents, max_agent_radius: MAX_RADIUS };
        let mut both = Both::new(&level.bytes, params);
        let mut costs = Filter { exclude_flags: 0x12, ..Filter::default() };
        for cost in costs.area_cost.iter_mut().take(8) {
            *cost = random.between(1.0, 9.0);
        }
        both.set_filter(1, costs);
        both.set_avoidance(4, own_avoidance(&mut random));
        let mut case = Self {
            name: format!("{seed}: {kind:?} on {}, at most {max_agents} agents", level.name),
            seconds: random.pick(&[1.0 / 60.0, 1.0 / 30.0, 0.05, 0.1]),
            kind,
            level,
            cache: level.cache.clone(),
            rate: random.pick(&[0.0, 0.003, 0.02]),
            goals: vec![None; max_agents],
            removed: Vec::new(),
            placed: Vec::new(),
            random,
        };
        let n = (max_agents as f32 * case.random.between(0.5, 1.0)) as usize;
        for k in 0..n.max(1) {
            case.add(k, n, &mut both);
        }
        (case, both)
    }

    /// Runs the commands that are due before an update.
    pub fn tell(&mut self, update: u32, both: &mut Both) {
        self.restore(update, both);
        for slot in 0..self.goals.len() {
            let id = AgentId(u32::try_from(slot).expect("there are few"));
            self.lead(id, update, both);
        }
        let Self { rate, .. } = *self;
        if self.random.chance(rate) {
            self.disturb_agent(both);
        }
        if self.random.chance(rate) {
            self.remove_tile(update, both);
        }
        if self.random.chance(rate * 2.0) {
            self.place_obstacle(update, both);
        }
    }

    fn add(&mut self, k: usize, n: usize, both: &mut Both) {
        let [start, goal] = self.start_and_goal(k, n, both);
        let params = agent_params(&mut self.random);
        let free = (0..self.goals.len())
            .find(|&slot| both.ours.agent(AgentId(u32::try_from(slot).unwrap_or(0))).is_none());
        both.tell(&Command::Add(start, params));
        let Some(slot) = free else { return };
        self.goals[slot] = Some(goal);
        self.send(AgentId(u32::try_from(slot).expect("there are few")), goal, both);
    }

    /// Returns start and goal of agent `k` of `n`.
    fn start_and_goal(&mut self, k: usize, n: usize, both: &Both) -> [Vec3; 2] {
        let random = &mut self.random;
        let Some(size) = self.level.floor else {
            return [(); 2].map(|()| place(&both.mesh, random));
        };
        let mut within = |x: [f32; 2], z: [f32; 2]| {
            let [x, z] = [x, z].map(|[low, high]| random.between(low, high));
            Vec3::new(x * size.x, 0.0, z * size.z)
        };
        let is_back = k % 2 == 1;
        let (all, near, far) = ([0.03, 0.97], [0.03, 0.25], [0.75, 0.97]);
        let mut start_and_goal = match self.kind {
            Kind::CounterFlow => [within(near, all), within(far, all)],
            Kind::Crossing if is_back => {
                let start = within([0.4, 0.6], near);
                return [start, start.with_z(size.z - start.z)];
            }
            Kind::Crossing => {
                let start = within(near, [0.4, 0.6]);
                return [start, start.with_x(size.x - start.x)];
            }
            Kind::Circle => {
                let (sin, cos) = (k as f32 / n as f32 * TAU).sin_cos();
                let across = Vec3::new(cos, 0.0, sin) * (size.x.min(size.z) * 0.4);
                [size * 0.5 + across, size * 0.5 - across]
            }
            Kind::Travelers | Kind::Chasers => [within(all, all), within(all, all)],
        };
        if is_back && self.kind == Kind::CounterFlow {
            start_and_goal.reverse();
        }
        start_and_goal
    }

    fn nearest(&self, at: Vec3, both: &Both) -> Option<MeshPoint> {
        let filter = &both.ours.filters()[0];
        let half_extents = both.ours.query_half_extents();
        nearest(&both.mesh, &NearestRequest { center: at, half_extents, filter }).ok().flatten()
    }

    fn send(&self, agent: AgentId, goal: Vec3, both: &mut Both) {
        if let Some(target) = self.nearest(goal, both) {
            both.tell(&Command::Target(agent, target));
        }
    }

    /// Gives an agent a new target if it has arrived, or if its target has moved.
    fn lead(&mut self, id: AgentId, update: u32, both: &mut Both) {
        let Some(agent) = both.ours.agent(id) else { return };
        let Some(goal) = self.goals[id.0 as usize] else { return };
        let (position, is_walking) = (agent.position(), agent.state() == AgentState::Walking);
        if self.kind == Kind::Chasers {
            let n = u32::try_from(self.goals.len()).expect("there are few");
            let prey =
                both.ours.agent(AgentId((id.0 + 1) % n)).map(walkable::crowd::Agent::position);
            if let Some(prey) =
                prey.filter(|_| !id.0.is_multiple_of(4) && (update + id.0).is_multiple_of(15))
            {
                return self.send(id, prey, both);
            }
        }
        if is_walking && position.distance(goal) < ARRIVED && self.random.chance(0.05) {
            let [start, end] = self.start_and_goal(id.0 as usize, self.goals.len(), both);
            let goal = if start.distance(position) > end.distance(position) { start } else { end };
            self.goals[id.0 as usize] = Some(goal);
            self.send(id, goal, both);
        }
    }

    fn disturb_agent(&mut self, both: &mut Both) {
        let slot = self.random.below(self.goals.len());
        let id = AgentId(u32::try_from(slot).expect("there are few"));
        if both.ours.agent(id).is_none() {
            return self.add(slot, self.goals.len(), both);
        }
        let random = &mut self.random;
        let command = match random.below(5) {
            0 => Command::Remove(id),
            1 => Command::Reset(id),
            2 => {
                let [x, z] = [(); 2].map(|()| random.between(-3.0, 3.0));
                Command::Velocity(id, Vec3::new(x, 0.0, z))
            }
            3 => Command::Params(id, agent_params(random)),
            _ => {
                let goal = self.start_and_goal(slot, self.goals.len(), both)[1];
                self.goals[slot] = Some(goal);
                return self.send(id, goal, both);
            }
        };
        if !matches!(command, Command::Params(..)) {
            self.goals[slot] = None;
        }
        both.tell(&command);
    }

    /// Removes a tile and adds it again, sometimes in the same update, sometimes later.
    fn remove_tile(&mut self, update: u32, both: &mut Both) {
        let tiles: Vec<_> = both.mesh.tiles().collect();
        if tiles.is_empty() {
            return;
        }
        let tile = tiles[self.random.below(tiles.len())];
        let header = &tile.header;
        let place = [header.x, header.z, header.layer].map(i32::cast_unsigned);
        let bytes = tile.to_bytes();
        if self.random.chance(0.5) {
            both.tell(&Command::Tile(place, Some(bytes)));
        } else {
            both.tell(&Command::Tile(place, None));
            let later = update + 1 + u32::try_from(self.random.below(60)).unwrap_or(0);
            self.removed.push((later, place, bytes));
        }
    }

    /// Places an obstacle near an agent or anywhere.
    fn place_obstacle(&mut self, update: u32, both: &mut Both) {
        let Some(cache) = &mut self.cache else { return };
        let random = &mut self.random;
        let agents: Vec<Vec3> = both.ours.agents().map(|(_, agent)| agent.position()).collect();
        let base = if agents.is_empty() || random.chance(0.5) {
            place(&both.mesh, random)
        } else {
            agents[random.below(agents.len())]
        };
        let radius = random.between(0.3, 2.0);
        let shift = Vec3::new(random.between(-2.0, 2.0), -0.5, random.between(-2.0, 2.0));
        let obstacle = Obstacle::Cylinder { base: base + shift, radius, height: 2.0 };
        if let Ok((id, touched)) = cache.add_obstacle(obstacle) {
            let later = update + 1 + u32::try_from(random.below(400)).unwrap_or(0);
            self.placed.push((later, id));
            self.rebuild(&touched, both);
        }
    }

    fn rebuild(&mut self, touched: &[LayerKey], both: &mut Both) {
        let Some(cache) = &self.cache else { return };
        for &key in touched {
            let made = cache.mesh_tile(key, &Unmonitored).expect("the layer was meshed before");
            let tile = made.and_then(|made| made.tile).map(|tile| tile.to_bytes());
            let TileCoord { x, z } = key.coord();
            self.removed.retain(|(_, place, _)| *place != [x, z, key.layer]);
            both.tell(&Command::Tile([x, z, key.layer], tile));
        }
    }

    /// Adds removed tiles and removes obstacles that are due.
    fn restore(&mut self, update: u32, both: &mut Both) {
        while let Some(at) = self.removed.iter().position(|(later, ..)| *later <= update) {
            let (_, place, bytes) = self.removed.swap_remove(at);
            both.tell(&Command::Tile(place, Some(bytes)));
        }
        while let Some(at) = self.placed.iter().position(|(later, _)| *later <= update) {
            let (_, id) = self.placed.swap_remove(at);
            let removed = self.cache.as_mut().map(|cache| cache.remove_obstacle(id));
            if let Some(Ok(touched)) = removed {
                self.rebuild(&touched, both);
            }
        }
    }
}

fn agent_params(random: &mut Random) -> AgentParams {
    let radius = random.pick(&[0.2, 0.3, 0.3, 0.5, MAX_RADIUS]);
    let flags = random.pick(&[31, 27, 7, 23, 3, 0, 2, 31]);
    AgentParams {
        max_acceleration: random.pick(&[4.0, 8.0, 20.0]),
        max_speed: random.pick(&[1.5, 3.5, 6.0]),
        collision_query_range: radius * random.pick(&[6.0, 12.0]),
        separation_weight: random.pick(&[0.5, 2.0, 6.0]),
        update_flags: UpdateFlags::from_bits(flags),
        avoidance: u8::try_from(random.below(5)).unwrap_or(0),
        filter: u8::try_from(random.pick(&[0, 0, 0, 1])).unwrap_or(0),
        ..AgentParams::of_size(radius, random.pick(&[1.0, 2.0]))
    }
}

/// Returns random avoidance settings. The number of divisions is odd: for even ones, Detour reads uninitialized memory.
fn own_avoidance(random: &mut Random) -> AvoidanceParams {
    AvoidanceParams {
        velocity_bias: random.between(0.2, 0.8),
        desired_velocity_weight: random.between(0.0, 4.0),
        current_velocity_weight: random.between(0.0, 2.0),
        side_weight: random.between(0.0, 2.0),
        impact_weight: random.pick(&[0.0, 0.5, 2.5, 6.0]),
        horizon: random.between(0.3, 4.0),
        adaptive_divisions: random.pick(&[1, 3, 5, 7, 9, 15, 31]),
        adaptive_rings: random.pick(&[1, 2, 3, 4]),
        adaptive_depth: random.pick(&[1, 2, 5]),
        ..AvoidanceParams::default()
    }
}
