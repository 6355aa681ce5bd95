//! The inspector: the point under the cursor or selected, and its result in each stage.

mod data_tree;
pub mod hover_answer;
pub(super) mod measure;
mod pick_facts;

#[cfg(test)]
mod tests;

use std::rc::Rc;

use eframe::egui::{self, RichText};
use walkable::{
    debug_draw::Paint,
    explain::{ColumnSpan, FilterEffect},
    ids::{RegionId, TileCoord},
    stage::Stage,
};
use walkable_editor::{
    answer::{AnswerState, Answers, PlaceAnswer, coordinates},
    area_names::area_name,
    command::{Command, Commands, ExportKind, ViewCommand},
    pick,
    pick::Pick,
    session::{AreaTable, FixTarget, Hover, SceneItem, SessionView, TileResult, ToolKind},
};
use walkable_workspace::{
    format,
    lang::{self, tr},
    stage_view::StageView,
};

use self::{data_tree::data_tree_ui, hover_answer::HoverLine, pick_facts::pick_ui};
use crate::{
    icons,
    panels::{
        fixes::fixes_ui,
        links_and_volumes::{
            bound::bound_ui, link::link_ui, obstacle::obstacle_ui, saved_item_ui,
            several::several_ui, transform::transform_ui, volume::volume_ui,
        },
        tiles::tile_buttons_ui,
        tool::tool_ui,
    },
    theme::Theme,
    widgets::{
        author_id::AuthorId as _,
        buttons,
        command_button::{add_button, repro_icons},
        legend::{dense_row, empty, fact, heading, position_fact, swatch},
    },
};

#[derive(Debug, Default)]
pub struct InspectorPanel {
    /// Shared with the 3D view, which highlights the same elements.
    pub answers: Rc<Answers>,
}

impl InspectorPanel {
    pub fn hover_line(&self, view: &SessionView<'_>) -> Option<HoverLine> {
        let known = self.answers.know(view, view.tools.hover?);
        let text = known.line(&view.document().areas)?;
        Some(HoverLine { text, is_walkable: known.is_walkable() })
    }

    pub fn ui(&self, ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
        egui::ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 4.0;
            let items = view.items();
            if !items.is_empty() && view.tools.tool == ToolKind::Select {
                transform_ui(ui, view, out);
            }
            if items.len() > 1 {
                return several_ui(ui, &items, view, out);
            }
            match view.item() {
                Some(SceneItem::Volume(number)) => return volume_ui(ui, number, view, out),
                Some(SceneItem::Link(number)) => return link_ui(ui, number, view, out),
                Some(SceneItem::Obstacle(number)) => return obstacle_ui(ui, number, view, out),
                Some(SceneItem::Bound(number)) => return bound_ui(ui, number, view, out),
                Some(item @ (SceneItem::Path(_) | SceneItem::Place(_) | SceneItem::View(_))) => {
                    return saved_item_ui(ui, item, view, out);
                }
                None => {
                    if let Some(inspector) = tool_ui(view.tools.tool).inspector {
                        return inspector(ui, view, out);
                    }
                }
            }
            let Some(place) = view.tools.selection.or_else(|| view.tools.hover) else {
                empty(
                    ui,
                    tr!("Point at the level to see what it is, and why. Click to select a place."),
                );
                navmesh_ui(ui, view);
                tile_of_choice_ui(ui, view, out);
                return;
            };
            self.inspected_ui(ui, place, view, out);
        });
    }

    fn inspected_ui(
        &self,
        ui: &mut egui::Ui,
        place: Hover,
        view: &SessionView<'_>,
        out: &mut Commands,
    ) {
        title_ui(ui, view, out);
        let known = self.answers.know(view, place);
        match &known {
            AnswerState::Answer(answer) => {
                verdict_ui(ui, answer, &view.document().areas);
                if !answer.is_walkable() && view.tools.selection == Some(place) {
                    fixes_ui(ui, FixTarget::Place, view, out);
                }
            }
            AnswerState::Soon => empty(ui, tr!("Inspecting the tile…")),
            AnswerState::Waiting(_) | AnswerState::Nothing => {}
        }
        place_ui(ui, place, view, out);
        let pick = pick::pick(view, &self.answers, place);
        if let Some(pick) = pick {
            pick_ui(ui, pick, view, out);
        }
        let polygon = pick::polygon(view, place.point).map(Pick::Polygon);
        if let Some(polygon) = polygon.filter(|polygon| pick != Some(*polygon)) {
            pick_ui(ui, polygon, view, out);
        }
        match &known {
            AnswerState::Answer(answer) => {
                stages_ui(ui, answer, &view.document().areas);
                if let Some(result) = view.bake.tiles.get(&answer.tile) {
                    tile_ui(ui, answer.tile, result, view, out);
                }
            }
            AnswerState::Waiting(_) => waiting_ui(ui, &known, view),
            AnswerState::Nothing
                if view.world().is_some_and(|world| !world.is_loaded(place.point)) =>
            {
                empty(ui, tr!("This part of the level is not loaded."));
                let work = Command::from(ViewCommand::WorkAt(place.point));
                add_button(ui, egui::Button::new(tr!("Work here")), view, work, out);
            }
            AnswerState::Nothing if polygon.is_none() => empty(
                ui,
                tr!(
                    "Nothing is known about this place: it is not baked, or the stages of its tile \
                were dropped."
                ),
            ),
            AnswerState::Nothing | AnswerState::Soon => {}
        }
    }
}

