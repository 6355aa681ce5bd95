//! A folder with the overviews of levels larger than memory, so that opening one again does not read the whole level.

use std::{path::PathBuf, sync::Arc};

use glam::Vec3;
use walkable::{
    diagnostic::Phrase,
    geom::Aabb,
    mesh::{MeshPart, StableHash, TriMesh},
    phrase,
};
use walkable_workspace::{
    disk_cache::{DiskCache, DiskCacheKind},
    files::Format,
    lang,
};

use crate::session::Overview;

static KIND: DiskCacheKind = DiskCacheKind {
    magic: *b"WOVW",
    // Changes with the simplification, too.
    version: 1,
    ending: "overview",
    format: Format::Overview,
    max_folder_bytes: 256 << 20,
};
/// Maximum number of vertices: a triangle can have three of its own.
const MAX_VERTICES: usize = 3 * Overview::MAX_TRIANGLES;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OverviewKey {
    pub hash: u128,
    pub bounds: Aabb,
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

#[derive(Clone, Debug)]
pub struct OverviewStore(DiskCache);

impl OverviewStore {
    pub const fn new(folder: PathBuf) -> Self {
        Self(DiskCache::new(folder, &KIND))
    }

    /// Returns the triangles of an overview; `None` if it is not stored, damaged or of another version.
    pub fn read(&self, key: &OverviewKey) -> Option<TriMesh> {
        parse_overview(&self.0.read(key.finish(), u64::MAX)?)
    }

    /// Stores an overview atomically, unless it is too large; then deletes the oldest overviews until the folder is
    /// small enough. Errors name the file or the folder.
    pub fn write(&self, key: &OverviewKey, mesh: &TriMesh) -> anyhow::Result<()> {
        let mut bytes = Vec::new();
        put_overview(&mut bytes, mesh);
        self.0.write(key.finish(), &bytes)
    }

    /// Like [`OverviewStore::write`], but returns a message for the user if that fails.
    pub(crate) fn write_reporting(&self, key: &OverviewKey, mesh: &TriMesh) -> Option<Phrase> {
        let why = lang::error(&self.write(key, mesh).err()?);
        Some(phrase!("The overview is not stored: {why}", why))
    }
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
        assert_eq!(store.read(&key), Some(mesh));
        for other in [
            OverviewKey { hash: 8, ..key },
            OverviewKey { n_triangles: key.n_triangles + 1, ..key },
            OverviewKey { bounds: Aabb::new(key.bounds.min, Vec3::ONE * 1e3), ..key },
        ] {
            assert_eq!(store.read(&other), None);
        }
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
}
