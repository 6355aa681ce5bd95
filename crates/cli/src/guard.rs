//! The files of a command. What an argument's type says is read or written is compared before the command starts; a file
//! is written only through these types.

use std::{
    any::{Any, TypeId},
    fs,
    ops::Deref,
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use clap::{
    Arg, ArgMatches, Command, ValueHint,
    builder::{PathBufValueParser, TypedValueParser as _, ValueParser, ValueParserFactory},
};
use walkable_workspace::files::{self, Durability, Format, OutputClash};

pub(super) use super::input_file::InputFile;
use super::{Failure, load::LevelArg};

/// Number of bytes by which a file of the program is recognized.
const START_BYTES: u32 = 4096;

#[derive(Clone, Debug)]
pub(super) struct OutputFile(PathBuf);

/// A folder in which a command writes files whose names it chooses. It replaces and removes only files that it wrote.
#[derive(Clone, Debug)]
pub(super) struct OutputFolder {
    path: PathBuf,
    files: &'static FolderFiles,
}

#[derive(Debug)]
pub(super) struct FolderFiles {
    /// Returns whether the command writes or removes files of this name.
    pub(super) is_written: fn(&str) -> bool,
    /// Returns whether the command wrote the file with this name and these first bytes.
    pub(super) is_own: fn(&str, &[u8]) -> bool,
}

impl Deref for OutputFile {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.0
    }
}

impl Deref for OutputFolder {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.path
    }
}

impl ValueParserFactory for OutputFile {
    type Parser = ValueParser;

    fn value_parser() -> ValueParser {
        PathBufValueParser::new().map(Self).into()
    }
}

impl OutputFile {
    /// Declares a file that the command writes and no argument names as it is; `option` says where its name comes from.
    pub(super) fn declare(path: PathBuf, option: &str) -> Result<Self, Failure> {
        files::declare_output(files::Output::file(&*path, option))?;
        Ok(Self(path))
    }

    /// Checks that the file does not exist, or is one that the command wrote.
    pub(super) fn check_own(&self, is_own: impl FnOnce(&[u8]) -> bool) -> Result<(), Failure> {
        check_own(self, is_own)
    }

    /// Returns the text of the file that an earlier run wrote; `None` if there is none.
    pub(super) fn read_earlier(&self, format: Format) -> anyhow::Result<Option<String>> {
        if !self.exists() {
            return Ok(None);
        }
        let text = String::from_utf8(files::read_earlier(self, format)?);
        text.map(Some).with_context(|| format!("cannot read {}: it is not text", self.display()))
    }

    /// Checks that the file does not exist, or has the same magic number as `bytes` and, if they name this program, names
    /// it too.
    pub(super) fn check_replaces(&self, bytes: &[u8]) -> Result<(), Failure> {
        const MAGIC: usize = 4;

        let names_us = |start: &[u8]| String::from_utf8_lossy(start).contains("walkable");
        let own = &bytes[..bytes.len().min(START_BYTES as usize)];
        self.check_own(|start| {
            start.get(..MAGIC) == own.get(..MAGIC) && (!names_us(own) || names_us(start))
        })
    }

    /// Writes the file. For names that the program chose; see [`files::write_own`].
    pub(super) fn write_own(&self, bytes: &[u8]) -> anyhow::Result<()> {
        files::check_inputs()?;
        files::write_own(self, bytes, Durability::Synced)
    }

    pub(super) fn write(&self, bytes: &[u8]) -> anyhow::Result<()> {
        files::check_inputs()?;
        files::write_atomically(self, bytes)
    }
}

impl OutputFolder {
    pub(super) const fn new(path: PathBuf, files: &'static FolderFiles) -> Self {
        Self { path, files }
    }

    pub(super) fn of(files: &'static FolderFiles) -> ValueParser {
        PathBufValueParser::new().map(move |path| Self::new(path, files)).into()
    }

