//! Keeps commands from overwriting their inputs: compares paths, however they are spelled.

use std::{
    collections::BTreeSet,
    fs, io,
    path::{Component, Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

use super::{endings, folder_of};

/// Maximum number of links followed in a chain.
const MAX_LINKS: usize = 40;

/// Extension added to the name of a tile store until it is complete.
pub(super) const UNFINISHED: &str = "unfinished";

#[derive(Clone, Debug)]
pub struct Output {
    pub path: PathBuf,
    /// The option that names it, as in `-o`.
    pub option: String,
    /// For a folder: whether the command writes or removes a file in it. The path is relative to the folder, as in
    /// `ab/cd.wtil`.
    pub is_written: Option<fn(&str) -> bool>,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OutputClash {
    #[error("{option} {path} would overwrite the input file {input}: write to another file")]
    Input { option: String, path: String, input: String },
    #[error("{option} {path} would overwrite {first} {other}: name two different files")]
    Output {
        option: String,
        path: String,
        /// The option that names the other output.
        first: String,
        other: String,
    },
}

#[derive(Debug, Default)]
struct CommandFiles {
    outputs: Vec<Output>,
    /// The inputs that the arguments name, and those that were read.
    inputs: BTreeSet<PathBuf>,
    /// An error that was not reported yet: some readers ignore files that they cannot read, or keep only the text.
    clash: Option<OutputClash>,
}

/// `None` in the window, whose exports ask before they replace a file.
static COMMAND: Mutex<Option<CommandFiles>> = Mutex::new(None);

fn command() -> MutexGuard<'static, Option<CommandFiles>> {
    COMMAND.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Declares the files of this process's command. From now on, an output cannot be read as an input. Fails if an output
/// is an input or another output.
pub fn declare_command(outputs: Vec<Output>, inputs: Vec<PathBuf>) -> Result<(), OutputClash> {
    let inputs = inputs.into_iter().collect();
    *command() = Some(CommandFiles { inputs, ..CommandFiles::default() });
    outputs.into_iter().try_for_each(declare_output)
}

/// Declares another output. Fails if it is another output, or an input, even one that was already read.
pub fn declare_output(output: Output) -> Result<(), OutputClash> {
    if let Some(CommandFiles { outputs, inputs, .. }) = &mut *command() {
        output.check(inputs.iter())?;
        if let Some(other) = outputs
            .iter()
            .find(|other| other.would_change(&output.path) || output.would_change(&other.path))
        {
            let [path, other_path] =
                [&output, other].map(|output| output.path.display().to_string());
            let (option, first) = (output.option, other.option.clone());
            return Err(OutputClash::Output { option, path, first, other: other_path });
        }
        outputs.push(output);
    }
    Ok(())
}

/// Declares an input that the command is about to read, or that it does not read itself. Fails if it is an output.
pub fn declare_input(path: &Path) -> Result<(), OutputClash> {
    if let Some(CommandFiles { outputs, inputs, clash }) = &mut *command() {
        if let Err(error) = outputs.iter().try_for_each(|output| output.check([path])) {
            *clash = Some(error.clone());
            return Err(error);
        }
        inputs.insert(path.to_owned());
    }
    Ok(())
}

pub fn runs_command() -> bool {
    command().is_some()
}

pub(super) fn is_declared(path: &Path) -> bool {
    command().as_ref().is_some_and(|CommandFiles { outputs, inputs, .. }| {
        inputs.iter().any(|input| are_same(input, path))
            || outputs.iter().any(|output| output.would_change(path))
    })
}

/// Fails if [`declare_input`] has failed, with the error that [`take_clash`] will return.
pub fn check_inputs() -> Result<(), OutputClash> {
    command().as_ref().and_then(|files| files.clash.clone()).map_or(Ok(()), Err)
}

/// Returns the last error of [`declare_input`], once.
pub fn take_clash() -> Option<OutputClash> {
    command().as_mut()?.clash.take()
}

impl Output {
    pub fn file(path: impl Into<PathBuf>, option: impl Into<String>) -> Self {
        Self { path: path.into(), option: option.into(), is_written: None }
    }

    /// Checks that it is none of `inputs`.
    pub fn check<P: AsRef<Path>>(
        &self,
        inputs: impl IntoIterator<Item = P>,
    ) -> Result<(), OutputClash> {
        for input in inputs {
            if self.would_change(input.as_ref()) {
                let [path, input] =
                    [&self.path, input.as_ref()].map(|path| path.display().to_string());
                return Err(OutputClash::Input { option: self.option.clone(), path, input });
            }
        }
        Ok(())
    }

    fn would_change(&self, path: &Path) -> bool {
        let Some(is_written) = self.is_written else {
            let is_store = self
                .path
                .extension()
                .is_some_and(|ending| ending.eq_ignore_ascii_case(endings::TILE_STORE));
            let target = followed(&self.path).ok().filter(|_| is_store);
            return are_same(&self.path, path)
                || target.is_some_and(|target| are_same(&unfinished(&target), path));
        };
        let Ok(path) = followed(path) else { return false };
        let folder = in_canonical_folder(&self.path);
        let Ok(name) = path.strip_prefix(folder) else { return false };
        let parts: Option<Vec<_>> = name.iter().map(|part| part.to_str()).collect();
        parts.is_some_and(|parts| !parts.is_empty() && is_written(&parts.join("/")))
    }
}

/// Returns the path of the file that writing to `path` changes. Follows all links, even to a file that does not exist
/// yet. Fails if the links form a cycle.
pub(super) fn followed(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        match fs::read_link(&path) {
            Ok(target) => path = folder_of(&path).join(target),
            // It is not a link, or does not exist.
            Err(_) => return Ok(in_canonical_folder(&path)),
        }
    }
    Err(io::Error::other("its symbolic links form a cycle"))
}

/// Returns `path` with the part that exists canonicalized, so that two spellings of it are equal.
fn in_canonical_folder(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut rest = Vec::new();
    let mut existing = path.as_path();
    loop {
        if let Ok(mut canonical) = existing.canonicalize() {
            for part in rest.iter().rev() {
                match part {
                    Component::ParentDir => drop(canonical.pop()),
                    Component::CurDir => {}
                    part => canonical.push(part),
                }
            }
            return canonical;
        }
        let Some(last) = existing.components().next_back() else { return path };
        rest.push(last);
        let Some(parent) = existing.parent() else { return path };
        existing = parent;
    }
}

/// Returns the file in which a tile store is written until it is complete.
pub(super) fn unfinished(target: &Path) -> PathBuf {
    let mut name = target.as_os_str().to_owned();
    name.push(".");
    name.push(UNFINISHED);
    name.into()
}

/// Returns whether writing to one path would change the file at the other: the same file by another spelling, a
/// symbolic link or a hard link. Pipes and devices store nothing, so they are never the same.
pub fn are_same(a: &Path, b: &Path) -> bool {
    let metadata = (fs::metadata(a), fs::metadata(b));
    match &metadata {
        (Ok(a), _) if !a.is_file() => return false,
        (_, Ok(b)) if !b.is_file() => return false,
        #[cfg(unix)]
        (Ok(a), Ok(b)) => {
            use std::os::unix::fs::MetadataExt as _;

            return (a.dev(), a.ino()) == (b.dev(), b.ino());
        }
        _ => {}
    }
    let name = |path: &Path| {
        let followed = followed(path).ok()?;
        // Where case does not matter, two files that do not exist yet may become one.
        let folds_case = cfg!(any(windows, target_os = "macos"));
        Some(if folds_case { followed.to_string_lossy().to_lowercase().into() } else { followed })
    };
    name(a).is_some_and(|a| Some(a) == name(b))
}

#[cfg(test)]
mod tests {
    use super::{
        super::input::{Format, read, read_earlier},
        *,
    };

    fn clash(output: &Path, input: &Path) -> bool {
        Output::file(output, "-o").check([input]).is_err()
    }

    #[test]
    fn a_file_is_itself_by_every_spelling() {
        let folder = tempfile::tempdir().unwrap();
        let base = folder.path();
        fs::create_dir(base.join("sub")).unwrap();
        fs::write(base.join("a"), "x").unwrap();
        fs::write(base.join("b"), "x").unwrap();
        let spelled = [base.join("a"), base.join("./a"), base.join("sub/../a")];
        for path in &spelled {
            assert!(are_same(path, &base.join("a")) && clash(path, &base.join("a")));
            assert!(!are_same(path, &base.join("b")));
        }
        // Neither file exists yet.
        assert!(are_same(&base.join("new"), &base.join("sub/../new")));
        assert!(!are_same(&base.join("new"), &base.join("newer")));
    }

    #[test]
    fn an_output_is_neither_read_nor_another_output() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("sub")).unwrap();
        for name in ["level", "side", "sub/1.part"] {
            fs::write(at(name), "x").unwrap();
        }
        let parts = Output {
            path: at("sub"),
            option: "--parts".to_owned(),
            is_written: Some(|name| name.contains(".part")),
        };
        let outputs = || vec![Output::file(at("sub/../side"), "-o"), parts.clone()];
        let twice = [outputs(), vec![Output::file(at("side"), "--report")]].concat();
        let why = declare_command(twice, Vec::new()).unwrap_err().to_string();
        assert!(why.contains("--report") && why.contains("-o"), "{why}");
        let why = declare_command(outputs(), vec![at("sub/1.part")]).unwrap_err().to_string();
        assert!(why.contains("--parts") && why.contains("1.part"), "{why}");
        declare_command(outputs(), vec![at("level")]).unwrap();
        for name in ["side", "sub/1.part"] {
            let why = read(&at(name), Format::Level).unwrap_err();
            assert!(why.downcast_ref::<OutputClash>().is_some(), "{why:#}");
            assert!(check_inputs().is_err() && take_clash().is_some() && check_inputs().is_ok());
            assert!(read_earlier(&at(name), Format::Level).is_ok());
        }
        read(&at("level"), Format::Level).unwrap();
        assert!(declare_output(Output::file(at("level"), "-o")).is_err());
        assert!(declare_output(Output::file(at("sub/2.part"), "-o")).is_err());
        assert!(declare_output(Output::file(at("sub/notes"), "-o")).is_ok());
        *command() = None;
        assert!(declare_output(Output::file(at("level"), "-o")).is_ok(), "no command runs");
    }

    #[cfg(unix)]
    #[test]
    fn links_lead_to_the_same_file() {
        use std::os::unix::fs::symlink;

        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("a"), "x").unwrap();
        fs::hard_link(at("a"), at("hard")).unwrap();
        symlink(at("a"), at("soft")).unwrap();
        symlink("soft", at("softer")).unwrap();
        for name in ["hard", "soft", "softer"] {
            assert!(clash(&at(name), &at("a")) && clash(&at("a"), &at(name)), "{name}");
        }
        symlink("later", at("dangling")).unwrap();
        assert!(are_same(&at("dangling"), &at("later")));
        let later = folder.path().canonicalize().unwrap().join("later");
        assert_eq!(followed(&at("dangling")).unwrap(), later);
        symlink("round", at("round")).unwrap();
        assert!(followed(&at("round")).is_err());
        assert!(!are_same(Path::new("/dev/null"), Path::new("/dev/null")), "it keeps nothing");
    }
}
