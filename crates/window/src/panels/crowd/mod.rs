//! The crowd: the simulation's controls, the chosen agent, and the soak run with its findings.

mod heat;
mod kind;
mod show;
mod soak;
mod spawner;
mod task;
#[cfg(test)]
mod tests;

use eframe::egui::{self, RichText, WidgetInfo, accesskit::Role, vec2};
use walkable::crowd::VelocitySample;
use walkable_editor::{
    command::{Command, Commands, CrowdCommand},
    session::{AgentReport, CrowdDrawing, CrowdPlay, HeatSource, SceneAgent, SessionView},
};
use walkable_workspace::{
    format,
    lang::{self, tr},
};

pub(crate) use self::show::legend_ui;
use self::{
    heat::{heat_choice_ui, heat_scale_ui},
    kind::{has_kinds, kind_name, kind_ui},
    show::show_ui,
    soak::soak_ui,
    spawner::spawner_ui,
    task::{click_ui, task_ui},
};
use crate::{
    icons,
    theme::Theme,
    widgets::{
        author_id::AuthorId as _,
        buttons,
        command_button::{Lit, command_button},
        legend::{color_scale, empty, fact, heading},
    },
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CrowdSection {
    Controls,
    Agent,
    Show,
    Soak,
}

impl CrowdSection {
    const ALL: [Self; 4] = [Self::Controls, Self::Agent, Self::Show, Self::Soak];

    const fn key(self) -> &'static str {
        match self {
            Self::Controls => "controls",
            Self::Agent => "agent",
            Self::Show => "show",
            Self::Soak => "soak",
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Controls => tr!("Crowd"),
            Self::Agent => tr!("Agent"),
            Self::Show => tr!("Show"),
            Self::Soak => tr!("Soak run"),
        }
    }

    const fn width(self) -> f32 {
        match self {
            Self::Controls => 360.0,
            Self::Agent | Self::Show => 280.0,
            Self::Soak => 400.0,
        }
    }

    fn ui(self, ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
        match self {
            Self::Controls => controls_ui(ui, view, out),
            Self::Agent => agent_ui(ui, view, out),
            Self::Show => show_ui(ui, view, out),
            Self::Soak => soak_ui(ui, view, out),
        }
    }
}

const GAP: f32 = 24.0;

/// Draws the panel and pushes commands for the user's changes. Sections for which there is no column are tabs.
pub fn crowd_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    let mut columns: Vec<&[CrowdSection]> = columns(ui.available_width());
    let last = columns.pop().unwrap_or(&CrowdSection::ALL);
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = GAP;
        for sections in columns {
            let width = sections.first().map_or(0.0, |section| section.width());
            column(ui, width, sections, view, out);
        }
        column(ui, ui.available_width(), last, view, out);
    });
}

fn columns(width: f32) -> Vec<&'static [CrowdSection]> {
    let [controls, agent, show, soak] = CrowdSection::ALL.map(CrowdSection::width);
    let [first, rest] = [&CrowdSection::ALL[..1], &CrowdSection::ALL[1..]];
    if width >= controls + agent + show + soak + 3.0 * GAP {
        CrowdSection::ALL.chunks(1).collect()
    } else if width >= controls + agent + soak + 2.0 * GAP {
        vec![first, &CrowdSection::ALL[1..3], &CrowdSection::ALL[3..]]
    } else if width >= controls + soak + GAP {
        vec![first, rest]
    } else {
        vec![&CrowdSection::ALL]
    }
}

fn column(
    ui: &mut egui::Ui,
    width: f32,
    sections: &[CrowdSection],
    view: &SessionView<'_>,
    out: &mut Commands,
) {
    let layout = egui::Layout::top_down(egui::Align::Min);
    ui.allocate_ui_with_layout(vec2(width, ui.available_height()), layout, |ui| {
        ui.set_width(width);
        ui.spacing_mut().item_spacing.x = 8.0;
        let Some(section) = chosen_section_ui(ui, sections) else { return };
        let scroll = egui::ScrollArea::vertical().id_salt(section.key()).auto_shrink(false);
        scroll.show(ui, |ui| section.ui(ui, view, out));
    });
}

