//! Runs every fuzz target on its corpus, and the readers on damaged files.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod damaged;

use std::{fs, path::PathBuf};

use walkable_fuzz_targets::TARGETS;
use walkable_test_support::repository;

/// Returns the files in a folder, sorted by name.
fn files_in(folder: &str) -> Vec<PathBuf> {
    let folder = repository().join("fuzz").join(folder);
    let entries = fs::read_dir(&folder).expect("a folder in fuzz/");
    let mut files: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

#[test]
fn every_corpus_file_passes_its_target() {
    for target in TARGETS {
        let files = files_in(&format!("corpus/{}", target.name));
        assert!(!files.is_empty(), "there is no corpus for {}", target.name);
        for file in files {
            let bytes = fs::read(&file).unwrap();
            let is_right = std::panic::catch_unwind(|| (target.check)(&bytes)).is_ok();
            assert!(is_right, "{}", file.display());
        }
    }
}

#[test]
fn every_target_is_fuzzed_and_every_corpus_has_a_target() {
    let names: Vec<_> = TARGETS.iter().map(|target| target.name.to_owned()).collect();
    let found = |folder: &str| -> Vec<String> {
        files_in(folder)
            .iter()
            .map(|file| file.file_stem().unwrap().to_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(found("fuzz_targets"), names);
    assert_eq!(found("corpus"), names);
}
