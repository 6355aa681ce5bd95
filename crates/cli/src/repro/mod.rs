//! `walkable repro`: saves a question and its level in one file, asks it again, and reduces the level.

mod run;
mod save;
mod shrink;

use clap::Subcommand;

use super::{Failure, output::Output};

/// Commands about repro files.
#[derive(Debug, Subcommand)]
pub(super) enum ReproCommand {
    /// Save a level, a question about it and the answer in one file.
    Save(Box<save::SaveArgs>),
    /// Ask the question of a repro file again: exit code 0 if the problem is still there, 1 if it is gone.
    Run(run::RunArgs),
    /// Reduce the level of a repro file to a few triangles in which the problem remains.
    Shrink(shrink::ShrinkArgs),
}

pub(super) fn run(command: &ReproCommand, output: &mut Output) -> Result<(), Failure> {
    match command {
        ReproCommand::Save(args) => save::run(args, output),
        ReproCommand::Run(args) => run::run(args, output),
        ReproCommand::Shrink(args) => shrink::run(args, output),
    }
}
