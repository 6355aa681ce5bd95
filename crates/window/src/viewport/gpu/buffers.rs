//! The buffers of level, batches and foreground on the graphics card.

use std::sync::Arc;

use eframe::egui_wgpu::wgpu::{self, util::DeviceExt as _};
use walkable::{debug_draw::DrawList, mesh::TriMesh};
use walkable_editor::{level_appearance::Textures, level_colors::LevelColors, session::Slice};

use super::{
    Picture,
    uniforms::LayerUniform,
    vertices::{self, FillVertex, LevelCorners, LineInstance},
};
use crate::{theme::Theme, viewport::scene::LevelView};

#[derive(Clone, Copy)]
pub(super) struct Uploader<'a> {
    pub(super) device: &'a wgpu::Device,
    pub(super) queue: &'a wgpu::Queue,
    pub(super) layer_layout: &'a wgpu::BindGroupLayout,
    pub(super) textures_layout: &'a wgpu::BindGroupLayout,
}

/// Items of one kind, split into buffers of at most the device's size limit.
#[derive(Debug, Default)]
pub(super) struct Items(pub(super) Vec<(wgpu::Buffer, u32)>);

#[derive(Debug)]
pub(super) struct Layer {
    pub(super) group: wgpu::BindGroup,
    buffer: wgpu::Buffer,
    value: LayerUniform,
}

#[derive(Debug)]
pub(super) struct ListBuffers {
    pub(super) fills: Items,
    pub(super) lines: Items,
    pub(super) points: Items,
    pub(super) blocks: Items,
    pub(super) layer: Layer,
    /// The style of lines and points that are hidden by other geometry.
    pub(super) hidden_layer: Layer,
}

#[derive(Debug)]
pub(super) struct LevelBuffers {
    /// Kept alive so that no other mesh can have the same address.
    mesh: Arc<TriMesh>,
    colors: LevelColors,
    pub(super) pieces: Vec<LevelPiece>,
    /// `None` if the level is drawn without textures.
    pub(super) textures: Option<LevelTextures>,
    pub(super) edges: Items,
    edges_for: Theme,
    pub(super) layer: Layer,
    pub(super) edge_layer: Layer,
}

/// Triangles whose corners fit into a buffer.
#[derive(Debug)]
pub(super) struct LevelPiece {
    pub(super) vertices: wgpu::Buffer,
    pub(super) textures: Option<wgpu::Buffer>,
    pub(super) indices: Items,
}

#[derive(Debug)]
pub(super) struct LevelTextures {
    pub(super) group: wgpu::BindGroup,
    pub(super) n_bytes: usize,
}

