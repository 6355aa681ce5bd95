//! Vertex colors and textures, for pictures. What cannot be read is reported by a warning.
//!
//! Source: Khronos, glTF 2.0 specification; extension `KHR_texture_transform`. Differs: the alpha of vertex colors, and
//! of materials without a texture, is ignored.

use std::{borrow::Cow, collections::BTreeMap};

use super::{
    accessor::{Accessor, Purpose},
    buffers::{Buffers, address},
    draco, element,
    json::{self, AppearanceMaterial, Root, TextureTransform, TextureUse, srgb_from_linear},
    primitive::{Meshes, PlacedPrimitive, Primitive, primitive_name},
};
use crate::{
    AlphaMode, Appearance, FileWarnings, ImageFile,
    appearance::{AppearanceBuilder, add_unread, color_byte, texture_name},
};

/// The vertex colors and the texture of a primitive.
#[derive(Debug, Default)]
pub(super) struct PrimitiveAppearance {
    /// One per vertex, or empty.
    colors: Vec<[u8; 3]>,
    texture: Option<Texture>,
}

#[derive(Debug)]
struct Texture {
    image: u32,
    alpha: AlphaMode,
    /// Texture coordinates, one per vertex.
    coordinates: Vec<[f32; 2]>,
}

/// The source of the colors and texture coordinates of a primitive.
#[derive(Clone, Copy)]
struct VertexSource<'a> {
    read: &'a Primitive,
    /// What is in its compressed data.
    compressed: json::DracoAttributes,
    /// Names the primitive, for errors.
    name: &'a dyn Fn() -> String,
}

/// Reads the appearance of a level, after its triangles.
pub(super) struct AppearanceReader<'a> {
    json: json::AppearanceRoot,
    root: &'a Root,
    buffers: &'a Buffers<'a>,
    /// The used images, in the order of their use, which numbers them until they are read.
    images: Vec<usize>,
    numbers: BTreeMap<usize, u32>,
}

impl<'a> AppearanceReader<'a> {
    /// Parses what only pictures need from the JSON in `text`.
    pub(super) fn new(
        text: &[u8],
        root: &'a Root,
        buffers: &'a Buffers<'a>,
        warnings: &mut FileWarnings,
    ) -> Self {
        let json = serde_json::from_slice(text).unwrap_or_else(|error| {
            add_unread(warnings, "materials".to_owned(), error.to_string());
            json::AppearanceRoot::default()
        });
        Self { json, root, buffers, images: Vec::new(), numbers: BTreeMap::new() }
    }

    /// Reads the appearance of a level with these placed primitives and number of vertices.
    ///
    /// It is read after all triangles, and images last: files next to the level share a limit, which triangles need first.
    pub(super) fn read(
        mut self,
        runs: &[PlacedPrimitive],
        meshes: &Meshes<'_>,
        n_vertices: usize,
        warnings: &mut FileWarnings,
    ) -> Appearance {
        let mut builder = AppearanceBuilder::default();
        let mut read: BTreeMap<(usize, usize), PrimitiveAppearance> = BTreeMap::new();
        for run in runs {
            let Some(primitive) = meshes.primitive(run.mesh, run.primitive) else { continue };
            let appearance = read
                .entry((run.mesh, run.primitive))
                .or_insert_with(|| self.of_primitive(run.mesh, primitive, warnings));
            appearance.place(&primitive.triangles, run, &mut builder);
        }
        let numbers = self.read_images(&mut builder, warnings);
        let mut appearance = builder.finish(warnings);
        appearance.renumber_images(&numbers);
        if !appearance.vertex_colors.is_empty() {
            appearance.vertex_colors.resize(n_vertices, None);
        }
        appearance
    }

    /// Adds the images in use; returns the number of each that can be read.
    fn read_images(
        &self,
        builder: &mut AppearanceBuilder,
        warnings: &mut FileWarnings,
    ) -> Vec<Option<u32>> {
        // Each source is read once.
        let mut numbers = BTreeMap::new();
        let images = self.images.iter().map(|&source| {
            let image = self.json.images.get(source)?;
            let uri = image.uri.as_deref();
            let from = (uri.map(address), image.buffer_view.filter(|_| uri.is_none()));
            *numbers.entry(from).or_insert_with(|| {
                let file = uri.filter(|uri| !uri.starts_with("data:"));
                let described = || element("image", source, image.name.as_deref());
                let name = file.map_or_else(described, texture_name);
                let bytes =
                    builder.read_image(&name, || self.image_bytes(source, image), warnings)?;
                builder.add_image(ImageFile { name, bytes, opacity: None })
            })
        });
        images.collect()
    }

