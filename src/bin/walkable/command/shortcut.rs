//! Keys as plain data.

use std::fmt;

/// A key that a shortcut may name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Key {
    /// A letter in upper case, a digit or a sign.
    Char(char),
    /// Arrow to the left.
    Left,
    /// Arrow to the right.
    Right,
    /// Home.
    Home,
    /// Space bar.
    Space,
    /// Tabulator.
    Tab,
    /// Escape.
    Escape,
    /// Delete.
    Delete,
}

/// A key with what is held along with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Shortcut {
    /// The key pressed.
    pub(crate) key: Key,
    /// Whether Control (Command on a Mac) is held.
    pub(crate) ctrl: bool,
    /// Whether Shift is held.
    pub(crate) shift: bool,
}

impl Shortcut {
    /// `key` alone.
    pub(crate) const fn plain(key: Key) -> Self {
        Self { key, ctrl: false, shift: false }
    }

    /// `key` with Control.
    pub(crate) const fn ctrl(key: char) -> Self {
        Self { key: Key::Char(key), ctrl: true, shift: false }
    }

    /// The same with Shift.
    pub(crate) const fn with_shift(self) -> Self {
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
        match self.key {
            Key::Char(c) => write!(f, "{c}"),
            Key::Left => f.write_str("Left"),
            Key::Right => f.write_str("Right"),
            Key::Home => f.write_str("Home"),
            Key::Space => f.write_str("Space"),
            Key::Tab => f.write_str("Tab"),
            Key::Escape => f.write_str("Esc"),
            Key::Delete => f.write_str("Del"),
        }
    }
}
