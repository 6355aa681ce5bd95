//! Marks the control that has the keyboard focus.

use eframe::egui::{self, Key, Stroke, StrokeKind};

use crate::theme::Theme;

const KEYS: [Key; 5] = [Key::Tab, Key::ArrowUp, Key::ArrowDown, Key::ArrowLeft, Key::ArrowRight];

#[derive(Debug, Default)]
pub struct FocusMark {
    /// Whether the focus was moved by a key since the last click.
    is_shown: bool,
}

impl FocusMark {
    /// Draws a frame around the control that has the focus. Called after all controls are drawn.
    pub fn ui(&mut self, ctx: &egui::Context) {
        let (has_moved, has_clicked) = ctx.input(|input| {
            let has_moved = KEYS.iter().any(|&key| input.key_pressed(key));
            (has_moved, input.pointer.any_pressed())
        });
        self.is_shown = (self.is_shown || has_moved) && !has_clicked;
        if !self.is_shown {
            return;
        }
        let focused = ctx.memory(egui::Memory::focused);
        let Some(control) = focused.and_then(|id| ctx.read_response(id)) else { return };
        let theme = Theme::of(ctx.theme());
        let painter = ctx.layer_painter(control.layer_id);
        let painter = painter.with_clip_rect(control.interact_rect.expand(3.0));
        let stroke = Stroke::new(2.0, theme.accent);
        painter.rect_stroke(control.rect.expand(1.0), 3.0, stroke, StrokeKind::Middle);
    }
}
