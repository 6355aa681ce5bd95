//! The shortcuts of commands: the default ones and those in the user's keymap.

use super::{Command, listed};
use crate::{keymap::Keymap, shortcut::Shortcut};

impl Command {
    pub fn of_key(keys: &Keymap, key: Shortcut) -> Option<Self> {
        listed().into_iter().find(|command| command.key(keys) == Some(key))
    }

    pub fn key(&self, keys: &Keymap) -> Option<Shortcut> {
        let default = self.shortcut();
        if keys.is_empty() { default } else { keys.get(&self.id(), default) }
    }

    /// Returns all keys that trigger the command. The second default key applies unless the user changed the command's
    /// key or gave the second key to another command.
    pub fn keys(&self, keys: &Keymap) -> impl Iterator<Item = Shortcut> {
        let second = self.second_shortcut().filter(|key| {
            !self.has_own_key(keys) && Self::of_key(keys, *key).is_none_or(|owner| owner == *self)
        });
        self.key(keys).into_iter().chain(second)
    }

    /// Returns whether the key of the command differs from its default.
    pub fn has_own_key(&self, keys: &Keymap) -> bool {
        keys.is_changed(&self.id())
    }

    /// Sets the key of the command, or none. Another command that had this key loses it.
    pub fn set_key(&self, keys: &mut Keymap, key: Option<Shortcut>) {
        if let Some(owner) = key.and_then(|key| Self::of_key(keys, key)) {
            keys.set(&owner.id(), None, owner.shortcut());
        }
        keys.set(&self.id(), key, self.shortcut());
    }

    pub fn reset_key(&self, keys: &mut Keymap) {
        self.set_key(keys, self.shortcut());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{command::ViewCommand, shortcut::Key};

    #[test]
    fn a_key_belongs_to_one_command() {
        let mut keys = Keymap::default();
        let (undo, save) = (Command::Undo, Command::Save);
        let ctrl_s = save.shortcut();
        undo.set_key(&mut keys, ctrl_s);
        assert_eq!((undo.key(&keys), save.key(&keys)), (ctrl_s, None));
        assert_eq!(Command::of_key(&keys, Shortcut::ctrl('S')), Some(undo.clone()));
        // The default key of `save` now belongs to `undo`, which loses it.
        save.reset_key(&mut keys);
        assert_eq!((undo.key(&keys), save.key(&keys)), (None, ctrl_s));
        assert!(undo.has_own_key(&keys) && !save.has_own_key(&keys));
        undo.reset_key(&mut keys);
        assert!(keys.is_empty());
    }

    #[test]
    fn a_second_key_works_until_the_user_decides_otherwise() {
        let keys_of = |keys: &Keymap| {
            let all = Command::Redo.keys(keys).map(|key| key.to_string());
            all.collect::<Vec<_>>().join(" ")
        };
        let mut keys = Keymap::default();
        assert_eq!(keys_of(&keys), "Ctrl+Shift+Z Ctrl+Y");
        Command::Bake.set_key(&mut keys, Some(Shortcut::ctrl('Y')));
        assert_eq!(keys_of(&keys), "Ctrl+Shift+Z", "the key belongs to another command");
        Command::Bake.reset_key(&mut keys);
        Command::Redo.set_key(&mut keys, Some(Shortcut::ctrl('R')));
        assert_eq!(keys_of(&keys), "Ctrl+R");
        Command::Redo.set_key(&mut keys, None);
        assert_eq!(keys_of(&keys), "");
    }

    #[test]
    fn keys_are_kept_as_text() {
        let mut keys = Keymap::default();
        Command::Bake.set_key(&mut keys, Some(Shortcut::plain(Key::Function(5))));
        Command::from(ViewCommand::Top).set_key(&mut keys, None);
        let text = serde_json::to_string(&keys).unwrap();
        assert_eq!(text, r#"{"bake.start":"F5","view.top":null}"#);
        assert_eq!(serde_json::from_str::<Keymap>(&text).unwrap(), keys);
        serde_json::from_str::<Keymap>(r#"{"Bake":"Ctrl+Nonsense"}"#).unwrap_err();
    }
}
