use std::sync::Arc;

use glam::{DMat3, DMat4, DVec3, Vec3};
use walkable_mesh::MeshPart;
use walkable_runtime::diagnostic::{Code, Finding, Location};

use super::{
    GltfError,
    accessor::{Accessor, Purpose},
    appearance::AppearanceReader,
    buffers::Buffers,
    element,
    json::{Instancing, Node, Root},
    named,
    primitive::{Meshes, PlacedPrimitive, Primitive, not_finite, primitive_name},
    transform,
};
use crate::{Appearance, FileWarnings, level_file::MAX_TRIANGLES, level_memory::bytes_of};

/// The triangles of all nodes of a scene.
pub(super) struct Built<'a> {
    root: &'a Root,
    pub(super) vertices: Vec<Vec3>,
    pub(super) triangles: Vec<[u32; 3]>,
    pub(super) parts: Vec<MeshPart>,
    /// Runs of triangles of one primitive, by their first triangle.
    runs: Vec<PlacedPrimitive>,
    /// Vertex colors and textures, if they are read.
    pub(super) appearance: Option<Box<Appearance>>,
    /// Maximum memory of the level while it is read, in bytes.
    max_bytes: usize,
}

/// Places the meshes at the nodes of the scene, in the order of the nodes.
///
/// # Errors
/// Returns [`GltfError::NoTriangles`] if there are no triangles, and the errors of the elements in use.
pub(super) fn build<'a>(
    root: &'a Root,
    buffers: &'a Buffers<'a>,
    (reader, origin): (Option<AppearanceReader<'_>>, Option<DVec3>),
    warnings: &mut FileWarnings,
) -> Result<Built<'a>, GltfError> {
    let mut meshes = Meshes::new(root, buffers);
    meshes.keeps_used = reader.is_some();
    let mut built = Built {
        root,
        vertices: Vec::new(),
        triangles: Vec::new(),
        parts: Vec::new(),
        runs: Vec::new(),
        appearance: None,
        max_bytes: buffers.most_level_bytes(),
    };
    let nodes = nodes_in_scene(root, origin, warnings)?;
    check_size(root, buffers, &nodes, &meshes)?;
    for placed in nodes {
        let node = &root.nodes[placed.node];
        let Some(mesh) = node.mesh else { continue };
        let name = || node_name(root, placed.node);
        if node.skin.is_some() {
            let skin = Finding::PoseIgnored { what: "skin".to_owned() };
            warnings.add(Code::PoseIgnored, || (Location::Element(name()), skin));
        }
        if meshes.get(mesh, name, warnings)?.is_empty() {
            continue;
        }
        let instances = instances(root, buffers, placed.node)?;
        built.max_bytes = buffers.most_level_bytes();
        let object = meshes.name(object_name(root, placed.node, mesh), name)?;
        let primitives = meshes.get(mesh, name, warnings)?;
        for at in 0..instances.len() {
            let world = placed.world_from_node * instances.get(at);
            for primitive in primitives {
                built.add(&placed, mesh, (primitive, &object), world)?;
            }
        }
    }
    if built.triangles.is_empty() {
        return Err(GltfError::NoTriangles { n_meshes: root.meshes.len() });
    }
    let n_vertices = built.vertices.len();
    let appearance = reader.map(|reader| reader.read(&built.runs, &meshes, n_vertices, warnings));
    built.appearance = appearance.map(Box::new);
    Ok(built)
}

/// Checks that the number of triangles of all copies is within the limit. A few bytes can describe many copies.
fn check_size(
    root: &Root,
    buffers: &Buffers<'_>,
    nodes: &[Placed],
    meshes: &Meshes<'_>,
) -> Result<(), GltfError> {
    let mut n_triangles = 0_usize;
    for &Placed { node, .. } in nodes {
        if let Some(mesh) = root.nodes[node].mesh {
            // A mesh without instances is read, too.
            let n_instances = instances(root, buffers, node)?.len().max(1);
            let most = meshes.most_triangles(mesh).saturating_mul(n_instances);
            n_triangles = n_triangles.saturating_add(most);
        }
    }
    if n_triangles > MAX_TRIANGLES { Err(GltfError::TooMany) } else { Ok(()) }
}

