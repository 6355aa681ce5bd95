//! Overlays on the 3D view: remarks on the picture at the top, the legend at the bottom, or the start page.

use std::collections::BTreeSet;

use eframe::egui::{
    self, Align2, Area, Button, Color32, CornerRadius, Frame, Id, Label, Margin, Order, Rect,
    RichText, pos2,
};
use walkable::{debug_draw::Paint, ids::AreaId};
use walkable_editor::{
    area_names::area_name,
    coloring,
    command::Commands,
    level_colors::{LevelColors, slope_color},
    pictures::{is_colored, shown_path},
    session::{LayerShow, Overlay, SessionView, Slice},
};
use walkable_workspace::{
    format,
    lang::{self, tr},
    stage_view::StageView,
};

use crate::{
    icons,
    panels::{
        Chrome, MemoryUse, crowd::legend_ui as legend_of_crowd, files::start::start_page_ui,
        lab::playback::legend_ui as legend_of_search,
    },
    theme::Theme,
    widgets::{author_id::AuthorId as _, legend::swatch},
};

pub fn hud_ui(
    ctx: &egui::Context,
    rect: Rect,
    view: &SessionView<'_>,
    chrome: &Chrome<'_>,
    out: &mut Commands,
) {
    let theme = Theme::of(ctx.theme()).with_areas(&view.document().areas);
    if view.is_empty() {
        start_page_ui(ctx, rect, &theme, chrome, out);
        return;
    }
    let at = rect.left_top() + egui::vec2(INSET, INSET);
    card(ctx, &theme, "remarks", at, Align2::LEFT_TOP, |ui| {
        if let Some((text, color)) = trouble(view, chrome, &theme) {
            ui.set_max_width(320.0);
            ui.add(Label::new(RichText::new(text).color(color)).wrap());
        }
        remarks_ui(ui, &theme, view, chrome);
    });
    if chrome.prefs.legend {
        let player = if view.animation().is_some() { PLAYER_HEIGHT } else { 0.0 };
        let at = rect.left_bottom() + egui::vec2(INSET, -ABOVE_HINTS - player);
        foldable_legend_ui(ctx, rect, at, view, chrome, &theme);
    }
}

/// Distance of overlays from the edges of the view, in points.
const INSET: f32 = 10.0;
/// Distance of overlays from the lower edge of the view, above the hints of the tool, in points.
pub const ABOVE_HINTS: f32 = 50.0;
/// Height of the controls of an animation with the space above them, in points.
const PLAYER_HEIGHT: f32 = 46.0;

/// Draws the legend. If it is too large for the view, which covers `rect`, only its header is drawn until the user
/// opens it.
fn foldable_legend_ui(
    ctx: &egui::Context,
    rect: Rect,
    mut at: egui::Pos2,
    view: &SessionView<'_>,
    chrome: &Chrome<'_>,
    theme: &Theme,
) {
    let mut fold = LegendFold::of(ctx, rect, view, chrome);
    if fold.is_large {
        at.y -= fold.header_ui(ctx, theme, at);
    }
    if fold.is_open || !fold.is_large {
        card(ctx, theme, "legend", at, Align2::LEFT_BOTTOM, |ui| {
            legends_ui(ui, theme, view);
            if chrome.prefs.level_colors == LevelColors::Slope && view.opened.level.is_some() {
                slope_ui(ui, view);
            }
            fold.measure(ui.ctx(), ui.min_size(), rect.size());
        });
    }
    ctx.data_mut(|data| data.insert_temp(LegendFold::id(), fold));
}

/// Share of the view above which the legend is folded until the user opens it.
const MAX_LEGEND: f32 = 0.15;

#[derive(Clone, Debug, Default, PartialEq)]
struct LegendFold {
    content: String,
    is_large: bool,
    /// Whether the user opened it although it is large.
    is_open: bool,
}

impl LegendFold {
    fn id() -> Id {
        Id::unique("legend fold")
    }

