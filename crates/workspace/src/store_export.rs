//! Writes tile stores of any size in other formats, for the window and for `walkable export`.

use std::{
    fs::File,
    io::{self, BufWriter, Read, Seek, Write},
    path::Path,
    sync::Arc,
};

use anyhow::Context as _;
use walkable::{
    bake::{AreaTable, BakeSettings},
    export::{ExportFormat, ExportInput},
    monitor::Monitor,
    navmesh::{NavMesh, Tile, TilePlace, format::TileSetWriter},
    phrase,
    store::{StoreEntry, StoreError, StoreWriter, TileStore},
};

use crate::files;

/// Returns whether files in this format are written tile by tile. Other formats need all tiles in memory.
pub const fn is_streamed(format: ExportFormat) -> bool {
    match format {
        ExportFormat::Detour | ExportFormat::TileStore => true,
        ExportFormat::Glb
        | ExportFormat::Gltf
        | ExportFormat::Godot
        | ExportFormat::GodotMesh
        | ExportFormat::Godot3
        | ExportFormat::Rerecast
        | ExportFormat::Obj
        | ExportFormat::Ply
        | ExportFormat::Json
        | ExportFormat::PolygonMap => false,
    }
}

#[derive(Debug)]
pub struct StoreExport<'a, F> {
    pub store: &'a TileStore,
    pub file: F,
    pub areas: &'a AreaTable,
    /// The settings that the tiles were baked with, for formats that have some of them; `None` if they are unknown.
    pub settings: Option<&'a BakeSettings>,
    /// Maximum memory of the navmesh in formats that are not written tile by tile, in bytes.
    pub max_bytes: u64,
}

