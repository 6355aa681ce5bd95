//! The view without a window: a picture in memory.

use anyhow::Context as _;
use eframe::{
    egui::{Rect, pos2},
    egui_wgpu::{self, wgpu},
};
use walkable_editor::session::Look;

use super::{Camera, Picture, Scene, Viewport};

/// Where a picture is taken from.
#[derive(Clone, Copy, Debug)]
pub enum Standpoint {
    /// From where all is seen.
    Everything,
    /// From straight above all.
    Above,
    /// From here.
    Look(Look),
}

/// Draws `scene` in `size` pixels across and down, with a driver but without a window; three bytes a
/// pixel, row by row from the top.
///
/// # Errors
/// If no graphics driver is found, or it fails.
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
    gpu.render(&state.device, &state.queue, picture)
}

/// A device that draws nowhere.
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
