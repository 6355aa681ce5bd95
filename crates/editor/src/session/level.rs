//! The open level.

use std::{path::PathBuf, sync::Arc};

use glam::Vec3;
use walkable::{
    bake::LevelPart,
    diagnostic::Diagnostic,
    geom::Bvh,
    mesh::{ImportOptions, TriMesh},
};
use walkable_workspace::files::FileKind;

use super::{CoarseLevel, LevelSource, OpenMap, World};
use crate::level_appearance::LevelAppearance;

#[derive(Clone, Debug)]
pub struct LoadedLevel {
    pub mesh: Arc<TriMesh>,
    /// Tree over the triangles, for picking.
    pub bvh: Arc<Bvh>,
    /// Edges to draw: sharp angles and open borders.
    pub edges: Arc<Vec<[Vec3; 2]>>,
    /// Vertex colors and textures of its file, if it has any. They belong to the triangles of this mesh.
    pub appearance: Option<Arc<LevelAppearance>>,
    /// The simplified level that is drawn while the view moves, if the level is large.
    pub coarse: Option<Arc<CoarseLevel>>,
    /// Whether most faces point down, which suggests wrong winding.
    pub faces_down: bool,
    pub map: Option<Arc<OpenMap>>,
    /// The level larger than memory that the triangles are a part of.
    pub world: Option<World>,
    pub import: ImportOptions,
    pub source: LevelSource,
    pub beside: Vec<PathBuf>,
    /// Related files that are not watched: settings, its scene, a scenario's map.
    pub companions: Vec<PathBuf>,
    pub warnings: Vec<Diagnostic>,
    /// Identifies this load; unique within a run of the program.
    pub serial: u64,
}

impl LoadedLevel {
    /// Returns the part of the level that the triangles are, for a bake; `None` if they are the whole level.
    pub fn part(&self) -> Option<LevelPart> {
        self.world.as_ref().map(World::level_part)
    }

    /// Returns whether its file is read with import options: `walkable bin` has applied those of sorted triangles.
    pub fn has_import_options(&self) -> bool {
        let kind = self.source.path().and_then(FileKind::of_name);
        self.world.is_none() && kind != Some(FileKind::Triangles)
    }
}
