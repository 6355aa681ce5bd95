//! Vertex colors and textures of the level, prepared for drawing.

use std::collections::{BTreeMap, BTreeSet};

use walkable::{
    diagnostic::{Diagnostic, Finding, Location},
    mesh::{AlphaMode, Appearance, ImageFile, TexturedRun, TriMesh},
    monitor::{Cancelled, Monitor},
};

use crate::level_colors::Rgb;

/// Maximum side of a texture, in pixels.
const MAX_SIDE: u32 = 2048;
/// Maximum number of pixels of all images of a level: 64 images of 4,096 × 4,096. A small file can describe many more.
const MAX_PIXELS: u64 = 1 << 30;
const BYTES_PER_PIXEL: usize = 4;

#[derive(Clone, Copy, Debug)]
pub struct TextureReading {
    pub decoder: ImageDecoder,
    pub max_bytes: usize,
}

impl TextureReading {
    /// Maximum memory of all textures with the default preferences, in bytes.
    pub const DEFAULT_BYTES: usize = 128 << 20;
}

/// Decodes an image to a square; see [`ImageDecoder::square`].
pub type SquareDecoder = fn(&[u8], u32, &dyn Monitor) -> Result<Vec<u8>, String>;

#[derive(Clone, Copy, Debug)]
pub struct ImageDecoder {
    /// Returns width and height in pixels without decoding the image.
    pub size: fn(&[u8]) -> Result<[u32; 2], String>,
    /// Decodes an image, resized to a square of this many pixels per side: four bytes per pixel, row by row from the top.
    /// Fails if the monitor cancels.
    pub square: SquareDecoder,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct LevelAppearance {
    /// The sRGB color of each vertex that has one; empty if none has.
    vertex_colors: Vec<Option<Rgb>>,
    /// Runs of triangles with a texture, ascending. Their images are indices in `textures`.
    textured: Vec<TexturedRun>,
    textures: Textures,
}

/// Square textures of the same size.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Textures {
    /// Pixels per side; a power of two.
    pub side: u32,
    pub n: u32,
    /// The pixels of all textures, four bytes each. Each texture is followed by its mip levels, down to one pixel.
    pub bytes: Vec<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TriangleTexture {
    pub layer: u32,
    pub alpha: AlphaMode,
    pub corners: [[f32; 2]; 3],
}

impl LevelAppearance {
    /// Decodes each image of the level's file once. For an image that cannot be decoded, adds a warning, and its
    /// triangles get no texture. Without `reading`, no triangle gets a texture. Returns `None` if there are neither
    /// textures nor vertex colors. Fails only if the monitor cancels.
    pub fn prepare(
        mut appearance: Appearance,
        reading: Option<TextureReading>,
        monitor: &dyn Monitor,
        warnings: &mut Vec<Diagnostic>,
    ) -> Result<Option<Self>, Cancelled> {
        let (textures, layers) = match reading {
            Some(reading) => Textures::decode(&appearance, reading, monitor, warnings)?,
            None => (Textures::default(), Vec::new()),
        };
        appearance.renumber_images(&layers);
        let Appearance { vertex_colors, textured, .. } = appearance;
        let is_plain = vertex_colors.is_empty() && textured.is_empty();
        Ok((!is_plain).then_some(Self { vertex_colors, textured, textures }))
    }

    pub fn textures(&self) -> &Textures {
        &self.textures
    }

    pub fn vertex_color(&self, vertex: usize) -> Option<Rgb> {
        self.vertex_colors.get(vertex).copied().flatten()
    }

    pub fn texture(&self, triangle: usize) -> Option<TriangleTexture> {
        let next = self.textured.partition_point(|run| run.first_triangle as usize <= triangle);
        let run = self.textured.get(next.checked_sub(1)?)?;
        let corners = run.corners.get(triangle - run.first_triangle as usize)?;
        Some(TriangleTexture { layer: run.image, alpha: run.alpha, corners: *corners })
    }

