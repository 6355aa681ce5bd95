//! The heat map that the crowd tool draws.

use walkable::soak::{HeatMap, HeatMeasure};
use walkable_workspace::lang::tr;

use super::Session;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShownHeat {
    pub source: HeatSource,
    pub measure: HeatMeasure,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeatSource {
    Soak,
    /// The simulation of the scene, up to its latest update.
    Crowd,
}

impl ShownHeat {
    /// The initial heat map: where agents wait in the soak run.
    pub const FIRST: Self = Self { source: HeatSource::Soak, measure: HeatMeasure::Waiting };

    pub fn name(self) -> &'static str {
        match self.measure {
            HeatMeasure::Passing => tr!("Passing"),
            HeatMeasure::Waiting => tr!("Waiting"),
            HeatMeasure::Slowed => tr!("Slowed"),
            HeatMeasure::Colliding => tr!("Colliding"),
        }
    }

    pub fn what(self) -> &'static str {
        match self.measure {
            HeatMeasure::Passing => tr!("Colors the ground by the time of moving agents"),
            HeatMeasure::Waiting => {
                tr!("Colors the ground by the time of standing agents with a target")
            }
            HeatMeasure::Slowed => {
                tr!(
                    "Colors the ground by the time of moving agents below half of their maximum speed"
                )
            }
            HeatMeasure::Colliding => {
                tr!(
                    "Colors the ground by the time of agents that overlap another one by more than 5 cm"
                )
            }
        }
    }
}

impl Session {
    /// Returns the times of agents in the last soak run, or in the simulation of the scene; `None` before it.
    pub fn agent_heat(&self, source: HeatSource) -> Option<&HeatMap> {
        match source {
            HeatSource::Soak => self.soak.report().map(|report| &report.heat),
            HeatSource::Crowd => self.crowd_heat(),
        }
    }
}
