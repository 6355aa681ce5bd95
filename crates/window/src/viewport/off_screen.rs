//! Renders the view into memory, without a window.

use anyhow::Context as _;
use eframe::{
    egui::{self, Rect, pos2},
    egui_wgpu::{self, wgpu},
};
use walkable_editor::session::Look;

use super::{Camera, Picture, Scene, Viewport, gpu::check_size, saved_picture::overlay};
use crate::theme::Theme;

#[derive(Clone, Copy, Debug)]
pub enum PictureCamera {
    Everything,
    Above,
    Look(Look),
}

/// Renders without a window. Returns three bytes per pixel, row by row from the top. Fails if there is no graphics
/// driver, if the driver fails, or if the picture is too large for it.
pub fn render(scene: &Scene<'_>, from: PictureCamera, size: [u32; 2]) -> anyhow::Result<Vec<u8>> {
    let (view, rect) = posed(scene, from, size)?;
    let picture: Picture = Viewport::picture(rect, 1.0, scene, &view.projection(rect, scene), None);
    let gpu = view.gpu.context("cannot draw: no device")?;
    gpu.render(picture)
}

/// Renders as [`render`] does, and draws an overlay over the picture: calls `draw` with the camera, at a scale of
/// `pixels_per_point`.
pub fn render_with(
    scene: &Scene<'_>,
    from: PictureCamera,
    size: [u32; 2],
    pixels_per_point: f32,
    mut draw: impl FnMut(&mut egui::Ui, &Camera),
) -> anyhow::Result<Vec<u8>> {
    let (view, rect) = posed(scene, from, size)?;
    let picture: Picture = Viewport::picture(rect, 1.0, scene, &view.projection(rect, scene), None);
    let ctx = egui::Context::default();
    Theme::install(&ctx);
    ctx.set_theme(if scene.theme.is_dark { egui::Theme::Dark } else { egui::Theme::Light });
    let rect = Rect::from_min_size(rect.min, rect.size() / pixels_per_point);
    let overlay = overlay(&ctx, rect, pixels_per_point, |ui| draw(ui, &view.camera));
    let gpu = view.gpu.as_ref().context("cannot draw: no device")?;
    gpu.draw_with(picture, Some(overlay))?.wait()
}

/// Returns a view with a graphics device of its own, and the rectangle of a picture of `size` pixels.
fn posed(
    scene: &Scene<'_>,
    from: PictureCamera,
    size: [u32; 2],
) -> anyhow::Result<(Viewport, Rect)> {
    let state = pollster::block_on(device()).context(
        "cannot draw: no Vulkan or OpenGL driver (without a graphics card: Debian's \
         mesa-vulkan-drivers)",
    )?;
    check_size(&state.device.limits(), size)?;
    let [width, height] = size.map(u16::try_from);
    let (width, height) = (f32::from(width?), f32::from(height?));
    let rect = Rect::from_min_max(pos2(0.0, 0.0), pos2(width, height));
    let mut view = Viewport::new(Some(&state));
    match from {
        PictureCamera::Everything => view.frame(scene.frame_bounds),
        PictureCamera::Above => view.top_view(scene.frame_bounds),
        PictureCamera::Look(look) => view.camera = Camera::of(look),
    }
    view.start_moves(width / height);
    Ok((view, rect))
}

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
