//! Base colors of the materials of OBJ files (MTL).

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use walkable_mesh::MaterialColors;

use crate::appearance::color_byte;

/// Maximum number of material files of an OBJ file.
const MAX_FILES: usize = 16;

/// Returns the names of the material files that an OBJ file refers to (`mtllib`), without repetitions: at most 16.
pub fn material_files(obj: &[u8]) -> Vec<String> {
    let mut names = Vec::new();
    for line in obj.split(|&byte| byte == b'\n') {
        let Some(rest) = line.trim_ascii().strip_prefix(b"mtllib") else { continue };
        let name = String::from_utf8_lossy(rest);
        let is_statement = name.starts_with([' ', '\t']);
        let name = name.trim();
        if is_statement && !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
        if names.len() == MAX_FILES {
            break;
        }
    }
    names
}

/// Returns the diffuse colors (`Kd`) of the materials in a material file. A material with a white color and a texture
/// has none, because its color is that of the texture. A file that cannot be read has no colors: levels do not depend
/// on them.
pub fn read_material_colors(mtl: &[u8]) -> MaterialColors {
    let statements = color_statements(&String::from_utf8_lossy(mtl));
    let Ok((materials, _)) = tobj::load_mtl_buf(&mut statements.as_bytes()) else {
        return MaterialColors::new();
    };
    let colors = materials.into_iter().filter_map(|material| {
        let color = base_color(material.diffuse?, material.diffuse_texture.as_ref())?;
        Some((material.name.into(), color))
    });
    colors.collect()
}

/// The texture of a material: names of files, as in the material file.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct MaterialTexture {
    /// `map_Kd`.
    pub(super) color: String,
    /// `map_d`.
    pub(super) opacity: Option<String>,
}

/// The textures of materials.
pub(super) type MaterialTextures = BTreeMap<Arc<str>, MaterialTexture>;

/// Returns the names of the textures of a material file, without repetitions, in alphabetical order.
pub fn texture_files(mtl: &[u8]) -> Vec<String> {
    let textures = read_material_textures(mtl).into_values();
    let files = textures.flat_map(|texture| [Some(texture.color), texture.opacity]).flatten();
    let files: BTreeSet<_> = files.filter(|file| !file.is_empty()).collect();
    files.into_iter().collect()
}

