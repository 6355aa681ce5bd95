//! A combo box with a name for screen readers and an id for tests.

use eframe::egui::{self, WidgetInfo, accesskit::Role};

use crate::widgets::author_id::AuthorId as _;

pub fn combo_ui(
    ui: &mut egui::Ui,
    [id, name]: [&str; 2],
    selected: &str,
    entries: impl FnOnce(&mut egui::Ui),
) {
    let combo = egui::ComboBox::from_id_salt(id).selected_text(selected);
    let response = combo.show_ui(ui, entries).response.author_id(id);
    response.widget_info(|| WidgetInfo::labeled(Role::ComboBox, true, name));
}
