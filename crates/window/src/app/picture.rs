//! Takes pictures of the 3D view to be saved; legend and scale bar of pictures.

use eframe::egui::{self, Align2, FontId, Rect, Stroke, pos2, vec2};
use walkable_editor::session::SessionView;
use walkable_workspace::{format, lang::tr};

use crate::{
    panels::{
        display::hud::legend_card_ui,
        files::picture::{PictureOverlay, PictureRequest},
    },
    theme::Theme,
    viewport::{Camera, PictureReading, Scene, Viewport},
};

/// Distance of legend and scale bar from the border, in points.
const MARGIN: f32 = 14.0;
/// Maximum length of the scale bar, in points.
const MAX_BAR: f32 = 180.0;
/// Height of a picture in which texts have their usual size, in pixels.
const USUAL_HEIGHT: f32 = 900.0;

pub(super) fn start(
    ctx: &egui::Context,
    viewport: &Viewport,
    scene: &Scene<'_>,
    view: &SessionView<'_>,
    request: PictureRequest,
) -> anyhow::Result<PictureReading> {
    let PictureRequest { size, over } = request;
    let handles = walkable::debug_draw::DrawList::default();
    let scene = Scene { handles: &handles, ..*scene };
    let camera = *viewport.camera();
    let theme = *scene.theme;
    viewport.picture_with(ctx, &scene, size, scale(size), |ui| {
        overlay_ui(ui, over, view, (&camera, &theme), None);
    })
}

/// Draws the legend, with `note` as its last line, and the scale bar.
pub(crate) fn overlay_ui(
    ui: &mut egui::Ui,
    over: PictureOverlay,
    view: &SessionView<'_>,
    (camera, theme): (&Camera, &Theme),
    note: Option<&str>,
) {
    let rect = ui.max_rect();
    if over.legend {
        let corner = Rect::from_min_max(rect.min + vec2(MARGIN, MARGIN), rect.max);
        let at = egui::UiBuilder::new().max_rect(corner);
        ui.scope_builder(at, |ui| legend_card_ui(ui, theme, view, note));
    }
    if over.scale_bar {
        scale_bar_ui(ui, rect, camera, theme);
    }
}

/// Pixels per point of what is drawn over a picture of this size.
pub(crate) fn scale([_, height]: [u32; 2]) -> f32 {
    let height = f32::from(u16::try_from(height).unwrap_or(u16::MAX));
    (height / USUAL_HEIGHT).clamp(0.5, 6.0)
}

/// Draws a scale bar of a round length in the lower left corner. In a perspective view, it is exact only at the
/// distance of the camera's target.
fn scale_bar_ui(ui: &egui::Ui, rect: Rect, camera: &Camera, theme: &Theme) {
    let meters_per_point = camera.seen_height() / rect.height();
    let meters = round_length(meters_per_point * MAX_BAR);
    let length = format::length(meters);
    let text =
        if camera.is_orthographic { length } else { tr!("{length} at the center of the view") };
    let painter = ui.painter();
    let galley = painter.layout_no_wrap(text, FontId::proportional(13.0), theme.text);
    let width = meters / meters_per_point;
    let size = vec2(width.max(galley.size().x), galley.size().y + 12.0);
    let card =
        Align2::LEFT_BOTTOM.align_size_within_rect(size + vec2(20.0, 12.0), rect.shrink(MARGIN));
    painter.rect_filled(card, 6.0, theme.foreground);
    let [left, bottom] = [card.left() + 10.0, card.bottom() - 8.0];
    let ends = [pos2(left, bottom), pos2(left + width, bottom)];
    let stroke = Stroke::new(2.0, theme.text);
    painter.line_segment(ends, stroke);
    for end in ends {
        painter.line_segment([end - vec2(0.0, 5.0), end + vec2(0.0, 1.0)], stroke);
    }
    painter.galley(pos2(left, card.top() + 5.0), galley, theme.text);
}

/// Returns the largest of 1, 2 and 5 times a power of ten that is not above `max`.
fn round_length(max: f32) -> f32 {
    let power = 10.0_f32.powf(max.max(1e-6).log10().floor());
    let times = [5.0, 2.0, 1.0].into_iter().find(|times| times * power <= max);
    times.unwrap_or(1.0) * power
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scale_bars_have_round_lengths() {
        for (max, expected) in [(1.0, 1.0), (4.9, 2.0), (7.3, 5.0), (99.0, 50.0), (0.03, 0.02)] {
            let length = round_length(max);
            assert!((length - expected).abs() < 1e-4 * expected, "{max}: {length}");
        }
    }

    #[test]
    fn texts_grow_with_the_picture() {
        assert!((scale([1600, 900]) - 1.0).abs() < 1e-6);
        assert!((scale([3840, 2160]) - 2.4).abs() < 1e-6);
    }
}
