//! Files that another file names, and not the user.

use std::path::{Path, PathBuf};

use super::{folder_of, named_in};

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the path `{0}` leads to another machine or a device, which a file cannot name: give its folder a drive letter"
)]
pub struct RemotePath(String);

/// Returns the path of the file that the file `by` names as `written`, which may be relative. Fails on Windows if
/// reading the path could connect to a device, or to another machine, which would then learn who the user is.
pub fn named_by(by: &Path, written: &Path) -> Result<PathBuf, RemotePath> {
    check_named(written)?;
    Ok(named_in(&folder_of(by), written))
}

/// Checks a path that a file contains, as [`named_by`].
pub fn check_named(written: &Path) -> Result<(), RemotePath> {
    let text = written.to_string_lossy();
    if cfg!(windows) && is_remote_in_windows(&text) {
        return Err(RemotePath(text.into_owned()));
    }
    Ok(())
}

fn is_remote_in_windows(path: &str) -> bool {
    let is_separator = |c: char| c == '/' || c == '\\';
    // `\\host\share`, `\\?\UNC\host\share`, `\\.\pipe\name`, and `\??\UNC\host\share`; names of files have no `?`.
    path.starts_with(is_separator) && path[1..].starts_with(is_separator)
        || path.contains('?')
        || path.split(['/', '\\', ':']).any(is_device_in_windows)
}

/// Returns whether a name is that of a device, also with an ending: `NUL`, `con.obj`, `COM1`.
fn is_device_in_windows(name: &str) -> bool {
    let name = name.split('.').next().unwrap_or(name).trim_end().to_uppercase();
    let number = name.strip_prefix("COM").or_else(|| name.strip_prefix("LPT"));
    let is_port = number.is_some_and(|number| {
        let mut digits = number.chars();
        let is_digit = digits.next().is_some_and(|c| c.is_ascii_digit() || "¹²³".contains(c));
        is_digit && digits.next().is_none()
    });
    is_port || ["CON", "CONIN$", "CONOUT$", "PRN", "AUX", "NUL", "CLOCK$"].contains(&&*name)
}

/// The error for a file whose own error may not be shown.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "cannot read {}: the error can quote it and is not shown, because a file in another folder names it; open it directly to see the error",
    .0.display()
)]
pub struct NotQuoted(PathBuf);

/// Checks that an error of reading `file` may quote its content, although the user did not name it: the file `by` did.
/// Otherwise a file could name any other file, such as one with passwords, and show a part of it to everybody who reads
/// the messages. Fails if `file` is a regular file outside the folder of `by`, even if a link in that folder leads to
/// it. Other files are not read, so no error quotes them.
pub fn check_quotable(file: &Path, by: &Path) -> Result<(), NotQuoted> {
    let Ok(found) = file.canonicalize() else { return Ok(()) };
    if !found.is_file() {
        return Ok(());
    }
    let is_below = folder_of(by).canonicalize().is_ok_and(|folder| found.starts_with(folder));
    if is_below { Ok(()) } else { Err(NotQuoted(file.to_owned())) }
}

/// Replaces the error of reading `file` if it may not quote the file; see [`check_quotable`].
pub fn quotable<T>(read: anyhow::Result<T>, file: &Path, by: &Path) -> anyhow::Result<T> {
    read.or_else(|error| {
        check_quotable(file, by)?;
        Err(error)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_to_other_machines_and_devices_are_known() {
        for remote in [
            r"\\host\share\a.obj",
            "//host/share/a.obj",
            r"\/host\share\a.obj",
            r"/\host/share/a.obj",
            r"\\?\UNC\host\share\a.obj",
            r"\\.\pipe\name",
            r"//./pipe/name",
            r"\??\UNC\host\share\a.obj",
            "NUL",
            "con.obj",
            "a/Aux .cfg",
            r"a\COM1",
            "lpt²:",
            r"C:\a\conin$",
            "c:prn",
        ] {
            assert!(is_remote_in_windows(remote), "{remote}");
        }
        for local in [
            "",
            "a.obj",
            r"..\levels\a.obj",
            "/levels/a.obj",
            r"C:\levels\a.obj",
            "console.obj",
            "COM10",
            "com",
            "a//b.obj",
            "null/auxiliary.cfg",
            "größe/地图.obj",
        ] {
            assert!(!is_remote_in_windows(local), "{local}");
        }
        assert_eq!(check_named(Path::new("con.obj")).is_err(), cfg!(windows));
    }

    #[cfg(unix)]
    #[test]
    fn only_files_in_the_folder_of_the_file_that_names_them_are_quoted() {
        use std::{fs, os::unix::fs::symlink};

        let root = tempfile::tempdir().unwrap();
        let path = |name: &str| root.path().join(name);
        fs::create_dir_all(path("a/b")).unwrap();
        for file in ["a/by", "a/b/in", "out"] {
            fs::write(path(file), "x").unwrap();
        }
        symlink(path("out"), path("a/link")).unwrap();
        for (file, expected) in [
            ("a/b/in", true),
            ("a/b/../by", true),
            ("a/missing", true),
            ("missing", true),
            ("out", false),
            ("a/../out", false),
            ("a/link", false),
        ] {
            assert_eq!(check_quotable(&path(file), &path("a/by")).is_ok(), expected, "{file}");
        }
    }
}
