use std::{collections::BTreeMap, sync::Arc};

use glam::Vec3;
use serde::Deserialize;
use walkable::mesh::{MeshError, MeshPart, TriMesh};

#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ObjectGeometry {
    pub name: String,
    /// Name of the material; empty if there is none.
    #[serde(default)]
    pub material: String,
    pub vertices: Vec<Vec3>,
    /// Vertex indices of each triangle, counterclockwise seen from the front.
    pub triangles: Vec<[u32; 3]>,
}

#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LiveObjectsError {
    #[error("object \"{name}\": {error}")]
    Geometry { name: String, error: MeshError },
    #[error(
        "more than {} changed objects, or {} vertices or triangles of them: write the level to its file, and restore them",
        LiveObjects::MAX_OBJECTS,
        LiveObjects::MAX_ELEMENTS
    )]
    TooMany,
}

#[derive(Clone, Debug, PartialEq)]
enum Change {
    Removed,
    Replaced(Arc<ObjectGeometry>),
}

impl Change {
    fn size(&self) -> (usize, usize) {
        match self {
            Self::Removed => (0, 0),
            Self::Replaced(object) => (object.vertices.len(), object.triangles.len()),
        }
    }
}

/// Objects that differ from those in the file of a level.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LiveObjects {
    changed: BTreeMap<Arc<str>, Change>,
    n_vertices: usize,
    n_triangles: usize,
}

impl LiveObjects {
    pub const MAX_OBJECTS: usize = 10_000;
    /// Maximum number of their vertices, and of their triangles.
    pub const MAX_ELEMENTS: usize = 1_000_000;

    pub fn is_empty(&self) -> bool {
        self.changed.is_empty()
    }

    /// Changes objects, all or none. First objects are restored, then removed, then replaced.
    pub fn change(
        &mut self,
        replace: Vec<ObjectGeometry>,
        remove: Vec<String>,
        restore: &[String],
    ) -> Result<(), LiveObjectsError> {
        for object in &replace {
            // The mesh is only checked.
            let checked = TriMesh::new(object.vertices.clone(), object.triangles.clone());
            if let Err(error) = checked {
                let name = object.name.chars().take(40).collect();
                return Err(LiveObjectsError::Geometry { name, error });
            }
        }
        let mut after = self.clone();
        for name in restore {
            after.set(name, None);
        }
        for name in remove {
            after.set(&name, Some(Change::Removed));
        }
        for object in replace {
            let object = Arc::new(object);
            after.set(&object.name, Some(Change::Replaced(Arc::clone(&object))));
        }
        let most = after.n_vertices.max(after.n_triangles);
        if after.changed.len() > Self::MAX_OBJECTS || most > Self::MAX_ELEMENTS {
            return Err(LiveObjectsError::TooMany);
        }
        *self = after;
        Ok(())
    }

    /// Sets the change of an object; `None` if it is as in the file.
    fn set(&mut self, name: &str, change: Option<Change>) {
        let size = |change: Option<&Change>| change.map_or((0, 0), Change::size);
        let (n_vertices, n_triangles) = size(change.as_ref());
        self.n_vertices += n_vertices;
        self.n_triangles += n_triangles;
        let before = match change {
            Some(change) => self.changed.insert(name.into(), change),
            None => self.changed.remove(name),
        };
        let (n_vertices, n_triangles) = size(before.as_ref());
        self.n_vertices -= n_vertices;
        self.n_triangles -= n_triangles;
    }

    /// Returns `level` without the triangles of changed objects, followed by their new triangles in the order of the
    /// names. Fails if no triangles are left.
    pub fn on(&self, level: &TriMesh) -> Result<TriMesh, MeshError> {
        let is_kept = |part: &&MeshPart| !self.changed.contains_key(&*part.object);
        let mut is_used = vec![true; level.vertices().len()];
        for is_dropped in [true, false] {
            for part in level.parts().iter().filter(|part| is_kept(part) != is_dropped) {
                for &vertex in triangles_of(level, part).as_flattened() {
                    is_used[vertex as usize] = !is_dropped;
                }
            }
        }
        // Vertices that only dropped triangles use must not count for the bounds; loose vertices of the file do.
        let mut vertices = Vec::new();
        let mut numbers = vec![0; is_used.len()];
        for (vertex, number) in numbers.iter_mut().enumerate().filter(|(at, _)| is_used[*at]) {
            *number = u32::try_from(vertices.len()).unwrap_or(u32::MAX);
            vertices.push(level.vertices()[vertex]);
        }
        let (mut triangles, mut parts) = (Vec::new(), Vec::new());
        for part in level.parts().iter().filter(is_kept) {
            let own = triangles_of(level, part).iter();
            let own = own.map(|corners| corners.map(|vertex| numbers[vertex as usize]));
            add(&mut parts, &mut triangles, own, part.clone());
        }
        for (name, object) in &self.changed {
            let Change::Replaced(object) = object else { continue };
            let first = u32::try_from(vertices.len()).unwrap_or(u32::MAX);
            vertices.extend(&object.vertices);
            let own = object.triangles.iter();
            let own = own.map(|corners| corners.map(|vertex| vertex.saturating_add(first)));
            let material = (*object.material).into();
            let part = MeshPart { object: Arc::clone(name), material, triangles: 0..0 };
            add(&mut parts, &mut triangles, own, part);
        }
        TriMesh::with_parts(vertices, triangles, parts)
    }
}

