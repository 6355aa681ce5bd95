//! Recordings of the agents around a place, and their simulation.

use glam::Vec3;
use serde::{Deserialize, Serialize};
use walkable_runtime::{
    crowd::{Crowd, CrowdError, CrowdParams},
    navmesh::NavMesh,
    query::{NearestRequest, nearest},
};

use super::{
    SoakSettings,
    tracks::{Track, Tracks},
};

/// Maximum number of agents of a replay.
const MAX_AGENTS: usize = 32;
/// Simulated time after the end of the recording, in seconds.
const AFTER: f32 = 5.0;

/// The agents around a place, from ten seconds before an agent stopped until it counted as stuck.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Replay {
    /// Time between two positions, in seconds.
    pub seconds_per_sample: f32,
    /// Number of updates of the crowd between two positions.
    pub updates_per_sample: u32,
    /// The stuck agent, then the others, the nearest first; at most 32.
    pub agents: Vec<ReplayAgent>,
}

/// An agent of a replay.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReplayAgent {
    /// Number of the agent in the run.
    pub agent: u32,
    /// Positions. All agents of a replay have the same number of positions.
    pub positions: Vec<Vec3>,
    /// Targets, in order; the first one is known from the start.
    pub targets: Vec<ReplayTarget>,
}

/// A target of an agent.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReplayTarget {
    /// Number of samples between the first one and the assignment of the target.
    pub after: u32,
    /// The target.
    pub target: Vec3,
}

impl Replay {
    /// Records the agents that came near the present position of `agent`.
    pub(super) fn new(tracks: &Tracks, agent: usize, settings: &SoakSettings) -> Self {
        let updates_per_sample = updates_per_sample(settings);
        let mut replay = Self {
            seconds_per_sample: seconds_per_sample(settings),
            updates_per_sample,
            agents: Vec::new(),
        };
        let Some(place) = tracks.position(agent, 0) else { return replay };
        let n = tracks.len(agent);
        let reach = (settings.agent.radius * 12.0).max(6.0);
        let mut near: Vec<(f32, usize)> = (0..tracks.of_agents.len())
            .filter(|&other| other != agent && tracks.len(other) >= n)
            .filter_map(|other| {
                let positions = tracks.of_agents[other].positions.iter().rev().take(n);
                let nearest = positions.map(|at| at.distance(place)).reduce(f32::min)?;
                (nearest < reach).then_some((nearest, other))
            })
            .collect();
        near.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        near.truncate(MAX_AGENTS - 1);
        let numbers = std::iter::once(agent).chain(near.into_iter().map(|(_, other)| other));
        let first =
            tracks.n_samples + 1 - u32::try_from(n).unwrap_or(u32::MAX).min(tracks.n_samples);
        replay.agents =
            numbers.map(|number| recorded(&tracks.of_agents[number], number, (first, n))).collect();
        replay
    }

    /// Returns the length of the recording, in seconds.
    pub fn seconds(&self) -> f32 {
        let n = self.agents.first().map_or(0, |agent| agent.positions.len().saturating_sub(1));
        self.seconds_per_sample * u16::try_from(n).map_or(f32::INFINITY, f32::from)
    }

    /// Simulates only the recorded agents; returns whether the first one is stuck at the same place again.
    pub(super) fn is_reproduced(&self, mesh: &NavMesh, settings: &SoakSettings) -> bool {
        self.simulate(mesh, settings).unwrap_or(false)
    }

    fn simulate(&self, mesh: &NavMesh, settings: &SoakSettings) -> Result<bool, CrowdError> {
        let Some(stuck) = self.agents.first() else { return Ok(false) };
        let Some(&place) = stuck.positions.last() else { return Ok(false) };
        let mut crowd = new_crowd(settings, self.agents.len())?;
        let mut ids = Vec::new();
        for agent in &self.agents {
            let start = agent.positions.first().copied().unwrap_or(place);
            ids.push(crowd.add_agent(mesh, start, settings.agent)?);
        }
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a few dozen samples"
        )]
        let after = (AFTER / self.seconds_per_sample) as usize;
        for sample in 0..stuck.positions.len() + after {
            for (agent, &id) in self.agents.iter().zip(&ids) {
                for target in agent.targets.iter().filter(|target| target.after as usize == sample)
                {
                    let half_extents = crowd.query_half_extents();
                    let filter = &settings.filter;
                    let request = NearestRequest { center: target.target, half_extents, filter };
                    if let Ok(Some(target)) = nearest(mesh, &request) {
                        crowd.set_target(id, target)?;
                    }
                }
            }
            for _ in 0..self.updates_per_sample {
                crowd.update(mesh, settings.seconds_per_update);
            }
        }
        let agent = ids.first().and_then(|&id| crowd.agent(id));
        let is_here = |at: Vec3| at.distance(place) < settings.standing_distance() * 2.0;
        Ok(agent.is_some_and(|agent| is_here(agent.position())))
    }
}

fn recorded(track: &Track, number: usize, (first, n): (u32, usize)) -> ReplayAgent {
    let skipped = track.positions.len().saturating_sub(n);
    let known = track.targets.iter().rposition(|&(at, _)| at <= first).unwrap_or(0);
    let targets = track.targets.iter().skip(known);
    ReplayAgent {
        agent: u32::try_from(number).unwrap_or(u32::MAX),
        positions: track.positions.iter().skip(skipped).copied().collect(),
        targets: targets
            .map(|&(at, target)| ReplayTarget { after: at.saturating_sub(first), target })
            .collect(),
    }
}

/// Returns the number of updates between two samples, which are about a tenth of a second apart.
pub(super) fn updates_per_sample(settings: &SoakSettings) -> u32 {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "casts saturate")]
    let n = (0.1 / settings.seconds_per_update).round() as u32;
    n.max(1)
}

/// Returns the time between two samples, in seconds.
pub(super) fn seconds_per_sample(settings: &SoakSettings) -> f32 {
    #[expect(clippy::cast_precision_loss, reason = "a small number")]
    let n = updates_per_sample(settings) as f32;
    n * settings.seconds_per_update
}

/// Creates a crowd for `n_agents` of the run.
pub(super) fn new_crowd(settings: &SoakSettings, n_agents: usize) -> Result<Crowd, CrowdError> {
    let max_agent_radius = settings.agent.radius;
    let mut crowd = Crowd::new(CrowdParams { max_agents: n_agents, max_agent_radius })?;
    crowd.filters_mut()[usize::from(settings.agent.filter)] = settings.filter.clone();
    Ok(crowd)
}
