//! Screen-space ambient occlusion of the level, at half the resolution of the picture.

use eframe::egui_wgpu::wgpu;

use super::{full_screen::full_screen, targets::DEPTH, uniforms};

/// The nearest surface at a pixel: depth and normal. Integers, because in WebGL not every browser renders to textures of
/// floating-point numbers.
pub(super) const SURFACE: wgpu::TextureFormat = wgpu::TextureFormat::Rg32Uint;
const OCCLUSION: wgpu::TextureFormat = wgpu::TextureFormat::R8Unorm;

/// The two passes that follow that of the level's surfaces.
#[derive(Debug)]
pub(super) struct Pipelines {
    estimate: wgpu::RenderPipeline,
    smooth: wgpu::RenderPipeline,
}

/// The render targets, which the level's shader reads.
#[derive(Debug)]
pub(super) struct Occlusion {
    pub(super) size: [u32; 2],
    surfaces: wgpu::TextureView,
    depth: wgpu::TextureView,
    estimates: wgpu::TextureView,
    smoothed: wgpu::TextureView,
    /// Surfaces and estimates, for the smoothing pass.
    estimates_group: wgpu::BindGroup,
    /// Surfaces and the finished occlusion.
    pub(super) group: wgpu::BindGroup,
}

pub(super) fn layout(device: &wgpu::Device) -> wgpu::BindGroupLayout {
    let float = wgpu::TextureSampleType::Float { filterable: false };
    let entry = |binding, sample_type| wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::FRAGMENT,
        ty: wgpu::BindingType::Texture {
            sample_type,
            view_dimension: wgpu::TextureViewDimension::D2,
            multisampled: false,
        },
        count: None,
    };
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("occlusion"),
        entries: &[entry(0, wgpu::TextureSampleType::Uint), entry(1, float)],
    })
}

impl Pipelines {
    pub(super) fn new(
        device: &wgpu::Device,
        layout: &wgpu::PipelineLayout,
        shader: &wgpu::ShaderModule,
    ) -> Self {
        let pass = |name| full_screen(device, layout, (shader, name), OCCLUSION);
        Self { estimate: pass("estimate"), smooth: pass("smoothed") }
    }
}

impl Occlusion {
    /// Creates what a picture of `size` needs. Without ambient occlusion, one pixel is enough: the shader reads nothing.
    pub(super) fn new(
        device: &wgpu::Device,
        size: [u32; 2],
        layout: &wgpu::BindGroupLayout,
    ) -> Self {
        let [width, height] = size.map(|side| side.div_ceil(2).max(1));
        let texture = |label, format| {
            let texture = device.create_texture(&wgpu::TextureDescriptor {
                label: Some(label),
                size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage: wgpu::TextureUsages::RENDER_ATTACHMENT
                    | wgpu::TextureUsages::TEXTURE_BINDING,
                view_formats: &[],
            });
            texture.create_view(&wgpu::TextureViewDescriptor::default())
        };
        let surfaces = texture("surfaces", SURFACE);
        let [estimates, smoothed] =
            ["occlusion estimates", "occlusion"].map(|label| texture(label, OCCLUSION));
        let group = |occlusion: &wgpu::TextureView| {
            let entry = |binding, view| wgpu::BindGroupEntry {
                binding,
                resource: wgpu::BindingResource::TextureView(view),
            };
            device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some("occlusion"),
                layout,
                entries: &[entry(0, &surfaces), entry(1, occlusion)],
            })
        };
        Self {
            size,
            depth: texture("depth of surfaces", DEPTH),
            estimates_group: group(&estimates),
            group: group(&smoothed),
            surfaces,
            estimates,
            smoothed,
        }
    }

    pub(super) fn begin_surfaces<'a>(
        &self,
        encoder: &'a mut wgpu::CommandEncoder,
    ) -> wgpu::RenderPass<'a> {
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("surfaces"),
            color_attachments: &[Some(attachment(&self.surfaces))],
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &self.depth,
                depth_ops: Some(wgpu::Operations {
                    load: wgpu::LoadOp::Clear(0.0),
                    store: wgpu::StoreOp::Discard,
                }),
                stencil_ops: None,
            }),
            ..wgpu::RenderPassDescriptor::default()
        });
        // Exactly half the picture, even where that is half a pixel less than the target.
        let [width, height] = self.size.map(|side| 0.5 * uniforms::pixels(side));
        pass.set_viewport(0.0, 0.0, width, height, 0.0, 1.0);
        pass
    }

    pub(super) fn compute(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        pipelines: &Pipelines,
        view: &wgpu::BindGroup,
    ) {
        let passes = [
            // The estimate pass does not read its second texture, which must not be its target.
            (&pipelines.estimate, &self.group, &self.estimates),
            (&pipelines.smooth, &self.estimates_group, &self.smoothed),
        ];
        for (pipeline, group, into) in passes {
            let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("occlusion"),
                color_attachments: &[Some(attachment(into))],
                ..wgpu::RenderPassDescriptor::default()
            });
            pass.set_pipeline(pipeline);
            pass.set_bind_group(0, view, &[]);
            pass.set_bind_group(1, group, &[]);
            pass.draw(0..3, 0..1);
        }
    }
}

/// Returns a target that is cleared to zeros.
fn attachment(view: &wgpu::TextureView) -> wgpu::RenderPassColorAttachment<'_> {
    wgpu::RenderPassColorAttachment {
        view,
        depth_slice: None,
        resolve_target: None,
        ops: wgpu::Operations {
            load: wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT),
            store: wgpu::StoreOp::Store,
        },
    }
}
