//! Pictures as PNG files.

use std::io::Cursor;

use anyhow::Context as _;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};

/// A picture as small as PNG makes it, from three bytes a pixel, row by row from the top.
///
/// # Errors
/// Where there are not as many pixels as `size` says.
pub fn png(size: [u32; 2], pixels: Vec<u8>) -> anyhow::Result<Vec<u8>> {
    let [width, height] = size;
    let image = image::RgbImage::from_raw(width, height, pixels)
        .context("the picture has too few pixels")?;
    let mut bytes = Cursor::new(Vec::new());
    let encoder =
        PngEncoder::new_with_quality(&mut bytes, CompressionType::Best, FilterType::Adaptive);
    image.write_with_encoder(encoder)?;
    Ok(bytes.into_inner())
}
