//! Draws into a picture of its own, and that picture into the window.
//!
//! Buffers are made once: the level's when it changes, a batch's when its revision does. The picture
//! is drawn again only when something in it changed; all other frames copy the last one.

mod buffers;
mod pipelines;
mod read_back;
mod targets;
mod uniforms;
mod vertices;

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use eframe::{
    egui,
    egui_wgpu::{self, wgpu},
};
use walkable::debug_draw::{self, DrawList, Paint};

pub(super) use self::uniforms::{Canvas, ViewUniform};
use self::{
    buffers::{Items, LevelBuffers, ListBuffers, Uploader},
    pipelines::Pipelines,
    targets::Targets,
    uniforms::LayerUniform,
};
use super::scene::{Batch, LevelView};
use crate::theme::Theme;

/// Pixels by which batches, and then the overlay, are moved towards the eye.
const BATCH_LIFT: f32 = 2.0;
const OVERLAY_LIFT: f32 = 4.0;

/// The view on the graphics card, shared between the widget and the window's painter.
#[derive(Clone, Debug)]
pub(super) struct Gpu(Arc<Mutex<State>>);

/// Everything that one picture depends on.
#[derive(Clone, Debug)]
pub(super) struct Picture {
    pub(super) canvas: Canvas,
    pub(super) view: ViewUniform,
    /// Most primitives of each kind to be drawn of each batch; `None` for all.
    pub(super) limit: Option<usize>,
    pub(super) level: Option<LevelView>,
    pub(super) batches: Vec<Batch>,
    pub(super) overlay: DrawList,
    pub(super) theme: Theme,
    pub(super) shows_grid: bool,
}

#[derive(Debug)]
struct State {
    pipelines: Pipelines,
    view: wgpu::Buffer,
    view_group: wgpu::BindGroup,
    targets: Option<Targets>,
    level: Option<LevelBuffers>,
    coarse_level: Option<LevelBuffers>,
    batches: BTreeMap<u64, BatchBuffers>,
    overlay: Option<ListBuffers>,
    grid_layer: buffers::Layer,
    drawn: Option<Picture>,
    n_drawn: u64,
}

#[derive(Debug)]
struct BatchBuffers {
    revision: u64,
    theme: Theme,
    /// Drawn over all others, and seen through what hides it.
    stands_out: bool,
    whole: Option<ListBuffers>,
    coarse: Option<ListBuffers>,
}

impl Gpu {
    pub(super) fn new(render_state: &egui_wgpu::RenderState) -> Self {
        let device = &render_state.device;
        let pipelines = Pipelines::new(device, render_state.target_format);
        let view = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("view"),
            size: size_of::<ViewUniform>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let view_group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("view"),
            layout: &pipelines.view_layout,
            entries: &[wgpu::BindGroupEntry { binding: 0, resource: view.as_entire_binding() }],
        });
        let queue = &render_state.queue;
        let upload = Uploader { device, queue, layer_layout: &pipelines.layer_layout };
        let uniform = LayerUniform { opacity: 1.0, lift: 0.0, fade_below: 0.0, hide_backs: 0.0 };
        let grid_layer = upload.layer(uniform);
        Self(Arc::new(Mutex::new(State {
            pipelines,
            view,
            view_group,
            targets: None,
            level: None,
            coarse_level: None,
            batches: BTreeMap::new(),
            overlay: None,
            grid_layer,
            drawn: None,
            n_drawn: 0,
        })))
    }

    /// What the window's painter calls to draw `picture` into `rect`.
    pub(super) fn callback(&self, rect: egui::Rect, picture: Picture) -> egui::Shape {
        let draw = Draw { gpu: self.clone(), picture };
        egui_wgpu::Callback::new_paint_callback(rect, draw).into()
    }

    /// How often a picture was drawn anew.
    #[cfg(test)]
    pub(super) fn n_drawn(&self) -> u64 {
        self.state().n_drawn
    }

    /// Lines of batches in the last picture.
    #[cfg(test)]
    pub(super) fn n_lines_drawn(&self) -> u32 {
        let state = self.state();
        let limit = state.drawn.as_ref().and_then(|picture| picture.limit);
        let lists = state.batches.values().filter_map(|batch| batch.list(limit));
        lists.flat_map(|list| &list.lines.0).map(|(_, n)| n).sum()
    }

    /// Nothing panics while the state is locked, and a half-drawn picture is drawn again.
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct Draw {
    gpu: Gpu,
    picture: Picture,
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
            state.show(device, queue, encoder, self.picture.clone());
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
    fn looks_like(&self, other: &Self) -> bool {
        let batch = |batch: &Batch| (batch.id, batch.revision, batch.opacity.to_bits());
        let level = |level: &LevelView| {
            (Arc::as_ptr(&level.mesh), level.opacity.to_bits(), level.hide_backs)
        };
        self.canvas == other.canvas
            && self.view == other.view
            && self.limit.is_some() == other.limit.is_some()
            && self.shows_grid == other.shows_grid
            && self.theme == other.theme
            && self.level.as_ref().map(level) == other.level.as_ref().map(level)
            && self.batches.iter().map(batch).eq(other.batches.iter().map(batch))
            && self.overlay == other.overlay
    }
}

