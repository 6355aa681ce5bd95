//! The scenes in which updates are timed.

use std::sync::Arc;

use glam::Vec3;
use walkable::{
    bake::{BakeInput, BakeSettings, bake},
    crowd::{Agent, AgentId, AgentParams, CrowdParams, TargetState},
    level::{LevelKind, generate},
    monitor::Unmonitored,
    navmesh::NavMesh,
    query::{
        Filter, MeshPoint, NearestRequest, RandomPointAroundRequest, Scratch, nearest,
        random_point_around,
    },
};
use walkable_runtime::random::Random;

use super::{
    Both, Command,
    levels::{place, rectangles},
};

/// Ground per agent of the town, in square meters.
const TOWN_PER_AGENT: f32 = 36.0;
/// Agents per zone, and the radius of a zone, in meters.
const AGENTS_PER_ZONE: usize = 64;
const ZONE_RADIUS: f32 = 20.0;
/// Radius around a villager in which it walks, in meters.
const VILLAGER_RADIUS: f32 = 10.0;
/// Agents per door, half of them on each side.
const AGENTS_PER_DOOR: usize = 64;
/// Distance between two doors in a wall, and the depth of the room on each side, in meters.
const BETWEEN_DOORS: f32 = 12.0;
const DEPTH: f32 = 14.0;
/// Radius of an agent, in meters.
const RADIUS: f32 = 0.3;

/// The scene to time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scene {
    /// `DotRecast`'s crowd profiling tool: 80 % of the agents walk within their zone, 15 % from zone to zone, the rest
    /// around the place where they stand.
    Zones,
    /// A wall with doors 2 m wide, with 32 agents on each side of each door that want to get to the other side.
    Doors,
}

/// What an agent does.
#[derive(Clone, Copy, Debug)]
enum AgentRole {
    Mob { home: MeshPoint },
    Traveler,
    Villager,
    AtDoor { ends: [Vec3; 2], is_back: bool },
}

/// Agents that get new targets when they arrive.
#[derive(Debug)]
pub struct CrowdDriver {
    random: Random,
    scratch: Scratch,
    zones: Vec<MeshPoint>,
    roles: Vec<AgentRole>,
}

impl Scene {
    /// Both scenes.
    pub const ALL: [Self; 2] = [Self::Zones, Self::Doors];

    /// Returns the name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Zones => "zones",
            Self::Doors => "doors",
        }
    }

    /// Returns the mesh for this number of agents, as a file.
    ///
    /// # Panics
    /// Panics if the level cannot be baked.
    pub fn bake(self, n_agents: usize) -> Vec<u8> {
        let mesh = match self {
            Self::Zones => {
                let side = (n_agents as f32 * TOWN_PER_AGENT).sqrt();
                generate(LevelKind::Town, 1, side.max(60.0)).expect("towns have this size").mesh
            }
            Self::Doors => {
                let n_doors = n_agents.div_ceil(AGENTS_PER_DOOR);
                let length = n_doors as f32 * BETWEEN_DOORS;
                let mut floor =
                    vec![[0.0, 0.0, length, DEPTH], [0.0, DEPTH + 1.0, length, 2.0 * DEPTH + 1.0]];
                for door in 0..n_doors {
                    let x = (door as f32 + 0.5) * BETWEEN_DOORS;
                    floor.push([x - 1.0, DEPTH, x + 1.0, DEPTH + 1.0]);
                }
                rectangles(&floor)
            }
        };
        let settings =
            BakeSettings { agent_radius: RADIUS, tile_size: 48, ..BakeSettings::default() };
        let input = BakeInput::new(Arc::new(mesh), settings);
        bake(input, &Unmonitored).expect("levels can be baked").to_bytes()
    }

    /// Returns both crowds with all agents, and the state that assigns their targets.
    pub fn start(self, bytes: &[u8], n_agents: usize) -> (CrowdDriver, Both) {
        let params = CrowdParams { max_agents: n_agents, max_agent_radius: 0.6 };
        let mut both = Both::new(bytes, params);
        let mut driver = CrowdDriver {
            random: Random::new(7),
            scratch: Scratch::default(),
            zones: Vec::new(),
            roles: Vec::new(),
        };
        match self {
            Self::Zones => driver.add_to_zones(n_agents, &mut both),
            Self::Doors => driver.add_to_doors(n_agents, &mut both),
        }
        (driver, both)
    }
}

