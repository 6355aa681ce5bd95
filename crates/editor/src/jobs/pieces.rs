//! Sorts the pieces of a level into one file in the background.

use std::{cell::Cell, path::PathBuf};

use walkable::{
    diagnostic::{Diagnostic, Phrase},
    mesh::ImportOptions,
    monitor::{Cancelled, Monitor as _},
    phrase,
};
use walkable_workspace::{
    files::Output,
    lang,
    pieces::{LevelPiece, PieceSource, SQUARE, sort_pieces},
};

use super::{
    export::{Clash, Target, clash},
    slot::Reporter,
    task::{FollowUp, Job, Task, TaskProblem},
};
use crate::session::{LogLine, LogPlace, Session, Severity, SortProgress};

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
    Reading(SortProgress),
    Warnings(String, Vec<Diagnostic>),
    Written {
        path: PathBuf,
        n_triangles: usize,
        n_pieces: usize,
        import: ImportOptions,
    },
    Failed {
        path: PathBuf,
        why: Phrase,
    },
}

impl Job for SortRequest {
    type Message = SortMessage;

    fn carry_out(self, report: &Reporter<SortMessage>) {
        let path = self.target.path.clone();
        match sort(self, report) {
            Ok(message) => report.send(message),
            // Messages of a cancelled job are dropped.
            Err(error) if error.is::<Cancelled>() => {}
            Err(error) => report.send(SortMessage::Failed { path, why: lang::error(&error) }),
        }
    }
}

impl Task for SortRequest {
    const THREAD: &'static str = "sort pieces";
    const ENDS_WITH_LEVEL: bool = false;

    fn what() -> Phrase {
        phrase!("Sorting pieces")
    }

    fn apply(session: &mut Session, message: SortMessage) -> Option<FollowUp> {
        match message {
            SortMessage::Asks(clash) => return Some(FollowUp::AskReplace(clash)),
            SortMessage::Reading(progress) => session.opened.pieces.progress = Some(progress),
            SortMessage::Warnings(name, warnings) => {
                let lines = warnings.into_iter().map(|found| LogLine::of_file(&name, None, found));
                lines.for_each(|line| session.log.push(line));
            }
            SortMessage::Written { path, n_triangles, n_pieces, import } => {
                let (file, n) = (path.display().to_string(), n_triangles);
                let text =
                    phrase!("Wrote {file}: {n} triangles of {n_pieces} pieces", file, n, n_pieces);
                let place = LogPlace::File(path.clone());
                session.log.push(LogLine::new(Severity::Info, text).at(place));
                session.take_sorted(path.clone(), import);
                return Some(FollowUp::Open(path));
            }
            SortMessage::Failed { path, why } => {
                let path = path.display().to_string();
                let title = phrase!("Cannot write {path}", path);
                return Some(FollowUp::Problem(TaskProblem { title, why }));
            }
        }
        None
    }

    fn end(session: &mut Session) -> Option<FollowUp> {
        session.opened.pieces.progress = None;
        None
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
