//! Opens all files on disk. Opens only regular files, without waiting, and does not follow links where the program
//! chose the name.

use std::{
    fs::{self, File, FileType, Metadata, OpenOptions},
    io,
    path::Path,
};

use anyhow::anyhow;

use super::NamedBy;

/// Opens a file, and also returns its metadata. Fails if it is not a regular file.
pub(super) fn open_regular(
    path: &Path,
    options: &mut OpenOptions,
    named: NamedBy,
) -> anyhow::Result<(File, Metadata)> {
    // Checked before opening, too: opening a device can have side effects.
    if let Some(found) = found_at(path, named)? {
        check_regular(&found)?;
    }
    open_checked(path, options, named)
}

/// Like [`open_regular`], but only checks the open file, which nobody can replace.
fn open_checked(
    path: &Path,
    options: &mut OpenOptions,
    named: NamedBy,
) -> anyhow::Result<(File, Metadata)> {
    let file = without_waiting(options, named).open(path);
    let file = file.map_err(|error| match fs::symlink_metadata(path) {
        // The system tells of too many links.
        Ok(found) if named == NamedBy::Program && found.is_symlink() => irregular(LINK),
        _ => error.into(),
    })?;
    let metadata = file.metadata()?;
    check_regular(&metadata)?;
    Ok((file, metadata))
}

pub(super) fn found_at(path: &Path, named: NamedBy) -> io::Result<Option<Metadata>> {
    let found = match named {
        NamedBy::User => fs::metadata(path),
        NamedBy::Program => fs::symlink_metadata(path),
    };
    match found {
        Ok(found) => Ok(Some(found)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Sets `options` so that opening a named pipe does not wait for its other end.
#[cfg(unix)]
pub(super) fn without_waiting(options: &mut OpenOptions, named: NamedBy) -> &mut OpenOptions {
    use std::os::unix::fs::OpenOptionsExt as _;

    let follow = match named {
        NamedBy::User => 0,
        NamedBy::Program => libc::O_NOFOLLOW,
    };
    options.custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY | follow)
}

/// Sets `options` so that a link itself is opened where it is not followed.
#[cfg(windows)]
pub(super) fn without_waiting(options: &mut OpenOptions, named: NamedBy) -> &mut OpenOptions {
    use std::os::windows::fs::OpenOptionsExt as _;

    const FILE_FLAG_OPEN_REPARSE_POINT: u32 = 0x0020_0000;
    options.custom_flags(match named {
        NamedBy::User => 0,
        NamedBy::Program => FILE_FLAG_OPEN_REPARSE_POINT,
    })
}

#[cfg(not(any(unix, windows)))]
pub(super) fn without_waiting(options: &mut OpenOptions, _named: NamedBy) -> &mut OpenOptions {
    options
}

const LINK: &str = "a symbolic link";

fn irregular(kind: &str) -> anyhow::Error {
    anyhow!("it is {kind}; only regular files are read")
}

fn check_regular(found: &Metadata) -> anyhow::Result<()> {
    irregularity(found.file_type()).map_or(Ok(()), |kind| Err(irregular(kind)))
}

pub(super) fn irregularity(kind: FileType) -> Option<&'static str> {
    if kind.is_file() {
        return None;
    }
    if kind.is_symlink() {
        return Some(LINK);
    }
    if kind.is_dir() {
        return Some("a folder");
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt as _;

        if kind.is_fifo() {
            return Some("a named pipe");
        }
        if kind.is_char_device() || kind.is_block_device() {
            return Some("a device");
        }
        if kind.is_socket() {
            return Some("a socket");
        }
    }
    Some("not a regular file")
}

#[cfg(all(test, unix))]
mod tests {
    use std::{
        os::unix::{fs::symlink, net::UnixListener},
        sync::mpsc::sync_channel,
        thread,
        time::Duration,
    };

    use super::*;

    /// Returns the result of `open`, which must not wait.
    fn at_once<T: Send + 'static>(open: impl FnOnce() -> T + Send + 'static) -> T {
        let (sender, result) = sync_channel(1);
        let opening = move || sender.send(open());
        thread::Builder::new().name("open".to_owned()).spawn(opening).expect("a thread");
        result.recv_timeout(Duration::from_secs(20)).expect("opening waits")
    }

    #[test]
    fn a_file_that_becomes_something_else_before_it_is_opened_is_an_error_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        assert!(std::process::Command::new("mkfifo").arg(at("pipe")).status().unwrap().success());
        let _listener = UnixListener::bind(at("socket")).unwrap();
        fs::create_dir(at("folder")).unwrap();
        fs::write(at("file"), "theirs").unwrap();
        symlink("file", at("link")).unwrap();
        symlink("pipe", at("to pipe")).unwrap();
        for named in [NamedBy::User, NamedBy::Program] {
            for name in ["pipe", "to pipe", "socket", "folder", "link", "file"] {
                for is_written in [false, true] {
                    let path = at(name);
                    let opened = at_once(move || {
                        let options = &mut File::options();
                        open_checked(&path, options.read(true).write(is_written), named)
                    });
                    let is_file = name == "file" || (name == "link" && named == NamedBy::User);
                    assert_eq!(opened.is_ok(), is_file, "{name} {named:?} {is_written}");
                }
            }
        }
        let why = open_checked(&at("link"), File::options().read(true), NamedBy::Program);
        assert!(why.unwrap_err().to_string().contains("it is a symbolic link"));
    }
}
