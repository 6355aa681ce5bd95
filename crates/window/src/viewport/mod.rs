//! The 3D view: draws a [`Scene`], moves the camera, reports pointer events. Independent of navigation.
//!
//! Other overlays go over the rectangle of [`ViewportOutput::response`], in an [`egui::Area`] or as widgets that sense
//! click and drag, so that their input does not reach the view.

mod camera;
mod captions;
mod gizmo;
mod gpu;
mod input;
mod motion;
#[cfg(not(target_family = "wasm"))]
mod off_screen;
mod pace;
mod picking;
mod saved_picture;
mod scene;
#[cfg(test)]
mod tests;

use std::rc::Rc;

use eframe::{
    egui::{self, Rect},
    egui_wgpu::{self, wgpu},
};
use glam::Vec3;
use walkable::geom::Aabb;
use walkable_editor::{
    navigation::Navigation,
    pointer::PointerEvent,
    prefs::ViewQuality,
    session::{Look, Side},
};
use walkable_workspace::lang::tr;

#[cfg(not(target_family = "wasm"))]
pub use self::off_screen::{PictureCamera, render, render_with};
pub use self::{
    camera::Camera,
    gpu::PictureReading,
    scene::{LevelView, Scene, Split},
};
use self::{
    camera::Projection,
    gizmo::GizmoAction,
    gpu::{Canvas, Gpu, Picture, ViewUniform},
    input::{Input, Signal, Steer},
    motion::Motion,
    pace::{Coarse, Pace},
};
use crate::widgets::author_id::AuthorId as _;

/// Factor on the camera distance at which two narrow pictures show about as much as a wide one.
const STEP_BACK: f32 = 1.4;
/// Flight speed in meters per second, for each meter between camera and target.
const FLIGHT_SPEED: f32 = 0.8;

#[derive(Debug)]
pub struct ViewportOutput {
    /// The widget; overlays go over its `rect`.
    pub response: egui::Response,
    pub events: Vec<PointerEvent>,
}

#[derive(Debug)]
pub struct Viewport {
    camera: Camera,
    motion: Option<Motion>,
    /// Camera moves requested since the last frame; they need the aspect ratio of the view.
    requested: Vec<CameraRequest>,
    followed: Option<Vec3>,
    input: Input,
    navigation: Navigation,
    /// Whether the last frame had two pictures side by side.
    had_twins: bool,
    shown: Option<(Rect, Projection)>,
    gpu: Option<Gpu>,
    graphics: Option<Rc<str>>,
    pace: Pace,
}

#[derive(Clone, Copy, Debug)]
enum CameraRequest {
    Frame(Aabb),
    Top(Aabb),
    Look(Look),
    /// Look at this point, from the same direction and distance.
    Center(Vec3),
    From(Side),
    OtherProjection,
    Farther(f32),
}

impl Viewport {
    /// Creates a view that draws with `render_state`; without one it shows a message, and everything else works.
    pub fn new(render_state: Option<&egui_wgpu::RenderState>) -> Self {
        Self {
            camera: Camera::START,
            motion: None,
            requested: Vec::new(),
            followed: None,
            input: Input::default(),
            navigation: Navigation::default(),
            had_twins: false,
            shown: None,
            gpu: render_state.map(Gpu::new),
            graphics: render_state.map(|state| graphics_text(&state.adapter.get_info()).into()),
            pace: Pace::new(
                render_state
                    .map_or(wgpu::DeviceType::Other, |state| state.adapter.get_info().device_type),
            ),
        }
    }