    pub(super) fn create(&self) -> anyhow::Result<()> {
        let context = || format!("cannot create the folder {}", self.display());
        fs::create_dir_all(&self.path).with_context(context)
    }

    /// Returns the names of the existing files that the command may replace or remove.
    pub(super) fn names(&self) -> anyhow::Result<Vec<String>> {
        if !self.path.is_dir() {
            return Ok(Vec::new());
        }
        let context = || format!("cannot list the folder {}", self.display());
        let mut names = Vec::new();
        for entry in fs::read_dir(&self.path).with_context(context)? {
            let name = entry.with_context(context)?.file_name().into_string();
            names.extend(name.ok().filter(|name| (self.files.is_written)(name)));
        }
        Ok(names)
    }

    /// Checks that the command wrote the file, or that there is none.
    fn check_own(&self, name: &str) -> Result<(), Failure> {
        check_own(&self.join(name), |start| (self.files.is_own)(name, start))
    }

    /// Writes a file. An existing file that the command did not write is an error.
    pub(super) fn write(&self, name: &str, bytes: &[u8]) -> Result<(), Failure> {
        debug_assert!((self.files.is_written)(name), "{name} is declared");
        self.check_own(name)?;
        files::check_inputs()?;
        Ok(files::write_own(&self.join(name), bytes, Durability::Synced)?)
    }

    pub(super) fn remove(&self, name: &str) -> Result<(), Failure> {
        self.check_own(name)?;
        let path = self.join(name);
        let removed = fs::remove_file(&path);
        Ok(removed.with_context(|| format!("cannot remove {}", path.display()))?)
    }
}

/// Checks that there is no file at `path`, or that the command wrote it. A link does not count as written by the
/// command, because it may lead anywhere.
fn check_own(path: &Path, is_own: impl FnOnce(&[u8]) -> bool) -> Result<(), Failure> {
    if fs::symlink_metadata(path).is_err()
        || files::read_own_start(path, START_BYTES.into()).is_ok_and(|start| is_own(&start))
    {
        return Ok(());
    }
    let path = path.display();
    Err(Failure::Usage(format!(
        "{path} is in the way, and this command did not write it: move or delete it, or write to another place"
    )))
}

impl From<OutputClash> for Failure {
    fn from(clash: OutputClash) -> Self {
        Self::Usage(clash.to_string())
    }
}

/// Declares all files that the arguments of a command name. From now on, an output cannot be read as an input, whatever
/// file refers to it. Fails if an output is an input or another output, or if a file that the command did not write is
/// in the way in an output folder.
pub(super) fn declare(command: &Command, matches: &ArgMatches) -> Result<(), Failure> {
    let mut declared = Declared::default();
    declared.add(command, matches);
    files::declare_command(declared.outputs, declared.inputs)?;
    for folder in declared.folders {
        folder.names()?.iter().try_for_each(|name| folder.check_own(name))?;
    }
    Ok(())
}

#[derive(Default)]
struct Declared {
    inputs: Vec<PathBuf>,
    outputs: Vec<files::Output>,
    folders: Vec<OutputFolder>,
}

impl Declared {
    fn add(&mut self, command: &Command, matches: &ArgMatches) {
        for arg in command.get_arguments() {
            self.inputs.extend(values(matches, arg).map(|file: &InputFile| file.0.clone()));
            self.inputs
                .extend(values::<LevelArg>(matches, arg).filter_map(LevelArg::file).cloned());
            let option = option_of(arg);
            for OutputFile(path) in values(matches, arg) {
                self.outputs.push(files::Output::file(&**path, &*option));
            }
            for folder in values::<OutputFolder>(matches, arg) {
                let (path, is_written) = (folder.path.clone(), Some(folder.files.is_written));
                self.outputs.push(files::Output { path, option: option.clone(), is_written });
                self.folders.push(folder.clone());
            }
        }
        if let Some((name, below)) = matches.subcommand()
            && let Some(command) = command.find_subcommand(name)
        {
            self.add(command, below);
        }
    }
}

