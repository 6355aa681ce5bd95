use std::{
    cell::{Cell, RefCell},
    sync::Arc,
};

use glam::Vec3;
use walkable_mesh::names::NamePool;
use walkable_runtime::diagnostic::{Code, Finding, Location};

use super::{
    GltfError,
    accessor::{Accessor, Elements, Purpose},
    buffers::Buffers,
    draco::{self, Decoded},
    element,
    json::{self, Root},
    named,
};
use crate::{FileWarnings, level_memory::bytes_of, renumber::renumber};

/// The default mode of a primitive.
const TRIANGLES: u32 = 4;
const STRIP: u32 = 5;
const FAN: u32 = 6;

/// Triangles of one material.
#[derive(Debug)]
pub(super) struct Primitive {
    /// Index in the mesh.
    pub(super) index: usize,
    pub(super) material: Arc<str>,
    /// The vertices that are used, in the order of the file.
    pub(super) vertices: Vec<Vec3>,
    pub(super) triangles: Vec<[u32; 3]>,
    /// Numbers of the vertices in the file, if they are kept.
    pub(super) used: Vec<u32>,
    /// Colors and texture coordinates of compressed data by their numbers, if `used` is kept.
    pub(super) decoded: Vec<(u32, Elements)>,
}

/// The triangles of a primitive at a node.
#[derive(Clone, Copy)]
pub(super) struct PlacedPrimitive {
    pub(super) first_triangle: usize,
    pub(super) first_vertex: usize,
    pub(super) node: usize,
    pub(super) mesh: usize,
    pub(super) primitive: usize,
    /// Whether the second and third corner of each triangle are exchanged.
    pub(super) is_mirrored: bool,
}

/// The meshes of a file, each read on first use.
pub(super) struct Meshes<'a> {
    root: &'a Root,
    buffers: &'a Buffers<'a>,
    /// Whether the numbers of vertices are kept, and what belongs to them.
    pub(super) keeps_used: bool,
    /// One per mesh.
    read: Vec<Option<Vec<Primitive>>>,
    /// Per mesh, the maximum number of triangles.
    most_triangles: Vec<usize>,
    names: RefCell<NamePool>,
    /// Memory in use, in bytes.
    n_bytes: Cell<usize>,
    /// Memory that decoding took in total, in bytes.
    n_decoding_bytes: Cell<usize>,
}

impl<'a> Meshes<'a> {
    pub(super) fn new(root: &'a Root, buffers: &'a Buffers<'a>) -> Self {
        let read = root.meshes.iter().map(|_| None).collect();
        let most_triangles = root.meshes.iter().map(|mesh| most_triangles(root, mesh)).collect();
        let names = RefCell::new(NamePool::for_file(buffers.n_file_bytes));
        Self {
            root,
            buffers,
            keeps_used: false,
            read,
            most_triangles,
            names,
            n_bytes: Cell::new(0),
            n_decoding_bytes: Cell::new(0),
        }
    }

    /// Returns the maximum number of triangles of mesh `index`, from the counts of its accessors, without reading them.
    pub(super) fn most_triangles(&self, index: usize) -> usize {
        self.most_triangles.get(index).copied().unwrap_or(0)
    }

    /// Returns a shared copy of a name. `by` describes the element with the name.
    pub(super) fn name(
        &self,
        name: &str,
        by: impl FnOnce() -> String,
    ) -> Result<Arc<str>, GltfError> {
        let shared = self.names.borrow_mut().shared(name);
        shared.map_err(|error| GltfError::Names { element: by(), reason: error.to_string() })
    }

    /// Returns the primitives of mesh `index` that have triangles.
    pub(super) fn get(
        &mut self,
        index: usize,
        by: impl FnOnce() -> String,
        warnings: &mut FileWarnings,
    ) -> Result<&[Primitive], GltfError> {
        let mesh = named(&self.root.meshes, "mesh", index, by)?;
        if self.read[index].is_none() {
            self.read[index] = Some(self.read_mesh(index, mesh, warnings)?);
        }
        Ok(self.read[index].as_deref().unwrap_or_default())
    }

    /// Returns a primitive of a mesh that was read.
    pub(super) fn primitive(&self, mesh: usize, index: usize) -> Option<&Primitive> {
        let read = self.read.get(mesh)?.as_ref()?;
        let at = read.binary_search_by_key(&index, |primitive| primitive.index).ok()?;
        read.get(at)
    }

