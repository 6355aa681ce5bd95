//! The stages of the pipeline in five groups. The current stage is highlighted, with its time and count.

use std::{collections::BTreeMap, time::Duration};

use eframe::egui::{
    self, Align2, Color32, CornerRadius, FontId, Rect, Response, RichText, Sense, TextWrapMode,
    WidgetInfo, WidgetText, accesskit::Role, pos2, scroll_area::ScrollBarVisibility, vec2,
};
use walkable::{bake::Stage, ids::TileCoord};
use walkable_editor::{
    command::{Command, Commands, ViewCommand},
    session::{SessionView, StageFigure},
};
use walkable_workspace::{
    format,
    lang::tr,
    stage_view::{StageGroup, StageView},
};

use super::stage_figures::StageFigures;
use crate::{
    icons,
    theme::{BASE_SIZE, CAPTION_SIZE, Theme},
    widgets::{author_id::AuthorId as _, command_button::icon_button},
};

const HEIGHT: f32 = 42.0;
const CAPTION_HEIGHT: f32 = 16.0;
const MARGIN: f32 = 7.0;
/// Minimum share of the longest time for which a stage has a bar.
const MIN_SHARE: f32 = 0.1;
const GAP: f32 = 9.0;
/// Minimum share of their width that names of groups have.
const LEAST_NAME_SHARE: f32 = 0.4;
const CHOOSER_WIDTH: f32 = 116.0;
const PLAY_WIDTH: f32 = 40.0;

#[derive(Debug, Default)]
pub struct StageStrip {
    /// The stage that was scrolled to last, and the width of the strip then.
    shown: Option<(StageView, f32)>,
}

impl StageStrip {
    pub fn ui(
        &mut self,
        ui: &mut egui::Ui,
        view: &SessionView<'_>,
        figures: &StageFigures,
        out: &mut Commands,
    ) {
        let size = vec2(ui.available_width(), HEIGHT);
        let (row, _) = ui.allocate_exact_size(size, Sense::hover());
        let (play, rest) = row.split_left_right_at_x(row.left() + PLAY_WIDTH);
        // With a single tile, there is nothing to choose.
        let chooser_width = if view.bake.tiles.len() > 1 { CHOOSER_WIDTH } else { 0.0 };
        let (steps, chooser) = rest.split_left_right_at_x(rest.right() - chooser_width);
        let part = |rect| egui::UiBuilder::new().max_rect(rect);
        ui.scope_builder(part(play), |ui| play_ui(ui, view, out));
        if chooser_width > 0.0 {
            ui.scope_builder(part(chooser), |ui| chooser_ui(ui, view, out));
        }
        ui.scope_builder(part(steps), |ui| {
            let scroll = egui::ScrollArea::horizontal().auto_shrink(false);
            scroll.scroll_bar_visibility(ScrollBarVisibility::AlwaysHidden).show(ui, |ui| {
                ui.spacing_mut().item_spacing.x = GAP;
                ui.horizontal(|ui| self.groups_ui(ui, steps.width(), (view, figures), out));
            });
        });
    }

