//! The path panel: outcome and measurements of the search, its ends, filter and display options.

mod filter;
mod message;
mod path_message;
pub mod replay;
mod route;
mod rules;
mod why;

pub(super) use self::why::answer_ui;

#[cfg(test)]
mod tests;

use eframe::egui::{self, Color32, RichText, Vec2, vec2};
use glam::Vec3;
use walkable::{
    debug_draw::Paint,
    phrase,
    query::{Filter, NavPath, PathStatus, Snap, WhyNot},
};
use walkable_editor::{
    answer::{AnswerState, Answers, OffMesh, coordinates, nearest_walkable},
    command::{Command, Commands, ExportKind, PathCommand},
    session::{FixTarget, Hover, PathAnswer, PathShow, ReachAnswer, Second, SessionView},
};
use walkable_workspace::{
    format::{self, unbroken},
    lang::{self, tr},
    path_terms::Method,
    units::units,
};

use self::{
    filter::filter_ui,
    message::{PathMessage, Tone},
    replay::replay_ui,
    route::{route_figures_ui, route_ui},
    rules::{direction_ui, goal_ui, rules_ui},
    why::{explain_ui, has_why, path_why_ui},
};
use crate::{
    icons::{self, MaterialIcon},
    panels::fixes::fixes_ui,
    theme::Theme,
    widgets::{
        author_id::{AuthorId as _, Labeled},
        buttons,
        command_button::{command_button, command_icon, repro_icons},
        edited::Edited,
        group::Group,
        legend::{fact, heading, swatch},
        numeric::{self, NumberSpec},
    },
};

const ENDS_WIDTH: f32 = 232.0;
const FILTER_WIDTH: f32 = 304.0;
/// Panel width below which the sections are one column, in points.
const TWO_COLUMNS: f32 = 480.0;

/// Width of the columns with the explanation and the fixes.
const WHY_WIDTH: f32 = 290.0;
/// Space between the controls of a section, in points.
const ITEM_SPACING: Vec2 = vec2(8.0, 4.0);

#[derive(Debug, Default)]
pub struct PathPanel {
    answers: Answers,
    off_mesh: Option<(u64, Option<OffMesh>)>,
    message: Option<PathMessage>,
    /// The place on the navmesh nearest to the end off it, in this frame.
    nearest: Option<Vec3>,
}

impl PathPanel {
    /// Describes the state of the path. Must be called in each frame, even if the panel is hidden.
    pub fn observe(&mut self, view: &SessionView<'_>) {
        let off_mesh = self.off_mesh(view);
        self.message = Some(path_message::path_message(view, off_mesh.as_ref()));
        self.nearest = off_mesh.and_then(|off_mesh| off_mesh.nearest);
    }

    pub fn outcome_icon(&self, theme: &Theme) -> Option<(MaterialIcon, Color32)> {
        let tone = self.message.as_ref()?.tone;
        (tone != Tone::Waiting).then(|| tone.icon(theme))
    }

    pub fn ui(&self, ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
        egui::ScrollArea::both().auto_shrink([false, false]).show(ui, |ui| {
            if ui.available_width() < TWO_COLUMNS {
                ui.spacing_mut().item_spacing.y = 10.0;
                self.sections_ui(ui, view, out, &mut Section::one_below_another);
            } else {
                ui.horizontal_top(|ui| {
                    ui.spacing_mut().item_spacing.x = 24.0;
                    self.sections_ui(ui, view, out, &mut Section::as_column);
                });
            }
        });
    }

