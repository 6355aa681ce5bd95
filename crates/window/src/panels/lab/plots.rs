//! Compares the searches as bars, and plots effort against path cost.

use std::f64::consts::LOG10_2;

use eframe::egui::{self, Align2, RichText, TextStyle};
use egui_plot::{
    AxisHints, Bar, BarChart, GridMark, MarkerShape, Plot, PlotPoint, Points, Text, VPlacement,
};
use walkable::debug_draw::Paint;
use walkable_editor::{
    command::{Command, Commands, LabCommand},
    session::{LabRow, LabState, Measure},
};
use walkable_workspace::{format, lang::tr, units::units};

use crate::{
    theme::Theme,
    widgets::{author_id::AuthorId as _, legend::heading},
};

/// Height of a bar with its gap, in points.
const BAR: f32 = 18.0;
/// Minimum width of the names left of the bars, in points.
const NAMES_WIDTH: f32 = 112.0;
/// Space on each side of a name or a value, in points.
const SPACE: f32 = 4.0;
/// Minimum end of the scale, in powers of ten, so that it has at least the ticks 1 and 10.
const LEAST_END: f64 = 1.2;

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

/// Scales a value for the plot: lengths linearly, in the unit of the window; all others logarithmically.
fn scaled(value: f64, measure: Measure) -> f64 {
    if measure == Measure::Length { value / units().meters() } else { value.max(1.0).log10() }
}

