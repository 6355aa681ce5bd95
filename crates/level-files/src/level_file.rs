use std::num::ParseFloatError;

use glam::{DVec3, Vec3};
use walkable_mesh::{MaterialColors, MeshPart};

use crate::{Appearance, FileWarnings};

/// Maximum number of triangles of a level whose file takes fewer bytes per triangle than the level does in memory.
pub(super) const MAX_TRIANGLES: usize = 1 << 25;

/// What is read of a level's file, and the memory that it may take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LevelReading {
    /// Whether vertex colors and textures are read, too.
    pub appearance: bool,
    /// Maximum memory for the contents of the file, in bytes. Each format also has limits of its own, which depend on the
    /// size of the file.
    pub max_bytes: usize,
    /// [`ImportOptions::origin`](crate::ImportOptions::origin).
    pub origin: [f64; 3],
}

impl LevelReading {
    /// Only triangles, names and base colors, without a limit.
    pub(super) const TRIANGLES: Self =
        Self { appearance: false, max_bytes: usize::MAX, origin: [0.0; 3] };
    /// Everything, without a limit.
    pub(super) const ALL: Self = Self { appearance: true, ..Self::TRIANGLES };

    /// Returns the origin, if it is not that of the file.
    pub(super) fn moved(self) -> Option<DVec3> {
        Some(DVec3::from_array(self.origin)).filter(|origin| *origin != DVec3::ZERO)
    }
}

/// Parses a coordinate. That of the origin is subtracted before it is rounded to 32 bits; without one, the number is
/// rounded only once.
pub(super) fn parse_coordinate(word: &str, origin: Option<f64>) -> Result<f32, ParseFloatError> {
    match origin {
        None => word.parse(),
        Some(origin) => word.parse().map(|value: f64| rounded(value - origin)),
    }
}

#[expect(clippy::cast_possible_truncation, reason = "levels have f32 coordinates")]
pub(super) fn rounded(value: f64) -> f32 {
    value as f32
}

/// The contents of a level's file, before import.
///
/// Invariants: every coordinate is finite, every index is in range, there is at least one triangle,
/// and `parts` cover the triangles in order without gaps.
#[derive(Clone, Debug, PartialEq)]
pub struct LevelFile {
    /// Vertices in file order: all vertices of an OBJ or PLY file, the used vertices of a glTF file. Those of an STL
    /// file are joined by position.
    pub vertices: Vec<Vec3>,
    /// Vertex indices of each triangle, in file order.
    pub triangles: Vec<[u32; 3]>,
    /// Runs of triangles with the same names, in file order. The name of the object consists of the names of the last
    /// `o` and `g` statements, joined by `/` if there are both. In a glTF file it is the name of the node, or of the
    /// mesh if the node has none. In an STL file it is the name of the solid. PLY files have no names.
    pub parts: Vec<MeshPart>,
    /// Base colors of the materials, without textures.
    pub colors: MaterialColors,
    /// Vertex colors and textures, if they were read.
    pub appearance: Option<Box<Appearance>>,
    /// Number of faces in the file, without the dropped ones.
    pub n_faces: usize,
    /// Findings about the file.
    pub warnings: FileWarnings,
}
