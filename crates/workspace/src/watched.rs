//! Watches files that other programs may change.

use std::{fs, path::PathBuf, time::SystemTime};

/// Modification times and sizes of the files; `None` while one is missing.
type Stamps = Option<Vec<(SystemTime, u64)>>;

#[derive(Debug, Default)]
pub struct Watched {
    files: Vec<PathBuf>,
    known: Stamps,
    last: Stamps,
}

impl Watched {
    /// Watches `files`; their current state counts as read.
    pub fn known(files: Vec<PathBuf>) -> Self {
        let mut watched = Self { files, known: None, last: None };
        watched.note();
        watched
    }

    /// Watches `files` from now on. If the list has changed, the files count as changed, since they may have been
    /// modified after they were read.
    pub fn follow(&mut self, files: Vec<PathBuf>) {
        if files != self.files {
            *self = Self { files, known: None, last: None };
        }
    }

    /// Records the current state as read; called just before reading.
    pub fn note(&mut self) {
        self.known = self.stamps();
        self.last.clone_from(&self.known);
    }

    /// Checks the files; returns whether they differ from what was read last and have not changed since the previous
    /// check, so that the writer has probably finished. They then count as read.
    pub fn has_changed(&mut self) -> bool {
        let now = self.stamps();
        // A missing file may be about to be replaced.
        let changed = now.is_some() && now != self.known && now == self.last;
        if changed {
            self.known.clone_from(&now);
        }
        self.last = now;
        changed
    }

    fn stamps(&self) -> Stamps {
        let stamp = |file: &PathBuf| {
            let found = fs::metadata(file).ok().filter(fs::Metadata::is_file)?;
            Some((found.modified().ok()?, found.len()))
        };
        self.files.iter().map(stamp).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_reported_once_after_it_ends() {
        let folder = tempfile::tempdir().unwrap();
        let (a, b) = (folder.path().join("a"), folder.path().join("b"));
        fs::write(&a, "one").unwrap();
        let mut watched = Watched::default();
        watched.follow(vec![a.clone(), b.clone()]);
        assert!(!watched.has_changed() && !watched.has_changed(), "one file is missing");
        fs::write(&b, "two").unwrap();
        assert!(!watched.has_changed(), "it may still be written");
        assert!(watched.has_changed());
        assert!(!watched.has_changed());
        fs::write(&b, "longer").unwrap();
        assert!(!watched.has_changed());
        fs::write(&b, "longer still").unwrap();
        assert!(!watched.has_changed(), "it is still being written");
        assert!(watched.has_changed() && !watched.has_changed());
        fs::write(&a, "another").unwrap();
        watched.note();
        assert!(!watched.has_changed(), "it was read meanwhile");
        fs::remove_file(&a).unwrap();
        assert!(!watched.has_changed() && !watched.has_changed());
        fs::write(&a, "back again").unwrap();
        assert!(!watched.has_changed() && watched.has_changed());
        watched.follow(vec![a.clone(), b]);
        assert!(!watched.has_changed(), "they are the same files");
        watched.follow(vec![a]);
        assert!(!watched.has_changed() && watched.has_changed(), "others count as changed");
    }
}
