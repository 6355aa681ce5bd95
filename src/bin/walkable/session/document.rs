//! What the user authors.

use walkable::bake::{AreaVolume, BakeSettings, OffMeshLink};

/// Everything that undo takes back.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Document {
    /// The agent and the grid.
    pub(crate) settings: BakeSettings,
    /// Painted areas.
    pub(crate) volumes: Vec<AreaVolume>,
    /// Connections.
    pub(crate) off_mesh: Vec<OffMeshLink>,
}

/// A change of the document. No edit has an inverse: undo goes back to a snapshot.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Edit {
    /// Replaces the settings.
    Settings(Box<BakeSettings>),
}

impl Edit {
    /// Makes the change.
    pub(crate) fn apply(self, document: &mut Document) {
        match self {
            Self::Settings(settings) => document.settings = *settings,
        }
    }
}