impl BatchBuffers {
    fn new(batch: &Batch, theme: &Theme) -> Self {
        let stands_out = stands_out(&batch.list);
        Self { revision: batch.revision, theme: *theme, stands_out, whole: None, coarse: None }
    }

    /// Uploads what is not there yet of the form that `limit` asks for.
    fn show(&mut self, upload: &Uploader<'_>, batch: &Batch, limit: Option<usize>) {
        let lift = if self.stands_out { OVERLAY_LIFT } else { BATCH_LIFT };
        let theme = &self.theme;
        let list = match limit.filter(|_| !self.stands_out) {
            None => self.whole.get_or_insert_with(|| upload.list(&batch.list, theme, lift)),
            Some(max) => self.coarse.get_or_insert_with(|| {
                upload.list(&debug_draw::coarse(&batch.list, max), theme, lift)
            }),
        };
        list.set_opacity(upload.queue, batch.opacity);
    }

    /// What is drawn under `limit`.
    fn list(&self, limit: Option<usize>) -> Option<&ListBuffers> {
        match limit.filter(|_| !self.stands_out) {
            None => self.whole.as_ref(),
            Some(_) => self.coarse.as_ref(),
        }
    }
}

impl State {
    fn show(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        encoder: &mut wgpu::CommandEncoder,
        picture: Picture,
    ) {
        self.upload(device, queue, &picture);
        self.draw(encoder, &picture);
        self.n_drawn += 1;
        self.drawn = Some(picture);
    }

    fn upload(&mut self, device: &wgpu::Device, queue: &wgpu::Queue, picture: &Picture) {
        let Picture { canvas, theme, .. } = picture;
        if self.targets.as_ref().is_none_or(|targets| targets.size != canvas.size) {
            self.targets = Some(Targets::new(device, canvas.size, &self.pipelines.blit_layout));
        }
        queue.write_buffer(&self.view, 0, bytemuck::bytes_of(&picture.view));
        let upload = Uploader { device, queue, layer_layout: &self.pipelines.layer_layout };
        let (slot, level) = match picture.limit {
            None => (&mut self.level, picture.level.clone()),
            Some(_) => (&mut self.coarse_level, picture.level.as_ref().map(LevelView::coarse)),
        };
        *slot = level.map(|level| match slot.take() {
            Some(mut buffers) if buffers.shows(&level) => {
                buffers.update(&upload, &level, theme);
                buffers
            }
            _ => upload.level(&level, theme),
        });
        let mut old = std::mem::take(&mut self.batches);
        for batch in &picture.batches {
            let kept = old.remove(&batch.id);
            let kept = kept.filter(|old| old.revision == batch.revision && old.theme == *theme);
            let mut buffers = kept.unwrap_or_else(|| BatchBuffers::new(batch, theme));
            buffers.show(&upload, batch, picture.limit);
            self.batches.insert(batch.id, buffers);
        }
        self.overlay = (!picture.overlay.is_empty()).then(|| {
            let mut list = upload.list(&picture.overlay, theme, OVERLAY_LIFT);
            list.set_opacity(queue, 1.0);
            list
        });
    }

