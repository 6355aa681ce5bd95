//! Commands that find and apply fixes for a point or a path.

use walkable::explain::Fix;

use super::{
    Command,
    describe::{Description, says},
};
use crate::session::{FixTarget, Session};

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
    /// Shows the bake with this fix beside the current one.
    TryOut(Box<Fix>),
    /// Applies the fix that is tried out.
    Keep,
    /// Ends trying out a fix.
    Discard,
}

impl FixCommand {
    /// The commands that need no arguments.
    pub fn listed() -> Vec<Command> {
        let find = [FixTarget::Place, FixTarget::Path].map(Self::Find);
        let plain = [Self::ExplainPath, Self::Cancel, Self::Keep, Self::Discard];
        let all = plain.into_iter().chain(find);
        all.map(Command::from).collect()
    }

    pub(super) fn description(&self) -> Description {
        match self {
            Self::ExplainPath => says(
                "fix.explain-path",
                "Explain path",
                "Searches the level's voxels for obstacles between the path's ends",
            )
            .needs(|session| session.path_question().is_some()),
            Self::Find(FixTarget::Place) => says(
                "fix.find-place",
                "Find fixes for the place",
                "Bakes the tile of the selected place with other settings until it is walkable",
            )
            .needs(|session| session.selection.is_some() && session.can_find_fixes()),
            Self::Find(FixTarget::Path) => says(
                "fix.find-path",
                "Find fixes for the path",
                "Bakes the level with other settings, or with an off-mesh link, until the path is complete",
            )
            .needs(|session| session.present_break().is_some() && session.can_find_fixes()),
            Self::Cancel => says(
                "fix.cancel",
                "Stop finding fixes",
                "Stops the search and keeps the fixes found",
            )
            .needs(|session| session.fixes.is_busy),
            Self::TryOut(_) => says(
                "fix.try-out",
                "What if",
                "Bakes with this fix and shows the result beside the current bake",
            )
            .needs(Session::can_preview),
            Self::Keep => says(
                "fix.keep",
                "Keep the fix",
                "Applies the fix that is tried out",
            )
            .needs(|session| session.preview.is_some()),
            Self::Discard => says(
                "fix.discard",
                "Discard the fix",
                "Shows the current bake again; nothing has changed",
            )
            .needs(|session| session.preview.is_some()),
            Self::Apply(fix) => {
                let what = match &**fix {
                    Fix::Settings(_) => "Changes these settings and bakes",
                    Fix::Link(_) => "Places this off-mesh link and bakes",
                    Fix::Terms(_) => "Changes the filter or the node limit of the path tool",
                    Fix::Geometry(_) => "A change to make in the level editor",
                };
                says("fix.apply", "Apply this fix", what)
            }
        }
    }
}

impl From<FixCommand> for Command {
    fn from(command: FixCommand) -> Self {
        Self::Fix(command)
    }
}