    /// Returns the appearance of a simplified `mesh`, whose vertices are merged into `groups`: each has the mean color of
    /// the corners in it, and there are no textures.
    #[must_use]
    pub fn merged(&self, mesh: &TriMesh, groups: &[u32], n_groups: usize) -> Self {
        let mut sums = vec![([0_u32; 3], 0_u32); n_groups];
        for (triangle, corners) in mesh.triangles().iter().enumerate() {
            let texture = self.texture(triangle);
            for (corner, &vertex) in corners.iter().enumerate() {
                let of_texture = texture
                    .map(|texture| self.textures.pixel(texture.layer, texture.corners[corner]));
                let color = product(of_texture, self.vertex_color(vertex as usize));
                let group =
                    groups.get(vertex as usize).and_then(|&group| sums.get_mut(group as usize));
                if let (Some(color), Some((sum, n))) = (color, group) {
                    *sum = std::array::from_fn(|i| sum[i] + u32::from(color[i]));
                    *n += 1;
                }
            }
        }
        let mean = |(sum, n): ([u32; 3], u32)| {
            (n > 0).then(|| sum.map(|sum| u8::try_from(sum / n).unwrap_or(u8::MAX)))
        };
        let vertex_colors = sums.into_iter().map(mean).collect();
        Self { vertex_colors, ..Self::default() }
    }
}

/// Multiplies two colors; the missing one is white.
pub fn product(a: Option<Rgb>, b: Option<Rgb>) -> Option<Rgb> {
    let (Some(a), Some(b)) = (a, b) else { return a.or(b) };
    Some(std::array::from_fn(|i| {
        let product = (u16::from(a[i]) * u16::from(b[i]) + 127) / 255;
        u8::try_from(product).unwrap_or(u8::MAX)
    }))
}

impl Textures {
    /// Decodes the images of a level; also returns the index of the texture of each image that can be decoded.
    fn decode(
        appearance: &Appearance,
        reading: TextureReading,
        monitor: &dyn Monitor,
        warnings: &mut Vec<Diagnostic>,
    ) -> Result<(Self, Vec<Option<u32>>), Cancelled> {
        let TextureReading { decoder, max_bytes } = reading;
        let images = &appearance.images;
        let see_through = appearance.textured.iter().filter(|run| run.alpha != AlphaMode::Opaque);
        let see_through: BTreeSet<_> = see_through.map(|run| run.image as usize).collect();
        let mut unread = |image: &ImageFile, reason: String| {
            let place = Location::Element(image.name.clone());
            warnings.push(Diagnostic::new(Finding::AppearanceUnread { reason }).at(place));
        };
        let mut decoding = Decoding::new(decoder, monitor);
        let sizes = images.iter().enumerate().map(|(index, image)| {
            let size = decoding.admit(&image.bytes).map_err(|reason| unread(image, reason));
            let opacity = image.opacity.as_ref().filter(|_| see_through.contains(&index));
            let opacity = opacity.filter(|_| size.is_ok()).map(|opacity| decoding.admit(opacity));
            if let Some(Err(reason)) = opacity {
                unread(image, reason);
            }
            size.ok()
        });
        let sizes: Vec<Option<[u32; 2]>> = sizes.collect();
        let mut textures = Self { side: common_side(&sizes, max_bytes), ..Self::default() };
        let mut layers = Vec::with_capacity(images.len());
        for (index, (image, size)) in images.iter().zip(&sizes).enumerate() {
            monitor.check()?;
            let pixels = size.and_then(|_| decoding.square(&image.bytes, textures.side));
            let pixels = pixels.transpose().unwrap_or_else(|reason| {
                unread(image, reason);
                None
            });
            let Some(mut pixels) = pixels else {
                layers.push(None);
                continue;
            };
            if !see_through.contains(&index) {
                set_alpha(&mut pixels, std::iter::repeat(u8::MAX));
            } else if let Some(opacity) = &image.opacity {
                match decoding.square(opacity, textures.side) {
                    Some(Ok(opacity)) => set_alpha(&mut pixels, opacities(&opacity)),
                    Some(Err(reason)) => unread(image, reason),
                    None => {}
                }
            }
            textures.add(pixels);
            layers.push(Some(textures.n - 1));
        }
        // An image that was not decoded because the work was cancelled is not damaged.
        monitor.check()?;
        let is_reduced = |size: &&[u32; 2]| size.iter().any(|&side| side > textures.side);
        let n = sizes.iter().flatten().filter(is_reduced).count();
        if n > 0 {
            let side = textures.side as usize;
            warnings.push(Diagnostic::new(Finding::TexturesReduced { n, side }));
        }
        Ok((textures, layers))
    }

