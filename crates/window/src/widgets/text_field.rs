//! A text field whose text is applied when editing ends, so that it is one undo step and not one per letter.

use eframe::egui::{self, accesskit::Role};

use crate::widgets::author_id::AuthorId as _;

/// Maximum length of a name.
const MAX_LETTERS: usize = 80;

/// Draws a field that shows `now`. Returns the typed text when editing ends and the text differs. `label` is for screen
/// readers.
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
