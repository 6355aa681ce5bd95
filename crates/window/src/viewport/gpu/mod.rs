//! Draws into an off-screen picture, and copies that picture into the window.
//!
//! Buffers are created once: the level's when it changes, a batch's when its revision does. The picture is drawn again
//! only when something in it has changed; all other frames copy the previous one. The memory of batches and the upload
//! per frame are limited.

mod batches;
mod buffers;
mod draw;
mod full_screen;
mod occlusion;
mod pipelines;
mod read_back;
mod targets;
mod uniforms;
mod vertices;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use eframe::{
    egui,
    egui_wgpu::{self, wgpu},
};
use walkable::debug_draw::DrawList;
use walkable_editor::{pictures::Batch, prefs::ViewQuality, session::Slice};

pub use self::read_back::PictureReading;
#[cfg(not(target_family = "wasm"))]
pub(super) use self::read_back::check_size;
use self::{
    batches::Batches,
    buffers::{LevelBuffers, ListBuffers, Uploader},
    occlusion::Occlusion,
    pipelines::Pipelines,
    targets::{SAMPLES, Targets},
    uniforms::LayerUniform,
};
pub(super) use self::{
    read_back::DrawnOverlay,
    uniforms::{Canvas, ViewUniform},
};
use super::scene::{LevelView, Split};
use crate::theme::Theme;

/// Distance that batches, and then the foreground, are moved toward the camera, in pixels.
const BATCH_LIFT: f32 = 2.0;
const OVERLAY_LIFT: f32 = 4.0;
/// The same distance for batches under others, so that they are visible on boxes.
const UNDER_LIFT: f32 = 3.0;

/// The GPU state of the view, shared between the widget and the window's renderer.
#[derive(Clone, Debug)]
pub(super) struct Gpu(Arc<Mutex<State>>);

#[derive(Clone, Debug)]
pub(super) struct Picture {
    pub(super) canvas: Canvas,
    pub(super) view: ViewUniform,
    /// Maximum number of primitives of each kind to draw per batch; `None` for all.
    pub(super) limit: Option<usize>,
    pub(super) level: Option<LevelView>,
    pub(super) surroundings: Option<LevelView>,
    pub(super) batches: Vec<Batch>,
    pub(super) foreground: DrawList,
    pub(super) handles: DrawList,
    pub(super) theme: Theme,
    pub(super) shows_grid: bool,
    pub(super) slice: Slice,
    pub(super) split: Split,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LevelForm {
    Whole,
    /// The coarse form, while the view moves.
    Moving,
    /// The coarse form, even at rest, because the complete level does not fit in memory.
    NoRoom,
}

#[derive(Debug)]
struct State {
    device: (wgpu::Device, wgpu::Queue),
    pipelines: Pipelines,
    /// The pipelines for another number of samples per pixel.
    spare_pipelines: Option<Pipelines>,
    /// Samples per pixel, except of enlarged pictures, which have one.
    samples: u32,
    view: wgpu::Buffer,
    view_group: wgpu::BindGroup,
    targets: Option<Targets>,
    occlusion: Option<Occlusion>,
    level: Option<LevelBuffers>,
    coarse_level: Option<LevelBuffers>,
    level_form: LevelForm,
    /// The overview around the loaded part of a level: all of it, and its coarse form while the view moves.
    surroundings: [Option<LevelBuffers>; 2],
    batches: Batches,
    foreground: Option<ListBuffers>,
    handles: Option<ListBuffers>,
    grid_layer: buffers::Layer,
    drawn: Option<Picture>,
    n_drawn: u64,
}

impl Gpu {
    pub(super) fn new(render_state: &egui_wgpu::RenderState) -> Self {
        let device = &render_state.device;
        let pipelines = Pipelines::new(device, render_state.target_format, SAMPLES);
        let view = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("view"),
            size: size_of::<ViewUniform>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let view_group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("view"),
            layout: &pipelines.groups.view,
            entries: &[wgpu::BindGroupEntry { binding: 0, resource: view.as_entire_binding() }],
        });
        let queue = &render_state.queue;
        let upload = pipelines.uploader(device, queue);
        let grid_layer = upload.layer(LayerUniform::lifted(0.0));
        Self(Arc::new(Mutex::new(State {
            device: (device.clone(), queue.clone()),
            pipelines,
            spare_pipelines: None,
            samples: SAMPLES,
            view,
            view_group,
            targets: None,
            occlusion: None,
            level: None,
            coarse_level: None,
            level_form: LevelForm::Whole,
            surroundings: [None, None],
            batches: Batches::new(render_state.adapter.get_info().device_type),
            foreground: None,
            handles: None,
            grid_layer,
            drawn: None,
            n_drawn: 0,
        })))
    }

    /// Returns the callback that draws `picture` into `rect`. Until all uploads are complete, the callback requests
    /// another frame.
    pub(super) fn callback(
        &self,
        rect: egui::Rect,
        picture: Picture,
        ctx: egui::Context,
    ) -> egui::Shape {
        let draw = Draw { gpu: self.clone(), picture, ctx };
        egui_wgpu::Callback::new_paint_callback(rect, draw).into()
    }

    #[cfg(test)]
    pub(super) fn n_drawn(&self) -> u64 {
        self.state().n_drawn
    }

    #[cfg(test)]
    pub(super) fn n_lines_drawn(&self) -> u32 {
        let state = self.state();
        let lists = state.batches.drawn().map(|(list, _)| list);
        lists.flat_map(|list| &list.lines.0).map(|(_, n)| n).sum()
    }

    #[cfg(test)]
    pub(super) fn n_batches_drawn(&self) -> usize {
        self.state().batches.drawn().count()
    }

    pub(super) fn set_budget(&self, budget: usize) {
        let mut state = self.state();
        let textures = state.n_texture_bytes();
        state.batches.set_budget(budget, textures);
    }

    pub(super) fn set_quality(&self, quality: ViewQuality) {
        let samples = if quality.anti_aliasing { SAMPLES } else { 1 };
        let mut state = self.state();
        if state.samples != samples {
            (state.samples, state.drawn) = (samples, None);
        }
    }

    /// Forgets the last picture: it can no longer be read back, and the next one is drawn even if nothing has changed.
    pub(super) fn forget_picture(&self) {
        self.state().drawn = None;
    }

    pub(super) fn max_side(&self) -> u32 {
        self.state().device.0.limits().max_texture_dimension_2d
    }

    pub(super) fn picture_size(&self) -> Option<[u32; 2]> {
        self.state().drawn.as_ref().map(|picture| {
            let canvas = picture.canvas;
            canvas.size.map(|pixels| pixels * canvas.scale)
        })
    }

    pub(super) fn simplifies_level(&self) -> bool {
        self.state().level_form == LevelForm::NoRoom
    }

    pub(super) fn n_bytes(&self) -> usize {
        let state = self.state();
        state.n_texture_bytes() + state.batches.n_bytes()
    }

    /// Locks the state. Ignores poisoning, because nothing panics while the lock is held, and an incomplete picture is
    /// drawn again.
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct Draw {
    gpu: Gpu,
    picture: Picture,
    ctx: egui::Context,
}