    fn add(&mut self, mut pixels: Vec<u8>) {
        let mut side = self.side as usize;
        pixels.resize(side * side * BYTES_PER_PIXEL, 0);
        loop {
            self.bytes.extend_from_slice(&pixels);
            if side <= 1 {
                break;
            }
            pixels = halved(&pixels, side);
            side /= 2;
        }
        self.n += 1;
    }

    pub fn n_bytes(&self) -> usize {
        self.bytes.len()
    }

    fn n_pixels(&self) -> usize {
        let sides = std::iter::successors(Some(self.side as usize), |side| Some(side / 2));
        sides.take_while(|&side| side > 0).map(|side| side * side).sum()
    }

    fn pixel(&self, layer: u32, at: [f32; 2]) -> Rgb {
        let side = self.side as usize;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss,
            reason = "from 0 to at most 2,048"
        )]
        let [x, y] = at.map(|c| ((c.rem_euclid(1.0) * side as f32) as usize).min(side - 1));
        let first = (layer as usize * self.n_pixels() + y * side + x) * BYTES_PER_PIXEL;
        let color = self.bytes.get(first..).and_then(|bytes| bytes.first_chunk::<3>());
        color.copied().unwrap_or_default()
    }
}

/// Decodes the images of a level, each once, and not more than [`MAX_PIXELS`].
struct Decoding<'a> {
    decoder: ImageDecoder,
    monitor: &'a dyn Monitor,
    images: BTreeMap<&'a [u8], ImageUse>,
    n_pixels: u64,
}

struct ImageUse {
    size: Result<[u32; 2], String>,
    /// Number of times that it will still be used.
    n_left: usize,
    /// The pixels, until they are used for the last time.
    pixels: Option<Result<Vec<u8>, String>>,
}

impl<'a> Decoding<'a> {
    fn new(decoder: ImageDecoder, monitor: &'a dyn Monitor) -> Self {
        Self { decoder, monitor, images: BTreeMap::new(), n_pixels: 0 }
    }

    /// Reads the size of an image that will be used once more; returns an error if it cannot be decoded.
    fn admit(&mut self, bytes: &'a [u8]) -> Result<[u32; 2], String> {
        let image = self.images.entry(bytes).or_insert_with(|| {
            let size = (self.decoder.size)(bytes).and_then(|[width, height]| {
                let n_pixels = self.n_pixels + u64::from(width) * u64::from(height);
                if n_pixels > MAX_PIXELS {
                    return Err(format!(
                        "the textures have more than {MAX_PIXELS} pixels together"
                    ));
                }
                self.n_pixels = n_pixels;
                Ok([width, height])
            });
            ImageUse { size, n_left: 0, pixels: None }
        });
        image.n_left += 1;
        image.size.clone()
    }

    fn square(&mut self, bytes: &'a [u8], side: u32) -> Option<Result<Vec<u8>, String>> {
        let ImageUse { n_left, pixels, .. } =
            self.images.get_mut(bytes).filter(|image| image.size.is_ok())?;
        *n_left = n_left.saturating_sub(1);
        let pixels_now = || (self.decoder.square)(bytes, side, self.monitor);
        let result = pixels.take().unwrap_or_else(pixels_now);
        if *n_left > 0 {
            *pixels = Some(result.clone());
        }
        Some(result)
    }
}

/// Returns the side of all textures: the largest side of an image, rounded up to a power of two, and halved until the
/// textures fit in `max_bytes`.
fn common_side(sizes: &[Option<[u32; 2]>], max_bytes: usize) -> u32 {
    let largest = sizes.iter().flatten().flatten().copied().max().unwrap_or(1);
    let mut side = largest.clamp(1, MAX_SIDE).next_power_of_two();
    let n = sizes.iter().flatten().count();
    let n_bytes = |side| n * Textures { side, ..Textures::default() }.n_pixels() * BYTES_PER_PIXEL;
    while side > 1 && n_bytes(side) > max_bytes {
        side /= 2;
    }
    side
}

