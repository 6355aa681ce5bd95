//! Sizes of dialogs, which also fit into small windows.

use eframe::egui::{self, Frame, Vec2, vec2};

/// Distance of a dialog from the borders of the window, in points.
const MARGIN: f32 = 8.0;
const MIN_LIST: f32 = 40.0;
/// Space for what surrounds the list of a menu: its frame, its margins and the row of its button, in points.
const AROUND_MENU: f32 = 60.0;

/// Sets the width of a dialog, at the beginning of its content: `width`, or what the window offers.
pub fn set_width(ui: &mut egui::Ui, width: f32) {
    let room = room(ui);
    ui.set_width(width.min(room.x));
    // Without it, a dialog would offer no more than the height of its content in the last frame.
    ui.set_max_height(room.y);
}

/// Returns the height of the list of a dialog: `height`, or what the window leaves to it. `below` is the height of what
/// follows the list, without the space in front of it.
pub fn list_height(ui: &egui::Ui, height: f32, below: f32) -> f32 {
    let above = ui.cursor().top() - ui.max_rect().top();
    let left = room(ui).y - above - ui.spacing().item_spacing.y - below;
    height.min(left).max(MIN_LIST)
}

/// Returns the height of a row of buttons that follows a list after `space`.
pub fn buttons_height(ui: &egui::Ui, space: f32) -> f32 {
    space + ui.spacing().interact_size.y
}

pub fn menu_height(ui: &egui::Ui, height: f32) -> f32 {
    height.min(ui.ctx().content_rect().height() - AROUND_MENU).max(MIN_LIST)
}

fn room(ui: &egui::Ui) -> Vec2 {
    let frame = Frame::popup(ui.style()).total_margin().sum();
    ui.ctx().content_rect().size() - frame - vec2(2.0 * MARGIN, 2.0 * MARGIN)
}
