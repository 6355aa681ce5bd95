//! The desktop's file dialogs.

use walkable_editor::jobs::ask_file::{Dialog, DialogEnd, DialogText};

/// Shows `dialog` until the user closes it; returns the chosen file.
pub fn show(dialog: &Dialog) -> DialogEnd {
    let with = |text: &DialogText| {
        rfd::FileDialog::new().set_title(text.title).add_filter(text.filter, &text.endings)
    };
    let file = match dialog {
        Dialog::Pick(text) => with(text).pick_file(),
        Dialog::Save(text, name) => with(text).set_file_name(name).save_file(),
    };
    file.map_or(DialogEnd::Closed, DialogEnd::File)
}
