//! The folder of the overviews of levels larger than memory, one file for each level, so that opening one again does not
//! read the whole level.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
    time::SystemTime,
};

use glam::Vec3;
use walkable::{
    geom::Aabb,
    mesh::{MeshPart, StableHash, TriMesh},
};

use crate::{
    files::{self, Format},
    session::Overview,
};

/// Maximum size of the folder, in bytes.
const MAX_FOLDER_BYTES: u64 = 256 << 20;
/// Extension of the files.
const ENDING: &str = "overview";
/// First bytes of a file.
const MAGIC: [u8; 4] = *b"WOVW";
/// Version of the format, and of the simplification.
const VERSION: u32 = 1;
/// Magic, version and key.
const HEADER_BYTES: usize = 4 + 4 + 16;
/// The hash of everything before it.
const CHECKSUM_BYTES: usize = 16;
/// Maximum number of vertices: a triangle can have three of its own.
const MAX_VERTICES: usize = 3 * Overview::MAX_TRIANGLES;

/// The level of an overview.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OverviewKey {
    /// Hash of its file.
    pub hash: u128,
    /// Its bounds.
    pub bounds: Aabb,
    /// Number of its triangles.
    pub n_triangles: usize,
}

impl OverviewKey {
    fn finish(&self) -> u128 {
        let mut hash = StableHash::new();
        hash.bytes(&self.hash.to_le_bytes());
        for number in [self.bounds.min, self.bounds.max].iter().flat_map(Vec3::to_array) {
            hash.bytes(&number.to_le_bytes());
        }
        hash.bytes(&(self.n_triangles as u64).to_le_bytes());
        hash.finish()
    }
}

/// The folder of the overviews.
#[derive(Clone, Debug)]
pub struct OverviewStore {
    folder: PathBuf,
    max_bytes: u64,
}

impl OverviewStore {
    /// Uses `folder`, which is created when an overview is stored.
    pub const fn new(folder: PathBuf) -> Self {
        Self { folder, max_bytes: MAX_FOLDER_BYTES }
    }

    /// Returns the triangles of an overview; `None` if it is not stored, damaged or of another version.
    pub fn read(&self, key: &OverviewKey) -> Option<TriMesh> {
        let path = self.path(key);
        let bytes = files::is_file(&path).then(|| files::read(&path, Format::Overview).ok())??;
        let (payload, checksum) =
            bytes.split_at_checked(bytes.len().checked_sub(CHECKSUM_BYTES)?)?;
        let is_whole = StableHash::of(payload).to_le_bytes() == *checksum;
        let (header, content) = payload.split_at_checked(HEADER_BYTES)?;
        (is_whole && *header == header_of(key)).then(|| parse_overview(content))?
    }

    /// Stores the triangles of an overview atomically, and deletes the oldest ones if the folder becomes too large. Stores
    /// nothing if it is too large itself.
    ///
    /// # Errors
    /// Returns an error that names the file if it cannot be written.
    pub fn write(&self, key: &OverviewKey, mesh: &TriMesh) -> anyhow::Result<()> {
        let mut bytes = header_of(key).to_vec();
        put_overview(&mut bytes, mesh);
        bytes.extend(StableHash::of(&bytes).to_le_bytes());
        if bytes.len() as u64 > Format::Overview.max_bytes().min(self.max_bytes) {
            return Ok(());
        }
        let path = self.path(key);
        files::create_folder(&self.folder).map_err(|error| {
            anyhow::Error::from(error).context(format!("cannot create {}", self.folder.display()))
        })?;
        files::write_atomically_unsynced(&path, &bytes)?;
        self.trim(&path);
        Ok(())
    }

    /// Deletes the oldest entries, except `newest`, until the rest is small enough. One that cannot be deleted stays.
    fn trim(&self, newest: &Path) {
        let Ok(folder) = fs::read_dir(&self.folder) else { return };
        let mut entries: Vec<(SystemTime, u64, PathBuf)> = folder
            .filter_map(|entry| {
                let entry = entry.ok()?;
                let (path, about) = (entry.path(), entry.metadata().ok()?);
                let is_entry = path.extension().is_some_and(|ending| ending == ENDING);
                is_entry.then_some((about.modified().ok()?, about.len(), path))
            })
            .collect();
        let mut n_bytes: u64 = entries.iter().map(|(_, n_bytes, _)| n_bytes).sum();
        entries.retain(|(.., path)| path != newest);
        entries.sort();
        for (_, of_entry, path) in entries {
            if n_bytes <= self.max_bytes {
                break;
            }
            if fs::remove_file(path).is_ok() {
                n_bytes -= of_entry;
            }
        }
    }

