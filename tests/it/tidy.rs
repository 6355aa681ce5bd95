//! Checks what neither the compiler nor Cargo checks: cyclic module dependencies, use of the machine in the library,
//! unfinished work.

#![expect(clippy::unwrap_used, reason = "a test that cannot read the sources should fail")]

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::{
    modules::{Modules, Names, circles, used_paths},
    wildcards::Enums,
};

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
const PROGRAM: [&str; 4] =
    ["crates/workspace/src", "crates/editor/src", "crates/window/src", "crates/cli/src"];

/// Source folders of the other crates.
const OTHERS: [&str; 4] =
    ["crates/fuzz-targets/src", "crates/test-support/src", "crates/tr/src", "crates/web/src"];

/// Modules of `bake` that run a part of a stage. `tile_bake` contains the recipe.
const STAGES: [&str; 14] = [
    "bound",
    "compact",
    "contour",
    "detail",
    "distance",
    "erode",
    "filter",
    "mark",
    "median",
    "polymesh",
    "rasterize",
    "region",
    "slope",
    "tile",
];

/// Modules of the library that the 3D view uses: shapes and drawings, but nothing about navigation.
const DRAWN: [&str; 3] = ["debug_draw", "geom", "mesh"];

/// Modules of `std` that would tie the library to files, a clock, its own threads or the machine.
const MACHINE: [&str; 6] = ["env", "fs", "net", "process", "thread", "time"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn all_crates() -> impl Iterator<Item = &'static str> {
    LIBRARY.into_iter().chain(PROGRAM).chain(OTHERS)
}

#[track_caller]
fn assert_clean(problems: &[String]) {
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
}

#[test]
fn modules_do_not_use_each_other_in_a_cycle() {
    let mut problems = Vec::new();
    for folder in all_crates() {
        let modules = Modules::read(&root().join(folder));
        problems.extend(circles(&modules).into_iter().map(|circle| format!("{folder}: {circle}")));
    }
    assert_clean(&problems);
}

#[test]
fn the_lists_of_crates_are_complete() {
    let mut problems = Vec::new();
    for entry in fs::read_dir(root().join("crates")).unwrap() {
        let folder = entry.unwrap().path().join("src");
        if folder.is_dir() && !all_crates().any(|listed| root().join(listed) == folder) {
            problems.push(format!("{} is in no list", folder.display()));
        }
    }
    assert_clean(&problems);
}

/// A stage may name the results of others, which are types, but none of their functions and modules.
#[test]
fn no_stage_of_the_bake_calls_another() {
    let modules = Modules::read(&root().join("crates/bake/src"));
    let stage_of = |module: &Names| match &module[..] {
        [first, stage, ..] if first == "bake" && STAGES.contains(&stage.as_str()) => {
            Some(stage.clone())
        }
        _ => None,
    };
    let found = STAGES.map(str::to_owned).map(|stage| vec!["bake".to_owned(), stage]);
    assert!(found.iter().all(|stage| modules.has(stage)), "a stage of the list does not exist");
    let mut problems = Vec::new();
    for (from, path, to) in modules.uses_of_others() {
        let is_type = path.last().is_some_and(|name| name.starts_with(char::is_uppercase));
        if let (Some(from), Some(to)) = (stage_of(from), stage_of(&to))
            && !is_type
            && from != to
        {
            problems.push(format!("{from} uses {} of {to}", path.join("::")));
        }
    }
    assert_clean(&problems);
}

#[test]
fn the_viewport_computes_no_navigation() {
    let modules = Modules::read(&root().join("crates/window/src"));
    let mut problems = Vec::new();
    for (module, path) in modules.paths() {
        if module.first().is_none_or(|first| first != "viewport") {
            continue;
        }
        let is_allowed = match &path[..] {
            [library, part, ..] if library == "walkable" => DRAWN.contains(&part.as_str()),
            [first, ..] => {
                !first.starts_with("walkable")
                    || ["walkable_editor", "walkable_workspace"].contains(&first.as_str())
            }
            [] => true,
        };
        if !is_allowed {
            problems.push(format!("{} uses {}", module.join("::"), path.join("::")));
        }
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

/// Functions that open files. They follow links and wait for the other end of a pipe.
const OPENING: [[&str; 2]; 9] = [
    ["File", "create"],
    ["File", "create_new"],
    ["File", "open"],
    ["File", "options"],
    ["OpenOptions", "new"],
    ["fs", "copy"],
    ["fs", "read"],
    ["fs", "read_to_string"],
    ["fs", "write"],
];

/// The modules that open files: that of all files, one that asks the system, one that fills a new temporary folder.
const OPENERS: [(&str, &str); 3] = [
    ("crates/workspace/src", "files"),
    ("crates/workspace/src", "limits"),
    ("crates/window/src", "search_pictures"),
];

#[test]
fn files_are_opened_in_one_place() {
    let mut problems = Vec::new();
    for folder in PROGRAM {
        for (module, path) in Modules::read(&root().join(folder)).paths() {
            let opens = |names: &[&str; 2]| path.ends_with(&names.map(str::to_owned));
            let is_opener = module.first().is_some_and(|name| OPENERS.contains(&(folder, name)));
            if OPENING.iter().any(opens) && !is_opener {
                let (module, path) = (module.join("::"), path.join("::"));
                problems.push(format!(
                    "{folder}: {module} calls {path}; use walkable_workspace::files"
                ));
            }
        }
    }
    assert_clean(&problems);
}

/// Commands write and remove files only through the types of `guard`, which compare them with the files they read.
#[test]
fn commands_write_through_their_declared_outputs() {
    let mut problems = Vec::new();
    for file in rust_files(&root().join("crates/cli/src")) {
        let text = fs::read_to_string(&file).unwrap();
        let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
        let is_used = |path: &Names| matches!(&path[..], [first, second, third, ..] if first == "std" && second == "fs" && third != "File");
        let words =
            ["write_atomically", "File::create", "File::options", "fs::write", "fs::remove"];
        if !file.ends_with("guard.rs")
            && (used_paths(code).iter().any(is_used)
                || words.iter().any(|word| code.contains(word)))
        {
            problems.push(format!("{} writes files", file.display()));
        }
    }
    assert_clean(&problems);
}

/// Returns whether a variant of an error includes its source in its own message, so that a printed chain repeats it.
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
    for file in all_crates().flat_map(|folder| rust_files(&root().join(folder))) {
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

/// The only file that searches the window by labels; tests use it to search by id, and for texts that cannot be
/// clicked.
const FINDS_BY_LABEL: &str = "crates/window/src/testing.rs";

/// Labels change with the language. Without `Queryable` in scope, a test cannot search by label.
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

/// A new variant should cause a compile error wherever its meaning must be chosen.
#[test]
fn no_wildcard_arms_over_our_own_enums() {
    let is_test = |file: &Path| {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        file.components().any(|part| part.as_os_str() == "tests")
            || name.ends_with("tests")
            || name == "testing"
    };
    let mut enums = Enums::default();
    let mut files = Vec::new();
    for folder in all_crates() {
        for file in rust_files(&root().join(folder)).into_iter().filter(|file| !is_test(file)) {
            let parsed = syn::parse_file(&fs::read_to_string(&file).unwrap()).unwrap();
            enums.add(folder, &parsed);
            files.push((folder, file, parsed));
        }
    }
    let mut problems = Vec::new();
    for (folder, file, parsed) in &files {
        let found = enums.with_wildcards(folder, parsed).into_iter();
        problems.extend(found.map(|name| {
            format!("{}: a `_ =>` arm over {name}; name its variants", file.display())
        }));
    }
    assert_clean(&problems);
}
