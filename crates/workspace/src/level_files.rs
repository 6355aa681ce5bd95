//! Reads levels and navmeshes from files.

use std::{
    cell::{Cell, RefCell},
    io::Cursor,
    path::{Component, Path, PathBuf},
    sync::Arc,
};

use anyhow::Context as _;
use walkable::{
    mesh::{
        ImportOptions, LevelFile, LevelFormat, LevelReading, SideFile, material_files,
        read_material_colors,
    },
    monitor::Unmonitored,
    navmesh::{
        NavMesh,
        format::{FormatError, RefWidth, mmap_params, mmap_tile},
    },
    store::TileStore,
    tile_cache::TileCache,
};

use crate::{
    files::{self, FileKind, Format},
    limits, references,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LevelUse {
    /// Only what a bake depends on, and base colors.
    Bake,
    /// Also vertex colors and textures.
    Picture,
}

pub fn read_level(path: &Path) -> anyhow::Result<Vec<u8>> {
    let bytes = files::read(path, FileKind::read(path).map_or(Format::Level, FileKind::format))?;
    references::declare(path, &bytes)?;
    Ok(bytes)
}

/// Parses the level in `bytes` for `usage`, and applies the import options that concern its objects. Also returns the
/// other files that the level refers to. The size limit applies to all files together. Errors do not name the level's
/// own file.
pub fn parse_level(
    path: &Path,
    bytes: &[u8],
    import: ImportOptions,
    usage: LevelUse,
) -> anyhow::Result<(LevelFile, Vec<PathBuf>)> {
    let side_files = SideFiles::of(path, bytes);
    let read = |name: &str| side_files.read(name);
    let left = limits::of_reading().saturating_sub(n_bytes(bytes));
    let reading = LevelReading {
        appearance: usage == LevelUse::Picture,
        max_bytes: usize::try_from(left).unwrap_or(usize::MAX),
        ..import.reading()
    };
    let kind = FileKind::of(path, bytes).ok_or(NotALevel::Unknown)?;
    let Format::LevelFile(format) = kind.format() else {
        return Err(NotALevel::Other(kind).into());
    };
    let mut level = format.read(bytes, &read, reading)?;
    if (format, usage) == (LevelFormat::Obj, LevelUse::Bake) {
        add_material_colors(&mut level, bytes, &read);
    }
    Ok((import.select(level), side_files.beside.into_inner()))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotALevel {
    #[error("it is {}, not a level ({})", .0.name(), LevelFormat::names())]
    Other(FileKind),
    #[error("neither its content nor its name is that of a level ({})", LevelFormat::names())]
    Unknown,
}

fn add_material_colors(level: &mut LevelFile, obj: &[u8], side_file: &SideFile<'_>) {
    for mtl in material_files(obj).iter().filter_map(|name| side_file(name).ok()) {
        level.colors.extend(read_material_colors(&mtl));
    }
}

struct SideFiles<'a> {
    level: &'a Path,
    format: Format,
    n_read: Cell<u64>,
    beside: RefCell<Vec<PathBuf>>,
}

impl<'a> SideFiles<'a> {
    fn of(level: &'a Path, bytes: &[u8]) -> Self {
        // The files of a glTF file contain its triangles.
        let is_gltf = FileKind::of(level, bytes) == Some(FileKind::Level(LevelFormat::Gltf));
        let format = if is_gltf { Format::LevelFile(LevelFormat::Gltf) } else { Format::Level };
        Self { level, format, n_read: Cell::new(n_bytes(bytes)), beside: RefCell::default() }
    }

    fn read(&self, name: &str) -> Result<Vec<u8>, String> {
        let file = file_beside(self.level, name)?;
        let read = files::read_beside(&file, self.format, self.n_read.get());
        let bytes = read.map_err(|error| format!("{error:#}"))?;
        references::declare(&file, &bytes).map_err(|error| error.to_string())?;
        self.n_read.set(self.n_read.get().saturating_add(n_bytes(&bytes)));
        self.beside.borrow_mut().push(file);
        Ok(bytes)
    }
}

fn n_bytes(bytes: &[u8]) -> u64 {
    u64::try_from(bytes.len()).unwrap_or(u64::MAX)
}

/// Reads the bytes for [`parse_navmesh`]. For a `.mmap` file of TrinityCore, returns a set of the tiles beside it.
pub fn read_navmesh(path: &Path) -> anyhow::Result<Vec<u8>> {
    let bytes = files::read(path, Format::Navmesh)?;
    if !path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("mmap")) {
        return Ok(bytes);
    }
    let (mut n_read, mut tiles) = (n_bytes(&bytes), Vec::new());
    for file in files::beside_with(path, "mmtile")? {
        let bytes = files::read_beside(&file, Format::Navmesh, n_read)?;
        n_read += n_bytes(&bytes);
        let tile = mmap_tile(&bytes).with_context(|| file.display().to_string())?;
        tiles.push(Arc::new(tile));
    }
    let name = path.display();
    anyhow::ensure!(!tiles.is_empty(), "{name}: none of its tiles (.mmtile) is beside it");
    let mesh = mmap_params(&bytes, &tiles).and_then(|params| {
        NavMesh::of_tiles(params, RefWidth::Bits64, tiles).map_err(FormatError::from)
    });
    Ok(mesh.with_context(|| name.to_string())?.to_bytes())
}

/// Parses tiles (a set, or a single one), a tile store, or tile cache layers (TSET).
pub fn parse_navmesh(bytes: &[u8]) -> anyhow::Result<NavMesh> {
    let kind = FileKind::of(Path::new(""), bytes);
    if kind == Some(FileKind::TileStore) {
        let mut file = Cursor::new(bytes);
        return Ok(TileStore::read(&mut file)?.nav_mesh(&mut file)?);
    }
    if kind == Some(FileKind::Layers) {
        // Polygon references are the same as in a game that loads the file.
        return Ok(TileCache::from_bytes(bytes)?.loaded_nav_mesh(&Unmonitored)?);
    }
    Ok(NavMesh::from_bytes(bytes)?)
}

fn file_beside(level: &Path, name: &str) -> Result<PathBuf, String> {
    let relative = Path::new(name);
    let leaves = |part| !matches!(part, Component::Normal(_) | Component::CurDir);
    if relative.components().any(leaves) || name.contains("://") {
        return Err(format!("\"{name}\" is not in the level's folder or a folder below it"));
    }
    files::named_by(level, relative).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn colors_come_from_material_files_in_the_folder_of_the_level() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("level.obj");
        let obj = |library: &str| {
            format!("mtllib {library}\nv 0 0 0\nv 1 0 0\nv 0 0 1\nusemtl red\nf 1 2 3\n")
        };
        fs::write(folder.path().join("a b.mtl"), "newmtl red\nKd 1 0 0\n").unwrap();

        for usage in [LevelUse::Bake, LevelUse::Picture] {
            let parse = |library: &str| {
                parse_level(&path, obj(library).as_bytes(), ImportOptions::default(), usage)
                    .unwrap()
            };
            let (level, beside) = parse("a b.mtl");
            assert_eq!(level.colors, [("red".into(), [255, 0, 0])].into());
            assert_eq!(beside, [folder.path().join("a b.mtl")]);
            assert_eq!(level.appearance.is_some(), usage == LevelUse::Picture);
            for other in ["missing.mtl", "../a b.mtl", "/etc/passwd", "."] {
                let (level, beside) = parse(other);
                assert!(level.colors.is_empty() && beside.is_empty(), "{other}");
            }
        }
    }
}
