//! Extensions of files that are treated specially before they are read.

/// The extension of tile stores.
pub(super) const TILE_STORE: &str = "tiles";
/// The extension of projects.
pub(super) const PROJECT: &str = "walkable";