    fn draw(&self, encoder: &mut wgpu::CommandEncoder, picture: &Picture) {
        let Some(targets) = &self.targets else { return };
        let [r, g, b, a] = uniforms::color(picture.theme.viewport).map(f64::from);
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("3D view"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &targets.color,
                depth_slice: None,
                resolve_target: Some(&targets.resolved),
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(wgpu::Color { r, g, b, a }),
                    store: wgpu::StoreOp::Discard,
                },
            })],
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &targets.depth,
                depth_ops: Some(wgpu::Operations {
                    load: wgpu::LoadOp::Clear(0.0),
                    store: wgpu::StoreOp::Discard,
                }),
                stencil_ops: None,
            }),
            ..wgpu::RenderPassDescriptor::default()
        });
        pass.set_bind_group(0, &self.view_group, &[]);
        self.draw_all(&mut pass, picture);
    }

    /// What lies under others goes first. A translucent level goes over the batches, which are seen
    /// through it.
    fn draw_all(&self, pass: &mut wgpu::RenderPass<'_>, picture: &Picture) {
        let pipelines = &self.pipelines;
        let level = if picture.limit.is_some() { &self.coarse_level } else { &self.level };
        let level = level.as_ref().filter(|level| level.layer.opacity() > 0.0);
        let ghost = level.filter(|level| level.layer.opacity() < 1.0);
        if let (Some(level), None) = (level, ghost) {
            self.draw_level(pass, level);
        }
        let batches = picture.batches.iter().filter(|batch| batch.opacity > 0.0);
        let (on_top, batches): (Vec<_>, Vec<_>) = batches
            .filter_map(|batch| self.batches.get(&batch.id))
            .partition(|batch| batch.stands_out);
        let limit = picture.limit;
        let on_top: Vec<_> = on_top.iter().filter_map(|batch| batch.list(limit)).collect();
        let batches: Vec<_> = batches.iter().filter_map(|batch| batch.list(limit)).collect();
        let layers: [(_, ItemsOf); 5] = [
            (&pipelines.block, |list| (&list.blocks, Shape::Instances(18))),
            (&pipelines.fill_depth, |list| (&list.fills, Shape::Corners)),
            (&pipelines.fill, |list| (&list.fills, Shape::Corners)),
            (&pipelines.line, |list| (&list.lines, Shape::Instances(4))),
            (&pipelines.point, |list| (&list.points, Shape::Instances(4))),
        ];
        for (index, (pipeline, items)) in layers.into_iter().enumerate() {
            // The grid blends over the level and under everything translucent.
            if index == 1 && picture.shows_grid {
                pass.set_pipeline(&pipelines.grid);
                pass.set_bind_group(1, &self.grid_layer.group, &[]);
                pass.draw(0..4, 0..1);
            }
            pass.set_pipeline(pipeline);
            for list in &batches {
                let (items, shape) = items(list);
                draw_items(pass, &list.layer, items, shape);
            }
        }
        if let Some(level) = ghost {
            self.draw_level(pass, level);
        }
        for list in on_top.into_iter().chain(&self.overlay) {
            self.draw_on_top(pass, list);
        }
    }

    fn draw_level(&self, pass: &mut wgpu::RenderPass<'_>, level: &LevelBuffers) {
        let is_ghost = level.layer.opacity() < 1.0;
        let depth_first = is_ghost.then_some(&self.pipelines.level_depth);
        for pipeline in depth_first.into_iter().chain([&self.pipelines.level]) {
            pass.set_pipeline(pipeline);
            pass.set_bind_group(1, &level.layer.group, &[]);
            pass.set_vertex_buffer(0, level.vertices.slice(..));
            for (indices, n) in &level.indices.0 {
                pass.set_index_buffer(indices.slice(..), wgpu::IndexFormat::Uint32);
                pass.draw_indexed(0..*n, 0, 0..1);
            }
        }
        pass.set_pipeline(&self.pipelines.edge);
        draw_items(pass, &level.edge_layer, &level.edges, Shape::Instances(4));
    }

    fn draw_on_top(&self, pass: &mut wgpu::RenderPass<'_>, list: &ListBuffers) {
        let pipelines = &self.pipelines;
        let ListBuffers { layer, hidden_layer, .. } = list;
        let quads = Shape::Instances(4);
        let steps = [
            (&pipelines.block, layer, &list.blocks, Shape::Instances(18)),
            (&pipelines.fill, layer, &list.fills, Shape::Corners),
            (&pipelines.hidden_line, hidden_layer, &list.lines, quads),
            (&pipelines.hidden_point, hidden_layer, &list.points, quads),
            (&pipelines.line, layer, &list.lines, quads),
            (&pipelines.point, layer, &list.points, quads),
        ];
        for (pipeline, layer, items, shape) in steps {
            pass.set_pipeline(pipeline);
            draw_items(pass, layer, items, shape);
        }
    }
}

/// Finds the items that a pipeline draws.
type ItemsOf = fn(&ListBuffers) -> (&Items, Shape);

/// What an item of a buffer is to the pipeline.
#[derive(Clone, Copy)]
enum Shape {
    /// A corner of a triangle.
    Corners,
    /// A thing of so many corners.
    Instances(u32),
}

fn draw_items(
    pass: &mut wgpu::RenderPass<'_>,
    layer: &buffers::Layer,
    items: &Items,
    shape: Shape,
) {
    for (buffer, n) in &items.0 {
        pass.set_bind_group(1, &layer.group, &[]);
        pass.set_vertex_buffer(0, buffer.slice(..));
        match shape {
            Shape::Corners => pass.draw(0..*n, 0..1),
            Shape::Instances(n_corners) => pass.draw(0..n_corners, 0..*n),
        }
    }
}

/// Whether a batch shows a path: people look for it wherever it runs.
fn stands_out(list: &DrawList) -> bool {
    let is_path = |paint| matches!(paint, Paint::Path | Paint::Start | Paint::End);
    list.lines.iter().any(|line| is_path(line.paint))
        || list.points.iter().any(|point| is_path(point.paint))
}
