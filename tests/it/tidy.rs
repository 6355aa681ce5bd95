//! What a person can forget, remembered: who may import whom, how long a file may be, which words
//! may not stay.

#![expect(clippy::unwrap_used, reason = "a test that cannot read the sources should fail")]

use std::{
    fs,
    path::{Path, PathBuf},
};

/// Each library module and the other modules it may name. A row uses rows above it only.
const LAYERS: &[(&str, &[&str])] = &[
    ("ids", &[]),
    ("stage", &[]),
    ("monitor", &["stage"]),
    ("geom", &[]),
    ("mesh", &["ids", "geom"]),
    ("search", &["ids", "monitor"]),
    ("random", &[]),
    ("side_by_side", &[]),
    ("grid", &["ids", "search", "random"]),
    ("voxel", &["monitor", "geom", "mesh", "search", "grid"]),
    ("navmesh", &["ids", "geom", "side_by_side"]),
    ("query", &["ids", "geom", "navmesh", "search"]),
    ("bake", &["ids", "stage", "monitor", "geom", "side_by_side", "mesh", "navmesh"]),
    ("ground", &["ids", "search", "grid", "bake"]),
    ("tile_cache", &["ids", "geom", "monitor", "mesh", "navmesh", "bake"]),
    ("links", &["ids", "monitor", "geom", "mesh", "navmesh", "query", "bake"]),
    ("level", &["ids", "geom", "random", "grid", "mesh", "bake"]),
    ("explain", &["ids", "stage", "monitor", "geom", "mesh", "bake"]),
    ("debug_draw", &["ids", "stage", "geom", "mesh", "navmesh", "query", "bake", "explain"]),
];

/// What would tie the library to a window, a file, a clock or a terminal.
const OUTSIDE_LIBRARY: &[&str] = &[
    "egui",
    "eframe",
    "wgpu",
    "rfd",
    "clap",
    "anyhow",
    "std::fs",
    "std::time",
    "std::thread",
    "println!",
];

/// Modules of the program that draw. Everything else there works without a window.
const DRAWS: &[&str] =
    &["app", "panels", "viewport", "widgets", "theme", "editor", "screenshots", "frame_bench"];

const LONGEST_LIBRARY_FILE: usize = 700;
const LONGEST_PROGRAM_FILE: usize = 400;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let Ok(entries) = fs::read_dir(folder) else { return files };
    for entry in entries {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

fn is_test_file(file: &Path) -> bool {
    let is_test = |part: &str| part.trim_end_matches(".rs").ends_with("tests");
    file.components().any(|part| part.as_os_str().to_str().is_some_and(is_test))
}

/// Source files of the library, tests left out.
fn library_sources() -> Vec<PathBuf> {
    let files = rust_files(&root().join("src")).into_iter();
    files.filter(|f| !f.starts_with(root().join("src/bin")) && !is_test_file(f)).collect()
}

/// Source files of the program, tests left out.
fn program_sources() -> Vec<PathBuf> {
    rust_files(&root().join("src/bin")).into_iter().filter(|f| !is_test_file(f)).collect()
}

/// First part of the path below `base`, without its ending.
fn module_of(file: &Path, base: &Path) -> String {
    let first = file.strip_prefix(base).unwrap().components().next().unwrap();
    first.as_os_str().to_str().unwrap().trim_end_matches(".rs").to_owned()
}

/// The text up to the unit tests at its end.
fn without_tests(text: &str) -> &str {
    &text[..text.find("#[cfg(test)]").unwrap_or(text.len())]
}

/// Numbered lines that are code.
fn code_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let numbered = without_tests(text).lines().enumerate().map(|(n, line)| (n + 1, line));
    numbered.filter(|(_, line)| !line.trim_start().starts_with("//"))
}

/// Names that follow `crate::` in `line`.
fn named_modules(line: &str) -> Vec<&str> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let paths = line.match_indices("crate::").map(|(at, found)| &line[at + found.len()..]);
    paths.map(|path| &path[..path.find(|c| !is_name(c)).unwrap_or(path.len())]).collect()
}

