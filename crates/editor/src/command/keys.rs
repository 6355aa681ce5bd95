//! Commands that change keys.

use walkable_workspace::lang::tr;

use super::{
    Command, Effect,
    describe::{Description, says},
    lower_first,
};
use crate::{keymap::Keymap, prefs::Prefs, shortcut::Shortcut};

#[derive(Clone, Debug, PartialEq)]
pub enum KeysCommand {
    Edit,
    Set(Box<Command>, Option<Shortcut>),
    Reset(Box<Command>),
    ResetAll,
}

impl KeysCommand {
    pub(super) fn listed() -> Vec<Command> {
        [Self::Edit, Self::ResetAll].map(Command::from).to_vec()
    }

    pub(super) fn description(&self) -> Description {
        match self {
            Self::Edit => says(
                "keys.edit",
                tr!("Keyboard shortcuts…"),
                tr!("Lists all commands and their keys, which can be changed"),
            ),
            Self::Set(command, _) => says(
                format!("keys.set.{}", command.id()),
                tr!("Set the key of {}", lower_first(&command.text())),
                tr!("Changes its key"),
            ),
            Self::Reset(command) => says(
                format!("keys.reset.{}", command.id()),
                tr!("Reset the key of {}", lower_first(&command.text())),
                tr!("Restores its default key"),
            ),
            Self::ResetAll => says(
                "keys.reset-all",
                tr!("Reset all shortcuts"),
                tr!("Restores the default keys of all commands"),
            ),
        }
    }

    pub(crate) fn carry_out(self, prefs: &mut Prefs) -> Option<Effect> {
        match self {
            Self::Edit => return Some(Effect::EditKeys),
            Self::Set(command, key) => command.set_key(&mut prefs.keys, key),
            Self::Reset(command) => command.reset_key(&mut prefs.keys),
            Self::ResetAll => prefs.keys = Keymap::default(),
        }
        None
    }
}
