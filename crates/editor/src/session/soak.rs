//! The soak run of the crowd panel.

use walkable::{
    debug_draw::{DrawList, Paint},
    soak::SoakReport,
};

/// The soak run's settings, progress and result.
#[derive(Clone, Debug, PartialEq)]
pub struct SoakState {
    /// Settings of the next run.
    pub input: SoakInput,
    /// Whether agents are being simulated.
    pub is_busy: bool,
    /// Progress of the run.
    pub progress: SoakProgress,
    /// The last result, or why there is none.
    pub result: Option<Result<Box<SoakReport>, String>>,
    /// Serial number of the navmesh of the run; `None` if its level was closed.
    pub navmesh: Option<u64>,
    /// Position of the shown finding in the list.
    pub chosen: Option<usize>,
}

/// Settings of a soak run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SoakInput {
    /// Number of agents.
    pub n_agents: usize,
    /// Simulated time, in minutes.
    pub minutes: f32,
    /// Seed of the places.
    pub seed: u32,
}

/// Progress of a soak run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SoakProgress {
    /// Share of the simulated time, from 0 to 1.
    pub done: f32,
    /// Number of places found so far.
    pub n_findings: usize,
}

impl Default for SoakState {
    fn default() -> Self {
        Self {
            input: SoakInput { n_agents: 50, minutes: 10.0, seed: 0 },
            is_busy: false,
            progress: SoakProgress::default(),
            result: None,
            navmesh: None,
            chosen: None,
        }
    }
}

impl SoakState {
    /// Removes the result.
    pub fn forget(&mut self) {
        *self = Self { input: self.input, ..Self::default() };
    }

    /// Stores the result, unless its level was closed.
    pub fn land(&mut self, result: Result<Box<SoakReport>, String>) {
        self.result = self.navmesh.map(|_| result);
    }

    /// The report of the last run.
    pub fn report(&self) -> Option<&SoakReport> {
        self.result.as_ref()?.as_ref().ok().map(|report| &**report)
    }

    /// Draws the places of the findings.
    pub fn picture(&self) -> DrawList {
        let mut list = DrawList::default();
        let Some(report) = self.report() else { return list };
        for (index, finding) in report.findings.iter().enumerate() {
            let is_chosen = self.chosen == Some(index);
            let top = finding.point + glam::Vec3::Y * 2.0;
            list.line([finding.point, top], 2.0, Paint::Problem);
            list.point(top, if is_chosen { 14.0 } else { 9.0 }, Paint::Problem);
        }
        list
    }
}
