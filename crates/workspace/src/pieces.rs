//! Sorts the triangles of a level that is stored in pieces into one file, so that it can be baked and opened in parts.

use std::{
    io::BufWriter,
    path::{Path, PathBuf},
    sync::Arc,
};

use anyhow::Context as _;
use walkable::{
    mesh::{BinnedError, BinnedWriter, FileWarnings, ImportOptions, TriMesh},
    monitor::Monitor,
};

use crate::{
    files::{self, FileKind},
    level_files::{self, LevelUse},
};

/// Side of the squares of a file in meters, unless another one is given: two or three tiles.
pub const SQUARE: f32 = 40.0;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PieceSource {
    /// All level files in this folder, without the folders in it.
    Folder(PathBuf),
    Files(Vec<PathBuf>),
}

impl PieceSource {
    /// Returns the pieces in a folder, or among several files if at least two of them are level files; `None` for
    /// anything else.
    pub fn of_paths(paths: &[PathBuf]) -> Option<Self> {
        if let [folder] = paths
            && files::is_folder(folder)
        {
            // The `.tri` file gets the name of the folder, and `.` is not a name.
            let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.clone());
            return Some(Self::Folder(folder));
        }
        let pieces =
            paths.iter().filter(|path| FileKind::is_piece_name(path) && !files::is_folder(path));
        let pieces: Vec<_> = pieces.cloned().collect();
        (pieces.len() > 1).then_some(Self::Files(pieces))
    }

    /// Lists the pieces, in the order in which they are read. Fails if the folder has no level files.
    pub fn pieces(&self) -> anyhow::Result<Vec<PathBuf>> {
        match self {
            Self::Folder(folder) => files::pieces_in(folder),
            Self::Files(pieces) => Ok(pieces.clone()),
        }
    }

    /// Returns the proposed path of the file of sorted triangles: named after the folder, and next to it.
    pub fn proposed_file(&self) -> PathBuf {
        let folder = match self {
            Self::Folder(folder) => folder.clone(),
            Self::Files(pieces) => {
                pieces.first().map(|piece| files::folder_of(piece)).unwrap_or_default()
            }
        };
        let [ending] = FileKind::Triangles.endings() else { return folder };
        let mut name = folder.file_name().unwrap_or_else(|| "level".as_ref()).to_owned();
        name.push(".");
        name.push(ending);
        match self {
            Self::Folder(folder) => folder.parent().unwrap_or(folder).join(name),
            Self::Files(_) => folder.join(name),
        }
    }
}

#[derive(Clone, Debug)]
pub struct LevelPiece {
    pub mesh: Arc<TriMesh>,
    pub files: Vec<PathBuf>,
    pub warnings: FileWarnings,
}

impl LevelPiece {
    pub fn read(path: &Path, import: ImportOptions) -> anyhow::Result<Self> {
        let bytes = level_files::read_level(path)?;
        let context = || path.display().to_string();
        let parsed = level_files::parse_level(path, &bytes, import, LevelUse::Bake);
        let (level, beside) = parsed.with_context(context)?;
        let warnings = level.warnings.clone();
        let mesh = Arc::new(import.import(level).with_context(context)?);
        let files = std::iter::once(path.to_owned()).chain(beside).collect();
        Ok(Self { mesh, files, warnings })
    }
}

/// Writes the triangles of `pieces` to a file, sorted into squares with a side of `square` meters. Calls `read` for one
/// piece after another, so that only one is in memory. The file appears when it is complete. Returns the number of
/// triangles.
pub fn sort_pieces<P>(
    path: &Path,
    square: f32,
    pieces: &[P],
    monitor: &dyn Monitor,
    mut read: impl FnMut(&P) -> anyhow::Result<LevelPiece>,
) -> anyhow::Result<usize> {
    let mut n_triangles = 0;
    files::write_atomically_with(path, |file| {
        let named = |error: BinnedError| {
            anyhow::Error::from(error).context(format!("cannot write {}", path.display()))
        };
        let mut writer = BinnedWriter::new(BufWriter::new(file), square).map_err(named)?;
        for piece in pieces {
            monitor.check()?;
            let mesh = read(piece)?.mesh;
            writer.add(&mesh).map_err(named)?;
            n_triangles += mesh.triangles().len();
        }
        monitor.check()?;
        writer.finish().map_err(named)?;
        Ok(())
    })?;
    Ok(n_triangles)
}