    fn groups_ui(
        &mut self,
        ui: &mut egui::Ui,
        room: f32,
        (view, figures): (&SessionView<'_>, &StageFigures),
        out: &mut Commands,
    ) {
        let figures = figures.stages();
        let longest = figures.iter().filter_map(|figure| figure.time).max().unwrap_or_default();
        let moved = self.shown.replace((view.shown.stage, room)) != Some((view.shown.stage, room));
        let steps = StageView::ALL.into_iter().zip(figures).map(|(stage, figure)| StripEntry {
            stage,
            figure,
            share: share(figure.time, longest),
            current: stage == view.shown.stage,
        });
        let steps: Vec<_> = steps.collect();
        let groups = StageGroup::ALL.map(|group| Group::new(ui, group, &steps));
        let FittedGroups { shows, name_share } = fit(&groups, view.shown.stage.group(), room);
        for (group, shows) in groups.iter().zip(shows) {
            let width = match shows {
                Shows::Stages => group.width(shows),
                Shows::Name => group.width(shows) * name_share,
            };
            let rect = group.ui(ui, shows, width, out);
            if moved && group.id == view.shown.stage.group() {
                ui.scroll_to_rect(rect, None);
            }
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shows {
    Stages,
    Name,
}

struct FittedGroups {
    shows: [Shows; 5],
    /// Share of their width that names have; below 1 if not all fit.
    name_share: f32,
}

/// Chooses what the groups show in a strip of width `room`: the current one and those nearest to it that fit show their
/// stages, the others only their names, which are truncated if necessary.
fn fit(groups: &[Group<'_>; 5], current: StageGroup, room: f32) -> FittedGroups {
    let is_current = |group: &Group<'_>| group.id == current;
    let mut fitted =
        groups.each_ref().map(|group| if is_current(group) { Shows::Stages } else { Shows::Name });
    let width = |group: &Group<'_>, shows: Shows| GAP + group.width(shows);
    let least: f32 = groups.iter().zip(fitted).map(|(group, shows)| width(group, shows)).sum();
    let mut rest = room - least;
    let at = groups.iter().position(is_current).unwrap_or(0);
    let mut nearest: Vec<usize> = (0..groups.len()).collect();
    nearest.sort_by_key(|index| index.abs_diff(at));
    for index in nearest {
        let more = width(&groups[index], Shows::Stages) - width(&groups[index], fitted[index]);
        if more <= rest {
            fitted[index] = Shows::Stages;
            rest -= more;
        }
    }
    let names = groups.iter().filter(|group| !is_current(group));
    let names: f32 = names.map(|group| group.width(Shows::Name)).sum();
    let name_share = (1.0 + rest.min(0.0) / names).max(LEAST_NAME_SHARE);
    FittedGroups { shows: fitted, name_share }
}

struct Group<'a> {
    id: StageGroup,
    caption: String,
    caption_width: f32,
    name_width: f32,
    steps: Vec<(&'a StripEntry<'a>, f32)>,
}

impl<'a> Group<'a> {
    fn new(ui: &egui::Ui, group: StageGroup, steps: &'a [StripEntry<'a>]) -> Self {
        let width = |text: &str, size: f32| {
            let font = FontId::proportional(size);
            ui.painter().layout_no_wrap(text.to_owned(), font, Color32::WHITE).size().x
        };
        let own = steps.iter().filter(|step| step.stage.group() == group);
        let steps: Vec<_> = own.map(|step| (step, width(step.stage.name(), BASE_SIZE))).collect();
        let current = steps.iter().find(|(step, _)| step.current);
        let facts = current.and_then(|(step, _)| facts(step.stage, step.figure));
        let facts = facts.or_else(|| time_of(steps.iter().map(|(step, _)| *step)));
        let caption = [Some(group.name().to_owned()), facts].into_iter().flatten();
        let caption = caption.collect::<Vec<_>>().join(" \u{b7} ");
        Self {
            id: group,
            caption_width: width(&caption, CAPTION_SIZE),
            caption,
            name_width: width(group.name(), BASE_SIZE),
            steps,
        }
    }

    fn width(&self, shows: Shows) -> f32 {
        if shows == Shows::Name {
            return self.name_width + 2.0 * MARGIN;
        }
        let stages: f32 = self.steps.iter().map(|(_, width)| width + 2.0 * MARGIN).sum();
        stages.max(self.caption_width + 2.0 * MARGIN)
    }

    fn ui(&self, ui: &mut egui::Ui, shows: Shows, width: f32, out: &mut Commands) -> Rect {
        let (rect, _) = ui.allocate_exact_size(vec2(width, HEIGHT), Sense::hover());
        let theme = Theme::of(ui.ctx().theme());
        if self.id != StageGroup::Mesh {
            let line = rect.shrink2(vec2(0.0, 8.0)).y_range();
            ui.painter().vline(rect.right() + GAP / 2.0, line, (1.0, theme.border));
        }
        if shows == Shows::Name {
            self.name_ui(ui, rect, out);
            return rect;
        }
        let caption_at = pos2(rect.left() + MARGIN, rect.top() + 2.0);
        let font = FontId::proportional(CAPTION_SIZE);
        ui.painter().text(caption_at, Align2::LEFT_TOP, &self.caption, font, theme.text_weak);
        let mut x = rect.left();
        for (step, width) in &self.steps {
            let width = width + 2.0 * MARGIN;
            let size = vec2(width, rect.height() - CAPTION_HEIGHT);
            step_ui(ui, Rect::from_min_size(pos2(x, rect.top() + CAPTION_HEIGHT), size), step, out);
            x += width;
        }
        rect
    }

    /// Returns the last stage with a result; without results, the last stage.
    fn last(&self) -> Option<&StripEntry<'a>> {
        let mut steps = self.steps.iter().map(|(step, _)| *step).rev();
        let with_result = steps.clone().find(|step| step.figure.count.is_some());
        with_result.or_else(|| steps.next())
    }

    /// Draws only the name, which shows the last stage of the group that has a result.
    fn name_ui(&self, ui: &egui::Ui, rect: Rect, out: &mut Commands) {
        let Some(last) = self.last() else { return };
        let theme = Theme::of(ui.ctx().theme());
        let name = self.id.name();
        let id = ui.scope_id().with(name);
        let response = ui.interact(rect, id, Sense::click());
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, name));
        let response = response
            .author_id(format_args!("view.stage-group.{}", name.to_lowercase()))
            .on_hover_text(tr!("Shows {}", format::within(last.stage.name())));
        if response.hovered() {
            ui.painter().rect_filled(rect.shrink2(vec2(0.0, 3.0)), 4.0, theme.control);
        }
        let text = WidgetText::from(name).into_galley(
            ui,
            Some(TextWrapMode::Truncate),
            rect.width(),
            FontId::proportional(BASE_SIZE),
        );
        let at = Align2::CENTER_CENTER.align_size_within_rect(text.size(), rect).min;
        ui.painter().galley(at, text, theme.text);
        if response.clicked() {
            out.push(ViewCommand::Stage(last.stage));
        }
    }
}

