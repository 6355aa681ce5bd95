//! The desktop's file dialogs.

use std::path::PathBuf;

use walkable_editor::jobs::ask_file::{Dialog, DialogText};

/// Shows `dialog` until the user closes it; returns `None` if no file was chosen.
pub fn show(dialog: &Dialog) -> Option<PathBuf> {
    let with = |text: &DialogText| {
        rfd::FileDialog::new().set_title(text.title).add_filter(text.filter, &text.endings)
    };
    match dialog {
        Dialog::Pick(text) => with(text).pick_file(),
        Dialog::Save(text, name) => with(text).set_file_name(name).save_file(),
    }
}
