//! Vertex colors and textures of a level: a picture needs them, a bake does not.

use std::{borrow::Cow, collections::BTreeSet, ops::Range, sync::Arc};

use walkable_runtime::diagnostic::{Code, Finding, Location};

use crate::{FileWarnings, file_warnings::excerpt};

/// Maximum number of images of a level.
const MAX_IMAGES: usize = 256;
/// Maximum total size of the encoded images of a level, in bytes. A small file can refer to the same bytes many times.
const MAX_IMAGE_BYTES: usize = 512 << 20;
/// Maximum number of triangles with a texture. Others have the base colors of their materials.
const MAX_TEXTURED: usize = 1 << 23;

/// The vertex colors and textures of a level's file.
///
/// Colors are multiplied: that of the vertex, that of the texture, and the base color of the material.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Appearance {
    /// The sRGB color of each vertex that has one; empty if none has.
    pub vertex_colors: Vec<Option<[u8; 3]>>,
    /// The images of the textures, each once: however many textures have the same bytes.
    pub images: Vec<ImageFile>,
    /// Runs of triangles with a texture, ascending.
    pub textured: Vec<TexturedRun>,
}

/// An encoded image, such as a PNG or JPEG file. Equal bytes are in memory once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImageFile {
    /// Name of the file, or description of the image in the level's file, for messages.
    pub name: String,
    /// The bytes of the file.
    pub bytes: Arc<[u8]>,
    /// The bytes of an image whose alpha, or brightness without one, replaces the alpha of this one.
    pub opacity: Option<Arc<[u8]>>,
}

/// How the alpha of a texture is drawn.
///
/// Source: Khronos, glTF 2.0 specification, `alphaMode`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum AlphaMode {
    /// The texture is opaque.
    #[default]
    Opaque,
    /// Pixels with an alpha below this value (0 to 255) are not drawn.
    Mask(u8),
    /// Pixels are blended by their alpha times this value (0 to 255).
    Blend(u8),
}

/// Consecutive triangles with the same texture.
#[derive(Clone, Debug, PartialEq)]
pub struct TexturedRun {
    /// Index of the first triangle.
    pub first_triangle: u32,
    /// Index of the image.
    pub image: u32,
    /// How the alpha of the image is drawn.
    pub alpha: AlphaMode,
    /// Texture coordinates of the corners of each triangle. The image covers 0 to 1 from left to right and from top to
    /// bottom, and repeats.
    pub corners: Vec<[[f32; 2]; 3]>,
}

impl Appearance {
    /// Renumbers the images of textured triangles: `numbers` has the new number of each image. Triangles of an image
    /// without a number lose their texture.
    pub fn renumber_images(&mut self, numbers: &[Option<u32>]) {
        self.textured.retain_mut(|run| {
            let number = numbers.get(run.image as usize).copied().flatten();
            run.image = number.unwrap_or_default();
            number.is_some()
        });
    }

    /// Keeps the vertices with the numbers `used`, in their order.
    pub(super) fn keep_vertices(&mut self, used: &[u32]) {
        if !self.vertex_colors.is_empty() {
            let color = |&vertex: &u32| self.vertex_colors.get(vertex as usize).copied().flatten();
            self.vertex_colors = used.iter().map(color).collect();
        }
    }

    /// Keeps the triangles in `kept`, which are ascending ranges.
    pub(super) fn keep_triangles(&mut self, kept: &[Range<usize>]) {
        let before = std::mem::take(&mut self.textured);
        let (mut first, mut next) = (0, 0);
        for range in kept {
            while before.get(next).is_some_and(|run| run.end() <= range.start) {
                next += 1;
            }
            for run in &before[next..] {
                let start = run.first_triangle as usize;
                if start >= range.end {
                    break;
                }
                let (from, to) = (start.max(range.start), run.end().min(range.end));
                let corners = run.corners[from - start..to - start].iter().copied();
                self.push_run(first + from - range.start, (run.image, run.alpha), corners);
            }
            first += range.len();
        }
    }

    /// Swaps the second and third corner of each triangle.
    pub(super) fn flip(&mut self) {
        for corners in self.textured.iter_mut().flat_map(|run| &mut run.corners) {
            corners.swap(1, 2);
        }
    }