impl<F: Read + Seek> StoreExport<'_, F> {
    /// Writes all tiles to a file, which appears when it is complete. Calls `entered` with the number of tiles read so
    /// far and the number of all tiles. Returns the size in bytes. Fails if a tile is damaged, or if the format needs
    /// all tiles in memory at once and they do not fit.
    pub fn write(
        &mut self,
        format: ExportFormat,
        path: &Path,
        entered: &mut dyn FnMut([usize; 2]),
        monitor: &dyn Monitor,
    ) -> anyhow::Result<u64> {
        if format == ExportFormat::Detour {
            self.write_tile_set(path, entered, monitor)
        } else if format == ExportFormat::TileStore {
            self.write_store(path, entered, monitor)
        } else {
            self.write_whole(format, path, entered, monitor)
        }
    }

    /// Returns a navmesh with only the tile at `place`, as it is in the navmesh of all tiles; `None` if there is no
    /// tile. If the tile has off-mesh links, also reads the tiles around it. Fails if one of the tiles is damaged.
    pub fn tile_at(&mut self, place: TilePlace) -> anyhow::Result<Option<NavMesh>> {
        let store = self.store;
        let Some(entry) = store.entry(place).filter(|entry| entry.n_tile > 0) else {
            return Ok(None);
        };
        let empty = store.nav_mesh_of(Vec::new())?;
        let tile = self.linked_tile(&empty, entry)?;
        Ok(Some(NavMesh::of_tiles(*store.params(), store.width(), vec![tile])?))
    }

    fn write_tile_set(
        &mut self,
        path: &Path,
        entered: &mut dyn FnMut([usize; 2]),
        monitor: &dyn Monitor,
    ) -> anyhow::Result<u64> {
        let store = self.store;
        let n_all = store.ground_entries().count();
        let n_tiles = u32::try_from(n_all).context("the store has too many tiles")?;
        let empty = store.nav_mesh_of(Vec::new())?;
        let named = || format!("cannot write {}", path.display());
        write_counted(path, |to| {
            let (params, width) = (store.params(), store.width());
            let mut writer = TileSetWriter::new(to, params, width, n_tiles).with_context(named)?;
            for (n, entry) in store.ground_entries().enumerate() {
                monitor.check()?;
                entered([n, n_all]);
                let tile = self.linked_tile(&empty, entry)?;
                writer.add(&tile).with_context(named)?;
            }
            monitor.check()?;
            writer.finish().with_context(named)
        })
    }

    /// Reads a tile. The ends of its off-mesh links are on the ground, as in the navmesh of all tiles.
    fn linked_tile(&mut self, empty: &NavMesh, entry: &StoreEntry) -> anyhow::Result<Arc<Tile>> {
        let tile = self.tile(entry)?;
        if tile.off_mesh.is_empty() {
            return Ok(tile);
        }
        let TilePlace { x, z, .. } = entry.place;
        let around = |at: i32| at.saturating_sub(1)..=at.saturating_add(1);
        let store = self.store;
        let near = store.entries_in(around(x), around(z)).filter(|near| near.n_tile > 0);
        let mut tiles = Vec::new();
        for near in near {
            tiles.push(if near.place == entry.place {
                Arc::clone(&tile)
            } else {
                self.tile(near)?
            });
        }
        let mesh = empty.other_part(tiles)?;
        let linked = mesh.slots().find(|(_, tile)| TilePlace::of(tile) == entry.place);
        Ok(linked.map_or(tile, |(_, tile)| Arc::clone(tile)))
    }

    fn tile(&mut self, entry: &StoreEntry) -> anyhow::Result<Arc<Tile>> {
        let tile = self.store.sound_tile(entry, &mut self.file)?;
        let (place, why) = (entry.place, "it is empty");
        Ok(Arc::new(tile.ok_or(StoreError::DamagedTile { place, why })?))
    }

    /// Copies the records, with what their bakes stored about them.
    fn write_store(
        &mut self,
        path: &Path,
        entered: &mut dyn FnMut([usize; 2]),
        monitor: &dyn Monitor,
    ) -> anyhow::Result<u64> {
        let store = self.store;
        let n_all = store.entries().len();
        let named = || format!("cannot write {}", path.display());
        let mut n_bytes = 0;
        files::write_atomically_with(path, |to| {
            let mut writer = StoreWriter::new(to).with_context(named)?;
            for (n, entry) in store.entries().iter().enumerate() {
                monitor.check()?;
                entered([n, n_all]);
                let record = store.record(entry, &mut self.file)?;
                writer.append(&record).with_context(named)?;
            }
            monitor.check()?;
            let written = writer.finish(store.params(), store.width()).with_context(named)?;
            n_bytes = written.stream_position().with_context(named)?;
            Ok(())
        })?;
        Ok(n_bytes)
    }

    fn write_whole(
        &mut self,
        format: ExportFormat,
        path: &Path,
        entered: &mut dyn FnMut([usize; 2]),
        monitor: &dyn Monitor,
    ) -> anyhow::Result<u64> {
        let store = self.store;
        let n_all = store.ground_entries().count();
        let (mut tiles, mut n_bytes) = (Vec::new(), 0);
        for (n, entry) in store.ground_entries().enumerate() {
            monitor.check()?;
            entered([n, n_all]);
            let tile = self.tile(entry)?;
            n_bytes += NavMesh::memory_of(&tile);
            let max = self.max_bytes >> 20;
            anyhow::ensure!(
                n_bytes <= self.max_bytes,
                phrase!(
                    "{format} needs all tiles in memory, and they take more than {max} MiB; export Detour tiles or a \
                     tile store, or raise Memory budget in Preferences",
                    format = format.name(),
                    max
                )
            );
            tiles.push(tile);
        }
        let mesh = NavMesh::of_tiles(*store.params(), store.width(), tiles)?;
        monitor.check()?;
        let input = ExportInput {
            cell_height: self.settings.map(|settings| settings.cell_height),
            max_slope: self.settings.map(|settings| settings.agent_max_slope),
            ..ExportInput::new(&mesh, self.areas)
        };
        let bytes = format.write(&input)?;
        monitor.check()?;
        files::write_atomically(path, &bytes)?;
        Ok(bytes.len() as u64)
    }
}

/// Writes a file atomically with `write`, which returns the writer. Returns the size of the file in bytes.
fn write_counted(
    path: &Path,
    write: impl for<'a> FnOnce(CountingWriter<'a>) -> anyhow::Result<CountingWriter<'a>>,
) -> anyhow::Result<u64> {
    let mut n_bytes = 0;
    files::write_atomically_with(path, |to| {
        let mut written = write(CountingWriter { to: BufWriter::new(to), n_bytes: 0 })?;
        written.flush().with_context(|| format!("cannot write {}", path.display()))?;
        n_bytes = written.n_bytes;
        Ok(())
    })?;
    Ok(n_bytes)
}

