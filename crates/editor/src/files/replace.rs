//! Checks before a file is replaced.

use std::{
    fs,
    hash::{DefaultHasher, Hasher as _},
    path::Path,
};

use anyhow::bail;

use super::input;

/// Checks that `path` is a regular file or does not exist: writing to a pipe would block until someone reads.
///
/// # Errors
/// Returns an error that names what is there.
pub fn check_replaceable(path: &Path) -> anyhow::Result<()> {
    match fs::metadata(path).ok().as_ref().and_then(input::irregularity) {
        None => Ok(()),
        Some(kind) => bail!("cannot write {}: it is {kind}", path.display()),
    }
}

/// Returns a hash of a file's contents, to detect changes.
pub fn fingerprint(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(bytes);
    hasher.finish()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_pipe_is_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let why = check_replaceable(&pipe).unwrap_err().to_string();
        assert!(why.contains("a named pipe"), "{why}");
        assert!(check_replaceable(Path::new("/dev/full")).is_err());
        assert!(check_replaceable(folder.path()).is_err(), "a folder");
        assert!(check_replaceable(&folder.path().join("new")).is_ok());
    }
}
