//! The pipeline as one row of steps, each with its time and count. The one shown is lit.

use std::time::Duration;

use eframe::egui::{
    self, Align2, Color32, CornerRadius, FontId, Rect, Response, RichText, Sense, WidgetInfo,
    accesskit::Role, pos2, scroll_area::ScrollBarVisibility, vec2,
};
use egui_material_icons::icons;
use walkable::{ids::TileCoord, navmesh::NavMesh};
use walkable_editor::{
    command::{Command, Commands, ViewCommand},
    format,
    session::{SessionView, StageFigure, StageView, n_walkable_polys},
};

use crate::{
    theme::{BASE_SIZE, CAPTION_SIZE, Theme},
    widgets::{author_id::AuthorId as _, command_button::icon_button},
};

/// Height of a step.
const HEIGHT: f32 = 42.0;
/// Narrowest step that shows its name in full.
const MIN_WIDTH: f32 = 92.0;
/// Width of the tile chooser on the right.
const CHOOSER_WIDTH: f32 = 116.0;
/// Width of the play button on the left.
const PLAY_WIDTH: f32 = 40.0;

/// The strip and what it counted last.
#[derive(Debug, Default)]
pub struct StageStrip {
    /// Figures of all steps, and what they were counted for.
    figures: Option<(FigureKey, [StageFigure; StageView::ALL.len()])>,
    /// The stage that was scrolled to last.
    shown: Option<StageView>,
}

/// Equal keys, equal figures: tile results (the newest serial and their number), the chosen tile, the level, the navmesh.
type FigureKey = (u64, usize, Option<TileCoord>, u64, u64);

impl StageStrip {
    /// Draws the strip.
    pub fn ui(&mut self, ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
        let size = vec2(ui.available_width(), HEIGHT);
        let (row, _) = ui.allocate_exact_size(size, Sense::hover());
        let (play, rest) = row.split_left_right_at_x(row.left() + PLAY_WIDTH);
        let (steps, chooser) = rest.split_left_right_at_x(rest.right() - CHOOSER_WIDTH);
        let part = |rect| egui::UiBuilder::new().max_rect(rect);
        ui.scope_builder(part(play), |ui| play_ui(ui, view, out));
        ui.scope_builder(part(chooser), |ui| chooser_ui(ui, view, out));
        ui.scope_builder(part(steps), |ui| {
            let scroll = egui::ScrollArea::horizontal().auto_shrink(false);
            scroll.scroll_bar_visibility(ScrollBarVisibility::AlwaysHidden).show(ui, |ui| {
                ui.spacing_mut().item_spacing.x = 0.0;
                ui.horizontal(|ui| self.steps_ui(ui, steps.width(), view, out));
            });
        });
    }

    fn steps_ui(
        &mut self,
        ui: &mut egui::Ui,
        room: f32,
        view: &SessionView<'_>,
        out: &mut Commands,
    ) {
        /// As many steps as there are stages.
        #[expect(clippy::cast_precision_loss, reason = "a dozen")]
        const N: f32 = StageView::ALL.len() as f32;
        let width = (room / N).max(MIN_WIDTH).floor();
        let figures = self.figures(view);
        let longest = figures.iter().filter_map(|figure| figure.time).max().unwrap_or_default();
        let moved = self.shown.replace(view.stage) != Some(view.stage);
        for (stage, figure) in StageView::ALL.into_iter().zip(&figures) {
            let current = stage == view.stage;
            let share = share(figure.time, longest);
            let rect = step_ui(ui, width, &Step { stage, figure, share, current }, out);
            if moved && current {
                ui.scroll_to_rect(rect, None);
            }
        }
    }

    fn figures(&mut self, view: &SessionView<'_>) -> [StageFigure; StageView::ALL.len()] {
        let newest = view.bake.tiles.values().map(|tile| tile.serial).max().unwrap_or(0);
        let level = view.revision().level;
        let navmesh = view.bake.navmesh_serial;
        let key = (newest, view.bake.tiles.len(), view.chosen_tile, level, navmesh);
        match &self.figures {
            Some((old, figures)) if *old == key => *figures,
            _ => {
                let figures = StageView::ALL.map(|stage| figure(view, stage));
                self.figures = Some((key, figures));
                figures
            }
        }
    }
}

/// Time and count of a step; the input's count is the level's triangles.
pub fn figure(view: &SessionView<'_>, stage: StageView) -> StageFigure {
    let mut figure = view.bake.figure(stage, view.chosen_tile);
    if stage == StageView::Input {
        figure.count = view.level.as_ref().map(|level| level.mesh.triangles().len());
    }
    if stage == StageView::Navmesh {
        // As it is used: islands and tiles that were removed do not count.
        let tiles = view.bake.navmesh.as_deref().map(NavMesh::tiles);
        let chosen = tiles.map(|tiles| tiles.filter(|tile| view.is_shown(tile)));
        figure.count = chosen.map(|tiles| tiles.map(n_walkable_polys).sum());
    }
    figure
}

struct Step<'a> {
    stage: StageView,
    figure: &'a StageFigure,
    /// Its part of the longest step's time, from 0 to 1.
    share: f32,
    /// Whether it is the one shown.
    current: bool,
}

