//! Tracks the tiles last written, to find changed tiles and to write one file per tile if requested.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde::Serialize;
use walkable::{
    bake::StreamHash,
    ids::TileCoord,
    navmesh::{NavMesh, Tile},
    tile_cache::{LayerKey, TileCache},
};
use walkable_editor::{files, live};

/// Extension of the files that hold one tile.
const ENDING: &str = "tile";

/// The data of a tile or a layer.
pub(super) struct TileData {
    key: LayerKey,
    bytes: Vec<u8>,
}

/// The tiles of a navmesh, in the form that Detour's `addTile` takes.
pub(super) fn of_mesh(mesh: &NavMesh) -> impl Iterator<Item = TileData> {
    mesh.tiles()
        .map(move |tile| TileData { key: key_of(tile), bytes: tile.to_bytes_with(mesh.width()) })
}

fn key_of(tile: &Tile) -> LayerKey {
    let [x, z, layer] = [tile.header.x, tile.header.z, tile.header.layer].map(i32::cast_unsigned);
    LayerKey::new(TileCoord::new(x, z), layer)
}

/// The layers of a tile cache, in the form that Detour's tile cache takes.
pub(super) fn of_layers(cache: &TileCache) -> impl Iterator<Item = TileData> {
    cache.tiles().map(|tile| TileData { key: tile.key(), bytes: tile.to_bytes() })
}

/// Returns the written tiles.
pub(super) fn listed(stamps: &Stamps) -> impl Iterator<Item = ChangedTile> {
    stamps.iter().map(|(&key, &(bytes, hash))| ChangedTile {
        place: key.into(),
        bytes,
        hash: hash_text(hash),
    })
}

/// Returns the tiles of a navmesh at `places`.
pub(super) fn find(mesh: &NavMesh, places: &[live::TilePlace]) -> Vec<TileData> {
    let wanted = keys(places);
    let found = mesh.tiles().filter(|tile| wanted.contains(&key_of(tile)));
    found
        .map(|tile| TileData { key: key_of(tile), bytes: tile.to_bytes_with(mesh.width()) })
        .collect()
}

/// Returns the layers of a tile cache at `places`.
pub(super) fn find_layers(cache: &TileCache, places: &[live::TilePlace]) -> Vec<TileData> {
    let wanted = keys(places);
    let found = cache.tiles().filter(|tile| wanted.contains(&tile.key()));
    found.map(|tile| TileData { key: tile.key(), bytes: tile.to_bytes() }).collect()
}

fn keys(places: &[live::TilePlace]) -> BTreeSet<LayerKey> {
    let key = |place: &live::TilePlace| LayerKey { x: place.x, z: place.z, layer: place.layer };
    places.iter().map(key).collect()
}

/// A tile with its bytes.
#[derive(Serialize)]
struct SentTile {
    #[serde(flatten)]
    place: TilePlace,
    hash: String,
    /// The bytes in base64.
    data: String,
}

/// Returns the tiles with their bytes, and those of `places` that are not among them, as JSON.
pub(super) fn with_bytes(
    found: Vec<TileData>,
    places: &[live::TilePlace],
) -> anyhow::Result<serde_json::Value> {
    let mut missing = keys(places);
    for tile in &found {
        missing.remove(&tile.key);
    }
    let sent = found.into_iter().map(|TileData { key, bytes }| SentTile {
        place: key.into(),
        hash: hash_text(hash(&bytes)),
        data: STANDARD.encode(bytes),
    });
    let missing: Vec<TilePlace> = missing.into_iter().map(TilePlace::from).collect();
    let sent: Vec<SentTile> = sent.collect();
    Ok(
        serde_json::json!({ "tiles": serde_json::to_value(sent)?, "missing": serde_json::to_value(missing)? }),
    )
}

/// Coordinates of a tile.
#[derive(Serialize)]
pub(super) struct TilePlace {
    x: u32,
    z: u32,
    layer: u32,
}

impl From<LayerKey> for TilePlace {
    fn from(LayerKey { z, x, layer }: LayerKey) -> Self {
        Self { x, z, layer }
    }
}

/// A new tile, or a tile that differs from the one written before.
#[derive(Serialize)]
pub(super) struct ChangedTile {
    #[serde(flatten)]
    place: TilePlace,
    bytes: usize,
    /// FNV-1a hash of the bytes.
    hash: String,
}

/// The changes to the file by one bake.
#[derive(Serialize)]
pub(super) struct Changes {
    changed: Vec<ChangedTile>,
    removed: Vec<TilePlace>,
}

/// Length and hash of each written tile.
pub(super) type Stamps = BTreeMap<LayerKey, (usize, u64)>;

/// Finds the tiles of `now` that differ from those written `before`, and writes each to its own file in `folder`.
/// Without `before`, all tiles are new. Files of tiles that no longer exist are removed.
pub(super) fn replace(
    before: Option<&Stamps>,
    now: impl Iterator<Item = TileData>,
    folder: Option<&Path>,
) -> anyhow::Result<(Stamps, Changes)> {
    let nothing = Stamps::new();
    let known = before.unwrap_or(&nothing);
    let (mut stamps, mut changed) = (Stamps::new(), Vec::new());
    if let Some(folder) = folder {
        make_folder(folder)?;
    }
    for TileData { key, bytes } in now {
        let stamp = (bytes.len(), hash(&bytes));
        stamps.insert(key, stamp);
        if known.get(&key) == Some(&stamp) {
            continue;
        }
        if let Some(folder) = folder {
            files::write_atomically(&folder.join(file_name(key)), &bytes)?;
        }
        let hash = hash_text(stamp.1);
        changed.push(ChangedTile { place: key.into(), bytes: bytes.len(), hash });
    }
    let gone: Vec<LayerKey> =
        known.keys().filter(|key| !stamps.contains_key(key)).copied().collect();
    if let Some(folder) = folder {
        // Without `before`, the folder may contain tiles of a previous run.
        let left = if before.is_none() { written_in(folder)? } else { gone.clone() };
        left.into_iter().filter(|key| !stamps.contains_key(key)).try_for_each(|key| {
            let file = folder.join(file_name(key));
            fs::remove_file(&file).with_context(|| format!("cannot remove {}", file.display()))
        })?;
    }
    let removed = gone.into_iter().map(TilePlace::from).collect();
    Ok((stamps, Changes { changed, removed }))
}

