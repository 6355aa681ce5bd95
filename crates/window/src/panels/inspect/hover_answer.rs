//! A tooltip at the cursor: describes the point under the cursor in one line.

use eframe::egui::{
    self, Align2, Area, CornerRadius, Frame, Id, Margin, Order, Rect, RichText, vec2,
};
use walkable_editor::session::{SessionView, ToolKind};

use crate::theme::Theme;

/// Distance from the cursor, in points.
const OFFSET: egui::Vec2 = vec2(16.0, 18.0);

#[derive(Clone, Debug)]
pub struct HoverLine {
    /// Whether the point is walkable, and the reason, or that it waits for its bake, in one line.
    pub text: String,
    /// Whether an agent can stand there; `None` if that is not known yet.
    pub is_walkable: Option<bool>,
}

pub fn area_id() -> Id {
    Id::unique("hover answer")
}

/// Shows `answer` in `room`, that of the 3D view, while the cursor is over the level and no mouse button is pressed. With
/// the path tool, does not show that the place is walkable, because the drawn path shows it.
pub fn hover_answer_ui(
    ui: &egui::Ui,
    room: Rect,
    view: &SessionView<'_>,
    answer: Option<&HoverLine>,
) {
    if view.tools.hover.is_none() {
        return;
    }
    let Some(HoverLine { text, is_walkable }) = answer else { return };
    let busy = ui.input(|input| input.pointer.any_down());
    if busy || (view.tools.tool == ToolKind::Path && *is_walkable == Some(true)) {
        return;
    }
    let ctx = ui.ctx();
    let Some(at) = ctx.pointer_latest_pos() else { return };
    let theme = Theme::of(ctx.theme());
    let area = Area::new(area_id()).order(Order::Tooltip).interactable(false);
    let area = area.fixed_pos(at + OFFSET).pivot(Align2::LEFT_TOP).constrain_to(room);
    area.show(ctx, |ui| {
        let frame = Frame::new()
            .fill(theme.foreground)
            .corner_radius(CornerRadius::same(4))
            .inner_margin(Margin::symmetric(8, 4));
        frame.show(ui, |ui| {
            ui.style_mut().wrap_mode = Some(egui::TextWrapMode::Extend);
            let color = if *is_walkable == Some(false) { theme.warning } else { theme.text };
            ui.label(RichText::new(text).small().color(color));
        });
    });
}
