//! Commands of the lab.

use super::{
    Command,
    describe::{Description, says},
};
use crate::session::{LabSettings, Searcher};

/// A wish that concerns the lab.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum LabCommand {
    /// Compares searches between the path's two ends.
    Run,
    /// Sets how the lab divides the space.
    Set(LabSettings),
    /// Draws what one search found and looked at.
    Choose(Option<Searcher>),
}

impl LabCommand {
    /// Those that need nothing more to be known.
    pub(crate) fn listed() -> Vec<Command> {
        vec![Self::Run.into()]
    }

    pub(super) fn description(&self) -> Description {
        match self {
            Self::Run => {
                says("Compare searches", "Searches between the path's two ends in every way")
            }
            Self::Set(_) => says("Divide the space", "Sets voxels and radius of flyers"),
            Self::Choose(_) => says("Show this search", "Draws what it found and looked at"),
        }
    }
}

impl From<LabCommand> for Command {
    fn from(command: LabCommand) -> Self {
        Self::Lab(command)
    }
}
