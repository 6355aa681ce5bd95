//! Commands of the query tool.

use glam::Vec3;

use super::{
    Command,
    describe::{Description, says},
    lower_first,
};
use crate::session::{ProbeMode, Replay};

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
    /// Sets how much of its search is drawn.
    ShowSearch(Replay),
    /// Plays its search node by node, or pauses.
    PlaySearch,
    /// Forgets the query.
    Clear,
}

impl ProbeCommand {
    /// Those that need nothing more to be known.
    pub(crate) fn listed() -> Vec<Command> {
        let by = ProbeMode::ALL.map(Self::By);
        by.into_iter().chain([Self::PlaySearch]).map(Command::from).collect()
    }

    pub(super) fn description(self) -> Description {
        match self {
            Self::Start(_) => says("Ask from here", "Puts the start of the query here"),
            Self::End(_) => says("Ask to here", "Puts the end of the query here"),
            Self::By(mode) => says(format!("Ask: {}", lower_first(mode.name())), mode.what()),
            Self::Within(..) => says("Ask within", "Sets how far around is asked"),
            Self::ShowSearch(_) => says("Show the query's search", "Shows it up to a node"),
            Self::PlaySearch => says("Play the query's search", "Shows it node by node, or pauses"),
            Self::Clear => says("Clear query", "Removes the places of the query"),
        }
    }
}

impl From<ProbeCommand> for Command {
    fn from(command: ProbeCommand) -> Self {
        Self::Probe(command)
    }
}
