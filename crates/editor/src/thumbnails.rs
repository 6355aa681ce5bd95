//! The folder of the small pictures of recent levels, one PNG file for each, that the start page shows.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use walkable::mesh::StableHash;
use walkable_workspace::files::{self, Durability, Format};

use crate::session::LevelSource;

pub const MAX_BYTES: u64 = 256 << 10;
const ENDING: &str = "png";

#[derive(Clone, Debug)]
pub struct ThumbnailFolder(PathBuf);

impl ThumbnailFolder {
    /// Uses `folder`, which is created when a picture is written.
    pub fn new(folder: PathBuf) -> Self {
        Self(folder)
    }

    /// Returns the bytes of the picture of `source`; `None` if there is none, or if it cannot be read.
    pub fn read(&self, source: &LevelSource) -> Option<Vec<u8>> {
        files::read_within(&self.path(source), Format::Picture, MAX_BYTES).ok()
    }

    /// Writes the picture of `source` atomically, and removes the pictures of levels that are not in `recent`. Fails if
    /// the picture is too large.
    pub fn write(
        &self,
        source: &LevelSource,
        bytes: &[u8],
        recent: &[LevelSource],
    ) -> anyhow::Result<()> {
        let path = self.path(source);
        let n_bytes = bytes.len() as u64;
        anyhow::ensure!(n_bytes <= MAX_BYTES, "{}: {n_bytes} bytes are too many", path.display());
        files::create_folder(&self.0)?;
        self.remove_others(recent);
        files::write_own(&path, bytes, Durability::Synced)
    }

    /// Removes the pictures of all levels that are not in `recent`. One that cannot be removed stays.
    fn remove_others(&self, recent: &[LevelSource]) {
        let kept: BTreeSet<String> = recent.iter().map(file_name).collect();
        for path in files::files_in(&self.0) {
            let is_picture = path.extension().is_some_and(|ending| ending == ENDING);
            let name = path.file_name().and_then(|name| name.to_str());
            if is_picture && !name.is_some_and(|name| kept.contains(name)) {
                files::remove(&path).ok();
            }
        }
    }

    fn path(&self, source: &LevelSource) -> PathBuf {
        self.0.join(file_name(source))
    }
}

fn file_name(source: &LevelSource) -> String {
    let (kind, name): (&str, &Path) = match source {
        LevelSource::File(path) => ("file", path),
        LevelSource::Builtin(name) => ("builtin", Path::new(name)),
    };
    let mut hash = StableHash::new();
    hash.text(kind);
    hash.bytes(name.as_os_str().as_encoded_bytes());
    format!("{:032x}.{ENDING}", hash.finish())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn pictures_are_kept_for_recent_levels_only() {
        let folder = tempfile::tempdir().unwrap();
        let thumbnails = ThumbnailFolder::new(folder.path().join("thumbnails"));
        let [castle, maze] = ["castle", "maze"].map(|name| LevelSource::Builtin(name.to_owned()));
        let file = LevelSource::File("castle".into());
        assert_eq!(thumbnails.read(&castle), None);
        thumbnails.write(&castle, b"castle", std::slice::from_ref(&castle)).unwrap();
        let both = [castle.clone(), file.clone()];
        thumbnails.write(&file, b"file", &both).unwrap();
        assert_eq!(thumbnails.read(&castle).as_deref(), Some(&b"castle"[..]));
        assert_eq!(thumbnails.read(&file).as_deref(), Some(&b"file"[..]));
        let other = folder.path().join("thumbnails/notes.txt");
        fs::write(&other, "not ours").unwrap();
        thumbnails.write(&maze, b"maze", &[maze.clone(), file.clone()]).unwrap();
        assert_eq!(thumbnails.read(&castle), None, "it is no longer recent");
        assert!(thumbnails.read(&file).is_some() && thumbnails.read(&maze).is_some());
        assert!(other.exists());
    }

    #[test]
    fn large_files_are_neither_written_nor_read() {
        let folder = tempfile::tempdir().unwrap();
        let thumbnails = ThumbnailFolder::new(folder.path().to_owned());
        let maze = LevelSource::Builtin("maze".to_owned());
        let recent = [maze.clone()];
        let large = vec![0; usize::try_from(MAX_BYTES).unwrap() + 1];
        assert!(thumbnails.write(&maze, &large, &recent).is_err());
        assert_eq!(thumbnails.read(&maze), None);
        thumbnails.write(&maze, &large[1..], &recent).unwrap();
        assert!(thumbnails.read(&maze).is_some());
        fs::write(folder.path().join(file_name(&maze)), &large).unwrap();
        assert_eq!(thumbnails.read(&maze), None);
    }
}
