//! The choice of a heat map, and its color scale.

use eframe::egui;
use walkable::{debug_draw::agent_heat_value, soak::HeatMeasure};
use walkable_editor::{
    command::{Command, Commands, CrowdCommand},
    session::{HeatSource, SessionView, ShownHeat},
};
use walkable_workspace::{format, lang::tr};

use crate::widgets::{author_id::AuthorId as _, combo::combo_ui, legend::color_scale};

pub(super) fn heat_choice_ui(
    ui: &mut egui::Ui,
    view: &SessionView<'_>,
    source: HeatSource,
    out: &mut Commands,
) {
    if view.agent_heat(source).is_none() {
        return;
    }
    let now = view.crowd.heat.filter(|shown| shown.source == source);
    let id = match source {
        HeatSource::Soak => "crowd.heat.soak",
        HeatSource::Crowd => "crowd.heat.crowd",
    };
    let name = now.map_or_else(|| tr!("none"), ShownHeat::name);
    let text = tr!("Heat map: {name}");
    combo_ui(ui, [id, &text], &text, |ui| {
        let none = Command::from(CrowdCommand::Heat(None));
        if ui.selectable_label(now.is_none(), tr!("none")).author_id(none.id()).clicked() {
            out.push(none);
        }
        for measure in HeatMeasure::ALL {
            let shown = ShownHeat { source, measure };
            let command = Command::from(CrowdCommand::Heat(Some(shown)));
            let label = ui.selectable_label(now == Some(shown), shown.name());
            if label.author_id(command.id()).on_hover_text(shown.what()).clicked() {
                out.push(command);
            }
        }
    });
}

pub(super) fn heat_scale_ui(ui: &mut egui::Ui, view: &SessionView<'_>, source: HeatSource) {
    let Some(shown) = view.crowd.heat.filter(|shown| shown.source == source) else { return };
    let Some(map) = view.agent_heat(source) else { return };
    let longest = map.longest(shown.measure);
    let seconds =
        |at: f32| format!("{} s", format::number((longest * agent_heat_value(at)).into()));
    let cell = format::length(map.cell_size);
    color_scale(ui, [&seconds(0.0), &seconds(1.0)])
        .on_hover_text(tr!("{}, in cells of {cell}", shown.what()));
}
