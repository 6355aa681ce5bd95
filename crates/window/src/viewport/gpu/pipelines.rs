//! Shaders and fixed state of each kind of drawing.

use eframe::egui_wgpu::wgpu::{
    self,
    CompareFunction::{GreaterEqual, Less},
    PrimitiveTopology::{TriangleList, TriangleStrip},
    VertexStepMode::{Instance, Vertex},
};

use super::{
    buffers::Uploader,
    full_screen::full_screen,
    occlusion::{self, SURFACE},
    targets::{COLOR, DEPTH},
};

const COMMON: &str = include_str!("../shaders/common.wgsl");

/// Entry point of the fragment shader of the level's edges, which are many.
const EDGE_FRAGMENT: &str = if cfg!(target_family = "wasm") { "fragment" } else { "fragment_thin" };

#[derive(Debug)]
pub(super) struct Pipelines {
    pub(super) samples: u32,
    window_format: wgpu::TextureFormat,
    pub(super) groups: GroupLayouts,
    pub(super) level: LevelPipelines,
    pub(super) textured_level: LevelPipelines,
    pub(super) occlusion: occlusion::Pipelines,
    pub(super) fill: wgpu::RenderPipeline,
    /// Only the depth, see [`LevelPipelines::depth`].
    pub(super) fill_depth: wgpu::RenderPipeline,
    pub(super) edge: wgpu::RenderPipeline,
    pub(super) line: wgpu::RenderPipeline,
    pub(super) hidden_line: wgpu::RenderPipeline,
    pub(super) point: wgpu::RenderPipeline,
    pub(super) hidden_point: wgpu::RenderPipeline,
    pub(super) block: wgpu::RenderPipeline,
    /// Only depth, so that only the nearest of translucent boxes are drawn.
    pub(super) block_depth: wgpu::RenderPipeline,
    pub(super) grid: wgpu::RenderPipeline,
    pub(super) blit: wgpu::RenderPipeline,
}

#[derive(Clone, Debug)]
pub(super) struct GroupLayouts {
    /// Group 0 of all but [`Pipelines::blit`].
    pub(super) view: wgpu::BindGroupLayout,
    /// Group 1 of all but [`Pipelines::blit`].
    pub(super) layer: wgpu::BindGroupLayout,
    /// Group 3 of what draws the level, except its surfaces.
    pub(super) occlusion: wgpu::BindGroupLayout,
    /// Group 2 of [`Pipelines::textured_level`].
    pub(super) textures: wgpu::BindGroupLayout,
    /// Group 0 of [`Pipelines::blit`].
    pub(super) blit: wgpu::BindGroupLayout,
}

impl GroupLayouts {
    fn new(device: &wgpu::Device) -> Self {
        Self {
            view: uniform_layout(device, "view"),
            layer: uniform_layout(device, "layer"),
            occlusion: occlusion::layout(device),
            textures: texture_layout(device, "textures", wgpu::TextureViewDimension::D2Array),
            blit: texture_layout(device, "blit", wgpu::TextureViewDimension::D2),
        }
    }
}

#[derive(Debug)]
pub(super) struct LevelPipelines {
    pub(super) color: wgpu::RenderPipeline,
    /// The same with ambient occlusion.
    pub(super) occluded: wgpu::RenderPipeline,
    /// Only depth, so that a translucent level shows its nearest faces only.
    pub(super) depth: wgpu::RenderPipeline,
    /// Depth and normals, from which ambient occlusion is computed.
    pub(super) surface: wgpu::RenderPipeline,
}

/// Layouts of the items that `vertices.rs` makes.
const FILL: [wgpu::VertexAttribute; 2] = wgpu::vertex_attr_array![0 => Float32x3, 1 => Unorm8x4];
const TEXTURE: [wgpu::VertexAttribute; 2] = wgpu::vertex_attr_array![2 => Float32x2, 3 => Uint32];
const LINE: [wgpu::VertexAttribute; 4] =
    wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3, 2 => Unorm8x4, 3 => Float32];
