//! Draws the uploaded buffers: level, batches, foreground, handles, in back-to-front order.

use eframe::egui_wgpu::wgpu;
use walkable_editor::pictures::ViewHalf;

use super::{
    LevelForm, Picture, State,
    buffers::{self, Items, LevelBuffers, LevelPiece, ListBuffers},
    occlusion::Occlusion,
    pipelines::LevelPipelines,
    uniforms,
};
use crate::viewport::scene::Split;

impl State {
    pub(super) fn draw(&self, encoder: &mut wgpu::CommandEncoder, picture: &Picture) {
        let (Some(targets), Some(occlusion)) = (&self.targets, &self.occlusion) else { return };
        if picture.view.has_occlusion() {
            self.draw_occlusion(encoder, occlusion, picture);
        }
        let (resolve_target, store) = targets.resolve();
        let [r, g, b, a] = uniforms::color(picture.theme.viewport).map(f64::from);
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("3D view"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &targets.color,
                depth_slice: None,
                resolve_target,
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(wgpu::Color { r, g, b, a }),
                    store,
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
        let [width, height] = picture.canvas.size;
        match picture.split {
            Split::None => self.draw_half(&mut pass, picture, ViewHalf::Both),
            Split::Divider(split) => {
                let split = divider(width, split);
                for (half, from, to) in
                    [(ViewHalf::Left, 0, split), (ViewHalf::Right, split, width)]
                {
                    if from < to {
                        pass.set_scissor_rect(from, 0, to - from, height);
                        self.draw_half(&mut pass, picture, half);
                    }
                }
            }
            Split::Twins => {
                let [one, _] = picture.canvas.one_of(picture.split).size;
                for (half, from) in [(ViewHalf::Left, 0), (ViewHalf::Right, one)] {
                    let [x, across, down] = [from, one, height].map(uniforms::pixels);
                    pass.set_viewport(x, 0.0, across, down, 0.0, 1.0);
                    pass.set_scissor_rect(from, 0, one, height);
                    self.draw_half(&mut pass, picture, half);
                }
            }
        }
        // OpenGL resolves the samples of the scissor rectangle only.
        pass.set_scissor_rect(0, 0, width, height);
    }

    fn draw_occlusion(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        occlusion: &Occlusion,
        picture: &Picture,
    ) {
        let mut pass = occlusion.begin_surfaces(encoder);
        pass.set_bind_group(0, &self.view_group, &[]);
        for level in self.drawn_level().into_iter().chain(self.drawn_surroundings(picture)) {
            self.draw_triangles(&mut pass, level, |pipelines| &pipelines.surface);
        }
        drop(pass);
        occlusion.compute(encoder, &self.pipelines.occlusion, &self.view_group);
    }

    fn drawn_level(&self) -> Option<&LevelBuffers> {
        let level = match self.level_form {
            LevelForm::Whole => &self.level,
            LevelForm::Moving | LevelForm::NoRoom => &self.coarse_level,
        };
        level.as_ref().filter(|level| level.layer.opacity() > 0.0)
    }

    fn drawn_surroundings(&self, picture: &Picture) -> Option<&LevelBuffers> {
        let [whole, coarse] = &self.surroundings;
        let level = if picture.limit.is_some() { coarse } else { whole };
        level.as_ref().filter(|level| level.layer.opacity() > 0.0)
    }

    /// Draws one half of the picture. Batches drawn under others come first. A translucent level is drawn over the
    /// batches, which remain visible through it.
    fn draw_half(&self, pass: &mut wgpu::RenderPass<'_>, picture: &Picture, half: ViewHalf) {
        let pipelines = &self.pipelines;
        if let Some(surroundings) = self.drawn_surroundings(picture) {
            self.draw_level(pass, picture, surroundings);
        }
        let level = self.drawn_level();
        let ghost = level.filter(|level| level.layer.opacity() < 1.0);
        if let (Some(level), None) = (level, ghost) {
            self.draw_level(pass, picture, level);
        }
        let [on_top, under, batches] = self.lists(picture, half);
        let is_clear = |list: &&ListBuffers| list.layer.opacity() >= 1.0;
        let (solid, pale): (Vec<_>, Vec<_>) =
            under.iter().chain(&batches).copied().partition(is_clear);
        draw_lists(pass, &solid, &[(&pipelines.block, BLOCKS)]);
        // Only the nearest translucent boxes are visible, as with opaque ones.
        let nearest = [(&pipelines.block_depth, BLOCKS), (&pipelines.block, BLOCKS)];
        draw_lists(pass, &pale, &nearest);
        // The grid is blended over the level and under everything translucent.
        if picture.shows_grid {
            pass.set_pipeline(&pipelines.grid);
            pass.set_bind_group(1, &self.grid_layer.group, &[]);
            pass.draw(0..4, 0..1);
        }
        let marks = [(&pipelines.line, LINES), (&pipelines.point, POINTS)];
        draw_lists(pass, &under, &[(&pipelines.fill, FILLS)]);
        draw_lists(pass, &under, &marks);
        let fills = [(&pipelines.fill_depth, FILLS), (&pipelines.fill, FILLS)];
        draw_lists(pass, &batches, &fills);
        draw_lists(pass, &batches, &marks);
        if let Some(level) = ghost {
            self.draw_level(pass, picture, level);
        }
        for list in on_top.into_iter().chain(&self.foreground).chain(&self.handles) {
            self.draw_on_top(pass, list);
        }
    }

    /// Returns the batches of one half: those over all others, those under all others, and the rest.
    fn lists(&self, picture: &Picture, half: ViewHalf) -> [Vec<&ListBuffers>; 3] {
        let mut lists = [const { Vec::new() }; 3];
        let seen = picture.batches.iter().filter(|batch| batch.opacity > 0.0);
        for batch in seen.filter(|batch| batch.half.is_seen_in(half)) {
            let Some((list, stands_out)) = self.batches.of(batch) else { continue };
            let place = match (stands_out, batch.under) {
                (true, _) => 0,
                (false, true) => 1,
                (false, false) => 2,
            };
            lists[place].push(list);
        }
        lists
    }

    fn draw_level(&self, pass: &mut wgpu::RenderPass<'_>, picture: &Picture, level: &LevelBuffers) {
        if let Some(occlusion) = &self.occlusion {
            pass.set_bind_group(3, &occlusion.group, &[]);
        }
        if level.layer.opacity() < 1.0 {
            self.draw_triangles(pass, level, |pipelines| &pipelines.depth);
        }
        if picture.view.has_occlusion() {
            self.draw_triangles(pass, level, |pipelines| &pipelines.occluded);
        } else {
            self.draw_triangles(pass, level, |pipelines| &pipelines.color);
        }
        pass.set_pipeline(&self.pipelines.edge);
        draw_items(pass, &level.edge_layer, &level.edges, Shape::Instances(4));
    }

    fn draw_triangles(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        level: &LevelBuffers,
        pipeline: fn(&LevelPipelines) -> &wgpu::RenderPipeline,
    ) {
        let pipelines = match &level.textures {
            Some(textures) => {
                pass.set_bind_group(2, &textures.group, &[]);
                &self.pipelines.textured_level
            }
            None => &self.pipelines.level,
        };
        pass.set_pipeline(pipeline(pipelines));
        pass.set_bind_group(1, &level.layer.group, &[]);
        for LevelPiece { vertices, textures, indices } in &level.pieces {
            pass.set_vertex_buffer(0, vertices.slice(..));
            if let Some(textures) = textures {
                pass.set_vertex_buffer(1, textures.slice(..));
            }
            for (indices, n) in &indices.0 {
                pass.set_index_buffer(indices.slice(..), wgpu::IndexFormat::Uint32);
                pass.draw_indexed(0..*n, 0, 0..1);
            }
        }
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

type ItemsOf = fn(&ListBuffers) -> (&Items, Shape);

const BLOCKS: ItemsOf = |list| (&list.blocks, Shape::Instances(18));
const FILLS: ItemsOf = |list| (&list.fills, Shape::Corners);
const LINES: ItemsOf = |list| (&list.lines, Shape::Instances(4));
const POINTS: ItemsOf = |list| (&list.points, Shape::Instances(4));

fn draw_lists(
    pass: &mut wgpu::RenderPass<'_>,
    lists: &[&ListBuffers],
    steps: &[(&wgpu::RenderPipeline, ItemsOf)],
) {
    for (pipeline, items) in steps {
        pass.set_pipeline(pipeline);
        for list in lists {
            let (items, shape) = items(list);
            draw_items(pass, &list.layer, items, shape);
        }
    }
}

/// Returns the number of pixels left of the divider at `split`, a fraction of the whole width.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "between 0 and the width of a window"
)]
fn divider(width: u32, split: f32) -> u32 {
    (width as f32 * split.clamp(0.0, 1.0)).round() as u32
}

#[derive(Clone, Copy)]
enum Shape {
    /// As a vertex of a triangle.
    Corners,
    /// As an instance with this many vertices.
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
