//! The open level.

use std::{path::PathBuf, sync::Arc};

use glam::Vec3;
use walkable::{
    debug_draw,
    diagnostic::Diagnostic,
    geom::Bvh,
    mesh::{ImportOptions, TriMesh},
};

use super::{LevelSource, OpenMap};

/// A level in memory.
#[derive(Clone, Debug)]
pub struct LoadedLevel {
    /// Its triangles, import options applied.
    pub mesh: Arc<TriMesh>,
    /// Tree over the triangles, for picking.
    pub bvh: Arc<Bvh>,
    /// Edges worth drawing: sharp bends and open borders.
    pub edges: Arc<Vec<[Vec3; 2]>>,
    /// What is drawn of a large level while the view moves.
    pub coarse: Option<Arc<CoarseLevel>>,
    /// Whether most of it faces down: its winding is probably wrong.
    pub faces_down: bool,
    /// The map of Moving AI's benchmarks that it was made of.
    pub map: Option<Arc<OpenMap>>,
    /// How its file was read.
    pub import: ImportOptions,
    /// Where it comes from.
    pub source: LevelSource,
    /// Other files that were read for it.
    pub beside: Vec<PathBuf>,
    /// Files that it came with and that are not watched: settings, its scene, a scenario's map.
    pub companions: Vec<PathBuf>,
    /// What was found in its files.
    pub warnings: Vec<Diagnostic>,
    /// Tells this load from all others of this run of the program.
    pub serial: u64,
}

/// A level with fewer triangles that looks much the same from afar.
#[derive(Clone, Debug)]
pub struct CoarseLevel {
    /// The triangles.
    pub mesh: Arc<TriMesh>,
    /// What is left of the level's edges.
    pub edges: Arc<Vec<[Vec3; 2]>>,
}

impl CoarseLevel {
    /// Most triangles of a coarse level.
    pub const MAX_TRIANGLES: usize = 40_000;

    /// A coarse form of `mesh` and its `edges`; `None` where they are few.
    pub fn of(mesh: &TriMesh, edges: &[[Vec3; 2]]) -> Option<Arc<Self>> {
        let (mesh, edges) = debug_draw::coarse_mesh(mesh, edges, Self::MAX_TRIANGLES)?;
        Some(Arc::new(Self { mesh: Arc::new(mesh), edges: Arc::new(edges) }))
    }
}
