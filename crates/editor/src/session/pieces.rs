//! A level in pieces that is being sorted into one file.

use crate::pieces::PieceSource;

/// The pieces that are sorted, or were chosen to be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PiecesState {
    /// The pieces that were chosen last.
    pub source: Option<PieceSource>,
    /// What is being read; `None` if nothing is.
    pub progress: Option<SortProgress>,
}

/// The progress of sorting pieces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SortProgress {
    /// Name of the piece that is being read.
    pub piece: String,
    /// Number of pieces that were read before.
    pub n_done: usize,
    /// Number of all pieces.
    pub n_pieces: usize,
}
