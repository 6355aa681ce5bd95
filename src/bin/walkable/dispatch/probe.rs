//! Commands of the query tool.

use crate::{
    command::{ProbeCommand, ToolKind},
    session::Session,
};

/// Carries out `command`.
pub(super) fn dispatch(session: &mut Session, command: ProbeCommand) {
    let probe = &mut session.probe;
    match command {
        ProbeCommand::Start(point) => probe.start = Some(point),
        ProbeCommand::End(point) => probe.end = Some(point),
        ProbeCommand::By(mode) => (probe.mode, session.tool) = (mode, ToolKind::Probe),
        ProbeCommand::Within(radius, points) => (probe.radius, probe.n_points) = (radius, points),
        ProbeCommand::ShowSearch(replay) => return probe.replay = replay,
        ProbeCommand::PlaySearch => {
            return probe.replay = probe.replay.toggled(probe.n_expanded());
        }
        ProbeCommand::Clear => probe.forget(),
    }
    session.update_path();
}
