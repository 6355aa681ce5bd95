//! The form of the paint brush.

use eframe::egui::{self, RichText};
use walkable::ids::AreaId;
use walkable_editor::{
    command::{Commands, GroundCommand, variant_id},
    session::{Brush, NewStroke, SessionView},
};
use walkable_workspace::lang::tr;

use crate::{
    panels::areas::choice::{area_choice_ui, flags_ui},
    widgets::{
        author_id::AuthorId as _,
        command_button::command_button,
        legend::{empty, fact, heading},
        numeric::{self, NumberSpec},
        property_row::PropertyRow,
    },
};

const RADIUS: NumberSpec<'_> =
    NumberSpec { unit: "m", slider: [0.0, 10.0], limits: [0.0, 100.0], step: 0.1 };

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Area,
    Flags,
    Erase,
}

pub fn brush_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    ui.label(RichText::new(tr!("Brush")).strong());
    let (new, areas) = (view.tools.new_stroke, &view.document().areas);
    let mut next = new;
    let kind = match new {
        NewStroke { erases: true, .. } => Kind::Erase,
        NewStroke { brush: Brush::Area(_), .. } => Kind::Area,
        NewStroke { brush: Brush::Flags(_), .. } => Kind::Flags,
    };
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        for (choice, name, what) in [
            (Kind::Area, tr!("Area"), tr!("Polygons get an area, with its flags")),
            (Kind::Flags, tr!("Flags"), tr!("Polygons get flags and keep their area")),
            (Kind::Erase, tr!("Erase"), tr!("Polygons get their baked area and flags again")),
        ] {
            let label = ui.selectable_label(choice == kind, name);
            let label = label.author_id(format_args!("brush.{}", variant_id(choice)));
            if label.on_hover_text(what).clicked() {
                next.erases = choice == Kind::Erase;
                next.brush = match (choice, next.brush) {
                    (Kind::Area, Brush::Flags(_)) => Brush::Area(1),
                    (Kind::Flags, Brush::Area(_)) => Brush::Flags(0x10),
                    (_, brush) => brush,
                };
            }
        }
    });
    match &mut next.brush {
        _ if kind == Kind::Erase => {}
        Brush::Area(number) => {
            let row = row("brush.area", tr!("Area"), tr!("Area that the polygons get"));
            let mut area = AreaId(*number);
            row.show(ui, |ui, _| area_choice_ui(ui, areas, &mut area));
            *number = area.0;
        }
        Brush::Flags(flags) => {
            heading(ui, tr!("Flags"));
            flags_ui(ui, areas, flags);
        }
    }
    let mut radius = f64::from(next.radius);
    let reach = row(
        "brush.radius",
        tr!("Radius"),
        tr!(
            "Polygons whose center is within this radius are painted, and the one under the pointer"
        ),
    );
    reach.show(ui, |ui, label| numeric::slider(ui, label, &mut radius, &RADIUS));
    let radius = numeric::narrow(radius);
    next.radius = radius;
    if next != new {
        out.push(GroundCommand::NextStroke(next));
    }
    painted_ui(ui, view, out);
}

fn row<'a>(id: &'a str, label: &'a str, tooltip: &'a str) -> PropertyRow<'a> {
    PropertyRow { id, label, tooltip, ..PropertyRow::default() }
}

fn painted_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    heading(ui, tr!("Painted"));
    let n = view.document().strokes.len();
    if n == 0 {
        return empty(
            ui,
            tr!(
                "Nothing yet. Drag over the navmesh to paint its polygons; after the next bake the \
            polygons at the same places are painted again."
            ),
        );
    }
    fact(ui, tr!("Strokes"), &n.to_string());
    fact(ui, tr!("Polygons"), &view.n_painted().to_string());
    command_button(ui, view, GroundCommand::ClearStrokes, out);
}
