//! A simplified level.

use std::sync::Arc;

use glam::Vec3;
use walkable::{debug_draw, mesh::TriMesh};

use crate::level_appearance::LevelAppearance;

/// A simplified level that looks similar from afar.
#[derive(Clone, Debug)]
pub struct CoarseLevel {
    pub mesh: Arc<TriMesh>,
    pub edges: Arc<Vec<[Vec3; 2]>>,
    pub appearance: Option<Arc<LevelAppearance>>,
}

impl CoarseLevel {
    pub const MAX_TRIANGLES: usize = 40_000;

    /// Simplifies `mesh`, its `edges` and its appearance; `None` if they are few.
    pub fn of(
        mesh: &TriMesh,
        edges: &[[Vec3; 2]],
        appearance: Option<&LevelAppearance>,
    ) -> Option<Arc<Self>> {
        let coarse = debug_draw::coarse_mesh(mesh, edges, Self::MAX_TRIANGLES)?;
        let n = coarse.mesh.vertices().len();
        let merged = appearance.map(|of| Arc::new(of.merged(mesh, &coarse.merged_into, n)));
        let (mesh, edges) = (Arc::new(coarse.mesh), Arc::new(coarse.edges));
        Some(Arc::new(Self { mesh, edges, appearance: merged }))
    }
}
