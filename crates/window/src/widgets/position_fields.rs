//! Three number fields in a row for a position.

use eframe::egui;
use glam::Vec3;

use super::{
    edited::Edited,
    numeric::{self, NumberSpec},
};

/// Draws a field for each axis. The id and name of a field are those of the position, followed by the axis.
pub fn position_fields(
    ui: &mut egui::Ui,
    [id, name]: [&str; 2],
    place: &mut Vec3,
    spec: &NumberSpec<'_>,
) -> Edited {
    let mut edited = Edited::default();
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let width = ((ui.available_width() - 28.0) / 3.0).max(32.0);
        for (axis, coordinate) in ["x", "y", "z"].into_iter().zip(place.as_mut()) {
            let (id, name) = (format!("{id}.{axis}"), format!("{name} {axis}"));
            let one = numeric::single_field(ui, [&id, &name], coordinate, spec, width);
            edited = edited.or(one);
        }
    });
    edited
}