#[cfg(test)]
mod tests {
    use std::{
        fs,
        io::Cursor,
        sync::atomic::{AtomicUsize, Ordering},
    };

    use walkable::{
        mesh::BinnedLevel,
        monitor::{Cancelled, Unmonitored},
    };

    use super::*;

    /// Writes `n` pieces as OBJ files into `folder`.
    fn write_pieces(folder: &Path, n: u8) -> Vec<PathBuf> {
        let write = |index: u8| {
            let x = f32::from(index) * 10.0;
            let text = format!("v {x} 0 0\nv {x} 0 9\nv {} 0 9\nf 1 2 3\n", x + 9.0);
            let path = folder.join(format!("{index}.obj"));
            fs::write(&path, text).unwrap();
            path
        };
        (0..n).map(write).collect()
    }

    fn sort(pieces: &[PathBuf], path: &Path, monitor: &dyn Monitor) -> anyhow::Result<usize> {
        sort_pieces(path, SQUARE, pieces, monitor, |piece| {
            LevelPiece::read(piece, ImportOptions::default())
        })
    }

    #[test]
    fn pieces_become_one_level() {
        let folder = tempfile::tempdir().unwrap();
        let pieces = write_pieces(folder.path(), 3);
        let output = folder.path().join("out.tri");
        assert_eq!(sort(&pieces, &output, &Unmonitored).unwrap(), 3);
        let level = BinnedLevel::read(&mut Cursor::new(fs::read(&output).unwrap())).unwrap();
        assert_eq!(level.n_triangles(), 3);
        assert!((level.bounds().max.x - 29.0).abs() < 1e-6);
    }

    #[test]
    fn a_piece_that_cannot_be_read_leaves_the_earlier_file() {
        let folder = tempfile::tempdir().unwrap();
        let mut pieces = write_pieces(folder.path(), 3);
        let output = folder.path().join("out.tri");
        fs::write(&output, "earlier").unwrap();
        fs::write(&pieces[1], "v 1 2\n").unwrap();
        let why = format!("{:#}", sort(&pieces, &output, &Unmonitored).unwrap_err());
        assert!(why.contains("1.obj"), "{why}");
        pieces[1] = folder.path().join("absent.obj");
        let why = format!("{:#}", sort(&pieces, &output, &Unmonitored).unwrap_err());
        assert!(why.contains("absent.obj"), "{why}");
        assert_eq!(fs::read(&output).unwrap(), b"earlier");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 4, "nothing else is left");
    }

    #[test]
    fn a_cancelled_sort_writes_nothing() {
        /// Cancels at the last check, before the file gets its name.
        struct AtTheEnd(AtomicUsize);

        impl Monitor for AtTheEnd {
            fn is_cancelled(&self) -> bool {
                self.0.fetch_add(1, Ordering::Relaxed) == 3
            }
        }

        let folder = tempfile::tempdir().unwrap();
        let pieces = write_pieces(folder.path(), 3);
        let output = folder.path().join("out.tri");
        let monitor = AtTheEnd(AtomicUsize::new(0));
        let why = sort(&pieces, &output, &monitor).unwrap_err();
        assert!(why.is::<Cancelled>(), "{why}");
        assert!(!output.exists());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3, "nothing else is left");
    }

    #[test]
    fn what_is_dropped_is_a_folder_or_several_levels() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let of = |names: &[&str]| {
            PieceSource::of_paths(&names.iter().map(|name| at(name)).collect::<Vec<_>>())
        };
        fs::create_dir(at("town.obj")).unwrap();
        assert_eq!(of(&["town.obj"]), Some(PieceSource::Folder(at("town.obj"))));
        assert_eq!(of(&["a.obj"]), None);
        assert_eq!(of(&["a.obj", "a.mtl"]), None, "a level with a file that it refers to");
        let both = PieceSource::Files(vec![at("b.obj"), at("a.glb")]);
        assert_eq!(of(&["b.obj", "b.mtl", "a.glb", "town.obj"]), Some(both.clone()));
        let name = folder.path().file_name().unwrap().to_str().unwrap();
        assert_eq!(both.proposed_file(), at(&format!("{name}.tri")));
        assert_eq!(PieceSource::Folder(at("town.obj")).proposed_file(), at("town.obj.tri"));
        assert_eq!(PieceSource::Folder("/".into()).proposed_file(), Path::new("/level.tri"));
    }
}
