//! Writes all tiles of a tile store that is loaded in part, in the background.

use std::path::PathBuf;

use walkable::{bake::AreaTable, export::ExportFormat, monitor::Cancelled};

use super::{
    export::{Clash, Target, Written, clash},
    open_store::open_store,
    slot::{JobEvent, JobSlot, Reporter, Wake},
};
use crate::{
    files::{self, Output},
    lang,
    session::StoreExportProgress,
    store_export::StoreExport,
};

/// Number of tiles between two messages about the progress.
const STEP: usize = 256;

/// The store to export, and the file to write.
#[derive(Clone, Debug, PartialEq)]
pub struct StoreExportRequest {
    /// The file of the store.
    pub store: PathBuf,
    /// Hash of the store as it was opened.
    pub hash: u128,
    /// The format.
    pub format: ExportFormat,
    /// The areas of the open document.
    pub areas: AreaTable,
    /// The file to write.
    pub target: Target,
}

/// A message of the job.
#[derive(Debug)]
pub enum StoreExportMessage {
    /// Nothing was read: the user has to decide.
    Asks(Clash),
    /// Tiles are being read.
    Reading(StoreExportProgress),
    /// The file was written, or could not be.
    Written(Box<Written>),
}

/// Exports one store at a time.
#[derive(Debug)]
pub(super) struct StoreExportJob {
    slot: JobSlot<StoreExportMessage>,
    /// Maximum memory of a navmesh in formats that need all of it, in bytes.
    max_bytes: u64,
}

impl StoreExportJob {
    /// Creates an idle job.
    pub(super) fn new(wake: Wake) -> Self {
        Self { slot: JobSlot::new("export tile store", wake), max_bytes: 1 << 30 }
    }

    /// Sets the maximum memory of a navmesh in formats that need all of it, in bytes.
    pub(super) fn set_budget(&mut self, max_bytes: u64) {
        self.max_bytes = max_bytes;
    }

    /// Exports a store; cancels the export in progress.
    pub(super) fn start(&mut self, request: StoreExportRequest) {
        let max_bytes = self.max_bytes;
        self.slot.request(move |report| {
            let path = request.target.path.clone();
            let losses = request.target.losses.clone();
            let result = match export(request, max_bytes, report) {
                Ok(Outcome::Asks(clash)) => return report.send(StoreExportMessage::Asks(clash)),
                Ok(Outcome::Written(n_bytes)) => Ok(n_bytes),
                // Messages of a cancelled job are dropped.
                Err(error) if error.is::<Cancelled>() => return,
                Err(error) => Err(lang::error(&error)),
            };
            let (project, of_agents) = (None, Vec::new());
            let written = Written { path, result, project, losses, of_agents };
            report.send(StoreExportMessage::Written(Box::new(written)));
        });
    }

    /// Stops the export. Nothing is written.
    pub(super) fn cancel(&mut self) {
        self.slot.cancel();
    }

    /// Returns whether a store is being exported.
    pub(super) fn is_busy(&self) -> bool {
        self.slot.is_busy()
    }

    /// Messages since the last poll.
    pub(super) fn poll(&mut self) -> Vec<JobEvent<StoreExportMessage>> {
        self.slot.poll()
    }
}

enum Outcome {
    Asks(Clash),
    /// The number of bytes.
    Written(usize),
}

fn export(
    request: StoreExportRequest,
    max_bytes: u64,
    report: &Reporter<StoreExportMessage>,
) -> anyhow::Result<Outcome> {
    let StoreExportRequest { store: path, hash, format, areas, target } = request;
    if let Some(clash) = clash(&target).map_err(anyhow::Error::msg)? {
        return Ok(Outcome::Asks(clash));
    }
    let (store, file) = open_store(&path, Some(hash))?;
    let output = Output { path: &target.path, option: "output" };
    files::check_outputs(&[output], &[path]).map_err(anyhow::Error::msg)?;
    let name = target.path.file_name().unwrap_or(target.path.as_os_str());
    let name = name.to_string_lossy().into_owned();
    let mut export = StoreExport { store: &store, file, areas: &areas, max_bytes };
    let entered = &mut |[n_done, n_tiles]: [usize; 2]| {
        if n_done.is_multiple_of(STEP) {
            let progress = StoreExportProgress { file: name.clone(), n_done, n_tiles };
            report.send(StoreExportMessage::Reading(progress));
        }
    };
    let n_bytes = export.write(format, output, entered, report)?;
    Ok(Outcome::Written(usize::try_from(n_bytes).unwrap_or(usize::MAX)))
}