    fn push_run(
        &mut self,
        first_triangle: usize,
        (image, alpha): (u32, AlphaMode),
        corners: impl Iterator<Item = [[f32; 2]; 3]>,
    ) {
        match self.textured.last_mut() {
            Some(last)
                if (last.image, last.alpha) == (image, alpha) && last.end() == first_triangle =>
            {
                last.corners.extend(corners);
            }
            _ => self.textured.push(TexturedRun {
                first_triangle: u32::try_from(first_triangle).unwrap_or(u32::MAX),
                image,
                alpha,
                corners: corners.collect(),
            }),
        }
    }
}

impl TexturedRun {
    fn end(&self) -> usize {
        self.first_triangle as usize + self.corners.len()
    }
}

/// Collects an [`Appearance`] within the limits.
#[derive(Default)]
pub(super) struct AppearanceBuilder {
    pub(super) appearance: Appearance,
    /// The bytes of all images that were read.
    read: BTreeSet<Arc<[u8]>>,
    n_image_bytes: usize,
    n_textured: usize,
    /// Number of triangles that the limit left without their texture.
    n_left_out: usize,
}

impl AppearanceBuilder {
    /// Adds triangles with a texture, which follow those that were added before.
    pub(super) fn add_textured(
        &mut self,
        first_triangle: usize,
        texture: (u32, AlphaMode),
        corners: impl ExactSizeIterator<Item = [[f32; 2]; 3]>,
    ) {
        if self.n_textured + corners.len() <= MAX_TEXTURED {
            self.n_textured += corners.len();
            self.appearance.push_run(first_triangle, texture, corners);
        } else {
            self.n_left_out += corners.len();
        }
    }

    /// Returns the appearance; adds a warning if the limit left triangles without their texture.
    pub(super) fn finish(self, warnings: &mut FileWarnings) -> Appearance {
        let (n, most) = (self.n_left_out, MAX_TEXTURED);
        if n > 0 {
            warnings.add(Code::TexturedTrianglesLeftOut, || {
                let place = Location::Element("textures".to_owned());
                (place, Finding::TexturedTrianglesLeftOut { n, most })
            });
        }
        self.appearance
    }

    /// Reads an image; `None` with a warning if it cannot be read. Equal images share their bytes.
    pub(super) fn read_image<'b>(
        &mut self,
        name: &str,
        read: impl FnOnce() -> Result<Cow<'b, [u8]>, String>,
        warnings: &mut FileWarnings,
    ) -> Option<Arc<[u8]>> {
        let bytes = if self.appearance.images.len() < MAX_IMAGES {
            read()
        } else {
            Err(format!("the level has more than {MAX_IMAGES} textures"))
        };
        let bytes = bytes.and_then(|bytes| self.within_limit(bytes));
        bytes.map_err(|reason| add_unread(warnings, name.to_owned(), reason)).ok()
    }

    /// Adds an image that was read, and returns its index; that of an equal one if there is one.
    pub(super) fn add_image(&mut self, image: ImageFile) -> Option<u32> {
        let images = &mut self.appearance.images;
        let is_same = |a: &Arc<[u8]>, b: &Arc<[u8]>| Arc::ptr_eq(a, b);
        let known = images.iter().position(|known| {
            is_same(&known.bytes, &image.bytes)
                && match (&known.opacity, &image.opacity) {
                    (Some(a), Some(b)) => is_same(a, b),
                    (a, b) => a.is_none() && b.is_none(),
                }
        });
        let index = known.unwrap_or_else(|| {
            images.push(image);
            images.len() - 1
        });
        u32::try_from(index).ok()
    }

    /// Returns the bytes of an image if all images together are within the limit.
    fn within_limit(&mut self, bytes: Cow<'_, [u8]>) -> Result<Arc<[u8]>, String> {
        // Equal images count, too, because comparing them takes time.
        self.n_image_bytes = self.n_image_bytes.saturating_add(bytes.len());
        if self.n_image_bytes > MAX_IMAGE_BYTES {
            return Err(format!("the textures take more than {MAX_IMAGE_BYTES} bytes together"));
        }
        if let Some(known) = self.read.get(&*bytes) {
            return Ok(Arc::clone(known));
        }
        let bytes: Arc<[u8]> = bytes.into();
        self.read.insert(Arc::clone(&bytes));
        Ok(bytes)
    }
}

/// Adds the warning that colors or a texture are not drawn.
pub(super) fn add_unread(warnings: &mut FileWarnings, element: String, reason: String) {
    warnings.add(Code::AppearanceUnread, || {
        (Location::Element(element), Finding::AppearanceUnread { reason })
    });
}

/// Converts a number from 0 to 1 to a component of a color.
pub(super) fn color_byte(component: f32) -> u8 {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 255")]
    let byte = (component.clamp(0.0, 1.0) * 255.0).round() as u8;
    byte
}

