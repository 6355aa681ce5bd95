//! Changes of the document.

use std::collections::BTreeSet;

use walkable::{
    bake::{AreaVolume, BakeConfig, BakeSettings, JumpLimits, OffMeshLink, SurfaceRule},
    geom::Aabb,
    ids::TileCoord,
    mesh::ImportOptions,
    suite::PathCase,
};
use walkable_workspace::document::Obstacles;

use super::{
    Agents, AreaTable, Budgets, Document, Islands, Look, Named, OwnPreset, PathFilter, SavedPath,
    SavedPlace, SceneAgent, Stroke, are_alike, history::Bakes,
};

impl Bakes for Document {
    fn bakes_like(&self, other: &Self) -> bool {
        let Self { settings, volumes, off_mesh, surfaces, bounds, obstacles, .. } = self;
        *settings == other.settings
            && obstacles.prepared == other.obstacles.prepared
            && *surfaces == other.surfaces
            && are_alike(volumes, &other.volumes)
            && are_alike(off_mesh, &other.off_mesh)
            && are_alike(bounds, &other.bounds)
    }
}

/// A change of the document. Edits have no inverse: undo restores a snapshot.
#[derive(Clone, Debug, PartialEq)]
pub enum Edit {
    Settings(Box<BakeSettings>),
    Jumps(JumpLimits),
    Agents(Agents),
    /// Replaces the import options; the level is then imported again.
    Import(ImportOptions),
    Areas(AreaTable),
    Volumes(Vec<Named<AreaVolume>>),
    Links(Vec<Named<OffMeshLink>>),
    Surfaces(Vec<SurfaceRule>),
    Bounds(Vec<Named<Aabb>>),
    Obstacles(Obstacles),
    RemovedTiles(BTreeSet<TileCoord>),
    Strokes(Vec<Stroke>),
    Islands(Islands),
    Presets(Vec<OwnPreset>),
    Paths(Vec<Named<SavedPath>>),
    PathFilter(PathFilter),
    Places(Vec<Named<SavedPlace>>),
    PathTests(Vec<PathCase>),
    Crowd(Vec<SceneAgent>),
    Views(Vec<Named<Look>>),
    Budgets(Budgets),
    /// Replaces everything that a settings file holds.
    Config(Box<BakeConfig>),
    Several(Vec<Self>),
}

impl Edit {
    pub fn of_items(document: &Document, change: impl FnOnce(&mut Document)) -> Self {
        let mut next = document.clone();
        change(&mut next);
        let Document { volumes, off_mesh, bounds, obstacles, paths, places, views, .. } = next;
        Self::Several(vec![
            Self::Volumes(volumes),
            Self::Links(off_mesh),
            Self::Bounds(bounds),
            Self::Obstacles(obstacles),
            Self::Paths(paths),
            Self::Places(places),
            Self::Views(views),
        ])
    }

    pub fn apply(self, document: &mut Document) {
        match self {
            Self::Settings(settings) => document.settings = *settings,
            Self::Jumps(jumps) => document.jumps = jumps,
            Self::Agents(agents) => document.take_agents(agents),
            Self::Areas(areas) => document.areas = areas,
            Self::Volumes(volumes) => document.volumes = volumes,
            Self::Links(links) => document.off_mesh = links,
            Self::Surfaces(surfaces) => document.surfaces = surfaces,
            Self::Bounds(bounds) => document.bounds = bounds,
            Self::Obstacles(obstacles) => document.obstacles = obstacles,
            Self::RemovedTiles(tiles) => document.removed_tiles = tiles,
            Self::Strokes(strokes) => document.strokes = strokes,
            Self::Islands(islands) => document.islands = islands,
            Self::Presets(presets) => document.presets = presets,
            Self::Paths(paths) => document.paths = paths,
            Self::PathFilter(changes) => document.path_filter = changes,
            Self::Places(places) => document.places = places,
            Self::PathTests(cases) => document.path_tests = cases,
            Self::Crowd(agents) => document.crowd = agents,
            Self::Views(views) => document.views = views,
            Self::Budgets(budgets) => document.budgets = budgets,
            Self::Import(import) => document.import = import,
            Self::Config(config) => document.take(*config),
            Self::Several(edits) => edits.into_iter().for_each(|edit| edit.apply(document)),
        }
        document.normalize();
    }
}
