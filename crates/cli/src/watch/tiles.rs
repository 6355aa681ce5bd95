//! Finds the tiles that a bake changed, and writes one file per tile if requested.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use walkable::tile_cache::LayerKey;
use walkable_editor::{
    files::{self, Durability},
    live::{TileChanges, TileData, TilePlace, TileStamps},
};

/// Extension of the files that hold one tile.
const ENDING: &str = "tile";

/// Finds the tiles of `now` that differ from those written `before`, and writes each to its own file in `folder`.
/// Without `before`, all tiles are new. Files of tiles that no longer exist are removed.
pub(super) fn replace(
    before: Option<&TileStamps>,
    now: impl Iterator<Item = TileData>,
    folder: Option<&Path>,
) -> anyhow::Result<(TileStamps, TileChanges)> {
    let nothing = TileStamps::default();
    if let Some(folder) = folder {
        make_folder(folder)?;
    }
    let write = |tile: &TileData| {
        let file = folder.map(|folder| folder.join(file_name(tile.key)));
        file.map_or(Ok(()), |file| files::write_own(&file, &tile.bytes, Durability::Synced))
    };
    let (stamps, changes) = before.unwrap_or(&nothing).replaced(now, write)?;
    if let Some(folder) = folder {
        // Without `before`, the folder may contain tiles of a previous run.
        let gone =
            || changes.removed.iter().map(|&TilePlace { x, z, layer }| LayerKey { z, x, layer });
        let left = if before.is_none() { written_in(folder)? } else { gone().collect() };
        left.into_iter().filter(|key| !stamps.contains(key)).try_for_each(|key| {
            let file = folder.join(file_name(key));
            fs::remove_file(&file).with_context(|| format!("cannot remove {}", file.display()))
        })?;
    }
    Ok((stamps, changes))
}

fn make_folder(folder: &Path) -> anyhow::Result<()> {
    if folder.is_dir() {
        return Ok(());
    }
    fs::create_dir(folder).with_context(|| format!("cannot create the folder {}", folder.display()))
}

/// Returns the file name of a tile: column, row and layer.
fn file_name(LayerKey { x, z, layer }: LayerKey) -> String {
    format!("{x}_{z}_{layer}.{ENDING}")
}

/// Returns the tile to which a file name belongs.
fn tile_called(name: &Path) -> Option<LayerKey> {
    let mut numbers = name.to_str()?.strip_suffix(ENDING)?.strip_suffix('.')?.split('_');
    let mut number = || numbers.next()?.parse().ok();
    let key = LayerKey { x: number()?, z: number()?, layer: number()? };
    // Only the canonical spelling counts, without leading zeros.
    (Path::new(&file_name(key)) == name).then_some(key)
}

/// Returns the tiles that have a file in `folder`.
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
    use walkable::ids::TileCoord;

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

    #[cfg(unix)]
    #[test]
    fn a_link_in_place_of_a_tile_is_not_written_to() {
        let root = tempfile::tempdir().unwrap();
        let mine = root.path().join("mine");
        fs::write(&mine, "mine").unwrap();
        std::os::unix::fs::symlink(&mine, root.path().join("1_7_0.tile")).unwrap();
        let why = replace(None, [tile(1, b"one")].into_iter(), Some(root.path())).unwrap_err();
        assert!(format!("{why:#}").contains("1_7_0.tile: it is a symbolic link"), "{why:#}");
        assert_eq!(fs::read(&mine).unwrap(), b"mine");
    }
}