    pub fn ui(&mut self, ui: &mut egui::Ui, scene: &Scene<'_>) -> ViewportOutput {
        let (rect, response) =
            ui.allocate_exact_size(ui.available_size(), egui::Sense::CLICK | egui::Sense::DRAG);
        let response = response.author_id("viewport");
        response
            .widget_info(|| egui::WidgetInfo::labeled(egui::Role::Image, true, tr!("3D viewport")));
        let [picture, _] = scene.split.pictures(rect);
        self.make_room(scene.split);
        self.start_moves(aspect(picture));
        self.move_on(ui);
        let (steer, signals) = self.input.read(&response, self.navigation);
        self.steer(ui, &steer, &self.projection(picture, scene), scene, rect);
        let projection = self.projection(picture, scene);
        if scene.is_changing || self.shown.is_some_and(|(_, old)| old != projection) {
            self.pace.moved(ui.input(|input| input.time));
        }
        let coarse = self.coarse(ui, scene);
        self.shown = Some((picture, projection));
        let modifiers = ui.input(input::modifiers);
        let event = |signal: &Signal| {
            let picture = scene.split.picture_at(rect, signal.at);
            let ray_in_world = projection.ray(picking::place_in(picture, signal.at))?;
            let found = picking::find(scene, &ray_in_world);
            let hit = found.map(|found| found.point);
            let triangle = found.and_then(|found| found.triangle);
            let Signal { kind, button, .. } = *signal;
            let frame = picking::frame(picture, signal, &projection);
            Some(PointerEvent { kind, button, modifiers, ray_in_world, hit, triangle, frame })
        };
        let events = signals.iter().filter_map(event).collect();
        self.paint(ui, rect, scene, &projection, coarse);
        captions::show(ui, scene.split.pictures(rect), scene, &projection);
        if let Some(speed) = self.input.flight_speed() {
            gizmo::flight_speed(ui, rect, speed, scene.theme);
        }
        gizmo::hints(ui, rect, (scene.tool, scene.hints), scene.theme);
        let below = rect.with_min_y(rect.top() + scene.covered_top);
        // The axes mean nothing on the start page.
        let shows_something = scene.level.is_some() || !scene.batches.is_empty();
        if shows_something && let Some(action) = gizmo::show(ui, below, &self.camera, scene.theme) {
            self.run_gizmo_action(action, scene.frame_bounds);
            ui.ctx().request_repaint();
        }
        ViewportOutput { response, events }
    }

    pub fn frame(&mut self, bounds: Aabb) {
        self.requested.push(CameraRequest::Frame(bounds));
    }

    pub fn look(&mut self, look: Look) {
        self.requested.push(CameraRequest::Look(look));
    }

    pub fn top_view(&mut self, bounds: Aabb) {
        self.requested.push(CameraRequest::Top(bounds));
    }

    /// Moves the camera with a point: first to the point, then by as much as the point moves. `None` ends that.
    pub fn follow(&mut self, at: Option<Vec3>) {
        let Some(at) = at else {
            self.followed = None;
            return;
        };
        match self.followed.replace(at) {
            None => self.requested.push(CameraRequest::Center(at)),
            Some(before) if before == at => {}
            Some(before) => {
                self.camera.target += at - before;
                self.motion = self.motion.map(|motion| motion.shifted(at - before));
            }
        }
    }

    pub fn look_from(&mut self, side: Side) {
        self.requested.push(CameraRequest::From(side));
    }

    pub fn switch_projection(&mut self) {
        self.requested.push(CameraRequest::OtherProjection);
    }

    pub fn set_navigation(&mut self, navigation: Navigation) {
        self.navigation = navigation;
    }

    /// Graphics device and driver; `None` if there is none.
    pub fn graphics(&self) -> Option<Rc<str>> {
        self.graphics.clone()
    }

    pub fn set_quality(&mut self, quality: ViewQuality) {
        self.pace.set_quality(quality);
        if let Some(gpu) = &self.gpu {
            gpu.set_quality(quality);
        }
    }

    pub fn set_budget(&self, budget: usize) {
        if let Some(gpu) = &self.gpu {
            gpu.set_budget(budget);
        }
    }

    /// Forgets the last drawn picture, so that it is not taken for a picture of the next level.
    pub fn forget_picture(&self) {
        if let Some(gpu) = &self.gpu {
            gpu.forget_picture();
        }
    }

    /// Starts to read back the last drawn picture; returns `None` if there is none, or if it is not complete.
    pub fn read_last_picture(&self) -> Option<PictureReading> {
        self.gpu.as_ref()?.read_last()
    }

    pub fn n_bytes(&self) -> usize {
        self.gpu.as_ref().map_or(0, Gpu::n_bytes)
    }

    pub fn simplifies_level(&self) -> bool {
        self.gpu.as_ref().is_some_and(Gpu::simplifies_level)
    }

    pub fn between_results(&self) -> std::time::Duration {
        self.pace.between_results()
    }

    pub fn time_for_pictures(&self) -> std::time::Duration {
        self.pace.for_pictures()
    }

    pub fn camera(&self) -> &Camera {
        &self.camera
    }

    /// Returns the rectangle of the view in the last frame, in points of the window; `None` before the first frame.
    pub fn rect(&self) -> Option<Rect> {
        self.shown.map(|(rect, _)| rect)
    }

