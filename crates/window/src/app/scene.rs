//! The center of the window: the 3D view, the active tool, and the overlays.

use std::{sync::Arc, time::Duration};

use eframe::egui::{self, CursorIcon};
use walkable::{
    bake::{AreaVolume, BakeSettings, RawArea},
    debug_draw::{self, DrawList, Paint},
};
use walkable_editor::{
    command::{Command, Commands},
    level_colors::LevelColors,
    pick,
    pictures::level_opacity,
    pointer::PointerEvent,
    session::{Overlay, SceneItem, Session, SessionView, ToolKind},
    tools::{ActiveTool, Cursor, game_picture, walker},
};

use super::{FirstPicture, SavedPicture, View, picture};
use crate::{
    panels::{
        Chrome, animation,
        display::{divider, header, hud},
        fixes,
        lab::twins,
    },
    png::quick_png,
    theme::Theme,
    viewport::{LevelView, Scene, Split, Viewport},
};

impl SavedPicture {
    /// Starts to take the requested picture, once no tile is being drawn or faded in, unless a bake goes on.
    fn start(
        &mut self,
        ctx: &egui::Context,
        viewport: &Viewport,
        scene: &Scene<'_>,
        view: &SessionView<'_>,
    ) {
        if scene.is_changing && view.bake.progress.is_none() {
            return;
        }
        // A picture that is still being read back is not replaced.
        let Some(request) = self.request.take_if(|_| self.reading.is_none()) else { return };
        match picture::start(ctx, viewport, scene, view, request) {
            Ok(reading) => self.reading = Some(reading),
            Err(error) => self.taken = Some(Err(format!("{error:#}"))),
        }
    }

    /// Encodes the picture once its pixels have arrived.
    fn finish(&mut self, ctx: &egui::Context) {
        let Some(reading) = &self.reading else { return };
        let picture = reading
            .poll()
            .and_then(|pixels| pixels.map(|pixels| quick_png(reading.size(), pixels)).transpose());
        if let Some(picture) = picture.transpose() {
            self.reading = None;
            self.taken = Some(picture.map_err(|error| format!("{error:#}")));
        }
        // The device does not wake up the window.
        ctx.request_repaint();
    }
}

impl View {
    /// Requests another frame if the pictures are not complete, or if the next frame provides the picture for the start
    /// page.
    fn request_next_frame(&mut self, ctx: &egui::Context, session: &Session) {
        let is_baking = session.bake.progress.is_some();
        if self.changing {
            let after = if is_baking { self.viewport.between_results() } else { Duration::ZERO };
            ctx.request_repaint_after(after);
        } else if !is_baking {
            self.shows_level = true;
            let has_navmesh = session.current_bake().navmesh.is_some();
            if has_navmesh && self.first_picture == FirstPicture::NotDrawn {
                self.first_picture = FirstPicture::Due;
                ctx.request_repaint();
            }
        }
    }

