//! Folders of files that can be computed again: each has a key and a checksum, and the oldest are deleted when a folder
//! becomes too large.

use std::{
    fs,
    path::{Path, PathBuf},
    time::SystemTime,
};

use walkable::mesh::StableHash;

use crate::files::{self, Durability, Format};

/// Magic, version and key.
const HEADER_BYTES: usize = 4 + 4 + 16;
/// The hash of everything before it.
const CHECKSUM_BYTES: usize = 16;

#[derive(Debug)]
pub struct DiskCacheKind {
    pub magic: [u8; 4],
    pub version: u32,
    pub ending: &'static str,
    pub format: Format,
    pub max_folder_bytes: u64,
}

/// A folder of files of one kind, named by their keys.
#[derive(Clone, Debug)]
pub struct DiskCache {
    folder: PathBuf,
    kind: &'static DiskCacheKind,
    max_bytes: u64,
}

impl DiskCache {
    /// Uses `folder`, which is created when a file is written.
    pub const fn new(folder: PathBuf, kind: &'static DiskCacheKind) -> Self {
        Self { folder, kind, max_bytes: kind.max_folder_bytes }
    }

    /// Returns the content that is stored for `key`. `None` if there is no file, or if it is damaged, of another
    /// version or longer than `max_bytes`.
    pub fn read(&self, key: u128, max_bytes: u64) -> Option<Vec<u8>> {
        let path = self.path(key);
        let max_bytes = max_bytes.min(self.kind.format.max_bytes());
        let mut bytes = files::read_within(&path, self.kind.format, max_bytes).ok()?;
        let (payload, checksum) = bytes.split_last_chunk::<CHECKSUM_BYTES>()?;
        let is_whole = StableHash::of(payload).to_le_bytes() == *checksum;
        if !is_whole || *payload.first_chunk()? != self.header(key) {
            return None;
        }
        bytes.truncate(bytes.len() - CHECKSUM_BYTES);
        bytes.drain(..HEADER_BYTES);
        Some(bytes)
    }

    /// Writes a file atomically, unless it is too large. Then deletes the oldest files until the folder is small
    /// enough.
    pub fn write(&self, key: u128, contents: &[u8]) -> anyhow::Result<()> {
        let mut bytes = [&self.header(key)[..], contents].concat();
        bytes.extend(StableHash::of(&bytes).to_le_bytes());
        if bytes.len() as u64 > self.kind.format.max_bytes().min(self.max_bytes) {
            return Ok(());
        }
        let path = self.path(key);
        files::create_folder(&self.folder).map_err(|error| {
            anyhow::Error::from(error).context(format!("cannot create {}", self.folder.display()))
        })?;
        files::write_own(&path, &bytes, Durability::Unsynced)?;
        if let Ok(folder) = fs::read_dir(&self.folder) {
            let files = folder.filter_map(Result::ok);
            let files = files.filter_map(|file| CacheFile::of(&file, self.kind.ending)).collect();
            delete_oldest(files, self.max_bytes, Some(&path));
        }
        Ok(())
    }

    pub fn path(&self, key: u128) -> PathBuf {
        self.folder.join(format!("{key:032x}.{}", self.kind.ending))
    }

    fn header(&self, key: u128) -> [u8; HEADER_BYTES] {
        let mut header = [0; HEADER_BYTES];
        header[..4].copy_from_slice(&self.kind.magic);
        header[4..8].copy_from_slice(&self.kind.version.to_le_bytes());
        header[8..].copy_from_slice(&key.to_le_bytes());
        header
    }
}

#[derive(Debug)]
pub struct CacheFile {
    path: PathBuf,
    n_bytes: u64,
    written: SystemTime,
}

impl CacheFile {
    /// Returns `None` if the file has another extension, or if another process has just deleted it.
    pub fn of(entry: &fs::DirEntry, ending: &str) -> Option<Self> {
        let (path, about) = (entry.path(), entry.metadata().ok()?);
        let is_kept = path.extension().is_some_and(|found| found == ending);
        let written = about.modified().ok()?;
        is_kept.then_some(Self { path, n_bytes: about.len(), written })
    }
}