/// Draws the title of a section, or tabs with those of several; returns the chosen one.
fn chosen_section_ui(ui: &mut egui::Ui, sections: &[CrowdSection]) -> Option<CrowdSection> {
    if let [section] = sections {
        heading(ui, section.name());
        return Some(*section);
    }
    let id = egui::Id::unique("crowd section");
    let before: Option<usize> = ui.data(|data| data.get_temp(id));
    let before = before.and_then(|number| CrowdSection::ALL.get(number)).copied();
    let mut chosen =
        before.filter(|section| sections.contains(section)).or_else(|| sections.first().copied());
    ui.horizontal(|ui| {
        for &section in sections {
            let tab = ui.selectable_label(chosen == Some(section), section.name());
            if tab.author_id(format_args!("crowd.tab.{}", section.key())).clicked() {
                chosen = Some(section);
                let number = CrowdSection::ALL.iter().position(|&other| other == section);
                ui.data_mut(|data| data.insert_temp(id, number.unwrap_or_default()));
            }
        }
    });
    chosen
}

fn controls_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    let theme = Theme::of(ui.ctx().theme());
    let n_agents = view.document().crowd.len();
    if n_agents == 0 {
        empty(
            ui,
            tr!(
                "No agents yet. With the crowd tool, a click places agents, and the next click gives them a target."
            ),
        );
    } else {
        player_ui(ui, view, out);
    }
    let agents = format::counted(n_agents, "agent", "agents");
    let note = if n_agents > SceneAgent::MAX {
        tr!("{agents}; the first {} are simulated", SceneAgent::MAX)
    } else {
        agents
    };
    ui.horizontal_wrapped(|ui| {
        ui.label(tr!("Agents per click"));
        for n in CrowdPlay::GROUPS {
            let is_on = (view.crowd.group == n).into();
            choice_ui(ui, is_on, &n.to_string(), CrowdCommand::Group(n), out);
        }
        ui.label(RichText::new(note).small().color(theme.text_weak));
    });
    click_ui(ui, view, out);
    kind_ui(ui, view, out);
    ui.horizontal_wrapped(|ui| {
        command_button(ui, view, CrowdCommand::ChooseAll, out);
        command_button(ui, view, CrowdCommand::Remove, out);
        command_button(ui, view, CrowdCommand::Clear, out);
    });
}

fn player_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    let theme = Theme::of(ui.ctx().theme());
    let (now, end) = (view.crowd.now(), view.crowd.end());
    let is_ready = view.can_play_crowd();
    ui.add_enabled_ui(is_ready, |ui| {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 2.0;
            let (icon, name) = if view.crowd.playing {
                (icons::ICON_PAUSE, tr!("Pause the crowd"))
            } else {
                (icons::ICON_PLAY_ARROW, tr!("Run the crowd"))
            };
            let buttons = [
                (
                    "first",
                    icons::ICON_SKIP_PREVIOUS,
                    tr!("Back to the start"),
                    CrowdCommand::Show(0),
                ),
                (
                    "back",
                    icons::ICON_CHEVRON_LEFT,
                    tr!("One update back"),
                    CrowdCommand::Show(now.saturating_sub(1)),
                ),
                ("play", icon, name, CrowdCommand::Play),
                (
                    "on",
                    icons::ICON_CHEVRON_RIGHT,
                    tr!("One update on"),
                    CrowdCommand::Show(now + 1),
                ),
                (
                    "last",
                    icons::ICON_SKIP_NEXT,
                    tr!("To the latest update"),
                    CrowdCommand::Show(end),
                ),
            ];
            for (key, icon, name, command) in buttons {
                if buttons::icon(ui, icon, name).author_id(format_args!("crowd.{key}")).clicked() {
                    out.push(command);
                }
            }
            let mut shown = now;
            ui.spacing_mut().slider_width = 110.0;
            let slider = egui::Slider::new(&mut shown, 0..=end.max(1)).show_value(false);
            let slider = ui.add(slider).author_id("crowd.time");
            slider.widget_info(|| WidgetInfo::labeled(Role::Slider, true, tr!("Time")));
            if slider.changed() {
                out.push(CrowdCommand::Show(shown.min(end)));
            }
            ui.add_space(6.0);
            let time = format!("{:.1} s", CrowdPlay::seconds(now));
            ui.label(RichText::new(time).color(theme.text_weak));
        });
    });
    ui.horizontal_wrapped(|ui| {
        ui.label(tr!("Speed"));
        for speed in CrowdPlay::SPEEDS {
            let name = if speed < 1.0 { "¼×".to_owned() } else { format!("{speed:.0}×") };
            let is_on = (view.crowd.speed - speed).abs() < 1e-3;
            choice_ui(ui, is_on.into(), &name, CrowdCommand::Speed(speed), out);
        }
        heat_choice_ui(ui, view, HeatSource::Crowd, out);
        heat_scale_ui(ui, view, HeatSource::Crowd);
    });
}

