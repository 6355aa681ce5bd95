//! Colors of the level's own triangles.

use serde::{Deserialize, Serialize};
use walkable::mesh::{MeshPart, StableHash, TriMesh};

use crate::{lang::tr, table::table, text};

/// An sRGB color.
pub type Rgb = [u8; 3];

struct Row {
    key: &'static str,
    name: &'static str,
    what: &'static str,
    /// The color of a part; `None` for that of the theme.
    color: fn(&TriMesh, &MeshPart) -> Option<Rgb>,
}

table! {
    /// What the colors of the level stand for.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    pub enum LevelColors of Row {
        /// The base color of the material in the level's file.
        #[default]
        Material {
            key: "material",
            name: text!("Material"),
            what: text!("Base colors of the materials in the level's file; gray without one"),
            color: |mesh, part| mesh.colors().get(&part.material).copied(),
        }
        /// A color for each name of a material.
        Name {
            key: "name",
            name: text!("Material name"),
            what: text!("A different color for each material, or object without a material"),
            color: |_, part| Some(color_of_name(part)),
        }
        /// The same color everywhere.
        Clay {
            key: "clay",
            name: text!("Clay"),
            what: text!("The same gray everywhere"),
            color: |_, _| None,
        }
    }
}

impl LevelColors {
    /// The name in ids of commands.
    pub const fn key(self) -> &'static str {
        self.row().key
    }

    /// Display name.
    pub fn name(self) -> &'static str {
        tr(self.row().name)
    }

    /// What the colors stand for.
    pub fn what(self) -> &'static str {
        tr(self.row().what)
    }

    /// The color of a part of `mesh`; `None` for the level's color in the theme.
    pub fn color(self, mesh: &TriMesh, part: &MeshPart) -> Option<Rgb> {
        (self.row().color)(mesh, part)
    }
}

/// A color that depends only on the name of the material, or of the object if that has no material.
fn color_of_name(part: &MeshPart) -> Rgb {
    let name = if part.material.is_empty() { &part.object } else { &part.material };
    let [low, high, ..] = StableHash::of(name.as_bytes()).to_le_bytes();
    let hue = f32::from(u16::from_le_bytes([low, high])) / 65_536.0;
    // Components of a saturated color are a third of a turn apart.
    [0.0, 1.0 / 3.0, 2.0 / 3.0].map(|turn| {
        let component = 0.5 + 0.5 * ((hue + turn) * std::f32::consts::TAU).cos();
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "50 to 230")]
        let byte = (50.0 + 180.0 * component) as u8;
        byte
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use glam::Vec3;

    use super::*;

    #[test]
    fn each_choice_has_its_colors() {
        let part = |material: &str, start, end| MeshPart {
            object: "house".into(),
            material: material.into(),
            triangles: start..end,
        };
        let parts = vec![part("brick", 0, 1), part("", 1, 2)];
        let mesh = TriMesh::with_parts(vec![Vec3::ZERO; 3], vec![[0, 1, 2]; 2], parts).unwrap();
        let red = [200, 40, 30];
        let mesh = mesh.with_colors([(Arc::from("brick"), red)].into());
        let colors = |by: LevelColors| [0, 1].map(|at| by.color(&mesh, &mesh.parts()[at]));
        assert_eq!(colors(LevelColors::Material), [Some(red), None]);
        assert_eq!(colors(LevelColors::Clay), [None, None]);
        let [brick, house] = colors(LevelColors::Name);
        assert!(brick.is_some() && house.is_some() && brick != house);
    }
}
