//! Levels larger than memory.

use std::path::PathBuf;

use walkable::bake::BakeConfig;

/// A level larger than memory as it is baked tile by tile, with the settings of the document.
#[derive(Clone, Debug, PartialEq)]
pub struct WholeLevel {
    pub path: PathBuf,
    /// Hash of the file as it was opened.
    pub hash: u128,
    pub config: BakeConfig,
    /// Whether tiles are read from the tile cache and stored there.
    pub uses_cache: bool,
}