impl CrowdDriver {
    fn add_to_zones(&mut self, n_agents: usize, both: &mut Both) {
        for _ in 0..(n_agents / AGENTS_PER_ZONE).max(2) {
            let at = place(&both.mesh, &mut self.random);
            self.zones.push(point_near(&both.mesh, at));
        }
        for k in 0..n_agents {
            let zone = self.zones[k % self.zones.len()];
            let start = self.around(&both.mesh, zone, ZONE_RADIUS);
            self.roles.push(match self.random.below(100) {
                0..80 => AgentRole::Mob { home: zone },
                80..95 => AgentRole::Traveler,
                _ => AgentRole::Villager,
            });
            both.tell(&Command::Add(start.point, AgentParams::of_size(RADIUS, 2.0)));
        }
    }

    fn add_to_doors(&mut self, n_agents: usize, both: &mut Both) {
        for k in 0..n_agents {
            let (door, is_back) = (k / AGENTS_PER_DOOR, k % 2 == 1);
            let middle = (door as f32 + 0.5) * BETWEEN_DOORS;
            let mut at = |z: f32| {
                let x = middle + self.random.between(-4.0, 4.0);
                Vec3::new(x, 0.0, z + self.random.between(-5.0, 5.0))
            };
            let ends = [at(DEPTH * 0.5), at(DEPTH * 1.5 + 1.0)];
            let start = ends[usize::from(is_back)];
            self.roles.push(AgentRole::AtDoor { ends, is_back: !is_back });
            both.tell(&Command::Add(start, AgentParams::of_size(RADIUS, 2.0)));
        }
    }

    /// Gives each agent that has arrived a new target.
    pub fn tell(&mut self, both: &mut Both) {
        for slot in 0..self.roles.len() {
            let id = AgentId(u32::try_from(slot).expect("crowds are small"));
            let Some(agent) = both.ours.agent(id).filter(|agent| has_arrived(agent)) else {
                continue;
            };
            let position = agent.position();
            let target = match &mut self.roles[slot] {
                AgentRole::AtDoor { ends, is_back } => {
                    let end = ends[usize::from(*is_back)];
                    *is_back = !*is_back;
                    point_near(&both.mesh, end)
                }
                AgentRole::Mob { home } => {
                    let home = *home;
                    self.around(&both.mesh, home, ZONE_RADIUS)
                }
                AgentRole::Villager => {
                    let here = point_near(&both.mesh, position);
                    self.around(&both.mesh, here, VILLAGER_RADIUS)
                }
                AgentRole::Traveler => {
                    let far = |zone: &&MeshPoint| zone.point.distance(position) > ZONE_RADIUS;
                    let far: Vec<&MeshPoint> = self.zones.iter().filter(far).collect();
                    let zone = far.get(self.random.below(far.len().max(1)));
                    zone.map_or_else(|| point_near(&both.mesh, position), |zone| **zone)
                }
            };
            both.tell(&Command::Target(id, target));
        }
    }

    fn around(&mut self, mesh: &NavMesh, center: MeshPoint, radius: f32) -> MeshPoint {
        let filter = Filter::default();
        let request = RandomPointAroundRequest::new(center, radius, &filter);
        let Self { scratch, random, .. } = self;
        let found = random_point_around(mesh, &request, scratch, || random.unit());
        found.ok().flatten().unwrap_or(center)
    }
}

/// Returns whether an agent has arrived, by the rule of `DotRecast`.
fn has_arrived(agent: &Agent) -> bool {
    match agent.target_state() {
        TargetState::None | TargetState::Failed => true,
        TargetState::Valid => {
            agent.target().is_none_or(|target| target.point.distance(agent.position()) < 0.6)
        }
        TargetState::Requesting
        | TargetState::WaitingForQueue
        | TargetState::WaitingForPath
        | TargetState::Velocity => false,
    }
}

fn point_near(mesh: &NavMesh, at: Vec3) -> MeshPoint {
    let filter = Filter::default();
    let half_extents = Vec3::new(3.0, 4.0, 3.0);
    let request = NearestRequest { center: at, half_extents, filter: &filter };
    nearest(mesh, &request).ok().flatten().expect("places are on the mesh")
}
