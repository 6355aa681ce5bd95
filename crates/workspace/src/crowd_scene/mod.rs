//! Files that describe the agents of a crowd and the commands they receive.
//!
//! One statement per line, `#` begins a comment: `dt SECONDS`, `updates N`, `every N`, `max_radius M`, `max_agents N`;
//! `agent x y z RADIUS HEIGHT MAX_ACCELERATION MAX_SPEED COLLISION_QUERY_RANGE PATH_OPTIMIZATION_RANGE
//! SEPARATION_WEIGHT UPDATE_FLAGS AVOIDANCE`; `at N target AGENT x y z`, `at N velocity AGENT vx vy vz`,
//! `at N reset AGENT`, `at N remove AGENT`.

mod scene_player;
mod text;

use anyhow::{Context as _, bail, ensure};
use glam::Vec3;
use walkable::crowd::{AgentParams, UpdateFlags};

pub use self::{
    scene_player::{DISABLED, ScenePlayer},
    text::parse_places,
};
use crate::{
    values,
    words::{finite, point, whole_number},
};

/// Name of the file of a baked navmesh beside the scenes of findings.
pub const BAKED_NAVMESH: &str = "navmesh.bin";
const MAX_AGENTS: usize = 1_000_000;
/// Maximum number of updates: nine hours of a game with 30 updates per second.
const MAX_UPDATES: u32 = 1_000_000;
/// Maximum number of updates times the number of agents.
const MAX_AGENT_UPDATES: u64 = 100_000_000;

#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// Length of an update, in seconds.
    pub seconds: f32,
    pub n_updates: u32,
    /// Number of updates between two outputs.
    pub every: u32,
    /// Largest allowed agent radius, in meters.
    pub max_agent_radius: f32,
    pub max_agents: usize,
    pub agents: Vec<(Vec3, AgentParams)>,
    /// Events by time; events at the same time are in the order of the file.
    pub events: Vec<Event>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Event {
    /// Number of updates before the event.
    pub after: u32,
    pub agent: usize,
    pub kind: EventKind,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum EventKind {
    Target(Vec3),
    Velocity(Vec3),
    Reset,
    Remove,
}

impl Scene {
    /// Parses a scene. Errors name the line.
    pub fn parse(text: &str) -> anyhow::Result<Self> {
        let mut scene = Self {
            seconds: 0.0,
            n_updates: 0,
            every: 1,
            max_agent_radius: 0.6,
            max_agents: 128,
            agents: Vec::new(),
            events: Vec::new(),
        };
        let mut lines = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let line = line.split_once('#').map_or(line, |(before, _)| before);
            let words: Vec<&str> = line.split_whitespace().collect();
            let Some((&key, rest)) = words.split_first() else { continue };
            let number = index + 1;
            scene.take(key, rest).with_context(|| format!("line {number}"))?;
            if key == "at" {
                lines.push(number);
            }
        }
        ensure!(scene.seconds > 0.0, "there is no line \"dt SECONDS\" with a number above zero");
        let (n_agents, n_updates) = (scene.agents.len(), scene.n_updates);
        ensure!(
            u64::from(n_updates).saturating_mul(n_agents as u64) <= MAX_AGENT_UPDATES,
            "{n_updates} updates of {n_agents} agents are more than {MAX_AGENT_UPDATES} updates of single agents; \
             use fewer of either"
        );
        for (event, line) in scene.events.iter().zip(lines) {
            let n = scene.agents.len();
            let agent = event.agent;
            ensure!(agent < n, "line {line}: there is no agent {agent}; the scene has {n}, from 0");
        }
        scene.events.sort_by_key(|event| event.after);
        Ok(scene)
    }

    fn take(&mut self, key: &str, words: &[&str]) -> anyhow::Result<()> {
        match key {
            "dt" => {
                self.seconds = values::positive(one(key, words)?).map_err(anyhow::Error::msg)?;
            }
            "updates" => {
                self.n_updates = whole_number(one(key, words)?)?;
                ensure!(self.n_updates <= MAX_UPDATES, "a scene has at most {MAX_UPDATES} updates");
            }
            "every" => {
                self.every = whole_number(one(key, words)?)?;
                ensure!(self.every > 0, "every must be 1 or more");
            }
            "max_radius" => {
                let radius = values::positive(one(key, words)?).map_err(anyhow::Error::msg)?;
                self.max_agent_radius = radius;
            }
            "max_agents" => {
                self.max_agents = whole_number(one(key, words)?)?;
                ensure!(self.max_agents <= MAX_AGENTS, "a crowd has at most {MAX_AGENTS} agents");
            }
            "agent" => self.agents.push(agent(words)?),
            "at" => self.events.push(event(words)?),
            _ => bail!(
                "unknown \"{key}\"; there are dt, updates, every, max_radius, max_agents, agent and at"
            ),
        }
        Ok(())
    }
}

