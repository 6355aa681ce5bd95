use std::{collections::BTreeMap, ops::Range, sync::Arc};

use glam::Vec3;
use serde::{Deserialize, Serialize};
use walkable_runtime::geom::{Aabb, Triangles};

/// The error of vertices and triangles that are not a valid [`TriMesh`].
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MeshError {
    /// A coordinate is infinite or not a number.
    #[error("vertex {vertex} has the coordinate {value}, which is not a finite number")]
    NotFinite {
        /// Index of the vertex, from 0.
        vertex: usize,
        /// The invalid coordinate.
        value: f32,
    },
    /// A triangle refers to a vertex that does not exist.
    #[error("triangle {triangle} refers to vertex {vertex}, but the mesh has {n_vertices}")]
    IndexOutOfRange {
        /// Index of the triangle, from 0.
        triangle: usize,
        /// The index of that vertex.
        vertex: u32,
        /// Number of vertices.
        n_vertices: usize,
    },
    /// There are no triangles.
    #[error("the mesh has no triangles")]
    Empty,
}

/// A named run of triangles: one object or material of the source file.
///
/// A file can have a million parts with the same name, so parts share names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MeshPart {
    /// Name of the object; empty if it has none.
    pub object: Arc<str>,
    /// Name of the material; empty if there is none.
    pub material: Arc<str>,
    /// Indices of the triangles.
    pub triangles: Range<u32>,
}

/// Base colors of materials by name, as sRGB. They only matter for pictures of the level.
pub type MaterialColors = BTreeMap<Arc<str>, [u8; 3]>;

/// The triangles of a level in world space.
///
/// Invariants: every coordinate is finite, every index is in range, there is at least one triangle,
/// and `parts` cover all triangles in order without gaps.
///
/// Serialized without colors.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "SavedMesh")]
pub struct TriMesh {
    vertices: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    parts: Vec<MeshPart>,
    #[serde(skip)]
    colors: MaterialColors,
    #[serde(skip)]
    bounds: Aabb,
}

#[derive(Deserialize)]
struct SavedMesh {
    vertices: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    parts: Vec<MeshPart>,
}

impl TryFrom<SavedMesh> for TriMesh {
    type Error = MeshError;

    fn try_from(saved: SavedMesh) -> Result<Self, MeshError> {
        let SavedMesh { vertices, triangles, parts } = saved;
        Self::with_parts(vertices, triangles, parts)
    }
}

impl TriMesh {
    /// Creates a mesh with one part without names.
    ///
    /// # Errors
    /// Returns a [`MeshError`] that names the first invalid vertex or triangle.
    pub fn new(vertices: Vec<Vec3>, triangles: Vec<[u32; 3]>) -> Result<Self, MeshError> {
        let n = u32::try_from(triangles.len()).unwrap_or(u32::MAX);
        let whole = MeshPart { object: "".into(), material: "".into(), triangles: 0..n };
        Self::with_parts(vertices, triangles, vec![whole])
    }

    /// Creates a mesh with the named runs of triangles of the source file.
    ///
    /// If `parts` do not cover the triangles in order without gaps, they are replaced by one part without names.
    ///
    /// # Errors
    /// Returns a [`MeshError`] that names the first invalid vertex or triangle.
    pub fn with_parts(
        vertices: Vec<Vec3>,
        triangles: Vec<[u32; 3]>,
        parts: Vec<MeshPart>,
    ) -> Result<Self, MeshError> {
        for (vertex, position) in vertices.iter().enumerate() {
            if let Some(value) = position.to_array().into_iter().find(|c| !c.is_finite()) {
                return Err(MeshError::NotFinite { vertex, value });
            }
        }
        for (triangle, corners) in triangles.iter().enumerate() {
            if let Some(&vertex) = corners.iter().find(|&&v| v as usize >= vertices.len()) {
                let n_vertices = vertices.len();
                return Err(MeshError::IndexOutOfRange { triangle, vertex, n_vertices });
            }
        }
        if triangles.is_empty() {
            return Err(MeshError::Empty);
        }
        let parts = covering_or_whole(parts, u32::try_from(triangles.len()).unwrap_or(u32::MAX));
        let bounds = Aabb::around(vertices.iter().copied());
        Ok(Self { vertices, triangles, parts, colors: MaterialColors::new(), bounds })
    }

    /// Returns a mesh of one triangle without area at the lowest coordinates, with `parts`, which must cover it.
    pub(super) fn nowhere(parts: Vec<MeshPart>) -> Self {
        let far = Vec3::splat(f32::MIN);
        let bounds = Aabb { min: far, max: far };
        let parts = covering_or_whole(parts, 1);
        let (vertices, triangles) = (vec![far; 3], vec![[0, 1, 2]]);
        Self { vertices, triangles, parts, colors: MaterialColors::new(), bounds }
    }

    /// Sets the colors of materials.
    #[must_use]
    pub fn with_colors(self, colors: MaterialColors) -> Self {
        Self { colors, ..self }
    }

    /// Returns the colors of the materials that have one.
    pub fn colors(&self) -> &MaterialColors {
        &self.colors
    }

    /// Returns all vertices, used or not.
    #[inline]
    pub fn vertices(&self) -> &[Vec3] {
        &self.vertices
    }

    /// Returns the vertex indices of each triangle, in file order.
    #[inline]
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Returns the named runs of triangles, in file order.
    pub fn parts(&self) -> &[MeshPart] {
        &self.parts
    }

    /// Returns the bounding box of all vertices, used or not.
    #[inline]
    pub fn bounds(&self) -> Aabb {
        self.bounds
    }

    /// Returns the corner positions of triangle `index`.
    #[inline]
    pub fn corners(&self, index: usize) -> [Vec3; 3] {
        // Without `map`, which is not inlined here: this is the innermost loop of some stages.
        let [a, b, c] = self.triangles[index];
        [self.vertices[a as usize], self.vertices[b as usize], self.vertices[c as usize]]
    }
}

impl Triangles for TriMesh {
    #[inline]
    fn n_triangles(&self) -> u32 {
        u32::try_from(self.triangles.len()).unwrap_or(u32::MAX)
    }

    #[inline]
    fn triangle(&self, index: u32) -> [Vec3; 3] {
        self.corners(index as usize)
    }
}

fn covering_or_whole(parts: Vec<MeshPart>, n_triangles: u32) -> Vec<MeshPart> {
    let mut end = 0;
    let covers = parts.iter().all(|part| {
        let starts_here = part.triangles.start == end && part.triangles.end >= end;
        end = part.triangles.end;
        starts_here
    });
    if covers && end == n_triangles {
        return parts;
    }
    vec![MeshPart { object: "".into(), material: "".into(), triangles: 0..n_triangles }]
}