    /// Returns the state of the last frame. A legend with other content is measured again.
    fn of(ctx: &egui::Context, rect: Rect, view: &SessionView<'_>, chrome: &Chrome<'_>) -> Self {
        let display = &view.shown.display;
        let painted: BTreeSet<u8> = view.document().painted_areas().collect();
        let content = format!(
            "{:?} {} {:?} {:?} {:?} {:?} {painted:?} {} {:?} {:?} {} {} {} {} {}",
            rect.size(),
            ctx.pixels_per_point(),
            view.shown.stage,
            shown_path(view),
            display.overlays,
            (display.color_by, &display.layers, chrome.prefs.level_colors),
            view.document().draws_margins(),
            drawn_items(view),
            view.path.replay.step.is_some(),
            view.path.second_answer.is_some(),
            view.path_breaks().is_some(),
            view.bake.tiles.len() > 1,
            view.bake.layered().is_some(),
            view.lab.drawn().count(),
        );
        let kept: Self = ctx.data(|data| data.get_temp(Self::id())).unwrap_or_default();
        let is_large = kept.is_large && kept.content == content;
        Self { content, is_large, is_open: kept.is_open }
    }

    /// Draws the header, which opens and folds the legend above it. Returns its height.
    fn header_ui(&mut self, ctx: &egui::Context, theme: &Theme, at: egui::Pos2) -> f32 {
        let area = Area::new(Id::unique("legend header")).fixed_pos(at).pivot(Align2::LEFT_BOTTOM);
        let shown = area.order(Order::Background).show(ctx, |ui| {
            let frame = Frame::new().fill(theme.foreground).corner_radius(CornerRadius::same(6));
            frame.show(ui, |ui| {
                let icon = if self.is_open {
                    icons::ICON_KEYBOARD_ARROW_DOWN
                } else {
                    icons::ICON_KEYBOARD_ARROW_UP
                };
                let text = RichText::new(format!("{} {}", tr!("Legend"), icon.codepoint)).small();
                let button = ui.add(Button::new(text).frame_when_inactive(false));
                if button.author_id("legend.fold").clicked() {
                    self.is_open = !self.is_open;
                }
            });
        });
        shown.response.rect.height() + 4.0
    }

    /// Folds the legend if it has `size` and covers too much of a view of size `view`. This frame is then drawn again.
    fn measure(&mut self, ctx: &egui::Context, size: egui::Vec2, view: egui::Vec2) {
        if !self.is_large && size.x * size.y > MAX_LEGEND * view.x * view.y {
            self.is_large = true;
            ctx.request_discard("the legend is folded");
        }
    }
}

/// Draws a translucent card that does not intercept the pointer; nothing if `content` draws nothing.
pub fn card(
    ctx: &egui::Context,
    theme: &Theme,
    id: &str,
    at: egui::Pos2,
    pivot: Align2,
    content: impl FnOnce(&mut egui::Ui),
) {
    let area = Area::new(Id::unique(id)).fixed_pos(at).pivot(pivot).order(Order::Background);
    area.interactable(false).show(ctx, |ui| {
        let frame = Frame::new()
            .fill(theme.foreground)
            .corner_radius(CornerRadius::same(6))
            .inner_margin(Margin::symmetric(10, 8));
        // The margin and the fill of an empty card would remain visible.
        let mut prepared = frame.begin(ui);
        let inner = &mut prepared.content_ui;
        inner.style_mut().wrap_mode = Some(egui::TextWrapMode::Extend);
        inner.spacing_mut().item_spacing.y = 3.0;
        inner.spacing_mut().interact_size.y = 15.0;
        content(inner);
        if inner.min_size().y > 0.0 {
            prepared.end(ui);
        }
    });
}