    fn read_mesh(
        &self,
        index: usize,
        mesh: &json::Mesh,
        warnings: &mut FileWarnings,
    ) -> Result<Vec<Primitive>, GltfError> {
        let mut primitives = Vec::new();
        for (at, primitive) in mesh.primitives.iter().enumerate() {
            let name = || primitive_name(self.root, index, at);
            let place = || Location::Element(name());
            let left_out = match primitive.mode.unwrap_or(TRIANGLES) {
                0 => Some("points"),
                1..=3 => Some("lines"),
                TRIANGLES | STRIP | FAN => None,
                mode => return Err(GltfError::UnknownMode { element: name(), mode }),
            };
            if let Some(what) = left_out {
                warnings.add(Code::NotTriangles, || {
                    (place(), Finding::NotTriangles { what: what.to_owned() })
                });
                continue;
            }
            if !primitive.targets.is_empty() {
                let targets = Finding::PoseIgnored { what: "morph targets".to_owned() };
                warnings.add(Code::PoseIgnored, || (place(), targets));
            }
            let read = self.read_primitive(at, primitive, &name)?;
            let n_decoded: usize = read.decoded.iter().map(|(_, of)| of.bytes.len()).sum();
            let n_bytes = bytes_of(read.triangles.len(), read.vertices.len()) + n_decoded;
            let n_bytes = self.n_bytes.get().saturating_add(n_bytes);
            self.n_bytes.set(n_bytes);
            // Primitives can share their bytes in the file, but not in memory.
            let max_bytes = self.buffers.most_level_bytes();
            if n_bytes > max_bytes {
                return Err(GltfError::TooManyCopies { max_bytes });
            }
            primitives.extend((!read.triangles.is_empty()).then_some(read));
        }
        Ok(primitives)
    }

    fn read_primitive(
        &self,
        at: usize,
        primitive: &json::Primitive,
        name: &dyn Fn() -> String,
    ) -> Result<Primitive, GltfError> {
        let material = match primitive.material {
            Some(index) => named(&self.root.materials, "material", index, name)?.name.as_deref(),
            None => None,
        };
        let material = self.name(material.unwrap_or_default(), || {
            element("material", primitive.material.unwrap_or_default(), material)
        })?;
        let empty = Primitive {
            index: at,
            material,
            vertices: Vec::new(),
            triangles: Vec::new(),
            used: Vec::new(),
            decoded: Vec::new(),
        };
        let Some(position) = primitive.attributes.position else { return Ok(empty) };
        if let Some(compressed) = primitive.draco(self.root) {
            return self.decode(position, primitive, compressed, empty, name);
        }
        let positions = self.open(position, Purpose::Positions, name)?;
        let corners = self.corners(primitive, &positions, name)?;
        self.with_corners(position, &positions, corners, empty)
    }

    /// Reads a primitive that is compressed with Draco. `position` is the accessor of its positions.
    fn decode(
        &self,
        position: usize,
        primitive: &json::Primitive,
        compressed: &json::Draco,
        empty: Primitive,
        name: &dyn Fn() -> String,
    ) -> Result<Primitive, GltfError> {
        let extension = "KHR_draco_mesh_compression";
        let refused = |reason| GltfError::Undecodable { element: name(), extension, reason };
        let (bytes, _) = self.buffers.view(compressed.buffer_view, name)?;
        let n_taken = self.n_decoding_bytes.get();
        let max_triangles = most_triangles_of(self.root, primitive);
        let max_bytes = draco::most_bytes(self.buffers).saturating_sub(n_taken);
        let decoded = draco::decode(bytes, max_triangles, max_bytes).map_err(refused)?;
        self.n_decoding_bytes.set(n_taken.saturating_add(decoded.n_bytes()));
        let ids = &compressed.attributes;
        let id =
            ids.position.ok_or_else(|| refused("its attributes have no POSITION".to_owned()))?;
        let elements = decoded.attribute(id).map_err(refused)?;
        let positions =
            Accessor::of_elements(self.root, position, &elements, Purpose::Positions, name)?;
        let n_vertices = positions.len();
        let corners: Vec<[u32; 3]> = decoded.triangles().collect();
        if let Some(&index) = corners.as_flattened().iter().find(|&&at| at as usize >= n_vertices) {
            let index = index as usize;
            return Err(GltfError::IndexOutOfRange { element: name(), index, n_vertices });
        }
        let read = self.with_corners(position, &positions, corners, empty)?;
        Ok(Primitive { decoded: self.kept(&decoded, ids), ..read })
    }

    /// Returns the decoded attributes that a picture needs. Missing ones are reported when they are used.
    fn kept(&self, decoded: &Decoded, ids: &json::DracoAttributes) -> Vec<(u32, Elements)> {
        let ids = [ids.color_0, ids.texcoord_0, ids.texcoord_1].into_iter().flatten();
        let kept = ids.filter(|_| self.keeps_used);
        kept.filter_map(|id| Some((id, decoded.attribute(id).ok()?))).collect()
    }

