//! Commands of the query tool.

use glam::Vec3;

use super::{
    Command,
    describe::{Description, says},
    lower_first,
};
use crate::session::ProbeMode;

/// A wish that concerns what the query tool asks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum ProbeCommand {
    /// Puts the start of the query here.
    Start(Vec3),
    /// Puts the end of the query here.
    End(Vec3),
    /// Sets what is asked.
    By(ProbeMode),
    /// Sets how far around is asked, in metres, and for how many points.
    Within(f32, u32),
    /// Forgets the query.
    Clear,
}

impl ProbeCommand {
    /// Those that need nothing more to be known.
    pub(crate) fn listed() -> Vec<Command> {
        ProbeMode::ALL.map(|mode| Self::By(mode).into()).to_vec()
    }

    pub(super) fn description(self) -> Description {
        match self {
            Self::Start(_) => says("Ask from here", "Puts the start of the query here"),
            Self::End(_) => says("Ask to here", "Puts the end of the query here"),
            Self::By(mode) => says(format!("Ask: {}", lower_first(mode.name())), mode.what()),
            Self::Within(..) => says("Ask within", "Sets how far around is asked"),
            Self::Clear => says("Clear query", "Removes the places of the query"),
        }
    }
}

impl From<ProbeCommand> for Command {
    fn from(command: ProbeCommand) -> Self {
        Self::Probe(command)
    }
}
