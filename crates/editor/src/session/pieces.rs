//! A level in pieces that is being sorted into one file.

use std::path::PathBuf;

use walkable::{mesh::ImportOptions, phrase};
use walkable_workspace::pieces::PieceSource;

use super::{LevelSource, LoadedLevel, Session};

#[derive(Clone, Debug, Default, PartialEq)]
pub struct PiecesState {
    pub source: Option<PieceSource>,
    pub import: ImportOptions,
    pub sorted: Option<PathBuf>,
    pub progress: Option<SortProgress>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SortProgress {
    pub piece: String,
    pub n_done: usize,
    pub n_pieces: usize,
}

impl Session {
    /// Chooses the pieces to sort. Their import options are those that they were sorted with before: in this run, or
    /// according to the open project if its level is the proposed file.
    pub(crate) fn choose_pieces(&mut self, source: PieceSource) {
        let file = LevelSource::File(source.proposed_file());
        let is_open = self.opened.level.as_ref().is_some_and(|level| level.source == file);
        if self.opened.pieces.source.as_ref() != Some(&source) {
            self.opened.pieces.import =
                if is_open { self.document().import } else { ImportOptions::default() };
            self.opened.pieces.sorted = None;
        }
        self.opened.pieces.source = Some(source);
    }

    /// Records that pieces were sorted into the file `path`. If it is the open level, the document gets the import
    /// options of the pieces.
    pub(crate) fn take_sorted(&mut self, path: PathBuf, import: ImportOptions) {
        let open = self.opened.level.as_mut().filter(|level| level.source.path() == Some(&path));
        if let Some(level) = open {
            level.import = import;
            let label = phrase!("Change import options");
            self.history.change(label, |document| document.import = import);
        }
        self.opened.pieces.import = import;
        self.opened.pieces.sorted = Some(path);
    }

    /// Returns whether the import options of the open level, or of its pieces, can be changed.
    pub fn has_import_options(&self) -> bool {
        self.opened.level.as_ref().is_some_and(LoadedLevel::has_import_options)
            || self.pieces_of_level().is_some()
    }

    /// Returns the pieces that the open level was sorted from in this run.
    pub fn pieces_of_level(&self) -> Option<&PieceSource> {
        let sorted = self.opened.pieces.sorted.as_deref()?;
        let open = self.opened.level.as_ref()?.source.path()?;
        self.opened.pieces.source.as_ref().filter(|_| open == sorted)
    }
}