fn one<'a>(key: &str, words: &[&'a str]) -> anyhow::Result<&'a str> {
    match words {
        [word] => Ok(word),
        _ => bail!("expected one number after {key}"),
    }
}

fn agent(words: &[&str]) -> anyhow::Result<(Vec3, AgentParams)> {
    let [x, y, z, radius, height, acceleration, speed, range, path_range, weight, flags, avoidance] =
        words
    else {
        bail!("expected 12 numbers after agent, found {}", words.len());
    };
    let flags: u8 = whole_number(flags)?;
    let params = AgentParams {
        radius: finite(radius)?,
        height: finite(height)?,
        max_acceleration: finite(acceleration)?,
        max_speed: finite(speed)?,
        collision_query_range: finite(range)?,
        path_optimization_range: finite(path_range)?,
        separation_weight: finite(weight)?,
        update_flags: UpdateFlags::from_bits(flags),
        avoidance: whole_number(avoidance)?,
        filter: 0,
    };
    params.check()?;
    Ok((point(&[x, y, z])?, params))
}

fn event(words: &[&str]) -> anyhow::Result<Event> {
    let [after, what, agent, rest @ ..] = words else {
        bail!("expected an event after at: N, then target, velocity, reset or remove, then AGENT");
    };
    let kind = match (*what, rest) {
        ("target", place) => EventKind::Target(point(place)?),
        ("velocity", velocity) => EventKind::Velocity(point(velocity)?),
        ("reset", []) => EventKind::Reset,
        ("remove", []) => EventKind::Remove,
        ("reset" | "remove", _) => bail!("expected nothing after the agent"),
        _ => bail!("unknown \"{what}\"; there are target, velocity, reset and remove"),
    };
    Ok(Event { after: whole_number(after)?, agent: whole_number(agent)?, kind })
}

#[cfg(test)]
mod tests {
    use super::*;

    const AGENT: &str = "agent 1 2 3 0.6 2 8 3.5 7.2 18 2 7 1";

    #[test]
    fn scenes_are_read_line_by_line() {
        let text = format!(
            "# a scene\ndt 0.05\nupdates 20\nevery 5\nmax_radius 0.6\nmax_agents 9\n{AGENT}\n\
             at 9 remove 0\nat 3 target 0 1 2 3 # there\nat 3 reset 0\n"
        );
        let scene = Scene::parse(&text).unwrap();
        assert_eq!((scene.n_updates, scene.every, scene.max_agents), (20, 5, 9));
        assert_eq!(scene.agents[0].0, Vec3::new(1.0, 2.0, 3.0));
        let after: Vec<u32> = scene.events.iter().map(|event| event.after).collect();
        assert_eq!(after, [3, 3, 9]);
        assert!(matches!(scene.events[0].kind, EventKind::Target(_)));
    }

    #[test]
    fn agents_times_updates_are_limited() {
        let parse = |n_agents: usize, n_updates: u32| {
            let agents = format!("{AGENT}\n").repeat(n_agents);
            Scene::parse(&format!("dt 0.1\nupdates {n_updates}\n{agents}"))
        };
        assert!(parse(100, 1_000_000).is_ok());
        let why = parse(101, 1_000_000).unwrap_err().to_string();
        assert!(why.contains("1000000 updates of 101 agents"), "{why}");
    }

    #[test]
    fn errors_name_the_line() {
        for (line, expected) in [
            ("jump 3", "line 3: unknown \"jump\""),
            ("agent 1 2 3", "line 3: expected 12 numbers after agent, found 3"),
            ("agent 1 2 3 0.6 2 8 3.5 7.2 18 2 7 8", "line 3: there are no settings"),
            ("agent 1 2 3 -1 2 8 3.5 7.2 18 2 7 1", "line 3: the radius is -1"),
            ("at 1 target 0 1 2", "line 3: expected three coordinates"),
            ("at 1 reset 1", "line 3: there is no agent 1; the scene has 1, from 0"),
            ("at 1 dance 0", "line 3: unknown \"dance\""),
            ("at x reset 0", "line 3: \"x\" is not a whole number"),
            ("every 0", "line 3: every must be 1 or more"),
            ("max_agents 99999999", "line 3: a crowd has at most"),
            ("updates 4000000000", "line 3: a scene has at most"),
            ("dt nan", "line 3: expected a number above zero"),
        ] {
            let error = Scene::parse(&format!("dt 0.1\n{AGENT}\n{line}\n")).unwrap_err();
            let error = format!("{error:#}");
            assert!(error.starts_with(expected), "{line}: {error}");
        }
        assert!(Scene::parse("updates 3").unwrap_err().to_string().contains("dt SECONDS"));
    }
}
