//! Commands for what would make a place walkable, or have a path lead to its end.

use walkable::explain::Fix;

use super::{
    Command,
    describe::{Description, says},
};
use crate::session::FixTarget;

/// A wish that concerns fixes.
#[derive(Clone, Debug, PartialEq)]
pub enum FixCommand {
    /// Finds out why the path goes where it goes.
    ExplainPath,
    /// Looks for fixes.
    Find(FixTarget),
    /// Ends the search for fixes; what was found stays.
    Cancel,
    /// Makes the change that this fix is.
    Apply(Box<Fix>),
}

impl FixCommand {
    /// Those that need nothing more to be known.
    pub fn listed() -> Vec<Command> {
        let find = [FixTarget::Place, FixTarget::Path].map(Self::Find);
        let all = [Self::ExplainPath, Self::Cancel].into_iter().chain(find);
        all.map(Command::from).collect()
    }

    pub(super) fn description(&self) -> Description {
        match self {
            Self::ExplainPath => says(
                "Explain path",
                "Finds what is in the way on the direct way, from the voxels of the level",
            ),
            Self::Find(FixTarget::Place) => says(
                "Find fixes of the place",
                "Bakes the tile of the selected place with other settings until it is walkable",
            ),
            Self::Find(FixTarget::Path) => says(
                "Find fixes of the path",
                "Bakes the level with other settings, or an off-mesh link, until the path leads to its end",
            ),
            Self::Cancel => says("Stop finding fixes", "Ends the search and keeps what was found"),
            Self::Apply(fix) => match &**fix {
                Fix::Settings(_) => says("Apply this fix", "Changes these settings and bakes"),
                Fix::Link(_) => says("Apply this fix", "Places this off-mesh link and bakes"),
                Fix::Terms(_) => {
                    says("Apply this fix", "Changes the filter or limit of the search")
                }
                Fix::Geometry(_) => {
                    says("Change of the level", "To be made in the level's own editor")
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
