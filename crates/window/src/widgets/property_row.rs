//! One line of a form: label, control, and a dot that resets a changed value. A caption and remarks are below the line.

use eframe::egui::{self, Align, Layout, RichText, Sense, vec2};
use walkable_workspace::{format, lang::tr};

use crate::{
    theme::Theme,
    widgets::{
        author_id::{AuthorId as _, Labeled},
        legend::dense_row,
    },
};

pub const LABEL_WIDTH: f32 = 118.0;
/// Width reserved for the dot at the right.
pub const DOT_WIDTH: f32 = 14.0;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PropertyRow<'a> {
    pub id: &'a str,
    pub label: &'a str,
    pub tooltip: &'a str,
    /// The default as text; `None` if the value is the default.
    pub changed_from: Option<String>,
    pub caption: Option<Caption>,
    pub remarks: Vec<String>,
}

/// A small line under a control.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caption {
    pub text: String,
    pub strong: bool,
}

#[derive(Debug)]
pub struct RowOutput<R> {
    pub inner: R,
    pub reset: bool,
}

impl PropertyRow<'_> {
    /// Lays out the row; `control` gets the space between label and dot, and the label and id of the control.
    pub fn show<R>(
        &self,
        ui: &mut egui::Ui,
        control: impl FnOnce(&mut egui::Ui, Labeled<'_>) -> R,
    ) -> RowOutput<R> {
        let height = ui.spacing().interact_size.y;
        let output = ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 6.0;
            let label = self.label_ui(ui, height);
            let rest = (ui.available_width() - DOT_WIDTH - 6.0).max(40.0);
            let layout = Layout::right_to_left(Align::Center);
            let name = Labeled { label: label.id, id: self.id };
            let inner = ui
                .allocate_ui_with_layout(vec2(rest, height), layout, |ui| control(ui, name))
                .inner;
            let dot = self.dot_ui(ui, height);
            RowOutput { inner, reset: dot || (label.double_clicked() && self.is_changed()) }
        });
        self.below_ui(ui);
        output.inner
    }

    /// Lays out the row like [`PropertyRow::show`], for a control that is its own label and takes the whole width.
    pub fn show_wide<R>(
        &self,
        ui: &mut egui::Ui,
        control: impl FnOnce(&mut egui::Ui) -> R,
    ) -> RowOutput<R> {
        let height = ui.spacing().interact_size.y;
        let output = ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 6.0;
            let rest = (ui.available_width() - DOT_WIDTH - 6.0).max(40.0);
            let layout = Layout::left_to_right(Align::Center);
            let size = vec2(rest, height);
            let inner = ui.allocate_ui_with_layout(size, layout, |ui| {
                let inner = control(ui);
                ui.take_available_width();
                inner
            });
            RowOutput { inner: inner.inner, reset: self.dot_ui(ui, height) }
        });
        self.below_ui(ui);
        output.inner
    }

    fn is_changed(&self) -> bool {
        self.changed_from.is_some()
    }

    fn label_ui(&self, ui: &mut egui::Ui, height: f32) -> egui::Response {
        let width = LABEL_WIDTH.min(ui.available_width() * 0.5);
        // Tab does not stop at labels.
        let label = egui::Label::new(self.label).truncate().sense(Sense::CLICK);
        let layout = Layout::left_to_right(Align::Center);
        let inner = ui.allocate_ui_with_layout(vec2(width, height), layout, |ui| {
            let response = ui.add(label);
            ui.take_available_width();
            response
        });
        if self.tooltip.is_empty() { inner.inner } else { inner.inner.on_hover_text(self.tooltip) }
    }

    fn dot_ui(&self, ui: &mut egui::Ui, height: f32) -> bool {
        reset_dot(ui, [self.id, self.label], self.changed_from.as_deref(), height)
    }

    fn below_ui(&self, ui: &mut egui::Ui) {
        if self.caption.is_none() && self.remarks.is_empty() {
            return;
        }
        let theme = Theme::of(ui.ctx().theme());
        ui.scope(|ui| {
            ui.spacing_mut().item_spacing.y = 1.0;
            ui.add_space(-2.0);
            if let Some(caption) = &self.caption {
                let color = if caption.strong { theme.text } else { theme.text_weak };
                dense_row(ui, |ui| {
                    ui.add_space(LABEL_WIDTH.min(ui.available_width() * 0.5) + 6.0);
                    ui.label(RichText::new(&caption.text).small().color(color));
                });
            }
            for remark in &self.remarks {
                remark_ui(ui, remark, theme.warning);
            }
        });
        ui.add_space(3.0);
    }
}

/// Draws the dot of a value that differs from its default, or empty space of the same size if `default` is `None`.
/// `[id, name]` are the id and the name of the value. Returns whether the dot was clicked.
pub fn reset_dot(
    ui: &mut egui::Ui,
    [id, name]: [&str; 2],
    default: Option<&str>,
    height: f32,
) -> bool {
    let Some(default) = default else {
        ui.allocate_exact_size(vec2(DOT_WIDTH, height), Sense::hover());
        return false;
    };
    let (rect, response) = ui.allocate_exact_size(vec2(DOT_WIDTH, height), Sense::click());
    let name = tr!("Reset {name}");
    response.widget_info(|| {
        egui::WidgetInfo::labeled(egui::accesskit::Role::Button, true, name.clone())
    });
    let response = response.author_id(format_args!("{id}.reset"));
    let theme = Theme::of(ui.ctx().theme());
    let held = response.hovered() || response.has_focus();
    let radius = if held { 5.0 } else { 3.5 };
    ui.painter().circle_filled(rect.center(), radius, theme.accent);
    response
        .on_hover_cursor(egui::CursorIcon::PointingHand)
        .on_hover_text(tr!("Reset to {default}"))
        .clicked()
}

pub fn remark_ui(ui: &mut egui::Ui, text: &str, color: egui::Color32) {
    let text = format::sentence(text);
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let sign = crate::icons::ICON_WARNING.codepoint;
        ui.label(RichText::new(sign).small().color(color));
        ui.add(egui::Label::new(RichText::new(text).small().color(color)).wrap());
    });
}
