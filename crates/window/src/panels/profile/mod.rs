//! The profile panel: the time of the bake by stage and by tile, and its history from bake to bake.

mod budgets;
mod heat_map;
mod limits;

#[cfg(test)]
mod tests;

use std::time::Duration;

use eframe::egui::{self, Align, Color32, Layout, Rangef, RichText, Sense, Vec2b, vec2};
use egui_plot::{AxisHints, Bar, BarChart, GridMark, Line, Plot, PlotPoints, Points};
use walkable::{bake::Stage, ids::TileCoord};
use walkable_editor::{
    command::{Commands, ViewCommand, variant_id},
    session::{BakeState, SessionView},
};
use walkable_workspace::{format, lang::tr, stage_view::StageView};

use self::{
    budgets::budgets_ui,
    heat_map::{Heat, heat_map_ui},
    limits::limits_ui,
};
use crate::{
    theme::Theme,
    widgets::{
        author_id::AuthorId as _,
        legend::{empty, fact, heading},
    },
};

const HISTORY: usize = 60;
const SLOWEST: usize = 12;

/// Minimum width at which the names of all stages fit under their bars, in points.
const ROOMY: f32 = 640.0;

#[derive(Debug, Default)]
pub struct ProfilePanel {
    history: BakeHistory,
    heat: Heat,
    tiles_as: TilesAs,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum TilesAs {
    #[default]
    List,
    Map,
}

/// The durations of the last bakes, oldest first.
#[derive(Debug, Default)]
pub struct BakeHistory {
    times: Vec<Duration>,
    seen: Option<(walkable_editor::session::Revision, Duration)>,
}

impl BakeHistory {
    /// Records the last complete bake, unless it is already recorded.
    fn observe(&mut self, bake: &BakeState) {
        let (Some(revision), Some(elapsed), None) = (bake.started, bake.elapsed, bake.progress)
        else {
            return;
        };
        if self.seen == Some((revision, elapsed)) {
            return;
        }
        self.seen = Some((revision, elapsed));
        self.times.push(elapsed);
        if self.times.len() > HISTORY {
            self.times.remove(0);
        }
    }
}

impl ProfilePanel {
    /// Records bakes that end. Must be called in each frame, even if the panel is hidden.
    pub fn observe(&mut self, view: &SessionView<'_>) {
        self.history.observe(view.current_bake());
    }

    #[cfg(test)]
    pub fn n_noted(&self) -> usize {
        self.history.times.len()
    }

    pub fn ui(&mut self, ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
        self.observe(view);
        if view.bake.tiles.is_empty() {
            empty(
                ui,
                tr!("Nothing is baked yet. Open a level, and the times of each stage appear here."),
            );
            return;
        }
        let theme = Theme::of(ui.ctx().theme());
        let height = ui.available_height().max(120.0);
        let width = ui.available_width();
        ui.horizontal_top(|ui| {
            ui.spacing_mut().item_spacing.x = 20.0;
            column(ui, "profile stages", [width * 0.5, height], |ui| {
                stages_ui(ui, view, &theme);
            });
            column(ui, "profile tiles", [width * 0.24, height], |ui| {
                self.tiles_ui(ui, view, &theme, out);
            });
            let rest = ui.available_width() - 8.0;
            column(ui, "profile history", [rest, height], |ui| {
                egui::ScrollArea::vertical().auto_shrink([false, true]).show(ui, |ui| {
                    totals_ui(ui, view);
                    queries_ui(ui, view);
                    limits_ui(ui, view);
                    heading(ui, tr!("Budgets"));
                    budgets_ui(ui, view, out);
                    ui.allocate_ui(vec2(ui.available_width(), 120.0), |ui| {
                        self.history_ui(ui, &theme);
                    });
                });
            });
        });
    }

    fn tiles_ui(
        &mut self,
        ui: &mut egui::Ui,
        view: &SessionView<'_>,
        theme: &Theme,
        out: &mut Commands,
    ) {
        ui.horizontal(|ui| {
            for (how, name, what) in [
                (
                    TilesAs::List,
                    tr!("Slowest tiles"),
                    tr!("Lists the tiles whose bake took longest"),
                ),
                (
                    TilesAs::Map,
                    tr!("Heat map"),
                    tr!("Shows all tiles from above, by bake time or size"),
                ),
            ] {
                let button = ui.selectable_label(self.tiles_as == how, name);
                let button = button.author_id(format_args!("profile.tiles.{}", variant_id(how)));
                if button.on_hover_text(what).clicked() {
                    self.tiles_as = how;
                }
            }
        });
        match self.tiles_as {
            TilesAs::List => slowest_ui(ui, view, theme, out),
            TilesAs::Map => heat_map_ui(ui, &mut self.heat, view, out),
        }
    }

