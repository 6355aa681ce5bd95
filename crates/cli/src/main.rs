//! The command line: parses arguments, runs a command and prints errors.
//!
//! Exit codes: 0 if the command succeeded, 1 if it failed, 2 for wrong usage. Results go to the standard output,
//! everything else to the standard error.

mod bake;
mod baked;
mod bin;
mod check;
mod completions;
mod crowd;
mod diff;
mod empty;
mod explain;
mod export;
mod farm;
mod findings;
mod generate;
mod guard;
mod help;
mod import;
mod info;
mod input_file;
mod interrupt;
mod junit;
mod lab;
mod layers;
mod limit;
mod links;
mod load;
mod man;
mod merge;
mod output;
mod path;
mod path_tests;
mod progress;
mod query;
mod remarks;
mod repro;
#[cfg(feature = "window")]
mod shot;
mod soak;
mod store;
mod sweep;
mod watch;
mod why;

use std::{ffi::OsString, net::SocketAddr, path::Path, process::ExitCode};

use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
#[cfg(feature = "window")]
use walkable_editor::jobs::game::ListenRequest;
use walkable_workspace::{files, live, searches::SearchError, values};

use self::{guard::InputFile, load::LevelArg, output::Output};

/// Navmesh editor: bakes Recast/Detour navmeshes stage by stage and shows why an agent cannot walk
/// somewhere.
#[derive(Debug, Parser)]
#[command(
    name = "walkable",
    version,
    args_conflicts_with_subcommands = true,
    after_help = "Without a command the editor opens. Exit code: 0 done, 1 failed, 2 wrong usage."
)]
struct Args {
    /// Level to open in the editor: an OBJ, glTF, PLY or STL file, any other file that the editor opens, a folder with the
    /// pieces of a level, or builtin:NAME.
    level: Option<LevelArg>,
    /// Accept running games that know the token, at a loopback address such as 127.0.0.1:7777.
    #[arg(long, value_name = "ADDRESS", value_parser = live::loopback_address, requires = "token_file")]
    listen: Option<SocketAddr>,
    /// File that contains the token for --listen: 16 to 1024 letters or digits.
    #[arg(long, value_name = "FILE", requires = "listen")]
    token_file: Option<InputFile>,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Bake a level to a file of tiles (MSET) or layers (TSET) that Detour and RecastDemo load.
    Bake(bake::BakeArgs),
    /// Write a navmesh, or that of a level, in the format of an engine: glTF, Godot, PLY, OBJ, JSON and others.
    Export(export::ExportArgs),
    /// Bake a level, and bake its changes whenever its files change, until the standard input ends.
    Watch(watch::WatchArgs),
    /// Merge the parts that `walkable bake --shard` wrote to a file of tiles.
    Merge(merge::MergeArgs),
    /// Write the files with which a cluster bakes a level in shards.
    #[command(subcommand)]
    Farm(farm::FarmCommand),
    /// Sort the triangles of a level larger than memory, given in pieces, so that it can be baked.
    Bin(bin::BinArgs),
    /// Find a path on a baked navmesh, or one path for each line of a file.
    Path(path::PathArgs),
    /// Simulate a scene of agents that walk and avoid each other, and print their positions.
    Crowd(crowd::CrowdArgs),
    /// Let agents walk between places of a navmesh for a long simulated time, and print where they get stuck.
    Soak(soak::SoakArgs),
    /// Propose jumps and drops over the edges of a navmesh, as lines for a settings file.
    Links(links::LinksArgs),
    /// Print what a level, a navmesh or a file of layers contains.
    Info(info::InfoArgs),
    /// Print what a message's code means, what causes it and what to do about it.
    Explain(explain::ExplainArgs),
    /// Explain why an agent cannot stand at a place or cannot reach it, or without either why nothing is walkable, and
    /// suggest fixes.
    Why(why::WhyArgs),
    /// Save a question about a level in one file, ask it again, or reduce the level.
    #[command(subcommand)]
    Repro(repro::ReproCommand),
    /// Check a navmesh, or the bake of a level: borders between tiles, polygons, islands, links, settings, limits.
    Check(check::CheckArgs),
    /// Run the path tests of a suite or a project on a level or a navmesh.
    Test(path_tests::TestArgs),
    /// Compare two levels, projects or navmeshes by the ground that agents can walk on.
    Diff(diff::DiffArgs),
    /// Bake a level with combinations of settings, and measure each bake.
    Sweep(sweep::SweepArgs),
    /// Generate a level: terrain, town, maze, tower, caves, spiral or sample.
    Generate(generate::GenerateArgs),
    /// Find a path on a benchmark map or a level, with the chosen algorithm.
    Search(lab::SearchArgs),
    /// Run the queries of a benchmark scenario and compare with its path lengths.
    BenchScen(lab::BenchScenArgs),
    /// Print the script that lets a shell complete commands and options.
    Completions(completions::CompletionsArgs),
    /// Write the manual pages of all commands to a folder.
    Man(man::ManArgs),
    /// Render an image of a level, a project or a navmesh, without a window.
    #[cfg(feature = "window")]
    Shot(shot::ShotArgs),
    /// Take the screenshots of the documentation from the real window.
    #[cfg(feature = "window")]
    #[command(hide = true)]
    Screenshots {
        /// Folder to write them to.
        #[arg(value_parser = guard::OutputFolder::of(&PICTURES))]
        folder: guard::OutputFolder,
        /// Take one screenshot of every tool and panel, dark and light, instead of those in the documentation.
        #[arg(long)]
        all: bool,
    },
}

