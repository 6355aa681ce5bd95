//! Two measures of all rows as a plot, with the Pareto front.

use eframe::egui::{self, Rect, RichText, Sense, vec2};
use egui_plot::{Line, LineStyle, MarkerShape, Plot, PlotPoint, PlotPoints, Points};
use walkable::sweep::{SweepGoal, SweepMeasure};
use walkable_editor::{
    command::{Commands, SweepCommand},
    session::{SweepColumn, SweepShow, SweepState},
};
use walkable_workspace::{format, lang::tr};

use super::{choose, measure_title, row_ui, size_of_unit};
use crate::{
    theme::Theme,
    widgets::author_id::{AuthorId as _, Labeled},
};

/// Radius of a point, and of the selected one.
const RADIUS: [f32; 2] = [4.0, 7.0];
/// Side of the square around a point that reacts to the pointer.
const GRIP: f32 = 12.0;

pub(super) fn pareto_ui(ui: &mut egui::Ui, sweep: &SweepState, out: &mut Commands) {
    let theme = Theme::of(ui.ctx().theme());
    axes_ui(ui, sweep, out);
    let points = points(sweep);
    let front = sweep.front();
    let is_front = |index: usize| front.get(index).copied().unwrap_or(false);
    let [x, y] = sweep.show.axes;
    let plot = Plot::new("sweep pareto")
        .height((ui.available_height() - 4.0).max(90.0))
        .x_axis_label(measure_title(x))
        .y_axis_label(measure_title(y))
        .x_axis_formatter(|mark, _| format::number(mark.value))
        .y_axis_formatter(|mark, _| format::number(mark.value))
        .show_x(false)
        .show_y(false)
        .allow_drag(false)
        .allow_zoom(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .set_margin_fraction(vec2(0.08, 0.12));
    let shown = plot.show(ui, |plot| {
        let of = |wanted: bool| -> Vec<[f64; 2]> {
            let some = points.iter().filter(|(index, _)| is_front(*index) == wanted);
            some.map(|(_, at)| *at).collect()
        };
        let mut line = of(true);
        line.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
        let line = Line::new(tr!("Pareto front"), PlotPoints::from(line));
        plot.line(line.color(theme.accent).width(1.5).style(LineStyle::dashed_dense()));
        let circles = |name: &str, list: Vec<[f64; 2]>, color, radius| {
            Points::new(name, list).shape(MarkerShape::Circle).color(color).radius(radius)
        };
        plot.points(circles(tr!("Other rows"), of(false), theme.text_weak, RADIUS[0]));
        plot.points(circles(tr!("Pareto front"), of(true), theme.accent, RADIUS[0] + 1.0));
        let marked = |index: Option<usize>| {
            let one = points.iter().filter(|(other, _)| Some(*other) == index);
            one.map(|(_, at)| *at).collect::<Vec<_>>()
        };
        let best = marked(sweep.best_for_suite());
        plot.points(
            circles(tr!("Best for the path tests"), best, theme.good, RADIUS[1]).filled(false),
        );
        plot.points(circles(tr!("Selected"), marked(sweep.chosen), theme.path, RADIUS[1]));
    });
    for (index, [x, y]) in points {
        let at = shown.transform.position_from_point(&PlotPoint::new(x, y));
        let grip = Rect::from_center_size(at, vec2(GRIP, GRIP));
        let response =
            ui.interact(grip, ui.scope_id().with(("sweep point", index)), Sense::click());
        let response = response.author_id(format_args!("sweep.point.{index}"));
        let name = tr!("Row {}", index + 1);
        response.widget_info(|| {
            egui::WidgetInfo::labeled(egui::accesskit::Role::Button, true, name.as_str())
        });
        let response = response.on_hover_cursor(egui::CursorIcon::PointingHand);
        if response.clicked() {
            choose(sweep, index, out);
        }
        response.on_hover_ui(|ui| row_ui(ui, sweep, index));
    }
}

/// Returns the rows that have both measures, and their points in the units of the axes.
fn points(sweep: &SweepState) -> Vec<(usize, [f64; 2])> {
    let axes = sweep.show.axes.map(SweepColumn::Measure);
    let entries = sweep.entries.iter().enumerate();
    let points = entries.filter_map(|(index, entry)| {
        let value = |axis| Some(entry.value(axis, index)? / size_of_unit(sweep, axis));
        let [x, y] = axes.map(value);
        Some((index, [x?, y?]))
    });
    points.collect()
}

fn axes_ui(ui: &mut egui::Ui, sweep: &SweepState, out: &mut Commands) {
    let theme = Theme::of(ui.ctx().theme());
    ui.horizontal(|ui| {
        for (axis, name) in [(0, "x"), (1, "y")] {
            let mut measure = sweep.show.axes[axis];
            let label = ui.label(if axis == 0 { tr!("Horizontal") } else { tr!("Vertical") });
            let combo = egui::ComboBox::new(("sweep axis", axis), "").width(130.0);
            let combo = combo.selected_text(measure_title(measure)).show_ui(ui, |ui| {
                for other in sweep.measures() {
                    let entry = ui.selectable_value(&mut measure, other, measure_title(other));
                    let entry = entry.author_id(format_args!("sweep.axis.{name}.{}", other.key()));
                    entry.on_hover_text(other.tooltip());
                }
            });
            Labeled { label: label.id, id: &format!("sweep.axis.{name}") }.name(combo.response);
            if measure != sweep.show.axes[axis] {
                let mut axes = sweep.show.axes;
                axes[axis] = measure;
                out.push(SweepCommand::Show(SweepShow { axes, ..sweep.show }));
            }
        }
        let better = sweep.show.axes.map(direction).join(", ");
        let text = tr!("better: {better}");
        ui.label(RichText::new(text).small().color(theme.text_weak));
    });
}

fn direction(measure: SweepMeasure) -> String {
    let measured = format::within(&measure_title(measure));
    match SweepGoal::usual(measure) {
        SweepGoal::Min(_) => tr!("smaller {measured}"),
        SweepGoal::Max(_) => tr!("larger {measured}"),
    }
}
