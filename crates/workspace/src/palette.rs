//! Colors of data: areas, regions and measured values. Exported files have the same hues as the window, where their
//! lightness depends on the theme.

use std::f32::consts::TAU;

use walkable::{
    bake::{AreaTable, Rgb},
    debug_draw::Paint,
    ids::AreaId,
};

/// Lightness of the hues of regions on a dark background, and in exported files.
pub const LIGHTNESS: f32 = 0.77;

/// Colors of areas that people with any kind of color vision can distinguish. Plain ground is sky blue. Source: Okabe
/// and Ito, "Color universal design", 2008.
pub const AREAS: [Rgb; 7] = [
    rgb(0x0056_b4e9),
    rgb(0x0000_72b2),
    rgb(0x00e6_9f00),
    rgb(0x00cc_79a7),
    rgb(0x0000_9e73),
    rgb(0x00f0_e442),
    rgb(0x00d5_5e00),
];

/// Stops of the color scale, at equal distances. Source: "viridis" of matplotlib, by Smith and van der Walt, public
/// domain.
const VIRIDIS: [Rgb; 11] = [
    rgb(0x0044_0154),
    rgb(0x0048_2475),
    rgb(0x0041_4487),
    rgb(0x0035_5f8d),
    rgb(0x002a_788e),
    rgb(0x0021_918c),
    rgb(0x0022_a884),
    rgb(0x0044_bf70),
    rgb(0x007a_d151),
    rgb(0x00bd_df26),
    rgb(0x00fd_e725),
];

const fn rgb(hex: u32) -> Rgb {
    let [_, r, g, b] = hex.to_be_bytes();
    Rgb([r, g, b])
}

/// Returns the color of a part of a stage in exported files, which have no theme.
pub fn paint_color(paint: Paint, areas: &AreaTable) -> Rgb {
    match paint {
        Paint::Area(AreaId(id)) => areas.color(id).unwrap_or_else(|| area_color(id)),
        Paint::Hue(hue) => hue_color(hue, LIGHTNESS),
        Paint::Scalar(value) => scale_color(value),
        Paint::LevelWalkable => rgb(0x0000_9e73),
        Paint::LevelSteep | Paint::Lost | Paint::MissingLink => rgb(0x00d5_5e00),
        Paint::Blocked => rgb(0x0050_555e),
        Paint::PortalEdge => rgb(0x00b2_8209),
        Paint::DetailEdge | Paint::CellEdge | Paint::RawContour => rgb(0x0080_8690),
        _ => rgb(0x000a_0f14),
    }
}

pub fn area_color(area: u8) -> Rgb {
    let fixed = AREAS.get(usize::from(area)).copied();
    fixed.unwrap_or_else(|| hue_color(u32::from(area), LIGHTNESS))
}

/// Returns a color whose hue is a multiple of the golden angle, so that nearby numbers look very different. All hues
/// have the same perceived `lightness`, but hues of odd numbers are 0.1 darker.
pub fn hue_color(id: u32, lightness: f32) -> Rgb {
    /// Golden angle as a fraction of a full turn.
    const TURN: f64 = 0.381_966_011_250_105;
    #[expect(clippy::cast_possible_truncation, reason = "a fraction of one turn needs few digits")]
    let hue = (f64::from(id) * TURN).fract() as f32 * TAU;
    // Two nearly equal hues belong to numbers that are far apart, often one even and one odd.
    let darker = if id.is_multiple_of(2) { 0.0 } else { 0.1 };
    from_oklch(lightness - darker, 0.13, hue)
}

/// Returns the color of a value from 0 to 1 on the perceptual scale.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "between 0 and the number of stops"
)]
pub fn scale_color(value: f32) -> Rgb {
    let value = if value.is_finite() { value.clamp(0.0, 1.0) } else { 0.0 };
    let at = value * (VIRIDIS.len() - 1) as f32;
    let stop = (at as usize).min(VIRIDIS.len() - 2);
    mix(VIRIDIS[stop], VIRIDIS[stop + 1], at - stop as f32)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "between two numbers of eight bits"
)]
fn mix(Rgb(from): Rgb, Rgb(to): Rgb, t: f32) -> Rgb {
    let component = |index: usize| {
        let (from, to) = (f32::from(from[index]), f32::from(to[index]));
        ((1.0 - t) * from + t * to + 0.5) as u8
    };
    Rgb([component(0), component(1), component(2)])
}

/// Converts a color from OKLCH. `lightness` and `chroma` are from 0 to 1, `hue` is in radians. Source: Ottosson, "A
/// perceptual color space for image processing", 2020.
fn from_oklch(lightness: f32, chroma: f32, hue: f32) -> Rgb {
    let (a, b) = (chroma * hue.cos(), chroma * hue.sin());
    let long = (lightness + 0.396_337_78 * a + 0.215_803_76 * b).powi(3);
    let middle = (lightness - 0.105_561_346 * a - 0.063_854_17 * b).powi(3);
    let short = (lightness - 0.089_484_18 * a - 1.291_485_5 * b).powi(3);
    let red = 4.076_741_7 * long - 3.307_711_6 * middle + 0.230_969_94 * short;
    let green = -1.268_438 * long + 2.609_757_4 * middle - 0.341_319_38 * short;
    let blue = -0.004_196_086_3 * long - 0.703_418_6 * middle + 1.707_614_7 * short;
    Rgb([red, green, blue].map(encode))
}

/// Returns a component of an sRGB color from linear light, which is limited to 0 to 1.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "between 0 and 255 with half of a unit"
)]
fn encode(light: f32) -> u8 {
    let light = light.clamp(0.0, 1.0);
    let value =
        if light <= 0.003_130_8 { 12.92 * light } else { 1.055 * light.powf(1.0 / 2.4) - 0.055 };
    (value * 255.0 + 0.5) as u8
}
