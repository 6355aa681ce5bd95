//! The user's changes to the keyboard shortcuts.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize};

use super::{Command, Shortcut, listed};

/// Shortcuts that differ from the default ones, by the command's id.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Keymap {
    /// The changed shortcuts; `None` for a command that has none.
    #[serde(deserialize_with = "by_id")]
    changed: BTreeMap<String, Option<Shortcut>>,
}

impl Keymap {
    /// Returns the key that triggers `command`.
    pub fn key_of(&self, command: &Command) -> Option<Shortcut> {
        if self.changed.is_empty() {
            return command.shortcut();
        }
        match self.changed.get(&*command.id()) {
            Some(changed) => *changed,
            None => command.shortcut(),
        }
    }

    /// Returns all keys that trigger `command`. The second default key applies unless the user changed the command's
    /// key or gave the second key to another command.
    pub fn keys_of(&self, command: &Command) -> impl Iterator<Item = Shortcut> {
        let second = command.second_shortcut().filter(|key| {
            !self.is_changed(command) && self.owner(*key).is_none_or(|owner| owner == *command)
        });
        self.key_of(command).into_iter().chain(second)
    }

    /// Returns whether the key of `command` differs from its default.
    pub fn is_changed(&self, command: &Command) -> bool {
        self.changed.contains_key(&*command.id())
    }

    /// Returns the command that `key` triggers.
    pub fn owner(&self, key: Shortcut) -> Option<Command> {
        listed().into_iter().find(|command| self.key_of(command) == Some(key))
    }

    /// Sets the key of `command`, or none. Another command that had this key loses it.
    pub fn set(&mut self, command: &Command, key: Option<Shortcut>) {
        if let Some(owner) = key.and_then(|key| self.owner(key)) {
            self.note(&owner, None);
        }
        self.note(command, key);
    }

    /// Restores the default key of `command`.
    pub fn reset(&mut self, command: &Command) {
        self.set(command, command.shortcut());
    }

    fn note(&mut self, command: &Command, key: Option<Shortcut>) {
        let id = command.id().into_owned();
        if key == command.shortcut() {
            self.changed.remove(&id);
        } else {
            self.changed.insert(id, key);
        }
    }

    /// Returns whether nothing is changed.
    pub fn is_empty(&self) -> bool {
        self.changed.is_empty()
    }
}

/// Reads keys by command id. Files of version 0.1 have the commands' English names instead.
fn by_id<'de, D: Deserializer<'de>>(
    from: D,
) -> Result<BTreeMap<String, Option<Shortcut>>, D::Error> {
    let read = BTreeMap::<String, Option<Shortcut>>::deserialize(from)?;
    let listed = listed();
    let id = |name: String| {
        let command = listed.iter().find(|command| command.text() == name);
        command.map_or(name, |command| command.id().into_owned())
    };
    Ok(read.into_iter().map(|(name, key)| (id(name), key)).collect())
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
        // The default key of `save` now belongs to `undo`, which loses it.
        keys.reset(&save);
        assert_eq!((keys.key_of(&undo), keys.key_of(&save)), (None, ctrl_s));
        assert!(keys.is_changed(&undo) && !keys.is_changed(&save));
        keys.reset(&undo);
        assert!(keys.is_empty());
    }

    #[test]
    fn a_second_key_works_until_the_user_decides_otherwise() {
        let keys_of = |keys: &Keymap| {
            let all = keys.keys_of(&Command::Redo).map(|key| key.to_string());
            all.collect::<Vec<_>>().join(" ")
        };
        let mut keys = Keymap::default();
        assert_eq!(keys_of(&keys), "Ctrl+Shift+Z Ctrl+Y");
        keys.set(&Command::Bake, Some(Shortcut::ctrl('Y')));
        assert_eq!(keys_of(&keys), "Ctrl+Shift+Z", "the key belongs to another command");
        keys.reset(&Command::Bake);
        keys.set(&Command::Redo, Some(Shortcut::ctrl('R')));
        assert_eq!(keys_of(&keys), "Ctrl+R");
        keys.set(&Command::Redo, None);
        assert_eq!(keys_of(&keys), "");
    }

    #[test]
    fn keys_are_kept_as_text() {
        let mut keys = Keymap::default();
        keys.set(&Command::Bake, Some(Shortcut::plain(Key::Function(5))));
        keys.set(&Command::View(ViewCommand::Top), None);
        let text = serde_json::to_string(&keys).unwrap();
        assert_eq!(text, r#"{"bake.start":"F5","view.top":null}"#);
        assert_eq!(serde_json::from_str::<Keymap>(&text).unwrap(), keys);
        let named = r#"{"Bake":"F5","Top view":null}"#;
        assert_eq!(serde_json::from_str::<Keymap>(named).unwrap(), keys, "of an older file");
        serde_json::from_str::<Keymap>(r#"{"Bake":"Ctrl+Nonsense"}"#).unwrap_err();
    }
}
