//! Commands of the lab.

use super::Effect;
use crate::{command::LabCommand, session::Session};

/// Carries out `command`.
pub(super) fn dispatch(session: &mut Session, command: LabCommand) -> Option<Effect> {
    let lab = &mut session.lab;
    match command {
        LabCommand::Run => return Some(Effect::RunLab),
        LabCommand::Cancel => return Some(Effect::CancelLab),
        LabCommand::Set(settings) => lab.settings = settings,
        LabCommand::Want(searcher, true) => drop(lab.wanted.insert(searcher)),
        LabCommand::Want(searcher, false) => drop(lab.wanted.remove(&searcher)),
        LabCommand::Choose(chosen, other) => lab.choose(chosen, other),
        LabCommand::Tab(tab) => lab.tab = tab,
        LabCommand::Plot(measure) => lab.measure = measure,
        LabCommand::Show(replay) => lab.replay = replay,
        LabCommand::Play => lab.replay = lab.replay.toggled(lab.n_steps()),
        LabCommand::Speed(speed) => lab.speed = speed,
    }
    None
}
