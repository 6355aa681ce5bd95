//! Number fields that can be dragged, typed into and stepped, with a unit. Lengths and areas are shown and typed in the
//! unit of the window.

use std::ops::RangeInclusive;

use eframe::egui::{self, vec2};
use walkable_workspace::{
    format,
    units::{self, ShownUnit},
};

use crate::{
    theme::Theme,
    widgets::{
        author_id::{AuthorId as _, Labeled},
        edited::Edited,
        expression::evaluate,
    },
};

pub const FIELD_WIDTH: f32 = 78.0;

/// The limits of a number and how it is shown, in the unit in which the number is stored.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NumberSpec<'a> {
    pub unit: &'a str,
    pub slider: [f64; 2],
    /// Ends of what can be typed.
    pub limits: [f64; 2],
    pub step: f64,
}

impl NumberSpec<'_> {
    fn limits(&self) -> RangeInclusive<f64> {
        self.limits[0]..=self.limits[1]
    }

    pub fn evaluate(&self, text: &str) -> Option<f64> {
        let unit = units::shown(self.unit);
        Some(evaluate(text, unit.symbol)? * unit.size)
    }

    /// Draws a control for `value` in the unit of the window. The value changes only if the control reports a change,
    /// because converting it to this unit and back may round it.
    fn show(
        &self,
        value: &mut f64,
        draw: impl FnOnce(&mut f64, &Self) -> egui::Response,
    ) -> egui::Response {
        let ShownUnit { symbol, size, step } = units::shown(self.unit);
        let [slider, limits] = [self.slider, self.limits].map(|ends| ends.map(|end| end / size));
        let mut shown = *value / size;
        let response =
            draw(&mut shown, &NumberSpec { unit: symbol, slider, limits, step: self.step * step });
        if response.changed() {
            *value = shown * size;
        }
        response
    }
}

/// Draws a field as wide as `ui` and filled up to its value, which is dragged, typed or stepped with the arrow keys. A
/// drag across the whole field covers the slider's range; with Shift it covers a tenth of it.
pub fn slider(
    ui: &mut egui::Ui,
    name: Labeled<'_>,
    value: &mut f64,
    spec: &NumberSpec<'_>,
) -> Edited {
    let width = ui.available_width().max(FIELD_WIDTH);
    let background = ui.painter().add(egui::Shape::Noop);
    let response = ui.scope(|ui| {
        let widgets = &mut ui.visuals_mut().widgets;
        for state in [&mut widgets.inactive, &mut widgets.hovered, &mut widgets.active] {
            state.weak_bg_fill = egui::Color32::TRANSPARENT;
        }
        spec.show(value, |value, spec| {
            let ([low, high], [least, most]) = (spec.slider, spec.limits);
            let response = plain_field(ui, value, spec, width, (high - low) / f64::from(width));
            if response.dragged() && response.changed() {
                *value = ((*value / spec.step).round() * spec.step).clamp(least, most);
            }
            response
        })
    });
    let response = response.inner;
    let share = share_of(*value, spec.slider);
    ui.painter().set(background, filled(ui, response.rect, narrow(share)));
    Edited::of(&name.name(response))
}

/// Returns the position of a value between two ends, from 0 to 1; 0 if the ends are equal.
fn share_of(value: f64, [low, high]: [f64; 2]) -> f64 {
    if high > low { ((value - low) / (high - low)).clamp(0.0, 1.0) } else { 0.0 }
}

/// Returns the background of a field that is filled up to a share of its width.
fn filled(ui: &egui::Ui, rect: egui::Rect, share: f32) -> egui::Shape {
    let theme = Theme::of(ui.ctx().theme());
    let radius = ui.visuals().widgets.inactive.corner_radius;
    let part = rect.with_max_x(egui::lerp(rect.x_range(), share));
    let part_radius =
        if share < 1.0 { egui::CornerRadius { ne: 0, se: 0, ..radius } } else { radius };
    egui::Shape::Vec(vec![
        egui::Shape::rect_filled(rect, radius, theme.control),
        egui::Shape::rect_filled(part, part_radius, theme.filled),
    ])
}

