//! Small elements of text: a swatch with its name, a color scale, a pair of name and value.

use eframe::egui::{
    self, Color32, CornerRadius, Rect, RichText, Sense, Stroke, StrokeKind, pos2, vec2,
};
use glam::Vec3;
use walkable::debug_draw::Paint;
use walkable_editor::{answer::coordinates, session::Session};
use walkable_workspace::{format, lang, units::units};

use crate::theme::Theme;

/// Draws a square of a color, with an outline that shows colors like that of the background.
pub fn swatch(ui: &mut egui::Ui, color: Color32) {
    let (rect, _) = ui.allocate_exact_size(vec2(10.0, 10.0), Sense::hover());
    let outline = Stroke::new(1.0, Theme::of(ui.ctx().theme()).control_border);
    ui.painter().rect(rect, CornerRadius::same(2), color, outline, StrokeKind::Inside);
}

pub fn color_scale(ui: &mut egui::Ui, [first, last]: [&str; 2]) -> egui::Response {
    let theme = Theme::of(ui.ctx().theme());
    ui.label(RichText::new(first).small().color(theme.text_weak));
    let (rect, response) = ui.allocate_exact_size(vec2(90.0, 8.0), Sense::hover());
    let width = rect.width() / 30.0;
    for step in 0_u8..30 {
        let left = rect.left() + width * f32::from(step);
        let cell = Rect::from_min_size(pos2(left, rect.top()), vec2(width + 0.5, rect.height()));
        ui.painter().rect_filled(cell, 0.0, theme.paint(Paint::Scalar(f32::from(step) / 29.0)));
    }
    ui.label(RichText::new(last).small().color(theme.text_weak));
    response
}

/// Draws a weak name on the left and its value at the right edge. The value can be selected and copied.
pub fn fact(ui: &mut egui::Ui, name: &str, value: &str) {
    let theme = Theme::of(ui.ctx().theme());
    dense_row(ui, |ui| {
        ui.label(RichText::new(name).color(theme.text_weak));
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            ui.add(egui::Label::new(value).selectable(true).truncate());
        });
    });
}

/// Draws a [`fact`] about a position, with the axes and the unit as its name.
pub fn position_fact(ui: &mut egui::Ui, at: Vec3) {
    fact(ui, &format!("x y z, {}", units().symbol()), &coordinates(at));
}

pub fn heading(ui: &mut egui::Ui, text: &str) {
    ui.add_space(if ui.min_rect().height() > 0.0 { 6.0 } else { 0.0 });
    column(ui, text);
}

pub fn column(ui: &mut egui::Ui, text: &str) -> egui::Response {
    let theme = Theme::of(ui.ctx().theme());
    ui.label(RichText::new(text).small().strong().color(theme.text_weak))
}

/// Draws a row that contains only text and is no higher than its text.
pub fn dense_row<R>(ui: &mut egui::Ui, content: impl FnOnce(&mut egui::Ui) -> R) -> R {
    ui.scope(|ui| {
        ui.spacing_mut().interact_size.y = 16.0;
        ui.horizontal(content).inner
    })
    .inner
}

/// Shows that results concern only the loaded part, if the level is larger than memory.
pub fn part_note(ui: &mut egui::Ui, session: &Session) {
    let Some(found) = session.part_finding() else { return };
    let theme = Theme::of(ui.ctx().theme());
    let text = format::sentence(&lang::diagnostic(&found));
    let text = RichText::new(text).small().color(theme.warning);
    ui.add(egui::Label::new(text).wrap());
}

pub fn empty(ui: &mut egui::Ui, text: &str) {
    let theme = Theme::of(ui.ctx().theme());
    ui.add_space(8.0);
    ui.add(egui::Label::new(RichText::new(text).color(theme.text_weak)).wrap());
}
