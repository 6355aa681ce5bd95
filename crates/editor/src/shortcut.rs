//! Keys as plain data.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Key {
    /// A letter in upper case, a digit or a sign.
    Char(char),
    Left,
    Right,
    Home,
    PageUp,
    PageDown,
    Space,
    Tab,
    Escape,
    Delete,
    /// A function key, by its number from 1 to 12.
    Function(u8),
}

const NAMED: [(Key, &str); 9] = [
    (Key::Left, "Left"),
    (Key::Right, "Right"),
    (Key::Home, "Home"),
    (Key::PageUp, "PageUp"),
    (Key::PageDown, "PageDown"),
    (Key::Space, "Space"),
    (Key::Tab, "Tab"),
    (Key::Escape, "Esc"),
    (Key::Delete, "Del"),
];

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Char(c) => write!(f, "{c}"),
            Self::Function(number) => write!(f, "F{number}"),
            key => {
                let name = NAMED.iter().find(|(named, _)| named == key).map(|(_, name)| *name);
                f.write_str(name.unwrap_or_default())
            }
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("\"{0}\" is not a key")]
pub struct NoKey(String);

impl FromStr for Key {
    type Err = NoKey;

    fn from_str(text: &str) -> Result<Self, NoKey> {
        if let Some((key, _)) = NAMED.iter().find(|(_, name)| *name == text) {
            return Ok(*key);
        }
        let number = text.strip_prefix('F').and_then(|number| number.parse().ok());
        if let Some(number) = number.filter(|number| (1..=12).contains(number)) {
            return Ok(Self::Function(number));
        }
        let mut chars = text.chars();
        match (chars.next(), chars.next()) {
            (Some(c), None) if !c.is_lowercase() && !c.is_whitespace() => Ok(Self::Char(c)),
            _ => Err(NoKey(text.to_owned())),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Shortcut {
    pub key: Key,
    /// Whether Control (Command on a Mac) is held.
    pub ctrl: bool,
    pub shift: bool,
}

impl Shortcut {
    pub const fn plain(key: Key) -> Self {
        Self { key, ctrl: false, shift: false }
    }

    pub const fn ctrl(key: char) -> Self {
        Self { key: Key::Char(key), ctrl: true, shift: false }
    }

    #[must_use]
    pub const fn with_shift(self) -> Self {
        Self { shift: true, ..self }
    }
}

impl fmt::Display for Shortcut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.ctrl {
            f.write_str("Ctrl+")?;
        }
        if self.shift {
            f.write_str("Shift+")?;
        }
        self.key.fmt(f)
    }
}

impl FromStr for Shortcut {
    type Err = NoKey;

    fn from_str(text: &str) -> Result<Self, NoKey> {
        let (ctrl, rest) = without("Ctrl+", text);
        let (shift, rest) = without("Shift+", rest);
        Ok(Self { key: rest.parse()?, ctrl, shift })
    }
}

/// Returns whether `text` begins with `prefix`, and the rest of it.
fn without<'a>(prefix: &str, text: &'a str) -> (bool, &'a str) {
    text.strip_prefix(prefix).map_or((false, text), |rest| (true, rest))
}

impl From<Shortcut> for String {
    fn from(shortcut: Shortcut) -> Self {
        shortcut.to_string()
    }
}

impl TryFrom<String> for Shortcut {
    type Error = NoKey;

    fn try_from(text: String) -> Result<Self, NoKey> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::listed;

    #[test]
    fn shortcuts_read_as_they_are_written() {
        let more = [Shortcut::plain(Key::Function(12)), Shortcut::ctrl('+').with_shift()];
        let all = listed().into_iter().filter_map(|command| command.shortcut()).chain(more);
        for shortcut in all {
            assert_eq!(shortcut.to_string().parse(), Ok(shortcut));
        }
        for text in ["", "F0", "F13", "s", "Ctrl+", "Alt+S", "Shift+Ctrl+S", " "] {
            assert!(text.parse::<Shortcut>().is_err(), "{text:?}");
        }
    }
}