    pub(super) fn ui(
        &mut self,
        ui: &mut egui::Ui,
        view: &SessionView<'_>,
        chrome: &Chrome<'_>,
        out: &mut Commands,
    ) {
        let theme = Theme::of(ui.ctx().theme())
            .with_areas(&view.document().areas)
            .with_agents(&view.document().agents);
        self.pictures.set_time(self.viewport.time_for_pictures());
        let drawn = self.pictures.draw(view.session);
        self.changing = drawn.unfinished;
        self.wanted.clone_from(&drawn.wanted);
        self.n_left_out = drawn.n_left_out;
        self.request_next_frame(ui.ctx(), view.session);
        let level = level_view(view, chrome.prefs.level_colors);
        let surroundings = surroundings(view, chrome.prefs.level_colors);
        let mut foreground = foreground(view, &self.tool);
        self.draw_picks(view, &mut foreground);
        let captions = self.labels.captions(view.session);
        let scene = Scene {
            level: level.as_ref(),
            surroundings: surroundings.as_ref(),
            batches: &drawn.batches,
            foreground: &foreground,
            handles: &self.tool.handles(view),
            frame_bounds: view.session.whole_bounds(),
            show_grid: chrome.prefs.grid,
            ambient_occlusion: chrome.prefs.ambient_occlusion,
            theme: &theme,
            // The view is not at rest between two redraws of a running bake.
            is_changing: drawn.unfinished || view.bake.progress.is_some(),
            tool: view.tools.tool.name(),
            hints: if header::height(view) > 0.0 { self.tool.hints(view) } else { &[] },
            slice: view.shown.display.slice,
            split: split(view),
            captions,
            covered_top: header::height(view),
        };
        self.viewport.follow(view.followed_point());
        let output = self.viewport.ui(ui, &scene);
        self.saved_picture.start(ui.ctx(), &self.viewport, &scene, view);
        self.saved_picture.finish(ui.ctx());
        self.pass_to_tool(output.events, ui, view, out);
        if output.response.hovered() {
            ui.ctx().set_cursor_icon(cursor_icon(self.tool.cursor()));
        } else if !ui.input(|input| input.pointer.any_down()) {
            let left = self.tool.clone().left();
            if left != self.tool {
                self.tool = left;
                ui.ctx().request_repaint();
            }
            out.push_all(view.tools.hover.map(|_| Command::Hover(None)));
        }
        if self.tool.is_framing()
            && let Some(frame) = self.viewport.dragged_rect(ui.ctx())
        {
            selection_frame(ui, frame, &theme);
        }
        let rect = output.response.rect;
        let below = rect.with_min_y(rect.top() + header::height(view));
        self.place_menu.ui(ui.ctx(), out);
        header::header_ui(ui.ctx(), rect, view, chrome, out);
        hud::hud_ui(ui.ctx(), below, view, chrome, out);
        animation::animation_ui(ui.ctx(), below, view, out);
        divider::divider_ui(ui.ctx(), below, view, out);
        fixes::what_if_ui(ui.ctx(), below, view, out);
        twins::twins_ui(ui.ctx(), below, view);
    }

    /// Passes events to the tool. If its state changes, requests a frame that shows the new one.
    fn pass_to_tool(
        &mut self,
        events: Vec<PointerEvent>,
        ui: &egui::Ui,
        view: &SessionView<'_>,
        out: &mut Commands,
    ) {
        let before = (!events.is_empty()).then(|| self.tool.clone());
        for event in events {
            let pointer = ui.input(|input| input.pointer.latest_pos());
            if self.place_menu.takes(&event, view, pointer) {
                continue;
            }
            let tool = std::mem::replace(&mut self.tool, ActiveTool::new(view.tools.tool));
            self.tool = tool.event(event, view, out);
        }
        if before.is_some_and(|before| before != self.tool) {
            ui.ctx().request_repaint();
        }
    }

    /// Draws what the select tool found at the selection and under the pointer, except while a frame is dragged.
    fn draw_picks(&self, view: &SessionView<'_>, list: &mut DrawList) {
        if view.tools.tool != ToolKind::Select {
            return;
        }
        let hover = view.tools.hover.filter(|_| !self.tool.is_framing());
        for place in [view.tools.selection, hover].into_iter().flatten() {
            let pick = pick::pick(view, &self.answers, place);
            list.append(pick.map(|pick| pick::picture(view, pick)).unwrap_or_default());
        }
    }
}

const fn cursor_icon(cursor: Cursor) -> CursorIcon {
    match cursor {
        Cursor::Arrow => CursorIcon::Default,
        Cursor::PointingHand => CursorIcon::PointingHand,
        Cursor::Crosshair => CursorIcon::Crosshair,
        Cursor::Grab => CursorIcon::Grab,
        Cursor::Grabbing => CursorIcon::Grabbing,
    }
}

fn selection_frame(ui: &egui::Ui, frame: egui::Rect, theme: &Theme) {
    let fill = theme.highlight.gamma_multiply(0.12);
    let stroke = egui::Stroke::new(1.0, theme.highlight);
    ui.painter().rect(frame, 0.0, fill, stroke, egui::StrokeKind::Inside);
}

/// Returns how the view is divided: for two searches, or for the baseline and the current results.
fn split(view: &SessionView<'_>) -> Split {
    match view.divider() {
        _ if view.lab.is_split() => Split::Twins,
        Some(divider) => Split::Divider(divider),
        None => Split::None,
    }
}