/// Returns the files of the diffuse textures (`map_Kd`) and of the opacity (`map_d`) of the materials in a material
/// file, without their options.
pub(super) fn read_material_textures(mtl: &[u8]) -> MaterialTextures {
    let mut textures = MaterialTextures::new();
    let mut material: Arc<str> = "".into();
    for line in String::from_utf8_lossy(mtl).lines() {
        let line = line.trim();
        let (keyword, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match keyword {
            "newmtl" => material = rest.trim().into(),
            "map_Kd" | "map_d" => {
                let file = without_options(rest.trim()).replace('\\', "/");
                if !file.is_empty() {
                    let texture = textures.entry(Arc::clone(&material)).or_default();
                    match keyword {
                        "map_d" => texture.opacity = Some(file),
                        _ => texture.color = file,
                    }
                }
            }
            _ => {}
        }
    }
    textures.retain(|_, texture| !texture.color.is_empty());
    textures
}

/// Returns the name of a file that follows options such as `-s 2 2 1` or `-clamp on`.
fn without_options(mut rest: &str) -> &str {
    while let Some(option) = rest.strip_prefix('-') {
        let (option, arguments) = option.split_once(char::is_whitespace).unwrap_or((option, ""));
        rest = match option {
            "o" | "s" | "t" => skip_words(arguments, 3, |word| word.parse::<f32>().is_ok()),
            "mm" => skip_words(arguments, 2, |_| true),
            _ => skip_words(arguments, 1, |_| true),
        };
    }
    rest
}

/// Returns `text` after at most `n` words that are `skipped`.
fn skip_words(text: &str, n: usize, skipped: impl Fn(&str) -> bool) -> &str {
    let mut rest = text.trim_start();
    for _ in 0..n {
        let (word, after) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        if !skipped(word) {
            break;
        }
        rest = after.trim_start();
    }
    rest
}

/// Returns the statements of a material file that define base colors: `newmtl`, `Kd` and `map_Kd`. A `Kd` with one
/// component is a shade of gray and is returned with three. A `Kd` with no component or two is skipped, because `tobj`
/// panics on it.
fn color_statements(mtl: &str) -> String {
    let mut statements = String::with_capacity(mtl.len());
    for line in mtl.lines() {
        let mut words = line.split_whitespace();
        match (words.next(), words.next(), words.next(), words.next()) {
            (Some("newmtl" | "map_Kd"), ..) | (Some("Kd"), Some(_), Some(_), Some(_)) => {
                statements.push_str(line);
            }
            (Some("Kd"), Some(gray), None, None) => {
                statements.extend(["Kd ", gray, " ", gray, " ", gray]);
            }
            _ => continue,
        }
        statements.push('\n');
    }
    statements
}

/// Returns the color with these sRGB components; `None` if the texture defines the color.
pub(crate) fn base_color<T>(components: [f32; 3], texture: Option<&T>) -> Option<[u8; 3]> {
    let color = components.map(color_byte);
    (texture.is_none() || color != [255; 3]).then_some(color)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_are_found_once() {
        let obj = b"mtllib a b.mtl\r\nv 0 0 0\n mtllib c.mtl\nmtllib a b.mtl\nmtllibrary x\n";
        assert_eq!(material_files(obj), ["a b.mtl", "c.mtl"]);
        let many: Vec<_> = (0..100).map(|i| format!("mtllib {i}.mtl")).collect();
        assert_eq!(material_files(many.join("\n").as_bytes()).len(), MAX_FILES);
    }

    #[test]
    fn colors_are_read_unless_a_texture_has_them() {
        let mtl = b"newmtl red\nKd 1 0 0\nnewmtl brick\nKd 1 1 1\nmap_Kd brick.png\nnewmtl none\n\
            newmtl bright\nKd 2 0.5 -1\n";
        let colors = read_material_colors(mtl);
        let expected = [("bright", [255, 128, 0]), ("red", [255, 0, 0])];
        assert_eq!(colors, expected.map(|(name, color)| (name.into(), color)).into());
        assert!(read_material_colors(b"newmtl a\nKd one 2 3\n").is_empty());
    }

    #[test]
    fn textures_are_files_after_options() {
        for (statement, file) in [
            ("map_Kd brick.png", "brick.png"),
            ("  map_Kd\tred brick.png  ", "red brick.png"),
            ("map_Kd -s 2 2 1 -clamp on wall.jpg", "wall.jpg"),
            ("map_Kd -o 0.5 -mm 0 1 1.png", "1.png"),
            ("map_Kd textures\\wood.png", "textures/wood.png"),
        ] {
            let mtl = format!("newmtl old brick\nKd 1 1 1\n{statement}\nmap_Bump other.png\n");
            let mut texture = MaterialTexture { color: file.to_owned(), opacity: None };
            let expected =
                |texture: &MaterialTexture| [("old brick".into(), texture.clone())].into();
            assert_eq!(read_material_textures(mtl.as_bytes()), expected(&texture), "{statement}");
            texture.opacity = Some("leaf.png".to_owned());
            let mtl = format!("{mtl}map_d -imfchan m leaf.png\n");
            assert_eq!(read_material_textures(mtl.as_bytes()), expected(&texture), "{statement}");
        }
        for nothing in
            ["", "map_d leaf.png", "map_Kd", "map_Kd -s 1 1 1", "map_Kd -clamp", "# map_Kd a.png"]
        {
            assert!(read_material_textures(nothing.as_bytes()).is_empty(), "{nothing}");
        }
    }

    #[test]
    fn colors_need_three_components_or_one() {
        for bad in
            [" Kd", "Kd 1 0", "Kd 1 0 \u{2003}", "Ka 1", "Ks", "Ke 1 1", "Ns", "d x", "illum"]
        {
            let mtl = format!("newmtl gray\nKd 0.5\nnewmtl bad\n{bad}\nnewmtl red\nKd 1 0 0\n");
            let colors = read_material_colors(mtl.as_bytes());
            let expected = [("gray", [128; 3]), ("red", [255, 0, 0])];
            assert_eq!(colors, expected.map(|(name, color)| (name.into(), color)).into(), "{bad}");
        }
    }
}
