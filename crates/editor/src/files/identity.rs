//! Compares paths: tells whether they refer to the same file, however they are spelled.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use super::folder_of;

/// Maximum number of links followed in a chain.
const MAX_LINKS: usize = 40;

/// A file that a command writes, and the option that named it.
#[derive(Clone, Copy, Debug)]
pub struct Output<'a> {
    /// The file.
    pub path: &'a Path,
    /// The option, as in `-o`.
    pub option: &'a str,
}

/// Returns the path that writing to `path` changes: follows all links, even to a file that does not exist yet.
///
/// # Errors
/// Returns an error if the links form a cycle.
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

/// Returns `path` with its folder canonicalized, so that two spellings of it are equal.
fn in_canonical_folder(path: &Path) -> PathBuf {
    if let Ok(canonical) = path.canonicalize() {
        return canonical;
    }
    match (folder_of(path).canonicalize(), path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => path.to_owned(),
    }
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
    matches!((followed(a), followed(b)), (Ok(a), Ok(b)) if a == b)
}

/// Checks that no output is an input or another output.
///
/// # Errors
/// Returns an error that names the file and the conflicting options.
pub fn check_outputs(outputs: &[Output<'_>], inputs: &[PathBuf]) -> Result<(), String> {
    for (index, Output { path, option }) in outputs.iter().enumerate() {
        if let Some(input) = inputs.iter().find(|input| are_same(path, input)) {
            let (path, input) = (path.display(), input.display());
            return Err(format!(
                "{option} {path} would overwrite the input file {input}: write to another file"
            ));
        }
        let other = outputs[..index].iter().find(|other| are_same(path, other.path));
        if let Some(Output { path: other, option: first }) = other {
            let (path, other) = (path.display(), other.display());
            return Err(format!(
                "{option} {path} would overwrite {first} {other}: name two different files"
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clash(output: &Path, input: &Path) -> bool {
        let output = Output { path: output, option: "-o" };
        check_outputs(&[output], &[input.to_owned()]).is_err()
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
        let outputs = [base.join("new"), base.join("sub/../new")];
        let [one, two] = &outputs;
        let outputs =
            [Output { path: one, option: "-o" }, Output { path: two, option: "--report" }];
        let why = check_outputs(&outputs, &[]).unwrap_err();
        assert!(why.contains("--report") && why.contains("-o"), "{why}");
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
