//! A line of text that is taken when it is done: one step of undo, not one a letter.

use crate::widgets::author_id::AuthorId as _;
use eframe::egui::{self, accesskit::Role};

/// Maximum length of a name.
const MAX_LETTERS: usize = 80;

/// A field that shows `now`. What was typed, once it is done and differs.
///
/// - `id`: tells it from other fields of the panel.
/// - `label`: names it to those who do not see it.
pub fn text_field(
    ui: &mut egui::Ui,
    id: &str,
    label: &str,
    now: &str,
    edit: impl FnOnce(egui::TextEdit<'_>) -> egui::TextEdit<'_>,
) -> Option<String> {
    let place = ui.scope_id().with(id);
    let mut text = ui.data(|data| data.get_temp(place)).unwrap_or_else(|| now.to_owned());
    let field = edit(egui::TextEdit::singleline(&mut text).char_limit(MAX_LETTERS));
    let response = ui.add(field).author_id(id);
    response.widget_info(|| egui::WidgetInfo::labeled(Role::TextInput, true, label));
    if response.has_focus() {
        ui.data_mut(|data| data.insert_temp(place, text));
        return None;
    }
    ui.data_mut(|data| data.remove_temp::<String>(place));
    let given_up = ui.input(|input| input.key_pressed(egui::Key::Escape));
    (response.lost_focus() && !given_up && text != now).then_some(text)
}
