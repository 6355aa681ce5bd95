//! A map of a level or tile store larger than memory, seen from above: the loaded part, and where the camera looks.

use std::sync::Arc;

use eframe::egui::{
    self, Color32, ColorImage, Pos2, Rect, Sense, Stroke, StrokeKind, TextureHandle,
    TextureOptions, WidgetInfo, accesskit::Role, pos2, vec2,
};
use glam::{Vec2, Vec3};
use walkable::geom::Aabb;
use walkable_editor::{
    command::{Commands, ViewCommand},
    session::{HeightMap, Look, SessionView},
};
use walkable_workspace::lang::tr;

use crate::{
    theme::Theme,
    widgets::{
        author_id::AuthorId as _,
        command_button::{Lit, command_button, command_switch},
        legend,
    },
};

const MAX_SIZE: egui::Vec2 = vec2(170.0, 170.0);
/// Maximum fraction of the remaining height of the panel that the map takes.
const MAX_HEIGHT: f32 = 0.6;

#[derive(Default)]
pub(super) struct Minimap {
    texture: Option<(Arc<HeightMap>, Theme, TextureHandle)>,
}

impl std::fmt::Debug for Minimap {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Minimap").finish_non_exhaustive()
    }
}

impl Minimap {
    /// Draws the map; nothing if everything is loaded. `follows` tells whether the part follows the camera.
    pub(super) fn ui(
        &mut self,
        ui: &mut egui::Ui,
        view: &SessionView<'_>,
        follows: Lit,
        out: &mut Commands,
    ) {
        if view.world().is_none() {
            self.texture = None;
            return;
        }
        ui.horizontal_top(|ui| {
            self.map_ui(ui, view, out);
            ui.vertical(|ui| {
                command_button(ui, view, ViewCommand::WorkHere, out);
                command_switch(ui, follows, ViewCommand::TogglePartFollows.into(), out);
                if view.opened.overview.progress < 1.0 {
                    let percent = view.opened.overview.progress * 100.0;
                    legend::empty(ui, &tr!("Reading the overview: {percent:.0} %"));
                }
            });
        });
    }

    fn map_ui(&mut self, ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
        let Some(world) = view.world() else { return };
        let theme = Theme::of(ui.ctx().theme());
        let extent = vec2(world.bounds.size().x, world.bounds.size().z).max(vec2(1e-3, 1e-3));
        let room = (ui.available_size() * vec2(1.0, MAX_HEIGHT)).min(MAX_SIZE);
        let size = extent * (room.x / extent.x).min(room.y / extent.y);
        let (rect, response) = ui.allocate_exact_size(size, Sense::click());
        let response = response.author_id("level.minimap");
        let name = tr!("Map of the level: click to load the part there");
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, name));
        let painter = ui.painter_at(rect);
        painter.rect_filled(rect, 0.0, theme.viewport);
        let overview = view.opened.overview.made.as_ref().map(|overview| &overview.map);
        // Until tiles are read, only their positions are known.
        let map = overview.or_else(|| Some(&view.opened.store.as_ref()?.plan));
        if let Some(map) = map {
            let texture = self.texture(ui.ctx(), map, &theme).id();
            let all = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
            painter.image(texture, rect, all, Color32::WHITE);
        }
        let plan = Plan { bounds: world.bounds, rect };
        let part = Rect::from_min_max(plan.point(world.part.min), plan.point(world.part.max));
        painter.rect_stroke(part, 0.0, Stroke::new(1.5, theme.accent), StrokeKind::Outside);
        if let Some(look) = view.shown.look {
            plan.camera_ui(&painter, &look, &theme);
        }
        if response.clicked()
            && let Some(at) = response.interact_pointer_pos()
        {
            let place = plan.place(at);
            let height = overview.and_then(|map| map.height_at(place));
            let y = height.unwrap_or_else(|| world.bounds.center().y);
            out.push(ViewCommand::WorkAt(Vec3::new(place.x, y, place.y)));
        }
        response.on_hover_text(name);
    }

    fn texture(
        &mut self,
        ctx: &egui::Context,
        map: &Arc<HeightMap>,
        theme: &Theme,
    ) -> &TextureHandle {
        let known =
            self.texture.take().filter(|(of, with, _)| Arc::ptr_eq(of, map) && with == theme);
        let (.., texture) = self.texture.insert(known.unwrap_or_else(|| {
            let image = image(map, theme);
            let texture = ctx.load_texture("minimap", image, TextureOptions::LINEAR);
            (Arc::clone(map), *theme, texture)
        }));
        texture
    }
}

/// Draws the level from above, lit from one side; high ground is brighter.
fn image(map: &HeightMap, theme: &Theme) -> ColorImage {
    let [n_x, n_z] = map.size;
    let heights = map.heights.iter().flatten();
    let low = heights.clone().copied().fold(f32::INFINITY, f32::min);
    let high = heights.copied().fold(f32::NEG_INFINITY, f32::max);
    let range = (high - low).max(1e-3);
    let at = |x: usize, z: usize| map.heights.get(z * n_x + x).copied().flatten();
    let color = |(x, z): (usize, usize)| {
        let Some(height) = at(x, z) else { return theme.viewport };
        let before = at(x.saturating_sub(1), z.saturating_sub(1)).unwrap_or(height);
        let light = ((height - before) / range * 6.0).clamp(-0.3, 0.3);
        let brightness = (0.35 + 0.45 * (height - low) / range + light).clamp(0.1, 1.0);
        theme.viewport.lerp_to_gamma(theme.level, brightness)
    };
    let pixels = (0..n_z).flat_map(|z| (0..n_x).map(move |x| (x, z))).map(color).collect();
    ColorImage::new([n_x, n_z], pixels)
}

struct Plan {
    bounds: Aabb,
    rect: Rect,
}

impl Plan {
    fn point(&self, place: Vec3) -> Pos2 {
        let share = (place - self.bounds.min) / self.bounds.size().max(Vec3::splat(1e-3));
        self.rect.min + vec2(share.x, share.z) * self.rect.size()
    }

    /// Returns the place, seen from above, at a point of the window.
    fn place(&self, at: Pos2) -> Vec2 {
        let share = (at - self.rect.min) / self.rect.size();
        let (min, size) = (self.bounds.min, self.bounds.size());
        Vec2::new(min.x + share.x * size.x, min.z + share.y * size.z)
    }

    fn camera_ui(&self, painter: &egui::Painter, look: &Look, theme: &Theme) {
        let [eye, target] = [look.eye(), look.target].map(|place| self.point(place));
        painter.line_segment([eye, target], Stroke::new(1.0, theme.highlight));
        painter.circle_filled(target, 2.5, theme.highlight);
    }
}