/// Says that the running bake has not reached the tile of the place yet, and how far it is.
fn waiting_ui(ui: &mut egui::Ui, known: &AnswerState, view: &SessionView<'_>) {
    let line = known.line(&view.document().areas).unwrap_or_default();
    empty(ui, &format::sentence(&line));
    if let Some(progress) = &view.bake.progress {
        let done = tr!("{} of {} tiles are baked.", progress.n_done, progress.n_tiles);
        empty(ui, &done);
    }
}

fn stages_ui(ui: &mut egui::Ui, answer: &PlaceAnswer, areas: &AreaTable) {
    let theme = Theme::of(ui.ctx().theme());
    heading(ui, tr!("Stage by stage"));
    for step in &answer.explanation.steps {
        let note = lang::phrase(&step.note);
        let note = if step.kept { Ok(&*note) } else { Err(&*note) };
        step_ui(ui, StageView::of(step.stage).name(), note, &theme);
    }
    if answer.obstacles.is_some() {
        let note = answer.obstacle_note();
        let note = if answer.is_under_obstacle() { Err(&*note) } else { Ok(&*note) };
        step_ui(ui, tr!("Obstacles"), note, &theme);
    }
    let column = &answer.explanation.column;
    if !column.is_empty() {
        let [x, z] = answer.explanation.cell;
        heading(ui, &tr!("Column {x}, {z} from top to bottom"));
        for (i, span) in column.iter().enumerate().rev() {
            let mark = (answer.explanation.focus == Some(i)).then_some(theme.accent);
            span_ui(ui, span, mark, areas);
        }
    }
}

fn tile_ui(
    ui: &mut egui::Ui,
    coord: TileCoord,
    result: &TileResult,
    view: &SessionView<'_>,
    out: &mut Commands,
) {
    heading(ui, &tr!("Tile {coord}"));
    let chosen = view.shown.chosen_tile == Some(coord);
    if view.bake.tiles.len() > 1 {
        let text = if chosen { tr!("Show all tiles") } else { tr!("Show this tile alone") };
        if ui.button(text).author_id("inspect.tile-alone").clicked() {
            out.push(ViewCommand::Tile((!chosen).then_some(coord)));
        }
    }
    tile_buttons_ui(ui, coord, view, out);
    if let Some(error) = &result.error {
        let theme = Theme::of(ui.ctx().theme());
        let error = lang::error_text(error);
        ui.add(egui::Label::new(RichText::new(error).color(theme.error)).wrap());
    }
    fact(ui, tr!("Time"), &format::time(result.times.total()));
    if let Some(slowest) = slowest_stage(result) {
        fact(ui, tr!("Slowest stage"), &slowest);
    }
    counts_ui(ui, result);
    if result.tile.is_some() {
        fact(ui, tr!("Tile data"), &format::bytes(result.n_bytes));
    }
    layers_ui(ui, coord, view);
    data_tree_ui(ui, coord, view, out);
    for warning in &result.warnings {
        let theme = Theme::of(ui.ctx().theme());
        crate::widgets::property_row::remark_ui(ui, &lang::located(warning), theme.warning);
    }
}

