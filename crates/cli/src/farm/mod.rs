//! `walkable farm`: writes the files with which a cluster bakes a level in shards.

mod kubernetes;
mod slurm;

use anyhow::Context as _;
use clap::{Args, Subcommand};
use walkable_workspace::{
    files::{self, FileKind},
    limits, references,
};

use super::{
    Failure,
    guard::{FolderFiles, InputFile, OutputFile, OutputFolder, has_ending},
    output::Output,
};

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
    level: InputFile,
    /// Folder to write the files to; parts, cache and result are written to it too.
    #[arg(short, long, value_name = "FOLDER", value_parser = OutputFolder::of(&JOBS))]
    output: OutputFolder,
    /// Name of the merged result: tiles in RecastDemo's format (MSET), or a tile store if it ends in .tiles. By default
    /// world.tiles for a file of `walkable bin`, otherwise world.bin.
    #[arg(long, value_name = "FILE")]
    result: Option<String>,
    /// Number of shards.
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    shards: u32,
    /// Settings file of the bake, where the tasks find it.
    #[arg(long, value_name = "FILE")]
    settings: Option<InputFile>,
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

/// The files that are written; the tasks write others.
static JOBS: FolderFiles = FolderFiles {
    is_written: |name| {
        ["bake.sbatch", "merge.sbatch", "bake.json", "merge.json", "submit.sh"].contains(&name)
    },
    is_own: |_, start| {
        let text = String::from_utf8_lossy(start);
        [
            slurm::SUBMIT_TITLE,
            kubernetes::SUBMIT_TITLE,
            "--job-name=walkable-",
            "\"name\": \"walkable-",
        ]
        .iter()
        .any(|own| text.contains(own))
    },
};

fn text_of(path: &InputFile) -> anyhow::Result<&str> {
    path.to_str().with_context(|| format!("the name of {} is not valid UTF-8", path.display()))
}

impl FarmArgs {
    /// Returns the command that bakes a shard. The shell expands `number`, the number of the shard from 1.
    fn bake_command(&self, program: &str, number: &str) -> anyhow::Result<String> {
        let Self { level, output: _, result: _, shards, settings, sets, cpus, memory, time } = self;
        let mut words = vec![program.to_owned(), "bake".to_owned(), quoted(text_of(level)?)];
        if let Some(file) = settings {
            words.extend(["--settings".to_owned(), quoted(text_of(file)?)]);
        }
        words.extend(sets.iter().flat_map(|set| ["--set".to_owned(), quoted(set)]));
        words.push(format!("--threads {cpus} --max-memory {memory}B --max-time {time}s"));
        words.push(format!(
            "--cache cache --shard \"{number}/{shards}\" -o \"parts/{number}.part\""
        ));
        Ok(words.join(" "))
    }

    fn merge_command(&self, program: &str) -> String {
        let parts: Vec<_> =
            (1..=self.shards).map(|number| format!("parts/{number}.part")).collect();
        format!("{program} merge {} -o {}", parts.join(" "), quoted(self.result()))
    }

    fn result(&self) -> &str {
        let is_world = FileKind::of_name(&self.level) == Some(FileKind::Triangles);
        let usual = if is_world { "world.tiles" } else { "world.bin" };
        self.result.as_deref().unwrap_or(usual)
    }

    /// Checks that the tasks do not write to the level or the settings.
    fn declare_files_of_tasks(&self) -> Result<(), Failure> {
        references::declare_file(self.level.as_ref())?;
        OutputFile::declare(self.output.join(self.result()), "--result")?;
        let declare = |folder: &str, is_written: fn(&str) -> bool| {
            let (path, option) = (self.output.join(folder), "-o".to_owned());
            files::declare_output(files::Output { path, option, is_written: Some(is_written) })
        };
        declare("parts", |name| has_ending(name, "part"))?;
        Ok(declare("logs", |name| has_ending(name, "log"))?)
    }
}

type FarmFiles = Vec<(&'static str, String)>;

/// Quotes a word for a POSIX shell.
fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

pub(super) fn run(command: &FarmCommand, output: &mut Output) -> Result<(), Failure> {
    let (args, files) = match command {
        FarmCommand::Slurm(args) => args.files()?,
        FarmCommand::K8s(args) => args.files()?,
    };
    args.declare_files_of_tasks()?;
    if let Some(set) = args.sets.iter().find(|set| !set.contains('=')) {
        return Err(Failure::Usage(format!("--set takes KEY=VALUE, not `{set}`")));
    }
    let folder = &args.output;
    folder.create()?;
    for (name, text) in files {
        folder.write(name, text.as_bytes())?;
        output.line(&folder.join(name).display().to_string())?;
    }
    Ok(())
}
