//! Recorded positions and targets of all agents.

use std::collections::VecDeque;

use glam::Vec3;

/// The recording of an agent since it was placed, up to the maximum number of samples.
#[derive(Clone, Debug)]
pub(super) struct Track {
    /// Positions, one per sample, the last one at the current sample.
    pub(super) positions: VecDeque<Vec3>,
    /// Targets with the sample at which they were set, the oldest first. At least one.
    pub(super) targets: VecDeque<(u32, Vec3)>,
}

/// The recordings of all agents.
#[derive(Clone, Debug)]
pub(super) struct Tracks {
    /// Maximum number of samples of a track.
    max_samples: usize,
    /// Number of samples since the start of the run.
    pub(super) n_samples: u32,
    pub(super) of_agents: Vec<Track>,
}

impl Tracks {
    pub(super) fn new(n_agents: usize, max_samples: usize) -> Self {
        let track = Track { positions: VecDeque::new(), targets: VecDeque::new() };
        Self { max_samples, n_samples: 0, of_agents: vec![track; n_agents] }
    }

    /// Starts the track of an agent that was placed somewhere.
    pub(super) fn restart(&mut self, agent: usize, target: Vec3) {
        let track = &mut self.of_agents[agent];
        track.positions.clear();
        track.targets.clear();
        track.targets.push_back((self.n_samples, target));
    }

    /// Records a new target of an agent.
    pub(super) fn set_target(&mut self, agent: usize, target: Vec3) {
        self.of_agents[agent].targets.push_back((self.n_samples, target));
    }

    /// Adds a sample of all agents.
    pub(super) fn add(&mut self, positions: impl IntoIterator<Item = Vec3>) {
        self.n_samples += 1;
        let n_max = u32::try_from(self.max_samples).unwrap_or(u32::MAX);
        let first = self.n_samples.saturating_sub(n_max);
        for (track, position) in self.of_agents.iter_mut().zip(positions) {
            if track.positions.len() >= self.max_samples {
                track.positions.pop_front();
            }
            track.positions.push_back(position);
            while track.targets.get(1).is_some_and(|&(at, _)| at <= first) {
                track.targets.pop_front();
            }
        }
    }

    /// Returns the position of an agent `age` samples before the current one, if the agent had been placed by then.
    pub(super) fn position(&self, agent: usize, age: usize) -> Option<Vec3> {
        let positions = &self.of_agents[agent].positions;
        positions.len().checked_sub(age + 1).and_then(|index| positions.get(index)).copied()
    }

    /// Returns the number of samples of an agent.
    pub(super) fn len(&self, agent: usize) -> usize {
        self.of_agents[agent].positions.len()
    }
}
