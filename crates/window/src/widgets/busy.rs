//! An indicator for work in progress.

use std::{f32::consts::TAU, time::Duration};

use eframe::egui::{self, Sense, Stroke, Vec2};
use walkable_workspace::lang::tr;

/// Draws a spinner. It requests fewer frames than egui's, because a software driver draws frames on the cores that do
/// the work.
pub fn busy(ui: &mut egui::Ui) -> egui::Response {
    const N_DOTS: u8 = 8;
    const STEP: Duration = Duration::from_millis(500);
    let size = ui.spacing().interact_size.y;
    let (rect, response) = ui.allocate_exact_size(Vec2::splat(size), Sense::hover());
    response.widget_info(|| {
        egui::WidgetInfo::labeled(egui::Role::ProgressIndicator, true, tr!("Working"))
    });
    let step = ui.input(|input| input.time) / STEP.as_secs_f64();
    let color = ui.visuals().strong_text_color();
    for dot in 0..N_DOTS {
        let angle = TAU * f32::from(dot) / f32::from(N_DOTS);
        let age = (step.floor() - f64::from(dot)).rem_euclid(f64::from(N_DOTS));
        #[expect(clippy::cast_possible_truncation, reason = "less than one")]
        let strength = 1.0 - (age / f64::from(N_DOTS)) as f32;
        let center = rect.center() + Vec2::angled(angle) * size * 0.35;
        ui.painter().circle(center, size * 0.07, color.gamma_multiply(strength), Stroke::NONE);
    }
    ui.ctx().request_repaint_after(STEP);
    response
}