fn triangles_of<'a>(level: &'a TriMesh, part: &MeshPart) -> &'a [[u32; 3]] {
    let range = part.triangles.start as usize..part.triangles.end as usize;
    level.triangles().get(range).unwrap_or_default()
}

fn add(
    parts: &mut Vec<MeshPart>,
    triangles: &mut Vec<[u32; 3]>,
    own: impl Iterator<Item = [u32; 3]>,
    part: MeshPart,
) {
    let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let start = number(triangles.len());
    triangles.extend(own);
    parts.push(MeshPart { triangles: start..number(triangles.len()), ..part });
}

#[cfg(test)]
mod tests {
    use walkable::mesh::{ImportOptions, read_obj};

    use super::*;

    fn level() -> TriMesh {
        let obj = "v 0 0 0\nv 0 0 1\nv 1 0 0\nv 9 0 0\nv 9 0 1\nv 4 0 4\no floor\nf 1 2 3\no crate\nf 3 4 5\n";
        ImportOptions::default().import(read_obj(obj.as_bytes()).unwrap()).unwrap()
    }

    fn triangle(name: &str, x: f32) -> ObjectGeometry {
        ObjectGeometry {
            name: name.to_owned(),
            material: "wood".to_owned(),
            vertices: vec![
                Vec3::new(x, 1.0, 0.0),
                Vec3::new(x, 1.0, 1.0),
                Vec3::new(x + 1.0, 1.0, 0.0),
            ],
            triangles: vec![[0, 1, 2]],
        }
    }

    fn parts(mesh: &TriMesh) -> Vec<(&str, u32)> {
        mesh.parts().iter().map(|part| (&*part.object, part.triangles.end)).collect()
    }

    #[test]
    fn objects_are_replaced_removed_and_restored() {
        let level = level();
        let mut live = LiveObjects::default();
        live.change(vec![triangle("crate", 2.0), triangle("a barrel", 5.0)], Vec::new(), &[])
            .unwrap();
        let mesh = live.on(&level).unwrap();
        assert_eq!(parts(&mesh), [("floor", 1), ("a barrel", 2), ("crate", 3)]);
        assert_eq!(&*mesh.parts()[2].material, "wood");
        // The old crate no longer counts for the bounds, but the loose vertex does.
        assert_eq!((mesh.bounds().max.x, mesh.bounds().max.z), (6.0, 4.0));
        let corner = |at: usize| mesh.vertices()[mesh.triangles()[at][0] as usize].x;
        assert_eq!((corner(0), corner(1), corner(2)), (0.0, 5.0, 2.0));

        live.change(Vec::new(), vec!["crate".to_owned()], &["a barrel".to_owned()]).unwrap();
        assert_eq!(parts(&live.on(&level).unwrap()), [("floor", 1)]);
        live.change(Vec::new(), Vec::new(), &["crate".to_owned()]).unwrap();
        assert!(live.is_empty() && live.on(&level).unwrap() == level);
        live.change(Vec::new(), vec!["crate".to_owned(), "floor".to_owned()], &[]).unwrap();
        assert_eq!(live.on(&level), Err(MeshError::Empty));
    }

    #[test]
    fn bad_objects_change_nothing() {
        let mut live = LiveObjects::default();
        let mut bad = triangle("bad", 0.0);
        bad.triangles[0][2] = 3;
        let error = live.change(vec![triangle("good", 0.0), bad], Vec::new(), &[]).unwrap_err();
        let expected = "object \"bad\": triangle 0 refers to vertex 3, but the mesh has 3";
        assert_eq!(error.to_string(), expected);
        let mut infinite = triangle("bad", 0.0);
        infinite.vertices[0].x = f32::INFINITY;
        assert!(live.change(vec![infinite], Vec::new(), &[]).is_err());
        assert!(live.is_empty());

        let many: Vec<_> = (0..=LiveObjects::MAX_OBJECTS).map(|n| n.to_string()).collect();
        assert_eq!(live.change(Vec::new(), many, &[]), Err(LiveObjectsError::TooMany));
        let mut large = triangle("large", 0.0);
        large.triangles = vec![[0, 1, 2]; LiveObjects::MAX_ELEMENTS];
        live.change(vec![large.clone()], Vec::new(), &[]).unwrap();
        live.change(vec![large], Vec::new(), &[]).unwrap();
        let one_more = live.change(vec![triangle("one more", 0.0)], Vec::new(), &[]);
        assert_eq!(one_more, Err(LiveObjectsError::TooMany));
        live.change(vec![triangle("one more", 0.0)], vec!["large".to_owned()], &[]).unwrap();
    }
}
