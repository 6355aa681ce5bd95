//! Checks what neither the compiler nor Cargo checks: cyclic module dependencies, use of the machine in the library,
//! unfinished work.

#![expect(clippy::unwrap_used, reason = "a test that cannot read the sources should fail")]

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::modules::{Modules, circles};

/// Source folders of the library, by crate.
const LIBRARY: [&str; 7] = [
    "src",
    "crates/runtime/src",
    "crates/mesh/src",
    "crates/level-files/src",
    "crates/search/src",
    "crates/bake/src",
    "crates/tools/src",
];

/// Source folders of the program.
const PROGRAM: [&str; 3] = ["crates/editor/src", "crates/window/src", "crates/cli/src"];

/// Modules of `std` that would tie the library to files, a clock, its own threads or the machine.
const MACHINE: [&str; 6] = ["env", "fs", "net", "process", "thread", "time"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[track_caller]
fn assert_clean(problems: &[String]) {
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
}

#[test]
fn modules_do_not_use_each_other_in_a_cycle() {
    let mut problems = Vec::new();
    for folder in LIBRARY.into_iter().chain(PROGRAM) {
        let modules = Modules::read(&root().join(folder));
        problems.extend(circles(&modules).into_iter().map(|circle| format!("{folder}: {circle}")));
    }
    assert_clean(&problems);
}

#[test]
fn the_library_does_not_access_the_machine() {
    let mut problems = Vec::new();
    for folder in LIBRARY {
        for (module, path) in Modules::read(&root().join(folder)).paths() {
            if let [first, second, ..] = &path[..]
                && first == "std"
                && MACHINE.contains(&second.as_str())
            {
                let path = path.join("::");
                problems.push(format!("{folder}: {} names {path}", module.join("::")));
            }
        }
    }
    assert_clean(&problems);
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.ends_with("target") {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

#[test]
fn no_unfinished_work() {
    // Split into pieces so that this file does not match itself.
    let calls = ["todo", "unimplemented"].map(|word| format!("{word}!("));
    let marks = [["FIX", "ME"], ["XX", "X "], ["HA", "CK"], ["#[ig", "nore"]].map(|m| m.concat());
    let mut problems = Vec::new();
    for folder in ["src", "crates", "tests", "examples", "benches"] {
        for file in rust_files(&root().join(folder)) {
            let text = fs::read_to_string(&file).unwrap();
            for (n, line) in text.lines().enumerate() {
                for word in calls.iter().chain(&marks).filter(|word| line.contains(*word)) {
                    problems.push(format!("{}:{}: {word}", file.display(), n + 1));
                }
            }
        }
    }
    assert_clean(&problems);
}
