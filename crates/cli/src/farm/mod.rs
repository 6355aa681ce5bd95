//! `walkable farm`: writes the files with which a cluster bakes a level in shards.

mod kubernetes;
mod slurm;

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use clap::{Args, Subcommand};
use walkable_editor::{
    files::{self, Durability, FileKind},
    limits,
};

use super::{Failure, output::Output};

/// A task that was killed is started again this many times.
const MAX_RESTARTS: u32 = 3;

/// Commands of `walkable farm`.
#[derive(Subcommand, Debug)]
pub(super) enum FarmCommand {
    /// Write an array job, a merge job that depends on it, and a script that submits both, for Slurm.
    Slurm(slurm::SlurmArgs),
    /// Write an indexed job, a merge job and a script that runs both, for Kubernetes.
    K8s(kubernetes::KubernetesArgs),
}

/// Arguments for every cluster.
#[derive(Args, Debug)]
struct FarmArgs {
    /// Level to bake, as for `walkable bake`, where the tasks find it.
    level: String,
    /// Folder to write the files to; parts, cache and result are written to it too.
    #[arg(short, long, value_name = "FOLDER")]
    output: PathBuf,
    /// Name of the merged result: tiles in RecastDemo's format (MSET), or a tile store if it ends in .tiles. By default
    /// world.tiles for a file of `walkable bin`, otherwise world.bin.
    #[arg(long, value_name = "FILE")]
    result: Option<String>,
    /// Number of shards.
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    shards: u32,
    /// Settings file of the bake, where the tasks find it.
    #[arg(long, value_name = "FILE")]
    settings: Option<String>,
    /// A setting of the bake; may be repeated.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    sets: Vec<String>,
    /// Number of cores of a task.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=4096))]
    cpus: u32,
    /// Memory of a task.
    #[arg(long, value_name = "SIZE", default_value = "4GB", value_parser = limits::parse_size)]
    memory: u64,
    /// Time limit of a task.
    #[arg(long, value_name = "TIME", default_value = "2h", value_parser = limits::parse_time)]
    time: u32,
}

impl FarmArgs {
    /// Returns the command that bakes a shard. The shell expands `number`, the number of the shard from 1.
    fn bake_command(&self, program: &str, number: &str) -> String {
        let Self { level, output: _, result: _, shards, settings, sets, cpus, memory, time } = self;
        let mut words = vec![program.to_owned(), "bake".to_owned(), quoted(level)];
        words.extend(settings.iter().flat_map(|file| ["--settings".to_owned(), quoted(file)]));
        words.extend(sets.iter().flat_map(|set| ["--set".to_owned(), quoted(set)]));
        words.push(format!("--threads {cpus} --max-memory {memory}B --max-time {time}s"));
        words.push(format!(
            "--cache cache --shard \"{number}/{shards}\" -o \"parts/{number}.part\""
        ));
        words.join(" ")
    }

    /// Returns the command that merges the parts.
    fn merge_command(&self, program: &str) -> String {
        let parts: Vec<_> =
            (1..=self.shards).map(|number| format!("parts/{number}.part")).collect();
        let result = quoted(self.result.as_deref().unwrap_or_else(|| self.default_result()));
        format!("{program} merge {} -o {result}", parts.join(" "))
    }

    fn default_result(&self) -> &'static str {
        match FileKind::of_name(Path::new(&self.level)) {
            Some(FileKind::Triangles) => "world.tiles",
            _ => "world.bin",
        }
    }
}

/// Quotes a word for a POSIX shell.
fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

pub(super) fn run(command: &FarmCommand, output: &mut Output) -> Result<(), Failure> {
    let (args, files) = match command {
        FarmCommand::Slurm(args) => args.files()?,
        FarmCommand::K8s(args) => args.files()?,
    };
    if let Some(set) = args.sets.iter().find(|set| !set.contains('=')) {
        return Err(Failure::Usage(format!("--set takes KEY=VALUE, not `{set}`")));
    }
    let folder = &args.output;
    fs::create_dir_all(folder)
        .with_context(|| format!("cannot create the folder {}", folder.display()))?;
    for (name, text) in files {
        let path = folder.join(name);
        files::write_own(&path, text.as_bytes(), Durability::Synced)?;
        output.line(&path.display().to_string())?;
    }
    Ok(())
}
