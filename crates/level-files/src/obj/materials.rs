//! The materials of an OBJ file, for pictures.

use std::collections::BTreeMap;

use walkable_mesh::{MaterialColors, MeshPart};

use super::survey::SurveyedAppearance;
use crate::{
    AlphaMode, Appearance, FileWarnings, SideFile,
    appearance::{AppearanceBuilder, texture_name},
    mtl::{
        MaterialTexture, MaterialTextures, material_files, read_material_colors,
        read_material_textures,
    },
};

/// The contents of the material files that could be read.
#[derive(Default)]
pub(super) struct Materials {
    pub(super) colors: MaterialColors,
    textures: MaterialTextures,
}

impl Materials {
    pub(super) fn read(obj: &[u8], side_file: &SideFile<'_>) -> Self {
        let mut materials = Self::default();
        for mtl in material_files(obj).iter().filter_map(|name| side_file(name).ok()) {
            materials.colors.extend(read_material_colors(&mtl));
            materials.textures.extend(read_material_textures(&mtl));
        }
        materials
    }

    /// Builds the appearance of a level. `corners` are the numbers of the corners of each triangle.
    pub(super) fn appearance(
        &self,
        surveyed: SurveyedAppearance,
        parts: &[MeshPart],
        mut corners: impl Iterator<Item = [usize; 3]>,
        side_file: &SideFile<'_>,
        warnings: &mut FileWarnings,
    ) -> Appearance {
        // A texture without transparent parts is drawn completely.
        const ALPHA: AlphaMode = AlphaMode::Mask(128);
        let mut builder = AppearanceBuilder::default();
        let mut images = BTreeMap::new();
        for part in parts {
            let of_part = corners.by_ref().take(part.triangles.len());
            let image = self.textures.get(&part.material).and_then(|texture| {
                *images
                    .entry(texture)
                    .or_insert_with(|| add_texture(texture, &mut builder, side_file, warnings))
            });
            let Some(image) = image else {
                of_part.for_each(drop);
                continue;
            };
            let of_part: Vec<_> =
                of_part.map(|corners| corners.map(|corner| surveyed.coordinate(corner))).collect();
            let first = part.triangles.start as usize;
            builder.add_textured(first, (image, ALPHA), of_part.into_iter());
        }
        let has_colors = surveyed.vertex_colors.iter().any(Option::is_some);
        let vertex_colors = if has_colors { surveyed.vertex_colors } else { Vec::new() };
        Appearance { vertex_colors, ..builder.finish(warnings) }
    }
}

/// Adds the images of a texture; returns the index of that of its colors.
fn add_texture(
    texture: &MaterialTexture,
    builder: &mut AppearanceBuilder,
    side_file: &SideFile<'_>,
    warnings: &mut FileWarnings,
) -> Option<u32> {
    let read = |file: &str| read_texture(file, side_file);
    let MaterialTexture { color, opacity } = texture;
    let image = builder.add_image(texture_name(color), || read(color), warnings)?;
    if let Some(opacity) = opacity.as_ref().filter(|&opacity| opacity != color) {
        builder.add_opacity(image, texture_name(opacity), || read(opacity), warnings);
    }
    Some(image)
}

/// Reads the file of a texture. Material files often have paths of the computer on which they were written, so a file of
/// that name in the folder of the level is tried, too.
fn read_texture(file: &str, side_file: &SideFile<'_>) -> Result<Vec<u8>, String> {
    side_file(file).or_else(|error| match file.rsplit_once('/') {
        Some((_, name)) => side_file(name).map_err(|_also_unread| error),
        None => Err(error),
    })
}