fn share(time: Option<Duration>, longest: Duration) -> f32 {
    let time = time.unwrap_or_default();
    if longest.is_zero() { 0.0 } else { time.as_secs_f32() / longest.as_secs_f32() }
}

fn play_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    let icon = if view.playing { icons::ICON_PAUSE } else { icons::ICON_PLAY_ARROW };
    ui.centered_and_justified(|ui| {
        ui.add_enabled_ui(view.level.is_some(), |ui| {
            icon_button(ui, icon, view.playing.into(), Command::View(ViewCommand::PlayStages), out);
        });
    });
}

fn step_ui(ui: &mut egui::Ui, width: f32, step: &Step<'_>, out: &mut Commands) -> Rect {
    let (rect, response) = ui.allocate_exact_size(vec2(width, HEIGHT), Sense::click());
    let current = step.current;
    let name = format!("{} stage", step.stage.name());
    response.widget_info(|| WidgetInfo::selected(Role::Button, true, current, &name));
    if current && response.has_focus() {
        response.surrender_focus();
    }
    paint_step(ui, rect, step, &response);
    let show = Command::from(ViewCommand::Stage(step.stage));
    let response = response.author_id(show.id());
    if response.clicked() {
        out.push(show);
    }
    response.on_hover_ui(|ui| tooltip_ui(ui, step));
    rect
}

fn paint_step(ui: &egui::Ui, rect: Rect, step: &Step<'_>, response: &Response) {
    let current = step.current;
    let theme = Theme::of(ui.ctx().theme());
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    let fill = match (current, response.hovered()) {
        (true, _) => theme.selection,
        (false, true) => theme.control,
        (false, false) => Color32::TRANSPARENT,
    };
    let body = rect.shrink2(vec2(1.0, 2.0));
    painter.rect_filled(body, CornerRadius::same(4), fill);
    let x = body.left() + 9.0;
    let name_at = pos2(x, body.top() + 5.0);
    let name = FontId::proportional(BASE_SIZE);
    painter.text(name_at, Align2::LEFT_TOP, step.stage.name(), name, theme.text);
    let caption = FontId::proportional(CAPTION_SIZE);
    let caption_at = pos2(x, body.top() + 21.0);
    painter.text(caption_at, Align2::LEFT_TOP, figures_text(step.figure), caption, theme.text_weak);
    // A thin line as long as the step's part of the time shows at a glance which one is slow.
    let rail = Rect::from_min_size(pos2(x, body.bottom() - 2.0), vec2(body.width() - 18.0, 2.0));
    let bar = Rect::from_min_size(rail.min, vec2(rail.width() * step.share, rail.height()));
    painter.rect_filled(bar, 1.0, if current { theme.accent } else { theme.border });
    if step.stage != StageView::Navmesh {
        let at = pos2(rect.right() - 1.0, rect.center().y);
        let font = FontId::proportional(BASE_SIZE);
        let chevron = icons::ICON_CHEVRON_RIGHT.codepoint;
        painter.text(at, Align2::RIGHT_CENTER, chevron, font, theme.border);
    }
}

/// "12 ms · 4.1k", as much of it as is known.
fn figures_text(figure: &StageFigure) -> String {
    let time = figure.time.map(format::time);
    let count = figure.count.map(format::short_count);
    match (time, count) {
        (Some(time), Some(count)) => format!("{time} · {count}"),
        (Some(text), None) | (None, Some(text)) => text,
        (None, None) => "–".to_owned(),
    }
}

fn tooltip_ui(ui: &mut egui::Ui, step: &Step<'_>) {
    ui.strong(step.stage.name());
    ui.label(step.stage.what());
    if let Some(count) = step.figure.count {
        ui.weak(format!("{} {}", format::count(count), step.figure.unit));
    }
    if let Some(time) = step.figure.time {
        ui.weak(format!("{}, summed over tiles", format::time(time)));
    }
}

/// Which tile the figures and pictures are of.
fn chooser_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
        let text = match view.chosen_tile {
            Some(tile) => format!("Tile {tile}"),
            None => "All tiles".to_owned(),
        };
        ui.add_enabled_ui(view.bake.tiles.len() > 1, |ui| {
            let combo = egui::ComboBox::from_id_salt("tile").selected_text(RichText::new(text));
            let combo = combo.width(CHOOSER_WIDTH - 16.0);
            let response = combo.show_ui(ui, |ui| tiles_ui(ui, view, out)).response;
            response.widget_info(|| WidgetInfo::labeled(Role::ComboBox, true, "Tile shown"));
            response
                .author_id("view.tile")
                .on_hover_text("Whose stages are shown: all tiles, or one");
        });
    });
}

fn tiles_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    let mut entry = |ui: &mut egui::Ui, tile: Option<TileCoord>, text: String| {
        if ui.selectable_label(view.chosen_tile == tile, text).clicked() {
            out.push(ViewCommand::Tile(tile));
        }
    };
    entry(ui, None, "All tiles".to_owned());
    for (coord, tile) in &view.bake.tiles {
        let failed = if tile.error.is_some() { " (failed)" } else { "" };
        entry(ui, Some(*coord), format!("Tile {coord}{failed}"));
    }
}
