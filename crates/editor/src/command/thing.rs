//! Commands for the objects placed in the level.

use super::{
    Command, Key, Shortcut,
    describe::{Description, says, variant_id},
    lower_first,
};
use crate::{
    lang::tr,
    session::{NewVolume, SavedPath, Session, Thing},
};

/// A command for objects placed in the level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ThingCommand {
    /// Chooses one, or lets go.
    Choose(Option<Thing>),
    /// Removes the selected object.
    Delete,
    /// Adds a copy of the selected object.
    Duplicate,
    /// Sets the shape of the next volume.
    NextVolume(NewVolume),
}

impl ThingCommand {
    /// The commands that need no arguments.
    pub fn listed() -> Vec<Command> {
        [Self::Delete, Self::Duplicate].map(Command::from).to_vec()
    }

    pub(super) fn description(self) -> Description {
        match self {
            Self::Choose(Some(thing)) => says(
                format!("thing.choose.{}", variant_id(thing)),
                tr!("Choose {}", lower_first(&thing.number_name())),
                tr!("Shows its properties"),
            ),
            Self::Choose(None) => says(
                "thing.choose-none",
                tr!("Clear selection"),
                tr!("Deselects the selected object"),
            ),
            Self::Delete => {
                says("thing.delete", tr!("Delete"), tr!("Removes the chosen volume or link"))
                    .needs(|session| session.thing().is_some())
                    .key(Shortcut::plain(Key::Delete))
            }
            Self::Duplicate => says(
                "thing.duplicate",
                tr!("Duplicate"),
                tr!("Adds a copy of the chosen volume or link beside it"),
            )
            .needs(|session| session.thing().is_some())
            .key(Shortcut::ctrl('D')),
            Self::NextVolume(new) => {
                let kind = lower_first(new.kind.name());
                says(
                    format!("thing.next-volume.{}", variant_id(new.kind)),
                    tr!("Draw volumes as {kind}"),
                    tr!("Sets the shape of the next volume"),
                )
            }
        }
    }
}

impl From<ThingCommand> for Command {
    fn from(command: ThingCommand) -> Self {
        Self::Thing(command)
    }
}

impl ThingCommand {
    /// Carries out the command.
    pub(crate) fn carry_out(self, session: &mut Session) {
        match self {
            Self::NextVolume(new) => session.new_volume = new,
            Self::Choose(thing) => {
                (session.selection, session.thing) = (None, thing);
                take_path(session);
            }
            Self::Delete | Self::Duplicate => change(session, self),
        }
    }
}

/// Removes the selected object, or adds a copy.
fn change(session: &mut Session, command: ThingCommand) {
    let Some(thing) = session.thing() else { return };
    let name = lower_first(&thing.name(session.document()));
    let (label, edit, chosen) = if command == ThingCommand::Delete {
        (tr!("Delete {name}"), thing.removed_from(session.document()), None)
    } else {
        let Some((edit, copy)) = thing.doubled_in(session.document()) else { return };
        (tr!("Duplicate {name}"), edit, Some(copy))
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