fn layers_ui(ui: &mut egui::Ui, coord: TileCoord, view: &SessionView<'_>) {
    let Some(layered) = view.bake.layered() else { return };
    for layer in layered.cache().tiles().filter(|layer| layer.key().coord() == coord) {
        let [packed, whole] = [layer.n_bytes(), layer.n_unpacked_bytes()].map(format::bytes);
        let name = tr!("Layer {}", layer.key().layer);
        fact(ui, &name, &tr!("{packed} compressed, {whole} uncompressed"));
    }
}

fn navmesh_ui(ui: &mut egui::Ui, view: &SessionView<'_>) {
    let Some(navmesh) = view.bake.navmesh.as_deref() else { return };
    let totals = view.bake.totals;
    // An opened navmesh has tiles, but no results of a bake.
    let n_tiles =
        if view.opened.level.is_some() { view.bake.tiles.len() } else { navmesh.tiles().count() };
    ui.add_space(4.0);
    heading(ui, tr!("Navmesh"));
    fact(ui, tr!("Polygons"), &format::count(totals.n_polys));
    fact(ui, tr!("Ground"), &format::area(totals.area));
    fact(ui, tr!("Tiles"), &format::count(n_tiles));
    fact(ui, tr!("Tile data"), &format::bytes(totals.n_bytes));
}

fn tile_of_choice_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    let chosen =
        view.shown.chosen_tile.and_then(|coord| Some((coord, view.bake.tiles.get(&coord)?)));
    if let Some((coord, result)) = chosen {
        tile_ui(ui, coord, result, view, out);
    }
}

fn title_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    let kept = view.tools.selection.is_some();
    ui.horizontal(|ui| {
        ui.label(
            RichText::new(if kept { tr!("Selected place") } else { tr!("Under the cursor") })
                .strong(),
        );
        if kept {
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                let close = buttons::icon(ui, icons::ICON_CLOSE, tr!("Deselect the place"));
                let close = close.author_id("inspect.let-go");
                if close.clicked() {
                    out.push(Command::Select(None));
                }
            });
        }
    });
}

fn place_ui(ui: &mut egui::Ui, place: Hover, view: &SessionView<'_>, out: &mut Commands) {
    ui.horizontal(|ui| {
        let copy = buttons::icon(ui, icons::ICON_CONTENT_COPY, tr!("Copy the place"));
        if copy.author_id("inspect.copy").clicked() {
            ui.ctx().copy_text(coordinates(place.point));
        }
        let go = Command::from(ViewCommand::AskPlace);
        if buttons::icon(ui, icons::ICON_MY_LOCATION, &go.text()).author_id(go.id()).clicked() {
            out.push(go);
        }
        if view.tools.selection.is_some() {
            let keep = Command::from(ViewCommand::KeepPlace);
            let button = buttons::icon(ui, icons::ICON_BOOKMARK_ADD, &keep.text());
            if button.author_id(keep.id()).clicked() {
                out.push(keep);
            }
            repro_icons(ui, view, ExportKind::PlaceRepro, out);
        }
        position_fact(ui, place.point);
    });
}