impl Built<'_> {
    /// Describes the place of a triangle for messages.
    pub(super) fn place_of(&self, triangle: usize) -> String {
        let next = self.runs.partition_point(|run| run.first_triangle <= triangle);
        let Some(run) = next.checked_sub(1).and_then(|at| self.runs.get(at)) else {
            return String::new();
        };
        let primitive = primitive_name(self.root, run.mesh, run.primitive);
        format!("{}, {primitive}", node_name(self.root, run.node))
    }

    fn add(
        &mut self,
        placed: &Placed,
        mesh: usize,
        (primitive, object): (&Primitive, &Arc<str>),
        world: DMat4,
    ) -> Result<(), GltfError> {
        let n_triangles = self.triangles.len() + primitive.triangles.len();
        let n_vertices = self.vertices.len() + primitive.vertices.len();
        let n_bytes =
            self.runs.len() * size_of::<PlacedPrimitive>() + bytes_of(n_triangles, n_vertices);
        if n_bytes > self.max_bytes {
            return Err(GltfError::TooManyCopies { max_bytes: self.max_bytes });
        }
        let first_triangle = self.triangles.len();
        let (node, index) = (placed.node, primitive.index);
        let is_mirrored = DMat3::from_mat4(world).determinant() < 0.0;
        let first_vertex = self.vertices.len();
        let run = PlacedPrimitive {
            first_triangle,
            first_vertex,
            node,
            mesh,
            primitive: index,
            is_mirrored,
        };
        self.runs.push(run);
        let first = number(first_vertex);
        for &vertex in &primitive.vertices {
            self.vertices.push(in_world(world, vertex, || node_name(self.root, node))?);
        }
        self.triangles.extend(primitive.triangles.iter().map(|&[a, b, c]| {
            let [b, c] = if is_mirrored { [c, b] } else { [b, c] };
            [first + a, first + b, first + c]
        }));
        self.name_part(object, &primitive.material, first_triangle..n_triangles);
        Ok(())
    }

    /// Extends the last part if it has the same names, or adds a part.
    fn name_part(
        &mut self,
        object: &Arc<str>,
        material: &Arc<str>,
        triangles: std::ops::Range<usize>,
    ) {
        let end = number(triangles.end);
        let last = self.parts.last_mut();
        // Equal texts share one allocation.
        let is_same = |last: &&mut MeshPart| {
            Arc::ptr_eq(&last.object, object) && Arc::ptr_eq(&last.material, material)
        };
        match last.filter(is_same) {
            Some(last) => last.triangles.end = end,
            None => self.parts.push(MeshPart {
                object: Arc::clone(object),
                material: Arc::clone(material),
                triangles: number(triangles.start)..end,
            }),
        }
    }
}