impl Uploader<'_> {
    fn items<T: bytemuck::Pod>(&self, usage: wgpu::BufferUsages, items: &[T]) -> Items {
        // A multiple of six keeps triangles together, for indices and vertices alike.
        let per_buffer = (self.largest_buffer() / size_of::<T>() / 6 * 6).max(6);
        let chunks = items.chunks(per_buffer).map(|chunk| {
            let buffer = self.buffer(usage, bytemuck::cast_slice(chunk));
            (buffer, u32::try_from(chunk.len()).unwrap_or(u32::MAX))
        });
        Items(chunks.collect())
    }

    fn largest_buffer(&self) -> usize {
        usize::try_from(self.device.limits().max_buffer_size).unwrap_or(usize::MAX)
    }

    fn buffer(&self, usage: wgpu::BufferUsages, contents: &[u8]) -> wgpu::Buffer {
        let descriptor = wgpu::util::BufferInitDescriptor { label: None, contents, usage };
        self.device.create_buffer_init(&descriptor)
    }

    fn instances<T: bytemuck::Pod>(&self, items: &[T]) -> Items {
        self.items(wgpu::BufferUsages::VERTEX, items)
    }

    pub(super) fn layer(&self, value: LayerUniform) -> Layer {
        let usage = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
        let buffer = self.buffer(usage, bytemuck::bytes_of(&value));
        let group = self.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("layer"),
            layout: self.layer_layout,
            entries: &[wgpu::BindGroupEntry { binding: 0, resource: buffer.as_entire_binding() }],
        });
        Layer { group, buffer, value }
    }

    /// Combines `lists` into buffers, in the colors of `theme`, moved toward the camera by `lift` pixels.
    pub(super) fn lists<'b>(
        &self,
        lists: impl Iterator<Item = &'b DrawList> + Clone,
        theme: &Theme,
        lift: f32,
    ) -> ListBuffers {
        let layer = LayerUniform::lifted(lift);
        let fills: Vec<_> = lists.clone().flat_map(|list| vertices::fills(list, theme)).collect();
        let lines: Vec<_> = lists.clone().flat_map(|list| vertices::lines(list, theme)).collect();
        let points: Vec<_> = lists.clone().flat_map(|list| vertices::points(list, theme)).collect();
        let blocks: Vec<_> = lists.flat_map(|list| vertices::blocks(list, theme)).collect();
        ListBuffers {
            fills: self.instances(&fills),
            lines: self.instances(&lines),
            points: self.instances(&points),
            blocks: self.instances(&blocks),
            layer: self.layer(layer),
            hidden_layer: self.layer(layer),
        }
    }

    fn edges(&self, level: &LevelView, theme: &Theme) -> Items {
        let edges: Vec<LineInstance> = vertices::edges(&level.edges, theme);
        self.instances(&edges)
    }

    /// Uploads textures as the layers of an array; white pixels if there are none. An array has at least two layers: OpenGL
    /// has no array of one.
    fn textures(&self, textures: &Textures) -> wgpu::BindGroup {
        let few = match textures.n {
            0 => Some(Textures { side: 1, n: 2, bytes: vec![u8::MAX; 8] }),
            1 => Some(Textures { side: textures.side, n: 2, bytes: textures.bytes.repeat(2) }),
            _ => None,
        };
        let Textures { side, n, bytes } = few.as_ref().unwrap_or(textures);
        let descriptor = wgpu::TextureDescriptor {
            label: Some("textures"),
            size: wgpu::Extent3d { width: *side, height: *side, depth_or_array_layers: *n },
            mip_level_count: side.ilog2() + 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: wgpu::TextureFormat::Rgba8Unorm,
            usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
            view_formats: &[],
        };
        let order = wgpu::util::TextureDataOrder::LayerMajor;
        let array = self.device.create_texture_with_data(self.queue, &descriptor, order, bytes);
        let view = array.create_view(&wgpu::TextureViewDescriptor {
            dimension: Some(wgpu::TextureViewDimension::D2Array),
            ..wgpu::TextureViewDescriptor::default()
        });
        let sampler = self.device.create_sampler(&wgpu::SamplerDescriptor {
            label: Some("textures"),
            address_mode_u: wgpu::AddressMode::Repeat,
            address_mode_v: wgpu::AddressMode::Repeat,
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            mipmap_filter: wgpu::MipmapFilterMode::Linear,
            ..wgpu::SamplerDescriptor::default()
        });
        self.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("textures"),
            layout: self.textures_layout,
            entries: &[
                wgpu::BindGroupEntry {
                    binding: 0,
                    resource: wgpu::BindingResource::TextureView(&view),
                },
                wgpu::BindGroupEntry {
                    binding: 1,
                    resource: wgpu::BindingResource::Sampler(&sampler),
                },
            ],
        })
    }

    pub(super) fn level(&self, level: &LevelView, picture: &Picture) -> LevelBuffers {
        let Picture { theme, slice, .. } = picture;
        let appearance = level.drawn_appearance();
        let corners = vertices::level(&level.mesh, level.colors, appearance);
        let of_vertices = |bytes: &[u8]| self.buffer(wgpu::BufferUsages::VERTEX, bytes);
        let piece = |LevelCorners { fills, textures, triangles }| LevelPiece {
            vertices: of_vertices(bytemuck::cast_slice(&fills)),
            textures: appearance.map(|_| of_vertices(bytemuck::cast_slice(&textures))),
            indices: self.items(wgpu::BufferUsages::INDEX, triangles.as_flattened()),
        };
        let max_corners = self.largest_buffer() / size_of::<FillVertex>();
        let textures = appearance.map(|appearance| LevelTextures {
            group: self.textures(appearance.textures()),
            n_bytes: appearance.textures().n_bytes(),
        });
        LevelBuffers {
            mesh: Arc::clone(&level.mesh),
            colors: level.colors,
            pieces: corners.into_pieces(max_corners).into_iter().map(piece).collect(),
            textures,
            edges: self.edges(level, theme),
            edges_for: *theme,
            layer: self.layer(LevelBuffers::surface(level, *slice)),
            edge_layer: self.layer(LevelBuffers::lines(level.opacity, *slice)),
        }
    }
}