fn verdict_ui(ui: &mut egui::Ui, answer: &PlaceAnswer, areas: &AreaTable) {
    let theme = Theme::of(ui.ctx().theme());
    let good = answer.is_walkable();
    let (icon, color) = if good {
        (icons::ICON_CHECK_CIRCLE, theme.good)
    } else {
        (icons::ICON_BLOCK, theme.error)
    };
    ui.horizontal_top(|ui| {
        ui.label(RichText::new(icon.codepoint).color(color));
        let line = format::sentence(&answer.line(areas));
        ui.add(egui::Label::new(RichText::new(line).strong()).wrap());
    });
    if answer.is_stale {
        let text = tr!("From the last bake; settings have changed since");
        ui.label(RichText::new(text).small().color(theme.warning));
    }
}

fn step_ui(ui: &mut egui::Ui, name: &str, note: Result<&str, &str>, theme: &Theme) {
    let (icon, color, note) = match note {
        Ok(kept) => (icons::ICON_CHECK, theme.good, kept),
        Err(lost) => (icons::ICON_CLOSE, theme.error, lost),
    };
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        ui.label(RichText::new(icon.codepoint).small().color(color));
        let name = RichText::new(name).color(theme.text_weak);
        ui.allocate_ui(egui::vec2(64.0, 16.0), |ui| {
            ui.set_width(64.0);
            ui.label(name);
        });
        ui.add(egui::Label::new(note).wrap());
    });
}

/// Draws one span of the column; `mark` is the color of the inspected one.
fn span_ui(ui: &mut egui::Ui, span: &ColumnSpan, mark: Option<egui::Color32>, areas: &AreaTable) {
    let theme = Theme::of(ui.ctx().theme()).with_areas(areas);
    let walkable = span.eroded_area.is_walkable() && span.region != RegionId::NONE;
    let paint = if walkable { Paint::Area(span.eroded_area.in_tile()) } else { Paint::Blocked };
    let state = if walkable {
        area_name(areas, span.eroded_area.in_tile().0)
    } else if span.eroded_area.is_walkable() {
        tr!("no region").to_owned()
    } else if span.filtered_area.is_walkable() {
        tr!("eroded").to_owned()
    } else if span.spans_area.is_walkable() {
        tr!("filtered").to_owned()
    } else {
        tr!("steep").to_owned()
    };
    dense_row(ui, |ui| {
        swatch(ui, theme.paint(paint));
        let heights = tr!("{} to {}", format::fixed(span.bottom), format::fixed_length(span.top));
        let text = RichText::new(heights);
        ui.label(match mark {
            Some(color) => text.strong().color(color),
            None => text,
        });
        let room = span.head_room.map_or_else(
            || tr!("open sky").to_owned(),
            |room| tr!("{} above", format::length(room)),
        );
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let text = format!("{state} · {room}");
            ui.add(egui::Label::new(RichText::new(text).color(theme.text_weak)).truncate());
        });
    });
    let effect = match &span.filters {
        Some(FilterEffect::Raised) => tr!("steep, but the agent steps onto it").to_owned(),
        Some(FilterEffect::Removed(reason)) => {
            let reason = lang::phrase(&reason.phrase());
            tr!("removed by filter: {reason}")
        }
        _ => return,
    };
    ui.horizontal(|ui| {
        ui.add_space(18.0);
        ui.add(egui::Label::new(RichText::new(effect).small().color(theme.text_weak)).wrap());
    });
}

fn counts_ui(ui: &mut egui::Ui, result: &TileResult) {
    let rows = [
        (tr!("Walkable triangles"), StageView::Slope),
        (tr!("Spans"), StageView::Spans),
        (tr!("Open spans"), StageView::Compact),
        (tr!("Regions"), StageView::Regions),
        (tr!("Polygons"), StageView::Navmesh),
    ];
    for (name, view) in rows {
        if let Some(n) = result.counts.get(view) {
            fact(ui, name, &format::count(n));
        }
    }
}

fn slowest_stage(result: &TileResult) -> Option<String> {
    let stage = Stage::ALL.into_iter().max_by_key(|stage| result.times.of(*stage))?;
    let time = result.times.of(stage);
    (!time.is_zero()).then(|| format!("{}, {}", StageView::of(stage).name(), format::time(time)))
}
