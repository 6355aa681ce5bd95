//! Commands of the lab.

use super::Effect;
use crate::{command::LabCommand, session::Session};

/// Carries out `command`.
pub(super) fn dispatch(session: &mut Session, command: LabCommand) -> Option<Effect> {
    match command {
        LabCommand::Run => return Some(Effect::RunLab),
        LabCommand::Set(settings) => session.lab.settings = settings,
        LabCommand::Choose(searcher) => {
            session.lab.chosen = searcher;
            session.lab.serial += 1;
        }
    }
    None
}