    /// Draws the sections, each by `section` with its width in a row of columns.
    fn sections_ui(
        &self,
        ui: &mut egui::Ui,
        view: &SessionView<'_>,
        out: &mut Commands,
        section: &mut DrawSection<'_>,
    ) {
        section(Section::untitled(220.0), ui, &mut |ui| {
            self.outcome_ui(ui, view, out);
            route_ui(ui, view, out);
            if view.path_leads_there() && !has_why(view) {
                explain_ui(ui, view, out);
            }
        });
        if has_why(view) {
            section(Section::untitled(WHY_WIDTH), ui, &mut |ui| path_why_ui(ui, view, out));
        }
        if view.present_break().is_some() {
            let fixes = Section::untitled(WHY_WIDTH);
            section(fixes, ui, &mut |ui| fixes_ui(ui, FixTarget::Path, view, out));
        }
        let result = Section { width: 190.0, id: "path.group.result", title: tr!("Result") };
        if let Some(route) = view.shown_route().filter(|route| route.why.is_none()) {
            section(result, ui, &mut |ui| route_figures_ui(ui, route));
        } else if let Some(answer) = &view.path.answer {
            section(result, ui, &mut |ui| figures_ui(ui, answer, view.path.method));
            if let Some(second) = &view.path.second_answer {
                let untitled = Section::untitled(190.0);
                section(untitled, ui, &mut |ui| second_figures_ui(ui, &answer.path, second));
            }
            let title = tr!("Search, node by node");
            let replay = Section { width: 170.0, id: "path.group.replay", title };
            section(replay, ui, &mut |ui| replay_ui(ui, answer, view.path.replay, out));
        }
        let search = Section { width: 220.0, id: "path.group.search", title: tr!("Search") };
        section(search, ui, &mut |ui| {
            method_ui(ui, view.path.method, out);
            direction_ui(ui, &view.path, out);
            second_ui(ui, view, out);
        });
        let show = Section { width: 120.0, id: "path.group.show", title: tr!("Show") };
        section(show, ui, &mut |ui| show_ui(ui, view.path.show, out));
        let ends = Section { width: ENDS_WIDTH, id: "path.group.ends", title: tr!("Ends") };
        section(ends, ui, &mut |ui| ends_ui(ui, view, out));
        let filter = Section { width: FILTER_WIDTH, id: "path.group.filter", title: tr!("Filter") };
        section(filter, ui, &mut |ui| {
            let (filter, edited) = filter_ui(ui, &view.document().areas, &view.path.filter);
            send_filter(filter, edited, out);
        });
        if let Second::Filter(second) = &view.path.second {
            let title = tr!("Another filter");
            let other = Section { width: FILTER_WIDTH, id: "path.group.other-filter", title };
            section(other, ui, &mut |ui| second_filter_ui(ui, view, second, out));
        }
        let title = tr!("Search settings");
        let rules = Section { width: 250.0, id: "path.group.rules", title };
        section(rules, ui, &mut |ui| rules_ui(ui, &view.path, out));
    }

    fn outcome_ui(&self, ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
        let theme = Theme::of(ui.ctx().theme());
        let Some(message) = &self.message else { return };
        // A title without room beside the tools is broken into lines.
        egui::Sides::new().shrink_left().wrap().show(
            ui,
            |ui| title_ui(ui, message, &theme),
            |ui| tools_ui(ui, view, out),
        );
        if !message.why.is_empty() {
            ui.add(egui::Label::new(unbroken(&message.why)).wrap());
        }
        if let Some(next) = message.next {
            ui.add(egui::Label::new(RichText::new(unbroken(next)).color(theme.text_weak)).wrap());
        }
        if let Some(nearest) = self.nearest
            && ui
                .button(tr!("Move it to the nearest place"))
                .author_id("path.move-to-nearest")
                .clicked()
        {
            let why = view.path.answer.as_ref().and_then(|answer| answer.path.why);
            out.push(match why {
                Some(WhyNot::StartOffMesh) => Command::from(PathCommand::Start(nearest)),
                _ => Command::from(PathCommand::End(nearest)),
            });
        }
    }

    /// Returns the end without a nearby polygon, computed once per path.
    fn off_mesh(&mut self, view: &SessionView<'_>) -> Option<OffMesh> {
        let answer = view.path.answer.as_ref()?;
        if let Some((serial, off_mesh)) = &self.off_mesh
            && *serial == answer.serial
        {
            return off_mesh.clone();
        }
        let point = match answer.path.why {
            Some(WhyNot::StartOffMesh) => view.path.start,
            Some(WhyNot::EndOffMesh) => view.path.end,
            _ => None,
        };
        let known = point.map(|point| self.answers.know(view, Hover { point, triangle: None }));
        let line = if let Some(AnswerState::Answer(answer)) = &known {
            Some(answer.line(&view.document().areas))
        } else {
            None
        };
        let nearest = |point| nearest_walkable(view, point);
        let off_mesh = point.map(|point| OffMesh { point, line, nearest: nearest(point) });
        if !matches!(known, Some(AnswerState::Soon | AnswerState::Waiting(_))) {
            self.off_mesh = Some((answer.serial, off_mesh.clone()));
        }
        off_mesh
    }
}

#[derive(Clone, Copy)]
struct Section {
    width: f32,
    id: &'static str,
    /// Empty if the section has no title.
    title: &'static str,
}