impl Layer {
    /// Changes the values; uploads nothing if they are unchanged.
    pub(super) fn set(&mut self, queue: &wgpu::Queue, value: LayerUniform) {
        if self.value != value {
            self.value = value;
            queue.write_buffer(&self.buffer, 0, bytemuck::bytes_of(&value));
        }
    }

    pub(super) fn opacity(&self) -> f32 {
        self.value.opacity
    }
}

impl Items {
    fn n(&self) -> usize {
        self.0.iter().map(|(_, n)| *n as usize).sum()
    }

    fn n_bytes(&self) -> usize {
        let size = |(buffer, _): &(wgpu::Buffer, u32)| usize::try_from(buffer.size());
        self.0.iter().filter_map(|item| size(item).ok()).sum()
    }
}

impl ListBuffers {
    /// Approximate memory of the driver for the two layers, in bytes.
    const LAYERS: usize = 4096;

    /// Returns the size on the graphics card, in bytes, with `per_triangle` bytes for each drawn triangle.
    pub(super) fn n_bytes(&self, per_triangle: usize) -> usize {
        let Self { fills, lines, points, blocks, .. } = self;
        let buffers: usize = [fills, lines, points, blocks].map(Items::n_bytes).iter().sum();
        let n_triangles = fills.n() / 3 + 2 * (lines.n() + points.n()) + 6 * blocks.n();
        buffers + n_triangles * per_triangle + Self::LAYERS
    }

    const HIDDEN: f32 = 0.22;

    pub(super) fn set_look(&mut self, queue: &wgpu::Queue, opacity: f32, slice: Slice) {
        let value = LayerUniform { opacity, ..self.layer.value }.within(slice);
        self.layer.set(queue, value);
        self.hidden_layer.set(queue, LayerUniform { opacity: opacity * Self::HIDDEN, ..value });
    }

    /// Draws lines and points that are hidden by other geometry as if they were in front of it.
    pub(super) fn show_hidden_parts(&mut self, queue: &wgpu::Queue) {
        self.hidden_layer.set(queue, self.layer.value);
    }
}

impl LevelBuffers {
    /// Edges shorter than this many pixels fade out, because they would blacken distant details.
    const FADE_BELOW: f32 = 14.0;

    pub(super) fn shows(&self, level: &LevelView) -> bool {
        Arc::ptr_eq(&self.mesh, &level.mesh) && self.colors == level.colors
    }

    /// Updates what can change in a level from frame to frame.
    pub(super) fn update(&mut self, upload: &Uploader<'_>, level: &LevelView, picture: &Picture) {
        let Picture { theme, slice, .. } = picture;
        self.layer.set(upload.queue, Self::surface(level, *slice));
        self.edge_layer.set(upload.queue, Self::lines(level.opacity, *slice));
        if self.edges_for != *theme {
            self.edges = upload.edges(level, theme);
            self.edges_for = *theme;
        }
    }

    fn surface(level: &LevelView, slice: Slice) -> LayerUniform {
        let hide_backs = if level.hide_backs { 1.0 } else { 0.0 };
        let all = LayerUniform::lifted(0.0).within(slice);
        let hole =
            level.hole.map_or([0.0; 4], |hole| [hole.min.x, hole.min.z, hole.max.x, hole.max.z]);
        LayerUniform { opacity: level.opacity, hide_backs, hole, ..all }
    }

    fn lines(opacity: f32, slice: Slice) -> LayerUniform {
        // Lines win the depth test without a larger offset, which would show edges through thin floors.
        let all = LayerUniform::lifted(-1.0).within(slice);
        LayerUniform { opacity, fade_below: Self::FADE_BELOW, ..all }
    }
}
