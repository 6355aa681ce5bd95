//! The keyboard: from the window library's keys to commands.

use eframe::egui::{self, FocusDirection, KeyboardShortcut, Modifiers};

use crate::command::{Command, Commands, Key, Shortcut, listed};

/// Pushes the commands whose keys were pressed. While text is being typed, only those with Control
/// count; while something else has the keyboard, or a mouse button is down to fly, letters do not.
pub(crate) fn push_pressed(ctx: &egui::Context, out: &mut Commands) {
    let typing = ctx.text_edit_focused();
    let focused = ctx.memory(|memory| memory.focused().is_some());
    let mouse_down = ctx.input(|input| input.pointer.any_down());
    for command in by_precedence() {
        let Some(shortcut) = command.shortcut() else { continue };
        let escape = shortcut.key == Key::Escape;
        if !shortcut.ctrl && (typing || ((focused || mouse_down) && !escape)) {
            continue;
        }
        let pressed = ctx.input_mut(|input| {
            egui_shortcuts(shortcut).iter().any(|shortcut| input.consume_shortcut(shortcut))
        });
        if pressed {
            // The window library has begun to move the focus by now, which Tab does not mean here.
            if shortcut.key == Key::Tab {
                ctx.memory_mut(|memory| memory.move_focus(FocusDirection::None));
            }
            out.push(command);
        }
    }
}

/// Commands with those first whose keys have more modifiers: Ctrl+Z must not take Ctrl+Shift+Z.
fn by_precedence() -> Vec<Command> {
    let mut commands = listed();
    let modifiers = |s: Shortcut| u8::from(s.ctrl) + u8::from(s.shift);
    commands.sort_by_key(|c| std::cmp::Reverse(c.shortcut().map_or(0, modifiers)));
    commands
}

/// The same keys in the window library's words: more than one where keyboards differ.
fn egui_shortcuts(shortcut: Shortcut) -> Vec<KeyboardShortcut> {
    let mut modifiers = Modifiers::NONE;
    if shortcut.ctrl {
        modifiers |= Modifiers::COMMAND;
    }
    if shortcut.shift {
        modifiers |= Modifiers::SHIFT;
    }
    let keys: &[egui::Key] = match shortcut.key {
        Key::Left => &[egui::Key::ArrowLeft],
        Key::Right => &[egui::Key::ArrowRight],
        Key::Home => &[egui::Key::Home],
        Key::Space => &[egui::Key::Space],
        Key::Tab => &[egui::Key::Tab],
        Key::Escape => &[egui::Key::Escape],
        Key::Delete => &[egui::Key::Delete],
        Key::Char('+') => &[egui::Key::Plus, egui::Key::Equals],
        Key::Char('-') => &[egui::Key::Minus],
        Key::Char(c) => {
            let key = egui::Key::from_name(&c.to_string());
            return key.map(|key| KeyboardShortcut::new(modifiers, key)).into_iter().collect();
        }
    };
    keys.iter().map(|&key| KeyboardShortcut::new(modifiers, key)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shortcut_has_a_key_on_the_keyboard() {
        for command in listed() {
            if let Some(shortcut) = command.shortcut() {
                assert!(!egui_shortcuts(shortcut).is_empty(), "{shortcut}");
            }
        }
    }
}