type DrawSection<'a> = dyn FnMut(Section, &mut egui::Ui, &mut dyn FnMut(&mut egui::Ui)) + 'a;

impl Section {
    const fn untitled(width: f32) -> Self {
        Self { width, id: "", title: "" }
    }

    /// Draws the section below the one before it. A section with a title can be closed.
    fn one_below_another(self, ui: &mut egui::Ui, content: &mut dyn FnMut(&mut egui::Ui)) {
        let Self { id, title, .. } = self;
        let mut body = |ui: &mut egui::Ui| {
            ui.spacing_mut().item_spacing = ITEM_SPACING;
            content(ui);
        };
        if title.is_empty() {
            ui.scope(body);
        } else {
            ui.spacing_mut().item_spacing.y = ITEM_SPACING.y;
            Group { id, title, is_forced_open: false }.show(ui, |_| (), &mut body);
        }
    }

    fn as_column(self, ui: &mut egui::Ui, content: &mut dyn FnMut(&mut egui::Ui)) {
        let layout = egui::Layout::top_down(egui::Align::Min);
        ui.allocate_ui_with_layout(vec2(self.width, 0.0), layout, |ui| {
            ui.set_width(self.width);
            ui.spacing_mut().item_spacing = ITEM_SPACING;
            if !self.title.is_empty() {
                heading(ui, self.title);
            }
            content(ui);
        });
    }
}

fn title_ui(ui: &mut egui::Ui, message: &PathMessage, theme: &Theme) {
    let (icon, color) = message.tone.icon(theme);
    ui.label(RichText::new(icon.codepoint).color(color));
    ui.label(RichText::new(message.title).strong().color(color));
}

fn tools_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    ui.spacing_mut().item_spacing.x = 2.0;
    let is_walking = view.path.walk.is_some();
    let walk = if is_walking { icons::ICON_STOP } else { icons::ICON_DIRECTIONS_WALK };
    for (icon, name, command) in [
        (icons::ICON_DELETE, tr!("Clear path"), PathCommand::Clear.into()),
        (icons::ICON_SWAP_HORIZ, tr!("Swap ends"), PathCommand::Swap.into()),
        (icons::ICON_BOOKMARK_ADD, tr!("Keep this path"), PathCommand::Keep.into()),
        (walk, tr!("Walk along the path"), PathCommand::Walk.into()),
    ] {
        command_icon(ui, (icon, name), view, command, out);
    }
    repro_icons(ui, view, ExportKind::PathRepro, out);
}

fn method_ui(ui: &mut egui::Ui, method: Method, out: &mut Commands) {
    heading(ui, tr!("Search by"));
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        for choice in Method::ALL {
            let command = Command::from(PathCommand::SearchBy(choice));
            let label = ui.selectable_label(choice == method, choice.name());
            let label = label.author_id(command.id()).on_hover_text(choice.what());
            if label.clicked() && choice != method {
                out.push(command);
            }
        }
    });
}

fn second_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    heading(ui, tr!("Compare with"));
    let now = &view.path.second;
    let kept = view.bake.before.as_ref().is_some_and(|before| before.navmesh.is_some());
    let filter = match now {
        Second::Filter(filter) => filter.clone(),
        Second::Off | Second::Kept | Second::Agent(_) => Box::new(view.path.filter.clone()),
    };
    let choices = [
        (Second::Off, tr!("Nothing"), tr!("Shows only one path"), true),
        (
            Second::Filter(filter),
            tr!("Another filter"),
            tr!("Other flags and costs on the same navmesh"),
            true,
        ),
        (
            Second::Kept,
            tr!("Pinned bake"),
            tr!("The pinned bake (Display, Pin as baseline); it may be of another agent"),
            kept,
        ),
    ];
    let agents = &view.document().agents;
    let others = agents.list.iter().enumerate().filter(|(number, _)| *number != agents.chosen);
    let others = others.map(|(number, agent)| {
        (
            Second::Agent(number),
            &*agent.name,
            tr!("The navmesh of this agent, with the same filter"),
            true,
        )
    });
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        for (choice, name, what, enabled) in choices.into_iter().chain(others) {
            let is_on = match (&choice, now) {
                (Second::Agent(one), Second::Agent(other)) => one == other,
                (choice, now) => std::mem::discriminant(choice) == std::mem::discriminant(now),
            };
            let label = ui.add_enabled(enabled, egui::Button::selectable(is_on, name));
            let key = match &choice {
                Second::Off => "off".to_owned(),
                Second::Filter(_) => "filter".to_owned(),
                Second::Kept => "pinned".to_owned(),
                Second::Agent(number) => format!("agent.{number}"),
            };
            let label = label.author_id(format_args!("path.compare-with.{key}"));
            let label = label.on_hover_text(what).on_disabled_hover_text(what);
            if label.clicked() && !is_on {
                out.push(PathCommand::CompareWith(choice));
            }
        }
    });
    if let Second::Agent(number) = now
        && view.mesh_of_agent(*number).is_none()
    {
        let error = view.other_agents.errors.get(number);
        let baking = || tr!("Baking this agent's navmesh…").to_owned();
        let text = error.map_or_else(baking, |error| lang::error_text(error));
        let theme = Theme::of(ui.ctx().theme());
        ui.add(egui::Label::new(RichText::new(text).small().color(theme.text_weak)).wrap());
    }
}

