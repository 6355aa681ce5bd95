//! Answers of `walkable watch`, as text or as JSON.

use anyhow::Context as _;
use serde::Serialize;
use walkable::navmesh::NavMeshParams;
use walkable_workspace::{live::TileChanges, report::OutputReport};

#[derive(Serialize)]
#[serde(tag = "status", rename_all = "snake_case")]
pub(super) enum WatchAnswer {
    Written(Box<Written>),
    /// Nothing changed since the last write.
    Unchanged {},
    Failed {
        error: String,
    },
}

#[derive(Serialize)]
pub(super) struct Written {
    #[serde(skip)]
    pub(super) summary: String,
    pub(super) file: String,
    pub(super) output: OutputReport,
    pub(super) seconds: f32,
    pub(super) baked: usize,
    pub(super) parameters: NavMeshParams,
    #[serde(flatten)]
    pub(super) changes: TileChanges,
}

impl WatchAnswer {
    pub(super) fn in_words(&self) -> String {
        match self {
            Self::Written(written) => format!("{}; {} tiles baked", written.summary, written.baked),
            Self::Unchanged {} => "unchanged".to_owned(),
            Self::Failed { error } => format!("failed: {error}"),
        }
    }

    pub(super) fn json(&self) -> anyhow::Result<String> {
        serde_json::to_string(self).context("cannot write the answer as JSON")
    }
}