impl egui_wgpu::CallbackTrait for Draw {
    fn prepare(
        &self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        _: &egui_wgpu::ScreenDescriptor,
        encoder: &mut wgpu::CommandEncoder,
        _: &mut egui_wgpu::CallbackResources,
    ) -> Vec<wgpu::CommandBuffer> {
        let mut state = self.gpu.state();
        if state.drawn.as_ref().is_none_or(|drawn| !drawn.looks_like(&self.picture)) {
            let fresh = state.batches.most_fresh();
            state.show((device, queue), encoder, self.picture.clone(), fresh);
            if state.drawn.is_none() {
                self.ctx.request_repaint();
            }
        }
        Vec::new()
    }

    fn paint(
        &self,
        _: egui::PaintCallbackInfo,
        pass: &mut wgpu::RenderPass<'static>,
        _: &egui_wgpu::CallbackResources,
    ) {
        let state = self.gpu.state();
        let Some(targets) = &state.targets else { return };
        pass.set_pipeline(&state.pipelines.blit);
        pass.set_bind_group(0, &targets.blit, &[]);
        pass.draw(0..3, 0..1);
    }
}

impl Picture {
    /// Returns the size at which occlusion is computed: that of one picture. If two are shown side by side, both show
    /// the same level, so it is computed once.
    fn occluded_size(&self) -> [u32; 2] {
        if self.view.has_occlusion() { self.canvas.one_of(self.split).size } else { [1; 2] }
    }

    fn looks_like(&self, other: &Self) -> bool {
        let batch = |batch: &Batch| {
            (batch.id, batch.revision, batch.opacity.to_bits(), batch.half, batch.under)
        };
        let level = |level: &LevelView| {
            let drawn = (level.opacity.to_bits(), level.hide_backs, level.colors);
            (Arc::as_ptr(&level.mesh), drawn, level.hole)
        };
        self.canvas == other.canvas
            && self.view == other.view
            && self.limit.is_some() == other.limit.is_some()
            && self.shows_grid == other.shows_grid
            && self.slice == other.slice
            && self.split == other.split
            && self.theme == other.theme
            && self.level.as_ref().map(level) == other.level.as_ref().map(level)
            && self.surroundings.as_ref().map(level) == other.surroundings.as_ref().map(level)
            && self.batches.iter().map(batch).eq(other.batches.iter().map(batch))
            && self.foreground == other.foreground
            && self.handles == other.handles
    }
}

