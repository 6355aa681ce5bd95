//! Encodes pictures as PNG files.

use std::io::Cursor;

use anyhow::Context as _;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};

/// Encodes three bytes per pixel, row by row from the top, with maximum compression. Fails if the number of pixels does
/// not match `size`.
pub fn png(size: [u32; 2], pixels: Vec<u8>) -> anyhow::Result<Vec<u8>> {
    encoded(size, pixels, CompressionType::Best)
}

/// Encodes a picture as [`png()`] does, faster and with less compression.
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
