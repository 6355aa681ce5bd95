//! Commands that change keys.

use super::Effect;
use crate::{
    command::{Keymap, KeysCommand},
    prefs::Prefs,
};

/// Carries out `command`.
pub(super) fn dispatch(prefs: &mut Prefs, command: KeysCommand) -> Option<Effect> {
    match command {
        KeysCommand::Edit => return Some(Effect::EditKeys),
        KeysCommand::Set(command, key) => prefs.keys.set(&command, key),
        KeysCommand::Reset(command) => prefs.keys.reset(&command),
        KeysCommand::ResetAll => prefs.keys = Keymap::default(),
    }
    None
}
