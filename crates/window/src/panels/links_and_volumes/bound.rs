//! The properties of a box to which the bake is limited.

use eframe::egui::{self, RichText};
use walkable::phrase;
use walkable_editor::{
    command::{Commands, lower_first},
    session::{Edit, SceneItem, SessionView},
};
use walkable_workspace::lang::tr;

use crate::{
    panels::links_and_volumes::{item_buttons_ui, name_ui},
    widgets::{
        edited::Edited,
        legend::{empty, fact, heading},
        numeric::{self, NumberSpec},
        property_row::PropertyRow,
    },
};

const PLACE: NumberSpec<'_> =
    NumberSpec { unit: "m", slider: [-100.0, 100.0], limits: [-1e6, 1e6], step: 0.1 };

pub fn bound_ui(ui: &mut egui::Ui, number: usize, view: &SessionView<'_>, out: &mut Commands) {
    let bounds = &view.document().bounds;
    let Some(bound) = bounds.get(number) else { return };
    name_ui(ui, SceneItem::Bound(number), view, out);
    let mut next = bound.of;
    let mut edited = Edited::default();
    for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
        heading(ui, &tr!("Along {name}"));
        for (label, corner) in [(tr!("From"), &mut next.min), (tr!("To"), &mut next.max)] {
            let mut value = f64::from(corner[axis]);
            let tooltip = tr!("The bake keeps only spans inside or touching a bake box");
            let id = &format!("bake-box.{}-{name}", lower_first(label));
            let row = PropertyRow { id, label, tooltip, ..PropertyRow::default() };
            let field = row.show(ui, |ui, id| numeric::field(ui, id, &mut value, &PLACE, 90.0));
            edited = edited.or(Edited::of(&field.inner));
            if field.inner.changed() {
                corner[axis] = numeric::narrow(value);
            }
        }
    }
    (next.min, next.max) = (next.min.min(next.max), next.min.max(next.max));
    let mut all = bounds.clone();
    all[number].of = next;
    edited.send(phrase!("Change bake box"), Edit::Bounds(all), out);
    item_buttons_ui(ui, out);
}

pub fn no_bound_ui(ui: &mut egui::Ui, view: &SessionView<'_>) {
    ui.label(RichText::new(tr!("Bake boxes")).strong());
    let n = view.document().bounds.len();
    if n == 0 {
        return empty(
            ui,
            tr!("The whole level is baked. Click two corners on the ground to bake only the box \
            between them; several boxes add up."),
        );
    }
    fact(ui, tr!("Boxes"), &n.to_string());
    empty(ui, tr!("Only ground that they touch is baked. Click two corners to add another."));
}