    /// Reads the appearance of the vertices of a primitive that are used.
    fn of_primitive(
        &mut self,
        mesh: usize,
        read: &Primitive,
        warnings: &mut FileWarnings,
    ) -> PrimitiveAppearance {
        let index = read.index;
        let of_mesh = self.json.meshes.get(mesh);
        let Some(primitive) = of_mesh.and_then(|mesh| mesh.primitives.get(index)) else {
            return PrimitiveAppearance::default();
        };
        let root = self.root;
        let name = || primitive_name(root, mesh, index);
        let compressed = root.meshes.get(mesh).and_then(|mesh| mesh.primitives.get(index));
        let compressed = compressed.and_then(|primitive| primitive.draco(root));
        let from = VertexSource {
            read,
            compressed: compressed.map(|draco| draco.attributes).unwrap_or_default(),
            name: &name,
        };
        let colors = self.colors(primitive, from).unwrap_or_else(|reason| {
            add_unread(warnings, name(), reason);
            Vec::new()
        });
        let material = primitive.material.and_then(|at| self.json.materials.get(at));
        let texture = material.and_then(|of| of.pbr_metallic_roughness.base_color_texture.as_ref());
        let texture = texture.and_then(|texture| {
            let source = self.image_of(texture, warnings)?;
            let coordinates = self.coordinates(texture, primitive, from);
            let coordinates =
                coordinates.map_err(|reason| add_unread(warnings, name(), reason)).ok()?;
            Some((source, coordinates))
        });
        let texture = texture.map(|(source, coordinates)| {
            let image = *self.numbers.entry(source).or_insert_with(|| {
                self.images.push(source);
                u32::try_from(self.images.len() - 1).unwrap_or(u32::MAX)
            });
            let alpha = material.map(AppearanceMaterial::alpha).unwrap_or_default();
            Texture { image, alpha, coordinates }
        });
        PrimitiveAppearance { colors, texture }
    }

    fn colors(
        &self,
        primitive: &json::AppearancePrimitive,
        from: VertexSource<'_>,
    ) -> Result<Vec<[u8; 3]>, String> {
        let Some(index) = primitive.attributes.color_0 else { return Ok(Vec::new()) };
        let has_alpha = self.root.accessors.get(index).is_some_and(|found| found.shape == "VEC4");
        let purpose = if has_alpha { Purpose::Rgba } else { Purpose::Rgb };
        let srgb = |linear: [f32; 3]| linear.map(srgb_from_linear).map(color_byte);
        let all = self.elements(index, purpose, from, from.compressed.color_0)?;
        Ok(all.into_iter().map(srgb).collect())
    }

    fn coordinates(
        &self,
        texture: &TextureUse,
        primitive: &json::AppearancePrimitive,
        from: VertexSource<'_>,
    ) -> Result<Vec<[f32; 2]>, String> {
        let transform = texture.extensions.transform.unwrap_or_default();
        let set = transform.tex_coord.unwrap_or(texture.tex_coord);
        let sets = [primitive.attributes.texcoord_0, primitive.attributes.texcoord_1];
        let index = sets.get(set).copied().flatten();
        let index = index.ok_or_else(|| format!("it has no texture coordinates TEXCOORD_{set}"))?;
        let ids = [from.compressed.texcoord_0, from.compressed.texcoord_1];
        let id = ids.get(set).copied().flatten();
        let all = self.elements(index, Purpose::Coordinates, from, id)?;
        Ok(all.into_iter().map(|at| transform.apply(at)).collect())
    }

