//! A number to drag, type and step, with its unit.

use std::ops::RangeInclusive;

use eframe::egui::{self, Align, Layout, vec2};
use walkable_editor::format;

use crate::widgets::{
    author_id::{AuthorId as _, Labeled},
    edited::Edited,
};

/// Width of the field to type in.
pub const FIELD_WIDTH: f32 = 78.0;

/// What a number may be and how it is shown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NumberSpec<'a> {
    /// Unit, empty where there is none.
    pub unit: &'a str,
    /// Ends of the slider.
    pub slider: [f64; 2],
    /// Ends of what can be typed.
    pub limits: [f64; 2],
    /// Step of slider and arrow keys.
    pub step: f64,
}

impl NumberSpec<'_> {
    fn limits(&self) -> RangeInclusive<f64> {
        self.limits[0]..=self.limits[1]
    }
}

/// A slider that fills the space left of the field to type in, which sits at the right edge of `ui`.
/// `label` names both to those who cannot see them.
pub fn slider(
    ui: &mut egui::Ui,
    name: Labeled<'_>,
    value: &mut f64,
    spec: &NumberSpec<'_>,
) -> (Edited, egui::Response) {
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        let typed = field(ui, name, value, spec, FIELD_WIDTH);
        ui.spacing_mut().slider_width = ui.available_width().max(24.0);
        let slider = egui::Slider::new(value, spec.slider[0]..=spec.slider[1])
            .show_value(false)
            .clamping(egui::SliderClamping::Never)
            .step_by(spec.step);
        let dragged = ui.add(slider).labelled_by(name.label);
        let dragged = dragged.author_id(format_args!("{}.slider", name.id));
        let edited = Edited::of(&dragged).or(Edited::of(&typed));
        (edited, dragged.union(typed))
    })
    .inner
}

/// A field to type in or drag across.
pub fn field(
    ui: &mut egui::Ui,
    name: Labeled<'_>,
    value: &mut f64,
    spec: &NumberSpec<'_>,
    width: f32,
) -> egui::Response {
    name.name(plain_field(ui, value, spec, width))
}

/// As [`field`] where no label stands beside it: `name` names it to those who do not see it.
pub fn named_field(
    ui: &mut egui::Ui,
    name: &str,
    value: &mut f64,
    spec: &NumberSpec<'_>,
    width: f32,
) -> egui::Response {
    let response = plain_field(ui, value, spec, width);
    let role = egui::accesskit::Role::SpinButton;
    response.widget_info(|| egui::WidgetInfo::labeled(role, true, name));
    response.on_hover_text(name)
}

/// As [`named_field`], for a number in single precision. `[id, name]` are the id of the control and its name.
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

fn plain_field(
    ui: &mut egui::Ui,
    value: &mut f64,
    spec: &NumberSpec<'_>,
    width: f32,
) -> egui::Response {
    let unit = spec.unit;
    let suffix = if unit.is_empty() || unit == "°" { unit.to_owned() } else { format!(" {unit}") };
    let parse = |text: &str| parse(text, unit);
    // What grows on the left pushes the number to the right, where digits line up.
    let drag = egui::DragValue::new(value)
        .prefix(egui::Atom::grow())
        .range(spec.limits())
        .clamp_existing_to_range(false)
        .speed(spec.step * 0.25)
        .custom_formatter(|value, _| format!("{}{suffix}", format::number(value)))
        .custom_parser(parse)
        .update_while_editing(false)
        .min_size(vec2(width, ui.spacing().interact_size.y));
    ui.add(drag)
}

/// What was typed, as settings and places hold it: fields have limits within what single precision holds.
#[expect(clippy::cast_possible_truncation, reason = "limited to what a field takes")]
pub const fn narrow(value: f64) -> f32 {
    value as f32
}

/// Reads a number with or without its unit, with a point or a comma.
fn parse(text: &str, unit: &str) -> Option<f64> {
    let text = text.trim().replace('\u{2212}', "-");
    let text = text.strip_suffix(unit).unwrap_or(&text).trim_end();
    text.replace(',', ".").parse().ok().filter(|value: &f64| value.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_with_and_without_units() {
        let cases = [
            ("0.9", "m", Some(0.9)),
            (" 0,9 m ", "m", Some(0.9)),
            ("45°", "°", Some(45.0)),
            ("\u{2212}3", "", Some(-3.0)),
            ("1e3", "m", Some(1000.0)),
            ("", "m", None),
            ("nan", "m", None),
            ("inf", "", None),
            ("two", "m", None),
        ];
        for (text, unit, expected) in cases {
            assert_eq!(parse(text, unit), expected, "{text:?}");
        }
    }
}
