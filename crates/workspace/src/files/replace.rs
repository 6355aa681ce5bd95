//! Checks before a file is replaced.

use std::{
    hash::{DefaultHasher, Hasher as _},
    path::Path,
};

use anyhow::bail;

use super::{NamedBy, opened};

/// Checks that `path` is a regular file or does not exist. Writing to a pipe would block until someone reads from it.
pub fn check_replaceable(path: &Path, named: NamedBy) -> anyhow::Result<()> {
    let found = opened::found_at(path, named).ok().flatten();
    match found.and_then(|found| opened::irregularity(found.file_type())) {
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
        let why = check_replaceable(&pipe, NamedBy::User).unwrap_err().to_string();
        assert!(why.contains("a named pipe"), "{why}");
        assert!(check_replaceable(Path::new("/dev/full"), NamedBy::User).is_err());
        assert!(check_replaceable(folder.path(), NamedBy::User).is_err(), "a folder");
        assert!(check_replaceable(&folder.path().join("new"), NamedBy::User).is_ok());
    }
}
