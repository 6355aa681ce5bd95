//! Commands of the check of the navmesh.

use super::{
    CameraMove, Command, Effect, Key, Pane, Shortcut,
    describe::{Description, says},
    requests,
};
use crate::{
    jobs::work::Work,
    session::{CheckFilter, Session},
};

/// A command for the check of the navmesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckCommand {
    /// Checks the current navmesh and shows the panel.
    Run,
    /// Stops the running check.
    Cancel,
    /// Turns the check after each bake on or off.
    ToggleAfterBake,
    /// Selects the findings that are listed.
    Show(CheckFilter),
    /// Marks the finding with this index and moves the camera to it; or none.
    Choose(Option<usize>),
}

impl CheckCommand {
    /// The commands that need no arguments.
    pub fn listed() -> Vec<Command> {
        let plain = [Self::Run, Self::Cancel, Self::ToggleAfterBake];
        let filters = CheckFilter::ALL.map(Self::Show);
        plain.into_iter().chain(filters).map(Command::from).collect()
    }

    pub(super) fn description(self) -> Description {
        match self {
            Self::Run => says(
                "check.run",
                "Check navmesh",
                "Looks for faults in tile borders, polygons, islands and limits, and compares the surface with the level",
            )
            .needs(Session::can_check)
            .key(Shortcut::plain(Key::Function(8))),
            Self::Cancel => says("check.cancel", "Stop check", "Stops the running check")
                .needs(|session| session.check.is_busy),
            Self::ToggleAfterBake => says(
                "check.toggle-after-bake",
                "Check after each bake",
                "Checks the navmesh whenever a bake has ended",
            ),
            Self::Show(CheckFilter::All) => {
                says("check.show.all", "Show all findings", "Lists warnings and notes of the check")
                    .needs(|session| session.check.filter != CheckFilter::All)
            }
            Self::Show(CheckFilter::Warnings) => says(
                "check.show.warnings",
                "Show warnings only",
                "Hides the notes of the check",
            )
            .needs(|session| session.check.filter != CheckFilter::Warnings),
            Self::Choose(_) => {
                says("check.choose", "Show finding", "Moves the camera to a finding and marks it")
            }
        }
    }

    /// Carries out the command.
    pub(crate) fn carry_out(self, session: &mut Session) -> Vec<Effect> {
        match self {
            Self::Run => {
                let work = requests::check(session).map(Effect::Work);
                return work.into_iter().chain([Effect::BringToFront(Pane::Check)]).collect();
            }
            Self::Cancel => return vec![Work::CancelCheck.into()],
            Self::ToggleAfterBake => {
                session.check.after_each_bake = !session.check.after_each_bake;
            }
            Self::Show(filter) => session.check.filter = filter,
            Self::Choose(index) => {
                let bounds = session.choose_finding(index);
                let frame = |bounds| Effect::Camera(CameraMove::Frame(bounds));
                return bounds.map(frame).into_iter().collect();
            }
        }
        Vec::new()
    }
}

impl From<CheckCommand> for Command {
    fn from(command: CheckCommand) -> Self {
        Self::Check(command)
    }
}
