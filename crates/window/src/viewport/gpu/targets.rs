//! The textures that the view is drawn into before they are copied to the window.

use eframe::egui_wgpu::wgpu;

/// The format of the picture. It is not sRGB, so that colors are blended as the window library blends its own.
pub(super) const COLOR: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;
pub(super) const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;
/// Samples per pixel with anti-aliasing; every device supports four.
pub(super) const SAMPLES: u32 = 4;

#[derive(Debug)]
pub(super) struct Targets {
    pub(super) size: [u32; 2],
    pub(super) samples: u32,
    /// The samples; the finished picture itself if there is one per pixel.
    pub(super) color: wgpu::TextureView,
    pub(super) depth: wgpu::TextureView,
    pub(super) resolved: wgpu::TextureView,
    pub(super) blit: wgpu::BindGroup,
}

impl Targets {
    pub(super) fn new(
        device: &wgpu::Device,
        size: [u32; 2],
        samples: u32,
        blit_layout: &wgpu::BindGroupLayout,
    ) -> Self {
        let texture = |label, format, sample_count, usage| {
            let texture = device.create_texture(&wgpu::TextureDescriptor {
                label: Some(label),
                size: wgpu::Extent3d { width: size[0], height: size[1], depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage: wgpu::TextureUsages::RENDER_ATTACHMENT | usage,
                view_formats: &[],
            });
            texture.create_view(&wgpu::TextureViewDescriptor::default())
        };
        let none = wgpu::TextureUsages::empty();
        let resolved = texture(
            "view",
            COLOR,
            1,
            wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_SRC,
        );
        // Nearest filtering, also for a picture of lower resolution: linear filtering is slow without a graphics card.
        let sampler = device.create_sampler(&wgpu::SamplerDescriptor::default());
        let blit = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("view"),
            layout: blit_layout,
            entries: &[
                wgpu::BindGroupEntry {
                    binding: 0,
                    resource: wgpu::BindingResource::TextureView(&resolved),
                },
                wgpu::BindGroupEntry {
                    binding: 1,
                    resource: wgpu::BindingResource::Sampler(&sampler),
                },
            ],
        });
        let color = match samples {
            1 => resolved.clone(),
            _ => texture("view samples", COLOR, samples, none),
        };
        let depth = texture("view depth", DEPTH, samples, none);
        Self { size, samples, color, depth, resolved, blit }
    }

    pub(super) fn resolve(&self) -> (Option<&wgpu::TextureView>, wgpu::StoreOp) {
        match self.samples {
            1 => (None, wgpu::StoreOp::Store),
            _ => (Some(&self.resolved), wgpu::StoreOp::Discard),
        }
    }
}