fn remarks_ui(ui: &mut egui::Ui, theme: &Theme, view: &SessionView<'_>, chrome: &Chrome<'_>) {
    let stage = view.shown.stage;
    let display = &view.shown.display;
    if display.slice != Slice::ALL {
        let story = display.story.map(|(number, n)| tr!("story {number} of {n}"));
        let text =
            tr!("Sliced by height: {}", story.as_deref().unwrap_or_else(|| tr!("part of all")));
        ui.label(RichText::new(text).color(theme.accent));
    }
    let under = display.under.iter().filter(|(other, _)| *other != stage);
    let under: Vec<_> = under.map(|(stage, _)| format::within(stage.name())).collect();
    if !under.is_empty() {
        ui.label(RichText::new(tr!("With {}", under.join(", "))).color(theme.accent));
    }
    if display.divider.is_some() {
        let text = match &view.bake.before {
            Some(_) if view.preview.is_some() => tr!("Now on the left, what if on the right"),
            None => tr!("Nothing to compare with yet: bake again"),
            Some(before) if before.is_pinned => tr!("Pinned bake left, current bake right"),
            Some(_) => tr!("Previous bake left, current bake right"),
        };
        ui.label(RichText::new(text).color(theme.accent));
    }
    if chrome.memory.simplifies_level && view.shown.show_level {
        let text = tr!(
            "Level simplified: drawing all of it takes more than the memory budget of {} MiB (Edit, Preferences)",
            chrome.prefs.memory.mib
        );
        ui.label(RichText::new(text).color(theme.warning));
    }
    if let Some(text) = missing(view, chrome) {
        ui.label(RichText::new(text).color(theme.warning));
    }
}

/// Draws the legend as a card, for a picture that is saved, with `note` as its last line.
pub fn legend_card_ui(
    ui: &mut egui::Ui,
    theme: &Theme,
    view: &SessionView<'_>,
    note: Option<&str>,
) {
    let frame = Frame::new()
        .fill(theme.foreground)
        .corner_radius(CornerRadius::same(6))
        .inner_margin(Margin::symmetric(10, 8));
    frame.show(ui, |ui| {
        ui.style_mut().wrap_mode = Some(egui::TextWrapMode::Extend);
        ui.spacing_mut().item_spacing.y = 3.0;
        ui.spacing_mut().interact_size.y = 15.0;
        ui.label(RichText::new(view.shown.stage.name()).strong());
        legends_ui(ui, theme, view);
        if let Some(note) = note {
            ui.label(RichText::new(note).small());
        }
    });
}

fn legends_ui(ui: &mut egui::Ui, theme: &Theme, view: &SessionView<'_>) {
    if view.lab.drawn().next().is_none() {
        legend_ui(ui, theme, view);
    }
    // Searches side by side have their own legends, each in its half.
    let drawn = view.lab.drawn().filter(|_| !view.lab.is_split());
    for (number, row) in (0..).zip(drawn) {
        ui.add_space(2.0);
        ui.label(RichText::new(row.searcher.name()).strong());
        legend_of_search(ui, row, number);
    }
}

/// Returns why the picture of the stage is missing or incomplete, if it is.
fn missing(view: &SessionView<'_>, chrome: &Chrome<'_>) -> Option<String> {
    if view.bake.tiles.is_empty() {
        return None;
    }
    let MemoryUse { n_wanted, n_left_out, .. } = chrome.memory;
    let tiles = |n| format::counted(n, "tile", "tiles");
    if n_wanted > 0 {
        return Some(tr!("Baking the stages of {} again…", tiles(n_wanted)));
    }
    if n_left_out > 0 {
        return Some(tr!(
            "{} not shown: farther than the memory budget of {} MiB reaches (Edit, Preferences)",
            tiles(n_left_out),
            chrome.prefs.memory.mib
        ));
    }
    let no_distance = view.shown.stage == StageView::Distance
        && chrome.figures.of(view.shown.stage).count.is_none();
    no_distance.then(|| tr!("Only the watershed partition needs distances").to_owned())
}

