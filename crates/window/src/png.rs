//! Encodes pictures as PNG files.

use std::{collections::BTreeMap, io::Cursor};

use anyhow::Context as _;
use color_quant::NeuQuant;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};

/// Number of colors of a picture with a palette.
const N_COLORS: usize = 88;
/// Quality of the palette: it is chosen from every n-th color of the sample; 1 is the slowest and best.
const SAMPLING: i32 = 1;

/// Encodes a picture with maximum compression, from three bytes per pixel, row by row from the top.
///
/// # Errors
/// Returns an error if the number of pixels does not match `size`.
pub fn png(size: [u32; 2], pixels: Vec<u8>) -> anyhow::Result<Vec<u8>> {
    encoded(size, pixels, CompressionType::Best)
}

/// Encodes a picture as [`png()`] does, faster and with less compression.
///
/// # Errors
/// Returns an error if the number of pixels does not match `size`.
pub fn quick_png(size: [u32; 2], pixels: Vec<u8>) -> anyhow::Result<Vec<u8>> {
    encoded(size, pixels, CompressionType::Fast)
}

fn encoded(
    [width, height]: [u32; 2],
    pixels: Vec<u8>,
    compression: CompressionType,
) -> anyhow::Result<Vec<u8>> {
    let image =
        image::RgbImage::from_raw(width, height, pixels).context("the image has too few pixels")?;
    let mut bytes = Cursor::new(Vec::new());
    let encoder = PngEncoder::new_with_quality(&mut bytes, compression, FilterType::Adaptive);
    image.write_with_encoder(encoder)?;
    Ok(bytes.into_inner())
}

/// Encodes a picture with 88 colors, less than half of the size of [`png()`], from three bytes per pixel, row by row
/// from the top.
///
/// # Errors
/// Returns an error if the number of pixels does not match `size`.
pub fn palette_png(size: [u32; 2], pixels: &[u8]) -> anyhow::Result<Vec<u8>> {
    let (colors, rest) = pixels.as_chunks::<3>();
    anyhow::ensure!(
        rest.is_empty() && colors.len() as u64 == u64::from(size[0]) * u64::from(size[1]),
        "the image has too few pixels"
    );
    let palette = NeuQuant::new(SAMPLING, N_COLORS, &sample(colors));
    let mut known: BTreeMap<[u8; 3], u8> = BTreeMap::new();
    let nearest = |&[r, g, b]: &[u8; 3]| {
        let index = || u8::try_from(palette.index_of(&[r, g, b, u8::MAX])).unwrap_or(u8::MAX);
        *known.entry([r, g, b]).or_insert_with(index)
    };
    let indices: Vec<u8> = colors.iter().map(nearest).collect();
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, size[0], size[1]);
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_palette(palette.color_map_rgb());
    encoder.set_compression(png::Compression::High);
    encoder.set_filter(png::Filter::NoFilter);
    encoder.write_header()?.write_image_data(&indices)?;
    Ok(bytes)
}

/// Returns the colors from which the palette is chosen, as four bytes each. Similar colors are repeated by the square root of
/// their number of pixels, so that large areas do not displace the colors of thin lines and small markers.
fn sample(colors: &[[u8; 3]]) -> Vec<u8> {
    let mut similar: BTreeMap<[u8; 3], (u32, [u32; 3])> = BTreeMap::new();
    for color in colors {
        let (n_pixels, sum) = similar.entry(color.map(|channel| channel >> 3)).or_default();
        *n_pixels += 1;
        *sum = std::array::from_fn(|i| sum[i] + u32::from(color[i]));
    }
    let repeated = similar.into_values().flat_map(|(n_pixels, sum)| {
        let [r, g, b] = sum.map(|sum| u8::try_from(sum / n_pixels).unwrap_or(u8::MAX));
        std::iter::repeat_n([r, g, b, u8::MAX], n_pixels.isqrt() as usize)
    });
    repeated.flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_palette_keeps_the_colors_of_a_picture_with_few() {
        let colors = [[0, 0, 0], [250, 0, 0], [0, 250, 0], [255, 255, 255]];
        let pixels: Vec<u8> = (0..64 * 64).flat_map(|i| colors[(i / 97) % 4]).collect();
        let bytes = palette_png([64, 64], &pixels).unwrap();
        let read = image::load_from_memory(&bytes).unwrap().into_rgb8().into_raw();
        assert!(read.iter().zip(&pixels).all(|(a, b)| a.abs_diff(*b) <= 4));
        assert!(palette_png([64, 63], &pixels).is_err());
    }
}
