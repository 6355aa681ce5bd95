//! The settings and the result of the query tool.

use eframe::egui::{self, RichText};
use walkable::query::{Crossings, Shortcuts};
use walkable_editor::{
    command::{Command, Commands, QueryCommand, variant_id},
    session::{QueryMode, QueryOption, QueryOptions, SessionView},
};
use walkable_workspace::{format, lang::tr, text};

use crate::{
    panels::path::replay,
    theme::Theme,
    widgets::{
        author_id::AuthorId as _,
        legend::{empty, fact, heading},
        numeric::{self, NumberSpec},
        property_row::PropertyRow,
    },
};

const RADIUS: NumberSpec<'_> =
    NumberSpec { unit: "m", slider: [0.5, 20.0], limits: [0.0, 1000.0], step: 0.1 };
const POINTS: NumberSpec<'_> =
    NumberSpec { unit: "", slider: [1.0, 1000.0], limits: [1.0, 10_000.0], step: 1.0 };
const NODES: NumberSpec<'_> =
    NumberSpec { unit: "", slider: [1.0, 50.0], limits: [1.0, 10_000.0], step: 1.0 };

/// A choice: a value, its name, its description.
type Choice<T> = (T, &'static str, &'static str);

pub(super) const CROSSINGS: [Choice<Crossings>; 3] = [
    (Crossings::None, text!("None"), text!("Points only at corners")),
    (Crossings::Areas, text!("Areas"), text!("Points also where the path enters another area")),
    (Crossings::All, text!("Polygons"), text!("Points also where the path enters another polygon")),
];
const SHORTCUTS: [Choice<Shortcuts>; 3] = [
    (Shortcuts::None, text!("Off"), text!("From polygon to polygon only")),
    (
        Shortcuts::AsDetour,
        text!("Like Detour"),
        text!("Finds few shortcuts: rays end where they leave the first polygon"),
    ),
    (Shortcuts::Far, text!("Far"), text!("Rays cross any number of polygons; takes longer")),
];

pub fn query_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    ui.label(RichText::new(tr!("Query")).strong());
    let query_tool = &view.tools.query_tool;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = egui::vec2(4.0, 4.0);
        for &mode in QueryMode::ALL {
            let command = Command::from(QueryCommand::By(mode));
            let label = ui.selectable_label(mode == query_tool.mode, mode.name());
            let label = label.author_id(command.id()).on_hover_text(mode.what());
            if label.clicked() && mode != query_tool.mode {
                out.push(command);
            }
        }
    });
    let theme = Theme::of(ui.ctx().theme());
    ui.add(egui::Label::new(RichText::new(query_tool.mode.what()).color(theme.text_weak)).wrap());
    let mut options = query_tool.options;
    for &option in query_tool.mode.options() {
        option_ui(ui, option, &mut options);
    }
    if options != query_tool.options {
        out.push(QueryCommand::With(options));
    }
    heading(ui, tr!("Result"));
    match &query_tool.answer {
        Some(answer) => {
            for (name, value) in answer.facts() {
                fact(ui, name, &value);
            }
            fact(ui, tr!("Time"), &format::time(answer.time));
            replay::query_ui(ui, &answer.played, query_tool.replay, out);
        }
        None if view.bake.navmesh.is_none() => empty(ui, tr!("There is no navmesh yet.")),
        None if query_tool.start.is_some() => empty(ui, tr!("Click the end.")),
        None if query_tool.mode.has_goal() => empty(ui, tr!("Click the goal on the level.")),
        None => empty(ui, tr!("Click the start on the level.")),
    }
}

fn option_ui(ui: &mut egui::Ui, option: QueryOption, options: &mut QueryOptions) {
    match option {
        QueryOption::Crossings => {
            let tooltip = tr!("Where the path gets points besides its corners");
            let names = ["query.crossings", tr!("Points at crossings"), tooltip];
            choice_ui(ui, names, &CROSSINGS, &mut options.crossings);
        }
        QueryOption::Iterations => {
            let tooltip = tr!("How many nodes are expanded in one step");
            let mut nodes = f64::from(options.nodes_a_step);
            let names = ["query.iterations", tr!("Iterations per update"), tooltip];
            number_ui(ui, names, &mut nodes, &NODES);
            options.nodes_a_step = as_count(nodes);
        }
        QueryOption::Shortcuts => {
            let tooltip = tr!("Whether the search takes shortcuts in any direction");
            let names = ["query.any-angle", tr!("Any-angle"), tooltip];
            choice_ui(ui, names, &SHORTCUTS, &mut options.shortcuts);
        }
        QueryOption::Radius => {
            let tooltip = tr!("How far around the start");
            let mut radius = f64::from(options.radius);
            number_ui(ui, ["query.radius", tr!("Radius"), tooltip], &mut radius, &RADIUS);
            options.radius = numeric::narrow(radius);
        }
        QueryOption::Points => {
            let tooltip = tr!("Number of random points; the same points every time");
            let mut points = f64::from(options.n_points);
            number_ui(ui, ["query.points", tr!("Points"), tooltip], &mut points, &POINTS);
            options.n_points = as_count(points);
        }
    }
}

fn number_ui(
    ui: &mut egui::Ui,
    [id, label, tooltip]: [&str; 3],
    value: &mut f64,
    spec: &NumberSpec<'_>,
) {
    let row = PropertyRow { id, label, tooltip, ..PropertyRow::default() };
    row.show(ui, |ui, label| numeric::slider(ui, label, value, spec));
}

fn choice_ui<T: Copy + PartialEq + std::fmt::Debug>(
    ui: &mut egui::Ui,
    [id, label, tooltip]: [&str; 3],
    choices: &[Choice<T>],
    chosen: &mut T,
) {
    let row = PropertyRow { id, label, tooltip, ..PropertyRow::default() };
    row.show(ui, |ui, labeled| {
        let name =
            choices.iter().find(|(value, ..)| value == chosen).map_or("", |choice| tr(choice.1));
        let combo = egui::ComboBox::from_id_salt(labeled.label).width(ui.available_width());
        let response = combo.selected_text(name).show_ui(ui, |ui| {
            for &(value, name, what) in choices {
                let entry = ui.selectable_value(chosen, value, tr(name));
                let entry = entry.author_id(format_args!("{id}.{}", variant_id(value)));
                entry.on_hover_text(tr(what));
            }
        });
        labeled.name(response.response);
    });
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "1 to 10,000")]
fn as_count(value: f64) -> u32 {
    value as u32
}