    /// Returns the elements of an accessor for the vertices that are used, from the compressed data if they have them as
    /// attribute `id`; numbers that are not finite become 0.
    fn elements<const N: usize>(
        &self,
        index: usize,
        purpose: Purpose,
        from: VertexSource<'_>,
        id: Option<u32>,
    ) -> Result<Vec<[f32; N]>, String> {
        let VertexSource { read: Primitive { used, decoded, .. }, name, .. } = from;
        let opened = match id {
            None => Accessor::open(self.root, self.buffers, index, purpose, name),
            Some(id) => {
                let found = decoded.iter().find(|(of, _)| *of == id);
                let (_, elements) = found.ok_or_else(|| draco::no_attribute(id))?;
                Accessor::of_elements(self.root, index, elements, purpose, name)
            }
        };
        let accessor = opened.map_err(|error| error.to_string())?;
        if used.last().is_some_and(|&last| last as usize >= accessor.len()) {
            let (accessor, n) = (element("accessor", index, None), accessor.len());
            return Err(format!("{accessor} has only {n} elements, fewer than there are vertices"));
        }
        #[expect(clippy::cast_possible_truncation, reason = "the window draws with f32")]
        let narrow = |value: f64| if value.is_finite() { value as f32 } else { 0.0 };
        Ok(used.iter().map(|&vertex| accessor.get(vertex as usize).map(narrow)).collect())
    }

    /// Returns the index of a texture's image in the file; `None` with a warning if it has none.
    fn image_of(&self, texture: &TextureUse, warnings: &mut FileWarnings) -> Option<usize> {
        let source = self.json.textures.get(texture.index).and_then(|texture| texture.source);
        let source = source.filter(|&source| source < self.json.images.len());
        if source.is_none() {
            let reason = "it has no image in PNG or JPEG".to_owned();
            add_unread(warnings, element("texture", texture.index, None), reason);
        }
        source
    }

    fn image_bytes(&self, index: usize, image: &json::Image) -> Result<Cow<'_, [u8]>, String> {
        let name = || element("image", index, image.name.as_deref());
        match (&image.uri, image.buffer_view) {
            (Some(uri), _) => self.buffers.bytes_of(uri).map(Cow::Owned),
            (None, Some(view)) => {
                let bytes = self.buffers.view(view, name);
                bytes.map(|(bytes, _)| Cow::Borrowed(bytes)).map_err(|error| error.to_string())
            }
            (None, None) => Err("it has neither embedded data nor a file".to_owned()),
        }
    }
}

impl PrimitiveAppearance {
    /// Adds the appearance of placed `triangles` to that of the level.
    fn place(
        &self,
        triangles: &[[u32; 3]],
        run: &PlacedPrimitive,
        builder: &mut AppearanceBuilder,
    ) {
        if !self.colors.is_empty() {
            let all = &mut builder.appearance.vertex_colors;
            all.resize(run.first_vertex, None);
            all.extend(self.colors.iter().copied().map(Some));
        }
        if let Some(Texture { image, alpha, coordinates }) = &self.texture {
            let corners = triangles.iter().map(|&[a, b, c]| {
                let [b, c] = if run.is_mirrored { [c, b] } else { [b, c] };
                [a, b, c].map(|vertex| coordinates[vertex as usize])
            });
            builder.add_textured(run.first_triangle, (*image, *alpha), corners);
        }
    }
}

impl TextureTransform {
    fn apply(&self, [u, v]: [f32; 2]) -> [f32; 2] {
        let (sin, cos) = self.rotation.sin_cos();
        let [u, v] = [u * self.scale[0], v * self.scale[1]];
        // Counter-clockwise, while v points down.
        [cos * u + sin * v + self.offset[0], cos * v - sin * u + self.offset[1]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_are_scaled_then_turned_then_moved() {
        let rotation = std::f32::consts::FRAC_PI_2;
        let turned =
            TextureTransform { offset: [0.5, 0.0], rotation, scale: [2.0, 3.0], tex_coord: None };
        for (transform, at, expected) in [
            (turned, [0.0, 0.0], [0.5, 0.0]),
            (turned, [1.0, 0.0], [0.5, -2.0]),
            (turned, [0.0, 1.0], [3.5, 0.0]),
            (TextureTransform::default(), [0.25, 0.75], [0.25, 0.75]),
        ] {
            let [u, v] = transform.apply(at);
            assert!((u - expected[0]).abs() + (v - expected[1]).abs() < 1e-5, "{at:?}: {u} {v}");
        }
    }
}