fn choice_ui(ui: &mut egui::Ui, on: Lit, name: &str, choice: CrowdCommand, out: &mut Commands) {
    let is_on = on == Lit::On;
    let command = Command::from(choice);
    let label = ui.selectable_label(is_on, name).author_id(command.id());
    label.widget_info(|| WidgetInfo::selected(Role::Button, true, is_on, command.text()));
    if label.on_hover_text(command.tooltip()).clicked() {
        out.push(command);
    }
}

/// Draws the color scale of the velocities that an agent considers, and the penalties of the best one.
fn velocities_ui(ui: &mut egui::Ui, view: &SessionView<'_>, agent: usize) {
    let samples = view.crowd_velocity_samples(agent);
    let ordered = |a: &&VelocitySample, b: &&VelocitySample| a.penalty().total_cmp(&b.penalty());
    let ends = [samples.iter().min_by(ordered), samples.iter().max_by(ordered)];
    let [Some(best), Some(worst)] = ends else {
        return fact(ui, tr!("Penalty"), tr!("The agent considers no velocities"));
    };
    let number = |value: f32| format::number(value.into());
    ui.horizontal(|ui| {
        ui.label(tr!("Penalty"));
        color_scale(
            ui,
            [best, worst].map(|sample| number(sample.penalty())).each_ref().map(|it| &**it),
        );
    });
    for (name, penalty) in [
        (tr!("Best: desired velocity"), best.desired),
        (tr!("Best: current velocity"), best.current),
        (tr!("Best: side"), best.side),
        (tr!("Best: collision"), best.impact),
    ] {
        fact(ui, name, &number(penalty));
    }
}

fn agent_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    let chosen: Vec<usize> = view.crowd.chosen.iter().copied().collect();
    let [agent] = chosen[..] else {
        let text = match chosen.len() {
            0 => tr!("Click an agent to see what it does.").to_owned(),
            n => tr!("{n} agents are chosen. The next click gives them a target."),
        };
        empty(ui, &text);
        return task_ui(ui, view, out);
    };
    let theme = Theme::of(ui.ctx().theme());
    fact(ui, tr!("Agent"), &agent.to_string());
    if let Some(source) = view.crowd_source(agent).filter(|source| *source != agent) {
        fact(ui, tr!("Spawner"), &source.to_string());
    }
    let source = view.crowd_source(agent).and_then(|source| view.document().crowd.get(source));
    if let Some(source) = source.filter(|_| has_kinds(view)) {
        fact(ui, tr!("Kind"), &kind_name(view, source.kind.as_deref()));
    }
    task_ui(ui, view, out);
    spawner_ui(ui, view, agent, out);
    if view.document().crowd.get(agent).is_some_and(|agent| agent.spawner.is_some()) {
        return empty(ui, tr!("The next click gives its agents a target."));
    }
    let Some(report) = view.crowd_report(agent) else {
        return empty(
            ui,
            tr!("Run the crowd to see what the agent does. The next click gives it a target."),
        );
    };
    choice_ui(ui, view.crowd.follows.into(), tr!("Follow"), CrowdCommand::Follow, out);
    if view.crowd.shows(CrowdDrawing::Velocities) {
        velocities_ui(ui, view, agent);
    }
    state_ui(ui, &report);
    if !report.neighbors.is_empty() {
        heading(ui, tr!("Neighbors"));
    }
    for (other, distance) in report.neighbors {
        ui.horizontal(|ui| {
            let command = Command::from(CrowdCommand::Choose(Some(other)));
            let button = ui.selectable_label(false, tr!("Agent {other}"));
            if button.author_id(command.id()).on_hover_text(command.tooltip()).clicked() {
                out.push(command);
            }
            ui.label(RichText::new(format::fixed_length(distance)).color(theme.text_weak));
        });
    }
}

fn state_ui(ui: &mut egui::Ui, report: &AgentReport) {
    fact(ui, tr!("State"), report.state);
    fact(
        ui,
        tr!("Speed"),
        &tr!("{} of {}", format::fixed(report.speed), format::speed(report.wanted_speed)),
    );
    if let Some(distance) = report.to_target {
        fact(ui, tr!("To target"), &format::fixed_length(distance));
    }
    fact(ui, tr!("Corridor"), &format::counted(report.n_corridor, "polygon", "polygons"));
    for (seconds, event) in report.events.iter().rev() {
        fact(ui, &tr!("At {seconds:.1} s"), &lang::phrase(event));
    }
    if let Some(why) = &report.standing {
        let text = tr!("Stands still: {why}");
        let theme = Theme::of(ui.ctx().theme());
        ui.add(egui::Label::new(RichText::new(text).color(theme.warning)).wrap());
    }
}
