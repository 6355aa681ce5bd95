//! The shortcuts of commands, stored in the egui context so that every widget can read them.

use std::sync::Arc;

use eframe::egui::{Context, Id};
use walkable_editor::{command::Command, keymap::Keymap, shortcut::Shortcut};

/// Shows `keys` in menus and tooltips from now on.
pub fn install(ctx: &Context, keys: &Keymap) {
    ctx.data_mut(|data| {
        let id = place();
        if data.get_temp::<Arc<Keymap>>(id).is_none_or(|old| *old != *keys) {
            data.insert_temp(id, Arc::new(keys.clone()));
        }
    });
}

pub fn key_of(ctx: &Context, command: &Command) -> Option<Shortcut> {
    let keys = ctx.data(|data| data.get_temp::<Arc<Keymap>>(place()));
    keys.map_or_else(|| command.shortcut(), |keys| command.key(&keys))
}

fn place() -> Id {
    Id::unique("keymap")
}