fn legend_ui(ui: &mut egui::Ui, theme: &Theme, view: &SessionView<'_>) {
    let entry = |ui: &mut egui::Ui, paint: Paint, name: &str| {
        ui.horizontal(|ui| {
            swatch(ui, theme.paint(paint));
            ui.add(Label::new(RichText::new(name).small()));
        });
    };
    match view.shown.stage {
        StageView::Input => {}
        StageView::Slope => {
            entry(ui, Paint::LevelWalkable, tr!("Flat enough to stand on"));
            entry(ui, Paint::LevelSteep, tr!("Too steep"));
        }
        StageView::Spans => {
            entry(ui, Paint::Area(AreaId::GROUND), tr!("Walkable"));
            entry(ui, Paint::Blocked, tr!("Not walkable"));
        }
        StageView::Compact => {
            areas_ui(ui, view, &entry);
            entry(ui, Paint::CellEdge, tr!("Linked to the next cell"));
            entry(ui, Paint::MissingLink, tr!("Not linked: step, drop or low clearance"));
        }
        StageView::Filtered => {
            entry(ui, Paint::Area(AreaId::GROUND), tr!("Walkable"));
            entry(ui, Paint::Lost, tr!("Removed by filter: ledge, low clearance"));
            entry(ui, Paint::Blocked, tr!("Not walkable before"));
        }
        StageView::Eroded => {
            areas_ui(ui, view, &entry);
            entry(ui, Paint::Lost, tr!("Too close to a wall or drop"));
        }
        StageView::Distance => distance_ui(ui, theme, view),
        StageView::Regions | StageView::ContoursRaw => {
            ui.label(RichText::new(tr!("One color per region")).small());
        }
        StageView::Contours => {
            ui.label(RichText::new(tr!("One color per region")).small());
            entry(ui, Paint::RawContour, tr!("Raw contour"));
        }
        StageView::Layers => layers_ui(ui, view, &entry),
        StageView::Polygons | StageView::Detail | StageView::Navmesh => {
            if is_colored(view.shown.stage, &view.shown.display) {
                colors_ui(ui, theme, view);
            } else {
                areas_ui(ui, view, &entry);
            }
            if view.shown.stage == StageView::Detail {
                entry(ui, Paint::DetailEdge, tr!("Edge of a detail triangle"));
            } else {
                entry(ui, Paint::InnerEdge, tr!("Edge between polygons"));
                entry(ui, Paint::BoundaryEdge, tr!("Wall or drop"));
            }
            if view.bake.tiles.len() > 1 || view.opened.imported.is_some() {
                entry(ui, Paint::PortalEdge, tr!("Border to the next tile"));
            }
        }
    }
    overlays_ui(ui, view, &entry);
    items_ui(ui, view, &entry);
    if view.document().draws_margins() {
        entry(ui, Paint::VolumeMargin, tr!("Margin of a volume"));
    }
    path_ui(ui, theme, view, &entry);
    legend_of_crowd(ui, view, &entry);
    flow_ui(ui, theme, view, &entry);
    if view.path_breaks().is_some() {
        entry(ui, Paint::Break, tr!("In the way of the path (paler: next best)"));
    }
}

fn layers_ui(
    ui: &mut egui::Ui,
    view: &SessionView<'_>,
    entry: &impl Fn(&mut egui::Ui, Paint, &str),
) {
    let show = view.bake.layered().map_or(LayerShow::Number, |_| view.shown.display.layers.show);
    match show {
        LayerShow::Number => {
            ui.label(RichText::new(tr!("One color per layer")).small());
        }
        LayerShow::Regions | LayerShow::Outlines => {
            ui.label(RichText::new(tr!("One color per region")).small());
        }
        LayerShow::Areas => {
            areas_ui(ui, view, entry);
            entry(ui, Paint::Blocked, tr!("Under an obstacle"));
        }
        LayerShow::Polygons => {
            areas_ui(ui, view, entry);
            entry(ui, Paint::BoundaryEdge, tr!("Wall or drop"));
        }
    }
}

fn overlays_ui(
    ui: &mut egui::Ui,
    view: &SessionView<'_>,
    entry: &impl Fn(&mut egui::Ui, Paint, &str),
) {
    for overlay in &view.shown.display.overlays {
        match overlay {
            Overlay::SteepGround => {
                entry(ui, Paint::LevelWalkable, tr!("Flat enough to stand on"));
                entry(ui, Paint::LevelSteep, tr!("Steeper than the agent climbs"));
            }
            Overlay::RegionLinks => entry(ui, Paint::Contour, tr!("Regions that touch")),
            Overlay::TileBounds => entry(ui, Paint::Bounds, tr!("Box of a tile")),
            Overlay::Portals => entry(ui, Paint::PathPortal, tr!("Connects to the next tile")),
            Overlay::ClusterLinks => {
                entry(ui, Paint::Contour, tr!("Clusters that lead to each other"));
            }
            Overlay::BoxTree => entry(ui, Paint::LeafBox, tr!("Box of a polygon")),
            Overlay::WalkableVoxels => {}
        }
    }
}

