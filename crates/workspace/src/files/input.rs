//! Reads input files: regular files only, up to a maximum size per format. The program reads all its input here.

#[cfg(not(target_family = "wasm"))]
use std::fs::File;
use std::{io::Read as _, path::Path};

use anyhow::Context as _;
use walkable::mesh::LevelFormat;

#[cfg(not(target_family = "wasm"))]
use super::opened::open_regular;
use super::{NamedBy, identity::declare_input};
use crate::limits;

const MIB: u64 = 1 << 20;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    LevelFile(LevelFormat),
    /// A file of triangles that is read in pieces, or a file that a level refers to.
    Level,
    /// Baked tiles (MSET) or layers (TSET).
    Navmesh,
    Project,
    Settings,
    Scene,
    Map,
    Scenario,
    Queries,
    AgentTable,
    Repro,
    Suite,
    /// The rows of a sweep (CSV).
    Sweep,
    CachedTile,
    /// The tiles of one shard of a bake.
    Part,
    Picture,
    Overview,
    Routes,
    /// The list of what is open, for the next run if this one crashes.
    OpenLevels,
}

impl Format {
    pub const fn max_bytes(self) -> u64 {
        match self {
            Self::LevelFile(_) | Self::Level | Self::Navmesh | Self::Part | Self::Routes => {
                512 * MIB
            }
            Self::Repro => 128 * MIB,
            Self::CachedTile
            | Self::Overview
            | Self::Project
            | Self::Map
            | Self::Scenario
            | Self::Queries => 64 * MIB,
            Self::Settings | Self::Scene | Self::Suite | Self::Sweep | Self::OpenLevels => 16 * MIB,
            Self::Picture | Self::AgentTable => MIB,
        }
    }

    /// Returns how many bytes of memory reading takes per byte of the file. Measured with the densest files that tools
    /// write; for denser files, the readers themselves limit the memory.
    pub const fn memory_per_byte(self) -> u64 {
        match self {
            Self::LevelFile(format) => format.memory_per_byte(),
            Self::Repro => 4,
            Self::Navmesh => 3,
            Self::Level
            | Self::Project
            | Self::Settings
            | Self::Scene
            | Self::Map
            | Self::Scenario
            | Self::Queries
            | Self::AgentTable
            | Self::Suite
            | Self::Sweep
            | Self::CachedTile
            | Self::Part
            | Self::Picture
            | Self::Overview
            | Self::Routes
            | Self::OpenLevels => 2,
        }
    }

    pub const fn is_level(self) -> bool {
        matches!(self, Self::LevelFile(_) | Self::Level)
    }

    const fn name(self) -> &'static str {
        match self {
            Self::LevelFile(_) | Self::Level => "a level with all its files",
            Self::Navmesh => "a navmesh",
            Self::Project => "a project",
            Self::Settings => "a settings file",
            Self::Scene => "a .gset file",
            Self::Map => "a map",
            Self::Scenario => "a scenario",
            Self::Queries => "a list of queries",
            Self::AgentTable => "a table of agents",
            Self::Repro => "a repro file",
            Self::Suite => "a path suite",
            Self::Sweep => "a file of `walkable sweep`",
            Self::CachedTile => "a cached tile",
            Self::Part => "a part of a bake",
            Self::Picture => "a picture",
            Self::Overview => "an overview",
            Self::Routes => "an overlay for routes",
            Self::OpenLevels => "a list of open levels",
        }
    }

    const fn named_by(self) -> NamedBy {
        match self {
            Self::CachedTile | Self::Picture | Self::Overview | Self::Routes | Self::OpenLevels => {
                NamedBy::Program
            }
            Self::LevelFile(_)
            | Self::Level
            | Self::Navmesh
            | Self::Project
            | Self::Settings
            | Self::Scene
            | Self::Map
            | Self::Scenario
            | Self::Queries
            | Self::AgentTable
            | Self::Repro
            | Self::Suite
            | Self::Sweep
            | Self::Part => NamedBy::User,
        }
    }

    const fn remedy(self) -> Option<&'static str> {
        match self {
            Self::LevelFile(_) | Self::Level => Some(
                "write it as .glb, which is smaller, or split it and use `walkable bin` on the pieces",
            ),
            Self::Scenario | Self::Queries | Self::Suite => Some("split it"),
            Self::Repro => Some("save it with --around, which keeps only a part of the level"),
            Self::Part => Some("bake more shards"),
            Self::Navmesh
            | Self::AgentTable
            | Self::Project
            | Self::Settings
            | Self::Scene
            | Self::Map
            | Self::Sweep
            | Self::CachedTile
            | Self::Picture
            | Self::Overview
            | Self::Routes
            | Self::OpenLevels => None,
        }
    }
}

