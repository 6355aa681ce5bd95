//! The soak run of the crowd panel.

use std::sync::Arc;

use glam::Vec3;
use serde::{Deserialize, Serialize};
use walkable::{
    debug_draw::{DrawList, Paint},
    navmesh::NavMesh,
    soak::{Replay as SoakRecording, SoakFinding, SoakReport},
};

use super::{BakeState, Replay};

const TRAIL: usize = 20;

#[derive(Clone, Debug, PartialEq)]
pub struct SoakState {
    pub input: SoakInput,
    pub progress: SoakProgress,
    pub result: Option<Result<Box<SoakReport>, String>>,
    /// The navmesh of the run; `None` if its level was closed.
    pub navmesh: Option<SoakNavmesh>,
    pub chosen: Option<usize>,
    /// The moment of the recording of the shown finding; at first its end, when an agent was stuck.
    pub recording: Replay,
}

#[derive(Clone, Debug)]
pub struct SoakNavmesh {
    serial: u64,
    mesh: Arc<NavMesh>,
}

impl SoakNavmesh {
    pub fn of(bake: &BakeState) -> Option<Self> {
        Some(Self { serial: bake.navmesh_serial, mesh: Arc::clone(bake.navmesh.as_ref()?) })
    }

    /// Returns the navmesh, even if tiles were baked again after the run.
    pub const fn mesh(&self) -> &Arc<NavMesh> {
        &self.mesh
    }
}

impl PartialEq for SoakNavmesh {
    fn eq(&self, other: &Self) -> bool {
        self.serial == other.serial
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RecordedAgent<'a> {
    pub at: Vec3,
    pub trail: &'a [Vec3],
    pub target: Option<Vec3>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SoakInput {
    pub n_agents: usize,
    /// Simulated time, in minutes.
    pub minutes: f32,
    pub seed: u32,
    pub places: SoakPlaces,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum SoakPlaces {
    #[default]
    Random,
    Saved,
}

impl SoakInput {
    /// Returns whether a run can start with this number of saved places: agents walk between two or more.
    pub fn is_possible(self, n_places: usize) -> bool {
        match self.places {
            SoakPlaces::Random => true,
            SoakPlaces::Saved => n_places > 1,
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SoakProgress {
    /// Share of the simulated time, from 0 to 1.
    pub done: f32,
    pub n_findings: usize,
}

impl Default for SoakState {
    fn default() -> Self {
        Self {
            input: SoakInput { n_agents: 50, minutes: 10.0, seed: 0, places: SoakPlaces::Random },
            progress: SoakProgress::default(),
            result: None,
            navmesh: None,
            chosen: None,
            recording: Replay::default(),
        }
    }
}

impl SoakState {
    pub fn forget(&mut self) {
        *self = Self { input: self.input, ..Self::default() };
    }

    /// Stores the result, unless its level was closed.
    pub fn land(&mut self, result: Result<Box<SoakReport>, String>) {
        self.result = self.navmesh.as_ref().map(|_| result);
    }

    pub fn is_current(&self, bake: &BakeState) -> bool {
        self.navmesh.as_ref().is_some_and(|navmesh| navmesh.serial == bake.navmesh_serial)
    }

    pub fn report(&self) -> Option<&SoakReport> {
        self.result.as_ref()?.as_ref().ok().map(|report| &**report)
    }

    pub fn shown_finding(&self) -> Option<&SoakFinding> {
        self.report()?.findings.get(self.chosen?)
    }

    /// Returns the recording of the shown finding: up to 32 agents, from ten seconds before one of them stopped until
    /// it was stuck.
    pub fn shown_recording(&self) -> Option<&SoakRecording> {
        self.shown_finding().map(|finding| &finding.replay)
    }

    pub fn n_recorded(&self) -> usize {
        let positions = self.shown_recording().and_then(|recording| recording.agents.first());
        positions.map_or(0, |agent| agent.positions.len().saturating_sub(1))
    }

    /// Returns the recorded agents of the shown finding at the shown moment; the stuck one is first.
    pub fn recorded_agents(&self) -> Vec<RecordedAgent<'_>> {
        let n = self.n_recorded();
        let now = self.recording.step.unwrap_or(n).min(n);
        let agents = self.shown_recording().into_iter().flat_map(|recording| &recording.agents);
        let shown = agents.filter_map(|agent| {
            let trail = agent.positions.get(now.saturating_sub(TRAIL)..=now)?;
            let known = agent.targets.iter().rfind(|target| target.after as usize <= now);
            Some(RecordedAgent { at: *trail.last()?, trail, target: known.map(|it| it.target) })
        });
        shown.collect()
    }

    pub fn recording_on(&mut self) {
        self.recording = self.recording.later_by(self.n_recorded(), 1);
    }

    pub fn picture(&self) -> DrawList {
        let mut list = DrawList::default();
        let Some(report) = self.report() else { return list };
        for (index, finding) in report.findings.iter().enumerate() {
            let is_chosen = self.chosen == Some(index);
            let top = finding.point + Vec3::Y * 2.0;
            list.line([finding.point, top], 2.0, Paint::Problem);
            list.point(top, if is_chosen { 14.0 } else { 9.0 }, Paint::Problem);
        }
        list
    }
}
