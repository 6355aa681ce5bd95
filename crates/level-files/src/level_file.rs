use glam::Vec3;
use walkable_mesh::{MaterialColors, MeshPart};

use crate::FileWarnings;

/// What the file of a level contains, before import.
///
/// Invariants: every coordinate is finite, every index is in range, there is at least one triangle,
/// and `parts` cover the triangles in order without gaps.
#[derive(Clone, Debug, PartialEq)]
pub struct LevelFile {
    /// Vertices in file order: of an OBJ file all, of a glTF file those in use.
    pub vertices: Vec<Vec3>,
    /// Vertex indices of each triangle, in file order.
    pub triangles: Vec<[u32; 3]>,
    /// Runs of triangles with the same names, in file order. The object is the names of the `o` and `g`
    /// statements in force, joined by `/` where both are, or the name of the glTF node, else of its mesh.
    pub parts: Vec<MeshPart>,
    /// Base colors of the materials, without textures.
    pub colors: MaterialColors,
    /// Faces in the file, dropped ones left out.
    pub n_faces: usize,
    /// What was odd.
    pub warnings: FileWarnings,
}