    fn history_ui(&self, ui: &mut egui::Ui, theme: &Theme) {
        heading(ui, tr!("Bake after bake"));
        let at = |(i, time): (usize, &Duration)| [position(i) + 1.0, millis(*time)];
        let points: Vec<_> = self.history.times.iter().enumerate().map(at).collect();
        let last = position(points.len());
        let x = AxisHints::new_x().label(tr!("bake")).label_spacing(Rangef::new(16.0, 32.0));
        let y = AxisHints::new_y().label("ms").label_spacing(Rangef::new(10.0, 14.0));
        plot("bake history", [x.formatter(|mark, _| whole_tick(mark)), y], theme)
            .include_y(0.0)
            .include_x(0.5)
            .include_x(last.max(5.0) + 0.5)
            .show(ui, |plot| {
                let line = Line::new("bake time", PlotPoints::from(points.clone()));
                plot.line(line.color(theme.text_weak).width(1.5).allow_hover(false));
                let dots = Points::new("bake", PlotPoints::from(points));
                plot.points(dots.color(theme.accent).radius(2.5));
            });
    }
}

fn column(
    ui: &mut egui::Ui,
    id: &str,
    [width, height]: [f32; 2],
    content: impl FnOnce(&mut egui::Ui),
) {
    // In a narrow panel the first columns leave no room for the last one.
    let width = width.max(0.0);
    ui.push_id(id, |ui| {
        ui.allocate_ui_with_layout(vec2(width, height), Layout::top_down(Align::Min), |ui| {
            ui.set_width(width);
            ui.spacing_mut().item_spacing.y = 4.0;
            content(ui);
        });
    });
}

/// Creates a plot that shows all its data and cannot be moved or zoomed.
fn plot<'a>(id: &str, [x, y]: [AxisHints<'a>; 2], theme: &Theme) -> Plot<'a> {
    let axis = |hints: AxisHints<'a>| {
        let font = egui::FontId::proportional(crate::theme::CAPTION_SIZE);
        hints.tick_label_color(theme.text_weak).tick_label_font(font)
    };
    Plot::new(id)
        .custom_x_axes(vec![axis(x)])
        .custom_y_axes(vec![axis(y)])
        .grid_color(theme.border)
        .y_grid_spacer(|input| few_marks(input.bounds.1))
        .allow_drag(false)
        .allow_zoom(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .allow_double_click_reset(false)
        .show_background(false)
        .min_size(vec2(80.0, 60.0))
}

fn stages_ui(ui: &mut egui::Ui, view: &SessionView<'_>, theme: &Theme) {
    let title = view.shown.chosen_tile.map_or_else(
        || tr!("Milliseconds by stage, all tiles").to_owned(),
        |tile| tr!("Milliseconds by stage, tile {tile}"),
    );
    heading(ui, &title);
    let times = view.bake.times(view.shown.chosen_tile);
    let shown = view.shown.stage.stage();
    let bars = Stage::ALL.into_iter().enumerate().map(|(i, stage)| {
        let color = if shown == Some(stage) { theme.accent } else { theme.text_weak };
        let bar = Bar::new(position(i), millis(times.of(stage)));
        bar.width(0.66).fill(color).name(stage_name(stage))
    });
    let chart = BarChart::new("stages", bars.collect())
        .element_formatter(Box::new(|bar, _| format!("{}: {:.2} ms", bar.name, bar.value)));
    let named = if ui.available_width() < ROOMY { short_name } else { stage_name };
    let x = AxisHints::new_x().label_spacing(Rangef::new(20.0, 24.0));
    let y = AxisHints::new_y().label("ms").label_spacing(Rangef::new(10.0, 14.0));
    plot("stage times", [x.formatter(|mark, _| stage_at(mark.value, named)), y], theme)
        .x_grid_spacer(|_| {
            let mark = |i| GridMark { value: position(i), step_size: 1.0 };
            (0..Stage::ALL.len()).map(mark).collect()
        })
        .show_grid(Vec2b::new(false, true))
        .include_y(0.0)
        .include_x(-0.6)
        .include_x(position(Stage::ALL.len()) - 0.4)
        .show(ui, |plot| plot.bar_chart(chart));
}

/// Returns marks at 0 and at two to five round numbers up to `max`.
fn few_marks(max: f64) -> Vec<GridMark> {
    if !(max > 0.0 && max.is_finite()) {
        return Vec::new();
    }
    let decade = 10_f64.powf((max / 2.0).log10().floor());
    let fits = |factor: &f64| max / (factor * decade) >= 2.0;
    let step_size = [5.0, 2.0, 1.0].into_iter().find(fits).unwrap_or(1.0) * decade;
    (0_u8..=9)
        .map(|i| GridMark { value: f64::from(i) * step_size, step_size })
        .take_while(|mark| mark.value <= max)
        .collect()
}

/// Formats a tick of an axis of whole numbers; empty between whole numbers.
fn whole_tick(mark: GridMark) -> String {
    let is_whole = (mark.value - mark.value.round()).abs() < 1e-6;
    if is_whole { format!("{:.0}", mark.value) } else { String::new() }
}

