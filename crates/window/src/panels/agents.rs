//! The agent profiles: names, sizes, and comparison of their navmeshes.

pub mod jumps;

use eframe::egui::{self, RichText, vec2};
use walkable::{debug_draw::Paint, phrase};
use walkable_editor::{
    command::{AgentCommand, Command, Commands},
    session::{Edit, SessionView},
};
use walkable_workspace::{
    document::Agent,
    lang::{self, tr},
};

use self::jumps::jump_fields_ui;
use crate::{
    icons,
    theme::Theme,
    widgets::{
        author_id::AuthorId as _,
        buttons,
        color_menu::color_menu_ui,
        command_button::{command_button, command_switch},
        edited::Edited,
        legend::{column, empty},
        numeric::{self, NumberSpec},
        text_field::text_field,
    },
};

const METRES: NumberSpec<'_> =
    NumberSpec { unit: "m", slider: [0.0, 5.0], limits: [0.0, 100.0], step: 0.05 };
const SPEED: NumberSpec<'_> = NumberSpec { unit: "m/s", ..RATE };
const ACCELERATION: NumberSpec<'_> = NumberSpec { unit: "m/s²", ..RATE };
const RATE: NumberSpec<'_> =
    NumberSpec { unit: "", slider: [0.0, 20.0], limits: [0.0, 1000.0], step: 0.1 };
const DEGREES: NumberSpec<'_> =
    NumberSpec { unit: "°", slider: [0.0, 90.0], limits: [0.0, 90.0], step: 1.0 };

/// Minimum width of the panel at which an agent has one row of a table, in points.
const NARROW: f32 = 920.0;
/// Width of the field of a name, in points.
const NAME: f32 = 110.0;

pub fn agents_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    let agents = &view.document().agents;
    egui::ScrollArea::both().auto_shrink([false, false]).show(ui, |ui| {
        ui.spacing_mut().item_spacing = vec2(12.0, 4.0);
        ui.horizontal(|ui| {
            command_button(ui, view, AgentCommand::Add, out);
            command_switch(ui, view.other_agents.shown.into(), AgentCommand::ToggleOthers.into(), out);
        });
        if agents.list.is_empty() {
            return empty(
                ui,
                tr!("The level has one agent, the one of the bake settings. If you add another, each \
                agent has its own navmesh: switch between them with N, and see which agent fits \
                where."),
            );
        }
        if ui.available_width() < NARROW {
            return list_ui(ui, view, out);
        }
        egui::Grid::new("agents").num_columns(12).show(ui, |ui| {
            for title in ["", tr!("Agent"), tr!("Name"), tr!("Radius"), tr!("Height"), tr!("Climb"), tr!("Slope")] {
                column(ui, title);
            }
            let paces = [tr!("Speed"), tr!("Acceleration")];
            let jumps = [tr!("Jump up, drop, distance"), tr!("Here"), ""];
            for title in paces.into_iter().chain(jumps) {
                column(ui, title);
            }
            ui.end_row();
            for (number, agent) in agents.list.iter().enumerate() {
                name_ui(ui, number, agent, view, out);
                sizes_ui(ui, number, agent, view, out);
                pace_ui(ui, number, agent, view, out);
                ui.horizontal(|ui| leaps_ui(ui, number, agent, view, out));
                here_ui(ui, number, view);
                remove_ui(ui, number, agent, out);
                ui.end_row();
            }
        });
    });
}

fn list_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    ui.spacing_mut().item_spacing.x = 6.0;
    column(ui, tr!("Radius, height, climb, slope"));
    column(ui, tr!("Speed, acceleration"));
    column(ui, tr!("Jump up, drop, distance"));
    for (number, agent) in view.document().agents.list.iter().enumerate() {
        ui.horizontal(|ui| {
            name_ui(ui, number, agent, view, out);
            remove_ui(ui, number, agent, out);
        });
        ui.horizontal(|ui| sizes_ui(ui, number, agent, view, out));
        ui.horizontal(|ui| pace_ui(ui, number, agent, view, out));
        ui.horizontal(|ui| leaps_ui(ui, number, agent, view, out));
        here_ui(ui, number, view);
    }
}

fn with(number: usize, agent: Agent, view: &SessionView<'_>) -> Edit {
    let mut agents = view.document().agents.clone();
    agents.list[number] = agent;
    Edit::Agents(agents)
}

