//! What the user authors.

use walkable::{
    bake::{AreaVolume, BakeConfig, BakeSettings, OffMeshLink, SurfaceRule},
    geom::Aabb,
    mesh::ImportOptions,
};

/// Everything that undo takes back.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Document {
    /// The agent and the grid.
    pub(crate) settings: BakeSettings,
    /// How the level's file is read.
    pub(crate) import: ImportOptions,
    /// Painted areas.
    pub(crate) volumes: Vec<AreaVolume>,
    /// Connections.
    pub(crate) off_mesh: Vec<OffMeshLink>,
    /// What objects and materials become.
    pub(crate) surfaces: Vec<SurfaceRule>,
    /// Boxes to which the bake is limited.
    pub(crate) bounds: Vec<Aabb>,
}

impl Document {
    /// A document with what a settings file holds.
    pub(crate) fn new(config: BakeConfig, import: ImportOptions) -> Self {
        let BakeConfig { settings, volumes, off_mesh, surfaces, bounds } = config;
        Self { settings, import, volumes, off_mesh, surfaces, bounds }
    }

    /// What a settings file holds of it: all but the import options.
    pub(crate) fn config(&self) -> BakeConfig {
        let Self { settings, volumes, off_mesh, surfaces, bounds, .. } = self.clone();
        BakeConfig { settings, volumes, off_mesh, surfaces, bounds }
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
    Volumes(Vec<AreaVolume>),
    /// Replaces the connections.
    Links(Vec<OffMeshLink>),
    /// Replaces what objects and materials become.
    Surfaces(Vec<SurfaceRule>),
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
            Self::Import(import) => document.import = import,
            Self::Config(config) => *document = Document::new(*config, document.import),
        }
    }
}
