//! Reads regular files up to a size limit and writes files atomically.

pub mod beside;
#[cfg(not(target_family = "wasm"))]
mod disk;
mod endings;
mod folder;
mod identity;
mod input;
mod kind;
mod leftovers;
mod lines;
mod named;
mod opened;
#[cfg(any(test, target_family = "wasm"))]
pub mod page;
mod replace;
pub mod space;
#[cfg(not(target_family = "wasm"))]
mod unfinished;

use std::{
    fs::{self, File, Metadata, Permissions},
    io::{self, ErrorKind},
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use tempfile::NamedTempFile;

#[cfg(not(target_family = "wasm"))]
pub use self::disk::{
    copy_level, copy_of_level, create_folder, create_own_folder, create_private_folder,
    declare_recovery_folder, exists, files_in, is_file, is_folder, is_of_link, lock,
    may_have_recovery_files, named_in, remove, working_folder,
};
#[cfg(target_family = "wasm")]
pub use self::page::{
    copy_level, copy_of_level, create_folder, create_folder as create_own_folder, exists, files_in,
    is_file, is_folder, is_of_link, may_have_recovery_files, named_in, remove, working_folder,
};
pub use self::{
    folder::{Folder, FolderEntry, FoundAtPath, beside_with, look_at, pieces_in},
    identity::{
        Output, OutputClash, are_same, check_inputs, declare_command, declare_input,
        declare_output, runs_command, take_clash,
    },
    input::{
        Format, open, read, read_beside, read_earlier, read_own_start, read_text, read_within,
    },
    kind::{FileKind, REPRO_ENDING, UnknownKind, known_kinds},
    lines::next_line,
    named::{NotQuoted, RemotePath, check_named, check_quotable, named_by, quotable},
    replace::{check_replaceable, fingerprint},
};
#[cfg(not(target_family = "wasm"))]
pub use self::{input::open_earlier, unfinished::UnfinishedFile};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NamedBy {
    /// The user: links are followed.
    User,
    /// The program, such as the name of an entry of a cache. A link there is an error: it would lead to another file.
    Program,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durability {
    Synced,
    /// It may be empty or incomplete then, but is written faster. For files that have a checksum and can be created again.
    Unsynced,
}

/// Writes `bytes` to `path` atomically: readers see either the old content or the new content, and a failure leaves the
/// old content. Follows links, even to a file that does not exist yet. An existing file keeps its permissions, and its
/// owner and group if the system allows it; nobody else can read the new content until it is complete. Removes
/// temporary files in the folder that killed processes have left. Writes to a pipe or device directly.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    write(path, bytes, Durability::Synced, NamedBy::User)
}

/// Like [`write_atomically`], but the content comes from `write`.
pub fn write_atomically_with(
    path: &Path,
    write: impl FnOnce(&mut File) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    replace(path, write, Durability::Synced, NamedBy::User)
}

/// Like [`write_atomically`], but for a file that the program named. Fails if there is a link, a pipe or another kind
/// of file.
pub fn write_own(path: &Path, bytes: &[u8], durability: Durability) -> anyhow::Result<()> {
    write(path, bytes, durability, NamedBy::Program)
}

#[cfg(not(target_family = "wasm"))]
fn write(path: &Path, bytes: &[u8], durability: Durability, named: NamedBy) -> anyhow::Result<()> {
    use std::io::Write as _;

    let context = || format!("cannot write {}", path.display());
    replace(path, |file| file.write_all(bytes).with_context(context), durability, named)
}

#[cfg(target_family = "wasm")]
fn write(path: &Path, bytes: &[u8], _: Durability, _: NamedBy) -> anyhow::Result<()> {
    page::write(path, bytes)
}

fn replace(
    path: &Path,
    write: impl FnOnce(&mut File) -> anyhow::Result<()>,
    durability: Durability,
    named: NamedBy,
) -> anyhow::Result<()> {
    let context = || format!("cannot write {}", path.display());
    let target = match named {
        // Replacing the link itself would break it.
        NamedBy::User => identity::followed(path).with_context(context)?,
        NamedBy::Program => path.to_owned(),
    };
    let existing = opened::found_at(&target, named).with_context(context)?;
    if existing.as_ref().is_some_and(Metadata::is_dir) {
        return Err(anyhow::anyhow!("it is a folder")).with_context(context);
    }
    if existing.as_ref().is_some_and(|found| !found.is_file()) {
        if named == NamedBy::Program {
            check_replaceable(&target, named)?;
        }
        return write(&mut File::create(&target).with_context(context)?);
    }
    let folder = folder_of(&target);
    leftovers::clean_up_once(&folder);
    let (mut file, usual) = new_file(&folder, existing.as_ref()).with_context(context)?;
    write(file.as_file_mut())?;
    let permissions = match &existing {
        Some(existing) => keep_owner(file.as_file(), existing).with_context(context)?,
        None => usual,
    };
    file.as_file().set_permissions(permissions).with_context(context)?;
    if durability == Durability::Unsynced {
        return put_in_place(file, &target).with_context(context);
    }
    file.as_file().sync_all().with_context(context)?;
    put_in_place(file, &target).with_context(context)?;
    sync_folder(&folder).with_context(|| {
        format!("{} is written, but a power cut may restore the previous file", path.display())
    })
}

fn put_in_place(file: NamedTempFile, target: &Path) -> io::Result<()> {
    // The lock is held until the file has its final name, so that no other process deletes it as a leftover.
    let (_held, path) = file.keep().map_err(|error| error.error)?;
    fs::rename(&path, target).inspect_err(|_| {
        fs::remove_file(&path).ok();
    })
}

/// Syncs `folder` to disk, if the system can do that, so that renames in it survive a power failure.
fn sync_folder(folder: &Path) -> io::Result<()> {
    // Some systems cannot open a folder, or cannot sync an open one.
    let options = &mut File::options();
    let opened = opened::without_waiting(options.read(true), NamedBy::User).open(folder);
    let Ok(folder) = opened else { return Ok(()) };
    folder.sync_all().or_else(|error| match error.kind() {
        ErrorKind::InvalidInput | ErrorKind::Unsupported | ErrorKind::PermissionDenied => Ok(()),
        _ => Err(error),
    })
}

pub fn folder_of(path: &Path) -> PathBuf {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    parent.unwrap_or_else(|| Path::new(".")).to_owned()
}

/// Creates a temporary file that only its owner can read. Also returns the permissions that it should get in the end if
/// it does not replace a file.
fn new_file(
    folder: &Path,
    existing: Option<&Metadata>,
) -> io::Result<(NamedTempFile, Permissions)> {
    let file = leftovers::create(folder, |builder| {
        // The system applies the user's umask here; there is no other way to read it. What replaces a file never has more
        // permissions than that file, not even while it is empty: who opens it then can read it later.
        #[cfg(unix)]
        if existing.is_none() {
            builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        }
        #[cfg(not(unix))]
        let _ = (builder, existing);
    })?;
    let usual = file.as_file().metadata()?.permissions();
    #[cfg(unix)]
    file.as_file().set_permissions(std::os::unix::fs::PermissionsExt::from_mode(0o600))?;
    Ok((file, usual))
}

/// Gives `file` the owner and group of `existing` if possible. Returns the permissions to set, which give nobody more
/// access than before.
#[cfg(unix)]
fn keep_owner(file: &File, existing: &Metadata) -> io::Result<Permissions> {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, fchown};

    let (uid, gid) = (existing.uid(), existing.gid());
    let is_kept = |now: &Metadata| (now.uid() == uid, now.gid() == gid);
    // Without the bits that let a program run with the rights of the file's owner.
    let mode = existing.permissions().mode() & 0o777;
    if is_kept(&file.metadata()?) != (true, true) {
        // Only an administrator may change the owner; the group may be one of the user's own.
        if fchown(file, Some(uid), Some(gid)).is_err() {
            fchown(file, None, Some(gid)).ok();
        }
    }
    let (_, has_group) = is_kept(&file.metadata()?);
    // A new group gets the permissions of everybody else.
    Ok(Permissions::from_mode(if has_group { mode } else { mode & 0o707 | (mode & 0o007) << 3 }))
}

