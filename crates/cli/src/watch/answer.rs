//! What `walkable watch` says, as text or as JSON.

use anyhow::Context as _;
use serde::Serialize;
use walkable::navmesh::NavMeshParams;
use walkable_editor::report::OutputReport;

use super::tiles::Changes;

/// An answer, one line of the standard output.
#[derive(Serialize)]
#[serde(tag = "status", rename_all = "snake_case")]
pub(super) enum Answer {
    /// The file was written.
    Written(Box<Written>),
    /// The file is what was written last.
    Unchanged {},
    /// The file is what was written last, and this is why.
    Failed {
        /// Why.
        error: String,
    },
}

/// What was written.
#[derive(Serialize)]
pub(super) struct Written {
    /// For people.
    #[serde(skip)]
    pub(super) summary: String,
    pub(super) file: String,
    pub(super) output: OutputReport,
    pub(super) seconds: f32,
    /// Tiles that were baked.
    pub(super) baked: usize,
    pub(super) parameters: NavMeshParams,
    #[serde(flatten)]
    pub(super) changes: Changes,
}

impl Answer {
    pub(super) fn in_words(&self) -> String {
        let text = match self {
            Self::Written(written) => format!("{}; {} tiles baked", written.summary, written.baked),
            Self::Unchanged {} => "unchanged".to_owned(),
            Self::Failed { error } => format!("failed: {error}"),
        };
        // Whoever waits for a line gets one.
        text.replace('\n', " ")
    }

    pub(super) fn json(&self) -> anyhow::Result<String> {
        serde_json::to_string(self).context("cannot write the answer as JSON")
    }
}