#[cfg(feature = "window")]
static PICTURES: guard::FolderFiles = guard::FolderFiles {
    is_written: |name| guard::has_ending(name, "png"),
    is_own: |_, start| start.starts_with(b"\x89PNG"),
};

#[derive(Debug)]
enum Failure {
    Usage(String),
    Failed(anyhow::Error),
    /// The command completed and printed a negative answer; the message summarizes it.
    Negative(String),
}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Self {
        // The error may contain only the text of the clash.
        files::take_clash().map_or(Self::Failed(error), Self::from)
    }
}

impl From<SearchError> for Failure {
    fn from(error: SearchError) -> Self {
        match error {
            SearchError::Unsupported(why) => Self::Usage(why),
            SearchError::TooLarge(why) => Self::Failed(anyhow::Error::msg(why)),
        }
    }
}

fn main() -> ExitCode {
    let command = help::localized(Args::command(), sys_locale::get_locale().as_deref());
    let parsed = match Parsed::new(command, std::env::args_os()) {
        Ok(parsed) => parsed,
        Err(error) => {
            if error.use_stderr() {
                // Without colors: the text quotes arguments, which can be names of files.
                error.to_string().trim_end().split('\n').for_each(output::eprint_line);
            } else {
                // A closed pipe, to which the help cannot be printed, is not an error.
                error.print().ok();
            }
            return u8::try_from(error.exit_code()).map_or(ExitCode::FAILURE, ExitCode::from);
        }
    };
    let mut output = Output::new();
    let done = parsed.run(&mut output);
    match done.and_then(|()| Ok(output.finish()?)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Negative(message)) => {
            output::eprint_line(&message);
            ExitCode::FAILURE
        }
        Err(Failure::Usage(message)) => {
            output::eprint_line(&format!("error: {message}"));
            ExitCode::from(2)
        }
        Err(Failure::Failed(error)) => {
            output::eprint_line(&format!("error: {}", limit::error_text(&error)));
            ExitCode::FAILURE
        }
    }
}

struct Parsed {
    command: clap::Command,
    matches: clap::ArgMatches,
    args: Args,
}