impl State {
    fn n_texture_bytes(&self) -> usize {
        let textures = self.level.as_ref().and_then(|level| level.textures.as_ref());
        textures.map_or(0, |textures| textures.n_bytes)
    }

    /// Draws `picture` and uploads at most about `fresh` bytes for it. The remaining uploads follow with the next
    /// picture; until they are complete, the picture counts as not drawn.
    fn show(
        &mut self,
        (device, queue): (&wgpu::Device, &wgpu::Queue),
        encoder: &mut wgpu::CommandEncoder,
        picture: Picture,
        fresh: usize,
    ) {
        let is_whole = self.upload((device, queue), &picture, fresh);
        self.draw(encoder, &picture);
        self.n_drawn += 1;
        self.drawn = is_whole.then_some(picture);
    }

    fn form_of_level(&self, picture: &Picture) -> LevelForm {
        let is_too_large =
            |level: &LevelView| level.coarse.is_some() && !self.batches.has_room_for_level(level);
        if picture.level.as_ref().is_some_and(is_too_large) {
            LevelForm::NoRoom
        } else if picture.limit.is_some() {
            LevelForm::Moving
        } else {
            LevelForm::Whole
        }
    }

    /// Uploads what `picture` needs; returns whether everything is uploaded.
    fn upload(
        &mut self,
        (device, queue): (&wgpu::Device, &wgpu::Queue),
        picture: &Picture,
        fresh: usize,
    ) -> bool {
        let Picture { canvas, theme, .. } = picture;
        let is_enlarged = canvas.scale > 1;
        let (size, samples) = (canvas.size, if is_enlarged { 1 } else { self.samples });
        if self.pipelines.samples != samples {
            let spare = self.spare_pipelines.take().filter(|spare| spare.samples == samples);
            let other = spare.unwrap_or_else(|| self.pipelines.with_samples(device, samples));
            self.spare_pipelines = Some(std::mem::replace(&mut self.pipelines, other));
        }
        let fits = |targets: &Targets| (targets.size, targets.samples) == (size, samples);
        if !self.targets.as_ref().is_some_and(fits) {
            let layout = &self.pipelines.groups.blit;
            self.targets = Some(Targets::new(device, size, samples, layout));
        }
        let occluded = picture.occluded_size();
        if self.occlusion.as_ref().is_none_or(|occlusion| occlusion.size != occluded) {
            let layout = &self.pipelines.groups.occlusion;
            self.occlusion = Some(Occlusion::new(device, occluded, layout));
        }
        queue.write_buffer(&self.view, 0, bytemuck::bytes_of(&picture.view));
        let upload = self.pipelines.uploader(device, queue);
        self.level_form = self.form_of_level(picture);
        let (slot, level) = match self.level_form {
            LevelForm::Whole => (&mut self.level, picture.level.clone()),
            LevelForm::Moving | LevelForm::NoRoom => {
                (&mut self.coarse_level, picture.level.as_ref().map(LevelView::coarse))
            }
        };
        renew(slot, level, &upload, picture);
        let around = picture.surroundings.as_ref();
        let [whole, coarse] = &mut self.surroundings;
        match picture.limit {
            None => renew(whole, around.cloned(), &upload, picture),
            Some(_) => renew(coarse, around.map(LevelView::coarse), &upload, picture),
        }
        if self.level_form == LevelForm::NoRoom {
            self.level = None;
        }
        let is_whole = self.batches.upload(&upload, picture, fresh);
        let over_all = |list: &DrawList| {
            (!list.is_empty()).then(|| {
                let mut list = upload.lists(std::iter::once(list), theme, OVERLAY_LIFT);
                list.set_look(queue, 1.0, Slice::ALL);
                list
            })
        };
        self.foreground = over_all(&picture.foreground);
        self.handles = over_all(&picture.handles);
        if let Some(handles) = &mut self.handles {
            handles.show_hidden_parts(queue);
        }
        is_whole
    }
}

/// Updates the buffers in `slot` to show `level`, or creates them if they show another one.
fn renew(
    slot: &mut Option<LevelBuffers>,
    level: Option<LevelView>,
    upload: &Uploader<'_>,
    picture: &Picture,
) {
    *slot = level.map(|level| match slot.take() {
        Some(mut buffers) if buffers.shows(&level) => {
            buffers.update(upload, &level, picture);
            buffers
        }
        _ => upload.level(&level, picture),
    });
}
