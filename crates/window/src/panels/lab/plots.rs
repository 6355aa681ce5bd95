//! Compares the searches as bars, and plots effort against path cost.

use eframe::egui::{self, RichText};
use egui_plot::{AxisHints, Bar, BarChart, GridMark, MarkerShape, Plot, Points};
use walkable::debug_draw::Paint;
use walkable_editor::{
    command::{Command, Commands, LabCommand},
    format,
    lang::tr,
    session::{LabRow, LabState, Measure},
    units::units,
};

use crate::{
    theme::Theme,
    widgets::{author_id::AuthorId as _, legend::heading},
};

/// Height of a bar with its gap, in points.
const BAR: f32 = 18.0;

/// Draws both plots.
pub(super) fn plots_ui(ui: &mut egui::Ui, lab: &LabState, out: &mut Commands) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        for measure in Measure::ALL {
            let command = Command::from(LabCommand::Plot(measure));
            let label = ui.selectable_label(lab.measure == measure, measure.name());
            if label
                .author_id(command.id())
                .on_hover_text(tr!("Chooses what the bars show"))
                .clicked()
            {
                out.push(command);
            }
        }
    });
    bars_ui(ui, lab);
    heading(ui, tr!("Suboptimality in percent, over nodes expanded"));
    price_ui(ui, lab);
}

/// Returns a measured value of a row, in meters, microseconds, bytes or nodes.
#[expect(clippy::cast_precision_loss, reason = "a bar has some hundred pixels")]
fn figure(row: &LabRow, measure: Measure) -> Option<f64> {
    match measure {
        Measure::Expanded => Some(row.effort.n_expanded as f64),
        Measure::Length => Some(row.length),
        Measure::Time => Some(row.time.as_secs_f64() * 1e6),
        Measure::Memory => Some(row.n_bytes as f64),
        Measure::OpenPeak => row.effort.open_peak.map(|n| n as f64),
    }
}

/// Scales a value for the plot: linearly for lengths, which are in the unit of the window, logarithmically for everything
/// else.
fn scaled(value: f64, measure: Measure) -> f64 {
    if measure == Measure::Length { value / units().meters() } else { value.max(1.0).log10() }
}

fn tick(mark: f64, measure: Measure) -> String {
    let value = 10_f64.powf(mark);
    match measure {
        Measure::Length => format::length(mark * units().meters()),
        _ if (mark - mark.round()).abs() > 1e-6 => String::new(),
        Measure::Expanded | Measure::OpenPeak => format::short_count(count(value)),
        Measure::Time => format::time(std::time::Duration::from_secs_f64(value * 1e-6)),
        Measure::Memory => format::bytes(count(value)),
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a power of ten on an axis"
)]
fn count(value: f64) -> usize {
    value.round() as usize
}

fn bars_ui(ui: &mut egui::Ui, lab: &LabState) {
    let theme = Theme::of(ui.ctx().theme());
    let measure = lab.measure;
    let bars = lab.rows.iter().zip(places()).filter_map(|(row, place)| {
        let value = scaled(figure(row, measure)?, measure);
        let fill = theme.paint(Paint::Hue(row.searcher as u32));
        Some(Bar::new(-place, value).name(row.searcher.name()).fill(fill))
    });
    let chart =
        BarChart::new(tr!("Searches"), bars.collect()).horizontal().width(0.7).element_formatter(
            Box::new(move |bar, _| format!("{}: {}", bar.name, tick_of(bar.value, measure))),
        );
    let names: Vec<&str> = lab.rows.iter().map(|row| row.searcher.name()).collect();
    let name = move |mark: GridMark, _: &std::ops::RangeInclusive<f64>| {
        let row = usize::try_from(-rounded(mark.value)).ok();
        row.and_then(|row| names.get(row)).map_or_else(String::new, |name| (*name).to_owned())
    };
    let n = lab.rows.len();
    let marks =
        move |_| places().take(n).map(|place| GridMark { value: -place, step_size: 1.0 }).collect();
    let names_axis =
        AxisHints::new_y().min_thickness(112.0).label_spacing(egui::Rangef::new(2.0, 4.0));
    let height = lab.rows.iter().map(|_| BAR).sum::<f32>() + 30.0;
    Plot::new("lab bars")
        .height(height)
        .include_x(0.0)
        .include_y(0.6)
        .custom_y_axes(vec![names_axis.formatter(name)])
        .y_grid_spacer(marks)
        .x_axis_formatter(move |mark, _| tick(mark.value, measure))
        .show_grid([true, false])
        .show_x(false)
        .show_y(false)
        .allow_drag(false)
        .allow_zoom(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .show(ui, |plot| plot.bar_chart(chart));
}

/// Formats the tooltip of a bar: three digits and the unit.
fn tick_of(value: f64, measure: Measure) -> String {
    let power = 10_f64.powf(value);
    match measure {
        Measure::Length => format::fixed_length(value * units().meters()),
        Measure::Time => format::time(std::time::Duration::from_secs_f64(power * 1e-6)),
        Measure::Memory => format::bytes(count(power)),
        Measure::Expanded | Measure::OpenPeak => format::count(count(power)),
    }
}

/// Returns the numbers 0, 1, 2 and so on.
fn places() -> impl Iterator<Item = f64> {
    (0_u32..).map(f64::from)
}

#[expect(clippy::cast_possible_truncation, reason = "a row of a table")]
fn rounded(value: f64) -> i64 {
    value.round() as i64
}

fn price_ui(ui: &mut egui::Ui, lab: &LabState) {
    let theme = Theme::of(ui.ctx().theme());
    let plot = Plot::new("lab price")
        .height(130.0)
        .include_y(0.0)
        .include_x(0.0)
        .y_axis_formatter(|mark, _| format!("{} %", format::number(mark.value)))
        .x_axis_formatter(|mark, _| tick(mark.value, Measure::Expanded))
        .allow_drag(false)
        .allow_zoom(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false);
    plot.show(ui, |plot| {
        for row in &lab.rows {
            let (Some(over), Some(nodes)) = (row.over_optimum(), figure(row, Measure::Expanded))
            else {
                continue;
            };
            let at = [scaled(nodes, Measure::Expanded), over * 100.0];
            let points = Points::new(row.searcher.name(), vec![at])
                .radius(5.0)
                .shape(MarkerShape::Circle)
                .color(theme.paint(Paint::Hue(row.searcher as u32)));
            plot.points(points);
        }
    });
    let text =
        tr!("Further left is less work, lower is a better path; point at a dot for its name.");
    ui.label(RichText::new(text).small().color(theme.text_weak));
}
