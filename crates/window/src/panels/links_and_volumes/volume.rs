//! The properties of a volume, and of the next one to be drawn.

use eframe::egui::{self, RichText, WidgetInfo, accesskit::Role};
use glam::Vec3;
use walkable::{
    bake::{AreaVolume, RawArea, VolumeShape},
    phrase,
};
use walkable_editor::{
    command::{Command, Commands, SceneItemCommand, variant_id},
    session::{
        AreaTable, Edit, Named, SceneItem, SessionView, ShapeKind, between, middle, resized,
        shifted, turned_to, width_and_depth, yaw,
    },
};
use walkable_workspace::lang::tr;

use crate::{
    panels::{
        areas::choice::raw_area_choice_ui,
        links_and_volumes::{item_buttons_ui, name_ui},
    },
    widgets::{
        author_id::AuthorId as _,
        edited::Edited,
        legend::heading,
        numeric::{self, NumberSpec},
        property_row::PropertyRow,
    },
};

const HEIGHT: NumberSpec<'_> =
    NumberSpec { unit: "m", slider: [-20.0, 20.0], limits: [-1e5, 1e5], step: 0.1 };
const LENGTH: NumberSpec<'_> =
    NumberSpec { unit: "m", slider: [0.1, 20.0], limits: [0.05, 1e5], step: 0.1 };
const REACH: NumberSpec<'_> =
    NumberSpec { unit: "m", slider: [0.0, 20.0], limits: [0.0, 1000.0], step: 0.1 };
const TURN: NumberSpec<'_> =
    NumberSpec { unit: "°", slider: [-180.0, 180.0], limits: [-360.0, 360.0], step: 1.0 };

pub fn volume_ui(ui: &mut egui::Ui, number: usize, view: &SessionView<'_>, out: &mut Commands) {
    let volumes = &view.document().volumes;
    let Some(volume) = volumes.get(number) else { return };
    name_ui(ui, SceneItem::Volume(number), view, out);
    let mut next = volume.clone();
    let edited = form_ui(ui, &mut next, &view.document().areas).or_at_once(&next, volume);
    let mut all = volumes.clone();
    all[number] = next;
    edited.send(phrase!("Change volume"), Edit::Volumes(all), out);
    order_ui(ui, number, volumes, out);
    item_buttons_ui(ui, out);
}

pub fn new_volume_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    let (new, areas) = (view.tools.new_volume, &view.document().areas);
    ui.label(RichText::new(tr!("New volume")).strong());
    let mut next = new;
    kind_ui(ui, &ShapeKind::ALL, &mut next.kind);
    row("volume.area", tr!("Area"), tr!("Area of the ground inside"))
        .show(ui, |ui, _| area_ui(ui, areas, &mut next.area));
    erode_ui(ui, next.area, &mut next.erode);
    heading(ui, tr!("Extent"));
    for (id, label, tooltip, value) in [
        (
            "volume.below",
            tr!("Below"),
            tr!("How far it reaches below the lowest place clicked"),
            &mut next.below,
        ),
        (
            "volume.above",
            tr!("Above"),
            tr!("How far it reaches above the highest place clicked"),
            &mut next.above,
        ),
        (
            "volume.margin",
            tr!("Margin"),
            tr!("Distance of its sides from the clicked outline"),
            &mut next.margin,
        ),
    ] {
        number_ui(ui, &row(id, label, tooltip), value, &REACH);
    }
    if next != new {
        out.push(SceneItemCommand::NextVolume(next));
    }
}

fn row<'a>(id: &'a str, label: &'a str, tooltip: &'a str) -> PropertyRow<'a> {
    PropertyRow { id, label, tooltip, ..PropertyRow::default() }
}

fn form_ui(ui: &mut egui::Ui, volume: &mut AreaVolume, areas: &AreaTable) -> Edited {
    row("volume.area", tr!("Area"), tr!("Area of the ground inside"))
        .show(ui, |ui, _| area_ui(ui, areas, &mut volume.area));
    erode_ui(ui, volume.area, &mut volume.erode);
    shape_ui(ui, &ShapeKind::ALL, &mut volume.shape)
}

pub fn shape_ui(ui: &mut egui::Ui, kinds: &[ShapeKind], shape: &mut VolumeShape) -> Edited {
    let mut kind = ShapeKind::of(shape);
    kind_ui(ui, kinds, &mut kind);
    *shape = kind.with_extent_of(shape);
    heading(ui, tr!("Place"));
    let at = middle(shape);
    let mut edited = Edited::default();
    for (id, label, axis) in
        [("shape.center-x", tr!("Center X"), Vec3::X), ("shape.center-z", tr!("Center Z"), Vec3::Z)]
    {
        let mut value = at.dot(axis);
        let moved =
            number_ui(ui, &row(id, label, tr!("Position of its center")), &mut value, &HEIGHT);
        if moved.changed {
            *shape = shifted(shape, axis * (value - at.dot(axis)));
        }
        edited = edited.or(moved);
    }
    edited.or(heights_ui(ui, shape)).or(sides_ui(ui, shape))
}