impl Parsed {
    fn new(
        mut command: clap::Command,
        words: impl IntoIterator<Item = OsString>,
    ) -> Result<Self, clap::Error> {
        let words: Vec<_> = words.into_iter().collect();
        let matches = command.try_get_matches_from_mut(&words).or_else(|error| {
            let first = words.get(1).filter(|_| error.use_stderr());
            first.map_or(Ok(()), |word| refuse_mistyped(Path::new(word)))?;
            Err(error)
        })?;
        let args = Args::from_arg_matches(&matches);
        let args = args.map_err(|error| error.format(&mut Args::command()))?;
        if let (None, Some(LevelArg::File(file))) = (&args.command, &args.level) {
            refuse_mistyped(file)?;
        }
        Ok(Self { command, matches, args })
    }

    fn run(self, output: &mut Output) -> Result<(), Failure> {
        let Args { level, listen, token_file, command } = self.args;
        let Some(command) = command else {
            return open_editor(level, listen, token_file).map_err(Failure::from);
        };
        guard::declare(&self.command, &self.matches)?;
        match command {
            Command::Bake(args) => bake::run(&args, output),
            Command::Export(args) => export::run(&args, output),
            Command::Watch(args) => watch::run(&args, output),
            Command::Merge(args) => merge::run(&args, output),
            Command::Farm(command) => farm::run(&command, output),
            Command::Bin(args) => bin::run(&args, output),
            Command::Path(args) => path::run(&args, output),
            Command::Crowd(args) => crowd::run(&args, output),
            Command::Soak(args) => soak::run(&args, output),
            Command::Links(args) => links::run(&args, output),
            Command::Info(args) => info::run(&args, output),
            Command::Explain(args) => explain::run(&args, output),
            Command::Why(args) => why::run(&args, output),
            Command::Repro(command) => repro::run(&command, output),
            Command::Check(args) => check::run(&args, output),
            Command::Test(args) => path_tests::run(&args, output),
            Command::Diff(args) => diff::run(&args, output),
            Command::Sweep(args) => sweep::run(&args, output),
            Command::Generate(args) => generate::run(&args, output),
            Command::Search(args) => lab::search(&args, output),
            Command::BenchScen(args) => lab::bench_scen(&args, output),
            Command::Completions(args) => completions::run(&args, output),
            Command::Man(args) => man::run(&args, output),
            #[cfg(feature = "window")]
            Command::Shot(args) => shot::run(&args),
            #[cfg(feature = "window")]
            Command::Screenshots { folder, all } => {
                use walkable_window::screenshots::{Gallery, run};
                run(&folder, if all { Gallery::Whole } else { Gallery::Docs })
                    .map_err(Failure::from)
            }
        }
    }
}

/// Returns an error with the most similar command if `file` is a word and no file: the user meant a command.
fn refuse_mistyped(file: &Path) -> Result<(), clap::Error> {
    let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    match file.to_str() {
        Some(word) if word.chars().all(is_letter) && !file.exists() => {
            let commands = Command::augment_subcommands(clap::Command::new("walkable"));
            if commands.find_subcommand(word).is_some() {
                return Ok(());
            }
            commands.try_get_matches_from(["walkable", word]).map(drop)
        }
        _ => Ok(()),
    }
}

#[cfg(feature = "window")]
fn open_editor(
    level: Option<LevelArg>,
    listen: Option<SocketAddr>,
    token_file: Option<InputFile>,
) -> anyhow::Result<()> {
    let token_file = token_file.map(|file| file.0);
    let games = listen.map(|address| ListenRequest { address: address.to_string(), token_file });
    walkable_window::editor::run(level.map(LevelArg::into_source), games)
}

#[cfg(not(feature = "window"))]
fn open_editor(
    _level: Option<LevelArg>,
    _listen: Option<SocketAddr>,
    _token_file: Option<InputFile>,
) -> anyhow::Result<()> {
    anyhow::bail!(
        "this program was built without its editor (feature `window`); without a window, use \
         `walkable bake LEVEL -o OUT.bin`"
    )
}