const POINT: [wgpu::VertexAttribute; 4] =
    wgpu::vertex_attr_array![0 => Float32x3, 1 => Unorm8x4, 2 => Float32, 3 => Uint32];
const BLOCK: [wgpu::VertexAttribute; 4] =
    wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3, 2 => Unorm8x4, 3 => Float32];

struct Shaders {
    level: wgpu::ShaderModule,
    occlusion: wgpu::ShaderModule,
    fill: wgpu::ShaderModule,
    line: wgpu::ShaderModule,
    point: wgpu::ShaderModule,
    block: wgpu::ShaderModule,
    grid: wgpu::ShaderModule,
}

impl Shaders {
    fn new(builder: &PipelineBuilder<'_>) -> Self {
        Self {
            level: builder.shader("level", include_str!("../shaders/level.wgsl")),
            occlusion: builder.shader("occlusion", include_str!("../shaders/occlusion.wgsl")),
            fill: builder.shader("fill", include_str!("../shaders/fill.wgsl")),
            line: builder.shader("line", include_str!("../shaders/line.wgsl")),
            point: builder.shader("point", include_str!("../shaders/point.wgsl")),
            block: builder.shader("block", include_str!("../shaders/block.wgsl")),
            grid: builder.shader("grid", include_str!("../shaders/grid.wgsl")),
        }
    }

    fn level_recipe<'a>(
        &'a self,
        layout: &'a wgpu::PipelineLayout,
        label: &'a str,
        writes: Writes,
    ) -> Recipe<'a> {
        Recipe {
            label,
            shader: &self.level,
            vertex: "vertex",
            fragment: "fragment",
            layout,
            vertices: Some(vertices(16, Vertex, &FILL)),
            details: None,
            topology: TriangleList,
            depth: GreaterEqual,
            writes,
        }
    }
}

struct Layouts {
    plain: wgpu::PipelineLayout,
    level: wgpu::PipelineLayout,
    textured_level: wgpu::PipelineLayout,
    /// The layout of the surfaces: without the occlusion, which is computed from them.
    textured_surface: wgpu::PipelineLayout,
    /// The layout of the passes that compute the occlusion from surfaces.
    over_surfaces: wgpu::PipelineLayout,
}

impl Layouts {
    /// Creates them from the layouts of view, layer, textures and occlusion.
    fn new(device: &wgpu::Device, groups: [Option<&wgpu::BindGroupLayout>; 4]) -> Self {
        let [view, layer, _, occlusion] = groups;
        Self {
            plain: pipeline_layout(device, &groups[..2]),
            level: pipeline_layout(device, &[view, layer, None, occlusion]),
            textured_level: pipeline_layout(device, &groups),
            textured_surface: pipeline_layout(device, &groups[..3]),
            over_surfaces: pipeline_layout(device, &[view, occlusion]),
        }
    }
}

struct Recipe<'a> {
    label: &'a str,
    shader: &'a wgpu::ShaderModule,
    vertex: &'a str,
    fragment: &'a str,
    layout: &'a wgpu::PipelineLayout,
    vertices: Option<wgpu::VertexBufferLayout<'a>>,
    /// A second buffer of vertices.
    details: Option<wgpu::VertexBufferLayout<'a>>,
    topology: wgpu::PrimitiveTopology,
    /// Comparison with the existing depth. Depth is reversed: greater is nearer.
    depth: wgpu::CompareFunction,
    writes: Writes,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Writes {
    Color,
    Depth,
    Both,
    /// Depth, and [`SURFACE`] instead of a color, one sample per pixel.
    Surface,
}

struct PipelineBuilder<'a> {
    device: &'a wgpu::Device,
    samples: u32,
}

impl Pipelines {
    pub(super) fn new(
        device: &wgpu::Device,
        window_format: wgpu::TextureFormat,
        samples: u32,
    ) -> Self {
        Self::with_groups(device, window_format, samples, GroupLayouts::new(device))
    }

    /// Returns the same pipelines for another number of samples per pixel; they take the same buffers and textures.
    pub(super) fn with_samples(&self, device: &wgpu::Device, samples: u32) -> Self {
        Self::with_groups(device, self.window_format, samples, self.groups.clone())
    }