fn second_figures_ui(ui: &mut egui::Ui, first: &NavPath, second: &PathAnswer) {
    let theme = Theme::of(ui.ctx().theme());
    ui.horizontal(|ui| {
        swatch(ui, theme.paint(Paint::OtherPath));
        heading(ui, tr!("Second path"));
    });
    let path = &second.path;
    let status = match path.status {
        PathStatus::Complete => tr!("complete"),
        PathStatus::Partial => tr!("partial"),
        PathStatus::Unreachable => tr!("no way"),
    };
    fact(ui, tr!("Leads to the end"), status);
    let against = |one: f64, other: f64| {
        let sign = if one < other { "−" } else { "+" };
        format!("{sign}{}", format::number((one - other).abs()))
    };
    let meters = units().meters();
    let [one, other] = [path, first].map(|path| f64::from(path.length) / meters);
    let length = against(one, other);
    fact(ui, tr!("Length"), &format!("{} ({length})", format::length(path.length)));
    let cost = against(path.cost.into(), first.cost.into());
    fact(ui, tr!("Cost"), &format!("{} ({cost})", format::number(f64::from(path.cost))));
    fact(ui, tr!("Corridor"), &format::counted(path.corridor.len(), "polygon", "polygons"));
    fact(ui, tr!("Corners"), &format::count(path.points.len().saturating_sub(2)));
    fact(ui, tr!("Nodes expanded"), &format::count(path.n_expanded));
    fact(ui, tr!("Time"), &format::time(second.time));
}

fn figures_ui(ui: &mut egui::Ui, answer: &PathAnswer, method: Method) {
    let path = &answer.path;
    fact(ui, tr!("Length"), &format::length(path.length));
    fact(ui, tr!("Cost"), &format::number(f64::from(path.cost)));
    fact(ui, tr!("Corridor"), &format::counted(path.corridor.len(), "polygon", "polygons"));
    fact(ui, tr!("Corners"), &format::count(path.points.len().saturating_sub(2)));
    fact(ui, tr!("Nodes expanded"), &format::count(path.n_expanded));
    fact(ui, tr!("Time"), &format::time(answer.time));
    // A complete path shows that its end can be reached.
    let reach = answer.reach.filter(|_| path.status != PathStatus::Complete);
    if let Some(ReachAnswer { why, time }) = reach {
        let time = format::time(time);
        let text =
            if why.is_none() { tr!("yes, known in {time}") } else { tr!("no, known in {time}") };
        fact(ui, tr!("Can be reached"), &text);
    }
    let (name, other) = match (method, answer.other) {
        (Method::Detour, Some((length, _))) => (tr!("Optimal length"), format::length(length)),
        (Method::Polyanya, Some((length, _))) => (tr!("By Detour A*"), format::length(length)),
        (_, None) => return,
    };
    fact(ui, name, &other);
}

