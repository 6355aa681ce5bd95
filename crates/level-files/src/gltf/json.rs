//! The parts of a glTF file's JSON that matter to a level; everything else is ignored.

use std::fmt;

use serde::{
    Deserialize, Deserializer,
    de::{IgnoredAny, Visitor},
};

use crate::{
    appearance::{AlphaMode, color_byte},
    mtl::base_color,
};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Root {
    pub(super) asset: Asset,
    pub(super) scene: Option<usize>,
    #[serde(default)]
    pub(super) scenes: Vec<Scene>,
    #[serde(default)]
    pub(super) nodes: Vec<Node>,
    #[serde(default)]
    pub(super) meshes: Vec<Mesh>,
    #[serde(default)]
    pub(super) materials: Vec<Material>,
    #[serde(default)]
    pub(super) accessors: Vec<Accessor>,
    #[serde(default)]
    pub(super) buffer_views: Vec<BufferView>,
    #[serde(default)]
    pub(super) buffers: Vec<Buffer>,
    #[serde(default)]
    pub(super) extensions_required: Vec<String>,
}

/// The parts that only a picture needs. They are parsed separately, so that an error in them does not prevent reading
/// a level.
#[derive(Default, Deserialize)]
pub(super) struct AppearanceRoot {
    #[serde(default)]
    pub(super) meshes: Vec<AppearanceMesh>,
    #[serde(default)]
    pub(super) materials: Vec<AppearanceMaterial>,
    #[serde(default)]
    pub(super) textures: Vec<Texture>,
    #[serde(default)]
    pub(super) images: Vec<Image>,
}

#[derive(Deserialize)]
pub(super) struct AppearanceMesh {
    #[serde(default)]
    pub(super) primitives: Vec<AppearancePrimitive>,
}

