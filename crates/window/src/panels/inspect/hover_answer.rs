//! A tooltip at the cursor: what is under it and why, in one line.

use eframe::egui::{self, Align2, Area, CornerRadius, Frame, Id, Margin, Order, RichText, vec2};
use walkable_editor::session::{SessionView, ToolKind};

use crate::theme::Theme;

/// Distance from the cursor, in points.
const OFFSET: egui::Vec2 = vec2(16.0, 18.0);

/// Shows `answer` while the cursor rests on or moves over the level. The path tool shows only why a
/// place cannot be walked on: its own picture tells the rest.
pub fn hover_answer_ui(ui: &egui::Ui, view: &SessionView<'_>, answer: Option<&str>) {
    if view.hover.is_none() {
        return;
    }
    let Some(answer) = answer else { return };
    let lost = answer.starts_with("not ");
    let busy = ui.input(|input| input.pointer.any_down());
    if busy || (view.tool == ToolKind::Path && !lost) {
        return;
    }
    let ctx = ui.ctx();
    let Some(at) = ctx.pointer_latest_pos() else { return };
    let theme = Theme::of(ctx.theme());
    let area = Area::new(Id::unique("hover answer")).order(Order::Tooltip).interactable(false);
    let area = area.fixed_pos(at + OFFSET).pivot(Align2::LEFT_TOP).constrain(true);
    area.show(ctx, |ui| {
        let frame = Frame::new()
            .fill(theme.foreground)
            .corner_radius(CornerRadius::same(4))
            .inner_margin(Margin::symmetric(8, 4));
        frame.show(ui, |ui| {
            ui.style_mut().wrap_mode = Some(egui::TextWrapMode::Extend);
            let color = if lost { theme.warning } else { theme.text };
            ui.label(RichText::new(answer).small().color(color));
        });
    });
}
