//! Pictures of the view that are saved, with a legend and other things drawn over them.

use anyhow::Context as _;
use eframe::egui::{self, Rect, pos2, vec2};

use super::{
    Scene, Viewport,
    gpu::{DrawnOverlay, PictureReading},
};

impl Viewport {
    /// Draws `scene` from the current camera, lets `draw` draw over it at a scale of `pixels_per_point`, and starts to
    /// read the pixels. Fails if there is no graphics device, or if the picture is too large for it.
    pub fn picture_with(
        &self,
        ctx: &egui::Context,
        scene: &Scene<'_>,
        size: [u32; 2],
        pixels_per_point: f32,
        draw: impl FnMut(&mut egui::Ui),
    ) -> anyhow::Result<PictureReading> {
        let gpu = self.gpu.as_ref().context("there is no graphics device")?;
        let [width, height] = size.map(u16::try_from);
        let size = vec2(f32::from(width?), f32::from(height?)) / pixels_per_point;
        let rect = Rect::from_min_size(pos2(0.0, 0.0), size);
        let projection = self.projection(rect, scene);
        let picture = Self::picture(rect, pixels_per_point, scene, &projection, None);
        let overlay = overlay(&like(ctx), rect, pixels_per_point, draw);
        gpu.draw_with(picture, Some(overlay))
    }
}

fn like(ctx: &egui::Context) -> egui::Context {
    let own = egui::Context::default();
    own.set_fonts(ctx.fonts(|fonts| fonts.definitions().clone()));
    for theme in [egui::Theme::Dark, egui::Theme::Light] {
        own.set_style_of(theme, ctx.style_of(theme));
    }
    own.set_theme(ctx.theme());
    own
}

pub(super) fn overlay(
    own: &egui::Context,
    rect: Rect,
    pixels_per_point: f32,
    mut draw: impl FnMut(&mut egui::Ui),
) -> DrawnOverlay {
    let mut input = egui::RawInput { screen_rect: Some(rect), ..egui::RawInput::default() };
    let window = input.viewports.entry(egui::ViewportId::ROOT).or_default();
    window.native_pixels_per_point = Some(pixels_per_point);
    let output = own.run_ui(input, |ui| draw(ui));
    let pixels_per_point = output.pixels_per_point;
    let shapes = own.tessellate(output.shapes, pixels_per_point);
    DrawnOverlay { shapes, textures: output.textures_delta, pixels_per_point }
}