    /// Adds the triangles with these corners to a primitive. `position` is the accessor of the positions.
    fn with_corners(
        &self,
        position: usize,
        positions: &Accessor<'_>,
        mut corners: Vec<[u32; 3]>,
        empty: Primitive,
    ) -> Result<Primitive, GltfError> {
        let used = renumber(&mut corners);
        let vertices = used.iter().map(|&index| {
            let vertex = glam::DVec3::from_array(positions.get(index as usize)).as_vec3();
            let bad = vertex.to_array().into_iter().find(|c| !c.is_finite());
            let place = || format!("{}, element {index}", element("accessor", position, None));
            bad.map_or(Ok(vertex), |value| Err(not_finite(place(), value)))
        });
        let vertices = vertices.collect::<Result<_, _>>()?;
        let used = if self.keeps_used { used } else { Vec::new() };
        Ok(Primitive { vertices, triangles: corners, used, ..empty })
    }

    /// Returns the triangles of a primitive, as indices of its positions.
    fn corners(
        &self,
        primitive: &json::Primitive,
        positions: &Accessor<'_>,
        name: &dyn Fn() -> String,
    ) -> Result<Vec<[u32; 3]>, GltfError> {
        let indices = primitive.indices;
        let indices = indices.map(|at| self.open(at, Purpose::Indices, name));
        let indices = indices.transpose()?;
        let n_vertices = positions.len();
        let n = indices.as_ref().map_or(n_vertices, Accessor::len);
        let corner = |at: usize| {
            let index = match &indices {
                Some(indices) => indices.get_index(at),
                None => u32::try_from(at).unwrap_or(u32::MAX),
            };
            if (index as usize) < n_vertices {
                return Ok(index);
            }
            let (element, index) = (name(), index as usize);
            Err(GltfError::IndexOutOfRange { element, index, n_vertices })
        };
        triangles(primitive.mode.unwrap_or(TRIANGLES), n, corner)
    }

    fn open(
        &self,
        index: usize,
        purpose: Purpose,
        name: &dyn Fn() -> String,
    ) -> Result<Accessor<'_>, GltfError> {
        Accessor::open(self.root, self.buffers, index, purpose, name)
    }
}

fn most_triangles(root: &Root, mesh: &json::Mesh) -> usize {
    let most = mesh.primitives.iter().map(|primitive| most_triangles_of(root, primitive));
    most.fold(0, usize::saturating_add)
}

fn most_triangles_of(root: &Root, primitive: &json::Primitive) -> usize {
    let list = primitive.indices.or(primitive.attributes.position);
    let n = list.and_then(|at| root.accessors.get(at)).map_or(0, |list| list.count);
    match primitive.mode.unwrap_or(TRIANGLES) {
        TRIANGLES => n / 3,
        STRIP | FAN => n,
        _points_or_lines => 0,
    }
}

/// Describes a primitive for messages.
pub(super) fn primitive_name(root: &Root, mesh: usize, primitive: usize) -> String {
    let name = root.meshes.get(mesh).and_then(|mesh| mesh.name.as_deref());
    format!("{}, primitive {primitive}", element("mesh", mesh, name))
}

pub(super) fn not_finite(element: String, value: f32) -> GltfError {
    GltfError::NotFinite { element, value: value.to_string() }
}

/// Builds triangles from `n` vertices in the order of a list, a strip or a fan.
///
/// Strips are joined by degenerate triangles, which are dropped.
fn triangles(
    mode: u32,
    n: usize,
    corner: impl Fn(usize) -> Result<u32, GltfError>,
) -> Result<Vec<[u32; 3]>, GltfError> {
    if mode == TRIANGLES {
        let list = (0..n / 3).map(|i| Ok([corner(3 * i)?, corner(3 * i + 1)?, corner(3 * i + 2)?]));
        return list.collect();
    }
    let mut found = Vec::new();
    for at in 2..n {
        let places = match (mode, at % 2) {
            (FAN, _) => [0, at - 1, at],
            // Every second triangle of a strip has the opposite winding.
            (_, 0) => [at - 2, at - 1, at],
            (_, _) => [at - 1, at - 2, at],
        };
        let [a, b, c] = [corner(places[0])?, corner(places[1])?, corner(places[2])?];
        if a != b && b != c && c != a {
            found.push([a, b, c]);
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strips_turn_every_second_triangle_and_fans_share_a_corner() {
        let made = |mode, corners: &[u32]| triangles(mode, corners.len(), |at| Ok(corners[at]));
        assert_eq!(made(TRIANGLES, &[0, 1, 2, 2, 1, 3, 9]).unwrap(), [[0, 1, 2], [2, 1, 3]]);
        assert_eq!(made(STRIP, &[0, 1, 2, 3]).unwrap(), [[0, 1, 2], [2, 1, 3]]);
        assert_eq!(made(FAN, &[0, 1, 2, 3]).unwrap(), [[0, 1, 2], [0, 2, 3]]);
        let joined = [0, 1, 2, 2, 3, 3, 3, 4, 5];
        assert_eq!(made(STRIP, &joined).unwrap(), [[0, 1, 2], [3, 4, 5]]);
        for mode in [TRIANGLES, STRIP, FAN] {
            assert_eq!(made(mode, &[0, 1]).unwrap(), [[0_u32; 3]; 0]);
        }
    }
}