/// Draws a field to type in or drag across.
pub fn field(
    ui: &mut egui::Ui,
    name: Labeled<'_>,
    value: &mut f64,
    spec: &NumberSpec<'_>,
    width: f32,
) -> egui::Response {
    let draw = |value: &mut f64, spec: &NumberSpec<'_>| {
        plain_field(ui, value, spec, width, 0.25 * spec.step)
    };
    name.name(spec.show(value, draw))
}

/// Draws a [`field`] that has no label next to it: `name` is its name for screen readers.
pub fn named_field(
    ui: &mut egui::Ui,
    name: &str,
    value: &mut f64,
    spec: &NumberSpec<'_>,
    width: f32,
) -> egui::Response {
    let response =
        spec.show(value, |value, spec| plain_field(ui, value, spec, width, 0.25 * spec.step));
    let role = egui::accesskit::Role::SpinButton;
    response.widget_info(|| egui::WidgetInfo::labeled(role, true, name));
    response.on_hover_text(name)
}

/// Draws a [`named_field`] for a number in single precision. `[id, name]` are the id of the control and its name.
pub fn single_field(
    ui: &mut egui::Ui,
    [id, name]: [&str; 2],
    value: &mut f32,
    spec: &NumberSpec<'_>,
    width: f32,
) -> Edited {
    let mut wide = f64::from(*value);
    let edited = Edited::of(&named_field(ui, name, &mut wide, spec, width).author_id(id));
    if edited.changed {
        *value = narrow(wide);
    }
    edited
}

/// Creates a field whose value changes by `speed` per point of a drag. Value and `spec` are in the unit of the window.
fn plain_field(
    ui: &mut egui::Ui,
    value: &mut f64,
    spec: &NumberSpec<'_>,
    width: f32,
    speed: f64,
) -> egui::Response {
    let is_stepped = step_by_arrow_keys(ui, value, spec);
    let suffix = units::suffix(spec.unit);
    let text = |value: f64| format!("{}{suffix}", format::number(value));
    // The text is rounded: leaving the field without an edit must not round the value.
    let unedited = text(*value);
    // The growing prefix pushes the number to the right, where digits line up.
    let drag = egui::DragValue::new(value)
        .prefix(egui::Atom::grow())
        .range(spec.limits())
        .clamp_existing_to_range(false)
        .speed(speed)
        .custom_formatter(move |value, _| text(value))
        .custom_parser(|text| if text == unedited { None } else { evaluate(text, spec.unit) })
        .update_while_editing(false)
        .min_size(vec2(width, ui.spacing().interact_size.y));
    let mut response = ui.add(drag);
    if is_stepped {
        response.mark_changed();
    }
    response
}

/// Changes the value of the next field by a step for each press of an arrow key, if the field has the focus. Returns
/// whether there was a step.
fn step_by_arrow_keys(ui: &egui::Ui, value: &mut f64, spec: &NumberSpec<'_>) -> bool {
    if !ui.is_enabled() || !ui.memory(|memory| memory.has_focus(ui.next_auto_id())) {
        return false;
    }
    let presses = |key| {
        let count = ui.input_mut(|input| input.count_and_consume_key(egui::Modifiers::NONE, key));
        f64::from(u32::try_from(count).unwrap_or(u32::MAX))
    };
    let steps = presses(egui::Key::ArrowUp) - presses(egui::Key::ArrowDown);
    if steps == 0.0 {
        return false;
    }
    let [low, high] = spec.limits;
    let next = ((*value / spec.step).round() + steps) * spec.step;
    *value = next.clamp(low, high);
    true
}

/// Converts a typed value to single precision. The limits of the fields are within its range.
#[expect(clippy::cast_possible_truncation, reason = "limited to what a field takes")]
pub const fn narrow(value: f64) -> f32 {
    value as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_is_filled_within_its_ends_and_not_if_they_are_equal() {
        let cases = [(0.0, 0.0), (5.0, 0.5), (10.0, 1.0), (-1.0, 0.0), (11.0, 1.0)];
        for (value, share) in cases {
            assert!((share_of(value, [0.0, 10.0]) - share).abs() < 1e-12, "{value}");
        }
        assert!(share_of(3.0, [3.0, 3.0]).abs() < 1e-12);
    }
}
