//! Finds the tiles that a bake changed, and writes one file per tile if requested.

use walkable::tile_cache::LayerKey;
use walkable_workspace::live::{TileChanges, TileData, TilePlace, TileStamps};

use crate::{
    Failure,
    guard::{FolderFiles, OutputFolder},
};

/// Extension of the files that hold one tile.
const ENDING: &str = "tile";

/// The first bytes of Detour's tiles and of tile cache layers.
const MAGIC: [&[u8]; 2] = [b"VAND", b"RLTD"];

pub(super) static FILES: FolderFiles =
    FolderFiles { is_written: |name| tile_called(name).is_some(), is_own: is_tile };

/// Finds the tiles of `now` that differ from those written `before`, and writes each to its own file in `folder`.
/// Without `before`, all tiles are new. Files of tiles that no longer exist are removed.
pub(super) fn replace(
    before: Option<&TileStamps>,
    now: impl Iterator<Item = TileData>,
    folder: Option<&OutputFolder>,
) -> Result<(TileStamps, TileChanges), Failure> {
    let nothing = TileStamps::default();
    folder.map(OutputFolder::create).transpose()?;
    let write = |tile: &TileData| {
        folder.map_or(Ok(()), |folder| folder.write(&file_name(tile.key), &tile.bytes))
    };
    let (stamps, changes) = before.unwrap_or(&nothing).replaced(now, write)?;
    if let Some(folder) = folder {
        // Without `before`, the folder may contain tiles of a previous run.
        let gone =
            || changes.removed.iter().map(|&TilePlace { x, z, layer }| LayerKey { z, x, layer });
        let left = match before {
            None => folder.names()?.iter().filter_map(|name| tile_called(name)).collect(),
            Some(_) => gone().collect::<Vec<_>>(),
        };
        let left = left.into_iter().filter(|key| !stamps.contains(key));
        left.map(file_name).try_for_each(|name| folder.remove(&name))?;
    }
    Ok((stamps, changes))
}

fn file_name(LayerKey { x, z, layer }: LayerKey) -> String {
    format!("{x}_{z}_{layer}.{ENDING}")
}

fn tile_called(name: &str) -> Option<LayerKey> {
    let mut numbers = name.strip_suffix(ENDING)?.strip_suffix('.')?.split('_');
    let mut number = || numbers.next()?.parse().ok();
    let key = LayerKey { x: number()?, z: number()?, layer: number()? };
    // Only the canonical spelling counts, without leading zeros.
    (file_name(key) == name).then_some(key)
}

/// Returns whether a file with this name begins as the tile that it is named after: magic, version, column, row, layer.
fn is_tile(name: &str, start: &[u8]) -> bool {
    let Some(LayerKey { x, z, layer }) = tile_called(name) else { return false };
    let place: Vec<u8> = [x, z, layer].into_iter().flat_map(u32::to_le_bytes).collect();
    MAGIC.iter().any(|magic| start.starts_with(magic)) && start.get(8..20) == Some(&place)
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use walkable::ids::TileCoord;

    use super::*;

    fn tile(x: u32, text: &[u8]) -> TileData {
        let [place_x, z, layer] = [x, 7, 0].map(u32::to_le_bytes);
        let bytes = [MAGIC[0], &[7, 0, 0, 0], &place_x, &z, &layer, text].concat();
        TileData { key: LayerKey::new(TileCoord::new(x, 7), 0), bytes }
    }

    fn replace_in(
        folder: &Path,
        before: Option<&TileStamps>,
        now: impl IntoIterator<Item = TileData>,
    ) -> Result<(TileStamps, TileChanges), Failure> {
        let folder = OutputFolder::new(folder.to_owned(), &FILES);
        replace(before, now.into_iter(), Some(&folder))
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
        assert_eq!(tile_called(&file_name(key)), Some(key));
        for other in [
            "30_4.tile",
            "30_4_2_0.tile",
            "+30_4_2.tile",
            "030_4_2.tile",
            "30_4_2.bin",
            "a.tile",
            ".tile",
        ] {
            assert_eq!(tile_called(other), None, "{other}");
        }
    }

    #[test]
    fn only_changed_tiles_are_written() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("tiles");
        let (before, first) =
            replace_in(&folder, None, [tile(1, b"one"), tile(2, b"two")]).unwrap();
        assert_eq!((first.changed.len(), first.removed.len()), (2, 0));
        assert_eq!(fs::read(folder.join("2_7_0.tile")).unwrap(), tile(2, b"two").bytes);

        // An unchanged tile's file is not touched.
        fs::write(folder.join("1_7_0.tile"), "by hand").unwrap();
        let now = [tile(1, b"one"), tile(2, b"too"), tile(3, b"new")];
        let (before, changes) = replace_in(&folder, Some(&before), now).unwrap();
        assert_eq!(changes.changed.iter().map(|tile| tile.place.x).collect::<Vec<_>>(), [2, 3]);
        assert_eq!(fs::read(folder.join("1_7_0.tile")).unwrap(), b"by hand");
        assert_eq!(fs::read(folder.join("2_7_0.tile")).unwrap(), tile(2, b"too").bytes);

        // Neither is a file that is no tile replaced or removed.
        for now in [tile(1, b"new"), tile(3, b"new")] {
            let why = replace_in(&folder, Some(&before), [now]).unwrap_err();
            assert!(matches!(why, Failure::Usage(why) if why.contains("1_7_0.tile")));
            assert_eq!(fs::read(folder.join("1_7_0.tile")).unwrap(), b"by hand");
        }
        fs::write(folder.join("1_7_0.tile"), tile(1, b"one").bytes).unwrap();
        fs::write(folder.join("2_7_0.tile"), tile(2, b"too").bytes).unwrap();
        let (_, changes) = replace_in(&folder, Some(&before), [tile(3, b"new")]).unwrap();
        assert_eq!((changes.changed.len(), places(&changes.removed)), (0, vec![1, 2]));
        assert_eq!(names(&folder), ["3_7_0.tile"]);
    }

    #[test]
    fn only_tiles_of_a_previous_run_are_removed() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path();
        fs::write(path.join("9_7_0.tile"), tile(9, b"old").bytes).unwrap();
        fs::write(path.join("notes.txt"), "x").unwrap();
        fs::write(path.join("9_9.tile"), "x").unwrap();
        replace_in(path, None, [tile(1, b"one")]).unwrap();
        assert_eq!(names(path), ["1_7_0.tile", "9_9.tile", "notes.txt"]);
        // The tile of another place is not that of its name.
        fs::write(path.join("9_9_0.tile"), tile(9, b"old").bytes).unwrap();
        assert!(replace_in(path, None, [tile(1, b"one")]).is_err());
        assert!(path.join("9_9_0.tile").exists());
    }

    #[cfg(unix)]
    #[test]
    fn a_link_in_place_of_a_tile_is_not_written_to() {
        let root = tempfile::tempdir().unwrap();
        let mine = root.path().join("mine");
        fs::write(&mine, "mine").unwrap();
        std::os::unix::fs::symlink(&mine, root.path().join("1_7_0.tile")).unwrap();
        let why = replace_in(root.path(), None, [tile(1, b"one")]).unwrap_err();
        assert!(matches!(why, Failure::Usage(why) if why.contains("1_7_0.tile is in the way")));
        assert_eq!(fs::read(&mine).unwrap(), b"mine");
    }
}