    fn path(&self, key: &OverviewKey) -> PathBuf {
        self.folder.join(format!("{:032x}.{ENDING}", key.finish()))
    }
}

fn header_of(key: &OverviewKey) -> [u8; HEADER_BYTES] {
    let mut header = [0; HEADER_BYTES];
    header[..4].copy_from_slice(&MAGIC);
    header[4..8].copy_from_slice(&VERSION.to_le_bytes());
    header[8..].copy_from_slice(&key.finish().to_le_bytes());
    header
}

fn put_overview(bytes: &mut Vec<u8>, mesh: &TriMesh) {
    let counts = [mesh.vertices().len(), mesh.triangles().len(), mesh.parts().len()];
    bytes.extend(counts.iter().flat_map(|&n| (n as u64).to_le_bytes()));
    for vertex in mesh.vertices() {
        bytes.extend(vertex.to_array().iter().flat_map(|number| number.to_le_bytes()));
    }
    for triangle in mesh.triangles() {
        bytes.extend(triangle.iter().flat_map(|index| index.to_le_bytes()));
    }
    for part in mesh.parts() {
        bytes.extend(part.triangles.end.to_le_bytes());
        bytes.extend((part.material.len() as u64).to_le_bytes());
        bytes.extend(part.material.as_bytes());
    }
}

/// Parses the content of a file, without header and checksum; `None` if it is damaged. Takes memory in proportion to the
/// bytes, and for at most the triangles of an overview.
pub fn parse_overview(bytes: &[u8]) -> Option<TriMesh> {
    let mut bytes = bytes;
    let mut count = |max: usize| {
        let n = usize::try_from(u64::from_le_bytes(take(&mut bytes)?)).ok()?;
        (n <= max).then_some(n)
    };
    let n_vertices = count(MAX_VERTICES)?;
    let n_triangles = count(Overview::MAX_TRIANGLES)?;
    let n_parts = count(n_triangles)?;
    let words = |bytes: &mut &[u8], n: usize| -> Option<Vec<[[u8; 4]; 3]>> {
        let (words, rest) = bytes.split_at_checked(n.checked_mul(12)?)?;
        *bytes = rest;
        let (triples, _) = words.as_chunks::<12>();
        Some(
            triples
                .iter()
                .map(|triple| [0, 4, 8].map(|at| [0, 1, 2, 3].map(|by| triple[at + by])))
                .collect(),
        )
    };
    let vertices = words(&mut bytes, n_vertices)?;
    let vertices = vertices.into_iter().map(|vertex| vertex.map(f32::from_le_bytes).into());
    let triangles = words(&mut bytes, n_triangles)?;
    let triangles = triangles.into_iter().map(|triangle| triangle.map(u32::from_le_bytes));
    let (mut parts, mut start) = (Vec::new(), 0);
    for _ in 0..n_parts {
        let end = u32::from_le_bytes(take(&mut bytes)?);
        let n_bytes = usize::try_from(u64::from_le_bytes(take(&mut bytes)?)).ok()?;
        let (name, rest) = bytes.split_at_checked(n_bytes)?;
        bytes = rest;
        let material = Arc::from(std::str::from_utf8(name).ok()?);
        parts.push(MeshPart { object: Arc::default(), material, triangles: start..end });
        start = end;
    }
    if !bytes.is_empty() {
        return None;
    }
    TriMesh::with_parts(vertices.collect(), triangles.collect(), parts).ok()
}