fn items_ui(
    ui: &mut egui::Ui,
    view: &SessionView<'_>,
    entry: &impl Fn(&mut egui::Ui, Paint, &str),
) {
    let [draws_links, draws_obstacles] = drawn_items(view);
    if draws_links {
        entry(ui, Paint::OffMesh, tr!("Off-mesh link"));
    }
    if draws_obstacles {
        entry(ui, Paint::Problem, tr!("Obstacle"));
    }
}

fn drawn_items(view: &SessionView<'_>) -> [bool; 2] {
    let document = view.document();
    let opened = view.bake.navmesh.as_deref().filter(|_| view.opened.imported.is_some());
    let draws_links = document.off_mesh.iter().any(|link| !link.hidden)
        || !view.proposals.list.is_empty()
        || opened.is_some_and(|mesh| mesh.tiles().any(|tile| !tile.off_mesh.is_empty()));
    [draws_links, document.obstacles.list.iter().any(|obstacle| !obstacle.hidden)]
}

fn path_ui(
    ui: &mut egui::Ui,
    theme: &Theme,
    view: &SessionView<'_>,
    entry: &impl Fn(&mut egui::Ui, Paint, &str),
) {
    let show = shown_path(view);
    let replays = view.path.replay.step.is_some();
    if show.line {
        entry(ui, Paint::Path, tr!("Path"));
        if view.path.second_answer.is_some() && !replays {
            entry(ui, Paint::OtherPath, tr!("Path of the other search"));
        }
    }
    if show.corridor && !replays {
        entry(ui, Paint::Corridor, tr!("Corridor of the path"));
    }
    if show.portals && !replays {
        entry(ui, Paint::PathPortal, tr!("Edge that the path crosses"));
    }
    if show.expanded || replays {
        ui.label(RichText::new(tr!("Polygons that were searched")).small());
        let ends = [tr!("Expanded first"), tr!("Expanded last")];
        scale_ui(ui, theme, ends, Paint::Expanded);
    }
}

fn flow_ui(
    ui: &mut egui::Ui,
    theme: &Theme,
    view: &SessionView<'_>,
    entry: &impl Fn(&mut egui::Ui, Paint, &str),
) {
    let Some(flow) = view.shown_flow() else { return };
    entry(ui, Paint::Path, tr!("Direction of the cheapest way"));
    if flow.extent.n_cut_off > 0 {
        entry(ui, Paint::Blocked, tr!("No way to the goal"));
    }
    ui.label(RichText::new(tr!("Cost to the goal")).small());
    let highest = format::number(flow.extent.highest_cost.into());
    scale_ui(ui, theme, ["0", &highest], Paint::Scalar);
}

fn areas_ui(
    ui: &mut egui::Ui,
    view: &SessionView<'_>,
    entry: &impl Fn(&mut egui::Ui, Paint, &str),
) {
    let mut areas: Vec<u8> =
        view.document().painted_areas().filter(|&area| area != 0 && area != 63).collect();
    areas.sort_unstable();
    areas.dedup();
    let table = &view.document().areas;
    entry(ui, Paint::Area(AreaId::GROUND), &area_name(table, 0));
    for area in areas {
        entry(ui, Paint::Area(AreaId(area)), &area_name(table, area));
    }
}

fn colors_ui(ui: &mut egui::Ui, theme: &Theme, view: &SessionView<'_>) {
    let by = view.shown.display.color_by;
    if let Some(scale) = coloring::scale(view.session) {
        ui.label(RichText::new(by.name()).small());
        scale_ui(ui, theme, scale.ends.each_ref().map(String::as_str), scale.paint);
        if let Some(limit) = &scale.limit {
            ui.label(RichText::new(limit).small());
        }
    } else {
        let text = tr!("One color per {}", format::within(by.name()));
        ui.label(RichText::new(text).small());
    }
    if let Some(lack) = coloring::lack(view.session) {
        ui.label(
            RichText::new(format::sentence(&lang::diagnostic(&lack)))
                .small()
                .color(theme.text_weak),
        );
    }
}

