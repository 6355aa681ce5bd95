//! Renders the view into memory, without a window.

use anyhow::Context as _;
use eframe::{
    egui::{Rect, pos2},
    egui_wgpu::{self, wgpu},
};
use walkable_editor::session::Look;

use super::{Camera, Picture, Scene, Viewport};

/// The camera of a picture.
#[derive(Clone, Copy, Debug)]
pub enum Standpoint {
    /// A position from which everything is visible.
    Everything,
    /// A position above everything, looking straight down.
    Above,
    /// This camera.
    Look(Look),
}

/// Renders `scene` at `size` pixels, with a graphics driver but without a window; returns three bytes per pixel, row
/// by row from the top.
///
/// # Errors
/// Returns an error if there is no graphics driver, or if it fails.
pub fn render(scene: &Scene<'_>, from: Standpoint, size: [u32; 2]) -> anyhow::Result<Vec<u8>> {
    let state = pollster::block_on(device()).context(
        "cannot draw: no Vulkan or OpenGL driver (without a graphics card: Debian's \
         mesa-vulkan-drivers)",
    )?;
    let [width, height] = size.map(u16::try_from);
    let (width, height) = (f32::from(width?), f32::from(height?));
    let rect = Rect::from_min_max(pos2(0.0, 0.0), pos2(width, height));
    let mut view = Viewport::new(Some(&state));
    match from {
        Standpoint::Everything => view.frame(scene.frame_bounds),
        Standpoint::Above => view.top_view(scene.frame_bounds),
        Standpoint::Look(look) => view.camera = Camera::of(look),
    }
    view.start_moves(width / height);
    let picture: Picture = Viewport::picture(rect, 1.0, scene, &view.projection(rect, scene), None);
    let gpu = view.gpu.context("cannot draw: no device")?;
    gpu.render(picture)
}

/// Creates a device without a surface.
async fn device() -> anyhow::Result<egui_wgpu::RenderState> {
    let setup = egui_wgpu::WgpuSetupCreateNew::without_display_handle();
    let setup = egui_wgpu::WgpuSetup::CreateNew(setup);
    let instance: wgpu::Instance = setup.new_instance().await;
    let config = egui_wgpu::WgpuConfiguration {
        wgpu_setup: setup,
        ..egui_wgpu::WgpuConfiguration::default()
    };
    let options = egui_wgpu::RendererOptions::default();
    Ok(egui_wgpu::RenderState::create(&config, &instance, None, options).await?)
}