/// Returns the name of a file of a texture for messages.
pub(super) fn texture_name(file: &str) -> String {
    format!("texture \"{}\"", excerpt(file))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns three triangles from `first` with the image, whose texture coordinates are the numbers of the triangles.
    fn run(first_triangle: u8, image: u32) -> TexturedRun {
        let corners = (first_triangle..first_triangle + 3)
            .map(|n| [[f32::from(n); 2], [1.0, 0.0], [0.0, 1.0]]);
        let (first_triangle, alpha) = (first_triangle.into(), AlphaMode::Opaque);
        TexturedRun { first_triangle, image, alpha, corners: corners.collect() }
    }

    #[test]
    fn runs_are_joined_split_and_flipped() {
        let mut builder = AppearanceBuilder::default();
        for one in [run(0, 0), run(3, 0), run(8, 1)] {
            let first = one.first_triangle as usize;
            builder.add_textured(first, (one.image, one.alpha), one.corners.into_iter());
        }
        let mut appearance = builder.appearance;
        let list = |appearance: &Appearance| {
            let first = |corners: &[[f32; 2]; 3]| corners[0][0];
            let runs = appearance.textured.iter().map(|run| {
                (run.first_triangle, run.image, run.corners.iter().map(first).collect::<Vec<_>>())
            });
            runs.collect::<Vec<_>>()
        };
        let joined = vec![0.0, 1.0, 2.0, 3.0, 4.0, 5.0];
        assert_eq!(list(&appearance), [(0, 0, joined), (8, 1, vec![8.0, 9.0, 10.0])]);
        appearance.keep_triangles(&[1..3, 4..9, 10..11]);
        let first = vec![1.0, 2.0, 4.0, 5.0];
        assert_eq!(list(&appearance), [(0, 0, first), (6, 1, vec![8.0, 10.0])]);
        appearance.flip();
        assert_eq!(appearance.textured[0].corners[0], [[1.0, 1.0], [0.0, 1.0], [1.0, 0.0]]);
    }

    #[test]
    fn images_and_textured_triangles_are_limited() {
        let mut warnings = FileWarnings::default();
        let mut add = |builder: &mut AppearanceBuilder, n: usize| {
            let bytes = n.to_le_bytes().to_vec();
            let bytes = builder.read_image("a", || Ok(bytes.into()), &mut warnings)?;
            builder.add_image(ImageFile { name: "a".to_owned(), bytes, opacity: None })
        };
        let mut builder = AppearanceBuilder::default();
        assert!((0..1000).all(|_| add(&mut builder, 0) == Some(0)), "equal images are added once");
        let added = (0..MAX_IMAGES + 3).filter_map(|n| add(&mut builder, n));
        assert_eq!(added.count(), MAX_IMAGES);
        let full = || AppearanceBuilder {
            n_image_bytes: MAX_IMAGE_BYTES,
            n_textured: MAX_TEXTURED - 2,
            ..AppearanceBuilder::default()
        };
        let mut builder = full();
        assert_eq!((add(&mut builder, 0), builder.appearance.images.len()), (None, 0));
        assert_eq!(warnings.count(Code::AppearanceUnread), 4);
        let texture = (0, AlphaMode::Opaque);
        builder.add_textured(0, texture, run(0, 0).corners.into_iter());
        assert!(builder.appearance.textured.is_empty());
        builder.add_textured(0, texture, run(0, 0).corners.into_iter().skip(1));
        assert_eq!(builder.appearance.textured.len(), 1);
        assert_eq!(builder.finish(&mut warnings).textured.len(), 1);
        let left_out = warnings.summary().last().map(|found| found.to_string());
        let expected =
            "textures: triangles drawn without their texture: 3; at most 8388608 have one";
        assert_eq!(left_out.as_deref(), Some(expected));
        let mut builder = AppearanceBuilder::default();
        for alpha in [AlphaMode::Mask(9), AlphaMode::Mask(9), AlphaMode::Blend(9)] {
            let first = builder.n_textured;
            builder.add_textured(first, (0, alpha), run(0, 0).corners.into_iter());
        }
        let n_corners = |run: &TexturedRun| (run.alpha, run.corners.len());
        let runs: Vec<_> = builder.appearance.textured.iter().map(n_corners).collect();
        assert_eq!(runs, [(AlphaMode::Mask(9), 6), (AlphaMode::Blend(9), 3)]);
    }
}