/// Returns the time spent in all steps of a group; `None` if nothing was baked.
fn time_of<'a>(steps: impl Iterator<Item = &'a StripEntry<'a>>) -> Option<String> {
    let times = steps.filter_map(|step| Some((step.stage.stage()?, step.figure.time?)));
    // Raw contours and contours are made in one stage of the bake.
    let times: BTreeMap<Stage, Duration> = times.collect();
    (!times.is_empty()).then(|| format::time(times.into_values().sum()))
}

struct StripEntry<'a> {
    stage: StageView,
    figure: &'a StageFigure,
    /// Time as a share of the longest stage's, from 0 to 1.
    share: f32,
    current: bool,
}

fn share(time: Option<Duration>, longest: Duration) -> f32 {
    let time = time.unwrap_or_default();
    if longest.is_zero() { 0.0 } else { time.as_secs_f32() / longest.as_secs_f32() }
}

fn play_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    let icon = if view.shown.playing { icons::ICON_PAUSE } else { icons::ICON_PLAY_ARROW };
    ui.centered_and_justified(|ui| {
        ui.add_enabled_ui(view.opened.level.is_some(), |ui| {
            icon_button(
                ui,
                icon,
                view.shown.playing.into(),
                Command::from(ViewCommand::PlayStages),
                out,
            );
        });
    });
}

fn step_ui(ui: &egui::Ui, rect: Rect, step: &StripEntry<'_>, out: &mut Commands) {
    let current = step.current;
    let response = ui.interact(rect, ui.scope_id().with(step.stage.name()), Sense::click());
    let name = tr!("{} stage", step.stage.name());
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
}

fn paint_step(ui: &egui::Ui, rect: Rect, step: &StripEntry<'_>, response: &Response) {
    let current = step.current;
    let theme = Theme::of(ui.ctx().theme());
    let painter = ui.painter();
    let fill = match (current, response.hovered()) {
        (true, _) => theme.selection,
        (false, true) => theme.control,
        (false, false) => Color32::TRANSPARENT,
    };
    let body = rect.with_max_y(rect.bottom() - 3.0);
    painter.rect_filled(body, CornerRadius::same(4), fill);
    let name = FontId::proportional(BASE_SIZE);
    let name_at = body.center() - vec2(0.0, 1.0);
    painter.text(name_at, Align2::CENTER_CENTER, step.stage.name(), name, theme.text);
    // A line with the length of the stage's share of the time shows which stage is slow.
    let rail = body.shrink2(vec2(MARGIN, 0.0)).with_min_y(body.bottom() - 2.0);
    let bar = Rect::from_min_size(rail.min, vec2(rail.width() * step.share, rail.height()));
    if step.share >= MIN_SHARE {
        painter.rect_filled(bar, 1.0, if current { theme.accent } else { theme.control_border });
    }
}

fn facts(stage: StageView, figure: &StageFigure) -> Option<String> {
    let count = figure.count.map(|count| stage.count_text(&format::short_count(count)));
    let facts: Vec<_> = [count, figure.time.map(format::time)].into_iter().flatten().collect();
    (!facts.is_empty()).then(|| facts.join(" \u{b7} "))
}

fn tooltip_ui(ui: &mut egui::Ui, step: &StripEntry<'_>) {
    ui.strong(step.stage.name());
    ui.label(step.stage.what());
    if let Some(count) = step.figure.count {
        ui.weak(step.stage.count_text(&format::count(count)));
    }
    if let Some(time) = step.figure.time {
        ui.weak(tr!("{}, summed over tiles", format::time(time)));
    }
}

fn chooser_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
        let text = match view.shown.chosen_tile {
            Some(tile) => tr!("Tile {tile}"),
            None => tr!("All tiles").to_owned(),
        };
        let combo = egui::ComboBox::from_id_salt("tile").selected_text(RichText::new(text));
        let combo = combo.width(CHOOSER_WIDTH - 16.0);
        let response = combo.show_ui(ui, |ui| tiles_ui(ui, view, out)).response;
        response.widget_info(|| WidgetInfo::labeled(Role::ComboBox, true, tr!("Tile shown")));
        let response = response.author_id("view.tile");
        response.on_hover_text(tr!("The tile whose stages are shown: one, or all"));
    });
}

fn tiles_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    let mut entry = |ui: &mut egui::Ui, tile: Option<TileCoord>, text: String| {
        if ui.selectable_label(view.shown.chosen_tile == tile, text).clicked() {
            out.push(ViewCommand::Tile(tile));
        }
    };
    entry(ui, None, tr!("All tiles").to_owned());
    for (coord, tile) in view.bake.tiles.iter() {
        let failed = if tile.error.is_some() { tr!(" (failed)") } else { "" };
        entry(ui, Some(*coord), tr!("Tile {coord}{failed}"));
    }
}
