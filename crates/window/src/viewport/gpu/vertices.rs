//! Converts typed primitives to vertices for the graphics card, with their colors.

use std::collections::BTreeMap;

use bytemuck::{Pod, Zeroable};
use glam::Vec3;
use walkable::{
    debug_draw::{DrawList, Line, Paint},
    mesh::{AlphaMode, TriMesh},
};
use walkable_editor::{
    level_appearance::{LevelAppearance, TriangleTexture, product},
    level_colors::{LevelColors, Rgb},
};

use crate::theme::Theme;

/// Corner of a surface. For the level, an alpha of 0 stands for the theme's color.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct FillVertex {
    at: [f32; 3],
    color: [u8; 4],
}

/// What a corner of a level shows of a texture.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(super) struct TextureVertex {
    at: [f32; 2],
    /// Index of the texture and how its alpha is drawn, in the bits of `shaders/level.wgsl`.
    texture: u32,
}

impl TextureVertex {
    const NONE: Self = Self { at: [0.0; 2], texture: u32::MAX };

    fn new(texture: &TriangleTexture, corner: usize) -> Self {
        let (kind, value) = match texture.alpha {
            AlphaMode::Opaque => (0, 0),
            AlphaMode::Mask(cutoff) => (1, cutoff),
            AlphaMode::Blend(opacity) => (2, opacity),
        };
        let texture_bits = texture.layer.min(0xffff) | u32::from(value) << 16 | kind << 24;
        Self { at: texture.corners[corner], texture: texture_bits }
    }
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct LineInstance {
    a: [f32; 3],
    b: [f32; 3],
    color: [u8; 4],
    /// Width in points; negative for a dashed line.
    width: f32,
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct PointInstance {
    at: [f32; 3],
    color: [u8; 4],
    size: f32,
    /// Number of the marker in `shaders/point.wgsl`.
    marker: u32,
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct BlockInstance {
    min: [f32; 3],
    max: [f32; 3],
    color: [u8; 4],
    cell_size: f32,
}

pub(super) fn fills(list: &DrawList, theme: &Theme) -> Vec<FillVertex> {
    let corners = list.triangles.iter().flat_map(|triangle| {
        let color = theme.fill(triangle.paint).to_array();
        triangle.corners.map(|at| FillVertex { at: at.to_array(), color })
    });
    corners.collect()
}

pub(super) struct LevelCorners {
    pub(super) fills: Vec<FillVertex>,
    /// The texture of each corner if the level's appearance is drawn; otherwise empty.
    pub(super) textures: Vec<TextureVertex>,
    pub(super) triangles: Vec<[u32; 3]>,
}

impl LevelCorners {
    /// Splits the level into pieces of at most `max_corners` corners. If there is more than one piece, triangles do not
    /// share corners.
    pub(super) fn into_pieces(self, max_corners: usize) -> Vec<Self> {
        if self.fills.len() <= max_corners {
            return vec![self];
        }
        let pieces = self.triangles.chunks((max_corners / 3).max(1)).map(|triangles| {
            let corners = triangles.as_flattened().iter().map(|&corner| corner as usize);
            let textures = corners.clone().filter_map(|corner| self.textures.get(corner));
            Self {
                textures: textures.copied().collect(),
                fills: corners.map(|corner| self.fills[corner]).collect(),
                triangles: (0..)
                    .step_by(3)
                    .map(|at| [at, at + 1, at + 2])
                    .take(triangles.len())
                    .collect(),
            }
        });
        pieces.collect()
    }
}

/// The look of a corner; numbers of the texture as bits, so that looks can be compared.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
struct CornerLook {
    color: [u8; 4],
    texture: [u32; 3],
}

impl CornerLook {
    fn new(color: Option<Rgb>, texture: TextureVertex) -> Self {
        let color = color.map_or([0; 4], |[red, green, blue]| [red, green, blue, u8::MAX]);
        Self { color, texture: bytemuck::cast(texture) }
    }
}

/// Returns the corners of a level with the colors of its triangles and, if `appearance` is drawn, their vertex colors
/// and textures. A vertex that looks different in different triangles is repeated.
pub(super) fn level(
    mesh: &TriMesh,
    colors: LevelColors,
    appearance: Option<&LevelAppearance>,
) -> LevelCorners {
    let mut places: Vec<_> = mesh.vertices().to_vec();
    let mut looks: Vec<Option<CornerLook>> = vec![None; places.len()];
    let mut triangles = mesh.triangles().to_vec();
    for part in mesh.parts() {
        let of_part = colors.color(mesh, part);
        let mut repeated = BTreeMap::new();
        let range = part.triangles.start as usize..part.triangles.end as usize;
        for (triangle, corners) in range.clone().zip(&mut triangles[range]) {
            let color = colors.triangle_color(of_part, mesh.corners(triangle));
            let texture = appearance.and_then(|of| of.texture(triangle));
            for (number, corner) in corners.iter_mut().enumerate() {
                let vertex = *corner as usize;
                let own = appearance.and_then(|of| of.vertex_color(vertex));
                let texture = texture
                    .as_ref()
                    .map_or(TextureVertex::NONE, |texture| TextureVertex::new(texture, number));
                let look = CornerLook::new(product(color, own), texture);
                if *looks[vertex].get_or_insert(look) != look {
                    *corner = *repeated.entry((*corner, look)).or_insert_with(|| {
                        places.push(places[vertex]);
                        looks.push(Some(look));
                        u32::try_from(places.len() - 1).unwrap_or(u32::MAX)
                    });
                }
            }
        }
    }
    let looks = looks.into_iter().map(Option::unwrap_or_default);
    let looks: Vec<_> = looks.collect();
    let textures = appearance.map(|_| looks.iter().map(|look| bytemuck::cast(look.texture)));
    LevelCorners {
        fills: places
            .iter()
            .zip(&looks)
            .map(|(at, look)| FillVertex { at: at.to_array(), color: look.color })
            .collect(),
        textures: textures.into_iter().flatten().collect(),
        triangles,
    }
}

/// Returns the lines, with the casings under them first: a line that must stand out from any ground has one.
pub(super) fn lines(list: &DrawList, theme: &Theme) -> Vec<LineInstance> {
    let casing_of = |line: &Line| match line.paint {
        Paint::Path | Paint::OtherPath => Some(theme.casing),
        Paint::PathPortal => Some(theme.portal_casing),
        _ => None,
    };
    let cased = list.lines.iter().filter_map(|line| Some((line, casing_of(line)?)));
    let casings = cased.map(|(line, color)| instance(line, line.width + 2.5, color.to_array()));
    let lines = list.lines.iter();
    let lines = lines.map(|line| instance(line, line.width, theme.paint(line.paint).to_array()));
    casings.chain(lines).collect()
}

fn instance(line: &Line, width: f32, color: [u8; 4]) -> LineInstance {
    let width = if line.dashed { -width } else { width };
    LineInstance { a: line.a.to_array(), b: line.b.to_array(), color, width }
}

pub(super) fn edges(edges: &[[Vec3; 2]], theme: &Theme) -> Vec<LineInstance> {
    let color = theme.level_edge.to_array();
    let edge =
        |&[a, b]: &[Vec3; 2]| LineInstance { a: a.to_array(), b: b.to_array(), color, width: 1.0 };
    edges.iter().map(edge).collect()
}

pub(super) fn points(list: &DrawList, theme: &Theme) -> Vec<PointInstance> {
    let points = list.points.iter().map(|point| PointInstance {
        at: point.at.to_array(),
        color: theme.paint(point.paint).to_array(),
        size: point.size,
        marker: match point.paint {
            Paint::Start => 1,
            Paint::End => 2,
            _ => 0,
        },
    });
    points.collect()
}

pub(super) fn blocks(list: &DrawList, theme: &Theme) -> Vec<BlockInstance> {
    let blocks = list.blocks.iter().map(|block| BlockInstance {
        min: block.min.to_array(),
        max: block.max.to_array(),
        color: theme.paint(block.paint).to_array(),
        cell_size: block.cell_size,
    });
    blocks.collect()
}

#[cfg(test)]
mod tests {
    use walkable::mesh::MeshPart;

    use super::*;

    #[test]
    fn a_corner_of_two_materials_is_repeated() {
        let part = |material: &str, start, end| MeshPart {
            object: "".into(),
            material: material.into(),
            triangles: start..end,
        };
        let parts = vec![part("red", 0, 1), part("blue", 1, 3), part("red", 3, 4)];
        let triangles = vec![[0, 1, 2], [2, 1, 3], [1, 2, 3], [0, 1, 3]];
        let mesh = TriMesh::with_parts(vec![Vec3::ZERO; 4], triangles.clone(), parts).unwrap();
        let (red, blue) = ([255, 0, 0], [0, 0, 255]);
        let mesh = mesh.with_colors([("red".into(), red), ("blue".into(), blue)].into());

        let LevelCorners { fills: vertices, textures, triangles: colored } =
            level(&mesh, LevelColors::Material, None);
        assert!(textures.is_empty());
        assert_eq!(colored, [[0, 1, 2], [4, 5, 3], [5, 4, 3], [0, 1, 6]]);
        for (triangle, color) in colored.iter().zip([red, blue, blue, red]) {
            let [r, g, b] = color;
            for &corner in triangle {
                assert_eq!(vertices[corner as usize].color, [r, g, b, 255]);
            }
        }
        let plain = level(&mesh, LevelColors::Clay, None);
        assert_eq!((plain.fills.len(), plain.triangles), (4, triangles));
    }

    #[test]
    fn a_level_with_too_many_corners_for_a_buffer_is_split() {
        let places: Vec<_> = (0..5_u8).map(|at| Vec3::splat(f32::from(at))).collect();
        let triangles = vec![[0, 1, 2], [2, 1, 3], [4, 2, 3]];
        let mesh = TriMesh::new(places.clone(), triangles.clone()).unwrap();
        let corners = || level(&mesh, LevelColors::Clay, None);
        assert_eq!(corners().into_pieces(5).len(), 1);
        for (max_corners, n_pieces) in [(4, 3), (3, 3)] {
            let pieces = corners().into_pieces(max_corners);
            assert_eq!(pieces.len(), n_pieces);
            assert!(pieces.iter().all(|piece| piece.fills.len() <= max_corners));
            let drawn = pieces.iter().flat_map(|piece| {
                let fills = piece.triangles.iter().flatten().map(|&at| &piece.fills[at as usize]);
                fills.map(|fill| fill.at)
            });
            let wanted = triangles.iter().flatten().map(|&at| places[at as usize].to_array());
            assert!(drawn.eq(wanted));
        }
    }
}
