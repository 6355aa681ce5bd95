//! Extensions of files that are treated specially before they are read.

pub(super) const TILE_STORE: &str = "tiles";
pub(super) const PROJECT: &str = "walkable";
