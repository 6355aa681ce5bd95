//! Lists folders, for choosing files.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use walkable::mesh::LevelFormat;

use super::{FileKind, folder_of};

const MAX_ENTRIES: usize = 10_000;
/// Maximum number of entries of a folder that is searched for the pieces of a level.
const MAX_PIECES: usize = 1_000_000;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FoundAtPath {
    Folder(Folder),
    /// A file, or anything else that can be read or written.
    File,
    Nothing,
    /// Nothing, and its folder does not exist either.
    NoFolder,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Folder {
    pub path: PathBuf,
    /// Folders, then files, both sorted by name, ignoring case. Hidden ones are omitted.
    pub entries: Vec<FolderEntry>,
    pub is_cut: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FolderEntry {
    pub name: String,
    pub is_folder: bool,
    pub bytes: u64,
}

impl FolderEntry {
    pub fn is_known(&self) -> bool {
        FileKind::of_name(Path::new(&self.name)).is_some()
    }
}

/// Returns what exists at `path`; lists the entries of a folder.
pub fn look_at(path: &Path) -> io::Result<FoundAtPath> {
    let Ok(found) = fs::metadata(path) else {
        let has_folder = path.parent().is_some_and(Path::is_dir);
        return Ok(if has_folder { FoundAtPath::Nothing } else { FoundAtPath::NoFolder });
    };
    if !found.is_dir() {
        return Ok(FoundAtPath::File);
    }
    let mut entries = Vec::new();
    let mut is_cut = false;
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        // A name that is not Unicode cannot be typed, and a deleted file is not listed.
        let Ok(name) = entry.file_name().into_string() else { continue };
        let Ok(found) = fs::metadata(entry.path()) else { continue };
        if name.starts_with('.') {
            continue;
        }
        if entries.len() == MAX_ENTRIES {
            is_cut = true;
            break;
        }
        entries.push(FolderEntry { name, is_folder: found.is_dir(), bytes: found.len() });
    }
    entries.sort_by_cached_key(|entry| {
        (!entry.is_folder, entry.name.to_lowercase(), entry.name.clone())
    });
    Ok(FoundAtPath::Folder(Folder { path: std::path::absolute(path)?, entries, is_cut }))
}

/// Returns the files in `folder` whose extension is that of a level file, sorted by name, ignoring case. Leaves out
/// hidden files and folders. Fails if the folder cannot be listed completely, or if it has no such files.
pub fn pieces_in(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let context = || format!("cannot list {}", folder.display());
    let mut pieces = Vec::new();
    for (n, entry) in fs::read_dir(folder).with_context(context)?.enumerate() {
        anyhow::ensure!(n < MAX_PIECES, "{} has more than {MAX_PIECES} entries", folder.display());
        let entry = entry.with_context(context)?;
        let is_hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
        let path = entry.path();
        // A link that leads nowhere is a piece that cannot be read.
        if !is_hidden && FileKind::is_piece_name(&path) && !path.is_dir() {
            pieces.push(path);
        }
    }
    if pieces.is_empty() {
        anyhow::bail!(
            "{}: there are no level files ({}) in this folder",
            folder.display(),
            LevelFormat::names()
        );
    }
    pieces.sort_by_cached_key(|piece| {
        let name = piece.file_name().unwrap_or_default();
        (name.to_string_lossy().to_lowercase(), name.to_owned())
    });
    Ok(pieces)
}

/// Returns the files beside `path` whose names begin as its name without extension, and have this extension, sorted.
pub fn beside_with(path: &Path, ending: &str) -> anyhow::Result<Vec<PathBuf>> {
    let folder = folder_of(path);
    let context = || format!("cannot list {}", folder.display());
    let stem = path.file_stem().unwrap_or_default().as_encoded_bytes();
    let mut found = Vec::new();
    for (n, entry) in fs::read_dir(&folder).with_context(context)?.enumerate() {
        anyhow::ensure!(n < MAX_PIECES, "{} has more than {MAX_PIECES} entries", folder.display());
        let file = entry.with_context(context)?.path();
        let is_named =
            file.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(stem));
        if is_named && file.extension().is_some_and(|end| end.eq_ignore_ascii_case(ending)) {
            found.push(file);
        }
    }
    found.sort_unstable();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pieces_of_a_folder_are_its_level_files_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let why = pieces_in(folder.path()).unwrap_err().to_string();
        assert!(why.contains("no level files (OBJ, glTF, PLY, STL)"), "{why}");
        let others =
            ["a.mtl", "b.cfg", "c.tri", "d.bin", "e.txt", ".f.obj", "g.walkable", "h.gset"];
        for name in [&others[..], &["B2.obj", "a1.GLB", "b10.ply", "b3.stl", "b1.gltf"]].concat() {
            fs::write(at(name), "").unwrap();
        }
        fs::create_dir(at("sub.obj")).unwrap();
        fs::write(at("sub.obj/inner.obj"), "").unwrap();
        let found = pieces_in(folder.path()).unwrap();
        let expected = ["a1.GLB", "b1.gltf", "b10.ply", "B2.obj", "b3.stl"].map(at);
        assert_eq!(found, expected);
        let why = format!("{:#}", pieces_in(&at("absent")).unwrap_err());
        assert!(why.contains("cannot list") && why.contains("absent"), "{why}");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_that_leads_nowhere_is_a_piece() {
        let folder = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink("absent", folder.path().join("a.obj")).unwrap();
        assert_eq!(pieces_in(folder.path()).unwrap().len(), 1);
    }

    #[test]
    fn a_folder_lists_folders_first_and_hides_hidden_entries() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["b.obj", "A.txt", ".hidden"] {
            fs::write(folder.path().join(name), "12345").unwrap();
        }
        fs::create_dir(folder.path().join("levels")).unwrap();
        let FoundAtPath::Folder(found) = look_at(folder.path()).unwrap() else {
            panic!("a folder")
        };
        let names: Vec<_> = found.entries.iter().map(|entry| entry.name.as_str()).collect();
        assert_eq!(names, ["levels", "A.txt", "b.obj"]);
        let known: Vec<_> = found.entries.iter().map(FolderEntry::is_known).collect();
        assert_eq!(known, [false, false, true]);
        assert_eq!((found.entries[2].bytes, found.is_cut), (5, false));
    }

    #[test]
    fn a_path_is_a_file_or_new_or_nowhere() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("b.obj");
        fs::write(&file, "").unwrap();
        assert_eq!(look_at(&file).unwrap(), FoundAtPath::File);
        assert_eq!(look_at(&folder.path().join("new.bin")).unwrap(), FoundAtPath::Nothing);
        assert_eq!(look_at(&folder.path().join("none/new.bin")).unwrap(), FoundAtPath::NoFolder);
    }
}