    fn with_groups(
        device: &wgpu::Device,
        window_format: wgpu::TextureFormat,
        samples: u32,
        groups: GroupLayouts,
    ) -> Self {
        let GroupLayouts { view, layer, textures, occlusion, .. } = &groups;
        let layouts = Layouts::new(device, [view, layer, textures, occlusion].map(Some));
        let builder = PipelineBuilder { device, samples };
        let shaders = Shaders::new(&builder);
        let level = |label, writes| shaders.level_recipe(&layouts.level, label, writes);
        let textured_level = |label, writes| Recipe {
            vertex: "vertex_textured",
            fragment: "fragment_textured",
            layout: &layouts.textured_level,
            details: Some(vertices(12, Vertex, &TEXTURE)),
            ..level(label, writes)
        };
        let fill = |label, writes| Recipe {
            shader: &shaders.fill,
            layout: &layouts.plain,
            ..level(label, writes)
        };
        let line = |label, depth| Recipe {
            shader: &shaders.line,
            vertices: Some(vertices(32, Instance, &LINE)),
            topology: TriangleStrip,
            depth,
            ..fill(label, Writes::Color)
        };
        let point = |label, depth| Recipe {
            shader: &shaders.point,
            vertices: Some(vertices(24, Instance, &POINT)),
            ..line(label, depth)
        };
        let block = |label, writes| Recipe {
            shader: &shaders.block,
            vertices: Some(vertices(32, Instance, &BLOCK)),
            ..fill(label, writes)
        };
        let grid = Recipe { shader: &shaders.grid, vertices: None, ..line("grid", GreaterEqual) };
        Self {
            level: builder.level_pipelines(
                level,
                "fragment_occluded",
                ("fragment_surface", &layouts.plain),
            ),
            textured_level: builder.level_pipelines(
                textured_level,
                "fragment_textured_occluded",
                ("fragment_textured_surface", &layouts.textured_surface),
            ),
            occlusion: occlusion::Pipelines::new(
                device,
                &layouts.over_surfaces,
                &shaders.occlusion,
            ),
            fill: builder.pipeline(&fill("fills", Writes::Color)),
            fill_depth: builder.pipeline(&fill("fill depth", Writes::Depth)),
            edge: builder
                .pipeline(&Recipe { fragment: EDGE_FRAGMENT, ..line("edges", GreaterEqual) }),
            line: builder.pipeline(&line("lines", GreaterEqual)),
            hidden_line: builder.pipeline(&line("hidden lines", Less)),
            point: builder.pipeline(&point("points", GreaterEqual)),
            hidden_point: builder.pipeline(&point("hidden points", Less)),
            block: builder.pipeline(&block("blocks", Writes::Both)),
            block_depth: builder.pipeline(&block("block depth", Writes::Depth)),
            grid: builder.pipeline(&grid),
            blit: blit(device, &groups.blit, window_format),
            samples,
            window_format,
            groups,
        }
    }

    pub(super) fn uploader<'a>(
        &'a self,
        device: &'a wgpu::Device,
        queue: &'a wgpu::Queue,
    ) -> Uploader<'a> {
        let GroupLayouts { layer, textures, .. } = &self.groups;
        Uploader { device, queue, layer_layout: layer, textures_layout: textures }
    }
}