/// Returns the bytes of a file. Fails if it is not a regular file, is too large for its format, would take more memory
/// than the limit, or is an output of the running command.
pub fn read(path: &Path, format: Format) -> anyhow::Result<Vec<u8>> {
    read_limited(path, format, (0, format.max_bytes()))
}

/// Like [`read`], for a file that belongs to a level of which `n_before` bytes were read before. The limits apply to
/// the sum of both.
pub fn read_beside(path: &Path, format: Format, n_before: u64) -> anyhow::Result<Vec<u8>> {
    read_limited(path, format, (n_before, format.max_bytes().saturating_sub(n_before)))
}

pub fn read_within(path: &Path, format: Format, max_bytes: u64) -> anyhow::Result<Vec<u8>> {
    read_limited(path, format, (0, max_bytes))
}

/// Like [`read`], for a file that this program wrote, which may be an output of the running command.
pub fn read_earlier(path: &Path, format: Format) -> anyhow::Result<Vec<u8>> {
    read_earlier_limited(path, format, (0, format.max_bytes()))
}

fn read_limited(path: &Path, format: Format, limits: (u64, u64)) -> anyhow::Result<Vec<u8>> {
    if format.named_by() == NamedBy::User {
        declare_input(path)?;
    }
    read_earlier_limited(path, format, limits)
}

fn read_earlier_limited(
    path: &Path,
    format: Format,
    (n_before, max_bytes): (u64, u64),
) -> anyhow::Result<Vec<u8>> {
    let context = || format!("cannot read {}", path.display());
    let check = |n_bytes: u64| {
        if n_bytes > max_bytes {
            return Err(too_large(n_bytes, format));
        }
        admit(n_before.saturating_add(n_bytes), format)
    };
    let (file, n_bytes) = open_to_read(path, format.named_by()).with_context(context)?;
    check(n_bytes).with_context(context)?;
    let mut bytes = Vec::new();
    let expected = usize::try_from(n_bytes).unwrap_or(usize::MAX);
    bytes.try_reserve_exact(expected).with_context(context)?;
    // The file may grow while it is read.
    file.take(max_bytes.saturating_add(1)).read_to_end(&mut bytes).with_context(context)?;
    check(u64::try_from(bytes.len()).unwrap_or(u64::MAX)).with_context(context)?;
    refuse_pointer(&bytes).with_context(context)?;
    Ok(bytes)
}

/// Refuses the text that Git LFS leaves in the place of a file that it has not fetched.
fn refuse_pointer(bytes: &[u8]) -> anyhow::Result<()> {
    if bytes.starts_with(b"version https://git-lfs.github.com/spec/") {
        anyhow::bail!(
            "it is a pointer of Git LFS, not the file itself; fetch that with `git lfs pull`"
        );
    }
    Ok(())
}

fn admit(n_bytes: u64, format: Format) -> anyhow::Result<()> {
    let (needed, limit) = (n_bytes.saturating_mul(format.memory_per_byte()), limits::of_reading());
    if needed <= limit {
        limits::record_reading(needed);
        return Ok(());
    }
    let [needed, limit] = [needed.div_ceil(1_000_000), limit / 1_000_000];
    Err(match format.remedy() {
        None => anyhow::anyhow!(
            "reading it takes an estimated {needed} MB of memory, more than the limit of {limit} MB; raise the limit \
            (--max-memory; Edit, Preferences; ulimit -v)"
        ),
        Some(remedy) => anyhow::anyhow!(
            "reading it takes an estimated {needed} MB of memory, more than the limit of {limit} MB; raise the limit \
            (--max-memory; Edit, Preferences; ulimit -v), or {remedy}"
        ),
    })
}

pub fn read_text(path: &Path, format: Format) -> anyhow::Result<String> {
    String::from_utf8(read(path, format)?)
        .with_context(|| format!("cannot read {}: it is not text", path.display()))
}

/// Like [`read`], but returns up to `max_bytes` from the start of a file of any size.
pub(super) fn read_start(path: &Path, max_bytes: u64) -> anyhow::Result<Vec<u8>> {
    declare_input(path)?;
    start_of(path, max_bytes, NamedBy::User)
}

/// Returns up to `max_bytes` from the start of a file that this program may have written. Fails if there is a link, or
/// something other than a regular file.
pub fn read_own_start(path: &Path, max_bytes: u64) -> anyhow::Result<Vec<u8>> {
    start_of(path, max_bytes, NamedBy::Program)
}

fn start_of(path: &Path, max_bytes: u64, named: NamedBy) -> anyhow::Result<Vec<u8>> {
    let context = || format!("cannot read {}", path.display());
    let (file, _) = open_to_read(path, named).with_context(context)?;
    let mut start = Vec::new();
    file.take(max_bytes).read_to_end(&mut start).with_context(context)?;
    refuse_pointer(&start).with_context(context)?;
    Ok(start)
}