/// Converts an index. There are at most [`MAX_TRIANGLES`] triangles, and at most three times as many vertices.
fn number(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

fn in_world(world: DMat4, vertex: Vec3, by: impl FnOnce() -> String) -> Result<Vec3, GltfError> {
    // Without a transform, coordinates keep even the sign of a zero.
    if world == DMat4::IDENTITY {
        return Ok(vertex);
    }
    let moved = world.transform_point3(vertex.as_dvec3()).as_vec3();
    let bad = moved.to_array().into_iter().find(|c| !c.is_finite());
    bad.map_or(Ok(moved), |value| Err(not_finite(by(), value)))
}

fn node_name(root: &Root, index: usize) -> String {
    element("node", index, root.nodes.get(index).and_then(|node| node.name.as_deref()))
}

/// Returns the name of an object in the level: that of its node, or of its mesh if the node has none.
fn object_name(root: &Root, node: usize, mesh: usize) -> &str {
    let of_node = root.nodes.get(node).and_then(|node| node.name.as_deref());
    let of_mesh = root.meshes.get(mesh).and_then(|mesh| mesh.name.as_deref());
    of_node.filter(|name| !name.is_empty()).or(of_mesh).unwrap_or_default()
}

/// A node of the scene.
struct Placed {
    node: usize,
    world_from_node: DMat4,
}

/// Returns the nodes of the scene, parents before children, in the order of the file.
fn nodes_in_scene(
    root: &Root,
    origin: Option<DVec3>,
    warnings: &mut FileWarnings,
) -> Result<Vec<Placed>, GltfError> {
    let level_from_scene =
        origin.map_or(DMat4::IDENTITY, |origin| DMat4::from_translation(-origin));
    let mut is_reached = vec![false; root.nodes.len()];
    let mut found: Vec<Placed> = Vec::new();
    for top in tops(root, warnings)? {
        if is_reached[top] {
            continue;
        }
        // Nodes to visit, each with the index of its parent in `found`.
        let mut open = vec![(top, None)];
        while let Some((index, parent)) = open.pop() {
            if std::mem::replace(&mut is_reached[index], true) {
                return Err(GltfError::NoTree { element: node_name(root, index) });
            }
            let node = &root.nodes[index];
            let parent: Option<&Placed> = parent.and_then(|parent: usize| found.get(parent));
            let world_from_parent =
                parent.map_or(level_from_scene, |parent| parent.world_from_node);
            let world_from_node = world_from_parent * transform::parent_from_node(node);
            // A node with neither a mesh nor children adds nothing.
            if node.mesh.is_none() && node.children.is_empty() {
                continue;
            }
            found.push(Placed { node: index, world_from_node });
            for &child in node.children.iter().rev() {
                named(&root.nodes, "node", child, || node_name(root, index))?;
                open.push((child, Some(found.len() - 1)));
            }
        }
    }
    Ok(found)
}

/// Returns the root nodes of the default scene; of all scenes if there is no default; of the file if there are no
/// scenes.
fn tops(root: &Root, warnings: &mut FileWarnings) -> Result<Vec<usize>, GltfError> {
    if root.scenes.is_empty() && root.scene.is_none() {
        let mut is_top = vec![true; root.nodes.len()];
        for &child in root.nodes.iter().flat_map(|node: &Node| &node.children) {
            is_top.get_mut(child).into_iter().for_each(|is_top| *is_top = false);
        }
        return Ok((0..root.nodes.len()).filter(|&index| is_top[index]).collect());
    }
    if let Some(shown) = root.scene {
        named(&root.scenes, "scene", shown, || "the file".to_owned())?;
    }
    let mut found = Vec::new();
    for (index, scene) in root.scenes.iter().enumerate() {
        let name = || element("scene", index, scene.name.as_deref());
        if root.scene.is_some_and(|shown| shown != index) {
            let place = || (Location::Element(name()), Finding::SceneLeftOut {});
            warnings.add(Code::SceneLeftOut, place);
            continue;
        }
        for &top in &scene.nodes {
            named(&root.nodes, "node", top, name)?;
            found.push(top);
        }
    }
    Ok(found)
}

/// The transforms of a node's mesh: one, or one per instance.
struct Instances<'a> {
    n: usize,
    translation: Option<Accessor<'a>>,
    rotation: Option<Accessor<'a>>,
    scale: Option<Accessor<'a>>,
}

impl Instances<'_> {
    const fn len(&self) -> usize {
        self.n
    }

    fn get(&self, index: usize) -> DMat4 {
        let vector = |of: &Option<Accessor<'_>>| of.as_ref().map(|of| of.get(index));
        let turn = self.rotation.as_ref().map(|of| of.get(index));
        transform::placed(vector(&self.translation), turn, vector(&self.scale))
    }
}

fn instances<'a>(
    root: &Root,
    buffers: &'a Buffers<'_>,
    index: usize,
) -> Result<Instances<'a>, GltfError> {
    let name = || node_name(root, index);
    let open = |accessor: Option<usize>, purpose| {
        accessor.map(|at| Accessor::open(root, buffers, at, purpose, name)).transpose()
    };
    let instancing = root.nodes[index].extensions.instancing.as_deref();
    let Some(Instancing { attributes }) = instancing else {
        return Ok(Instances { n: 1, translation: None, rotation: None, scale: None });
    };
    let translation = open(attributes.translation, Purpose::Vectors)?;
    let rotation = open(attributes.rotation, Purpose::Turns)?;
    let scale = open(attributes.scale, Purpose::Vectors)?;
    let counts = [&translation, &rotation, &scale].map(|of| of.as_ref().map(Accessor::len));
    let n = counts.into_iter().flatten().next().unwrap_or(1);
    if let Some(other) = counts.into_iter().flatten().find(|&other| other != n) {
        return Err(GltfError::UnequalInstances { element: name(), n, other });
    }
    Ok(Instances { n, translation, rotation, scale })
}