/// Returns a square picture with half the side: each pixel is the mean of four, whose colors are weighted by their
/// alpha, so that the colors of transparent parts do not appear at edges.
fn halved(pixels: &[u8], side: usize) -> Vec<u8> {
    let (pixels, _) = pixels.as_chunks::<BYTES_PER_PIXEL>();
    let mut half = Vec::with_capacity(pixels.len());
    for rows in pixels.chunks_exact(2 * side) {
        let (above, below) = rows.split_at(side);
        for (above, below) in above.chunks_exact(2).zip(below.chunks_exact(2)) {
            let four = [above[0], above[1], below[0], below[1]].map(|pixel| pixel.map(u32::from));
            let alpha: u32 = four.iter().map(|pixel| pixel[3]).sum();
            let weights = if alpha > 0 { four.map(|pixel| pixel[3]) } else { [1; 4] };
            let total: u32 = weights.iter().sum();
            let mean = |channel: usize| {
                let colors = four.iter().zip(weights);
                let sum: u32 = colors.map(|(pixel, weight)| pixel[channel] * weight).sum();
                (sum + total / 2) / total
            };
            let mean = [mean(0), mean(1), mean(2), (alpha + 2) / 4];
            half.extend(mean.map(|channel| u8::try_from(channel).unwrap_or(u8::MAX)));
        }
    }
    half
}

fn set_alpha(pixels: &mut [u8], alphas: impl Iterator<Item = u8>) {
    let (pixels, _) = pixels.as_chunks_mut::<BYTES_PER_PIXEL>();
    for (pixel, alpha) in pixels.iter_mut().zip(alphas) {
        pixel[3] = alpha;
    }
}

/// Returns the opacity of each pixel of an image of opacity: its alpha, or its brightness if it is opaque everywhere.
fn opacities(pixels: &[u8]) -> impl Iterator<Item = u8> {
    let (pixels, _) = pixels.as_chunks::<BYTES_PER_PIXEL>();
    let has_alpha = pixels.iter().any(|pixel| pixel[3] < u8::MAX);
    pixels.iter().map(move |&[red, green, blue, alpha]| {
        let brightness = [red, green, blue].map(u16::from).iter().sum::<u16>() / 3;
        if has_alpha { alpha } else { u8::try_from(brightness).unwrap_or(u8::MAX) }
    })
}

