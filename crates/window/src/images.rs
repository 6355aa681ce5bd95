//! Decodes the images of levels' textures: PNG and JPEG.

use std::{
    borrow::Cow,
    io::{self, BufRead, Cursor, Read, Seek, SeekFrom},
};

use image::{DynamicImage, ImageFormat, ImageReader, Limits, imageops::FilterType};
use walkable::monitor::Monitor;
use walkable_editor::level_appearance::ImageDecoder;

const MAX_SIDE: u32 = 16_384;
const MAX_BYTES: u64 = 512 << 20;
/// Maximum number of bytes that are read between checks for cancellation. It is small, because compressed bytes can
/// describe a thousand times as many pixels.
const BLOCK: usize = 4096;
const PNG_SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

pub(crate) const DECODER: ImageDecoder = ImageDecoder { size, square };

fn reader<R: BufRead + Seek>(bytes: R) -> Result<ImageReader<R>, String> {
    let reader = ImageReader::new(bytes).with_guessed_format();
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
    checked_size(&necessary_chunks(bytes))
}

fn checked_size(bytes: &[u8]) -> Result<[u32; 2], String> {
    let reader = reader(Cursor::new(bytes))?;
    let (width, height) = reader.into_dimensions().map_err(|error| error.to_string())?;
    let n_bytes = 4 * u64::from(width) * u64::from(height);
    if width.max(height) > MAX_SIDE || n_bytes > MAX_BYTES {
        return Err(format!("its {width} × {height} pixels are more than the limit"));
    }
    if width.min(height) == 0 {
        return Err("it has no pixels".to_owned());
    }
    Ok([width, height])
}

/// Decodes an image within the limits. Fails if the monitor cancels.
pub(crate) fn decoded(bytes: &[u8], monitor: &dyn Monitor) -> Result<DynamicImage, String> {
    let bytes = necessary_chunks(bytes);
    checked_size(&bytes)?;
    let bytes = Interruptible { bytes: Cursor::new(&*bytes), monitor };
    reader(bytes)?.decode().map_err(|error| error.to_string())
}

fn square(bytes: &[u8], side: u32, monitor: &dyn Monitor) -> Result<Vec<u8>, String> {
    let mut image = decoded(bytes, monitor)?;
    monitor.check().map_err(|cancelled| cancelled.to_string())?;
    let (width, height) = (image.width(), image.height());
    if width.max(height) >= 4 * side {
        // Means of blocks take less time and memory than the filter.
        image = image.thumbnail_exact(width.min(2 * side), height.min(2 * side));
    }
    let image = image.into_rgba8();
    if image.dimensions() == (side, side) {
        return Ok(image.into_raw());
    }
    Ok(image::imageops::resize(&image, side, side, FilterType::Triangle).into_raw())
}

/// Returns a PNG file without the chunks that its pixels do not depend on; a few of their bytes can stand for
/// megabytes of a color profile or text. Returns any other file as it is.
fn necessary_chunks(bytes: &[u8]) -> Cow<'_, [u8]> {
    let Some(mut rest) = bytes.strip_prefix(PNG_SIGNATURE) else { return Cow::Borrowed(bytes) };
    let mut kept = PNG_SIGNATURE.to_vec();
    // A chunk is its length, its name, its data and a checksum.
    while let Some((&[a, b, c, d, name @ ..], _)) = rest.split_first_chunk::<8>() {
        let length = usize::try_from(u32::from_be_bytes([a, b, c, d])).unwrap_or(usize::MAX);
        let (chunk, after) = rest.split_at(length.saturating_add(12).min(rest.len()));
        // The names of chunks that a decoder must know start with a capital letter.
        if name[0].is_ascii_uppercase() || name == *b"tRNS" {
            kept.extend_from_slice(chunk);
        }
        rest = after;
    }
    Cow::Owned(kept)
}

struct Interruptible<'a> {
    bytes: Cursor<&'a [u8]>,
    monitor: &'a dyn Monitor,
}

