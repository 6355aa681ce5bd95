//! The properties of a volume, and of the next one to be drawn.

use eframe::egui::{self, RichText};
use walkable::{
    bake::{AreaVolume, VolumeShape},
    debug_draw::Paint,
    ids::AreaId,
};

use crate::{
    areas::{AREAS, area_name},
    command::{Command, Commands, ThingCommand},
    panels::things::{name_ui, thing_buttons_ui},
    session::{Edit, Named, NewVolume, SessionView, ShapeKind, Thing, between},
    theme::Theme,
    widgets::{
        edited::Edited,
        legend::{heading, swatch},
        numeric::{self, NumberSpec},
        property_row::PropertyRow,
    },
};

const HEIGHT: NumberSpec<'_> =
    NumberSpec { unit: "m", slider: [-20.0, 20.0], limits: [-1e5, 1e5], step: 0.1 };
const LENGTH: NumberSpec<'_> =
    NumberSpec { unit: "m", slider: [0.1, 20.0], limits: [0.05, 1e5], step: 0.1 };
const TURN: NumberSpec<'_> =
    NumberSpec { unit: "°", slider: [-180.0, 180.0], limits: [-360.0, 360.0], step: 1.0 };

/// Draws the form of volume `number`.
pub(crate) fn volume_ui(
    ui: &mut egui::Ui,
    number: usize,
    view: &SessionView<'_>,
    out: &mut Commands,
) {
    let volumes = &view.document().volumes;
    let Some(volume) = volumes.get(number) else { return };
    name_ui(ui, Thing::Volume(number), view, out);
    let mut next = volume.clone();
    let edited = form_ui(ui, &mut next).or_at_once(&next, volume);
    let mut all = volumes.clone();
    all[number] = next;
    edited.send("Change volume", Edit::Volumes(all), out);
    order_ui(ui, number, volumes, out);
    thing_buttons_ui(ui, out);
}

/// Draws what the next volume will be.
pub(crate) fn new_volume_ui(ui: &mut egui::Ui, new: NewVolume, out: &mut Commands) {
    ui.label(RichText::new("New volume").strong());
    let mut next = new;
    kind_ui(ui, &mut next.kind);
    row("Area", "What the ground inside becomes").show(ui, |ui, _| area_ui(ui, &mut next.area));
    if next != new {
        out.push(ThingCommand::NextVolume(next));
    }
}

fn row<'a>(label: &'a str, tooltip: &'a str) -> PropertyRow<'a> {
    PropertyRow { label, tooltip, ..PropertyRow::default() }
}

fn form_ui(ui: &mut egui::Ui, volume: &mut AreaVolume) -> Edited {
    let mut kind = ShapeKind::of(&volume.shape);
    kind_ui(ui, &mut kind);
    volume.shape = kind.instead_of(&volume.shape);
    row("Area", "What the ground inside becomes").show(ui, |ui, _| area_ui(ui, &mut volume.area));
    heading(ui, "Extent");
    let bounds = volume.shape.bounds();
    let (mut bottom, mut top) = (bounds.min.y, bounds.max.y);
    let edited = number_ui(ui, &row("Bottom", "Lowest height"), &mut bottom, &HEIGHT)
        .or(number_ui(ui, &row("Top", "Highest height"), &mut top, &HEIGHT));
    if edited.changed {
        volume.shape = between(&volume.shape, bottom, top);
    }
    match &mut volume.shape {
        VolumeShape::Prism { .. } | VolumeShape::Box(_) => edited,
        VolumeShape::Cylinder { radius, .. } => {
            edited.or(number_ui(ui, &row("Radius", "From its axis to its rim"), radius, &LENGTH))
        }
        VolumeShape::TurnedBox { half_extents, yaw, .. } => {
            let mut degrees = yaw.to_degrees();
            let turn = row("Turn", "About the vertical, from +z towards +x");
            let turned = number_ui(ui, &turn, &mut degrees, &TURN);
            if turned.changed {
                *yaw = degrees.to_radians();
            }
            let width = row("Half width", "Half its extent along its own x axis");
            let depth = row("Half depth", "Half its extent along its own z axis");
            edited.or(turned).or(number_ui(ui, &width, &mut half_extents.x, &LENGTH)).or(number_ui(
                ui,
                &depth,
                &mut half_extents.z,
                &LENGTH,
            ))
        }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "limited to what a level can be")]
fn number_ui(
    ui: &mut egui::Ui,
    row: &PropertyRow<'_>,
    value: &mut f32,
    spec: &NumberSpec<'_>,
) -> Edited {
    let mut wide = f64::from(*value);
    let field = row.show(ui, |ui, label| numeric::field(ui, label, &mut wide, spec, 90.0));
    let edited = Edited::of(&field.inner);
    if edited.changed {
        *value = wide as f32;
    }
    edited
}

fn kind_ui(ui: &mut egui::Ui, kind: &mut ShapeKind) {
    row("Shape", "A prism has any outline; boxes and cylinders are drawn with two clicks").show(
        ui,
        |ui, _| {
            egui::ComboBox::from_id_salt("shape").selected_text(kind.name()).show_ui(ui, |ui| {
                for known in ShapeKind::ALL {
                    ui.selectable_value(kind, known, known.name());
                }
            });
        },
    );
}

/// A choice of what ground can become.
fn area_ui(ui: &mut egui::Ui, area: &mut AreaId) {
    let theme = Theme::of(ui.ctx().theme());
    let name = painted_name(*area);
    egui::ComboBox::from_id_salt("area").selected_text(name).show_ui(ui, |ui| {
        let known =
            AREAS.map(|known| if known.id == 0 { AreaId::WALKABLE } else { AreaId(known.id) });
        for choice in [AreaId::NULL].into_iter().chain(known) {
            ui.horizontal(|ui| {
                let paint = if choice == AreaId::NULL {
                    Paint::Problem
                } else {
                    Paint::Area(choice.0 % 63)
                };
                swatch(ui, theme.paint(paint));
                ui.selectable_value(area, choice, painted_name(choice));
            });
        }
    });
}

/// Name of what a volume paints.
pub(crate) fn painted_name(area: AreaId) -> String {
    match area {
        AreaId::NULL => "Not walkable".to_owned(),
        AreaId::WALKABLE => area_name(0),
        AreaId(number) => area_name(number),
    }
}

/// Volumes that come later win where two overlap.
fn order_ui(ui: &mut egui::Ui, number: usize, volumes: &[Named<AreaVolume>], out: &mut Commands) {
    heading(ui, "Order");
    let mut swap = |ui: &mut egui::Ui, text: &str, other: Option<usize>| {
        let other = other.filter(|&other| other < volumes.len());
        let button = ui.add_enabled(other.is_some(), egui::Button::new(text));
        let button = button.on_hover_text("Where volumes overlap the later one wins");
        if let Some(other) = other.filter(|_| button.clicked()) {
            let mut all = volumes.to_vec();
            all.swap(number, other);
            out.push(Command::Change("Reorder volumes".into(), Edit::Volumes(all)));
            out.push(ThingCommand::Choose(Some(Thing::Volume(other))));
        }
    };
    ui.horizontal(|ui| {
        swap(ui, "Earlier", number.checked_sub(1));
        swap(ui, "Later", Some(number + 1));
    });
}