fn tick(mark: f64, measure: Measure) -> String {
    let value = 10_f64.powf(mark);
    match measure {
        Measure::Length => format::length(mark * units().meters()),
        Measure::Memory => format::bytes(count(value)),
        _ if (mark - mark.round()).abs() > 1e-6 => String::new(),
        Measure::Expanded | Measure::OpenPeak => format::short_count(count(value)),
        Measure::Time => format::time(std::time::Duration::from_secs_f64(value * 1e-6)),
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

fn title(measure: Measure) -> &'static str {
    match measure {
        Measure::Expanded => tr!("Nodes expanded (log scale)"),
        Measure::Length => tr!("Length of the path"),
        Measure::Time => tr!("Time of the search (log scale)"),
        Measure::Memory => tr!("Memory (log scale)"),
        Measure::OpenPeak => tr!("Open peak (log scale)"),
    }
}

fn bars_ui(ui: &mut egui::Ui, lab: &LabState) {
    let theme = Theme::of(ui.ctx().theme());
    let measure = lab.measure;
    heading(ui, title(measure));
    let bars = lab.rows.iter().zip(places()).filter_map(|(row, place)| {
        let value = scaled(figure(row, measure)?, measure);
        let fill = theme.paint(Paint::Hue(row.searcher as u32));
        Some(Bar::new(-place, value).name(row.searcher.name()).fill(fill))
    });
    let bars: Vec<Bar> = bars.collect();
    let value = |bar: &Bar| {
        let at = PlotPoint::new(bar.value, bar.argument);
        (bar.name.clone(), at, tick_of(bar.value, measure))
    };
    let values: Vec<_> = bars.iter().map(value).collect();
    let names: Vec<&str> = lab.rows.iter().map(|row| row.searcher.name()).collect();
    let names_width = names.iter().map(|name| width_of(ui, name, &TextStyle::Body) + 2.0 * SPACE);
    let names_width = names_width.fold(NAMES_WIDTH, f32::max);
    let room = f64::from((ui.available_width() - names_width).max(1.0));
    // Each value fits at the end of its bar.
    let ends = values.iter().map(|(_, at, text)| {
        let width = f64::from(width_of(ui, text, &TextStyle::Small) + 2.0 * SPACE);
        at.x * room / (room - width).max(0.2 * room)
    });
    let end = ends.fold(LEAST_END, f64::max);
    let gap = f64::from(SPACE) * end / room;
    let chart = BarChart::new(tr!("Searches"), bars).horizontal().width(0.7).element_formatter(
        Box::new(move |bar, _| format!("{}: {}", bar.name, tick_of(bar.value, measure))),
    );
    let name = move |mark: GridMark, _: &std::ops::RangeInclusive<f64>| {
        let row = usize::try_from(-rounded(mark.value)).ok();
        row.and_then(|row| names.get(row)).map_or_else(String::new, |name| (*name).to_owned())
    };
    let n = lab.rows.len();
    let marks =
        move |_| places().take(n).map(|place| GridMark { value: -place, step_size: 1.0 }).collect();
    let names_axis =
        AxisHints::new_y().min_thickness(names_width).label_spacing(egui::Rangef::new(2.0, 4.0));
    let scale = AxisHints::new_x()
        .placement(VPlacement::Top)
        .label_spacing(egui::Rangef::new(20.0, 30.0))
        .formatter(move |mark, _| tick(mark.value, measure));
    let height = lab.rows.iter().map(|_| BAR).sum::<f32>() + 30.0;
    Plot::new("lab bars")
        .height(height)
        .set_margin_fraction(egui::Vec2::ZERO)
        .include_x(0.0)
        .include_x(end)
        .include_y(0.6)
        .include_y(-0.6 - places().take(n).last().unwrap_or_default())
        .custom_y_axes(vec![names_axis.formatter(name)])
        .custom_x_axes(vec![scale])
        .y_grid_spacer(marks)
        .x_grid_spacer(move |input| scale_marks(input.bounds.1, room, measure))
        .show_grid([true, false])
        .show_x(false)
        .show_y(false)
        .allow_drag(false)
        .allow_zoom(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .show(ui, |plot| {
            plot.bar_chart(chart);
            for (name, at, text) in values {
                let at = PlotPoint::new(at.x + gap, at.y);
                plot.text(Text::new(name, at, text).anchor(Align2::LEFT_CENTER).color(theme.text));
            }
        });
}

fn width_of(ui: &egui::Ui, text: &str, style: &TextStyle) -> f32 {
    let font = style.resolve(ui.style());
    ui.painter().layout_no_wrap(text.to_owned(), font, egui::Color32::WHITE).size().x
}

/// Returns the marks of the scale from 0 to `end`, which is `room` points wide, far enough apart for their ticks: powers
/// of ten, for memory powers of two, and on the linear scale of lengths multiples of 1, 2 or 5.
fn scale_marks(end: f64, room: f64, measure: Measure) -> Vec<GridMark> {
    // In points, for the widest ticks.
    let distance = match measure {
        Measure::Expanded | Measure::OpenPeak => 36.0,
        Measure::Length | Measure::Time | Measure::Memory => 54.0,
    };
    let least = distance * end / room;
    let of = |steps: &[f64], unit: f64| {
        let mut steps = steps.iter().map(|step| step * unit);
        steps.find(|step| *step >= least).unwrap_or(least)
    };
    let step = match measure {
        Measure::Length => of(&[1.0, 2.0, 5.0, 10.0], 10_f64.powf(least.log10().floor())),
        // 4 B, 32 B and 1 KiB.
        Measure::Memory => of(&[2.0, 5.0, 10.0, 20.0], LOG10_2),
        Measure::Expanded | Measure::Time | Measure::OpenPeak => least.ceil(),
    };
    let marks = places().map(|n| GridMark { value: n * step, step_size: step });
    // A tick at the right edge would be cut off.
    marks.take_while(|mark| mark.value <= end - 0.4 * least).collect()
}

fn tick_of(value: f64, measure: Measure) -> String {
    let power = 10_f64.powf(value);
    match measure {
        Measure::Length => format::fixed_length(value * units().meters()),
        Measure::Time => format::time(std::time::Duration::from_secs_f64(power * 1e-6)),
        Measure::Memory => format::bytes(count(power)),
        Measure::Expanded | Measure::OpenPeak => format::count(count(power)),
    }
}

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
