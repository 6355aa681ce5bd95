//! Commands of the query tool.

use crate::{
    command::ProbeCommand,
    session::{Session, ToolKind},
};

/// Carries out `command`.
pub(super) fn dispatch(session: &mut Session, command: ProbeCommand) {
    let probe = &mut session.probe;
    match command {
        ProbeCommand::Start(point) => probe.start = Some(point),
        ProbeCommand::End(point) => probe.end = Some(point),
        ProbeCommand::By(mode) => (probe.mode, session.tool) = (mode, ToolKind::Probe),
        ProbeCommand::With(options) => probe.options = options,
        ProbeCommand::ShowSteps(replay) => return session.show_probe(replay),
        ProbeCommand::Play => {
            let replay = probe.replay.toggled(probe.n_steps());
            return session.show_probe(replay);
        }
        ProbeCommand::StepOn => {
            let replay = probe.replay.stepped_on(probe.n_steps());
            return session.show_probe(replay);
        }
        ProbeCommand::StepBack => {
            let replay = probe.replay.stepped_back(probe.n_steps());
            return session.show_probe(replay);
        }
        ProbeCommand::Clear => probe.forget(),
    }
    session.update_path();
}