fn hash_text(hash: u64) -> String {
    format!("{hash:016x}")
}

fn hash(bytes: &[u8]) -> u64 {
    let mut hash = StreamHash::new();
    hash.bytes(bytes);
    hash.finish()
}

fn make_folder(folder: &Path) -> anyhow::Result<()> {
    if folder.is_dir() {
        return Ok(());
    }
    fs::create_dir(folder).with_context(|| format!("cannot create the folder {}", folder.display()))
}

/// File name of a tile: column, row and layer.
fn file_name(LayerKey { x, z, layer }: LayerKey) -> String {
    format!("{x}_{z}_{layer}.{ENDING}")
}

/// The tile to which a file name belongs.
fn tile_called(name: &Path) -> Option<LayerKey> {
    let mut numbers = name.to_str()?.strip_suffix(ENDING)?.strip_suffix('.')?.split('_');
    let mut number = || numbers.next()?.parse().ok();
    let key = LayerKey { x: number()?, z: number()?, layer: number()? };
    // Only the canonical spelling counts, without leading zeros.
    (Path::new(&file_name(key)) == name).then_some(key)
}

/// The tiles that have a file in `folder`.
fn written_in(folder: &Path) -> anyhow::Result<Vec<LayerKey>> {
    let context = || format!("cannot read the folder {}", folder.display());
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).with_context(context)? {
        let entry = entry.with_context(context)?;
        found.extend(tile_called(Path::new(&entry.file_name())));
    }
    Ok(found)
}

/// Finds a path whose file name is that of a tile, so that a tile could overwrite it.
pub(super) fn called_as_tile<'a>(
    paths: impl IntoIterator<Item = &'a PathBuf>,
) -> Option<&'a PathBuf> {
    paths
        .into_iter()
        .find(|path| path.file_name().is_some_and(|name| tile_called(Path::new(name)).is_some()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tile(x: u32, bytes: &[u8]) -> TileData {
        TileData { key: LayerKey::new(TileCoord::new(x, 7), 0), bytes: bytes.to_vec() }
    }

    fn places(list: &[TilePlace]) -> Vec<u32> {
        list.iter().map(|place| place.x).collect()
    }

    fn names(folder: &Path) -> Vec<String> {
        let name = |entry: fs::DirEntry| entry.file_name().into_string().unwrap();
        let mut names: Vec<_> =
            fs::read_dir(folder).unwrap().map(|entry| name(entry.unwrap())).collect();
        names.sort();
        names
    }

    #[test]
    fn tile_names_are_recognized() {
        let key = LayerKey { z: 4, x: 30, layer: 2 };
        assert_eq!(tile_called(Path::new(&file_name(key))), Some(key));
        for other in [
            "30_4.tile",
            "30_4_2_0.tile",
            "+30_4_2.tile",
            "030_4_2.tile",
            "30_4_2.bin",
            "a.tile",
            ".tile",
        ] {
            assert_eq!(tile_called(Path::new(other)), None, "{other}");
        }
    }

    #[test]
    fn only_changed_tiles_are_written() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("tiles");
        let (before, first) =
            replace(None, [tile(1, b"one"), tile(2, b"two")].into_iter(), Some(&folder)).unwrap();
        assert_eq!((first.changed.len(), first.removed.len()), (2, 0));
        assert_eq!(fs::read(folder.join("2_7_0.tile")).unwrap(), b"two");

        // An unchanged tile's file is not touched.
        fs::write(folder.join("1_7_0.tile"), "by hand").unwrap();
        let now = [tile(1, b"one"), tile(2, b"too"), tile(3, b"new")];
        let (before, changes) = replace(Some(&before), now.into_iter(), Some(&folder)).unwrap();
        assert_eq!(changes.changed.iter().map(|tile| tile.place.x).collect::<Vec<_>>(), [2, 3]);
        assert_eq!(fs::read(folder.join("1_7_0.tile")).unwrap(), b"by hand");
        assert_eq!(fs::read(folder.join("2_7_0.tile")).unwrap(), b"too");

        let now = [tile(3, b"new")].into_iter();
        let (_, changes) = replace(Some(&before), now, Some(&folder)).unwrap();
        assert_eq!((changes.changed.len(), places(&changes.removed)), (0, vec![1, 2]));
        assert_eq!(names(&folder), ["3_7_0.tile"]);
    }

    #[test]
    fn only_tiles_of_a_previous_run_are_removed() {
        let root = tempfile::tempdir().unwrap();
        for name in ["9_9_0.tile", "notes.txt", "9_9.tile"] {
            fs::write(root.path().join(name), "x").unwrap();
        }
        replace(None, [tile(1, b"one")].into_iter(), Some(root.path())).unwrap();
        assert_eq!(names(root.path()), ["1_7_0.tile", "9_9.tile", "notes.txt"]);
    }
}
