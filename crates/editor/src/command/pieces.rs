//! Commands for levels that are stored in pieces.

use walkable::mesh::ImportOptions;

use super::{
    Command, Effect,
    describe::{Description, says},
    requests,
};
use crate::{jobs::work::Work, lang::tr, pieces::PieceSource, prefs::Prefs, session::Session};

/// A command for levels that are stored in pieces.
#[derive(Clone, Debug, PartialEq)]
pub enum PiecesCommand {
    /// Shows a dialog for choosing a folder with pieces.
    Open,
    /// Shows the import options of these pieces, which are then sorted.
    Sort(PieceSource),
    /// Sets the import options of the chosen pieces.
    Import(ImportOptions),
    /// Stops sorting.
    Cancel,
}

impl PiecesCommand {
    /// Returns the commands that need no arguments; none on a web page, which has no folders.
    pub fn listed() -> Vec<Command> {
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
            .needs(|session| session.pieces.source.is_some()),
            Self::Cancel => says(
                "pieces.cancel",
                tr!("Stop reading pieces"),
                tr!("Stops reading the pieces of a level. Nothing is written"),
            )
            .needs(|session| session.pieces.progress.is_some()),
        }
    }

    /// Carries out the command.
    pub(crate) fn carry_out(self, session: &mut Session, prefs: &Prefs) -> Option<Effect> {
        match self {
            Self::Open => return Some(requests::ask_folder(session, prefs).into()),
            Self::Sort(source) => {
                session.choose_pieces(source);
                return Some(Effect::PieceOptions);
            }
            Self::Import(import) => session.pieces.import = import,
            Self::Cancel => {
                session.pieces.progress = None;
                return Some(Work::CancelSort.into());
            }
        }
        None
    }
}

impl From<PiecesCommand> for Command {
    fn from(command: PiecesCommand) -> Self {
        Self::Pieces(command)
    }
}