/// The text with every `use crate::{ … }` group written as one `crate::` path a line.
fn spelled_out(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("use crate::{") {
        out.push_str(&rest[..at]);
        let group = &rest[at + "use crate::{".len()..];
        let end = group.find("};").unwrap_or(group.len());
        let mut depth = 0_i32;
        for item in group[..end].split_inclusive([',', '{', '}']) {
            if depth == 0 && item.trim().starts_with(char::is_alphabetic) {
                out.push_str("crate::");
                out.push_str(item.trim());
            }
            depth += i32::from(item.ends_with('{')) - i32::from(item.ends_with('}'));
            out.push('\n');
        }
        rest = &group[end..];
    }
    out.push_str(rest);
    out
}

#[track_caller]
fn assert_clean(problems: &[String]) {
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
}

#[test]
fn library_modules_import_only_downwards() {
    let base = root().join("src");
    let is_module = |name: &str| LAYERS.iter().any(|(module, _)| *module == name);
    let mut problems = Vec::new();
    for file in library_sources() {
        let module = module_of(&file, &base);
        let row = LAYERS.iter().find(|(name, _)| *name == module);
        let Some((_, allowed)) = row else {
            if module != "lib" {
                problems.push(format!("{}: {module} is missing from LAYERS", file.display()));
            }
            continue;
        };
        let text = spelled_out(without_tests(&fs::read_to_string(&file).unwrap()));
        let named = code_lines(&text).flat_map(|(_, line)| named_modules(line));
        for name in named.filter(|name| *name != module && is_module(name)) {
            if !allowed.contains(&name) {
                problems.push(format!("{}: {module} may not use {name}", file.display()));
            }
        }
    }
    assert_clean(&problems);
}

#[test]
fn layers_have_no_cycle() {
    for (row, (module, allowed)) in LAYERS.iter().enumerate() {
        for name in *allowed {
            let above = LAYERS[..row].iter().any(|(earlier, _)| earlier == name);
            assert!(above, "{module} may use {name}, which does not stand above it");
        }
    }
}

#[test]
fn library_asks_the_machine_for_nothing() {
    let mut problems = Vec::new();
    for file in library_sources() {
        let text = fs::read_to_string(&file).unwrap();
        for (n, line) in code_lines(&text) {
            for word in OUTSIDE_LIBRARY.iter().filter(|word| line.contains(**word)) {
                problems.push(format!("{}:{n}: {word} in the library", file.display()));
            }
        }
    }
    assert_clean(&problems);
}

#[test]
fn only_drawing_modules_name_the_gui() {
    let base = root().join("src/bin/walkable");
    let mut problems = Vec::new();
    for file in program_sources() {
        let module = module_of(&file, &base);
        if DRAWS.contains(&module.as_str()) {
            continue;
        }
        let text = fs::read_to_string(&file).unwrap();
        for (n, line) in code_lines(&text) {
            if line.contains("egui") || line.contains("eframe") {
                problems.push(format!("{}:{n}: {module} names the GUI", file.display()));
            }
        }
    }
    assert_clean(&problems);
}

#[test]
fn files_are_short() {
    let mut problems = Vec::new();
    let library = (library_sources(), LONGEST_LIBRARY_FILE);
    for (files, longest) in [library, (program_sources(), LONGEST_PROGRAM_FILE)] {
        for file in files {
            let lines = without_tests(&fs::read_to_string(&file).unwrap()).lines().count();
            if lines > longest {
                problems.push(format!("{}: {lines} lines, more than {longest}", file.display()));
            }
        }
    }
    assert_clean(&problems);
}

#[test]
fn no_unfinished_work() {
    // Put together from pieces so that this file does not find itself.
    let calls = ["todo", "unimplemented"].map(|word| format!("{word}!("));
    let marks = [["FIX", "ME"], ["XX", "X "], ["HA", "CK"], ["#[ig", "nore"]].map(|m| m.concat());
    let mut problems = Vec::new();
    for folder in ["src", "tests", "examples", "benches"] {
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

#[test]
fn the_import_scan_sees_groups_and_paths() {
    let text =
        "use crate::{\n    bake::{GridFrame, Stage},\n    ids::AreaId,\n};\ncrate::query::y();";
    let spelled = spelled_out(text);
    let found: Vec<&str> = spelled.lines().flat_map(named_modules).collect();
    assert_eq!(found, ["bake", "ids", "query"]);
}
