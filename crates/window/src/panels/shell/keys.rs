//! Converts the window library's key presses to commands.

use eframe::egui::{self, FocusDirection, KeyboardShortcut, Modifiers};
use walkable_editor::{
    command::{Command, Commands, listed},
    keymap::Keymap,
    shortcut::{Key, Shortcut},
};

/// Pushes the commands whose keys were pressed. While text is being typed, only function keys and shortcuts with
/// Control count. While another control has the keyboard focus, or while a mouse button is down to fly, Escape counts,
/// too. While a menu is open, letters and arrows are for the menu.
pub fn push_pressed(ctx: &egui::Context, keys: &Keymap, out: &mut Commands) {
    let is_press = |event: &egui::Event| matches!(event, egui::Event::Key { pressed: true, .. });
    if !ctx.input(|input| input.events.iter().any(is_press)) {
        return;
    }
    let typing = ctx.text_edit_focused();
    let focused = ctx.memory(|memory| memory.focused().is_some());
    let mouse_down = ctx.input(|input| input.pointer.any_down());
    let menu_open = egui::Popup::is_any_open(ctx);
    for (shortcut, command) in by_precedence(keys) {
        let escape = shortcut.key == Key::Escape;
        let is_function = matches!(shortcut.key, Key::Function(_));
        let has_letter = !shortcut.ctrl && !is_function;
        // The window library closes menus on Escape.
        if has_letter && menu_open {
            continue;
        }
        if typing && is_for_text(shortcut) {
            continue;
        }
        if has_letter && (typing || ((focused || mouse_down) && !escape)) {
            continue;
        }
        let pressed = ctx.input_mut(|input| {
            egui_shortcuts(shortcut).iter().any(|shortcut| input.consume_shortcut(shortcut))
        });
        if pressed {
            // The window library has already started to move the focus; Tab must not do that here.
            if shortcut.key == Key::Tab {
                ctx.memory_mut(|memory| memory.move_focus(FocusDirection::None));
            }
            out.push(command);
        }
    }
}

/// Returns whether a text field uses these keys itself: to select all, copy, cut and paste.
fn is_for_text(shortcut: Shortcut) -> bool {
    shortcut.ctrl && matches!(shortcut.key, Key::Char('A' | 'C' | 'X' | 'V'))
}

/// Returns the shortcuts with more modifiers first, so that Ctrl+Z does not match Ctrl+Shift+Z.
fn by_precedence(keys: &Keymap) -> Vec<(Shortcut, Command)> {
    let listed = listed();
    let keyed = |command: &Command| {
        command.keys(keys).map(|key| (key, command.clone())).collect::<Vec<_>>()
    };
    let mut commands: Vec<_> = listed.iter().flat_map(keyed).collect();
    commands.sort_by_key(|(key, _)| std::cmp::Reverse(u8::from(key.ctrl) + u8::from(key.shift)));
    commands
}

/// Returns the shortcut that is being pressed, if it may be assigned to a command.
pub fn pressed(ctx: &egui::Context) -> Option<Shortcut> {
    ctx.input(|input| {
        input.events.iter().find_map(|event| match event {
            egui::Event::Key { key, pressed: true, modifiers, .. } => {
                let (ctrl, shift) = (modifiers.command, modifiers.shift);
                Some(Shortcut { key: own_key(*key)?, ctrl, shift })
            }
            _ => None,
        })
    })
}

fn own_key(key: egui::Key) -> Option<Key> {
    let name = match key {
        egui::Key::ArrowLeft => "Left",
        egui::Key::ArrowRight => "Right",
        egui::Key::Escape => "Esc",
        egui::Key::Delete => "Del",
        egui::Key::Plus | egui::Key::Equals => "+",
        egui::Key::Minus => "-",
        other => other.symbol_or_name(),
    };
    name.parse().ok()
}

/// Converts a shortcut to the window library's shortcuts; several if keyboards differ.
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
        Key::PageUp => &[egui::Key::PageUp],
        Key::PageDown => &[egui::Key::PageDown],
        Key::Space => &[egui::Key::Space],
        Key::Tab => &[egui::Key::Tab],
        Key::Escape => &[egui::Key::Escape],
        Key::Delete => &[egui::Key::Delete],
        Key::Char('+') => &[egui::Key::Plus, egui::Key::Equals],
        Key::Char('-') => &[egui::Key::Minus],
        key @ (Key::Char(_) | Key::Function(_)) => {
            let key = egui::Key::from_name(&key.to_string());
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
        // The names of keys are not translated.
        walkable_workspace::lang::set_language(walkable_workspace::lang::Language::Chinese);
        for shortcut in listed().into_iter().filter_map(|command| command.shortcut()) {
            let keys = egui_shortcuts(shortcut);
            assert!(!keys.is_empty(), "{shortcut}");
            for key in keys {
                assert_eq!(own_key(key.logical_key), Some(shortcut.key), "{shortcut}");
            }
        }
    }
}