fn heights_ui(ui: &mut egui::Ui, shape: &mut VolumeShape) -> Edited {
    heading(ui, tr!("Extent"));
    let bounds = shape.bounds();
    let (mut bottom, mut top) = (bounds.min.y, bounds.max.y);
    let edited = number_ui(
        ui,
        &row("shape.bottom", tr!("Bottom"), tr!("Lowest height")),
        &mut bottom,
        &HEIGHT,
    )
    .or(number_ui(ui, &row("shape.top", tr!("Top"), tr!("Highest height")), &mut top, &HEIGHT));
    if edited.changed {
        *shape = between(shape, bottom, top);
    }
    edited
}

fn sides_ui(ui: &mut egui::Ui, shape: &mut VolumeShape) -> Edited {
    if let VolumeShape::Cylinder { radius, .. } = shape {
        return number_ui(
            ui,
            &row("shape.radius", tr!("Radius"), tr!("From its axis to its rim")),
            radius,
            &LENGTH,
        );
    }
    let [mut width, mut depth] = width_and_depth(shape);
    let mut edited = number_ui(
        ui,
        &row("shape.width", tr!("Width"), tr!("Extent along x")),
        &mut width,
        &LENGTH,
    )
    .or(number_ui(
        ui,
        &row("shape.depth", tr!("Depth"), tr!("Extent along z")),
        &mut depth,
        &LENGTH,
    ));
    if edited.changed {
        *shape = resized(shape, [width, depth]);
    }
    if let Some(yaw) = yaw(shape) {
        let mut degrees = yaw.to_degrees();
        let what =
            tr!("Around the vertical axis, from +z towards +x; for a prism, the direction of its \
            first corner");
        let turned = number_ui(ui, &row("shape.turn", tr!("Turn"), what), &mut degrees, &TURN);
        if turned.changed {
            *shape = turned_to(shape, degrees.to_radians());
        }
        edited = edited.or(turned);
    }
    edited
}

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
        *value = numeric::narrow(wide);
    }
    edited
}

fn kind_ui(ui: &mut egui::Ui, kinds: &[ShapeKind], kind: &mut ShapeKind) {
    row(
        "shape.kind",
        tr!("Shape"),
        tr!("A prism has any outline; boxes and cylinders take two clicks or a drag"),
    )
    .show(ui, |ui, _| {
        let combo = egui::ComboBox::from_id_salt("shape").selected_text(kind.name());
        let shown = combo.show_ui(ui, |ui| {
            for &known in kinds {
                let choice = ui.selectable_value(kind, known, known.name());
                choice.author_id(format_args!("shape.kind.{}", variant_id(known)));
            }
        });
        let combo = shown.response.author_id("shape.kind");
        combo.widget_info(|| WidgetInfo::labeled(Role::ComboBox, true, tr!("Shape")));
    });
}

/// Draws the switch for the margin of a volume that is not walkable.
fn erode_ui(ui: &mut egui::Ui, area: RawArea, erode: &mut bool) {
    if area.is_walkable() {
        return;
    }
    let label = tr!("Margin of the agent's radius");
    let tooltip = tr!(
        "Also takes the ground within the agent's radius around the volume, so that the agent's body stays out. Without it, only the agent's center stays out"
    );
    row("volume.erode", label, tooltip).show_wide(ui, |ui| {
        ui.checkbox(erode, label).author_id("volume.erode").on_hover_text(tooltip)
    });
}

fn area_ui(ui: &mut egui::Ui, areas: &AreaTable, area: &mut RawArea) {
    raw_area_choice_ui(ui, areas, area);
}

/// Draws the buttons that change the order of the volumes: where two overlap, the later one wins.
fn order_ui(ui: &mut egui::Ui, number: usize, volumes: &[Named<AreaVolume>], out: &mut Commands) {
    heading(ui, tr!("Order"));
    let mut swap = |ui: &mut egui::Ui, text: &str, other: Option<usize>| {
        let other = other.filter(|&other| other < volumes.len());
        let button = ui.add_enabled(other.is_some(), egui::Button::new(text));
        let button = button.on_hover_text(tr!("Where volumes overlap, the later one wins"));
        if let Some(other) = other.filter(|_| button.clicked()) {
            let mut all = volumes.to_vec();
            all.swap(number, other);
            out.push(Command::Change(phrase!("Reorder volumes"), Edit::Volumes(all)));
            out.push(SceneItemCommand::Select(Some(SceneItem::Volume(other))));
        }
    };
    ui.horizontal(|ui| {
        swap(ui, tr!("Move up"), number.checked_sub(1));
        swap(ui, tr!("Move down"), Some(number + 1));
    });
}