impl PipelineBuilder<'_> {
    fn shader(&self, label: &str, source: &str) -> wgpu::ShaderModule {
        let source = if cfg!(target_family = "wasm") {
            // WebGL has no linear interpolation, and EDGE_FRAGMENT does not need it there.
            source.replace("@interpolate(linear) ", "")
        } else {
            source.to_owned()
        };
        shader(self.device, label, &format!("{COMMON}\n{source}"))
    }

    /// Creates the pipelines of a level. `occluded` is the fragment shader with ambient occlusion. `fragment` and `layout`
    /// belong to the pass that writes the depths and normals for ambient occlusion.
    fn level_pipelines<'a>(
        &self,
        level: impl Fn(&'a str, Writes) -> Recipe<'a>,
        occluded: &'a str,
        (fragment, layout): (&'a str, &'a wgpu::PipelineLayout),
    ) -> LevelPipelines {
        let recipe = Recipe { fragment, layout, ..level("level surfaces", Writes::Surface) };
        LevelPipelines {
            color: self.pipeline(&level("level", Writes::Both)),
            occluded: self.pipeline(&Recipe {
                fragment: occluded,
                ..level("level with occlusion", Writes::Both)
            }),
            depth: self.pipeline(&level("level depth", Writes::Depth)),
            surface: self.pipeline(&recipe),
        }
    }

    fn pipeline(&self, recipe: &Recipe<'_>) -> wgpu::RenderPipeline {
        let picture = wgpu::ColorTargetState {
            format: COLOR,
            blend: Some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING),
            write_mask: wgpu::ColorWrites::ALL,
        };
        let (target, count) = match recipe.writes {
            Writes::Color | Writes::Both => (picture, self.samples),
            Writes::Depth => (
                wgpu::ColorTargetState { write_mask: wgpu::ColorWrites::empty(), ..picture },
                self.samples,
            ),
            Writes::Surface => (SURFACE.into(), 1),
        };
        let buffers = [recipe.vertices.clone(), recipe.details.clone()];
        let n_buffers = buffers.iter().flatten().count();
        self.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some(recipe.label),
            layout: Some(recipe.layout),
            vertex: wgpu::VertexState {
                module: recipe.shader,
                entry_point: Some(recipe.vertex),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                buffers: &buffers[..n_buffers],
            },
            primitive: wgpu::PrimitiveState {
                topology: recipe.topology,
                ..wgpu::PrimitiveState::default()
            },
            depth_stencil: Some(wgpu::DepthStencilState {
                format: DEPTH,
                depth_write_enabled: Some(recipe.writes != Writes::Color),
                depth_compare: Some(recipe.depth),
                stencil: wgpu::StencilState::default(),
                bias: wgpu::DepthBiasState::default(),
            }),
            multisample: wgpu::MultisampleState { count, ..wgpu::MultisampleState::default() },
            fragment: Some(wgpu::FragmentState {
                module: recipe.shader,
                entry_point: Some(recipe.fragment),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                targets: &[Some(target)],
            }),
            multiview_mask: None,
            cache: None,
        })
    }
}

fn vertices(
    array_stride: u64,
    step_mode: wgpu::VertexStepMode,
    attributes: &[wgpu::VertexAttribute],
) -> wgpu::VertexBufferLayout<'_> {
    wgpu::VertexBufferLayout { array_stride, step_mode, attributes }
}

fn shader(device: &wgpu::Device, label: &str, source: &str) -> wgpu::ShaderModule {
    device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some(label),
        source: wgpu::ShaderSource::Wgsl(source.into()),
    })
}

fn uniform_layout(device: &wgpu::Device, label: &str) -> wgpu::BindGroupLayout {
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some(label),
        entries: &[wgpu::BindGroupLayoutEntry {
            binding: 0,
            visibility: wgpu::ShaderStages::VERTEX_FRAGMENT,
            ty: wgpu::BindingType::Buffer {
                ty: wgpu::BufferBindingType::Uniform,
                has_dynamic_offset: false,
                min_binding_size: None,
            },
            count: None,
        }],
    })
}

fn texture_layout(
    device: &wgpu::Device,
    label: &str,
    view_dimension: wgpu::TextureViewDimension,
) -> wgpu::BindGroupLayout {
    let entry = |binding, ty| wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::FRAGMENT,
        ty,
        count: None,
    };
    let picture = wgpu::BindingType::Texture {
        sample_type: wgpu::TextureSampleType::Float { filterable: true },
        view_dimension,
        multisampled: false,
    };
    let sampler = wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering);
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some(label),
        entries: &[entry(0, picture), entry(1, sampler)],
    })
}