#[derive(Deserialize)]
pub(super) struct AppearancePrimitive {
    #[serde(default)]
    pub(super) attributes: AppearanceAttributes,
    pub(super) material: Option<usize>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(super) struct AppearanceAttributes {
    pub(super) color_0: Option<usize>,
    pub(super) texcoord_0: Option<usize>,
    pub(super) texcoord_1: Option<usize>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct AppearanceMaterial {
    #[serde(default)]
    pub(super) pbr_metallic_roughness: AppearanceBase,
    alpha_mode: Option<String>,
    alpha_cutoff: Option<f32>,
}

impl AppearanceMaterial {
    /// Returns how the alpha of the texture is drawn. The alpha of the base color is a factor of it.
    pub(super) fn alpha(&self) -> AlphaMode {
        let factor = self.pbr_metallic_roughness.base_color_factor.as_ref();
        let factor = factor.and_then(|factor| factor.get(3)).copied().unwrap_or(1.0);
        match self.alpha_mode.as_deref() {
            Some("MASK") => {
                let cutoff = self.alpha_cutoff.unwrap_or(0.5);
                AlphaMode::Mask(color_byte(cutoff / factor.max(f32::MIN_POSITIVE)))
            }
            Some("BLEND") => AlphaMode::Blend(color_byte(factor)),
            _ => AlphaMode::Opaque,
        }
    }
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct AppearanceBase {
    pub(super) base_color_texture: Option<TextureUse>,
    base_color_factor: Option<Vec<f32>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TextureUse {
    pub(super) index: usize,
    /// Number of the set of texture coordinates.
    #[serde(default)]
    pub(super) tex_coord: usize,
    #[serde(default)]
    pub(super) extensions: TextureExtensions,
}

#[derive(Default, Deserialize)]
pub(super) struct TextureExtensions {
    #[serde(rename = "KHR_texture_transform")]
    pub(super) transform: Option<TextureTransform>,
}

/// Scale, then rotation (radians), then offset of texture coordinates.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct TextureTransform {
    pub(super) offset: [f32; 2],
    pub(super) rotation: f32,
    pub(super) scale: [f32; 2],
    /// Replaces the set of the texture.
    pub(super) tex_coord: Option<usize>,
}

impl Default for TextureTransform {
    fn default() -> Self {
        Self { offset: [0.0; 2], rotation: 0.0, scale: [1.0; 2], tex_coord: None }
    }
}

#[derive(Deserialize)]
pub(super) struct Texture {
    pub(super) source: Option<usize>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Image {
    pub(super) uri: Option<String>,
    pub(super) buffer_view: Option<usize>,
    pub(super) name: Option<String>,
}

/// The part of a file that can be read even if the rest has an unknown format.
#[derive(Deserialize)]
pub(super) struct OnlyAsset {
    pub(super) asset: OnlyVersion,
}

#[derive(Deserialize)]
pub(super) struct OnlyVersion {
    pub(super) version: Option<VersionText>,
}

/// A version as text, whether the file has it as a string or as a number; empty for anything else.
pub(super) struct VersionText(pub(super) String);

impl<'de> Deserialize<'de> for VersionText {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(VersionVisitor)
    }
}

struct VersionVisitor;

impl Visitor<'_> for VersionVisitor {
    type Value = VersionText;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a version")
    }

    fn visit_str<E>(self, text: &str) -> Result<VersionText, E> {
        Ok(VersionText(text.to_owned()))
    }

    fn visit_u64<E>(self, number: u64) -> Result<VersionText, E> {
        Ok(VersionText(number.to_string()))
    }

    fn visit_i64<E>(self, number: i64) -> Result<VersionText, E> {
        Ok(VersionText(number.to_string()))
    }

    fn visit_f64<E>(self, number: f64) -> Result<VersionText, E> {
        // Formatted as in JSON, with a decimal point.
        Ok(VersionText(format!("{number:?}")))
    }
}

#[derive(Deserialize)]
pub(super) struct Asset {
    pub(super) version: String,
}

#[derive(Deserialize)]
pub(super) struct Scene {
    pub(super) name: Option<String>,
    #[serde(default)]
    pub(super) nodes: Vec<usize>,
}

/// A node takes only a few bytes in a file, so its size in memory is kept small.
#[derive(Deserialize)]
pub(super) struct Node {
    pub(super) name: Option<Box<str>>,
    #[serde(default)]
    pub(super) children: Box<[usize]>,
    pub(super) mesh: Option<usize>,
    pub(super) skin: Option<usize>,
    /// In column-major order.
    pub(super) matrix: Option<Box<[f64; 16]>>,
    pub(super) translation: Option<Box<[f64; 3]>>,
    pub(super) rotation: Option<Box<[f64; 4]>>,
    pub(super) scale: Option<Box<[f64; 3]>>,
    #[serde(default)]
    pub(super) extensions: NodeExtensions,
}

#[derive(Default, Deserialize)]
pub(super) struct NodeExtensions {
    #[serde(rename = "EXT_mesh_gpu_instancing")]
    pub(super) instancing: Option<Box<Instancing>>,
}

#[derive(Deserialize)]
pub(super) struct Instancing {
    pub(super) attributes: InstanceAttributes,
}

/// Accessors with an element for each instance.
#[derive(Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(super) struct InstanceAttributes {
    pub(super) translation: Option<usize>,
    pub(super) rotation: Option<usize>,
    pub(super) scale: Option<usize>,
}

#[derive(Deserialize)]
pub(super) struct Mesh {
    pub(super) name: Option<String>,
    #[serde(default)]
    pub(super) primitives: Vec<Primitive>,
}

