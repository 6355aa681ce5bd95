//! Uniforms of the shaders, in the layout of `shaders/common.wgsl`.

use eframe::egui::Color32;
use glam::Vec4;
use walkable::geom::Aabb;
use walkable_editor::session::Slice;

use crate::{
    theme::{MAX_OCCLUSION, Theme},
    viewport::{
        camera::{Camera, Projection},
        scene::Split,
    },
};

/// `View` of the shaders.
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(in crate::viewport) struct ViewUniform {
    clip_from_world: [[f32; 4]; 4],
    eye: [f32; 4],
    forward: [f32; 4],
    size: [f32; 4],
    background: [f32; 4],
    level: [f32; 4],
    walkable: [f32; 4],
    steep: [f32; 4],
    grid: [f32; 4],
    axis_x: [f32; 4],
    axis_z: [f32; 4],
    ground: [f32; 4],
    ground_center: [f32; 4],
    haze: [f32; 4],
}

/// `Layer` of the shaders.
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(super) struct LayerUniform {
    pub(super) opacity: f32,
    /// Pixels by which the layer is moved towards the eye.
    pub(super) lift: f32,
    /// Lines shorter than this many pixels fade away; 0 for none.
    pub(super) fade_below: f32,
    /// Whether back faces are hidden: 1 for yes, 0 for no.
    pub(super) hide_backs: f32,
    /// Heights between which the layer is visible.
    pub(super) slice: [f32; 2],
    pub(super) unused: [f32; 2],
    /// Rectangle seen from above in which nothing is drawn: its minimum and maximum along x and z.
    pub(super) hole: [f32; 4],
}

impl LayerUniform {
    pub(super) const fn lifted(lift: f32) -> Self {
        let slice = [Slice::ALL.bottom, Slice::ALL.top];
        let (unused, hole) = ([0.0; 2], [0.0; 4]);
        Self { opacity: 1.0, lift, fade_below: 0.0, hide_backs: 0.0, slice, unused, hole }
    }

    pub(super) const fn within(self, slice: Slice) -> Self {
        Self { slice: [slice.bottom, slice.top], ..self }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::viewport) struct Canvas {
    pub(in crate::viewport) size: [u32; 2],
    pub(in crate::viewport) pixels_per_point: f32,
    /// Width and height of a pixel of the picture, in pixels of the window.
    pub(in crate::viewport) scale: u32,
}

impl Canvas {
    pub(in crate::viewport) fn one_of(self, split: Split) -> Self {
        let [width, height] = self.size;
        let width = if split == Split::Twins { (width / 2).max(1) } else { width };
        Self { size: [width, height], ..self }
    }

    pub(in crate::viewport) fn coarser(self, scale: u32) -> Self {
        let pixels_per_point = self.pixels_per_point / pixels(scale);
        Self { size: self.size.map(|pixels| pixels.div_ceil(scale)), pixels_per_point, scale }
    }
}

impl ViewUniform {
    pub(in crate::viewport) fn new(
        projection: &Projection,
        canvas: &Canvas,
        bounds: &Aabb,
        theme: &Theme,
        slope_limit_deg: Option<f32>,
    ) -> Self {
        let camera = &projection.camera;
        let [width, height] = canvas.size.map(pixels);
        let is_perspective = if camera.is_orthographic { 0.0 } else { 1.0 };
        let at_distance = if camera.is_orthographic { 1.0 } else { camera.distance };
        let meters_per_pixel = camera.seen_height() / at_distance / height;
        let slope_limit = slope_limit_deg.map_or(-2.0, |limit| limit.to_radians().cos());
        let [r, g, b, _] = theme.steep.to_normalized_gamma_f32();
        let (ground, ground_center) = ground(projection, bounds);
        Self {
            clip_from_world: projection.clip_from_world().to_cols_array_2d(),
            eye: camera.eye().extend(is_perspective).to_array(),
            forward: camera.axes().forward.extend(meters_per_pixel).to_array(),
            size: [width, height, canvas.pixels_per_point, projection.near()],
            background: color(theme.viewport),
            level: color(theme.level),
            walkable: color(theme.walkable),
            steep: [r, g, b, slope_limit],
            grid: color(theme.grid),
            axis_x: color(theme.axis_x),
            axis_z: color(theme.axis_z),
            ground,
            ground_center,
            haze: [haze_start(camera), 0.0, 0.0, 0.0],
        }
    }

    #[must_use]
    pub(in crate::viewport) fn with_occlusion(mut self) -> Self {
        self.haze[1] = MAX_OCCLUSION;
        self
    }

    pub(super) fn has_occlusion(&self) -> bool {
        self.haze[1] > 0.0
    }
}

/// Returns the distance from the camera at which haze starts, in meters: behind the target. In an orthographic view,
/// there is no haze.
fn haze_start(camera: &Camera) -> f32 {
    if camera.is_orthographic { f32::MAX } else { 1.3 * camera.distance }
}

/// Returns the grid's height, spacing, visibility of fine lines and radius, and its center. The spacing is a power of
/// ten, so that some ten lines cross the view; finer ones fade in as they come nearer.
fn ground(projection: &Projection, bounds: &Aabb) -> ([f32; 4], [f32; 4]) {
    let camera = &projection.camera;
    let digits = (camera.distance * 0.08).log10();
    let spacing = 10f32.powf(digits.floor());
    let fine = 1.0 - (digits - digits.floor());
    let y = if bounds.is_empty() { 0.0 } else { bounds.min.y };
    let center = camera.target;
    let radius = 12.0 * camera.distance;
    ([y, spacing, fine, radius], [center.x, center.z, 0.0, 0.0])
}

/// Returns the components of a color from 0 to 1, with premultiplied alpha.
pub(super) fn color(color: Color32) -> [f32; 4] {
    color.to_normalized_gamma_f32()
}

#[expect(clippy::cast_precision_loss, reason = "views are narrower than 2^24 pixels")]
pub(super) fn pixels(count: u32) -> f32 {
    count as f32
}

const _: () = assert!(size_of::<ViewUniform>() == 17 * 16 && size_of::<Vec4>() == 16);
const _: () = assert!(size_of::<LayerUniform>() == 3 * 16);
