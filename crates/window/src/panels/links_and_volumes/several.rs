//! The common properties of several selected objects.

use std::collections::BTreeSet;

use eframe::egui::{self, RichText};
use glam::Vec3;
use walkable::{geom::Aabb, phrase};
use walkable_editor::{
    command::{Command, Commands},
    session::{Document, Edit, SceneItem, SessionView},
};
use walkable_workspace::lang::{self, tr};

use crate::{
    panels::{
        areas::choice::{area_choice_ui, raw_area_choice_ui},
        links_and_volumes::item_buttons_ui,
    },
    widgets::{
        author_id::AuthorId as _,
        edited::Edited,
        legend::{fact, heading},
        numeric::{self, NumberSpec},
        property_row::PropertyRow,
    },
};

const POSITION: NumberSpec<'_> =
    NumberSpec { unit: "m", slider: [-20.0, 20.0], limits: [-1e5, 1e5], step: 0.1 };
const RADIUS: NumberSpec<'_> =
    NumberSpec { unit: "m", slider: [0.1, 3.0], limits: [0.01, 100.0], step: 0.05 };

pub fn several_ui(
    ui: &mut egui::Ui,
    items: &BTreeSet<SceneItem>,
    view: &SessionView<'_>,
    out: &mut Commands,
) {
    let n = items.len();
    ui.label(RichText::new(tr!("{n} objects selected")).heading());
    let mut rest: Vec<_> = items.iter().collect();
    while let Some(&first) = rest.first() {
        let n_before = rest.len();
        rest.retain(|item| !item.is_like(*first));
        fact(ui, first.kind_name(), &(n_before - rest.len()).to_string());
    }
    place_ui(ui, items, view.document(), out);
    volumes_ui(ui, items, view.document(), out);
    links_ui(ui, items, view.document(), out);
    let all_hidden = items.iter().all(|item| item.is_hidden(view.document()));
    ui.add_space(8.0);
    let label =
        if all_hidden { phrase!("Show in the 3D view") } else { phrase!("Hide in the 3D view") };
    if ui.button(lang::phrase(&label)).author_id("several.hide").clicked() {
        let change = if all_hidden { SceneItem::show_in } else { SceneItem::hide_in };
        let edit = Edit::of_items(view.document(), |document| {
            for item in items {
                change(*item, document);
            }
        });
        out.push(Command::Change(label, edit));
    }
    item_buttons_ui(ui, out);
}

fn place_ui(
    ui: &mut egui::Ui,
    items: &BTreeSet<SceneItem>,
    document: &Document,
    out: &mut Commands,
) {
    let bounds = items.iter().filter_map(|item| item.bounds_in(document));
    let all = bounds.reduce(|a, b| Aabb { min: a.min.min(b.min), max: a.max.max(b.max) });
    let Some(center) = all.map(|all| (all.min + all.max) * 0.5) else { return };
    heading(ui, tr!("Place"));
    for (id, label, axis) in [
        ("several.x", tr!("Center X"), Vec3::X),
        ("several.y", tr!("Center Y"), Vec3::Y),
        ("several.z", tr!("Center Z"), Vec3::Z),
    ] {
        let tooltip = tr!("Center of the selected objects; moves all of them");
        let row = PropertyRow { id, label, tooltip, ..PropertyRow::default() };
        let before = f64::from(center.dot(axis));
        let mut value = before;
        let field =
            row.show(ui, |ui, label| numeric::field(ui, label, &mut value, &POSITION, 90.0));
        let by = axis * numeric::narrow(value - before);
        let edit = Edit::of_items(document, |document| {
            for item in items {
                item.move_in(document, by);
            }
        });
        Edited::of(&field.inner).send(phrase!("Move {n} objects", n = items.len()), edit, out);
    }
}

fn volumes_ui(
    ui: &mut egui::Ui,
    items: &BTreeSet<SceneItem>,
    document: &Document,
    out: &mut Commands,
) {
    let chosen = |index: usize| items.contains(&SceneItem::Volume(index));
    let volumes = document.volumes.iter().enumerate().filter(|(index, _)| chosen(*index));
    let areas: Vec<_> = volumes.map(|(_, volume)| volume.area).collect();
    let Some(&first) = areas.first() else { return };
    heading(ui, tr!("Volumes"));
    let mut area = first;
    let row = area_row(tr!("Area of the ground inside"), areas.iter());
    let row = row.show(ui, |ui, _| {
        ui.push_id("volumes", |ui| raw_area_choice_ui(ui, &document.areas, &mut area)).inner
    });
    if row.inner {
        let mut volumes = document.volumes.clone();
        for (_, volume) in volumes.iter_mut().enumerate().filter(|(index, _)| chosen(*index)) {
            volume.area = area;
        }
        out.push(Command::Change(phrase!("Change volumes"), Edit::Volumes(volumes)));
    }
}

fn links_ui(
    ui: &mut egui::Ui,
    items: &BTreeSet<SceneItem>,
    document: &Document,
    out: &mut Commands,
) {
    let chosen = |index: usize| items.contains(&SceneItem::Link(index));
    let links = document.off_mesh.iter().enumerate().filter(|(index, _)| chosen(*index));
    let links: Vec<_> = links.map(|(_, link)| link.of).collect();
    let Some(&first) = links.first() else { return };
    heading(ui, tr!("Off-mesh links"));
    let mut next = first;
    let mut radius = f64::from(first.radius);
    let reach = PropertyRow {
        id: "several.radius",
        label: tr!("Radius"),
        tooltip: tr!("Maximum distance from an end to the navmesh"),
        remarks: remarks(links.iter().map(|link| link.radius)),
        ..PropertyRow::default()
    };
    let edited = reach.show(ui, |ui, label| numeric::slider(ui, label, &mut radius, &RADIUS)).inner;
    next.radius = numeric::narrow(radius);
    let check = ui.checkbox(&mut next.bidirectional, tr!("Bidirectional"));
    let check = check.author_id("several.bidirectional").changed();
    let row = area_row(
        tr!("Area of the off-mesh link, which sets its cost"),
        links.iter().map(|link| link.area),
    );
    let row = row.show(ui, |ui, _| {
        ui.push_id("links", |ui| area_choice_ui(ui, &document.areas, &mut next.area)).inner
    });
    let at_once = if check || row.inner { Edited::at_once() } else { Edited::default() };
    let mut all = document.off_mesh.clone();
    for (_, link) in all.iter_mut().enumerate().filter(|(index, _)| chosen(*index)) {
        if edited.changed {
            link.radius = next.radius;
        }
        if check {
            link.bidirectional = next.bidirectional;
        }
        if row.inner {
            link.area = next.area;
        }
    }
    edited.or(at_once).send(phrase!("Change off-mesh links"), Edit::Links(all), out);
}

fn area_row<T: PartialEq>(tooltip: &str, areas: impl Iterator<Item = T>) -> PropertyRow<'_> {
    let (id, label, remarks) = ("several.area", tr!("Area"), remarks(areas));
    PropertyRow { id, label, tooltip, remarks, ..PropertyRow::default() }
}

/// Returns the remark at a value that is not the same in all objects.
fn remarks<T: PartialEq>(mut values: impl Iterator<Item = T>) -> Vec<String> {
    let first = values.next();
    let differs = values.any(|value| Some(value) != first);
    let remark = differs.then(|| tr!("Differs; shown is the value of the first").to_owned());
    remark.into_iter().collect()
}