#[derive(Deserialize)]
pub(super) struct Primitive {
    #[serde(default)]
    pub(super) attributes: Attributes,
    pub(super) indices: Option<usize>,
    pub(super) material: Option<usize>,
    pub(super) mode: Option<u32>,
    #[serde(default)]
    pub(super) targets: Vec<IgnoredAny>,
    #[serde(default)]
    pub(super) extensions: PrimitiveExtensions,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(super) struct Attributes {
    pub(super) position: Option<usize>,
}

#[derive(Default, Deserialize)]
pub(super) struct PrimitiveExtensions {
    #[serde(rename = "KHR_draco_mesh_compression")]
    draco: Option<Box<Draco>>,
}

impl Primitive {
    /// Returns the compressed data, unless the file also has the plain data.
    pub(super) fn draco(&self, root: &Root) -> Option<&Draco> {
        let positions = self.attributes.position.and_then(|at| root.accessors.get(at))?;
        let is_plain = positions.buffer_view.is_some() || positions.sparse.is_some();
        self.extensions.draco.as_deref().filter(|_| !is_plain)
    }
}

/// Compressed triangles and attributes instead of those of accessors.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Draco {
    pub(super) buffer_view: usize,
    #[serde(default)]
    pub(super) attributes: DracoAttributes,
}

/// The numbers of attributes in compressed data.
#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(super) struct DracoAttributes {
    pub(super) position: Option<u32>,
    pub(super) color_0: Option<u32>,
    pub(super) texcoord_0: Option<u32>,
    pub(super) texcoord_1: Option<u32>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Material {
    pub(super) name: Option<String>,
    #[serde(default)]
    pbr_metallic_roughness: Option<MetallicRoughness>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct MetallicRoughness {
    /// Linear red, green, blue and alpha.
    base_color_factor: Option<Vec<f32>>,
    base_color_texture: Option<IgnoredAny>,
}

impl Material {
    /// Returns the base color as sRGB, unless a texture has it.
    pub(super) fn base_color(&self) -> Option<[u8; 3]> {
        let of = self.pbr_metallic_roughness.as_ref()?;
        let factor = of.base_color_factor.as_ref()?.first_chunk::<3>()?;
        base_color(factor.map(srgb_from_linear), of.base_color_texture.as_ref())
    }
}

/// Converts linear light to sRGB. Source: IEC 61966-2-1.
pub(super) fn srgb_from_linear(linear: f32) -> f32 {
    if linear <= 0.003_130_8 { 12.92 * linear } else { 1.055 * linear.powf(1.0 / 2.4) - 0.055 }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Accessor {
    pub(super) buffer_view: Option<usize>,
    #[serde(default)]
    pub(super) byte_offset: usize,
    pub(super) component_type: u32,
    #[serde(default)]
    pub(super) normalized: bool,
    pub(super) count: usize,
    #[serde(rename = "type")]
    pub(super) shape: String,
    pub(super) sparse: Option<Sparse>,
}

#[derive(Deserialize)]
pub(super) struct Sparse {
    pub(super) count: usize,
    pub(super) indices: SparseIndices,
    pub(super) values: SparseValues,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SparseIndices {
    pub(super) buffer_view: usize,
    #[serde(default)]
    pub(super) byte_offset: usize,
    pub(super) component_type: u32,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SparseValues {
    pub(super) buffer_view: usize,
    #[serde(default)]
    pub(super) byte_offset: usize,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BufferView {
    pub(super) buffer: usize,
    #[serde(default)]
    pub(super) byte_offset: usize,
    pub(super) byte_length: usize,
    pub(super) byte_stride: Option<usize>,
    #[serde(default)]
    pub(super) extensions: ViewExtensions,
}

#[derive(Default, Deserialize)]
pub(super) struct ViewExtensions {
    #[serde(rename = "EXT_meshopt_compression", alias = "KHR_meshopt_compression")]
    pub(super) meshopt: Option<Box<Meshopt>>,
}

/// Compressed data instead of those of the buffer view.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Meshopt {
    pub(super) buffer: usize,
    #[serde(default)]
    pub(super) byte_offset: usize,
    pub(super) byte_length: usize,
    pub(super) byte_stride: usize,
    /// Number of elements.
    pub(super) count: usize,
    pub(super) mode: Box<str>,
    pub(super) filter: Option<Box<str>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Buffer {
    pub(super) uri: Option<String>,
    pub(super) byte_length: usize,
}
