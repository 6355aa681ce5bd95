//! Answers of `walkable watch`, as text or as JSON.

use std::sync::Arc;

use anyhow::Context as _;
use serde::Serialize;
use serde_json::json;
use walkable::navmesh::NavMeshParams;
use walkable_editor::report::OutputReport;

use super::tiles::Changes;

/// An answer: one line on the standard output.
#[derive(Serialize)]
#[serde(tag = "status", rename_all = "snake_case")]
pub(super) enum Answer {
    /// The file was written.
    Written(Box<Written>),
    /// Nothing changed since the last write.
    Unchanged {},
    /// The file was not written, because of an error.
    Failed {
        /// The error.
        error: String,
    },
}

/// The output that was written.
#[derive(Serialize)]
pub(super) struct Written {
    /// Summary for users.
    #[serde(skip)]
    pub(super) summary: String,
    pub(super) file: String,
    pub(super) output: OutputReport,
    pub(super) seconds: f32,
    /// Number of tiles that were baked.
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
        // An answer must be exactly one line.
        text.replace('\n', " ")
    }

    pub(super) fn json(&self) -> anyhow::Result<String> {
        serde_json::to_string(self).context("cannot write the answer as JSON")
    }
}

/// Returns the error reply to the message `id`, as JSON; `id` is `None` if the message has none.
pub(super) fn error_line(id: Option<u64>, error: &str) -> Arc<str> {
    json!({ "type": "error", "id": id, "error": error }).to_string().into()
}
