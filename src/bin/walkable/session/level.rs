//! The open level.

use std::{path::PathBuf, sync::Arc};

use glam::Vec3;
use walkable::{
    debug_draw,
    geom::Bvh,
    mesh::{ImportOptions, TriMesh},
};

use super::{LevelSource, OpenMap};

/// A level in memory.
#[derive(Clone, Debug)]
pub(crate) struct LoadedLevel {
    /// Its triangles, import options applied.
    pub(crate) mesh: Arc<TriMesh>,
    /// Tree over the triangles, for picking.
    pub(crate) bvh: Arc<Bvh>,
    /// Edges worth drawing: sharp bends and open borders.
    pub(crate) edges: Arc<Vec<[Vec3; 2]>>,
    /// What is drawn of a large level while the view moves.
    pub(crate) coarse: Option<Arc<CoarseLevel>>,
    /// Whether most of it faces down: its winding is probably wrong.
    pub(crate) faces_down: bool,
    /// The map of Moving AI's benchmarks that it was made of.
    pub(crate) map: Option<Arc<OpenMap>>,
    /// How its file was read.
    pub(crate) import: ImportOptions,
    /// Where it comes from.
    pub(crate) source: LevelSource,
    /// Files that were read besides its own.
    pub(crate) beside: Vec<PathBuf>,
    /// What was odd about the file.
    pub(crate) warnings: Vec<String>,
    /// Tells this load from all others of this run of the program.
    pub(crate) serial: u64,
}

/// A level with fewer triangles that looks much the same from afar.
#[derive(Clone, Debug)]
pub(crate) struct CoarseLevel {
    /// The triangles.
    pub(crate) mesh: Arc<TriMesh>,
    /// What is left of the level's edges.
    pub(crate) edges: Arc<Vec<[Vec3; 2]>>,
}

impl CoarseLevel {
    /// Most triangles of a coarse level.
    pub(crate) const MAX_TRIANGLES: usize = 40_000;

    /// A coarse form of `mesh` and its `edges`; `None` where they are few.
    pub(crate) fn of(mesh: &TriMesh, edges: &[[Vec3; 2]]) -> Option<Arc<Self>> {
        let (mesh, edges) = debug_draw::coarse_mesh(mesh, edges, Self::MAX_TRIANGLES)?;
        Some(Arc::new(Self { mesh: Arc::new(mesh), edges: Arc::new(edges) }))
    }
}
