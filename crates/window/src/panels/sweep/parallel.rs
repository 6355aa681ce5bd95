//! A line for each row over all settings and measures.

use eframe::egui::{self, Align2, FontId, Pos2, Rect, Sense, Stroke, pos2};
use walkable_editor::{
    command::Commands,
    session::{SweepColumn, SweepState},
};
use walkable_workspace::{format, lang::tr};

use super::{choose, columns, row_ui, size_of_unit, title};
use crate::{
    theme::{CAPTION_SIZE, Theme},
    widgets::author_id::AuthorId as _,
};

const MARGIN: f32 = 56.0;
/// Space above and below the axes, for titles and limits.
const LABELS: f32 = 34.0;
const MIN_GAP: f32 = 96.0;
/// Largest distance from a line at which the pointer selects it.
const REACH: f32 = 8.0;

/// An axis: its texts, and the height of each row on it, from 0 to 1.
struct Axis {
    title: String,
    limits: [String; 2],
    heights: Vec<Option<f32>>,
}

pub(super) fn parallel_ui(ui: &mut egui::Ui, sweep: &SweepState, out: &mut Commands) {
    let axes: Vec<_> = columns(sweep).into_iter().map(|column| axis(sweep, column)).collect();
    let n_gaps = axes.iter().skip(1).map(|_| 1.0).sum::<f32>();
    let width = ui.available_width().max(2.0 * MARGIN + n_gaps * MIN_GAP);
    let height = (ui.available_height() - 14.0).max(2.0 * LABELS + 40.0);
    egui::ScrollArea::horizontal().id_salt("sweep axes").auto_shrink(false).show(ui, |ui| {
        let (rect, response) = ui.allocate_exact_size(egui::vec2(width, height), Sense::click());
        let response = response.author_id("sweep.parallel");
        response.widget_info(|| {
            let role = egui::accesskit::Role::Image;
            egui::WidgetInfo::labeled(role, true, tr!("Parallel coordinates"))
        });
        let gap = (width - 2.0 * MARGIN) / n_gaps.max(1.0);
        let inner = Rect::from_min_max(
            pos2(rect.left() + MARGIN, rect.top() + LABELS),
            pos2(rect.right() - MARGIN, rect.bottom() - LABELS / 2.0),
        );
        let lines: Vec<_> =
            (0..sweep.entries.len()).map(|row| line(&axes, row, inner, gap)).collect();
        let pointed = response.hover_pos().and_then(|pointer| nearest(&lines, pointer));
        paint(ui, sweep, (&axes, gap), inner, (&lines, pointed));
        if let Some(index) = pointed {
            if response.clicked() {
                choose(sweep, index, out);
            }
            let response = response.on_hover_cursor(egui::CursorIcon::PointingHand);
            response.on_hover_ui_at_pointer(|ui| row_ui(ui, sweep, index));
        }
    });
}

fn axis(sweep: &SweepState, column: SweepColumn) -> Axis {
    let entries = || sweep.entries.iter().enumerate();
    let mut values: Vec<_> = entries().map(|(index, entry)| entry.value(column, index)).collect();
    let mut names = Vec::new();
    if let SweepColumn::Setting(setting) = column
        && values.iter().all(Option::is_none)
    {
        // The values of a choice are at equal distances.
        names = entries().filter_map(|(_, entry)| entry.values.get(setting)).collect();
        names.sort_unstable();
        names.dedup();
        let place = |name: &String| names.iter().position(|other| *other == name);
        let places = entries().map(|(_, entry)| place(entry.values.get(setting)?));
        values = places.map(|place| u32::try_from(place?).ok().map(f64::from)).collect();
    }
    let known = || values.iter().flatten().copied();
    let [min, max] =
        [known().fold(f64::INFINITY, f64::min), known().fold(f64::NEG_INFINITY, f64::max)];
    let limits = match (names.first(), names.last()) {
        (Some(first), Some(last)) => [(*first).clone(), (*last).clone()],
        _ if min <= max => [min, max].map(|end| format::number(end / size_of_unit(sweep, column))),
        _ => Default::default(),
    };
    let height = |value: f64| if min < max { single((value - min) / (max - min)) } else { 0.5 };
    let heights = values.iter().map(|value| value.map(height)).collect();
    Axis { title: title(sweep, column), limits, heights }
}

#[expect(clippy::cast_possible_truncation, reason = "from 0 to 1")]
fn single(value: f64) -> f32 {
    value as f32
}

/// Returns the corners of the line of a row; empty if a value is not known.
fn line(axes: &[Axis], row: usize, inner: Rect, gap: f32) -> Vec<Pos2> {
    let mut x = inner.left() - gap;
    let corners = axes.iter().map(|axis| {
        x += gap;
        let height = axis.heights.get(row).copied().flatten()?;
        Some(pos2(x, inner.bottom() - inner.height() * height))
    });
    corners.collect::<Option<_>>().unwrap_or_default()
}

/// Returns the row whose line is nearest to the pointer, if it is within reach.
fn nearest(lines: &[Vec<Pos2>], pointer: Pos2) -> Option<usize> {
    let distance = |line: &Vec<Pos2>| {
        let segments = line.windows(2).filter_map(|ends| <[Pos2; 2]>::try_from(ends).ok());
        let distances = segments.map(|[a, b]| {
            let (along, to) = (b - a, pointer - a);
            let t = (to.dot(along) / along.length_sq().max(1e-6)).clamp(0.0, 1.0);
            (a + along * t).distance(pointer)
        });
        distances.fold(f32::INFINITY, f32::min)
    };
    let near = lines.iter().map(distance).enumerate().filter(|(_, distance)| *distance <= REACH);
    near.min_by(|(_, a), (_, b)| a.total_cmp(b)).map(|(index, _)| index)
}

fn paint(
    ui: &egui::Ui,
    sweep: &SweepState,
    (axes, gap): (&[Axis], f32),
    inner: Rect,
    (lines, pointed): (&[Vec<Pos2>], Option<usize>),
) {
    let (theme, painter) = (Theme::of(ui.ctx().theme()), ui.painter());
    let font = FontId::proportional(CAPTION_SIZE);
    let best = sweep.best_for_suite();
    let stroke = |index: usize| match index {
        _ if sweep.chosen == Some(index) => Stroke::new(3.0, theme.path),
        _ if pointed == Some(index) => Stroke::new(2.5, theme.text),
        _ if best == Some(index) => Stroke::new(2.0, theme.good),
        _ => Stroke::new(1.0, theme.accent.gamma_multiply(0.55)),
    };
    // The emphasized lines are drawn over the others.
    let mut order: Vec<_> = (0..lines.len()).collect();
    order.sort_by_key(|&index| {
        let is = |row: Option<usize>| row == Some(index);
        (is(sweep.chosen), is(pointed), is(best))
    });
    for index in order {
        if let Some(line) = lines.get(index) {
            painter.line(line.clone(), stroke(index));
        }
    }
    let mut x = inner.left();
    for axis in axes {
        painter.vline(x, inner.y_range(), Stroke::new(1.0, theme.border));
        let top = pos2(x, inner.top() - 17.0);
        painter.text(top, Align2::CENTER_BOTTOM, &axis.title, font.clone(), theme.text);
        let [min, max] = &axis.limits;
        let place = pos2(x, inner.top() - 3.0);
        painter.text(place, Align2::CENTER_BOTTOM, max, font.clone(), theme.text_weak);
        let place = pos2(x, inner.bottom() + 3.0);
        painter.text(place, Align2::CENTER_TOP, min, font.clone(), theme.text_weak);
        x += gap;
    }
}
