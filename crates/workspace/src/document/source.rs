//! The level that a project refers to.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum LevelSource {
    File(#[serde(with = "crate::path_text")] PathBuf),
    Builtin(String),
}

impl LevelSource {
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::File(path) => Some(path),
            Self::Builtin(_) => None,
        }
    }

    /// Returns the name for titles and lists: that of a file without its folder, that of a built-in level with a
    /// capital letter.
    pub fn name(&self) -> String {
        match self {
            Self::File(path) => path.file_name().map_or_else(
                || path.display().to_string(),
                |name| name.to_string_lossy().into_owned(),
            ),
            Self::Builtin(name) => {
                let mut chars = name.chars();
                let first = chars.next().map(|first| first.to_ascii_uppercase());
                first.into_iter().chain(chars).collect()
            }
        }
    }
}
