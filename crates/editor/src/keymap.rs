//! Keyboard shortcuts that the user changed, by command id.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::shortcut::Shortcut;

/// Shortcuts that differ from the default ones.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Keymap {
    /// The changed shortcuts; `None` for a command that has none.
    changed: BTreeMap<String, Option<Shortcut>>,
}

impl Keymap {
    pub(crate) fn get(&self, id: &str, default: Option<Shortcut>) -> Option<Shortcut> {
        self.changed.get(id).copied().unwrap_or(default)
    }

    pub(crate) fn is_changed(&self, id: &str) -> bool {
        self.changed.contains_key(id)
    }

    /// Sets the shortcut of a command. Only one that differs from `default` is stored.
    pub(crate) fn set(&mut self, id: &str, key: Option<Shortcut>, default: Option<Shortcut>) {
        if key == default {
            self.changed.remove(id);
        } else {
            self.changed.insert(id.to_owned(), key);
        }
    }

    pub fn is_empty(&self) -> bool {
        self.changed.is_empty()
    }
}