fn take<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (taken, rest) = bytes.split_first_chunk::<N>()?;
    *bytes = rest;
    Some(*taken)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use walkable::{
        debug_draw::CoarseStream,
        level::{LevelKind, generate},
    };

    use super::*;

    fn overview(seed: u64) -> (OverviewKey, TriMesh) {
        let mesh = generate(LevelKind::Terrain, seed, 30.0).unwrap().mesh;
        let mut stream = CoarseStream::new(&mesh.bounds(), 500);
        (0..mesh.triangles().len())
            .for_each(|index| stream.add(mesh.corners(index), u32::from(index % 2 == 0)));
        let names = ["rock".into(), "grass".into()];
        let made = stream.mesh(&names).unwrap();
        assert_eq!(made.parts().len(), 2);
        let n_triangles = mesh.triangles().len();
        (OverviewKey { hash: 7, bounds: mesh.bounds(), n_triangles }, made)
    }

    fn store() -> (tempfile::TempDir, OverviewStore) {
        let folder = tempfile::tempdir().unwrap();
        let store = OverviewStore::new(folder.path().join("overviews"));
        (folder, store)
    }

    #[test]
    fn an_overview_is_read_as_it_was_written_for_its_level_only() {
        let (_folder, store) = store();
        let (key, mesh) = overview(1);
        assert_eq!(store.read(&key), None);
        store.write(&key, &mesh).unwrap();
        assert_eq!(store.read(&key), Some(mesh.clone()));
        for other in [
            OverviewKey { hash: 8, ..key },
            OverviewKey { n_triangles: key.n_triangles + 1, ..key },
            OverviewKey { bounds: Aabb::new(key.bounds.min, Vec3::ONE * 1e3), ..key },
        ] {
            assert_eq!(store.read(&other), None);
            // Also under the name of the other level.
            fs::copy(store.path(&key), store.path(&other)).unwrap();
            assert_eq!(store.read(&other), None);
        }
    }

    #[test]
    fn a_damaged_overview_is_as_if_it_were_not_stored() {
        let (_folder, store) = store();
        let (key, mesh) = overview(1);
        store.write(&key, &mesh).unwrap();
        let path = store.path(&key);
        let bytes = fs::read(&path).unwrap();
        for at in [0, 5, 10, HEADER_BYTES, bytes.len() / 2, bytes.len() - 1] {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1;
            fs::write(&path, damaged).unwrap();
            assert_eq!(store.read(&key), None, "byte {at}");
        }
        for n in [0, 15, 40, bytes.len() - 1] {
            fs::write(&path, &bytes[..n]).unwrap();
            assert_eq!(store.read(&key), None, "{n} bytes");
        }
        store.write(&key, &mesh).unwrap();
        assert_eq!(store.read(&key), Some(mesh));
    }

    #[test]
    fn counts_do_not_decide_memory() {
        let (_, mesh) = overview(1);
        let mut bytes = Vec::new();
        put_overview(&mut bytes, &mesh);
        assert_eq!(parse_overview(&bytes), Some(mesh));
        for (at, n) in [(0, u64::MAX), (8, u64::MAX), (16, u64::MAX), (8, 400_001), (0, 1_000_000)]
        {
            let mut wrong = bytes.clone();
            wrong[at..at + 8].copy_from_slice(&n.to_le_bytes());
            assert_eq!(parse_overview(&wrong), None, "{n} at {at}");
        }
    }

    #[test]
    fn the_oldest_overviews_are_deleted() {
        let (_folder, mut store) = store();
        let entries: Vec<_> = (0..4_u128)
            .map(|hash| {
                let (key, mesh) = overview(1);
                (OverviewKey { hash, ..key }, mesh)
            })
            .collect();
        store.write(&entries[0].0, &entries[0].1).unwrap();
        let n_bytes = fs::metadata(store.path(&entries[0].0)).unwrap().len();
        store.max_bytes = 2 * n_bytes + n_bytes / 2;
        for (age, (key, mesh)) in (1..).zip(&entries) {
            store.write(key, mesh).unwrap();
            let written = SystemTime::now() - Duration::from_secs(100 - age);
            let file = fs::File::options().write(true).open(store.path(key)).unwrap();
            file.set_modified(written).unwrap();
        }
        let found: Vec<_> = entries.iter().map(|(key, _)| store.read(key).is_some()).collect();
        assert_eq!(found, [false, false, true, true]);
        store.max_bytes = n_bytes - 1;
        store.write(&entries[0].0, &entries[0].1).unwrap();
        assert!(store.read(&entries[0].0).is_none(), "it is too large itself");
    }
}
