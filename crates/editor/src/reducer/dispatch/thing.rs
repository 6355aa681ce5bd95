//! Commands for the objects placed in the level.

use crate::{
    command::{ThingCommand, lower_first},
    session::{SavedPath, Session, Thing},
};

/// Carries out `command`.
pub(super) fn dispatch(session: &mut Session, command: ThingCommand) {
    match command {
        ThingCommand::NextVolume(new) => session.new_volume = new,
        ThingCommand::Choose(thing) => {
            (session.selection, session.thing) = (None, thing);
            take_path(session);
        }
        ThingCommand::Delete | ThingCommand::Duplicate => change(session, command),
    }
}

/// Removes the selected object, or adds a copy.
fn change(session: &mut Session, command: ThingCommand) {
    let Some(thing) = session.thing() else { return };
    let name = lower_first(&thing.name(session.document()));
    let (label, edit, chosen) = if command == ThingCommand::Delete {
        (format!("Delete {name}"), thing.removed_from(session.document()), None)
    } else {
        let Some((edit, copy)) = thing.doubled_in(session.document()) else { return };
        (format!("Duplicate {name}"), edit, Some(copy))
    };
    session.history.change(label, |document| edit.apply(document));
    session.thing = chosen;
}

/// Shows the selected object's path, if it is one.
fn take_path(session: &mut Session) {
    let Some(Thing::Path(number)) = session.thing() else { return };
    if let Some(SavedPath { start, end }) = session.document().paths.get(number).map(|it| it.of) {
        (session.path.start, session.path.end) = (Some(start), Some(end));
        session.update_path();
    }
}