/// Opens a file of any size, to be read in pieces. Fails if it is not a regular file or is an output of the running
/// command.
#[cfg(not(target_family = "wasm"))]
pub fn open(path: &Path) -> anyhow::Result<File> {
    declare_input(path)?;
    open_earlier(path)
}

/// Like [`open`], for a file that this program wrote, which may be an output of the running command.
#[cfg(not(target_family = "wasm"))]
pub fn open_earlier(path: &Path) -> anyhow::Result<File> {
    let opened = open_to_read(path, NamedBy::User);
    Ok(opened.with_context(|| format!("cannot read {}", path.display()))?.0)
}

#[cfg(target_family = "wasm")]
pub fn open(path: &Path) -> anyhow::Result<std::io::Cursor<std::sync::Arc<[u8]>>> {
    let opened = super::page::read(path).with_context(|| format!("cannot read {}", path.display()));
    Ok(std::io::Cursor::new(opened?))
}

#[cfg(target_family = "wasm")]
fn open_to_read(path: &Path, _named: NamedBy) -> anyhow::Result<(impl std::io::Read, u64)> {
    let bytes = super::page::read(path)?;
    let n_bytes = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
    Ok((std::io::Cursor::new(bytes), n_bytes))
}

#[cfg(not(target_family = "wasm"))]
fn open_to_read(path: &Path, named: NamedBy) -> anyhow::Result<(File, u64)> {
    let (file, found) = open_regular(path, File::options().read(true), named)?;
    Ok((file, found.len()))
}

fn too_large(n_bytes: u64, format: Format) -> anyhow::Error {
    let limit = format.max_bytes();
    let name = format.name();
    // Rounded up, so that a size above the limit is never shown as the limit.
    let size = n_bytes.div_ceil(MIB).max(limit / MIB + 1);
    let limit = limit / MIB;
    match format.remedy() {
        None => anyhow::anyhow!("it has {size} MiB, more than the limit of {limit} MiB for {name}"),
        Some(remedy) => {
            anyhow::anyhow!(
                "it has {size} MiB, more than the limit of {limit} MiB for {name}; {remedy}"
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const ALL: [Format; 11] = [
        Format::Level,
        Format::Navmesh,
        Format::Project,
        Format::Settings,
        Format::Scene,
        Format::Map,
        Format::Scenario,
        Format::Queries,
        Format::Suite,
        Format::CachedTile,
        Format::Part,
    ];

    #[test]
    fn a_file_beyond_its_limit_is_refused_with_the_limit_and_unread() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("huge");
        for format in ALL {
            let limit = format.max_bytes();
            // A sparse file: it takes no space on disk.
            File::create(&path).unwrap().set_len(limit + 1).unwrap();
            let why = format!("{:#}", read(&path, format).unwrap_err());
            let words = format!("limit of {} MiB", limit / MIB);
            assert!(why.contains("huge") && why.contains(&words), "{why}");
        }
        fs::write(&path, "abc").unwrap();
        assert_eq!(read_within(&path, Format::Level, 3).unwrap(), b"abc");
        assert!(read_within(&path, Format::Level, 2).is_err());
        let before = Format::Level.max_bytes() - 3;
        assert_eq!(read_beside(&path, Format::Level, before).unwrap(), b"abc");
        assert!(read_beside(&path, Format::Level, before + 1).is_err());
    }

    #[test]
    fn a_pointer_of_git_lfs_is_called_that() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n";
        fs::write(file.path(), pointer).unwrap();
        let read = read(file.path(), Format::LevelFile(LevelFormat::Gltf)).map(drop);
        for result in [read, read_start(file.path(), 100).map(drop)] {
            let error = format!("{:#}", result.unwrap_err());
            assert!(
                error.contains("pointer of Git LFS") && error.contains("git lfs pull"),
                "{error}"
            );
        }
    }

    #[test]
    fn a_folder_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let why = format!("{:#}", read(folder.path(), Format::Level).unwrap_err());
        assert!(why.contains("it is a folder"), "{why}");
    }

    #[cfg(unix)]
    #[test]
    fn devices_and_pipes_are_refused_before_they_are_opened() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let socket = folder.path().join("socket");
        let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
        for (path, kind) in [
            (&*pipe, "a named pipe"),
            (&*socket, "a socket"),
            (Path::new("/dev/zero"), "a device"),
            (Path::new("/dev/null"), "a device"),
        ] {
            for format in ALL {
                let why = format!("{:#}", read(path, format).unwrap_err());
                assert!(why.contains(kind) && why.contains("only regular files"), "{why}");
            }
            assert!(open(path).is_err());
        }
        // A link to a device is refused, too.
        let link = folder.path().join("level.obj");
        std::os::unix::fs::symlink("/dev/zero", &link).unwrap();
        assert!(read(&link, Format::Level).is_err());
    }
}
