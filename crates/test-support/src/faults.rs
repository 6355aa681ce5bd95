//! Faults on saving: a process is run so that one of its changes to a folder fails, or is the last that it does.
//!
//! A small library in C is loaded before the system's, so the program itself is the one that users have. It counts what
//! changes files in the folder: to create, write, sync, rename, link and remove them, and to set who may read them.

use std::{
    fs,
    hash::{DefaultHasher, Hash as _, Hasher as _},
    path::{Path, PathBuf},
    process::{Command, id},
    sync::OnceLock,
};

const SOURCE: &str = include_str!("faults.c");

/// What happens at the chosen change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The process is killed; of a write one half is done.
    Kill,
    /// The change fails as on a broken disk.
    Broken,
    /// This change and all after it fail as on a full disk; of a write one half is done.
    Full,
}

/// Lets `command` fail at change number `at`, counted from 1, of those in `folder`; 0 for none.
pub fn inject(command: &mut Command, folder: &Path, fault: Fault, at: usize) {
    let kind = match fault {
        Fault::Kill => "kill",
        Fault::Broken => "broken",
        Fault::Full => "full",
    };
    command.env("LD_PRELOAD", library()).env("FAULT_FOLDER", folder);
    command.env("FAULT_KIND", kind).env("FAULT_AT", at.to_string());
}

/// Has `command` write down its changes in `folder` in `log`, a line each: number, kind and path.
pub fn record(command: &mut Command, folder: &Path, log: &Path) {
    inject(command, folder, Fault::Broken, 0);
    command.env("FAULT_LOG", log);
}

/// The library, built where the tests are, by any of them.
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
