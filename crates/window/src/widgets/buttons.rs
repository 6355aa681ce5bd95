//! Buttons with icons, which also have names for screen readers.

use eframe::egui::{self, accesskit::Role};

use crate::icons::MaterialIcon;

/// Draws a button that is only an icon; its name is its tooltip.
pub fn icon(ui: &mut egui::Ui, icon: MaterialIcon, name: &str) -> egui::Response {
    let enabled = ui.is_enabled();
    let button = egui::Button::new(icon.codepoint).frame_when_inactive(false);
    let response = ui.add(button);
    response.widget_info(|| egui::WidgetInfo::labeled(Role::Button, enabled, name));
    response.on_hover_text(name).on_disabled_hover_text(name)
}