#[cfg(test)]
mod tests {
    use std::sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    };

    use glam::Vec3;
    use walkable::monitor::Unmonitored;

    use super::*;

    /// An "image" is its side and the red of its pixels.
    const DECODER: ImageDecoder = ImageDecoder {
        size: |bytes| match bytes {
            [side, _] => Ok([u32::from(*side), 1]),
            _ => Err("no size".to_owned()),
        },
        square: |bytes, side, _| match bytes {
            [_, 0] => Err("no pixels".to_owned()),
            bytes => Ok([bytes[1], 100, 0, 255].repeat((side * side) as usize)),
        },
    };

    const READING: TextureReading = TextureReading { decoder: DECODER, max_bytes: 128 << 20 };
    const HUGE: ImageDecoder = ImageDecoder { size: |_| Ok([1 << 20, 5]), ..DECODER };

    fn prepare(
        appearance: Appearance,
        reading: Option<TextureReading>,
        warnings: &mut Vec<Diagnostic>,
    ) -> Option<LevelAppearance> {
        LevelAppearance::prepare(appearance, reading, &Unmonitored, warnings).unwrap()
    }

    fn image(bytes: &[u8]) -> ImageFile {
        ImageFile { name: format!("texture {bytes:?}"), bytes: bytes.into(), opacity: None }
    }

    fn run(first_triangle: u32, image: u32) -> TexturedRun {
        let corners = vec![[[0.1, 0.1], [0.9, 0.1], [3.5, -0.5]]];
        TexturedRun { first_triangle, image, alpha: AlphaMode::Opaque, corners }
    }

    #[test]
    fn images_that_cannot_be_decoded_leave_their_triangles_without_texture() {
        let images = [&[4, 200][..], &[9], &[3, 0], &[2, 50]].map(image).to_vec();
        let textured = vec![run(0, 0), run(2, 1), run(3, 2), run(7, 3)];
        let appearance = Appearance { vertex_colors: Vec::new(), images, textured };
        let mut warnings = Vec::new();
        let prepared = prepare(appearance.clone(), Some(READING), &mut warnings).unwrap();
        let texts: Vec<_> = warnings.iter().map(ToString::to_string).collect();
        let expected = ["texture [9]: not drawn: no size", "texture [3, 0]: not drawn: no pixels"];
        assert_eq!(texts, expected);
        let textures = prepared.textures();
        assert_eq!((textures.side, textures.n), (4, 2));
        assert_eq!(textures.bytes.len(), 2 * (16 + 4 + 1) * 4);
        let layers =
            [0, 1, 2, 3, 6, 7, 8].map(|triangle| prepared.texture(triangle).map(|of| of.layer));
        assert_eq!(layers, [Some(0), None, None, None, None, Some(1), None]);
        assert_eq!(textures.pixel(1, [-7.3, 0.5]), [50, 100, 0]);
        assert_eq!(prepare(appearance, None, &mut warnings), None);
    }

    #[test]
    fn large_and_many_textures_are_reduced() {
        let sizes = |n, side| vec![Some([side, 1]); n];
        for (n, side, expected) in [
            (0, 0, 1),
            (1, 1, 1),
            (1, 3, 4),
            (1, 1025, 2048),
            (1, 100_000, 2048),
            // Mip levels add a third.
            (6, 2048, 2048),
            (7, 2048, 1024),
            (256, 2048, 256),
        ] {
            let found = common_side(&sizes(n, side), READING.max_bytes);
            assert_eq!(found, expected, "{n} of {side} pixels");
        }
        assert_eq!(common_side(&sizes(7, 2048), READING.max_bytes / 64), 128);
        let images = vec![image(&[1, 1])];
        let (appearance, mut warnings) =
            (Appearance { images, ..Appearance::default() }, Vec::new());
        let (textures, _) = Textures::decode(
            &appearance,
            TextureReading { decoder: HUGE, ..READING },
            &Unmonitored,
            &mut warnings,
        )
        .unwrap();
        assert_eq!(textures.side, MAX_SIDE);
        assert_eq!(warnings[0].to_string(), "textures drawn with at most 2048 pixels per side: 1");
    }

    #[test]
    fn an_image_is_decoded_once_however_often_it_is_used() {
        static N_DECODED: AtomicUsize = AtomicUsize::new(0);
        let decoder = ImageDecoder {
            square: |bytes, side, monitor| {
                N_DECODED.fetch_add(1, Ordering::Relaxed);
                (DECODER.square)(bytes, side, monitor)
            },
            ..DECODER
        };
        // Ten textures: one image with an opacity of its own each, and ten images with the same opacity.
        let with = |color: u8, opacity: u8| {
            let opacity = Some(Arc::from([2, opacity]));
            ImageFile { opacity, ..image(&[4, color]) }
        };
        let images: Vec<_> =
            (1..=10).map(|n| with(1, n)).chain((1..=10).map(|n| with(n, 99))).collect();
        let run = |image| TexturedRun { alpha: AlphaMode::Mask(9), ..run(image, image) };
        let textured = (0..20).map(run).collect();
        let appearance = Appearance { vertex_colors: Vec::new(), images, textured };
        let reading = TextureReading { decoder, ..READING };
        let prepared = prepare(appearance, Some(reading), &mut Vec::new()).unwrap();
        assert_eq!(prepared.textures.n, 20);
        let colors: Vec<_> = (0..20).map(|at| prepared.textures.pixel(at, [0.0; 2])[0]).collect();
        let expected: Vec<_> = [1; 10].into_iter().chain(1..=10).collect();
        assert_eq!(colors, expected);
        // Ten colors, and ten opacities and one.
        assert_eq!(N_DECODED.load(Ordering::Relaxed), 21);
    }

    #[test]
    fn images_beyond_the_limit_of_pixels_are_not_decoded() {
        const LARGE: ImageDecoder = ImageDecoder {
            size: |bytes| Ok(if bytes[1] == 3 { [1, 1] } else { [16_384, 32_768] }),
            ..DECODER
        };
        let images = [[1, 1], [1, 2], [1, 3], [1, 4]].map(|bytes| image(&bytes)).to_vec();
        let textured = (0..4).map(|image| run(image, image)).collect();
        let appearance = Appearance { vertex_colors: Vec::new(), images, textured };
        let mut warnings = Vec::new();
        let reading = TextureReading { decoder: LARGE, max_bytes: 64 };
        let prepared = prepare(appearance, Some(reading), &mut warnings).unwrap();
        let drawn: Vec<_> = (0..4).map(|at| prepared.texture(at).is_some()).collect();
        assert_eq!(drawn, [true, true, false, false]);
        assert_eq!(
            warnings[0].to_string(),
            "texture [1, 3]: not drawn: the textures have more than 1073741824 pixels together"
        );
    }

    #[test]
    fn cancelled_decoding_ends_at_the_next_image() {
        static IS_CANCELLED: AtomicBool = AtomicBool::new(false);
        struct Flag;
        impl Monitor for Flag {
            fn is_cancelled(&self) -> bool {
                IS_CANCELLED.load(Ordering::Relaxed)
            }
        }
        let decoder = ImageDecoder {
            square: |bytes, _, monitor| {
                assert_eq!(bytes, [4, 1], "only the first image is decoded");
                IS_CANCELLED.store(true, Ordering::Relaxed);
                Err(monitor.check().unwrap_err().to_string())
            },
            ..DECODER
        };
        let images = [[4, 1], [4, 2]].map(|bytes| image(&bytes)).to_vec();
        let textured = vec![run(0, 0), run(1, 1)];
        let appearance = Appearance { vertex_colors: Vec::new(), images, textured };
        let reading = Some(TextureReading { decoder, ..READING });
        let prepared = LevelAppearance::prepare(appearance, reading, &Flag, &mut Vec::new());
        assert_eq!(prepared, Err(Cancelled));
    }

    #[test]
    fn mip_levels_are_means() {
        let pixels: Vec<u8> =
            [[0, 0, 0, 255], [100, 0, 0, 255], [0, 40, 0, 255], [0, 0, 0, 255]].concat();
        assert_eq!(halved(&pixels, 2), [25, 10, 0, 255]);
        let cutout = [[10, 20, 30, 255], [250, 0, 0, 0], [0, 0, 0, 0], [20, 20, 30, 255]].concat();
        assert_eq!(halved(&cutout, 2), [15, 20, 30, 128], "transparent pixels have no color");
        assert_eq!(halved(&[8, 8, 8, 0].repeat(4), 2), [8, 8, 8, 0]);
    }

    #[test]
    fn alpha_is_kept_only_where_it_is_drawn() {
        // The bytes of an "image" are its alpha and its red.
        let decoder = ImageDecoder {
            size: |_| Ok([1, 1]),
            square: |bytes, side, _| match bytes {
                [alpha, red] => Ok([*red, 90, 90, *alpha].repeat((side * side) as usize)),
                _ => Err("no pixels".to_owned()),
            },
        };
        let with = |opacity: Option<&[u8]>| ImageFile {
            opacity: opacity.map(Into::into),
            ..image(&[70, 1])
        };
        let images = vec![
            with(None),
            with(None),
            with(Some(&[40, 2])),
            with(Some(&[255, 120])),
            with(Some(&[])),
        ];
        let of_run = |image: u32, alpha| TexturedRun { alpha, ..run(image, image) };
        let masked = (1..5).map(|image| of_run(image, AlphaMode::Mask(9)));
        let textured = std::iter::once(run(0, 0)).chain(masked).collect();
        let appearance = Appearance { vertex_colors: Vec::new(), images, textured };
        let mut warnings = Vec::new();
        let reading = TextureReading { decoder, ..READING };
        let prepared = prepare(appearance, Some(reading), &mut warnings).unwrap();
        let alphas: Vec<_> = prepared.textures.bytes.chunks(4).map(|pixel| pixel[3]).collect();
        assert_eq!(alphas, [255, 70, 40, 100, 70]);
        assert_eq!(warnings.len(), 1, "{warnings:?}");
        assert_eq!(prepared.texture(1).unwrap().alpha, AlphaMode::Mask(9));
    }

    #[test]
    fn a_simplified_level_has_mean_colors() {
        let images = vec![image(&[1, 200])];
        let textured = vec![run(0, 0)];
        let vertex_colors =
            vec![Some([128, 255, 255]), None, Some([0; 3]), Some([10, 20, 30]), None];
        let appearance = Appearance { vertex_colors, images, textured };
        let prepared = prepare(appearance, Some(READING), &mut Vec::new()).unwrap();
        let mesh = TriMesh::new(vec![Vec3::ZERO; 5], vec![[0, 1, 2], [3, 4, 4]]).unwrap();
        let merged = prepared.merged(&mesh, &[0, 0, 1, 1, 2], 4);
        let colors = [0, 1, 2, 3].map(|vertex| merged.vertex_color(vertex));
        assert_eq!(colors, [Some([150, 100, 0]), Some([5, 10, 15]), None, None]);
        assert_eq!((merged.texture(0), &merged.textures), (None, &Textures::default()));
        assert_eq!(product(None, None), None);
    }
}
