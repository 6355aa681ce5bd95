//! Commands that find and apply fixes for a point or a path.

use walkable::explain::Fix;

use super::{
    Command,
    describe::{Description, says},
};
use crate::session::FixTarget;

/// A command for fixes.
#[derive(Clone, Debug, PartialEq)]
pub enum FixCommand {
    /// Explains the path.
    ExplainPath,
    /// Looks for fixes of this target.
    Find(FixTarget),
    /// Stops the search for fixes and keeps its results.
    Cancel,
    /// Applies this fix.
    Apply(Box<Fix>),
}

impl FixCommand {
    /// The commands that need no arguments.
    pub fn listed() -> Vec<Command> {
        let find = [FixTarget::Place, FixTarget::Path].map(Self::Find);
        let all = [Self::ExplainPath, Self::Cancel].into_iter().chain(find);
        all.map(Command::from).collect()
    }

    pub(super) fn description(&self) -> Description {
        match self {
            Self::ExplainPath => says(
                "Explain path",
                "Searches the voxels of the level for obstacles on the direct route",
            ),
            Self::Find(FixTarget::Place) => says(
                "Find fixes of the place",
                "Bakes the tile of the selected place with other settings until it is walkable",
            ),
            Self::Find(FixTarget::Path) => says(
                "Find fixes of the path",
                "Bakes the level with other settings, or with an off-mesh link, until the path is complete",
            ),
            Self::Cancel => says("Stop finding fixes", "Ends the search and keeps what was found"),
            Self::Apply(fix) => match &**fix {
                Fix::Settings(_) => says("Apply this fix", "Changes these settings and bakes"),
                Fix::Link(_) => says("Apply this fix", "Places this off-mesh link and bakes"),
                Fix::Terms(_) => {
                    says("Apply this fix", "Changes the filter or the node limit of the path tool")
                }
                Fix::Geometry(_) => {
                    says("Change the level", "A change to make in the level's own editor")
                }
            },
        }
    }
}

impl From<FixCommand> for Command {
    fn from(command: FixCommand) -> Self {
        Self::Fix(command)
    }
}
