//! Commands that make a point of the level walkable.

use super::{
    Command,
    describe::{Description, says},
};

/// A command for the fixes of the selected point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FixCommand {
    /// Looks for settings that make the selected place walkable.
    Find,
    /// Applies the fix with this index.
    Apply(usize),
}

impl FixCommand {
    /// The commands that need no arguments.
    pub fn listed() -> Vec<Command> {
        vec![Self::Find.into()]
    }

    pub(super) fn description(self) -> Description {
        match self {
            Self::Find => says(
                "Find fixes",
                "Bakes the tile of the selected place with other settings until it is walkable",
            ),
            Self::Apply(_) => says("Apply this fix", "Changes these settings and bakes"),
        }
    }
}

impl From<FixCommand> for Command {
    fn from(command: FixCommand) -> Self {
        Self::Fix(command)
    }
}
