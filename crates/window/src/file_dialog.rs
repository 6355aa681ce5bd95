//! The desktop's file dialogs.

use std::path::Path;

use walkable_editor::jobs::ask_file::{Dialog, DialogEnd, DialogText};

/// Shows `dialog` until the user closes it; returns the chosen file.
pub fn show(dialog: &Dialog) -> DialogEnd {
    let with = |text: &DialogText, folder: &Path| {
        let dialog = rfd::FileDialog::new().set_title(text.title);
        let is_of_files = !text.endings.is_empty();
        let dialog =
            if is_of_files { dialog.add_filter(text.filter, &text.endings) } else { dialog };
        if folder.is_absolute() { dialog.set_directory(folder) } else { dialog }
    };
    let file = match dialog {
        Dialog::Pick(text, proposal) => with(text, &proposal.folder).pick_file(),
        Dialog::PickFolder(text, proposal) => with(text, &proposal.folder).pick_folder(),
        Dialog::Save(text, proposal) => {
            with(text, &proposal.folder).set_file_name(&proposal.name).save_file()
        }
    };
    file.map_or(DialogEnd::Closed, DialogEnd::File)
}