fn values<'a, T: Any + Clone + Send + Sync>(
    matches: &'a ArgMatches,
    arg: &Arg,
) -> impl Iterator<Item = &'a T> {
    matches.try_get_many::<T>(arg.get_id().as_str()).ok().flatten().into_iter().flatten()
}

pub(super) fn has_ending(name: &str, ending: &str) -> bool {
    !name.contains('/') && Path::new(name).extension().is_some_and(|found| found == ending)
}

/// Returns how an option is spelled, or the name of a positional argument.
fn option_of(arg: &Arg) -> String {
    match (arg.get_short(), arg.get_long()) {
        (Some(short), _) => format!("-{short}"),
        (None, Some(long)) => format!("--{long}"),
        (None, None) => arg.get_id().to_string(),
    }
}

/// Returns the command with hints for shells, which complete names of files.
pub(super) fn with_hints(command: Command) -> Command {
    let hinted = |arg: Arg| {
        let kind = arg.get_value_parser().type_id();
        let files =
            [TypeId::of::<InputFile>(), TypeId::of::<OutputFile>(), TypeId::of::<LevelArg>()];
        if files.iter().any(|file| kind == *file) {
            arg.value_hint(ValueHint::AnyPath)
        } else if kind == TypeId::of::<OutputFolder>() {
            arg.value_hint(ValueHint::DirPath)
        } else {
            arg
        }
    };
    command.mut_args(hinted).mut_subcommands(with_hints)
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use clap::{CommandFactory as _, error::ErrorKind};

    use super::*;
    use crate::{Args, Parsed, output::Output};

    /// Arguments that are texts, but name no file. `farm` declares the file of its `--result`.
    const TEXTS: [&str; 6] = ["agent", "claim", "code", "image", "result", "view"];

    /// Values of required arguments that are no files.
    const VALUES: [(&str, &str); 1] = [("vary", "agent_radius=0.4,0.6")];

    /// What an argument requires.
    const REQUIRED: [(&str, &[&str]); 1] = [("token_file", &["--listen", "127.0.0.1:0"])];

    /// A file that a command writes into a folder, by the option of the folder.
    const IN_FOLDER: [(&str, &str); 3] =
        [("output", "submit.sh"), ("save", "finding-1.txt"), ("tiles", "0_0_0.tile")];

    fn is_of<T: 'static>(arg: &Arg) -> bool {
        arg.get_action().takes_values() && arg.get_value_parser().type_id() == TypeId::of::<T>()
    }

    fn is_input(arg: &Arg) -> bool {
        is_of::<InputFile>(arg) || is_of::<LevelArg>(arg)
    }

    fn is_output(arg: &Arg) -> bool {
        is_of::<OutputFile>(arg) || is_of::<OutputFolder>(arg)
    }

    /// Calls `check` with every command that has no commands below it, and its name.
    fn each_command(
        command: &Command,
        name: &[String],
        check: &mut dyn FnMut(&Command, &[String]),
    ) {
        if command.get_subcommands().next().is_none() {
            check(command, name);
        }
        for below in command.get_subcommands() {
            each_command(below, &[name, &[below.get_name().to_owned()]].concat(), check);
        }
    }

    #[test]
    fn every_path_is_declared_as_an_input_or_an_output() {
        let mut undeclared = Vec::new();
        let mut check = |command: &Command, name: &[String]| {
            for arg in command.get_arguments() {
                let is_path = is_of::<PathBuf>(arg) || is_of::<OsString>(arg);
                let is_text = is_of::<String>(arg) && !TEXTS.contains(&arg.get_id().as_str());
                if is_path || (is_text && arg.get_id() != "sets") {
                    undeclared.push(format!("{} {}", name.join(" "), option_of(arg)));
                }
            }
        };
        let command = Args::command();
        each_command(&command, &[], &mut check);
        command.get_arguments().for_each(|arg| assert!(!is_of::<PathBuf>(arg), "{arg}"));
        assert!(undeclared.is_empty(), "neither InputFile nor OutputFile: {undeclared:?}");
    }

    /// Returns the words of a command with these files, and with what it requires.
    fn words(command: &Command, name: &[String], files: &[(&Arg, &Path)]) -> Vec<OsString> {
        let mut words: Vec<OsString> = vec!["walkable".into()];
        words.extend(name.iter().map(OsString::from));
        for arg in command.get_arguments() {
            let id = arg.get_id().as_str();
            let file = files.iter().find(|(named, _)| named.get_id() == arg.get_id());
            let value = VALUES.iter().find(|(named, _)| *named == id).map(|(_, value)| *value);
            let value = match file {
                Some((_, path)) => OsString::from(*path),
                None if arg.is_required_set() => {
                    value.map_or_else(|| format!("other-{id}"), str::to_owned).into()
                }
                None => continue,
            };
            words.extend((!arg.is_positional()).then(|| OsString::from(option_of(arg))));
            words.push(value);
            let more = REQUIRED.iter().filter(|(named, _)| *named == id);
            words.extend(more.flat_map(|(_, more)| *more).map(OsString::from));
        }
        words
    }

    /// Returns the pairs of an output with an input or another output.
    fn pairs(command: &Command) -> Vec<[&Arg; 2]> {
        let args: Vec<_> = command.get_arguments().collect();
        let outputs = args.iter().filter(|arg| is_output(arg));
        let pairs = outputs.flat_map(|output| args.iter().map(move |other| [*output, *other]));
        pairs
            .filter(|[output, other]| {
                is_input(other) || (is_output(other) && output.get_id() < other.get_id())
            })
            .collect()
    }

    #[test]
    fn no_command_overwrites_its_inputs() {
        let folder = tempfile::tempdir().unwrap();
        let mut n_pairs = 0;
        let mut check = |command: &Command, name: &[String]| {
            for [output, other] in pairs(command) {
                let place = |arg: &Arg| IN_FOLDER.iter().find(|(id, _)| arg.get_id() == *id);
                let [in_folder, other_in_folder] =
                    [output, other].map(|arg| place(arg).filter(|_| is_of::<OutputFolder>(arg)));
                // The files of a cache have names that no other file has.
                let is_cache = |arg: &Arg| arg.get_id() == "cache";
                if is_cache(output) || is_cache(other) {
                    continue;
                }
                let file = in_folder.or(other_in_folder).map_or("file", |(_, name)| *name);
                let file = folder.path().join(file);
                let path_of =
                    |arg: &Arg| if is_of::<OutputFolder>(arg) { folder.path() } else { &*file };
                fs::write(&file, "precious").unwrap();
                let words = words(command, name, &[output, other].map(|arg| (arg, path_of(arg))));
                let parsed = match Parsed::new(Args::command(), words.clone()) {
                    Ok(parsed) => parsed,
                    Err(error) => {
                        assert_eq!(error.kind(), ErrorKind::ArgumentConflict, "{words:?}: {error}");
                        continue;
                    }
                };
                let done = parsed.run(&mut Output::new());
                let Err(Failure::Usage(why)) = done else { panic!("{words:?}: {done:?}") };
                assert!(why.contains("would overwrite"), "{words:?}: {why}");
                assert!(why.contains(&file.display().to_string()), "{words:?}: {why}");
                assert!(why.contains(&option_of(output)), "{words:?}: {why}");
                assert_eq!(fs::read(&file).unwrap(), b"precious", "{words:?}");
                fs::remove_file(&file).unwrap();
                n_pairs += 1;
            }
        };
        each_command(&Args::command(), &[], &mut check);
        assert!(n_pairs >= 40, "{n_pairs} pairs");
    }
}