fn name_ui(
    ui: &mut egui::Ui,
    number: usize,
    agent: &Agent,
    view: &SessionView<'_>,
    out: &mut Commands,
) {
    let agents = &view.document().agents;
    let theme = Theme::of(ui.ctx().theme()).with_agents(agents);
    let paint = Paint::Agent(u16::try_from(number).unwrap_or(0));
    let id = |what: &str| format!("agents.{number}.{what}");
    let with = |agent| with(number, agent, view);
    let name = tr!("Color of {}", agent.name);
    if let Some(color) = color_menu_ui(ui, theme.paint(paint), [&id("color"), &name], agent.color) {
        let change = phrase!("Color {name}", name = agent.name.as_str());
        out.push(Command::Change(change, with(Agent { color, ..agent.clone() })));
    }
    let is_chosen = agents.chosen == number;
    let choose = Command::from(AgentCommand::Choose(number));
    let label = ui.selectable_label(is_chosen, tr!("Agent {}", number + 1));
    let label = label.author_id(choose.id());
    if label.on_hover_text(tr!("Shows this agent's navmesh")).clicked() && !is_chosen {
        out.push(choose);
    }
    let label = tr!("Name of agent {}", number + 1);
    let typed = text_field(ui, &id("name"), &label, &agent.name, |it| {
        it.desired_width(NAME).min_size(vec2(NAME, 0.0))
    });
    if let Some(name) = typed.map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()) {
        let (before, after) = (agent.name.as_str(), name.as_str());
        let change = phrase!("Rename {before} to {after}", before, after);
        out.push(Command::Change(change, with(Agent { name, ..agent.clone() })));
    }
}

fn sizes_ui(
    ui: &mut egui::Ui,
    number: usize,
    agent: &Agent,
    view: &SessionView<'_>,
    out: &mut Commands,
) {
    let mut next = agent.clone();
    let settings = &mut next.settings;
    let fields = [
        ("radius", tr!("Radius"), &mut settings.agent_radius, &METRES),
        ("height", tr!("Height"), &mut settings.agent_height, &METRES),
        ("climb", tr!("Climb"), &mut settings.agent_max_climb, &METRES),
        ("slope", tr!("Slope"), &mut settings.agent_max_slope, &DEGREES),
    ];
    let edited = numbers_ui(ui, (number, &agent.name), fields, 58.0);
    edited.send(
        phrase!("Change {name}", name = agent.name.as_str()),
        with(number, next, view),
        out,
    );
}

fn pace_ui(
    ui: &mut egui::Ui,
    number: usize,
    agent: &Agent,
    view: &SessionView<'_>,
    out: &mut Commands,
) {
    let mut next = agent.clone();
    let fields = [
        ("speed", tr!("Speed"), &mut next.pace.max_speed, &SPEED),
        ("acceleration", tr!("Acceleration"), &mut next.pace.max_acceleration, &ACCELERATION),
    ];
    let edited = numbers_ui(ui, (number, &agent.name), fields, 72.0);
    edited.send(
        phrase!("Change {name}", name = agent.name.as_str()),
        with(number, next, view),
        out,
    );
}

fn leaps_ui(
    ui: &mut egui::Ui,
    number: usize,
    agent: &Agent,
    view: &SessionView<'_>,
    out: &mut Commands,
) {
    ui.spacing_mut().item_spacing.x = 6.0;
    let mut next = agent.clone();
    let id = format!("agents.{number}");
    let edited = jump_fields_ui(ui, [&id, &agent.name], &agent.settings, &mut next.jumps, 58.0);
    edited.send(
        phrase!("Change {name}", name = agent.name.as_str()),
        with(number, next, view),
        out,
    );
}

fn numbers_ui<const N: usize>(
    ui: &mut egui::Ui,
    (number, name): (usize, &str),
    fields: [(&str, &str, &mut f32, &NumberSpec<'_>); N],
    width: f32,
) -> Edited {
    let mut edited = Edited::default();
    for (key, what, value, spec) in fields {
        let label = tr!("{what} of {}", name);
        let id = format!("agents.{number}.{key}");
        edited = edited.or(numeric::single_field(ui, [&id, &label], value, spec, width));
    }
    edited
}

fn remove_ui(ui: &mut egui::Ui, number: usize, agent: &Agent, out: &mut Commands) {
    let remove = tr!("Remove {}", agent.name);
    let command = Command::from(AgentCommand::Remove(number));
    if buttons::icon(ui, icons::ICON_DELETE, &remove).author_id(command.id()).clicked() {
        out.push(command);
    }
}

/// Shows whether the agent fits at the selected point or under the cursor.
fn here_ui(ui: &mut egui::Ui, number: usize, view: &SessionView<'_>) {
    let theme = Theme::of(ui.ctx().theme());
    let place = view.tools.selection.or_else(|| view.tools.hover).map(|place| place.point);
    let (text, color) = match place.map(|place| view.fits(number, place)) {
        _ if view.other_agents.errors.contains_key(&number) => {
            (tr!("cannot be baked"), theme.error)
        }
        Some(Some(true)) => ("fits", theme.good),
        Some(Some(false)) => (tr!("does not fit"), theme.warning),
        Some(None) => (tr!("not shown"), theme.text_weak),
        None => ("", theme.text_weak),
    };
    let label = ui.label(RichText::new(text).color(color));
    if let Some(error) = view.other_agents.errors.get(&number) {
        label.on_hover_text(lang::error_text(error));
    }
}
