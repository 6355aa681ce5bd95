//! The limits of memory and time on the command line, and what a bake needs, said before it starts.

use anyhow::Context as _;
use walkable::bake::{BakeError, BakeEstimate};
use walkable_editor::limits;

use super::{load::LevelArg, output::say};

/// The most memory and time that a bake or a search may take.
#[derive(clap::Args, Debug)]
pub(crate) struct LimitArgs {
    /// Most memory that the bake or search may take, as estimated before it starts; 1GB unless given, or less where
    /// the process may not have that much.
    #[arg(long, value_name = "SIZE", value_parser = limits::parse_size)]
    max_memory: Option<u64>,
    /// Most time that a bake may take, as estimated before it starts, as in 30min or 2h; 1h unless given.
    #[arg(long, value_name = "TIME", value_parser = limits::parse_time)]
    max_time: Option<u32>,
}

impl LimitArgs {
    /// Makes them the limits of the process.
    pub(crate) fn apply(&self) {
        if let Some(n_bytes) = self.max_memory {
            limits::set_memory(n_bytes);
        }
        if let Some(secs) = self.max_time {
            limits::set_time(secs);
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
        BakeError::TooMuchTime { .. } => anyhow::anyhow!("{error}, or raise --max-time"),
        error => error.into(),
    });
    let estimate = estimate.with_context(|| level.to_string())?;
    if estimate.n_bytes > QUIET.n_bytes || estimate.secs > QUIET.secs {
        say(&format!("{level}: the bake needs {estimate}"));
    }
    Ok(())
}