/// Returns the name of the stage whose bar is at `value`.
fn stage_at(value: f64, named: fn(Stage) -> String) -> String {
    let at = |(i, _): &(usize, Stage)| (position(*i) - value).abs() < 1e-6;
    let stage = Stage::ALL.into_iter().enumerate().find(at);
    stage.map_or_else(String::new, |(_, stage)| named(stage))
}

fn stage_name(stage: Stage) -> String {
    StageView::of(stage).name().to_owned()
}

/// Returns the name of `stage`, shortened to fit under a narrow bar.
fn short_name(stage: Stage) -> String {
    const LONGEST: usize = 5;
    let name = stage_name(stage);
    if name.chars().count() <= LONGEST {
        return name;
    }
    let cut: String = name.chars().take(LONGEST - 1).collect();
    format!("{cut}.")
}

/// Returns the slowest tiles, the slowest first; tiles with equal times are in tile order.
fn slowest(bake: &BakeState) -> Vec<(TileCoord, Duration)> {
    let mut tiles: Vec<_> =
        bake.tiles.iter().map(|(coord, tile)| (*coord, tile.times.total())).collect();
    tiles.sort_by_key(|(coord, time)| (std::cmp::Reverse(*time), *coord));
    tiles.truncate(SLOWEST);
    tiles
}

fn slowest_ui(ui: &mut egui::Ui, view: &SessionView<'_>, theme: &Theme, out: &mut Commands) {
    let tiles = slowest(&view.bake);
    let longest = tiles.first().map_or(0.0, |(_, time)| millis(*time)).max(1e-6);
    egui::ScrollArea::vertical().auto_shrink([false, true]).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 2.0;
        for (coord, time) in tiles {
            let chosen = view.shown.chosen_tile == Some(coord);
            let share = millis(time) / longest;
            let accent = chosen.then_some(theme.accent);
            if tile_ui(ui, (coord, time), share, accent, theme).clicked() {
                out.push(ViewCommand::Tile((!chosen).then_some(coord)));
            }
        }
    });
}

fn tile_ui(
    ui: &mut egui::Ui,
    (coord, time): (TileCoord, Duration),
    share: f64,
    accent: Option<Color32>,
    theme: &Theme,
) -> egui::Response {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 20.0), Sense::click());
    let name = tr!("Tile {coord}");
    let time = format::millis(time);
    response.widget_info(|| {
        let role = egui::accesskit::Role::Button;
        egui::WidgetInfo::labeled(role, true, format!("{name}, {time}"))
    });
    let response = response.author_id(format_args!("profile.tile.{coord}"));
    let mut bar = rect;
    bar.set_width(rect.width() * fraction(share));
    let hovered = response.hovered() || response.has_focus();
    let fill = if hovered { theme.control_hover } else { theme.control };
    let fill = accent.map_or(fill, |accent| accent.gamma_multiply(0.35));
    let painter = ui.painter();
    painter.rect_filled(bar, 3.0, fill);
    let font = egui::TextStyle::Body.resolve(ui.style());
    let inner = rect.shrink2(vec2(6.0, 0.0));
    painter.text(inner.left_center(), egui::Align2::LEFT_CENTER, name, font.clone(), theme.text);
    painter.text(inner.right_center(), egui::Align2::RIGHT_CENTER, time, font, theme.text);
    response.on_hover_text(tr!("Show only this tile"))
}

fn totals_ui(ui: &mut egui::Ui, view: &SessionView<'_>) {
    heading(ui, tr!("Totals"));
    let total = view.bake.times(None).total();
    if let Some(elapsed) = view.bake.elapsed {
        fact(ui, tr!("Last bake"), &format::time(elapsed));
    }
    fact(ui, tr!("All threads"), &format::time(total));
    fact(ui, tr!("Tiles"), &format::count(view.bake.tiles.len()));
    let n_bytes = view.bake.tiles.values().map(|tile| tile.n_bytes).sum();
    fact(ui, tr!("Data of all tiles"), &format::bytes(n_bytes));
    let failed = view.bake.tiles.values().filter(|tile| tile.error.is_some()).count();
    if failed > 0 {
        let theme = Theme::of(ui.ctx().theme());
        let text = format::counted(failed, "tile failed", "tiles failed");
        ui.label(RichText::new(text).color(theme.error));
    }
}

fn queries_ui(ui: &mut egui::Ui, view: &SessionView<'_>) {
    let path = view.path.answer.as_ref().map(|answer| (view.path.method.name(), answer.time));
    let query_tool = view
        .tools
        .query_tool
        .answer
        .as_ref()
        .map(|answer| (view.tools.query_tool.mode.name(), answer.time));
    if path.is_none() && query_tool.is_none() {
        return;
    }
    heading(ui, tr!("Queries"));
    for (name, time) in path.into_iter().chain(query_tool) {
        fact(ui, name, &format::time(time));
    }
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

#[expect(clippy::cast_precision_loss, reason = "counts of bars and points are small")]
fn position(n: usize) -> f64 {
    n as f64
}

#[expect(clippy::cast_possible_truncation, reason = "a width needs few digits")]
fn fraction(share: f64) -> f32 {
    share.clamp(0.0, 1.0) as f32
}