/// Deletes the oldest files, except `newest`, until all have at most `max_bytes`. One that cannot be deleted stays.
pub fn delete_oldest(mut files: Vec<CacheFile>, max_bytes: u64, newest: Option<&Path>) {
    let mut n_bytes: u64 = files.iter().map(|file| file.n_bytes).sum();
    files.sort_by(|a, b| (a.written, &a.path).cmp(&(b.written, &b.path)));
    for CacheFile { path, n_bytes: of_file, .. } in files {
        if n_bytes <= max_bytes {
            break;
        }
        if Some(&*path) != newest && fs::remove_file(path).is_ok() {
            n_bytes -= of_file;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    static KIND: DiskCacheKind = DiskCacheKind {
        magic: *b"TEST",
        version: 3,
        ending: "cache",
        format: Format::Overview,
        max_folder_bytes: 1000,
    };

    fn cache() -> (tempfile::TempDir, DiskCache) {
        let folder = tempfile::tempdir().unwrap();
        let cache = DiskCache::new(folder.path().join("cache"), &KIND);
        (folder, cache)
    }

    #[test]
    fn a_file_is_read_as_it_was_written_for_its_key_only() {
        let (_folder, cache) = cache();
        assert_eq!(cache.read(7, u64::MAX), None);
        cache.write(7, b"contents").unwrap();
        assert_eq!(cache.read(7, 48).as_deref(), Some(&b"contents"[..]));
        assert_eq!(cache.read(7, 47), None, "its size is limited");
        // A file that is renamed to another key is not read.
        fs::copy(cache.path(7), cache.path(8)).unwrap();
        assert_eq!(cache.read(8, u64::MAX), None);
    }

    #[test]
    fn a_damaged_file_is_as_if_it_were_not_there() {
        let (_folder, cache) = cache();
        cache.write(7, b"contents").unwrap();
        let bytes = fs::read(cache.path(7)).unwrap();
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1;
            fs::write(cache.path(7), damaged).unwrap();
            assert_eq!(cache.read(7, u64::MAX), None, "byte {at}");
            fs::write(cache.path(7), &bytes[..at]).unwrap();
            assert_eq!(cache.read(7, u64::MAX), None, "{at} bytes");
        }
        cache.write(7, b"again").unwrap();
        assert_eq!(cache.read(7, u64::MAX).as_deref(), Some(&b"again"[..]));
    }

    #[test]
    fn the_oldest_files_are_deleted() {
        let (_folder, cache) = cache();
        let contents = [0; 340];
        for (age, key) in (1..).zip(0..4) {
            cache.write(key, &contents).unwrap();
            let written = SystemTime::now() - Duration::from_secs(100 - age);
            let file = fs::File::options().write(true).open(cache.path(key)).unwrap();
            file.set_modified(written).unwrap();
        }
        let found = [0, 1, 2, 3].map(|key| cache.read(key, u64::MAX).is_some());
        assert_eq!(found, [false, false, true, true]);
        cache.write(0, &[0; 1000]).unwrap();
        assert!(cache.read(0, u64::MAX).is_none(), "it is too large itself");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_neither_read_nor_written() {
        let (folder, cache) = cache();
        cache.write(7, b"contents").unwrap();
        let theirs = folder.path().join("theirs");
        fs::rename(cache.path(7), &theirs).unwrap();
        std::os::unix::fs::symlink(&theirs, cache.path(7)).unwrap();
        let before = fs::read(&theirs).unwrap();
        assert_eq!(cache.read(7, u64::MAX), None);
        let why = format!("{:#}", cache.write(7, b"other").unwrap_err());
        assert!(why.contains("it is a symbolic link"), "{why}");
        assert_eq!(fs::read(&theirs).unwrap(), before);
    }
}
