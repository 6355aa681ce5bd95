//! Commands for what is placed in the level.

use super::{
    Command, Key, Shortcut,
    describe::{Description, says, variant_id},
    lower_first,
};
use crate::session::{NewVolume, Thing};

/// A command for objects placed in the level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ThingCommand {
    /// Chooses one, or lets go.
    Choose(Option<Thing>),
    /// Removes what is chosen.
    Delete,
    /// Adds a copy of what is chosen.
    Duplicate,
    /// Says what the next volume will be.
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
                format!("Choose {}", lower_first(&thing.number_name())),
                "Shows its properties",
            ),
            Self::Choose(None) => {
                says("thing.choose-none", "Clear selection", "Deselects the selected object")
            }
            Self::Delete => says("thing.delete", "Delete", "Removes the chosen volume or link")
                .needs(|session| session.thing().is_some())
                .key(Shortcut::plain(Key::Delete)),
            Self::Duplicate => says(
                "thing.duplicate",
                "Duplicate",
                "Adds a copy of the chosen volume or link beside it",
            )
            .needs(|session| session.thing().is_some())
            .key(Shortcut::ctrl('D')),
            Self::NextVolume(new) => {
                let kind = lower_first(new.kind.name());
                says(
                    format!("thing.next-volume.{}", variant_id(new.kind)),
                    format!("Draw volumes as {kind}"),
                    "Sets the shape of the next volume",
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