impl BufRead for Interruptible<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.monitor.check().map_err(io::Error::other)?;
        let buffer = self.bytes.fill_buf()?;
        Ok(&buffer[..buffer.len().min(BLOCK)])
    }

    fn consume(&mut self, n: usize) {
        self.bytes.consume(n);
    }
}

impl Read for Interruptible<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let n = self.fill_buf()?.read(to)?;
        self.consume(n);
        Ok(n)
    }
}

impl Seek for Interruptible<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.bytes.seek(to)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use image::{Rgb, RgbImage};
    use walkable::monitor::Unmonitored;

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
            let pixels = square(&bytes, 16, &Unmonitored).unwrap();
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
        assert!(square(&png[..50], 4, &Unmonitored).is_err());
        // The header of a PNG file: width and height follow byte 16, then the checksum.
        let mut huge = png;
        huge[16..20].copy_from_slice(&100_000_u32.to_be_bytes());
        assert!(size(&huge).is_err());
    }

    /// Returns a PNG file with a chunk of this name and data before its pixels.
    fn with_chunk(png: &[u8], name: [u8; 4], data: &[u8]) -> Vec<u8> {
        // The signature, and the header with 13 bytes.
        let (start, rest) = png.split_at(8 + 12 + 13);
        let length = u32::try_from(data.len()).unwrap().to_be_bytes();
        // The decoder ignores what it is not given, so the checksum is not needed.
        [start, &length, &name, data, &[0; 4], rest].concat()
    }

    #[test]
    fn profiles_and_texts_of_png_files_are_not_read() {
        let png = encoded([24, 8], ImageFormat::Png);
        let pixels = square(&png, 16, &Unmonitored).unwrap();
        for name in [b"iCCP", b"zTXt", b"iTXt", b"tEXt", b"eXIf", b"acTL"] {
            let with = with_chunk(&png, *name, &vec![7; 90_000]);
            assert_eq!(*necessary_chunks(&with), png, "{name:?}");
            assert_eq!(size(&with), Ok([24, 8]), "{name:?}");
            assert_eq!(square(&with, 16, &Unmonitored), Ok(pixels.clone()), "{name:?}");
        }
        assert!(size(&with_chunk(&png, *b"NEWS", b"?")).is_err(), "it may change the pixels");
    }

    #[test]
    fn decoding_ends_when_it_is_cancelled() {
        /// Cancels the third time it is asked.
        struct Third(AtomicUsize);
        impl Monitor for Third {
            fn is_cancelled(&self) -> bool {
                self.0.fetch_add(1, Ordering::Relaxed) >= 2
            }
        }
        // Noise, which cannot be compressed.
        let mut random = 1_u32;
        let image = RgbImage::from_fn(256, 256, |_, _| {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let [_, a, b, c] = random.to_le_bytes();
            Rgb([a, b, c])
        });
        let mut bytes = Cursor::new(Vec::new());
        image.write_to(&mut bytes, ImageFormat::Png).unwrap();
        let bytes = bytes.into_inner();
        assert!(bytes.len() > 8 * BLOCK);
        let monitor = Third(AtomicUsize::new(0));
        let error = square(&bytes, 16, &monitor).unwrap_err();
        let n_asked = monitor.0.into_inner();
        assert!(error.contains("cancelled") && n_asked < 6, "{error}, {n_asked}");
        assert!(square(&bytes, 16, &Unmonitored).is_ok());
    }

    #[test]
    fn large_images_keep_their_colors() {
        let color = |x: u32| if x < 500 { [200, 0, 0] } else { [0, 0, 200] };
        let image = RgbImage::from_fn(1000, 70, |x, _| Rgb(color(x)));
        let mut bytes = Cursor::new(Vec::new());
        image.write_to(&mut bytes, ImageFormat::Png).unwrap();
        let pixels = square(&bytes.into_inner(), 16, &Unmonitored).unwrap();
        let (rows, _) = pixels.as_chunks::<64>();
        assert_eq!(rows.len(), 16);
        for row in rows {
            assert_eq!((&row[..4], &row[60..]), (&[200, 0, 0, 255][..], &[0, 0, 200, 255][..]));
        }
    }
}