fn distance_ui(ui: &mut egui::Ui, theme: &Theme, view: &SessionView<'_>) {
    let stages =
        view.bake.chosen(view.shown.chosen_tile).filter_map(|(_, tile)| view.bake.stages_of(tile));
    let longest = stages.filter_map(|stages| stages.distance.as_ref()).map(|d| d.max).max();
    let Some((longest, plan)) = longest.zip(view.bake.plan.as_deref()) else { return };
    // Distances are in half cells.
    let meters = f32::from(longest) * 0.5 * plan.params().cell_size;
    scale_ui(ui, theme, [&format::length(0.0), &format::length(meters)], Paint::Scalar);
}

fn slope_ui(ui: &mut egui::Ui, view: &SessionView<'_>) {
    if !view.shown.show_level {
        return;
    }
    ui.add_space(2.0);
    ui.label(RichText::new(tr!("Slope of the level")).small());
    gradient_ui(ui, ["0°", "90°"], |value| {
        let [red, green, blue] = slope_color(90.0 * value);
        Color32::from_rgb(red, green, blue)
    });
    let limit = view.document().settings.agent_max_slope;
    ui.label(RichText::new(tr!("Max slope: {limit}°")).small());
}

fn scale_ui(ui: &mut egui::Ui, theme: &Theme, ends: [&str; 2], paint: fn(f32) -> Paint) {
    gradient_ui(ui, ends, |value| theme.paint(paint(value)));
}

fn gradient_ui(ui: &mut egui::Ui, ends: [&str; 2], color: impl Fn(f32) -> Color32) {
    const STEPS: u8 = 32;
    const WIDTH: f32 = 150.0;
    let (rect, _) = ui.allocate_exact_size(egui::vec2(WIDTH, 8.0), egui::Sense::hover());
    let width = rect.width() / f32::from(STEPS);
    for step in 0..STEPS {
        let x = rect.left() + width * f32::from(step);
        let cell = Rect::from_min_size(pos2(x, rect.top()), egui::vec2(width + 0.5, rect.height()));
        let value = f32::from(step) / f32::from(STEPS - 1);
        ui.painter().rect_filled(cell, 0.0, color(value));
    }
    ui.allocate_ui(egui::vec2(WIDTH, 15.0), |ui| {
        ui.horizontal(|ui| {
            ui.set_width(WIDTH);
            ui.label(RichText::new(ends[0]).small());
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                ui.label(RichText::new(ends[1]).small());
            });
        });
    });
}

/// Shows the work in progress or the current problem, in one line.
fn trouble(
    view: &SessionView<'_>,
    chrome: &Chrome<'_>,
    theme: &Theme,
) -> Option<(String, Color32)> {
    if let Some(name) = chrome.opening {
        return Some((tr!("Reading {name}…"), theme.text));
    }
    if let Some(error) = &view.bake.error {
        let error = lang::phrase(error);
        return Some((tr!("{} Cannot bake: {error}", icons::ICON_ERROR.codepoint), theme.error));
    }
    if let Some(error) = view.bake.layers_error().filter(|_| view.bake.progress.is_none()) {
        let error = lang::error_text(error);
        let text = tr!("{} Obstacles failed: {error}", icons::ICON_ERROR.codepoint);
        return Some((text, theme.error));
    }
    if view.bake.tiles.is_empty() && view.bake.progress.is_some() {
        return Some((tr!("Baking for the first time…").to_owned(), theme.text_weak));
    }
    let text = format!("{} {}", icons::ICON_WARNING.codepoint, without_ground(view)?);
    Some((text, theme.warning))
}

fn without_ground(view: &SessionView<'_>) -> Option<String> {
    let bake = &view.bake;
    let is_empty = bake.progress.is_none()
        && !bake.tiles.is_empty()
        && bake.tiles.values().all(|tile| tile.tile.is_none() && tile.error.is_none());
    if !is_empty {
        return None;
    }
    if bake.tiles.values().any(|tile| tile.baked.is_some()) {
        return Some(tr!("All tiles with ground are removed").to_owned());
    }
    let removal = bake.ground_removal.map(|removal| lang::phrase(&removal.phrase()));
    Some(removal.map_or_else(
        || tr!("Nothing is walkable").to_owned(),
        |removal| tr!("Nothing is walkable: {removal}"),
    ))
}
