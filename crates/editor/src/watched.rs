//! Files that other programs may write anew.

use std::{fs, path::PathBuf, time::SystemTime};

/// What tells one state of files from another; none while one is gone.
type Stamps = Option<Vec<(SystemTime, u64)>>;

/// Some files, looked at again and again.
#[derive(Debug, Default)]
pub struct Watched {
    files: Vec<PathBuf>,
    /// As they were when they were last read.
    known: Stamps,
    /// As they were at the last look.
    last: Stamps,
}

impl Watched {
    /// Looks after `files`, which are known as they are now.
    pub fn known(files: Vec<PathBuf>) -> Self {
        let mut watched = Self { files, known: None, last: None };
        watched.note();
        watched
    }

    /// Watches `files` from now on. If the list differs from the one before, they count as changed: nobody knows
    /// what happened to them since they were read.
    pub fn follow(&mut self, files: Vec<PathBuf>) {
        if files != self.files {
            *self = Self { files, known: None, last: None };
        }
    }

    /// The files are about to be read as they are now.
    pub fn note(&mut self) {
        self.known = self.stamps();
        self.last.clone_from(&self.known);
    }

    /// Checks the files: returns whether they differ from what was read last and are the same as at the check before: whoever
    /// writes them has finished by then. They count as read after that.
    pub fn has_changed(&mut self) -> bool {
        let now = self.stamps();
        // A file that is gone may be on its way to be replaced.
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
    fn a_change_is_told_once_and_after_its_end() {
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
