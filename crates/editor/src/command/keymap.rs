//! What the user changed about keys.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Command, Shortcut, listed};

/// Keys that differ from those the commands come with, by the command's name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Keymap {
    /// `None` where a command was left without a key.
    changed: BTreeMap<String, Option<Shortcut>>,
}

impl Keymap {
    /// The key that triggers `command`.
    pub fn key_of(&self, command: &Command) -> Option<Shortcut> {
        if self.changed.is_empty() {
            return command.shortcut();
        }
        match self.changed.get(&*command.text()) {
            Some(changed) => *changed,
            None => command.shortcut(),
        }
    }

    /// Whether the key of `command` is another than it comes with.
    pub fn is_changed(&self, command: &Command) -> bool {
        self.changed.contains_key(&*command.text())
    }

    /// The command that `key` triggers.
    pub fn owner(&self, key: Shortcut) -> Option<Command> {
        listed().into_iter().find(|command| self.key_of(command) == Some(key))
    }

    /// Gives `command` the key, or none. Another command that has it is left without.
    pub fn set(&mut self, command: &Command, key: Option<Shortcut>) {
        if let Some(owner) = key.and_then(|key| self.owner(key)) {
            self.note(&owner, None);
        }
        self.note(command, key);
    }

    /// Gives `command` the key back that it comes with.
    pub fn reset(&mut self, command: &Command) {
        self.set(command, command.shortcut());
    }

    fn note(&mut self, command: &Command, key: Option<Shortcut>) {
        let name = command.text().into_owned();
        if key == command.shortcut() {
            self.changed.remove(&name);
        } else {
            self.changed.insert(name, key);
        }
    }

    /// Whether nothing is changed.
    pub fn is_empty(&self) -> bool {
        self.changed.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::{Key, ViewCommand};

    #[test]
    fn a_key_belongs_to_one_command() {
        let mut keys = Keymap::default();
        let (undo, save) = (Command::Undo, Command::Save);
        let ctrl_s = save.shortcut();
        keys.set(&undo, ctrl_s);
        assert_eq!((keys.key_of(&undo), keys.key_of(&save)), (ctrl_s, None));
        assert_eq!(keys.owner(Shortcut::ctrl('S')), Some(undo.clone()));
        // Back to what it comes with, which the other has: that one is left without.
        keys.reset(&save);
        assert_eq!((keys.key_of(&undo), keys.key_of(&save)), (None, ctrl_s));
        assert!(keys.is_changed(&undo) && !keys.is_changed(&save));
        keys.reset(&undo);
        assert!(keys.is_empty());
    }

    #[test]
    fn keys_are_kept_as_text() {
        let mut keys = Keymap::default();
        keys.set(&Command::Bake, Some(Shortcut::plain(Key::Function(5))));
        keys.set(&Command::View(ViewCommand::Top), None);
        let text = serde_json::to_string(&keys).unwrap();
        assert_eq!(text, r#"{"Bake":"F5","Top view":null}"#);
        assert_eq!(serde_json::from_str::<Keymap>(&text).unwrap(), keys);
        serde_json::from_str::<Keymap>(r#"{"Bake":"Ctrl+Nonsense"}"#).unwrap_err();
    }
}
