//! What the user authors.

use glam::Vec3;
use serde::{Deserialize, Serialize};
use walkable::{
    bake::{AreaVolume, BakeConfig, BakeSettings, OffMeshLink, SurfaceRule},
    geom::Aabb,
    mesh::ImportOptions,
};

use super::{
    Look, Named,
    history::Bakes,
    named::{are_alike, bare, nameless},
};

/// Everything that is saved and that undo takes back.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Document {
    /// The agent and the grid.
    pub(crate) settings: BakeSettings,
    /// How the level's file is read.
    pub(crate) import: ImportOptions,
    /// Painted areas.
    pub(crate) volumes: Vec<Named<AreaVolume>>,
    /// Connections.
    pub(crate) off_mesh: Vec<Named<OffMeshLink>>,
    /// What objects and materials become.
    pub(crate) surfaces: Vec<SurfaceRule>,
    /// Boxes to which the bake is limited.
    pub(crate) bounds: Vec<Named<Aabb>>,
    /// Settings kept under a name.
    pub(crate) presets: Vec<OwnPreset>,
    /// Paths to come back to.
    pub(crate) paths: Vec<Named<SavedPath>>,
    /// Looks to come back to.
    pub(crate) views: Vec<Named<Look>>,
}

/// Settings that the user gave a name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct OwnPreset {
    /// Its name.
    pub(crate) name: String,
    /// The settings.
    pub(crate) settings: BakeSettings,
}

/// Two places that the user keeps.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct SavedPath {
    /// Where it starts, in world space.
    pub(crate) start: Vec3,
    /// Where it ends.
    pub(crate) end: Vec3,
}

impl Document {
    /// A document with what a settings file holds.
    pub(crate) fn new(config: BakeConfig, import: ImportOptions) -> Self {
        let mut document = Self { import, ..Self::default() };
        document.take(config);
        document
    }

    /// Replaces what a settings file holds.
    fn take(&mut self, config: BakeConfig) {
        let BakeConfig { settings, volumes, off_mesh, surfaces, bounds } = config;
        (self.settings, self.surfaces, self.bounds) = (settings, surfaces, nameless(bounds));
        (self.volumes, self.off_mesh) = (nameless(volumes), nameless(off_mesh));
    }

    /// What a bake depends on: all that a settings file holds.
    pub(crate) fn config(&self) -> BakeConfig {
        let Self { settings, surfaces, .. } = self.clone();
        let (volumes, off_mesh) = (bare(&self.volumes), bare(&self.off_mesh));
        let bounds = bare(&self.bounds);
        BakeConfig { settings, volumes, off_mesh, surfaces, bounds }
    }
}

impl Bakes for Document {
    fn bakes_like(&self, other: &Self) -> bool {
        let Self { settings, volumes, off_mesh, surfaces, bounds, .. } = self;
        *settings == other.settings
            && *surfaces == other.surfaces
            && are_alike(volumes, &other.volumes)
            && are_alike(off_mesh, &other.off_mesh)
            && are_alike(bounds, &other.bounds)
    }
}

/// A change of the document. No edit has an inverse: undo goes back to a snapshot.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Edit {
    /// Replaces the settings.
    Settings(Box<BakeSettings>),
    /// Replaces the import options; the level is read again.
    Import(ImportOptions),
    /// Replaces the volumes.
    Volumes(Vec<Named<AreaVolume>>),
    /// Replaces the connections.
    Links(Vec<Named<OffMeshLink>>),
    /// Replaces what objects and materials become.
    Surfaces(Vec<SurfaceRule>),
    /// Replaces the boxes to which the bake is limited.
    Bounds(Vec<Named<Aabb>>),
    /// Replaces the settings kept under names.
    Presets(Vec<OwnPreset>),
    /// Replaces the paths kept.
    Paths(Vec<Named<SavedPath>>),
    /// Replaces the views kept.
    Views(Vec<Named<Look>>),
    /// Replaces everything that a settings file holds.
    Config(Box<BakeConfig>),
}

impl Edit {
    /// Makes the change.
    pub(crate) fn apply(self, document: &mut Document) {
        match self {
            Self::Settings(settings) => document.settings = *settings,
            Self::Volumes(volumes) => document.volumes = volumes,
            Self::Links(links) => document.off_mesh = links,
            Self::Surfaces(surfaces) => document.surfaces = surfaces,
            Self::Bounds(bounds) => document.bounds = bounds,
            Self::Presets(presets) => document.presets = presets,
            Self::Paths(paths) => document.paths = paths,
            Self::Views(views) => document.views = views,
            Self::Import(import) => document.import = import,
            Self::Config(config) => document.take(*config),
        }
    }
}