#[cfg(not(unix))]
fn keep_owner(_file: &File, existing: &Metadata) -> io::Result<Permissions> {
    Ok(existing.permissions())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_and_nothing_is_left_behind() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.bin");
        write_atomically(&path, b"old").unwrap();
        write_atomically(&path, b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn errors_name_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("absent").join("out.bin");
        let error = write_atomically(&path, b"x").unwrap_err();
        assert!(error.to_string().contains("absent"), "{error}");
        assert!(read(&path, Format::Level).unwrap_err().to_string().contains("absent"));
        // A folder cannot be replaced by a file.
        assert!(write_atomically(folder.path(), b"x").is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[cfg(unix)]
    #[test]
    fn links_and_permissions_are_kept() {
        use std::os::unix::fs::{PermissionsExt as _, symlink};

        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        fs::write(&file, b"old").unwrap();
        fs::set_permissions(&file, Permissions::from_mode(0o640)).unwrap();
        symlink(&file, &link).unwrap();
        write_atomically(&link, b"new").unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"new");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
        let plain = folder.path().join("plain");
        write_atomically(&plain, b"x").unwrap();
        assert_ne!(fs::metadata(&plain).unwrap().permissions().mode() & 0o044, 0);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_that_leads_to_no_file_yet_is_followed() {
        let folder = tempfile::tempdir().unwrap();
        let (link, sub) = (folder.path().join("link"), folder.path().join("sub"));
        fs::create_dir(&sub).unwrap();
        std::os::unix::fs::symlink("sub/out.bin", &link).unwrap();
        write_atomically(&link, b"new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(sub.join("out.bin")).unwrap(), b"new");
        // A link into a missing folder cannot be followed, and is left as it is.
        let lost = folder.path().join("lost");
        std::os::unix::fs::symlink("absent/out.bin", &lost).unwrap();
        assert!(write_atomically(&lost, b"new").is_err());
        assert!(fs::symlink_metadata(&lost).unwrap().is_symlink());
        let round = folder.path().join("round");
        std::os::unix::fs::symlink("round", &round).unwrap();
        let why = format!("{:#}", write_atomically(&round, b"new").unwrap_err());
        assert!(why.contains("cycle"), "{why}");
    }

    #[cfg(unix)]
    #[test]
    fn nobody_else_reads_a_file_before_it_is_complete() {
        use std::os::unix::fs::PermissionsExt as _;

        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.bin");
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        for wanted in [None, Some(0o600), Some(0o640), Some(0o664)] {
            if let Some(wanted) = wanted {
                fs::set_permissions(&path, Permissions::from_mode(wanted)).unwrap();
            }
            write_atomically_with(&path, |file| {
                let at_work = file.metadata()?.permissions().mode() & 0o777;
                assert_eq!(at_work, 0o600);
                Ok(io::Write::write_all(file, b"x")?)
            })
            .unwrap();
            assert!(wanted.is_none_or(|wanted| mode(&path) == wanted), "{:o}", mode(&path));
        }
        let plain = folder.path().join("plain");
        fs::write(&plain, "x").unwrap();
        let fresh = folder.path().join("fresh");
        write_atomically(&fresh, b"x").unwrap();
        assert_eq!(mode(&fresh), mode(&plain), "a new file has what any new file gets");
    }

    #[cfg(unix)]
    #[test]
    fn an_existing_file_keeps_its_owner() {
        use std::os::unix::fs::{MetadataExt as _, chown};

        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.bin");
        fs::write(&path, "old").unwrap();
        // Only an administrator can change the owner; for anyone else the owner stays the same.
        chown(&path, Some(4321), Some(4322)).ok();
        let before = fs::metadata(&path).unwrap();
        write_atomically(&path, b"new").unwrap();
        let after = fs::metadata(&path).unwrap();
        assert_eq!((after.uid(), after.gid()), (before.uid(), before.gid()));
    }

    #[cfg(unix)]
    #[test]
    fn what_the_program_names_is_a_file_of_its_own() {
        use std::os::unix::{
            fs::{PermissionsExt as _, symlink},
            net::UnixListener,
        };

        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("mine"), "mine").unwrap();
        symlink("mine", at("link")).unwrap();
        symlink("absent", at("nowhere")).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(at("pipe")).status().unwrap().success());
        let _listener = UnixListener::bind(at("socket")).unwrap();
        fs::create_dir(at("folder")).unwrap();
        for durability in [Durability::Synced, Durability::Unsynced] {
            for (name, kind) in [
                ("link", "a symbolic link"),
                ("nowhere", "a symbolic link"),
                ("pipe", "a named pipe"),
                ("socket", "a socket"),
                ("folder", "a folder"),
            ] {
                let path = at(name);
                let why = format!("{:#}", write_own(&path, b"new", durability).unwrap_err());
                assert!(why.contains(name) && why.contains(kind), "{why}");
                let why = format!("{:#}", read(&path, Format::CachedTile).unwrap_err());
                assert!(why.contains(name) && why.contains(kind), "{why}");
                let why = format!("{:#}", lock(&path).unwrap_err());
                assert!(why.contains(name) && why.contains(kind), "{why}");
            }
            fs::hard_link(at("mine"), at("hard")).unwrap();
            fs::set_permissions(at("hard"), Permissions::from_mode(0o4640)).unwrap();
            write_own(&at("hard"), b"new", durability).unwrap();
            assert_eq!(fs::read(at("hard")).unwrap(), b"new");
            assert_eq!(fs::metadata(at("hard")).unwrap().permissions().mode() & 0o7777, 0o640);
            fs::remove_file(at("hard")).unwrap();
        }
        assert_eq!(fs::read(at("mine")).unwrap(), b"mine");
        assert!(!at("absent").exists());
        fs::write(at("locked"), "kept").unwrap();
        let held = lock(&at("locked")).unwrap();
        assert!(held.is_some() && lock(&at("locked")).unwrap().is_none());
        assert_eq!(fs::read(at("locked")).unwrap(), b"kept");
        assert!(create_own_folder(&at("folder")).is_ok());
        symlink("folder", at("to folder")).unwrap();
        assert!(create_own_folder(&at("to folder")).is_err());
        assert!(create_own_folder(&at("mine")).is_err());
        create_private_folder(&at("private/inner")).unwrap();
        let mode = fs::metadata(at("private/inner")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
    }
}