fn pipeline_layout(
    device: &wgpu::Device,
    groups: &[Option<&wgpu::BindGroupLayout>],
) -> wgpu::PipelineLayout {
    device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: None,
        bind_group_layouts: groups,
        immediate_size: 0,
    })
}

/// Creates the only pipeline that draws into the window, in the window's format.
fn blit(
    device: &wgpu::Device,
    group: &wgpu::BindGroupLayout,
    format: wgpu::TextureFormat,
) -> wgpu::RenderPipeline {
    let module = shader(device, "blit", include_str!("../shaders/blit.wgsl"));
    let layout = pipeline_layout(device, &[Some(group)]);
    full_screen(device, &layout, (&module, "fragment"), format)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use wgpu::naga::{
        AddressSpace, Block, Expression, Function, Handle, Module, Statement, front::wgsl,
    };

    use super::*;

    /// Returns whether a value depends on uniforms and constants alone.
    fn is_uniform(module: &Module, function: &Function, value: Handle<Expression>) -> bool {
        let all = |values: &[Handle<Expression>]| {
            values.iter().all(|&value| is_uniform(module, function, value))
        };
        match function.expressions[value] {
            Expression::Literal(_) | Expression::Constant(_) | Expression::ZeroValue(_) => true,
            Expression::GlobalVariable(variable) => {
                module.global_variables[variable].space == AddressSpace::Uniform
            }
            Expression::Load { pointer: of }
            | Expression::AccessIndex { base: of, .. }
            | Expression::Splat { value: of, .. }
            | Expression::Swizzle { vector: of, .. }
            | Expression::Unary { expr: of, .. }
            | Expression::As { expr: of, .. }
            | Expression::Relational { argument: of, .. } => all(&[of]),
            Expression::Access { base, index } => all(&[base, index]),
            Expression::Binary { left, right, .. } => all(&[left, right]),
            Expression::Select { condition, accept, reject } => all(&[condition, accept, reject]),
            Expression::Compose { ref components, .. } => all(components),
            Expression::Math { arg, arg1, arg2, arg3, .. } => {
                [Some(arg), arg1, arg2, arg3].into_iter().flatten().all(|value| all(&[value]))
            }
            _ => false,
        }
    }

    /// Returns the number of branches on uniforms alone.
    fn n_uniform_branches(module: &Module, function: &Function, block: &Block) -> usize {
        let within = |block: &Block| n_uniform_branches(module, function, block);
        let count = |statement: &Statement| match statement {
            Statement::If { condition, accept, reject } => {
                let is_one = is_uniform(module, function, *condition);
                usize::from(is_one) + within(accept) + within(reject)
            }
            Statement::Block(block) => within(block),
            Statement::Loop { body, continuing, .. } => within(body) + within(continuing),
            Statement::Switch { cases, .. } => cases.iter().map(|case| within(&case.body)).sum(),
            _ => 0,
        };
        block.iter().map(count).sum()
    }

    fn n_uniform_branches_of(source: &str) -> usize {
        let module = wgsl::parse_str(&format!("{COMMON}\n{source}")).unwrap();
        let functions = module.functions.iter().map(|(_, function)| function);
        let all = functions.chain(module.entry_points.iter().map(|entry| &entry.function));
        all.map(|function| n_uniform_branches(&module, function, &function.body)).sum()
    }

    #[test]
    fn no_shader_branches_on_uniforms_alone() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/viewport/shaders");
        let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
        let shaders: Vec<_> = files.filter(|path| !path.ends_with("common.wgsl")).collect();
        assert!(shaders.len() > 5);
        for path in shaders {
            let source = fs::read_to_string(&path).unwrap();
            assert_eq!(n_uniform_branches_of(&source), 0, "{}", path.display());
        }
        let branch = "fn f(p: f32) -> f32 { if view.eye.w > 0.5 { return p; } return 0.0; }";
        assert_eq!(n_uniform_branches_of(branch), 1);
        let other = "fn f(p: f32) -> f32 { if view.eye.w > p { return p; } return 0.0; }";
        assert_eq!(n_uniform_branches_of(other), 0);
    }
}
