//! The properties of an off-mesh link, and why its ends are not connected.

use eframe::egui::{self, RichText};
use walkable::{
    bake::OffMeshLink,
    diagnostic::{Diagnostic, Finding},
    ids::AreaId,
    links::{LinkEnd, landing_distance},
    phrase,
};
use walkable_editor::{
    command::Commands,
    session::{AreaTable, Edit, SceneItem, SessionView},
};
use walkable_workspace::{
    format,
    lang::{self, tr},
};

use crate::{
    icons,
    panels::{
        areas::choice::{area_choice_ui, flags_ui},
        links_and_volumes::{item_buttons_ui, name_ui},
    },
    theme::Theme,
    widgets::{
        author_id::AuthorId as _,
        edited::Edited,
        legend::heading,
        numeric::{self, NumberSpec},
        position_fields::position_fields,
        property_row::PropertyRow,
    },
};

pub fn link_ui(ui: &mut egui::Ui, number: usize, view: &SessionView<'_>, out: &mut Commands) {
    let links = &view.document().off_mesh;
    let Some(link) = links.get(number) else { return };
    name_ui(ui, SceneItem::Link(number), view, out);
    let mut next = link.clone();
    let ends = ends_ui(ui, &mut next, link, view);
    heading(ui, tr!("Properties"));
    let form = form_ui(ui, &mut next, &view.document().areas);
    let edited = ends.or(form).or_at_once(&next, link);
    let mut all = links.clone();
    all[number] = next;
    edited.send(phrase!("Change off-mesh link"), Edit::Links(all), out);
    item_buttons_ui(ui, out);
}

/// Draws fields for the ends of `next`. Also shows how far each end of `link` is from the navmesh, or why it is not
/// connected.
fn ends_ui(
    ui: &mut egui::Ui,
    next: &mut OffMeshLink,
    link: &OffMeshLink,
    view: &SessionView<'_>,
) -> Edited {
    const PLACE: NumberSpec<'_> =
        NumberSpec { unit: "m", slider: [-20.0, 20.0], limits: [-1e5, 1e5], step: 0.1 };
    let theme = Theme::of(ui.ctx().theme());
    let mut edited = Edited::default();
    let ends = [
        ("link.start", tr!("Start"), &mut next.start, LinkEnd::Start),
        ("link.end", tr!("End"), &mut next.end, LinkEnd::End),
    ];
    for (id, name, at, end) in ends {
        ui.label(name);
        edited = edited.or(position_fields(ui, [id, name], at, &PLACE));
        let (icon, color, text) = match landing(link, end, view) {
            Ok(off) => {
                (icons::ICON_CHECK, theme.good, tr!("Connected, {} away", format::length(off)))
            }
            Err(why) => {
                (icons::ICON_WARNING, theme.warning, format::sentence(&lang::diagnostic(&why)))
            }
        };
        ui.horizontal_top(|ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            ui.label(RichText::new(icon.codepoint).small().color(color));
            ui.add(egui::Label::new(RichText::new(text).small().color(color)).wrap());
        });
    }
    edited
}

/// Returns the distance of an end from the navmesh; the error tells why it is not connected.
fn landing(link: &OffMeshLink, end: LinkEnd, view: &SessionView<'_>) -> Result<f32, Diagnostic> {
    match view.bake.navmesh.as_deref() {
        None => Err(Finding::LinkNotBaked {}.into()),
        Some(navmesh) => Ok(landing_distance(navmesh, link, end)?),
    }
}

fn form_ui(ui: &mut egui::Ui, link: &mut OffMeshLink, areas: &AreaTable) -> Edited {
    const RADIUS: NumberSpec<'_> =
        NumberSpec { unit: "m", slider: [0.1, 3.0], limits: [0.01, 100.0], step: 0.05 };
    let row = |id, label, tooltip| PropertyRow { id, label, tooltip, ..PropertyRow::default() };
    let mut radius = f64::from(link.radius);
    let reach =
        row("link.radius", tr!("Radius"), tr!("Maximum distance from an end to the navmesh"));
    let edited = reach.show(ui, |ui, label| numeric::slider(ui, label, &mut radius, &RADIUS)).inner;
    link.radius = numeric::narrow(radius);
    id_ui(ui, &mut link.user_id);
    row(
        "link.bidirectional",
        tr!("Bidirectional"),
        tr!("Whether agents can also use it from end to start"),
    )
    .show_wide(ui, |ui| {
        ui.checkbox(&mut link.bidirectional, tr!("Bidirectional")).author_id("link.bidirectional")
    });
    row("link.area", tr!("Area"), tr!("Area of the off-mesh link, which sets its cost"))
        .show(ui, |ui, _| link_area_ui(ui, areas, &mut link.area));
    heading(ui, tr!("Flags"));
    flags_ui(ui, areas, &mut link.flags);
    edited
}

fn id_ui(ui: &mut egui::Ui, user_id: &mut u32) {
    const ID: NumberSpec<'_> =
        NumberSpec { unit: "", slider: [0.0, 1e4], limits: [0.0, u32::MAX as f64], step: 1.0 };
    let tooltip =
        tr!("The number that identifies the off-mesh link in the game (Detour's user ID)");
    let row =
        PropertyRow { id: "link.user-id", label: tr!("Number"), tooltip, ..PropertyRow::default() };
    let mut wide = f64::from(*user_id);
    let field = row.show(ui, |ui, label| numeric::field(ui, label, &mut wide, &ID, 90.0)).inner;
    if field.changed() {
        *user_id = as_id(wide);
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "limited to 32 bits")]
fn as_id(value: f64) -> u32 {
    value as u32
}

pub fn link_area_ui(ui: &mut egui::Ui, areas: &AreaTable, area: &mut AreaId) {
    area_choice_ui(ui, areas, area);
}
