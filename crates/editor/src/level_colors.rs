//! Colors of the level's own triangles.

use glam::Vec3;
use serde::{Deserialize, Serialize};
use walkable::mesh::{MeshPart, StableHash, TriMesh};
use walkable_workspace::{lang::tr, table, text};

pub type Rgb = [u8; 3];

struct Row {
    key: &'static str,
    name: &'static str,
    what: &'static str,
    /// The color of a part; `None` for that of the theme.
    color: fn(&TriMesh, &MeshPart) -> Option<Rgb>,
}

table! {
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    pub enum LevelColors of Row {
        #[default]
        Texture {
            key: "texture",
            name: text!("Texture"),
            what: text!("Textures, vertex colors and base colors in the level's file; gray without them"),
            color: base_color,
        }
        Material {
            key: "material",
            name: text!("Material"),
            what: text!("Base colors of the materials in the level's file; gray without one"),
            color: base_color,
        }
        Name {
            key: "name",
            name: text!("Material name"),
            what: text!("A different color for each material, or object without a material"),
            color: |_, part| Some(color_of_name(part)),
        }
        Slope {
            key: "slope",
            name: text!("Slope"),
            what: text!("Flat ground gray, steeper ground yellow, orange, red and purple"),
            color: |_, _| None,
        }
        Clay {
            key: "clay",
            name: text!("Clay"),
            what: text!("The same gray everywhere"),
            color: |_, _| None,
        }
    }
}

impl LevelColors {
    pub const fn key(self) -> &'static str {
        self.row().key
    }

    pub fn name(self) -> &'static str {
        tr(self.row().name)
    }

    pub fn what(self) -> &'static str {
        tr(self.row().what)
    }

    /// Returns the color of a part; `None` for the color of levels in the theme. With [`Self::Slope`], the color
    /// depends on the triangle; see [`Self::triangle_color`].
    pub fn color(self, mesh: &TriMesh, part: &MeshPart) -> Option<Rgb> {
        (self.row().color)(mesh, part)
    }

    pub fn triangle_color(self, of_part: Option<Rgb>, [a, b, c]: [Vec3; 3]) -> Option<Rgb> {
        match self {
            Self::Texture | Self::Material | Self::Name | Self::Clay => of_part,
            Self::Slope => {
                let normal = (b - a).cross(c - a).normalize_or_zero();
                Some(slope_color(normal.y.clamp(-1.0, 1.0).acos().to_degrees()))
            }
        }
    }
}

fn base_color(mesh: &TriMesh, part: &MeshPart) -> Option<Rgb> {
    mesh.colors().get(&part.material).copied()
}

/// The colors of slopes, in degrees.
const SLOPE_COLORS: [(f32, Rgb); 5] = [
    (0.0, [0x78, 0x7d, 0x83]),
    (30.0, [0xd6, 0xc2, 0x5c]),
    (45.0, [0xdc, 0x83, 0x3c]),
    (60.0, [0xb4, 0x40, 0x58]),
    (90.0, [0x5e, 0x3c, 0x78]),
];
/// Slopes are colored in steps, so that triangles of about the same slope share their vertices, in degrees.
const SLOPE_STEP: f32 = 2.5;

/// Returns the color of a slope in degrees. Ceilings have the color of walls.
pub fn slope_color(degrees: f32) -> Rgb {
    let degrees = (degrees / SLOPE_STEP).round() * SLOPE_STEP;
    let above = SLOPE_COLORS.iter().position(|(at, _)| *at >= degrees);
    let above = above.unwrap_or(SLOPE_COLORS.len() - 1);
    let [(low, from), (high, to)] = [above.saturating_sub(1), above].map(|at| SLOPE_COLORS[at]);
    let part = if high > low { ((degrees - low) / (high - low)).clamp(0.0, 1.0) } else { 0.0 };
    let mut color = from;
    for (channel, to) in color.iter_mut().zip(to) {
        let mixed = f32::from(*channel) + (f32::from(to) - f32::from(*channel)) * part;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 255")]
        let byte = mixed.round() as u8;
        *channel = byte;
    }
    color
}

/// Returns a color that depends only on the name of the material, or of the object if that has no material.
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
        assert_eq!(colors(LevelColors::Texture), [Some(red), None]);
        assert_eq!(colors(LevelColors::Material), [Some(red), None]);
        assert_eq!(colors(LevelColors::Clay), [None, None]);
        let [brick, house] = colors(LevelColors::Name);
        assert!(brick.is_some() && house.is_some() && brick != house);
    }

    #[test]
    fn slopes_have_their_own_colors() {
        let color = |degrees: f32| {
            let (sin, cos) = degrees.to_radians().sin_cos();
            let corners = [Vec3::ZERO, Vec3::Z, Vec3::new(cos, sin, 0.0)];
            LevelColors::Slope.triangle_color(Some([1, 2, 3]), corners)
        };
        for (degrees, expected) in SLOPE_COLORS {
            assert_eq!(color(degrees), Some(expected), "{degrees}°");
        }
        assert_eq!(color(180.0), color(90.0), "ceilings are as steep as walls");
        let all: std::collections::BTreeSet<_> =
            (0..=36_u8).map(|step| slope_color(f32::from(step) * SLOPE_STEP)).collect();
        assert_eq!(all.len(), 37, "each step has its color");
        let corners = [Vec3::ZERO, Vec3::Z, Vec3::X];
        assert_eq!(LevelColors::Clay.triangle_color(Some([1, 2, 3]), corners), Some([1, 2, 3]));
    }
}