struct CountingWriter<'a> {
    to: BufWriter<&'a mut File>,
    n_bytes: u64,
}

impl Write for CountingWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let n = self.to.write(bytes)?;
        self.n_bytes += n as u64;
        Ok(n)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, io::Cursor};

    use glam::Vec3;
    use walkable::{
        bake::{BakeInput, OffMeshLink, bake},
        ids::AreaId,
        level::{LevelKind, generate},
        monitor::{Cancelled, Unmonitored},
        navmesh::PolyKind,
        store::StoredTile,
    };

    use super::*;

    /// Returns a store of a town in tiles, with links within a tile and across a border.
    fn store() -> Vec<u8> {
        let mesh = generate(LevelKind::Town, 3, 90.0).unwrap().mesh;
        let settings = BakeSettings { tile_size: 32, cell_size: 0.4, ..BakeSettings::default() };
        let mut input = BakeInput::new(mesh.into(), settings);
        let link = |x: f32| OffMeshLink {
            start: Vec3::new(x, 0.5, 40.0),
            end: Vec3::new(x + 3.0, 0.5, 40.0),
            radius: 2.0,
            bidirectional: true,
            area: AreaId::GROUND,
            flags: 1,
            user_id: 7,
        };
        input.off_mesh = [20.0, 33.0, 37.0, 60.0].map(link).to_vec();
        let baked = bake(input, &Unmonitored).unwrap();
        let mut writer = StoreWriter::new(Cursor::new(Vec::new())).unwrap();
        for mut tile in baked.tiles_by_place() {
            let Tile { polys, vertices, .. } = Arc::make_mut(&mut tile);
            // As a bake leaves them: a navmesh moves them to the ground.
            for poly in polys.iter().filter(|poly| poly.kind == PolyKind::OffMesh) {
                for &end in &poly.vertices[..2] {
                    vertices[usize::from(end)].y += 0.25;
                }
            }
            let place = TilePlace::of(&tile);
            let stored = StoredTile { place, key: 5, tile: tile.to_bytes(), notes: Vec::new() };
            writer.append(&stored).unwrap();
        }
        writer.finish(baked.params(), baked.width()).unwrap().into_inner()
    }

    fn export(
        bytes: &[u8],
        format: ExportFormat,
        path: &Path,
        max_bytes: u64,
        monitor: &dyn Monitor,
    ) -> anyhow::Result<u64> {
        let mut file = Cursor::new(bytes);
        let store = TileStore::read(&mut file).unwrap();
        let areas = AreaTable::default();
        let mut export =
            StoreExport { store: &store, file, areas: &areas, settings: None, max_bytes };
        export.write(format, path, &mut |_| {}, monitor)
    }

    #[test]
    fn every_format_has_the_bytes_of_the_whole_navmesh() {
        let (bytes, folder) = (store(), tempfile::tempdir().unwrap());
        let whole = crate::level_files::parse_navmesh(&bytes).unwrap();
        assert!(whole.stats().n_off_mesh >= 2);
        for &format in ExportFormat::ALL {
            let path = folder.path().join(format!("{}.{}", format.key(), format.ending()));
            let expected = format.write(&ExportInput::new(&whole, &AreaTable::default()));
            let written = export(&bytes, format, &path, u64::MAX, &Unmonitored);
            // The store keeps what its bakes need, and so links as they were baked.
            let is_store = format == ExportFormat::TileStore;
            let expected = if is_store { Ok(bytes.clone()) } else { expected };
            match (expected, written) {
                (Ok(expected), Ok(n_bytes)) => {
                    let found = fs::read(&path).unwrap();
                    assert_eq!(found.len() as u64, n_bytes, "{}", format.key());
                    assert!(found == expected, "{} differs", format.key());
                }
                (Err(_), Err(_)) => assert!(!path.exists(), "{}", format.key()),
                (expected, written) => panic!("{}: {expected:?}, {written:?}", format.key()),
            }
        }
    }

    /// A file that counts the bytes that are read.
    struct Counted(Cursor<Vec<u8>>, u64);

    impl Read for Counted {
        fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
            let n = self.0.read(to)?;
            self.1 += n as u64;
            Ok(n)
        }
    }

    impl Seek for Counted {
        fn seek(&mut self, to: io::SeekFrom) -> io::Result<u64> {
            self.0.seek(to)
        }
    }

    #[test]
    fn one_tile_is_that_of_the_whole_navmesh_and_reads_only_what_is_around_it() {
        let bytes = store();
        let whole = crate::level_files::parse_navmesh(&bytes).unwrap();
        let store = TileStore::read(&mut Cursor::new(&bytes)).unwrap();
        let areas = AreaTable::default();
        let (mut n_alone, mut n_linked) = (0, 0);
        for entry in store.ground_entries() {
            let file = Counted(Cursor::new(bytes.clone()), 0);
            let mut export =
                StoreExport { store: &store, file, areas: &areas, settings: None, max_bytes: 0 };
            let mesh = export.tile_at(entry.place).unwrap().unwrap();
            let tile = whole.tiles().find(|tile| TilePlace::of(tile) == entry.place).unwrap();
            let alone = vec![Arc::new(tile.clone())];
            let alone = NavMesh::of_tiles(*whole.params(), whole.width(), alone).unwrap();
            assert!(mesh.to_bytes() == alone.to_bytes(), "{}", entry.place);
            let TilePlace { x, z, .. } = entry.place;
            let rings = i32::from(!tile.off_mesh.is_empty());
            let near = store.entries_in(x - rings..=x + rings, z - rings..=z + rings);
            let n_near: u64 = near.map(StoreEntry::n_bytes).sum();
            assert!((1..=n_near).contains(&export.file.1), "{} of {n_near}", export.file.1);
            *(if rings == 0 { &mut n_alone } else { &mut n_linked }) += 1;
        }
        assert!(n_alone > 8 && n_linked > 0, "{n_alone}, {n_linked}");
        let file = Cursor::new(&bytes);
        let mut export =
            StoreExport { store: &store, file, areas: &areas, settings: None, max_bytes: 0 };
        let nowhere = TilePlace { x: 99, z: 0, layer: 0 };
        assert!(export.tile_at(nowhere).unwrap().is_none());
    }

    #[test]
    fn only_formats_that_need_all_tiles_need_their_memory() {
        let (bytes, folder) = (store(), tempfile::tempdir().unwrap());
        for &format in ExportFormat::ALL {
            let path = folder.path().join(format.key());
            let written = export(&bytes, format, &path, 1000, &Unmonitored);
            assert_eq!(written.is_ok(), is_streamed(format), "{}: {written:?}", format.key());
            assert_eq!(path.exists(), is_streamed(format), "{}", format.key());
        }
    }

    #[test]
    fn a_damaged_tile_or_a_cancelled_export_leaves_the_earlier_file() {
        struct Stops;

        impl Monitor for Stops {
            fn is_cancelled(&self) -> bool {
                true
            }
        }

        let (mut bytes, folder) = (store(), tempfile::tempdir().unwrap());
        let path = folder.path().join("out");
        fs::write(&path, "earlier").unwrap();
        for format in [ExportFormat::Detour, ExportFormat::TileStore, ExportFormat::Json] {
            let why = export(&bytes, format, &path, u64::MAX, &Stops).unwrap_err();
            assert!(why.is::<Cancelled>(), "{why}");
        }
        let mut file = Cursor::new(&bytes);
        let index = TileStore::read(&mut file).unwrap();
        let entry = index.ground_entries().last().unwrap();
        let (place, data) = (entry.place, index.record(entry, &mut file).unwrap().tile);
        let at = bytes.windows(data.len()).position(|window| window == data).unwrap();
        bytes[at + data.len() / 2] ^= 0x55;
        for format in [ExportFormat::Detour, ExportFormat::TileStore, ExportFormat::Json] {
            let why = export(&bytes, format, &path, u64::MAX, &Unmonitored).unwrap_err();
            assert!(format!("{why:#}").contains(&place.to_string()), "{why:#}");
        }
        assert_eq!(fs::read(&path).unwrap(), b"earlier");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else is left");
    }
}
