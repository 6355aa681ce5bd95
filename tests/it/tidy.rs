//! Checks what neither the compiler nor Cargo checks: cyclic module dependencies, use of the machine in the library,
//! unfinished work.

#![expect(clippy::unwrap_used, reason = "a test that cannot read the sources should fail")]

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::modules::{Modules, circles, used_paths};

/// Source folders of the library, by crate.
const LIBRARY: [&str; 9] = [
    "src",
    "crates/runtime/src",
    "crates/store/src",
    "crates/mesh/src",
    "crates/export/src",
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

/// Whether a variant of an error shows its source in its own message, so that a printed chain says it twice.
fn repeats_source(variant: &syn::Variant) -> bool {
    let is_source = |attribute: &syn::Attribute| {
        attribute.path().is_ident("from") || attribute.path().is_ident("source")
    };
    let names = variant.fields.iter().enumerate().filter_map(|(index, field)| {
        let name = field.ident.as_ref().map_or_else(|| index.to_string(), ToString::to_string);
        (name == "source" || field.attrs.iter().any(is_source)).then(|| format!("{{{name}"))
    });
    let names: Vec<_> = names.collect();
    let messages = variant.attrs.iter().filter(|attribute| attribute.path().is_ident("error"));
    let texts = messages.filter_map(|attribute| attribute.meta.require_list().ok());
    texts
        .map(|list| list.tokens.to_string())
        .any(|message| names.iter().any(|name| message.contains(name)))
}

#[test]
fn errors_do_not_repeat_their_source() {
    let mut problems = Vec::new();
    for file in
        LIBRARY.into_iter().chain(PROGRAM).flat_map(|folder| rust_files(&root().join(folder)))
    {
        let parsed = syn::parse_file(&fs::read_to_string(&file).unwrap()).unwrap();
        for item in &parsed.items {
            let syn::Item::Enum(item) = item else { continue };
            for variant in item.variants.iter().filter(|variant| repeats_source(variant)) {
                let (file, name) = (file.display(), &item.ident);
                problems.push(format!(
                    "{file}: {name}::{} has its source in its message",
                    variant.ident
                ));
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

/// The only file that searches the window by labels; it lends tests searches by id, and texts that cannot be clicked.
const FINDS_BY_LABEL: &str = "crates/window/src/testing.rs";

/// Labels change with the language. Without `Queryable` in scope a test has no search by label.
#[test]
fn tests_of_the_window_find_controls_by_id() {
    let mut problems = Vec::new();
    for file in rust_files(&root().join("crates/window")) {
        if file == root().join(FINDS_BY_LABEL) {
            continue;
        }
        for path in used_paths(&fs::read_to_string(&file).unwrap()) {
            let is_whole = path.last().is_some_and(|name| name == "kittest" || name == "*");
            let is_kittest = path.iter().any(|name| name == "kittest");
            if path.iter().any(|name| name == "Queryable") || (is_kittest && is_whole) {
                let path = path.join("::");
                problems.push(format!("{} uses {path}; take crate::testing::Find", file.display()));
            }
        }
    }
    assert_clean(&problems);
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
