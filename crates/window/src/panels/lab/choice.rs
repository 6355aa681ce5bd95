//! The choice of searches, and of the graph that represents the level.

use eframe::egui;
use walkable_editor::{
    command::{Command, Commands, LabCommand},
    session::{LabSettings, LabState, Medium, Searcher},
};
use walkable_workspace::lang::tr;

use crate::widgets::{
    author_id::AuthorId as _,
    legend::heading,
    numeric::{self, NumberSpec},
    property_row::PropertyRow,
};

const CELL: NumberSpec<'_> =
    NumberSpec { unit: "m", slider: [0.1, 2.0], limits: [0.02, 100.0], step: 0.05 };
const VOXEL: NumberSpec<'_> =
    NumberSpec { unit: "m", slider: [0.05, 2.0], limits: [0.02, 100.0], step: 0.05 };
const RADIUS: NumberSpec<'_> =
    NumberSpec { unit: "m", slider: [0.0, 3.0], limits: [0.0, 100.0], step: 0.05 };
const WEIGHT: NumberSpec<'_> =
    NumberSpec { unit: "", slider: [1.0, 5.0], limits: [0.0, 100.0], step: 0.1 };

pub(super) fn choice_ui(ui: &mut egui::Ui, lab: &LabState, out: &mut Commands) {
    for medium in Medium::ALL {
        heading(ui, medium.name());
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing = egui::vec2(10.0, 2.0);
            for searcher in
                Searcher::ALL.iter().copied().filter(|searcher| searcher.medium() == medium)
            {
                let mut wanted = lab.wanted.contains(&searcher);
                let check = ui.checkbox(&mut wanted, searcher.name());
                let want = Command::from(LabCommand::Want(searcher, wanted));
                if check.author_id(want.id()).on_hover_text(searcher.what()).changed() {
                    out.push(want);
                }
            }
        })
        .response
        .on_hover_text(medium.what());
    }
    heading(ui, tr!("How the level is divided"));
    settings_ui(ui, lab, out);
}

fn settings_ui(ui: &mut egui::Ui, lab: &LabState, out: &mut Commands) {
    let mut next = lab.settings;
    let LabSettings { cell_size, voxel_size, flyer_radius, weight, .. } = &mut next;
    let rows = [
        (
            "lab.cell-size",
            tr!("Grid cell"),
            tr!("Side of the cells of grids and graphs"),
            &CELL,
            cell_size,
        ),
        (
            "lab.voxel-size",
            tr!("Voxel"),
            tr!("Side of voxels and of the smallest cubes of octrees"),
            &VOXEL,
            voxel_size,
        ),
        (
            "lab.flyer-radius",
            tr!("Flyer radius"),
            tr!("How far flyers, swimmers and voxels keep from everything"),
            &RADIUS,
            flyer_radius,
        ),
        (
            "lab.weight",
            tr!("Weight"),
            tr!("Heuristic weight of the weighted A*: 0 is Dijkstra, 1 is A*, more is greedy"),
            &WEIGHT,
            weight,
        ),
    ];
    for (id, label, tooltip, spec, value) in rows {
        let mut number = f64::from(*value);
        let row = PropertyRow { id, label, tooltip, ..PropertyRow::default() };
        row.show(ui, |ui, label| numeric::slider(ui, label, &mut number, spec));
        if (number - f64::from(*value)).abs() > 1e-9 {
            *value = numeric::narrow(number);
        }
    }
    if next != lab.settings {
        out.push(LabCommand::Set(next));
    }
}
