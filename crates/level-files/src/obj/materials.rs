//! The materials of an OBJ file, for pictures.

use std::{borrow::Cow, collections::BTreeMap, sync::Arc};

use walkable_mesh::{MaterialColors, MeshPart};

use super::survey::SurveyedAppearance;
use crate::{
    AlphaMode, Appearance, FileWarnings, ImageFile, SideFile,
    appearance::{AppearanceBuilder, texture_name},
    mtl::{MaterialTextures, material_files, read_material_colors, read_material_textures},
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
        let mut files = ImageFiles { read: BTreeMap::new(), side_file };
        for part in parts {
            let of_part = corners.by_ref().take(part.triangles.len());
            let image = self.textures.get(&part.material).and_then(|texture| {
                *images.entry(texture).or_insert_with(|| {
                    let bytes = files.bytes(&texture.color, &mut builder, warnings)?;
                    let opacity =
                        texture.opacity.as_ref().filter(|&opacity| *opacity != texture.color);
                    let opacity =
                        opacity.and_then(|file| files.bytes(file, &mut builder, warnings));
                    let name = texture_name(&texture.color);
                    builder.add_image(ImageFile { name, bytes, opacity })
                })
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

/// The files of the textures, each of which is read once.
struct ImageFiles<'a> {
    read: BTreeMap<&'a str, Option<Arc<[u8]>>>,
    side_file: &'a SideFile<'a>,
}

impl<'a> ImageFiles<'a> {
    fn bytes(
        &mut self,
        file: &'a str,
        builder: &mut AppearanceBuilder,
        warnings: &mut FileWarnings,
    ) -> Option<Arc<[u8]>> {
        let read = || read_texture(file, self.side_file).map(Cow::Owned);
        let image = || builder.read_image(&texture_name(file), read, warnings);
        self.read.entry(file).or_insert_with(image).clone()
    }
}

/// Reads the file of a texture. Material files often have paths of the computer on which they were written, so a file of
/// that name in the folder of the level is tried, too.
fn read_texture(file: &str, side_file: &SideFile<'_>) -> Result<Vec<u8>, String> {
    side_file(file).or_else(|error| match file.rsplit_once('/') {
        Some((_, name)) => side_file(name).map_err(|_also_unread| error),
        None => Err(error),
    })
}
