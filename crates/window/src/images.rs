//! Decodes the images of levels' textures: PNG and JPEG.

use std::io::Cursor;

use image::{ImageFormat, ImageReader, Limits, imageops::FilterType};
use walkable_editor::level_appearance::ImageDecoder;

/// Maximum width and height of an image, in pixels.
const MAX_SIDE: u32 = 16_384;
/// Maximum memory for decoding an image, in bytes.
const MAX_BYTES: u64 = 512 << 20;

/// The decoder of the program.
pub(crate) const DECODER: ImageDecoder = ImageDecoder { size, square };

fn reader(bytes: &[u8]) -> Result<ImageReader<Cursor<&[u8]>>, String> {
    let reader = ImageReader::new(Cursor::new(bytes)).with_guessed_format();
    let mut reader = reader.map_err(|error| error.to_string())?;
    if !matches!(reader.format(), Some(ImageFormat::Png | ImageFormat::Jpeg)) {
        return Err("it is neither PNG nor JPEG".to_owned());
    }
    let mut limits = Limits::no_limits();
    limits.max_image_width = Some(MAX_SIDE);
    limits.max_image_height = Some(MAX_SIDE);
    limits.max_alloc = Some(MAX_BYTES);
    reader.limits(limits);
    Ok(reader)
}

/// Reads the size of an image and checks it against the limits.
pub(crate) fn size(bytes: &[u8]) -> Result<[u32; 2], String> {
    let (width, height) = reader(bytes)?.into_dimensions().map_err(|error| error.to_string())?;
    let n_bytes = 4 * u64::from(width) * u64::from(height);
    if width.max(height) > MAX_SIDE || n_bytes > MAX_BYTES {
        return Err(format!("its {width} × {height} pixels are more than the limit"));
    }
    if width.min(height) == 0 {
        return Err("it has no pixels".to_owned());
    }
    Ok([width, height])
}

fn square(bytes: &[u8], side: u32) -> Result<Vec<u8>, String> {
    size(bytes)?;
    let image = reader(bytes)?.decode().map_err(|error| error.to_string())?.into_rgba8();
    if image.dimensions() == (side, side) {
        return Ok(image.into_raw());
    }
    Ok(image::imageops::resize(&image, side, side, FilterType::Triangle).into_raw())
}

#[cfg(test)]
mod tests {
    use image::{Rgb, RgbImage};

    use super::*;

    fn encoded(size: [u32; 2], format: ImageFormat) -> Vec<u8> {
        let mut bytes = Cursor::new(Vec::new());
        let image = RgbImage::from_pixel(size[0], size[1], Rgb([200, 100, 0]));
        image.write_to(&mut bytes, format).unwrap();
        bytes.into_inner()
    }

    #[test]
    fn png_and_jpeg_become_squares() {
        for format in [ImageFormat::Png, ImageFormat::Jpeg] {
            let bytes = encoded([24, 8], format);
            assert_eq!(size(&bytes), Ok([24, 8]), "{format:?}");
            let pixels = square(&bytes, 16).unwrap();
            assert_eq!(pixels.len(), 16 * 16 * 4);
            let is_near = |found: u8, expected: u8| found.abs_diff(expected) <= 3;
            let [r, g, b, a] = *pixels.last_chunk().unwrap();
            assert!(is_near(r, 200) && is_near(g, 100) && is_near(b, 0) && a == 255, "{format:?}");
        }
    }

    #[test]
    fn damaged_and_huge_images_are_refused() {
        let png = encoded([4, 4], ImageFormat::Png);
        for (bytes, reason) in [
            (&b""[..], "it is neither PNG nor JPEG"),
            (b"RIFFxxxxWEBPVP8 ", "it is neither PNG nor JPEG"),
            (&png[..20], "unexpected end of file"),
        ] {
            let error = size(bytes).unwrap_err();
            assert!(error.contains(reason), "{error}");
        }
        assert!(square(&png[..50], 4).is_err());
        // The header of a PNG file: width and height follow byte 16, then the checksum.
        let mut huge = png;
        huge[16..20].copy_from_slice(&100_000_u32.to_be_bytes());
        assert!(size(&huge).is_err());
    }
}