    /// Returns the rectangle between the start of the tool's drag and the pointer, in points of the window.
    pub fn dragged_rect(&self, ctx: &egui::Context) -> Option<Rect> {
        let from = self.input.dragged_from()?;
        let to = ctx.input(|input| input.pointer.latest_pos())?;
        Some(Rect::from_two_pos(from, to).intersect(self.rect()?))
    }

    /// Returns where `point` was in the last frame, in points of the window. `None` if it was behind the camera, or
    /// before the first frame.
    #[cfg(test)]
    pub fn screen_from_world(&self, point: Vec3) -> Option<egui::Pos2> {
        let (rect, projection) = self.shown?;
        Some(picking::point_in(rect, projection.place_of(point)?))
    }

    /// Returns the size of the view in the last frame, in pixels; `None` before the first frame.
    pub fn shown_size(&self) -> Option<[u32; 2]> {
        self.gpu.as_ref()?.picture_size()
    }

    fn projection(&self, rect: Rect, scene: &Scene<'_>) -> Projection {
        let bounds = scene.frame_bounds;
        let beyond = if bounds.is_empty() {
            0.0
        } else {
            bounds.size().length() + bounds.center().distance(self.camera.target)
        };
        let reach = beyond + 2.0 * self.camera.distance;
        Projection { camera: self.camera, aspect: aspect(rect), reach }
    }

    /// Starts the requested camera moves; before the first frame they are immediate.
    fn start_moves(&mut self, aspect: f32) {
        if self.requested.is_empty() {
            return;
        }
        let start = self.motion.map_or(self.camera, |motion| motion.goal());
        let goal = self.requested.drain(..).fold(start, |camera, requested| match requested {
            CameraRequest::Frame(bounds) => camera.framing(&bounds, aspect),
            CameraRequest::Look(look) => Camera::of(look),
            CameraRequest::Center(target) => Camera { target, ..camera },
            CameraRequest::Top(bounds) => camera.turned_to(Side::Top).framing(&bounds, aspect),
            CameraRequest::From(side) => camera.turned_to(side),
            CameraRequest::OtherProjection => {
                Camera { is_orthographic: !camera.is_orthographic, ..camera }
            }
            CameraRequest::Farther(times) => {
                let mut farther = camera;
                farther.zoom(times, camera.target);
                farther
            }
        });
        if self.shown.is_some() {
            self.motion = Some(Motion::new(self.camera, goal));
        } else {
            self.camera = goal;
        }
    }

    /// Moves the camera back when one picture becomes two narrower ones, and forward in the opposite case.
    fn make_room(&mut self, split: Split) {
        let has_twins = split == Split::Twins;
        if has_twins != self.had_twins && self.shown.is_some() {
            self.requested.push(CameraRequest::Farther(if has_twins {
                STEP_BACK
            } else {
                1.0 / STEP_BACK
            }));
        }
        self.had_twins = has_twins;
    }

    fn move_on(&mut self, ui: &egui::Ui) {
        let Some(motion) = self.motion.take() else { return };
        (self.camera, self.motion) = motion.advanced(ui.input(|input| input.stable_dt));
        // One more frame even at the end, so that overlays match the picture.
        ui.ctx().request_repaint();
    }

    fn steer(
        &mut self,
        ui: &egui::Ui,
        steer: &Steer,
        before: &Projection,
        scene: &Scene<'_>,
        rect: Rect,
    ) {
        if *steer == Steer::default() {
            return;
        }
        self.motion = None;
        self.camera.orbit(steer.orbit);
        self.camera.look(steer.look);
        let meters_per_point = self.camera.seen_height() / rect.height();
        let pan = steer.pan * meters_per_point;
        self.camera.shift(Vec3::new(-pan.x, pan.y, 0.0));
        if let Some((factor, at)) = steer.zoom
            && let Some(ray) = before.ray(picking::place_in(scene.split.picture_at(rect, at), at))
        {
            self.camera.zoom(factor, picking::anchor(scene, before, &ray));
        }
        let secs = ui.input(|input| input.stable_dt).min(0.1);
        self.camera.shift(steer.fly * (FLIGHT_SPEED * self.camera.distance * secs));
        if steer.is_flying {
            ui.ctx().request_repaint();
        }
    }

