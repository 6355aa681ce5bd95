//! Files: read whole, and written whole or not at all.

use std::{
    fs,
    io::Write as _,
    path::{Path, PathBuf},
};

use anyhow::Context as _;

/// The bytes of a file.
///
/// # Errors
/// Where it cannot be read; the message names the file.
pub fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    fs::read(path).with_context(|| format!("cannot read {}", path.display()))
}

/// The text of a file.
///
/// # Errors
/// Where it cannot be read or is not UTF-8; the message names the file.
pub fn read_text(path: &Path) -> anyhow::Result<String> {
    String::from_utf8(read(path)?)
        .with_context(|| format!("cannot read {}: it is not text", path.display()))
}

/// Writes `bytes` to `path` so that whoever reads the file sees the old content or the new one, and
/// a failure leaves the old one. A link is followed; an existing file keeps its permissions; what is
/// no regular file, such as a pipe, is written to directly.
///
/// # Errors
/// Where the file cannot be written; the message names it.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let context = || format!("cannot write {}", path.display());
    write_atomically_with(path, |file| file.write_all(bytes).with_context(context))
}

/// As [`write_atomically`], with what `write` writes; where that fails, its error.
///
/// # Errors
/// Where the file cannot be written; the message names it.
pub fn write_atomically_with(
    path: &Path,
    write: impl FnOnce(&mut fs::File) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let context = || format!("cannot write {}", path.display());
    // Only a file that exists has a canonical path; replacing a link itself would cut it off.
    let target = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let existing = fs::metadata(&target).ok();
    if existing.as_ref().is_some_and(|found| !found.is_file() && !found.is_dir()) {
        return write(&mut fs::File::create(&target).with_context(context)?);
    }
    let folder = folder_of(&target);
    let mut file = new_file(&folder).with_context(context)?;
    write(file.as_file_mut())?;
    if let Some(existing) = existing.filter(fs::Metadata::is_file) {
        file.as_file().set_permissions(existing.permissions()).with_context(context)?;
    }
    file.as_file().sync_all().with_context(context)?;
    file.persist(&target).map_err(|error| error.error).with_context(context)?;
    // The name is safe once the folder is; folders cannot be synced everywhere.
    if let Ok(folder) = fs::File::open(&folder) {
        folder.sync_all().ok();
    }
    Ok(())
}

/// The folder that `path` is in.
pub fn folder_of(path: &Path) -> PathBuf {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    parent.unwrap_or_else(|| Path::new(".")).to_owned()
}

/// A nameless file with the permissions that any new file gets, not the private ones of a temporary.
fn new_file(folder: &Path) -> std::io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".walkable-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_and_nothing_is_left_behind() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.bin");
        write_atomically(&path, b"old").unwrap();
        write_atomically(&path, b"new").unwrap();
        assert_eq!(read(&path).unwrap(), b"new");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn errors_name_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("absent").join("out.bin");
        let error = write_atomically(&path, b"x").unwrap_err();
        assert!(error.to_string().contains("absent"), "{error}");
        assert!(read(&path).unwrap_err().to_string().contains("absent"));
        // A folder cannot be replaced by a file.
        assert!(write_atomically(folder.path(), b"x").is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[cfg(unix)]
    #[test]
    fn links_and_permissions_are_kept() {
        use std::os::unix::fs::{PermissionsExt as _, symlink};

        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        fs::write(&file, b"old").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        symlink(&file, &link).unwrap();
        write_atomically(&link, b"new").unwrap();
        assert_eq!(read(&file).unwrap(), b"new");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
        let plain = folder.path().join("plain");
        write_atomically(&plain, b"x").unwrap();
        assert_ne!(fs::metadata(&plain).unwrap().permissions().mode() & 0o044, 0);
    }
}
