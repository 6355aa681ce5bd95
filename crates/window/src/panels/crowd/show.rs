//! What is drawn of the agents: switches, the graph of update times, and the legend of the 3D view.

use std::time::Duration;

use eframe::egui::{self, Checkbox, RichText};
use egui_plot::{HoverPosition, Line, Plot, PlotPoints, VLine};
use walkable::debug_draw::Paint;
use walkable_editor::{
    command::{Command, Commands, CrowdCommand},
    session::{CrowdDrawing, CrowdPlay, SessionView, ToolKind},
};
use walkable_workspace::{format, lang::tr};

use crate::{
    theme::Theme,
    widgets::{
        author_id::AuthorId as _,
        legend::{empty, fact, heading},
    },
};

const N_SHOWN: usize = 300;

pub(super) fn show_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    ui.horizontal_wrapped(|ui| {
        for &drawing in CrowdDrawing::ALL {
            let mut on = view.crowd.shows(drawing);
            let toggle = Command::from(CrowdCommand::Draw(drawing));
            let check = ui.add(Checkbox::new(&mut on, drawing.name())).author_id(toggle.id());
            if check.on_hover_text(drawing.what()).changed() {
                out.push(toggle);
            }
        }
    });
    if view.crowd.shows(CrowdDrawing::Times) {
        heading(ui, CrowdDrawing::Times.name());
        times_ui(ui, view);
    }
}

fn times_ui(ui: &mut egui::Ui, view: &SessionView<'_>) {
    let theme = Theme::of(ui.ctx().theme());
    let now = view.crowd.now();
    let times = view.crowd_times();
    let first = now.saturating_sub(N_SHOWN);
    let shown = times.get(first..now.min(times.len())).unwrap_or_default();
    let Some(last) = shown.last() else {
        return empty(ui, tr!("Run the crowd to measure its updates."));
    };
    let points: PlotPoints<'_> = (first + 1..)
        .zip(shown)
        .map(|(update, time)| [f64::from(CrowdPlay::seconds(update)), time.as_secs_f64() * 1e6])
        .collect();
    let line =
        Line::new(CrowdDrawing::Times.name(), points).color(theme.paint(Paint::Path)).width(1.5);
    Plot::new("crowd times")
        .height(90.0)
        .include_y(0.0)
        .x_axis_formatter(|mark, _| format!("{} s", format::number(mark.value)))
        .y_axis_formatter(|mark, _| format::time(micros(mark.value)))
        .label_formatter(|hover| {
            let (HoverPosition::NearDataPoint { position, .. }
            | HoverPosition::Elsewhere { position }) = hover;
            let (at, time) = (format::number(position.x), format::time(micros(position.y)));
            Some(format!("{at} s: {time}"))
        })
        .allow_drag(false)
        .allow_zoom(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .show(ui, |plot| {
            let now = f64::from(CrowdPlay::seconds(now));
            plot.vline(VLine::new(tr!("Shown update"), now).color(theme.text_weak).width(1.0));
            plot.line(line);
            plot.set_plot_bounds_y(0.0..=highest(shown));
        });
    let n = u32::try_from(shown.len()).unwrap_or(u32::MAX);
    let longest = shown.iter().max().copied().unwrap_or_default();
    for (name, time) in [
        (tr!("Shown update"), *last),
        (&tr!("Mean of {n} updates"), shown.iter().sum::<Duration>() / n),
        (tr!("Longest"), longest),
    ] {
        fact(ui, name, &format::time(time));
    }
}

/// Returns the upper end of the graph, in microseconds. It cuts off the first updates, which take so long that the
/// others would be a flat line.
fn highest(times: &[Duration]) -> f64 {
    let mut sorted = times.to_vec();
    sorted.sort_unstable();
    let [median, longest] = [sorted.len() / 2, sorted.len().saturating_sub(1)]
        .map(|at| sorted.get(at).map_or(0.0, |time| time.as_secs_f64() * 1e6));
    (3.0 * median).min(1.1 * longest).max(1.0)
}

fn micros(value: f64) -> Duration {
    Duration::try_from_secs_f64(value * 1e-6).unwrap_or_default()
}

pub(crate) fn legend_ui(
    ui: &mut egui::Ui,
    view: &SessionView<'_>,
    entry: &impl Fn(&mut egui::Ui, Paint, &str),
) {
    if view.tools.tool != ToolKind::Crowd || view.crowd_agents().is_empty() {
        return;
    }
    let has_details = !view.crowd.chosen.is_empty() || view.crowd.shows(CrowdDrawing::All);
    entry(ui, Paint::Path, tr!("Velocity of an agent"));
    if has_details {
        entry(ui, Paint::OtherPath, tr!("Desired velocity"));
    }
    for drawing in &view.crowd.drawings {
        let is_drawn = has_details || *drawing == CrowdDrawing::Search;
        for (paint, name) in drawing.legend().filter(|_| is_drawn) {
            entry(ui, paint, name);
        }
    }
    if view.crowd.shows(CrowdDrawing::Grid) {
        ui.label(RichText::new(tr!("Cells: number of agents")).small());
    }
}