    fn run_gizmo_action(&mut self, action: GizmoAction, bounds: Aabb) {
        match action {
            GizmoAction::LookFrom(side) => self.look_from(side),
            GizmoAction::FrameAll => self.frame(bounds),
            GizmoAction::TopView => self.top_view(bounds),
            GizmoAction::SwitchProjection => self.switch_projection(),
        }
    }

    /// Returns the level of detail; `None` to draw everything. Requests a frame for when the view comes to rest, unless
    /// frames follow anyway.
    fn coarse(&self, ui: &egui::Ui, scene: &Scene<'_>) -> Option<Coarse> {
        let now = ui.input(|input| input.time);
        let (coarse, rests_in) = self.pace.coarse(scene, now)?;
        if !scene.is_changing {
            ui.ctx().request_repaint_after(std::time::Duration::from_secs_f64(rests_in));
        }
        Some(coarse)
    }

    fn paint(
        &self,
        ui: &egui::Ui,
        rect: Rect,
        scene: &Scene<'_>,
        projection: &Projection,
        coarse: Option<Coarse>,
    ) {
        let Some(gpu) = &self.gpu else {
            ui.painter().rect_filled(rect, 0.0, scene.theme.viewport);
            ui.painter().text(
                rect.center(),
                egui::Align2::CENTER_CENTER,
                tr!("No graphics device: the 3D view stays empty; everything else works"),
                egui::TextStyle::Body.resolve(ui.style()),
                scene.theme.text_weak,
            );
            return;
        };
        let pixels_per_point = ui.ctx().pixels_per_point();
        // A view that is larger than the device can draw has a lower resolution.
        let pixels = canvas(rect, pixels_per_point).size.into_iter().max().unwrap_or_default();
        let scale = pixels.div_ceil(gpu.max_side().max(1));
        let coarse = match coarse {
            None if scale > 1 => Some(Coarse { scale, limit: usize::MAX }),
            coarse => coarse.map(|coarse| Coarse { scale: coarse.scale.max(scale), ..coarse }),
        };
        let picture = Self::picture(rect, pixels_per_point, scene, projection, coarse);
        ui.painter().add(gpu.callback(rect, picture, ui.ctx().clone()));
    }

    fn picture(
        rect: Rect,
        pixels_per_point: f32,
        scene: &Scene<'_>,
        projection: &Projection,
        coarse: Option<Coarse>,
    ) -> Picture {
        let canvas = canvas(rect, pixels_per_point);
        let canvas = coarse.map_or(canvas, |coarse| canvas.coarser(coarse.scale));
        let slope_limit_deg = scene.level.and_then(|level| level.slope_limit_deg);
        let one = canvas.one_of(scene.split);
        let view =
            ViewUniform::new(projection, &one, &scene.frame_bounds, scene.theme, slope_limit_deg);
        // Coarse pictures, drawn while the view moves, have no ambient occlusion.
        let is_occluded = scene.ambient_occlusion && scene.level.is_some() && coarse.is_none();
        let view = if is_occluded { view.with_occlusion() } else { view };
        Picture {
            canvas,
            view,
            limit: coarse.map(|coarse| coarse.limit),
            level: scene.level.cloned(),
            surroundings: scene.surroundings.cloned(),
            batches: scene.batches.to_vec(),
            foreground: scene.foreground.clone(),
            handles: scene.handles.clone(),
            theme: *scene.theme,
            shows_grid: scene.show_grid,
            slice: scene.slice,
            split: scene.split,
        }
    }
}

fn graphics_text(info: &wgpu::AdapterInfo) -> String {
    let driver = format!("{} {}", info.driver, info.driver_info);
    let parts = [info.backend.to_string(), info.name.clone(), driver.trim().to_owned()];
    let parts = parts.into_iter().filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join(", ")
}

fn aspect(rect: Rect) -> f32 {
    (rect.width() / rect.height()).clamp(0.05, 20.0)
}

/// Returns the pixel rectangle that the window's renderer uses for `rect`.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "window sizes are small, and a cast of what is below zero saturates"
)]
fn canvas(rect: Rect, pixels_per_point: f32) -> Canvas {
    let pixel = |points: f32| (points * pixels_per_point).round();
    let size = [
        (pixel(rect.max.x) - pixel(rect.min.x)).max(1.0) as u32,
        (pixel(rect.max.y) - pixel(rect.min.y)).max(1.0) as u32,
    ];
    Canvas { size, pixels_per_point, scale: 1 }
}
