//! Writes a legend onto a picture that is drawn without a window.

use eframe::{
    egui::{Color32, ColorImage, FontDefinitions, FontId},
    epaint::text::{Fonts, Glyph, TextOptions},
};

use crate::theme::{BASE_SIZE, Theme};

/// Distance of the legend from the corner of the picture, and of its text from its border, in pixels.
const MARGIN: usize = 12;
/// Distance between lines, in pixels.
const LINE: usize = 22;
/// Side of a color sample, in pixels.
const SAMPLE: usize = 14;

#[derive(Clone, Debug)]
pub(crate) struct LegendEntry {
    /// The color that the text explains; `None` for a title.
    pub(crate) color: Option<Color32>,
    pub(crate) text: String,
}

/// Three bytes per pixel, row by row from the top.
pub(crate) struct Pixels<'a> {
    pub(crate) size: [u32; 2],
    pub(crate) bytes: &'a mut [u8],
}

impl Pixels<'_> {
    /// Blends a pixel with `color` at the opacity `alpha`. Pixels outside the picture are ignored.
    fn mix(&mut self, [x, y]: [usize; 2], color: Color32, alpha: f32) {
        let [width, height] = self.size.map(|side| side as usize);
        if x >= width || y >= height {
            return;
        }
        let first = 3 * (y * width + x);
        let Some(pixel) = self.bytes.get_mut(first..first + 3) else { return };
        for (own, new) in pixel.iter_mut().zip(color.to_array()) {
            let mixed = f32::from(*own) * (1.0 - alpha) + f32::from(new) * alpha;
            *own = byte(mixed);
        }
    }

    fn fill(&mut self, min: [usize; 2], size: [usize; 2], color: Color32) {
        for y in min[1]..min[1] + size[1] {
            for x in min[0]..min[0] + size[0] {
                self.mix([x, y], color, 1.0);
            }
        }
    }

    pub(crate) fn write_legend(&mut self, entries: &[LegendEntry], theme: &Theme) {
        let mut fonts = Fonts::new(TextOptions::default(), FontDefinitions::default());
        let font = FontId::proportional(BASE_SIZE);
        let mut view = fonts.with_pixels_per_point(1.0);
        let layout = |entry: &LegendEntry| {
            view.layout_no_wrap(entry.text.clone(), font.clone(), Color32::WHITE)
        };
        let galleys: Vec<_> = entries.iter().map(layout).collect();
        let widest = galleys.iter().map(|galley| pixel(galley.size().x)).max().unwrap_or(0);
        let size = [widest + SAMPLE + 3 * MARGIN, entries.len() * LINE + MARGIN];
        self.fill([MARGIN; 2], size, theme.raised);
        let atlas = view.image();
        for (index, (entry, galley)) in entries.iter().zip(&galleys).enumerate() {
            let top = 2 * MARGIN + index * LINE - MARGIN / 2;
            let mut left = 2 * MARGIN;
            if let Some(color) = entry.color {
                self.fill([left, top + 2], [SAMPLE; 2], color);
                left += SAMPLE + MARGIN / 2;
            }
            for row in &galley.rows {
                for glyph in &row.glyphs {
                    let at = row.pos + glyph.pos.to_vec2() + glyph.uv_rect.offset;
                    let corner = [left + pixel(at.x), top + pixel(at.y)];
                    self.write_glyph(corner, &atlas, glyph, theme.text);
                }
            }
        }
    }

    fn write_glyph(
        &mut self,
        [left, top]: [usize; 2],
        atlas: &ColorImage,
        glyph: &Glyph,
        color: Color32,
    ) {
        let [first_u, first_v] = glyph.uv_rect.min.map(usize::from);
        let [last_u, last_v] = glyph.uv_rect.max.map(usize::from);
        for v in first_v..last_v {
            for u in first_u..last_u {
                let to = [left + u - first_u, top + v - first_v];
                self.mix(to, color, f32::from(atlas[(u, v)].a()) / 255.0);
            }
        }
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 255")]
fn byte(value: f32) -> u8 {
    value.round().clamp(0.0, 255.0) as u8
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a pixel of a picture")]
fn pixel(value: f32) -> usize {
    value.round().max(0.0) as usize
}
