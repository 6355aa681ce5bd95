//! The divider between the baseline, on its left, and the current results.

use eframe::egui::{
    self, Align2, Area, CursorIcon, FontId, Id, Order, Rect, Sense, Stroke, WidgetInfo, pos2, vec2,
};
use walkable_editor::{
    command::{Commands, DisplayCommand},
    session::SessionView,
};
use walkable_workspace::lang::tr;

use crate::{
    panels::display::hud::ABOVE_HINTS,
    theme::{CAPTION_SIZE, Theme},
    widgets::author_id::AuthorId as _,
};

const GRIP: f32 = 12.0;
/// Fraction of the view's width by which an arrow key moves it.
const KEY_STEP: f32 = 0.02;

pub fn divider_ui(ctx: &egui::Context, rect: Rect, view: &SessionView<'_>, out: &mut Commands) {
    let Some(at) = view.divider() else { return };
    let x = rect.left() + at * rect.width();
    let grip = Rect::from_center_size(pos2(x, rect.center().y), vec2(GRIP, rect.height()));
    let area = Area::new(Id::unique("divider")).order(Order::Background).fixed_pos(grip.min);
    area.constrain(false).show(ctx, |ui| {
        let (_, response) = ui.allocate_exact_size(grip.size(), Sense::click_and_drag());
        let name = tr!("Divider between before and after");
        response.widget_info(|| WidgetInfo::slider(true, f64::from(at), name));
        let response =
            response.author_id("display.divider").on_hover_cursor(CursorIcon::ResizeHorizontal);
        let theme = Theme::of(ui.ctx().theme());
        let is_held = response.hovered() || response.dragged() || response.has_focus();
        let names = if view.preview.is_some() {
            [tr!("Now"), tr!("What if")]
        } else {
            [tr!("Before"), tr!("Now")]
        };
        paint(ui, x, rect, if is_held { theme.accent } else { theme.text }, names);
        let pointer = response.interact_pointer_pos().filter(|_| response.dragged());
        let pulled = pointer.map_or(at, |pointer| (pointer.x - rect.left()) / rect.width());
        let pressed = |key| ui.input(|input| f32::from(u8::from(input.key_pressed(key))));
        let steps = pressed(egui::Key::ArrowRight) - pressed(egui::Key::ArrowLeft);
        let wanted = if response.has_focus() { pulled + KEY_STEP * steps } else { pulled };
        if (wanted - at).abs() > 1e-5 {
            out.push(DisplayCommand::Divide(Some(wanted)));
        }
    });
}

fn paint(ui: &egui::Ui, x: f32, rect: Rect, color: egui::Color32, [left, right]: [&str; 2]) {
    let theme = Theme::of(ui.ctx().theme());
    let painter = ui.painter().with_clip_rect(rect);
    painter.vline(x, rect.y_range(), Stroke::new(5.0, theme.casing));
    painter.vline(x, rect.y_range(), Stroke::new(1.5, color));
    let middle = pos2(x, rect.center().y);
    painter.circle(middle, 9.0, theme.raised, Stroke::new(1.5, color));
    for side in [-1.0, 1.0] {
        let tip = middle + vec2(side * 6.0, 0.0);
        let back = [vec2(-side * 3.0, -3.0), vec2(-side * 3.0, 3.0)].map(|back| tip + back);
        painter.line(vec![back[0], tip, back[1]], Stroke::new(1.5, color));
    }
    let y = rect.bottom() - ABOVE_HINTS;
    for (text, side, align) in
        [(left, -12.0, Align2::RIGHT_CENTER), (right, 12.0, Align2::LEFT_CENTER)]
    {
        let font = FontId::proportional(CAPTION_SIZE + 1.0);
        let galley = painter.layout_no_wrap(text.to_owned(), font, theme.text);
        let card = align.anchor_size(pos2(x + side, y), galley.size()).expand2(vec2(6.0, 3.0));
        painter.rect_filled(card, 4.0, theme.foreground);
        painter.galley(card.min + vec2(6.0, 3.0), galley, theme.text);
    }
}
