//! Files: written whole or not at all.

use std::{io::Write as _, path::Path};

use anyhow::Context as _;

/// Writes `bytes` to `path` so that whoever reads the file sees the old content or the new one, and
/// a failure leaves the old one.
///
/// # Errors
/// Where the folder cannot be written to; the message names the file.
pub(crate) fn write_atomically(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or_else(|| Path::new("."));
    let context = || format!("cannot write {}", path.display());
    let mut file = tempfile::NamedTempFile::new_in(folder).with_context(context)?;
    file.write_all(bytes).with_context(context)?;
    file.as_file().sync_all().with_context(context)?;
    file.persist(path).map_err(|error| error.error).with_context(context)?;
    Ok(())
}
