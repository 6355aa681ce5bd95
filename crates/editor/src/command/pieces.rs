//! Commands for levels that are stored in pieces.

use super::{
    Command, Effect,
    describe::{Description, says},
    requests,
};
use crate::{
    jobs::work::Work,
    lang::tr,
    pieces::PieceSource,
    prefs::Prefs,
    session::{ExportKind, Session},
};

/// A command for levels that are stored in pieces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PiecesCommand {
    /// Shows a dialog for choosing a folder with pieces.
    Open,
    /// Asks where to write the sorted triangles of these pieces.
    Sort(PieceSource),
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
            Self::Cancel => says(
                "pieces.cancel",
                tr!("Stop reading pieces"),
                tr!("Stops reading the pieces of a level. Nothing is written"),
            )
            .needs(|session| session.pieces.progress.is_some()),
        }
    }

    /// Carries out the command.
    pub(crate) fn carry_out(self, session: &mut Session, prefs: &Prefs) -> Effect {
        match self {
            Self::Open => requests::ask_folder(session, prefs).into(),
            Self::Sort(source) => {
                session.pieces.source = Some(source);
                requests::ask_export(session, ExportKind::Sorted).into()
            }
            Self::Cancel => {
                session.pieces.progress = None;
                Work::CancelSort.into()
            }
        }
    }
}

impl From<PiecesCommand> for Command {
    fn from(command: PiecesCommand) -> Self {
        Self::Pieces(command)
    }
}
