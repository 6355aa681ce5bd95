//! Commands for levels that are stored in pieces.

use std::path::PathBuf;

use walkable::mesh::ImportOptions;
use walkable_workspace::{files::FileKind, lang::tr, pieces::PieceSource};

use super::{
    Command, Effect,
    describe::{Description, says},
    requests,
};
use crate::{
    jobs::work::Work,
    prefs::Prefs,
    session::{LevelSource, Session},
    task::TaskId,
};

#[derive(Clone, Debug, PartialEq)]
pub enum PiecesCommand {
    Open,
    /// Shows the import options of these pieces, which are then sorted.
    Sort(PieceSource),
    Import(ImportOptions),
    Cancel,
}

impl PiecesCommand {
    /// Returns the commands that need no arguments; none on a web page, which has no folders.
    pub(super) fn listed() -> Vec<Command> {
        let all = [Self::Open, Self::Cancel].map(Command::from).to_vec();
        if cfg!(target_family = "wasm") { Vec::new() } else { all }
    }

    pub(super) fn description(&self) -> Description {
        match self {
            Self::Open => says(
                "pieces.open",
                tr!("Open a folder of pieces…"),
                tr!(
                    "Opens a level that is stored in several files: sorts their triangles into one file, of which a \
                    part is loaded"
                ),
            ),
            Self::Sort(_) => says(
                "pieces.sort",
                tr!("Open pieces"),
                tr!("Sorts the triangles of several files into one file, and opens it"),
            ),
            Self::Import(_) => says(
                "pieces.import",
                tr!("Import options of the pieces"),
                tr!("Up axis, scale, handedness and winding of all pieces"),
            )
            .needs(
                |session| session.opened.pieces.source.is_some(),
                tr!("Choose a folder of pieces first."),
            ),
            Self::Cancel => says(
                "pieces.cancel",
                tr!("Stop reading pieces"),
                tr!("Stops reading the pieces of a level. Nothing is written"),
            )
            .needs(
                |session| session.opened.pieces.progress.is_some(),
                tr!("No pieces are being read."),
            ),
        }
    }

    pub(crate) fn carry_out(self, session: &mut Session, prefs: &Prefs) -> Option<Effect> {
        match self {
            Self::Open => return Some(requests::ask_folder(session, prefs).into()),
            Self::Sort(source) => {
                session.choose_pieces(source);
                return Some(Effect::PieceOptions);
            }
            Self::Import(import) => session.opened.pieces.import = import,
            Self::Cancel => {
                session.opened.pieces.progress = None;
                return Some(Work::Cancel(TaskId::SortPieces.into()).into());
            }
        }
        None
    }
}

impl Command {
    /// Returns the command that opens `paths`, which were dropped on the window or passed to the program: the pieces of a
    /// level, or the one of several files that refers to the others. `None` without paths.
    pub fn opening(paths: &[PathBuf]) -> Option<Self> {
        if let Some(pieces) = PieceSource::of_paths(paths) {
            return Some(PiecesCommand::Sort(pieces).into());
        }
        let file = FileKind::first_to_open(paths)?;
        Some(Self::Load(LevelSource::File(file.clone())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_and_several_levels_are_pieces_and_other_files_are_opened() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let sort = |source: PieceSource| Some(PiecesCommand::Sort(source).into());
        let load = |path: PathBuf| Some(Command::Load(LevelSource::File(path)));
        let of_folder = PieceSource::Folder(folder.path().to_owned());
        assert_eq!(Command::opening(&[folder.path().to_owned()]), sort(of_folder));
        let pieces = vec![path("a.obj"), path("b.obj")];
        assert_eq!(Command::opening(&pieces), sort(PieceSource::Files(pieces.clone())));
        let files = [path("a.bin"), path("a.gltf")];
        assert_eq!(Command::opening(&files), load(path("a.gltf")));
        // Opening reports a file of an unknown kind, and one that does not exist.
        assert_eq!(Command::opening(&[path("a.txt")]), load(path("a.txt")));
        assert_eq!(Command::opening(&[]), None);
    }
}
