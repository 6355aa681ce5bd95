//! Sorts the pieces of a level into one file in the background.

use std::{cell::Cell, path::PathBuf};

use walkable::{
    diagnostic::{Diagnostic, Phrase},
    mesh::ImportOptions,
    monitor::{Cancelled, Monitor as _},
};
use walkable_workspace::{
    files::Output,
    lang,
    pieces::{LevelPiece, PieceSource, SQUARE, sort_pieces},
};

use super::{
    export::{Clash, Target, clash},
    slot::{JobEvent, JobSlot, Reporter, Wake},
};
use crate::session::SortProgress;

/// The pieces to sort, and the file to write.
#[derive(Clone, Debug, PartialEq)]
pub struct SortRequest {
    pub source: PieceSource,
    pub import: ImportOptions,
    pub target: Target,
}

#[derive(Debug)]
pub enum SortMessage {
    /// Nothing was read: the user has to decide.
    Asks(Clash),
    /// A piece is being read.
    Reading(SortProgress),
    /// There are warnings about the file of this name.
    Warnings(String, Vec<Diagnostic>),
    Written {
        path: PathBuf,
        n_triangles: usize,
        n_pieces: usize,
        import: ImportOptions,
    },
    /// Nothing was written, for this reason.
    Failed {
        /// The file to write.
        path: PathBuf,
        /// The reason, with the name of the piece.
        why: Phrase,
    },
}

/// Sorts the pieces of one level at a time.
#[derive(Debug)]
pub(super) struct SortJob {
    slot: JobSlot<SortMessage>,
}

impl SortJob {
    pub(super) fn new(wake: Wake) -> Self {
        Self { slot: JobSlot::new("sort pieces", wake) }
    }

    /// Sorts pieces; cancels the sort in progress.
    pub(super) fn start(&mut self, request: SortRequest) {
        self.slot.request(move |report| {
            let path = request.target.path.clone();
            match sort(request, report) {
                Ok(message) => report.send(message),
                // Messages of a cancelled job are dropped.
                Err(error) if error.is::<Cancelled>() => {}
                Err(error) => report.send(SortMessage::Failed { path, why: lang::error(&error) }),
            }
        });
    }

    /// Stops sorting. Nothing is written.
    pub(super) fn cancel(&mut self) {
        self.slot.cancel();
    }

    /// Returns whether pieces are being sorted.
    pub(super) fn is_busy(&self) -> bool {
        self.slot.is_busy()
    }

    /// Messages since the last poll.
    pub(super) fn poll(&mut self) -> Vec<JobEvent<SortMessage>> {
        self.slot.poll()
    }
}

fn sort(request: SortRequest, report: &Reporter<SortMessage>) -> anyhow::Result<SortMessage> {
    let SortRequest { source, import, target } = request;
    if let Some(clash) = clash(&target).map_err(anyhow::Error::msg)? {
        return Ok(SortMessage::Asks(clash));
    }
    let pieces = source.pieces()?;
    let n_pieces = pieces.len();
    let path = target.path;
    let output = Output::file(&*path, "output");
    let n_done = Cell::new(0);
    let n_triangles = sort_pieces(&path, SQUARE, &pieces, report, |piece| {
        let name = piece.file_name().unwrap_or(piece.as_os_str()).to_string_lossy().into_owned();
        let progress = SortProgress { piece: name.clone(), n_done: n_done.get(), n_pieces };
        report.send(SortMessage::Reading(progress));
        let read = LevelPiece::read(piece, import)?;
        output.check(&read.files)?;
        report.check()?;
        let warnings: Vec<_> = read.warnings.summary().collect();
        if !warnings.is_empty() {
            report.send(SortMessage::Warnings(name, warnings));
        }
        n_done.set(n_done.get() + 1);
        Ok(read)
    })?;
    Ok(SortMessage::Written { path, n_triangles, n_pieces, import })
}
