//! Injects faults on saving: runs a process in which one change to a folder fails or kills the process.
//!
//! A small C library is preloaded, so that the unmodified program is tested. The library counts the calls that change
//! files in the folder: create, write, sync, rename, link, remove and change permissions.

use std::{
    fs,
    hash::{DefaultHasher, Hash as _, Hasher as _},
    path::{Path, PathBuf},
    process::{Command, id},
    sync::OnceLock,
};

const SOURCE: &str = include_str!("faults.c");

/// The effect of a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The process is killed. Half of a write is done first.
    Kill,
    /// The change fails with an I/O error.
    Broken,
    /// This change and all later ones fail because the disk is full. Half of a write is done first.
    Full,
}

/// Makes change number `at` of `command` in `folder` fail, counted from 1. With 0, no change fails.
pub fn inject(command: &mut Command, folder: &Path, fault: Fault, at: usize) {
    let kind = match fault {
        Fault::Kill => "kill",
        Fault::Broken => "broken",
        Fault::Full => "full",
    };
    command.env("LD_PRELOAD", library()).env("FAULT_FOLDER", folder);
    command.env("FAULT_KIND", kind).env("FAULT_AT", at.to_string());
}

/// Makes `command` log its changes in `folder` to `log`, one per line: number, kind and path.
pub fn record(command: &mut Command, folder: &Path, log: &Path) {
    inject(command, folder, Fault::Broken, 0);
    command.env("FAULT_LOG", log);
}

/// Builds the library next to the test binary, unless another test has already built it.
fn library() -> &'static Path {
    static LIBRARY: OnceLock<PathBuf> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        let mut hasher = DefaultHasher::new();
        SOURCE.hash(&mut hasher);
        let folder = std::env::current_exe().unwrap().parent().unwrap().to_owned();
        let library = folder.join(format!("faults-{:016x}.so", hasher.finish()));
        if !library.exists() {
            let source = folder.join(format!("faults-{}.c", id()));
            let built = source.with_extension("so");
            fs::write(&source, SOURCE).unwrap();
            let mut compiler = Command::new("cc");
            compiler.args(["-O1", "-shared", "-fPIC", "-o"]).arg(&built).arg(&source).arg("-ldl");
            assert!(compiler.status().unwrap().success(), "cc builds {}", source.display());
            fs::rename(&built, &library).unwrap();
            fs::remove_file(&source).unwrap();
        }
        library
    })
}