pub fn level_view(view: &SessionView<'_>, colors: LevelColors) -> Option<LevelView> {
    let level = view.opened.level.as_ref()?;
    let has_picture = view.bake.chosen(view.shown.chosen_tile).any(|(_, tile)| tile.plan.is_some());
    let opacity = if has_picture { level_opacity(view.shown.stage) } else { 1.0 };
    let steep = view.shown.display.shows(Overlay::SteepGround);
    Some(LevelView {
        mesh: Arc::clone(&level.mesh),
        bvh: Arc::clone(&level.bvh),
        edges: Arc::clone(&level.edges),
        appearance: level.appearance.clone(),
        coarse: level.coarse.clone(),
        colors,
        slope_limit_deg: steep.then_some(view.document().settings.agent_max_slope),
        opacity: if view.shown.show_level { opacity * view.shown.display.level } else { 0.0 },
        hide_backs: !(view.shown.show_backs || level.faces_down),
        hole: None,
    })
}

/// Returns the overview around the loaded part of a level larger than memory; for a tile store, also under that part,
/// because its tiles lie on no level and are simplified where they do not fit the memory budget.
pub fn surroundings(view: &SessionView<'_>, colors: LevelColors) -> Option<LevelView> {
    let (world, overview) = (view.world()?, view.opened.overview.made.as_deref()?);
    Some(LevelView {
        mesh: Arc::clone(&overview.mesh),
        bvh: Arc::clone(&overview.bvh),
        edges: Arc::default(),
        appearance: None,
        coarse: overview.coarse.clone(),
        colors,
        slope_limit_deg: None,
        opacity: if view.shown.show_level { view.shown.display.level } else { 0.0 },
        // Simplified surfaces have holes.
        hide_backs: false,
        hole: view.opened.store.is_none().then_some(world.part),
    })
}

/// Draws what changes from frame to frame: the tool's handles, the chosen tile's outline.
fn foreground(view: &SessionView<'_>, tool: &ActiveTool) -> DrawList {
    let mut list = tool.preview(view);
    if let (Some(datum), Some(navmesh)) = (view.shown.display.datum, view.bake.navmesh.as_deref()) {
        list.append(datum.picture(navmesh));
    }
    list.append(items_picture(view));
    list.append(walker(view));
    list.append(game_picture(view));
    list
}

pub fn items_picture(view: &SessionView<'_>) -> DrawList {
    let mut list = DrawList::default();
    let document = view.document();
    let volumes = document.volumes.iter().enumerate().filter(|(_, volume)| !volume.hidden);
    for (number, volume) in volumes {
        let chosen = view.tools.selected_items.contains(SceneItem::Volume(number));
        let edges = if chosen { Paint::Accent } else { Paint::Bounds };
        list.append(debug_draw::volume(volume, edges));
        let BakeSettings { agent_radius, cell_size, .. } = document.settings;
        list.append(debug_draw::volume_margin(volume, agent_radius, cell_size));
    }
    let links = document.off_mesh.iter().enumerate().filter(|(_, link)| !link.hidden);
    for (number, link) in links {
        let chosen = view.tools.selected_items.contains(SceneItem::Link(number));
        let paint = if chosen { Paint::Accent } else { Paint::OffMesh };
        list.append(debug_draw::link(link, paint));
    }
    let obstacles = document.obstacles.list.iter().enumerate();
    for (number, obstacle) in obstacles.filter(|(_, obstacle)| !obstacle.hidden) {
        let chosen = view.tools.selected_items.contains(SceneItem::Obstacle(number));
        let edges = if chosen { Paint::Accent } else { Paint::Problem };
        let volume = AreaVolume::new(RawArea::NULL, obstacle.shape.clone());
        list.append(debug_draw::volume(&volume, edges));
    }
    let bounds = document.bounds.iter().enumerate().filter(|(_, bound)| !bound.hidden);
    for (number, bound) in bounds {
        let chosen = view.tools.selected_items.contains(SceneItem::Bound(number));
        let paint = if chosen { Paint::Accent } else { Paint::Bounds };
        list.append(debug_draw::frame(bound, paint));
    }
    for (number, place) in document.places.iter().enumerate().filter(|(_, place)| !place.hidden) {
        let chosen = view.tools.selected_items.contains(SceneItem::Place(number));
        list.point(place.at, 9.0, if chosen { Paint::Accent } else { Paint::Bounds });
    }
    for &seed in &document.islands.seeds {
        list.point(seed, 9.0, Paint::Start);
    }
    if !view.proposals.list.is_empty() {
        list.append(view.proposals.picture(&view.link_settings()));
    }
    if let (Some(tile), Some(plan)) = (view.shown.chosen_tile, view.bake.plan.as_deref()) {
        list.append(debug_draw::outline(&plan.tile_bounds(tile)));
    }
    list
}
