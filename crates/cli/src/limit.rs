//! The limit of memory on the command line, and what a bake needs, said before it starts.

use anyhow::Context as _;
use walkable::bake::{BakeError, BakeEstimate};
use walkable_editor::memory;

use super::{load::LevelArg, output::say};

/// The most memory that a bake or a search may take.
#[derive(clap::Args, Debug)]
pub(crate) struct MemoryArg {
    /// Most memory that the bake or search may take, as estimated before it starts; 1GB unless given, or less where
    /// the process may not have that much.
    #[arg(long, value_name = "SIZE", value_parser = memory::parse)]
    max_memory: Option<u64>,
}

impl MemoryArg {
    /// Makes it the limit of the process.
    pub(crate) fn apply(&self) {
        if let Some(n_bytes) = self.max_memory {
            memory::set_limit(n_bytes);
        }
    }
}

/// Bakes that need less than this much memory and time are not announced.
const QUIET: BakeEstimate = BakeEstimate { n_bytes: 100_000_000, secs: 5.0 };

/// Says what the bake of a level needs, if that is much, or refuses it.
pub(crate) fn admit(
    level: &LevelArg,
    estimate: Result<BakeEstimate, BakeError>,
) -> anyhow::Result<()> {
    let estimate = estimate.map_err(|error| match error {
        BakeError::TooMuchMemory { .. } => anyhow::anyhow!("{error}, or raise --max-memory"),
        error => error.into(),
    });
    let estimate = estimate.with_context(|| level.to_string())?;
    if estimate.n_bytes > QUIET.n_bytes || estimate.secs > QUIET.secs {
        say(&format!("{level}: the bake needs {estimate}"));
    }
    Ok(())
}
