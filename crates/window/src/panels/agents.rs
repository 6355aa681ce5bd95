//! The agent profiles: names, sizes, and comparison of their navmeshes.

use eframe::egui::{self, RichText, vec2};
use egui_material_icons::icons;
use walkable::debug_draw::Paint;
use walkable_editor::{
    command::{AgentCommand, Command, Commands},
    document::{AGENT_HUE, Agent},
    session::{Edit, SessionView},
};

use crate::{
    theme::Theme,
    widgets::{
        author_id::AuthorId as _,
        buttons,
        color_menu::color_menu_ui,
        command_button::command_button,
        edited::Edited,
        legend::{column, empty},
        numeric::{self, NumberSpec},
        text_field::text_field,
    },
};

const METRES: NumberSpec<'_> =
    NumberSpec { unit: "m", slider: [0.0, 5.0], limits: [0.0, 100.0], step: 0.05 };
const DEGREES: NumberSpec<'_> =
    NumberSpec { unit: "°", slider: [0.0, 90.0], limits: [0.0, 90.0], step: 1.0 };

/// Draws the panel.
pub fn agents_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    let agents = &view.document().agents;
    egui::ScrollArea::both().auto_shrink([false, false]).show(ui, |ui| {
        ui.spacing_mut().item_spacing = vec2(12.0, 4.0);
        ui.horizontal(|ui| {
            command_button(ui, view, AgentCommand::Add, out);
            let command = Command::from(AgentCommand::ToggleOthers);
            let mut shown = view.others.shown;
            let text = command.text().into_owned();
            let check = ui.checkbox(&mut shown, text).author_id(command.id());
            if check.on_hover_text(command.tooltip()).changed() {
                out.push(command);
            }
        });
        if agents.list.is_empty() {
            return empty(
                ui,
                "The level has one agent, the one of the bake settings. If you add another, each \
                agent has its own navmesh: switch between them with N, and see which agent fits \
                where.",
            );
        }
        egui::Grid::new("agents").num_columns(9).show(ui, |ui| {
            for title in ["", "Agent", "Name", "Radius", "Height", "Climb", "Slope", "Here", ""] {
                column(ui, title);
            }
            ui.end_row();
            for number in 0..agents.list.len() {
                row_ui(ui, number, view, out);
                ui.end_row();
            }
        });
    });
}

fn row_ui(ui: &mut egui::Ui, number: usize, view: &SessionView<'_>, out: &mut Commands) {
    let agents = &view.document().agents;
    let Some(agent) = agents.list.get(number) else { return };
    let with = |agent: Agent| {
        let mut agents = agents.clone();
        agents.list[number] = agent;
        Edit::Agents(agents)
    };
    let theme = Theme::of(ui.ctx().theme()).with_agents(agents);
    let hue = AGENT_HUE + u32::try_from(number).unwrap_or(0);
    let id = |what: &str| format!("agents.{number}.{what}");
    let name = format!("Color of {}", agent.name);
    if let Some(color) =
        color_menu_ui(ui, theme.paint(Paint::Hue(hue)), [&id("color"), &name], agent.color)
    {
        let change = format!("Color {}", agent.name);
        out.push(Command::Change(change.into(), with(Agent { color, ..agent.clone() })));
    }
    let is_chosen = agents.chosen == number;
    let choose = Command::from(AgentCommand::Choose(number));
    let label = ui.selectable_label(is_chosen, format!("Agent {}", number + 1));
    let label = label.author_id(choose.id());
    if label.on_hover_text("Shows this agent's navmesh").clicked() && !is_chosen {
        out.push(choose);
    }
    let label = format!("Name of agent {}", number + 1);
    let typed = text_field(ui, &id("name"), &label, &agent.name, |it| {
        it.desired_width(120.0).min_size(vec2(120.0, 0.0))
    });
    if let Some(name) = typed.map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()) {
        let change = format!("Rename {} to {name}", agent.name);
        out.push(Command::Change(change.into(), with(Agent { name, ..agent.clone() })));
    }
    let mut next = agent.clone();
    let settings = &mut next.settings;
    let mut edited = Edited::default();
    for (key, what, value, spec) in [
        ("radius", "Radius", &mut settings.agent_radius, &METRES),
        ("height", "Height", &mut settings.agent_height, &METRES),
        ("climb", "Climb", &mut settings.agent_max_climb, &METRES),
        ("slope", "Slope", &mut settings.agent_max_slope, &DEGREES),
    ] {
        let label = format!("{what} of {}", agent.name);
        edited = edited.or(numeric::single_field(ui, [&id(key), &label], value, spec, 64.0));
    }
    edited.send(format!("Change {}", agent.name), with(next), out);
    here_ui(ui, number, view);
    let remove = format!("Remove {}", agent.name);
    let command = Command::from(AgentCommand::Remove(number));
    if buttons::icon(ui, icons::ICON_DELETE, &remove).author_id(command.id()).clicked() {
        out.push(command);
    }
}

/// Shows whether the agent fits at the selected point or under the cursor.
fn here_ui(ui: &mut egui::Ui, number: usize, view: &SessionView<'_>) {
    let theme = Theme::of(ui.ctx().theme());
    let place = view.selection.or(view.hover).map(|place| place.point);
    let (text, color) = match place.map(|place| view.fits(number, place)) {
        _ if view.others.errors.contains_key(&number) => ("cannot be baked", theme.error),
        Some(Some(true)) => ("fits", theme.good),
        Some(Some(false)) => ("does not fit", theme.warning),
        Some(None) => ("not shown", theme.text_weak),
        None => ("", theme.text_weak),
    };
    let label = ui.label(RichText::new(text).color(color));
    if let Some(error) = view.others.errors.get(&number) {
        label.on_hover_text(error);
    }
}