fn ends_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    if let Some(point) = end_ui(ui, ["path.start", tr!("Start")], view.path.start) {
        out.push(PathCommand::Start(point));
    }
    if let Some(point) = end_ui(ui, ["path.end", tr!("End")], view.path.end) {
        out.push(PathCommand::End(point));
    }
    let snapped = view.path.answer.as_ref().map(|answer| &answer.path);
    for (name, end, wanted) in [
        (tr!("Start"), snapped.and_then(|path| path.start), view.path.start),
        (tr!("End"), snapped.and_then(|path| path.end), view.path.end),
    ] {
        if let (Some(end), Some(wanted)) = (end, wanted) {
            let Snap { horizontal, vertical } = Snap::onto(&end, wanted);
            fact(ui, &tr!("{name} moved horizontally"), &format::length(horizontal));
            fact(ui, &tr!("{name} moved up or down"), &format::length(vertical));
        }
    }
    goal_ui(ui, &view.path, out);
    ui.horizontal(|ui| {
        command_button(ui, view, PathCommand::RandomStart, out);
        command_button(ui, view, PathCommand::RandomEnd, out);
    });
}

/// Draws three coordinates and a button to copy them. Returns the point if it was changed.
fn end_ui(ui: &mut egui::Ui, [id, name]: [&str; 2], point: Option<Vec3>) -> Option<Vec3> {
    const SPEC: NumberSpec<'_> =
        NumberSpec { unit: "m", slider: [-1e6, 1e6], limits: [-1e6, 1e6], step: 0.1 };
    let theme = Theme::of(ui.ctx().theme());
    ui.horizontal(|ui| {
        ui.label(name);
        let Some(point) = point else {
            ui.label(RichText::new(tr!("not placed")).color(theme.text_weak));
            return;
        };
        let copy = tr!("Copy {}", name.to_lowercase());
        let button = buttons::icon(ui, icons::ICON_CONTENT_COPY, &copy);
        if button.author_id(format_args!("{id}.copy")).clicked() {
            ui.ctx().copy_text(coordinates(point));
        }
    });
    let mut coordinates = point?.to_array();
    let mut changed = false;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        for (axis, coordinate) in ["x", "y", "z"].into_iter().zip(&mut coordinates) {
            let label = ui.label(RichText::new(axis).small().color(theme.text_weak));
            let mut value = f64::from(*coordinate);
            let width = (ENDS_WIDTH - 54.0) / 3.0;
            let labeled = Labeled { label: label.id, id: &format!("{id}.{axis}") };
            let response = numeric::field(ui, labeled, &mut value, &SPEC, width);
            response.widget_info(|| {
                let role = egui::accesskit::Role::SpinButton;
                egui::WidgetInfo::labeled(role, true, format!("{name} {axis}"))
            });
            if response.changed() {
                *coordinate = numeric::narrow(value);
                changed = true;
            }
        }
    });
    changed.then(|| Vec3::from(coordinates))
}

fn second_filter_ui(
    ui: &mut egui::Ui,
    view: &SessionView<'_>,
    second: &Filter,
    out: &mut Commands,
) {
    let areas = &view.document().areas;
    let (filter, edited) = ui.push_id("second filter", |ui| filter_ui(ui, areas, second)).inner;
    if edited.changed {
        out.push(PathCommand::CompareWith(Second::Filter(Box::new(filter))));
    }
}

/// Sends the filter of the path; a drag is one undo step.
fn send_filter(filter: Filter, edited: Edited, out: &mut Commands) {
    let command = |_label| PathCommand::Filter(Box::new(filter));
    edited.send_command(phrase!("Change path filter"), command, out);
}

fn show_ui(ui: &mut egui::Ui, show: PathShow, out: &mut Commands) {
    let theme = Theme::of(ui.ctx().theme());
    let mut next = show;
    for (key, name, what, paint, on) in [
        (
            "corridor",
            tr!("Corridor"),
            tr!("Polygons that the path crosses"),
            Paint::Corridor,
            &mut next.corridor,
        ),
        (
            "portals",
            tr!("Portals"),
            tr!("Polygon edges that the path crosses"),
            Paint::PathPortal,
            &mut next.portals,
        ),
        (
            "nodes",
            tr!("Nodes"),
            tr!("Nodes that the search visited"),
            Paint::Expanded(0.5),
            &mut next.expanded,
        ),
        (
            "path",
            tr!("Path"),
            tr!("The straight path through the corridor"),
            Paint::Path,
            &mut next.line,
        ),
        (
            "break",
            tr!("Break"),
            tr!("Obstacles that interrupt the path"),
            Paint::Break,
            &mut next.breaks,
        ),
    ] {
        ui.horizontal(|ui| {
            swatch(ui, theme.paint(paint));
            let check = ui.checkbox(on, name);
            check.author_id(format_args!("path.show.{key}")).on_hover_text(what);
        });
    }
    if next != show {
        out.push(PathCommand::Show(next));
    }
}
